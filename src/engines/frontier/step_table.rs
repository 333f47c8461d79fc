//! A step on signatures, as a table.
//!
//! What a step makes of a signature depends on the few slots that its operations touch, on the ends that exist, and on
//! whether anything else is open. So it is worked out once for each of these cases, and of successors that are the same only
//! the one that gains most is kept; what is left for each signature is to look up its case and to put the other slots back.

use std::cmp::Reverse;
use std::ops::Range;

use super::expander::{Expand, Expander};
use super::filter::Filter;
use super::kernel::{Relaxed, Signature, State};
use super::plan::{Item, Op, Plan, Step};
use super::tables::NOTHING;

/// By a table, where the layer is large enough for one.
#[repr(align(128))]
pub(super) struct TableExpander<R> {
    by_operations: Expander<R>,
    cases: Option<Cases>,
}

/// The cases of one step.
struct Cases {
    /// The slots that tell cases apart.
    slots: Vec<u32>,
    /// The slots that the step leaves alone.
    others: Signature,
    /// Where the groups of each case begin, and the last end.
    begins: Vec<u32>,
    groups: Vec<Group>,
    successors: Vec<Successor>,
    /// What a path gains that is completed, or [`NOTHING`].
    completed: Vec<i64>,
}

/// Successors with the same ends.
struct Group {
    /// What of the slots left alone is closed if it is untouched.
    closing: u64,
    successors: Range<u32>,
}

/// What becomes of the slots that the step touches and of the ends.
#[derive(Clone, Copy)]
struct Successor {
    part: Signature,
    gain: i64,
    /// What all that adds to the score of the slots left alone.
    score: i64,
}

/// A step that touches more slots, besides that of its own vertex, has no table.
const MOST_SLOTS: usize = 4;
/// A table pays from so many states for each of its cases.
const STATES_PER_CASE: usize = 8;

impl<R: Relaxed> Expand<R> for TableExpander<R> {
    fn new() -> Self {
        TableExpander { by_operations: Expander::new(), cases: None }
    }

    fn prepare(&mut self, plan: &Plan, step: &Step, filter: &Filter<'_>, states: usize) {
        self.cases = Cases::new(plan, step, filter, states, &mut self.by_operations);
    }

    #[inline(always)]
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        filter: &Filter<'_>,
        states: impl Iterator<Item = (R, i64)>,
        mut to: impl FnMut(&Item<R>),
        mut done: impl FnMut(i64, u32),
    ) {
        let Some(cases) = &self.cases else {
            return self.by_operations.expand(plan, step, filter, states, to, done);
        };
        for ((state, value), from) in states.zip(0..) {
            let signature = state.signature();
            let case = cases.of(signature);
            let completed = cases.completed[case];
            if completed != NOTHING {
                done(value + completed, from);
            }
            let kept = signature.and(cases.others);
            for group in &cases.groups[cases.begins[case] as usize..cases.begins[case + 1] as usize] {
                let kept = kept.closing(group.closing);
                // More than this is needed of the slots that are touched.
                let needed = filter.potential.map_or(i64::MIN, |bound| bound.lacks(kept, value, filter.bar));
                for successor in &cases.successors[group.successors.start as usize..group.successors.end as usize] {
                    if successor.score > needed {
                        let state = R::from(kept.or(successor.part));
                        to(&Item { state, value: value + successor.gain, from });
                    }
                }
            }
        }
    }
}

impl Cases {
    /// `None` where that is not worth while for so many states.
    fn new<R: Relaxed>(
        plan: &Plan,
        step: &Step,
        filter: &Filter<'_>,
        states: usize,
        expander: &mut Expander<R>,
    ) -> Option<Self> {
        // The vertex of the step comes untouched.
        let mut slots: Vec<u32> = step.ops.iter().flat_map(Op::slots).filter(|&slot| slot != step.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let count = 1usize << (2 * slots.len() + 3);
        if slots.len() > MOST_SLOTS || states < count * STATES_PER_CASE {
            return None;
        }
        let touched = step.touched();
        let mut cases = Cases {
            slots,
            others: Signature::of_slots(!touched),
            begins: vec![0],
            groups: Vec::new(),
            successors: Vec::new(),
            completed: Vec::new(),
        };
        let closing = step.closing().map(|bits| Signature::slots(bits & !touched));
        // One that stands for all others.
        let other = (!touched).trailing_zeros();
        for case in 0..count {
            let mut completed = NOTHING;
            let mut parts = Vec::new();
            if let Some(state) = cases.state::<R>(case, other) {
                let part =
                    |item: &Item<R>| parts.push((item.state.signature().without(cases.others), Reverse(item.value)));
                let done = |gain: i64, _| completed = completed.max(gain);
                expander.expand(plan, step, &Filter::none(), std::iter::once((state, 0)), part, done);
            }
            parts.sort_unstable();
            parts.dedup_by_key(|(part, _)| *part);
            for group in parts.chunk_by(|(one, _), (other, _)| one.flags() == other.flags()) {
                let begin = cases.successors.len() as u32;
                cases.successors.extend(group.iter().map(|&(part, Reverse(gain))| {
                    let score = filter.potential.map_or(0, |bound| bound.adds(part, gain));
                    Successor { part, gain, score }
                }));
                let successors = begin..cases.successors.len() as u32;
                cases.groups.push(Group { closing: closing[group[0].0.flags() as usize], successors });
            }
            cases.begins.push(cases.groups.len() as u32);
            cases.completed.push(completed);
        }
        Some(cases)
    }

    /// The number of a signature's case.
    #[inline(always)]
    fn of(&self, signature: Signature) -> usize {
        let mut case = 0;
        let mut shift = 0;
        for &slot in &self.slots {
            case |= signature.symbol(slot) << shift;
            shift += 2;
        }
        case |= u64::from(signature.flags()) << shift;
        case |= u64::from(signature.and(self.others).something_open()) << (shift + 2);
        case as usize
    }

    /// A state of this case; `None` if there is none.
    fn state<R: Relaxed>(&self, case: usize, other: u32) -> Option<R> {
        let ends = 2 * self.slots.len();
        let mut state = Signature::EMPTY.with_flags((case >> ends & 3) as u32);
        if case >> (ends + 2) == 1 {
            state = state.or(Signature::of_symbol(other, Signature::OPEN));
        }
        for (at, &slot) in self.slots.iter().enumerate() {
            state = state.or(Signature::of_symbol(slot, (case >> (2 * at) & 3) as u64));
        }
        Some(R::from(state)).filter(|state| state.is_valid())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Instant;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::chains::Core;
    use super::super::kernel::SignatureOfArcs;
    use super::super::measure::Measure;
    use super::super::planner;
    use super::super::potentials::Potentials;
    use super::super::tests::random_ends;
    use super::*;
    use crate::instance::{Budget, Instance};
    use crate::limits::Limits;
    use crate::rounds::rounds;
    use crate::view::{CsrGraph, Edge};

    /// The best value of each successor, and what is completed from each state.
    type Successors<R> = (BTreeMap<(u32, R), i64>, BTreeMap<u32, i64>);

    fn successors<R: Relaxed>(
        expander: &mut impl Expand<R>,
        (plan, step): (&Plan, &Step),
        filter: &Filter<'_>,
        states: &[(R, i64)],
    ) -> Successors<R> {
        let (mut best, mut completed) = (BTreeMap::new(), BTreeMap::new());
        let to = |item: &Item<R>| {
            let value = best.entry((item.from, item.state)).or_insert(item.value);
            *value = item.value.max(*value);
        };
        let done = |total: i64, from: u32| {
            let value = completed.entry(from).or_insert(total);
            *value = total.max(*value);
        };
        expander.prepare(plan, step, filter, usize::MAX);
        expander.expand(plan, step, filter, states.iter().copied(), to, done);
        (best, completed)
    }

    /// Returns how many steps had a table.
    fn compare<R: Relaxed>(core: &Core, directed: bool, target: i64, rng: &mut Pcg64Mcg) -> usize {
        let mut order: Vec<u32> = (0..core.vertices.len() as u32).collect();
        rand::seq::SliceRandom::shuffle(&mut order[..], rng);
        let plan = planner::plan(core, &order, Measure::Plain);
        let budget = Budget::new(Instant::now(), &Limits::default());
        let potentials = Potentials::new(core, &plan, directed, &budget).expect("there is time");
        let (mut states, mut tables) = (vec![(R::EMPTY, 0)], 0);
        for (position, step) in plan.steps.iter().enumerate() {
            let potential = potentials.as_ref().map(|potentials| potentials.layer(position + 1));
            let potential = potential.as_ref().filter(|_| rng.random_bool(0.5));
            let filter = Filter::new(None, potential, target, Measure::Plain);
            let (mut by_operations, mut by_table) = (Expander::new(), TableExpander::new());
            let one = successors(&mut by_operations, (&plan, step), &filter, &states);
            let other = successors(&mut by_table, (&plan, step), &filter, &states);
            assert_eq!(one, other);
            tables += usize::from(by_table.cases.is_some());
            let mut next = BTreeMap::new();
            for ((_, state), value) in one.0 {
                let best = next.entry(state).or_insert(value);
                *best = value.max(*best);
            }
            states = next.into_iter().collect();
        }
        tables
    }

    #[test]
    fn a_table_leads_where_the_operations_lead() {
        let mut rng = Pcg64Mcg::seed_from_u64(23);
        let mut tables = [0; 2];
        for _ in 0..rounds(400) {
            let (n, directed) = (rng.random_range(5..9), rng.random_bool(0.5));
            let pairs = (0..n as u32).flat_map(|source| (0..n as u32).map(move |target| (source, target)));
            let pairs = pairs.filter(|(source, target)| if directed { source != target } else { source < target });
            let chosen: Vec<_> = pairs.filter(|_| rng.random_bool(0.4)).collect();
            let edges =
                chosen.into_iter().map(|(source, target)| Edge { source, target, weight: rng.random_range(-2..6) });
            let graph = CsrGraph::from_simple(n, directed, edges.collect());
            let kind = rng.random();
            let instance = Instance { graph, ends: random_ends(n, kind, &mut rng) };
            let core = Core::new(&instance);
            let target = rng.random_range(-5..20);
            tables[usize::from(directed)] += match directed {
                false => compare::<Signature>(&core, directed, target, &mut rng),
                true => compare::<SignatureOfArcs>(&core, directed, target, &mut rng),
            };
        }
        assert!(tables.iter().all(|&count| count > 0), "{tables:?}");
    }
}

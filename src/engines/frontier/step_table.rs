//! A step on signatures, as a table.
//!
//! What a step makes of a signature is worked out once for each of its [cases](Cases), and of successors that are the same only
//! the one that gains most is kept; what is left for each signature is to look up its case and to put the other slots back.

use std::cmp::Reverse;

use super::cases::{Cases, Group, closing_of_others};
use super::expander::{Expand, Expander};
use super::filter::Filter;
use super::kernel::{Relaxed, Signature, State};
use super::plan::{Item, Plan, Step};
use super::tables::NOTHING;

/// By a table of the step, where the layer is large enough for one and the filter has no table of its own.
#[repr(align(128))]
pub(super) struct TableExpander<R> {
    by_operations: Expander<R>,
    table: Option<StepTable>,
}

/// What a step makes of each case.
struct StepTable {
    cases: Cases,
    /// Where the groups of each case begin, and the last end.
    begins: Vec<u32>,
    groups: Vec<Group>,
    successors: Vec<Successor>,
    /// What a path gains that is completed, or [`NOTHING`].
    completed: Vec<i64>,
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
        TableExpander { by_operations: Expander::new(), table: None }
    }

    fn prepare(&mut self, plan: &Plan, step: &Step, filter: &Filter<'_>, states: usize) {
        let is_judged_here = filter.table.is_none();
        self.table =
            is_judged_here.then(|| StepTable::new(plan, step, filter, states, &mut self.by_operations)).flatten();
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
    ) -> usize {
        let Some(table) = &self.table else {
            return self.by_operations.expand(plan, step, filter, states, to, done);
        };
        let mut looked_at = 0;
        for ((state, value), from) in states.zip(0..) {
            let signature = state.signature();
            let case = table.cases.number(signature);
            let completed = table.completed[case];
            if completed != NOTHING {
                done(value + completed, from);
            }
            let kept = signature.and(table.cases.others);
            for group in &table.groups[table.begins[case] as usize..table.begins[case + 1] as usize] {
                let kept = group.kept(kept);
                // More than this is needed of the slots that are touched.
                let needed = filter.potential.map_or(i64::MIN, |bound| bound.lacks(kept, value, filter.bar));
                let successors = &table.successors[group.range()];
                looked_at += successors.len();
                for successor in successors {
                    if successor.score > needed {
                        let state = R::from(kept.or(successor.part));
                        to(&Item { state, value: value + successor.gain, from });
                    }
                }
            }
        }
        looked_at
    }
}

impl StepTable {
    /// `None` where that is not worth while for so many states.
    fn new<R: Relaxed>(
        plan: &Plan,
        step: &Step,
        filter: &Filter<'_>,
        states: usize,
        expander: &mut Expander<R>,
    ) -> Option<Self> {
        let cases = Cases::of(step, MOST_SLOTS)?;
        let count = cases.count();
        if states < count * STATES_PER_CASE {
            return None;
        }
        let mut table =
            StepTable { cases, begins: vec![0], groups: Vec::new(), successors: Vec::new(), completed: Vec::new() };
        let closing = closing_of_others(step);
        for case in 0..count {
            let mut completed = NOTHING;
            let mut parts = Vec::new();
            if let Some(state) = table.cases.state::<R>(case) {
                let part = |item: &Item<R>| parts.push((table.cases.part(item.state), Reverse(item.value)));
                let done = |gain: i64, _| completed = completed.max(gain);
                expander.expand(plan, step, &Filter::none(), std::iter::once((state, 0)), part, done);
            }
            parts.sort_unstable();
            parts.dedup_by_key(|(part, _)| *part);
            for group in parts.chunk_by(|(one, _), (other, _)| one.flags() == other.flags()) {
                let begin = table.successors.len();
                table.successors.extend(group.iter().map(|&(part, Reverse(gain))| {
                    let score = filter.potential.map_or(0, |bound| bound.adds(part, gain));
                    Successor { part, gain, score }
                }));
                let closing = closing[group[0].0.flags() as usize];
                table.groups.push(Group::new(closing, begin..table.successors.len()));
            }
            table.begins.push(table.groups.len() as u32);
            table.completed.push(completed);
        }
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::chains::Core;
    use super::super::kernel::SignatureOfArcs;
    use super::super::measure::Measure;
    use super::super::planner;
    use super::super::potentials::Potentials;
    use super::super::tests::{layer_of, random_core, successors};
    use super::*;
    use crate::instance::Budget;
    use crate::limits::Limits;
    use crate::rounds::rounds;

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
            tables += usize::from(by_table.table.is_some());
            states = layer_of(one.0);
        }
        tables
    }

    #[test]
    fn a_table_leads_where_the_operations_lead() {
        let mut rng = Pcg64Mcg::seed_from_u64(23);
        let mut tables = [0; 2];
        for _ in 0..rounds(400) {
            let directed = rng.random();
            let core = random_core(directed, &mut rng);
            let target = rng.random_range(-5..20);
            tables[usize::from(directed)] += match directed {
                false => compare::<Signature>(&core, directed, target, &mut rng),
                true => compare::<SignatureOfArcs>(&core, directed, target, &mut rng),
            };
        }
        assert!(tables.iter().all(|&count| count > 0), "{tables:?}");
    }
}

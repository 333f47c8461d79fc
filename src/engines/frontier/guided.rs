//! Exact states, guided by a relaxation: only ways that lead to something are gone.
//!
//! What the signature of a state says, its [case](Cases), tells the signature of all its successors, and so what the relaxation
//! says of them, before any of them is made: these are its [continuations](Continuations), the same for all states that share it.
//! Some of these ways are closed to the state itself, whose mates the signature does not know; the operations of the others are
//! done one after the other, for many states at a time.

use std::ops::Range;

use super::cases::{Cases, Group, closing_of_others};
use super::continuations::{Continuation, Continuations, INDEX_SIZE};
use super::expander::{Expand, Expander};
use super::filter::Filter;
use super::kernel::{Key, Relaxed, Signature, State};
use super::plan::{Choice, Item, Plan, Step, Traveller, Way};

/// By the table of a filter, where there is one and the layer is large enough.
#[repr(align(128))]
pub(super) struct GuidedExpander<S> {
    by_operations: Expander<S>,
    guide: Option<Guide>,
    continuations: Continuations,
    parents: Vec<(S, i64)>,
    /// Where the continuations of the signature of each are.
    places: Vec<u32>,
    /// Positions of parents from which a path may be completed.
    completing: Vec<u32>,
    travellers: Vec<Traveller<S>>,
}

/// The ways through one step, for the cases that have come up.
struct Guide {
    cases: Cases,
    closing: [u64; 4],
    /// By the number of a case, where it lies among those known, counted from 1; 0 if it is not.
    places: Vec<u32>,
    known: Vec<KnownCase>,
    groups: Vec<Group>,
    ways: Vec<(Signature, i64)>,
    /// What each operation chose, way after way.
    choices: Vec<Choice>,
    operations: usize,
}

struct KnownCase {
    groups: Range<usize>,
    /// Whether a path may be completed.
    completes: bool,
}

/// A step that touches more slots, besides that of its own vertex, has too many cases, and one with more ways, or once more have
/// come up in all its cases, takes too much memory.
const MOST_SLOTS: usize = 5;
const MOST_WAYS: usize = 1 << 10;
const MOST_WAYS_OF_ALL: usize = 1 << 16;
/// With fewer states to a step there is no use in knowing cases.
const FEWEST_STATES: usize = 1 << 8;

impl<S: Key> Expand<S> for GuidedExpander<S> {
    fn new() -> Self {
        GuidedExpander {
            by_operations: Expander::new(),
            guide: None,
            continuations: Continuations::new(INDEX_SIZE),
            parents: Vec::new(),
            places: Vec::new(),
            completing: Vec::new(),
            travellers: Vec::new(),
        }
    }

    fn prepare(&mut self, _: &Plan, step: &Step, filter: &Filter<'_>, states: usize) {
        let is_guided = filter.table.is_some() && filter.potential.is_none() && states >= FEWEST_STATES;
        self.guide = if is_guided { Guide::new(step) } else { None };
        if self.guide.is_some() {
            self.continuations.clear();
        }
    }

    #[inline(always)]
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        filter: &Filter<'_>,
        states: impl Iterator<Item = (S, i64)>,
        mut to: impl FnMut(&Item<S>),
        mut done: impl FnMut(i64, u32),
    ) -> usize {
        self.guide.take_if(|guide| guide.ways.len() > MOST_WAYS_OF_ALL);
        let (Some(guide), Some(table)) = (&mut self.guide, filter.table) else {
            return self.by_operations.expand(plan, step, filter, states, to, done);
        };
        let GuidedExpander { continuations, parents, places, completing, travellers, .. } = self;
        let gain = |value: i64| filter.measure.gain(value);
        parents.clear();
        parents.extend(states);
        places.clear();
        continuations.begin();
        places.extend(parents.iter().map(|&(state, _)| {
            let signature = state.signature();
            continuations.place(signature, |to| {
                guide.tell::<S::Relaxed>(plan, step, signature, |way, value, next| to(way, gain(value), next))
            })
        }));
        let looked_up = continuations.look_up(table);
        completing.clear();
        travellers.clear();
        for ((&(state, value), from), &place) in parents.iter().zip(0..).zip(&*places) {
            if continuations.completes(place) {
                completing.push(from);
            }
            let known = gain(value);
            for &Continuation { way, rest } in continuations.of(place) {
                if !filter.allows(known, rest) {
                    break;
                }
                travellers.push(Traveller { state, way, from, value: value + guide.ways[way as usize].1 });
            }
        }
        let looked_at = looked_up + travellers.len();
        for (at, op) in step.ops.iter().enumerate() {
            plan.follow(op, |way| guide.choices[way as usize * guide.operations + at], travellers);
        }
        travellers.iter().for_each(|&Traveller { state, value, from, .. }| to(&Item { state, value, from }));
        let completing_parents = completing.iter().map(|&from| parents[from as usize]);
        let completed = |value: i64, at: u32| done(value, completing[at as usize]);
        self.by_operations.expand(plan, step, &Filter::none(), completing_parents, |_| (), completed);
        looked_at
    }
}

impl Guide {
    fn new(step: &Step) -> Option<Self> {
        let cases = Cases::of(step, MOST_SLOTS).filter(|_| step.most_ways() <= MOST_WAYS)?;
        Some(Guide {
            closing: closing_of_others(step),
            places: vec![0; cases.count()],
            cases,
            known: Vec::new(),
            groups: Vec::new(),
            ways: Vec::new(),
            choices: Vec::new(),
            operations: step.ops.len(),
        })
    }

    /// Tells of all ways that a signature may go their numbers, what they gain, and where they lead; and whether one may complete a
    /// path.
    fn tell<R: Relaxed>(
        &mut self,
        plan: &Plan,
        step: &Step,
        signature: Signature,
        mut to: impl FnMut(u32, i64, Signature),
    ) -> bool {
        let place = self.place::<R>(plan, step, signature);
        let KnownCase { groups, completes } = &self.known[place];
        let others = signature.and(self.cases.others);
        for group in &self.groups[groups.clone()] {
            let kept = group.kept(others);
            for way in group.range() {
                let (part, gain) = self.ways[way];
                to(way as u32, gain, kept.or(part));
            }
        }
        *completes
    }

    /// Works out the case of a signature, if it has not come up yet, and tells where it is.
    #[inline(always)]
    fn place<R: Relaxed>(&mut self, plan: &Plan, step: &Step, signature: Signature) -> usize {
        let case = self.cases.number(signature);
        if self.places[case] == 0 {
            self.work_out::<R>(plan, step, case);
        }
        self.places[case] as usize - 1
    }

    #[cold]
    fn work_out<R: Relaxed>(&mut self, plan: &Plan, step: &Step, case: usize) {
        let state: R = self.cases.state(case).expect("a state has this case");
        let (completing, mut ways): (Vec<Way<R>>, Vec<Way<R>>) =
            plan.ways(step, state, 0).into_iter().partition(|way| way.to.is_none());
        let flags = |way: &Way<R>| way.to.map(State::flags);
        ways.retain(|way| flags(way).is_some_and(|flags| plan.may_go_on(step, flags)));
        ways.sort_by_key(flags);
        let first = self.groups.len();
        for group in ways.chunk_by(|one, other| flags(one) == flags(other)) {
            let begin = self.ways.len();
            for way in group {
                let to = way.to.expect("it goes on");
                self.ways.push((self.cases.part(to), way.value));
                self.choices.extend(&way.choices);
            }
            let closing = self.closing[flags(&group[0]).expect("it goes on") as usize];
            self.groups.push(Group::new(closing, begin..self.ways.len()));
        }
        self.known.push(KnownCase { groups: first..self.groups.len(), completes: !completing.is_empty() });
        self.places[case] = self.known.len() as u32;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::chains::Core;
    use super::super::kernel::{Narrow, NarrowArcs, Wide, WideArcs};
    use super::super::measure::Measure;
    use super::super::planner;
    use super::super::relaxation::{Allowed, Relaxation};
    use super::super::tests::{layer_of, random_core, successors};
    use super::*;
    use crate::instance::{Budget, Outcome};
    use crate::limits::Limits;
    use crate::rounds::rounds;

    /// Returns how many steps were guided, how many states there were, and how many paths were completed.
    fn compare<K: Key>(core: &Core, target: i64, rng: &mut Pcg64Mcg) -> [usize; 3] {
        let mut order: Vec<u32> = (0..core.vertices.len() as u32).collect();
        rand::seq::SliceRandom::shuffle(&mut order[..], rng);
        let plan = planner::plan(core, &order, Measure::Plain);
        let budget = Budget::new(Instant::now(), &Limits::default());
        let mut account = Outcome::nothing_above(target, i64::MAX);
        let allowed = Allowed::EVERYTHING;
        let relaxation = Relaxation::new::<K::Relaxed>(&plan, None, target, allowed, &budget, 1 << 30, &mut account)
            .expect("there is time and memory")
            .expect("it may take all steps");
        let (mut layer, mut counts) = (vec![(K::EMPTY, 0)], [0; 3]);
        for (position, step) in plan.steps.iter().enumerate() {
            let table = relaxation.table(position + 1, target, &budget, Vec::new()).expect("there is time");
            let filter = Filter::new(Some(&table), None, target, Measure::Plain);
            let (mut by_operations, mut guided) = (Expander::new(), GuidedExpander::new());
            let one = successors(&mut by_operations, (&plan, step), &filter, &layer);
            let mut forgetful = GuidedExpander::new();
            forgetful.continuations = Continuations::new(1 << 4);
            for guided in [&mut guided, &mut forgetful] {
                assert_eq!(one, successors(guided, (&plan, step), &filter, &layer));
            }
            counts[0] += usize::from(guided.guide.is_some());
            counts[2] += one.1.len();
            layer = layer_of(one.0);
            counts[1] += layer.len();
        }
        counts
    }

    #[test]
    fn ways_lead_where_the_operations_lead() {
        let mut rng = Pcg64Mcg::seed_from_u64(29);
        let mut counts = [[0; 3]; 2];
        for round in 0..rounds(400) {
            let directed = rng.random();
            let core = random_core(directed, &mut rng);
            let target = rng.random_range(-5..15);
            let seen = match (directed, round % 2 == 0) {
                (false, false) => compare::<Narrow>(&core, target, &mut rng),
                (false, true) => compare::<Wide>(&core, target, &mut rng),
                (true, false) => compare::<NarrowArcs>(&core, target, &mut rng),
                (true, true) => compare::<WideArcs>(&core, target, &mut rng),
            };
            counts[usize::from(directed)].iter_mut().zip(seen).for_each(|(count, seen)| *count += seen);
        }
        assert!(counts.iter().flatten().all(|&count| count > 100), "{counts:?}");
    }
}

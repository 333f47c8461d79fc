//! From a core and an order of its vertices to the steps of the search: who enters which slot, which chains are decided,
//! who leaves.
//!
//! A step places one vertex, decides its chains to vertices placed before, and lets every vertex go as soon as all its
//! chains are decided. The order of the operations does not change the answer, only how many states there are.

use hashbrown::HashMap;

use crate::instance::NOT_AN_END;

use super::chains::{Core, CoreEnds, Use, UseKind};
use super::kernel::{FLAG_BOTH, FLAG_FIRST, Moved, Role, State};
use super::measure::Measure;

/// The whole search, layer by layer.
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// How many slots are needed at once.
    pub(super) slots: usize,
    /// The flags of a state whose path (or cycle) is complete.
    pub(super) goal: u32,
    closed: bool,
    /// How values are read.
    pub(super) measure: Measure,
}

/// One vertex of the order.
pub(super) struct Step {
    pub(super) vertex: u32,
    /// Where it is placed.
    pub(super) slot: u32,
    pub(super) ops: Vec<Op>,
    /// Flags without which a state after this step leads nowhere.
    needed: u32,
}

/// What happens to every state, in one of several ways.
pub(super) enum Op {
    /// The vertex of this slot, just placed, is an end of every path.
    Pin { slot: u32, vertex: u32, role: Role, prize: i64 },
    /// The chain between these slots is used in one of these ways, or not at all.
    Chain { a: u32, b: u32, chain: u32, uses: Vec<(i64, UseKind)>, meets_through: bool },
    /// Of two chains, there and back between these slots, one is used from end to end, or none: both would be a cycle. What
    /// forgets which slots are mates learns it here.
    Pair { a: u32, b: u32, chains: [u32; 2], gains: [i64; 2] },
    /// The vertex of this slot has no more chains.
    Leave { slot: u32, vertex: u32, ends: Vec<(i64, Role)>, must_be_visited: bool },
}

impl Op {
    /// The ends of the whole path that the operation may make.
    pub(super) fn roles(&self) -> Vec<Role> {
        match self {
            Op::Pin { role, .. } => vec![*role],
            Op::Leave { ends, .. } => ends.iter().map(|&(_, role)| role).collect(),
            Op::Chain { uses, .. } => uses.iter().flat_map(|(_, kind)| kind.roles()).collect(),
            Op::Pair { .. } => Vec::new(),
        }
    }
}

/// A state on its way through a step, with the best value known of it and the state it came from.
#[derive(Clone, Copy)]
pub(super) struct Item<S> {
    pub(super) state: S,
    pub(super) value: i64,
    pub(super) from: u32,
}

/// What one operation chose; with the operation itself it says which edges are taken.
pub(super) type Choice = u32;

impl Plan {
    /// The plan for placing core vertices in this order.
    pub(super) fn new(core: &Core, order: &[u32], measure: Measure) -> Self {
        let n = core.vertices.len();
        let mut rank = vec![0usize; n];
        for (position, &vertex) in order.iter().enumerate() {
            rank[vertex as usize] = position;
        }
        // Every chain is decided when the later of its vertices is placed.
        let mut decided: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut open_chains = vec![0u32; n];
        for (id, chain) in core.chains.iter().enumerate() {
            decided[rank[chain.a as usize].max(rank[chain.b as usize])].push(id as u32);
            open_chains[chain.a as usize] += 1;
            open_chains[chain.b as usize] += 1;
        }
        let pins = pins(core);
        let partners = partners(core);
        let through = match core.ends {
            CoreEnds::Closed { through } => through,
            CoreEnds::Open { .. } => None,
        };

        let mut free_slots: Vec<u32> = Vec::new();
        let mut slots = 0;
        let mut slot_of = vec![u32::MAX; n];
        let mut steps = Vec::with_capacity(n);
        for (position, &vertex) in order.iter().enumerate() {
            let mut ops = Vec::new();
            let slot = free_slots.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            });
            slot_of[vertex as usize] = slot;
            if let Some(&(_, role, prize)) = pins.iter().find(|(pinned, ..)| *pinned == vertex) {
                ops.push(Op::Pin { slot, vertex, role, prize });
            }
            let mut leave = |left: u32, ops: &mut Vec<Op>| {
                let slot = slot_of[left as usize];
                let must_be_visited = through == Some(left);
                ops.push(Op::Leave { slot, vertex: left, ends: ends(core, left, &pins), must_be_visited });
                free_slots.push(slot);
            };
            // Chains to those that can leave soonest come first.
            let other = |id: u32| {
                let chain = &core.chains[id as usize];
                if chain.a == vertex { chain.b } else { chain.a }
            };
            decided[position].sort_by_key(|&id| (open_chains[other(id) as usize], rank[other(id) as usize]));
            for &id in &decided[position] {
                let chain = &core.chains[id as usize];
                let (a, b) = (slot_of[chain.a as usize], slot_of[chain.b as usize]);
                ops.extend(use_of(core, id, partners[id as usize], [a, b], through));
                open_chains[chain.a as usize] -= 1;
                open_chains[chain.b as usize] -= 1;
                let other = other(id);
                if other != vertex && open_chains[other as usize] == 0 {
                    leave(other, &mut ops);
                }
            }
            if open_chains[vertex as usize] == 0 {
                leave(vertex, &mut ops);
            }
            steps.push(Step { vertex, slot, ops, needed: 0 });
        }
        let closed = matches!(core.ends, CoreEnds::Closed { .. });
        let goal = match (closed, through) {
            (false, _) => FLAG_BOTH,
            (true, Some(_)) => FLAG_FIRST,
            (true, None) => 0,
        };
        let mut plan = Plan { steps, slots: slots as usize, goal, closed, measure };
        plan.mark_needed_flags();
        plan
    }

    /// Walks back over the steps: an end that can't come later must be there.
    fn mark_needed_flags(&mut self) {
        let (mut first, mut last, mut either) = (0u32, 0u32, 0u32);
        let mut visits_left = 0;
        for step in self.steps.iter_mut().rev() {
            step.needed = if self.closed {
                if visits_left == 0 { self.goal } else { 0 }
            } else {
                let asymmetric = u32::from(first == 0) | u32::from(last == 0) << 1;
                match either {
                    0 => asymmetric,
                    1 => asymmetric & FLAG_FIRST,
                    _ => 0,
                }
            };
            for op in &step.ops {
                for role in op.roles() {
                    match role {
                        Role::First => first += 1,
                        Role::Last => last += 1,
                        Role::Either => either += 1,
                    }
                }
                visits_left += u32::from(matches!(op, Op::Leave { must_be_visited: true, .. }));
            }
        }
    }

    /// What each chain is worth when it is used from end to end.
    pub(super) fn full_gains(&self) -> impl Iterator<Item = i64> + '_ {
        self.steps.iter().flat_map(|step| &step.ops).flat_map(|op| {
            let (uses, gains) = match op {
                Op::Chain { uses, .. } => (&uses[..], &[][..]),
                Op::Pair { gains, .. } => (&[][..], &gains[..]),
                Op::Pin { .. } | Op::Leave { .. } => (&[][..], &[][..]),
            };
            let full = uses.iter().filter(|(_, kind)| matches!(kind, UseKind::Full)).map(|(gain, _)| gain);
            full.chain(gains).map(|&gain| self.measure.worth(gain))
        })
    }

    /// The mean of the gains that are gains.
    pub(super) fn mean_gain(&self) -> i64 {
        // A path can't use all of them, so their sum may be beyond the range of lengths.
        let gains = self.full_gains().filter(|&gain| gain > 0).map(i128::from);
        let (sum, count) = gains.fold((0, 0), |(sum, count), gain| (sum + gain, count + 1));
        (sum / count.max(1)) as i64
    }

    /// Whether a state after the step may still lead to a complete path, as far as its flags tell.
    #[inline(always)]
    pub(super) fn may_go_on(&self, step: &Step, flags: u32) -> bool {
        flags & step.needed == step.needed
    }

    /// All ways to apply an operation to each of some states: what becomes of it, what that gains, and the choice.
    #[inline(always)]
    pub(super) fn branch<S: State>(
        &self,
        op: &Op,
        from: &[Item<S>],
        mut to: impl FnMut(&Item<S>, Moved<S>, i64, Choice),
    ) {
        match op {
            Op::Pin { slot, role, prize, .. } => {
                for item in from {
                    to(item, item.state.end(*slot, *role), *prize, 0);
                }
            }
            Op::Chain { a, b, uses, meets_through, .. } => {
                for item in from {
                    to(item, Moved::On(item.state), 0, 0);
                }
                let (a, b) = (*a, *b);
                for (choice, &(gain, kind)) in uses.iter().enumerate() {
                    let choice = choice as Choice + 1;
                    match kind {
                        UseKind::Full if *meets_through => {
                            for item in from {
                                let moved = self.visiting(item.state.join(a, b, self.closed));
                                to(item, self.done_at_goal(moved), gain, choice);
                            }
                        }
                        UseKind::Full => {
                            for item in from {
                                let moved = item.state.join(a, b, self.closed);
                                to(item, self.done_at_goal(moved), gain, choice);
                            }
                        }
                        UseKind::DipA(role, _) => {
                            from.iter().for_each(|item| to(item, item.state.end(a, role), gain, choice))
                        }
                        UseKind::DipB(role, _) => {
                            from.iter().for_each(|item| to(item, item.state.end(b, role), gain, choice))
                        }
                        UseKind::Dips(role_a, _, role_b, _) => {
                            for item in from {
                                if let Moved::On(state) = item.state.end(a, role_a) {
                                    to(item, state.end(b, role_b), gain, choice);
                                }
                            }
                        }
                    }
                }
            }
            Op::Pair { a, b, gains, .. } => {
                for item in from {
                    to(item, Moved::On(item.state), 0, 0);
                    to(item, item.state.join(*a, *b, false), gains[0], 1);
                    to(item, item.state.join(*b, *a, false), gains[1], 2);
                }
            }
            Op::Leave { slot, ends, must_be_visited, .. } => {
                let slot = *slot;
                for item in from {
                    let state = item.state;
                    if state.is_closed(slot) || (!must_be_visited && state.is_untouched(slot)) {
                        to(item, Moved::On(state.vacate(slot)), 0, 0);
                    } else if !state.is_untouched(slot) {
                        for (choice, &(prize, role)) in ends.iter().enumerate() {
                            let moved = match state.end(slot, role) {
                                Moved::On(state) => Moved::On(state.vacate(slot)),
                                done_or_no => done_or_no,
                            };
                            to(item, moved, prize, choice as Choice + 1);
                        }
                    }
                }
            }
        }
    }

    /// With the mark that the vertex which a cycle must visit has an edge.
    fn visiting<S: State>(&self, moved: Moved<S>) -> Moved<S> {
        match moved {
            Moved::On(state) => Moved::On(state.with_flags(FLAG_FIRST)),
            Moved::Done(state) => Moved::Done(state.with_flags(FLAG_FIRST)),
            Moved::No => Moved::No,
        }
    }

    /// A cycle that misses the vertex it must visit is no answer.
    #[inline(always)]
    fn done_at_goal<S: State>(&self, moved: Moved<S>) -> Moved<S> {
        match moved {
            Moved::Done(state) if state.flags() != self.goal => Moved::No,
            other => other,
        }
    }
}

/// How a chain between two slots is used; of two that lead there and back the first tells for both.
fn use_of(core: &Core, id: u32, partner: u32, [a, b]: [u32; 2], through: Option<u32>) -> Option<Op> {
    let chain = &core.chains[id as usize];
    if partner == NO_PARTNER {
        let uses = chain.uses.iter().map(|usage| (usage.gain, usage.kind)).collect();
        let meets_through = through.is_some_and(|vertex| vertex == chain.a || vertex == chain.b);
        return Some(Op::Chain { a, b, chain: id, uses, meets_through });
    }
    let chains = [id, partner];
    let gains = chains.map(|id| core.chains[id as usize].uses[0].gain);
    (id < partner).then_some(Op::Pair { a, b, chains, gains })
}

/// No chain leads back.
const NO_PARTNER: u32 = u32::MAX;

/// Of each chain the one that leads back, where both are used from end to end or not at all and cycles are no answer.
fn partners(core: &Core) -> Vec<u32> {
    let mut partners = vec![NO_PARTNER; core.chains.len()];
    let CoreEnds::Open { .. } = core.ends else { return partners };
    let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
    for (id, chain) in (0..).zip(&core.chains) {
        if !core.directed || !matches!(chain.uses[..], [Use { kind: UseKind::Full, .. }]) {
            continue;
        }
        match seen.remove(&(chain.b, chain.a)) {
            Some(back) => {
                partners[id as usize] = back;
                partners[back as usize] = id;
            }
            None => drop(seen.insert((chain.a, chain.b), id)),
        }
    }
    partners
}

/// Core vertices at which every path must end, with the role and prize.
fn pins(core: &Core) -> Vec<(u32, Role, i64)> {
    let CoreEnds::Open { prizes: [first, last], symmetric, .. } = &core.ends else {
        return Vec::new();
    };
    // Where a path may end inside a chain, no vertex has to be an end.
    let dips = |wanted: Role| {
        let mut roles = core.chains.iter().flat_map(|chain| &chain.uses).flat_map(|usage| usage.kind.roles());
        roles.any(|role| role == wanted)
    };
    let able = |prizes: &[i64], most: usize| {
        let vertices = (0..prizes.len() as u32).filter(|&vertex| prizes[vertex as usize] != NOT_AN_END);
        let ends: Vec<u32> = vertices.take(most + 1).collect();
        if ends.len() == most { ends } else { Vec::new() }
    };
    let mut pins = Vec::new();
    if *symmetric {
        if !dips(Role::Either) {
            pins.extend(able(first, 2).into_iter().map(|vertex| (vertex, Role::Either, first[vertex as usize])));
        }
        return pins;
    }
    for (role, prizes) in [(Role::First, first), (Role::Last, last)] {
        if !dips(role) {
            pins.extend(able(prizes, 1).into_iter().map(|vertex| (vertex, role, prizes[vertex as usize])));
        }
    }
    // The same vertex can't be both ends; what the core shows has two.
    if pins.len() == 2 && pins[0].0 == pins[1].0 { Vec::new() } else { pins }
}

/// How a path may end at a core vertex when it leaves.
fn ends(core: &Core, vertex: u32, pins: &[(u32, Role, i64)]) -> Vec<(i64, Role)> {
    let CoreEnds::Open { prizes: [first, last], symmetric, .. } = &core.ends else {
        return Vec::new();
    };
    // A path of this vertex alone is no business of the core.
    let pinned = |role: Role| pins.iter().any(|&(pinned, taken, _)| taken == role || pinned == vertex);
    let (first, last) = (first[vertex as usize], last[vertex as usize]);
    let all = if *symmetric { vec![(first, Role::Either)] } else { vec![(first, Role::First), (last, Role::Last)] };
    all.into_iter().filter(|&(prize, role)| prize != NOT_AN_END && !pinned(role)).collect()
}

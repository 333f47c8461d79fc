//! The steps of the search: what they do to every state.
//!
//! A step places one vertex, decides its chains to vertices placed before, and lets every vertex go as soon as all its
//! chains are decided. The order of the operations does not change the answer, only how many states there are.

use super::chains::{CoreEnds, UseKind};
use super::kernel::{FLAG_BOTH, FLAG_FIRST, Moved, Role, State};
use super::measure::Measure;
use super::sharding::{Changes, Sharding};

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
    pub(super) needed: u32,
    /// By what the layer after this step is best dealt out.
    pub(super) sharding: Sharding,
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
    /// Where the vertex of this slot still lacks the edge for this role, and will get none, it is that end of the path; no path
    /// has it where it can't be.
    Finish { slot: u32, vertex: u32, role: Role, prize: Option<i64> },
    /// The vertices of these slots (a bit for each), which depend on the ends that exist, will not be visited if they are
    /// untouched: they count as closed.
    Close { slots: [u32; 4] },
    /// The vertex of this slot has no more chains.
    Leave { slot: u32, vertex: u32, ends: Vec<(i64, Role)>, must_be_visited: bool },
}

impl Step {
    /// How many ways there may be through it.
    pub(super) fn most_ways(&self) -> usize {
        self.ops.iter().map(Op::choices).fold(1, usize::saturating_mul)
    }

    /// The slots that it touches, a bit for each, but for those it closes.
    pub(super) fn touched(&self) -> u32 {
        self.ops.iter().flat_map(Op::slots).fold(1 << self.slot, |bits, slot| bits | 1 << slot)
    }

    /// What it changes; of a step for which no state has room for all slots that is not asked.
    pub(super) fn changes(&self) -> Changes {
        let leaving = |op: &Op| match op {
            Op::Leave { slot, .. } => 1 << slot,
            _ => 0,
        };
        Changes {
            slot: self.slot,
            touched: self.touched(),
            closable: self.closing().iter().fold(0, |all, slots| all | slots),
            leaving: self.ops.iter().map(leaving).fold(0, |bits, slot| bits | slot),
        }
    }

    /// The slots that may be closed, by the ends that exist.
    pub(super) fn closing(&self) -> [u32; 4] {
        let closing = self.ops.iter().find_map(|op| match op {
            Op::Close { slots } => Some(*slots),
            _ => None,
        });
        closing.unwrap_or_default()
    }
}

impl Op {
    /// How many choices a state may have.
    fn choices(&self) -> usize {
        match self {
            Op::Pin { .. } | Op::Finish { .. } | Op::Close { .. } => 1,
            Op::Chain { uses, .. } => uses.len() + 1,
            Op::Pair { gains, .. } => gains.len() + 1,
            Op::Leave { ends, .. } => ends.len().max(1),
        }
    }

    /// The slots that the operation touches, but for those it closes.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> + use<> {
        let slots = match *self {
            Op::Pin { slot, .. } | Op::Finish { slot, .. } | Op::Leave { slot, .. } => [Some(slot), None],
            Op::Chain { a, b, .. } | Op::Pair { a, b, .. } => [Some(a), Some(b)],
            Op::Close { .. } => [None, None],
        };
        slots.into_iter().flatten()
    }

    /// The ends of the whole path that the operation may make.
    pub(super) fn roles(&self) -> Vec<Role> {
        match self {
            Op::Pin { role, .. } | Op::Finish { role, .. } => vec![*role],
            Op::Leave { ends, .. } => ends.iter().map(|&(_, role)| role).collect(),
            Op::Chain { uses, .. } => uses.iter().flat_map(|(_, kind)| kind.roles()).collect(),
            Op::Pair { .. } | Op::Close { .. } => Vec::new(),
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

/// A way through a step.
pub(super) struct Way<S> {
    /// The state that it leads to; `None` where it completes the whole path.
    pub(super) to: Option<S>,
    pub(super) value: i64,
    /// What each operation chose.
    pub(super) choices: Vec<Choice>,
}

/// A state that goes one of the ways through a step, which are numbered.
pub(super) struct Traveller<S> {
    pub(super) state: S,
    pub(super) way: u32,
    /// The position of the state where it set out.
    pub(super) from: u32,
    /// Its value at the end of the way.
    pub(super) value: i64,
}

impl Plan {
    /// The plan of these steps.
    pub(super) fn of(steps: Vec<Step>, slots: usize, ends: &CoreEnds, measure: Measure) -> Self {
        let (goal, closed) = match ends {
            CoreEnds::Open { .. } => (FLAG_BOTH, false),
            CoreEnds::Closed { through: Some(_) } => (FLAG_FIRST, true),
            CoreEnds::Closed { through: None } => (0, true),
        };
        let mut plan = Plan { steps, slots, goal, closed, measure };
        plan.mark_needed_flags();
        plan.choose_shardings();
        plan
    }

    /// Chooses by what each layer is dealt out; where no state has room for all slots there is none.
    fn choose_shardings(&mut self) {
        if self.slots <= u32::BITS as usize {
            let changes: Vec<Changes> = self.steps.iter().map(Step::changes).collect();
            self.steps.iter_mut().zip(Sharding::best(&changes)).for_each(|(step, best)| step.sharding = best);
        }
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
                Op::Pin { .. } | Op::Finish { .. } | Op::Close { .. } | Op::Leave { .. } => (&[][..], &[][..]),
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
                for (choice, &(gain, kind)) in uses.iter().enumerate() {
                    self.along(kind, [*a, *b], *meets_through, from, |item, moved| {
                        to(item, moved, gain, choice as Choice + 1);
                    });
                }
            }
            Op::Pair { a, b, gains, .. } => {
                for item in from {
                    to(item, Moved::On(item.state), 0, 0);
                    to(item, item.state.join(*a, *b, false), gains[0], 1);
                    to(item, item.state.join(*b, *a, false), gains[1], 2);
                }
            }
            Op::Finish { slot, role, prize, .. } => {
                for item in from {
                    match prize {
                        _ if !item.state.is_open_for(*slot, *role) => to(item, Moved::On(item.state), 0, 0),
                        Some(prize) => to(item, item.state.end(*slot, *role), *prize, 1),
                        None => {}
                    }
                }
            }
            Op::Close { slots } => {
                let slots = slots.map(S::slots);
                for item in from {
                    let closed = item.state.closing(slots[item.state.flags() as usize]);
                    to(item, Moved::On(closed), 0, 0);
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
                            to(item, vacated(state.end(slot, role), slot), prize, choice as Choice + 1);
                        }
                    }
                }
            }
        }
    }

    /// All ways of a state with this value through a step.
    pub(super) fn ways<S: State>(&self, step: &Step, state: S, value: i64) -> Vec<Way<S>> {
        let mut complete = Vec::new();
        let mut begun = vec![Way { to: Some(state), value, choices: Vec::new() }];
        for op in &step.ops {
            let items =
                begun.iter().zip(0..).filter_map(|(way, from)| Some(Item { state: way.to?, value: way.value, from }));
            let items: Vec<Item<S>> = items.collect();
            let mut next = Vec::new();
            self.branch(op, &items, |item, moved, gain, choice| {
                let (ways, to) = match moved {
                    Moved::No => return,
                    Moved::On(state) => (&mut next, Some(state)),
                    Moved::Done(_) => (&mut complete, None),
                };
                let mut choices = begun[item.from as usize].choices.clone();
                choices.push(choice);
                ways.push(Way { to, value: item.value + gain, choices });
            });
            begun = next;
        }
        complete.extend(begun);
        complete
    }

    /// Takes states one operation farther on their ways, of which each says what the operation chooses; those for which that
    /// does not go on are dropped.
    #[inline(always)]
    pub(super) fn follow<S: State>(&self, op: &Op, choice: impl Fn(u32) -> Choice, travellers: &mut Vec<Traveller<S>>) {
        match op {
            Op::Pin { slot, role, .. } => go_on(travellers, choice, |state, _| state.end(*slot, *role)),
            Op::Chain { a, b, uses, meets_through, .. } => go_on(travellers, choice, |state, choice| match choice {
                0 => Moved::On(state),
                _ => self.moved_along(uses[choice as usize - 1].1, [*a, *b], *meets_through, state),
            }),
            Op::Pair { a, b, .. } => go_on(travellers, choice, |state, choice| match choice {
                0 => Moved::On(state),
                1 => state.join(*a, *b, false),
                _ => state.join(*b, *a, false),
            }),
            Op::Finish { slot, role, .. } => go_on(travellers, choice, |state, choice| match choice {
                0 => Moved::On(state),
                _ => state.end(*slot, *role),
            }),
            Op::Close { slots } => {
                let slots = slots.map(S::slots);
                go_on(travellers, choice, |state, _| Moved::On(state.closing(slots[state.flags() as usize])));
            }
            Op::Leave { slot, ends, .. } => go_on(travellers, choice, |state, choice| match choice {
                0 => Moved::On(state.vacate(*slot)),
                _ => vacated(state.end(*slot, ends[choice as usize - 1].1), *slot),
            }),
        }
    }

    /// The chain between two slots used in one way.
    #[inline(always)]
    fn along<S: State>(
        &self,
        kind: UseKind,
        slots: [u32; 2],
        meets_through: bool,
        from: &[Item<S>],
        mut to: impl FnMut(&Item<S>, Moved<S>),
    ) {
        for item in from {
            to(item, self.moved_along(kind, slots, meets_through, item.state));
        }
    }

    #[inline(always)]
    fn moved_along<S: State>(&self, kind: UseKind, [a, b]: [u32; 2], meets_through: bool, state: S) -> Moved<S> {
        match kind {
            UseKind::Full => {
                let joined = state.join(a, b, self.closed);
                self.done_at_goal(if meets_through { self.visiting(joined) } else { joined })
            }
            UseKind::DipA(role, _) => state.end(a, role),
            UseKind::DipB(role, _) => state.end(b, role),
            UseKind::Dips(role_a, _, role_b, _) => match state.end(a, role_a) {
                Moved::On(state) => state.end(b, role_b),
                Moved::No | Moved::Done(_) => Moved::No,
            },
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

/// Where it goes on, the slot is free again.
#[inline(always)]
fn vacated<S: State>(moved: Moved<S>, slot: u32) -> Moved<S> {
    match moved {
        Moved::On(state) => Moved::On(state.vacate(slot)),
        done_or_no => done_or_no,
    }
}

/// Keeps those that go on.
#[inline(always)]
fn go_on<S: State>(
    travellers: &mut Vec<Traveller<S>>,
    choice: impl Fn(u32) -> Choice,
    moved: impl Fn(S, Choice) -> Moved<S>,
) {
    travellers.retain_mut(|Traveller { state, way, .. }| {
        let moved = moved(*state, choice(*way));
        if let Moved::On(next) = moved {
            *state = next;
        }
        matches!(moved, Moved::On(_))
    });
}

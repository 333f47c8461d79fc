//! From a core and an order of its vertices to the steps of the search: who enters which slot, which chains are decided,
//! who leaves.

use super::chains::{Core, CoreEnds};
use super::kernel::FLAG_BOTH;
use super::measure::Measure;
use super::plan::{Op, Plan, Step};
use super::sharding::Sharding;
use super::undecided::Undecided;

/// The plan for placing core vertices in this order.
pub(super) fn plan(core: &Core, order: &[u32], measure: Measure) -> Plan {
    let n = core.vertices.len();
    let mut rank = vec![0usize; n];
    for (position, &vertex) in order.iter().enumerate() {
        rank[vertex as usize] = position;
    }
    // Every chain is decided when the later of its vertices is placed.
    let mut decided: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (id, chain) in (0..).zip(&core.chains) {
        decided[rank[chain.a as usize].max(rank[chain.b as usize])].push(id);
    }
    let mut planner = Planner {
        core,
        rank,
        undecided: Undecided::new(core),
        free_slots: Vec::new(),
        slots: 0,
        slot_of: vec![u32::MAX; n],
        closing: [0; 4],
    };
    let steps = order.iter().zip(decided).map(|(&vertex, chains)| planner.step(vertex, chains)).collect();
    Plan::of(steps, planner.slots as usize, &core.ends, measure)
}

/// What the steps so far came to.
struct Planner<'c> {
    core: &'c Core,
    rank: Vec<usize>,
    undecided: Undecided<'c>,
    free_slots: Vec<u32>,
    /// How many slots were needed at once.
    slots: u32,
    slot_of: Vec<u32>,
    /// The slots whose vertices will not be visited if they are untouched, by the ends that exist.
    closing: [u32; 4],
}

impl Planner<'_> {
    /// Places a vertex, and decides these chains.
    fn step(&mut self, vertex: u32, mut chains: Vec<u32>) -> Step {
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        });
        self.slot_of[vertex as usize] = slot;
        let pin = self.undecided.pin(vertex).map(|(role, prize)| Op::Pin { slot, vertex, role, prize });
        let mut ops = Vec::from_iter(pin);
        let core = self.core;
        let other = |id: u32| {
            let chain = &core.chains[id as usize];
            if chain.a == vertex { chain.b } else { chain.a }
        };
        // Chains to those that can leave soonest come first.
        chains.sort_by_key(|&id| (self.undecided.of(other(id)), self.rank[other(id) as usize]));
        let before = self.closing;
        for &id in &chains {
            let Some(op) = self.use_of(id) else { continue };
            ops.push(op);
            self.undecided.decide(id);
            let other = other(id);
            if self.undecided.of(other) == 0 && other != vertex {
                ops.push(self.leave(other));
            } else {
                ops.extend(self.finish(other));
                self.mark(other);
            }
            if other != vertex {
                ops.extend(self.finish(vertex));
            }
        }
        if self.undecided.of(vertex) == 0 {
            ops.push(self.leave(vertex));
        } else {
            self.mark(vertex);
        }
        let has_news = before != self.closing || ops.iter().any(|op| !op.roles().is_empty());
        if has_news && self.closing != [0; 4] {
            ops.push(Op::Close { slots: self.closing });
        }
        Step { vertex, slot, ops, needed: 0, sharding: Sharding::BY_ALL }
    }

    /// How a chain between two slots is used; of two that lead there and back the first tells for both.
    fn use_of(&self, id: u32) -> Option<Op> {
        let chain = &self.core.chains[id as usize];
        let (a, b) = (self.slot_of[chain.a as usize], self.slot_of[chain.b as usize]);
        let Some(partner) = self.undecided.partner(id) else {
            let uses = chain.uses.iter().map(|usage| (usage.gain, usage.kind)).collect();
            let meets_through = self.must_be_visited(chain.a) || self.must_be_visited(chain.b);
            return Some(Op::Chain { a, b, chain: id, uses, meets_through });
        };
        let chains = [id, partner];
        let gains = chains.map(|id| self.core.chains[id as usize].uses[0].gain);
        (id < partner).then_some(Op::Pair { a, b, chains, gains })
    }

    /// A vertex without more chains leaves its slot.
    fn leave(&mut self, vertex: u32) -> Op {
        let slot = self.slot_of[vertex as usize];
        self.free_slots.push(slot);
        self.closing.iter_mut().for_each(|slots| *slots &= !bit(slot));
        let ends = self.undecided.ends(vertex).collect();
        Op::Leave { slot, vertex, ends, must_be_visited: self.must_be_visited(vertex) }
    }

    /// Ends the path at a vertex, if it is open, where it can't be extended.
    fn finish(&self, vertex: u32) -> Option<Op> {
        let (role, prize) = self.undecided.must_finish(vertex)?;
        Some(Op::Finish { slot: self.slot_of[vertex as usize], vertex, role, prize })
    }

    /// Marks whether an untouched vertex may still be visited.
    fn mark(&mut self, vertex: u32) {
        let bit = bit(self.slot_of[vertex as usize]);
        for flags in 0..=FLAG_BOTH {
            let may_be_visited = self.must_be_visited(vertex) || self.undecided.allow_visit(vertex, flags);
            let slots = &mut self.closing[flags as usize];
            *slots = if may_be_visited { *slots & !bit } else { *slots | bit };
        }
    }

    fn must_be_visited(&self, vertex: u32) -> bool {
        matches!(self.core.ends, CoreEnds::Closed { through: Some(through) } if through == vertex)
    }
}

/// The bit of a slot; none of one that no state has room for.
fn bit(slot: u32) -> u32 {
    1u32.checked_shl(slot).unwrap_or(0)
}

//! The frontier dynamic program: the main exact engine.
//!
//! Place the vertices one after the other. What was placed and still has neighbours to come is the *frontier*; two partial
//! solutions with the same state of the frontier have the same completions, so of each state only the best is kept. The
//! states are those of D. Eppstein's and others' *mate* arrays (T. Sekine, H. Imai, S. Tani, *Computing the Tutte polynomial
//! of a graph of moderate size*, ISAAC 1995; D. E. Knuth, *The Art of Computer Programming* 4A, 7.1.4, "Simpath"), with
//! finished and skipped vertices under one symbol and the finished ends of the whole path under another. Here the ends
//! may be fixed, free or worth prizes, the path closed, and edges weighted and directed, in one kernel.
//!
//! Two things make it fast beyond the order, which is the caller's: the [`chains`] (vertices of degree two are no
//! states), and the [`relaxation`] that sweeps first and bounds what every state can still become. With it the search
//! goes *by falling gap*: keep only states that might end above a target just below the bound; if no path appears the
//! target is a proved upper bound, and the next is lower; the first pass in which one appears has found the best, since
//! nothing above the target was dropped.
//!
//! `O(n · states)`, where the number of states grows exponentially with the frontier, not with the graph.

mod chains;
mod kernel;
mod layer;
mod path;
mod plan;
mod relaxation;
#[cfg(test)]
mod tests;

use chains::Core;
use kernel::{Key, Narrow, NarrowArcs, State, Wide, WideArcs};
use layer::{Filter, Finish, Layer, Machine};
use path::{Checkpoints, Replay};
use plan::Plan;
use relaxation::Relaxation;

use super::{Budget, Monitor, Outcome, Piece};
use crate::solution::Stop;

/// Finds the best path worth more than `floor`, placing the vertices in this order (a permutation of the piece's).
pub(crate) fn solve(piece: &Piece, order: &[u32], floor: i64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
    solve_after(SMALL_SEARCH, piece, order, floor, budget, monitor)
}

/// The same, with this many states to make before the relaxation is worth its while.
fn solve_after(
    small: u64,
    piece: &Piece,
    order: &[u32],
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let core = Core::new(piece);
    let plan = Plan::new(&core, &core_order(piece, &core, order));
    let mut outcome =
        Outcome { best: None, upper: piece.trivial_bound().max(floor), stop: None, steps: 0, peak_bytes: 0 };
    monitor.bound(outcome.upper);
    if let Some((path, value)) = &core.aside
        && *value > floor
    {
        monitor.incumbent(*value);
        outcome.best = Some((path.clone(), *value));
    }
    let search = Search { piece, core: &core, plan: &plan, budget, monitor, outcome, floor, small };
    match (piece.graph.is_directed(), plan.slots) {
        (false, slots) if slots <= Narrow::SLOTS => search.run::<Narrow>(),
        (false, slots) if slots <= Wide::SLOTS => search.run::<Wide>(),
        (true, slots) if slots <= NarrowArcs::SLOTS => search.run::<NarrowArcs>(),
        (true, slots) if slots <= WideArcs::SLOTS => search.run::<WideArcs>(),
        _ => Outcome { stop: Some(Stop::Exhausted), ..search.outcome },
    }
}

/// The order restricted to the core, in the core's numbers.
fn core_order(piece: &Piece, core: &Core, order: &[u32]) -> Vec<u32> {
    let core_of = core.core_from_vertex(piece.graph.vertex_count());
    order.iter().map(|&vertex| core_of[vertex as usize]).filter(|&vertex| vertex != u32::MAX).collect()
}

/// States made by the attempt without a relaxation, which settles small pieces.
const SMALL_SEARCH: u64 = 1 << 14;

/// One run of the engine.
struct Search<'a> {
    piece: &'a Piece,
    core: &'a Core,
    plan: &'a Plan,
    budget: &'a Budget,
    monitor: &'a mut dyn Monitor,
    outcome: Outcome,
    floor: i64,
    small: u64,
}

/// What a sweep above a target came to.
struct Sweep<K> {
    /// The best path, with the step that completed it.
    found: Option<(usize, Finish<K>)>,
    checkpoints: Checkpoints<K>,
    states: u64,
}

impl Search<'_> {
    fn run<K: Key>(mut self) -> Outcome {
        // Nothing up to this value matters.
        let known = self.outcome.best.as_ref().map_or(self.floor, |&(_, value)| value.max(self.floor));
        if let Err(stop) = self.gap_loop::<K>(known) {
            self.outcome.stop = Some(stop);
        }
        self.monitor.bound(self.outcome.upper);
        self.outcome
    }

    fn gap_loop<K: Key>(&mut self, known: i64) -> Result<(), Stop> {
        if let Some(sweep) = self.sweep::<K>(None, known, Some(self.small))? {
            return self.settle(sweep, None, known);
        }
        // Half the memory for the bounds; where they don't fit the search goes without them.
        let share = self.budget.memory / 2;
        let relaxation = match Relaxation::new::<K::Relaxed>(self.plan, known, self.budget, share) {
            Ok(relaxation) => relaxation,
            Err(Stop::MemoryLimit) => {
                let sweep = self.sweep::<K>(None, known, None)?;
                let sweep = sweep.expect("without a limit on the states it runs to the end");
                return self.settle(sweep, None, known);
            }
            Err(stop) => return Err(stop),
        };
        self.outcome.steps += relaxation.made;
        self.outcome.peak_bytes = self.outcome.peak_bytes.max(relaxation.peak_bytes);
        let Some(bound) = relaxation.bound else {
            self.outcome.upper = known;
            return Ok(());
        };
        self.lower(bound);
        let mut step = 1;
        let mut target = bound;
        while target > known {
            target = target.saturating_sub(step).max(known);
            let sweep = self.sweep::<K>(Some(&relaxation), target, None)?;
            let sweep = sweep.expect("without a limit on the states it runs to the end");
            let states = sweep.states;
            if sweep.found.is_some() || target == known {
                return self.settle(sweep, Some(&relaxation), known);
            }
            self.lower(target);
            step = step.saturating_mul(if states < relaxation.signatures { 3 } else { 2 });
        }
        Ok(())
    }

    fn lower(&mut self, upper: i64) {
        self.outcome.upper = self.outcome.upper.min(upper);
        self.monitor.bound(self.outcome.upper);
    }

    /// One pass over all layers for paths worth more than the target; `None` if it made more states than allowed.
    fn sweep<K: Key>(
        &mut self,
        relaxation: Option<&Relaxation>,
        mut target: i64,
        most: Option<u64>,
    ) -> Result<Option<Sweep<K>>, Stop> {
        let bounds = relaxation.map_or(0, |relaxation| relaxation.bytes);
        let mut machine = Machine::<K>::new(self.plan, self.budget);
        let mut checkpoints = Checkpoints::new(self.budget.memory.saturating_sub(bounds) / 3);
        let mut found = None;
        let mut layer = Layer::start();
        let mut result = Ok(());
        let mut states = 0;
        for (position, step) in self.plan.steps.iter().enumerate() {
            let table = relaxation.map(|relaxation| relaxation.table(position + 1, target));
            let filter = Filter { table: table.as_ref(), target };
            let (next, finish) = match machine.advance(&layer, step, filter, bounds + checkpoints.bytes) {
                Ok(made) => made,
                Err(stop) => {
                    result = Err(stop);
                    break;
                }
            };
            if let Some(finish) = finish {
                target = finish.value;
                found = Some((position, finish));
            }
            checkpoints.keep(position, std::mem::replace(&mut layer, next));
            states += layer.len() as u64;
            if layer.len() == 0 {
                break;
            }
            if most.is_some_and(|most| machine.made > most) {
                self.outcome.steps += machine.made;
                return Ok(None);
            }
        }
        self.outcome.steps += machine.made;
        self.outcome.peak_bytes = self.outcome.peak_bytes.max(machine.peak_bytes);
        result.map(|()| Some(Sweep { found, checkpoints, states }))
    }

    /// The search is over: nothing beats what the last sweep found, or what was known before it.
    fn settle<K: Key>(&mut self, sweep: Sweep<K>, relaxation: Option<&Relaxation>, known: i64) -> Result<(), Stop> {
        let Some((last, finish)) = sweep.found else {
            self.outcome.upper = known;
            return Ok(());
        };
        self.outcome.upper = finish.value;
        let mut replay = Replay {
            plan: self.plan,
            relaxation,
            target: finish.value - 1,
            machine: Machine::new(self.plan, self.budget),
            held: relaxation.map_or(0, |relaxation| relaxation.bytes),
            budget: self.budget,
        };
        let choices = replay.choices(sweep.checkpoints, last, finish)?;
        let path = path::assemble(self.piece, self.core, self.plan, &choices);
        self.monitor.incumbent(finish.value);
        self.outcome.best = Some((path, finish.value));
        Ok(())
    }
}

//! The states of a search with all transitions between them, listed.

use std::borrow::Borrow;
use std::fmt;
use std::time::Instant;

use super::breadth_first::{self, Batches, Listing, Successors};
use super::pool::Pool;
use super::shard::{self, Id, ROOT, index_of_id, shard_of_id};
use super::{Exploration, Explored, State};
use crate::limits::Meter;
use crate::solution::Stop;

/// The states of a search with all transitions between them. States are known by numbers, as [`Explored::find`] tells them.
pub struct StateGraph<T: State + ?Sized> {
    explored: Explored<T>,
    first: Vec<Id>,
    meter: Meter,
    /// By state: where its successors begin among `targets`; at the end, where the last ones end.
    begins: Vec<usize>,
    targets: Vec<Id>,
    /// Why transitions are missing, if they are.
    stop: Option<Stop>,
}

/// Without the states.
impl<T: State + ?Sized> fmt::Debug for StateGraph<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StateGraph").field("explored", &self.explored).finish_non_exhaustive()
    }
}

/// After how many states to look at the clock.
const LOOK: usize = 1 << 10;

impl<T, F> Exploration<'_, T, F>
where
    T: State + ?Sized,
    F: Listing<T>,
{
    /// Searches, and keeps the transitions, for which it lists them once more.
    ///
    /// # Complexity
    /// As [`run`](Self::run). Questions to the graph take 8 bytes a transition and 36 a state besides.
    pub fn run_graph(self) -> StateGraph<T> {
        let meter = self.limits.start();
        let (explored, question) = breadth_first::run(self);
        let first = question.first.iter().filter_map(|state| explored.find(state.borrow())).collect();
        let (begins, targets) = (Vec::new(), Vec::new());
        let mut graph = StateGraph { explored, first, meter, begins, targets, stop: None };
        graph.stop = graph.list(&question.successors).err();
        graph
    }
}

impl<T: State + ?Sized> StateGraph<T> {
    fn list(&mut self, list: &impl Listing<T>) -> Result<(), Stop> {
        let began = Instant::now();
        let ids = self.ids();
        let transitions = self.explored.transitions as usize;
        // Transitions both ways; and by state two places, a rank, a count, a mark and a queue.
        let of_state = 2 * size_of::<usize>() + 5 * size_of::<Id>();
        let bytes = self.explored.bytes() + ids * of_state + 2 * transitions * size_of::<Id>();
        if self.meter.forbids(bytes) {
            return Err(Stop::MemoryLimit);
        }
        self.explored.peak_bytes = self.explored.peak_bytes.max(bytes);
        self.begins.reserve_exact(ids + 1);
        self.targets.reserve_exact(transitions);
        let mut batches = Batches::<T>::default();
        for id in 0..ids as Id {
            if (id as usize).is_multiple_of(LOOK) {
                self.look()?;
            }
            self.begins.push(self.targets.len());
            let store = &self.explored.store;
            if store.contains(id) && !self.is_open(id) {
                list(store.state(id), &mut Successors::new(&mut batches, ROOT));
                for (part, batch) in batches.iter_mut().enumerate() {
                    for (at, &hash) in batch.hashes.iter().enumerate() {
                        let target = store.shards[part].find(batch.states.get(at), hash);
                        let target = target.expect("the successors of a state that was worked off have been met");
                        self.targets.push(shard::id(part, target));
                    }
                    batch.clear();
                }
            }
        }
        self.begins.push(self.targets.len());
        self.explored.elapsed += began.elapsed();
        Ok(())
    }

    /// What the search has met.
    pub fn explored(&self) -> &Explored<T> {
        &self.explored
    }

    /// The first states.
    pub fn first(&self) -> &[u32] {
        &self.first
    }

    /// The numbers of all states.
    pub fn states(&self) -> impl Iterator<Item = u32> {
        (0..self.ids() as Id).filter(|&id| self.explored.store.contains(id))
    }

    /// A state by its number.
    ///
    /// # Panics
    /// If there is none of this number.
    pub fn state(&self, id: u32) -> &T {
        self.explored.store.state(id)
    }

    /// Whether not all successors of a state have been met.
    pub fn is_open(&self, id: u32) -> bool {
        index_of_id(id) >= self.explored.expanded[shard_of_id(id)]
    }

    /// The successors of a state; of an open one, none.
    pub fn successors(&self, id: u32) -> &[u32] {
        &self.targets[self.begins[id as usize]..self.begins[id as usize + 1]]
    }

    /// Why not all transitions could be listed, if so: then there are no answers.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// One more than the greatest number of a state.
    pub(super) fn ids(&self) -> usize {
        self.explored.store.ids()
    }

    /// The limit that is spent, if one is.
    pub(super) fn look(&self) -> Result<(), Stop> {
        self.meter.spent().map_or(Ok(()), Err)
    }
}

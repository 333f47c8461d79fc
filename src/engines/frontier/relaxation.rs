//! The backward relaxation: what any completion of a state can still add, as far as its slots' degrees tell.
//!
//! Forget which slots are mates: a state keeps two bits a slot and the ends that exist. Paths and cycles mix, so this is a
//! relaxation, but an exact one: a forward sweep finds the signatures that can be reached, each with the greatest value,
//! and a backward sweep what the best completion of each adds. The sum of both at a signature bounds every path that runs
//! through it; at the start it bounds them all.

use std::time::{Duration, Instant};

use super::advance::LayerExpander;
use super::expander::{BATCH, Expand};
use super::filter::Filter;
use super::kernel::Relaxed;
use super::layer::Layer;
use super::links::{Links, Origin};
use super::measure::Measure;
use super::plan::{Item, Plan, Step};
use super::potentials::{Potential, Potentials};
use super::shelf::Shelf;
use super::step_table::TableExpander;
use super::tables::{Bounds, Found, Layout, Lookups, NOTHING, Range, Sharded, Table, hands, shards_of};
use super::worker_pool::deal_out;
use crate::instance::{Budget, Outcome};
use crate::solution::Stop;

/// The bounds of every layer.
pub(super) struct Relaxation {
    /// The last layer first.
    layers: Shelf<Bounds>,
    /// No path of the core is worth more; `None` if there is no path at all that is worth more than the floor.
    pub(super) bound: Option<i64>,
    pub(super) signatures: u64,
}

/// What a sweep may take.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    /// All steps on the account.
    pub(super) steps: u64,
    /// Whether it goes on until time is spent even where it does not seem to end by then.
    pub(super) to_the_last: bool,
}

impl Allowed {
    #[cfg(test)]
    pub(super) const EVERYTHING: Self = Allowed { steps: u64::MAX, to_the_last: true };
}

/// Batches of signatures bounded between two looks at the clock.
const BATCHES_PER_CLOCK: usize = 32;

/// How long a sweep goes on before it is judged; and what the way back takes, as a part of the way forth.
const SHORT: Duration = Duration::from_secs(1);
const PART_BACK: f64 = 0.4;

impl Relaxation {
    /// Sweeps forth and back in this much memory, keeping only what may lead to more than `floor`, as far as potentials
    /// tell on the way forth. `None` once the steps on the account are more than allowed; [`Stop::Exhausted`] if it is given up
    /// before time is spent.
    pub(super) fn new<R: Relaxed>(
        plan: &Plan,
        potentials: Option<&Potentials>,
        floor: i64,
        allowed: Allowed,
        budget: &Budget,
        memory: usize,
        account: &mut Outcome,
    ) -> Result<Option<Self>, Stop> {
        let mut allowance = budget.clone();
        allowance.memory = memory;
        let way = Way { plan, potentials, floor, layout: Layout::new(plan.slots), budget: &allowance };
        match way.forth::<R>(allowed, account)? {
            Some(forth) => way.back::<R>(forth, account).map(Some),
            None => Ok(None),
        }
    }

    /// The bounds after `step` steps, for paths worth more than the target.
    pub(super) fn table(&self, step: usize, target: i64, budget: &Budget, words: Vec<u64>) -> Result<Table, Stop> {
        let index = self.layers.len() - 1 - step;
        self.layers.look(index, budget, |bounds| Table::build(bounds, target, budget, words))
    }

    /// What it takes of the memory.
    pub(super) fn bytes(&self) -> usize {
        self.layers.bytes_to_look()
    }

    /// Makes room in memory; `false` if that comes to nothing.
    pub(super) fn put_away(&mut self, budget: &Budget) -> Result<bool, Stop> {
        self.layers.put_away(0, budget)
    }
}

/// What a sweep forth and back is about.
#[derive(Clone, Copy)]
struct Way<'w> {
    plan: &'w Plan,
    potentials: Option<&'w Potentials>,
    floor: i64,
    layout: Layout,
    budget: &'w Budget,
}

/// What the sweep forth leaves for the way back.
struct Forth {
    /// The entries before each step.
    entries: Shelf<Sharded>,
    /// Those of each step; `None` where they took too much memory.
    links: Vec<Option<Links>>,
    /// What all that takes, and the potentials.
    bytes_of_links: usize,
    potential_bytes: usize,
    signatures: u64,
}

/// Links may take this part of the memory.
const PART_FOR_LINKS: usize = 3;

impl Forth {
    fn new(potential_bytes: usize, budget: &Budget) -> Self {
        let entries = Shelf::new(&budget.disk);
        Forth { entries, links: Vec::new(), bytes_of_links: 0, potential_bytes, signatures: 0 }
    }

    fn push(&mut self, entries: Sharded, links: Option<Links>, budget: &Budget) -> Result<(), Stop> {
        self.signatures += entries.len() as u64;
        self.bytes_of_links += links.as_ref().map_or(0, Links::bytes);
        self.links.push(links);
        self.entries.push(entries, budget)
    }

    fn pop(&mut self, budget: &Budget) -> Result<Option<(Sharded, Option<Links>)>, Stop> {
        let Some(entries) = self.entries.pop(budget)? else { return Ok(None) };
        let links = self.links.pop().flatten();
        self.bytes_of_links -= links.as_ref().map_or(0, Links::bytes);
        Ok(Some((entries, links)))
    }

    fn bytes(&self) -> usize {
        self.potential_bytes + self.entries.bytes() + self.bytes_of_links
    }

    /// Gives back the memory of all links; `false` if there were none.
    fn drop_links(&mut self) -> bool {
        self.links.fill_with(|| None);
        std::mem::take(&mut self.bytes_of_links) > 0
    }

    /// Puts entries on disk, and forgets all links, since these go by the order of the entries. Returns whether memory came free.
    fn put_away(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let had_links = self.drop_links();
        Ok(self.entries.put_away(0, budget)? || had_links)
    }
}

impl Way<'_> {
    /// The potential after a step, by which what it leads to is judged.
    fn potential(&self, position: usize) -> Option<Potential> {
        self.potentials.map(|potentials| potentials.layer(position + 1))
    }

    /// Finds what can be reached.
    fn forth<R: Relaxed>(&self, allowed: Allowed, account: &mut Outcome) -> Result<Option<Forth>, Stop> {
        let Way { plan, budget, .. } = *self;
        let began = Instant::now();
        let mut layer_expander = LayerExpander::<R, TableExpander<R>, Origin>::new(plan, budget);
        let potential_bytes = self.potentials.map_or(0, Potentials::bytes);
        let mut forth = Forth::new(potential_bytes, budget);
        let mut layer = Layer::<R>::start();
        for (position, step) in plan.steps.iter().enumerate() {
            let potential = self.potential(position);
            let filter = Filter::new(None, potential.as_ref(), self.floor, Measure::Plain);
            let mut advanced = layer_expander.advance(&layer, step, filter, forth.bytes());
            if matches!(advanced, Err(Stop::MemoryLimit)) && forth.drop_links() {
                layer_expander.keeps_links = false;
                advanced = layer_expander.advance(&layer, step, filter, forth.bytes());
            }
            if matches!(advanced, Err(Stop::MemoryLimit)) && forth.put_away(budget)? {
                layer_expander.keeps_links = false;
                advanced = layer_expander.advance(&layer, step, filter, forth.bytes());
            }
            account.peak_bytes = account.peak_bytes.max(layer_expander.peak_bytes);
            account.steps += std::mem::take(&mut layer_expander.made);
            let (next, _) = advanced?;
            forth.push(packed(&layer, self.layout, budget)?, layer_expander.take_links(), budget)?;
            layer_expander.keeps_links &= forth.bytes_of_links <= budget.memory / PART_FOR_LINKS;
            layer_expander.recycle(layer);
            if account.steps > allowed.steps {
                return Ok(None);
            }
            let done = (position + 1) as f64 / plan.steps.len() as f64;
            if !allowed.to_the_last && !seems_to_end(began.elapsed(), done, budget.left()) {
                return Err(Stop::Exhausted);
            }
            layer = next;
        }
        // After the last step nothing is open, so every path was completed on the way.
        Ok(Some(forth))
    }

    /// Finds what completions add.
    fn back<R: Relaxed>(&self, mut forth: Forth, account: &mut Outcome) -> Result<Relaxation, Stop> {
        let Way { plan, layout, budget, .. } = *self;
        let mut layers = Shelf::new(&budget.disk);
        layers.push(Bounds::none(layout, budget)?, budget)?;
        let mut words = Vec::new();
        // What completions add, and where shards begin, in the layer after the step.
        let (mut after, mut bounds_after) = (Vec::new(), Vec::new());
        let mut rests = Vec::new();
        while let Some((entries, mut links)) = forth.pop(budget)? {
            // A rest here and there, beside what waits.
            let held = |forth: &Forth, layers: &Shelf<Bounds>, after: &Vec<i64>| {
                forth.bytes() + layers.bytes() + entries.bytes() + (entries.len() + after.capacity()) * 8
            };
            if held(&forth, &layers, &after) + links.as_ref().map_or(0, Links::bytes) > budget.memory {
                (links, after) = (None, Vec::new());
                forth.drop_links();
            }
            let mut table_bytes = 0;
            if links.is_none() {
                table_bytes = layers.look(layers.len() - 1, budget, |bounds| Ok(Table::bytes_of(bounds, i64::MIN)))?;
                if held(&forth, &layers, &after) + table_bytes > budget.memory {
                    forth.put_away(budget)?;
                    layers.put_away(1, budget)?;
                }
                if held(&forth, &layers, &after) + table_bytes > budget.memory {
                    return Err(Stop::MemoryLimit);
                }
            }
            rests.clear();
            rests.resize(entries.len(), NOTHING);
            let beside = links.as_ref().map_or(table_bytes, Links::bytes);
            match links {
                Some(links) => {
                    let value = |position| entries.get(position).1;
                    links.follow(value, &after, &bounds_after, budget, &mut rests)?;
                }
                // Where each leads is looked up.
                None => {
                    let build = |bounds: &Bounds| Table::build(bounds, i64::MIN, budget, words);
                    let table = layers.look(layers.len() - 1, budget, build)?;
                    let position = forth.links.len();
                    let potential = self.potential(position);
                    let filter = Filter::new(None, potential.as_ref(), self.floor, Measure::Plain);
                    look_up::<R>(plan, &plan.steps[position], &entries, filter, &table, budget, &mut rests)?;
                    words = table.into_words();
                }
            }
            let found = judge(&entries, self.floor, budget, &mut rests)?;
            // A position in an order, and a word or an entry of its own.
            let kept = found.iter().map(|found| found.count).sum::<usize>() * (4 + 16);
            let mut used = held(&forth, &layers, &after) + beside + kept;
            if used > budget.memory {
                forth.put_away(budget)?;
                layers.put_away(0, budget)?;
                used = held(&forth, &layers, &after) + beside + kept;
            }
            if used > budget.memory {
                return Err(Stop::MemoryLimit);
            }
            account.peak_bytes = account.peak_bytes.max(used);
            layers.push(Bounds::new(&entries, &rests, &found, layout, budget)?, budget)?;
            if forth.bytes_of_links > 0 {
                std::mem::swap(&mut after, &mut rests);
                bounds_after = entries.bounds;
            } else {
                after = Vec::new();
            }
        }
        let bound = layers.look(layers.len() - 1, budget, |bounds| Ok(bounds.greatest_total()))?;
        Ok(Relaxation { layers, bound, signatures: forth.signatures })
    }
}

/// Whether a sweep that took so long for this part of the way forth will come to its end, and back, in the time that is left: if it
/// goes on as it did. At first that is anybody's guess.
fn seems_to_end(spent: Duration, done: f64, left: Option<Duration>) -> bool {
    left.is_none_or(|left| spent < SHORT || spent.mul_f64((1.0 + PART_BACK) / done) <= spent + left)
}

/// The entries of a layer that is swept.
fn packed<R: Relaxed>(layer: &Layer<R>, layout: Layout, budget: &Budget) -> Result<Sharded, Stop> {
    let counts: Vec<usize> = (0..layer.shard_count()).map(|index| layer.shard(index).0.len()).collect();
    let values = layer.values().map(Range::of).fold(Range::NONE, Range::and);
    Sharded::new(&counts, layer.sharding, values, layout, budget, |index| {
        let (states, values) = layer.shard(index);
        states.iter().zip(values).map(|(state, &value)| (state.signature(), value))
    })
}

/// What completions add to the signatures of a layer, or [`NOTHING`], given the bounds of the layer after the step: where each
/// leads is found out again.
fn look_up<R: Relaxed>(
    plan: &Plan,
    step: &Step,
    layer: &Sharded,
    filter: Filter<'_>,
    table: &Table,
    budget: &Budget,
    rests: &mut [i64],
) -> Result<(), Stop> {
    let mut shards = shards_of(rests, &layer.bounds);
    let mut hands = hands(layer.len(), budget, || (TableExpander::<R>::new(), false, Vec::new(), Lookups::default()));
    deal_out(&mut shards, &mut hands, |(expander, is_prepared, successors, lookups), index, rests| {
        if !std::mem::replace(is_prepared, true) {
            expander.prepare(plan, step, &filter, layer.len());
        }
        let from = layer.bounds[index];
        for (number, best) in rests.chunks_mut(BATCH).enumerate() {
            let begin = from + number * BATCH;
            let states = (begin..begin + best.len()).map(|position| layer.get(position));
            let states = states.map(|(signature, value)| (R::from(signature), value));
            successors.clear();
            lookups.signatures.clear();
            let to = |next: &Item<R>| {
                successors.push((next.value, next.from));
                lookups.signatures.push(next.state.signature());
            };
            let complete = |total: i64, from: u32| {
                let best = &mut best[from as usize];
                *best = total.max(*best);
            };
            expander.expand(plan, step, &filter, states, to, complete);
            table.look_up(lookups);
            for (&(value, from), &rest) in successors.iter().zip(&lookups.rests) {
                if rest != NOTHING {
                    let best = &mut best[from as usize];
                    *best = (value + rest).max(*best);
                }
            }
            let totals = (begin..).zip(best).filter(|(_, total)| **total != NOTHING);
            totals.for_each(|(position, total)| *total -= layer.get(position).1);
            if number % BATCHES_PER_CLOCK == 0 {
                budget.spent().map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    })
}

/// Forgets what does not lead to more than the floor; a summary of each shard.
fn judge(layer: &Sharded, floor: i64, budget: &Budget, rests: &mut [i64]) -> Result<Vec<Found>, Stop> {
    let none = Found { count: 0, rests: Range::NONE, totals: Range::NONE };
    let mut shards: Vec<_> = shards_of(rests, &layer.bounds).into_iter().map(|rests| (rests, none)).collect();
    deal_out(&mut shards, &mut hands(layer.len(), budget, || ()), |(), index, (rests, found)| {
        for (position, rest) in (layer.bounds[index]..).zip(rests.iter_mut()).filter(|(_, rest)| **rest != NOTHING) {
            let total = *rest + layer.get(position).1;
            if total <= floor {
                *rest = NOTHING;
            } else {
                found.count += 1;
                found.rests = found.rests.and(Range::at(*rest));
                found.totals = found.totals.and(Range::at(total));
            }
        }
        budget.spent().map_or(Ok(()), Err)
    })?;
    Ok(shards.into_iter().map(|(_, found)| found).collect())
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::chains::Core;
    use super::super::kernel::{Signature, SignatureOfArcs};
    use super::super::planner;
    use super::super::tests::{grid, random_ends};
    use super::super::worker_pool::WorkerPool;
    use super::*;
    use crate::disk::Disk;
    use crate::instance::{Ends, Instance};
    use crate::limits::Limits;
    use crate::rounds::rounds;
    use crate::view::{CsrGraph, Edge};

    const MEMORY: usize = 1 << 30;

    #[test]
    fn a_sweep_goes_on_where_it_seems_to_end_in_time() {
        let [moment, second, minute] = [100, 1_000, 60_000].map(Duration::from_millis);
        assert!(seems_to_end(minute, 0.01, None), "nothing ends it");
        assert!(seems_to_end(moment, 0.01, Some(moment)), "that is too early to tell");
        // All of it takes fourteen seconds.
        assert!(seems_to_end(second, 0.1, Some(14 * second)) && !seems_to_end(second, 0.1, Some(12 * second)));
        assert!(seems_to_end(minute, 1.0, Some(minute / 2)), "the way back is shorter");
        assert!(!seems_to_end(second, 0.5, Some(Duration::ZERO)));
    }

    /// What completions add to all that a sweep finds, layer by layer, with links and without, in this much memory and with
    /// that much of a disk; and how many steps had links. `None` where the memory does not do.
    fn rests<R: Relaxed>(
        core: &Core,
        floor: i64,
        threads: usize,
        (memory, disk): (usize, u64),
        links: bool,
    ) -> Option<(Vec<Vec<Option<i64>>>, usize)> {
        let order: Vec<u32> = (0..core.vertices.len() as u32).collect();
        let plan = planner::plan(core, &order, Measure::Plain);
        let mut budget = Budget::new(Instant::now(), &Limits { memory, threads, ..Limits::default() });
        budget.disk = Disk::of(disk);
        let potentials = Potentials::new(core, &plan, core.directed, &budget).expect("there is time");
        let layout = Layout::new(plan.slots);
        let way = Way { plan: &plan, potentials: potentials.as_ref(), floor, layout, budget: &budget };
        let mut account = Outcome::nothing_above(floor, i64::MAX);
        let swept = WorkerPool::new(threads).run(|| {
            let mut forth = way.forth::<R>(Allowed::EVERYTHING, &mut account)?.expect("it may take all steps");
            if !links {
                forth.drop_links();
            }
            let linked = forth.links.iter().flatten().count();
            let signatures =
                |entries: &Sharded| Ok((0..entries.len()).map(|position| entries.get(position).0).collect());
            let layers = 0..forth.entries.len();
            let found = layers.map(|index| forth.entries.look(index, &budget, signatures));
            let found: Vec<Vec<Signature>> = found.collect::<Result<_, _>>()?;
            Ok::<_, Stop>((way.back::<R>(forth, &mut account)?, linked, found))
        });
        let (relaxation, linked, found) = match swept {
            Ok(swept) => swept,
            Err(Stop::MemoryLimit) => return None,
            Err(stop) => panic!("{stop:?}"),
        };
        let of_layer = |(step, mut signatures): (usize, Vec<Signature>)| {
            // The order of a layer depends on how it was dealt out.
            signatures.sort_unstable();
            let table = relaxation.table(step, i64::MIN, &budget, Vec::new()).expect("there is time");
            signatures.into_iter().map(|signature| table.get(signature)).collect()
        };
        Some((found.into_iter().enumerate().map(of_layer).collect(), linked))
    }

    #[test]
    fn links_lead_where_looking_up_leads() {
        let mut rng = Pcg64Mcg::seed_from_u64(31);
        for round in 0..rounds(300) {
            let (n, directed) = (rng.random_range(5..10), round % 2 == 0);
            let edges = (0..3 * n).map(|_| Edge {
                source: rng.random_range(0..n as u32),
                target: rng.random_range(0..n as u32),
                weight: rng.random_range(-2..6),
            });
            let (graph, _) = CsrGraph::from_multigraph(n, directed, edges.collect());
            let kind = rng.random();
            let instance = Instance { graph, ends: random_ends(n, kind, &mut rng) };
            let (core, floor) = (Core::new(&instance), rng.random_range(-5..20));
            let swept = |links| match directed {
                false => rests::<Signature>(&core, floor, 1, (MEMORY, 0), links),
                true => rests::<SignatureOfArcs>(&core, floor, 1, (MEMORY, 0), links),
            };
            let [(with, linked), (without, _)] = [true, false].map(|links| swept(links).expect("there is memory"));
            assert_eq!(with, without, "{instance:?}");
            assert!(linked > 0 || with.is_empty());
        }
    }

    /// Of a grid with free ends.
    fn grid_core(rows: u32, columns: u32) -> Core {
        let graph = grid(rows, columns);
        let prizes = vec![0; graph.vertex_count()];
        let ends = Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true };
        Core::new(&Instance { graph, ends })
    }

    /// With several threads portions are many, and with little memory they are merged in several rounds, or there is no room for
    /// links.
    #[test]
    fn links_hold_whatever_the_threads_and_the_memory() {
        let core = grid_core(8, 8);
        let (expected, _) = rests::<Signature>(&core, 50, 1, (MEMORY, 0), false).expect("there is memory");
        assert!(expected.iter().any(|layer| layer.len() > 4000), "{:?}", expected.iter().map(Vec::len).max());
        let mut kept = Vec::new();
        for threads in [1, 2, 3] {
            for memory in (20..31).map(|bits| 1 << bits) {
                if let Some((found, linked)) = rests::<Signature>(&core, 50, threads, (memory, 0), true) {
                    assert_eq!(found, expected, "{threads} threads, {memory} bytes");
                    kept.push(linked);
                }
            }
        }
        let all = expected.len();
        assert!(kept.contains(&all) && kept.iter().any(|&linked| linked < all), "{kept:?} of {all}");
    }

    /// All layers together take several times what the largest does.
    #[test]
    fn layers_wait_on_disk() {
        let core = grid_core(40, 8);
        let (expected, _) = rests::<Signature>(&core, 250, 1, (MEMORY, 0), false).expect("there is memory");
        for threads in [1, 2] {
            let least = [0, 1 << 30].map(|disk| {
                let mut memories = (36..56).map(|halves| ((2 + halves % 2) << (halves / 2)) / 2);
                let fits = |&memory: &usize| match rests::<Signature>(&core, 250, threads, (memory, disk), true) {
                    Some((found, _)) => {
                        assert!(found == expected, "{threads} threads, {memory} bytes, {disk} on disk");
                        true
                    }
                    None => false,
                };
                memories.find(fits).expect("it fits some memory")
            });
            assert_eq!(2 * least[1] <= least[0], cfg!(feature = "disk"), "{threads} threads: {least:?}");
        }
    }
}

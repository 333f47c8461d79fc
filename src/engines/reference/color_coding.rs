//! Color coding as the source prints it: a reference to read, and a yardstick.
//!
//! Source: §4 of P. Dorbec and C. Gavoille, *Projet UNO* (project text, Université de Bordeaux). Random labels `1..k`; for
//! every set `S` of labels and every label `ℓ` in it the set `C(S, ℓ)` of the vertices with label `ℓ` that end a path with
//! exactly the labels `S`; by the size of `S`, `C(S ∪ {ℓ}, ℓ)` are the vertices of label `ℓ` with a neighbour in some
//! `C(S, ℓ')`. Success if some `C({1..k}, ℓ)` is not empty; else again, up to `e^k` times.
//!
//! Beyond the source: arcs may have a direction and vertices may be barred from being first or last; each vertex of
//! `C(S, ℓ)` keeps the greatest weight of such a path, and the vertex before it on one, so the path can be told and the
//! heaviest be looked for; and the number of trials follows from the failure probability asked for, which for one near
//! `1/e` is the source's `e^k`.
//!
//! `O(t 2^k m)` steps for `t` trials, `O(2^k n)` memory.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::engines::color_coding::{draw, missed_after, success_probability, trials_for};
use crate::instance::Budget;
use crate::reduce::walks::{Cost, Found, Walks};
use crate::solution::Stop;

/// For a vertex: the greatest value of a path that ends there with certain labels, and the vertex before it.
type Ends = BTreeMap<u32, (i64, Option<u32>)>;
/// By the set of labels, which all have the same size.
type Layer = BTreeMap<usize, Ends>;

/// One part in so many of the time.
const PART_FOR_GIVING_BACK: u32 = 6;
/// Vertices that go on between two looks at the limits.
const STEPS_BETWEEN_LOOKS: u64 = 4096;
/// About what an entry of a map takes.
const BYTES_OF_ENTRY: usize = 64;

/// Looks for the heaviest path of `k` vertices worth more than `floor`, or for any (`heaviest` is false), which ends the
/// search when it is found. One thread.
pub(crate) fn solve(walks: &Walks<'_>, heaviest: bool, floor: i64, failure: f64, budget: &Budget) -> (Found, Cost) {
    // To give so many small maps back takes time, too.
    let budget = &budget.keeping(u64::MAX, PART_FOR_GIVING_BACK);
    let k = walks.k;
    let success = success_probability(k, k);
    let trials = trials_for(success, failure) as u64;
    let mut labels = vec![0u8; walks.vertex_count()];
    let mut spent = Cost { labels: k, ..Cost::default() };
    let mut best: Option<(Vec<u32>, i64)> = None;
    while spent.trials < trials && spent.stop.is_none() {
        draw(&mut labels, k, budget.seed, spent.trials);
        match trial(walks, &labels, budget, &mut spent) {
            Err(stop) => spent.stop = Some(stop),
            Ok(found) => {
                spent.trials += 1;
                let least = best.as_ref().map_or(floor, |best| best.1);
                best = found.filter(|found| found.1 > least || !heaviest).or(best);
                if best.is_some() && !heaviest {
                    break;
                }
            }
        }
    }
    (Found { best, missed: missed_after(spent.trials, success) }, spent)
}

/// The heaviest path whose `k` labels differ.
fn trial(walks: &Walks<'_>, labels: &[u8], budget: &Budget, spent: &mut Cost) -> Result<Option<(Vec<u32>, i64)>, Stop> {
    let k = walks.k;
    let n = walks.vertex_count() as u32;
    // The sets C(S, ℓ) of all ℓ together, by the size of S and S.
    let mut layers: Vec<Layer> = vec![Layer::new(); k + 1];
    let mut entries = 0;
    for vertex in (0..n).filter(|&vertex| walks.may_be_first(vertex)) {
        let ends = layers[1].entry(1 << labels[vertex as usize]).or_default();
        ends.insert(vertex, (walks.first[vertex as usize], None));
        entries += 1;
    }
    for size in 1..k {
        let (done, rest) = layers.split_at_mut(size + 1);
        for (set, ends) in &done[size] {
            for (&vertex, (value, _)) in ends {
                if spent.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
                    let bytes = entries * BYTES_OF_ENTRY;
                    spent.peak_bytes = spent.peak_bytes.max(bytes);
                    let stop = budget.spent().or((bytes > budget.memory).then_some(Stop::MemoryLimit));
                    stop.map_or(Ok(()), Err)?;
                }
                spent.steps += 1;
                for arc in walks.graph.out_arcs(vertex) {
                    let label = 1 << labels[arc.target as usize];
                    if set & label == 0 {
                        let value = value + walks.graph.weight(arc.edge);
                        match rest[0].entry(set | label).or_default().entry(arc.target) {
                            Entry::Vacant(entry) => {
                                entry.insert((value, Some(vertex)));
                                entries += 1;
                            }
                            Entry::Occupied(mut entry) if value > entry.get().0 => {
                                entry.insert((value, Some(vertex)));
                            }
                            Entry::Occupied(_) => {}
                        }
                    }
                }
            }
        }
    }

    let mut set = (1usize << k) - 1;
    let Some(ends) = layers[k].get(&set) else { return Ok(None) };
    let last = ends.iter().filter(|(vertex, _)| walks.may_be_last(**vertex));
    let worth = last.map(|(&vertex, (value, _))| (value + walks.last[vertex as usize], vertex));
    let Some((value, last)) = worth.max() else { return Ok(None) };
    let mut path = vec![last];
    while let (_, Some(before)) = layers[set.count_ones() as usize][&set][&path[path.len() - 1]] {
        set ^= 1 << labels[path[path.len() - 1] as usize];
        path.push(before);
    }
    path.reverse();
    Ok(Some((path, value)))
}

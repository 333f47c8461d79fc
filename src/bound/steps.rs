//! A [`Removal`] as multipliers of the rows that [proofs](crate::proof) know: one `close`.
//!
//! *Shares.* The second best share at a vertex is the price of its two places; what the best share is more pays for the visit, by
//! `use` or `tip`. So an edge gains nothing, and a visit the vertex's worth.
//!
//! *Borders and blossoms* are sets and blossoms, twice, and the equations of the vertices inside, once the other way round: that is
//! their border.
//!
//! *Removal.* Of a path let `k(C)` be the number of its stretches inside a component `C`, which are as many as visits are more than
//! edges, or half of what crosses the border of `C`, ends counted. At a *slope* `α` all that is earned in `C` is at most
//! `α k(C) + Σ (d − α)` over the numbers `d > α` of `C`. For a component that is one piece: `k(C) ≥ visit(u)` for each `u` inside (the row
//! of its set), so `α` may be taken off the worths inside, wherever they are. Where `v` joins components, the stretches there
//! are `k(C) + visit(v)` at most, by the two places at `v` (one less if a single edge leads there, which is a row `use`, or, where
//! edges have directions, if all lead one way): so `v` gains `α`, at any slope no greater than the second of the numbers glued.
//! From there a slope may rise to any other, by the set of all vertices of `C`: only one number lies above the slope, so that
//! as much is taken off. Going down from `k = 1` for the whole, the slope of each component is the least of its second number and the slope
//! outside.
//!
//! What the certificate's check says beyond this gets lost: that a path with fixed ends is a cycle through the outside, and that
//! an arc is not followed back at once. Nothing depends on it being right: the checker adds up what is written.

use std::collections::BinaryHeap;
use std::ops::Range;

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use super::network;
use crate::certificate::{Removal, Shares};
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::proof::{Column, Cut, Multipliers, Record, Row, Step};
use crate::sets::set_of;
use crate::top_two::keep_top_two;
use crate::view::Arc;

/// Sets in all may have so many vertices for each vertex and edge of the graph; with more, others are shorter.
const LARGEST: usize = 50;
/// Greater multipliers than this are none.
const MOST: i128 = 1 << 60;

/// The step that says what a witness says of the paths of an instance. `None` for cycles, and where numbers or sets are too large.
pub(crate) fn record(instance: &Instance, witness: &Removal<u32>) -> Option<Record> {
    let mut ledger = Ledger::new(instance, witness)?;
    ledger.lay(witness);
    ledger.buy(&witness.shares);
    let (mut parts, outside) = ledger.parts(&witness.nodes);
    let vertices = laid_out(&mut parts);
    ledger.glue(&parts, &vertices, outside)?;
    ledger.close()
}

/// A component of what remains after some removals; the ones that it falls into come before it.
struct Part {
    /// The vertices that are in none of these.
    own: Vec<u32>,
    /// Where all its vertices are in the list of those of all parts.
    place: Range<usize>,
    /// The vertex that is removed next, and how it gets to the parts below.
    removed: Option<(u32, Ways)>,
    below: Vec<usize>,
    /// The greatest slope at which no number is lost that the removed vertex glues.
    steepest: i128,
}

impl Part {
    fn of(own: Vec<u32>) -> Self {
        Part { own, place: 0..0, removed: None, below: Vec::new(), steepest: 0 }
    }
}

/// The vertices of all parts, those of each beside one another.
fn laid_out(parts: &mut [Part]) -> Vec<u32> {
    let mut sizes: Vec<usize> = Vec::with_capacity(parts.len());
    let mut is_below = FixedBitSet::with_capacity(parts.len());
    for part in parts.iter() {
        sizes.push(part.own.len() + part.below.iter().map(|&below| sizes[below]).sum::<usize>());
        part.below.iter().for_each(|&below| is_below.insert(below));
    }
    let count = parts.iter().map(|part| part.own.len()).sum();
    let (mut vertices, mut next) = (vec![0; count], 0);
    for number in (0..parts.len()).rev() {
        if !is_below[number] {
            parts[number].place = next..next + sizes[number];
            next += sizes[number];
        }
        let mut start = parts[number].place.start;
        for below in parts[number].below.clone() {
            parts[below].place = start..start + sizes[below];
            start += sizes[below];
        }
        vertices[start..parts[number].place.end].copy_from_slice(&parts[number].own);
    }
    vertices
}

/// How a vertex gets to the parts that it joins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    Two,
    /// By one edge.
    Edge(u32),
    /// Only by arcs out of it, or only by those into it.
    Out,
    Into,
}

/// A share of what takes a place at a vertex, if there is one.
type Share = Option<(i128, Taker)>;

/// What takes a place at a vertex.
#[derive(Clone, Copy)]
enum Taker {
    Edge(u32),
    End,
}

/// Keeps the best two shares.
fn offer([best, second]: &mut [Share; 2], share: i128, taker: Taker) {
    keep_top_two([best, second], Some((share, taker)), |known| known.map(|(share, _)| share));
}

/// Multipliers in the making, in half units of the shares, so that halves of slopes are whole.
struct Ledger<'i> {
    instance: &'i Instance,
    scale: i64,
    /// By edge, what is booked at its source and at its target.
    booked: Vec<[i128; 2]>,
    /// By vertex: what a place costs out of it and into it (the same where undirected), and what is earned by a visit.
    out: Vec<i128>,
    into: Vec<i128>,
    gain: Vec<i128>,
    rows: Vec<(Row, i128)>,
    record: Record,
}

impl<'i> Ledger<'i> {
    fn new(instance: &'i Instance, witness: &Removal<u32>) -> Option<Self> {
        let n = instance.graph.vertex_count();
        let Removal { shares, subtour_cuts, blossoms, .. } = witness;
        let Ends::Open { .. } = instance.ends else { return None };
        let edges = network(instance, shares, subtour_cuts, blossoms).edges;
        Some(Ledger {
            instance,
            scale: 2 * shares.scale,
            booked: edges.iter().map(|edge| edge.booked().map(|share| 2 * share)).collect(),
            out: vec![0; n],
            into: vec![0; n],
            gain: vec![0; n],
            rows: Vec::new(),
            record: Record::default(),
        })
    }

    fn is_directed(&self) -> bool {
        self.instance.graph.is_directed()
    }

    /// Borders and blossoms.
    fn lay(&mut self, witness: &Removal<u32>) {
        for subtour_cut in &witness.subtour_cuts {
            let multiplier = 2 * i128::from(subtour_cut.multiplier);
            self.fence(&subtour_cut.inside, subtour_cut.visited, 2 * multiplier);
            self.gain[subtour_cut.visited as usize] -= 2 * multiplier;
        }
        let graph = &self.instance.graph;
        for blossom in &witness.blossoms {
            let multiplier = 2 * i128::from(blossom.multiplier);
            let teeth = blossom.teeth.iter().filter_map(|&(one, two)| graph.edge_between(one, two)).map(Column::Edge);
            let cut = Cut::Blossom { inside: blossom.inside.clone(), teeth: teeth.collect() };
            let row = Row::Cut(self.record.number(cut));
            self.rows.push((row, 2 * multiplier));
            self.raise(&blossom.inside, -multiplier);
        }
    }

    /// A set with a vertex visited inside: what crosses its border gets half of the multiplier, the visit costs it.
    fn fence(&mut self, inside: &[u32], visited: u32, multiplier: i128) {
        let mut inside = inside.to_vec();
        inside.sort_unstable();
        self.raise(&inside, -multiplier / 2);
        // Of a single vertex it would say nothing.
        if inside.len() > 1 {
            let row = Row::Cut(self.record.number(Cut::Set { inside, visited, outer: None }));
            self.rows.push((row, multiplier));
        }
    }

    /// Places at these vertices cost more.
    fn raise(&mut self, vertices: &[u32], more: i128) {
        for &vertex in vertices {
            self.out[vertex as usize] += more;
            self.into[vertex as usize] += more;
        }
    }

    /// Prices of places by the shares.
    fn buy(&mut self, shares: &Shares<u32>) {
        let n = self.gain.len();
        let directed = self.is_directed();
        let [mut out, mut into] = [(); 2].map(|()| vec![[Share::None; 2]; n]);
        for (number, edge) in (0..).zip(self.instance.graph.edges()) {
            let [at_source, at_target] = self.booked[number as usize];
            offer(&mut out[edge.source as usize], at_source, Taker::Edge(number));
            let into = if directed { &mut into } else { &mut out };
            offer(&mut into[edge.target as usize], at_target, Taker::Edge(number));
        }
        if let Ends::Open { first, last, .. } = &self.instance.ends {
            for (prizes, claimed, takes_in) in [(first, shares.beginning, directed), (last, shares.end, false)] {
                for (vertex, &prize) in prizes.iter().enumerate().filter(|(_, prize)| **prize != NOT_AN_END) {
                    // The price that borders have made is in the share.
                    let before = if takes_in { self.into[vertex] } else { self.out[vertex] };
                    let share = i128::from(prize) * i128::from(self.scale) - 2 * i128::from(claimed) - before;
                    let best = if takes_in { &mut into[vertex] } else { &mut out[vertex] };
                    offer(best, share, Taker::End);
                }
            }
        }
        for (vertex, (out, into)) in (0..).zip(out.into_iter().zip(into)) {
            let at = vertex as usize;
            if directed {
                let [out, into] = [out, into].map(|[best, _]| best.map_or(0, |(share, _)| share));
                self.out[at] += out;
                self.into[at] += into;
                self.gain[at] += out + into;
                continue;
            }
            let best = out[0].map_or(0, |(share, _)| share);
            let second = out[1].map_or(0, |(share, _)| share).min(best);
            self.raise(&[vertex], second);
            self.gain[at] += best + second;
            match out[0] {
                Some((_, taker)) if best > second => {
                    let row = match taker {
                        Taker::Edge(edge) => Row::Use(edge, vertex),
                        Taker::End => Row::Tip(vertex),
                    };
                    self.rows.push((row, best - second));
                }
                _ => {}
            }
        }
    }

    /// What the graph falls into, and the slope outside: the second of all numbers at the end.
    fn parts(&self, removed: &[u32]) -> (Vec<Part>, i128) {
        let graph = &self.instance.graph;
        let n = graph.vertex_count();
        let mut is_gone = set_of(n, removed);
        let mut sets = UnionFind::new(n);
        let whole =
            graph.edges().iter().filter(|edge| !is_gone[edge.source as usize] && !is_gone[edge.target as usize]);
        whole.for_each(|edge| _ = sets.union(edge.source as usize, edge.target as usize));
        let mut parts: Vec<Part> = Vec::new();
        // By representative, the part and its numbers.
        let mut part_of = vec![usize::MAX; n];
        let mut numbers: Vec<BinaryHeap<i128>> = vec![BinaryHeap::new(); n];
        for vertex in is_gone.zeroes() {
            let set = sets.find_mut(vertex);
            if part_of[set] == usize::MAX {
                part_of[set] = parts.len();
                parts.push(Part::of(Vec::new()));
            }
            parts[part_of[set]].own.push(vertex as u32);
            let sum = numbers[set].pop().unwrap_or(0);
            numbers[set].push(sum + self.gain[vertex].max(0));
        }
        for &vertex in removed.iter().rev() {
            is_gone.remove(vertex as usize);
            let around = |arcs: &[Arc]| -> Vec<(u32, u32)> {
                let there = arcs.iter().filter(|arc| !is_gone[arc.target as usize]);
                there.map(|arc| (arc.target, arc.edge)).collect()
            };
            let out = around(graph.out_arcs(vertex));
            let into = if graph.is_directed() { around(graph.in_arcs(vertex)) } else { Vec::new() };
            let ways = match (&out[..], &into[..]) {
                ([], []) => None,
                (&[(_, edge)], []) if !graph.is_directed() => Some(Ways::Edge(edge)),
                (_, []) if graph.is_directed() => Some(Ways::Out),
                ([], _) => Some(Ways::Into),
                _ => Some(Ways::Two),
            };
            let mut part = Part::of(vec![vertex]);
            let mut all = BinaryHeap::new();
            for &(other, _) in out.iter().chain(&into) {
                let set = sets.find_mut(other as usize);
                // Those that are joined already are of this part.
                if part_of[set] != usize::MAX {
                    let below = std::mem::replace(&mut part_of[set], usize::MAX);
                    part.below.push(below);
                    all.append(&mut numbers[set]);
                }
            }
            out.iter().chain(&into).for_each(|&(other, _)| _ = sets.union(vertex as usize, other as usize));
            let mut number = self.gain[vertex as usize].max(0);
            if let Some(ways) = ways {
                part.removed = Some((vertex, ways));
                for _ in 0..if ways == Ways::Two { 2 } else { 1 } {
                    part.steepest = all.pop().unwrap_or(0);
                    number += part.steepest;
                }
            }
            all.push(number);
            let set = sets.find_mut(vertex as usize);
            part_of[set] = parts.len();
            numbers[set] = all;
            parts.push(part);
        }
        let mut all: Vec<i128> = numbers.into_iter().flatten().collect();
        all.sort_unstable_by_key(|&number| std::cmp::Reverse(number));
        let outside = all.get(1).copied().unwrap_or(0);
        (parts, outside)
    }

    /// Slopes from the outside in, and what they come to from the inside out.
    fn glue(&mut self, parts: &[Part], vertices: &[u32], outside: i128) -> Option<()> {
        let mut slopes = vec![outside; parts.len()];
        for (number, part) in parts.iter().enumerate().rev() {
            let slope = slopes[number].min(part.steepest);
            part.below.iter().for_each(|&below| slopes[below] = slope);
        }
        for (part, &slope) in parts.iter().zip(&slopes) {
            let all = &vertices[part.place.clone()];
            let Some((vertex, ways)) = part.removed else {
                self.take(all, slope)?;
                continue;
            };
            let inner = slope.min(part.steepest);
            let at = vertex as usize;
            let [out, into] = match ways {
                Ways::Two => [1, 1],
                Ways::Edge(_) => [-1, -1],
                Ways::Out => [1, -1],
                Ways::Into => [-1, 1],
            };
            self.out[at] += out * inner / 2;
            self.into[at] += into * inner / 2;
            match ways {
                Ways::Two => self.gain[at] += inner,
                Ways::Edge(edge) if inner > 0 => self.rows.push((Row::Use(edge, vertex), inner)),
                _ => {}
            }
            self.take(all, slope - inner)?;
        }
        Some(())
    }

    /// Takes as much off what the vertices of a part earn, for every stretch inside. `None` where the sets become too large.
    fn take(&mut self, vertices: &[u32], slope: i128) -> Option<()> {
        let most = LARGEST * (self.gain.len() + self.booked.len() + 1);
        let mut left = slope;
        let mut by_gain = if slope > 0 { vertices.to_vec() } else { Vec::new() };
        by_gain.sort_unstable_by_key(|&vertex| (std::cmp::Reverse(self.gain[vertex as usize]), vertex));
        for &vertex in &by_gain {
            if left == 0 || self.record.size > most {
                break;
            }
            let gain = self.gain[vertex as usize];
            let taken = if gain > 0 { left.min(gain) } else { left };
            self.fence(vertices, vertex, taken);
            self.gain[vertex as usize] -= taken;
            left -= taken;
        }
        (self.record.size <= most).then_some(())
    }

    /// With what the ends need.
    fn close(mut self) -> Option<Record> {
        let directed = self.is_directed();
        let Ends::Open { first, last, .. } = &self.instance.ends else { return None };
        let mut at_tip = vec![0; self.gain.len()];
        for &(row, multiplier) in &self.rows {
            if let Row::Tip(vertex) = row {
                at_tip[vertex as usize] += multiplier;
            }
        }
        let best = |prizes: &[i64], prices: &[i128]| {
            let able = prizes.iter().enumerate().filter(|(_, prize)| **prize != NOT_AN_END);
            let gains = able.map(|(at, &prize)| i128::from(prize) * i128::from(self.scale) - prices[at] - at_tip[at]);
            gains.max()
        };
        let start = best(first, if directed { &self.into } else { &self.out })?;
        let finish = best(last, &self.out)?;
        let ends = if !directed && first == last {
            vec![(Row::Ends, start)]
        } else {
            vec![(Row::Starts, start), (Row::Finishes, finish)]
        };
        self.rows.extend(ends);
        for (vertex, (&out, &into)) in (0..).zip(self.out.iter().zip(&self.into)) {
            if directed {
                self.rows.extend([(Row::Out(vertex), out), (Row::In(vertex), into)]);
            } else {
                self.rows.push((Row::At(vertex), out));
            }
        }
        self.rows.retain(|&(_, multiplier)| multiplier != 0);
        if self.rows.iter().any(|(_, multiplier)| multiplier.abs() > MOST) {
            return None;
        }
        let rows = self.rows.into_iter().map(|(row, multiplier)| (row, multiplier as i64)).collect();
        self.record.add(Step::Close(Multipliers { scale: self.scale, rows }));
        Some(self.record)
    }
}

#[cfg(test)]
mod tests {
    use longhaul_check::Limits;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::tests::{any_edges, made_up, optimum};
    use super::super::{Effort, best_bound, prove};
    use super::*;
    use crate::instance::Budget;
    use crate::proof::Draft;
    use crate::view::CsrGraph;

    /// Whether the checker accepts the step for this claim.
    fn holds(instance: &Instance, witness: &Removal<u32>, claim: i64) -> bool {
        let numbers: Vec<u32> = (0..instance.graph.vertex_count() as u32).collect();
        let draft = Draft::of(instance, &numbers, Some(claim));
        let record = record(instance, witness).expect("small numbers");
        draft.write(&record, &Limits::default()).is_ok()
    }

    /// An instance whose paths may end anywhere, for prizes or not; where directed, no arcs are opposite to each other.
    fn any_instance(directed: bool, random: &mut Pcg64Mcg) -> Instance {
        let n = random.random_range(2..9);
        let heavy = [0, 8][random.random_range(0..2)];
        let mut edges = any_edges(n, false, random.random_range(1..10) as f64 / 10.0, heavy, random);
        if directed {
            for edge in edges.iter_mut().filter(|_| random.random_bool(0.5)) {
                std::mem::swap(&mut edge.source, &mut edge.target);
            }
        }
        let mut prizes = |most: i64| (0..n).map(|_| random.random_range(-most..=most)).collect::<Vec<i64>>();
        let first = prizes(if heavy > 0 { 5 } else { 0 });
        let last = if directed || heavy == 0 { prizes(heavy / 2) } else { first.clone() };
        Instance {
            graph: CsrGraph::from_simple(n, directed, edges),
            ends: Ends::Open { first, last, single_vertex: true },
        }
    }

    /// The least that the checker may be told: paths of a single vertex it looks at itself.
    fn lone(instance: &Instance) -> i64 {
        instance.best_single_vertex().map_or(i64::MIN, |(_, value)| value)
    }

    #[test]
    fn the_step_says_what_the_witness_says() {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        for round in 0..5_000 {
            let instance = any_instance(round % 2 == 1, &mut random);
            let witness = made_up(&instance, &mut random);
            let claim = prove(&instance, &witness).max(lone(&instance));
            assert!(holds(&instance, &witness, claim), "{claim} is not shown of {instance:?} by {witness:?}");
            let optimum = optimum(&instance).expect("a single vertex is a path");
            assert!(!holds(&instance, &witness, optimum - 1), "of {instance:?} by {witness:?}");
        }
    }

    #[test]
    fn what_bounds_are_found_for_becomes_a_step() {
        let mut random = Pcg64Mcg::seed_from_u64(8);
        for round in 0..500 {
            let instance = any_instance(round % 2 == 1, &mut random);
            let found = best_bound(&instance, Effort::Low, &Budget::unlimited(), i64::MIN);
            let claim = found.upper.max(lone(&instance));
            assert!(holds(&instance, &found.witness, claim), "{claim} is not shown of {instance:?}");
        }
    }
}

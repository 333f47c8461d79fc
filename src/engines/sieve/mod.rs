//! The algebraic sieve: is there a path of `k` vertices, by evaluating a polynomial at `2^k` points.
//!
//! Sources: I. Koutis, *Faster algebraic algorithms for path and packing problems*, ICALP 2008, LNCS 5125, 575–586,
//! doi:10.1007/978-3-540-70575-8_47; R. Williams, *Finding paths of length k in O\*(2^k) time*, Information Processing
//! Letters 109 (2009) 315–318, doi:10.1016/j.ipl.2008.11.004; A. Björklund, T. Husfeldt, P. Kaski, M. Koivisto, *Narrow
//! sieves for parameterized paths and packings*, Journal of Computer and System Sciences 87 (2017) 119–139,
//! doi:10.1016/j.jcss.2017.03.003, whose sum over subsets of labels this is.
//!
//! # The polynomial
//! For a walk `v₁ … v_k` and a set `A` of labels out of `{1..k}` take `∏ᵢ r(vᵢ, i) · ∏ᵢ Σ_{j∈A} z(vᵢ, j)`, with a variable `r`
//! for each vertex and place and a variable `z` for each vertex and label. Over a field of characteristic 2, the sum over
//! all `A` leaves `∏ r(vᵢ, i) · Σ_π ∏ z(vᵢ, π(i))` over the permutations `π`: by inclusion and exclusion, the labels must all
//! be used. The second factor is a determinant with a row for each vertex of the walk. If the walk meets a vertex twice, two
//! rows are equal and it vanishes; else its monomials are all different. And the `r` tell paths with the same vertices
//! apart by their order, so that nothing cancels (a path and its reverse would). So the sum over all walks is a polynomial
//! that is not zero exactly if there is a path; its degree is `2k`.
//!
//! # The error
//! With the variables drawn at random from GF(2^b) a polynomial of degree `2k` that is not zero vanishes with probability
//! `2k / 2^b = k / 2^(b-1)` at most (Schwartz, Zippel). Here `b = 8`; as many runs are made as the failure probability
//! asked for takes. A sum that is not zero proves a path.
//!
//! # The work
//! For one `A` the sum over all walks is a dynamic program over places: `f_i(v) = r(v, i) · x(v) · Σ f_{i-1}(u)` over the
//! arcs `u → v`, with `x(v) = Σ_{j∈A} z(v, j)`; where [`Walks::places`] has no place `i` for `v`, it is left out. So a run
//! takes `2^k (2k - 1) n` multiplications and `2^k (k - 1) m` additions and `O(n)` memory. The eight lowest labels number
//! the lanes of a [`Block`]; threads share out the sets of the others.
//!
//! # The path
//! The sum is taken for every last vertex by itself, so a run names vertices that end a path for certain. One of them is
//! taken off, and its neighbours become the last vertices of a path of `k - 1` vertices in what remains; such a run takes
//! half as long as the one before, so the path costs about as much again as the answer. Deleting vertices one by one until
//! none can be spared, as the sources do, takes a run for each.

mod config;
mod field;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fixedbitset::FixedBitSet;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use self::field::{BITS, Block, LANES};
use crate::instance::Budget;
use crate::reduce::walks::{Cost, Found, Missed, Walks, places};
use crate::sets::set_of;
use crate::solution::Stop;

pub use config::Config;

/// Labels that number the lanes of a block.
const LANE_LABELS: usize = LANES.trailing_zeros() as usize;

/// What a run took for one vertex and for one arc at one place for all lanes of a block, in the unit of color coding: one
/// arc for one word, about a nanosecond.
const WORK_OF_VERTEX: f64 = 110.0;
const WORK_OF_ARC: f64 = 12.0;

/// How likely a run misses a path of `k` vertices, at most.
fn error_of_run(k: usize) -> f64 {
    (k as f64 / (1u64 << (BITS - 1)) as f64).min(1.0)
}

fn runs_for(k: usize, failure: f64) -> u64 {
    (failure.ln() / error_of_run(k).ln()).ceil().max(1.0) as u64
}

/// What it holds with so many threads.
pub(crate) fn bytes(n: usize, k: usize, threads: usize) -> usize {
    let shared = size_of::<Block>() + 2 * k + 8 + 16;
    let own = 2 * size_of::<Block>() + size_of::<[u64; BITS]>() + 1;
    n.saturating_mul(shared + threads * own)
}

/// The work of all runs if none finds a path, in looks at one arc for one word.
pub(crate) fn work(n: usize, arcs: usize, k: usize, failure: f64) -> f64 {
    let blocks = (1u64 << k.saturating_sub(LANE_LABELS)) as f64;
    let of_place = WORK_OF_VERTEX * n as f64 + WORK_OF_ARC * arcs as f64;
    runs_for(k, failure) as f64 * blocks * k as f64 * of_place
}

/// Looks for any path of `k` vertices, missed with probability `failure` at most.
pub(crate) fn any(walks: &Walks<'_>, failure: f64, budget: &Budget) -> (Found, Cost) {
    let (n, k) = (walks.vertex_count(), walks.k);
    let fitting = (1..=budget.threads.max(1)).rev().find(|&threads| bytes(n, k, threads) <= budget.memory);
    let mut spent = Cost::default();
    let nothing = |missed| Found { best: None, missed };
    let Some(threads) = fitting else {
        spent.stop = Some(Stop::MemoryLimit);
        return (nothing(Missed::With(1.0)), spent);
    };
    spent.peak_bytes = bytes(n, k, threads);
    let mut sieve = Sieve { walks, budget, threads, run: 0, spent };

    let last = sieve.end_of_a_path(failure);
    let Ok(Some(last)) = last else {
        let missed = error_of_run(k).powi(i32::try_from(sieve.spent.trials).unwrap_or(i32::MAX));
        sieve.spent.stop = last.err();
        return (nothing(Missed::With(missed)), sieve.spent);
    };
    match sieve.path_to(last) {
        Ok(path) => {
            let value = walks.value(&path);
            (Found { best: Some((path, value)), missed: Missed::Nothing }, sieve.spent)
        }
        Err(stop) => {
            sieve.spent.stop = Some(stop);
            (nothing(Missed::With(1.0)), sieve.spent)
        }
    }
}

/// The limits are looked at once in so many vertices of a place.
const VERTICES_PER_CLOCK: usize = 1 << 10;

struct Sieve<'a> {
    walks: &'a Walks<'a>,
    budget: &'a Budget,
    threads: usize,
    /// How many runs were begun, whatever for.
    run: u64,
    spent: Cost,
}

/// The variables of a run at their random values.
struct Point {
    k: usize,
    /// `r(v, i)` at `v * k + i` and `z(v, j)` at `v * k + j`.
    r: Vec<u8>,
    z: Vec<u8>,
    /// For every vertex the sums of `z` over the labels of each lane.
    low: Vec<Block>,
}

impl Sieve<'_> {
    /// A vertex that ends a path of `k` vertices, for certain; none if as many runs as the failure probability takes see none.
    fn end_of_a_path(&mut self, failure: f64) -> Result<Option<u32>, Stop> {
        let Walks { k, graph, .. } = self.walks;
        let (first, last) = (|vertex| self.walks.may_be_first(vertex), |vertex| self.walks.may_be_last(vertex));
        let places = places(graph, *k, &|_| true, &first, &last, self.budget)?;
        let mut found = None;
        while found.is_none() && self.spent.trials < runs_for(*k, failure) {
            found = self.last_vertex(&places, *k)?;
        }
        Ok(found)
    }

    /// A path of `k` vertices to where one ends.
    fn path_to(&mut self, last: u32) -> Result<Vec<u32>, Stop> {
        let Walks { k, graph, .. } = self.walks;
        let mut path = vec![last];
        let mut taken = FixedBitSet::with_capacity(graph.vertex_count());
        while path.len() < *k {
            let left = k - path.len();
            let on = path[path.len() - 1];
            taken.insert(on as usize);
            let leads_on = set_of(graph.vertex_count(), graph.in_arcs(on).iter().map(|arc| &arc.target));
            let (first, last) = (|vertex| self.walks.may_be_first(vertex), |vertex| leads_on[vertex as usize]);
            let places = places(graph, left, &|vertex| !taken[vertex as usize], &first, &last, self.budget)?;
            // There is one for certain, so this ends, soon.
            path.push(loop {
                if let Some(vertex) = self.last_vertex(&places, left)? {
                    break vertex;
                }
            });
        }
        path.reverse();
        Ok(path)
    }

    /// A vertex that ends a path of `k` vertices with these places, for certain; none if this run sees none.
    fn last_vertex(&mut self, places: &[u64], k: usize) -> Result<Option<u32>, Stop> {
        let n = self.walks.vertex_count();
        let mut active = (0..n as u32).filter(|&vertex| places[vertex as usize] >> (k - 1) & 1 == 1);
        if k == 1 {
            // A path of one vertex: that is what its place says.
            return Ok(active.next());
        }
        let mut rng = Pcg64Mcg::new(u128::from(self.budget.seed) << 64 | u128::from(self.run));
        let mut rng = Pcg64Mcg::from_rng(&mut rng);
        self.run += 1;
        let mut draw = || {
            let mut values = vec![0; n * k];
            rng.fill_bytes(&mut values);
            values
        };
        let (r, z) = (draw(), draw());
        let mut low = Vec::with_capacity(n);
        for (vertex, z) in z.chunks_exact(k).enumerate() {
            if vertex % VERTICES_PER_CLOCK == 0
                && let Some(stop) = self.budget.spent()
            {
                return Err(stop);
            }
            low.push(Block::subset_sums(&z[..k.min(LANE_LABELS)]));
        }
        let point = Point { k, r, z, low };

        let next = AtomicU64::new(0);
        let over = AtomicBool::new(false);
        let work = || self.evaluate(&point, places, &next, &over);
        let lanes: Vec<Lane> = if self.threads == 1 || k <= LANE_LABELS {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
                let mut lanes = vec![work()];
                lanes.extend(others.into_iter().map(|other| other.join().expect("a run does not panic")));
                lanes
            })
        };
        self.spent.steps += lanes.iter().map(|lane| lane.multiplications).sum::<u64>();
        if let Some(stop) = lanes.iter().find_map(|lane| lane.stop) {
            return Err(stop);
        }
        if k == self.walks.k {
            self.spent.trials += 1;
        }
        Ok(active.find(|&vertex| {
            let sums = (0..BITS).map(|bit| lanes.iter().fold(0, |sum, lane| sum ^ lane.sums[vertex as usize][bit]));
            sums.into_iter().any(|sum| sum.count_ones() % 2 == 1)
        }))
    }

    /// Evaluates the polynomial for sets of high labels, as long as there are any left.
    fn evaluate(&self, point: &Point, places: &[u64], next: &AtomicU64, over: &AtomicBool) -> Lane {
        let (n, k) = (self.walks.vertex_count(), point.k);
        let graph = &self.walks.graph;
        let high_labels = k.saturating_sub(LANE_LABELS);
        let mut lane = Lane { sums: vec![[0; BITS]; n], multiplications: 0, stop: None };
        let mut high = vec![0u8; n];
        let mut before = vec![Block::ZERO; n];
        let mut here = vec![Block::ZERO; n];
        while !over.load(Ordering::Relaxed) {
            let set = next.fetch_add(1, Ordering::Relaxed);
            if set >> high_labels != 0 {
                break;
            }
            for (sum, z) in high.iter_mut().zip(point.z.chunks_exact(k)) {
                let in_set = z[k - high_labels..].iter().enumerate().filter(|(label, _)| set >> label & 1 == 1);
                *sum = in_set.fold(0, |sum, (_, z)| sum ^ z);
            }
            for place in 0..k {
                let mut count = 0;
                for (vertex, slot) in here.iter_mut().enumerate() {
                    if vertex % VERTICES_PER_CLOCK == 0 {
                        lane.stop = self.budget.spent();
                        if lane.stop.is_some() {
                            over.store(true, Ordering::Relaxed);
                            return lane;
                        }
                    }
                    if places[vertex] >> place & 1 == 0 {
                        *slot = Block::ZERO;
                        continue;
                    }
                    let x = point.low[vertex].plus(high[vertex]);
                    let r = point.r[vertex * k + place];
                    if place == 0 {
                        *slot = x.scaled(r);
                        count += 1;
                        continue;
                    }
                    let mut sum = Block::ZERO;
                    for arc in graph.in_arcs(vertex as u32) {
                        sum.add(&before[arc.target as usize]);
                    }
                    *slot = sum.scaled(r).times(&x);
                    count += 2;
                }
                lane.multiplications += count * LANES as u64;
                std::mem::swap(&mut before, &mut here);
            }
            for (sums, block) in lane.sums.iter_mut().zip(&before) {
                for (sum, word) in sums.iter_mut().zip(block.folded(1 << k.min(LANE_LABELS))) {
                    *sum ^= word;
                }
            }
        }
        lane
    }
}

/// What one thread brings back.
struct Lane {
    /// For every last vertex the sum over the sets it did: its bits are the parities of these words.
    sums: Vec<[u64; BITS]>,
    multiplications: u64,
    stop: Option<Stop>,
}

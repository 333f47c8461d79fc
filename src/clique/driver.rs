//! From a graph to its heaviest clique: what is cheap first, then branch and bound on what is left.
//!
//! 1. A greedy colouring against the degeneracy order bounds the answer; greedy cliques in the tightest parts begin it.
//! 2. A vertex that with all its neighbours weighs no more than the incumbent is in no better clique; such go, one after
//!    another (for unit weights the vertices of small core number).
//! 3. What is left is searched as one graph of bit rows where it is small or dense. Otherwise every clique has a vertex that
//!    comes first in a degeneracy order, and the rest of it among the later neighbours of that: as many small graphs as
//!    vertices, none larger than the degeneracy.
//!
//! Sources: David Eppstein, Darren Strash, *Listing all maximal cliques in large sparse real-world graphs*, SEA 2011, DOI
//! 10.1007/978-3-642-20662-7_31 (neighbourhoods in degeneracy order); Pablo San Segundo, Alvaro Lopez, Panos M. Pardalos, *A
//! new exact maximum clique algorithm for large and massive sparse graphs*, Computers & Operations Research 66, 2016, DOI
//! 10.1016/j.cor.2015.07.013.

use std::sync::atomic::{AtomicUsize, Ordering};

use fixedbitset::FixedBitSet;

use super::adjacency::{Adjacency, Degeneracy};
use super::bits;
use super::bounding::Bounding;
use super::dense::Dense;
use super::local_search;
use super::tree::{Node, Pool, Search, Shared};
use crate::sets::set_of;
use crate::solution::Stop;

/// What a search found, in vertices.
pub(super) struct Found {
    /// The best clique; empty if there is none above the floor.
    pub(super) clique: Vec<u32>,
    /// No clique weighs more than this or the floor, whichever is greater.
    pub(super) upper: i64,
    pub(super) peak_bytes: usize,
    pub(super) decisions: Vec<String>,
}

/// A graph to search, with its weights: all positive; empty for ones.
pub(super) struct Question<'a> {
    pub(super) graph: &'a Adjacency,
    pub(super) degeneracy: &'a Degeneracy,
    pub(super) weights: &'a [i64],
    pub(super) threads: usize,
    pub(super) memory: usize,
    pub(super) seed: u64,
    /// Proved before: no clique weighs more.
    pub(super) upper: i64,
}

impl Question<'_> {
    pub(super) fn weight(&self, vertex: u32) -> i64 {
        self.weights.get(vertex as usize).copied().unwrap_or(1)
    }
}

/// Searches for a clique heavier than the best of `shared`; `heard` is told the upper bound whenever there is news or time.
pub(super) fn search(question: &Question<'_>, shared: &Shared, heard: &mut dyn FnMut(i64)) -> Found {
    let mut found = Found { clique: Vec::new(), upper: question.upper, peak_bytes: 0, decisions: Vec::new() };
    greedy_cliques(question, shared);
    heard(found.upper);
    let kept = reduce(question, shared);
    found.decisions.push(format!(
        "of {} nodes {} are left after a greedy clique of weight {}",
        question.graph.len(),
        kept.len(),
        shared.best()
    ));
    if !shared.spent() && !kept.is_empty() && found.upper > shared.best() {
        let graph = question.graph.induced(&kept);
        let weights: Vec<i64> = match question.weights {
            [] => Vec::new(),
            weights => kept.iter().map(|&vertex| weights[vertex as usize]).collect(),
        };
        let rest = Rest { question, graph, weights, kept };
        if rest.is_dense() {
            rest.search_whole(shared, &mut found, heard)
        } else {
            rest.search_parts(shared, &mut found, heard)
        }
    } else if !shared.is_stopped() {
        found.upper = found.upper.min(shared.best());
    }
    found.clique = shared.clique();
    found
}

/// Greedy cliques that begin at the most tightly held vertices.
fn greedy_cliques(question: &Question<'_>, shared: &Shared) {
    const STARTS: usize = 64;
    let (graph, degeneracy) = (question.graph, question.degeneracy);
    let mut mark = FixedBitSet::with_capacity(graph.len());
    let mut in_vain = 0;
    for &start in degeneracy.order.iter().rev() {
        if in_vain == STARTS || shared.spent() {
            return;
        }
        let mut candidates: Vec<u32> = graph.neighbours(start).to_vec();
        let mut weight = question.weight(start);
        let mut clique = vec![start];
        candidates.sort_unstable_by_key(|&vertex| {
            std::cmp::Reverse((question.weight(vertex), degeneracy.core[vertex as usize], graph.degree(vertex)))
        });
        while let Some(&vertex) = candidates.first() {
            clique.push(vertex);
            weight += question.weight(vertex);
            graph.neighbours(vertex).iter().for_each(|&other| mark.insert(other as usize));
            candidates.retain(|&other| mark[other as usize]);
            graph.neighbours(vertex).iter().for_each(|&other| mark.remove(other as usize));
        }
        in_vain += 1;
        if weight > shared.best() {
            shared.offer(weight, || clique);
            in_vain = 0;
        }
    }
}

/// The vertices that can be in a clique heavier than the best, ascending.
fn reduce(question: &Question<'_>, shared: &Shared) -> Vec<u32> {
    let graph = question.graph;
    let n = graph.len() as u32;
    let best = shared.best();
    let around = |vertex: u32| graph.neighbours(vertex).iter().map(|&other| question.weight(other)).sum::<i64>();
    let mut reach: Vec<i64> = (0..n).map(|vertex| question.weight(vertex) + around(vertex)).collect();
    let mut queue: Vec<u32> = (0..n).filter(|&vertex| reach[vertex as usize] <= best).collect();
    let mut gone = set_of(graph.len(), &queue);
    let mut work = 0;
    while let Some(vertex) = queue.pop() {
        if graph.is_time(&mut work, vertex) && shared.spent() {
            break;
        }
        for &other in graph.neighbours(vertex) {
            if !gone[other as usize] {
                reach[other as usize] -= question.weight(vertex);
                if reach[other as usize] <= best {
                    gone.insert(other as usize);
                    queue.push(other);
                }
            }
        }
    }
    gone.zeroes().map(|vertex| vertex as u32).collect()
}

/// What reduction has left.
struct Rest<'a> {
    question: &'a Question<'a>,
    graph: Adjacency,
    weights: Vec<i64>,
    /// The vertex of the question behind each.
    kept: Vec<u32>,
}

impl Rest<'_> {
    /// Whether one graph of bit rows serves best.
    fn is_dense(&self) -> bool {
        const SMALL: usize = 512;
        const DENSITY: f64 = 0.2;
        let n = self.graph.len();
        let pairs = n as f64 * (n as f64 - 1.0) / 2.0;
        let fits = Dense::bytes(n).saturating_mul(2) <= self.question.memory;
        fits && (n <= SMALL || self.graph.edge_count() as f64 >= DENSITY * pairs)
    }

    /// The bit rows of some vertices, by whose outer names cliques are told.
    fn dense(&self, vertices: &[u32], place: &mut [u32]) -> Dense {
        let mut dense = Dense::induced(&self.graph, &self.weights, vertices, place);
        dense.outer.iter_mut().for_each(|vertex| *vertex = self.kept[*vertex as usize]);
        dense
    }

    fn search_whole(&self, shared: &Shared, found: &mut Found, heard: &mut dyn FnMut(i64)) {
        let all: Vec<u32> = (0..self.graph.len() as u32).collect();
        let dense = self.dense(&all, &mut vec![u32::MAX; all.len()]);
        found.peak_bytes = found.peak_bytes.max(2 * Dense::bytes(dense.len()));
        found.decisions.push(format!("the {} nodes that are left are searched as one graph", dense.len()));
        let mut candidates = vec![0; dense.words];
        bits::fill(&mut candidates, dense.len());
        tighten(&dense, &candidates, shared, &mut found.upper);
        heard(found.upper);
        self.improve(&dense, shared, found.upper, heard);
        if found.upper <= shared.best() || shared.is_stopped() {
            found.upper = found.upper.max(shared.best());
            return;
        }
        let root = Node { clique: Vec::new(), weight: 0, candidates };
        let upper = found.upper;
        if self.question.threads <= 1 {
            Search::new(&dense, shared).run(&root, None, &mut || heard(upper));
        } else {
            let pool = Pool::new(root);
            std::thread::scope(|scope| {
                for _ in 1..self.question.threads {
                    scope.spawn(|| pool.work(&mut Search::new(&dense, shared), &mut || ()));
                }
                pool.work(&mut Search::new(&dense, shared), &mut || heard(upper));
            });
        }
        if !shared.is_stopped() {
            found.upper = shared.best();
        }
    }

    /// Local search, whose effort is a small part of what the tree will take: the more, the further the bound is away.
    fn improve(&self, dense: &Dense, shared: &Shared, upper: i64, heard: &mut dyn FnMut(i64)) {
        const LEAST: u64 = 1000;
        const MOVES_PER_VERTEX: u64 = 40;
        const FAR: i64 = 64;
        let far = if dense.is_unweighted() { ((upper - shared.best()) / FAR).clamp(0, 16) as u64 } else { 0 };
        let moves = LEAST + MOVES_PER_VERTEX * (1 + far * far) * dense.len() as u64;
        local_search::search(dense, shared, self.question.seed, moves, &mut || heard(upper));
    }

    fn search_parts(&self, shared: &Shared, found: &mut Found, heard: &mut dyn FnMut(i64)) {
        const TIGHTEST: usize = 1000;
        let Some(Degeneracy { order, .. }) = self.graph.degeneracy(&mut || shared.spent()) else { return };
        let n = order.len();
        let mut rank = vec![0u32; n];
        order.iter().enumerate().for_each(|(at, &vertex)| rank[vertex as usize] = at as u32);
        let weight = |vertex: u32| self.weights.get(vertex as usize).copied().unwrap_or(1);
        let rank = &rank;
        let later = |vertex: u32| {
            let row = self.graph.neighbours(vertex).iter().copied();
            row.filter(move |&other| rank[other as usize] > rank[vertex as usize])
        };
        // The greatest weight of any part up to each place of the order.
        let mut most = Vec::with_capacity(n);
        let mut greatest = 0;
        for &vertex in &order {
            greatest = greatest.max(weight(vertex) + later(vertex).map(weight).sum::<i64>());
            most.push(greatest);
        }
        found.decisions.push(format!("the {n} nodes that are left are searched by later neighbourhoods"));

        let tight = self.dense(&order[n.saturating_sub(TIGHTEST)..], &mut vec![u32::MAX; n]);
        self.improve(&tight, shared, found.upper, heard);
        drop(tight);

        let next = AtomicUsize::new(n);
        let peak = AtomicUsize::new(0);
        let threads = self.question.threads.max(1);
        // The place each thread is at; `n` while it has none.
        let places: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
        let bound = || {
            let deepest = places.iter().map(|place| place.load(Ordering::Relaxed)).max().unwrap_or(0);
            let upto = deepest.max(next.load(Ordering::Relaxed));
            upto.checked_sub(1).map_or(0, |last| most[last])
        };
        let work = |thread: usize, heard: &mut dyn FnMut()| {
            let _ends = shared.end_on_panic();
            let mut place = vec![u32::MAX; n];
            let mut vertices = Vec::new();
            while let Ok(before) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_sub(1)) {
                // All places below `before` are still to be done, and this one.
                places[thread].store(before, Ordering::Relaxed);
                let vertex = order[before - 1];
                vertices.clear();
                vertices.extend(later(vertex));
                let own = weight(vertex);
                if own + vertices.iter().map(|&other| weight(other)).sum::<i64>() > shared.best() {
                    let bytes = Dense::bytes(vertices.len()).saturating_mul(2 * threads);
                    peak.fetch_max(bytes, Ordering::Relaxed);
                    if bytes > self.question.memory {
                        shared.end(Stop::MemoryLimit);
                        return;
                    }
                    let dense = self.dense(&vertices, &mut place);
                    let mut candidates = vec![0; dense.words];
                    bits::fill(&mut candidates, dense.len());
                    let node = Node { clique: vec![self.kept[vertex as usize]], weight: own, candidates };
                    Search::new(&dense, shared).run(&node, None, heard);
                }
                heard();
                if shared.is_stopped() || shared.spent() {
                    return;
                }
                places[thread].store(0, Ordering::Relaxed);
            }
        };
        let upper = found.upper;
        let work = &work;
        std::thread::scope(|scope| {
            for thread in 1..threads {
                scope.spawn(move || work(thread, &mut || ()));
            }
            work(0, &mut || heard(upper.min(bound().max(shared.best()))));
        });
        found.peak_bytes = found.peak_bytes.max(peak.into_inner());
        found.upper = if shared.is_stopped() { upper.min(bound().max(shared.best())) } else { shared.best() };
    }
}

/// Lowers the bound while nothing need be branched on, by greater and greater steps and then by smaller and smaller ones.
fn tighten(dense: &Dense, candidates: &[u64], shared: &Shared, upper: &mut i64) {
    let mut bounding = Bounding::new(dense);
    let mut branching = Vec::new();
    let (mut step, mut grows) = (1, true);
    while *upper > shared.best() && step > 0 {
        let aim = (*upper - step).max(shared.best());
        branching.clear();
        bounding.branching(dense, candidates, aim, &mut branching, &mut |_| shared.spent());
        if shared.is_stopped() {
            return;
        }
        if branching.is_empty() {
            *upper = aim;
        } else {
            grows = false;
        }
        step = if grows { step * 2 } else { step / 2 };
    }
}

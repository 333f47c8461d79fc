//! Series and parallel: chains of vertices of degree two become single edges, and of parallel edges only the heaviest may be
//! used from end to end; which makes new chains, and so on.
//!
//! Two parallel edges used in full are a cycle, so a path uses one of them at most, and the heavier one is never worse;
//! unless a path may also end inside the heavier one, which is why that one must have no ends in it. A cycle made of two
//! parallel edges, or of one loop, is compared on the spot.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use super::fold::Fold;
use crate::decompose::chains::{Chain, Walk};
use crate::instance::Ends;
use crate::view::Arc;

/// A chain between two vertices of the instance, which may still become part of a longer one.
pub(super) struct Rough {
    pub(super) a: u32,
    pub(super) b: u32,
    /// From `a` to `b`.
    pub(super) interior: Vec<u32>,
    pub(super) length: i64,
    /// Whether it may be used from end to end.
    pub(super) full: bool,
    /// Whether a path may end in its interior.
    pub(super) has_ends: bool,
    gone: bool,
}

impl Rough {
    fn other(&self, vertex: u32) -> u32 {
        if self.a == vertex { self.b } else { self.a }
    }

    /// The interior as met when leaving from `vertex`.
    fn interior_from(&self, vertex: u32) -> Box<dyn Iterator<Item = u32> + '_> {
        if self.a == vertex {
            Box::new(self.interior.iter().copied())
        } else {
            Box::new(self.interior.iter().rev().copied())
        }
    }
}

/// All chains that are left; cycles that are not are compared with `excluded`.
pub(super) fn contract(fold: &Fold<'_>, pinned: &[u32], excluded: &mut Option<(Vec<u32>, i64)>) -> Vec<Rough> {
    let n = fold.alive.len();
    let mut contraction = Contraction {
        fold,
        excluded,
        is_pinned: FixedBitSet::with_capacity(n),
        chains: Vec::new(),
        incident: vec![SmallVec::new(); n],
    };
    for &vertex in pinned {
        contraction.is_pinned.insert(vertex as usize);
    }
    contraction.walk_all();
    let mut queued = FixedBitSet::with_capacity(n);
    queued.extend((0..n).filter(|&vertex| !contraction.incident[vertex].is_empty()));
    let mut queue: Vec<u32> = (0..n as u32).filter(|&vertex| queued[vertex as usize]).collect();
    while let Some(vertex) = queue.pop() {
        queued.remove(vertex as usize);
        for touched in contraction.simplify(vertex) {
            if !queued.put(touched as usize) {
                queue.push(touched);
            }
        }
    }
    let mut chains = contraction.chains;
    chains.retain(|chain| !chain.gone);
    chains
}

struct Contraction<'f, 'a, 's> {
    fold: &'f Fold<'a>,
    excluded: &'s mut Option<(Vec<u32>, i64)>,
    is_pinned: FixedBitSet,
    chains: Vec<Rough>,
    /// The chains at each vertex of the instance, some of them gone; loops twice.
    incident: Vec<SmallVec<[u32; 4]>>,
}

impl Contraction<'_, '_, '_> {
    /// Finds all chains of vertices of degree two, in linear time.
    fn walk_all(&mut self) {
        let graph = &self.fold.instance.graph;
        let alive = &self.fold.alive;
        let mut is_inside = FixedBitSet::with_capacity(alive.len());
        is_inside.extend(alive.ones().filter(|&vertex| !self.branches(vertex as u32)));
        let chains = Walk {
            vertices: alive.len(),
            edges: graph.edge_count(),
            arcs: |vertex: u32| {
                let arcs = if alive[vertex as usize] { graph.out_arcs(vertex) } else { &[] };
                arcs.iter().filter(|arc| alive[arc.target as usize]).map(|arc| (arc.edge, arc.target))
            },
            is_inside: |vertex| is_inside[vertex as usize],
            goes_on: |_, _| true,
        }
        .chains();
        for Chain { ends: [a, b], inside, edges } in chains.between.into_iter().chain(chains.rings) {
            let length = edges.iter().map(|&edge| graph.weight(edge)).sum();
            self.add(a, b, inside, length);
        }
    }

    /// Whether a vertex is pinned or has other than two neighbours (one arc in and one out, elsewhere).
    fn branches(&self, vertex: u32) -> bool {
        let (out, into) = (self.fold.degrees[0][vertex as usize], self.fold.degrees[1][vertex as usize]);
        if self.is_pinned[vertex as usize] {
            return true;
        }
        if !self.fold.directed() {
            return out != 2;
        }
        let graph = &self.fold.instance.graph;
        let next = |arcs: &[Arc]| arcs.iter().map(|arc| arc.target).find(|&target| self.fold.alive[target as usize]);
        out != 1 || into != 1 || next(graph.out_arcs(vertex)) == next(graph.in_arcs(vertex))
    }

    fn add(&mut self, a: u32, b: u32, interior: Vec<u32>, length: i64) {
        let has_ends = interior.iter().any(|&vertex| self.fold.may_end(vertex));
        let id = self.chains.len() as u32;
        self.incident[a as usize].push(id);
        self.incident[b as usize].push(id);
        self.chains.push(Rough { a, b, interior, length, full: a != b, has_ends, gone: a == b && !has_ends });
        if a == b {
            self.compare_loop(id as usize);
        }
    }

    /// Takes from a chain that it may be used from end to end, which may leave nothing of it.
    fn restrict(&mut self, id: usize) {
        self.chains[id].full = false;
        self.chains[id].gone = !self.chains[id].has_ends;
    }

    /// Removes what is useless around a vertex, and the vertex itself if it lies between two chains. Returns the vertices
    /// at which something changed.
    fn simplify(&mut self, vertex: u32) -> Vec<u32> {
        let mut touched = Vec::new();
        let mut around = std::mem::take(&mut self.incident[vertex as usize]);
        let place = |chain: &Rough| (chain.other(vertex), self.fold.directed() && chain.a == vertex);
        around.retain(|id| !self.chains[*id as usize].gone);
        around.sort_by_key(|&id| {
            let chain = &self.chains[id as usize];
            (place(chain), !chain.full, chain.has_ends, Reverse(chain.length), id)
        });
        around.dedup();
        // The first of parallel chains is the heaviest of those without ends in them.
        let mut best: Option<usize> = None;
        for &id in &around {
            let id = id as usize;
            if !self.chains[id].full {
                continue;
            }
            match best.filter(|&best| place(&self.chains[best]) == place(&self.chains[id])) {
                None => best = Some(id),
                Some(best) => {
                    self.compare_pair(best, id);
                    if !self.chains[best].has_ends && self.chains[best].length >= self.chains[id].length {
                        self.restrict(id);
                        touched.push(self.chains[id].other(vertex));
                    }
                }
            }
        }
        around.retain(|id| !self.chains[*id as usize].gone);
        self.incident[vertex as usize] = around;
        touched.extend(self.splice(vertex));
        touched
    }

    /// Joins the two chains at a vertex that has no others, or drops the one at a vertex where nothing ends.
    fn splice(&mut self, vertex: u32) -> Vec<u32> {
        let around = &self.incident[vertex as usize];
        let chain = |id: u32| &self.chains[id as usize];
        match around[..] {
            [only] if !self.is_pinned[vertex as usize] && !self.fold.may_end(vertex) && !chain(only).has_ends => {
                let other = chain(only).other(vertex);
                self.chains[only as usize].gone = true;
                vec![other]
            }
            [one, two] if !self.is_pinned[vertex as usize] && chain(one).full && chain(two).full => {
                let (into, out) = if !self.fold.directed() || chain(one).b == vertex { (one, two) } else { (two, one) };
                if self.fold.directed() && (chain(into).b != vertex || chain(out).a != vertex) {
                    return Vec::new();
                }
                let (a, b) = (chain(into).other(vertex), chain(out).other(vertex));
                let interior = chain(into).interior_from(a).chain([vertex]).chain(chain(out).interior_from(vertex));
                let interior = interior.collect();
                let length = chain(into).length + chain(out).length;
                self.chains[into as usize].gone = true;
                self.chains[out as usize].gone = true;
                self.add(a, b, interior, length);
                vec![a, b]
            }
            _ => Vec::new(),
        }
    }

    /// Compares the cycle that a loop makes.
    fn compare_loop(&mut self, id: usize) {
        let chain = &self.chains[id];
        let cycle = std::iter::once(chain.a).chain(chain.interior.iter().copied()).collect();
        self.compare(cycle, chain.length, &[chain.a]);
    }

    /// Compares the cycle that two parallel edges make.
    fn compare_pair(&mut self, one: usize, two: usize) {
        if !self.fold.directed() && matches!(self.fold.instance.ends, Ends::Closed { .. }) {
            let (one, two) = (&self.chains[one], &self.chains[two]);
            let forth = std::iter::once(one.a).chain(one.interior.iter().copied());
            let back = std::iter::once(one.b).chain(two.interior_from(one.b));
            let cycle = forth.chain(back).collect();
            self.compare(cycle, one.length + two.length, &[one.a, one.b]);
        }
    }

    fn compare(&mut self, cycle: Vec<u32>, length: i64, on_it: &[u32]) {
        if let Ends::Closed { through } = self.fold.instance.ends
            && through.is_none_or(|vertex| on_it.contains(&vertex))
            && self.excluded.as_ref().is_none_or(|(_, best)| length > *best)
        {
            *self.excluded = Some((cycle, length));
        }
    }
}

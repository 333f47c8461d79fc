//! Where in a path of `k` vertices each vertex could stand: what the searches for such a path begin with.
//!
//! A path is a walk, and walks are easily counted out: one sweep an arc tells for every vertex how many arcs a walk from a
//! first vertex may have taken to get there, and another how many more a walk to a last vertex may take. A vertex is
//! at its `i`-th *place* only if both agree; one without any place is on no path of `k` vertices, and neither is one whose
//! component has fewer than `k` vertices with a place. All that is removed is proved not to matter, so if nothing is left
//! there is no such path.

mod walk_bounds;

use std::borrow::Cow;

use crate::instance::{Budget, Ends, Instance, NOT_AN_END};
use crate::sets::{reached_from, set_where};
use crate::solution::Stop;
use crate::view::CsrGraph;

pub(crate) use walk_bounds::WalkBounds;

/// What is left of an instance when paths of `k` vertices are asked for.
pub(crate) struct Walks<'a> {
    pub(crate) k: usize,
    pub(crate) graph: Cow<'a, CsrGraph>,
    /// As in [`Ends::Open`].
    pub(crate) first: Cow<'a, [i64]>,
    pub(crate) last: Cow<'a, [i64]>,
    /// Bit `i` is set where the vertex may be the one at place `i`, from 0. Only where `k` is at most
    /// [`MOST_PLACES`]; else empty.
    pub(crate) places: Vec<u64>,
    /// The vertices of the instance behind those of the graph, where they differ.
    vertices: Option<Vec<u32>>,
}

/// Beyond so many places, walks are not told apart.
pub(crate) const MOST_PLACES: usize = 63;

/// What is found of the paths of `k` vertices.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The best path with its value.
    pub(crate) best: Option<(Vec<u32>, i64)>,
    /// If there is a better path (any path, where none was found), it was missed with at most this probability.
    pub(crate) missed: Missed,
}

/// How sure it is that no better path was missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Missed {
    /// It is proved.
    Nothing,
    /// A better path, if there is one, was missed with this probability at most.
    With(f64),
}

/// What a search for paths of `k` vertices cost, beside what it found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Why it stopped early.
    pub(crate) stop: Option<Stop>,
    pub(crate) steps: u64,
    pub(crate) peak_bytes: usize,
    /// How many colourings, or random points, were tried to the end.
    pub(crate) trials: u64,
    /// How many labels color coding used.
    pub(crate) labels: usize,
}

impl Missed {
    /// Both searches, independent of each other, missed it.
    pub(crate) fn and(self, other: Missed) -> Missed {
        match (self, other) {
            (Missed::With(one), Missed::With(other)) => Missed::With(one * other),
            _ => Missed::Nothing,
        }
    }
}

impl<'a> Walks<'a> {
    /// The part of an open instance that paths of `k` vertices can use; `None` if there is no such path, proved. `k` is 1 or
    /// more.
    ///
    /// `O(k (n + m))`.
    ///
    /// # Panics
    /// If the instance is closed.
    pub(crate) fn new(instance: &'a Instance, k: usize, budget: &Budget) -> Result<Option<Self>, Stop> {
        let Ends::Open { first, last, single_vertex } = &instance.ends else { panic!("a cycle has no places") };
        let graph = &instance.graph;
        let n = graph.vertex_count();
        if k > n || (k == 1 && !single_vertex) {
            return Ok(None);
        }
        let is = |prizes: &'a [i64]| move |vertex: u32| prizes[vertex as usize] != NOT_AN_END;
        let mut places =
            if k <= MOST_PLACES { places(graph, k, &|_| true, &is(first), &is(last), budget)? } else { vec![1; n] };
        drop_small_components(graph, k, &mut places, budget)?;
        let kept: Vec<u32> = (0..n as u32).filter(|&vertex| places[vertex as usize] != 0).collect();
        if kept.len() < k {
            return Ok(None);
        }
        let nobody = |prizes: &[i64]| kept.iter().all(|&vertex| prizes[vertex as usize] == NOT_AN_END);
        if nobody(first) || nobody(last) {
            return Ok(None);
        }
        if k > MOST_PLACES {
            places.clear();
        }
        if kept.len() == n {
            let (first, last) = (Cow::Borrowed(&first[..]), Cow::Borrowed(&last[..]));
            return Ok(Some(Walks { k, graph: Cow::Borrowed(graph), first, last, places, vertices: None }));
        }
        let pick = |prizes: &[i64]| kept.iter().map(|&vertex| prizes[vertex as usize]).collect();
        Ok(Some(Walks {
            k,
            graph: Cow::Owned(graph.induced(&kept, &mut vec![u32::MAX; n]).0),
            first: Cow::Owned(pick(first)),
            last: Cow::Owned(pick(last)),
            places: if places.is_empty() {
                places
            } else {
                kept.iter().map(|&vertex| places[vertex as usize]).collect()
            },
            vertices: Some(kept),
        }))
    }

    pub(crate) fn vertex_count(&self) -> usize {
        self.graph.vertex_count()
    }

    /// How many arcs a sweep over all rows looks at.
    pub(crate) fn arc_count(&self) -> usize {
        self.graph.edge_count() * if self.graph.is_directed() { 1 } else { 2 }
    }

    pub(crate) fn may_be_first(&self, vertex: u32) -> bool {
        self.first[vertex as usize] != NOT_AN_END
    }

    pub(crate) fn may_be_last(&self, vertex: u32) -> bool {
        self.last[vertex as usize] != NOT_AN_END
    }

    /// Whether the vertex may be the one at this place, from 0.
    pub(crate) fn may_stand(&self, vertex: u32, place: usize) -> bool {
        if place + 1 == self.k && !self.may_be_last(vertex) {
            return false;
        }
        self.places.is_empty() || self.places[vertex as usize] >> place & 1 == 1
    }

    /// The value of a path of `k` vertices.
    pub(crate) fn value(&self, path: &[u32]) -> i64 {
        self.graph.length_along(path) + self.first[path[0] as usize] + self.last[path[path.len() - 1] as usize]
    }

    /// The same path in the vertices of the instance.
    pub(crate) fn lift(&self, mut path: Vec<u32>) -> Vec<u32> {
        if let Some(vertices) = &self.vertices {
            path.iter_mut().for_each(|vertex| *vertex = vertices[*vertex as usize]);
        }
        path
    }
}

/// The places of every vertex in walks of `k` vertices over the vertices that are `alive`.
pub(crate) fn places(
    graph: &CsrGraph,
    k: usize,
    alive: &dyn Fn(u32) -> bool,
    first: &dyn Fn(u32) -> bool,
    last: &dyn Fn(u32) -> bool,
    budget: &Budget,
) -> Result<Vec<u64>, Stop> {
    assert!((1..=MOST_PLACES).contains(&k), "{k} places");
    let mut arrived = vec![0; graph.vertex_count()];
    spread(graph, k, alive, first, false, budget, &mut arrived)?;
    let mut left = vec![0; graph.vertex_count()];
    spread(graph, k, alive, last, true, budget, &mut left)?;
    // A walk of k vertices that is at place i has k - 1 - i arcs before it.
    let both = arrived.iter().zip(&left);
    Ok(both.map(|(arrived, left): (&u64, &u64)| arrived & left.reverse_bits() >> (64 - k)).collect())
}

/// Sets bit `i` of every vertex that a walk of `i` arcs from a vertex of `from` leads to, for `i < k`.
fn spread(
    graph: &CsrGraph,
    k: usize,
    alive: &dyn Fn(u32) -> bool,
    from: &dyn Fn(u32) -> bool,
    backwards: bool,
    budget: &Budget,
    steps: &mut [u64],
) -> Result<(), Stop> {
    let within = (1 << k) - 1;
    let n = graph.vertex_count() as u32;
    for vertex in 0..n {
        steps[vertex as usize] = u64::from(alive(vertex) && from(vertex));
    }
    // In place, so a sweep may carry a walk on by many arcs; after k - 1 sweeps nothing new can come.
    for _ in 1..k {
        let mut changed = false;
        for vertex in (0..n).filter(|&vertex| alive(vertex)) {
            look_each(vertex as usize, budget)?;
            let known = steps[vertex as usize];
            let row = if backwards { graph.out_arcs(vertex) } else { graph.in_arcs(vertex) };
            let mut sum = 0;
            for arc in row {
                sum |= steps[arc.target as usize];
                if sum << 1 & within == within - 1 {
                    break;
                }
            }
            let new = known | sum << 1 & within;
            changed |= new != known;
            steps[vertex as usize] = new;
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Takes all places from vertices in components that have fewer than `k` vertices with a place.
fn drop_small_components(graph: &CsrGraph, k: usize, places: &mut [u64], budget: &Budget) -> Result<(), Stop> {
    let mut seen = set_where(places.len(), |&vertex| places[vertex] == 0);
    for root in 0..places.len() as u32 {
        look_each(root as usize, budget)?;
        if seen[root as usize] {
            continue;
        }
        let component = reached_from(vec![root], &mut seen, |vertex| {
            let back: &[_] = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
            graph.out_arcs(vertex).iter().chain(back).map(|arc| arc.target)
        });
        if component.len() < k {
            component.iter().for_each(|&vertex| places[vertex as usize] = 0);
        }
    }
    Ok(())
}

/// Looks at the limits once in some thousand vertices: a small graph has its places however little time there is.
fn look_each(vertex: usize, budget: &Budget) -> Result<(), Stop> {
    const VERTICES_PER_LOOK: usize = 1 << 13;
    if vertex > 0 && vertex.is_multiple_of(VERTICES_PER_LOOK) { budget.spent().map_or(Ok(()), Err) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Edge;

    fn graph(n: usize, directed: bool, pairs: &[(u32, u32)]) -> CsrGraph {
        let edges = pairs.iter().map(|&(source, target)| Edge { source, target, weight: 1 }).collect();
        CsrGraph::from_simple(n, directed, edges)
    }

    #[test]
    fn places_between_two_ends() {
        // 0 → 1 → 2 → 3 with a short cut 0 → 2, and 4 beside the way.
        let graph = graph(5, true, &[(0, 1), (1, 2), (2, 3), (0, 2), (4, 3)]);
        let unlimited = Budget::unlimited();
        let places =
            |k: usize, alive: &dyn Fn(u32) -> bool, first: &dyn Fn(u32) -> bool, last: &dyn Fn(u32) -> bool| {
                places(&graph, k, alive, first, last, &unlimited).unwrap()
            };
        let found = places(4, &|_| true, &|vertex| vertex == 0, &|vertex| vertex == 3);
        assert_eq!(found, [0b0001, 0b0010, 0b0100, 0b1000, 0]);
        let found = places(3, &|_| true, &|_| true, &|_| true);
        assert_eq!(found, [0b001, 0b011, 0b110, 0b100, 0]);
        let found = places(3, &|vertex| vertex != 1, &|_| true, &|_| true);
        assert_eq!(found, [0b001, 0, 0b010, 0b100, 0]);
    }

    #[test]
    fn small_components_go() {
        let instance = Instance::free(graph(7, false, &[(0, 1), (1, 2), (3, 4), (4, 5), (5, 6)]));
        let walks_of = |k| Walks::new(&instance, k, &Budget::unlimited()).unwrap();
        let walks = walks_of(4).unwrap();
        assert_eq!(walks.vertex_count(), 4);
        assert_eq!(walks.lift(vec![0, 1, 2, 3]), [3, 4, 5, 6]);
        assert!(walks_of(5).is_none());
        assert_eq!(walks_of(1).unwrap().vertex_count(), 7);
    }
}

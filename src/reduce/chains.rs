//! Degree-2 chains: long runs without a choice become single edges, or a few.
//!
//! A *run* is a maximal chain of degree-2 vertices of one kind between two other vertices `a` and `b`:
//!
//! - *silent* ones, where no path may end (both ends are fixed elsewhere, or a cycle is asked for). A path uses all of
//!   such a run or nothing of it, so the run becomes one edge of the same length. Of several connections between the same
//!   two vertices a path uses at most one: the best survives. A cycle may use two, so there a run beside another
//!   connection keeps one inner vertex. A run from a vertex back to itself is of no use to a path and goes.
//! - *open* ones, where a path may end for no prize and every edge weighs at least 0. A path that ends inside a run
//!   goes as far as it can: up to the last vertex, or, if its other end lies in the same run, up to the lightest inner
//!   edge, which alone is left out. So the first and the last vertex and both ends of a lightest inner edge stay, and
//!   the edges between them are merged.
//!
//! Contracting may make new runs, so the step is repeated until it finds little. Undirected graphs only; digraphs have
//! [chains of their own](super::directed_chains).

use fixedbitset::FixedBitSet;
use hashbrown::{HashMap, HashSet};
use smallvec::{SmallVec, smallvec};

use crate::decompose::chains::{Chain, Walk};
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::view::{CsrGraph, Edge};

/// An instance without its long runs, and the way back.
#[derive(Debug)]
pub(crate) struct Shortened {
    pub(crate) instance: Instance,
    rounds: Vec<Round>,
}

impl Shortened {
    /// The path of the original instance behind a path of [`instance`](Self::instance).
    pub(crate) fn lift(&self, path: &[u32]) -> Vec<u32> {
        let closed = matches!(self.instance.ends, Ends::Closed { .. });
        self.rounds.iter().rev().fold(path.to_vec(), |path, round| round.lift(&path, closed))
    }
}

/// One pass over an instance.
#[derive(Debug)]
struct Round {
    /// The vertices that stayed, in their old numbers.
    kept: Vec<u32>,
    /// By ends (new numbers, smaller first): what lay inside a merged edge, in old numbers, from the smaller end.
    inside: HashMap<(u32, u32), Vec<u32>>,
}

impl Round {
    fn lift(&self, path: &[u32], closed: bool) -> Vec<u32> {
        let mut lifted = Vec::new();
        for (at, &vertex) in path.iter().enumerate() {
            lifted.push(self.kept[vertex as usize]);
            let next = match path.get(at + 1) {
                Some(&next) => next,
                None if closed => path[0],
                None => break,
            };
            if let Some(inside) = self.inside.get(&(vertex.min(next), vertex.max(next))) {
                if vertex < next {
                    lifted.extend_from_slice(inside);
                } else {
                    lifted.extend(inside.iter().rev());
                }
            }
        }
        lifted
    }
}

/// Another pass is not worth its while after one in which fewer vertices went than one in so many.
const LEAST_GONE_AGAIN: usize = 50;

/// Shortens the runs of an undirected instance; `None` if it has none worth it. `O(n + m)` in all but sorting.
pub(crate) fn shorten(instance: &Instance) -> Option<Shortened> {
    let mut rounds = Vec::new();
    let mut current: Option<Instance> = None;
    let mut goes_on = true;
    while goes_on && let Some((shorter, round)) = shorten_once(current.as_ref().unwrap_or(instance)) {
        let (before, left) = (current.as_ref().unwrap_or(instance).graph.vertex_count(), shorter.graph.vertex_count());
        goes_on = (before - left) * LEAST_GONE_AGAIN >= before;
        rounds.push(round);
        current = Some(shorter);
    }
    current.map(|instance| Shortened { instance, rounds })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Not in a run.
    Branch,
    Silent,
    Open,
}

fn kinds(instance: &Instance) -> Vec<Kind> {
    let graph = &instance.graph;
    let kind = |vertex: u32| {
        let v = vertex as usize;
        let arcs = graph.out_arcs(vertex);
        if arcs.len() != 2 {
            return Kind::Branch;
        }
        match &instance.ends {
            Ends::Closed { through } if *through == Some(vertex) => Kind::Branch,
            Ends::Closed { .. } => Kind::Silent,
            Ends::Open { first, last, .. } => match (first[v], last[v]) {
                (NOT_AN_END, NOT_AN_END) => Kind::Silent,
                (0 | NOT_AN_END, 0) if arcs.iter().all(|arc| graph.weight(arc.edge) >= 0) => Kind::Open,
                _ => Kind::Branch,
            },
        }
    };
    let mut kinds: Vec<Kind> = (0..graph.vertex_count() as u32).map(kind).collect();
    // A silent run vanishes, so it must not end at an open run, which needs something to hang from.
    let beside_open = |vertex: &u32| {
        let is = |kind, vertex: u32| kinds[vertex as usize] == kind;
        is(Kind::Silent, *vertex) && graph.out_arcs(*vertex).iter().any(|arc| is(Kind::Open, arc.target))
    };
    for vertex in (0..graph.vertex_count() as u32).filter(beside_open).collect::<Vec<_>>() {
        kinds[vertex as usize] = Kind::Branch;
    }
    kinds
}

/// Positions in a run: of an open one four at most.
type Staying = SmallVec<[usize; 4]>;

/// A maximal chain of one kind, with the vertices it hangs between.
struct Run {
    ends: (u32, u32),
    inner: Vec<u32>,
    /// The lengths of its edges, one more than its inner vertices.
    weights: Vec<i64>,
}

fn runs(instance: &Instance, kinds: &[Kind]) -> Vec<Run> {
    let graph = &instance.graph;
    let same_pattern = |one: u32, other: u32| match &instance.ends {
        Ends::Open { first, .. } => (first[one as usize] == NOT_AN_END) == (first[other as usize] == NOT_AN_END),
        Ends::Closed { .. } => true,
    };
    let chains = Walk {
        vertices: kinds.len(),
        edges: graph.edge_count(),
        arcs: |vertex| graph.out_arcs(vertex).iter().map(|arc| (arc.edge, arc.target)),
        is_inside: |vertex| kinds[vertex as usize] != Kind::Branch,
        goes_on: |from, to| kinds[from as usize] == kinds[to as usize] && same_pattern(from, to),
    }
    .chains();
    let runs = chains.between.into_iter().filter(|chain| !chain.inside.is_empty());
    runs.map(|Chain { ends, inside, edges }| Run {
        ends: ends.into(),
        inner: inside,
        weights: edges.iter().map(|&edge| graph.weight(edge)).collect(),
    })
    .collect()
}

impl Run {
    /// The positions (in `inner`) of the vertices that must stay in an open run.
    fn stays_when_open(&self) -> Staying {
        let last = self.inner.len() - 1;
        let mut stays = smallvec![0, last];
        if last > 0 {
            let lightest = (1..=last).min_by_key(|&edge| self.weights[edge]).expect("there is an inner edge");
            stays.extend([lightest - 1, lightest]);
        }
        stays.sort_unstable();
        stays.dedup();
        stays
    }

    /// Joins each vertex that stays with the next, by the sum of the edges between, and what lies there.
    fn merge(&self, positions: &[usize], join: &mut impl FnMut(u32, u32, i64, &[u32])) {
        let (mut from, mut next) = (self.ends.0, 0);
        let stops = positions.iter().map(|&position| (position, self.inner[position]));
        for (position, to) in stops.chain([(self.inner.len(), self.ends.1)]) {
            join(from, to, self.weights[next..=position].iter().sum(), &self.inner[next..position]);
            (from, next) = (to, position + 1);
        }
    }
}

fn shorten_once(instance: &Instance) -> Option<(Instance, Round)> {
    let graph = &instance.graph;
    let kinds = kinds(instance);
    let runs = runs(instance, &kinds);
    let staying = staying(instance, &kinds, &runs);
    if runs.iter().zip(&staying).all(|(run, staying)| run.inner.len() == staying.len()) {
        return None;
    }

    let mut in_run = FixedBitSet::with_capacity(graph.vertex_count());
    runs.iter().flat_map(|run| &run.inner).for_each(|&vertex| in_run.insert(vertex as usize));
    let mut stays = in_run.clone();
    stays.toggle_range(..);
    for (run, positions) in runs.iter().zip(&staying) {
        positions.iter().for_each(|&position| stays.insert(run.inner[position] as usize));
    }
    let kept: Vec<u32> = stays.ones().map(|vertex| vertex as u32).collect();
    let mut new_from_old = vec![u32::MAX; graph.vertex_count()];
    for (new, &old) in kept.iter().enumerate() {
        new_from_old[old as usize] = new as u32;
    }

    let (mut edges, mut insides) = (Vec::new(), Vec::new());
    let mut join = |source: u32, target: u32, weight: i64, inside: &[u32]| {
        let (source, target) = (new_from_old[source as usize], new_from_old[target as usize]);
        edges.push(Edge { source, target, weight });
        insides.push(inside.to_vec());
    };
    for edge in graph.edges().iter().filter(|edge| !in_run[edge.source as usize] && !in_run[edge.target as usize]) {
        join(edge.source, edge.target, edge.weight, &[]);
    }
    for (run, positions) in runs.iter().zip(&staying) {
        run.merge(positions, &mut join);
    }
    let (shorter, positions) = CsrGraph::from_multigraph(kept.len(), false, edges);
    let mut inside = HashMap::new();
    for (edge, position) in shorter.edges().iter().zip(positions) {
        let mut between = std::mem::take(&mut insides[position as usize]);
        if !between.is_empty() {
            if edge.source > edge.target {
                between.reverse();
            }
            inside.insert(ordered((edge.source, edge.target)), between);
        }
    }
    let pick = |prizes: &[i64]| kept.iter().map(|&vertex| prizes[vertex as usize]).collect();
    let ends = match &instance.ends {
        Ends::Open { first, last, single_vertex } => {
            Ends::Open { first: pick(first), last: pick(last), single_vertex: *single_vertex }
        }
        Ends::Closed { through } => Ends::Closed { through: through.map(|vertex| new_from_old[vertex as usize]) },
    };
    Some((Instance { graph: shorter, ends }, Round { kept, inside }))
}

/// The positions of the vertices that stay, by run.
fn staying(instance: &Instance, kinds: &[Kind], runs: &[Run]) -> Vec<Staying> {
    let closed = matches!(instance.ends, Ends::Closed { .. });
    // Only a connection between the two ends of some run can be in the way of that run's edge.
    let is_taken = |run: &&Run| closed && instance.graph.edge_between(run.ends.0, run.ends.1).is_some();
    let mut connected: HashSet<(u32, u32)> = runs.iter().filter(is_taken).map(|run| ordered(run.ends)).collect();
    let staying = runs.iter().map(|run| {
        if kinds[run.inner[0] as usize] == Kind::Open {
            run.stays_when_open()
        } else if run.ends.0 == run.ends.1 && closed {
            (0..run.inner.len()).collect()
        } else if closed && !connected.insert(ordered(run.ends)) {
            smallvec![0]
        } else {
            Staying::new()
        }
    });
    staying.collect()
}

fn ordered((one, other): (u32, u32)) -> (u32, u32) {
    (one.min(other), one.max(other))
}

//! Cycles that miss exactly one vertex, where none is Hamiltonian: each vertex in turn is the one.
//!
//! Once that is settled, edges say as much of each other as on a Hamiltonian cycle, and most vertices are out of the question at
//! once. The rest have a slice each, and again if that was not enough, of lengths after Luby's sequence: some are settled far
//! sooner than others (M. Luby, A. Sinclair, D. Zuckerman, *Optimal speedup of Las Vegas algorithms*, Information Processing Letters
//! 47 (1993) 173–180, doi:10.1016/0020-0190(93)90029-9).
//!
//! Where a path is asked for, such a cycle and the vertex it misses, where they are joined, make a path through everything.

use std::collections::VecDeque;

use super::config::Config;
use super::random::Random;
use super::solver::{Solver, Verdict};
use super::ties::spanning;
use crate::instance::{Ends, Instance};
use crate::solution::Stop;
use crate::view::CsrGraph;

/// The work of a short slice.
const SLICE: u64 = 100_000;

/// What trying a vertex costs at least, for each vertex and edge: its model is made.
const EDGES_PER_UNIT: u64 = 4;

/// The vertices that are left to try.
pub(super) struct Missing {
    queue: VecDeque<u32>,
    luby: (u64, u64),
    /// The work so far.
    pub(super) spent: u64,
    pub(super) conflicts: u64,
}

/// What a try came to.
pub(super) enum Try {
    /// A cycle without this vertex.
    Found(Vec<u32>, u32),
    /// Nothing yet.
    Open,
    /// No cycle misses exactly one vertex.
    Refuted,
    Stopped(Stop),
}

impl Missing {
    /// Nothing is tried yet.
    pub(super) fn new(instance: &Instance, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let through = match &instance.ends {
            Ends::Closed { through } => *through,
            Ends::Open { .. } => None,
        };
        let vertices = 0..instance.graph.vertex_count() as u32;
        let mut queue: Vec<u32> = vertices.filter(|&vertex| through != Some(vertex)).collect();
        for place in (1..queue.len()).rev() {
            queue.swap(place, (random.next() % (place as u64 + 1)) as usize);
        }
        Missing { queue: queue.into(), luby: (1, 1), spent: 0, conflicts: 0 }
    }

    /// Tries the next vertex, for no more than so much work once it has begun.
    pub(super) fn turn(
        &mut self,
        instance: &Instance,
        config: Config,
        most: u64,
        memory: usize,
        spent: &mut dyn FnMut() -> Option<Stop>,
    ) -> Try {
        let Some(vertex) = self.queue.pop_front() else { return Try::Refuted };
        let graph = &instance.graph;
        self.spent += (graph.vertex_count() + graph.edge_count()) as u64 / EDGES_PER_UNIT + 1;
        if let Some(stop) = spent() {
            self.queue.push_front(vertex);
            return Try::Stopped(stop);
        }
        let Some(model) = spanning(graph, Some(vertex)) else { return self.after_refuted() };
        let mut solver = Solver::new(&model, config, i64::MIN);
        let verdict = solver.search((SLICE * self.luby.1).min(most), memory, spent);
        self.spent += solver.ticks();
        self.conflicts += solver.conflicts();
        match verdict {
            Verdict::Found(edges) => {
                let closed = model.path(&edges, instance);
                self.queue.push_front(vertex);
                return Try::Found(closed, vertex);
            }
            Verdict::Refuted => return self.after_refuted(),
            Verdict::Paused => self.queue.push_back(vertex),
            Verdict::Stopped(stop) => {
                self.queue.push_front(vertex);
                return Try::Stopped(stop);
            }
        }
        let (turn, length) = self.luby;
        self.luby = if turn & turn.wrapping_neg() == length { (turn + 1, 1) } else { (turn, 2 * length) };
        Try::Open
    }

    fn after_refuted(&self) -> Try {
        if self.queue.is_empty() { Try::Refuted } else { Try::Open }
    }
}

/// The path that a cycle makes with a vertex beside it, if they are joined.
pub(super) fn with_tail(cycle: &[u32], vertex: u32, graph: &CsrGraph) -> Option<Vec<u32>> {
    let turned = |first: usize| cycle[first..].iter().chain(&cycle[..first]).copied();
    (0..cycle.len()).find_map(|place| {
        if graph.edge_between(vertex, cycle[place]).is_some() {
            Some(std::iter::once(vertex).chain(turned(place)).collect())
        } else if graph.edge_between(cycle[place], vertex).is_some() {
            Some(turned((place + 1) % cycle.len()).chain([vertex]).collect())
        } else {
            None
        }
    })
}

//! A first path: go on to the neighbour with the fewest ways on.
//!
//! Source: H. C. von Warnsdorff, *Des Rösselsprunges einfachste und allgemeinste Lösung*, 1823. Where edges differ in
//! weight, the heaviest comes first instead. The path grows at both ends, wherever the shape lets it.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::sequence::Side;
use super::shape::Shape;
use crate::instance::{Ends, Instance, NOT_AN_END};

/// The clock is asked once in this much work.
const WORK_PER_CLOCK: u64 = 1 << 13;

/// The best beginning of a walk of a million steps at most that goes on to whatever was not visited, from the first vertex
/// that has most arcs: what can be had before anything is looked at twice.
pub(crate) fn path_at_once(instance: &Instance) -> Option<(Vec<u32>, i64)> {
    const STEPS: usize = 1_000_000;
    let Ends::Open { first, last, single_vertex } = &instance.ends else { return None };
    let graph = &instance.graph;
    let starts = (0..first.len() as u32).filter(|&vertex| first[vertex as usize] != NOT_AN_END);
    let start = starts.max_by_key(|&vertex| graph.out_arcs(vertex).len())?;
    let (mut path, mut is_visited) = (vec![start], FixedBitSet::with_capacity(first.len()));
    is_visited.insert(start as usize);
    let (mut length, mut best): (i64, Option<(i64, usize)>) = (first[start as usize], None);
    loop {
        let at = path[path.len() - 1];
        let prize = last[at as usize];
        if prize != NOT_AN_END && (*single_vertex || path.len() > 1) && best.is_none_or(|best| length + prize > best.0)
        {
            best = Some((length + prize, path.len()));
        }
        let next = graph.out_arcs(at).iter().find(|arc| !is_visited[arc.target as usize]);
        let Some(arc) = next.filter(|_| path.len() <= STEPS) else { break };
        is_visited.insert(arc.target as usize);
        length += graph.weight(arc.edge);
        path.push(arc.target);
    }
    let (value, count) = best?;
    path.truncate(count);
    Some((path, value))
}

/// Grows a path of this shape, from `seed` if the shape does not say whence. Asks `spent` with the work done since it
/// was last asked, and stops early if told so.
pub(super) fn greedy(instance: &Instance, shape: Shape, seed: u32, spent: &mut dyn FnMut(u64) -> bool) -> Vec<u32> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let mut weights = graph.edges().iter().map(|edge| edge.weight);
    let first_weight = weights.next();
    let uniform = weights.all(|weight| Some(weight) == first_weight);
    let core = shape.core();
    let mut path: VecDeque<u32> = if core.is_empty() { VecDeque::from([seed]) } else { core.into() };

    // How many ways on, and back, every vertex still has.
    let mut ways_on: Vec<u32> = (0..n as u32).map(|vertex| graph.out_arcs(vertex).len() as u32).collect();
    let mut ways_back: Vec<u32> = Vec::new();
    if graph.is_directed() {
        ways_back.extend((0..n as u32).map(|vertex| graph.in_arcs(vertex).len() as u32));
    }
    let mut taken = FixedBitSet::with_capacity(n);
    let mut work = n as u64;
    let take = |vertex: u32, taken: &mut FixedBitSet, ways_on: &mut [u32], ways_back: &mut [u32]| {
        taken.insert(vertex as usize);
        for arc in graph.in_arcs(vertex) {
            ways_on[arc.target as usize] -= 1;
        }
        if graph.is_directed() {
            for arc in graph.out_arcs(vertex) {
                ways_back[arc.target as usize] -= 1;
            }
        }
    };
    for &vertex in &path {
        take(vertex, &mut taken, &mut ways_on, &mut ways_back);
    }
    for side in [Side::Back, Side::Front] {
        if !shape.may_move(side) {
            continue;
        }
        loop {
            let row = match side {
                Side::Back => graph.out_arcs(path[path.len() - 1]),
                Side::Front => graph.in_arcs(path[0]),
            };
            work += 2 * row.len() as u64 + 2;
            if work >= WORK_PER_CLOCK {
                if spent(work) {
                    return path.into();
                }
                work = 0;
            }
            let ways = if side == Side::Front && graph.is_directed() { &ways_back } else { &ways_on };
            let free = row.iter().filter(|arc| !taken[arc.target as usize]);
            let next = if uniform {
                free.min_by_key(|arc| ways[arc.target as usize])
            } else {
                free.max_by_key(|arc| graph.weight(arc.edge))
            };
            let Some(&next) = next else { break };
            take(next.target, &mut taken, &mut ways_on, &mut ways_back);
            match side {
                Side::Back => path.push_back(next.target),
                Side::Front => path.push_front(next.target),
            }
        }
    }
    path.into()
}

/// Where a depth-first search is to lead.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// As deep as it goes.
    Deepest,
    /// The same, from other roots too where the first does not reach everything.
    DeepestAnywhere,
    /// To the deepest neighbour of this vertex, and on to it where it is not the root.
    Vertex(u32),
    /// To a cycle closed by the arc that leads back furthest, in any component.
    Cycle,
}

/// The tree path of a depth-first search from `root` that answers the goal; `None` if there is none, or no time to find
/// it. `O(n + m)`.
pub(super) fn plunge(
    instance: &Instance,
    root: u32,
    goal: Goal,
    spent: &mut dyn FnMut(u64) -> bool,
) -> Option<Vec<u32>> {
    let n = instance.graph.vertex_count();
    let mut plunge = Plunge {
        instance,
        goal,
        target: if let Goal::Vertex(vertex) = goal { Some(vertex) } else { None },
        depth: vec![UNSEEN; n],
        parent: vec![UNSEEN; n],
        next_arc: vec![0; n],
        path: Vec::new(),
        found: None,
        work: 2 * n as u64,
    };
    let others = if matches!(goal, Goal::DeepestAnywhere | Goal::Cycle) { n as u32 } else { 0 };
    for root in std::iter::once(root).chain(0..others) {
        if plunge.depth[root as usize] == UNSEEN && plunge.search(root, spent) {
            break;
        }
    }
    let (tip, from, _) = plunge.found?;
    let mut path = vec![tip];
    let mut vertex = tip;
    while plunge.depth[vertex as usize] != from {
        vertex = plunge.parent[vertex as usize];
        path.push(vertex);
    }
    path.reverse();
    path.extend(plunge.target.filter(|&target| target != root));
    Some(path)
}

const UNSEEN: u32 = u32::MAX;

struct Plunge<'a> {
    instance: &'a Instance,
    goal: Goal,
    target: Option<u32>,
    depth: Vec<u32>,
    parent: Vec<u32>,
    /// How many arcs of a vertex were tried.
    next_arc: Vec<u32>,
    /// From the root to the vertex under search.
    path: Vec<u32>,
    /// The best tree path so far: the vertex where it ends, the depth where it begins, and how long it is.
    found: Option<(u32, u32, u32)>,
    work: u64,
}

impl Plunge<'_> {
    /// Searches all that is unseen and can be reached from a root; returns whether time ran out.
    fn search(&mut self, root: u32, spent: &mut dyn FnMut(u64) -> bool) -> bool {
        self.enter(root, 0);
        while let Some(&vertex) = self.path.last() {
            if self.work >= WORK_PER_CLOCK && spent(std::mem::take(&mut self.work)) {
                return true;
            }
            let tried = self.next_arc[vertex as usize] as usize;
            let arcs = &self.instance.graph.out_arcs(vertex)[tried..];
            let open = |target: u32| self.depth[target as usize] == UNSEEN && Some(target) != self.target;
            self.work += 1;
            if let Some(skipped) = arcs.iter().position(|arc| open(arc.target)) {
                let child = arcs[skipped].target;
                self.next_arc[vertex as usize] += skipped as u32 + 1;
                self.parent[child as usize] = vertex;
                self.enter(child, self.path.len() as u32);
            } else {
                self.next_arc[vertex as usize] += arcs.len() as u32;
                self.path.pop();
            }
        }
        false
    }

    fn enter(&mut self, vertex: u32, depth: u32) {
        self.path.push(vertex);
        self.depth[vertex as usize] = depth;
        let row = self.instance.graph.out_arcs(vertex);
        self.work += row.len() as u64 + 1;
        let least = if self.instance.graph.is_directed() { 1 } else { 2 };
        let (from, length) = match self.goal {
            Goal::Deepest | Goal::DeepestAnywhere => (0, depth),
            Goal::Vertex(target) => {
                let closes = row.iter().any(|arc| arc.target == target);
                if !closes || (self.path[0] == target && depth < least) {
                    return;
                }
                (0, depth)
            }
            Goal::Cycle => {
                let on_path = |above: u32, target: u32| self.path.get(above as usize) == Some(&target);
                let above = row.iter().map(|arc| (self.depth[arc.target as usize], arc.target));
                let Some(highest) = above.filter(|&(above, target)| on_path(above, target)).map(|pair| pair.0).min()
                else {
                    return;
                };
                if depth - highest < least {
                    return;
                }
                (highest, depth - highest)
            }
        };
        if self.found.is_none_or(|(_, _, known)| length > known) {
            self.found = Some((vertex, from, length));
        }
    }
}

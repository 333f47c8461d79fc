//! Strong components, and the acyclic surroundings of what is hard in a digraph.
//!
//! A path visits the strong components in topological order, each in one segment at most. A component of one vertex is
//! settled by a linear DP over the arcs that leave it, a component of a few vertices by the same DP with the segments
//! within it enumerated. What is left are the large components. Their *core* is everything that lies on some walk from a
//! large component to a large component. It is convex: a path that leaves it never returns, since what a walk from the
//! core back to the core visits is core too. So a path has three parts, each possibly empty: one before the core, one
//! segment in it, one after it; no vertex can be both before and after. The DP gives for every vertex outside the best
//! tail from there on, and into there; at the core these become end prizes, and one solve of the core remains.
//!
//! Where ends are fixed, vertices that no walk between the ends visits are dropped as well.
//!
//! Strong components: R. Tarjan, *Depth-first search and linear graph algorithms*, SIAM Journal on Computing 1 (1972),
//! doi:10.1137/0201010; iterative here.

use fixedbitset::FixedBitSet;

use crate::instance::NOT_AN_END;
use crate::sets::{reached_from, set_where};
use crate::view::{Arc, CsrGraph, IsOver};

/// Up to this many vertices the segments within a strong component are enumerated, all subsets of it at once.
const SMALL: usize = 6;

const VERTICES_BETWEEN_LOOKS: u32 = 1 << 15;

/// The strong components of a digraph, in reverse topological order: no arc leads from one to a later one.
pub(crate) struct StrongComponents {
    starts: Vec<u32>,
    members: Vec<u32>,
    component: Vec<u32>,
}

impl StrongComponents {
    /// Finds them in `O(n + m)`.
    pub(crate) fn of(graph: &CsrGraph) -> Self {
        Self::of_unless(graph, &mut || false).expect("nobody ends it")
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn of_unless(graph: &CsrGraph, is_over: IsOver<'_>) -> Option<Self> {
        let n = graph.vertex_count();
        let mut found =
            StrongComponents { starts: vec![0], members: Vec::with_capacity(n), component: vec![u32::MAX; n] };
        let mut discovery = vec![0u32; n];
        let mut low = vec![0u32; n];
        let mut clock = 0u32;
        let mut open: Vec<u32> = Vec::new();
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for root in 0..n as u32 {
            if discovery[root as usize] != 0 {
                continue;
            }
            stack.push((root, 0));
            while let Some((vertex, followed)) = stack.last_mut() {
                let vertex = *vertex;
                let v = vertex as usize;
                if *followed == 0 {
                    clock += 1;
                    if clock.is_multiple_of(VERTICES_BETWEEN_LOOKS) && is_over() {
                        return None;
                    }
                    discovery[v] = clock;
                    low[v] = clock;
                    open.push(vertex);
                }
                let arc = graph.out_arcs(vertex).get(*followed as usize);
                *followed += 1;
                if let Some(arc) = arc {
                    let target = arc.target as usize;
                    if discovery[target] == 0 {
                        stack.push((arc.target, 0));
                    } else if found.component[target] == u32::MAX {
                        low[v] = low[v].min(discovery[target]);
                    }
                    continue;
                }
                stack.pop();
                if let Some(&(parent, _)) = stack.last() {
                    low[parent as usize] = low[parent as usize].min(low[v]);
                }
                if low[v] == discovery[v] {
                    let component = found.len() as u32;
                    while let Some(member) = open.pop() {
                        found.component[member as usize] = component;
                        found.members.push(member);
                        if member == vertex {
                            break;
                        }
                    }
                    found.starts.push(found.members.len() as u32);
                }
            }
        }
        Some(found)
    }

    /// The number of components; they are `0..len()`.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The vertices of a component.
    pub(crate) fn members(&self, component: u32) -> &[u32] {
        &self.members[self.starts[component as usize] as usize..self.starts[component as usize + 1] as usize]
    }

    /// The component of a vertex.
    pub(crate) fn component(&self, vertex: u32) -> u32 {
        self.component[vertex as usize]
    }

    /// The vertices on walks from a large component to a large component.
    fn core(&self, graph: &CsrGraph) -> FixedBitSet {
        let large = |component: u32| self.members(component).len() > SMALL;
        let mut after = FixedBitSet::with_capacity(self.len());
        for component in (0..self.len() as u32).rev() {
            if after[component as usize] || large(component) {
                after.insert(component as usize);
                for &vertex in self.members(component) {
                    for arc in graph.out_arcs(vertex) {
                        after.insert(self.component(arc.target) as usize);
                    }
                }
            }
        }
        let mut before = FixedBitSet::with_capacity(self.len());
        for component in 0..self.len() as u32 {
            if before[component as usize] || large(component) {
                before.insert(component as usize);
                for &vertex in self.members(component) {
                    for arc in graph.in_arcs(vertex) {
                        before.insert(self.component(arc.target) as usize);
                    }
                }
            }
        }
        after.intersect_with(&before);
        set_where(self.component.len(), |&vertex| after[self.component[vertex] as usize])
    }
}

/// A digraph around its core: the best tails outside it, in both directions.
pub(crate) struct Surroundings<'a> {
    graph: &'a CsrGraph,
    strong: StrongComponents,
    in_core: FixedBitSet,
    first: &'a [i64],
    last: &'a [i64],
    /// For every vertex outside the core the best a path can earn from there on without the core; [`NOT_AN_END`] if it
    /// can't end.
    out: Vec<i64>,
    /// The same up to there; empty where there is no core.
    into: Vec<i64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Out,
    In,
}

impl<'a> Surroundings<'a> {
    /// Settles everything outside the core, in `O(n + m)`; `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn new(graph: &'a CsrGraph, first: &'a [i64], last: &'a [i64], is_over: IsOver<'_>) -> Option<Self> {
        let strong = StrongComponents::of_unless(graph, is_over)?;
        let in_core = strong.core(graph);
        let has_core = !in_core.is_clear();
        let mut surroundings = Surroundings { graph, strong, in_core, first, last, out: Vec::new(), into: Vec::new() };
        surroundings.out = surroundings.tails(Way::Out, is_over)?;
        if has_core {
            surroundings.into = surroundings.tails(Way::In, is_over)?;
        }
        Some(surroundings)
    }

    /// The best path that avoids the core.
    pub(crate) fn best_outside(&self) -> Option<(Vec<u32>, i64)> {
        let value = |vertex: usize| {
            let possible = self.first[vertex] != NOT_AN_END && self.out[vertex] != NOT_AN_END;
            possible.then(|| (self.first[vertex] + self.out[vertex], vertex))
        };
        let outside = self.in_core.zeroes();
        let (value, start) =
            outside.filter_map(value).max_by_key(|&(value, vertex)| (value, std::cmp::Reverse(vertex)))?;
        Some((self.walk(start as u32, Way::Out), value))
    }

    /// The vertices of the core; none if the surroundings are everything.
    pub(crate) fn core(&self) -> Vec<u32> {
        self.in_core.ones().map(|vertex| vertex as u32).collect()
    }

    /// What a path earns by beginning (`first`) and by ending (`last`) its segment in the core at this vertex.
    pub(crate) fn core_prizes(&self, vertex: u32) -> (i64, i64) {
        let best = |way, own| match self.best_step(vertex, way) {
            Some((value, _)) => value.max(own),
            None => own,
        };
        (best(Way::In, self.first[vertex as usize]), best(Way::Out, self.last[vertex as usize]))
    }

    /// The whole path around a segment in the core.
    pub(crate) fn complete(&self, segment: &[u32]) -> Vec<u32> {
        let around = |end: u32, own: i64, way| match self.best_step(end, way) {
            Some((value, next)) if value > own => self.walk(next, way),
            _ => Vec::new(),
        };
        let (start, end) = (segment[0], segment[segment.len() - 1]);
        let mut path = around(start, self.first[start as usize], Way::In);
        path.reverse();
        path.extend_from_slice(segment);
        path.extend(around(end, self.last[end as usize], Way::Out));
        path
    }

    fn arcs(&self, vertex: u32, way: Way) -> &'a [Arc] {
        match way {
            Way::Out => self.graph.out_arcs(vertex),
            Way::In => self.graph.in_arcs(vertex),
        }
    }

    fn known(&self, way: Way) -> &[i64] {
        if way == Way::Out { &self.out } else { &self.into }
    }

    /// The best way on from a vertex into another component outside the core, and its worth.
    fn best_step(&self, vertex: u32, way: Way) -> Option<(i64, u32)> {
        best_step(self, self.known(way), vertex, way)
    }

    fn tails(&self, way: Way, is_over: IsOver<'_>) -> Option<Vec<i64>> {
        let prizes = if way == Way::Out { self.last } else { self.first };
        let mut tails = prizes.to_vec();
        let count = self.strong.len() as u32;
        let mut subsets = Subsets::default();
        for position in 0..count {
            if position.is_multiple_of(VERTICES_BETWEEN_LOOKS) && is_over() {
                return None;
            }
            let component = if way == Way::Out { position } else { count - 1 - position };
            let members = self.strong.members(component);
            if self.in_core[members[0] as usize] {
                continue;
            }
            for &vertex in members {
                if let Some((value, _)) = best_step(self, &tails, vertex, way) {
                    tails[vertex as usize] = tails[vertex as usize].max(value);
                }
            }
            if members.len() > 1 {
                subsets.fill(self, members, &tails, way);
                for (position, &vertex) in members.iter().enumerate() {
                    tails[vertex as usize] = subsets.best(1 << position, position);
                }
            }
        }
        Some(tails)
    }

    /// The vertices along the best tail at a vertex outside the core, that vertex included.
    fn walk(&self, from: u32, way: Way) -> Vec<u32> {
        let prizes = if way == Way::Out { self.last } else { self.first };
        let mut path = Vec::new();
        let mut vertex = from;
        let mut subsets = Subsets::default();
        loop {
            let members = self.strong.members(self.strong.component(vertex));
            let mut exit = vertex;
            if members.len() == 1 {
                path.push(vertex);
            } else {
                // The tails of the members hide how they leave, so the segment is found again.
                let leaving = |vertex: u32| {
                    let step = self.best_step(vertex, way).map_or(NOT_AN_END, |(value, _)| value);
                    step.max(prizes[vertex as usize])
                };
                let leave: Vec<i64> = members.iter().map(|&vertex| leaving(vertex)).collect();
                subsets.fill_from(self, members, leave, way);
                path.extend(subsets.segment(members, vertex));
                exit = path[path.len() - 1];
            }
            match self.best_step(exit, way) {
                Some((value, next)) if value > prizes[exit as usize] => vertex = next,
                _ => return path,
            }
        }
    }
}

fn best_step(around: &Surroundings<'_>, tails: &[i64], vertex: u32, way: Way) -> Option<(i64, u32)> {
    let component = around.strong.component(vertex);
    let leads_out =
        |arc: &&Arc| around.strong.component(arc.target) != component && !around.in_core[arc.target as usize];
    let mut best: Option<(i64, u32)> = None;
    for arc in around.arcs(vertex, way).iter().filter(leads_out) {
        let tail = tails[arc.target as usize];
        if tail != NOT_AN_END {
            let value = tail + around.graph.weight(arc.edge);
            if best.is_none_or(|(known, _)| value > known) {
                best = Some((value, arc.target));
            }
        }
    }
    best
}

/// The best tails within one small component, for every set of vertices already used.
#[derive(Default)]
struct Subsets {
    size: usize,
    /// What leaving (or ending) at each member is worth.
    leave: Vec<i64>,
    weight: Vec<Option<i64>>,
    /// By used set and head: the best that a path whose head is there can still earn.
    table: Vec<i64>,
}

impl Subsets {
    fn fill(&mut self, around: &Surroundings<'_>, members: &[u32], tails: &[i64], way: Way) {
        let leave = members.iter().map(|&vertex| tails[vertex as usize]).collect();
        self.fill_from(around, members, leave, way);
    }

    fn fill_from(&mut self, around: &Surroundings<'_>, members: &[u32], leave: Vec<i64>, way: Way) {
        let size = members.len();
        self.size = size;
        self.leave = leave;
        self.weight.clear();
        self.weight.resize(size * size, None);
        for (head, &vertex) in members.iter().enumerate() {
            for arc in around.arcs(vertex, way) {
                if let Some(next) = members.iter().position(|&member| member == arc.target) {
                    self.weight[head * size + next] = Some(around.graph.weight(arc.edge));
                }
            }
        }
        self.table.clear();
        self.table.resize(size << size, NOT_AN_END);
        for used in (1usize..1 << size).rev() {
            for head in (0..size).filter(|head| used >> head & 1 == 1) {
                let on = (0..size).filter_map(|next| self.step(used, head, next));
                self.table[used * size + head] = on.max().unwrap_or(NOT_AN_END).max(self.leave[head]);
            }
        }
    }

    fn step(&self, used: usize, head: usize, next: usize) -> Option<i64> {
        let weight = self.weight[head * self.size + next].filter(|_| used >> next & 1 == 0)?;
        let rest = self.best(used | 1 << next, next);
        (rest != NOT_AN_END).then(|| rest + weight)
    }

    fn best(&self, used: usize, head: usize) -> i64 {
        self.table[used * self.size + head]
    }

    /// The vertices of the best segment from a member to where it leaves.
    fn segment(&self, members: &[u32], from: u32) -> Vec<u32> {
        let mut head = members.iter().position(|&member| member == from).expect("the vertex is a member");
        let mut used = 1 << head;
        let mut segment = vec![from];
        while self.best(used, head) > self.leave[head] {
            let goal = self.best(used, head);
            let next = (0..self.size).find(|&next| self.step(used, head, next) == Some(goal));
            head = next.expect("the table was filled from a step");
            used |= 1 << head;
            segment.push(members[head]);
        }
        segment
    }
}

/// The vertices that lie on some walk from where a path may begin to where one may end, ascending. `O(n + m)`.
pub(crate) fn between_ends(graph: &CsrGraph, first: &[i64], last: &[i64]) -> Vec<u32> {
    let mut both = reached(first, |vertex| graph.out_arcs(vertex));
    both.intersect_with(&reached(last, |vertex| graph.in_arcs(vertex)));
    both.ones().map(|vertex| vertex as u32).collect()
}

fn reached<'a>(prizes: &[i64], arcs: impl Fn(u32) -> &'a [Arc]) -> FixedBitSet {
    let mut reached = FixedBitSet::with_capacity(prizes.len());
    let ends = (0..).zip(prizes).filter(|(_, prize)| **prize != NOT_AN_END).map(|(vertex, _)| vertex);
    reached_from(ends.collect(), &mut reached, |vertex| arcs(vertex).iter().map(|arc| arc.target));
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Edge;

    #[test]
    fn components_come_in_reverse_topological_order() {
        let arcs = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 0)];
        let edges = arcs.iter().map(|&(source, target)| Edge { source, target, weight: 1 }).collect();
        let graph = CsrGraph::from_multigraph(6, true, edges).0;
        let strong = StrongComponents::of(&graph);
        let mut members: Vec<Vec<u32>> = (0..strong.len() as u32).map(|c| strong.members(c).to_vec()).collect();
        members.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(members, [vec![3, 4], vec![0, 1, 2], vec![5]]);
        assert_eq!(strong.component(2), 1);
    }

    #[test]
    fn an_acyclic_graph_has_no_core() {
        let n = 100_000u32;
        let edges = (1..n).map(|vertex| Edge { source: vertex - 1, target: vertex, weight: 1 }).collect();
        let graph = CsrGraph::from_multigraph(n as usize, true, edges).0;
        let prizes = vec![0; n as usize];
        let around = Surroundings::new(&graph, &prizes, &prizes, &mut || false).unwrap();
        assert!(around.core().is_empty());
        let (path, value) = around.best_outside().unwrap();
        assert_eq!((path.len(), value), (n as usize, i64::from(n) - 1));
    }
}

//! A removal order prepared for being evaluated again and again while the worths of the vertices change.
//!
//! The argument is that of `certificate/bound/`; here in floating point, with the components found once and for all,
//! and with the answer to *which vertices the bound counts*, which the check doesn't ask and the search for shares does.
//! The heaps are leftist (C. A. Crane, *Linear lists and priority queues as balanced binary trees*, 1972).

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::view::CsrGraph;

const NONE: u32 = u32::MAX;

/// An order with its components. *Items* are the numbers of the argument: one for each component that remains when all
/// is removed, then one for each vertex put back.
pub(super) struct Plan {
    vertex_count: usize,
    /// By vertex, the two extra ones last: the component that remains and holds it.
    remains_in: Vec<u32>,
    /// How many vertices each of those components has.
    sizes: Vec<u32>,
    steps: Vec<Step>,
    /// The components that each step joins, one segment a step: items by which they were last changed.
    joined: Vec<Joined>,
    /// The components at the end.
    whole: Vec<u32>,
    /// Whether the extra vertices turn the path into a cycle, or it is one.
    cycle: bool,
    /// Vertices that must be visited.
    forced: Vec<u32>,

    value: Vec<f64>,
    left: Vec<u32>,
    right: Vec<u32>,
    rank: Vec<u32>,
    /// The root of the heap of the component that this item was the last to change.
    heap: Vec<u32>,
    /// The items that a step glued.
    glued: Vec<[u32; 2]>,
    /// The best cycle in the component that this item was the last to change, and the item that closes it.
    cycles: Vec<(f64, u32)>,
    /// By item that is such a closing one: the item it closes.
    closing: Vec<u32>,
    /// The vertices that the bound counts.
    counted: FixedBitSet,
    stack: Vec<u32>,
}

struct Step {
    vertex: u32,
    ways: u32,
    /// The end of its segment of `joined`.
    joined_until: u32,
}

#[derive(Clone, Copy)]
struct Joined {
    part: u32,
    /// Whether a cycle can pass through the vertex and this component.
    closes: bool,
}

/// The graph with two extra vertices, before and behind the path, where its ends are told; an edge between them makes a
/// cycle of it.
struct Extended<'a> {
    graph: &'a CsrGraph,
    /// The edges at the extra vertices.
    extra: Vec<(u32, u32)>,
    cycle: bool,
    /// Vertices that must be visited.
    forced: Vec<u32>,
}

impl<'a> Extended<'a> {
    fn new(instance: &'a Instance) -> Self {
        let graph = &instance.graph;
        let n = graph.vertex_count() as u32;
        let (before, after) = (n, n + 1);
        let (first, last) = match &instance.ends {
            Ends::Closed { through } => {
                return Extended { graph, extra: Vec::new(), cycle: true, forced: through.iter().copied().collect() };
            }
            Ends::Open { first, last, .. } => (first, last),
        };
        let only = |prizes: &[i64]| {
            let mut allowed = (0..n).filter(|&vertex| prizes[vertex as usize] != NOT_AN_END);
            allowed.next().filter(|_| allowed.next().is_none())
        };
        let (mut extra, mut forced) = (Vec::new(), Vec::new());
        if let Some(vertex) = only(first) {
            extra.push((before, vertex));
            forced.push(before);
        }
        if let Some(vertex) = only(last) {
            extra.push((vertex, after));
            forced.push(after);
        }
        let cycle = forced.len() == 2;
        if cycle {
            extra.push((after, before));
        }
        Extended { graph, extra, cycle, forced }
    }

    /// The vertices adjacent to one, and whether the edge leaves it.
    fn neighbours(&self, vertex: u32, others: &mut Vec<(u32, bool)>) {
        others.clear();
        others.extend(self.graph.out_arcs(vertex).iter().map(|arc| (arc.target, true)));
        if self.graph.is_directed() {
            others.extend(self.graph.in_arcs(vertex).iter().map(|arc| (arc.target, false)));
        }
        others.extend(self.extra.iter().filter(|edge| edge.0 == vertex).map(|edge| (edge.1, true)));
        others.extend(self.extra.iter().filter(|edge| edge.1 == vertex).map(|edge| (edge.0, false)));
    }
}

/// The components of what is there, and the item that last changed each.
struct Parts {
    sets: UnionFind<u32>,
    /// By the representative of a component.
    last_change: Vec<u32>,
    remains_in: Vec<u32>,
    sizes: Vec<u32>,
}

impl Parts {
    /// The components of what remains; `place` says which vertices are removed.
    fn remaining(extended: &Extended<'_>, place: &[u32]) -> Self {
        let all = place.len() as u32;
        let n = extended.graph.vertex_count() as u32;
        let mut sets = UnionFind::new(all as usize);
        let is_removed = |vertex: u32| place[vertex as usize] != NONE;
        let edges = extended.graph.edges().iter().map(|edge| (edge.source, edge.target));
        for (source, target) in edges.chain(extended.extra.iter().copied()) {
            if !is_removed(source) && !is_removed(target) {
                sets.union(source, target);
            }
        }
        let nothing = vec![NONE; all as usize];
        let mut parts = Parts { sets, last_change: nothing.clone(), remains_in: nothing, sizes: Vec::new() };
        for vertex in 0..all {
            let is_there = vertex < n || extended.forced.contains(&vertex);
            if is_removed(vertex) || !is_there {
                continue;
            }
            let item = &mut parts.last_change[parts.sets.find_mut(vertex) as usize];
            if *item == NONE {
                *item = parts.sizes.len() as u32;
                parts.sizes.push(0);
            }
            parts.remains_in[vertex as usize] = *item;
            parts.sizes[*item as usize] += 1;
        }
        parts
    }

    /// Joins the components that a vertex is adjacent to, by this item; tells how many of them a path through it can use.
    fn put_back(
        &mut self,
        vertex: u32,
        others: &[(u32, bool)],
        item: u32,
        directed: bool,
        joined: &mut Vec<Joined>,
    ) -> u32 {
        let reach = |&(other, leaves): &(u32, bool)| (self.last_change[self.sets.find_mut(other) as usize], leaves);
        let mut reached: Vec<(u32, bool)> = others.iter().map(reach).collect();
        reached.sort_unstable();
        let leaving = |arcs: &[(u32, bool)]| arcs.iter().filter(|&&(_, leaves)| leaves).count();
        for same in reached.chunk_by(|one, two| one.0 == two.0) {
            let closes = if directed { (1..same.len()).contains(&leaving(same)) } else { same.len() > 1 };
            joined.push(Joined { part: same[0].0, closes });
        }
        for &(other, _) in others {
            self.sets.union(vertex, other);
        }
        self.last_change[self.sets.find_mut(vertex) as usize] = item;
        let ways = match directed {
            true => leaving(&reached).min(1) + (reached.len() - leaving(&reached)).min(1),
            false => reached.len().min(2),
        };
        ways as u32
    }

    /// The items that last changed the components.
    fn items(mut self) -> Vec<u32> {
        let roots: Vec<u32> =
            (0..self.last_change.len() as u32).filter(|&vertex| self.sets.find_mut(vertex) == vertex).collect();
        roots.into_iter().map(|root| self.last_change[root as usize]).filter(|&item| item != NONE).collect()
    }
}

impl Plan {
    pub(super) fn new(instance: &Instance, removed: &[u32]) -> Self {
        let extended = Extended::new(instance);
        let n = extended.graph.vertex_count();
        let mut place = vec![NONE; n + 2];
        for (at, &vertex) in removed.iter().enumerate() {
            place[vertex as usize] = at as u32;
        }
        let mut parts = Parts::remaining(&extended, &place);
        let sizes = std::mem::take(&mut parts.sizes);
        let remains_in = std::mem::take(&mut parts.remains_in);
        let (mut steps, mut joined) = (Vec::with_capacity(removed.len()), Vec::new());
        let mut others = Vec::new();
        for (at, &vertex) in removed.iter().enumerate().rev() {
            extended.neighbours(vertex, &mut others);
            others.retain(|&(other, _)| place[other as usize] > at as u32);
            let item = (sizes.len() + steps.len()) as u32;
            let ways = parts.put_back(vertex, &others, item, extended.graph.is_directed(), &mut joined);
            steps.push(Step { vertex, ways, joined_until: joined.len() as u32 });
        }
        let items = sizes.len() + steps.len();
        Plan {
            vertex_count: n,
            remains_in,
            steps,
            joined,
            whole: parts.items(),
            cycle: extended.cycle,
            forced: extended.forced,
            value: vec![0.0; items],
            left: vec![NONE; items],
            right: vec![NONE; items],
            rank: vec![1; items],
            heap: vec![NONE; items],
            glued: vec![[NONE; 2]; items],
            cycles: vec![(f64::NEG_INFINITY, NONE); items],
            closing: vec![NONE; items],
            counted: FixedBitSet::with_capacity(n + 2),
            stack: Vec::new(),
            sizes,
        }
    }

    /// The most that a path can be worth when its vertices are; the vertices it counts are then [`counts`](Self::counts).
    pub(super) fn evaluate(&mut self, worth: &[f64]) -> f64 {
        // Everything together is worth less than this.
        let force = 1.0 + worth.iter().sum::<f64>();
        self.value.fill(0.0);
        self.left.fill(NONE);
        self.right.fill(NONE);
        self.rank.fill(1);
        self.glued.fill([NONE; 2]);
        self.cycles.fill((f64::NEG_INFINITY, NONE));
        for (&part, worth) in self.remains_in.iter().zip(worth) {
            if part != NONE {
                self.value[part as usize] += worth;
            }
        }
        for vertex in self.forced.iter().filter(|&&vertex| self.remains_in[vertex as usize] != NONE) {
            self.value[self.remains_in[*vertex as usize] as usize] += force;
        }
        let remaining = self.sizes.len();
        for part in 0..remaining {
            self.heap[part] = part as u32;
            if self.sizes[part] > 1 {
                self.cycles[part] = (self.value[part], part as u32);
            }
        }
        let mut joined_from = 0;
        for at in 0..self.steps.len() {
            let Step { vertex, ways, joined_until } = self.steps[at];
            let item = remaining + at;
            let own = worth[vertex as usize] + if self.forced.contains(&vertex) { force } else { 0.0 };
            let mut heap = NONE;
            for position in joined_from..joined_until as usize {
                let Joined { part, closes } = self.joined[position];
                let part = part as usize;
                if closes {
                    let top = self.heap[part];
                    let around = own + self.value[top as usize];
                    if around > self.cycles[item].0 {
                        self.cycles[item] = (around, item as u32);
                        self.closing[item] = top;
                    }
                }
                heap = self.merge(heap, self.heap[part]);
                if self.cycles[part].0 > self.cycles[item].0 {
                    self.cycles[item] = self.cycles[part];
                }
            }
            joined_from = joined_until as usize;
            let mut sum = own;
            for way in 0..ways as usize {
                if heap == NONE {
                    break;
                }
                sum += self.value[heap as usize];
                self.glued[item][way] = heap;
                heap = self.merge(self.left[heap as usize], self.right[heap as usize]);
            }
            self.value[item] = sum;
            self.left[item] = NONE;
            self.right[item] = NONE;
            self.heap[item] = self.merge(heap, item as u32);
        }
        self.count(force)
    }

    /// Finds the best component and marks what its bound counts.
    fn count(&mut self, force: f64) -> f64 {
        self.counted.clear();
        let mut best = (f64::NEG_INFINITY, NONE);
        for &item in &self.whole {
            let candidate = if self.cycle {
                self.cycles[item as usize]
            } else {
                let top = self.heap[item as usize];
                (self.value[top as usize], top)
            };
            if candidate.0 > best.0 {
                best = candidate;
            }
        }
        let remaining = self.sizes.len() as u32;
        let (value, top) = best;
        if top == NONE {
            return f64::NEG_INFINITY;
        }
        self.stack.clear();
        if self.cycle && top >= remaining {
            self.counted.insert(self.steps[(top - remaining) as usize].vertex as usize);
            self.stack.push(self.closing[top as usize]);
        } else {
            self.stack.push(top);
        }
        let mut counted_parts = FixedBitSet::with_capacity(remaining as usize);
        while let Some(item) = self.stack.pop() {
            if item < remaining {
                counted_parts.insert(item as usize);
            } else {
                self.counted.insert(self.steps[(item - remaining) as usize].vertex as usize);
                self.stack.extend(self.glued[item as usize].iter().filter(|&&glued| glued != NONE));
            }
        }
        for vertex in 0..self.vertex_count {
            let part = self.remains_in[vertex];
            if part != NONE && counted_parts[part as usize] {
                self.counted.insert(vertex);
            }
        }
        value - force * self.forced.len() as f64
    }

    /// How many vertices are removed.
    pub(super) fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// Whether the last bound counts this vertex.
    pub(super) fn counts(&self, vertex: usize) -> bool {
        self.counted[vertex]
    }

    /// Melds two leftist heaps of items, the greatest value on top. As deep as the rank: logarithmic.
    fn merge(&mut self, one: u32, two: u32) -> u32 {
        if one == NONE || two == NONE {
            return one.min(two);
        }
        let (top, other) = if self.value[one as usize] >= self.value[two as usize] { (one, two) } else { (two, one) };
        let right = self.merge(self.right[top as usize], other);
        let left = self.left[top as usize];
        let rank = |item: u32, ranks: &[u32]| if item == NONE { 0 } else { ranks[item as usize] };
        let (left, right) =
            if rank(left, &self.rank) >= rank(right, &self.rank) { (left, right) } else { (right, left) };
        self.left[top as usize] = left;
        self.right[top as usize] = right;
        self.rank[top as usize] = rank(right, &self.rank) + 1;
        top
    }
}

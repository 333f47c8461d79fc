//! The undirected neighbourhoods that cliques live in, the order in which they come apart, and a greedy colouring.
//!
//! A vertex of degree below d is in no clique of more than d vertices. Removing vertices of least degree one after another
//! gives the *degeneracy order*; the degree of a vertex at its removal, or the greatest before it, is its *core number*, and no
//! clique with it has more than core + 1 vertices. Colouring against that order takes at most core + 1 colours for the
//! vertices of that core, and every colour has at most one vertex of a clique.
//!
//! Source: David W. Matula, Leland L. Beck, *Smallest-last ordering and clustering and graph coloring algorithms*, Journal of
//! the ACM 30, 1983, DOI 10.1145/2402.322385.

use crate::view::CsrGraph;

/// The neighbours of every vertex, ascending, whatever the direction of the edges.
pub(super) struct Adjacency {
    /// Row `v` is `targets[starts[v]..starts[v + 1]]`.
    starts: Vec<usize>,
    targets: Vec<u32>,
}

/// Vertices from the first removed to the last, and how tightly each is held.
pub(super) struct Degeneracy {
    pub(super) order: Vec<u32>,
    /// Core numbers, which never fall along the order.
    pub(super) core: Vec<u32>,
}

impl Adjacency {
    /// `None` if `is_over`, which is asked now and then, says so.
    pub(super) fn new(graph: &CsrGraph, is_over: &mut dyn FnMut() -> bool) -> Option<Self> {
        const VERTICES_BETWEEN_LOOKS: u32 = 1 << 13;
        let mut starts = Vec::with_capacity(graph.vertex_count() + 1);
        let mut targets = Vec::with_capacity(2 * graph.edge_count());
        starts.push(0);
        let mut row = Vec::new();
        for vertex in 0..graph.vertex_count() as u32 {
            if vertex % VERTICES_BETWEEN_LOOKS == VERTICES_BETWEEN_LOOKS - 1 && is_over() {
                return None;
            }
            row.clear();
            row.extend(graph.out_arcs(vertex).iter().map(|arc| arc.target));
            if graph.is_directed() {
                row.extend(graph.in_arcs(vertex).iter().map(|arc| arc.target));
            }
            row.sort_unstable();
            row.dedup();
            targets.extend_from_slice(&row);
            starts.push(targets.len());
        }
        Some(Adjacency { starts, targets })
    }

    /// The graph that these vertices induce, `vertices[i]` becoming `i`.
    pub(super) fn induced(&self, vertices: &[u32]) -> Self {
        let mut place = vec![u32::MAX; self.len()];
        for (at, &vertex) in vertices.iter().enumerate() {
            place[vertex as usize] = at as u32;
        }
        let mut starts = Vec::with_capacity(vertices.len() + 1);
        let mut targets = Vec::new();
        starts.push(0);
        for &vertex in vertices {
            let begin = targets.len();
            let kept = self.neighbours(vertex).iter().map(|&other| place[other as usize]);
            targets.extend(kept.filter(|&other| other != u32::MAX));
            targets[begin..].sort_unstable();
            starts.push(targets.len());
        }
        Adjacency { starts, targets }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// What it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        8 * self.starts.len() + 4 * self.targets.len()
    }

    pub(super) fn edge_count(&self) -> usize {
        self.targets.len() / 2
    }

    pub(super) fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.targets[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }

    pub(super) fn degree(&self, vertex: u32) -> usize {
        self.neighbours(vertex).len()
    }

    pub(super) fn adjacent(&self, one: u32, other: u32) -> bool {
        let (one, other) = if self.degree(one) <= self.degree(other) { (one, other) } else { (other, one) };
        self.neighbours(one).binary_search(&other).is_ok()
    }

    /// `O(n + m)`, by buckets of degrees; `None` if `is_over`, which is asked now and then, says so.
    pub(super) fn degeneracy(&self, is_over: &mut dyn FnMut() -> bool) -> Option<Degeneracy> {
        let n = self.len();
        let mut degree: Vec<u32> = (0..n as u32).map(|vertex| self.degree(vertex) as u32).collect();
        let greatest = degree.iter().max().map_or(0, |&degree| degree as usize);
        // `order` sorted by degree; `first[d]` is where those of degree d begin; both hold for what is not removed.
        let mut first = vec![0usize; greatest + 2];
        degree.iter().for_each(|&degree| first[degree as usize + 1] += 1);
        for degree in 0..=greatest {
            first[degree + 1] += first[degree];
        }
        let mut next = first.clone();
        let mut order = vec![0u32; n];
        let mut place = vec![0usize; n];
        for vertex in 0..n {
            let at = &mut next[degree[vertex] as usize];
            (order[*at], place[vertex]) = (vertex as u32, *at);
            *at += 1;
        }
        let mut core = vec![0u32; n];
        let mut work = 0;
        for at in 0..n {
            let vertex = order[at];
            if self.is_time(&mut work, vertex) && is_over() {
                return None;
            }
            let least = degree[vertex as usize];
            core[vertex as usize] = least;
            for &other in self.neighbours(vertex) {
                let high = degree[other as usize];
                if high > least {
                    // To the front of its bucket, which then begins one later.
                    let front = first[high as usize].max(at + 1);
                    let (from, leader) = (place[other as usize], order[front]);
                    order.swap(from, front);
                    (place[other as usize], place[leader as usize]) = (front, from);
                    first[high as usize] = front + 1;
                    degree[other as usize] -= 1;
                }
            }
        }
        Some(Degeneracy { order, core })
    }

    /// Whether to look at the limits before working on the edges at a vertex.
    pub(super) fn is_time(&self, work: &mut usize, vertex: u32) -> bool {
        const PATIENCE: usize = 1 << 16;
        *work += 1 + self.degree(vertex);
        if *work < PATIENCE {
            return false;
        }
        *work = 0;
        true
    }

    /// The vertex that weighs most, and what no clique weighs more than: the most that a vertex and all its neighbours weigh.
    pub(super) fn heaviest(&self, weights: &[i64]) -> Option<(u32, i64)> {
        let weight = |vertex: u32| weights.get(vertex as usize).copied().unwrap_or(1);
        let around =
            |vertex: u32| weight(vertex) + self.neighbours(vertex).iter().map(|&other| weight(other)).sum::<i64>();
        let vertices = 0..self.len() as u32;
        let heaviest = vertices.clone().max_by_key(|&vertex| weight(vertex))?;
        Some((heaviest, vertices.map(around).max()?))
    }

    /// Gives each vertex of `order`, in turn, the least colour that no neighbour has. Returns the colour of every vertex;
    /// `None` if `is_over` says so.
    pub(super) fn greedy_colouring(
        &self,
        order: impl Iterator<Item = u32>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<u32>> {
        let mut colour = vec![u32::MAX; self.len()];
        let mut taken_by: Vec<u32> = Vec::new();
        let mut work = 0;
        for vertex in order {
            if self.is_time(&mut work, vertex) && is_over() {
                return None;
            }
            for &other in self.neighbours(vertex) {
                let seen = colour[other as usize];
                if seen != u32::MAX {
                    if taken_by.len() <= seen as usize {
                        taken_by.resize(seen as usize + 1, u32::MAX);
                    }
                    taken_by[seen as usize] = vertex;
                }
            }
            let free = taken_by.iter().position(|&user| user != vertex).unwrap_or(taken_by.len());
            colour[vertex as usize] = free as u32;
        }
        Some(colour)
    }

    /// Classes of vertices that are pairwise not adjacent, each with the greatest weight in it; empty `weights` stand for ones.
    /// All together weigh no less than any clique. `None` if `is_over` says so.
    pub(super) fn colour_classes(
        &self,
        order: &[u32],
        weights: &[i64],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<(Vec<u32>, i64)>> {
        let tight_first = self.classes_of(&self.greedy_colouring(order.iter().rev().copied(), is_over)?, weights);
        if weights.is_empty() {
            return Some(tight_first);
        }
        let mut by_weight = order.to_vec();
        by_weight.reverse();
        by_weight.sort_by_key(|&vertex| std::cmp::Reverse(weights[vertex as usize]));
        let heavy_first = self.classes_of(&self.greedy_colouring(by_weight.into_iter(), is_over)?, weights);
        let cost = |classes: &[(Vec<u32>, i64)]| classes.iter().map(|&(_, weight)| weight).sum::<i64>();
        Some(if cost(&heavy_first) < cost(&tight_first) { heavy_first } else { tight_first })
    }

    fn classes_of(&self, colour: &[u32], weights: &[i64]) -> Vec<(Vec<u32>, i64)> {
        let count = colour.iter().max().map_or(0, |&most| most as usize + 1);
        let mut classes = vec![(Vec::new(), 0); count];
        for (vertex, &colour) in colour.iter().enumerate() {
            let (members, weight) = &mut classes[colour as usize];
            members.push(vertex as u32);
            *weight = (*weight).max(weights.get(vertex).copied().unwrap_or(1));
        }
        classes
    }
}

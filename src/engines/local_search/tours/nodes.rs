//! What tours go through: nodes, what links between them weigh, and which are worth a try.

use crate::bound::potentials::{self, SWEEPS};
use crate::engines::local_search::shape::{Shape, worth};
use crate::instance::{Ends, Instance, NOT_AN_END};

/// Nobody.
pub(super) const NOBODY: u32 = u32::MAX;

/// Fewer vertices are searched by other moves as well; with more nodes the table of weights is too large for caches.
const LEAST: usize = 8;
const MOST: usize = 4_000;

/// Where a vertex has fewer edges than this on average, and is not joined to most others, some vertices are missed, and covers and
/// balls find better paths.
const DENSE: usize = 12;

/// Few are missed where it is no more than one vertex in so many.
const FEW_MISSED: usize = 20;

/// The edges of each node that are worth a try.
const CANDIDATES: usize = 14;

/// So many links of a node at once.
const LANES: usize = 8;
/// What gaps weigh there, and the range of weights at least.
const FAR_BELOW: f32 = -1e6;
const LEAST_RANGE: i64 = 1 << 16;

/// What a gap costs at most: sums of so many stay far below what numbers hold.
const MOST_FOR_GAP: i64 = 1 << 45;

/// The nodes of an instance.
pub(in crate::engines::local_search) struct Nodes<'a> {
    instance: &'a Instance,
    /// Whether vertices have two nodes, `in` at twice their number and `out` after that.
    is_directed: bool,
    count: usize,
    /// What every two nodes weigh, less their potentials.
    weights: Vec<i64>,
    gap: i64,
    /// By node, the one that follows or precedes it in every tour.
    mates: Vec<u32>,
    /// By node, those it may be linked to, the greatest weights first; [`NOBODY`] where there are fewer.
    candidates: Vec<u32>,
}

impl<'a> Nodes<'a> {
    /// Whether tours may be of use.
    pub(in crate::engines::local_search) fn fit(instance: &Instance) -> bool {
        let graph = &instance.graph;
        let n = graph.vertex_count();
        let arcs = graph.edge_count() * if graph.is_directed() { 1 } else { 2 };
        let is_dense = n >= LEAST && Self::count(instance) <= MOST && arcs >= DENSE.min(2 * n / 3) * n;
        let total = || graph.edges().iter().map(|edge| edge.weight as f64).sum::<f64>();
        is_dense
            && graph.edges().iter().any(|edge| edge.weight != graph.edges()[0].weight)
            && range(instance).saturating_mul(n as i64) < MOST_FOR_GAP
            && total() > 0.0
    }

    /// Whether so long a path misses few vertices, as those found along tours do where tours are of use.
    pub(in crate::engines::local_search) fn are_nearly_all_on(instance: &Instance, path: &[u32]) -> bool {
        let n = instance.graph.vertex_count();
        (n - path.len()) * FEW_MISSED <= n
    }

    fn count(instance: &Instance) -> usize {
        let n = instance.graph.vertex_count();
        let is_open = matches!(instance.ends, Ends::Open { .. });
        if instance.graph.is_directed() { 2 * (n + usize::from(is_open)) } else { n + 2 * usize::from(is_open) }
    }

    /// Bytes that nodes and a chain of tours through them hold.
    pub(in crate::engines::local_search) fn bytes(instance: &Instance) -> usize {
        let count = Self::count(instance);
        count * count * (size_of::<i64>() + size_of::<f32>()) + count * (CANDIDATES + 16) * size_of::<u32>()
    }

    /// The work of [`new`](Self::new).
    pub(in crate::engines::local_search) fn work(instance: &Instance) -> u64 {
        let count = Self::count(instance) as u64;
        count * count * (SWEEPS as u64 + 4) / 4
    }

    /// `None` where it `is_over` before all is told.
    pub(in crate::engines::local_search) fn new(
        instance: &'a Instance,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let graph = &instance.graph;
        let (n, count) = (graph.vertex_count(), Self::count(instance));
        let gap = -(range(instance) + 1).saturating_mul(2 * n as i64);
        let (weights, mates) = (Vec::with_capacity(count * count), vec![NOBODY; count]);
        let is_directed = graph.is_directed();
        let mut nodes = Nodes { instance, is_directed, count, weights, gap, mates, candidates: Vec::new() };
        for row in 1..=count {
            nodes.weights.resize(row * count, gap);
            if is_over() {
                return None;
            }
        }
        for vertex in 0..n as u32 {
            for arc in graph.out_arcs(vertex) {
                nodes.set(nodes.out_of(vertex), nodes.in_of(arc.target), graph.weight(arc.edge));
            }
            if is_over() {
                return None;
            }
        }
        if let Ends::Open { first, last, .. } = &instance.ends {
            let depot = [nodes.count as u32 - 2, nodes.count as u32 - 1];
            let [into, out] = depot;
            for vertex in 0..n as u32 {
                let prizes = [first[vertex as usize], last[vertex as usize]];
                for (node, at, prize) in
                    [(out, nodes.in_of(vertex), prizes[0]), (into, nodes.out_of(vertex), prizes[1])]
                {
                    if prize != NOT_AN_END {
                        nodes.set(node, at, prize);
                    }
                }
            }
            nodes.pair(depot);
        }
        if is_directed {
            (0..n as u32).for_each(|vertex| nodes.pair([2 * vertex, 2 * vertex + 1]));
        }
        nodes.settle_potentials(is_over)?;
        nodes.choose_candidates(is_over)?;
        Some(nodes)
    }

    fn in_of(&self, vertex: u32) -> u32 {
        if self.is_directed { 2 * vertex } else { vertex }
    }

    fn out_of(&self, vertex: u32) -> u32 {
        if self.is_directed { 2 * vertex + 1 } else { vertex }
    }

    fn set(&mut self, a: u32, b: u32, weight: i64) {
        self.weights[a as usize * self.count + b as usize] = weight;
        self.weights[b as usize * self.count + a as usize] = weight;
    }

    /// These two stay together.
    fn pair(&mut self, [a, b]: [u32; 2]) {
        self.mates[a as usize] = b;
        self.mates[b as usize] = a;
    }

    pub(in crate::engines::local_search) fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub(super) fn weight(&self, a: u32, b: u32) -> i64 {
        self.weights[a as usize * self.count + b as usize]
    }

    #[inline]
    pub(super) fn are_paired(&self, a: u32, b: u32) -> bool {
        self.mates[a as usize] == b
    }

    pub(super) fn is_directed(&self) -> bool {
        self.is_directed
    }

    pub(super) fn mate(&self, node: u32) -> Option<u32> {
        Some(self.mates[node as usize]).filter(|&mate| mate != NOBODY)
    }

    /// The links of a tour along a path.
    pub(super) fn links_along(&self, path: &[u32]) -> Vec<(u32, u32)> {
        let mut links: Vec<(u32, u32)> =
            path.windows(2).map(|pair| (self.out_of(pair[0]), self.in_of(pair[1]))).collect();
        if let (Ends::Open { .. }, [front, .., back]) = (&self.instance.ends, path) {
            let [into, out] = [self.count as u32 - 2, self.count as u32 - 1];
            links.extend([(out, self.in_of(*front)), (self.out_of(*back), into)]);
        }
        links
    }

    /// Whether nothing links the two.
    pub(super) fn is_gap(&self, a: u32, b: u32) -> bool {
        !self.are_paired(a, b) && self.weight(a, b) == self.gap
    }

    #[inline]
    pub(super) fn candidates(&self, node: u32) -> &[u32] {
        &self.candidates[node as usize * CANDIDATES..(node as usize + 1) * CANDIDATES]
    }

    /// Takes the potentials off the weights: at the least of `Σ wanted(v) π(v) + Σ max(0, w(uv) − π(u) − π(v))`, which bounds what
    /// tours weigh, by the sweeps of [`potentials`].
    fn settle_potentials(&mut self, is_over: &mut dyn FnMut() -> bool) -> Option<()> {
        let real = || self.weights.iter().filter(|&&weight| weight != self.gap);
        let (least, most) = (*real().min()?, *real().max()?);
        // Small weights are blown up, so that potentials may lie between them.
        let scale = (LEAST_RANGE / (most - least).max(1)).max(1);
        let range = (most - least).max(1) as f32;
        let table: Vec<f32> = self
            .weights
            .iter()
            .map(|&weight| if weight == self.gap { FAR_BELOW } else { (weight - least) as f32 / range })
            .collect();
        let mut settled: Vec<f32> = table
            .chunks_exact(self.count)
            .map(|row| {
                row.iter().copied().fold([0.0; 2], |[a, b], weight| [f32::max(a, weight), b.max(weight.min(a))])[1]
                    / 2.0
            })
            .collect();
        let mut steps = vec![0.0; self.count];
        for sweep in 0..SWEEPS {
            let width = potentials::width(sweep);
            for (node, (row, step)) in table.chunks_exact(self.count).zip(&mut steps).enumerate() {
                let wanted = if self.mates[node] == NOBODY { 2.0 } else { 1.0 };
                let (used, slope) = use_of_all(row, &settled, settled[node], 1.0 / width);
                *step = potentials::step(width, used - wanted, slope);
                if is_over() {
                    return None;
                }
            }
            settled.iter_mut().zip(&steps).for_each(|(potential, step)| *potential += step);
        }
        let settled: Vec<i64> = settled
            .iter()
            .map(|&potential| (f64::from(potential) * (range as f64) * scale as f64).round() as i64)
            .collect();
        let gap = self.gap * scale;
        for (node, row) in self.weights.chunks_exact_mut(self.count).enumerate() {
            for (weight, &potential) in row.iter_mut().zip(&settled) {
                let is_gap = *weight == self.gap;
                *weight = if is_gap { gap } else { (*weight - least) * scale - potential - settled[node] };
            }
        }
        self.gap = gap;
        Some(())
    }

    fn choose_candidates(&mut self, is_over: &mut dyn FnMut() -> bool) -> Option<()> {
        self.candidates = vec![NOBODY; self.count * CANDIDATES];
        let mut row: Vec<u32> = Vec::with_capacity(self.count);
        for node in 0..self.count as u32 {
            row.clear();
            row.extend((0..self.count as u32).filter(|&other| other != node && self.weight(node, other) != self.gap));
            let by_weight = |&other: &u32| std::cmp::Reverse(self.weight(node, other));
            if row.len() > CANDIDATES {
                row.select_nth_unstable_by_key(CANDIDATES - 1, by_weight);
                row.truncate(CANDIDATES);
            }
            row.sort_unstable_by_key(by_weight);
            self.candidates[node as usize * CANDIDATES..][..row.len()].copy_from_slice(&row);
            if is_over() {
                return None;
            }
        }
        Some(())
    }

    /// The path (or cycle) of the instance that is worth most, of those that lie between gaps of a tour.
    pub(super) fn best_path(&self, tour: &[u32]) -> Option<(Vec<u32>, i64)> {
        let len = tour.len();
        let is_depot = |node: u32| matches!(self.instance.ends, Ends::Open { .. }) && node as usize + 2 >= self.count;
        let is_cut = |at: usize| {
            let (node, next) = (tour[at % len], tour[(at + 1) % len]);
            is_depot(node) || is_depot(next) || self.is_gap(node, next)
        };
        let Some(cut) = (0..len).find(|&at| is_cut(at)) else {
            let cycle = self.vertices(tour.iter().copied());
            return matches!(self.instance.ends, Ends::Closed { .. }).then(|| {
                let value = self.instance.value(&cycle);
                (cycle, value)
            });
        };
        if matches!(self.instance.ends, Ends::Closed { .. }) {
            return None;
        }
        let mut best: Option<(Vec<u32>, i64)> = None;
        let mut begin = cut + 1;
        for end in cut + 1..=cut + len {
            if !is_cut(end) {
                continue;
            }
            let stretch = (begin..=end).map(|at| tour[at % len]);
            begin = end + 1;
            if is_depot(tour[end % len]) {
                continue;
            }
            if let Some((path, value)) = self.valued(self.vertices(stretch))
                && best.as_ref().is_none_or(|best| value > best.1)
            {
                best = Some((path, value));
            }
        }
        best
    }

    /// The vertices that a stretch of a tour goes through, forwards.
    fn vertices(&self, stretch: impl Iterator<Item = u32>) -> Vec<u32> {
        if !self.is_directed {
            return stretch.collect();
        }
        let nodes: Vec<u32> = stretch.collect();
        // Where vertices come in from behind, the tour leads the other way.
        let is_backwards = match nodes[..] {
            [a, b, ..] if self.are_paired(a, b) => a % 2 == 1,
            [a, ..] => a.is_multiple_of(2),
            [] => false,
        };
        let mut vertices: Vec<u32> =
            nodes.iter().filter(|&node| node.is_multiple_of(2)).map(|&node| node / 2).collect();
        if is_backwards {
            vertices.reverse();
        }
        vertices
    }

    /// A path turned so that it may begin and end where it does and is worth most, if it may.
    fn valued(&self, mut path: Vec<u32>) -> Option<(Vec<u32>, i64)> {
        worth(self.instance, *path.first()?, *path.last()?)?;
        if path.len() == 1 && matches!(self.instance.ends, Ends::Open { single_vertex: false, .. }) {
            return None;
        }
        Shape::LOOSE.straighten(&mut path, self.instance);
        let value = self.instance.value(&path);
        Some((path, value))
    }
}

/// How far the weights of edges and what ends are worth lie apart.
fn range(instance: &Instance) -> i64 {
    let weights = || instance.graph.edges().iter().map(|edge| edge.weight);
    let ends: [&[i64]; 2] = match &instance.ends {
        Ends::Open { first, last, .. } => [first, last],
        Ends::Closed { .. } => [&[]; 2],
    };
    let prizes = || ends.into_iter().flatten().copied().filter(|&prize| prize != NOT_AN_END);
    let most = weights().chain(prizes()).max().unwrap_or(0);
    most.saturating_sub(weights().chain(prizes()).min().unwrap_or(0))
}

/// How much a node uses all its links, and how fast that changes: sums of [`smoothed_use`](potentials::smoothed_use).
fn use_of_all(row: &[f32], potentials: &[f32], own: f32, per_width: f32) -> (f32, f32) {
    let (mut used, mut slope) = ([0.0f32; LANES], [0.0f32; LANES]);
    let mut add = |lane: usize, weight: f32, potential: f32| {
        let (more, steeper) = potentials::smoothed_use((weight - potential - own) * per_width);
        used[lane] += more;
        slope[lane] += steeper;
    };
    let (rows, others) = (row.chunks_exact(LANES), potentials.chunks_exact(LANES));
    for (lane, (&weight, &potential)) in rows.remainder().iter().zip(others.remainder()).enumerate() {
        add(lane, weight, potential);
    }
    for (weights, potentials) in rows.zip(others) {
        for lane in 0..LANES {
            add(lane, weights[lane], potentials[lane]);
        }
    }
    (used.iter().sum(), slope.iter().sum())
}

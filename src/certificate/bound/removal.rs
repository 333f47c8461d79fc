//! Removing vertices and putting them back.

use std::collections::BinaryHeap;

use petgraph::unionfind::UnionFind;

use super::network::{Network, Rule};

/// What must be visited is worth this beside its own worth. All other worths together are less: at most 2³² times two
/// shares, each of at most a weight of 2⁶³ · 2²⁴, all multipliers and 2⁶³ booked.
const FORCED: i128 = 1 << 123;

/// The most that a path (cycle) can be worth once `removed` (all different) are removed and put back, by the argument at
/// the head of the module; `None` if there is none.
pub(crate) fn most(network: &Network, removed: &[usize]) -> Option<i128> {
    let extra = Extra::new(network)?;
    let mut worth = network.worths();
    worth.extend([0, 0]);
    for &vertex in &extra.forced {
        worth[vertex] += FORCED;
    }
    let mut place = vec![usize::MAX; worth.len()];
    for (at, &vertex) in removed.iter().enumerate() {
        place[vertex] = at;
    }

    let mut parts = Parts::of_what_remains(network, &extra, &place, &worth);
    let onward = Onward::new(network, &extra, &place, removed.len());
    let mut reached = Vec::new();
    for (at, &vertex) in removed.iter().enumerate().rev() {
        reached.clear();
        reached.extend(onward.row(at).iter().map(|&(other, leaves)| (parts.components.find_mut(other), leaves)));
        reached.sort_unstable();
        let mut around = None;
        for two in reached.windows(2) {
            let (one, two) = (two[0], two[1]);
            if one.0 == two.0 && (!network.directed || one.1 != two.1) {
                around = around.max(parts.numbers[one.0].peek().map(|number| worth[vertex] + number));
            }
        }
        for &(other, _) in &reached {
            parts.unite(vertex, other);
        }
        let ways = if network.directed {
            usize::from(reached.iter().any(|&(_, leaves)| leaves))
                + usize::from(reached.iter().any(|&(_, leaves)| !leaves))
        } else {
            reached.len().min(2)
        };
        let part = parts.components.find_mut(vertex);
        let glued: i128 = (0..ways).map_while(|_| parts.numbers[part].pop()).sum();
        parts.cycles[part] = parts.cycles[part].max(around);
        parts.numbers[part].push(worth[vertex] + glued);
    }

    let best = parts.best(extra.cycle)? - FORCED * extra.forced.len() as i128;
    (best >= 0).then_some(best + network.outside())
}

/// What must be visited, and the extra vertices that stand for fixed ends: two behind the others, the one before the path
/// and the one after it. One that no end is fixed to is adjacent to nothing, and left out.
struct Extra {
    edges: Vec<(usize, usize)>,
    forced: Vec<usize>,
    /// Whether a cycle is asked for, or the extra vertices make it one.
    cycle: bool,
}

impl Extra {
    /// `None` if there can't be a path.
    fn new(network: &Network) -> Option<Self> {
        let (before, after) = (network.vertex_count, network.vertex_count + 1);
        let mut extra = Extra { edges: Vec::new(), forced: Vec::new(), cycle: false };
        let (first, last) = match &network.rule {
            Rule::Closed { through } => {
                extra.forced.extend(*through);
                extra.cycle = true;
                return Some(extra);
            }
            Rule::Open { first, last, .. } => (Allowed::of(first), Allowed::of(last)),
        };
        if first == Allowed::Nowhere || last == Allowed::Nowhere {
            return None;
        }
        if let Allowed::Only(vertex) = first {
            extra.edges.push((before, vertex));
            extra.forced.push(before);
        }
        if let Allowed::Only(vertex) = last {
            extra.edges.push((vertex, after));
            extra.forced.push(after);
        }
        if let (Allowed::Only(from), Allowed::Only(to)) = (first, last) {
            let mut components = UnionFind::new(network.vertex_count);
            for edge in &network.edges {
                components.union(edge.source, edge.target);
            }
            if components.find_mut(from) != components.find_mut(to) {
                return None;
            }
            extra.edges.push((after, before));
            extra.cycle = true;
        }
        Some(extra)
    }
}

/// At how many vertices a path may begin (or end).
#[derive(PartialEq, Eq)]
enum Allowed {
    Nowhere,
    Only(usize),
    Anywhere,
}

impl Allowed {
    fn of(ends: &[Option<i128>]) -> Self {
        let mut allowed = (0..ends.len()).filter(|&vertex| ends[vertex].is_some());
        match (allowed.next(), allowed.next()) {
            (None, _) => Allowed::Nowhere,
            (Some(vertex), None) => Allowed::Only(vertex),
            _ => Allowed::Anywhere,
        }
    }
}

/// The edges of each removed vertex to what is removed later or not at all: the other end, and whether the edge leaves the
/// vertex.
struct Onward {
    starts: Vec<usize>,
    rows: Vec<(usize, bool)>,
}

impl Onward {
    fn new(network: &Network, extra: &Extra, place: &[usize], removed: usize) -> Self {
        let edges = || network.pairs().chain(extra.edges.iter().copied());
        let mut starts = vec![0usize; removed + 1];
        for (source, target) in edges() {
            let at = place[source].min(place[target]);
            if at != usize::MAX {
                starts[at + 1] += 1;
            }
        }
        for at in 0..removed {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut rows = vec![(0, false); starts[removed]];
        for (source, target) in edges() {
            let leaves = place[source] < place[target];
            let (at, other) = if leaves { (place[source], target) } else { (place[target], source) };
            if at != usize::MAX {
                rows[next[at]] = (other, leaves);
                next[at] += 1;
            }
        }
        Onward { starts, rows }
    }

    fn row(&self, at: usize) -> &[(usize, bool)] {
        &self.rows[self.starts[at]..self.starts[at + 1]]
    }
}

/// Components, each with its numbers.
struct Parts {
    components: UnionFind<usize>,
    /// By representative: the numbers `d₁ ≥ d₂ ≥ …`.
    numbers: Vec<BinaryHeap<i128>>,
    /// By representative: no cycle in the component is worth more.
    cycles: Vec<Option<i128>>,
}

impl Parts {
    /// The components without all that is removed: each has one number.
    fn of_what_remains(network: &Network, extra: &Extra, place: &[usize], worth: &[i128]) -> Self {
        let count = place.len();
        let mut components = UnionFind::new(count);
        for (source, target) in network.pairs().chain(extra.edges.iter().copied()) {
            if place[source] == usize::MAX && place[target] == usize::MAX {
                components.union(source, target);
            }
        }
        let mut sums = vec![0i128; count];
        let mut sizes = vec![0usize; count];
        let is_there = |&vertex: &usize| vertex < network.vertex_count || extra.forced.contains(&vertex);
        for vertex in (0..count).filter(is_there).filter(|&vertex| place[vertex] == usize::MAX) {
            let part = components.find_mut(vertex);
            sums[part] += worth[vertex];
            sizes[part] += 1;
        }
        let mut parts = Parts { components, numbers: vec![BinaryHeap::new(); count], cycles: vec![None; count] };
        for part in (0..count).filter(|&part| sizes[part] > 0) {
            parts.numbers[part].push(sums[part]);
            parts.cycles[part] = (sizes[part] > 1).then_some(sums[part]);
        }
        parts
    }

    /// The greatest number, or the most that a cycle can be worth.
    fn best(&self, cycle: bool) -> Option<i128> {
        let parts = (0..self.numbers.len()).filter(|&part| self.components.find(part) == part);
        if cycle {
            parts.filter_map(|part| self.cycles[part]).max()
        } else {
            parts.filter_map(|part| self.numbers[part].peek().copied()).max()
        }
    }

    fn unite(&mut self, one: usize, two: usize) {
        let (one, two) = (self.components.find_mut(one), self.components.find_mut(two));
        if !self.components.union(one, two) {
            return;
        }
        let (small, large) = if self.components.find_mut(one) == one { (two, one) } else { (one, two) };
        let mut fewer = std::mem::take(&mut self.numbers[small]);
        if fewer.len() > self.numbers[large].len() {
            std::mem::swap(&mut fewer, &mut self.numbers[large]);
        }
        self.numbers[large].extend(fewer);
        self.cycles[large] = self.cycles[large].max(self.cycles[small]);
    }
}

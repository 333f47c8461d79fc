//! What the tests share: a brute force that uses nothing of the library, and generators of small graphs.

pub(crate) mod ask;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A small multigraph as plain data.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    pub(crate) nodes: usize,
    pub(crate) directed: bool,
    pub(crate) edges: Vec<(usize, usize, i64)>,
}

/// The ends of the path asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
    pub(crate) closed: bool,
}

impl Ends {
    pub(crate) const FREE: Ends = Ends { from: None, to: None, closed: false };

    /// One of each kind, at random nodes.
    pub(crate) fn sample(rng: &mut Pcg64Mcg, nodes: usize) -> [Ends; 6] {
        let (one, two) = (Some(rng.random_range(0..nodes)), Some(rng.random_range(0..nodes)));
        [
            Ends::FREE,
            Ends { from: one, ..Ends::FREE },
            Ends { to: two, ..Ends::FREE },
            Ends { from: one, to: two, closed: false },
            Ends { closed: true, ..Ends::FREE },
            Ends { from: one, to: None, closed: true },
        ]
    }

    pub(crate) fn all(nodes: usize) -> impl Iterator<Item = Ends> {
        let ends = move || std::iter::once(None).chain((0..nodes).map(Some));
        let open = ends().flat_map(move |from| ends().map(move |to| Ends { from, to, closed: false }));
        open.chain(ends().map(|from| Ends { from, to: None, closed: true }))
    }
}

impl Small {
    /// Every way to draw edges between `nodes` nodes, each one or none, is one graph.
    pub(crate) fn every(nodes: usize, directed: bool) -> impl Iterator<Item = Small> {
        let pairs: Vec<(usize, usize)> = (0..nodes)
            .flat_map(|a| (0..nodes).map(move |b| (a, b)))
            .filter(|&(a, b)| if directed { a != b } else { a < b })
            .collect();
        (0u64..1 << pairs.len()).map(move |mask| {
            let drawn = pairs.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            Small { nodes, directed, edges: drawn.map(|(_, &(a, b))| (a, b, 1)).collect() }
        })
    }

    /// A random multigraph, loops and parallel edges included.
    pub(crate) fn random(rng: &mut Pcg64Mcg, nodes: usize, edges: usize, directed: bool, weights: (i64, i64)) -> Small {
        let mut end = || rng.random_range(0..nodes);
        let pairs: Vec<_> = (0..edges).map(|_| (end(), end())).collect();
        let edges = pairs.into_iter().map(|(a, b)| (a, b, rng.random_range(weights.0..=weights.1))).collect();
        Small { nodes, directed, edges }
    }

    /// A random graph grown by gluing small parts to a random node: cycles with chords, chains between two old nodes,
    /// pendant trees; nodes renamed at random.
    pub(crate) fn glued(rng: &mut Pcg64Mcg, nodes: usize, directed: bool, weights: (i64, i64)) -> Small {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut made = 1;
        while made < nodes {
            let fresh = rng.random_range(1..=4).min(nodes - made);
            let (from, to) = (rng.random_range(0..made), rng.random_range(0..made));
            let part: Vec<usize> = std::iter::once(from).chain(made..made + fresh).collect();
            match rng.random_range(0..4) {
                0 => pairs.extend(part[1..].iter().map(|&node| (from, node))),
                1 => pairs.extend(part.windows(2).map(|pair| (pair[0], pair[1]))),
                2 => pairs.extend(part.iter().copied().zip(part[1..].iter().copied().chain([to]))),
                _ => {
                    pairs.extend(part.iter().copied().zip(part[1..].iter().copied().chain([from])));
                    pairs.push((part[rng.random_range(0..part.len())], part[rng.random_range(0..part.len())]));
                }
            }
            made += fresh;
        }
        let mut name: Vec<usize> = (0..nodes).collect();
        shuffle(rng, &mut name);
        let mut edges = Vec::new();
        for (a, b) in pairs {
            let (a, b) = if rng.random_bool(0.5) { (name[a], name[b]) } else { (name[b], name[a]) };
            edges.push((a, b, rng.random_range(weights.0..=weights.1)));
            if directed && rng.random_bool(0.6) {
                edges.push((b, a, rng.random_range(weights.0..=weights.1)));
            }
        }
        Small { nodes, directed, edges }
    }

    /// A random graph in which a node has many closed twins, with the weights of its edges.
    pub(crate) fn twinned(rng: &mut Pcg64Mcg, cores: usize, edges: usize, twins: usize, weights: (i64, i64)) -> Small {
        let mut small = Small::random(rng, cores, edges, false, weights);
        let (model, within) = (rng.random_range(0..cores), rng.random_range(0..=weights.1));
        let copied: Vec<_> =
            small.edges.iter().copied().filter(|&(a, b, _)| a != b && (a == model || b == model)).collect();
        for twin in cores..cores + twins {
            small.edges.extend(copied.iter().map(|&(a, b, weight)| (if a == model { b } else { a }, twin, weight)));
            small.edges.push((model, twin, within));
            small.edges.extend((cores..twin).map(|other| (other, twin, within)));
        }
        small.nodes += twins;
        small
    }

    /// A random graph on `cores` nodes whose edges become chains with up to `longest` inner nodes.
    pub(crate) fn chained(
        rng: &mut Pcg64Mcg,
        cores: usize,
        edges: usize,
        longest: usize,
        weights: (i64, i64),
    ) -> Small {
        let mut small = Small { nodes: cores, directed: false, edges: Vec::new() };
        for _ in 0..edges {
            let (mut from, to) = (rng.random_range(0..cores), rng.random_range(0..cores));
            for _ in 0..rng.random_range(0..=longest) {
                small.edges.push((from, small.nodes, rng.random_range(weights.0..=weights.1)));
                from = small.nodes;
                small.nodes += 1;
            }
            small.edges.push((from, to, rng.random_range(weights.0..=weights.1)));
        }
        small
    }

    /// The length of the longest path or cycle, by trying every sequence of nodes; `None` if there is none.
    pub(crate) fn longest(&self, ends: Ends) -> Option<i64> {
        Walk::best(self, ends, None)
    }

    /// The greatest weight of a path of exactly so many nodes, by trying every sequence; `None` if there is none.
    pub(crate) fn heaviest_of(&self, k: usize, ends: Ends) -> Option<i64> {
        Walk::best(self, ends, Some(k))
    }
}

/// Every sequence of nodes in turn, sets of nodes as bits.
struct Walk {
    ends: Ends,
    /// How many nodes the path must have, if it matters.
    size: Option<usize>,
    /// The heaviest step between two nodes, by both.
    step: Vec<i64>,
    /// Where a step leads from each node.
    next: Vec<u64>,
    /// The fewest nodes of a cycle.
    least: u32,
    best: Option<i64>,
}

impl Walk {
    fn best(small: &Small, ends: Ends, size: Option<usize>) -> Option<i64> {
        let nodes = small.nodes;
        assert!(nodes <= 64, "no brute force goes through so many nodes");
        let (step, next) = (vec![i64::MIN; nodes * nodes], vec![0; nodes]);
        let mut walk = Walk { ends, size, step, next, least: if small.directed { 2 } else { 3 }, best: None };
        for &(a, b, weight) in small.edges.iter().filter(|(a, b, _)| a != b) {
            let back = (!small.directed).then_some((b, a));
            for (from, to) in std::iter::once((a, b)).chain(back) {
                let step = &mut walk.step[from * nodes + to];
                *step = weight.max(*step);
                walk.next[from] |= 1 << to;
            }
        }
        for start in 0..nodes {
            if ends.closed {
                // A cycle is walked from the first of its nodes.
                walk.go_on(start, start, (1 << start) - 1, 1 << start, 0);
            } else if ends.from.is_none_or(|from| from == start) {
                walk.go_on(start, start, 0, 1 << start, 0);
            }
        }
        walk.best
    }

    fn go_on(&mut self, start: usize, head: usize, barred: u64, path: u64, length: i64) {
        let row = head * self.next.len();
        if self.ends.closed {
            let closes = self.next[head] >> start & 1 == 1 && path.count_ones() >= self.least;
            if closes && self.ends.from.is_none_or(|from| path >> from & 1 == 1) {
                self.best = self.best.max(Some(length + self.step[row + start]));
            }
        } else {
            let is_whole = self.size.is_none_or(|size| size == path.count_ones() as usize);
            if is_whole && self.ends.to.is_none_or(|to| to == head) {
                self.best = self.best.max(Some(length));
            }
            if is_whole && self.size.is_some() {
                return;
            }
        }
        let mut left = self.next[head] & !path & !barred;
        while left != 0 {
            let next = left.trailing_zeros() as usize;
            left &= left - 1;
            self.go_on(start, next, barred, path | 1 << next, length + self.step[row + next]);
        }
    }
}

/// As many rounds of random cases as every run of the tests has time for; `LONGHAUL_ROUNDS` times as many where that is set.
pub(crate) fn rounds(few: usize) -> usize {
    let times = std::env::var("LONGHAUL_ROUNDS").map_or(1, |times| times.parse().expect("a whole number"));
    few * times
}

pub(crate) fn rng(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

pub(crate) fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.random_range(0..=last));
    }
}

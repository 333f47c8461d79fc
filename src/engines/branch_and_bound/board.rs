//! An instance as bit rows and matrices, with what the bounds need of it.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::bits::Bits;
use super::ways::{NONE, plus};
use crate::instance::{Budget, Ends, Instance, NOT_AN_END};
use crate::top_two::keep_top_two;

/// Edges are divided anew so many times at the most, which takes a few milliseconds.
const DIVISION_VISITS: usize = 1 << 15;

pub(super) struct Board<B> {
    pub(super) n: usize,
    pub(super) directed: bool,
    pub(super) closed: bool,
    /// Whether a single vertex is a path.
    pub(super) single_vertex: bool,
    /// The vertex that a cycle must visit.
    pub(super) through: Option<usize>,
    /// Whether every path (cycle) is worth as much the other way round.
    pub(super) symmetric: bool,
    pub(super) vertices: B,
    pub(super) out: Vec<B>,
    pub(super) into: Vec<B>,
    /// Neighbours whatever the direction.
    pub(super) around: Vec<B>,
    /// The arc from `u` to `v` weighs `weights[u * n + v]`.
    weights: Vec<i64>,

    /// The prizes for the first and the last vertex; [`NOT_AN_END`] everywhere for cycles.
    pub(super) first: Vec<i64>,
    pub(super) last: Vec<i64>,
    pub(super) may_be_first: B,
    pub(super) may_be_last: B,
    /// The best of `last`.
    pub(super) best_prize: i64,
    /// What a path that is longer than one vertex adds to twice its length by beginning, or ending, at each vertex: twice
    /// the prize, less the half edge that is missing there. [`NONE`] where it may not.
    pub(super) first_worth: Vec<i64>,
    pub(super) last_worth: Vec<i64>,
    /// The vertices where a path may begin, or end, in descending order of that worth.
    first_order: Vec<u8>,
    last_order: Vec<u8>,

    /// Whether all edges weigh the same.
    uniform: bool,
    /// Twice the weight of an arc from `u` to `v` is divided between its ends: `shares[u * n + v]` for `u`, the rest for
    /// `v`, both of the sign of the weight. (Undirected, that rest is `shares[v * n + u]`.)
    shares: Vec<i64>,
    /// The best shares in the two arcs by which a path passes a vertex (in the one by which it ends there, if it can't
    /// pass), or 0 where that is negative: the most that visiting it can add to *twice* the length.
    pub(super) passing: Vec<i64>,
    /// The best share in an arc in, and in one out: what the ends of a segment of path can add. [`NONE`] without any arc.
    pub(super) entering: Vec<i64>,
    pub(super) leaving: Vec<i64>,
    /// For every vertex its twins of smaller index: exchanging the two changes nothing.
    pub(super) twins_before: Vec<B>,
    /// Whether the assignment bound is worth its time. Undirected, it may go to and fro along every edge.
    pub(super) assigns: bool,
    /// The two sides, where the graph is bipartite and no edge is heavier than 1; see [`Board::alternating`].
    sides: Option<[B; 2]>,
}

impl<B: Bits> Board<B> {
    pub(super) fn new(instance: &Instance) -> Self {
        let graph = &instance.graph;
        let n = graph.vertex_count();
        assert!(n <= B::CAPACITY, "{n} vertices don't fit {} bits", B::CAPACITY);
        let mut out = vec![B::default(); n];
        let mut into = vec![B::default(); n];
        let mut weights = vec![0; n * n];
        for edge in graph.edges() {
            let (source, target) = (edge.source as usize, edge.target as usize);
            out[source] |= B::only(target);
            into[target] |= B::only(source);
            weights[source * n + target] = edge.weight;
            if !graph.is_directed() {
                out[target] |= B::only(source);
                into[source] |= B::only(target);
                weights[target * n + source] = edge.weight;
            }
        }
        let around: Vec<B> = out.iter().zip(&into).map(|(&out, &into)| out | into).collect();

        let (first, last) = match &instance.ends {
            Ends::Open { first, last, .. } => (first.clone(), last.clone()),
            Ends::Closed { .. } => (vec![NOT_AN_END; n], vec![NOT_AN_END; n]),
        };
        let allowed = |prizes: &[i64]| {
            (0..n).filter(|&v| prizes[v] != NOT_AN_END).fold(B::default(), |set, vertex| set | B::only(vertex))
        };
        let uniform = graph.edges().iter().all(|edge| edge.weight == graph.edges()[0].weight);
        let mut board = Board {
            n,
            directed: graph.is_directed(),
            closed: matches!(instance.ends, Ends::Closed { .. }),
            single_vertex: matches!(instance.ends, Ends::Open { single_vertex: true, .. }),
            through: match instance.ends {
                Ends::Closed { through } => through.map(|vertex| vertex as usize),
                Ends::Open { .. } => None,
            },
            symmetric: !graph.is_directed() && first == last,
            vertices: (0..n).fold(B::default(), |set, vertex| set | B::only(vertex)),
            may_be_first: allowed(&first),
            may_be_last: allowed(&last),
            best_prize: last.iter().copied().max().unwrap_or(NOT_AN_END),
            first_worth: Vec::new(),
            last_worth: Vec::new(),
            first_order: Vec::new(),
            last_order: Vec::new(),
            first,
            last,
            out,
            into,
            around,
            weights,
            shares: Vec::new(),
            passing: Vec::new(),
            entering: Vec::new(),
            leaving: Vec::new(),
            twins_before: Vec::new(),
            assigns: graph.is_directed() || !uniform,
            uniform,
            sides: None,
        };
        board.shares = board.weights.clone();
        board.weigh();
        board.twins_before = (0..n).map(|vertex| board.twins_before(vertex)).collect();
        if graph.edges().iter().all(|edge| edge.weight <= 1) {
            board.sides = board.two_colours();
        }
        board
    }

    /// Divides every edge so that the vertices are worth little in sum, from halves on by small changes that do no harm.
    ///
    /// The least possible sum is the greatest weight of a fractional 2-matching (where no edge counts twice, and vertices
    /// may be left out), by linear programming duality; any division bounds.
    pub(super) fn divide(&mut self, budget: &Budget) {
        if self.uniform {
            return;
        }
        let pairs = (0..self.n).flat_map(|u| self.out[u].members().map(move |v| (u, v)));
        let arcs: Vec<(usize, usize)> = pairs.filter(|&(u, v)| self.directed || u < v).collect();
        let mut dice = Pcg64Mcg::seed_from_u64(budget.seed);
        let mut step = arcs.iter().map(|&(u, v)| self.weight(u, v).abs()).max().unwrap_or(0);
        let mut visits = 0;
        'passes: while step > 0 {
            let mut gained = false;
            for &(u, v) in &arcs {
                let weight = 2 * self.weight(u, v);
                let share = self.shares[u * self.n + v];
                let before = self.passing_of(u) + self.passing_of(v);
                let way = if dice.next_u32() % 2 == 0 { step } else { -step };
                for change in [way, -way] {
                    let changed = (share + change).clamp(weight.min(0), weight.max(0));
                    self.set_share(u, v, changed);
                    let after = self.passing_of(u) + self.passing_of(v);
                    if after <= before {
                        gained |= after < before;
                        break;
                    }
                    self.set_share(u, v, share);
                }
                visits += 1;
                if visits == DIVISION_VISITS || (visits % 128 == 0 && budget.spent().is_some()) {
                    break 'passes;
                }
            }
            if !gained {
                step /= 2;
            }
        }
        self.weigh();
    }

    fn set_share(&mut self, from: usize, to: usize, share: i64) {
        self.shares[from * self.n + to] = share;
        if !self.directed {
            self.shares[to * self.n + from] = 2 * self.weight(from, to) - share;
        }
    }

    /// The two best shares in arcs out of a vertex, and in arcs into it.
    fn best_shares(&self, vertex: usize) -> [(i64, i64); 2] {
        let best_two = |shares: &mut dyn Iterator<Item = i64>| {
            let (mut best, mut second) = (NONE, NONE);
            shares.for_each(|share| keep_top_two([&mut best, &mut second], share, |&share| share));
            (best, second)
        };
        let n = self.n;
        let out = best_two(&mut self.out[vertex].members().map(|to| self.shares[vertex * n + to]));
        if !self.directed {
            return [out, out];
        }
        let share_in = |from: usize| 2 * self.weight(from, vertex) - self.shares[from * n + vertex];
        [out, best_two(&mut self.into[vertex].members().map(share_in))]
    }

    fn passing_of(&self, vertex: usize) -> i64 {
        let [out, into] = self.best_shares(vertex);
        let (one, other) = (out.0, if self.directed { into.0 } else { out.1 });
        // A path that can't pass may still end here.
        if one == NONE || other == NONE { one.max(other).max(0) } else { (one + other).max(0) }
    }

    /// Computes anew what follows from the shares.
    fn weigh(&mut self) {
        self.passing = (0..self.n).map(|vertex| self.passing_of(vertex)).collect();
        self.leaving = (0..self.n).map(|vertex| self.best_shares(vertex)[0].0).collect();
        self.entering = (0..self.n).map(|vertex| self.best_shares(vertex)[1].0).collect();
        let worths = |prizes: &[i64], shares: &[i64]| {
            let worth = |v: usize| {
                if prizes[v] == NOT_AN_END { NONE } else { plus(2 * prizes[v] - self.passing[v], shares[v]) }
            };
            (0..self.n).map(worth).collect::<Vec<i64>>()
        };
        let first_worth = worths(&self.first, &self.leaving);
        let last_worth = worths(&self.last, &self.entering);
        let ordered = |worths: &[i64]| {
            let mut order: Vec<u8> = (0..self.n as u8).filter(|&v| worths[usize::from(v)] != NONE).collect();
            order.sort_by_key(|&v| std::cmp::Reverse(worths[usize::from(v)]));
            order
        };
        self.first_order = ordered(&first_worth);
        self.last_order = ordered(&last_worth);
        self.first_worth = first_worth;
        self.last_worth = last_worth;
    }

    /// The most that beginning in `set` is worth.
    pub(super) fn best_first(&self, set: B) -> i64 {
        best_two(&self.first_order, &self.first_worth, set)[0].1
    }

    /// The most that ending in `set` is worth.
    pub(super) fn best_last(&self, set: B) -> i64 {
        best_two(&self.last_order, &self.last_worth, set)[0].1
    }

    /// The most that beginning at one vertex of `set` and ending at another is worth.
    pub(super) fn best_ends(&self, set: B) -> i64 {
        let [first, other_first] = best_two(&self.first_order, &self.first_worth, set);
        let [last, other_last] = best_two(&self.last_order, &self.last_worth, set);
        if first.0 != last.0 {
            return plus(first.1, last.1);
        }
        plus(first.1, other_last.1).max(plus(other_first.1, last.1))
    }

    fn twins_before(&self, vertex: usize) -> B {
        let twins = |one: usize, other: usize| {
            let pair = B::only(one) | B::only(other);
            let (out, into) = (self.out[one] & !pair, self.into[one] & !pair);
            self.first[one] == self.first[other]
                && self.last[one] == self.last[other]
                && out == self.out[other] & !pair
                && into == self.into[other] & !pair
                && self.out[one].has(other) == self.out[other].has(one)
                && self.weight(one, other) == self.weight(other, one)
                && out.members().all(|to| self.weight(one, to) == self.weight(other, to))
                && into.members().all(|from| self.weight(from, one) == self.weight(from, other))
        };
        let before = (0..vertex).filter(|&other| twins(other, vertex));
        before.fold(B::default(), |set, other| set | B::only(other))
    }

    /// A two-colouring that no edge contradicts, or `None`.
    fn two_colours(&self) -> Option<[B; 2]> {
        let mut sides = [B::default(); 2];
        for start in 0..self.n {
            if (sides[0] | sides[1]).has(start) {
                continue;
            }
            let mut layer = B::only(start);
            let mut side = 0;
            while !layer.is_empty() {
                sides[side] |= layer;
                let next = layer.members().fold(B::default(), |set, vertex| set | self.around[vertex]);
                if !(next & sides[side]).is_empty() {
                    return None;
                }
                side = 1 - side;
                layer = next & !sides[side];
            }
        }
        Some(sides)
    }

    pub(super) fn weight(&self, from: usize, to: usize) -> i64 {
        self.weights[from * self.n + to]
    }

    /// No path is worth less than this.
    pub(super) fn least_value(&self) -> i64 {
        let lightest_in = |vertex: usize| self.into[vertex].members().map(|from| self.weight(from, vertex)).min();
        let weights: i64 = (0..self.n).map(|vertex| lightest_in(vertex).unwrap_or(0).min(0)).sum();
        let least = |prizes: &[i64], ends: B| ends.members().map(|vertex| prizes[vertex]).min().unwrap_or(0);
        weights + least(&self.first, self.may_be_first) + least(&self.last, self.may_be_last)
    }

    /// The sum of [`passing`](Self::passing).
    pub(super) fn passing_sum(&self, set: B) -> i64 {
        set.members().map(|vertex| self.passing[vertex]).sum()
    }

    /// The most edges of weight at most 1 that a path from `head` through `set` to one of `ends` can have: colours
    /// alternate along it. `None` where that says nothing.
    pub(super) fn alternating(&self, head: usize, set: B, ends: B) -> Option<i64> {
        let sides = self.sides?;
        let own = if sides[0].has(head) { 0 } else { 1 };
        let (same, other) = ((set & sides[own]).count() as i64, (set & sides[1 - own]).count() as i64);
        // The path leaves the head to the other side, and ends on one of the two.
        let mut most = 0;
        if !(ends & set & sides[own]).is_empty() {
            most = 2 * same.min(other);
        }
        if !(ends & set & sides[1 - own]).is_empty() && other > 0 {
            most = most.max(2 * same.min(other - 1) + 1);
        }
        Some(most)
    }
}

/// The first two vertices of `order` that are in `set`, with their worths; [`NONE`] where there are no more.
fn best_two<B: Bits>(order: &[u8], worths: &[i64], set: B) -> [(u8, i64); 2] {
    let mut found = order.iter().filter(|&&vertex| set.has(usize::from(vertex)));
    let mut next = || found.next().map_or((u8::MAX, NONE), |&vertex| (vertex, worths[usize::from(vertex)]));
    [next(), next()]
}

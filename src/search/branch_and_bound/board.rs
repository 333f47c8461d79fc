//! A piece as bit rows and matrices, with what the bounds need of it.

use super::bits::Bits;
use super::chains::NONE;
use crate::search::{Ends, NOT_AN_END, Piece};

pub(super) struct Board<B> {
    pub(super) n: usize,
    pub(super) directed: bool,
    pub(super) closed: bool,
    /// Whether a single vertex is a path.
    pub(super) lone: bool,
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

    /// Half an edge counts for either of its ends. The heaviest half in and the heaviest half out (two different ones
    /// where undirected), not negative: the most that visiting a vertex can add to *twice* the length.
    pub(super) halves: Vec<i64>,
    /// The heaviest half in, and out, not negative: what the ends of a stretch of path can add to twice its length.
    pub(super) half_in: Vec<i64>,
    pub(super) half_out: Vec<i64>,
    /// For every vertex its twins of smaller index: exchanging the two changes nothing.
    pub(super) twins_before: Vec<B>,
    /// Whether the assignment bound is worth its time. Undirected, it may go to and fro along every edge.
    pub(super) assigns: bool,
    /// The two sides, where the graph is bipartite and no edge is heavier than 1; see [`Board::alternating`].
    sides: Option<[B; 2]>,
}

impl<B: Bits> Board<B> {
    pub(super) fn new(piece: &Piece) -> Self {
        let graph = &piece.graph;
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

        let (first, last) = match &piece.ends {
            Ends::Open { first, last, .. } => (first.clone(), last.clone()),
            Ends::Closed { .. } => (vec![NOT_AN_END; n], vec![NOT_AN_END; n]),
        };
        let allowed = |prizes: &[i64]| {
            (0..n).filter(|&v| prizes[v] != NOT_AN_END).fold(B::default(), |set, vertex| set | B::only(vertex))
        };
        let mut board = Board {
            n,
            directed: graph.is_directed(),
            closed: matches!(piece.ends, Ends::Closed { .. }),
            lone: matches!(piece.ends, Ends::Open { lone: true, .. }),
            through: match piece.ends {
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
            halves: Vec::new(),
            half_in: Vec::new(),
            half_out: Vec::new(),
            twins_before: Vec::new(),
            assigns: graph.is_directed(),
            sides: None,
        };
        board.weigh();
        board.twins_before = (0..n).map(|vertex| board.twins_before(vertex)).collect();
        if graph.edges().iter().all(|edge| edge.weight <= 1) {
            board.sides = board.two_colours();
        }
        board
    }

    fn weigh(&mut self) {
        let best_two = |weights: &mut dyn Iterator<Item = i64>| {
            weights.fold(
                (0, 0),
                |(best, second), weight| {
                    if weight > best { (weight, best) } else { (best, second.max(weight)) }
                },
            )
        };
        for vertex in 0..self.n {
            let outward = best_two(&mut self.out[vertex].members().map(|to| self.weight(vertex, to)));
            let inward = best_two(&mut self.into[vertex].members().map(|from| self.weight(from, vertex)));
            self.half_out.push(outward.0);
            self.half_in.push(inward.0);
            self.halves.push(if self.directed { inward.0 + outward.0 } else { outward.0 + outward.1 });
        }
        let worths = |prizes: &[i64], kept: &[i64]| {
            let worth =
                |v: usize| if prizes[v] == NOT_AN_END { NONE } else { 2 * prizes[v] - self.halves[v] + kept[v] };
            (0..self.n).map(worth).collect::<Vec<i64>>()
        };
        let first_worth = worths(&self.first, &self.half_out);
        let last_worth = worths(&self.last, &self.half_in);
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
        let best = self.first_order.iter().find(|&&vertex| set.has(usize::from(vertex)));
        best.map_or(NONE, |&vertex| self.first_worth[usize::from(vertex)])
    }

    /// The most that ending in `set` is worth.
    pub(super) fn best_last(&self, set: B) -> i64 {
        let best = self.last_order.iter().find(|&&vertex| set.has(usize::from(vertex)));
        best.map_or(NONE, |&vertex| self.last_worth[usize::from(vertex)])
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

    /// The sum of [`halves`](Self::halves).
    pub(super) fn halves_of(&self, set: B) -> i64 {
        set.members().map(|vertex| self.halves[vertex]).sum()
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

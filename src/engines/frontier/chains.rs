//! The core of a piece: what is left when hanging trees are folded into end prizes and chains into single edges.
//!
//! *Folding.* A vertex with one neighbour left can only be an end of a path, or next to nothing: its prize, plus the edge
//! to the neighbour, becomes a prize of the neighbour, and the paths that lie wholly in what was folded are compared on
//! the spot. Where edges are directed the same holds for a vertex without arcs in (first only) or out (last only), towards
//! all its neighbours.
//!
//! *Chains.* A path of vertices of degree two becomes one edge between core vertices. The longest path may use nothing of
//! it, all of it, or *dip* into it from either side, or both, and end there; only the best dip of each kind matters. A path
//! wholly inside a chain is found by one scan. Sound because these cases are all there are.

use crate::instance::{Ends, NOT_AN_END, Piece};

use super::contract::{Rough, contract};
use super::kernel::Role;

const NONE: u32 = u32::MAX;

/// The core graph: a multigraph, possibly with loops, whose edges are [`Chain`]s.
pub(super) struct Core {
    /// The vertex of the piece behind each core vertex.
    pub(super) vertices: Vec<u32>,
    pub(super) chains: Vec<Chain>,
    pub(super) ends: CoreEnds,
    /// The best path (or cycle) that the core does not show, with its value.
    pub(super) aside: Option<(Vec<u32>, i64)>,
    tails: [Vec<u32>; 2],
}

/// The end rule on the core.
pub(super) enum CoreEnds {
    Open {
        /// Prizes of core vertices for being first and last, with what was folded into them.
        prizes: [Vec<i64>; 2],
        /// Undirected, and the same prizes for both ends.
        symmetric: bool,
    },
    Closed {
        through: Option<u32>,
    },
}

/// An edge of the core, directed from `a` to `b` if the piece is.
pub(super) struct Chain {
    pub(super) a: u32,
    pub(super) b: u32,
    /// The vertices of the piece on the way from `a` to `b`.
    pub(super) interior: Vec<u32>,
    pub(super) uses: Vec<Use>,
}

/// One way to use a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) gain: i64,
    pub(super) kind: UseKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum UseKind {
    /// From end to end.
    Full,
    /// Coming from `a`, the path ends after this many interior vertices.
    DipA(Role, u32),
    /// Coming from `b`, the path ends after this many interior vertices.
    DipB(Role, u32),
    /// Both ends of the path lie in the chain, these many vertices from `a` and from `b`.
    Dips(Role, u32, Role, u32),
}

impl UseKind {
    /// The ends of the whole path that lie in it.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role> + use<> {
        let roles = match *self {
            UseKind::Full => [None, None],
            UseKind::DipA(role, _) | UseKind::DipB(role, _) => [Some(role), None],
            UseKind::Dips(role_a, _, role_b, _) => [Some(role_a), Some(role_b)],
        };
        roles.into_iter().flatten()
    }
}

/// `prize + gain`, where the prize may be "not an end".
fn plus(prize: i64, gain: i64) -> i64 {
    if prize == NOT_AN_END { NOT_AN_END } else { prize + gain }
}

/// `first + gain + last`, where both prizes may be "not an end".
fn sum(first: i64, gain: i64, last: i64) -> i64 {
    if last == NOT_AN_END { NOT_AN_END } else { plus(first, gain + last) }
}

impl Core {
    pub(super) fn new(piece: &Piece) -> Self {
        let mut fold = Fold::new(piece);
        fold.run();
        fold.into_core()
    }

    /// Whether vertex `v` of the piece lies on the core, as a map from the piece's vertices.
    pub(super) fn core_from_vertex(&self, vertex_count: usize) -> Vec<u32> {
        let mut map = vec![NONE; vertex_count];
        for (core, &vertex) in self.vertices.iter().enumerate() {
            map[vertex as usize] = core as u32;
        }
        map
    }

    /// The vertices beyond `vertex` when a path ends there in that role, nearest first.
    pub(super) fn tail(&self, vertex: u32, role: Role) -> impl Iterator<Item = u32> + '_ {
        tail(&self.tails[usize::from(role == Role::Last)], vertex)
    }
}

fn tail(next: &[u32], vertex: u32) -> impl Iterator<Item = u32> + '_ {
    let onward = move |&at: &u32| Some(next[at as usize]).filter(|&next| next != NONE);
    std::iter::successors(onward(&vertex), onward)
}

/// A path found while folding: `first … from, to … last`, where the tail of `from` is final and that of `to` is as
/// it was then.
#[derive(Clone, Copy)]
struct Folded {
    value: i64,
    first_tail_start: u32,
    from: u32,
    to: u32,
    last_tail_start: u32,
}

pub(super) struct Fold<'a> {
    pub(super) piece: &'a Piece,
    pub(super) alive: Vec<bool>,
    /// Arcs out and in that are left; the same where undirected.
    pub(super) degrees: [Vec<u32>; 2],
    /// Prizes for being first and last.
    prizes: [Vec<i64>; 2],
    tails: [Vec<u32>; 2],
    best: Option<Folded>,
}

impl<'a> Fold<'a> {
    fn new(piece: &'a Piece) -> Self {
        let graph = &piece.graph;
        let n = graph.vertex_count();
        let vertices = 0..n as u32;
        let prizes = match &piece.ends {
            Ends::Open { first, last, .. } => [first.clone(), last.clone()],
            Ends::Closed { .. } => [vec![NOT_AN_END; n], vec![NOT_AN_END; n]],
        };
        let out = vertices.clone().map(|vertex| graph.out_arcs(vertex).len() as u32).collect();
        let into = vertices.map(|vertex| graph.in_arcs(vertex).len() as u32).collect();
        let tails = [vec![NONE; n], vec![NONE; n]];
        Fold { piece, alive: vec![true; n], degrees: [out, into], prizes, tails, best: None }
    }

    pub(super) fn directed(&self) -> bool {
        self.piece.graph.is_directed()
    }

    fn offer(&mut self, value: i64, from: u32, first_tail_start: u32, to: u32, last_tail_start: u32) {
        if value != NOT_AN_END && self.best.is_none_or(|best| value > best.value) {
            self.best = Some(Folded { value, first_tail_start, from, to, last_tail_start });
        }
    }

    /// Folds what hangs, until every vertex left has two neighbours (arcs in and arcs out).
    fn run(&mut self) {
        let n = self.alive.len() as u32;
        if let Ends::Open { lone: true, .. } = self.piece.ends {
            for vertex in 0..n {
                let (first, last) = (self.prizes[0][vertex as usize], self.prizes[1][vertex as usize]);
                self.offer(sum(first, 0, last), vertex, NONE, vertex, NONE);
            }
        }
        let mut queue: Vec<u32> = (0..n).filter(|&vertex| self.hangs(vertex)).collect();
        while let Some(vertex) = queue.pop() {
            if !std::mem::replace(&mut self.alive[vertex as usize], false) {
                continue;
            }
            let piece = self.piece;
            let (is_source, is_sink) = if self.directed() {
                (self.degrees[1][vertex as usize] == 0, self.degrees[0][vertex as usize] == 0)
            } else {
                (true, true)
            };
            // An arc that neither kind of folding follows can't exist: a source has no arcs in, a sink none out.
            for (arcs, out) in [(piece.graph.out_arcs(vertex), true), (piece.graph.in_arcs(vertex), false)] {
                for arc in arcs.iter().filter(|arc| self.alive[arc.target as usize]).collect::<Vec<_>>() {
                    let (to, weight) = (arc.target, piece.graph.weight(arc.edge));
                    // Both comparisons come first: a path may not meet this vertex from both its ends.
                    let (as_first, as_last) = (out && is_source, if self.directed() { !out } else { out } && is_sink);
                    for (end, applies) in [(0, as_first), (1, as_last)] {
                        if applies {
                            self.compare(vertex, to, weight, end);
                        }
                    }
                    for (end, applies) in [(0, as_first), (1, as_last)] {
                        if applies {
                            self.fold_into(vertex, to, weight, end);
                        }
                    }
                    if self.directed() || out {
                        self.degrees[usize::from(out)][to as usize] -= 1;
                    }
                    if !self.directed() && out {
                        self.degrees[0][to as usize] -= 1;
                    }
                }
            }
            for arc in piece.graph.out_arcs(vertex).iter().chain(piece.graph.in_arcs(vertex)) {
                if self.alive[arc.target as usize] && self.hangs(arc.target) {
                    queue.push(arc.target);
                }
            }
        }
    }

    fn hangs(&self, vertex: u32) -> bool {
        let (out, into) = (self.degrees[0][vertex as usize], self.degrees[1][vertex as usize]);
        if self.directed() { out == 0 || into == 0 } else { out <= 1 }
    }

    /// Compares the path that leads from the first (end 0) or last (1) vertex behind `vertex` over `to` to the other end
    /// known there.
    fn compare(&mut self, vertex: u32, to: u32, weight: i64, end: usize) {
        let gain = plus(self.prizes[end][vertex as usize], weight);
        let (near, far) = (self.tails[end][vertex as usize], self.tails[1 - end][to as usize]);
        let whole = sum(self.prizes[1 - end][to as usize], 0, gain);
        if end == 0 {
            self.offer(whole, vertex, near, to, far);
        } else {
            self.offer(whole, to, far, vertex, near);
        }
    }

    /// Folds a vertex's prize for being first (0) or last (1) into its neighbour.
    fn fold_into(&mut self, vertex: u32, to: u32, weight: i64, end: usize) {
        let gain = plus(self.prizes[end][vertex as usize], weight);
        // "Not an end" is the least of all numbers.
        if gain > self.prizes[end][to as usize] {
            self.prizes[end][to as usize] = gain;
            self.tails[end][to as usize] = vertex;
        }
    }

    fn into_core(self) -> Core {
        let piece = self.piece;
        let n = self.alive.len();
        let symmetric = !self.directed() && self.prizes[0] == self.prizes[1];
        let pinned = self.pinned();
        let mut aside = self.best.map(|best| (self.unfold(&best), best.value));
        let rough = contract(&self, &pinned, &mut aside);
        let mut is_core = vec![false; n];
        for chain in &rough {
            is_core[chain.a as usize] = true;
            is_core[chain.b as usize] = true;
        }
        let vertices: Vec<u32> = (0..n as u32).filter(|&vertex| is_core[vertex as usize]).collect();
        let mut core_of = vec![NONE; n];
        for (core, &vertex) in vertices.iter().enumerate() {
            core_of[vertex as usize] = core as u32;
        }
        let chains = rough.into_iter().map(|rough| {
            let uses = self.uses(&rough, symmetric, &mut aside);
            let (a, b) = (core_of[rough.a as usize], core_of[rough.b as usize]);
            Chain { a, b, interior: rough.interior, uses }
        });
        let chains = chains.collect();
        let of_core = |prizes: &[i64]| vertices.iter().map(|&vertex| prizes[vertex as usize]).collect::<Vec<_>>();
        let ends = match &piece.ends {
            Ends::Open { .. } => {
                CoreEnds::Open { prizes: [of_core(&self.prizes[0]), of_core(&self.prizes[1])], symmetric }
            }
            Ends::Closed { through } => CoreEnds::Closed { through: through.map(|vertex| core_of[vertex as usize]) },
        };
        Core { vertices, chains, ends, aside, tails: self.tails }
    }

    /// Vertices with a part of their own to play: where there are only one or two ends, those, and what a cycle must visit.
    fn pinned(&self) -> Vec<u32> {
        match &self.piece.ends {
            Ends::Open { .. } => self.prizes.iter().filter_map(|prizes| self.few_ends(prizes)).flatten().collect(),
            Ends::Closed { through } => through.iter().copied().collect(),
        }
    }

    /// The ends left, if they are two at most.
    fn few_ends(&self, prizes: &[i64]) -> Option<Vec<u32>> {
        let able = |vertex: &u32| self.alive[*vertex as usize] && prizes[*vertex as usize] != NOT_AN_END;
        let ends: Vec<u32> = (0..self.alive.len() as u32).filter(able).take(3).collect();
        (ends.len() <= 2).then_some(ends)
    }

    /// Whether a path may end at the vertex.
    pub(super) fn may_end(&self, vertex: u32) -> bool {
        self.prizes.iter().any(|prizes| prizes[vertex as usize] != NOT_AN_END)
    }

    /// The ways to use a chain; paths and cycles that lie wholly in it are compared with `aside`.
    fn uses(&self, rough: &Rough, symmetric: bool, aside: &mut Option<(Vec<u32>, i64)>) -> Vec<Use> {
        let graph = &self.piece.graph;
        let interior = &rough.interior[..];
        let stops: Vec<u32> = [rough.a].iter().chain(interior).chain(&[rough.b]).copied().collect();
        let mut reach = Vec::with_capacity(interior.len());
        let mut length = 0;
        for edge in graph.edges_along(&stops) {
            length += graph.weight(edge);
            reach.push(length);
        }
        let k = interior.len();
        let mut uses = Vec::new();
        if rough.full {
            uses.push(Use { gain: length, kind: UseKind::Full });
        }
        if !rough.has_ends {
            return uses;
        }

        let roles_at_a: &[Role] = match (self.directed(), symmetric) {
            (true, _) => &[Role::Last],
            (false, true) => &[Role::Either],
            (false, false) => &[Role::First, Role::Last],
        };
        let prize =
            |role: Role, position: usize| self.prizes[usize::from(role == Role::Last)][interior[position] as usize];
        for &role in roles_at_a {
            let opposite = match role {
                Role::First => Role::Last,
                Role::Last => Role::First,
                Role::Either => Role::Either,
            };
            // The best dip from `a` up to each position, and from `b` at it.
            let mut best_a: Option<(i64, usize)> = None;
            let mut best_b: Option<(i64, usize)> = None;
            let mut best_both: Option<(i64, usize, usize)> = None;
            let mut best_inside: Option<(i64, usize, usize)> = None;
            let mut begun: Option<(i64, usize)> = None;
            for (position, &reached) in reach.iter().enumerate().take(k) {
                let from_b = plus(prize(opposite, position), length - reached);
                if from_b != NOT_AN_END {
                    if let Some((gain, other)) = best_a
                        && best_both.is_none_or(|(best, ..)| gain + from_b > best)
                    {
                        best_both = Some((gain + from_b, other, position));
                    }
                    if best_b.is_none_or(|(best, _)| from_b > best) {
                        best_b = Some((from_b, position));
                    }
                }
                // Inside: from an earlier position, in the role opposite to the one played here.
                let here = plus(prize(role, position), reached);
                if here != NOT_AN_END {
                    if let Some((start, other)) = begun
                        && best_inside.is_none_or(|(best, ..)| start + here > best)
                    {
                        best_inside = Some((start + here, other, position));
                    }
                    if best_a.is_none_or(|(best, _)| here > best) {
                        best_a = Some((here, position));
                    }
                }
                let start = plus(prize(opposite, position), -reached);
                if start != NOT_AN_END && begun.is_none_or(|(best, _)| start > best) {
                    begun = Some((start, position));
                }
            }
            if let Some((gain, position)) = best_a {
                uses.push(Use { gain, kind: UseKind::DipA(role, position as u32 + 1) });
            }
            if let Some((gain, position)) = best_b {
                uses.push(Use { gain, kind: UseKind::DipB(opposite, (k - position) as u32) });
            }
            if let Some((gain, left, right)) = best_both {
                let kind = UseKind::Dips(role, left as u32 + 1, opposite, (k - right) as u32);
                uses.push(Use { gain, kind });
            }
            if let Some((value, left, right)) = best_inside
                && aside.as_ref().is_none_or(|(_, best)| value > *best)
            {
                *aside = Some((self.inside(&interior[left..=right], opposite, role), value));
            }
        }
        uses
    }

    /// A path along part of a chain with the tails at both its ends, from its first vertex to its last.
    fn inside(&self, along: &[u32], left: Role, right: Role) -> Vec<u32> {
        let tails = |role: Role, vertex| tail(&self.tails[usize::from(role == Role::Last)], vertex);
        let mut path: Vec<u32> = tails(left, along[0]).collect();
        path.reverse();
        path.extend(along);
        path.extend(tails(right, along[along.len() - 1]));
        if left == Role::Last {
            path.reverse();
        }
        path
    }

    fn unfold(&self, folded: &Folded) -> Vec<u32> {
        let beyond = |end: usize, start: u32| {
            let first = (start != NONE).then_some(start);
            first.into_iter().flat_map(move |start| std::iter::once(start).chain(tail(&self.tails[end], start)))
        };
        let mut path: Vec<u32> = beyond(0, folded.first_tail_start).collect();
        path.reverse();
        path.push(folded.from);
        if folded.to != folded.from {
            path.push(folded.to);
        }
        path.extend(beyond(1, folded.last_tail_start));
        path
    }
}

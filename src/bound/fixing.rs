//! What no path of a given value can use, by the shares that prove a bound close above it.
//!
//! The shares of a bound say for every vertex what a path can earn there at most, by the two best things it may take, and
//! their sum is the bound. A path that uses an edge takes it at both its ends. Where that is not among the best there, the
//! path earns less than the bound by the difference, and a path that misses it altogether by more than the gap between
//! bound and target is not worth the target. So such an edge can go, and so can a vertex as an end. What goes takes the
//! place of nothing: the bound of what remains is at most the same, and may rule out more.
//!
//! This is fixing by reduced costs (H. Crowder, E. L. Johnson and M. Padberg, Solving large-scale zero-one linear
//! programming problems, *Operations Research* 31, 1983, doi:10.1287/opre.31.5.803), with whole numbers: the shares are
//! those of a witness, and the sums are exact.

use super::network;
use crate::certificate::{Network, Removal, Rule};
use crate::search::{Ends, NOT_AN_END, Piece};
use crate::view::CsrGraph;

/// What remains of a piece for paths of a value of at least some target.
pub(crate) enum Rest {
    /// There is no such path.
    Nothing,
    /// The same vertices with fewer edges or fewer ends: every such path (cycle) is one of this piece, with the same value.
    Less(Piece),
    /// Nothing is ruled out.
    All,
}

/// Takes out what no path (cycle) worth the target can use. Only the shares and borders of the witness count, not the
/// vertices it removes.
///
/// # Complexity
/// `O(n + m)` for each time that what went makes more go.
pub(crate) fn rest(piece: &Piece, witness: &Removal<u32>, target: i64) -> Rest {
    let mut sieve = Sieve::new(piece, network(piece, &witness.shares, &witness.borders));
    let target = i128::from(target) * i128::from(witness.shares.scale);
    let mut is_less = false;
    loop {
        match sieve.shake(target) {
            None => return Rest::Nothing,
            Some(0) => break,
            Some(_) => is_less = true,
        }
    }
    if is_less { Rest::Less(sieve.rest(piece)) } else { Rest::All }
}

/// The piece while it loses edges and ends.
struct Sieve<'a> {
    graph: &'a CsrGraph,
    closed: bool,
    network: Network,
    kept: Vec<bool>,
    /// By vertex what it may take: where the graph is undirected, of all edges and ends; else to come in, and to go out.
    entries: Vec<TopTwo>,
    exits: Vec<TopTwo>,
    worth: Vec<i128>,
}

/// The ends, in the place of the vertex at the other end of an edge.
const BEGINNING: u32 = u32::MAX;
const END: u32 = u32::MAX - 1;

impl<'a> Sieve<'a> {
    fn new(piece: &'a Piece, network: Network) -> Self {
        let graph = &piece.graph;
        let n = graph.vertex_count();
        Sieve {
            graph,
            closed: matches!(piece.ends, Ends::Closed { .. }),
            network,
            kept: vec![true; graph.edge_count()],
            entries: vec![TopTwo::default(); n],
            exits: vec![TopTwo::default(); n],
            worth: vec![0; n],
        }
    }

    /// Takes out what the bound of what is left rules out; how much, or `None` if that bound rules out everything.
    fn shake(&mut self, target: i128) -> Option<usize> {
        self.offer_all();
        let mut bound = match self.network.rule {
            Rule::Open { outside, .. } => outside,
            Rule::Closed { .. } => 0,
        };
        for vertex in 0..self.worth.len() {
            let best = self.best(vertex as u32);
            self.worth[vertex] = best.map_or(0, |best| (best - self.network.tolls[vertex]).max(0));
            bound += self.worth[vertex];
        }
        if bound < target {
            return None;
        }
        let gap = bound - target;
        // What a path loses at a vertex by taking this there; `None` if no path can.
        let loss = |sieve: &Self, vertex: u32, share: i128, other: u32, is_entry: bool| {
            let with = share + sieve.partner(vertex, other, is_entry)? - sieve.network.tolls[vertex as usize];
            Some(sieve.worth[vertex as usize] - with)
        };
        let mut gone = 0;
        for at in 0..self.kept.len() {
            if self.kept[at] {
                let edge = self.graph.edges()[at];
                let halves = &self.network.edges[at];
                let at_source = loss(self, edge.source, halves.at_source, edge.target, false);
                let at_target = loss(self, edge.target, halves.at_target, edge.source, true);
                let possible = at_source.zip(at_target).is_some_and(|(one, two)| one + two <= gap);
                self.kept[at] = possible;
                gone += usize::from(!possible);
            }
        }
        if let Rule::Open { first, last, .. } = &self.network.rule {
            let mut ruled_out = Vec::new();
            for (shares, other, is_entry) in [(first, BEGINNING, true), (last, END, false)] {
                for (vertex, share) in (0u32..).zip(shares) {
                    let Some(share) = *share else { continue };
                    if loss(self, vertex, share, other, is_entry).is_none_or(|loss| loss > gap) {
                        ruled_out.push((vertex, is_entry));
                    }
                }
            }
            gone += ruled_out.len();
            let Rule::Open { first, last, .. } = &mut self.network.rule else { unreachable!("it was one") };
            for (vertex, is_entry) in ruled_out {
                let shares = if is_entry { &mut *first } else { &mut *last };
                shares[vertex as usize] = None;
            }
        }
        Some(gone)
    }

    /// Finds the two best things to take at every vertex.
    fn offer_all(&mut self) {
        self.entries.fill(TopTwo::default());
        self.exits.fill(TopTwo::default());
        let directed = self.graph.is_directed();
        let exits = |sieve: &mut Self, vertex: u32, share, other| {
            let tops = if directed { &mut sieve.exits } else { &mut sieve.entries };
            tops[vertex as usize].offer(share, other);
        };
        for at in 0..self.kept.len() {
            if self.kept[at] {
                let edge = self.graph.edges()[at];
                let (at_source, at_target) = (self.network.edges[at].at_source, self.network.edges[at].at_target);
                exits(self, edge.source, at_source, edge.target);
                self.entries[edge.target as usize].offer(at_target, edge.source);
            }
        }
        for vertex in 0..self.graph.vertex_count() as u32 {
            let Rule::Open { first, last, .. } = &self.network.rule else { break };
            let (first, last) = (first[vertex as usize], last[vertex as usize]);
            if let Some(share) = first {
                self.entries[vertex as usize].offer(share, BEGINNING);
            }
            if let Some(share) = last {
                exits(self, vertex, share, END);
            }
        }
    }

    /// The two best things to take at a vertex, together.
    fn best(&self, vertex: u32) -> Option<i128> {
        let entries = &self.entries[vertex as usize];
        if !self.graph.is_directed() {
            return Some(entries.best?.0 + entries.second?.0);
        }
        let pair = |entry: Option<(i128, u32)>| {
            let (share, other) = entry?;
            Some(share + self.partner(vertex, other, true)?)
        };
        pair(entries.best).max(pair(entries.second))
    }

    /// The best thing to take at a vertex beside this one.
    fn partner(&self, vertex: u32, other: u32, is_entry: bool) -> Option<i128> {
        let directed = self.graph.is_directed();
        let tops = if is_entry && directed { &self.exits } else { &self.entries };
        let top = &tops[vertex as usize];
        // Only a directed cycle of two goes back to where it came from.
        let may_be_same = directed && self.closed;
        let best = top.best.filter(|best| best.1 != other || may_be_same).or(top.second);
        best.map(|(share, _)| share)
    }

    fn rest(self, piece: &Piece) -> Piece {
        let graph = self.graph;
        let edges = graph.edges().iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(edge, _)| *edge).collect();
        let ends = match (&piece.ends, &self.network.rule) {
            (Ends::Open { first, last, lone }, Rule::Open { first: may_begin, last: may_end, .. }) => {
                let pick = |prizes: &[i64], allowed: &[Option<i128>]| {
                    let pairs = prizes.iter().zip(allowed);
                    pairs.map(|(&prize, allowed)| if allowed.is_some() { prize } else { NOT_AN_END }).collect()
                };
                Ends::Open { first: pick(first, may_begin), last: pick(last, may_end), lone: *lone }
            }
            (ends, _) => ends.clone(),
        };
        Piece { graph: CsrGraph::from_simple(graph.vertex_count(), graph.is_directed(), edges), ends }
    }
}

/// The two greatest shares at a vertex, each with the vertex at the other end.
#[derive(Clone, Default)]
struct TopTwo {
    best: Option<(i128, u32)>,
    second: Option<(i128, u32)>,
}

impl TopTwo {
    fn offer(&mut self, share: i128, other: u32) {
        let offered = Some((share, other));
        if offered > self.best {
            self.second = self.best;
            self.best = offered;
        } else if offered > self.second {
            self.second = offered;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::tests::{any_edges, any_ends, budget, optimum, tamper};
    use super::super::{Effort, best_bound};
    use super::*;

    #[test]
    fn every_path_worth_the_target_remains() {
        let mut random = Pcg64Mcg::seed_from_u64(21);
        let (mut less, mut nothing) = (0, 0);
        for round in 0..4000 {
            let n = random.random_range(3..9);
            let directed = round % 2 == 1;
            let heavy = [0, 3, 40][round / 2 % 3];
            let edges = any_edges(n, directed, 0.6, heavy, &mut random);
            let piece = Piece { graph: CsrGraph::from_simple(n, directed, edges), ends: any_ends(n, &mut random) };
            let Some(optimum_of_all) = optimum(&piece) else { continue };
            let found = best_bound(&piece, Effort::Low, &budget(), i64::MIN);
            let Some(shares) = found.shares_alone else { continue };
            for witness in [shares.clone(), tamper(&piece, &shares, &mut random)] {
                for target in [optimum_of_all, optimum_of_all + 1, found.upper, found.upper + 1, optimum_of_all - 2] {
                    let of_rest = match rest(&piece, &witness, target) {
                        Rest::Nothing => {
                            nothing += 1;
                            None
                        }
                        Rest::Less(rest) => {
                            less += 1;
                            optimum(&rest)
                        }
                        Rest::All => continue,
                    };
                    let worthy = |value: Option<i64>| value.filter(|&value| value >= target);
                    assert_eq!(worthy(of_rest), worthy(Some(optimum_of_all)), "{target} in {piece:?} by {witness:?}");
                }
            }
        }
        assert!(less > 1000 && nothing > 1000, "{less} and {nothing}");
    }
}

//! Weights booked at the ends of edges, multipliers at subtour cuts, and what comes of them: the worth of each vertex.

use super::top_two::TopTwo;
use super::{Blossom, SubtourCut, WitnessFlaw};

/// A graph without loops or parallel edges, its vertices plain indices, with the shares booked.
pub(crate) struct Network {
    pub(super) directed: bool,
    pub(super) vertex_count: usize,
    pub(crate) edges: Vec<HalfEdges>,
    pub(super) rule: Rule,
    /// What a path pays for visiting each vertex.
    multipliers: Vec<i128>,
    /// What every path is paid by blossoms.
    paid: i128,
}

/// An edge and what is booked at its ends.
pub(crate) struct HalfEdges {
    pub(super) source: usize,
    pub(super) target: usize,
    at_source: i128,
    at_target: i128,
}

impl HalfEdges {
    /// Half the weight to each end.
    pub(crate) fn new(source: usize, target: usize, whole: i128) -> Self {
        let mut halves = HalfEdges { source, target, at_source: 0, at_target: whole };
        halves.halve(0);
        halves
    }

    /// What is booked at the source, and at the target.
    pub(crate) fn booked(&self) -> [i128; 2] {
        [self.at_source, self.at_target]
    }

    /// Makes the edge heavier, and books half to each end.
    fn halve(&mut self, multiplier: i128) {
        let whole = self.at_source + self.at_target + multiplier;
        self.at_source = whole.div_euclid(2);
        self.at_target = whole - self.at_source;
    }

    /// Books `amount` at the source (at the target if `turned`) and the rest at the other end.
    pub(crate) fn book(&mut self, amount: i128, turned: bool) {
        let whole = self.at_source + self.at_target;
        self.at_source = if turned { whole - amount } else { amount };
        self.at_target = whole - self.at_source;
    }
}

impl Network {
    pub(crate) fn new(directed: bool, vertex_count: usize, edges: Vec<HalfEdges>, rule: Rule) -> Self {
        Network { directed, vertex_count, edges, rule, multipliers: vec![0; vertex_count], paid: 0 }
    }

    /// Lets the subtour cuts pay and take their multipliers. To be done before shares are booked.
    pub(crate) fn lay(&mut self, subtour_cuts: &[SubtourCut<usize>]) -> Result<(), WitnessFlaw> {
        if subtour_cuts.is_empty() {
            return Ok(());
        }
        let all: i128 = subtour_cuts.iter().map(|subtour_cut| i128::from(subtour_cut.multiplier)).sum();
        if all > MOST_MULTIPLIERS {
            return Err(WitnessFlaw::Overflow);
        }
        let edges_at = self.edges_at();
        let mut inside_of = vec![usize::MAX; self.vertex_count];
        for (at, subtour_cut) in subtour_cuts.iter().enumerate() {
            for &vertex in &subtour_cut.inside {
                if inside_of[vertex] == at {
                    return Err(WitnessFlaw::SubtourCut(at));
                }
                inside_of[vertex] = at;
            }
            let is_inside = |vertex: usize| inside_of[vertex] == at;
            let encloses_all = match self.rule {
                Rule::Open { .. } => false,
                Rule::Closed { through } => through.is_none_or(is_inside),
            };
            if subtour_cut.multiplier < 0 || encloses_all || !is_inside(subtour_cut.visited) {
                return Err(WitnessFlaw::SubtourCut(at));
            }
            let multiplier = i128::from(subtour_cut.multiplier);
            for &vertex in &subtour_cut.inside {
                for &position in &edges_at[vertex] {
                    let edge = &mut self.edges[position];
                    if !is_inside(edge.source) || !is_inside(edge.target) {
                        edge.halve(multiplier);
                    }
                }
                if let Rule::Open { first, last, .. } = &mut self.rule {
                    first[vertex] = first[vertex].map(|share| share + multiplier);
                    last[vertex] = last[vertex].map(|share| share + multiplier);
                }
            }
            self.multipliers[subtour_cut.visited] += 2 * multiplier;
        }
        Ok(())
    }

    /// Lets the blossoms pay and take their multipliers. To be done before shares are booked.
    pub(crate) fn grow(&mut self, blossoms: &[Blossom<usize>]) -> Result<(), WitnessFlaw> {
        if blossoms.is_empty() {
            return Ok(());
        }
        let all: i128 =
            blossoms.iter().map(|blossom| i128::from(blossom.multiplier) * blossom.teeth.len() as i128).sum();
        if all > MOST_MULTIPLIERS {
            return Err(WitnessFlaw::Overflow);
        }
        let edges_at = self.edges_at();
        let mut inside_of = vec![usize::MAX; self.vertex_count];
        for (at, blossom) in blossoms.iter().enumerate() {
            let flaw = || Err(WitnessFlaw::Blossom(at));
            for &vertex in &blossom.inside {
                if inside_of[vertex] == at {
                    return flaw();
                }
                inside_of[vertex] = at;
            }
            if self.directed || blossom.multiplier < 0 || blossom.teeth.len().is_multiple_of(2) {
                return flaw();
            }
            let sorted = |one: usize, two: usize| (one.min(two), one.max(two));
            let mut teeth: Vec<(usize, usize)> = blossom.teeth.iter().map(|&(one, two)| sorted(one, two)).collect();
            teeth.sort_unstable();
            let multiplier = i128::from(blossom.multiplier);
            let mut found = 0;
            for &vertex in &blossom.inside {
                for &position in &edges_at[vertex] {
                    let edge = &mut self.edges[position];
                    if (inside_of[edge.source] == at) != (inside_of[edge.target] == at) {
                        let is_tooth = teeth.binary_search(&sorted(edge.source, edge.target)).is_ok();
                        edge.halve(if is_tooth { -multiplier } else { multiplier });
                        found += usize::from(is_tooth);
                    }
                }
                if let Rule::Open { first, last, .. } = &mut self.rule {
                    first[vertex] = first[vertex].map(|share| share + multiplier);
                    last[vertex] = last[vertex].map(|share| share + multiplier);
                }
            }
            if found != teeth.len() {
                return flaw();
            }
            self.paid += multiplier * (teeth.len() as i128 - 1);
        }
        Ok(())
    }

    /// For each vertex the positions of its edges.
    fn edges_at(&self) -> Vec<Vec<usize>> {
        let mut edges_at = vec![Vec::new(); self.vertex_count];
        for (position, edge) in self.edges.iter().enumerate() {
            edges_at[edge.source].push(position);
            edges_at[edge.target].push(position);
        }
        edges_at
    }

    /// What a path can earn at each vertex, or 0 where that is negative.
    pub(super) fn worths(&self) -> Vec<i128> {
        let n = self.vertex_count;
        // Where the graph is undirected, `into` holds both directions.
        let mut into = vec![TopTwo::default(); n];
        let mut out = vec![TopTwo::default(); if self.directed { n } else { 0 }];
        for edge in &self.edges {
            into[edge.target].offer(edge.at_target, edge.source);
            let row = if self.directed { &mut out } else { &mut into };
            row[edge.source].offer(edge.at_source, edge.target);
        }
        let closed = match &self.rule {
            Rule::Closed { .. } => true,
            Rule::Open { first, last, .. } => {
                for vertex in 0..n {
                    if let Some(share) = first[vertex] {
                        into[vertex].offer(share, n);
                    }
                    let row = if self.directed { &mut out } else { &mut into };
                    if let Some(share) = last[vertex] {
                        row[vertex].offer(share, n + 1);
                    }
                }
                false
            }
        };
        let worth = |vertex: usize| -> Option<i128> {
            let into = &into[vertex];
            if !self.directed {
                return Some(into.best?.0 + into.second?.0);
            }
            if closed {
                return Some(into.best?.0 + out[vertex].best?.0);
            }
            // Only a cycle of two goes back to where it came from.
            into.beside(&out[vertex])
        };
        (0..n).map(|vertex| worth(vertex).map_or(0, |worth| (worth - self.multipliers[vertex]).max(0))).collect()
    }

    /// What the outside earns.
    pub(super) fn outside(&self) -> i128 {
        match self.rule {
            Rule::Open { outside, .. } => outside + self.paid,
            Rule::Closed { .. } => self.paid,
        }
    }

    /// The ends of each edge.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.edges.iter().map(|edge| (edge.source, edge.target))
    }
}

/// Where a path may begin and end.
pub(crate) enum Rule {
    /// What is booked at each vertex if the path begins or ends there, `None` where it may not; and what the outside earns.
    Open { first: Vec<Option<i128>>, last: Vec<Option<i128>>, outside: i128 },
    /// A cycle.
    Closed { through: Option<usize> },
}

/// All multipliers together are at most this, of subtour cuts and of blossoms.
const MOST_MULTIPLIERS: i128 = 1 << 87;

//! What a solution of the linear program uses, as a graph.
//!
//! The *support* has the vertices of the graph and the outside, and a link of capacity `x` for every column that is used: what
//! begins or ends at a vertex links it to the outside.

use std::cmp::Ordering;

use super::network::Network;
use super::sets::Sets;
use crate::instance::Budget;

/// Values below this are zero.
pub(super) const UNUSED: f64 = 1e-7;

pub(crate) struct Support {
    /// The vertex that stands for the outside: one behind the others, or the root of a cycle.
    pub(super) outside: u32,
    pub(super) network: Network,
    /// Links by falling capacity, each once: capacity, ends.
    pub(super) falling: Vec<(f64, u32, u32)>,
    pub(super) visits: Vec<f64>,
}

impl Support {
    /// With the value, the ends and the column of what may be used, and how much each of so many vertices is visited.
    pub(crate) fn new(
        vertices: u32,
        outside: u32,
        columns: impl Iterator<Item = (f64, u32, u32, u32)>,
        visit: impl Fn(u32) -> f64,
    ) -> Self {
        let listed: Vec<(f64, u32, u32, u32)> = columns.filter(|&(value, ..)| value > UNUSED).collect();
        let network = Network::new(vertices as usize + 1, &listed);
        let mut links: Vec<(f64, u32, u32)> = listed.iter().map(|&(value, one, two, _)| (value, one, two)).collect();
        links.sort_unstable_by(falling);
        let is_visited = |vertex: u32| vertex < vertices && vertex != outside;
        let visits = (0..=vertices).map(|vertex| if is_visited(vertex) { visit(vertex) } else { 0.0 }).collect();
        Support { outside, network, falling: links, visits }
    }

    /// The vertex that borders are cut off from.
    pub(crate) fn outside(&self) -> u32 {
        self.outside
    }

    /// The sets of two vertices, the smaller one first, unless they are one or hold the outside.
    pub(super) fn to_be_joined(&self, sets: &mut Sets, one: u32, two: u32) -> Option<(u32, u32)> {
        let (one, two, outside) = (sets.find(one), sets.find(two), sets.find(self.outside));
        if one == two || one == outside || two == outside {
            return None;
        }
        Some(if sets.size(one) < sets.size(two) { (one, two) } else { (two, one) })
    }

    /// What crosses the border of each vertex.
    pub(super) fn across(&self) -> Vec<f64> {
        let vertices = 0..self.visits.len() as u32;
        vertices.map(|vertex| self.network.at(vertex).iter().map(|link| link.capacity).sum()).collect()
    }

    /// The capacity between two sets.
    pub(super) fn between(&self, sets: &mut Sets, small: u32, large: u32) -> f64 {
        let mut sum = 0.0;
        let mut member = small;
        loop {
            for link in self.network.at(member) {
                if sets.find(link.target) == large {
                    sum += link.capacity;
                }
            }
            member = sets.next(member);
            if member == small {
                return sum;
            }
        }
    }

    /// The vertex of the greater visit, the first of those that are alike.
    pub(super) fn more_visited(&self, one: u32, two: u32) -> u32 {
        let by_visit = self.visits[one as usize].total_cmp(&self.visits[two as usize]).then(two.cmp(&one));
        if by_visit.is_lt() { two } else { one }
    }

    /// The components of the support, without that of the outside.
    pub(crate) fn components(&self) -> Vec<Vec<u32>> {
        let mut sets = Sets::new(self.visits.len());
        for &(_, one, two) in &self.falling {
            let (one, two) = (sets.find(one), sets.find(two));
            if one != two {
                sets.join(one, two);
            }
        }
        let outside = sets.find(self.outside);
        let count = self.visits.len() as u32;
        let roots: Vec<u32> = (0..count).filter(|&v| sets.find(v) == v && v != outside && sets.size(v) > 1).collect();
        roots.into_iter().map(|root| sets.members(root)).collect()
    }
}

/// The greatest value first, then by the ends.
pub(super) fn falling(one: &(f64, u32, u32), two: &(f64, u32, u32)) -> Ordering {
    two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)).then(one.2.cmp(&two.2))
}

/// Looks at the limits now and then.
pub(super) struct Watch<'b> {
    budget: &'b Budget,
    unseen: u32,
}

/// Members of sets gone through between two looks: a few milliseconds.
const MEMBERS_PER_LOOK: u32 = 50_000;

impl<'b> Watch<'b> {
    pub(super) fn new(budget: &'b Budget) -> Self {
        Watch { budget, unseen: 0 }
    }

    /// Whether a limit is spent, as far as has been seen when this much more is done.
    pub(super) fn is_over(&mut self, members: u32) -> bool {
        self.unseen = self.unseen.saturating_add(members + 8);
        if self.unseen < MEMBERS_PER_LOOK {
            return false;
        }
        self.unseen = 0;
        self.budget.spent().is_some()
    }
}

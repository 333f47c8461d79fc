//! Sets of vertices that a solution cuts off too cheaply.
//!
//! An answer that visits a vertex of a set crosses the border of the set twice; the border of a set is violated where what
//! crosses it is less than twice the greatest visit inside. Violated sets are looked for cheapest first:
//! 1. Sets that grow by joining vertices along the greatest capacities: components, and much more.
//! 2. All of them, by minimum cuts between the outside and every vertex. Before that vertices are joined that no violated
//!    border need separate: two sets joined by at least half of what crosses the border of either (M. Padberg and G.
//!    Rinaldi, *An efficient algorithm for the minimum capacity cut problem*, Mathematical Programming 47 (1990) 19–36,
//!    doi:10.1007/BF01580850; for cycles that may leave vertices out: G. Kobeaga, J. Rojas-Delgado, M. Merino, J. A. Lozano, *A
//!    revisited branch-and-cut algorithm for large-scale orienteering problems*, European Journal of Operational Research,
//!    2024, doi:10.1016/j.ejor.2023.07.034). Vertices come by falling visits; one that is settled joins the outside, for
//!    a set with it inside is no longer of interest.
//! 3. Blossoms: sets as in 1, or grown along what is furthest from a whole number, with the parity of what crosses
//!    them put right where that costs least (M. Padberg and M. R. Rao, *Odd minimum cut-sets and b-matchings*,
//!    Mathematics of Operations Research 7 (1982) 67–80, doi:10.1287/moor.7.1.67, find all of them; this finds most).

use super::flow::Shrunk;
use super::sets::Sets;
use super::support::{Support, UNUSED, Watch, falling};
use crate::instance::Budget;

/// Less than this is no violation, and no use.
pub(crate) const LEAST_VIOLATION: f64 = 1e-3;
/// Subtour cuts of trails by minimum cuts in one round, and looked for where less than a fourth of that was found without.
const MOST_CHEAPEST: usize = 60;
/// No column.
const NONE: u32 = u32::MAX;

/// Why what crosses the border of a set is more, or else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SetCut {
    /// What visits a vertex inside crosses the border of the set twice, ends inside counted: generalised subtour
    /// elimination (M. Fischetti, J. J. Salazar González, P. Toth, *A branch-and-cut algorithm for the symmetric generalized
    /// traveling salesman problem*, Operations Research 45, 1997, doi:10.1287/opre.45.3.378).
    Subtour { inside: Vec<u32>, visited: u32 },
    /// The border of a set is crossed an even number of times, ends inside counted. So where all of an odd number of columns
    /// that cross it are used, so is another one: 2-matching inequalities, or blossoms (J. Edmonds, *Maximum matching and a
    /// polyhedron with 0,1-vertices*, J. Res. Nat. Bur. Standards 69B, 1965, doi:10.6028/jres.069B.013). Undirected graphs only.
    Blossom { inside: Vec<u32>, teeth: Vec<u32> },
}

/// What sets grow along.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    /// The greatest capacities.
    Values,
    /// What is furthest from a whole number; of what is equally far, the greatest capacity first.
    Fractions,
    /// The same, but of what is equally far the links of the first vertices first.
    FractionsInOrder,
}

/// What is looked for round sets.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) subtours: bool,
    pub(crate) blossoms: bool,
}

impl Wanted {
    pub(crate) const SUBTOURS: Wanted = Wanted { subtours: true, blossoms: false };
    pub(crate) const BLOSSOMS: Wanted = Wanted { subtours: false, blossoms: true };
    pub(crate) const BOTH: Wanted = Wanted { subtours: true, blossoms: true };
}

impl Support {
    /// Violated subtour cuts and blossoms of sets that grow, each with its violation.
    pub(crate) fn grown(&self, along: Along, wanted: Wanted, budget: &Budget) -> Vec<(f64, SetCut)> {
        let mut found = Vec::new();
        let mut watch = Watch::new(budget);
        let mut order = self.falling.clone();
        if along != Along::Values {
            order.iter_mut().for_each(|entry| entry.0 = entry.0.min(1.0 - entry.0));
        }
        match along {
            Along::Values => {}
            Along::Fractions => order.sort_by(|one, two| two.0.total_cmp(&one.0)),
            Along::FractionsInOrder => order.sort_unstable_by(falling),
        }
        let mut sets = Sets::new(self.visits.len());
        let mut borders = Borders::new(self);
        for (_, one, two) in order.into_iter().take_while(|&(value, ..)| value >= UNUSED) {
            let Some((small, large)) = self.to_be_joined(&mut sets, one, two) else { continue };
            if wanted.subtours {
                borders.join(self, &mut sets, small, large);
            }
            let set = sets.join(large, small);
            if watch.is_over(sets.size(set)) {
                break;
            }
            if wanted.subtours {
                found.extend(borders.violated(self, &sets, set));
            }
            if wanted.blossoms {
                found.extend(self.blossom(&mut sets, set));
            }
        }
        found
    }

    /// Violated cuts where vertices may be crossed more than once, so that blossoms are round vertices, too; with how many
    /// cuts of other kinds are known already.
    pub(crate) fn cuts_of_trails(&self, others: usize, budget: &Budget) -> Vec<(f64, SetCut)> {
        let mut found = self.blossoms_at_vertices();
        found.extend(self.grown(Along::Values, Wanted::BOTH, budget));
        found.extend(self.grown(Along::FractionsInOrder, Wanted::BOTH, budget));
        if others + found.len() < MOST_CHEAPEST / 4 {
            found.extend(self.cheapest_subtours(MOST_CHEAPEST, budget));
        }
        found
    }

    /// What a solution in whole numbers violates where vertices may be crossed more than once: each of its components is cut
    /// off from the outside.
    pub(crate) fn cuts_of_whole_trails(&self) -> impl Iterator<Item = SetCut> {
        let subtours = self.components().into_iter().map(|inside| SetCut::Subtour { visited: inside[0], inside });
        subtours.chain(self.blossoms_at_vertices().into_iter().map(|(_, cut)| cut))
    }

    /// Violated blossoms round single vertices.
    pub(crate) fn blossoms_at_vertices(&self) -> Vec<(f64, SetCut)> {
        let mut sets = Sets::new(self.visits.len());
        (0..self.outside).filter_map(|vertex| self.blossom(&mut sets, vertex)).collect()
    }

    /// Violated subtour cuts by minimum cuts, at most so many.
    pub(crate) fn cheapest_subtours(&self, most: usize, budget: &Budget) -> Vec<(f64, SetCut)> {
        let mut watch = Watch::new(budget);
        let Some(mut shrunk) = Shrunk::new(self, &mut watch) else { return Vec::new() };
        let mut found = Vec::new();
        for source in shrunk.by_falling_visits() {
            if found.len() >= most || budget.spent().is_some() {
                break;
            }
            let demand = 2.0 * shrunk.visit(source);
            if demand <= LEAST_VIOLATION || shrunk.is_outside(source) {
                continue;
            }
            let Some(flow) = shrunk.flow(source, demand - LEAST_VIOLATION, &mut watch) else { break };
            if flow < demand - LEAST_VIOLATION {
                let inside = shrunk.reached();
                let visited = inside.iter().copied().reduce(|one, two| self.more_visited(one, two));
                let visited = visited.expect("the source is inside");
                found.push((demand - flow, SetCut::Subtour { inside, visited }));
            }
            shrunk.join_outside(source);
        }
        found
    }

    /// The best blossom round a set, if it is violated.
    fn blossom(&self, sets: &mut Sets, set: u32) -> Option<(f64, SetCut)> {
        let inside = sets.members(set);
        let mut teeth = Vec::new();
        let mut least = 0.0;
        // What it costs to count a column on the other side.
        let mut cheapest: (f64, u32) = (f64::INFINITY, NONE);
        for &vertex in &inside {
            for link in self.network.at(vertex).iter().filter(|link| sets.find(link.target) != set) {
                let value = link.capacity.min(1.0);
                if value > 0.5 {
                    teeth.push(link.column);
                }
                least += value.min(1.0 - value);
                let turn = (1.0 - 2.0 * value).abs();
                if turn < cheapest.0 {
                    cheapest = (turn, link.column);
                }
            }
            if least > 1.0 - LEAST_VIOLATION {
                return None;
            }
        }
        if teeth.len().is_multiple_of(2) {
            least += cheapest.0;
            match teeth.iter().position(|&column| column == cheapest.1) {
                Some(at) => drop(teeth.swap_remove(at)),
                None => teeth.push(cheapest.1),
            }
        }
        teeth.sort_unstable();
        let violation = 1.0 - least;
        (violation > LEAST_VIOLATION * 10.0).then_some((violation, SetCut::Blossom { inside, teeth }))
    }
}

/// What crosses the borders of sets, and the vertex inside of the greatest visit.
struct Borders {
    across: Vec<f64>,
    most_visited: Vec<u32>,
}

impl Borders {
    fn new(support: &Support) -> Self {
        Borders { across: support.across(), most_visited: (0..support.visits.len() as u32).collect() }
    }

    /// Two sets are about to be one, by the name of the large one.
    fn join(&mut self, support: &Support, sets: &mut Sets, small: u32, large: u32) {
        let between = support.between(sets, small, large);
        let (from, to) = (small as usize, large as usize);
        self.across[to] = self.across[from] + self.across[to] - 2.0 * between;
        self.most_visited[to] = support.more_visited(self.most_visited[from], self.most_visited[to]);
    }

    /// Whether the border is crossed too little.
    fn violated(&self, support: &Support, sets: &Sets, set: u32) -> Option<(f64, SetCut)> {
        let visited = self.most_visited[set as usize];
        let violation = 2.0 * support.visits[visited as usize] - self.across[set as usize];
        let cut = || SetCut::Subtour { inside: sets.members(set), visited };
        (violation > LEAST_VIOLATION).then(|| (violation, cut()))
    }
}

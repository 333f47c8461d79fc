//! Branch and cut: a linear program over edges and vertices, cut down to the paths, and a tree of cases where that is not
//! enough. For sparse graphs too wide for any table.
//!
//! The [`model`] lets a path be a cycle through the outside of the graph, which may leave vertices out; such cycles were
//! studied by M. Fischetti, J. J. Salazar González and P. Toth (*Solving the orienteering problem through branch-and-cut*,
//! INFORMS Journal on Computing 10 (1998) 133–148, doi:10.1287/ijoc.10.2.133), whose cuts, separated in [`support`], serve here.
//! At every node of the [`tree`] the program is solved with floating-point numbers, and its multipliers are turned into
//! a bound that is [proved](super::lp::proof) in integers: no rounding error can cut off a path. Reduced costs that close the gap to
//! the best path known fix edges and vertices for good. A [`guess`] turns fractional solutions into paths, which local
//! search improves.
//!
//! A cycle that need not visit any vertex in particular has no outside, so it is searched through one vertex after the
//! other, each without those before.
//!
//! The tree may have as many leaves as there are paths; memory is a few hundred bytes for every open node and every entry
//! of a row.

mod guess;
mod model;
mod support;
#[cfg(test)]
mod tests;
mod tree;

use self::tree::Tree;
use super::{Budget, Ends, Monitor, NOT_AN_END, Outcome, Piece};

/// What can be left out, for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Borders of sets grown along the greatest capacities.
    Grown,
    /// Borders by minimum cuts.
    Cheapest,
    /// Blossoms.
    Blossoms,
    /// An edge or an end where nothing is visited.
    Visited,
    /// Fixing columns by their gains.
    Fixing,
    /// Guesses by the fractional solution.
    Guesses,
}

/// What only tests want.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) without: Option<Family>,
    /// A path that no cut may cut off, and no bound may fall below.
    pub(crate) watched: Option<Vec<u32>>,
}

/// Finds the best path worth more than `floor`. `start` is a path to begin with, whatever it is worth, and `upper` a
/// bound that is proved elsewhere.
pub(crate) fn solve(
    piece: &Piece,
    start: Option<&[u32]>,
    floor: i64,
    upper: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    solve_with(&Settings::default(), piece, start, floor, upper, budget, monitor)
}

fn solve_with(
    settings: &Settings,
    piece: &Piece,
    start: Option<&[u32]>,
    floor: i64,
    upper: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let n = piece.graph.vertex_count();
    let mut outcome = Outcome::nothing_above(floor, if n == 0 { i64::MIN } else { piece.trivial_bound().min(upper) });
    monitor.bound(outcome.upper);
    let known = start.map(|path| (path.to_vec(), piece.value(path)));
    for (path, value) in known.into_iter().chain(best_vertex(piece)) {
        if value > outcome.best.as_ref().map_or(floor, |best| best.1) {
            monitor.incumbent(value);
            outcome.best = Some((path, value));
        }
    }
    let lower = outcome.best.as_ref().map_or(floor, |best| best.1);
    if n == 0 || outcome.upper <= lower {
        outcome.upper = outcome.upper.min(lower);
        return outcome;
    }
    let mut removed = vec![false; n];
    match &piece.ends {
        Ends::Closed { through: None } => {
            let above = outcome.upper;
            for root in roots(piece) {
                let mut quiet = Incumbents(monitor);
                outcome.upper = above;
                Tree::new(settings, piece, Some(root), &removed, floor, budget, &mut quiet, &mut outcome).run();
                if outcome.stop.is_some() {
                    outcome.upper = above;
                    return outcome;
                }
                removed[root as usize] = true;
            }
            outcome.upper = outcome.best.as_ref().map_or(floor, |best| best.1);
            monitor.bound(outcome.upper);
        }
        Ends::Closed { through } => {
            Tree::new(settings, piece, *through, &removed, floor, budget, monitor, &mut outcome).run();
        }
        Ends::Open { .. } => {
            Tree::new(settings, piece, None, &removed, floor, budget, monitor, &mut outcome).run();
        }
    }
    outcome
}

/// The vertices in an order in which a cycle may be asked to visit them: many edges first, so that few cycles remain.
fn roots(piece: &Piece) -> Vec<u32> {
    let graph = &piece.graph;
    let mut roots: Vec<u32> = (0..graph.vertex_count() as u32).collect();
    roots.sort_by_key(|&vertex| std::cmp::Reverse(graph.out_arcs(vertex).len()));
    roots
}

/// Passes on paths, and no bounds: they hold for some of the cycles only.
struct Incumbents<'m>(&'m mut dyn Monitor);

impl Monitor for Incumbents<'_> {
    fn incumbent(&mut self, value: i64) {
        self.0.incumbent(value);
    }

    fn bound(&mut self, _upper: i64) {}
}

/// The best path of a single vertex: the program knows only paths with an edge.
fn best_vertex(piece: &Piece) -> Option<(Vec<u32>, i64)> {
    let Ends::Open { first, last, lone: true } = &piece.ends else { return None };
    let both = (0..).zip(first.iter().zip(last));
    let allowed = both.filter(|(_, (first, last))| **first != NOT_AN_END && **last != NOT_AN_END);
    let (vertex, value) = allowed.map(|(vertex, (first, last))| (vertex, first + last)).max_by_key(|pair| pair.1)?;
    Some((vec![vertex], value))
}

//! Line graphs: what they stand for is asked of their root.
//!
//! A line graph of m vertices may have m² edges and still have a root as thin as a path, so this is looked at before anything
//! else. Weights must be 1 each, since a trail counts the edges it meets, and an end may be fixed, but no prizes be given.

use crate::line_graph;
use crate::reduce::Reduction;
use crate::search::trail::{self, Root};
use crate::search::{Ends, Monitor, NOT_AN_END, Outcome, Piece, Run};
use crate::solution::Stop;

use super::Context;

/// The question about the root that a piece stands for, if there is one.
struct Question {
    root: Root,
    first: Option<u32>,
}

/// Why a piece stands for no question about a root.
#[derive(Clone, Copy)]
enum Unfit {
    Directed,
    Weighted,
    Ends,
    NoLineGraph,
}

impl Question {
    fn of(piece: &Piece) -> Result<Self, Unfit> {
        let graph = &piece.graph;
        if graph.is_directed() {
            return Err(Unfit::Directed);
        }
        if graph.edges().iter().any(|edge| edge.weight != 1) {
            return Err(Unfit::Weighted);
        }
        let first = beginning(&piece.ends).ok_or(Unfit::Ends)?;
        let found = line_graph::root_of(graph).ok_or(Unfit::NoLineGraph)?;
        Ok(Question { root: Root::new(found.vertex_count, found.ends), first })
    }
}

/// The only vertex where a path may begin, or `None` if it may anywhere; nothing if these ends are more than that.
fn beginning(ends: &Ends) -> Option<Option<u32>> {
    let Ends::Open { first, last, lone: true } = ends else {
        return None;
    };
    if last.iter().any(|&prize| prize != 0) {
        return None;
    }
    if first.iter().all(|&prize| prize == 0) {
        return Some(None);
    }
    let mut beginnings = (0..).zip(first).filter(|&(_, &prize)| prize != NOT_AN_END);
    match (beginnings.next(), beginnings.next()) {
        (Some((vertex, 0)), None) => Some(Some(vertex)),
        _ => None,
    }
}

/// The answer to the whole question by way of the root, if it is settled or cut short there; otherwise what it takes to go on:
/// the best that was found.
pub(super) enum Asked {
    /// The graph is no line graph, or not asked about in the way of one.
    No,
    /// The root has settled it, or a limit is spent.
    Answered(Outcome),
    /// The root is too wide; this is what it knows.
    Begun(Outcome),
}

pub(super) fn ask(piece: &Piece, context: &Context, run: &mut Run<'_>) -> Asked {
    // A forest is settled sooner than recognised.
    let graph = &piece.graph;
    if !context.reductions.has(Reduction::LineGraph) || graph.edge_count() < graph.vertex_count() {
        return Asked::No;
    }
    let Ok(question) = Question::of(piece) else {
        return Asked::No;
    };
    let outcome = question.solve(run);
    match outcome.stop {
        Some(Stop::Exhausted) => Asked::Begun(outcome),
        _ => Asked::Answered(outcome),
    }
}

impl Question {
    fn solve(&self, run: &mut Run<'_>) -> Outcome {
        let (n, m) = (self.root.vertex_count, self.root.ends.len());
        run.enter("trail", format!("trail: a line graph, its root has {n} vertices and {m} edges"));
        let budget = run.budget.clone();
        trail::solve(&self.root, self.first, i64::MIN, &budget, run)
    }
}

/// The engine `trail`, asked for by name.
pub(super) fn forced(piece: &Piece, run: &mut Run<'_>) -> Outcome {
    match Question::of(piece) {
        Ok(question) => question.solve(run),
        Err(unfit) => {
            run.note(format!("trail: nothing to be done, {}", unfit.reason()));
            let upper = piece.trivial_bound();
            run.bound(upper);
            Outcome { stop: Some(Stop::Exhausted), ..Outcome::nothing_above(i64::MIN, upper) }
        }
    }
}

impl Unfit {
    fn reason(self) -> &'static str {
        match self {
            Unfit::Directed => "edges have a direction",
            Unfit::Weighted => "edges do not all weigh 1",
            Unfit::Ends => "the path is closed, or both its ends are given",
            Unfit::NoLineGraph => "this is no line graph",
        }
    }
}

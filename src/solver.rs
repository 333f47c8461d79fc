//! The façade: view → search → lift → check.

use std::time::Instant;

use crate::certificate::{self, Claim};
use crate::error::Error;
use crate::problem::{Engine, LongestPath};
use crate::search::{Ends, NOT_AN_END, Piece, Run, k_path, strategy};
use crate::solution::{Path, Solution, Stop};
use crate::view::{InputGraph, Names, View};

pub(crate) fn solve<G: InputGraph>(problem: LongestPath<'_, G>) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
    let began = Instant::now();
    let LongestPath { graph, from, to, closed, weights, options, observer } = problem;
    let weight = |edge: G::EdgeRef| weights.as_ref().map_or(1, |weight| weight(edge));
    if options.threads == 0 {
        return Err(Error::contradiction("a search needs at least one thread; ask for 1 or more"));
    }

    check_probability(options.failure_probability)?;

    let view = View::new(graph, weight)?;
    let claim = Claim { from, to, closed };
    let (piece, names) = piece_of(view, &claim)?;

    if options.engine == Engine::Sieve && k_path::uniform_weight(&piece.graph).is_none_or(|weight| weight < 0) {
        return Err(Error::contradiction(
            "the sieve knows no weights; give every edge the same weight, not a negative one, or use color coding",
        ));
    }

    let mut run = Run::new(began, &options, observer);
    let answer = strategy::solve(&piece, &options, &mut run);

    let path = answer.best.map(|(mut vertices, length)| {
        if let Ends::Closed { through: Some(from) } = piece.ends {
            let start = vertices.iter().position(|&vertex| vertex == from);
            vertices.rotate_left(start.expect("the cycle visits the vertex asked for"));
        }
        let mut edges: Vec<u32> = piece.graph.edges_along(&vertices).collect();
        if closed {
            let closing = piece.graph.edge_between(vertices[vertices.len() - 1], vertices[0]);
            edges.push(closing.expect("a cycle closes"));
        }
        Path {
            nodes: vertices.iter().map(|&vertex| names.node(vertex)).collect(),
            edges: edges.iter().map(|&edge| names.edge_id(edge)).collect(),
            length,
        }
    });
    if let Some(path) = &path {
        match certificate::check_path(graph, weight, &claim, &path.nodes, &path.edges) {
            Ok(length) => assert_eq!(length, path.length, "the path found is not as long as its engine says"),
            Err(flaw) => panic!("a wrong path was found: {flaw}"),
        }
    }
    let upper_bound = (answer.upper != i64::MIN).then_some(answer.upper);
    let settled = upper_bound == path.as_ref().map(|path| path.length);
    let stop = if settled { Stop::Finished } else { answer.stop.unwrap_or(Stop::Exhausted) };
    Ok(Solution { path, upper_bound, stop, stats: run.into_stats() })
}

/// What the caller asks of a graph, for the engines, and the way back.
pub(crate) fn piece_of<G: InputGraph>(view: View<G>, claim: &Claim<G::NodeId>) -> Result<(Piece, Names<G>), Error> {
    if claim.closed && claim.to.is_some() {
        return Err(Error::contradiction(
            "a closed path has no end; give the node it must visit with `from`, and no `to`",
        ));
    }
    let vertex = |node: Option<G::NodeId>, role| match node {
        Some(node) => view.vertex(node).map(Some).ok_or_else(|| Error::unknown_end(role)),
        None => Ok(None),
    };
    let (from, to) = (vertex(claim.from, "the beginning")?, vertex(claim.to, "the end")?);
    let ends = if claim.closed {
        Ends::Closed { through: from }
    } else {
        let n = view.graph().vertex_count();
        Ends::Open { first: end_rule(n, from), last: end_rule(n, to), lone: true }
    };
    let (graph, names) = view.into_parts();
    Ok((Piece { graph, ends }, names))
}

/// Refuses what is no probability of failure.
pub(crate) fn check_probability(failure: f64) -> Result<(), Error> {
    if failure > 0.0 && failure < 1.0 {
        Ok(())
    } else {
        Err(Error::contradiction("a failure probability lies between 0 and 1, neither included; 0.001 is usual"))
    }
}

/// The prizes of an end that is free, or fixed to one vertex.
fn end_rule(vertex_count: usize, fixed: Option<u32>) -> Vec<i64> {
    match fixed {
        None => vec![0; vertex_count],
        Some(vertex) => {
            let mut prizes = vec![NOT_AN_END; vertex_count];
            prizes[vertex as usize] = 0;
            prizes
        }
    }
}

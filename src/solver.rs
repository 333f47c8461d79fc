//! The façade: view → search → lift → check.

use std::hash::Hash;
use std::time::Instant;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::certificate::{self, Claim};
use crate::error::Error;
use crate::line_graph;
use crate::problem::{Engine, LinearSolver, LongestPath, LongestSequence, Options};
use crate::search::trail::{self, Aim, Asked, Root};
use crate::search::{Ends, Monitor, NOT_AN_END, Outcome, Piece, Run, k_path, strategy};
use crate::solution::{Path, Solution, Stop};
use crate::view::{InputGraph, Names, View};

pub(crate) fn solve<G: InputGraph>(problem: LongestPath<'_, G>) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
    let began = Instant::now();
    let LongestPath { graph, from, to, closed, weights, options, observer } = problem;
    let weight = |edge: G::EdgeRef| weights.as_ref().map_or(1, |weight| weight(edge));
    if options.limits.threads == 0 {
        return Err(Error::contradiction(NO_THREAD));
    }

    check_probability(options.failure_probability)?;
    check_linear_solver(&options)?;

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
    Ok(solution(path, answer.upper, answer.stop, run))
}

fn check_linear_solver(options: &Options) -> Result<(), Error> {
    if options.linear_solver == LinearSolver::Simplex {
        return Ok(());
    }
    if options.engine != Engine::BranchAndCut {
        return Err(Error::contradiction("HiGHS serves the engine 'branch-and-cut' only; ask for that engine as well"));
    }
    if !cfg!(feature = "highs") {
        return Err(Error::contradiction(
            "this longhaul was built without HiGHS; build it with the feature 'highs', or do without '--lp highs'",
        ));
    }
    Ok(())
}

const NO_THREAD: &str = "a search needs at least one thread; ask for 1 or more";

fn solution<N, E>(path: Option<Path<N, E>>, upper: i64, stop: Option<Stop>, run: Run<'_>) -> Solution<N, E> {
    let upper_bound = (upper != i64::MIN).then_some(upper);
    let settled = upper_bound == path.as_ref().map(|path| path.length);
    let stop = if settled { Stop::Finished } else { stop.unwrap_or(Stop::Exhausted) };
    Solution { path, upper_bound, stop, stats: run.into_stats() }
}

/// The same for the line graph of a multigraph, which the engine for trails does not need to see.
pub(crate) fn solve_sequence<G: InputGraph>(
    problem: LongestSequence<'_, G>,
) -> Result<Solution<G::EdgeId, G::NodeId>, Error>
where
    G::EdgeId: Eq + Hash,
{
    let began = Instant::now();
    let LongestSequence { graph, first, options, observer } = problem;
    if options.limits.threads == 0 {
        return Err(Error::contradiction(NO_THREAD));
    }
    let ids: Vec<G::EdgeId> = graph.edge_references().map(|edge| edge.id()).collect();
    if ids.len() > u32::MAX as usize / 2 {
        return Err(Error::too_large("edges", ids.len(), u32::MAX as usize / 2));
    }
    if graph.node_bound() >= u32::MAX as usize - 1 {
        return Err(Error::too_large("nodes", graph.node_bound(), u32::MAX as usize - 2));
    }
    let first_edge = match first {
        None => None,
        Some(first) => {
            let place = ids.iter().position(|&id| id == first).ok_or_else(Error::unknown_first_edge)?;
            Some(place as u32)
        }
    };
    let index = |node: G::NodeId| graph.to_index(node) as u32;
    let ends: Vec<[u32; 2]> =
        graph.edge_references().map(|edge| [index(edge.source()), index(edge.target())]).collect();
    let root = Root::new(graph.node_bound(), ends);

    let mut run = Run::new(began, &options, observer);
    let answer = match options.engine {
        Engine::Auto | Engine::Trail => {
            let words = format!("trail: on the root itself, {} edges", ids.len());
            run.enter(Engine::Trail.name(), words);
            let budget = run.budget.clone();
            let aim = first_edge.map_or(Aim::Free, Aim::From);
            let asked = Asked { aim, earned: 0, turned: false, lone: true };
            let outcome = trail::solve(&root, asked, i64::MIN, &budget, &mut run);
            run.bound(outcome.upper);
            run.account(&outcome);
            outcome
        }
        engine => {
            let too_large = |error: line_graph::TooLarge| Error::line_graph_too_large(engine.name(), error.to_string());
            let line = line_graph::line_graph(graph, options.limits.memory).map_err(too_large)?;
            let from = first_edge.map(|edge| NodeIndex::new(edge as usize));
            let (piece, _) = piece_of(View::new(&line, |_| 1)?, &Claim { from, to: None, closed: false })?;
            strategy::solve(&piece, &options, &mut run)
        }
    };

    let Outcome { best, upper, stop, .. } = answer;
    let path = best.map(|(sequence, length)| {
        let mut nodes: Vec<Option<G::NodeId>> = vec![None; graph.node_bound()];
        graph.node_identifiers().for_each(|node| nodes[graph.to_index(node)] = Some(node));
        let meetings = sequence.windows(2).map(|pair| {
            let [one, two] = [pair[0], pair[1]].map(|edge| root.ends[edge as usize]);
            let shared = one.into_iter().find(|end| two.contains(end)).expect("the edges share an end");
            nodes[shared as usize].expect("edges end at nodes of the graph")
        });
        Path { edges: meetings.collect(), nodes: sequence.iter().map(|&edge| ids[edge as usize]).collect(), length }
    });
    if let Some(path) = &path {
        match certificate::check_sequence(graph, first, &path.nodes, &path.edges) {
            Ok(length) => assert_eq!(length, path.length, "the sequence found is not as long as its engine says"),
            Err(flaw) => panic!("a wrong sequence was found: {flaw}"),
        }
    }
    Ok(solution(path, upper, stop, run))
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

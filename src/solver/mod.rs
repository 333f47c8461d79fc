//! The façade: each question is read into the uniform problem, handed to the strategy, and its answer checked on the caller's
//! own graph.

mod demanding;
mod folding;
mod k_path;
mod line_graph;
mod list;
mod path;
mod reading;
mod trail;

pub use list::Paths;

use std::io::Write;

use crate::certificate::{self, Claim};
use crate::engine::{Engine, Method};
use crate::engines::trail::Root;
use crate::error::Error;
use crate::instance::{Ends, Instance, NOT_AN_END, Outcome, Run};
use crate::options::Options;
use crate::solution::{Answer, Path, Solution, Stop};
use crate::strategy;
use crate::view::{CsrGraph, InputGraph, LENGTH_LIMIT, Names, View};

/// What the caller asks of a graph, for the engines, and the way back.
pub(crate) fn instance_of<G: InputGraph>(
    view: View<G>,
    claim: &Claim<G::NodeId>,
) -> Result<(Instance, Names<G>), Error> {
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
        Ends::Open { first: end_rule(n, from), last: end_rule(n, to), single_vertex: true }
    };
    let (graph, names) = view.into_parts();
    Ok((Instance { graph, ends }, names))
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

/// Refuses what was wrong from the beginning, to search without a thread, and options of engines that are out of their range.
fn check_options(options: &Options) -> Result<(), Error> {
    if let Some(flaw) = &options.flaw {
        return Err(flaw.clone());
    }
    match options.limits.threads {
        0 => Err(Error::contradiction("a search needs at least one thread; ask for 1 or more")),
        _ => options.engine.check(),
    }
}

/// Refuses to ask the sieve about weights.
fn check_sieve(engine: Engine, graph: &CsrGraph) -> Result<(), Error> {
    if engine != Engine::Sieve || strategy::k_path::uniform_weight(graph).is_some_and(|weight| weight >= 0) {
        return Ok(());
    }
    Err(Error::contradiction(
        "the sieve knows no weights; give every edge the same weight, not a negative one, and no prizes, or use color coding",
    ))
}

/// The independent check: panics at a path that is not what its engine says.
fn check_path<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::EdgeRef) -> i64,
    claim: &Claim<G::NodeId>,
    path: &Path<G::NodeId, G::EdgeId>,
) {
    match certificate::check_path(graph, weight, claim, &path.nodes, &path.edges) {
        Ok(length) => assert_eq!(length, path.length, "the path found is not as long as its engine says"),
        Err(flaw) => panic!("a wrong path was found: {flaw}"),
    }
}

/// Why most answers have no proof.
const UNASKED: &str = "no proof was asked for";

/// Makes the proof that was asked for, and writes it. `numbers` are those of the instance's vertices there, of
/// `count`, and `prizes` what visiting them earns, where that is in the weights. If the answer is one about the trails of a root, that
/// is told.
fn proved(
    instance: &Instance,
    numbers: (&[u32], usize),
    prizes: Option<&[i64]>,
    root: Option<&Root>,
    outcome: &Outcome,
    (out, readable): (Option<Box<dyn Write + Send + '_>>, bool),
    run: &mut Run<'_>,
) -> Result<Result<Vec<u8>, String>, Error> {
    let Some(mut out) = out else { return Ok(Err(UNASKED.to_owned())) };
    let settled = strategy::Settled { by: run.bounded_by(), orders: run.orders(), root, basis: run.noted_basis() };
    let proved = strategy::prove(instance, numbers, prizes, outcome, &settled, !readable, &run.budget);
    match &proved {
        Ok((proof, is_checked)) => {
            out.write_all(proof).and_then(|()| out.flush()).map_err(|error| Error::proof_unwritten(&error))?;
            let said = if *is_checked { "which the checker accepts" } else { "a sweep, which was not made once more" };
            run.note(format!("proof: {} bytes, {said}", proof.len()));
        }
        Err(why) => run.note(format!("proof: none, {why}")),
    }
    Ok(proved.map(|(proof, _)| proof))
}

/// What is at work until the graph is read, and what is said where that comes to no end.
const READING: Method = Method::step(Engine::Auto, "reading");
const UNREAD: &str = "reading: the graph was not read to its end";

/// The answer where the limits are spent before the graph is read: each edge of a path adds no more than the heaviest.
fn unread<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::EdgeRef) -> i64,
    closed: bool,
    mut run: Run<'_>,
) -> Solution<G::NodeId, G::EdgeId> {
    let heaviest = graph.edge_references().map(weight).max().unwrap_or(0).clamp(0, LENGTH_LIMIT);
    let nodes = graph.node_identifiers().count() as i64;
    let edges = if closed { nodes } else { (nodes - 1).max(0) };
    run.enter(READING, UNREAD.to_owned());
    let stop = run.budget.spent();
    solution(None, heaviest.saturating_mul(edges).min(LENGTH_LIMIT), stop, run)
}

fn solution<N, E>(path: Option<Path<N, E>>, upper: i64, stop: Option<Stop>, run: Run<'_>) -> Solution<N, E> {
    let upper_bound = (upper != i64::MIN).then_some(upper);
    let stop = stop.unwrap_or(Stop::Exhausted);
    let answer = Answer::new(path.map(Path::with_length), upper_bound, stop, run.into_stats());
    Solution { answer, witness: Err(UNASKED.to_owned()) }
}

//! What `check --proof` finds: whether a proof holds for a graph in any format, by the rules of `longhaul-check`, and whether it is
//! about what was asked.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use longhaul::io::{Decimal, GraphFile};
use longhaul_check::graph::{Graph, MOST_WEIGHT};
use longhaul_check::question::Question;
use longhaul_check::{Limits, Verdict};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::claims::Claims;
use crate::failure::Failure;
use crate::input::Ends;

/// What a proof proves of the graph of a file, or which step fails and why.
pub(crate) fn examine(file: &GraphFile, proof: &Path) -> Result<Result<Verdict, String>, Failure> {
    let name = proof.display();
    let source = File::open(proof).map_err(|error| Failure::new(format!("{name}: cannot read the proof: {error}")))?;
    let edges = file.graph.edge_references();
    let edges = edges.map(|edge| (edge.source().index() as u32, edge.target().index() as u32, *edge.weight()));
    if edges.clone().any(|(.., weight)| weight.unsigned_abs() > MOST_WEIGHT) {
        return Ok(Err("a weight is beyond 2^60, and proofs know none".to_owned()));
    }
    let graph = Graph::new(file.directed, file.graph.node_count(), edges);
    let verdict = longhaul_check::check(&graph, BufReader::new(source), &Limits::default());
    Ok(verdict.map_err(|why| format!("{name}: {why}")))
}

/// The verdict as `longhaul-check` tells it, with lengths as the file writes them.
pub(crate) fn shown(verdict: &Verdict, file: &GraphFile) -> String {
    match (verdict.path, verdict.bound) {
        (path, Some(bound)) if file.places > 0 => {
            let kind = if path == verdict.bound { "optimal" } else { "bound" };
            format!("VERIFIED {kind} {} ({})", Decimal { units: bound, places: file.places }, verdict.question)
        }
        _ => verdict.to_string(),
    }
}

/// Whether the proof is about what was asked: the ends of the options, or those that the answer names.
pub(crate) fn fit_question(
    verdict: &Verdict,
    file: &GraphFile,
    ends: &Ends,
    claims: &Claims,
    asks_more: bool,
) -> Result<(), String> {
    if asks_more {
        return Err("trails and demands are not compared with proofs: leave the answer out".to_owned());
    }
    let finder = file.names.finder();
    let named = |end: Option<NodeIndex>, name: Option<&String>| {
        end.or_else(|| finder.find(name?)).map(|node| node.index() as u32)
    };
    let (from, to) = (named(ends.from, claims.from.as_ref()), named(ends.to, claims.to.as_ref()));
    let absent = (0..file.graph.node_count()).map(|node| ends.forbidden[node]);
    let mut asked = Question::plain(absent.collect(), from, to, ends.closed);
    let earning = ends.forbidden.zeroes().filter(|&node| node < file.prizes.len());
    earning.for_each(|node| asked.prizes[node] = file.prizes[node]);
    // Without directions either end may come first.
    if asked == verdict.question || (!file.directed && asked.clone().turned() == verdict.question) {
        return Ok(());
    }
    let [proved, asked] = [verdict.question.to_string(), asked.to_string()];
    let details = if proved == asked { " (of other vertices, or with other prizes)" } else { "" };
    Err(format!("the proof is about another question: '{proved}', not '{asked}'{details}"))
}

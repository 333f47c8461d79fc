//! What `check --proof` finds: whether a proof holds for a graph in any format, by the rules of `longhaul-check`, and whether it is
//! about what was asked.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use longhaul::io::{Decimal, GraphFile};
use longhaul_check::graph::{Graph, MOST_WEIGHT};
use longhaul_check::question::{Question, Sought};
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
    let absent: Vec<bool> = (0..file.graph.node_count()).map(|node| ends.forbidden[node]).collect();
    // The file may say nothing of prizes.
    let prizes = file.prizes.iter().copied().chain(std::iter::repeat(0));
    let prizes = absent.iter().zip(prizes).map(|(&absent, prize)| if absent { 0 } else { prize }).collect();
    let able = |end: Option<u32>| -> Vec<Option<i64>> {
        let may = |vertex| !absent[vertex as usize] && end.is_none_or(|end| end == vertex);
        (0..absent.len() as u32).map(|vertex| may(vertex).then_some(0)).collect()
    };
    let [first, last] = [from, to].map(able);
    let mut ways = vec![if ends.closed { Sought::Cycle { through: from } } else { Sought::Path { first, last } }];
    // Without directions either end may come first.
    if let Sought::Path { first, last } = &ways[0]
        && !file.directed
    {
        ways.push(Sought::Path { first: last.clone(), last: first.clone() });
    }
    let proved = &verdict.question;
    if ways.contains(&proved.sought) && (&proved.absent, &proved.prizes) == (&absent, &prizes) {
        return Ok(());
    }
    let asked = Question { absent, prizes, sought: ways.swap_remove(0) };
    let [proved, asked] = [verdict.question.to_string(), asked.to_string()];
    let details = if proved == asked { " (of other vertices, or with other prizes)" } else { "" };
    Err(format!("the proof is about another question: '{proved}', not '{asked}'{details}"))
}

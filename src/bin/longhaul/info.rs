//! `longhaul info`: facts about a graph, without solving anything.

use std::process::ExitCode;

use longhaul::io::{GraphFile, ReadOptions};
use petgraph::algo::{connected_components, kosaraju_scc};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use serde::Serializer;
use serde_json::{Value, json};

use crate::args::{InfoArgs, InfoOutput};
use crate::failure::Failure;
use crate::input;
use crate::output::Output;

pub(crate) fn run(args: &InfoArgs) -> Result<ExitCode, Failure> {
    let file = input::read_graph(&args.graph, ReadOptions::default().memory_limit)?;
    let facts = facts(&file);
    let mut output = Output::new();
    output.write(|out| match args.output {
        InfoOutput::Text => {
            facts.iter().try_for_each(|(name, value)| writeln!(out, "{:<20} {}", name.replace('_', " "), plain(value)))
        }
        InfoOutput::Json => {
            let mut serializer = serde_json::Serializer::pretty(&mut *out);
            serializer.collect_map(facts.iter().map(|(name, value)| (name, value)))?;
            writeln!(out)
        }
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// What is known, in the order of printing.
fn facts(file: &GraphFile) -> Vec<(&'static str, Value)> {
    let graph = &file.graph;
    let loops = graph.edge_references().filter(|edge| edge.source() == edge.target()).count();
    let mut pairs: Vec<(NodeIndex, NodeIndex)> = graph
        .edge_references()
        .map(|edge| (edge.source(), edge.target()))
        .filter(|(source, target)| source != target)
        .map(|(source, target)| if file.directed { (source, target) } else { (source.min(target), source.max(target)) })
        .collect();
    let proper = pairs.len();
    pairs.sort_unstable();
    pairs.dedup();
    let mut degrees = vec![0usize; graph.node_count()];
    for (source, target) in &pairs {
        degrees[source.index()] += 1;
        degrees[target.index()] += 1;
    }
    let end = |node: Option<NodeIndex>| node.map_or(Value::Null, |node| Value::from(file.names.name(node).to_string()));

    let mut facts = vec![
        ("format", Value::from(file.format.name())),
        ("directed", Value::from(file.directed)),
        ("nodes", Value::from(graph.node_count())),
        ("edges", Value::from(graph.edge_count())),
        ("self_loops", Value::from(loops)),
        ("parallel_edges", Value::from(proper - pairs.len())),
        ("components", Value::from(connected_components(graph))),
    ];
    if file.directed {
        facts.push(("strong_components", Value::from(kosaraju_scc(graph).len())));
    }
    facts.push(("least_degree", json!(degrees.iter().min())));
    facts.push(("greatest_degree", json!(degrees.iter().max())));
    facts.push(("weighted", Value::from(file.weighted)));
    if file.weighted {
        facts.push(("least_weight", json!(graph.edge_weights().min())));
        facts.push(("greatest_weight", json!(graph.edge_weights().max())));
    }
    facts.push(("from", end(file.terminals.from)));
    facts.push(("to", end(file.terminals.to)));
    facts
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

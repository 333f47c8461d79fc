//! `longhaul info`: facts about a graph, without solving anything.

use std::fmt::Display;
use std::process::ExitCode;

use longhaul::certificate::{Claim, Removal, Witness};
use longhaul::io::{GraphFile, NodeName, NodeNames, ReadOptions};
use longhaul::structure::{Class, Structure};
use longhaul::view::InputGraph;
use petgraph::graph::NodeIndex;
use petgraph::visit::{EdgeRef, NodeFiltered, UndirectedAdaptor};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input::{self, Ends};
use crate::object::SCHEMA;
use crate::options::graph::{EndArgs, GraphArgs};
use crate::options::output::InfoOutput;
use crate::options::pictures::PictureOnlyArgs;
use crate::output::Output;
use crate::picture;

/// So many nodes of a list are named in text; JSON has them all.
const NAMED: usize = 8;

/// A fact in both forms.
struct Fact {
    name: &'static str,
    text: String,
    value: Value,
}

#[derive(clap::Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// How to print the facts.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: InfoOutput,
    #[command(flatten)]
    pub(crate) pictures: PictureOnlyArgs,
}

pub(crate) fn run(args: &InfoArgs) -> Result<ExitCode, Failure> {
    let file = input::read_graph(&args.graph, ReadOptions::default())?;
    let ends = Ends::new(&args.ends, &file)?;
    let allowed = |node: NodeIndex| !ends.forbidden[node.index()];
    let structure = if file.directed {
        structure(&NodeFiltered::from_fn(&file.graph, allowed), &ends)
    } else {
        structure(&NodeFiltered::from_fn(UndirectedAdaptor(&file.graph), allowed), &ends)
    }?;

    if let Some(to) = &args.pictures.picture {
        picture::draw(to, &file, &[], false, &format!("{}", args.graph.file.display()))?;
    }
    let facts = facts(&file, &ends, &structure);
    let mut output = Output::new();
    output.write(|out| match args.output {
        InfoOutput::Text => {
            facts.iter().try_for_each(|fact| writeln!(out, "{:<20} {}", fact.name.replace('_', " "), fact.text))
        }
        // A fact a line here too: lists of nodes would fill pages otherwise.
        InfoOutput::Json => write!(out, "{{\n  \"schema\": {SCHEMA},\n  \"type\": \"answer\"")
            .and_then(|()| facts.iter().try_for_each(|fact| write!(out, ",\n  \"{}\": {}", fact.name, fact.value)))
            .and_then(|()| writeln!(out, "\n}}")),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn structure<G>(graph: G, ends: &Ends) -> Result<Structure<NodeIndex>, Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeWeight = i64>,
{
    let claim = Claim { from: ends.from, to: ends.to, closed: ends.closed };
    Ok(Structure::of(graph, |edge| *edge.weight(), &claim)?)
}

/// What is known, in the order of printing.
fn facts(file: &GraphFile, ends: &Ends, structure: &Structure<NodeIndex>) -> Vec<Fact> {
    let names = &file.names;
    let (least_degree, greatest_degree) = structure.degrees.unzip();
    let end = |node: Option<NodeIndex>| node.map_or(Value::Null, |node| name(names, node));
    let mut facts = vec![
        plain("format", json!(file.format.name())),
        plain("directed", json!(structure.directed)),
        plain("nodes", json!(structure.nodes)),
        plain("edges", json!(structure.edges)),
        plain("self_loops", json!(structure.self_loops)),
        plain("parallel_edges", json!(structure.parallel_edges)),
        plain("components", json!(structure.components)),
    ];
    if let Some(strong) = structure.strong_components {
        facts.push(plain("strong_components", json!(strong)));
    }
    facts.push(plain("blocks", json!(structure.blocks)));
    facts.push(plain("largest_block", json!(structure.largest_block)));
    facts.push(list("cut_nodes", names, &structure.cut_nodes));
    facts.push(plain("least_degree", json!(least_degree)));
    facts.push(plain("greatest_degree", json!(greatest_degree)));
    let classes: Vec<String> = structure.classes.iter().map(Class::to_string).collect();
    facts.push(Fact { name: "classes", text: or_dash(classes.join(", ")), value: json!(classes) });
    if let Some(sides) = &structure.sides {
        let [first, second] = sides.each_ref().map(Vec::len);
        let value = json!(sides.each_ref().map(|side| all_names(names, side)));
        facts.push(Fact { name: "sides", text: format!("{first} and {second} nodes"), value });
    }
    facts.push(plain("weighted", json!(file.weighted)));
    if file.weighted {
        let (least, greatest) = structure.weights.unzip();
        let told = |weight: Option<i64>| weight.map_or(Value::Null, |weight| number(&file.decimal(weight)));
        facts.push(plain("least_weight", told(least)));
        facts.push(plain("greatest_weight", told(greatest)));
    }
    order_facts(structure, names, &mut facts);
    facts.push(plain("from", end(ends.from)));
    facts.push(plain("to", end(ends.to)));
    facts.push(plain("cycle", json!(ends.closed)));
    bound_facts(file, ends, structure, &mut facts);
    facts
}

/// The order found bounds the width from above only, and the name of the fact says so.
fn order_facts(structure: &Structure<NodeIndex>, names: &NodeNames, facts: &mut Vec<Fact>) {
    let order = match &structure.order {
        Ok(order) => order,
        Err(reason) => return facts.push(missing("width_at_most", &reason.to_string())),
    };
    facts.push(plain("width_at_most", json!(order.width)));
    let adhesions = &order.adhesions;
    let sum: u64 = adhesions.iter().map(|&adhesion| u64::from(adhesion)).sum();
    let text = adhesions.iter().max().map_or(String::new(), |greatest| {
        format!("mean {:.1}, greatest {greatest}", sum as f64 / adhesions.len() as f64)
    });
    facts.push(Fact { name: "adhesions", text: or_dash(text), value: json!(adhesions) });
    // An estimate: no more of it than is meant. JSON knows no infinity and says null.
    let states = order.predicted_states.round();
    let text = if states.is_finite() { format!("{states:.1e}") } else { "more than 1e308".to_owned() };
    facts.push(Fact { name: "predicted_states", text, value: json!(states) });
    facts.push(list("order", names, &order.nodes));
}

/// The bound that was found is one of the weights alone, and so is what it rests on: prizes of nodes come on top, whoever of them
/// may be visited.
fn bound_facts(file: &GraphFile, ends: &Ends, structure: &Structure<NodeIndex>, facts: &mut Vec<Fact>) {
    let bound = match &structure.bound {
        Ok(bound) => bound,
        Err(reason) => return facts.push(missing("upper_bound", &reason.to_string())),
    };
    let allowed = file.prizes.iter().enumerate().filter(|(node, _)| !ends.forbidden[*node]);
    let prizes = allowed.map(|(_, &prize)| prize.max(0)).fold(0, i64::saturating_add);
    if !file.prizes.is_empty() {
        facts.push(plain("prizes_at_most", number(&file.decimal(prizes))));
    }
    match bound.upper {
        None => facts.push(Fact { name: "upper_bound", text: "there is none".to_owned(), value: Value::Null }),
        Some(upper) => facts.push(plain("upper_bound", number(&file.decimal(upper.saturating_add(prizes))))),
    }
    let names = &file.names;
    match &bound.witness {
        Witness::Removal(removal) => facts.extend(removal_facts(removal, names)),
        Witness::Blocks(parts) => {
            let with_witness = parts.iter().filter(|part| part.inside.is_some()).count();
            let listed = parts.iter().map(|part| {
                let inside: Option<serde_json::Map<String, Value>> = part.inside.as_ref().map(|removal| {
                    removal_facts(removal, names).map(|fact| (fact.name.to_owned(), fact.value)).into_iter().collect()
                });
                json!({ "nodes": all_names(names, &part.nodes), "inside": inside })
            });
            facts.push(Fact {
                name: "parts",
                text: format!("{} that hang from each other, {with_witness} with a witness inside", parts.len()),
                value: listed.collect(),
            });
        }
        _ => {}
    }
}

fn removal_facts(removal: &Removal<NodeIndex>, names: &NodeNames) -> [Fact; 4] {
    let Removal { nodes, shares, subtour_cuts, blossoms } = removal;
    let booked: Vec<Value> = shares
        .booked
        .iter()
        .map(|&(node, other, amount)| json!([name(names, node), name(names, other), amount]))
        .collect();
    let shared = Fact {
        name: "shares",
        text: match booked.len() {
            0 => "a half of each edge to each end".to_owned(),
            count => format!("those of {count} edges in units of 1/{}, halves of the others", shares.scale),
        },
        value: json!({
            "scale": shares.scale, "beginning": shares.beginning, "end": shares.end, "booked": booked,
        }),
    };
    let laid = subtour_cuts.iter().map(|subtour_cut| {
        let inside = all_names(names, &subtour_cut.inside);
        json!({ "inside": inside, "visited": name(names, subtour_cut.visited), "multiplier": subtour_cut.multiplier })
    });
    let subtour_cuts = Fact { name: "subtour_cuts", text: subtour_cuts.len().to_string(), value: laid.collect() };
    let grown = blossoms.iter().map(|blossom| {
        let teeth = blossom.teeth.iter().map(|&(one, two)| json!([name(names, one), name(names, two)]));
        json!({ "inside": all_names(names, &blossom.inside), "teeth": teeth.collect::<Vec<_>>(), "multiplier": blossom.multiplier })
    });
    let blossoms = Fact { name: "blossoms", text: blossoms.len().to_string(), value: grown.collect() };
    [list("removed", names, nodes), shared, subtour_cuts, blossoms]
}

fn plain(name: &'static str, value: Value) -> Fact {
    let text = match &value {
        Value::Null => or_dash(String::new()),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Fact { name, text, value }
}

/// A number of units as the file would write it.
fn number(decimal: &impl Display) -> Value {
    serde_json::from_str(&decimal.to_string()).expect("a decimal number is JSON")
}

fn missing(name: &'static str, reason: &str) -> Fact {
    Fact { name, text: format!("unknown: {reason}"), value: json!({ "unknown": reason }) }
}

/// How many nodes, and the first few of them.
fn list(name: &'static str, names: &NodeNames, nodes: &[NodeIndex]) -> Fact {
    let first: Vec<String> = nodes.iter().take(NAMED).map(|&node| names.name(node).to_string()).collect();
    let text = match nodes.len() {
        0 => "0".to_owned(),
        count if count > NAMED => format!("{count}: {} …", first.join(" ")),
        count => format!("{count}: {}", first.join(" ")),
    };
    Fact { name, text, value: all_names(names, nodes) }
}

fn all_names(names: &NodeNames, nodes: &[NodeIndex]) -> Value {
    nodes.iter().map(|&node| name(names, node)).collect()
}

/// A node as the file calls it: a number or a string.
fn name(names: &NodeNames, node: NodeIndex) -> Value {
    match names.name(node) {
        NodeName::Number(number) => json!(number),
        NodeName::Word(word) => json!(word),
    }
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

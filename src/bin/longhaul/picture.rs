//! `--picture` and `--report`: files beside the answer, written whole or not at all.

use std::path::{Path, PathBuf};

use longhaul::io::{self, GraphFile};
use longhaul::render::{Fact, Report, Shown, ShownCard, cards, curve, picture};
use longhaul::{Progress, Status};
use petgraph::graph::NodeIndex;

use crate::answer::{Answer, Sequence};
use crate::failure::Failure;
use crate::options::pictures::{PictureArgs, is_page};

/// Draws a graph with a path to a file.
pub(crate) fn draw(to: &Path, file: &GraphFile, nodes: &[NodeIndex], closed: bool, asked: &str) -> Result<(), Failure> {
    let svg = picture(file, &Shown { nodes, closed });
    let text = match is_page(to) {
        false => svg,
        true => {
            let steps = nodes.iter().map(|&node| file.names.name(node).to_string()).collect();
            let structure = facts_of_graph(file);
            let title = asked.to_owned();
            Report { title, picture: svg, steps, structure, command: command(), ..Report::default() }.page()
        }
    };
    Ok(io::save(to, |out| out.write_all(text.as_bytes()))?)
}

/// Writes what the options of a run ask for.
pub(crate) fn of_answer(
    args: &PictureArgs,
    answer: &Answer<'_>,
    file: Option<&GraphFile>,
    asked: &str,
    history: &[Progress],
) -> Result<(), Failure> {
    if !args.any() {
        return Ok(());
    }
    let svg = match (answer.cards, file) {
        (Some(sequence), _) => cards(&shown_cards(sequence, &answer.nodes), sequence.of()),
        (None, Some(file)) => picture(file, &Shown { nodes: &answer.nodes, closed: answer.closed }),
        (None, None) => return Ok(()),
    };
    let mut pages: Vec<&Path> = args.report.iter().map(PathBuf::as_path).collect();
    match &args.picture {
        Some(to) if is_page(to) => pages.push(to),
        Some(to) => io::save(to, |out| out.write_all(svg.as_bytes()))?,
        None => {}
    }
    if pages.is_empty() {
        return Ok(());
    }
    let steps = match answer.cards {
        Some(sequence) => crate::answer::cards_of(sequence),
        None => answer.nodes.iter().map(|&node| answer.names.name(node).to_string()).collect(),
    };
    let report = Report {
        title: asked.to_owned(),
        summary: answer.summary(),
        picture: svg,
        curve: curve(history, answer.stats.elapsed.as_secs_f64(), file.map_or(0, |file| file.decimal(0).places)),
        steps,
        run: facts_of_run(answer),
        decisions: answer.stats.decisions.clone(),
        structure: file.map(facts_of_graph).unwrap_or_default(),
        command: command(),
    };
    let page = report.page();
    pages.into_iter().try_for_each(|to| Ok(io::save(to, |out| out.write_all(page.as_bytes()))?))
}

fn shown_cards(sequence: &dyn Sequence, nodes: &[NodeIndex]) -> Vec<ShownCard> {
    let card = |at: usize| {
        let (mut card, mut link) = (String::new(), String::new());
        sequence.card(at, &mut card);
        if at > 0 {
            sequence.link(at, &mut link);
        }
        let (number, colour) = card.split_once(' ').unwrap_or(("", ""));
        let position = nodes.get(at).map(|node| node.index() + 1);
        ShownCard { number: number.to_owned(), colour: colour.to_owned(), link, position }
    };
    (0..sequence.len()).map(card).collect()
}

fn fact(name: &str, value: impl ToString) -> Fact {
    Fact { name: name.to_owned(), value: value.to_string() }
}

fn facts_of_run(answer: &Answer<'_>) -> Vec<Fact> {
    let shown = |value: Option<i64>| value.map_or("-".to_owned(), |value| answer.shown(value).to_string());
    let mut facts = vec![
        fact("status", answer.status),
        fact("stopped", answer.stop),
        fact("length", shown(answer.length)),
        fact("upper bound", shown(answer.upper_bound.filter(|_| answer.status != Status::Infeasible))),
        fact("engine", answer.stats.method),
        fact("time", format!("{:.3} s", answer.stats.elapsed.as_secs_f64())),
        fact("memory of the engines", format!("{:.1} MB", answer.stats.peak_bytes as f64 / 1e6)),
        fact("steps", answer.stats.steps),
    ];
    if let Some(probability) = answer.failure_probability {
        facts.push(fact("probability of a miss", format!("{probability:.1e}")));
    }
    facts
}

/// What is quickly known of the graph; `info` tells more.
fn facts_of_graph(file: &GraphFile) -> Vec<Fact> {
    let mut facts = vec![
        fact("format", file.format),
        fact("nodes", file.graph.node_count()),
        fact("edges", file.graph.edge_count()),
        fact("directed", if file.directed { "yes" } else { "no" }),
        fact("weighted", if file.weighted { "yes" } else { "no" }),
    ];
    facts.extend(structure(file));
    facts
}

fn structure(file: &GraphFile) -> Vec<Fact> {
    use longhaul::certificate::Claim;
    use longhaul::structure::{Class, Structure};
    use petgraph::visit::UndirectedAdaptor;
    let claim = Claim::free();
    let of = if file.directed {
        Structure::of(&file.graph, |edge| *petgraph::visit::EdgeRef::weight(&edge), &claim)
    } else {
        Structure::of(UndirectedAdaptor(&file.graph), |edge| *petgraph::visit::EdgeRef::weight(&edge), &claim)
    };
    let Ok(structure) = of else { return Vec::new() };
    let classes: Vec<String> = structure.classes.iter().map(Class::to_string).collect();
    let mut facts = vec![
        fact("components", structure.components),
        fact("blocks", structure.blocks),
        fact("nodes of the greatest block", structure.largest_block),
        fact("cut nodes", structure.cut_nodes.len()),
    ];
    if !classes.is_empty() {
        facts.push(fact("classes", classes.join(", ")));
    }
    if let Ok(order) = &structure.order {
        facts.push(fact("width of the order found", order.width));
        facts.push(fact("states of the frontier program, predicted", format!("{:.1e}", order.predicted_states)));
    }
    facts
}

/// The words of this command line, as a shell takes them.
fn command() -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || "-_./,=%:+".contains(letter))
    };
    let words = std::env::args().skip(1).map(|word| match plain(&word) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    let words: Vec<String> = words.collect();
    format!("longhaul {}\n# longhaul {}", words.join(" "), env!("CARGO_PKG_VERSION"))
}

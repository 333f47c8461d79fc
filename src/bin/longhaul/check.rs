//! `longhaul check`: is this a path (a cycle, a trail) of the graph, does it meet the demands, and is it as long as it claims? And
//! with a proof: is none longer? Nothing of the solver is asked.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::adapters::uno::rewriting::Rules;
use longhaul::certificate::{DemandFlaw, Flaw};
use longhaul::io::{self, DeckFile, Format, GraphFile, ReadOptions};
use longhaul_check::Verdict;
use petgraph::graph::NodeIndex;

use crate::answer::{count_of_edges, count_of_nodes};
use crate::claimed::{Claimed, read_answer};
use crate::demands::{DemandArgs, Demands, read_prizes};
use crate::failure::Failure;
use crate::game;
use crate::input::{self, Ends, read_text};
use crate::judged::{Judged, Wrong};
use crate::options::graph::{EndArgs, GraphArgs};
use crate::options::pictures::PictureOnlyArgs;
use crate::output::Output;
use crate::picture;
use crate::proved;

#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    /// The answer to verify: JSON or DIMACS lines as `solve` and `uno` write them, or the names of the nodes in order (for a
    /// deck: positions one a line, or cards two numbers a line); '-' is standard input. With --proof it may be left out.
    #[arg(required_unless_present = "proof")]
    pub(crate) answer: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    #[command(flatten)]
    pub(crate) demands: DemandArgs,
    /// The answer is a trail: no edge twice, nodes as often as they come [default: as it says]
    #[arg(long)]
    pub(crate) trail: bool,
    /// For a run of a game: the rules [default: those that the answer names]
    #[arg(long, value_parser = PossibleValuesParser::new(Rules::ALL.map(|(name, _)| name)).try_map(|name| Rules::from_str(&name)))]
    pub(crate) rules: Option<Rules>,
    /// Check a proof that `solve` or `uno` wrote: that it holds for this graph, and proves what the answer claims
    ///
    /// The rules are those of longhaul-check, which reads fewer formats and is all that must be trusted. Without an answer the verdict
    /// is told as there.
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) pictures: PictureOnlyArgs,
}

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode, Failure> {
    if args.graph.file.as_os_str() == "-" && args.answer.as_ref().is_some_and(|answer| answer.as_os_str() == "-") {
        return Err(Failure::new("the graph and the answer cannot both come from standard input"));
    }
    let is_game = game::is_game(&args.graph.file);
    if !is_game && args.rules.is_some() {
        return Err(Failure::usage(format!("--rules is for runs of games, and {} is none", args.graph.file.display())));
    }
    let ends = &args.ends;
    let speaks_of_demands = args.trail || args.demands.any();
    let speaks_of_ends = ends.from.is_some() || ends.to.is_some() || ends.free || ends.cycle || !ends.forbid.is_empty();
    if is_game && (speaks_of_ends || speaks_of_demands || args.graph.directed || args.graph.format.is_some()) {
        return Err(Failure::usage("a run of a game has neither ends nor edges: options about them say nothing here"));
    }
    if is_game && args.pictures.picture.is_some() {
        return Err(Failure::usage("--picture shows paths, and a run of a game is none"));
    }
    if is_game && args.proof.is_some() {
        return Err(Failure::usage("--proof is for paths, and a run of a game is none"));
    }
    if let Some(answer) = args.answer.as_ref().filter(|_| is_game) {
        return game::check(&args.graph.file, answer, args.rules);
    }
    let mut file = input::read_graph(&args.graph, ReadOptions::default())?;
    read_prizes(&args.demands, &mut file, &ReadOptions::default())?;
    let mut ends = Ends::new(&args.ends, &file)?;
    let proved = args.proof.as_ref().map(|proof| proved::examine(&file, proof)).transpose()?;
    let Some(answer) = &args.answer else {
        let told = proved.expect("one of both is given").map(|verdict| proved::shown(&verdict, &file));
        return tell_verdict(told.map_err(|why| format!("not valid: {why}")));
    };
    let (name, text) = read_text(answer)?;
    let is_deck = file.format == Format::Deck;
    let deck = || {
        let (name, bytes) = io::read_bytes(&args.graph.file)?;
        Ok(DeckFile::parse(&name, &bytes)?)
    };
    let claimed = read_answer(&name, &text, is_deck.then_some(&deck))?;

    if claimed.claims.closed == Some(true) && !ends.closed {
        // A cycle has no ends but those that were asked for by name.
        (ends.closed, ends.to) = (true, None);
        ends.from = ends.from.filter(|_| args.ends.from.is_some());
    }
    let is_trail = args.trail || claimed.claims.is_trail;
    if is_trail || claimed.claims.k.is_some() {
        file.prizes.clear();
    }
    let demands = Demands::new(&args.demands, &file, &ends)?;
    if is_trail && args.demands.any() {
        return Err(Failure::usage("a trail has neither prizes nor musts: options about them say nothing of it"));
    }
    let judged =
        proved.transpose().and_then(|proved| judge(&claimed, &file, &ends, &demands, is_trail, proved.as_ref()));
    if let (Ok((_, nodes)), Some(to)) = (&judged, &args.pictures.picture) {
        picture::draw(to, &file, nodes, ends.closed, &format!("A path of {}", args.graph.file.display()))?;
    }
    tell_verdict(
        judged.map(|(verdict, _)| format!("valid: {verdict}")).map_err(|reason| format!("not valid: {reason}")),
    )
}

fn tell_verdict(verdict: Result<String, String>) -> Result<ExitCode, Failure> {
    let is_valid = verdict.is_ok();
    let verdict = verdict.unwrap_or_else(|reason| reason);
    let mut output = Output::new();
    output.write(|out| writeln!(out, "{verdict}"));
    output.finish()?;
    Ok(if is_valid { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What is right about the answer, with its nodes, or what is wrong.
fn judge(
    claimed: &Claimed,
    file: &GraphFile,
    ends: &Ends,
    demands: &Demands,
    is_trail: bool,
    proved: Option<&Verdict>,
) -> Result<(String, Vec<NodeIndex>), String> {
    claimed.claims.fit(file)?;
    let asks_more = is_trail || demands.asks_more() || claimed.claims.k.is_some();
    if let Some(verdict) = proved {
        proved::fit_question(verdict, file, ends, &claimed.claims, asks_more)?;
    }
    if claimed.nodes.is_empty()
        && let Some(verdict) = claimed.claims.without_path(file, ends, is_trail || demands.asks_more())
    {
        let proved = proved.map(|proved| claimed.claims.fit_proof(None, proved.bound, file.places)).transpose()?;
        return verdict.map(|verdict| (verdict + &proved.unwrap_or_default(), Vec::new()));
    }
    let nodes = named(claimed, file, ends)?;
    let length = Judged { file, ends, demands, is_trail, nodes: &nodes }.worth().map_err(|wrong| {
        let name = |at: usize| &claimed.nodes[at % claimed.nodes.len()];
        match wrong {
            Wrong::Path(flaw @ Flaw::Repeated(one, _)) if !is_trail => format!("{flaw}: '{}'", name(one)),
            Wrong::Path(flaw @ Flaw::NoSuchStep(at)) => format!("{flaw}: '{}' to '{}'", name(at), name(at + 1)),
            Wrong::Path(flaw) => flaw.to_string(),
            Wrong::Demand(flaw @ DemandFlaw::MissedNode(at)) => {
                format!("{flaw}: '{}'", file.names.name(demands.visit[at]))
            }
            Wrong::Demand(flaw @ DemandFlaw::MissedStep(at)) => {
                let [one, two] = demands.use_steps[at].map(|node| file.names.name(node).to_string());
                format!("{flaw}: '{one}' to '{two}'")
            }
            Wrong::Demand(flaw @ DemandFlaw::Chord(one, two)) => {
                format!("{flaw}: '{}' and '{}'", name(one), name(two))
            }
            Wrong::Demand(flaw) => flaw.to_string(),
            Wrong::Overflow => "its worth passes 64 bits".to_owned(),
        }
    })?;
    let what = match (is_trail, ends.closed) {
        (false, false) => "a path",
        (false, true) => "a cycle",
        (true, false) => "a trail",
        (true, true) => "a closed trail",
    };
    let shown = |length: i64| file.decimal(length);
    let as_claimed = match claimed.length_in(file.places)? {
        Some(other) if other != length => {
            return Err(format!("{what} of length {}, which claims to be {}", shown(length), shown(other)));
        }
        Some(_) => ", as it claims",
        None => "",
    };
    claimed.claims.fit_path(length, file.places, &claimed.nodes)?;
    let rest = match proved {
        Some(proved) => claimed.claims.fit_proof(Some(length), proved.bound, file.places)?,
        None => claimed.claims.unchecked(),
    };
    let count = match is_trail {
        true => count_of_edges(nodes.len() - usize::from(!ends.closed)),
        false => count_of_nodes(nodes.len()),
    };
    let verdict = format!("{what} of length {}{as_claimed}; {count}{rest}", shown(length));
    Ok((verdict, nodes))
}

/// The nodes of an answer, by their names.
fn named(claimed: &Claimed, file: &GraphFile, ends: &Ends) -> Result<Vec<NodeIndex>, String> {
    let finder = file.names.finder();
    let numbered = |name: &str| {
        let number: usize = name.parse().ok()?;
        (1..=file.graph.node_count()).contains(&number).then(|| NodeIndex::new(number - 1))
    };
    let mut nodes = Vec::with_capacity(claimed.nodes.len());
    for name in &claimed.nodes {
        let node = if claimed.numbered { numbered(name) } else { finder.find(name) };
        let node = node.ok_or_else(|| match claimed.cards {
            true => format!("the deck has no card '{name}' left"),
            false => format!("the graph has no node '{name}'"),
        })?;
        if ends.forbidden[node.index()] {
            return Err(format!("the node '{name}' is forbidden"));
        }
        nodes.push(node);
    }
    Ok(nodes)
}

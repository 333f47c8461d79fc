//! Instances from files and into files.

use std::path::Path;

use longhaul::adapters::reductions::{
    Cooperative, Geography, HamiltonianCycle, HamiltonianPath, LongPath, MissedNode, Problem, Solitaire, Uncooperative,
};
use longhaul::adapters::uno::{Card, Deck};
use longhaul::io::{self, DeckFile, Format, GraphFile, ReadOptions, Terminals};
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use petgraph::{EdgeType, Graph};

use super::args::ReduceArgs;
use crate::failure::Failure;
use crate::options::graph::GraphOutput;
use crate::write::{empty_file, node_name, write_graph, write_whole};

/// What the parts of an instance are called, for solutions.
pub(super) enum Terms {
    /// By node.
    Nodes(Vec<String>),
    /// Positions in hands, and the cards there.
    Hands(Box<DeckFile>),
}

/// What reductions start from.
pub(super) trait Readable: Problem {
    /// The options that say more of it than its file.
    const OPTIONS: &[&str];

    fn read(args: &ReduceArgs) -> Result<(Self, Terms), Failure>;
}

/// What reductions lead to.
pub(super) trait Writable: Problem {
    /// What its parts are called in a file of this format.
    fn terms(&self, format: Format) -> Terms;

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure>;
}

/// An undirected graph with what the options say of it.
struct Read {
    graph: UnGraph<(), i64>,
    from: Option<NodeIndex>,
    to: Option<NodeIndex>,
    openings: Vec<NodeIndex>,
    names: Terms,
}

impl Read {
    fn new(args: &ReduceArgs) -> Result<Self, Failure> {
        let (name, bytes) = io::read_bytes(&args.file)?;
        let file = GraphFile::parse(&name, &bytes, &ReadOptions::default())
            .map_err(|error| Failure::in_file(&error, &bytes))?;
        if file.directed {
            return Err(Failure::new(format!("{name}: the graph is directed, and this is about undirected ones")));
        }
        let finder = file.names.finder();
        let find = |option: &str, node: &String| {
            let unknown = || {
                let message = format!("{option}: the graph has no node '{node}'");
                Failure::new(message).with_help(format!("its nodes are {}", file.names.summary()))
            };
            finder.find(node).ok_or_else(unknown)
        };
        let from = args.from.as_ref().map(|node| find("--from", node)).transpose()?;
        let to = args.to.as_ref().map(|node| find("--to", node)).transpose()?;
        let openings = args.opening.iter().map(|node| find("--opening", node)).collect::<Result<_, _>>()?;
        let names = file.graph.node_indices().map(|node| file.names.name(node).to_string()).collect();
        Ok(Read {
            from: from.or(file.terminals.from),
            to: to.or(file.terminals.to),
            openings,
            names: Terms::Nodes(names),
            graph: file.graph.into_edge_type(),
        })
    }

    fn plain(&self) -> UnGraph<(), ()> {
        self.graph.map(|_, ()| (), |_, _| ())
    }
}

impl Readable for HamiltonianPath {
    const OPTIONS: &[&str] = &["--from", "--to"];

    fn read(args: &ReduceArgs) -> Result<(Self, Terms), Failure> {
        let read = Read::new(args)?;
        Ok((HamiltonianPath { graph: read.plain(), from: read.from, to: read.to }, read.names))
    }
}

impl Readable for HamiltonianCycle {
    const OPTIONS: &[&str] = &[];

    fn read(args: &ReduceArgs) -> Result<(Self, Terms), Failure> {
        let read = Read::new(args)?;
        Ok((HamiltonianCycle { graph: read.plain() }, read.names))
    }
}

impl Readable for LongPath {
    const OPTIONS: &[&str] = &["--from", "--to", "--at-least"];

    fn read(args: &ReduceArgs) -> Result<(Self, Terms), Failure> {
        let missing = || Failure::new("a long path needs a least length: give it with --at-least");
        let at_least = args.at_least.ok_or_else(missing)?;
        let Read { graph, from, to, names, .. } = Read::new(args)?;
        Ok((LongPath { graph, from, to, at_least }, names))
    }
}

impl Readable for Geography {
    const OPTIONS: &[&str] = &["--opening"];

    fn read(args: &ReduceArgs) -> Result<(Self, Terms), Failure> {
        let read = Read::new(args)?;
        Ok((Geography { graph: read.plain(), openings: read.openings }, read.names))
    }
}

impl Readable for Solitaire {
    const OPTIONS: &[&str] = &["--at-least"];

    fn read(args: &ReduceArgs) -> Result<(Self, Terms), Failure> {
        let (hands, names) = read_hands(&args.file)?;
        let cards: Vec<Card> = hands.iter().flat_map(|hand| hand.cards().iter().copied()).collect();
        let at_least = match args.at_least {
            None => cards.len(),
            Some(least) => usize::try_from(least).map_err(|_| Failure::new("--at-least: no number of cards"))?,
        };
        Ok((Solitaire { deck: Deck::new(cards), at_least }, names))
    }
}

impl Readable for Uncooperative {
    const OPTIONS: &[&str] = &[];

    fn read(args: &ReduceArgs) -> Result<(Self, Terms), Failure> {
        let (hands, names) = read_hands(&args.file)?;
        let count = hands.len();
        let message = || format!("{}: found {count} hands, expected two", args.file.display());
        let two = <[Deck; 2]>::try_from(hands).map_err(|_| Failure::new(message()));
        let hands = two.map_err(|failure| failure.with_help("divide the file by a line '---'"))?;
        Ok((Uncooperative { hands }, names))
    }
}

fn read_hands(path: &Path) -> Result<(Vec<Deck>, Terms), Failure> {
    let (name, bytes) = io::read_bytes(path)?;
    let file = DeckFile::parse(&name, &bytes).map_err(|error| Failure::in_file(&error, &bytes))?;
    let hand =
        |pairs: &Vec<(u32, u32)>| Deck::new(pairs.iter().map(|&(number, colour)| Card { number, colour }).collect());
    Ok((file.hands.iter().map(hand).collect(), Terms::Hands(Box::new(file))))
}

impl Writable for HamiltonianPath {
    fn terms(&self, format: Format) -> Terms {
        node_terms(&self.graph, format)
    }

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure> {
        let comment = format!("{reduction}: is there a Hamiltonian path?");
        write_graph(&graph_file(&self.graph, |()| None, [self.from, self.to]), &comment, output)
    }
}

impl Writable for HamiltonianCycle {
    fn terms(&self, format: Format) -> Terms {
        node_terms(&self.graph, format)
    }

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure> {
        let comment = format!("{reduction}: is there a Hamiltonian cycle?");
        write_graph(&graph_file(&self.graph, |()| None, [None; 2]), &comment, output)
    }
}

impl<Ty: EdgeType + Clone> Writable for LongPath<Ty> {
    fn terms(&self, format: Format) -> Terms {
        node_terms(&self.graph, format)
    }

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure> {
        let weighted = self.graph.edge_weights().any(|&weight| weight != 1);
        let file = graph_file(&self.graph, |&weight| weighted.then_some(weight), [self.from, self.to]);
        write_graph(&file, &format!("{reduction}: is there a path of length {} or more?", self.at_least), output)
    }
}

impl Writable for Geography {
    fn terms(&self, format: Format) -> Terms {
        node_terms(&self.graph, format)
    }

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure> {
        let openings: Vec<String> = self.openings.iter().map(|&node| node_name(output.format(), node)).collect();
        let comment = format!("{reduction}: who opens at one of {}, can they win?", openings.join(" "));
        write_graph(&graph_file(&self.graph, |()| None, [None; 2]), &comment, output)
    }
}

impl Writable for MissedNode {
    fn terms(&self, format: Format) -> Terms {
        node_terms(&self.graph, format)
    }

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure> {
        let side: Vec<String> = self.side.iter().map(|&node| node_name(output.format(), node)).collect();
        let comment = format!("{reduction}: does a maximum matching miss one of {}?", side.join(" "));
        write_graph(&graph_file(&self.graph, |()| None, [None; 2]), &comment, output)
    }
}

impl Writable for Solitaire {
    fn terms(&self, _: Format) -> Terms {
        hand_terms(std::slice::from_ref(&self.deck))
    }

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure> {
        write_whole(output, |out| {
            writeln!(out, "# {reduction}: can {} cards be played, one after another?", self.at_least)?;
            self.deck.write(out)
        })
    }
}

impl Writable for Cooperative {
    fn terms(&self, _: Format) -> Terms {
        hand_terms(&self.hands)
    }

    fn write(&self, reduction: &str, output: &GraphOutput) -> Result<(), Failure> {
        let [one, two] = &self.hands;
        write_whole(output, |out| {
            writeln!(out, "# {reduction}: can player 1 be made to win, rule {}?", self.rule)?;
            one.write(out)?;
            writeln!(out, "---")?;
            two.write(out)
        })
    }
}

fn node_terms<W, Ty: EdgeType>(graph: &Graph<(), W, Ty>, format: Format) -> Terms {
    Terms::Nodes(graph.node_indices().map(|node| node_name(format, node)).collect())
}

fn hand_terms(hands: &[Deck]) -> Terms {
    let pairs = |hand: &Deck| hand.cards().iter().map(|card| (card.number, card.colour)).collect();
    Terms::Hands(Box::new(DeckFile { hands: hands.iter().map(pairs).collect(), ..DeckFile::default() }))
}

/// For writing; a weight of `None` is none.
fn graph_file<W, Ty: EdgeType>(
    graph: &Graph<(), W, Ty>,
    weight: impl Fn(&W) -> Option<i64>,
    [from, to]: [Option<NodeIndex>; 2],
) -> GraphFile {
    let mut file = empty_file(graph.node_count());
    file.directed = graph.is_directed();
    file.terminals = Terminals { from, to };
    for edge in graph.edge_references() {
        let weight = weight(edge.weight());
        file.weighted |= weight.is_some();
        file.graph.add_edge(edge.source(), edge.target(), weight.unwrap_or(1));
    }
    file
}

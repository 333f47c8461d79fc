//! Cubic graphs.

use std::process::ExitCode;

use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use longhaul::adapters::cubic;
use longhaul::io::GraphFile;
use petgraph::graph::UnGraph;
use petgraph::visit::EdgeRef;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use crate::failure::Failure;
use crate::options::graph::GraphOutput;
use crate::write::{empty_file, write_graph};

#[derive(clap::Args)]
pub(crate) struct CubicArgs {
    #[command(subcommand)]
    pub(crate) family: CubicFamily,
    #[command(flatten)]
    pub(crate) output: GraphOutput,
}

#[derive(Subcommand)]
pub(crate) enum CubicFamily {
    /// A random cubic graph on N nodes, each labelled one equally likely.
    Random {
        /// How many nodes: an even number.
        n: usize,
        /// The seed.
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// The generalised Petersen graph GP(N, K), on 2N nodes.
    Petersen {
        /// The length of the outer cycle.
        n: usize,
        /// The step of the inner edges.
        k: usize,
    },
    /// The prism over a cycle of N nodes, on 2N nodes.
    Prism {
        /// The length of the cycle.
        n: usize,
    },
    /// The Möbius ladder on N nodes.
    MoebiusLadder {
        /// How many nodes: an even number.
        n: usize,
    },
    /// The flower snark J(N), on 4N nodes; a snark for odd N from 5 on.
    FlowerSnark {
        /// How many stars.
        n: usize,
    },
    /// A graph with a name of its own.
    Named {
        /// The name.
        #[arg(value_parser = PossibleValuesParser::new(cubic::names()))]
        name: String,
    },
}

pub(super) fn run(args: &CubicArgs) -> Result<ExitCode, Failure> {
    let (made, title) = match &args.family {
        CubicFamily::Random { n, seed } => {
            let graph = cubic::random(*n, &mut Pcg64Mcg::seed_from_u64(*seed));
            (graph, format!("a random cubic graph on {n} nodes, seed {seed}"))
        }
        CubicFamily::Petersen { n, k } => {
            (cubic::generalised_petersen(*n, *k), format!("the generalised Petersen graph GP({n}, {k})"))
        }
        CubicFamily::Prism { n } => (cubic::prism(*n), format!("the prism over a cycle of {n} nodes")),
        CubicFamily::MoebiusLadder { n } => (cubic::moebius_ladder(*n), format!("the Möbius ladder on {n} nodes")),
        CubicFamily::FlowerSnark { n } => (cubic::flower_snark(*n), format!("the flower snark J({n})")),
        CubicFamily::Named { name } => {
            let graph = cubic::named(name).map_err(|error| Failure::new(error.to_string()))?;
            (Ok(graph), format!("the cubic graph '{name}'"))
        }
    };
    let graph = made.map_err(|error| Failure::new(error.to_string()))?;
    write_graph(&plain(&graph), &title, &args.output)?;
    Ok(ExitCode::SUCCESS)
}

/// A graph without weights, for writing.
fn plain(graph: &UnGraph<(), ()>) -> GraphFile {
    let mut file = empty_file(graph.node_count());
    for edge in graph.edge_references() {
        file.graph.add_edge(edge.source(), edge.target(), 1);
    }
    file
}

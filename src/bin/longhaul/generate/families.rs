//! `longhaul generate`: the families beside the cubic graphs.

use std::path::PathBuf;
use std::process::ExitCode;

use longhaul::adapters::families::{self, NoSuchGraph};
use longhaul::io::{GraphFile, write_deck};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use crate::failure::Failure;
use crate::options::graph::GraphOutput;
use crate::write::{write_graph, write_whole};

/// A graph or deck of a family.
#[derive(clap::Args)]
pub(crate) struct FamilyArgs {
    /// The seed of everything random.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    output: GraphOutput,
}

#[derive(clap::Subcommand)]
pub(crate) enum Family {
    /// A grid of ROWS by COLUMNS cells.
    Grid {
        rows: usize,
        columns: usize,
        #[command(flatten)]
        output: GraphOutput,
    },
    /// A maze of ROWS by COLUMNS cells: a random spanning tree of the grid, and some more ways.
    Maze {
        rows: usize,
        columns: usize,
        /// With what probability each wall that is left is taken out.
        #[arg(long, default_value_t = 0.1)]
        openness: f64,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// Country roads: a grid of ROWS by COLUMNS crossings with gaps and bends.
    Roads {
        rows: usize,
        columns: usize,
        /// With what probability each road of the grid is missing.
        #[arg(long, default_value_t = 0.3)]
        missing: f64,
        /// With what probability a road has a bend, which is a node.
        #[arg(long, default_value_t = 0.3)]
        bends: f64,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// Streets of a town, directed: a grid of ROWS by COLUMNS crossings with gaps and one-way streets.
    Streets {
        rows: usize,
        columns: usize,
        /// With what probability each street of the grid is missing.
        #[arg(long, default_value_t = 0.1)]
        missing: f64,
        /// With what probability a street leads one way only.
        #[arg(long, default_value_t = 0.3)]
        one_way: f64,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// A knight's moves on a board of ROWS by COLUMNS cells.
    Knight {
        rows: usize,
        columns: usize,
        #[command(flatten)]
        output: GraphOutput,
    },
    /// The hypercube of so many dimensions.
    Hypercube {
        dimensions: u32,
        #[command(flatten)]
        output: GraphOutput,
    },
    /// G(N, P): each pair of nodes is joined with probability P.
    Gnp {
        n: usize,
        p: f64,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// G(N, M): M edges between N nodes.
    Gnm {
        n: usize,
        m: usize,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// A random graph in which each of N nodes has DEGREE neighbours.
    Regular {
        n: usize,
        degree: usize,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// N points in the unit square, joined up to the distance RADIUS.
    Geometric {
        n: usize,
        radius: f64,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// N points in the unit square, joined without crossings.
    Planar {
        n: usize,
        /// Which share of the edges of a triangulation is kept.
        #[arg(long, default_value_t = 0.7)]
        density: f64,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// Preferential attachment: each of N nodes is joined to LINKS earlier ones.
    BarabasiAlbert {
        n: usize,
        links: usize,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// So many xor9 gadgets of nine nodes: small graphs, hard to find a Hamiltonian cycle in.
    Xor9 {
        gadgets: usize,
        #[command(flatten)]
        run: FamilyArgs,
    },
    /// A deck of so many random UNO cards.
    Uno {
        cards: usize,
        /// How many numbers there are, from 0.
        #[arg(long, default_value_t = 10)]
        numbers: u32,
        /// How many colours there are, from 0.
        #[arg(long, default_value_t = 4)]
        colours: u32,
        /// The seed.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Write to this file, whole or not at all [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

pub(crate) fn run(family: &Family) -> Result<ExitCode, Failure> {
    let rng = |run: &FamilyArgs| Pcg64Mcg::seed_from_u64(run.seed);
    match family {
        Family::Grid { rows, columns, output } => {
            write(families::grid(*rows, *columns), &format!("the grid of {rows} by {columns}"), output)
        }
        Family::Maze { rows, columns, openness, run } => {
            let made = families::maze(*rows, *columns, *openness, &mut rng(run));
            write_random(made, &format!("a maze of {rows} by {columns}, openness {openness}"), run)
        }
        Family::Roads { rows, columns, missing, bends, run } => {
            let made = families::roads(*rows, *columns, *missing, *bends, &mut rng(run));
            write_random(made, &format!("roads of {rows} by {columns}, missing {missing}, bends {bends}"), run)
        }
        Family::Streets { rows, columns, missing, one_way, run } => {
            let made = families::streets(*rows, *columns, *missing, *one_way, &mut rng(run));
            write_random(made, &format!("streets of {rows} by {columns}, missing {missing}, one way {one_way}"), run)
        }
        Family::Knight { rows, columns, output } => {
            write(families::knight(*rows, *columns), &format!("a knight on a board of {rows} by {columns}"), output)
        }
        Family::Hypercube { dimensions, output } => {
            write(families::hypercube(*dimensions), &format!("the hypercube of {dimensions} dimensions"), output)
        }
        Family::Gnp { n, p, run } => write_random(families::gnp(*n, *p, &mut rng(run)), &format!("G({n}, {p})"), run),
        Family::Gnm { n, m, run } => write_random(families::gnm(*n, *m, &mut rng(run)), &format!("G({n}, {m})"), run),
        Family::Regular { n, degree, run } => {
            let made = families::regular(*n, *degree, &mut rng(run));
            write_random(made, &format!("a regular graph on {n} nodes of degree {degree}"), run)
        }
        Family::Geometric { n, radius, run } => {
            let made = families::geometric(*n, *radius, &mut rng(run));
            write_random(made, &format!("a geometric graph on {n} nodes, radius {radius}"), run)
        }
        Family::Planar { n, density, run } => {
            let made = families::planar(*n, *density, &mut rng(run));
            write_random(made, &format!("a planar graph on {n} nodes, density {density}"), run)
        }
        Family::BarabasiAlbert { n, links, run } => {
            let made = families::barabasi_albert(*n, *links, &mut rng(run));
            write_random(made, &format!("preferential attachment on {n} nodes, {links} links"), run)
        }
        Family::Xor9 { gadgets, run } => {
            write_random(families::xor9(*gadgets, &mut rng(run)), &format!("{gadgets} xor9 gadgets"), run)
        }
        Family::Uno { cards, numbers, colours, seed, out } => {
            let mut rng = Pcg64Mcg::seed_from_u64(*seed);
            let deck = families::deck(*cards, *numbers, *colours, &mut rng).map_err(no_such_graph)?;
            let output = GraphOutput { out: out.clone(), format: None };
            write_whole(&output, |out| {
                writeln!(out, "# {cards} cards of {numbers} numbers and {colours} colours, seed {seed}")?;
                write_deck(deck, out)
            })?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn write(made: Result<GraphFile, NoSuchGraph>, title: &str, output: &GraphOutput) -> Result<ExitCode, Failure> {
    write_graph(&made.map_err(no_such_graph)?, title, output)?;
    Ok(ExitCode::SUCCESS)
}

fn write_random(made: Result<GraphFile, NoSuchGraph>, title: &str, run: &FamilyArgs) -> Result<ExitCode, Failure> {
    write(made, &format!("{title}, seed {}", run.seed), &run.output)
}

fn no_such_graph(error: NoSuchGraph) -> Failure {
    Failure::new(error.to_string())
}

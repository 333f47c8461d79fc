//! All integration tests, in one binary: one room a file, `support` and `corpus` shared.

#[cfg(feature = "cli")]
mod cli;
mod clique;
mod corpus;
mod corpus_index;
mod corpus_watch;
mod cubic;
mod engines;
mod formats;
mod fuzz;
mod guide;
mod hostile;
mod io_formats;
mod k_path;
mod layers;
mod limits;
mod line_graph;
#[cfg(feature = "cli")]
mod options;
mod oracles;
#[cfg(feature = "cli")]
mod pictures;
mod planted;
mod proofs;
mod questions;
mod recognition;
mod reductions;
#[cfg(feature = "cli")]
mod report_in_browser;
mod rewriting;
mod root_parts;
mod rummy;
mod small_graphs;
mod structure;
mod support;
mod surface;
mod uno;
mod uno_tables;

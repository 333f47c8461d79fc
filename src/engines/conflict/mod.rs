//! Conflict-driven search: is there a path worth more than so much? Whatever turns out impossible is learnt as a clause.
//!
//! For graphs whose structure hides the path (reductions from other problems, gadgets) and for nearly Hamiltonian ones, where
//! guessing alone makes the same mistakes again and again. Where hardly anything can be learnt, cycles through everything, or nearly, are
//! looked for with [`lookahead`] as well.

mod analysis;
mod at_once;
mod clauses;
mod config;
mod connectivity;
mod degrees;
mod exchange;
mod fragments;
mod levels;
mod literal;
mod log;
mod lookahead;
mod losses;
mod missing;
mod model;
mod parity;
mod paths;
mod propagation;
mod prover;
mod queue;
mod random;
mod reasons;
mod search;
mod solver;
mod state;
#[cfg(test)]
mod tests;
mod ties;
mod trace;
mod walk;

pub use config::Config;
pub(crate) use prover::{derive, may_derive};
pub(crate) use search::{Question, Search, fits};

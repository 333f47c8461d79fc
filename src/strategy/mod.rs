//! The chooser: takes a question apart, hands every part to the engine that fits, and says why.
//!
//! The automatic engine reads like a ladder, and each of its rungs knows those below alone:
//!
//! ```text
//! auto         no time to take anything apart ──► at_once, local search; at last, the bound of the whole
//! stages       a line graph ──► the trail of its root; else ──► components or graph
//! components   some components are line graphs ──► their roots, the others together
//! graph        cycles ──► closed; arcs ──► core; else ──► forest
//! closed       block by block, within strong components
//! core         what lies between large strong components, with the acyclic rest as prizes of its ends
//! forest       block by block, with tails
//! block_solver one block: incumbent, bound, the exact engine that fits
//! directed_chains a block of a digraph without its chains
//! two_way      the whole, or a block, whose arcs can all be gone back: as an undirected graph
//! ```
//!
//! With two threads to use and enough to do, two engines work on a block at the same time: two exact ones, of which one learns
//! clauses where nearly all vertices may be on the best path, or one that looks for better paths beside branch and cut.

mod at_once;
mod auto;
mod block_bounds;
mod block_solver;
mod closed;
mod components;
mod core;
mod directed_chains;
mod forced;
mod forest;
mod graph;
pub(crate) mod k_path;
mod last_bound;
mod line;
#[cfg(test)]
mod looks_tests;
mod parts;
mod prove;
mod race;
mod scope;
mod stages;
pub(crate) mod sweep;
mod tails;
mod two_way;

pub(crate) use self::prove::{Settled, prove};
use crate::engines::EngineConfig;
use crate::instance::{Instance, Monitor, Outcome, Run};
use crate::options::Options;

/// Answers a question with the engine asked for.
pub(crate) fn solve(instance: &Instance, options: &Options, run: &mut Run<'_>) -> Outcome {
    // Engines grow their paths from the first vertex, so a fixed end belongs there.
    let turned = instance.is_better_turned();
    let turned_instance = turned.then(|| instance.reversed());
    let instance = turned_instance.as_ref().unwrap_or(instance);

    let mut outcome = match &options.engine {
        EngineConfig::Auto(options) => auto::solve(instance, options.reductions, run),
        forced => forced::solve(instance, forced, run),
    };
    run.bound(outcome.upper);
    // A stage that was cut short may know less than was told before.
    outcome.upper = outcome.upper.min(run.proved());
    run.account(&outcome);
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}

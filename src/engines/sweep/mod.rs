//! Frontier-based search over the subgraphs that answer a question: paths and cycles, trails, induced paths; the best of
//! them, how many there are, or each in its turn.
//!
//! The edges (for induced paths: the vertices) are decided one after the other, and what was decided is forgotten but for
//! a *state* of the frontier, the vertices with decided and undecided edges. Partial answers with the same state have the
//! same completions, so one node stands for all of them, and every answer is exactly one way from the first layer to the
//! last: the layers are a decision diagram. Source: J. Kawahara, T. Inoue, H. Iwashita, S. Minato, *Frontier-based search
//! for enumerating all constrained subgraphs with compressed representation*, IEICE Transactions on Fundamentals
//! E100-A(9), 2017, DOI 10.1587/transfun.E100.A.1773; for paths D. E. Knuth, *The Art of Computer Programming* 4A, 7.1.4
//! ("Simpath").
//!
//! The engine [`frontier`](super::frontier) finds the longest path far faster: it contracts chains, packs its states and
//! prunes them. This one keeps every answer apart from every other, which is what counting needs, and takes whatever
//! constraint a state can remember, which is what a question with many demands needs. A [`Rule`] says what the answers
//! are; [`optimum`], [`count`] and [`diagram`] go through them.
//!
//! `O(m · states)`, where the number of states grows exponentially with the frontier, not with the graph.

pub(crate) mod count;
pub(crate) mod diagram;
pub(crate) mod induced;
mod mates;
pub(crate) mod optimum;
pub(crate) mod path;
pub(crate) mod script;
#[cfg(test)]
mod tests;
pub(crate) mod trail;

use std::hash::Hash;

pub(crate) use path::Demands;
pub(crate) use script::{Bundling, Script};

/// Calls for the smallest kind of state with room for so many slots: `dispatch!(slots, N => expression of N, else what if none has)`.
macro_rules! dispatch {
    ($slots:expr, $n:ident => $answer:expr, else $otherwise:expr) => {
        match $slots {
            0..=12 => {
                const $n: usize = 12;
                $answer
            }
            13..=24 => {
                const $n: usize = 24;
                $answer
            }
            25..=64 => {
                const $n: usize = 64;
                $answer
            }
            _ => $otherwise,
        }
    };
}
pub(crate) use dispatch;

/// Frontiers that need more slots have no kind of state.
pub(crate) const MOST_SLOTS: usize = 64;

/// What the answers are: states, and what each decision makes of them.
pub(crate) trait Rule {
    /// What has to be remembered of the decisions so far.
    type State: Copy + Eq + Hash;

    /// How many decisions there are, one a layer.
    fn layers(&self) -> usize;

    /// In how many ways the decision of this layer may fall; 0 says "leave it out".
    fn choices(&self, layer: usize) -> usize;

    /// The state before all decisions, and what every answer is worth beside what its decisions gain.
    fn start(&self) -> (Self::State, i64);

    /// What a decision makes of a state, and what it gains.
    fn step(&self, layer: usize, choice: usize, state: &Self::State) -> Next<Self::State>;

    /// What a state can still gain at most, as far as that is told by the layer alone: from here to the end.
    fn gain_left(&self, layer: usize) -> i64;
}

/// What becomes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next<S> {
    /// No answer has these decisions.
    Dead,
    /// The search goes on.
    On(S, i64),
    /// An answer is complete; nothing after it is taken.
    Done(i64),
}

/// How many steps are taken between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 12;

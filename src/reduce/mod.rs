//! Reductions: what can be settled, or cut apart, without search.
//!
//! Each file holds one technique, with the argument why nothing is lost and with the way back. They only know dense
//! graphs; the [strategy](crate::strategy) decides the order in which they are used.
//!
//! | file | what it does | for |
//! |---|---|---|
//! | `blocks` | cuts a graph at its cut vertices; trees vanish entirely | all |
//! | `strong` | cuts a digraph at its strong components; acyclic parts are settled by a linear DP | directed |
//! | `chains` | contracts or shortens runs of degree-2 vertices | undirected |
//! | `directed_chains` | contracts runs of vertices with two neighbours, one-way or two-way | directed |
//! | `two_way` | drops directions that do not matter | directed |
//! | `twins` | takes the surplus out of large classes of closed twins | undirected |
//! | `walks` | leaves out vertices that are on no walk of `k` vertices | paths of `k` vertices |

pub(crate) mod blocks;
pub(crate) mod chains;
pub(crate) mod directed_chains;
pub(crate) mod strong;
pub(crate) mod twins;
pub(crate) mod two_way;
pub(crate) mod walks;

use std::fmt;

/// A reduction that can be switched off, to see what it is worth or to test it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reduction {
    /// Connected components, and the block-cut tree of each.
    Blocks,
    /// Strong components and acyclic parts of directed graphs, and what can't lie between fixed ends.
    StrongComponents,
    /// Directed graphs in which every arc can be gone back, to undirected ones.
    TwoWay,
    /// Degree-2 chains; in digraphs, runs of vertices with two neighbours.
    Chains,
    /// Closed twins.
    Twins,
    /// Line graphs to their roots, where a path becomes a trail.
    LineGraph,
}

impl Reduction {
    /// All of them.
    pub const ALL: [Reduction; 6] = [
        Reduction::Blocks,
        Reduction::StrongComponents,
        Reduction::TwoWay,
        Reduction::Chains,
        Reduction::Twins,
        Reduction::LineGraph,
    ];
}

impl fmt::Display for Reduction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Reduction::Blocks => "blocks",
            Reduction::StrongComponents => "strong-components",
            Reduction::TwoWay => "two-way",
            Reduction::Chains => "chains",
            Reduction::Twins => "twins",
            Reduction::LineGraph => "line-graph",
        })
    }
}

/// Which reductions a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reductions([bool; Reduction::ALL.len()]);

impl Reductions {
    pub(crate) fn all() -> Self {
        Reductions([true; Reduction::ALL.len()])
    }

    pub(crate) fn switch_off(&mut self, reduction: Reduction) {
        self.0[reduction as usize] = false;
    }

    pub(crate) fn has(self, reduction: Reduction) -> bool {
        self.0[reduction as usize]
    }
}

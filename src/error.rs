//! What can be wrong with a request.

use std::fmt;

/// A request that cannot be carried out as asked: an unknown end, contradictory options, weights out of range.
///
/// Spent limits and graphs without any path are *answers*, not errors; see [`Status`](crate::Status).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
}

/// What kind of request could not be carried out, for callers who go on differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The graph has more nodes or edges than there is room for.
    GraphTooLarge,
    /// Sums of the weights could leave the range in which lengths are exact.
    WeightsTooLarge,
    /// A node or an edge that was named is not in the graph.
    NotInGraph,
    /// The line graph would not fit in the memory limit.
    LineGraphTooLarge,
    /// The writer of a proof failed.
    ProofUnwritten,
    /// Options that contradict each other, or an option out of its range.
    Contradiction,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Kind {
    #[error("the graph has {count} {what}; longhaul has room for at most {limit}")]
    TooLarge { what: &'static str, count: usize, limit: usize },
    #[error(
        "the weights are too large: the greatest weight at each vertex, in absolute value, adds up to {total}, and lengths \
         are exact only up to 2^60; divide all weights by a common factor"
    )]
    WeightsTooLarge { total: u128 },
    #[error(
        "the nodes' weights are too large: in absolute value they add up to {total}, and sums are exact only up to 2^60"
    )]
    NodeWeightsTooLarge { total: u128 },
    #[error("the node asked for as {role} of the path is not in the graph")]
    UnknownEnd { role: &'static str },
    #[error("the edge asked for as the first is not in the graph")]
    UnknownFirstEdge,
    #[error("{engine} needs the line graph whole: {reason}; the engines 'auto' and 'trail' do without it")]
    LineGraphTooLarge { engine: &'static str, reason: String },
    #[error("{asked} is not in the graph")]
    NotInGraph { asked: String },
    #[error("{asked}: {wrong}")]
    Request { asked: String, wrong: &'static str },
    #[error("the proof cannot be written: {reason}")]
    ProofUnwritten { reason: String },
    #[error("{0}")]
    Contradiction(&'static str),
}

impl Error {
    /// What kind of request this was.
    ///
    /// ```
    /// use longhaul::{ErrorKind, LongestPath};
    /// use petgraph::graph::UnGraph;
    ///
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1)]);
    /// let error = LongestPath::new(&graph).from(7.into()).solve().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotInGraph);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self.kind {
            Kind::TooLarge { .. } => ErrorKind::GraphTooLarge,
            Kind::WeightsTooLarge { .. } | Kind::NodeWeightsTooLarge { .. } => ErrorKind::WeightsTooLarge,
            Kind::UnknownEnd { .. } | Kind::UnknownFirstEdge | Kind::NotInGraph { .. } => ErrorKind::NotInGraph,
            Kind::LineGraphTooLarge { .. } => ErrorKind::LineGraphTooLarge,
            Kind::Request { .. } | Kind::Contradiction(_) => ErrorKind::Contradiction,
            Kind::ProofUnwritten { .. } => ErrorKind::ProofUnwritten,
        }
    }

    pub(crate) fn too_large(what: &'static str, count: usize, limit: usize) -> Self {
        Error { kind: Kind::TooLarge { what, count, limit } }
    }

    pub(crate) fn weights_too_large(total: u128) -> Self {
        Error { kind: Kind::WeightsTooLarge { total } }
    }

    pub(crate) fn node_weights_too_large(total: u128) -> Self {
        Error { kind: Kind::NodeWeightsTooLarge { total } }
    }

    pub(crate) fn unknown_end(role: &'static str) -> Self {
        Error { kind: Kind::UnknownEnd { role } }
    }

    pub(crate) fn unknown_first_edge() -> Self {
        Error { kind: Kind::UnknownFirstEdge }
    }

    pub(crate) fn line_graph_too_large(engine: &'static str, reason: String) -> Self {
        Error { kind: Kind::LineGraphTooLarge { engine, reason } }
    }

    pub(crate) fn not_in_graph(asked: String) -> Self {
        Error { kind: Kind::NotInGraph { asked } }
    }

    pub(crate) fn request(asked: String, wrong: &'static str) -> Self {
        Error { kind: Kind::Request { asked, wrong } }
    }

    pub(crate) fn proof_unwritten(error: &std::io::Error) -> Self {
        Error { kind: Kind::ProofUnwritten { reason: error.to_string() } }
    }

    pub(crate) fn contradiction(what: &'static str) -> Self {
        Error { kind: Kind::Contradiction(what) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(formatter)
    }
}

impl std::error::Error for Error {}

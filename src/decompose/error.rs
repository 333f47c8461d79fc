//! What can be wrong with an order or a decomposition.

use std::fmt;

use fixedbitset::FixedBitSet;

use super::measure::positions;

/// Why something is not a path decomposition of a graph, or not an order of its vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecompositionError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Kind {
    #[error("there is no vertex {vertex}: the graph's are 0..{count}")]
    UnknownVertex { vertex: u32, count: usize },
    #[error("no bag holds vertex {vertex}")]
    NowhereInBags { vertex: u32 },
    #[error("bag {bag} holds vertex {vertex} twice")]
    TwiceInBag { vertex: u32, bag: usize },
    #[error("vertex {vertex} is in bag {before} and again in bag {after}, but not in all bags between")]
    Torn { vertex: u32, before: u32, after: usize },
    #[error("no bag holds both ends of the edge between {one} and {other}")]
    Uncovered { one: u32, other: u32 },
    #[error("vertex {vertex} is twice in the order")]
    TwiceInOrder { vertex: u32 },
    #[error("vertex {vertex} is not in the order")]
    NotInOrder { vertex: u32 },
}

impl fmt::Display for DecompositionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(formatter)
    }
}

impl std::error::Error for DecompositionError {}

impl From<Kind> for DecompositionError {
    fn from(kind: Kind) -> Self {
        DecompositionError { kind }
    }
}

/// The position of every vertex in an order, if it holds each of `0..count` exactly once.
pub(super) fn check_order(count: usize, order: &[u32]) -> Result<Vec<u32>, DecompositionError> {
    let mut seen = FixedBitSet::with_capacity(count);
    for &vertex in order {
        if vertex as usize >= count {
            return Err(Kind::UnknownVertex { vertex, count }.into());
        }
        if seen.put(vertex as usize) {
            return Err(Kind::TwiceInOrder { vertex }.into());
        }
    }
    match seen.zeroes().next() {
        Some(missing) => Err(Kind::NotInOrder { vertex: missing as u32 }.into()),
        None => Ok(positions(count, order)),
    }
}

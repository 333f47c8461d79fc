//! Scratch for the reasons of edges that would close a cycle.

use fixedbitset::FixedBitSet;

use super::literal::Var;

/// More than any choice can cost.
pub(super) const NEVER: u32 = 1 << 30;

/// A vertex of the cycle that is explained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) vertex: u32,
    /// The edge to the next vertex.
    pub(super) edge: Var,
    /// The cost of the edges ruled out around it.
    pub(super) around: u32,
    /// The least cost up to here where this vertex is explained by its edges, and where by those around it; and whether the
    /// vertex before is explained by its edges then.
    pub(super) cost: [u32; 2],
    pub(super) from: [bool; 2],
}

/// Scratch for explanations.
#[derive(Debug)]
pub(super) struct Walk {
    pub(super) steps: Vec<Step>,
    /// The vertices on the cycle.
    pub(super) is_on: FixedBitSet,
}

impl Walk {
    pub(super) fn new(vertices: usize) -> Self {
        Walk { steps: Vec::new(), is_on: FixedBitSet::with_capacity(vertices) }
    }
}

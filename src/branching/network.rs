//! A graph with capacities: what a solution of a linear program uses.

use crate::rows::Rows;

/// One end of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) target: u32,
    /// The column whose value the capacity is.
    pub(super) column: u32,
    pub(super) capacity: f64,
}

/// The links at each vertex.
#[derive(Clone, Debug)]
pub(super) struct Network(Rows<Link>);

impl Network {
    /// With these links: capacity, both ends, column.
    pub(super) fn new(vertices: usize, listed: &[(f64, u32, u32, u32)]) -> Self {
        let ends = |link: usize| [listed[link].1, listed[link].2];
        Network(Rows::of_edges(vertices, listed.len(), ends, |link, [_, target]| {
            let (capacity, .., column) = listed[link as usize];
            Link { target, column, capacity }
        }))
    }

    /// The links at a vertex.
    #[inline]
    pub(super) fn at(&self, vertex: u32) -> &[Link] {
        self.0.row(vertex)
    }
}

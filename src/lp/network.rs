//! The support of a solution of a linear program: a graph with capacities.

use std::ops::Range;

/// One end of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) target: u32,
    /// The column whose value the capacity is.
    pub(crate) column: u32,
    pub(crate) capacity: f64,
    /// The place of the same link at the other end.
    pub(crate) back: u32,
}

/// The links at each vertex, in one row after the other.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    starts: Vec<u32>,
    pub(crate) links: Vec<Link>,
}

impl Network {
    /// With these links: capacity, both ends, column.
    pub(crate) fn new(vertices: usize, listed: &[(f64, u32, u32, u32)]) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for &(_, one, two, _) in listed {
            starts[one as usize + 1] += 1;
            starts[two as usize + 1] += 1;
        }
        for at in 0..vertices {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut place = |vertex: u32| {
            let place = next[vertex as usize];
            next[vertex as usize] += 1;
            place
        };
        let mut links = vec![Link { target: 0, column: 0, capacity: 0.0, back: 0 }; 2 * listed.len()];
        for &(capacity, one, two, column) in listed {
            let (here, there) = (place(one), place(two));
            links[here as usize] = Link { target: two, column, capacity, back: there };
            links[there as usize] = Link { target: one, column, capacity, back: here };
        }
        Network { starts, links }
    }

    /// The links at a vertex.
    #[inline]
    pub(crate) fn at(&self, vertex: u32) -> &[Link] {
        let places = self.places(vertex);
        &self.links[places.start as usize..places.end as usize]
    }

    /// Where the links at a vertex stand among all.
    #[inline]
    pub(crate) fn places(&self, vertex: u32) -> Range<u32> {
        self.starts[vertex as usize]..self.starts[vertex as usize + 1]
    }
}

//! The support of a solution of a linear program: a graph with capacities.

/// One end of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) target: u32,
    /// The column whose value the capacity is.
    pub(super) column: u32,
    pub(super) capacity: f64,
}

/// The links at each vertex, in one row after the other.
#[derive(Clone, Debug)]
pub(super) struct Network {
    starts: Vec<u32>,
    links: Vec<Link>,
}

impl Network {
    /// With these links: capacity, both ends, column.
    pub(super) fn new(vertices: usize, listed: &[(f64, u32, u32, u32)]) -> Self {
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
        let mut links = vec![Link { target: 0, column: 0, capacity: 0.0 }; 2 * listed.len()];
        for &(capacity, one, two, column) in listed {
            links[place(one) as usize] = Link { target: two, column, capacity };
            links[place(two) as usize] = Link { target: one, column, capacity };
        }
        Network { starts, links }
    }

    /// The links at a vertex.
    #[inline]
    pub(super) fn at(&self, vertex: u32) -> &[Link] {
        &self.links[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }
}

//! Bundles of parallel edges, and trails in terms of them.

/// Parallel edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    /// The ends, in vertices of the core.
    pub(super) ends: [u32; 2],
    /// How many edges it has.
    pub(super) count: u32,
    /// The first four of them, in edges of the root; where there are fewer, the last one again.
    pub(super) edges: [u32; 4],
}

/// The vertices where a trail takes its tips, with the edges.
pub(super) type Ends = [(u32, u32); 2];

/// A trail of a core.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// How often it traverses each bundle: 0, 1 or 2 times.
    pub(super) uses: Vec<u8>,
    /// A vertex of it: the only one if nothing is traversed.
    pub(super) start: u32,
    /// Where there are prizes for them, its first and its last vertex, with the tips there.
    pub(super) ends: Option<Ends>,
}

//! What of a root matters to its trails: bundles of parallel edges, worths at vertices, and no idle leaves.
//!
//! - Parallel edges make a *bundle*. Of its edges a trail traverses none, an odd or an even number; one or two stand for all
//!   odd and even numbers, since two more change neither a parity nor what is connected. All of them are worth as much as
//!   their number once either end is visited.
//! - A loop is worth 1 at its vertex; a bonus adds to that.
//! - An *idle leaf* is a vertex with a single neighbour and no worth of its own. A trail that visits it, but not its
//!   neighbour, is there alone, and the neighbour alone is as good. Any other enters and leaves it through the neighbour, and
//!   without these edges it is still a trail, through all the other vertices, that meets the same edges. So idle leaves go,
//!   and their bundles become worth of the neighbour.
//!
//! What is left falls into components. No trail is in two of them.

use super::root::Root;

/// Parallel edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    /// The ends, in vertices of the core.
    pub(super) ends: [u32; 2],
    /// How many edges it has.
    pub(super) count: u32,
    /// The first two of them, in edges of the root; the same one twice where there is but one.
    edges: [u32; 2],
}

/// One component of a root without its idle leaves, its vertices numbered anew.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// What visiting each vertex is worth, beside its bundles.
    pub(super) gains: Vec<i64>,
    pub(super) bundles: Vec<Bundle>,
    /// The bundles at vertex `v`, with the vertex at the other end, are `arcs[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    arcs: Vec<(u32, u32)>,
    /// All gains and all bundles: what a trail that meets everything is worth.
    pub(super) total: i64,
    root_vertex: Vec<u32>,
}

/// A trail of a core.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// How often it traverses each bundle: 0, 1 or 2 times.
    pub(super) uses: Vec<u8>,
    /// A vertex of it: the only one if nothing is traversed.
    pub(super) start: u32,
}

impl Core {
    /// The components of the root's core, those of the greatest total first.
    pub(super) fn of(root: &Root) -> Vec<Core> {
        let n = root.vertex_count;
        let (mut gains, mut bundles) = bundled(root);
        let mut neighbours = vec![0u32; n];
        for bundle in &bundles {
            bundle.ends.iter().for_each(|&end| neighbours[end as usize] += 1);
        }
        let mut gone = vec![false; n];
        bundles.retain(|bundle| {
            let is_idle_leaf = |end: &&u32| neighbours[**end as usize] == 1 && gains[**end as usize] == 0;
            match bundle.ends.iter().find(is_idle_leaf) {
                Some(&leaf) => {
                    let [one, two] = bundle.ends;
                    gone[leaf as usize] = true;
                    gains[(if one == leaf { two } else { one }) as usize] += i64::from(bundle.count);
                    false
                }
                None => true,
            }
        });
        let worthless = |vertex: usize| gains[vertex] == 0 && neighbours[vertex] == 0;
        let vertices: Vec<u32> =
            (0..n as u32).filter(|&vertex| !gone[vertex as usize] && !worthless(vertex as usize)).collect();
        split(n, &vertices, &gains, bundles)
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.gains.len()
    }

    /// The neighbours of a vertex, each with its bundle.
    pub(super) fn arcs(&self, vertex: u32) -> &[(u32, u32)] {
        &self.arcs[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }

    /// The vertices that a trail visits.
    pub(super) fn visited(&self, trail: &Trail) -> Vec<bool> {
        let mut visited = vec![false; self.vertex_count()];
        visited[trail.start as usize] = true;
        for (bundle, &uses) in self.bundles.iter().zip(&trail.uses) {
            if uses > 0 {
                bundle.ends.iter().for_each(|&end| visited[end as usize] = true);
            }
        }
        visited
    }

    /// What a trail is worth.
    pub(super) fn value(&self, trail: &Trail) -> i64 {
        let visited = self.visited(trail);
        let gains: i64 = self.gains.iter().zip(&visited).map(|(&gain, &visited)| if visited { gain } else { 0 }).sum();
        let met = self.bundles.iter().filter(|bundle| bundle.ends.iter().any(|&end| visited[end as usize]));
        gains + met.map(|bundle| i64::from(bundle.count)).sum::<i64>()
    }

    /// The trail that visits this vertex alone.
    pub(super) fn alone(&self, vertex: u32) -> Trail {
        Trail { uses: vec![0; self.bundles.len()], start: vertex }
    }

    /// The edges of the root that a trail traverses, and the vertex of the root where it may start if there are none.
    pub(super) fn lift(&self, trail: &Trail) -> (Vec<u32>, u32) {
        let traversed = self.bundles.iter().zip(&trail.uses);
        let edges = traversed.flat_map(|(bundle, &uses)| bundle.edges.into_iter().take(uses.into())).collect();
        (edges, self.root_vertex[trail.start as usize])
    }

    /// The bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bundles.len() * (size_of::<Bundle>() + 16) + self.vertex_count() * 16
    }
}

/// The gains that loops and the bonus make, and the bundles, still in vertices of the root. `O(n + m)`.
fn bundled(root: &Root) -> (Vec<i64>, Vec<Bundle>) {
    let n = root.vertex_count;
    let mut gains = vec![0i64; n];
    if let Some((vertex, worth)) = root.bonus {
        gains[vertex as usize] = worth;
    }
    // Edges by their smaller end, so that parallel ones share a bucket.
    let mut starts = vec![0u32; n + 1];
    for &[one, two] in &root.ends {
        starts[one.min(two) as usize + 1] += 1;
    }
    for vertex in 0..n {
        starts[vertex + 1] += starts[vertex];
    }
    let mut next = starts.clone();
    let mut bucketed = vec![(0u32, 0u32); root.ends.len()];
    for (edge, &[one, two]) in root.ends.iter().enumerate() {
        let slot = &mut next[one.min(two) as usize];
        bucketed[*slot as usize] = (one.max(two), edge as u32);
        *slot += 1;
    }
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut bundle_to = vec![u32::MAX; n];
    for vertex in 0..n as u32 {
        let first = bundles.len() as u32;
        for &(other, edge) in &bucketed[starts[vertex as usize] as usize..starts[vertex as usize + 1] as usize] {
            if other == vertex {
                gains[vertex as usize] += 1;
                continue;
            }
            match bundle_to[other as usize] {
                known if known != u32::MAX && known >= first => {
                    let bundle = &mut bundles[known as usize];
                    bundle.count += 1;
                    if bundle.count == 2 {
                        bundle.edges[1] = edge;
                    }
                }
                _ => {
                    bundle_to[other as usize] = bundles.len() as u32;
                    bundles.push(Bundle { ends: [vertex, other], count: 1, edges: [edge; 2] });
                }
            }
        }
    }
    (gains, bundles)
}

/// The components of the graph on these vertices of the root.
fn split(root_vertices: usize, vertices: &[u32], gains: &[i64], bundles: Vec<Bundle>) -> Vec<Core> {
    let mut parent: Vec<u32> = (0..root_vertices as u32).collect();
    for bundle in &bundles {
        let [one, two] = bundle.ends.map(|end| find(&mut parent, end));
        parent[one as usize] = two;
    }
    // Components in the order of their first vertex, then vertices and bundles each into theirs.
    let mut component = vec![u32::MAX; root_vertices];
    let mut number = vec![u32::MAX; root_vertices];
    let mut cores: Vec<Core> = Vec::new();
    for &vertex in vertices {
        let top = find(&mut parent, vertex) as usize;
        if component[top] == u32::MAX {
            component[top] = cores.len() as u32;
            cores.push(Core {
                gains: Vec::new(),
                bundles: Vec::new(),
                starts: Vec::new(),
                arcs: Vec::new(),
                total: 0,
                root_vertex: Vec::new(),
            });
        }
        component[vertex as usize] = component[top];
        let core = &mut cores[component[top] as usize];
        number[vertex as usize] = core.gains.len() as u32;
        core.gains.push(gains[vertex as usize]);
        core.root_vertex.push(vertex);
    }
    for bundle in bundles {
        let core = &mut cores[component[bundle.ends[0] as usize] as usize];
        core.bundles.push(Bundle { ends: bundle.ends.map(|end| number[end as usize]), ..bundle });
    }
    for core in &mut cores {
        core.total =
            core.gains.iter().sum::<i64>() + core.bundles.iter().map(|bundle| i64::from(bundle.count)).sum::<i64>();
        core.index();
    }
    cores.sort_by_key(|core| std::cmp::Reverse(core.total));
    cores
}

impl Core {
    /// Fills the rows of arcs.
    fn index(&mut self) {
        let mut starts = vec![0u32; self.gains.len() + 1];
        self.bundles.iter().flat_map(|bundle| bundle.ends).for_each(|end| starts[end as usize + 1] += 1);
        for vertex in 0..self.gains.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut arcs = vec![(0u32, 0u32); 2 * self.bundles.len()];
        for (number, bundle) in self.bundles.iter().enumerate() {
            let [one, two] = bundle.ends;
            for (from, to) in [(one, two), (two, one)] {
                let slot = &mut next[from as usize];
                arcs[*slot as usize] = (to, number as u32);
                *slot += 1;
            }
        }
        self.starts = starts;
        self.arcs = arcs;
    }
}

/// The representative of a vertex in a union-find forest, its way there halved.
pub(super) fn find(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        parent[vertex as usize] = parent[parent[vertex as usize] as usize];
        vertex = parent[vertex as usize];
    }
    vertex
}

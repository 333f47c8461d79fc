//! From a graph and a vertex order to the layers of a sweep: which edge is decided when, who enters which slot, who leaves.

/// In what order the edges are decided, and between which slots.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) layers: Vec<Layer>,
    /// How many slots are needed at once.
    pub(crate) slots: usize,
    /// By vertex, the layer in which it enters and that in which it leaves; of a vertex without an edge `NEVER`.
    pub(crate) stays: Vec<[u32; 2]>,
}

/// The place of a vertex that no layer touches.
pub(crate) const NEVER: u32 = u32::MAX;

/// One decision: an edge, or one of several parallel edges.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Vertices that enter before the decision, with their slots.
    pub(crate) enter: Vec<(u8, u32)>,
    /// The slots of the edge's ends: of its source and target where it is directed.
    pub(crate) ends: [u8; 2],
    /// The vertices there.
    pub(crate) vertices: [u32; 2],
    /// The edges to choose from.
    pub(crate) options: Vec<Choice>,
    /// Vertices that leave after it: all their edges are decided.
    pub(crate) leave: Vec<(u8, u32)>,
}

/// One of the edges that a layer decides on, or several of equal weight that stand for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The first of them, in the caller's numbers.
    pub(crate) edge: u32,
    pub(crate) weight: i64,
    /// How many they are.
    pub(crate) multiplicity: u32,
}

/// What happens to parallel edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bundling {
    /// Each is decided on its own: a trail may use all of them.
    Apart,
    /// One decision for all: at most one is used, whichever.
    Together,
    /// As `Together`, and those of equal weight count as one choice of that multiplicity.
    Grouped,
}

impl Script {
    /// No layer at all.
    pub(crate) fn empty() -> Self {
        Script { layers: Vec::new(), slots: 0, stays: Vec::new() }
    }

    /// The layers for `edges` (source, target, weight) between `n` vertices, which are placed in this order.
    pub(crate) fn new(n: usize, directed: bool, edges: &[(u32, u32, i64)], order: &[u32], bundling: Bundling) -> Self {
        let mut rank = vec![0u32; n];
        for (position, &vertex) in order.iter().enumerate() {
            rank[vertex as usize] = position as u32;
        }
        let bundles = sorted_bundles(n, directed, edges, &rank, bundling);

        let mut open = vec![0u32; n];
        for bundle in &bundles {
            open[bundle.vertices[0] as usize] += 1;
            open[bundle.vertices[1] as usize] += 1;
        }
        let mut slot_of = vec![u8::MAX; n];
        let mut stays = vec![[NEVER; 2]; n];
        let mut free: Vec<u8> = Vec::new();
        let mut slots = 0usize;
        let mut layers = Vec::with_capacity(bundles.len());
        for (at, Bundle { vertices, options }) in bundles.into_iter().enumerate() {
            let (mut enter, mut leave) = (Vec::new(), Vec::new());
            for vertex in vertices {
                if stays[vertex as usize][0] == NEVER {
                    stays[vertex as usize][0] = at as u32;
                    let slot = free.pop().unwrap_or_else(|| {
                        slots += 1;
                        (slots - 1).min(usize::from(u8::MAX)) as u8
                    });
                    slot_of[vertex as usize] = slot;
                    enter.push((slot, vertex));
                }
            }
            let ends = vertices.map(|vertex| slot_of[vertex as usize]);
            for vertex in vertices {
                open[vertex as usize] -= 1;
                if open[vertex as usize] == 0 {
                    stays[vertex as usize][1] = at as u32;
                    leave.push((slot_of[vertex as usize], vertex));
                    free.push(slot_of[vertex as usize]);
                }
            }
            layers.push(Layer { enter, ends, vertices, options, leave });
        }
        Script { layers, slots, stays }
    }
}

struct Bundle {
    vertices: [u32; 2],
    options: Vec<Choice>,
}

/// The edges by the later of their ends; those of one vertex so that its neighbours leave as soon as they can. Parallel
/// edges follow each other, or are one.
fn sorted_bundles(
    n: usize,
    directed: bool,
    edges: &[(u32, u32, i64)],
    rank: &[u32],
    bundling: Bundling,
) -> Vec<Bundle> {
    // The last of a vertex's neighbours, by rank: when it can leave.
    let mut last = vec![0u32; n];
    for &(a, b, _) in edges {
        let later = rank[a as usize].max(rank[b as usize]);
        for end in [a, b] {
            last[end as usize] = last[end as usize].max(later);
        }
    }
    let earlier_and_later = |&(a, b, _): &(u32, u32, i64)| {
        if rank[a as usize] <= rank[b as usize] { (a, b) } else { (b, a) }
    };
    let mut by_place: Vec<u32> = (0..edges.len() as u32).collect();
    by_place.sort_by_key(|&edge| {
        let (earlier, later) = earlier_and_later(&edges[edge as usize]);
        let source = if directed { edges[edge as usize].0 } else { earlier };
        (rank[later as usize], last[earlier as usize], rank[earlier as usize], rank[source as usize], edge)
    });

    let mut bundles: Vec<Bundle> = Vec::new();
    for edge in by_place {
        let (source, target, weight) = edges[edge as usize];
        let vertices = if directed || rank[source as usize] <= rank[target as usize] {
            [source, target]
        } else {
            [target, source]
        };
        let choice = Choice { edge, weight, multiplicity: 1 };
        match bundles.last_mut() {
            Some(bundle) if bundling != Bundling::Apart && bundle.vertices == vertices => {
                let equal = bundle.options.iter_mut().find(|option| option.weight == weight);
                match equal {
                    Some(equal) if bundling == Bundling::Grouped => equal.multiplicity += 1,
                    _ => bundle.options.push(choice),
                }
            }
            _ => bundles.push(Bundle { vertices, options: vec![choice] }),
        }
    }
    bundles
}

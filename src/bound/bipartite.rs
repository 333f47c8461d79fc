//! Bipartite imbalance: a path alternates between the two sides, so it has at most one vertex more of one side than of
//! the other. Remove the smaller side: single vertices remain, and the path visits one more of them than the side has;
//! one fewer for every end that is fixed in it.

use fixedbitset::FixedBitSet;

use crate::instance::Instance;
use crate::view::CsrGraph;

use super::neighbours;

/// A bipartite graph's two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    /// The vertices on the second side; that of least index in its component is on the first.
    pub(crate) second: FixedBitSet,
    /// For each component the numbers of vertices on its first and on its second side, by the least vertex index.
    pub(crate) counts: Vec<(usize, usize)>,
    /// The component of each vertex.
    component: Vec<u32>,
}

impl Sides {
    /// The sides of the graph, edges taken both ways; `None` if it has an odd cycle. `O(n + m)`.
    pub(crate) fn of(graph: &CsrGraph) -> Option<Self> {
        let n = graph.vertex_count();
        let mut sides =
            Sides { second: FixedBitSet::with_capacity(n), counts: Vec::new(), component: vec![u32::MAX; n] };
        let mut queue = Vec::new();
        for root in 0..n as u32 {
            if sides.component[root as usize] != u32::MAX {
                continue;
            }
            let component = sides.counts.len() as u32;
            sides.component[root as usize] = component;
            let mut counts = (1, 0);
            queue.push(root);
            while let Some(vertex) = queue.pop() {
                let other_side = !sides.second[vertex as usize];
                for neighbour in neighbours(graph, vertex) {
                    let at = neighbour as usize;
                    if sides.component[at] == u32::MAX {
                        sides.component[at] = component;
                        sides.second.set(at, other_side);
                        *(if other_side { &mut counts.1 } else { &mut counts.0 }) += 1;
                        queue.push(neighbour);
                    } else if sides.second[at] != other_side {
                        return None;
                    }
                }
            }
            sides.counts.push(counts);
        }
        Some(sides)
    }

    /// The vertices of the smaller side of every component, or of the greater.
    fn chosen(&self, smaller: bool) -> Vec<u32> {
        let is_chosen = |&vertex: &u32| {
            let (first, second) = self.counts[self.component[vertex as usize] as usize];
            self.second[vertex as usize] == ((second < first) == smaller)
        };
        (0..self.second.len() as u32).filter(is_chosen).collect()
    }
}

/// The smaller side of each component, or nothing.
pub(super) fn smaller_sides(instance: &Instance) -> Vec<u32> {
    Sides::of(&instance.graph).map_or(Vec::new(), |sides| sides.chosen(true))
}

/// The greater side of each component, or nothing: where ends are fixed, that may be the better one to remove.
pub(super) fn greater_sides(instance: &Instance) -> Vec<u32> {
    Sides::of(&instance.graph).map_or(Vec::new(), |sides| sides.chosen(false))
}

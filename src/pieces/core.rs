//! What cases are of: a problem without what no path needs to choose.
//!
//! Between two fixed ends of an undirected graph a path visits no block but those on the way from one to the other in the tree of
//! blocks. What is left has [chains](crate::reduce::chains) that become single edges: every column of them would be branched on, and tried,
//! though all say the same. Whoever makes the core of a problem makes the same one, so cases of it may go anywhere.

use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::reduce::blocks::{BlockForest, NO_BLOCK};
use crate::reduce::chains::{self, Shortened};

/// The core of an instance, and the way back.
#[derive(Debug)]
pub(super) struct Core {
    instance: Instance,
    /// The vertices that are left, before chains are shortened.
    kept: Vec<u32>,
    shortened: Option<Shortened>,
}

impl Core {
    pub(super) fn of(instance: &Instance) -> Self {
        let all = || (0..instance.graph.vertex_count() as u32).collect();
        let is_directed = instance.graph.is_directed();
        let kept = fixed_ends(instance).filter(|_| !is_directed).and_then(|ends| between(instance, ends));
        let kept = kept.unwrap_or_else(all);
        let instance = induced(instance, &kept);
        let shortened = if is_directed { None } else { chains::shorten(&instance) };
        Core { instance, kept, shortened }
    }

    pub(super) fn instance(&self) -> &Instance {
        self.shortened.as_ref().map_or(&self.instance, |shortened| &shortened.instance)
    }

    /// The path of the whole instance behind one of the core, as long.
    pub(super) fn lift(&self, path: &[u32]) -> Vec<u32> {
        let longer = self.shortened.as_ref().map(|shortened| shortened.lift(path));
        longer.as_deref().unwrap_or(path).iter().map(|&vertex| self.kept[vertex as usize]).collect()
    }
}

/// The vertices where paths begin and end, if each is but one, and they differ.
fn fixed_ends(instance: &Instance) -> Option<(u32, u32)> {
    let Ends::Open { first, last, .. } = &instance.ends else { return None };
    let only = |prizes: &[i64]| {
        let mut allowed = (0..).zip(prizes).filter(|(_, prize)| **prize != NOT_AN_END).map(|(vertex, _)| vertex);
        allowed.next().filter(|_| allowed.next().is_none())
    };
    only(first).zip(only(last)).filter(|(first, last)| first != last)
}

/// The vertices of the blocks between two others, in order; `None` where nothing joins these.
fn between(instance: &Instance, (from, to): (u32, u32)) -> Option<Vec<u32>> {
    let forest = BlockForest::hang(&instance.graph, std::iter::once(from));
    let mut vertices = vec![from];
    let mut at = to;
    while at != from {
        let block = forest.home(at);
        if block == NO_BLOCK {
            return None;
        }
        // The parent comes with the block that it is at home in.
        vertices.extend_from_slice(&forest.block(block)[1..]);
        at = forest.parent(block);
    }
    vertices.sort_unstable();
    Some(vertices)
}

fn induced(instance: &Instance, kept: &[u32]) -> Instance {
    let (graph, _) = instance.graph.induced(kept, &mut vec![u32::MAX; instance.graph.vertex_count()]);
    let pick = |prizes: &[i64]| kept.iter().map(|&vertex| prizes[vertex as usize]).collect();
    let ends = match &instance.ends {
        Ends::Open { first, last, single_vertex } => {
            Ends::Open { first: pick(first), last: pick(last), single_vertex: *single_vertex }
        }
        Ends::Closed { through } => Ends::Closed { through: *through },
    };
    Instance { graph, ends }
}

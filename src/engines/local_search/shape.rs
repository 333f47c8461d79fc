//! What the ends of the path under search may do, and what they are worth.

use super::sequence::Side;
use crate::instance::{Ends, Instance, NOT_AN_END};

/// How the ends of an instance are searched.
///
/// A cycle is searched as a path whose two ends must be adjacent in the end. A path between two fixed ends is the same:
/// a cycle through a *bridge*, a link from the last vertex to the first that no move may cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Whether this end of the sequence stays where it is.
    pub(super) anchored: [bool; 2],
    /// The sequence counts only if its back can be linked to its front.
    pub(super) closing: bool,
    /// The last and the first vertex of the path, which follow each other in the sequence.
    pub(super) bridge: Option<(u32, u32)>,
    /// A vertex that may not be left out.
    pub(super) through: Option<u32>,
}

impl Shape {
    pub(super) const LOOSE: Self = Shape { anchored: [false; 2], closing: false, bridge: None, through: None };

    /// The path begins at this vertex and may end anywhere.
    pub(super) fn anchored_at(vertex: u32, side: Side) -> Self {
        let anchored = [side == Side::Front, side == Side::Back];
        Shape { anchored, through: Some(vertex), ..Self::LOOSE }
    }

    /// The path leads from one vertex to another.
    pub(super) fn between(first: u32, last: u32) -> Self {
        Shape { closing: true, bridge: Some((last, first)), ..Self::LOOSE }
    }

    /// A cycle.
    pub(super) fn closed(through: Option<u32>) -> Self {
        Shape { closing: true, through, ..Self::LOOSE }
    }

    /// The shape in which this path, of three vertices or more, keeps its ends.
    pub(super) fn pinned(self, path: &[u32]) -> Self {
        if self.closing { self } else { Self::between(path[0], path[path.len() - 1]) }
    }

    /// The vertices that every sequence of this shape holds, in order.
    pub(super) fn core(&self) -> Vec<u32> {
        match (self.bridge, self.through) {
            (Some((last, first)), _) => vec![last, first],
            (None, through) => through.into_iter().collect(),
        }
    }

    pub(super) fn may_move(&self, side: Side) -> bool {
        !self.anchored[side as usize]
    }

    pub(super) fn is_bridge(&self, a: u32, b: u32) -> bool {
        self.bridge.is_some_and(|(last, first)| (last, first) == (a, b) || (last, first) == (b, a))
    }

    pub(super) fn must_stay(&self, vertex: u32) -> bool {
        self.through == Some(vertex) || self.bridge.is_some_and(|(last, first)| last == vertex || first == vertex)
    }

    /// The fewest vertices of a sequence whose ends may be linked.
    fn least_closed(&self, instance: &Instance) -> usize {
        if self.bridge.is_some() || instance.graph.is_directed() { 2 } else { 3 }
    }

    /// What linking the back to the front adds, if that makes a path or cycle of the instance.
    pub(super) fn closing_weight(&self, instance: &Instance, front: u32, back: u32, len: usize) -> Option<i64> {
        if len < self.least_closed(instance) {
            return None;
        }
        Some(instance.graph.weight(instance.graph.edge_between(back, front)?))
    }

    /// Brings the vertices of a sequence whose ends are linked, or need not be, into the order of the path.
    pub(super) fn straighten(&self, vertices: &mut [u32], instance: &Instance) {
        if let Some((last, first)) = self.bridge {
            let place = vertices.iter().position(|&vertex| vertex == first).expect("the bridge is never cut");
            let turned = place + 1 < vertices.len() && vertices[place + 1] == last && !instance.graph.is_directed();
            // In a sequence of two the bridge may lie either way; `last` then `first` is the order it began with.
            if turned {
                vertices.rotate_left(place + 1);
                vertices.reverse();
            } else {
                vertices.rotate_left(place);
            }
        } else if let Ends::Open { first, last, .. } = &instance.ends {
            let (front, back) = (vertices[0] as usize, vertices[vertices.len() - 1] as usize);
            if !instance.graph.is_directed() && worth_of(first, last, back, front) > worth_of(first, last, front, back)
            {
                vertices.reverse();
            }
        }
    }
}

fn worth_of(first: &[i64], last: &[i64], front: usize, back: usize) -> Option<i64> {
    let allowed = first[front] != NOT_AN_END && last[back] != NOT_AN_END;
    allowed.then(|| first[front] + last[back])
}

/// What a path earns by having these ends, or `None` if it may not.
#[inline]
pub(super) fn worth(instance: &Instance, front: u32, back: u32) -> Option<i64> {
    match &instance.ends {
        Ends::Closed { .. } => Some(0),
        Ends::Open { first, last, .. } => {
            let forth = worth_of(first, last, front as usize, back as usize);
            if instance.graph.is_directed() {
                return forth;
            }
            forth.max(worth_of(first, last, back as usize, front as usize))
        }
    }
}

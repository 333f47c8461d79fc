//! The check of a sequence of edges that meet.

use std::fmt;
use std::hash::Hash;

use hashbrown::HashMap;
use petgraph::visit::EdgeRef;

use crate::view::InputGraph;

/// What is wrong with a claimed sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SequenceFlaw {
    /// It has no edge.
    Empty,
    /// The edge at this position (from 0) is not in the graph.
    UnknownEdge(usize),
    /// The edges at these two positions are the same.
    Repeated(usize, usize),
    /// It does not begin with the edge asked for.
    WrongBeginning,
    /// It has `edges` edges and `meetings` meetings, which do not go together.
    WrongMeetingCount {
        /// How many edges the claimed sequence has.
        edges: usize,
        /// How many meetings it has.
        meetings: usize,
    },
    /// The edge at this position does not end at the node where it is said to meet a neighbour.
    NoSuchMeeting(usize),
}

impl fmt::Display for SequenceFlaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SequenceFlaw::Empty => write!(formatter, "a sequence has at least one edge, and this has none"),
            SequenceFlaw::UnknownEdge(at) => {
                write!(formatter, "edge number {} of the sequence is not in the graph", at + 1)
            }
            SequenceFlaw::Repeated(one, two) => {
                write!(formatter, "edges number {} and {} of the sequence are the same", one + 1, two + 1)
            }
            SequenceFlaw::WrongBeginning => write!(formatter, "the sequence does not begin with the edge asked for"),
            SequenceFlaw::WrongMeetingCount { edges, meetings } => {
                write!(formatter, "{edges} edges in a row do not meet {meetings} times")
            }
            SequenceFlaw::NoSuchMeeting(at) => {
                write!(
                    formatter,
                    "edge number {} of the sequence does not end where it is said to meet another",
                    at + 1
                )
            }
        }
    }
}

impl std::error::Error for SequenceFlaw {}

/// Checks a sequence of edges given with the nodes at which each meets the next, and returns its length: one less than the
/// number of edges.
///
/// # Errors
/// The first flaw found.
///
/// # Complexity
/// Expected `O(n + m)`.
///
/// # Example
/// ```
/// use longhaul::certificate::{SequenceFlaw, check_sequence};
/// use petgraph::graph::UnGraph;
///
/// let star = UnGraph::<(), ()>::from_edges([(0, 1), (0, 2), (0, 3)]);
/// let edges = [2.into(), 0.into(), 1.into()];
/// assert_eq!(check_sequence(&star, None, &edges, &[0.into(), 0.into()]), Ok(2));
/// assert_eq!(check_sequence(&star, None, &edges, &[0.into(), 1.into()]), Err(SequenceFlaw::NoSuchMeeting(2)));
/// ```
pub fn check_sequence<G: InputGraph>(
    graph: G,
    first: Option<G::EdgeId>,
    edges: &[G::EdgeId],
    meetings: &[G::NodeId],
) -> Result<i64, SequenceFlaw>
where
    G::EdgeId: Eq + Hash,
{
    let Some(beginning) = edges.first() else {
        return Err(SequenceFlaw::Empty);
    };
    if first.as_ref().is_some_and(|first| first != beginning) {
        return Err(SequenceFlaw::WrongBeginning);
    }
    if meetings.len() + 1 != edges.len() {
        return Err(SequenceFlaw::WrongMeetingCount { edges: edges.len(), meetings: meetings.len() });
    }
    let mut place: HashMap<G::EdgeId, usize> = HashMap::with_capacity(edges.len());
    for (at, &edge) in edges.iter().enumerate() {
        if let Some(before) = place.insert(edge, at) {
            return Err(SequenceFlaw::Repeated(before, at));
        }
    }
    let mut meets = vec![None; edges.len()];
    for edge in graph.edge_references() {
        if let Some(&at) = place.get(&edge.id()) {
            let ends_at = |meeting: Option<&G::NodeId>| {
                meeting.is_none_or(|&node| node == edge.source() || node == edge.target())
            };
            let before = at.checked_sub(1).and_then(|before| meetings.get(before));
            meets[at] = Some(ends_at(before) && ends_at(meetings.get(at)));
        }
    }
    for (at, meets) in meets.into_iter().enumerate() {
        match meets {
            None => return Err(SequenceFlaw::UnknownEdge(at)),
            Some(false) => return Err(SequenceFlaw::NoSuchMeeting(at)),
            Some(true) => {}
        }
    }
    Ok(edges.len() as i64 - 1)
}

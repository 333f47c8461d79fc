//! Hamiltonian paths and cycles of a graph of small degrees: what is plain first, then the search.
//!
//! - *Sides.* A cycle of a bipartite graph has as many vertices of each side; a path at most one more of one, where both its
//!   ends then are, and otherwise one end on each.
//! - *Bridges.* A path crosses each bridge, once. So the parts between bridges stand in a row, and each is a question of its
//!   own, with an end wherever a bridge leaves it.
//! - *A cycle will do.* Most cubic graphs have a Hamiltonian cycle; it is found more easily than a path with free ends, and
//!   gives one from anywhere. So does a path between two ends that are guessed. Both are tried for a while.
//! - Then a new vertex, the *apex*, is joined to all possible ends, and a cycle through it is a path without it.

use fixedbitset::FixedBitSet;
use petgraph::graph::UnGraph;

use super::search::{self, Found, Goal, Limits, Sparse};
use crate::Stop;
use crate::decompose::{Effort, VertexOrder};
use crate::view::View;

/// So many choices are made in search of a Hamiltonian cycle where a path is enough.
const CHOICES_FOR_A_CYCLE: u64 = 20_000;

/// So many pairs of ends are guessed, with so many choices each.
const GUESSES: usize = 16;
const CHOICES_A_GUESS: u64 = 2_000;

/// The Hamiltonian cycles of a graph.
pub(super) fn cycles(graph: &Sparse, goal: Goal, limits: &Limits) -> Result<Found, Stop> {
    if sides(graph).is_some_and(|[one, two, _]| one.len() != two.len()) {
        return Ok(Found { cycle: None, count: 0 });
    }
    search::search(graph, &order(graph, limits), &[], goal, limits)
}

/// A Hamiltonian path of the graph with these edges, from and to these vertices if they are given; or nothing if there is
/// none.
pub(super) fn path(
    n: usize,
    edges: &[[u32; 2]],
    from: Option<u32>,
    to: Option<u32>,
    limits: &Limits,
) -> Result<Option<Vec<u32>>, Stop> {
    if n == 0 {
        return Ok(None);
    }
    let graph = Sparse::new(n, edges.to_vec());
    let Some(bridges) = search::bridges(&graph) else {
        return Ok(None);
    };
    if bridges.is_empty() {
        return path_without_bridges(&graph, from, to, limits);
    }
    let Some(row) = Row::new(&graph, &bridges, from, to) else {
        return Ok(None);
    };
    let mut path = Vec::with_capacity(n);
    for Segment { vertices, from, to } in row.segments {
        let position = |vertex: u32| vertices.binary_search(&vertex).ok().map(|position| position as u32);
        let inner = edges.iter().filter_map(|&[one, two]| Some([position(one)?, position(two)?]));
        let part = Sparse::new(vertices.len(), inner.collect());
        match path_without_bridges(&part, from.and_then(position), to.and_then(position), limits)? {
            Some(segment) => path.extend(segment.iter().map(|&vertex| vertices[vertex as usize])),
            None => return Ok(None),
        }
    }
    Ok(Some(path))
}

/// The parts between the bridges, in a row.
struct Row {
    segments: Vec<Segment>,
}

/// A part, with the ends that the path must have there.
struct Segment {
    /// In ascending order.
    vertices: Vec<u32>,
    from: Option<u32>,
    to: Option<u32>,
}

impl Row {
    /// Nothing if the parts do not stand in a row, or the ends of the path are not in its first and last.
    fn new(graph: &Sparse, bridges: &[u32], from: Option<u32>, to: Option<u32>) -> Option<Self> {
        let (part, mut parts) = parts_between(graph, bridges);
        // The bridges at each part, by their end there and their other end.
        let mut links: Vec<Vec<[u32; 2]>> = vec![Vec::new(); parts.len()];
        for &bridge in bridges {
            let [one, two] = graph.ends()[bridge as usize];
            links[part[one as usize]].push([one, two]);
            links[part[two as usize]].push([two, one]);
        }
        if links.iter().any(|links| links.len() > 2) {
            return None;
        }
        // A tree without forks has two outer parts.
        let mut outer = (0..parts.len()).filter(|&part| links[part].len() == 1);
        let outer = [outer.next()?, outer.next()?];
        let first = match (from, to) {
            (Some(from), _) => *outer.iter().find(|&&outer| outer == part[from as usize])?,
            (None, Some(to)) => *outer.iter().find(|&&outer| outer != part[to as usize])?,
            (None, None) => outer[0],
        };
        let (mut at, mut entry, mut came_by) = (first, from, None);
        let mut segments = Vec::with_capacity(parts.len());
        loop {
            let onwards = links[at].iter().find(|[here, there]| came_by != Some([*there, *here])).copied();
            let vertices = std::mem::take(&mut parts[at]);
            segments.push(Segment { vertices, from: entry, to: onwards.map_or(to, |[here, _]| Some(here)) });
            let Some([here, there]) = onwards else {
                let ends_here = to.is_none_or(|to| part[to as usize] == at);
                return ends_here.then_some(Row { segments });
            };
            (at, entry, came_by) = (part[there as usize], Some(there), Some([here, there]));
        }
    }
}

/// The part of each vertex, and the vertices of each part in ascending order.
fn parts_between(graph: &Sparse, bridges: &[u32]) -> (Vec<usize>, Vec<Vec<u32>>) {
    const UNKNOWN: usize = usize::MAX;
    let n = graph.vertex_count();
    let is_bridge: FixedBitSet = bridges.iter().map(|&bridge| bridge as usize).collect();
    let inner = (0..).zip(graph.ends()).filter(|&(edge, _)| !is_bridge[edge]).map(|(_, &ends)| ends);
    let within = Sparse::new(n, inner.collect());
    let mut part = vec![UNKNOWN; n];
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for start in 0..n as u32 {
        if part[start as usize] != UNKNOWN {
            continue;
        }
        part[start as usize] = parts.len();
        let mut reached = vec![start];
        let mut next = 0;
        while let Some(&vertex) = reached.get(next) {
            next += 1;
            for other in within.neighbours(vertex) {
                if part[other as usize] == UNKNOWN {
                    part[other as usize] = parts.len();
                    reached.push(other);
                }
            }
        }
        reached.sort_unstable();
        parts.push(reached);
    }
    (part, parts)
}

/// The same where the graph is connected and has no bridge.
fn path_without_bridges(
    graph: &Sparse,
    from: Option<u32>,
    to: Option<u32>,
    limits: &Limits,
) -> Result<Option<Vec<u32>>, Stop> {
    let n = graph.vertex_count();
    if n == 1 {
        return Ok(Some(vec![0]));
    }
    let Some((possible, side)) = possible_ends(graph, from, to) else {
        return Ok(None);
    };
    let order = order(graph, limits);
    if let (Some(from), Some(to)) = (from, to) {
        return path_through_apex(graph, &[from, to], [from, to].map(Some), &order, limits);
    }
    let few = Limits { choices: CHOICES_FOR_A_CYCLE, ..limits.clone() };
    if let Ok(Found { cycle: Some(mut cycle), .. }) = search::search(graph, &order, &[], Goal::Find, &few) {
        let end = from.or(to).unwrap_or(cycle[0]);
        let at = cycle.iter().position(|&vertex| vertex == end).expect("the cycle visits all");
        cycle.rotate_left(at);
        if to.is_some() {
            cycle.reverse();
        }
        return Ok(Some(cycle));
    }
    let few = Limits { choices: CHOICES_A_GUESS, ..limits.clone() };
    let agree = |one: u32, two: u32| {
        let same_side = side.as_ref().is_some_and(|side| side[one as usize] == side[two as usize]);
        one != two && same_side == (side.is_some() && n % 2 == 1)
    };
    for guess in 0..GUESSES {
        let one = from.or(to).unwrap_or(possible[guess * possible.len() / GUESSES]);
        let others = possible.iter().cycle().skip((2 * guess + 1) * possible.len() / (2 * GUESSES) + 1);
        let Some(&two) = others.take(possible.len()).find(|&&two| agree(one, two)) else {
            break;
        };
        let ends = if to.is_some() { [two, one] } else { [one, two] };
        if let Ok(Some(path)) = path_through_apex(graph, &ends, ends.map(Some), &order, &few) {
            return Ok(Some(path));
        }
        if let Some(stop) = limits.stop() {
            return Err(stop);
        }
    }
    path_through_apex(graph, &possible, [from, to], &order, limits)
}

/// The neighbours of the apex on a cycle are the ends of a path.
fn path_through_apex(
    graph: &Sparse,
    possible: &[u32],
    [from, to]: [Option<u32>; 2],
    order: &[u32],
    limits: &Limits,
) -> Result<Option<Vec<u32>>, Stop> {
    let apex = graph.vertex_count() as u32;
    let mut edges = graph.ends().to_vec();
    let mut forced = Vec::new();
    for &vertex in possible {
        if [from, to].contains(&Some(vertex)) {
            forced.push(edges.len() as u32);
        }
        edges.push([vertex, apex]);
    }
    let order: Vec<u32> = order.iter().copied().chain([apex]).collect();
    let with_apex = Sparse::new(apex as usize + 1, edges);
    let found = search::search(&with_apex, &order, &forced, Goal::Find, limits)?;
    Ok(found.cycle.map(|mut cycle| {
        let at = cycle.iter().position(|&vertex| vertex == apex).expect("the cycle visits all");
        cycle.rotate_left(at);
        let mut path = cycle.split_off(1);
        if from.is_some_and(|from| path[0] != from) || to.is_some_and(|to| path[path.len() - 1] != to) {
            path.reverse();
        }
        path
    }))
}

/// The vertices that can be ends of a Hamiltonian path, and the sides of all where the graph is bipartite; or nothing if the
/// sides, or the ends asked for, allow no such path.
fn possible_ends(graph: &Sparse, from: Option<u32>, to: Option<u32>) -> Option<(Vec<u32>, Option<Vec<u32>>)> {
    let n = graph.vertex_count();
    if from.is_some() && from == to {
        return None;
    }
    let (mut possible, mut side) = ((0..n as u32).collect::<Vec<u32>>(), None);
    if let Some([one, two, side_of]) = sides(graph) {
        possible = match (one.len().abs_diff(two.len()), from.or(to)) {
            (0, None) => possible,
            (0, Some(end)) => {
                let other = if side_of[end as usize] == 0 { &two } else { &one };
                other.iter().copied().chain([end]).collect()
            }
            (1, _) => [one, two].into_iter().max_by_key(Vec::len).unwrap_or_default(),
            _ => return None,
        };
        side = Some(side_of);
    }
    let allowed = |end: Option<u32>| end.is_none_or(|end| possible.contains(&end));
    (allowed(from) && allowed(to)).then_some((possible, side))
}

/// The sides of a bipartite graph, and the side of each vertex; nothing if it has an odd cycle or several parts.
fn sides(graph: &Sparse) -> Option<[Vec<u32>; 3]> {
    const UNKNOWN: u32 = u32::MAX;
    let n = graph.vertex_count();
    let mut side = vec![UNKNOWN; n];
    let mut reached = vec![0];
    *side.first_mut()? = 0;
    while let Some(vertex) = reached.pop() {
        for other in graph.neighbours(vertex) {
            if side[other as usize] == UNKNOWN {
                side[other as usize] = 1 - side[vertex as usize];
                reached.push(other);
            } else if side[other as usize] == side[vertex as usize] {
                return None;
            }
        }
    }
    let of = |which: u32| (0..n as u32).filter(|&vertex| side[vertex as usize] == which).collect();
    if side.contains(&UNKNOWN) { None } else { Some([of(0), of(1), side]) }
}

/// An order that keeps neighbours near each other.
fn order(graph: &Sparse, limits: &Limits) -> Vec<u32> {
    // Some ten milliseconds: long paths through wide graphs are found or not, whatever the order.
    let mut plain = UnGraph::<(), ()>::with_capacity(graph.vertex_count(), graph.ends().len());
    for _ in 0..graph.vertex_count() {
        plain.add_node(());
    }
    for &[one, two] in graph.ends() {
        plain.add_edge(one.into(), two.into(), ());
    }
    let view = View::new(&plain, |_| 1).expect("a cubic graph is not too large");
    let (deadline, interrupt) = (limits.deadline, limits.interrupt.clone());
    let effort = Effort { work: 2_000_000, work_per_state: 1.0, deadline, interrupt, ..Effort::default() };
    VertexOrder::find(view.graph(), &effort, 0).vertices().to_vec()
}

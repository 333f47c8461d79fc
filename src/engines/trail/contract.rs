//! A root drawn together for proofs: fewer vertices, and no longer paths.
//!
//! Where vertices become one, edges that share an end still do, and no fewer meet a trail; so whatever bounds the trails then
//! bounds the paths. Vertices become one where that loses nothing:
//! - those that are one for open trails [when folded](super::fold);
//! - a path of vertices that hangs by one end: a trail that gets into it may go on to its last vertex for nothing;
//! - a component with no more edges than a path may have vertices: all of it is met by the trail of that one vertex.
//!
//! Edges between them are loops then. What else hangs by single edges stays.

use petgraph::unionfind::UnionFind;

use super::core::bundled;
use super::fold::{Excluded, Fold, Kind};
use super::root::Root;

/// A root drawn together, and where the vertices of the root that it was are, if they have edges.
#[derive(Debug)]
pub(super) struct Contracted {
    pub(super) root: Root,
    pub(super) place: Vec<u32>,
}

/// Draws a root together for a proof that no path is worth more than `target`.
pub(super) fn contracted(root: &Root, target: i64) -> Contracted {
    let n = root.vertex_count;
    let (gains, bundles) = bundled(root);
    let fold = Fold::new(Kind::Open, gains, bundles, &[], Excluded::default());
    let mut into: Vec<u32> = (0..n as u32).map(|vertex| fold.whole(vertex)).collect();
    let folded: Vec<[u32; 2]> = root.ends.iter().map(|ends| ends.map(|end| into[end as usize])).collect();
    draw_in_hanging_paths(&folded, &mut into);
    let mut components = UnionFind::new(n);
    folded.iter().for_each(|&[one, two]| {
        components.union(one, two);
    });
    let mut met = vec![0i64; n];
    folded.iter().for_each(|&[end, _]| met[components.find(end) as usize] += 1);

    let wholes: Vec<u32> = (0..n as u32)
        .map(|vertex| match components.find(into[vertex as usize]) {
            component if met[component as usize] - 1 <= target => component,
            _ => whole(&into, vertex),
        })
        .collect();
    let (mut number, mut vertex_count) = (vec![u32::MAX; n], 0);
    let mut renamed = |vertex: u32| {
        let number = &mut number[wholes[vertex as usize] as usize];
        if *number == u32::MAX {
            *number = vertex_count;
            vertex_count += 1;
        }
        *number
    };
    let ends = root.ends.iter().map(|ends| ends.map(&mut renamed)).collect();
    let place = wholes.iter().map(|&whole| number[whole as usize]).collect();
    Contracted { root: Root::new(vertex_count as usize, ends), place }
}

/// The vertex that this one has become a part of in the end.
fn whole(into: &[u32], mut vertex: u32) -> u32 {
    while into[vertex as usize] != vertex {
        vertex = into[vertex as usize];
    }
    vertex
}

/// A vertex with a single edge becomes a part of its neighbour where that has but one edge more, and so on.
fn draw_in_hanging_paths(ends: &[[u32; 2]], into: &mut [u32]) {
    // What is left of a sum over the edges at a vertex where there is one edge is that edge.
    let (mut degree, mut sum) = (vec![0u32; into.len()], vec![0u32; into.len()]);
    for (edge, [one, two]) in (0..).zip(ends).filter(|(_, [one, two])| one != two) {
        for end in [*one, *two] {
            degree[end as usize] += 1;
            sum[end as usize] ^= edge;
        }
    }
    for leaf in 0..into.len() as u32 {
        let mut leaf = leaf;
        while degree[leaf as usize] == 1 {
            let edge = sum[leaf as usize];
            let [one, two] = ends[edge as usize];
            let next = if one == leaf { two } else { one };
            if degree[next as usize] > 2 {
                break;
            }
            into[leaf as usize] = next;
            degree[leaf as usize] = 0;
            degree[next as usize] -= 1;
            sum[next as usize] ^= edge;
            leaf = next;
        }
    }
}

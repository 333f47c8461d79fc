//! Closed twins: large classes of interchangeable vertices lose their surplus.
//!
//! Two vertices are *closed twins* if they are adjacent and have the same other neighbours; here also with edges of the same
//! weight, and the same prizes. Let a class have `t` twins, all edges within it of weight `w ≥ 0`, and `d` neighbours outside.
//!
//! A path that visits one of the twins can take in any other right beside it and gain `w`, so some best path visits all of
//! them or none. It enters the class at most `d + 1` times, since between two visits it spends an outside neighbour. So
//! `d + 1` twins are enough to keep; the others, the surplus, can be put beside one of them, the *host*, whenever a path
//! visits that. Their worth is given to the host: half of it to each of its edges, and to its prizes, so that a path earns
//! exactly the whole by visiting the host, in whichever way. (An even number is taken out, so that halves are integers.)
//! Conversely, from a path that visits all twins the surplus can be dropped, one twin staying in each visit, the host among
//! them since twins are interchangeable.
//!
//! Undirected graphs only. `O(n + m)` expected: classes are found by sums of random numbers and then compared in full.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::view::{CsrGraph, Edge, LENGTH_LIMIT};

/// An instance without the surplus of its twins, and the way back.
pub(crate) struct Capped {
    pub(crate) instance: Instance,
    /// The vertices that stayed, in their old numbers.
    kept: Vec<u32>,
    /// By host, in old numbers: the surplus of its class.
    surplus: HashMap<u32, Vec<u32>>,
}

impl Capped {
    /// The vertices that stayed, in their old numbers.
    pub(crate) fn kept(&self) -> &[u32] {
        &self.kept
    }

    /// The path of the original instance behind a path of [`instance`](Self::instance); it is worth as much.
    pub(crate) fn lift(&self, path: &[u32]) -> Vec<u32> {
        let mut lifted = Vec::new();
        // Beside the host, but where it is the end, before it: the ends stay what they are.
        for (at, &vertex) in path.iter().enumerate() {
            let old = self.kept[vertex as usize];
            let surplus = self.surplus.get(&old).map_or(&[][..], Vec::as_slice);
            if at + 1 == path.len() && at > 0 {
                lifted.extend_from_slice(surplus);
                lifted.push(old);
            } else {
                lifted.push(old);
                lifted.extend_from_slice(surplus);
            }
        }
        lifted
    }
}

/// Takes the surplus out of an undirected instance; `None` if there is none.
pub(crate) fn cap(instance: &Instance) -> Option<Capped> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let mut gone = FixedBitSet::with_capacity(n);
    let mut half_worth = vec![0i64; n];
    let mut surplus: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut room = LENGTH_LIMIT;
    for class in classes(instance) {
        let weight = weight_within(graph, &class);
        let present = |vertex: &u32| !gone[*vertex as usize];
        let outside = graph.out_arcs(class[0]).iter().filter(|arc| present(&arc.target)).count() + 1 - class.len();
        // A cycle needs three vertices even within the class.
        let keep = (outside + 1).max(3);
        let even = class.len().saturating_sub(keep) & !1;
        if even == 0 {
            continue;
        }
        // The worth is seen from every neighbour of the host; bounds must be able to add all that up.
        let half = (even / 2) as i64 * weight;
        match half.checked_mul(2 * graph.out_arcs(class[0]).len() as i64) {
            Some(seen) if seen <= room => room -= seen,
            _ => continue,
        }
        let (host, removed) = (class[0], &class[class.len() - even..]);
        removed.iter().for_each(|&vertex| gone.insert(vertex as usize));
        half_worth[host as usize] = half;
        surplus.insert(host, removed.to_vec());
    }
    if surplus.is_empty() {
        return None;
    }

    let kept: Vec<u32> = (0..n as u32).filter(|&vertex| !gone[vertex as usize]).collect();
    let (induced, _) = graph.induced(&kept, &mut vec![u32::MAX; n]);
    let richer = |edge: &Edge| {
        let half = |vertex: u32| half_worth[kept[vertex as usize] as usize];
        Edge { weight: edge.weight + half(edge.source) + half(edge.target), ..*edge }
    };
    let edges = induced.edges().iter().map(richer).collect();
    let capped_graph = CsrGraph::from_simple(kept.len(), false, edges);
    let ends = match &instance.ends {
        Ends::Open { first, last, single_vertex } => {
            let prizes = |prizes: &[i64]| {
                let prize = |&vertex: &u32| match prizes[vertex as usize] {
                    NOT_AN_END => NOT_AN_END,
                    prize => prize + half_worth[vertex as usize],
                };
                kept.iter().map(prize).collect()
            };
            Ends::Open { first: prizes(first), last: prizes(last), single_vertex: *single_vertex }
        }
        Ends::Closed { through } => {
            let place = |vertex| kept.binary_search(&vertex).expect("the vertex to visit is no twin") as u32;
            Ends::Closed { through: through.map(place) }
        }
    };
    Some(Capped { instance: Instance { graph: capped_graph, ends }, kept, surplus })
}

/// The classes of four twins or more that are interchangeable in every respect.
fn classes(instance: &Instance) -> Vec<Vec<u32>> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let mut random = Pcg64Mcg::seed_from_u64(0);
    let marks: Vec<u64> = (0..n).map(|_| random.next_u64()).collect();
    let mut by_mark: HashMap<u64, Vec<u32>> = HashMap::new();
    for vertex in (0..n as u32).filter(|&vertex| graph.out_arcs(vertex).len() >= 3) {
        let around = graph.out_arcs(vertex).iter().map(|arc| marks[arc.target as usize]);
        let mark = around.fold(marks[vertex as usize], u64::wrapping_add);
        by_mark.entry(mark).or_default().push(vertex);
    }
    let mut classes: Vec<Vec<u32>> = by_mark.into_values().filter(|class| class.len() >= 4).collect();
    classes.sort_unstable();
    let mut place = vec![u32::MAX; n];
    classes.retain(|class| are_twins(instance, class, &mut place));
    classes
}

/// Whether the vertices are closed twins with equal weights and prizes; `scratch` is all `u32::MAX` before and after.
fn are_twins(instance: &Instance, class: &[u32], scratch: &mut [u32]) -> bool {
    let graph = &instance.graph;
    let model = class[0];
    let within = weight_within(graph, class);
    let same_prizes = match &instance.ends {
        Ends::Open { first, last, .. } => class.iter().all(|&vertex| {
            first[vertex as usize] == first[model as usize] && last[vertex as usize] == last[model as usize]
        }),
        Ends::Closed { through } => through.is_none_or(|vertex| !class.contains(&vertex)),
    };
    if within < 0 || !same_prizes {
        return false;
    }
    scratch[model as usize] = 0;
    class.iter().for_each(|&vertex| scratch[vertex as usize] = 0);
    for arc in graph.out_arcs(model) {
        if scratch[arc.target as usize] == u32::MAX {
            scratch[arc.target as usize] = arc.edge + 1;
        }
    }
    let fits = |vertex: &u32| {
        let row = graph.out_arcs(*vertex);
        row.len() == graph.out_arcs(model).len()
            && row.iter().all(|arc| match scratch[arc.target as usize] {
                u32::MAX => false,
                0 => graph.weight(arc.edge) == within,
                edge => graph.weight(arc.edge) == graph.weight(edge - 1),
            })
    };
    let twins = class.iter().all(fits);
    for arc in graph.out_arcs(model) {
        scratch[arc.target as usize] = u32::MAX;
    }
    class.iter().for_each(|&vertex| scratch[vertex as usize] = u32::MAX);
    twins
}

/// The weight of the edge between the first two of a class, or -1 if there is none.
fn weight_within(graph: &CsrGraph, class: &[u32]) -> i64 {
    graph.edge_between(class[0], class[1]).map_or(-1, |edge| graph.weight(edge))
}

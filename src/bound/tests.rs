use std::time::Instant;

use petgraph::graph::{DiGraph, UnGraph};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::LongestPath;
use crate::certificate::{Claim, WitnessFlaw, check_bound};
use crate::search::Run;
use crate::view::Edge;

fn budget() -> Budget {
    let graph = UnGraph::<(), ()>::default();
    Run::new(Instant::now(), &LongestPath::new(&graph).options, None).budget
}

/// The optimum by dynamic programming over vertex sets, `None` without a path.
fn optimum(piece: &Piece) -> Option<i64> {
    let graph = &piece.graph;
    let n = graph.vertex_count();
    let mut best = None;
    // With a cycle, its least vertex comes first.
    let mut table = vec![None; n << n];
    for start in 0..n {
        match &piece.ends {
            Ends::Open { first, .. } if first[start] != NOT_AN_END => {
                table[(1 << start) * n + start] = Some(first[start])
            }
            Ends::Closed { .. } => table[(1 << start) * n + start] = Some(0),
            _ => {}
        }
    }
    for set in 1usize..1 << n {
        for head in 0..n {
            let Some(value) = table[set * n + head] else { continue };
            let value: i64 = value;
            match &piece.ends {
                Ends::Open { last, .. } if last[head] != NOT_AN_END => best = best.max(Some(value + last[head])),
                Ends::Closed { through } => {
                    let start = set.trailing_zeros();
                    let long = set.count_ones() >= if graph.is_directed() { 2 } else { 3 };
                    let visits = through.is_none_or(|vertex| set >> vertex & 1 == 1);
                    if let Some(edge) = graph.edge_between(head as u32, start).filter(|_| long && visits) {
                        best = best.max(Some(value + graph.weight(edge)));
                    }
                }
                _ => {}
            }
            for arc in graph.out_arcs(head as u32) {
                let target = arc.target as usize;
                let closed = matches!(piece.ends, Ends::Closed { .. });
                if set >> target & 1 == 1 || (closed && target < set.trailing_zeros() as usize) {
                    continue;
                }
                let slot = &mut table[(set | 1 << target) * n + target];
                *slot = (*slot).max(Some(value + graph.weight(arc.edge)));
            }
        }
    }
    best
}

/// An end rule of any kind.
fn any_ends(n: usize, random: &mut Pcg64Mcg) -> Ends {
    let rule = random.random_range(0..8);
    let through = random.random_bool(0.5).then(|| random.random_range(0..n as u32));
    let mut prizes = |kind: u32| -> Vec<i64> {
        match kind {
            0 => vec![0; n],
            1 => {
                let mut prizes = vec![NOT_AN_END; n];
                prizes[random.random_range(0..n)] = random.random_range(-2..3);
                prizes
            }
            _ => {
                (0..n).map(|_| if random.random_bool(0.3) { NOT_AN_END } else { random.random_range(-5..10) }).collect()
            }
        }
    };
    match rule {
        0 | 1 => Ends::Open { first: prizes(0), last: prizes(0), lone: true },
        2 => Ends::Open { first: prizes(1), last: prizes(0), lone: true },
        3 => Ends::Open { first: prizes(0), last: prizes(1), lone: true },
        4 => Ends::Open { first: prizes(1), last: prizes(1), lone: true },
        5 => {
            let same = prizes(2);
            Ends::Open { first: same.clone(), last: same, lone: true }
        }
        6 => Ends::Open { first: prizes(2), last: prizes(2), lone: true },
        _ => Ends::Closed { through },
    }
}

fn any_edges(n: usize, directed: bool, share: f64, heavy: i64, random: &mut Pcg64Mcg) -> Vec<Edge> {
    let mut edges = Vec::new();
    for source in 0..n as u32 {
        for target in 0..n as u32 {
            if (if directed { source != target } else { source < target }) && random.random_bool(share) {
                let weight = if heavy == 0 { 1 } else { random.random_range(-heavy / 3..=heavy) };
                edges.push(Edge { source, target, weight });
            }
        }
    }
    edges
}

/// Whether all is well with the bound for this piece, which may be broken by chance as much as one likes.
fn hold(piece: &Piece, random: &mut Pcg64Mcg) {
    let optimum = optimum(piece).unwrap_or(i64::MIN);
    for effort in [Effort::Low, Effort::High] {
        let (bound, witness) = best_bound(piece, effort, &budget(), i64::MIN);
        assert!(bound >= optimum, "{bound} bounds {optimum} in {piece:?} by {witness:?}");
        assert_eq!(prove(piece, &witness), bound);
        for _ in 0..3 {
            let tampered = tamper(piece, &witness, random);
            let bound = prove(piece, &tampered);
            assert!(bound >= optimum, "{bound} bounds {optimum} in {piece:?} by {tampered:?}");
        }
    }
}

/// The same with something changed: still a witness that fits.
fn tamper(piece: &Piece, witness: &Witness<u32>, random: &mut Pcg64Mcg) -> Witness<u32> {
    let Witness::Removal { mut nodes, mut shares, mut borders } = witness.clone();
    let n = piece.graph.vertex_count();
    for _ in 0..random.random_range(1..5) {
        match random.random_range(0..6) {
            0 if !nodes.is_empty() => {
                nodes.remove(random.random_range(0..nodes.len()));
            }
            1 => {
                let vertex = random.random_range(0..n as u32);
                if !nodes.contains(&vertex) {
                    nodes.insert(random.random_range(0..=nodes.len()), vertex);
                }
            }
            2 if !nodes.is_empty() => {
                let (one, two) = (random.random_range(0..nodes.len()), random.random_range(0..nodes.len()));
                nodes.swap(one, two);
            }
            3 if !shares.booked.is_empty() => {
                let at = random.random_range(0..shares.booked.len());
                shares.booked[at].2 += random.random_range(-3..4) * shares.scale / 2;
            }
            4 if !borders.is_empty() => {
                let at = random.random_range(0..borders.len());
                borders[at].toll += random.random_range(0..3) * shares.scale / 2;
            }
            _ => {
                shares.beginning += random.random_range(-3..4) * shares.scale / 2;
                shares.end += random.random_range(-3..4) * shares.scale / 2;
            }
        }
    }
    Witness::Removal { nodes, shares, borders }
}

#[test]
fn no_bound_is_below_the_optimum_of_random_pieces() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for round in 0..400 {
        let n = random.random_range(1..8);
        let directed = round % 2 == 1;
        let share = random.random_range(1..10) as f64 / 10.0;
        let heavy = [0, 0, 3, 20][round / 2 % 4];
        let edges = any_edges(n, directed, share, heavy, &mut random);
        let piece = Piece { graph: CsrGraph::from_simple(n, directed, edges), ends: any_ends(n, &mut random) };
        hold(&piece, &mut random);
    }
}

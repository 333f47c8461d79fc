//! Whatever moves are made, the path stays one, and what is noted about it stays true.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::State;
use crate::engines::local_search::families::below;
use crate::engines::local_search::sequence::{Array, Sequence, Side};
use crate::engines::local_search::shape::Shape;
use crate::engines::local_search::splay::SplayTree;
use crate::instance::{Ends, Instance};
use crate::view::{CsrGraph, Edge};

/// Reckons everything anew; returns the path.
fn reckon<S: Sequence>(state: &mut State<'_, S>) -> Vec<u32> {
    let mut path = Vec::new();
    state.path.store(&mut path);
    let mut all = [path.clone(), state.off.clone()].concat();
    all.sort_unstable();
    assert!(all.iter().copied().eq(0..state.instance.graph.vertex_count() as u32));
    for (place, &vertex) in state.off.iter().enumerate() {
        assert_eq!(state.off_place[vertex as usize] as usize, place);
        assert!(!state.path.contains(vertex));
    }
    let length: i64 = path.windows(2).map(|pair| state.link(pair[0], pair[1])).sum();
    assert_eq!(state.length, length);
    let (front, back) = (path[0], path[path.len() - 1]);
    assert_eq!(state.price, length + state.priced_worth(front, back));
    if state.shape.closing {
        let closing = state.shape.closing_weight(state.instance, front, back, path.len());
        assert_eq!(state.closed, closing.map(|weight| length + weight));
    }
    if let Some((last, first)) = state.shape.bridge {
        let follows = |pair: &[u32]| pair == [last, first] || pair == [first, last];
        assert!(path.windows(2).any(follows));
    }
    assert!(state.shape.through.is_none_or(|vertex| path.contains(&vertex)));
    path
}

fn moves_keep_order<S: Sequence>(seed: u64) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let n = 4 + below(&mut rng, 12);
    let directed = below(&mut rng, 2) == 0;
    let weights = 1 + below(&mut rng, 2) as i64 * 4;
    let mut edge = || {
        let weight = 1 + below(&mut rng, weights as usize) as i64;
        Edge { source: below(&mut rng, n) as u32, target: below(&mut rng, n) as u32, weight }
    };
    let mut edges: Vec<Edge> = (0..3 * n).map(|_| edge()).collect();
    // A cycle through all, so that there is something of every shape.
    edges.extend((0..n as u32).map(|at| Edge { source: at, target: (at + 1) % n as u32, weight: 1 }));
    let mut instance = Instance::free(CsrGraph::from_multigraph(n, directed, edges).0);
    let mut path: Vec<u32> = (0..n as u32).collect();
    let shape = match seed % 5 {
        0 => Shape::LOOSE,
        1 => Shape::anchored_at(0, Side::Front),
        2 => Shape::anchored_at(n as u32 - 1, Side::Back),
        3 => {
            path.rotate_left(2);
            Shape::between(0, n as u32 - 1)
        }
        _ => {
            instance.ends = Ends::Closed { through: Some(1) };
            Shape::closed(Some(1))
        }
    };
    let mut state = State::<S>::new(&instance, 1.0, seed);
    state.load(shape, &path);
    for _ in 0..400 {
        state.temperature = 1.0;
        let before = reckon(&mut state);
        match below(&mut rng, 4) {
            0 => state.step(),
            1 if state.is_closed() => {
                state.excursion(20, 1.0);
                // An excursion that was taken back leaves nothing in its journal.
                if state.journal.is_empty() {
                    assert_eq!(reckon(&mut state), before);
                }
            }
            2 => state.propose_detour(),
            _ => state.propose_at_end(if shape.may_move(Side::Back) { Side::Back } else { Side::Front }),
        }
        if shape.anchored[Side::Front as usize] {
            assert_eq!(state.end(Side::Front), before[0]);
        }
        if shape.anchored[Side::Back as usize] {
            assert_eq!(state.end(Side::Back), before[before.len() - 1]);
        }
    }
}

#[test]
fn moves_keep_everything_in_order() {
    for seed in 0..300 {
        moves_keep_order::<Array>(seed);
        moves_keep_order::<SplayTree>(seed);
    }
}

//! Numbers that stand in books and in the OEIS, and draws that are uniform.

use std::collections::BTreeMap;

use longhaul::LongestPath;
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::UndirectedAdaptor;

use super::brute::{Told, Wishes};
use super::shapes::{grid, knight, unit};
use super::{CYCLES, asked, told};
use crate::support::{Ends, Small};

fn counts(small: &Small, ends: Ends) -> longhaul::PathCounts {
    let graph = small.to_graph();
    asked!(&graph, small, ends, &Wishes::default(), question => question.count().unwrap())
}

#[test]
fn known_numbers() {
    // OEIS A007764: self-avoiding walks between opposite corners, all of them from one sweep.
    for (side, walks) in [
        (2, 2u64),
        (3, 12),
        (4, 184),
        (5, 8512),
        (6, 1_262_816),
        (7, 575_780_564),
        (8, 789_360_053_252),
        (9, 3_266_598_486_981_642),
    ] {
        let small = grid(side);
        let ends = Ends { from: Some(0), to: Some(side * side - 1), closed: false };
        let graph = small.to_graph();
        let all = asked!(&graph, &small, ends, &Wishes::default(), question => question.distribution().unwrap());
        assert_eq!(all.total(), walks.into());
    }
    // Knight's tours: 1728 open ones with a direction on 5 by 5, 9862 closed ones without on 6 by 6.
    let open = counts(&knight(5), Ends::FREE);
    assert_eq!((open.length(), open.count()), (Some(24), Some(864u32.into())));
    let closed = counts(&knight(6), CYCLES);
    assert_eq!((closed.length(), closed.count()), (Some(36), Some(9862u32.into())));
    // (n - 1)! / 2 Hamiltonian cycles of the complete graph.
    for (nodes, cycles) in [(3, 1u32), (4, 3), (5, 12), (6, 60), (7, 360), (8, 2520)] {
        let complete = unit(nodes, (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b))));
        assert_eq!(counts(&complete, CYCLES).count(), Some(cycles.into()));
    }
    // 1344 of the hypercube of 4 dimensions, as cycles without a direction.
    let cube = |dimensions: usize| {
        let bits = 0..dimensions;
        unit(
            1 << dimensions,
            (0..1 << dimensions)
                .flat_map(move |a| bits.clone().map(move |bit| (a, a ^ 1 << bit)))
                .filter(|(a, b)| a < b),
        )
    };
    let hypercube = counts(&cube(4), CYCLES);
    assert_eq!((hypercube.length(), hypercube.count()), (Some(16), Some(1344u32.into())));
    // Petersen's graph has no Hamiltonian cycle, 120 of length 9, and 120 Hamiltonian paths.
    let petersen = unit(10, (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]));
    let cycles = counts(&petersen, CYCLES);
    assert_eq!((cycles.length(), cycles.count()), (Some(9), Some(20u32.into())));
    let paths = counts(&petersen, Ends::FREE);
    assert_eq!((paths.length(), paths.count()), (Some(9), Some(120u32.into())));
    // Snakes and coils in the box.
    for (dimensions, snake, coil) in [(2, 2, 4), (3, 4, 6), (4, 7, 8), (5, 13, 14), (6, 26, 26)] {
        let wishes = Wishes { induced: true, ..Wishes::default() };
        let (small, graph) = (cube(dimensions), cube(dimensions).to_graph());
        for (ends, length) in [(Ends::FREE, snake), (CYCLES, coil)] {
            let solution = asked!(&graph, &small, ends, &wishes, question => question.solve().unwrap());
            assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true));
        }
    }
}

#[test]
fn samples_are_uniform() {
    // The 60 Hamiltonian cycles of the complete graph on 6 nodes.
    let complete = unit(6, (0..6).flat_map(|a| (0..a).map(move |b| (a, b))));
    let graph = complete.to_graph();
    let mut drawn: BTreeMap<Told, u32> = BTreeMap::new();
    const DRAWS: u32 = 6000;
    asked!(&graph, &complete, CYCLES, &Wishes::default(), question => {
        for path in question.samples(1).unwrap().take(DRAWS as usize) {
            *drawn.entry(told(&path)).or_default() += 1;
        }
    });
    assert_eq!(drawn.len(), 60);
    let expected = f64::from(DRAWS) / 60.0;
    let square: f64 = drawn.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // 59 degrees of freedom: 98.3 is exceeded once in a thousand.
    assert!(square < 98.3, "{square}");
}

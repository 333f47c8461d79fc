//! Reductions and the way back from them, on graphs that have much to reduce: chains, pendant trees, blocks, twins, strong
//! components, parallel edges.

use proptest::prelude::*;

use super::engines::reductions;
use super::{ends, ends_among, fuzz, longest_by_sets};
use crate::support::Small;
use crate::support::ask::{Options, ask};

/// How a graph grows: by cycles with chords, chains and trees glued to it, by chains for edges, or by closed twins.
#[derive(Clone, Copy, Debug)]
enum Growth {
    Glued,
    Chained,
    Twinned,
}

fn reducible() -> impl Strategy<Value = Small> {
    let growth = prop::sample::select(vec![Growth::Glued, Growth::Chained, Growth::Twinned]);
    (growth, any::<u64>(), 2usize..=11, any::<bool>(), prop::sample::select(vec![(1, 1), (1, 5), (-3, 6)])).prop_map(
        |(growth, seed, nodes, directed, weights)| {
            let mut rng = crate::support::rng(seed);
            match growth {
                Growth::Glued => Small::glued(&mut rng, nodes, directed, weights),
                Growth::Chained => {
                    let mut small = Small::chained(&mut rng, nodes.min(5), 6, 2, weights);
                    small.nodes = small.nodes.min(12);
                    small.edges.retain(|&(a, b, _)| a < small.nodes && b < small.nodes);
                    small
                }
                Growth::Twinned => Small::twinned(&mut rng, nodes.min(6), nodes, 4, (weights.0.max(0), weights.1)),
            }
        },
    )
}

#[test]
fn what_is_reduced_is_lifted() {
    fuzz(250, &(reducible(), ends(), reductions()), |(small, ends, without)| {
        let ends = ends_among(ends, small.nodes);
        let optimum = longest_by_sets(&small, ends);
        let options = Options { without, known_optimum: optimum, ..Options::default() };
        let answer = ask(&small.to_graph(), small.directed, ends, &options).expect("a question that can be asked");
        answer.assert_honest(optimum, optimum);
        assert_eq!((answer.length(), answer.upper_bound()), (optimum, optimum));
    });
}

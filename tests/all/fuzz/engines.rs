//! Every engine on at most ten nodes, under random ends, weights and options, against dynamic programming over sets.

use longhaul::{Engine, Reduction};
use proptest::prelude::*;

use super::{ends, ends_among, fuzz, graphs, longest_by_sets};
use crate::support::ask::{Options, ask, is_exact};

/// Weights as people have them, and at the border of what is exact for ten nodes.
pub(super) fn weights() -> impl Strategy<Value = i64> + Clone {
    const MOST: i64 = (1 << 60) / 10;
    prop_oneof![
        4 => Just(1),
        4 => -3i64..10,
        1 => Just(0),
        1 => prop::sample::select(vec![MOST, -MOST, MOST - 1, 1 << 53, -(1 << 53), (1 << 53) + 1]),
    ]
}

pub(super) fn reductions() -> impl Strategy<Value = Vec<Reduction>> {
    prop::sample::subsequence(Reduction::ALL.to_vec(), 0..=Reduction::ALL.len())
}

fn options() -> impl Strategy<Value = Options> {
    let engines: Vec<Engine> = Engine::ALL.iter().map(|&(_, engine)| engine).collect();
    let engine = prop_oneof![1 => Just(Engine::Auto), 2 => prop::sample::select(engines)];
    (engine, reductions(), 1usize..=2, any::<u64>(), prop_oneof![4 => Just(0u64), 1 => 0u64..4]).prop_map(
        |(engine, without, threads, seed, gap)| Options {
            engine,
            without: if engine == Engine::Auto { without } else { Vec::new() },
            threads: Some(threads),
            seed,
            gap,
            ..Options::default()
        },
    )
}

#[test]
fn engines_answer_as_brute_force_does() {
    fuzz(400, &(graphs(9, 20, weights()), ends(), options()), |(small, ends, options)| {
        let ends = ends_among(ends, small.nodes);
        let optimum = longest_by_sets(&small, ends);
        let known = Options { known_optimum: optimum, ..options.clone() };
        // What an engine cannot be asked is refused in words.
        let answer = match ask(&small.to_graph(), small.directed, ends, &known) {
            Ok(answer) => answer,
            Err(error) => {
                assert!(options.engine != Engine::Auto, "auto refuses nothing: {error}");
                return assert!(!error.to_string().is_empty());
            }
        };
        answer.assert_honest(optimum, optimum);
        if is_exact(options.engine, ends) && options.gap == 0 {
            assert_eq!((answer.length(), answer.upper_bound()), (optimum, optimum));
        }
    });
}

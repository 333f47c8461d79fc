//! Chains as columns.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;

/// A few vertices, and between them chains of up to three more.
fn chains_between_few(directed: bool, rng: &mut Pcg64Mcg) -> CsrGraph {
    let few = rng.random_range(2..=4);
    let mut n = few;
    let mut edges = Vec::new();
    while n < 9 {
        let (one, two) = (rng.random_range(0..few), rng.random_range(0..few));
        let inside = rng.random_range(0..=3u32).min(9 - n);
        if one != two {
            let way: Vec<u32> = [one].into_iter().chain(n..n + inside).chain([two]).collect();
            edges.extend(way.windows(2).map(|pair| Edge { source: pair[0], target: pair[1], weight: 1 }));
            if directed && rng.random_ratio(2, 3) {
                let back = way.windows(2).map(|pair| Edge { source: pair[1], target: pair[0], weight: 1 });
                edges.extend(back.filter(|_| rng.random_ratio(9, 10)));
            }
            n += inside;
        }
    }
    CsrGraph::from_multigraph(9, directed, edges).0
}

/// Chains get columns where other ways to use them are worth no more, which is so often; no better path is lost by that, and all
/// rows hold for what columns stand for.
#[test]
fn chains_as_columns_lose_no_better_path() {
    let mut rng = Pcg64Mcg::seed_from_u64(21);
    let (mut folded, mut ending, mut of_columns, mut left_out) = ([0; 2], [0; 2], [0; 2], [0; 2]);
    for round in 0..rounds(300) {
        let directed = round % 2 == 1;
        let kind = usize::from(directed);
        for instance in instances(&chains_between_few(directed, &mut rng), &mut rng) {
            let optimum = enumerate(&instance).map_or(i64::MIN, |best| best.1);
            let plain = Model::new(&instance, None);
            let model = plain.clone().with_chains();
            let mut paths = all_paths(&instance);
            paths.retain(|path| columns_of(&plain, path).is_some());
            let told = |path: &&Vec<u32>| columns_of(&model, path).is_some();
            let watched = paths.iter().filter(|path| instance.value(path) == optimum).find(told).cloned();
            let best = paths.iter().map(|path| instance.value(path)).max();
            let best_told = paths.iter().filter(told).map(|path| instance.value(path)).max();
            assert_eq!(best_told, best, "{instance:?}");
            folded[kind] += usize::from(model.variables() > model.worth.len());
            ending[kind] += usize::from(!model.visited_by_several().is_empty());
            let gains: Vec<i128> = model.worth.iter().map(|_| rng.random_range(-9..9)).collect();
            let of_variables = model.gains_of_variables(&gains);
            for path in &paths {
                let (used, Some(columns)) = (columns_of(&plain, path).expect("it is one"), columns_of(&model, path))
                else {
                    continue;
                };
                let gain: i128 = columns.ones().map(|column| gains[column]).sum();
                assert!(
                    used.ones().map(|variable| of_variables[variable]).sum::<i128>() >= gain,
                    "{path:?} {instance:?}"
                );
            }

            for without in WITHOUT.into_iter().filter(|_| round % 30 < 2) {
                let settings =
                    Settings { without: without.to_vec(), watched: watched.clone(), root_only: false, side: None };
                let mut search = Search::<Simplex>::with(settings, &instance, None, i64::MIN, i64::MAX);
                let outcome = search.run(u64::MAX, &Budget::unlimited(), &mut Witness { optimum });
                check(&instance, &outcome, i64::MIN, optimum);
                let Some(tree) = &search.tree else { continue };
                for path in &paths {
                    let Some(used) = columns_of(&tree.formulation.model, path) else {
                        left_out[kind] += 1;
                        continue;
                    };
                    of_columns[kind] += 1;
                    let worth: i64 = used.ones().map(|column| tree.formulation.model.worth[column]).sum();
                    assert_eq!(worth, instance.value(path), "{path:?} in {instance:?}");
                    for row in tree.relaxation.known_rows() {
                        assert!(obeys(&used, row), "{path:?} does not obey {row:?} in {instance:?}");
                    }
                }
            }
        }
    }
    for (kind, name) in ["edges", "arcs"].into_iter().enumerate() {
        let [folded, ending, of_columns] = [folded, ending, of_columns].map(|counts| counts[kind]);
        assert!(folded > 500 && ending > 200, "{name}: {folded} with chains, {ending} that end in chains");
        assert!(of_columns > 1_000, "{name}: {of_columns} paths with columns");
    }
    // A digraph's chains leave out nothing.
    assert!(left_out[0] > 1_000 && left_out[1] == 0, "{left_out:?} paths without columns");
}

/// Round the chain 0, 3, 4, 5, 1 and back over 2 a path misses one edge. Where that is one inside, since it is light or since it costs
/// something to end elsewhere, the chain is none for the program.
#[test]
fn a_path_may_end_on_both_sides_of_an_edge_inside_a_chain() {
    let lines = [(0, 3), (3, 4), (4, 5), (5, 1), (1, 2), (2, 0), (0, 1)];
    for (weights, prize, is_folded) in [
        ([1, 1, 1, 1, 1, 1, 1], 0, true),
        ([1, 1, 1, 1, 1, 1, 1], -10, false),
        ([1, 1, 1, 1, 1, 1, 1], NOT_AN_END, false),
        ([9, 9, 1, 9, 9, 9, 1], 0, false),
        ([9, 9, 1, 1, 9, 9, 1], 0, true),
        ([9, 9, 1, 1, 9, 9, 1], -1, false),
        ([9, 9, 9, 9, 9, 9, -1], 0, true),
        ([9, -1, 9, 9, 9, 9, 1], 0, false),
    ] {
        let edges = lines.iter().zip(weights).map(|(&(source, target), weight)| Edge { source, target, weight });
        let prizes = vec![prize, prize, prize, 0, 0, 0];
        let ends = Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true };
        let instance = Instance { graph: CsrGraph::from_simple(6, false, edges.collect()), ends };
        let model = Model::new(&instance, None).with_chains();
        assert_eq!(model.visited_by_several().contains(&3), is_folded, "{weights:?} {prize}");
        let optimum = enumerate(&instance).expect("it has paths").1;
        let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut Witness { optimum });
        check(&instance, &outcome, i64::MIN, optimum);
    }
}

//! Whatever moves are made, a cover stays one; what is read off it is a path of the instance, and seldom a bad one.

use proptest::prelude::*;

use super::*;
use crate::engines::local_search::families::{self, below};
use crate::instance::brute_force::enumerate;
use crate::view::{CsrGraph, Edge};

const TEMPERATE: Schedule = Schedule { hot: 0.5, cold: 0.2, bias: 1.0, work: 20_000 };

fn never(_work: u64) -> bool {
    false
}

fn fixed(vertex_count: usize, vertex: u32) -> Vec<i64> {
    (0..vertex_count as u32).map(|other| if other == vertex { 0 } else { NOT_AN_END }).collect()
}

/// An instance of any kind that has covers, and a shape for it.
fn random_instance(seed: u64, vertex_count: usize) -> (Instance, Shape) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let n = vertex_count;
    let heaviest = [1, 9][below(&mut rng, 2)];
    let mut edges = Vec::new();
    for _ in 0..n + below(&mut rng, 2 * n) {
        let weight = 1 + below(&mut rng, heaviest) as i64;
        edges.push(Edge { source: below(&mut rng, n) as u32, target: below(&mut rng, n) as u32, weight });
    }
    let graph = CsrGraph::from_multigraph(n, false, edges).0;
    let (s, t) = (below(&mut rng, n / 2) as u32, (n / 2 + below(&mut rng, n - n / 2)) as u32);
    let open = |first, last| Ends::Open { first, last, single_vertex: true };
    let mut prizes = || (0..n).map(|_| below(&mut rng, 5) as i64 - 2).collect::<Vec<i64>>();
    let (ends, shape) = match seed % 6 {
        0 => (open(prizes(), prizes()), Shape::LOOSE),
        1 => (open(fixed(n, s), prizes()), Shape::anchored_at(s, Side::Front)),
        2 => (open(prizes(), fixed(n, t)), Shape::anchored_at(t, Side::Back)),
        3 => (open(fixed(n, s), fixed(n, t)), Shape::between(s, t)),
        4 => (Ends::Closed { through: None }, Shape::closed(None)),
        _ => (Ends::Closed { through: Some(s) }, Shape::closed(Some(s))),
    };
    (Instance { graph, ends }, shape)
}

fn cover_of(instance: &Instance, shape: Shape, seed: u64) -> Cover<'_> {
    assert!(Cover::fits(instance));
    let mut weights = instance.graph.edges().iter().map(|edge| edge.weight);
    let first = weights.next();
    let uniform = first.filter(|&first| weights.all(|weight| weight == first));
    let scale = uniform.map_or(4.0, |weight| weight as f64);
    Cover::new(instance, shape, uniform, scale, seed, &mut never)
}

/// Looks at everything that a cover knows of itself.
fn check(cover: &mut Cover<'_>) {
    let n = cover.end_place.len();
    for vertex in 0..cover.links.len() as u32 {
        cover.forest.splay(vertex);
        let mut beside = [Side::Front, Side::Back].map(|side| cover.forest.neighbour(vertex, side).unwrap_or(NOBODY));
        let mut links = cover.links[vertex as usize];
        beside.sort_unstable();
        links.sort_unstable();
        assert_eq!(beside, links, "at {vertex}");
        if (vertex as usize) < n {
            assert_eq!(cover.is_end(vertex), links.contains(&NOBODY));
        }
        for link in links {
            if (link.max(vertex) as usize) < n {
                assert!(cover.instance.graph.edge_between(vertex, link).is_some());
            }
        }
    }
    for (place, &end) in cover.ends.iter().enumerate() {
        assert_eq!(cover.end_place[end as usize] as usize, place);
    }
    let links = cover.links.iter().flatten().filter(|&&link| link != NOBODY).count() / 2;
    assert_eq!(cover.paths, cover.links.len() - links);
    assert!(cover.paths > 0);
}

/// Whether what is read off a cover is a path of the instance and of the shape; returns its value.
fn value_of(instance: &Instance, shape: Shape, path: &[u32]) -> i64 {
    let mut sorted = path.to_vec();
    sorted.sort_unstable();
    assert!(sorted.windows(2).all(|pair| pair[0] < pair[1]), "{path:?}");
    let (front, back) = (path[0], path[path.len() - 1]);
    match shape {
        Shape { bridge: Some((last, first)), .. } => assert_eq!((front, back), (first, last)),
        Shape { anchored: [true, _], through: Some(first), .. } => assert_eq!(front, first),
        Shape { anchored: [_, true], through: Some(last), .. } => assert_eq!(back, last),
        Shape { closing: true, through, .. } => {
            assert!(path.len() > 2 && through.is_none_or(|vertex| path.contains(&vertex)));
        }
        _ => (),
    }
    instance.value(path)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn moves_keep_everything_in_order(seed: u64, size in 4usize..20) {
        let (instance, shape) = random_instance(seed, size);
        let mut cover = cover_of(&instance, shape, seed);
        check(&mut cover);
        for turn in 0..200 {
            cover.temperature = 0.5;
            cover.cut_odds = 0.2;
            cover.bias = f64::from(turn % 3) / size as f64;
            cover.take_turn();
            check(&mut cover);
        }
    }

    #[test]
    fn no_path_is_better_than_the_best(seed: u64, size in 4usize..9) {
        let (instance, shape) = random_instance(seed, size);
        let mut cover = cover_of(&instance, shape, seed);
        cover.anneal(TEMPERATE, &mut never);
        if let Some(path) = cover.best_path() {
            let optimum = enumerate(&instance).map(|best| best.1);
            prop_assert!(Some(value_of(&instance, shape, &path)) <= optimum);
        }
    }
}

#[test]
fn small_graphs_that_have_hamiltonian_paths_are_covered_by_one() {
    let (mut all, mut missed) = (0, 0);
    for seed in 0..600 {
        let (mut instance, shape) = random_instance(seed, 8);
        let graph = &instance.graph;
        let edges = graph.edges().iter().map(|&edge| Edge { weight: 1, ..edge }).collect();
        instance.graph = CsrGraph::from_simple(8, false, edges);
        if let Ends::Open { first, last, .. } = &mut instance.ends {
            for prize in first.iter_mut().chain(last).filter(|prize| **prize != NOT_AN_END) {
                *prize = 0;
            }
        }
        if enumerate(&instance).is_none_or(|(path, _)| path.len() < 8) {
            continue;
        }
        all += 1;
        let mut cover = cover_of(&instance, shape, seed);
        cover.anneal(TEMPERATE, &mut never);
        missed += usize::from(cover.best_path().is_none_or(|path| path.len() < 8));
    }
    assert!(all > 100, "{all}");
    assert!(missed * 50 <= all, "{missed} of {all}");
}

#[test]
fn sparse_hamiltonian_graphs_are_covered_by_one_path_at_once() {
    for seed in 0..3 {
        let n = 2_000;
        let cubic = families::regular(n, 3, seed);
        let (s, t) = (0, n as u32 - 1);
        let open = |first, last| Ends::Open { first, last, single_vertex: true };
        let kinds = [
            (open(vec![0; n], vec![0; n]), Shape::LOOSE),
            (open(fixed(n, s), vec![0; n]), Shape::anchored_at(s, Side::Front)),
            (open(fixed(n, s), fixed(n, t)), Shape::between(s, t)),
            (Ends::Closed { through: None }, Shape::closed(None)),
        ];
        for (ends, shape) in kinds {
            let instance = Instance { graph: cubic.clone(), ends };
            let mut cover = cover_of(&instance, shape, seed);
            cover.anneal(Schedule { work: 20_000_000, ..TEMPERATE }, &mut never);
            assert!(cover.is_whole(), "{shape:?}");
            let path = cover.best_path().expect("a whole cover is a path");
            value_of(&instance, shape, &path);
            assert_eq!(path.len(), n);
        }
    }
}

#[test]
fn limits_are_asked_for_often() {
    let instance = Instance::free(families::regular(30_000, 3, 1));
    let mut last = 0;
    let mut longest = 0;
    let mut is_over = |work: u64| {
        longest = longest.max(work - last);
        last = work;
        work > 3_000_000
    };
    let mut cover = Cover::new(&instance, Shape::LOOSE, Some(1), 1.0, 1, &mut is_over);
    cover.anneal(Schedule { work: u64::MAX, ..TEMPERATE }, &mut is_over);
    assert!(cover.work() < 4_000_000);
    assert!(longest < 500_000, "{longest}");
}

#[test]
fn what_has_no_covers_is_told_apart() {
    let edge = |weight| Edge { source: 0, target: 1, weight };
    let fits = |graph, ends| Cover::fits(&Instance { graph, ends });
    let closed = || Ends::Closed { through: None };
    assert!(fits(CsrGraph::from_simple(4, false, vec![edge(1)]), closed()));
    assert!(!fits(CsrGraph::from_simple(4, true, vec![edge(1)]), closed()));
    assert!(!fits(CsrGraph::from_simple(4, false, vec![edge(0)]), closed()));
    let some = vec![0, NOT_AN_END, 0, NOT_AN_END];
    let ends = Ends::Open { first: some.clone(), last: some, single_vertex: true };
    assert!(!fits(CsrGraph::from_simple(4, false, vec![edge(1)]), ends));
}

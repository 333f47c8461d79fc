//! Graphs of which something is known.

use super::*;

/// A ring of rungs: wide enough for fractional solutions, small enough to know the answer.
fn circulant(n: u32, steps: &[u32]) -> CsrGraph {
    let edges =
        (0..n).flat_map(|v| steps.iter().map(move |step| Edge { source: v, target: (v + step) % n, weight: 1 }));
    CsrGraph::from_multigraph(n as usize, false, edges.collect()).0
}

#[test]
fn a_graph_with_hamiltonian_paths() {
    let instance = Instance::free(circulant(40, &[1, 7]));
    let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut Witness { optimum: 39 });
    check(&instance, &outcome, i64::MIN, 39);
    // A path to begin with, worse than the floor.
    let outcome =
        Search::new(&instance, Some(&[0, 1]), 38, 39).run(u64::MAX, &Budget::unlimited(), &mut Witness { optimum: 39 });
    check(&instance, &outcome, 38, 39);
    let closed = Instance { ends: Ends::Closed { through: None }, ..instance };
    let outcome = solve(&closed, i64::MIN, &Budget::unlimited(), &mut Witness { optimum: 40 });
    check(&closed, &outcome, i64::MIN, 40);
}

/// Two of the three ears of a path that hangs on hubs: K(2, 9) with its rays doubled.
#[test]
fn many_vertices_must_be_missed() {
    let edges = (0..9).flat_map(|ray| {
        let (one, two) = (2 + 2 * ray, 3 + 2 * ray);
        [(0, one), (one, two), (two, 1)].map(|(source, target)| Edge { source, target, weight: 1 })
    });
    let instance = Instance::free(CsrGraph::from_simple(20, false, edges.collect()));
    // Into a ray from its end, through both hubs, with one whole ray between, and out into another.
    let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut Witness { optimum: 7 });
    check(&instance, &outcome, i64::MIN, 7);
}

#[test]
fn huge_weights_stay_exact() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    for _ in 0..rounds(16) {
        let mask = rng.random_range(0..1u64 << 21);
        let graph = drawn(7, false, mask);
        let huge = 1i64 << 52;
        let edges =
            graph.edges().iter().map(|edge| Edge { weight: huge + rng.random_range(-3..=3), ..*edge }).collect();
        let instance = Instance::free(CsrGraph::from_simple(7, false, edges));
        let optimum = enumerate(&instance).expect("a vertex is a path").1;
        let mut witness = Witness { optimum };
        let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut witness);
        check(&instance, &outcome, i64::MIN, optimum);
    }
}

/// Paths of as many edges differ so little that the best one is close to the bound: then other nodes are the next ones, and those
/// whose bound is the next better value come last, where the best path may be.
#[test]
fn close_values_are_told_apart() {
    let mut rng = Pcg64Mcg::seed_from_u64(19);
    for round in 0..rounds(60) {
        let (n, directed) = (7 + (round % 2) as u32, round % 3 == 0);
        let graph = drawn(n, directed, rng.random::<u64>() | rng.random::<u64>());
        let weight = |rng: &mut Pcg64Mcg| 3_000 + rng.random_range(0..=9);
        let edges = graph.edges().iter().map(|edge| Edge { weight: weight(&mut rng), ..*edge }).collect();
        let graph = CsrGraph::from_simple(n as usize, directed, edges);
        let cycles = Instance { graph: graph.clone(), ends: Ends::Closed { through: Some(0) } };
        for instance in [Instance::free(graph), cycles] {
            let Some((path, optimum)) = enumerate(&instance) else { continue };
            for (floor, without) in (1..4).flat_map(|less| WITHOUT.map(|without| (optimum - less, without))) {
                let (without, watched) = (without.to_vec(), Some(path.clone()));
                let settings = Settings { without, watched, root_only: false, side: None };
                let mut search = Search::<Simplex>::with(settings, &instance, None, floor, i64::MAX);
                let outcome = search.run(u64::MAX, &Budget::unlimited(), &mut Witness { optimum });
                check(&instance, &outcome, floor, optimum);
            }
        }
    }
}

/// Edges along a chain of vertices of degree two are kin, and so is what those visit; fixing others makes more of them.
#[test]
fn edges_that_go_together_are_kin() {
    let line = |source, target| Edge { source, target, weight: 1 };
    let lines = vec![line(0, 1), line(1, 2), line(2, 3), line(3, 0), line(0, 2)];
    for directed in [false, true] {
        let instance = Instance::free(CsrGraph::from_simple(4, directed, lines.clone()));
        let settings = Settings { without: vec![Family::Chains], ..Settings::default() };
        let mut search = Search::<Simplex>::with(settings, &instance, None, i64::MIN, i64::MAX);
        search.begin(&Budget::unlimited()).expect("there is no limit");
        let tree = search.tree.as_ref().expect("it has begun");
        let edge = |source, target| instance.graph.edge_between(source, target).expect("an edge") as usize;
        let along = [edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 0), edge(0, 2)];
        let kin = tree.formulation.kin(&tree.ranges);
        assert_eq!(kin[along[0]], kin[along[1]]);
        assert_eq!(kin[along[2]], kin[along[3]]);
        assert_eq!(kin[along[0]], kin[tree.formulation.model.visit(1) as usize]);
        let mut without = tree.ranges.clone();
        without[along[4]] = Range::Zero;
        let all = tree.formulation.kin(&without);
        assert!(along[..4].iter().all(|&edge| all[edge] == all[along[0]]));
        if !directed {
            assert_ne!(kin[along[0]], kin[along[2]]);
            assert_ne!(kin[along[0]], kin[along[4]]);
        }
    }
}

#[test]
fn limits_end_it_with_a_bound() {
    let instance = Instance::free(circulant(60, &[1, 9, 17]));
    let mut spent = Budget::unlimited();
    spent.deadline = Some(std::time::Instant::now());
    let outcome = solve(&instance, i64::MIN, &spent, &mut Witness { optimum: 59 });
    assert_eq!(outcome.stop, Some(Stop::TimeLimit));
    assert!(outcome.upper >= 59);
    let mut poor = Budget::unlimited();
    poor.memory = 1000;
    let outcome = solve(&instance, i64::MIN, &poor, &mut Witness { optimum: 59 });
    assert_eq!(outcome.stop, Some(Stop::MemoryLimit));
    assert!(outcome.upper >= 59 && outcome.peak_bytes <= 1000);
}

/// A cycle that may be anywhere is no harder to find than those through any of the vertices, of which there are many.
#[test]
fn a_cycle_anywhere_takes_no_more_work_than_some_through_a_vertex() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    let n = 24;
    let edges = (0..2 * n).map(|_| Edge {
        source: rng.random_range(0..n),
        target: rng.random_range(0..n),
        weight: rng.random_range(1..20),
    });
    let (graph, _) = CsrGraph::from_multigraph(n as usize, false, edges.collect());
    let through = |vertex| Instance { graph: graph.clone(), ends: Ends::Closed { through: vertex } };
    let settles = |instance: &Instance, work: u64| {
        let mut search = Search::new(instance, None, i64::MIN, i64::MAX);
        search.run(work, &Budget::unlimited(), &mut Silent).stop.is_none()
    };
    let enough = |work: &u64| (0..n).all(|vertex| settles(&through(Some(vertex)), *work));
    let work = (4..).map(|bit| 1 << bit).find(enough).expect("every vertex is settled in the end");
    assert!(settles(&through(None), 4 * work), "there is more to do than through any vertex");
    assert!(!settles(&through(None), 1), "a search that has next to no work pauses");
}

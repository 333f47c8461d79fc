//! Cubic graphs: what is one, the families, and Hamiltonian paths and cycles against enumeration and the frontier program.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use longhaul::adapters::cubic::{
    Cubic, Hamilton, NotCubic, Verdict, flower_snark, generalised_petersen, moebius_ladder, named, names, prism, random,
};
use longhaul::io::{GraphFile, ReadOptions, decode_graph6};
use longhaul::{Engine, LongestPath, Stop};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::stable_graph::StableUnGraph;
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

fn undirected(graph: &DiGraph<(), i64>) -> UnGraph<(), ()> {
    let mut plain = UnGraph::new_undirected();
    graph.node_indices().for_each(|_| _ = plain.add_node(()));
    graph.edge_references().for_each(|edge| _ = plain.add_edge(edge.source(), edge.target(), ()));
    plain
}

fn table(name: &str) -> Vec<UnGraph<(), ()>> {
    let rows = crate::corpus::table(&format!("cubic/{name}.tsv"));
    rows.iter().map(|row| undirected(&decode_graph6(&row["graph6"]).unwrap().0)).collect()
}

fn file(name: &str) -> UnGraph<(), ()> {
    undirected(&GraphFile::open(&crate::corpus::path(name), &ReadOptions::default()).unwrap().graph)
}

/// Hamiltonian paths by their ends, and cycles, by walking all paths; each counted once for a direction.
fn enumerate(graph: &UnGraph<(), ()>) -> (BTreeMap<(usize, usize), u128>, u128) {
    fn walk(
        graph: &UnGraph<(), ()>,
        path: &mut Vec<NodeIndex>,
        seen: &mut Vec<bool>,
        found: &mut impl FnMut(&[NodeIndex]),
    ) {
        if path.len() == graph.node_count() {
            return found(path);
        }
        for next in graph.neighbors(path[path.len() - 1]) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                path.push(next);
                walk(graph, path, seen, found);
                path.pop();
                seen[next.index()] = false;
            }
        }
    }
    let (mut paths, mut closed) = (BTreeMap::new(), 0);
    for start in graph.node_indices() {
        let mut seen = vec![false; graph.node_count()];
        seen[start.index()] = true;
        walk(graph, &mut vec![start], &mut seen, &mut |path| {
            let last = path[path.len() - 1];
            *paths.entry((start.index(), last.index())).or_default() += 1;
            closed += u128::from(graph.contains_edge(start, last));
        });
    }
    // From each node and in both directions.
    (paths, closed / (2 * graph.node_count() as u128))
}

#[test]
fn the_tables_hold_as_many_graphs_as_there_are() {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for graph in ["connected_up_to_12", "connected_n14", "connected_n16"].iter().flat_map(|name| table(name)) {
        assert_eq!(Cubic::new(&graph).unwrap().node_count(), graph.node_count());
        assert_eq!(petgraph::algo::connected_components(&graph), 1);
        *counts.entry(graph.node_count()).or_default() += 1;
    }
    // OEIS A002851.
    assert_eq!(Vec::from_iter(counts), [(4, 1), (6, 2), (8, 5), (10, 19), (12, 85), (14, 509), (16, 4060)]);
}

#[test]
fn small_graphs_answer_as_enumeration_does() {
    for graph in table("connected_up_to_12") {
        let cubic = Cubic::new(&graph).unwrap();
        let (paths, cycles) = enumerate(&graph);
        assert_eq!(Hamilton::of(&cubic).count_cycles(), Ok(cycles));
        assert_eq!(Hamilton::of(&cubic).cycle() == Verdict::Impossible, cycles == 0);
        assert_eq!(Hamilton::of(&cubic).path() == Verdict::Impossible, paths.is_empty());
        for from in graph.node_indices() {
            let begins = paths.keys().any(|&(first, _)| first == from.index());
            assert_eq!(Hamilton::of(&cubic).from(from).path() == Verdict::Impossible, !begins);
            assert_eq!(Hamilton::of(&cubic).to(from).path() == Verdict::Impossible, !begins);
            for to in graph.node_indices() {
                let answer = Hamilton::of(&cubic).from(from).to(to).path();
                assert_eq!(answer == Verdict::Impossible, !paths.contains_key(&(from.index(), to.index())));
            }
        }
    }
}

#[test]
fn a_node_left_out_is_as_if_it_were_not_there() {
    for graph in table("connected_up_to_12").iter().take(27) {
        let cubic = Cubic::new(graph).unwrap();
        for without in graph.node_indices() {
            let mut rest = graph.clone();
            rest.remove_node(without);
            let (paths, cycles) = enumerate(&rest);
            assert_eq!(Hamilton::of(&cubic).without(without).count_cycles(), Ok(cycles));
            assert_eq!(Hamilton::of(&cubic).without(without).cycle() == Verdict::Impossible, cycles == 0);
            assert_eq!(Hamilton::of(&cubic).without(without).path() == Verdict::Impossible, paths.is_empty());
            assert_eq!(Hamilton::of(&cubic).without(without).from(without).path(), Verdict::Impossible);
        }
    }
}

#[test]
fn all_up_to_sixteen_nodes_agree_with_the_frontier_program() {
    let longest = |question: LongestPath<'_, &UnGraph<(), ()>>| {
        let answer = question.engine(Engine::Frontier).solve().unwrap();
        assert!(answer.stop() == Stop::Finished);
        answer.length()
    };
    let (mut without_cycle, mut without_path) = (0, 0);
    for graph in ["connected_up_to_12", "connected_n14", "connected_n16"].iter().flat_map(|name| table(name)) {
        let cubic = Cubic::new(&graph).unwrap();
        let n = graph.node_count() as i64;
        let cycle = Hamilton::of(&cubic).cycle();
        assert_eq!(cycle != Verdict::Impossible, longest(LongestPath::new(&graph).closed()) == Some(n));
        let path = Hamilton::of(&cubic).path();
        assert_eq!(path != Verdict::Impossible, longest(LongestPath::new(&graph)) == Some(n - 1));
        without_cycle += usize::from(cycle == Verdict::Impossible);
        without_path += usize::from(path == Verdict::Impossible);
    }
    // 0, 0, 0, 2, 5, 35 and 219 by numbers of nodes: OEIS A164919; one has no path.
    assert_eq!((without_cycle, without_path), (261, 1));
}

#[test]
fn known_graphs_have_their_known_numbers_of_cycles() {
    let known = [
        ("petersen", 0),
        ("cube", 6),
        ("moebius-kantor", 6),
        ("heawood", 24),
        ("desargues", 24),
        ("dodecahedron", 30),
        ("pappus", 36),
        ("tutte-coxeter", 144),
    ];
    for (name, cycles) in known {
        let graph = named(name).unwrap();
        assert_eq!(Hamilton::of(&Cubic::new(&graph).unwrap()).count_cycles(), Ok(cycles), "{name}");
        assert_eq!(enumerate(&graph).1, cycles, "{name}");
    }
}

/// The length of a shortest cycle.
fn girth(graph: &UnGraph<(), ()>) -> usize {
    let without = |edge: petgraph::graph::EdgeIndex| {
        let mut rest = graph.clone();
        let (from, to) = graph.edge_endpoints(edge).unwrap();
        rest.remove_edge(edge);
        petgraph::algo::dijkstra(&rest, from, Some(to), |_| 1usize).get(&to).map(|steps| steps + 1)
    };
    graph.edge_indices().filter_map(without).min().unwrap()
}

#[test]
fn named_graphs_are_what_their_names_say() {
    let known = [
        ("tetrahedron", 4, 3),
        ("utility", 6, 4),
        ("cube", 8, 4),
        ("wagner", 8, 4),
        ("petersen", 10, 5),
        ("bidiakis-cube", 12, 4),
        ("duerer", 12, 3),
        ("franklin", 12, 4),
        ("frucht", 12, 3),
        ("tietze", 12, 3),
        ("truncated-tetrahedron", 12, 3),
        ("heawood", 14, 6),
        ("moebius-kantor", 16, 6),
        ("three-bridges", 16, 3),
        ("pappus", 18, 6),
        ("desargues", 20, 6),
        ("dodecahedron", 20, 5),
        ("mcgee", 24, 7),
        ("nauru", 24, 6),
        ("coxeter", 28, 7),
        ("tutte-coxeter", 30, 8),
        ("dyck", 32, 6),
        ("gray", 54, 8),
        ("foster", 90, 10),
        ("tutte-12-cage", 126, 12),
    ];
    assert!(names().eq(known.map(|(name, ..)| name)));
    for (name, nodes, shortest) in known {
        let graph = named(name).unwrap();
        let cubic = Cubic::new(&graph).unwrap();
        assert_eq!((cubic.node_count(), girth(&graph)), (nodes, shortest), "{name}");
        assert_eq!(petgraph::algo::connected_components(&graph), 1);
        let closed = !["petersen", "tietze", "three-bridges", "coxeter"].contains(&name);
        assert_eq!(Hamilton::of(&cubic).cycle() != Verdict::Impossible, closed, "{name}");
        assert_eq!(Hamilton::of(&cubic).path() != Verdict::Impossible, name != "three-bridges", "{name}");
    }
    assert!(named("icosahedron").unwrap_err().to_string().contains("the named ones are tetrahedron, utility"));
    let sixteen = file("cubic_nontraceable/c16_00.gr");
    assert!(petgraph::algo::is_isomorphic(&sixteen, &named("three-bridges").unwrap()));
    assert!(petgraph::algo::is_isomorphic(&file("named/FlowerSnark.gr"), &flower_snark(5).unwrap()));
    assert!(petgraph::algo::is_isomorphic(&file("named/TietzeGraph.gr"), &flower_snark(3).unwrap()));
    assert!(petgraph::algo::is_isomorphic(&named("nauru").unwrap(), &generalised_petersen(12, 5).unwrap()));
}

#[test]
fn snarks_and_their_like_are_settled() {
    let snarks = [
        "BlanusaFirstSnarkGraph",
        "CoxeterGraph",
        "DoubleStarSnark",
        "EllinghamHorton54Graph",
        "EllinghamHorton78Graph",
        "FlowerSnark",
        "HortonGraph",
        "SzekeresSnarkGraph",
        "TietzeGraph",
        "TutteGraph",
        "WatkinsSnarkGraph",
    ];
    for name in snarks {
        let graph = file(&format!("named/{name}.gr"));
        let cubic = Cubic::new(&graph).unwrap();
        assert_eq!(Hamilton::of(&cubic).cycle(), Verdict::Impossible, "{name}");
        assert!(matches!(Hamilton::of(&cubic).path(), Verdict::Found(_)), "{name}");
    }
    for name in ["c16_00", "c18_01", "c18_02"] {
        let graph = file(&format!("cubic_nontraceable/{name}.gr"));
        assert_eq!(Hamilton::of(&Cubic::new(&graph).unwrap()).path(), Verdict::Impossible, "{name}");
    }
}

/// No Hamiltonian cycle, but one without each node.
fn assert_hypohamiltonian(graph: &UnGraph<(), ()>) {
    let cubic = Cubic::new(graph).unwrap();
    assert_eq!(Hamilton::of(&cubic).cycle(), Verdict::Impossible);
    assert!(matches!(Hamilton::of(&cubic).path(), Verdict::Found(_)));
    // The families are symmetric under a turn: three orbits of nodes at most lie behind these.
    for node in graph.node_indices().step_by((graph.node_count() / 8).max(1)) {
        assert!(matches!(Hamilton::of(&cubic).without(node).cycle(), Verdict::Found(_)));
    }
}

#[test]
fn hypohamiltonian_families_up_to_two_hundred_nodes() {
    // G. N. Robertson, 1968: GP(n, 2) with n = 5 modulo 6; flower snarks: S. Fiorini, 1983.
    for n in (5..=95).step_by(6) {
        assert_hypohamiltonian(&generalised_petersen(n, 2).unwrap());
    }
    for n in (5..=49).step_by(2) {
        assert_hypohamiltonian(&flower_snark(n).unwrap());
    }
    for name in ["BlanusaFirstSnarkGraph", "CoxeterGraph", "DoubleStarSnark"] {
        assert_hypohamiltonian(&file(&format!("named/{name}.gr")));
    }
}

/// B. Alspach, *The classification of Hamiltonian generalized Petersen graphs*, Journal of Combinatorial Theory B 34, 1983.
#[test]
fn generalised_petersen_graphs_are_hamiltonian_where_they_should_be() {
    for n in 3..=30usize {
        for k in 1..n.div_ceil(2) {
            let graph = generalised_petersen(n, k).unwrap();
            let twice = |k: usize| 2 * k % n == 1 || 2 * k % n == n - 1;
            let exception = n % 6 == 5 && (k == 2 || twice(k));
            let cycle = Hamilton::of(&Cubic::new(&graph).unwrap()).cycle();
            assert_eq!(cycle == Verdict::Impossible, exception, "GP({n}, {k})");
        }
    }
}

#[test]
fn wide_graphs_are_settled_too() {
    for (seed, n) in [(1, 60), (2, 100), (3, 200), (4, 1000)] {
        let graph = random(n, &mut Pcg64Mcg::seed_from_u64(seed)).unwrap();
        let cubic = Cubic::new(&graph).unwrap();
        assert!(matches!(Hamilton::of(&cubic).cycle(), Verdict::Found(_)));
    }
    for (n, k) in [(100, 11), (100, 30), (100, 49), (97, 35)] {
        let graph = generalised_petersen(n, k).unwrap();
        assert!(matches!(Hamilton::of(&Cubic::new(&graph).unwrap()).path(), Verdict::Found(_)));
    }
}

/// Adds a random cubic graph on 80 nodes with an edge subdivided, and gives the node there, which lacks a neighbour.
fn add_part(graph: &mut UnGraph<(), ()>, rng: &mut Pcg64Mcg) -> NodeIndex {
    let part = random(80, rng).unwrap();
    let nodes: Vec<NodeIndex> = part.node_indices().map(|_| graph.add_node(())).collect();
    let middle = graph.add_node(());
    for edge in part.edge_references() {
        let [one, two] = [edge.source(), edge.target()].map(|node| nodes[node.index()]);
        if edge.id().index() == 0 {
            graph.add_edge(one, middle, ());
            graph.add_edge(middle, two, ());
        } else {
            graph.add_edge(one, two, ());
        }
    }
    middle
}

#[test]
fn bridges_decide_without_a_search() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    let mut star = UnGraph::new_undirected();
    let centre = star.add_node(());
    for _ in 0..3 {
        let middle = add_part(&mut star, &mut rng);
        star.add_edge(centre, middle, ());
    }
    let cubic = Cubic::new(&star).unwrap();
    assert_eq!(Hamilton::of(&cubic).path(), Verdict::Impossible);
    assert_eq!(Hamilton::of(&cubic).cycle(), Verdict::Impossible);
    // Two in a row have a path from one to the other.
    let mut row = UnGraph::new_undirected();
    let middles = [(); 2].map(|()| add_part(&mut row, &mut rng));
    row.add_edge(middles[0], middles[1], ());
    let cubic = Cubic::new(&row).unwrap();
    let path = Hamilton::of(&cubic).path().found().unwrap();
    assert!((path[0].index() < 81) != (path[161].index() < 81));
    assert_eq!(Hamilton::of(&cubic).from(0.into()).to(1.into()).path(), Verdict::Impossible);
    assert_eq!(Hamilton::of(&cubic).cycle(), Verdict::Impossible);
}

#[test]
fn families_are_cubic() {
    for n in 3..12usize {
        let ladder = prism(n).unwrap();
        assert_eq!(Cubic::new(&ladder).unwrap().node_count(), 2 * n);
        assert_eq!(Cubic::new(&flower_snark(n).unwrap()).unwrap().node_count(), 4 * n);
        let round = moebius_ladder(2 * n - 2).unwrap();
        assert_eq!(Cubic::new(&round).unwrap().node_count(), 2 * n - 2);
        assert!((1..n.div_ceil(2)).all(|k| Cubic::new(&generalised_petersen(n, k).unwrap()).is_ok()));
    }
    assert!(petgraph::algo::is_isomorphic(&prism(4).unwrap(), &named("cube").unwrap()));
    assert!(petgraph::algo::is_isomorphic(&moebius_ladder(8).unwrap(), &named("wagner").unwrap()));
    for (n, k) in [(2, 1), (4, 2), (5, 0), (5, 3)] {
        assert!(generalised_petersen(n, k).is_err());
    }
    assert!(prism(2).is_err() && flower_snark(2).is_err() && moebius_ladder(7).is_err() && moebius_ladder(2).is_err());
}

#[test]
fn random_graphs_are_cubic_and_of_every_kind() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    assert!(random(5, &mut rng).is_err() && random(2, &mut rng).is_err());
    // Labelled cubic graphs on six nodes: 10 of K(3,3) and 60 prisms.
    let (mut utility, trials) = (0, 7000);
    for _ in 0..trials {
        let graph = random(6, &mut rng).unwrap();
        assert!(Cubic::new(&graph).is_ok());
        utility += usize::from(girth(&graph) == 4);
    }
    assert!((800..1200).contains(&utility), "{utility} of {trials}");
}

#[test]
fn what_is_not_cubic_is_told() {
    let refused = |graph: &UnGraph<(), ()>| Cubic::new(graph).unwrap_err();
    let k4 = named("tetrahedron").unwrap();
    let directed = DiGraph::<(), ()>::from_edges([(0, 1)]);
    assert_eq!(Cubic::new(&directed).unwrap_err(), NotCubic::Directed);
    let mut looped = k4.clone();
    looped.add_edge(2.into(), 2.into(), ());
    assert_eq!(refused(&looped), NotCubic::SelfLoop(2));
    let doubled = UnGraph::from_edges([(0, 1), (0, 1), (0, 2), (1, 3), (2, 3), (2, 3)]);
    assert_eq!(refused(&doubled), NotCubic::Parallel(0, 1));
    let mut pendant = k4.clone();
    let leaf = pendant.add_node(());
    pendant.add_edge(3.into(), leaf, ());
    assert_eq!(refused(&pendant), NotCubic::Degree { node: 3, degree: 4 });
    assert_eq!(refused(&pendant).to_string(), "node 3 has 4 edges, and every node of a cubic graph has 3");
    let mut lonely = k4;
    lonely.add_node(());
    assert_eq!(refused(&lonely), NotCubic::Degree { node: 4, degree: 0 });
}

#[test]
fn parts_and_nothing_have_defined_answers() {
    let mut two = named("tetrahedron").unwrap();
    let offset = two.node_count() as u32;
    let second: Vec<_> = two.edge_references().map(|edge| (edge.source(), edge.target())).collect();
    (0..offset).for_each(|_| _ = two.add_node(()));
    for (one, other) in second {
        two.add_edge((one.index() as u32 + offset).into(), (other.index() as u32 + offset).into(), ());
    }
    let cubic = Cubic::new(&two).unwrap();
    assert_eq!(Hamilton::of(&cubic).cycle(), Verdict::Impossible);
    assert_eq!(Hamilton::of(&cubic).path(), Verdict::Impossible);
    assert_eq!(Hamilton::of(&cubic).from(0.into()).to(5.into()).path(), Verdict::Impossible);
    assert_eq!(Hamilton::of(&cubic).count_cycles(), Ok(0));

    let empty = UnGraph::<(), ()>::new_undirected();
    let cubic = Cubic::new(&empty).unwrap();
    assert_eq!(Hamilton::of(&cubic).cycle(), Verdict::Impossible);
    assert_eq!(Hamilton::of(&cubic).path(), Verdict::Impossible);
    assert_eq!(Hamilton::of(&cubic).count_cycles(), Ok(0));
}

#[test]
fn holes_and_adaptors_keep_the_callers_nodes() {
    let mut holed: StableUnGraph<(), ()> = StableUnGraph::default();
    let nodes: Vec<_> = (0..6).map(|_| holed.add_node(())).collect();
    holed.remove_node(nodes[0]);
    holed.remove_node(nodes[3]);
    let kept = [1, 2, 4, 5].map(|node| nodes[node]);
    for one in 0..4 {
        for two in 0..one {
            holed.add_edge(kept[one], kept[two], ());
        }
    }
    let cubic = Cubic::new(&holed).unwrap();
    let path = Hamilton::of(&cubic).from(nodes[5]).to(nodes[1]).path().found().unwrap();
    assert_eq!((path[0], path[3]), (nodes[5], nodes[1]));
    let directed = DiGraph::<(), ()>::from_edges([(0, 1), (2, 0), (0, 3), (1, 2), (3, 1), (2, 3)]);
    assert_eq!(Hamilton::of(&Cubic::new(UndirectedAdaptor(&directed)).unwrap()).count_cycles(), Ok(3));
}

#[test]
fn limits_stop_the_search_or_change_nothing() {
    let graph = generalised_petersen(23, 2).unwrap();
    let cubic = Cubic::new(&graph).unwrap();
    let flag = Arc::new(AtomicBool::new(true));
    assert_eq!(Hamilton::of(&cubic).interrupt(flag.clone()).cycle(), Verdict::Open(Stop::Interrupted));
    assert_eq!(Hamilton::of(&cubic).interrupt(flag).path(), Verdict::Open(Stop::Interrupted));
    assert_eq!(Hamilton::of(&cubic).time_limit(Duration::ZERO).cycle(), Verdict::Open(Stop::TimeLimit));
    assert_eq!(Hamilton::of(&cubic).time_limit(Duration::ZERO).count_cycles(), Err(Stop::TimeLimit));
    for bytes in [0, 1000, 20_000] {
        let small = named("desargues").unwrap();
        assert_eq!(Hamilton::of(&Cubic::new(&small).unwrap()).table_limit(bytes).count_cycles(), Ok(24));
        let small = generalised_petersen(11, 2).unwrap();
        assert_eq!(Hamilton::of(&Cubic::new(&small).unwrap()).table_limit(bytes).cycle(), Verdict::Impossible);
    }
}

//! Cliques against brute force over all subsets, and with their limits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::adjacency::Adjacency;
use super::bits;
use super::dense::Dense;
use super::tree::{Node, Pool, Search, Shared};
use super::{CliqueEngine, MaximalCliques, MaximumClique};
use crate::certificate::check_colouring;
use crate::limits::Limits;
use crate::solution::{Status, Stop};
use crate::view::View;

/// A random graph in which this share of a hundred of all pairs is adjacent.
fn random_graph(n: usize, percent: u64, random: &mut Pcg64Mcg) -> UnGraph<i64, ()> {
    let mut graph = UnGraph::default();
    for _ in 0..n {
        graph.add_node(1);
    }
    for one in 0..n {
        for other in 0..one {
            if random.next_u64() % 100 < percent {
                graph.add_edge(NodeIndex::new(one), NodeIndex::new(other), ());
            }
        }
    }
    graph
}

/// Every clique as a set of bits, by brute force, in order of sets.
fn all_cliques(graph: &UnGraph<i64, ()>) -> Vec<u32> {
    let n = graph.node_count();
    let row = |node: usize| graph.neighbors(NodeIndex::new(node)).fold(0u32, |row, other| row | 1 << other.index());
    let rows: Vec<u32> = (0..n).map(row).collect();
    let is_clique = |set: &u32| (0..n).all(|node| set >> node & 1 == 0 || set & !rows[node] == 1 << node);
    (1..1u32 << n).filter(is_clique).collect()
}

fn weight_of(graph: &UnGraph<i64, ()>, set: u32) -> i64 {
    graph.node_indices().filter(|node| set >> node.index() & 1 == 1).map(|node| graph[node]).sum()
}

#[test]
fn the_heaviest_clique_of_small_random_graphs() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for round in 0..600u64 {
        let n = 1 + (random.next_u64() % 12) as usize;
        let mut graph = random_graph(n, random.next_u64() % 101, &mut random);
        let cliques = all_cliques(&graph);
        let largest = cliques.iter().map(|set| set.count_ones() as usize).max().unwrap();
        for engine in CliqueEngine::ALL.map(|(_, engine)| engine) {
            let answer = MaximumClique::new(&graph).engine(engine).threads(1 + round as usize % 2).solve().unwrap();
            assert_eq!((answer.size(), answer.status()), (Some(largest), Status::Optimal));
            if let Some(witness) = answer.witness() {
                assert_eq!(check_colouring(&graph, |_| 1, witness), Ok(largest as i64));
            }
        }
        // Some weigh nothing, or less.
        graph.node_weights_mut().for_each(|weight| *weight = (random.next_u64() % 30) as i64 - 5);
        let heaviest = cliques.iter().map(|&set| weight_of(&graph, set)).max().unwrap();
        for engine in CliqueEngine::ALL.map(|(_, engine)| engine) {
            let ask = || MaximumClique::new(&graph).node_weights(|node| graph[node]).engine(engine);
            let answer = ask().solve().unwrap();
            assert_eq!((answer.weight(), answer.upper_bound()), (Some(heaviest), Some(heaviest)));
            let answer = ask().lower_bound(heaviest).solve().unwrap();
            assert_eq!((answer.weight(), answer.status()), (Some(heaviest), Status::Optimal));
            let answer = ask().lower_bound(heaviest + 1).solve().unwrap();
            assert_eq!((answer.weight(), answer.upper_bound(), answer.status()), (None, None, Status::Infeasible));
        }
    }
}

/// Denser and larger than brute force allows, where every step of the bound is at work.
#[test]
fn the_engines_agree_on_graphs_of_thirty_nodes() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for round in 0..150 {
        let mut graph = random_graph(30, 40 + round % 45, &mut random);
        if round % 2 == 1 {
            graph.node_weights_mut().for_each(|weight| *weight = 1 + (random.next_u64() % 9) as i64);
        }
        let ask = |engine| {
            MaximumClique::new(&graph).node_weights(|node| graph[node]).engine(engine).threads(2).solve().unwrap()
        };
        let [one, other] = CliqueEngine::ALL.map(|(_, engine)| ask(engine).weight());
        assert_eq!(one, other);
    }
}

#[test]
fn maximal_cliques_are_those_of_brute_force() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for _ in 0..400 {
        let n = (random.next_u64() % 12) as usize;
        let graph = random_graph(n, random.next_u64() % 101, &mut random);
        let cliques = all_cliques(&graph);
        let is_maximal = |set: &u32| !cliques.iter().any(|larger| larger != set && larger & set == *set);
        let expected: Vec<u32> = cliques.iter().copied().filter(is_maximal).collect();
        let as_set = |clique: Vec<NodeIndex>| clique.iter().fold(0u32, |set, node| set | 1 << node.index());
        let mut found: Vec<u32> = MaximalCliques::new(&graph).unwrap().map(as_set).collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }
}

/// A sparse graph that is searched by later neighbourhoods, with a clique hidden among nodes of low degree.
#[test]
fn a_clique_hidden_in_a_large_sparse_graph() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let n = 3000u64;
    let mut edges: Vec<(u32, u32)> =
        (0..12 * n).map(|_| ((random.next_u64() % n) as u32, (random.next_u64() % n) as u32)).collect();
    let hidden: Vec<u32> = (0..9).map(|at| at * 301 + 7).collect();
    edges.extend(hidden.iter().flat_map(|&one| hidden.iter().map(move |&other| (one, other))));
    let graph = UnGraph::<(), ()>::from_edges(&edges);
    let by_force = MaximalCliques::new(&graph).unwrap();
    let heaviest = by_force.map(|clique| clique.iter().map(|node| 1 + node.index() as i64 % 3).sum::<i64>()).max();
    for threads in [1, 2] {
        let answer = MaximumClique::new(&graph).threads(threads).solve().unwrap();
        let mut nodes: Vec<u32> = answer.nodes().unwrap().iter().map(|node| node.index() as u32).collect();
        nodes.sort_unstable();
        assert_eq!((nodes, answer.status()), (hidden.clone(), Status::Optimal));
        let weighted = MaximumClique::new(&graph).node_weights(|node| 1 + node.index() as i64 % 3).threads(threads);
        assert_eq!(weighted.solve().unwrap().weight(), heaviest);
    }
}

#[test]
fn directions_loops_and_copies_of_edges_do_not_matter() {
    let graph = DiGraph::<(), ()>::from_edges([(0, 1), (2, 1), (0, 2), (2, 0), (0, 0), (0, 1), (3, 3)]);
    assert_eq!(MaximumClique::new(&graph).solve().unwrap().size(), Some(3));
    assert_eq!(MaximalCliques::new(&graph).unwrap().count(), 2);
}

#[test]
fn corner_cases() {
    let empty = UnGraph::<(), ()>::default();
    assert_eq!(MaximumClique::new(&empty).solve().unwrap().status(), Status::Infeasible);
    assert_eq!(MaximalCliques::new(&empty).unwrap().count(), 0);
    let mut lonely = UnGraph::<i64, ()>::default();
    lonely.add_node(-3);
    lonely.add_node(-2);
    let answer = MaximumClique::new(&lonely).node_weights(|node| lonely[node]).solve().unwrap();
    assert_eq!((answer.weight(), answer.status()), (Some(-2), Status::Optimal));
    let answer = MaximumClique::new(&lonely).node_weights(|node| lonely[node]).lower_bound(0).solve().unwrap();
    assert_eq!(answer.status(), Status::Infeasible);
    assert_eq!(MaximumClique::new(&lonely).solve().unwrap().size(), Some(1));
    assert!(MaximumClique::new(&lonely).threads(0).solve().unwrap_err().to_string().contains("thread"));
    assert!(MaximumClique::new(&lonely).node_weights(|_| i64::MAX).solve().unwrap_err().to_string().contains("2^60"));
}

#[test]
fn spent_limits_are_answers() {
    let graph = random_graph(400, 90, &mut Pcg64Mcg::seed_from_u64(5));
    for threads in [1, 2] {
        let began = Instant::now();
        let answer =
            MaximumClique::new(&graph).threads(threads).time_limit(Duration::from_millis(200)).solve().unwrap();
        assert_eq!((answer.stop(), answer.status()), (Stop::TimeLimit, Status::Feasible));
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        assert!(answer.upper_bound().unwrap() > answer.weight().unwrap());
    }
    let raised = Arc::new(AtomicBool::new(true));
    let answer = MaximumClique::new(&graph).interrupt(raised).solve().unwrap();
    assert_eq!(answer.stop(), Stop::Interrupted);
    assert!(answer.upper_bound() >= answer.weight());
    let answer = MaximumClique::new(&graph).memory_limit(1000).solve().unwrap();
    assert_eq!(answer.stop(), Stop::MemoryLimit);
    assert!(answer.size().is_some() && answer.upper_bound() >= answer.weight());
}

/// Whoever listens is called on one thread; the others are waiting for a node or in the middle of one.
#[test]
fn a_listener_that_panics_ends_all_threads() {
    let graph = random_graph(300, 90, &mut Pcg64Mcg::seed_from_u64(7));
    let view = View::new(&graph, |_| 1).unwrap();
    let adjacency = Adjacency::new(view.graph(), &mut || false).unwrap();
    let all: Vec<u32> = (0..300).collect();
    let dense = Dense::induced(&adjacency, &[], &all, &mut vec![u32::MAX; 300]);
    for calls in [1, 3] {
        let shared = Shared::new(Limits::default().start(), 0, i64::MAX);
        let mut candidates = vec![0; dense.words];
        bits::fill(&mut candidates, dense.len());
        let pool = Pool::new(Node { clique: Vec::new(), weight: 0, candidates });
        let mut heard = 0;
        let mut listen = || {
            heard += 1;
            assert!(heard < calls, "enough heard");
        };
        let listened = catch_unwind(AssertUnwindSafe(|| {
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| pool.work(&mut Search::new(&dense, &shared), &mut || ()));
                }
                pool.work(&mut Search::new(&dense, &shared), &mut listen);
            });
        }));
        assert!(listened.is_err() && shared.is_stopped());
    }
}

#[test]
fn improvements_are_told_in_order() {
    let graph = random_graph(120, 70, &mut Pcg64Mcg::seed_from_u64(6));
    let mut told = Vec::new();
    let answer =
        MaximumClique::new(&graph).threads(2).on_progress(|progress| told.push(progress.clone())).solve().unwrap();
    assert!(told.windows(2).all(|pair| pair[0].incumbent <= pair[1].incumbent));
    assert!(told.windows(2).all(|pair| pair[0].upper_bound >= pair[1].upper_bound));
    let last = told.last().unwrap();
    assert_eq!((last.incumbent, last.upper_bound), (answer.weight(), answer.upper_bound()));
}

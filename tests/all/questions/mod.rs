//! Prizes, musts, numbers of edges, induced paths, counts, lists and trails, against a brute force that knows only edges.

mod brute;
mod doors;
mod known_numbers;
mod shapes;
mod trails;
mod wide;

use std::collections::{BTreeMap, BTreeSet};

use longhaul::{BigUint, Engine, LongestPath, Status};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::UndirectedAdaptor;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use self::brute::{Told, Wishes, brute};
use crate::support::{Ends, Small, rounds};

const CYCLES: Ends = Ends { from: None, to: None, closed: true };

/// The question, and what it is asked: `asked!(graph, small, ends, wishes, question => …)`, for graphs of both kinds.
macro_rules! asked {
    ($graph:expr, $small:expr, $ends:expr, $wishes:expr, $question:ident => $answer:expr) => {{
        let (small, ends, wishes): (&Small, Ends, &Wishes) = ($small, $ends, $wishes);
        macro_rules! of {
            ($of:expr) => {{
                let node = |&at: &usize| NodeIndex::new(at);
                let edge = |&at: &usize| EdgeIndex::new(at);
                let mut $question = LongestPath::new($of)
                    .weights(|edge| *petgraph::visit::EdgeRef::weight(&edge))
                    .visit(wishes.visit.iter().map(node))
                    .avoid(wishes.avoid.iter().map(node))
                    .use_edges(wishes.use_edges.iter().map(edge))
                    .use_steps(wishes.use_steps.iter().map(|pair| pair.map(NodeIndex::new)))
                    .avoid_edges(wishes.avoid_edges.iter().map(edge));
                if let Some(prizes) = &wishes.prizes {
                    $question = $question.prizes(|node: NodeIndex| prizes[node.index()]);
                }
                if let Some(k) = wishes.at_least {
                    $question = $question.at_least(k);
                }
                if let Some(k) = wishes.at_most {
                    $question = $question.at_most(k);
                }
                if wishes.induced {
                    $question = $question.induced();
                }
                if let Some(from) = ends.from {
                    $question = $question.from(NodeIndex::new(from));
                }
                if let Some(to) = ends.to {
                    $question = $question.to(NodeIndex::new(to));
                }
                if ends.closed {
                    $question = $question.closed();
                }
                $answer
            }};
        }
        if small.directed { of!($graph) } else { of!(UndirectedAdaptor($graph)) }
    }};
}

use asked;

fn told(path: &longhaul::Path<NodeIndex, EdgeIndex>) -> Told {
    match path.edges() {
        [] => Told::Node(path.nodes()[0].index()),
        edges => Told::edges(edges.iter().map(|edge| edge.index())),
    }
}

fn check_solved(small: &Small, ends: Ends, wishes: &Wishes, engine: Engine) {
    let expected = brute(small, ends, wishes).into_values().max();
    let graph = small.to_graph();
    let solution = asked!(&graph, small, ends, wishes, question => {
        let question = match expected {
            Some(optimum) => question.known_optimum(optimum),
            None => question,
        };
        question.engine(engine).solve().unwrap()
    });
    let status = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!((solution.length(), solution.status()), (expected, status), "{small:?} {ends:?} {wishes:?} {engine}");
}

fn check_listed(small: &Small, ends: Ends, wishes: &Wishes) {
    let expected = brute(small, ends, wishes);
    let best = expected.values().copied().max();
    let graph = small.to_graph();
    let context = || format!("{small:?} {ends:?} {wishes:?}");

    let mut by_length: BTreeMap<i64, u32> = BTreeMap::new();
    expected.values().for_each(|&worth| *by_length.entry(worth).or_default() += 1);
    let by_length: Vec<(i64, BigUint)> = by_length.into_iter().map(|(length, count)| (length, count.into())).collect();
    let counts = asked!(&graph, small, ends, wishes, question => question.distribution().unwrap());
    assert_eq!(counts.by_length(), by_length, "{}", context());
    assert_eq!(counts.total(), expected.len().into());
    let counts = asked!(&graph, small, ends, wishes, question => question.count().unwrap());
    assert_eq!(counts.length(), best, "{}", context());
    let longest: BTreeSet<Told> =
        expected.iter().filter(|(_, worth)| Some(**worth) == best).map(|(told, _)| *told).collect();
    assert_eq!(counts.count(), Some(longest.len().into()), "{}", context());

    let all: Vec<Told> =
        asked!(&graph, small, ends, wishes, question => question.all().unwrap().map(|path| told(&path)).collect());
    assert_eq!(all.len(), longest.len(), "{}", context());
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), longest, "{}", context());
    let k = expected.len() / 2 + 1;
    let ranked: Vec<(Told, i64)> = asked!(&graph, small, ends, wishes, question => {
        question.best(k).unwrap().map(|path| (told(&path), path.length())).collect()
    });
    let mut worths: Vec<i64> = expected.values().copied().collect();
    worths.sort_unstable_by(|one, two| two.cmp(one));
    worths.truncate(k);
    assert_eq!(ranked.iter().map(|&(_, worth)| worth).collect::<Vec<_>>(), worths, "{}", context());
    assert!(ranked.iter().all(|(told, worth)| expected.get(told) == Some(worth)), "{}", context());
    assert_eq!(ranked.iter().map(|(told, _)| told).collect::<BTreeSet<_>>().len(), worths.len(), "{}", context());

    let sampled = asked!(&graph, small, ends, wishes, question => question.sample(7).unwrap());
    assert_eq!(sampled.length(), best, "{}", context());
}

/// Of the many graphs of these sizes every so manieth is looked at; all of them where `LONGHAUL_EVERY` is set.
fn share(nodes: usize, directed: bool) -> f64 {
    let is_full = std::env::var_os("LONGHAUL_EVERY").is_some();
    let share = if (nodes, directed) == (6, false) || (nodes, directed) == (4, true) { 1.0 / 40.0 } else { 1.0 };
    if is_full { 1.0 } else { share }
}

#[test]
fn demands_on_every_small_graph() {
    let mut rng = Pcg64Mcg::seed_from_u64(20);
    let sizes = [(2, false), (3, false), (4, false), (5, false), (6, false), (2, true), (3, true), (4, true)];
    for (nodes, directed) in sizes {
        for small in Small::every(nodes, directed) {
            if !rng.random_bool(share(nodes, directed)) {
                continue;
            }
            for ends in Ends::sample(&mut rng, nodes) {
                let mut wishes = Wishes::random(&mut rng, &small, ends);
                check_solved(&small, ends, &wishes, Engine::Auto);
                if nodes < 5 || rng.random_bool(0.1) {
                    check_listed(&small, ends, &wishes);
                }
                wishes.induced = true;
                check_solved(&small, ends, &wishes, Engine::Auto);
            }
        }
    }
}

#[test]
fn demands_on_random_multigraphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(21);
    let engines = [Engine::Backtracking, Engine::BranchAndBound, Engine::BranchAndCut, Engine::Frontier];
    for round in 0..rounds(400) {
        let nodes = rng.random_range(1..=7);
        let edges = rng.random_range(0..=11);
        let weights = if round % 3 == 0 { (1, 1) } else { (-4, 9) };
        let small = Small::random(&mut rng, nodes, edges, round % 2 == 0, weights);
        for ends in Ends::sample(&mut rng, nodes) {
            let mut wishes = Wishes::random(&mut rng, &small, ends);
            check_solved(&small, ends, &wishes, Engine::Auto);
            check_listed(&small, ends, &wishes);
            if wishes.at_least.is_none() && wishes.at_most.is_none() {
                check_solved(&small, ends, &wishes, engines[round % engines.len()]);
            }
            wishes.induced = true;
            check_solved(&small, ends, &wishes, Engine::Auto);
        }
    }
}

#[test]
fn counts_on_every_connected_graph_of_seven_nodes() {
    for name in ["connected_n5", "connected_n6", "connected_n7", "digraphs_n4"] {
        for (small, _) in crate::oracles::table(name) {
            let last = Some(small.nodes - 1);
            let fixed = Ends { from: Some(0), to: last, closed: false };
            for ends in [Ends::FREE, fixed, Ends { to: last, ..Ends::FREE }, CYCLES] {
                check_listed(&small, ends, &Wishes::default());
            }
        }
    }
}

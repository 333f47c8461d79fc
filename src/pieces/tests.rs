//! Pieces make up the whole: random graphs, cut into as many pieces as one can.

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::LongestPath;
use crate::engines::branch_and_cut as engine;

/// A problem of some vertices and edges, the answer to it, and the check of a path.
struct Asked {
    graph: DiGraph<(), i64>,
    directed: bool,
    claim: Claim<NodeIndex>,
}

impl Asked {
    fn random(seed: u64, nodes: std::ops::Range<usize>) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let n = rng.random_range(nodes);
        let mut graph = DiGraph::new();
        (0..n).for_each(|_| _ = graph.add_node(()));
        for _ in 0..rng.random_range(n..3 * n) {
            let [a, b] = [0; 2].map(|_| NodeIndex::new(rng.random_range(0..n)));
            graph.add_edge(a, b, rng.random_range(-2..8));
        }
        let mut end = || rng.random_bool(0.4).then(|| NodeIndex::new(rng.random_range(0..n)));
        let claim = Claim { from: end(), to: end(), closed: false };
        let claim = match seed % 4 {
            3 => Claim { from: Some(NodeIndex::new(0)), to: None, closed: true },
            _ => claim,
        };
        Asked { graph, directed: seed.is_multiple_of(2), claim }
    }

    fn problem(&self) -> Problem {
        let weight = |edge: petgraph::graph::EdgeReference<'_, i64>| *edge.weight();
        match self.directed {
            true => Problem::new(&self.graph, weight, &self.claim),
            false => Problem::new(UndirectedAdaptor(&self.graph), |edge| *edge.weight(), &self.claim),
        }
        .unwrap()
    }

    fn longest(&self) -> Option<i64> {
        fn solved<G: InputGraph>(question: LongestPath<'_, G>, claim: &Claim<G::NodeId>) -> Option<i64> {
            let question = if let Some(from) = claim.from { question.from(from) } else { question };
            let question = if let Some(to) = claim.to { question.to(to) } else { question };
            let question = if claim.closed { question.closed() } else { question };
            question.solve().unwrap().length()
        }
        match self.directed {
            true => solved(LongestPath::new(&self.graph).weights(|edge| *edge.weight()), &self.claim),
            false => {
                let undirected = UndirectedAdaptor(&self.graph);
                solved(LongestPath::new(undirected).weights(|edge| *edge.weight()), &self.claim)
            }
        }
    }
}

/// The best path of a single vertex, which pieces need not find.
fn lone(problem: &Problem) -> i64 {
    match &problem.instance.ends {
        crate::instance::Ends::Open { first, last, .. } => {
            let both = first.iter().zip(last).filter(|(first, last)| **first == 0 && **last == 0);
            both.map(|_| 0).max().unwrap_or(i64::MIN)
        }
        crate::instance::Ends::Closed { .. } => i64::MIN,
    }
}

#[test]
fn cases_done_bit_by_bit_settle_the_question() {
    let mut split = 0;
    for seed in 0..300 {
        // Only larger ones are more than their first program settles.
        let asked = Asked::random(seed, if seed < 250 { 3..14 } else { 60..90 });
        let problem = asked.problem();
        let mut floor = lone(&problem);
        let mut waiting = vec![problem.whole()];
        let mut learnt = Learnt::default();
        let mut work = seed % 50;
        let mut solver = problem.case_solver().unwrap();
        while let Some(case) = waiting.pop() {
            let case = Case::from_bytes(&case.to_bytes()).unwrap();
            // Now and then by somebody who knows nothing yet.
            if work % 3 == 0 {
                solver = problem.case_solver().unwrap();
            }
            let done = solver.work_on(&[case], &learnt, floor, Slice::Work(work), &Limits::default());
            if let Some((path, length)) = done.path {
                assert_eq!(problem.instance.value(&path), length);
                assert!(length > floor);
                floor = length;
            }
            split += usize::from(done.open.len() > 1);
            waiting.extend(done.open);
            learnt.add(Learnt::from_bytes(&done.learnt.to_bytes()).unwrap());
            work += 1;
        }
        assert_eq!((floor > i64::MIN).then_some(floor), asked.longest(), "seed {seed}");
    }
    assert!(split > 0, "{split} parts left more than one case");
}

#[test]
fn cases_of_cycles_anywhere_are_refused() {
    let ring = DiGraph::<(), i64>::from_edges([(0u32, 1u32, 1i64), (1, 2, 1), (2, 0, 1)]);
    let claim = Claim { closed: true, ..Claim::free() };
    let problem = Problem::new(&ring, |edge| *edge.weight(), &claim).unwrap();
    assert!(problem.case_solver().is_err());
    assert_eq!(Case::from_bytes(&[1, 2, 3]), None);
    assert_eq!(Learnt::from_bytes(&[1, 2, 3]), None);
    assert_eq!(Learnt::from_bytes(&[1, 0, 0, 0, 5, 6]), None);
}

/// A ladder of ten rungs, with a long way beside it and a tail, from one end to the other.
fn ladder() -> Problem {
    let rungs = (0..10u32).map(|at| (2 * at, 2 * at + 1));
    let sides = (0..18u32).map(|at| (at, at + 2));
    let beside = (20..30u32).map(|at| (at, at + 1)).chain([(0, 20), (30, 19)]);
    let tail = [(7u32, 31u32), (31, 32), (32, 33), (33, 31)];
    let graph = petgraph::graph::UnGraph::<(), ()>::from_edges(rungs.chain(sides).chain(beside).chain(tail));
    let claim = Claim { from: Some(NodeIndex::new(1)), to: Some(NodeIndex::new(18)), closed: false };
    Problem::new(&graph, |_| 1, &claim).unwrap()
}

#[test]
fn cases_are_of_a_core_and_tell_paths_of_the_whole() {
    let problem = ladder();
    let core = problem.core().instance();
    // The tail is on no path, and the way beside is one edge.
    assert_eq!(core.graph.vertex_count(), 20);
    let mut solver = problem.case_solver().unwrap();
    let done = solver.work_on(&[problem.whole()], &Learnt::default(), 0, Slice::Work(u64::MAX), &Limits::default());
    let (path, length) = done.path.unwrap();
    assert!(done.open.is_empty() && path.contains(&25));
    assert_eq!((problem.instance.value(&path), path.len() as i64 - 1), (length, length));
}

#[test]
fn what_solvers_have_learnt_adds_up() {
    let cost = |column, used, sum, count| engine::Cost { column, used, sum, count };
    let told = |cuts: &[u32], costs: &[engine::Cost]| {
        let learnt = engine::Learnt { cuts: cuts.to_vec(), costs: costs.to_vec() };
        Learnt::from_bytes(&Learnt(learnt).to_bytes()).unwrap()
    };
    let mut learnt = Learnt::from_bytes(&[]).unwrap();
    learnt.add(told(&[3, 1], &[cost(2, true, 1.5, 1), cost(5, false, 0.5, 2)]));
    learnt.add(told(&[], &[cost(2, false, 4.0, 1), cost(2, true, 1.0, 3)]));
    assert_eq!(learnt, told(&[3, 1], &[cost(2, false, 4.0, 1), cost(2, true, 2.5, 4), cost(5, false, 0.5, 2)]));
    learnt.add(told(&[3, 2], &[]));
    assert_eq!(learnt.0.cuts, [3, 2]);
}

/// Sweeps in segments of `stride` steps, each layer in so many shards, and goes back.
fn swept(problem: &Problem, sweep: &Sweep, stride: usize, shards: usize, floor: i64) -> Option<(Vec<u32>, i64)> {
    let limits = Limits::default();
    let mut layers = vec![vec![sweep.start()]];
    let mut best: Option<(usize, usize, usize, i64)> = None;
    let ends = |segment: usize| (segment * stride, ((segment + 1) * stride).min(sweep.steps()));
    for segment in 0..sweep.steps().div_ceil(stride) {
        let (from, to) = ends(segment);
        let floor = best.map_or(floor, |(.., value)| value);
        let mut next = vec![Vec::new(); shards];
        let mut found: Option<(usize, usize, i64)> = None;
        for (shard, states) in layers[segment].iter().enumerate() {
            let done = sweep.advance(from, to, &[states], floor, &limits).unwrap();
            if let Some((step, value)) = done.finish
                && found.is_none_or(|(.., known)| value > known)
            {
                found = Some((shard, step, value));
            }
            for (part, states) in next.iter_mut().zip(sweep.split(&done.states, shards)) {
                part.extend(states);
            }
        }
        best = found.map(|(shard, step, value)| (segment, shard, step, value)).or(best);
        layers.push(next);
    }
    let (mut segment, shard, step, length) = best?;
    let states = layers[segment][shard].as_slice();
    let goal = Goal::Finish { step, value: length };
    let mut back = sweep.way_back(ends(segment).0, &[states], goal, length, &limits).unwrap().unwrap();
    let mut choices = back.choices.clone();
    while segment > 0 {
        segment -= 1;
        let (from, to) = ends(segment);
        let (state, value) = back.state.split_at(back.state.len() - 8);
        let goal = Goal::State { to, state, value: i64::from_le_bytes(value.try_into().unwrap()) };
        let ways = layers[segment].iter().map(|states| sweep.way_back(from, &[states], goal, length, &limits).unwrap());
        back = ways.flatten().next().expect("some shard leads there");
        choices.extend(back.choices.clone());
    }
    let path = sweep.path(problem, &choices);
    assert_eq!(problem.instance.value(&path), length);
    Some((path, length))
}

#[test]
fn sweeps_in_shards_find_the_longest_path() {
    let mut told = 0;
    for seed in 0..300 {
        let asked = Asked::random(seed, 3..14);
        let problem = asked.problem();
        let limits = Limits::default();
        let order = problem.order(10_000, &limits);
        let sweep = Sweep::new(&problem, order.vertices(), &limits).unwrap().unwrap();
        let floor = sweep.hidden().map_or(i64::MIN, |hidden| hidden.1).max(lone(&problem));
        let (stride, shards) = (1 + seed as usize % 4, 1 + seed as usize % 5);
        let found = swept(&problem, &sweep, stride, shards, floor);
        told += usize::from(found.is_some());
        let length = found.map_or(floor, |(_, length)| length);
        assert_eq!((length > i64::MIN).then_some(length), asked.longest(), "seed {seed}");
    }
    assert!(told > 100, "{told} paths were told by sweeps");
}

#[test]
fn an_order_that_is_none_is_refused_and_memory_is_limited() {
    let n = 9u32;
    let across = (0..n * n).filter(|cell| cell % n + 1 < n).map(|cell| (cell, cell + 1));
    let down = (0..n * (n - 1)).map(|cell| (cell, cell + n));
    let grid = petgraph::graph::UnGraph::<(), ()>::from_edges(across.chain(down));
    let problem = Problem::new(&grid, |_| 1, &Claim::free()).unwrap();
    assert!(Sweep::new(&problem, &[0, 0, 1], &Limits::default()).is_err());
    let order = problem.order(100_000, &Limits::default());
    let sweep = Sweep::new(&problem, order.vertices(), &Limits::default()).unwrap().unwrap();
    let tight = Limits { memory: 1 << 16, ..Limits::default() };
    let swept = sweep.advance(0, sweep.steps(), &[&sweep.start()], 0, &tight);
    assert_eq!(swept.map(|done| done.finish), Err(crate::Stop::MemoryLimit));
}

//! Everything against a brute force that knows neither scripts nor states.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::count::{Counting, count};
use super::diagram::{Answers, BestAnswers, BestCounts, Diagram};
use super::induced::{Induced, Places};
use super::optimum::{Cost, FallingGap, FirstGap, Found};
use super::path::{Demands, Paths};
use super::script::{Bundling, Script};
use super::trail::{self, Relaxation, Trails};
use super::{Rule, dispatch};
use crate::instance::{Budget, Silent};
use crate::rounds::rounds;
use crate::view::{CsrGraph, Edge};

/// A small multigraph without loops.
#[derive(Clone, Debug)]
struct Small {
    n: usize,
    directed: bool,
    edges: Vec<(u32, u32, i64)>,
}

impl Small {
    fn random(rng: &mut Pcg64Mcg, n: usize, m: usize, directed: bool, loops: bool, weights: (i64, i64)) -> Self {
        let mut edges = Vec::new();
        while edges.len() < m {
            let (a, b) = (rng.random_range(0..n as u32), rng.random_range(0..n as u32));
            if a != b || loops {
                edges.push((a, b, rng.random_range(weights.0..=weights.1)));
            }
        }
        Small { n, directed, edges }
    }

    /// Every simple graph on `n` vertices, with unit weights.
    fn every(n: usize, directed: bool) -> impl Iterator<Item = Small> {
        let pairs: Vec<(u32, u32)> = (0..n as u32)
            .flat_map(|a| (0..n as u32).map(move |b| (a, b)))
            .filter(|&(a, b)| if directed { a != b } else { a < b })
            .collect();
        (0u64..1 << pairs.len()).map(move |mask| {
            let drawn = pairs.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            Small { n, directed, edges: drawn.map(|(_, &(a, b))| (a, b, 1)).collect() }
        })
    }

    /// The edges by which one can go on from a vertex.
    fn steps(&self, from: u32) -> Vec<(usize, u32)> {
        let mut steps = Vec::new();
        for (id, &(a, b, _)) in self.edges.iter().enumerate() {
            if a == from {
                steps.push((id, b));
            }
            if b == from && !self.directed && a != b {
                steps.push((id, a));
            }
        }
        steps
    }

    fn order(&self, rng: &mut Pcg64Mcg) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.n as u32).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, rng.random_range(0..=at));
        }
        order
    }
}

/// All paths (cycles) with an edge that meet the demands, as sets of edges, with what they are worth.
fn brute_paths(graph: &Small, demands: &Demands, induced: bool) -> BTreeMap<BTreeSet<usize>, i64> {
    let mut found = BTreeMap::new();
    for start in 0..graph.n as u32 {
        extend(graph, demands, induced, &mut vec![start], &mut Vec::new(), &mut found);
    }
    found
}

fn extend(
    graph: &Small,
    demands: &Demands,
    induced: bool,
    nodes: &mut Vec<u32>,
    edges: &mut Vec<usize>,
    found: &mut BTreeMap<BTreeSet<usize>, i64>,
) {
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    let mut note = |edges: &[usize]| {
        let set: BTreeSet<usize> = edges.iter().copied().collect();
        let used = |edge: usize| set.contains(&edge);
        let ends = demands.closed && demands.from.is_none_or(|from| nodes.contains(&from))
            || !demands.closed
                && demands.from.is_none_or(|from| first == from)
                && demands.to.is_none_or(|to| last == to);
        let good = ends
            && demands.visit.iter().all(|vertex| nodes.contains(vertex))
            && demands.use_edges.ones().all(used)
            && edges.len() >= demands.at_least as usize
            && demands.at_most.is_none_or(|most| edges.len() <= most as usize)
            && (!induced
                || graph
                    .edges
                    .iter()
                    .enumerate()
                    .all(|(id, (a, b, _))| used(id) || !nodes.contains(a) || !nodes.contains(b)));
        if good {
            let weight: i64 = edges.iter().map(|&edge| graph.edges[edge].2).sum();
            let prizes: i64 = nodes.iter().map(|&node| demands.prize(node)).sum();
            found.insert(set, weight + prizes);
        }
    };
    if demands.closed {
        let least = if graph.directed { 2 } else { 3 };
        if nodes.len() >= least {
            for (edge, to) in graph.steps(last) {
                if to == first {
                    let mut cycle = edges.clone();
                    cycle.push(edge);
                    note(&cycle);
                }
            }
        }
    } else if !edges.is_empty() {
        note(edges);
    }
    for (edge, to) in graph.steps(last) {
        if !nodes.contains(&to) {
            nodes.push(to);
            edges.push(edge);
            extend(graph, demands, induced, nodes, edges, found);
            nodes.pop();
            edges.pop();
        }
    }
}

fn random_demands(rng: &mut Pcg64Mcg, graph: &Small) -> Demands {
    let n = graph.n;
    let vertex = |rng: &mut Pcg64Mcg| rng.random_range(0..n as u32);
    let closed = rng.random_bool(0.3);
    let from = rng.random_bool(0.4).then(|| vertex(rng));
    let to = (!closed && rng.random_bool(0.4)).then(|| vertex(rng)).filter(|&to| Some(to) != from);
    let prizes = if rng.random_bool(0.5) { (0..n).map(|_| rng.random_range(-3..=3)).collect() } else { Vec::new() };
    let visit = if rng.random_bool(0.3) { (0..2).map(|_| vertex(rng)).collect() } else { Vec::new() };
    let mut use_edges = FixedBitSet::new();
    if rng.random_bool(0.3) && !graph.edges.is_empty() {
        let must = rng.random_range(0..graph.edges.len());
        let pair = |edge: &(u32, u32, i64)| [edge.0.min(edge.1), edge.0.max(edge.1)];
        let lone = graph.edges.iter().filter(|edge| pair(edge) == pair(&graph.edges[must])).count() == 1;
        if lone {
            use_edges.extend([must]);
        }
    }
    let at_least = if rng.random_bool(0.2) { rng.random_range(1..5) } else { 0 };
    let at_most = rng.random_bool(0.2).then(|| rng.random_range(1..6));
    Demands { from, to, closed, prizes, visit, use_edges, at_least, at_most }
}

fn best_of<R: Rule>(rule: &R) -> Option<Found> {
    let (_, worth) = rule.start();
    let mut upper = worth + rule.gain_left(0);
    let guide = |layer: usize, _: &R::State| Some(rule.gain_left(layer));
    let budget = Budget::unlimited();
    let found = FallingGap { rule, guide, first_gap: FirstGap::Whole, floor: -1_000_000, budget: &budget }
        .run(&mut upper, &mut Silent, &mut Cost::default())
        .0;
    if let Some((_, value)) = &found {
        assert_eq!(*value, upper);
    }
    found
}

fn edges_of(script: &Script, decisions: &[u32]) -> BTreeSet<usize> {
    let taken = decisions.iter().enumerate().filter(|(_, choice)| **choice > 0);
    taken.map(|(layer, &choice)| script.layers[layer].options[choice as usize - 1].edge as usize).collect()
}

/// Best, counts, lists and samples of one question.
fn check_paths<const N: usize, const DIRECTED: bool>(
    graph: &Small,
    demands: &Demands,
    rng: &mut Pcg64Mcg,
    lists: bool,
) {
    let expected = brute_paths(graph, demands, false);
    let optimum = expected.values().copied().max();
    let order = graph.order(rng);
    let script = Script::new(graph.n, graph.directed, &graph.edges, &order, Bundling::Together);
    let Some(rule) = Paths::<N, DIRECTED>::new(&script, demands) else {
        assert!(expected.is_empty(), "{graph:?} {demands:?}");
        return;
    };
    let context = || format!("{graph:?} {demands:?} {order:?}");
    let found = best_of(&rule);
    assert_eq!(found.as_ref().map(|found| found.1), optimum, "{}", context());
    if let Some((decisions, value)) = &found {
        assert_eq!(expected.get(&edges_of(&script, decisions)), Some(value), "{}", context());
    }

    let grouped = Script::new(graph.n, graph.directed, &graph.edges, &order, Bundling::Grouped);
    let rule_of_groups = Paths::<N, DIRECTED>::new(&grouped, demands).unwrap();
    let multiplicity = |layer: usize, choice: usize| grouped.layers[layer].options[choice - 1].multiplicity;
    let counted =
        |counting| count(&rule_of_groups, multiplicity, counting, &Budget::unlimited(), &mut Cost::default()).unwrap();
    let mut by_worth: BTreeMap<i64, u32> = BTreeMap::new();
    expected.values().for_each(|&worth| *by_worth.entry(worth).or_default() += 1);
    let by_worth: Vec<(i64, BigUint)> = by_worth.into_iter().map(|(worth, count)| (worth, count.into())).collect();
    assert_eq!(counted(Counting::ByWorth), by_worth, "{}", context());
    assert_eq!(counted(Counting::Best), by_worth.last().cloned().into_iter().collect::<Vec<_>>(), "{}", context());
    if !lists {
        return;
    }

    let diagram = Diagram::new(&rule, &Budget::unlimited(), &mut Cost::default()).unwrap();
    assert_eq!(diagram.best(), optimum);
    let listed: Vec<(BTreeSet<usize>, i64)> =
        Answers::new(diagram.clone()).map(|(decisions, worth)| (edges_of(&script, &decisions), worth)).collect();
    assert!(listed.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{}", context());
    assert_eq!(listed.len(), expected.len(), "{}", context());
    assert_eq!(listed.into_iter().collect::<BTreeMap<_, _>>(), expected, "{}", context());

    let best: BTreeSet<BTreeSet<usize>> =
        BestAnswers::new(diagram.clone()).map(|decisions| edges_of(&script, &decisions)).collect();
    let expected_best: BTreeSet<_> =
        expected.iter().filter(|(_, worth)| Some(**worth) == optimum).map(|(set, _)| set.clone()).collect();
    assert_eq!(best, expected_best, "{}", context());
    let counts = BestCounts::new(&diagram);
    assert_eq!(counts.total(), best.len().into());
    let pick = |below: &BigUint| BigUint::from(rng.next_u64()) % below;
    if let Some(decisions) = diagram.sample(&counts, pick) {
        assert!(best.contains(&edges_of(&script, &decisions)), "{}", context());
    } else {
        assert!(best.is_empty());
    }
}

#[test]
fn all_small_graphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for (n, directed) in [(2, false), (3, false), (4, false), (5, false), (2, true), (3, true)] {
        for graph in Small::every(n, directed) {
            let ends = std::iter::once(None).chain((0..n as u32).map(Some));
            for from in ends.clone() {
                let closed = Demands { from, closed: true, ..Demands::default() };
                let open = ends.clone().filter(|&to| to.is_none() || to != from);
                let open = open.map(|to| Demands { from, to, ..Demands::default() });
                for demands in open.chain([closed]) {
                    if directed {
                        check_paths::<12, true>(&graph, &demands, &mut rng, true);
                    } else {
                        check_paths::<12, false>(&graph, &demands, &mut rng, n < 5);
                    }
                }
            }
        }
    }
}

#[test]
fn random_multigraphs_with_all_demands() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for round in 0..rounds(2000) {
        let n = rng.random_range(2..=6);
        let m = rng.random_range(1..=10);
        let directed = round % 2 == 0;
        let weights = if round % 3 == 0 { (1, 1) } else { (-3, 5) };
        let graph = Small::random(&mut rng, n, m, directed, false, weights);
        let demands = random_demands(&mut rng, &graph);
        match (directed, round % 5) {
            (true, 0) => check_paths::<24, true>(&graph, &demands, &mut rng, true),
            (true, _) => check_paths::<12, true>(&graph, &demands, &mut rng, true),
            (false, 0) => check_paths::<64, false>(&graph, &demands, &mut rng, true),
            (false, _) => check_paths::<12, false>(&graph, &demands, &mut rng, true),
        }
    }
}

fn check_induced<const DIRECTED: bool>(graph: &Small, demands: &Demands, rng: &mut Pcg64Mcg) {
    let expected = brute_paths(graph, demands, true);
    let order = graph.order(rng);
    let edges = graph.edges.iter().map(|&(source, target, weight)| Edge { source, target, weight }).collect();
    let (dense, _) = CsrGraph::from_multigraph(graph.n, graph.directed, edges);
    let places = Places::new(&dense, &order, demands);
    let rule = Induced::<12, DIRECTED>::new(&places, demands);
    let found = best_of(&rule);
    let context = || format!("{graph:?} {demands:?} {order:?}");
    assert_eq!(found.as_ref().map(|found| found.1), expected.values().copied().max(), "{}", context());
    let counts = count(&rule, |_, _| 1, Counting::ByWorth, &Budget::unlimited(), &mut Cost::default()).unwrap();
    let all: BigUint = counts.into_iter().map(|(_, count)| count).sum();
    assert_eq!(all, expected.len().into(), "{}", context());
}

#[test]
fn induced_paths_of_random_graphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for round in 0..rounds(2000) {
        let n = rng.random_range(2..=7);
        let directed = round % 2 == 0;
        let m = rng.random_range(1..=12);
        let mut graph = Small::random(&mut rng, n, m, directed, false, (-2, 5));
        let mut seen = BTreeSet::new();
        graph.edges.retain(|&(a, b, _)| seen.insert(if directed { (a, b) } else { (a.min(b), a.max(b)) }));
        let demands = Demands { use_edges: FixedBitSet::new(), ..random_demands(&mut rng, &graph) };
        if directed {
            check_induced::<true>(&graph, &demands, &mut rng);
        } else {
            check_induced::<false>(&graph, &demands, &mut rng);
        }
    }
}

/// The heaviest trail with an edge.
fn brute_trail(graph: &Small, ends: trail::Ends) -> Option<i64> {
    fn go_on(
        graph: &Small,
        ends: trail::Ends,
        first: u32,
        at: u32,
        used: &mut FixedBitSet,
        sum: i64,
        best: &mut Option<i64>,
    ) {
        let closes = if ends.closed { at == first } else { ends.to.is_none_or(|to| at == to) };
        if closes && !used.is_clear() {
            *best = (*best).max(Some(sum));
        }
        for (edge, to) in graph.steps(at) {
            if !used[edge] {
                used.insert(edge);
                go_on(graph, ends, first, to, used, sum + graph.edges[edge].2, best);
                used.remove(edge);
            }
        }
    }
    let mut best = None;
    let firsts = (0..graph.n as u32).filter(|&first| ends.from.is_none_or(|from| from == first));
    firsts.for_each(|first| {
        go_on(graph, ends, first, first, &mut FixedBitSet::with_capacity(graph.edges.len()), 0, &mut best)
    });
    best
}

fn check_trails<const N: usize>(graph: &Small, ends: trail::Ends, rng: &mut Pcg64Mcg) {
    let expected = brute_trail(graph, ends);
    let order = graph.order(rng);
    let script = Script::new(graph.n, graph.directed, &graph.edges, &order, Bundling::Apart);
    let context = || format!("{graph:?} {ends:?} {order:?}");
    let Some(rule) = Trails::<N>::new(&script, graph.directed, ends) else {
        assert_eq!(expected, None, "{}", context());
        return;
    };
    let plain = best_of(&rule);
    assert_eq!(plain.map(|found| found.1), expected, "{}", context());
    let budget = Budget::unlimited();
    let mut cost = Cost::default();
    let relaxation = Relaxation::new(&rule, usize::MAX, &budget, &mut cost).unwrap().unwrap();
    let found = relaxation.bound().and_then(|mut upper| {
        let guide = |layer: usize, state: &_| relaxation.rest(layer, state);
        FallingGap { rule: &rule, guide, first_gap: FirstGap::One, floor: -1000, budget: &budget }
            .run(&mut upper, &mut Silent, &mut cost)
            .0
    });
    assert_eq!(found.map(|found| found.1), expected, "{}", context());
}

#[test]
fn trails_of_random_multigraphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    for round in 0..rounds(2000) {
        let n = rng.random_range(1..=6);
        let m = rng.random_range(1..=8);
        let directed = round % 2 == 0;
        let weights = if round % 3 == 0 { (1, 1) } else { (-2, 6) };
        let graph = Small::random(&mut rng, n, m, directed, true, weights);
        let vertex = |rng: &mut Pcg64Mcg| rng.random_range(0..n as u32);
        let closed = rng.random_bool(0.3);
        let from = rng.random_bool(0.4).then(|| vertex(&mut rng));
        let to = (!closed && rng.random_bool(0.4)).then(|| vertex(&mut rng));
        let ends = trail::Ends { from, to, closed };
        if round % 5 == 0 {
            check_trails::<24>(&graph, ends, &mut rng);
        } else {
            check_trails::<12>(&graph, ends, &mut rng);
        }
    }
}

/// A grid of so many vertices a side, in reading order.
fn grid(side: u32) -> Small {
    let mut edges = Vec::new();
    for vertex in 0..side * side {
        if vertex % side + 1 < side {
            edges.push((vertex, vertex + 1, 1));
        }
        if vertex + side < side * side {
            edges.push((vertex, vertex + side, 1));
        }
    }
    Small { n: (side * side) as usize, directed: false, edges }
}

fn counts_of(graph: &Small, demands: &Demands, counting: Counting) -> Vec<(i64, BigUint)> {
    let order: Vec<u32> = (0..graph.n as u32).collect();
    let script = Script::new(graph.n, graph.directed, &graph.edges, &order, Bundling::Grouped);
    let multiplicity = |layer: usize, choice: usize| script.layers[layer].options[choice - 1].multiplicity;
    let (budget, mut cost) = (Budget::unlimited(), Cost::default());
    dispatch!(script.slots, N => {
        let rule = Paths::<N, false>::new(&script, demands).unwrap();
        count(&rule, multiplicity, counting, &budget, &mut cost).unwrap()
    }, else panic!("too wide"))
}

#[test]
fn self_avoiding_walks_from_corner_to_corner() {
    // OEIS A007764.
    let known: [u64; 9] = [1, 2, 12, 184, 8512, 1_262_816, 575_780_564, 789_360_053_252, 3_266_598_486_981_642];
    for (side, &walks) in (2..).zip(&known[1..]) {
        let graph = grid(side);
        let demands = Demands { from: Some(0), to: Some(side * side - 1), ..Demands::default() };
        let by_length = counts_of(&graph, &demands, Counting::ByWorth);
        assert_eq!(by_length.iter().map(|(_, count)| count).sum::<BigUint>(), BigUint::from(walks));
    }
}

#[test]
fn numbers_beyond_128_bits() {
    // Strings of many parallel edges: as many paths from end to end as choices.
    let mut graph = Small { n: 101, directed: false, edges: Vec::new() };
    for step in 0..100 {
        (0..4).for_each(|weight| graph.edges.push((step, step + 1, i64::from(weight % 2))));
    }
    let demands = Demands { from: Some(0), to: Some(100), ..Demands::default() };
    let by_length = counts_of(&graph, &demands, Counting::ByWorth);
    // 100 over k ways to choose where the heavier edges are, and 2 of each.
    let mut expected = BigUint::from(2u32).pow(100);
    for (k, (length, ways)) in (0u32..).zip(&by_length) {
        assert_eq!((*length, ways), (i64::from(k), &expected));
        expected = expected * (100 - k) / (k + 1);
    }
    assert_eq!(by_length.len(), 101);
    assert_eq!(counts_of(&graph, &demands, Counting::Best), [(100, BigUint::from(2u32).pow(100))]);
}

#[test]
fn worths_far_apart() {
    // A string of pairs of edges of which one is worth a power of three: all sums are different, and close together only at first.
    let mut graph = Small { n: 13, directed: false, edges: Vec::new() };
    for step in 0..12 {
        graph.edges.extend([(step, step + 1, 0), (step, step + 1, 3i64.pow(3 * step))]);
    }
    let demands = Demands { from: Some(0), to: Some(12), ..Demands::default() };
    let sum = |set: u32| (0..12).filter(|step| set >> step & 1 == 1).map(|step| 27i64.pow(step)).sum::<i64>();
    let mut expected: Vec<(i64, BigUint)> = (0..1 << 12).map(|set| (sum(set), BigUint::from(1u32))).collect();
    expected.sort_unstable();
    assert_eq!(counts_of(&graph, &demands, Counting::ByWorth), expected);
}

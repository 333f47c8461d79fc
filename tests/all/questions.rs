//! Prizes, musts, numbers of edges, induced paths, counts, lists and trails, against a brute force that knows only edges.

use std::collections::{BTreeMap, BTreeSet};

use longhaul::{BigUint, Engine, LongestPath, LongestTrail, Status};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::UndirectedAdaptor;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::support::{Ends, Small};

/// What is asked beside the ends; nodes and edges by their places.
#[derive(Clone, Debug, Default)]
struct Wishes {
    prizes: Option<Vec<i64>>,
    visit: Vec<usize>,
    avoid: Vec<usize>,
    use_edges: Vec<usize>,
    use_steps: Vec<[usize; 2]>,
    avoid_edges: Vec<usize>,
    at_least: Option<usize>,
    at_most: Option<usize>,
    induced: bool,
}

impl Wishes {
    /// A few of them, which do not contradict each other outright.
    fn random(rng: &mut Pcg64Mcg, graph: &Small, ends: Ends) -> Wishes {
        let mut wishes = Wishes::default();
        let node = |rng: &mut Pcg64Mcg| rng.random_range(0..graph.nodes);
        if rng.random_bool(0.5) {
            wishes.prizes = Some((0..graph.nodes).map(|_| rng.random_range(-4..=4)).collect());
        }
        if rng.random_bool(0.3) {
            wishes.visit = (0..rng.random_range(1..=2)).map(|_| node(rng)).collect();
        }
        if rng.random_bool(0.3) {
            let avoided = node(rng);
            let wanted = wishes.visit.contains(&avoided) || ends.from == Some(avoided) || ends.to == Some(avoided);
            wishes.avoid.extend((!wanted).then_some(avoided));
        }
        if !graph.edges.is_empty() && rng.random_bool(0.3) {
            wishes.use_edges = vec![rng.random_range(0..graph.edges.len())];
        }
        if !graph.edges.is_empty() && rng.random_bool(0.2) {
            let (one, two, _) = graph.edges[rng.random_range(0..graph.edges.len())];
            let unwanted = wishes.avoid.contains(&one) || wishes.avoid.contains(&two);
            wishes.use_steps.extend((!unwanted).then_some([one, two]));
        }
        if !graph.edges.is_empty() && rng.random_bool(0.3) {
            let edge = rng.random_range(0..graph.edges.len());
            wishes.avoid_edges.extend((!wishes.use_edges.contains(&edge)).then_some(edge));
        }
        wishes.at_least = rng.random_bool(0.2).then(|| rng.random_range(1..=graph.nodes));
        wishes.at_most = rng.random_bool(0.2).then(|| rng.random_range(1..=graph.nodes));
        wishes
    }
}

/// A path as what tells it from others: its edges, or its only node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Node(usize),
    Edges(BTreeSet<usize>),
}

/// Every path, or cycle, that is asked for, with its worth.
fn brute(graph: &Small, ends: Ends, wishes: &Wishes) -> BTreeMap<Told, i64> {
    let mut found = BTreeMap::new();
    for first in (0..graph.nodes).filter(|first| !wishes.avoid.contains(first)) {
        go_on(graph, ends, wishes, &mut vec![first], &mut Vec::new(), &mut found);
    }
    found
}

fn steps(graph: &Small, from: usize) -> impl Iterator<Item = (usize, usize)> {
    graph.edges.iter().enumerate().flat_map(move |(edge, &(a, b, _))| {
        let forth = (a == from).then_some((edge, b));
        let back = (b == from && a != b && !graph.directed).then_some((edge, a));
        forth.into_iter().chain(back)
    })
}

fn go_on(
    graph: &Small,
    ends: Ends,
    wishes: &Wishes,
    nodes: &mut Vec<usize>,
    edges: &mut Vec<usize>,
    found: &mut BTreeMap<Told, i64>,
) {
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    if ends.closed {
        let least = if graph.directed { 2 } else { 3 };
        for (edge, to) in steps(graph, last) {
            if to == first && nodes.len() >= least && !wishes.avoid_edges.contains(&edge) {
                edges.push(edge);
                judge(graph, ends, wishes, nodes, edges, found);
                edges.pop();
            }
        }
    } else {
        judge(graph, ends, wishes, nodes, edges, found);
    }
    for (edge, to) in steps(graph, last).collect::<Vec<_>>() {
        if !nodes.contains(&to) && !wishes.avoid.contains(&to) && !wishes.avoid_edges.contains(&edge) {
            nodes.push(to);
            edges.push(edge);
            go_on(graph, ends, wishes, nodes, edges, found);
            nodes.pop();
            edges.pop();
        }
    }
}

/// Notes a path if it is one of those asked for.
fn judge(
    graph: &Small,
    ends: Ends,
    wishes: &Wishes,
    nodes: &[usize],
    edges: &[usize],
    found: &mut BTreeMap<Told, i64>,
) {
    let ends_fit = if ends.closed {
        ends.from.is_none_or(|from| nodes.contains(&from))
    } else {
        ends.from.is_none_or(|from| nodes[0] == from) && ends.to.is_none_or(|to| nodes[nodes.len() - 1] == to)
    };
    let chord = |edge: usize| {
        let (a, b, _) = graph.edges[edge];
        let along = edges.iter().any(|&other| {
            let (c, d, _) = graph.edges[other];
            (a, b) == (c, d) || (!graph.directed && (b, a) == (c, d))
        });
        a != b && nodes.contains(&a) && nodes.contains(&b) && !along && !wishes.avoid_edges.contains(&edge)
    };
    let good = ends_fit
        && wishes.visit.iter().all(|node| nodes.contains(node))
        && wishes.use_edges.iter().all(|edge| edges.contains(edge))
        && wishes.use_steps.iter().all(|&[one, two]| {
            edges.iter().any(|&edge| {
                let (a, b, _) = graph.edges[edge];
                (a, b) == (one, two) || (!graph.directed && (b, a) == (one, two))
            })
        })
        && wishes.at_least.is_none_or(|least| edges.len() >= least)
        && wishes.at_most.is_none_or(|most| edges.len() <= most)
        && (!wishes.induced || !(0..graph.edges.len()).any(chord));
    if good {
        let prize = |&node: &usize| wishes.prizes.as_ref().map_or(0, |prizes| prizes[node]);
        let worth = edges.iter().map(|&edge| graph.edges[edge].2).sum::<i64>() + nodes.iter().map(prize).sum::<i64>();
        let told = if edges.is_empty() { Told::Node(nodes[0]) } else { Told::Edges(edges.iter().copied().collect()) };
        found.insert(told, worth);
    }
}

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

fn told(path: &longhaul::Path<NodeIndex, EdgeIndex>) -> Told {
    match path.edges() {
        [] => Told::Node(path.nodes()[0].index()),
        edges => Told::Edges(edges.iter().map(|edge| edge.index()).collect()),
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
        expected.iter().filter(|(_, worth)| Some(**worth) == best).map(|(told, _)| told.clone()).collect();
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
    let rounds = std::env::var("LONGHAUL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(400);
    let engines = [Engine::Backtracking, Engine::BranchAndBound, Engine::BranchAndCut, Engine::Frontier];
    for round in 0..rounds {
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

/// The heaviest trail; a single node is one unless it must close.
fn brute_trail(small: &Small, ends: Ends) -> Option<i64> {
    fn walk(small: &Small, ends: Ends, way: (usize, usize), used: &mut Vec<bool>, sum: i64, best: &mut Option<i64>) {
        let (first, at) = way;
        let fits = if ends.closed { at == first && used.contains(&true) } else { ends.to.is_none_or(|to| to == at) };
        if fits {
            *best = (*best).max(Some(sum));
        }
        for (edge, to) in steps(small, at).collect::<Vec<_>>() {
            if !used[edge] {
                used[edge] = true;
                walk(small, ends, (first, to), used, sum + small.edges[edge].2, best);
                used[edge] = false;
            }
        }
    }
    let mut best = None;
    for first in (0..small.nodes).filter(|&first| ends.from.is_none_or(|from| from == first)) {
        walk(small, ends, (first, first), &mut vec![false; small.edges.len()], 0, &mut best);
    }
    best
}

fn solve_trail(graph: &DiGraph<(), i64>, directed: bool, ends: Ends) -> longhaul::Solution<NodeIndex, EdgeIndex> {
    macro_rules! of {
        ($graph:expr) => {{
            let mut question = LongestTrail::new($graph).weights(|edge| *petgraph::visit::EdgeRef::weight(&edge));
            if let Some(from) = ends.from {
                question = question.from(NodeIndex::new(from));
            }
            if let Some(to) = ends.to {
                question = question.to(NodeIndex::new(to));
            }
            if ends.closed {
                question = question.closed();
            }
            question.solve().unwrap()
        }};
    }
    if directed { of!(graph) } else { of!(UndirectedAdaptor(graph)) }
}

#[test]
fn trails() {
    let mut rng = Pcg64Mcg::seed_from_u64(22);
    let small_graphs = [(3, false), (4, false), (3, true)];
    let every = small_graphs.iter().flat_map(|&(nodes, directed)| Small::every(nodes, directed));
    let mut random = Pcg64Mcg::seed_from_u64(23);
    let random = (0..300).map(|round| {
        let (nodes, edges) = (random.random_range(1..=6), random.random_range(0..=8));
        let weights = if round % 3 == 0 { (1, 1) } else { (-3, 9) };
        Small::random(&mut random, nodes, edges, round % 2 == 0, weights)
    });
    for small in every.chain(random) {
        let graph = small.to_graph();
        for ends in Ends::sample(&mut rng, small.nodes) {
            let expected = brute_trail(&small, ends);
            let solution = solve_trail(&graph, small.directed, ends);
            let status = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
            assert_eq!((solution.length(), solution.status()), (expected, status), "{small:?} {ends:?}");
        }
    }
}

/// Graphs too wide for a sweep, by branch and cut: the random cubic ones leave out next to nothing, and a bound is reached.
#[test]
fn trails_of_wide_graphs() {
    for (name, length) in [("cubic120", 121), ("gnp300", 383), ("uno400", 603)] {
        let bytes = std::fs::read(crate::corpus::path(&format!("rivals/{name}.gr"))).unwrap();
        let file = longhaul::io::GraphFile::parse("graph.gr", &bytes, &longhaul::io::ReadOptions::default()).unwrap();
        let solution = solve_trail(&file.graph, file.directed, Ends::FREE);
        assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true), "{name}");
    }
}

/// An undirected graph with edges of weight 1.
fn unit(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Small {
    Small { nodes, directed: false, edges: edges.into_iter().map(|(a, b)| (a, b, 1)).collect() }
}

fn grid(side: usize) -> Small {
    let cells = (0..side * side).flat_map(|cell| {
        let right = (cell % side + 1 < side).then_some((cell, cell + 1));
        let down = (cell + side < side * side).then_some((cell, cell + side));
        right.into_iter().chain(down)
    });
    unit(side * side, cells)
}

fn knight(side: usize) -> Small {
    let moves = (0..side * side).flat_map(|cell| {
        let (row, column) = (cell / side, cell % side);
        [(1isize, 2isize), (2, 1), (2, -1), (1, -2)].into_iter().filter_map(move |(down, right)| {
            let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
            (row < side && column < side).then_some((cell, row * side + column))
        })
    });
    unit(side * side, moves)
}

fn counts(small: &Small, ends: Ends) -> longhaul::PathCounts {
    let graph = small.to_graph();
    asked!(&graph, small, ends, &Wishes::default(), question => question.count().unwrap())
}

const CYCLES: Ends = Ends { from: None, to: None, closed: true };

#[test]
fn known_numbers() {
    // OEIS A007764: self-avoiding walks between opposite corners, all of them from one sweep.
    for (side, walks) in [
        (2, 2u64),
        (3, 12),
        (4, 184),
        (5, 8512),
        (6, 1_262_816),
        (7, 575_780_564),
        (8, 789_360_053_252),
        (9, 3_266_598_486_981_642),
    ] {
        let small = grid(side);
        let ends = Ends { from: Some(0), to: Some(side * side - 1), closed: false };
        let graph = small.to_graph();
        let all = asked!(&graph, &small, ends, &Wishes::default(), question => question.distribution().unwrap());
        assert_eq!(all.total(), walks.into());
    }
    // Knight's tours: 1728 open ones with a direction on 5 by 5, 9862 closed ones without on 6 by 6.
    let open = counts(&knight(5), Ends::FREE);
    assert_eq!((open.length(), open.count()), (Some(24), Some(864u32.into())));
    let closed = counts(&knight(6), CYCLES);
    assert_eq!((closed.length(), closed.count()), (Some(36), Some(9862u32.into())));
    // (n - 1)! / 2 Hamiltonian cycles of the complete graph.
    for (nodes, cycles) in [(3, 1u32), (4, 3), (5, 12), (6, 60), (7, 360), (8, 2520)] {
        let complete = unit(nodes, (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b))));
        assert_eq!(counts(&complete, CYCLES).count(), Some(cycles.into()));
    }
    // 1344 of the hypercube of 4 dimensions, as cycles without a direction.
    let cube = |dimensions: usize| {
        let bits = 0..dimensions;
        unit(
            1 << dimensions,
            (0..1 << dimensions)
                .flat_map(move |a| bits.clone().map(move |bit| (a, a ^ 1 << bit)))
                .filter(|(a, b)| a < b),
        )
    };
    let hypercube = counts(&cube(4), CYCLES);
    assert_eq!((hypercube.length(), hypercube.count()), (Some(16), Some(1344u32.into())));
    // Petersen's graph has no Hamiltonian cycle, 120 of length 9, and 120 Hamiltonian paths.
    let petersen = unit(10, (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]));
    let cycles = counts(&petersen, CYCLES);
    assert_eq!((cycles.length(), cycles.count()), (Some(9), Some(20u32.into())));
    let paths = counts(&petersen, Ends::FREE);
    assert_eq!((paths.length(), paths.count()), (Some(9), Some(120u32.into())));
    // Snakes and coils in the box.
    for (dimensions, snake, coil) in [(2, 2, 4), (3, 4, 6), (4, 7, 8), (5, 13, 14), (6, 26, 26)] {
        let wishes = Wishes { induced: true, ..Wishes::default() };
        let (small, graph) = (cube(dimensions), cube(dimensions).to_graph());
        for (ends, length) in [(Ends::FREE, snake), (CYCLES, coil)] {
            let solution = asked!(&graph, &small, ends, &wishes, question => question.solve().unwrap());
            assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true));
        }
    }
}

/// The graph in which any two nodes are joined, with weights that look random.
fn complete(nodes: usize, weight: impl Fn(usize, usize) -> i64) -> Small {
    let edges = (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b)));
    Small { nodes, directed: false, edges: edges.map(|(a, b)| (a, b, weight(a, b))).collect() }
}

#[test]
fn graphs_too_wide_for_a_sweep_are_answered() {
    const NODES: usize = 80;
    let small = complete(NODES, |a, b| ((a * 37 + b * 101) % 97) as i64);
    let weight =
        |a: usize, b: usize| small.edges.iter().find(|edge| (edge.0, edge.1) == (a.max(b), a.min(b))).unwrap().2;
    let best_two = (0..NODES).map(|middle| {
        let mut around: Vec<i64> = (0..NODES).filter(|&end| end != middle).map(|end| weight(middle, end)).collect();
        around.sort_unstable();
        around[NODES - 2] + around[NODES - 3]
    });
    let most = Wishes { at_most: Some(2), ..Wishes::default() };
    let graph = small.to_graph();
    let solution = asked!(&graph, &small, Ends::FREE, &most, question => question.solve().unwrap());
    assert_eq!((solution.length(), solution.is_optimal()), (best_two.max(), true));

    let induced = Wishes { induced: true, ..Wishes::default() };
    let small = complete(NODES, |_, _| 1);
    let graph = small.to_graph();
    for (ends, length) in [(Ends::FREE, 1), (CYCLES, 3)] {
        let solution = asked!(&graph, &small, ends, &induced, question => question.solve().unwrap());
        assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true));
    }
    // Between the sides of a complete bipartite graph an induced path has two edges, an induced cycle four.
    let sides = unit(NODES, (0..NODES / 2).flat_map(|a| (NODES / 2..NODES).map(move |b| (a, b))));
    let graph = sides.to_graph();
    for (ends, length) in [(Ends::FREE, 2), (CYCLES, 4)] {
        let solution = asked!(&graph, &sides, ends, &induced, question => question.solve().unwrap());
        assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true));
    }
    // Limits end the search with a path and a bound.
    let mut rng = Pcg64Mcg::seed_from_u64(24);
    let wide = Small::random(&mut rng, 300, 1500, false, (1, 9));
    let graph = wide.to_graph();
    let limited = Wishes { at_least: Some(150), at_most: Some(200), ..Wishes::default() };
    for wishes in [&limited, &induced] {
        let limit = std::time::Duration::from_millis(500);
        let solution =
            asked!(&graph, &wide, Ends::FREE, wishes, question => question.time_limit(limit).solve().unwrap());
        assert!(solution.upper_bound() >= solution.length(), "{solution}");
        assert_ne!(solution.status(), Status::Infeasible);
    }
}

#[test]
fn samples_are_uniform() {
    // The 60 Hamiltonian cycles of the complete graph on 6 nodes.
    let complete = unit(6, (0..6).flat_map(|a| (0..a).map(move |b| (a, b))));
    let graph = complete.to_graph();
    let mut drawn: BTreeMap<Told, u32> = BTreeMap::new();
    const DRAWS: u32 = 6000;
    asked!(&graph, &complete, CYCLES, &Wishes::default(), question => {
        for path in question.samples(1).unwrap().take(DRAWS as usize) {
            *drawn.entry(told(&path)).or_default() += 1;
        }
    });
    assert_eq!(drawn.len(), 60);
    let expected = f64::from(DRAWS) / 60.0;
    let square: f64 = drawn.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // 59 degrees of freedom: 98.3 is exceeded once in a thousand.
    assert!(square < 98.3, "{square}");
}

#[test]
fn bad_requests_are_named() {
    let graph = grid(3).to_graph();
    let graph = UndirectedAdaptor(&graph);
    let node = NodeIndex::new;
    let refused = |question: LongestPath<'_, _>| question.solve().unwrap_err().to_string();
    let both = refused(LongestPath::new(graph).visit([node(3)]).avoid([node(3)]));
    assert!(both.contains("visit the node with index 3 and avoid it"), "{both}");
    let end = refused(LongestPath::new(graph).from(node(2)).avoid([node(2)]));
    assert!(end.contains("begin at the node with index 2 and avoid it"), "{end}");
    let unknown = refused(LongestPath::new(graph).visit([node(1), node(99)]));
    assert!(unknown.contains("node number 2 of `visit`"), "{unknown}");
    let edge = refused(LongestPath::new(graph).use_edges([EdgeIndex::new(99)]));
    assert!(edge.contains("edge number 1 of `use_edges`"), "{edge}");
    assert!(refused(LongestPath::new(graph).at_least(0)).contains("at_least(0)"));
    assert!(refused(LongestPath::new(graph).at_most(0)).contains("at_most(0)"));
    assert!(refused(LongestPath::new(graph).prizes(|_| i64::MIN)).contains("too large"));
    assert!(refused(LongestPath::new(graph).engine(Engine::LocalSearch).at_most(2)).contains("local-search"));
    let pair = refused(LongestPath::new(graph).use_steps([[node(0), node(99)]]));
    assert!(pair.contains("node of pair number 1 of `use_steps`"), "{pair}");
    assert!(LongestPath::new(graph).best(0).err().unwrap().to_string().contains("best(0)"));
    assert!(LongestPath::new(graph).induced().count().is_err());
    // What no path can do is no bad request.
    let none = LongestPath::new(graph).at_least(9).solve().unwrap();
    assert_eq!(none.status(), Status::Infeasible);
}

#[cfg(feature = "serde")]
#[test]
fn answers_can_be_stored() {
    let graph = grid(3).to_graph();
    let question = || LongestPath::new(UndirectedAdaptor(&graph)).from(NodeIndex::new(0));
    let solution = question().solve().unwrap().map(NodeIndex::index, EdgeIndex::index);
    let text = serde_json::to_string(&solution).unwrap();
    let read: longhaul::Solution<usize, usize> = serde_json::from_str(&text).unwrap();
    assert_eq!((read.path(), read.edges()), (solution.path(), solution.edges()));
    assert_eq!((read.status(), read.stop(), read.length()), (Status::Optimal, solution.stop(), Some(8)));
    assert_eq!((read.stats().engine, read.stats().elapsed), (solution.stats().engine, solution.stats().elapsed));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let counts = question().distribution().unwrap();
    let read: longhaul::PathCounts = serde_json::from_str(&serde_json::to_string(&counts).unwrap()).unwrap();
    assert_eq!(read.by_length(), counts.by_length());
}

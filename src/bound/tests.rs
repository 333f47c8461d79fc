use std::time::Instant;

use petgraph::graph::{DiGraph, Graph, NodeIndex, UnGraph};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::bipartite::Sides;
use super::two_matching::Relaxation;
use super::*;
use crate::certificate::{Claim, Witness, check_bound};
use crate::limits::Limits;
use crate::rounds::rounds;
use crate::sets::set_of;
use crate::view::Edge;

pub(super) fn budget() -> Budget {
    Budget::new(Instant::now(), &Limits::default())
}

/// The optimum by dynamic programming over vertex sets, `None` without a path.
pub(super) fn optimum(instance: &Instance) -> Option<i64> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let mut best = None;
    // With a cycle, its least vertex comes first.
    let mut table = vec![None; n << n];
    for start in 0..n {
        match &instance.ends {
            Ends::Open { first, .. } if first[start] != NOT_AN_END => {
                table[(1 << start) * n + start] = Some(first[start])
            }
            Ends::Closed { .. } => table[(1 << start) * n + start] = Some(0),
            _ => {}
        }
    }
    for set in 1usize..1 << n {
        for head in 0..n {
            let Some(value) = table[set * n + head] else { continue };
            let value: i64 = value;
            match &instance.ends {
                Ends::Open { last, .. } if last[head] != NOT_AN_END => best = best.max(Some(value + last[head])),
                Ends::Closed { through } => {
                    let start = set.trailing_zeros();
                    let long = set.count_ones() >= if graph.is_directed() { 2 } else { 3 };
                    let visits = through.is_none_or(|vertex| set >> vertex & 1 == 1);
                    if let Some(edge) = graph.edge_between(head as u32, start).filter(|_| long && visits) {
                        best = best.max(Some(value + graph.weight(edge)));
                    }
                }
                _ => {}
            }
            for arc in graph.out_arcs(head as u32) {
                let target = arc.target as usize;
                let closed = matches!(instance.ends, Ends::Closed { .. });
                if set >> target & 1 == 1 || (closed && target < set.trailing_zeros() as usize) {
                    continue;
                }
                let slot = &mut table[(set | 1 << target) * n + target];
                *slot = (*slot).max(Some(value + graph.weight(arc.edge)));
            }
        }
    }
    best
}

/// An end rule of any kind.
fn any_ends(n: usize, random: &mut Pcg64Mcg) -> Ends {
    let rule = random.random_range(0..8);
    let through = random.random_bool(0.5).then(|| random.random_range(0..n as u32));
    let mut prizes = |kind: u32| -> Vec<i64> {
        match kind {
            0 => vec![0; n],
            1 => {
                let mut prizes = vec![NOT_AN_END; n];
                prizes[random.random_range(0..n)] = random.random_range(-2..3);
                prizes
            }
            _ => {
                (0..n).map(|_| if random.random_bool(0.3) { NOT_AN_END } else { random.random_range(-5..10) }).collect()
            }
        }
    };
    match rule {
        0 | 1 => Ends::Open { first: prizes(0), last: prizes(0), single_vertex: true },
        2 => Ends::Open { first: prizes(1), last: prizes(0), single_vertex: true },
        3 => Ends::Open { first: prizes(0), last: prizes(1), single_vertex: true },
        4 => Ends::Open { first: prizes(1), last: prizes(1), single_vertex: true },
        5 => {
            let same = prizes(2);
            Ends::Open { first: same.clone(), last: same, single_vertex: true }
        }
        6 => Ends::Open { first: prizes(2), last: prizes(2), single_vertex: true },
        _ => Ends::Closed { through },
    }
}

pub(super) fn any_edges(n: usize, directed: bool, share: f64, heavy: i64, random: &mut Pcg64Mcg) -> Vec<Edge> {
    let mut edges = Vec::new();
    for source in 0..n as u32 {
        for target in 0..n as u32 {
            if (if directed { source != target } else { source < target }) && random.random_bool(share) {
                let weight = if heavy == 0 { 1 } else { random.random_range(-heavy / 3..=heavy) };
                edges.push(Edge { source, target, weight });
            }
        }
    }
    edges
}

/// Asserts that no bound for this instance is below its optimum, whatever is changed in its witness.
fn hold(instance: &Instance, efforts: &[Effort], random: &mut Pcg64Mcg) {
    let optimum = optimum(instance).unwrap_or(i64::MIN);
    for &effort in efforts {
        // With the optimum known, the search stops where it is met; without, it goes on to the end.
        for known_lower in [optimum, i64::MIN] {
            let Found { upper: bound, witness, .. } = best_bound(instance, effort, &budget(), known_lower);
            assert!(bound >= optimum, "{bound} bounds {optimum} in {instance:?} by {witness:?}");
            assert_eq!(prove(instance, &witness), bound, "{instance:?} {witness:?}");
            let tampered = tamper(instance, &witness, random);
            let bound = prove(instance, &tampered);
            assert!(bound >= optimum, "{bound} bounds {optimum} in {instance:?} by {tampered:?}");
            if effort != Effort::High {
                break;
            }
        }
    }
}

/// The same with something changed: still a witness that fits.
pub(super) fn tamper(instance: &Instance, witness: &Removal<u32>, random: &mut Pcg64Mcg) -> Removal<u32> {
    let Removal { mut nodes, mut shares, mut subtour_cuts, blossoms } = witness.clone();
    let n = instance.graph.vertex_count();
    for _ in 0..random.random_range(1..5) {
        match random.random_range(0..6) {
            0 if !nodes.is_empty() => {
                nodes.remove(random.random_range(0..nodes.len()));
            }
            1 => {
                let vertex = random.random_range(0..n as u32);
                if !nodes.contains(&vertex) {
                    nodes.insert(random.random_range(0..=nodes.len()), vertex);
                }
            }
            2 if !nodes.is_empty() => {
                let (one, two) = (random.random_range(0..nodes.len()), random.random_range(0..nodes.len()));
                nodes.swap(one, two);
            }
            3 if !shares.booked.is_empty() => {
                let at = random.random_range(0..shares.booked.len());
                shares.booked[at].2 += random.random_range(-3..4) * shares.scale / 2;
            }
            4 if !subtour_cuts.is_empty() => {
                let at = random.random_range(0..subtour_cuts.len());
                subtour_cuts[at].multiplier += random.random_range(0..3) * shares.scale / 2;
            }
            _ => {
                shares.beginning += random.random_range(-3..4) * shares.scale / 2;
                shares.end += random.random_range(-3..4) * shares.scale / 2;
            }
        }
    }
    Removal { nodes, shares, subtour_cuts, blossoms }
}

/// A path, a cycle or another simple graph by the bits of `code`.
fn coded(n: usize, directed: bool, mut code: u64, weight: &mut impl FnMut() -> i64) -> CsrGraph {
    let mut edges = Vec::new();
    for source in 0..n as u32 {
        for target in 0..n as u32 {
            if if directed { source != target } else { source < target } {
                if code & 1 == 1 {
                    edges.push(Edge { source, target, weight: weight() });
                }
                code >>= 1;
            }
        }
    }
    CsrGraph::from_simple(n, directed, edges)
}

#[test]
fn no_bound_is_below_the_optimum_of_any_small_graph() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for (n, directed, pairs) in
        [(1, false, 0), (2, false, 1), (3, false, 3), (4, false, 6), (5, false, 10), (6, false, 15)]
            .into_iter()
            .chain([(1, true, 0), (2, true, 2), (3, true, 6), (4, true, 12)])
    {
        for code in 0..1u64 << pairs {
            let heavy = [0, 9][(code % 2) as usize];
            let graph = coded(n, directed, code.reverse_bits() >> (63 - pairs) >> 1, &mut || {
                if heavy == 0 { 1 } else { random.random_range(-heavy / 3..=heavy) }
            });
            hold(&Instance { graph, ends: any_ends(n, &mut random) }, &[Effort::Low], &mut random);
        }
    }
}

#[test]
fn no_bound_is_below_the_optimum_of_random_instances() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for round in 0..rounds(300) {
        let n = random.random_range(5..9);
        let directed = round % 2 == 1;
        let share = random.random_range(1..10) as f64 / 10.0;
        let heavy = [0, 0, 3, 20, 1 << 52][round / 2 % 5];
        let edges = any_edges(n, directed, share, heavy, &mut random);
        let instance = Instance { graph: CsrGraph::from_simple(n, directed, edges), ends: any_ends(n, &mut random) };
        hold(&instance, &[Effort::Least, Effort::Low, Effort::High], &mut random);
    }
}

/// Any witness that fits at all, not one that was looked for.
#[test]
fn no_made_up_witness_proves_too_much() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for round in 0..rounds(40_000) {
        let n = random.random_range(1..8);
        let directed = round % 2 == 1;
        let heavy = [0, 8][round / 2 % 2];
        let edges = any_edges(n, directed, 0.5, heavy, &mut random);
        let instance = Instance { graph: CsrGraph::from_simple(n, directed, edges), ends: any_ends(n, &mut random) };
        let optimum = optimum(&instance).unwrap_or(i64::MIN);

        let witness = made_up(&instance, &mut random);
        let bound = prove(&instance, &witness);
        assert!(bound >= optimum, "{bound} bounds {optimum} in {instance:?} by {witness:?}");
    }
}

/// A witness that fits, and was not looked for.
pub(super) fn made_up(instance: &Instance, random: &mut Pcg64Mcg) -> Removal<u32> {
    let n = instance.graph.vertex_count();
    let directed = instance.graph.is_directed();
    let mut nodes: Vec<u32> = (0..n as u32).collect();
    nodes.shuffle(random);
    let inside_or_not: Vec<Vec<u32>> =
        (0..3).map(|_| nodes.iter().copied().filter(|_| random.random_bool(0.5)).collect()).collect();
    let may_have_borders = |inside: &Vec<u32>| match instance.ends {
        Ends::Open { .. } => !inside.is_empty(),
        Ends::Closed { through } => through.is_some_and(|vertex| !inside.is_empty() && !inside.contains(&vertex)),
    };
    let blossoms = if directed { Vec::new() } else { any_blossoms(instance, &inside_or_not, random) };
    let subtour_cuts = inside_or_not.into_iter().filter(may_have_borders);
    let subtour_cuts = subtour_cuts
        .map(|inside| SubtourCut { visited: inside[0], inside, multiplier: random.random_range(0..4) })
        .collect();
    nodes.truncate(random.random_range(0..=n));
    let mut booked = Vec::new();
    for edge in instance.graph.edges() {
        if random.random_bool(0.5) {
            let amount = random.random_range(-6..12);
            let turned = !directed && random.random_bool(0.5);
            let (node, other) = if turned { (edge.target, edge.source) } else { (edge.source, edge.target) };
            booked.push((node, other, amount));
        }
    }
    let (beginning, end) = (random.random_range(-9..9), random.random_range(-9..9));
    let shares = Shares { scale: random.random_range(1..4), beginning, end, booked };
    Removal { nodes, shares, subtour_cuts, blossoms }
}

/// A blossom on each of these sets that edges lead out of, with any odd number of them for teeth.
fn any_blossoms(instance: &Instance, sets: &[Vec<u32>], random: &mut Pcg64Mcg) -> Vec<Blossom<u32>> {
    let on = |inside: &Vec<u32>| {
        let is_across = |edge: &&Edge| inside.contains(&edge.source) != inside.contains(&edge.target);
        let across = instance.graph.edges().iter().filter(is_across).filter(|_| random.random_bool(0.6));
        let mut teeth: Vec<(u32, u32)> = across.map(|edge| (edge.source, edge.target)).collect();
        if teeth.len().is_multiple_of(2) {
            teeth.pop()?;
        }
        Some(Blossom { inside: inside.clone(), teeth, multiplier: random.random_range(0..4) })
    };
    sets.iter().filter_map(on).collect()
}

/// The floating-point evaluation that the search for shares goes by, against the check's, before and after a descent.
#[test]
fn the_search_evaluates_as_the_check_does() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let budget = budget();
    for round in 0..1000 {
        let n = random.random_range(2..30);
        let directed = round % 2 == 1;
        let edges = any_edges(n, directed, (2.5 / n as f64).min(1.0), 6, &mut random);
        let instance = Instance { graph: CsrGraph::from_simple(n, directed, edges), ends: any_ends(n, &mut random) };
        if single_vertex(&instance).is_some() {
            continue;
        }
        let mut nodes: Vec<u32> = (0..n as u32).collect();
        nodes.shuffle(&mut random);
        nodes.truncate(random.random_range(0..=n));
        let mut relaxation = Relaxation::new(&instance, &nodes);
        for work in [0, 100_000] {
            relaxation.descend(i64::MIN, &mut WorkBudget { left: work, reserve: 0, budget: &budget });
            let approximately = relaxation.evaluate();
            let (shares, subtour_cuts) = relaxation.roundings().pop().unwrap();
            let removed: Vec<usize> = nodes.iter().map(|&vertex| vertex as usize).collect();
            // The check may see that the ends are not connected; the search doesn't ask.
            if let Some(bound) = most(&network(&instance, &shares, &subtour_cuts, &[]), &removed) {
                let bound = bound as f64 / shares.scale as f64;
                assert!((bound - approximately).abs() < 1e-2, "{bound} or {approximately} of {instance:?}");
            }
        }
    }
}

/// An instance of edges of weight 1 with free ends.
fn unit_instance(edges: &[(u32, u32)]) -> Instance {
    let n = edges.iter().map(|&(source, target)| source.max(target) + 1).max().unwrap_or(0);
    let edges = edges.iter().map(|&(source, target)| Edge { source, target, weight: 1 });
    Instance::free(CsrGraph::from_simple(n as usize, false, edges.collect()))
}

fn between(mut instance: Instance, from: u32, to: u32) -> Instance {
    let n = instance.graph.vertex_count();
    let only = |end: u32| (0..n as u32).map(|vertex| if vertex == end { 0 } else { NOT_AN_END }).collect();
    instance.ends = Ends::Open { first: only(from), last: only(to), single_vertex: true };
    instance
}

fn closed(mut instance: Instance) -> Instance {
    instance.ends = Ends::Closed { through: None };
    instance
}

fn complete_bipartite(smaller: u32, greater: u32) -> Instance {
    let edges: Vec<_> = (0..smaller).flat_map(|one| (0..greater).map(move |two| (one, smaller + two))).collect();
    unit_instance(&edges)
}

/// A complete graph on a centre and `arms` more, each edge at the centre divided by `length` vertices.
fn complete_with_long_arms(arms: u32, length: u32) -> Instance {
    let mut edges: Vec<_> = (1..=arms).flat_map(|one| (1..one).map(move |two| (two, one))).collect();
    let mut next = arms + 1;
    for arm in 1..=arms {
        let mut at = 0;
        for _ in 0..length {
            edges.push((at, next));
            at = next;
            next += 1;
        }
        edges.push((at, arm));
    }
    unit_instance(&edges)
}

fn grid(width: u32, height: u32) -> Instance {
    let mut edges = Vec::new();
    for row in 0..height {
        for column in 0..width {
            let vertex = row * width + column;
            if column + 1 < width {
                edges.push((vertex, vertex + 1));
            }
            if row + 1 < height {
                edges.push((vertex, vertex + width));
            }
        }
    }
    unit_instance(&edges)
}

/// Chess knight's moves.
fn knight(width: i32, height: i32) -> Instance {
    let mut edges = Vec::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        for (right, down) in [(1, 2), (2, 1), (-1, 2), (-2, 1)] {
            if (0..width).contains(&(x + right)) && y + down < height {
                edges.push(((y * width + x) as u32, ((y + down) * width + x + right) as u32));
            }
        }
    }
    unit_instance(&edges)
}

/// A tetrahedron, and `rounds` times a vertex put in every face (J. W. Moon, L. Moser, Simple paths on polyhedra, 1963).
fn stacked_triangulation(rounds: usize) -> Instance {
    let mut edges = vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let mut faces = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    let mut next = 4;
    for _ in 0..rounds {
        let mut finer = Vec::new();
        for [one, two, three] in faces {
            edges.extend([(one, next), (two, next), (three, next)]);
            finer.extend([[one, two, next], [one, three, next], [two, three, next]]);
            next += 1;
        }
        faces = finer;
    }
    unit_instance(&edges)
}

/// The cubic graph of 16 vertices without a Hamiltonian path: three parts of five at vertex 0.
const THREE_PARTS: [(u32, u32); 24] = {
    let mut edges = [(0, 0); 24];
    let mut part = 0;
    while part < 3 {
        let at = 1 + 5 * part;
        let inside = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
        let mut edge = 0;
        while edge < 7 {
            edges[(8 * part) as usize + edge] = (at + inside[edge].0, at + inside[edge].1);
            edge += 1;
        }
        edges[(8 * part) as usize + 7] = (0, at);
        part += 1;
    }
    edges
};

#[test]
fn the_gap_closes_where_no_hamiltonian_path_exists() {
    let star: Vec<_> = (1..40).map(|ray| (0, ray)).collect();
    let spider: Vec<_> =
        (0..7).flat_map(|leg| [(0, 3 * leg + 1), (3 * leg + 1, 3 * leg + 2), (3 * leg + 2, 3 * leg + 3)]).collect();
    let triangles: Vec<_> =
        (0..5).flat_map(|at| [(0, 2 * at + 1), (0, 2 * at + 2), (2 * at + 1, 2 * at + 2)]).collect();
    let corners = |width: u32, height: u32| (0, width * height - 1);
    let (first, last) = corners(20, 20);
    for (name, instance, optimum) in [
        ("star", unit_instance(&star), 2),
        ("star, from the centre", between(unit_instance(&star), 0, 7), 1),
        ("spider", unit_instance(&spider), 6),
        ("triangles at a vertex", unit_instance(&triangles), 4),
        ("triangles at a vertex, closed", closed(unit_instance(&triangles)), 3),
        ("cubic, three parts at a vertex", unit_instance(&THREE_PARTS), 10),
        ("K(3,9)", complete_bipartite(3, 9), 6),
        ("K(40,100)", complete_bipartite(40, 100), 80),
        ("K(4,9), both ends in the smaller side", between(complete_bipartite(4, 9), 0, 1), 6),
        ("K(4,9), one end in each side", between(complete_bipartite(4, 9), 0, 5), 7),
        ("K(4,9), both ends in the greater side", between(complete_bipartite(4, 9), 4, 5), 8),
        ("K(4,9), closed", closed(complete_bipartite(4, 9)), 8),
        ("arms 5x1", complete_with_long_arms(5, 1), 9),
        ("arms 6x2", complete_with_long_arms(6, 2), 14),
        ("arms 8x3", complete_with_long_arms(8, 3), 20),
        ("grid, ends in the minority", between(grid(15, 15), 1, 223), 222),
        ("grid, corners of one colour", between(grid(20, 20), first, last), 398),
        ("knight 3x3", knight(3, 3), 7),
        ("knight 3x5", knight(3, 5), 13),
        ("knight 4x4", knight(4, 4), 14),
        ("stacked triangulation, 3 rounds", stacked_triangulation(3), 34),
        ("stacked triangulation, 4 rounds", stacked_triangulation(4), 70),
    ] {
        let Found { upper: bound, witness, .. } = best_bound(&instance, Effort::High, &budget(), optimum);
        assert_eq!(bound, optimum, "{name}: {witness:?}");
        assert_eq!(prove(&instance, &witness), optimum);
    }
}

#[test]
fn what_cannot_be_is_proved_impossible() {
    let two_edges = unit_instance(&[(0, 1), (2, 3)]);
    for instance in [between(two_edges.clone(), 0, 2), closed(two_edges), closed(complete_bipartite(1, 5))] {
        assert_eq!(best_bound(&instance, Effort::Low, &budget(), i64::MIN).upper, i64::MIN);
    }
    let no_end = Instance {
        ends: Ends::Open { first: vec![NOT_AN_END; 2], last: vec![0; 2], single_vertex: true },
        graph: unit_instance(&[(0, 1)]).graph,
    };
    assert_eq!(best_bound(&no_end, Effort::Low, &budget(), i64::MIN).upper, i64::MIN);
    let nothing = Instance::free(CsrGraph::from_simple(0, false, Vec::new()));
    assert_eq!(best_bound(&nothing, Effort::High, &budget(), i64::MIN).upper, i64::MIN);
}

#[test]
fn a_spent_budget_leaves_the_trivial_bound() {
    let instance = complete_bipartite(3, 9);
    let (mut no_memory, mut no_time) = (budget(), budget());
    no_memory.memory = 100;
    no_time.deadline = Some(Instant::now());
    for budget in [no_memory, no_time] {
        let Found { upper: bound, witness, .. } = best_bound(&instance, Effort::High, &budget, i64::MIN);
        assert_eq!(bound, instance.trivial_bound());
        assert_eq!(prove(&instance, &witness), bound);
    }
}

#[test]
fn sides_and_imbalance() {
    let sides = Sides::of(&complete_bipartite(2, 5).graph).unwrap();
    assert_eq!(sides.counts, [(2, 5)]);
    assert_eq!(sides.second, set_of(7, &[2, 3, 4, 5, 6]));
    assert_eq!(Sides::of(&knight(3, 3).graph).unwrap().counts, [(4, 4), (1, 0)]);
    assert_eq!(Sides::of(&stacked_triangulation(1).graph), None);
}

/// The instance's own way to the check and the caller's must agree.
#[test]
fn the_public_check_proves_the_same() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    for round in 0..300 {
        let n = random.random_range(2..12);
        let directed = round % 2 == 1;
        let edges = any_edges(n, directed, 0.3, [0, 7][round / 2 % 2], &mut random);
        let free = Instance::free(CsrGraph::from_simple(n, directed, edges.clone()));
        let (from, to) = (random.random_range(0..n as u32), random.random_range(0..n as u32));
        let through = Instance { ends: Ends::Closed { through: Some(from) }, graph: free.graph.clone() };
        let fixed = between(free.clone(), from, to);
        let (from, to) = (Some(NodeIndex::from(from)), Some(NodeIndex::from(to)));
        for (instance, claim) in [
            (free, Claim::free()),
            (fixed, Claim { from, to, closed: false }),
            (through, Claim { from, to: None, closed: true }),
        ] {
            let Found { upper: bound, witness, .. } = best_bound(&instance, Effort::Low, &budget(), i64::MIN);
            let witness = Witness::Removal(witness.map(|&vertex| NodeIndex::from(vertex)));
            let triples = edges.iter().map(|edge| (edge.source, edge.target, edge.weight));
            let checked = if directed {
                let graph = DiGraph::<(), i64>::from_edges(triples);
                padded(graph, n, |graph| check_bound(graph, |edge| *edge.weight(), &claim, &witness))
            } else {
                let graph = UnGraph::<(), i64>::from_edges(triples);
                padded(graph, n, |graph| check_bound(graph, |edge| *edge.weight(), &claim, &witness))
            };
            assert_eq!(checked, Ok((bound != i64::MIN).then_some(bound)));
        }
    }
}

/// Asks about a graph once it has `n` nodes: lists of edges don't know of isolated ones at the end.
pub(super) fn padded<Direction: petgraph::EdgeType, Answer>(
    mut graph: Graph<(), i64, Direction>,
    n: usize,
    ask: impl FnOnce(&Graph<(), i64, Direction>) -> Answer,
) -> Answer {
    while graph.node_count() < n {
        graph.add_node(());
    }
    ask(&graph)
}

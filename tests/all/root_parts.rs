//! Graphs of which parts are line graphs: components and blocks, under all end rules and limits.

use std::time::Duration;

use crate::support::ask::{Options, ask};
use crate::support::{Ends, Small, rng, shuffle};
use longhaul::{Reduction, Status};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The line graph of a random multigraph, connected.
fn line_graph(rng: &mut Pcg64Mcg, edges: usize) -> Small {
    let vertices = rng.random_range(edges / 3..edges);
    let mut ends: Vec<[usize; 2]> = Vec::new();
    for edge in 0..edges {
        // A tree first, then chords.
        let two = if edge < vertices { edge + 1 } else { rng.random_range(0..=vertices) };
        let one = if edge < vertices {
            rng.random_range(edge.saturating_sub(4)..=edge)
        } else {
            rng.random_range(0..=vertices)
        };
        ends.push([one, two]);
    }
    line_graph_of(&ends)
}

/// The line graph of a multigraph, by the ends of its edges.
fn line_graph_of(ends: &[[usize; 2]]) -> Small {
    let mut pairs = Vec::new();
    for one in 0..ends.len() {
        let later = (one + 1..ends.len()).filter(|&two| ends[one].iter().any(|end| ends[two].contains(end)));
        pairs.extend(later.map(|two| (one, two, 1)));
    }
    Small { nodes: ends.len(), directed: false, edges: pairs }
}

/// The line graph of a random cubic graph: a ring with chords.
fn line_graph_of_cubic(rng: &mut Pcg64Mcg, vertices: usize) -> Small {
    let mut places: Vec<usize> = (0..vertices).collect();
    shuffle(rng, &mut places);
    let ring = (0..vertices).map(|vertex| [vertex, (vertex + 1) % vertices]);
    let ends: Vec<[usize; 2]> = ring.chain(places.chunks(2).map(|pair| [pair[0], pair[1]])).collect();
    line_graph_of(&ends)
}

/// A random graph that is no line graph: its first nodes make a claw.
fn clawed(rng: &mut Pcg64Mcg, nodes: usize, weight: i64) -> Small {
    let mut edges = vec![(0, 1, 1), (0, 2, weight), (0, 3, 1)];
    edges.extend((4..nodes).map(|node| (rng.random_range(0..node), node, 1)));
    for _ in 0..nodes / 2 {
        let (one, two) = (rng.random_range(0..nodes), rng.random_range(4..nodes));
        if one != two && !edges.iter().any(|&(a, b, _)| (a, b) == (one, two) || (a, b) == (two, one)) {
            edges.push((one, two, 1));
        }
    }
    Small { nodes, directed: false, edges }
}

/// All parts side by side; each but the first shares a node with one before it, if that is asked for.
fn joined(rng: &mut Pcg64Mcg, parts: &[Small], glued: bool) -> Small {
    let mut whole = Small { nodes: 0, directed: false, edges: Vec::new() };
    for part in parts {
        let shared = (glued && whole.nodes > 0).then(|| rng.random_range(0..whole.nodes));
        let first = rng.random_range(0..part.nodes);
        let base = whole.nodes;
        let name = |node: usize| match shared {
            Some(shared) if node == first => shared,
            Some(_) if node > first => base + node - 1,
            _ => base + node,
        };
        whole.edges.extend(part.edges.iter().map(|&(one, two, weight)| (name(one), name(two), weight)));
        whole.nodes += part.nodes - usize::from(shared.is_some());
    }
    whole
}

/// The answer of all other engines, and that of the roots.
fn assert_alike(whole: &Small, ends: Ends) {
    let without = Options { without: vec![Reduction::LineGraph], ..Options::default() };
    let plain = ask(&whole.to_graph(), false, ends, &without).unwrap();
    plain.assert_honest(None, None);
    assert!(matches!(plain.status(), Status::Optimal | Status::Infeasible));
    whole.assert_answered(plain.length(), ends, &Options::default());
}

#[test]
fn components_and_blocks() {
    let mut rng = rng(11);
    for round in 0..60 {
        let weight = if round % 5 == 0 { 3 } else { 1 };
        let parts =
            [line_graph(&mut rng, 21 + round % 9), clawed(&mut rng, 22, weight), line_graph(&mut rng, 21 + round % 4)];
        let whole = joined(&mut rng, &parts[..2 + round % 2], round % 3 != 0);
        for ends in Ends::sample(&mut rng, whole.nodes) {
            assert_alike(&whole, ends);
        }
    }
}

#[test]
fn what_is_decided_is_told() {
    let mut rng = rng(12);
    // A component that is a line graph is asked before one that can't beat it, which is not looked at.
    let wheel = |nodes: usize| {
        let rim = (0..nodes).map(|node| (node, (node + 1) % nodes, 1));
        let spokes = (0..nodes).map(|node| (node, nodes, 1));
        Small { nodes: nodes + 1, directed: false, edges: rim.chain(spokes).collect() }
    };
    let ring = |nodes: usize| {
        let near = (0..nodes).flat_map(|node| [1, 2].map(|step| (node, (node + step) % nodes, 1)));
        Small { nodes, directed: false, edges: near.collect() }
    };
    let doubled = |small: &Small| {
        // The line graph of a cycle with every edge doubled: each node, its twin, and both of the next.
        let n = small.nodes;
        let within = (0..n).map(|node| (2 * node, 2 * node + 1, 1));
        let across = (0..n).flat_map(|node| {
            let next = (node + 1) % n;
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(one, two)| (2 * node + one, 2 * next + two, 1))
        });
        Small { nodes: 2 * n, directed: false, edges: within.chain(across).collect() }
    };
    let line = doubled(&ring(30));
    let whole = joined(&mut rng, &[line.clone(), wheel(40)], false);
    let answer = ask(&whole.to_graph(), false, Ends::FREE, &Options::default()).unwrap();
    assert_eq!(answer.length(), Some(59));
    let decisions = &answer.solution.stats().decisions;
    assert_eq!(decisions[1], "trail: a component that is a line graph, its root has 30 vertices and 60 edges");
    assert!(decisions.len() == 3 && decisions[2].starts_with("settled: "), "{decisions:?}");

    // Glued to a wheel, it is a block.
    let whole = joined(&mut rng, &[line, wheel(40)], true);
    let answer = ask(&whole.to_graph(), false, Ends::FREE, &Options::default()).unwrap();
    assert_eq!(answer.length(), Some(59 + 40));
    let decisions = &answer.solution.stats().decisions;
    let told = "trail: a block that is a line graph, its root has 30 vertices and 60 edges";
    assert!(decisions.iter().any(|decision| decision == told), "{decisions:?}");

    let off = Options { without: vec![Reduction::LineGraph], ..Options::default() };
    let answer = ask(&whole.to_graph(), false, Ends::FREE, &off).unwrap();
    assert!(!answer.solution.stats().decisions.iter().any(|decision| decision.starts_with("trail")));
}

/// Trails of wide roots are hard to find where the graph itself has a path through nearly everything: whole graphs, components and
/// blocks.
#[test]
fn sparse_line_graphs_are_tried_themselves() {
    let mut rng = rng(14);
    let mut tried = [0; 3];
    for round in 0..15 {
        let kind = round % 3;
        let (line, other) = (line_graph_of_cubic(&mut rng, 40 + 2 * round), clawed(&mut rng, 30, 1));
        let whole = match kind {
            0 => line,
            1 => joined(&mut rng, &[line, other], false),
            _ => joined(&mut rng, &[line, other], true),
        };
        for ends in [Ends::FREE, Ends { closed: true, ..Ends::FREE }, Ends { from: Some(0), ..Ends::FREE }] {
            assert_alike(&whole, ends);
            let answer = ask(&whole.to_graph(), false, ends, &Options::default()).unwrap();
            let decisions = &answer.solution.stats().decisions;
            let is_tried = decisions.iter().any(|decision| decision.ends_with("the graph itself for a moment"));
            tried[kind] += usize::from(is_tried);
        }
    }
    assert!(tried.iter().all(|&count| count > 2), "{tried:?}");
}

#[test]
fn limits_leave_honest_answers() {
    let mut rng = rng(13);
    for round in 0..12 {
        let parts = [line_graph(&mut rng, 60), clawed(&mut rng, 40, 1), line_graph(&mut rng, 40)];
        let whole = joined(&mut rng, &parts, round % 2 == 0);
        for ends in [Ends::FREE, Ends { from: Some(round), ..Ends::FREE }] {
            let answer = ask(&whole.to_graph(), false, ends, &Options::default()).unwrap();
            answer.assert_honest(None, None);
            let optimum = answer.length();
            assert_eq!(answer.status(), Status::Optimal);
            for limits in [
                Options { time_limit: Some(Duration::ZERO), ..Options::default() },
                Options { time_limit: Some(Duration::from_millis(2)), ..Options::default() },
                Options { memory_limit: Some(20_000), ..Options::default() },
                Options { gap: 5, ..Options::default() },
            ] {
                let answer = ask(&whole.to_graph(), false, ends, &limits).unwrap();
                answer.assert_honest(optimum, optimum);
            }
        }
    }
}

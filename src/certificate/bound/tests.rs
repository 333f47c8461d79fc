use petgraph::Undirected;
use petgraph::csr::Csr;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::stable_graph::StableUnGraph;

use super::*;

fn removal<NodeId>(nodes: Vec<NodeId>) -> Witness<NodeId> {
    Witness::Removal(Removal::of(nodes))
}

fn indices(nodes: &[usize]) -> Vec<NodeIndex> {
    nodes.iter().map(|&node| NodeIndex::new(node)).collect()
}

fn bound(graph: &UnGraph<(), i64>, witness: &Witness<NodeIndex>) -> Result<Option<i64>, WitnessFlaw> {
    check_bound(graph, |edge| *edge.weight(), &Claim::free(), witness)
}

/// Two triangles that share node 0.
fn bow_tie() -> UnGraph<(), i64> {
    UnGraph::from_edges([(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 3, 1), (3, 4, 1), (4, 0, 1)])
}

#[test]
fn a_path_visits_one_component_more_than_nodes_are_removed() {
    assert_eq!(bound(&bow_tie(), &removal(vec![])), Ok(Some(4)));
    let star = UnGraph::<(), i64>::from_edges((1..9).map(|ray| (0, ray, 1)));
    assert_eq!(bound(&star, &removal(vec![])), Ok(Some(8)));
    assert_eq!(bound(&star, &removal(indices(&[3]))), Ok(Some(8)));
    assert_eq!(bound(&star, &removal(indices(&[0]))), Ok(Some(2)));
    assert_eq!(bound(&star, &removal(indices(&[0, 3, 5]))), Ok(Some(2)));
    assert_eq!(bound(&star, &removal(indices(&[3, 0, 5]))), Ok(Some(3)));
    for (from, to, longest) in [(0, None, 1), (4, None, 2), (4, Some(0), 1), (4, Some(5), 2), (0, Some(0), 0)] {
        let claim = Claim { from: Some(from.into()), to: to.map(NodeIndex::new), closed: false };
        assert_eq!(check_bound(&star, |_| 1, &claim, &removal(indices(&[0]))), Ok(Some(longest)), "{claim:?}");
    }
}

#[test]
fn a_cycle_visits_as_many_components_as_nodes_are_removed() {
    let graph = bow_tie();
    let claim = |from| Claim { from, to: None, closed: true };
    assert_eq!(check_bound(&graph, |_| 1, &claim(None), &removal(indices(&[0]))), Ok(Some(3)));
    let without_cycle = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (1, 3)]);
    let all = removal(indices(&[1, 0, 2, 3]));
    assert_eq!(check_bound(&without_cycle, |_| 1, &claim(None), &all), Ok(None));
    let pendant = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]);
    let all = removal(indices(&[2, 0, 1, 3]));
    assert_eq!(check_bound(&pendant, |_| 1, &claim(Some(0.into())), &all), Ok(Some(3)));
    assert_eq!(check_bound(&pendant, |_| 1, &claim(Some(3.into())), &all), Ok(None));
}

#[test]
fn directions_count() {
    // Every edge leads to node 2: no path passes through it.
    let sink = DiGraph::<(), ()>::from_edges([(0, 2), (1, 2), (3, 2)]);
    assert_eq!(check_bound(&sink, |_| 1, &Claim::free(), &removal(indices(&[2]))), Ok(Some(1)));
    let both = DiGraph::<(), ()>::from_edges([(0, 1), (1, 0)]);
    let claim = Claim { from: None, to: None, closed: true };
    assert_eq!(check_bound(&both, |_| 1, &claim, &removal(indices(&[0, 1]))), Ok(Some(2)));
    assert_eq!(check_bound(&both, |_| 1, &Claim::free(), &removal(vec![])), Ok(Some(1)));
}

/// A triangle that a path can't reach: only with a border does it become clear that it doesn't count.
#[test]
fn a_subtour_cut_keeps_out_what_goes_round_in_itself() {
    // 0 ─ 1 ─ 2 ─ 3, and at 1 a triangle 4 5 6; the edges of the triangle are heavy, the way to it is not.
    let edges = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (1, 4, 0), (4, 5, 1), (5, 6, 1), (6, 4, 1)];
    let graph = UnGraph::<(), i64>::from_edges(edges);
    let claim = Claim { from: Some(0.into()), to: Some(3.into()), closed: false };
    let proved = |multiplier: i64| {
        let subtour_cuts = [5, 6].map(|visited| SubtourCut {
            inside: indices(&[4, 5, 6]),
            visited: NodeIndex::new(visited),
            multiplier,
        });
        // The outside pays much for the ends, so that they are taken.
        let shares = Shares { scale: 2, beginning: -60, end: -60, booked: Vec::new() };
        let witness = Witness::Removal(Removal {
            nodes: Vec::new(),
            shares,
            subtour_cuts: subtour_cuts.to_vec(),
            blossoms: Vec::new(),
        });
        check_bound(&graph, |edge| *edge.weight(), &claim, &witness).unwrap().unwrap()
    };
    assert_eq!(proved(0), 15);
    assert!((12..15).contains(&proved(1)));
}

/// Of three heavy edges between two triangles a cycle uses two.
#[test]
fn a_blossom_counts_crossings_by_twos() {
    let edges = [(0, 1, 1), (1, 2, 1), (2, 0, 1), (3, 4, 1), (4, 5, 1), (5, 3, 1), (0, 3, 4), (1, 4, 4), (2, 5, 4)];
    let graph = UnGraph::<(), i64>::from_edges(edges);
    let cycle = Claim { from: None, to: None, closed: true };
    let proved = |multiplier: i64, teeth: &[(usize, usize)]| {
        let teeth = teeth.iter().map(|&(one, two)| (NodeIndex::new(one), NodeIndex::new(two))).collect();
        let blossoms = vec![Blossom { inside: indices(&[0, 1, 2]), teeth, multiplier }];
        let witness = Witness::Removal(Removal { blossoms, ..Removal::of(Vec::new()) });
        check_bound(&graph, |edge| *edge.weight(), &cycle, &witness)
    };
    let teeth = [(0, 3), (1, 4), (5, 2)];
    // The longest cycle is 0 1 2 5 4 3, of length 12.
    assert_eq!([0, 4, 6].map(|multiplier| proved(multiplier, &teeth)), [15, 13, 12].map(|bound| Ok(Some(bound))));
    for wrong in [&teeth[..2], &[(0, 3), (1, 4), (1, 4)], &[(0, 1)], &[(3, 4)], &[(0, 3), (1, 4), (2, 9)]] {
        assert_eq!(proved(4, wrong), Err(WitnessFlaw::Blossom(0)), "{wrong:?}");
    }
    assert_eq!(proved(-1, &teeth), Err(WitnessFlaw::Blossom(0)));
}

#[test]
fn parallel_edges_loops_and_holes_do_not_matter() {
    let untidy = UnGraph::<(), i64>::from_edges([(0, 1, 1), (1, 0, 5), (1, 1, 90), (1, 2, 2), (2, 1, -3)]);
    assert_eq!(bound(&untidy, &removal(indices(&[1]))), Ok(Some(7)));
    let booked = vec![(1.into(), 0.into(), 5), (1.into(), 2.into(), 2)];
    let shares = Shares { scale: 1, beginning: 0, end: 0, booked };
    let witness =
        Witness::Removal(Removal { nodes: Vec::new(), shares, subtour_cuts: Vec::new(), blossoms: Vec::new() });
    assert_eq!(bound(&untidy, &witness), Ok(Some(7)));

    let mut stable = StableUnGraph::<(), i64>::from_edges([(0, 1, 1), (1, 2, 1), (2, 3, 1), (1, 4, 1)]);
    stable.remove_node(0.into());
    let ask = |nodes: &[usize]| check_bound(&stable, |_| 1, &Claim::free(), &removal(indices(nodes)));
    assert_eq!(ask(&[1, 2]), Ok(Some(3)));
    assert_eq!(ask(&[1, 0]), Err(WitnessFlaw::UnknownNode(1)));

    let mut csr = Csr::<(), (), Undirected>::with_nodes(4);
    for ray in 1..4 {
        csr.add_edge(0, ray, ());
    }
    assert_eq!(check_bound(&csr, |_| 1, &Claim::free(), &removal(vec![0])), Ok(Some(2)));
}

#[test]
fn witnesses_that_do_not_fit_are_refused() {
    let graph = bow_tie();
    assert_eq!(bound(&graph, &removal(indices(&[0, 9]))), Err(WitnessFlaw::UnknownNode(1)));
    assert_eq!(bound(&graph, &removal(indices(&[0, 3, 0]))), Err(WitnessFlaw::Repeated(0, 2)));
    let with_shares = |scale, booked: &[(usize, usize, i64)]| {
        Witness::Removal(Removal {
            nodes: Vec::new(),
            shares: Shares {
                scale,
                beginning: 0,
                end: 0,
                booked: booked
                    .iter()
                    .map(|&(node, other, amount)| (NodeIndex::new(node), NodeIndex::new(other), amount))
                    .collect(),
            },
            subtour_cuts: Vec::new(),
            blossoms: Vec::new(),
        })
    };
    assert_eq!(bound(&graph, &with_shares(0, &[])), Err(WitnessFlaw::Scale(0)));
    assert_eq!(bound(&graph, &with_shares(i64::MAX, &[])), Err(WitnessFlaw::Scale(i64::MAX)));
    assert_eq!(bound(&graph, &with_shares(1, &[(0, 1, 1), (1, 3, 0)])), Err(WitnessFlaw::NotAnEdge(1)));
    assert_eq!(bound(&graph, &with_shares(1, &[(0, 1, 1), (1, 0, 0)])), Err(WitnessFlaw::BookedTwice(1)));
    let absurd = with_shares(1, &[(0, 1, i64::MIN), (1, 2, i64::MIN), (2, 0, i64::MIN), (0, 3, i64::MIN)]);
    assert_eq!(bound(&graph, &absurd), Err(WitnessFlaw::Overflow));
    let directed = DiGraph::<(), i64>::from_edges([(0, 1, 1)]);
    let backwards = check_bound(&directed, |_| 1, &Claim::free(), &with_shares(1, &[(1, 0, 1)]));
    assert_eq!(backwards, Err(WitnessFlaw::NotAnEdge(0)));

    let with_subtour_cut = |inside: &[usize], visited: usize, multiplier: i64| {
        Witness::Removal(Removal {
            nodes: Vec::new(),
            shares: Shares::halves(),
            subtour_cuts: vec![SubtourCut { inside: indices(inside), visited: NodeIndex::new(visited), multiplier }],
            blossoms: Vec::new(),
        })
    };
    assert!(bound(&graph, &with_subtour_cut(&[1, 2], 1, 3)).is_ok());
    for wrong in [
        with_subtour_cut(&[1, 1], 1, 3),
        with_subtour_cut(&[1, 2], 3, 3),
        with_subtour_cut(&[1, 9], 1, 3),
        with_subtour_cut(&[1, 2], 1, -3),
        with_subtour_cut(&[], 1, 3),
    ] {
        assert_eq!(bound(&graph, &wrong), Err(WitnessFlaw::SubtourCut(0)), "{wrong:?}");
    }
    // A cycle may lie inside a border, unless it must visit a node outside.
    let cycle = |from| Claim { from, to: None, closed: true };
    let subtour_cut = with_subtour_cut(&[1, 2], 1, 3);
    for (from, fits) in [(None, false), (Some(1), false), (Some(3), true)] {
        let answer = check_bound(&graph, |_| 1, &cycle(from.map(NodeIndex::new)), &subtour_cut);
        assert_eq!(answer.is_ok(), fits, "{from:?}");
    }
    let nowhere = Claim { from: Some(NodeIndex::new(9)), to: None, closed: false };
    assert_eq!(check_bound(&graph, |_| 1, &nowhere, &removal(vec![])), Err(WitnessFlaw::UnknownEnd));
}

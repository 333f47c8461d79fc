//! Random graphs with everything in them that a reduction looks for, against the brute force.
//!
//! A failure is shrunk; its seed goes to `graphs/regressions/planted.txt` and is tried first from then on. Graphs worth
//! keeping for good are instance files beside it, replayed here too.

use crate::support::ask::Options;
use crate::support::{Ends, Small};
use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, Reduction};
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use proptest::test_runner::FileFailurePersistence;

const MOST_NODES: usize = 10;

/// Something that is added to a graph in the making.
#[derive(Clone, Copy, Debug)]
enum Planted {
    /// A cycle through an old node, with a chord.
    Block,
    /// A run of new nodes between two old ones.
    Chain,
    /// New leaves and their leaves, below an old node.
    Tree,
    /// New nodes with the neighbours of an old one, joined to it and to each other.
    ClosedTwins,
    /// New nodes with the neighbours of an old one.
    OpenTwins,
    /// Where directed: a cycle that can be reached from an old node, or from which one can be reached. Else a component.
    StrongComponent,
    /// An edge between two old nodes.
    Edge,
}

#[derive(Clone, Debug)]
struct Part {
    what: Planted,
    fresh: usize,
    places: [Index; 3],
    weights: Vec<i64>,
    both_ways: bool,
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    use Planted::{Block, Chain, ClosedTwins, Edge, OpenTwins, StrongComponent, Tree};
    let weights = prop_oneof![Just(1_i64..=1), Just(0..=3), Just(-5..=9)];
    weights.prop_flat_map(|weights| {
        let what = prop::sample::select(vec![Block, Chain, Tree, ClosedTwins, OpenTwins, StrongComponent, Edge]);
        let part = (what, 1usize..=4, any::<[Index; 3]>(), prop::collection::vec(weights, 1..=5), any::<bool>());
        let part =
            part.prop_map(|(what, fresh, places, weights, both_ways)| Part { what, fresh, places, weights, both_ways });
        prop::collection::vec(part, 0..8)
    })
}

/// The graph in the making.
struct Garden {
    small: Small,
}

impl Garden {
    fn join(&mut self, a: usize, b: usize, part: &Part) {
        let count = self.small.edges.len();
        let weight = |count: usize| part.weights[count % part.weights.len()];
        self.small.edges.push((a, b, weight(count)));
        if self.small.directed && part.both_ways {
            self.small.edges.push((b, a, weight(count + 1)));
        }
    }

    fn walk(&mut self, nodes: &[usize], part: &Part) {
        for pair in nodes.windows(2) {
            self.join(pair[0], pair[1], part);
        }
    }

    fn plant(&mut self, part: &Part) {
        let old = self.small.nodes;
        let [from, to, any] = part.places.map(|place| place.index(old));
        let fresh = part.fresh.min(MOST_NODES - old);
        if fresh == 0 && !matches!(part.what, Planted::Edge) {
            return;
        }
        let new: Vec<usize> = (old..old + fresh).collect();
        match part.what {
            Planted::Edge => return self.join(from, to, part),
            Planted::Block => {
                let cycle: Vec<usize> = [from].into_iter().chain(new).chain([from]).collect();
                self.walk(&cycle, part);
                self.join(cycle[any % cycle.len()], cycle[to % cycle.len()], part);
            }
            Planted::Chain => {
                let chain: Vec<usize> = [from].into_iter().chain(new).chain([to]).collect();
                self.walk(&chain, part);
            }
            Planted::Tree => {
                for node in new {
                    let parent = if node == old || node % 2 == any % 2 { from } else { node - 1 };
                    self.join(parent, node, part);
                }
            }
            Planted::ClosedTwins | Planted::OpenTwins => {
                let closed = matches!(part.what, Planted::ClosedTwins);
                let edges = self.small.edges.clone();
                let mut twins = vec![from];
                for node in new {
                    for &(a, b, weight) in edges.iter().filter(|(a, b, _)| a != b) {
                        if a == from {
                            self.small.edges.push((node, b, weight));
                        } else if b == from {
                            self.small.edges.push((a, node, weight));
                        }
                    }
                    for &twin in twins.iter().filter(|_| closed) {
                        self.join(twin, node, part);
                    }
                    twins.push(node);
                }
            }
            Planted::StrongComponent => {
                let cycle: Vec<usize> = new.iter().copied().chain([old]).collect();
                self.walk(&cycle, part);
                if self.small.directed {
                    let (a, b) = if part.both_ways { (from, old) } else { (old, from) };
                    self.small.edges.push((a, b, part.weights[0]));
                }
            }
        }
        self.small.nodes += fresh;
    }
}

fn planted() -> impl Strategy<Value = Small> {
    (any::<bool>(), parts()).prop_map(|(directed, parts)| {
        let mut garden = Garden { small: Small { nodes: 1, directed, edges: Vec::new() } };
        for part in &parts {
            garden.plant(part);
        }
        garden.small
    })
}

/// Free, from, to, both, closed, closed through a node.
fn ends() -> impl Strategy<Value = (Option<Index>, Option<Index>, bool)> {
    let end = || prop::option::of(any::<Index>());
    prop_oneof![
        4 => (end(), end()).prop_map(|(from, to)| (from, to, false)),
        1 => end().prop_map(|from| (from, None, true)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/graphs/regressions/planted.txt"
        )))),
        ..ProptestConfig::with_cases(3000)
    })]

    #[test]
    fn planted_graphs(
        small in planted(),
        (from, to, closed) in ends(),
        without in subsequence(Reduction::ALL.to_vec(), 0..=Reduction::ALL.len()),
    ) {
        let place = |end: Option<Index>| end.map(|end| end.index(small.nodes));
        let ends = Ends { from: place(from), to: place(to), closed };
        let expected = small.longest(ends);
        small.assert_answered(expected, ends, &Options { without, ..Options::default() });
        small.assert_answered(expected, ends, &Options::default());
    }
}

#[test]
fn kept_graphs() {
    let mut count = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/graphs/regressions")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "gr") {
            continue;
        }
        count += 1;
        let file = GraphFile::open(&path, &ReadOptions::default()).unwrap();
        let small = Small::from_graph(&file.graph, file.directed);
        for ends in Ends::all(small.nodes) {
            let expected = small.longest(ends);
            for engine in [Engine::Auto, Engine::Backtracking] {
                small.assert_answered(expected, ends, &Options::engine(engine));
            }
            for reduction in Reduction::ALL {
                small.assert_answered(expected, ends, &Options { without: vec![reduction], ..Options::default() });
            }
        }
    }
    assert!(count > 0, "the folder is there and is read");
}

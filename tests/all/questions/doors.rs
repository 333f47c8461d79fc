//! Requests that are refused, and answers that are stored.

use longhaul::{Engine, LongestPath, Status};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::UndirectedAdaptor;

use super::shapes::grid;

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

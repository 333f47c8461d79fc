//! What a picture shows.

use petgraph::graph::NodeIndex;

use crate::io::GraphFile;

/// The path, or the cycle, that a picture shows; without nodes there is none.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The nodes in order.
    pub nodes: &'a [NodeIndex],
    /// Whether the last node is followed by the first.
    pub closed: bool,
}

impl Shown<'_> {
    /// The steps of the path, from node to node.
    pub(super) fn steps(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> + '_ {
        let closing = self.closed && self.nodes.len() > 1;
        let back = closing.then(|| (self.nodes[self.nodes.len() - 1], self.nodes[0]));
        self.nodes.windows(2).map(|pair| (pair[0], pair[1])).chain(back)
    }
}

/// What the picture is of.
pub(super) fn title(file: &GraphFile, shown: &Shown<'_>) -> String {
    let (n, m) = (file.graph.node_count(), file.graph.edge_count());
    let kind = if shown.closed { "cycle" } else { "path" };
    let graph = format!("a {}graph of {n} nodes and {m} edges", if file.directed { "directed " } else { "" });
    match shown.nodes.len() {
        0 => graph,
        count => format!("{graph}, with a {kind} of {count} nodes"),
    }
}

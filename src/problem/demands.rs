//! What may be asked of a longest path beside its ends: prizes, musts and must-nots, so many edges, no chords.

use super::path::LongestPath;
use crate::view::InputGraph;

impl<'a, G: InputGraph> LongestPath<'a, G> {
    /// What visiting a node adds to the length, at the ends of the path too; negative ones are welcome.
    /// \[default: 0 each\]
    ///
    /// Prizes come on top of the weights of the edges, which are 1 each unless [`weights`](Self::weights) says otherwise; for
    /// prizes alone let them weigh 0. A path of a single node earns the prize of that node.
    ///
    /// ```
    /// # use longhaul::LongestPath;
    /// # use petgraph::graph::UnGraph;
    /// // prizes: 5 ─ -1 ─ 4
    /// //               └─ 7
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (1, 3)]);
    /// let prizes = [5, -1, 4, 7];
    /// let solution = LongestPath::new(&graph).weights(|_| 0).prizes(|node| prizes[node.index()]).solve()?;
    /// assert_eq!(solution.length(), Some(11)); // 0 ─ 1 ─ 3
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    #[must_use]
    pub fn prizes(mut self, prize: impl Fn(G::NodeId) -> i64 + Send + 'a) -> Self {
        self.prizes = Some(Box::new(prize));
        self
    }

    /// The path visits all these nodes. If none can, the answer is [`Infeasible`](crate::Status::Infeasible), proved.
    /// \[default: it need not visit any\]
    ///
    /// ```
    /// # use longhaul::LongestPath;
    /// # use petgraph::graph::UnGraph;
    /// // 0 ─ 1 ─ 2 ─ 3
    /// //     └ 4
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (1, 4)]);
    /// let solution = LongestPath::new(&graph).visit([0.into(), 4.into()]).solve()?;
    /// assert_eq!((solution.length(), solution.is_optimal()), (Some(2), true)); // 0 ─ 1 ─ 4
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    #[must_use]
    pub fn visit(mut self, nodes: impl IntoIterator<Item = G::NodeId>) -> Self {
        self.demands.visit.extend(nodes);
        self
    }

    /// The path visits none of these nodes. \[default: it may visit all\]
    #[must_use]
    pub fn avoid(mut self, nodes: impl IntoIterator<Item = G::NodeId>) -> Self {
        self.demands.avoid.extend(nodes);
        self
    }

    /// The path uses all these edges. \[default: it need not use any\]
    #[must_use]
    pub fn use_edges(mut self, edges: impl IntoIterator<Item = G::EdgeId>) -> Self {
        self.demands.use_edges.extend(edges);
        self
    }

    /// The path goes directly from the first node of each pair to the second (without directions, or the other way round), by
    /// whichever of the edges there. \[default: it need not\]
    ///
    /// Where there are no parallel edges, that is [`use_edges`](Self::use_edges); where there are, paths by each of them count.
    ///
    /// ```
    /// # use longhaul::LongestPath;
    /// # use petgraph::graph::UnGraph;
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (0, 1), (1, 2)]);
    /// let question = LongestPath::new(&graph).use_steps([[1.into(), 0.into()]]);
    /// assert_eq!(question.count()?.count(), Some(2u32.into()));
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    #[must_use]
    pub fn use_steps(mut self, pairs: impl IntoIterator<Item = [G::NodeId; 2]>) -> Self {
        self.demands.use_steps.extend(pairs);
        self
    }

    /// The path uses none of these edges. \[default: it may use all\]
    #[must_use]
    pub fn avoid_edges(mut self, edges: impl IntoIterator<Item = G::EdgeId>) -> Self {
        self.demands.avoid_edges.extend(edges);
        self
    }

    /// The path (the cycle) has at least `k` edges. \[default: as few as it likes\] \[range: 1..\]
    #[must_use]
    pub fn at_least(mut self, k: usize) -> Self {
        self.demands.at_least = Some(k);
        self
    }

    /// The path (the cycle) has at most `k` edges. \[default: as many as it likes\] \[range: 1..\]
    ///
    /// ```
    /// # use longhaul::LongestPath;
    /// # use petgraph::graph::UnGraph;
    /// let graph = UnGraph::<(), i64>::from_edges([(0, 1, 3), (1, 2, 1), (2, 3, 3), (0, 3, 4)]);
    /// let question = LongestPath::new(&graph).weights(|edge| *edge.weight()).at_most(2);
    /// assert_eq!(question.solve()?.length(), Some(7)); // 1 ─ 0 ─ 3
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    #[must_use]
    pub fn at_most(mut self, k: usize) -> Self {
        self.demands.at_most = Some(k);
        self
    }

    /// Ask for the longest *induced* path (or cycle): no edge of the graph joins two of its nodes but those along it. Edges
    /// that are [avoided](Self::avoid_edges) are no edges here. \[default: chords do not matter\]
    ///
    /// In hypercubes this is the *snake in the box* (the *coil*, if closed): W. H. Kautz, *Unit-distance error-checking codes*,
    /// IRE Transactions on Electronic Computers EC-7(2), 1958, DOI 10.1109/TEC.1958.5222529.
    ///
    /// ```
    /// # use longhaul::LongestPath;
    /// # use petgraph::graph::UnGraph;
    /// // The cube of 3 dimensions.
    /// let pairs = (0u32..8).flat_map(|a| [1, 2, 4].map(|bit| (a, a ^ bit))).filter(|(a, b)| a < b);
    /// let cube = UnGraph::<(), ()>::from_edges(pairs);
    /// assert_eq!(LongestPath::new(&cube).induced().solve()?.length(), Some(4));
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    #[must_use]
    pub fn induced(mut self) -> Self {
        self.demands.induced = true;
        self
    }
}

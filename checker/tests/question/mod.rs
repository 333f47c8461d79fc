//! Random questions about small graphs, with all that they may have.

use crate::random::Random;
use longhaul_check::graph::Graph;

impl Random {
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }
}

/// A question with all that it may have.
pub(crate) struct Question {
    pub(crate) graph: Graph,
    pub(crate) prizes: Vec<i64>,
    pub(crate) first: Vec<Option<i64>>,
    pub(crate) last: Vec<Option<i64>>,
    /// The vertex to be visited, from 1, or 0, where cycles are asked for.
    pub(crate) cycle: Option<usize>,
}

impl Question {
    pub(crate) fn random(random: &mut Random) -> Self {
        let n = 1 + random.below(7);
        let directed = random.below(2) == 0;
        let m = random.below(3 * n + 1);
        let edges: Vec<_> =
            (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32, random.between(-2, 5))).collect();
        let has_prizes = random.below(3) == 0;
        let prizes = (0..n).map(|_| if has_prizes { random.between(-3, 4) } else { 0 }).collect();
        let mut ends = |kind: usize| -> Vec<Option<i64>> {
            let only = random.below(n);
            (0..n)
                .map(|vertex| match kind {
                    0 => Some(0),
                    1 => (vertex == only).then_some(0),
                    _ => (random.below(2) == 0).then(|| random.between(-2, 3)),
                })
                .collect()
        };
        let first = ends(n % 3);
        let last = if n.is_multiple_of(2) { first.clone() } else { ends(m % 3) };
        let cycle = (random.below(4) == 0).then(|| random.below(n + 1));
        Question { graph: Graph::new(directed, n, edges), prizes, first, last, cycle }
    }

    pub(crate) fn weight(&self, from: usize, to: usize) -> Option<i64> {
        self.graph.edge(from as u32, to as u32).map(|edge| self.graph.edges[edge as usize].2)
    }

    /// A proof of a claim, as far as its steps.
    pub(crate) fn head(&self, claim: Option<i64>) -> String {
        let Graph { directed, n, edges, .. } = &self.graph;
        let mut text = format!("longhaul-proof 1\ngraph {n} {} ", edges.len());
        text += if *directed { "directed" } else { "undirected" };
        text += &format!(" {}\n", self.graph.digest());
        if self.prizes.iter().any(|&prize| prize != 0) {
            text += &format!("prizes {n}");
            self.prizes.iter().zip(1..).for_each(|(prize, vertex)| text += &format!(" {vertex} {prize}"));
        }
        match self.cycle {
            Some(through) => text += &format!("\ncycle {through}"),
            None => {
                text += "\npath";
                for (word, prizes) in [("first", &self.first), ("last", &self.last)] {
                    let ends = prizes.iter().zip(1..).filter_map(|(prize, vertex)| Some((vertex, (*prize)?)));
                    text += &format!(" {word} only {}", ends.clone().count());
                    ends.for_each(|(vertex, prize)| text += &format!(" {vertex} {prize}"));
                }
            }
        }
        text += "\nbest 0\nclaim ";
        text + &told(claim)
    }
}

pub(crate) fn told(claim: Option<i64>) -> String {
    claim.map_or("none".to_owned(), |claim| claim.to_string())
}

//! Trails of a root, in place of paths of its line graph.
//!
//! Where neighbours in the graph always share an end as edges of another multigraph, its root, a path is a sequence of edges of
//! the root each of which shares a vertex with the next. These vertices, one after the other, are those of a trail (which
//! traverses no edge twice: between two different ones the path goes on by the edge between them, and it visits that once), and
//! each edge of the sequence has an end among them. So a path has no more vertices than edges *meet* some trail of the root.
//! A closed trail meets as much without its last edge, and loops may be left out: so this trail is a single vertex, which is looked at
//! at the beginning, or has an edge and two different ends. There are columns for the edges that it uses, the vertices that it visits,
//! its tips, and for every edge that is *lost*, meeting it nowhere. With the outside between its tips the trail is closed: it
//! crosses the border of each set an even number of times, tips inside counted, and at least twice if it visits the inside.

use crate::graph::Graph;
use crate::model::{Cut, Model, Row};
use crate::token::Tokens;

impl Model {
    /// Reads a root, `count u v …` with the ends of each vertex of the graph or two zeros, and makes it the model.
    pub(crate) fn root(&self, tokens: &mut Tokens<'_>, target: Option<i64>) -> Result<Model, String> {
        let earns = |ends: &[Option<i64>]| ends.iter().flatten().any(|&prize| prize > 0);
        if self.graph.directed || self.closed || earns(&self.first) || earns(&self.last) {
            return Err("root: only paths of undirected graphs whose ends earn nothing have roots".to_owned());
        }
        if self.graph.edges.iter().any(|edge| edge.2 > 1) {
            return Err("root: an edge weighs more than 1".to_owned());
        }
        let n = tokens.index(2 * self.graph.n + 1, "number of vertices")? as usize;
        let mut edges = Vec::with_capacity(self.graph.n);
        for _ in 0..self.graph.n {
            edges.push([tokens.index(n + 1, "vertex")?, tokens.index(n + 1, "vertex")?]);
        }
        for &(u, v, _) in &self.graph.edges {
            let [one, two] = [edges[u as usize], edges[v as usize]];
            if !one.iter().any(|end| *end > 0 && two.contains(end)) {
                return Err(format!("root: {} and {} are neighbours and share no end", u + 1, v + 1));
            }
        }
        let (mut around, mut met) = (vec![Vec::new(); n], vec![0i64; n]);
        for (index, &[u, v]) in (0..).zip(&edges).filter(|(_, ends)| **ends != [0, 0]) {
            let both = u.checked_sub(1).zip(v.checked_sub(1));
            let (u, v) = both.ok_or_else(|| format!("root: {} has one end", index + 1))?;
            met[u as usize] += 1;
            if u != v {
                met[v as usize] += 1;
                around[u as usize].push((v, index));
                around[v as usize].push((u, index));
            }
        }
        // A trail of one vertex: all edges there, one after the other.
        let most = met.into_iter().max().unwrap_or(0);
        if target.is_none_or(|target| most - 1 > target) {
            return Err(format!("root: {most} edges meet in one vertex, which is more than the claim"));
        }
        // As its weight, whether it is one.
        let edges = edges.iter().map(|&[u, v]| (u.saturating_sub(1), v.saturating_sub(1), i64::from(u > 0))).collect();
        let graph = Graph { directed: false, n, edges, around };
        let ends = vec![Some(0); n];
        Ok(Model {
            graph,
            closed: false,
            through: None,
            first: ends.clone(),
            last: ends,
            alike: true,
            factor: 1,
            trails: true,
            question: String::new(),
        })
    }

    /// The column of an edge's being lost, in trails.
    pub(crate) fn lost(&self, edge: u32) -> u32 {
        (self.graph.edges.len() + 3 * self.graph.n) as u32 + edge
    }

    /// Trails with the outside between their tips are closed. If the inside is visited, two cross its border. If all teeth are used, which
    /// are odd in number, so is another that crosses.
    pub(crate) fn border(&self, cut: &Cut, row: &mut Row) {
        let (Cut::Set { inside, .. } | Cut::Blossom { inside, .. }) = cut;
        for &vertex in inside {
            let across =
                self.graph.around[vertex as usize].iter().filter(|(other, _)| inside.binary_search(other).is_err());
            row.entries.extend(across.map(|&(_, edge)| (edge, -1)));
            row.entries.push((self.start(vertex), -1));
        }
        match cut {
            Cut::Set { visited, .. } => row.entries.push((self.visit(*visited), 2)),
            Cut::Blossom { teeth, .. } => {
                row.entries.extend(teeth.iter().map(|&column| (column, 2)));
                row.most = teeth.len() as i64 - 1;
            }
        }
    }
}

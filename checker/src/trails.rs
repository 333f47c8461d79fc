//! Trails of a root, in place of paths of its line graph.
//!
//! Where neighbours in the graph always share an end as edges of another multigraph, its root, a path is a sequence of edges of
//! the root each of which shares a vertex with the next. These vertices, one after the other, are those of a trail (which
//! traverses no edge twice: between two different ones the path goes on by the edge between them, and it visits that once), and
//! each edge of the sequence has an end among them. So a path has no more vertices than edges *meet* some trail of the root.
//! Loops may be left out, and a trail whose first or last vertex is visited once more meets as much without the edge there. So let
//! it be one with as few edges as may be: it is a single vertex, which is looked at at the beginning, or has two different ends, each
//! with one of its edges. There are columns for the edges that it uses, the vertices that it visits,
//! its tips, and for every edge that is *lost*, meeting it nowhere. With the outside between its tips the trail is closed: it
//! crosses the border of each set an even number of times, tips inside counted, and at least twice if it visits the inside.

#[cfg(test)]
#[path = "../tests/rows/mod.rs"]
mod tests;

use crate::graph::Graph;
use crate::model::Model;
use crate::token::Tokens;

impl Model {
    /// Reads a root, `count u v …` with the ends of each vertex of the graph or two zeros, and makes it the model.
    pub(crate) fn root(&self, tokens: &mut Tokens<'_>, target: Option<i64>) -> Result<Model, String> {
        let earns = self.first.iter().chain(&self.last).flatten().any(|&prize| prize > 0);
        if self.graph.directed || self.closed || earns {
            return Err("root: only paths of undirected graphs whose ends earn nothing have roots".to_owned());
        }
        if self.graph.edges.iter().any(|edge| edge.2 > 1) {
            return Err("root: an edge weighs more than 1".to_owned());
        }
        let n = tokens.index(2 * self.graph.n + 1, "number of vertices")? as usize;
        // As its weight, whether it is one. A loop counts once where it is.
        let (mut edges, mut around, mut met) = (Vec::new(), vec![Vec::new(); n], vec![0; n + 1]);
        for index in 0..self.graph.n as u32 {
            let (u, v, is_one) = match (tokens.optional(n, "vertex")?, tokens.optional(n, "vertex")?) {
                (Some(u), Some(v)) => (u, v, 1),
                (None, None) => (0, 0, 0),
                _ => return Err(format!("root: {} has one end", index + 1)),
            };
            edges.push((u, v, is_one));
            met[u as usize] += is_one;
            if u != v {
                met[v as usize] += 1;
                around[u as usize].push((v, index));
                around[v as usize].push((u, index));
            }
        }
        for &(u, v, _) in &self.graph.edges {
            let [(a, b, one), (c, d, two)] = [u, v].map(|vertex| edges[vertex as usize]);
            if one + two < 2 || (a != c && a != d && b != c && b != d) {
                return Err(format!("root: {} and {} are neighbours and share no end", u + 1, v + 1));
            }
        }
        // A trail of one vertex: all edges there, one after the other.
        let most = met.into_iter().max().unwrap_or(0);
        if target.is_none_or(|target| most - 1 > target) {
            return Err(format!("root: {most} edges meet in one vertex, which is more than the claim"));
        }
        let graph = Graph { directed: false, n, edges, around };
        let (first, last) = (vec![Some(0); n], vec![Some(0); n]);
        Ok(Model { graph, closed: false, through: None, first, last, alike: true, factor: 1, trails: true })
    }
}

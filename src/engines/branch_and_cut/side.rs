//! Rows beside those of every path: how many edges it has, and that it has no chord.
//!
//! For induced paths: an edge is used where both its ends are visited, and of a clique of three vertices or more two are visited
//! at most (F. Bökler, M. Chimani, M. H. Wagner, T. Wiedera, *An experimental study of ILP formulations for the longest induced
//! path problem*, ISCO 2020, DOI 10.1007/978-3-030-53262-8_8). All of them stand from the beginning: whoever makes paths without
//! asking the program has to ask [`Side::allows`].

use hashbrown::HashSet;

use super::model::Model;
use crate::instance::{Ends, Instance};
use crate::lp::proof::Row;
use crate::view::CsrGraph;

/// What is asked of a path beside its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// So many edges, a cycle's closing one among them.
    pub(crate) at_least: u32,
    pub(crate) at_most: u32,
    pub(crate) induced: bool,
}

impl Side {
    /// The rows for the columns of a model.
    pub(super) fn rows(&self, model: &Model<'_>) -> Vec<Row> {
        let edges = model.edges() as u32;
        let mut rows = Vec::new();
        if self.at_most < model.vertices() as u32 {
            let entries = (0..edges).map(|edge| (edge, -1)).collect();
            rows.push(Row { entries, least: -i64::from(self.at_most), is_equation: false });
        }
        if self.at_least > 1 {
            let entries = (0..edges).map(|edge| (edge, 1)).collect();
            rows.push(Row { entries, least: i64::from(self.at_least), is_equation: false });
        }
        if self.induced {
            let closed = matches!(model.instance.ends, Ends::Closed { .. });
            rows.extend(chord_rows(model, closed));
            if !closed {
                rows.extend(clique_rows(model));
            }
        }
        rows
    }

    /// Whether a path or cycle of the instance meets this.
    pub(super) fn allows(&self, instance: &Instance, path: &[u32]) -> bool {
        let closed = matches!(instance.ends, Ends::Closed { .. });
        let edges = path.len() - usize::from(!closed);
        let fits = (self.at_least as usize..=self.at_most as usize).contains(&edges);
        fits && (!self.induced || !has_chord(&instance.graph, path, closed))
    }
}

fn has_chord(graph: &CsrGraph, path: &[u32], closed: bool) -> bool {
    let mut place = vec![usize::MAX; graph.vertex_count()];
    path.iter().enumerate().for_each(|(at, &vertex)| place[vertex as usize] = at);
    let follows = |one: usize, two: usize| one + 1 == two || (closed && one + 1 == path.len() && two == 0);
    graph.edges().iter().any(|edge| {
        let (one, two) = (place[edge.source as usize], place[edge.target as usize]);
        let both = one != usize::MAX && two != usize::MAX;
        both && !follows(one, two) && (graph.is_directed() || !follows(two, one))
    })
}

/// Where both ends of an edge are visited it is used; of two opposite arcs one would be a chord, but for a cycle of two.
fn chord_rows(model: &Model<'_>, closed: bool) -> Vec<Row> {
    let graph = &model.instance.graph;
    let mut rows = Vec::new();
    for (column, edge) in (0..).zip(graph.edges()) {
        let (one, two) = (model.visit(edge.source), model.visit(edge.target));
        let back = if graph.is_directed() { graph.edge_between(edge.target, edge.source) } else { None };
        match back {
            None => rows.push(Row { entries: vec![(column, 1), (one, -1), (two, -1)], least: -1, is_equation: false }),
            // Once for both.
            Some(back) if back < column => {}
            Some(back) if closed => {
                rows.push(Row { entries: vec![(column, 1), (back, -1)], least: 0, is_equation: true });
                let entries = vec![(column, 1), (back, 1), (one, -1), (two, -1)];
                rows.push(Row { entries, least: -1, is_equation: false });
            }
            Some(_) => rows.push(Row { entries: vec![(one, -1), (two, -1)], least: -1, is_equation: false }),
        }
    }
    rows
}

/// Cliques that grow from edges no clique has yet, each by the first vertex that fits.
fn clique_rows(model: &Model<'_>) -> Vec<Row> {
    let graph = &model.instance.graph;
    let joined = |one: u32, two: u32| graph.edge_between(one, two).is_some() || graph.edge_between(two, one).is_some();
    let mut covered: HashSet<(u32, u32)> = HashSet::new();
    let mut rows = Vec::new();
    for edge in graph.edges() {
        let pair = (edge.source.min(edge.target), edge.source.max(edge.target));
        if covered.contains(&pair) {
            continue;
        }
        let mut clique = vec![pair.0, pair.1];
        let arcs = graph.out_arcs(pair.0).iter().chain(if graph.is_directed() { graph.in_arcs(pair.0) } else { &[] });
        for arc in arcs {
            if !clique.contains(&arc.target) && clique.iter().all(|&member| joined(member, arc.target)) {
                clique.push(arc.target);
            }
        }
        if clique.len() < 3 {
            continue;
        }
        for (at, &one) in clique.iter().enumerate() {
            covered.extend(clique[..at].iter().map(|&two| (one.min(two), one.max(two))));
        }
        let entries = clique.iter().map(|&vertex| (model.visit(vertex), -1)).collect();
        rows.push(Row { entries, least: -2, is_equation: false });
    }
    rows
}

/// Of a path with free ends that has too many edges the best part that has not; what is short enough is left as it is.
pub(super) fn shortened(instance: &Instance, side: Side, path: Vec<u32>) -> Vec<u32> {
    let most = side.at_most as usize + 1;
    if path.len() <= most || matches!(instance.ends, Ends::Closed { .. }) {
        return path;
    }
    let parts = path.windows(most).max_by_key(|part| instance.graph.length_along(part));
    parts.map_or_else(Vec::new, <[u32]>::to_vec)
}

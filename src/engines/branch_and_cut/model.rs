//! The integer program of an instance: columns, the rows that every path obeys, and the rows that cut off what is no path.
//!
//! Every edge has a column (1 if the path uses it), every vertex one (1 if the path visits it), and so has every vertex as
//! a possible first or last one. Where the graph is undirected and both ends have the same prizes, which end is which
//! doesn't matter, and one column does for both. Beginning and ending is an edge to the *outside*, so a path is a cycle
//! through the outside; a cycle of the instance has the vertex that it must visit for an outside. Where it need not visit
//! any, there is none: borders separate what is visited on both sides.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::branching::separation::SetCut;
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::lp::proof::Row;

/// No column.
pub(super) const NONE: u32 = u32::MAX;

/// How the row of a border is written; the forms differ by multiples of equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// By what is across the border: out of it, or into it where directed and `into`. The ends are those inside, or by
    /// `complement` those that are not.
    Across { into: bool, complement: bool },
    /// By what is inside: fewer edges than vertices.
    Inside,
    /// It is no border.
    Other,
}

/// Why a row holds for every path (with at least one edge) of the instance, or every cycle through the root.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cut {
    /// A path with the outside is a cycle: see there. Blossoms in undirected instances only.
    Set(SetCut),
    /// A cycle that visits a vertex inside and one beyond crosses the border twice, once each way where directed.
    Between { inside: Vec<u32>, visited: u32, beyond: u32 },
    /// An edge is not used where one of its ends is not visited.
    Visited { edge: u32, vertex: u32 },
    /// A path has two ends, at vertices that it visits.
    EndVisited { vertex: u32 },
    /// Half the sum of rows that hold, rounded up.
    Half(Arc<Row>),
}

/// What the program of an instance takes at least, in bytes.
pub(super) fn bytes(instance: &Instance) -> usize {
    800 * (instance.graph.vertex_count() + instance.graph.edge_count())
}

/// The columns of an instance.
#[derive(Clone)]
pub(super) struct Model<'p> {
    pub(super) instance: &'p Instance,
    /// The vertex that a cycle must visit.
    pub(super) root: Option<u32>,
    /// What each column is worth: edges first, then vertices (0 each), then ends.
    pub(super) worth: Vec<i64>,
    /// By vertex: the columns of beginning and of ending there. Equal where one column does for both.
    pub(super) first: Vec<u32>,
    pub(super) last: Vec<u32>,
    pub(super) ends_are_alike: bool,
    /// The vertex of each end column.
    end_vertices: Vec<u32>,
    /// Marks for the vertices of a set.
    marked: FixedBitSet,
}

impl<'p> Model<'p> {
    /// `root` is given for closed instances only. Without it their cycles may be anywhere.
    pub(super) fn new(instance: &'p Instance, root: Option<u32>) -> Self {
        let graph = &instance.graph;
        let (n, m) = (graph.vertex_count(), graph.edge_count());
        let mut worth: Vec<i64> = graph.edges().iter().map(|edge| edge.weight).collect();
        worth.resize(m + n, 0);
        let mut end_vertices = Vec::new();
        let mut columns = |prizes: &[i64], worth: &mut Vec<i64>| {
            let mut column = vec![NONE; n];
            for vertex in (0..n).filter(|&vertex| prizes[vertex] != NOT_AN_END) {
                column[vertex] = worth.len() as u32;
                worth.push(prizes[vertex]);
                end_vertices.push(vertex as u32);
            }
            column
        };
        let mut ends_are_alike = false;
        let (first, last) = match &instance.ends {
            Ends::Open { first, last, .. } => {
                ends_are_alike = !graph.is_directed() && first == last;
                let columns_first = columns(first, &mut worth);
                let columns_last = if ends_are_alike { columns_first.clone() } else { columns(last, &mut worth) };
                (columns_first, columns_last)
            }
            Ends::Closed { .. } => (vec![NONE; n], vec![NONE; n]),
        };
        Model {
            instance,
            root,
            worth,
            first,
            last,
            ends_are_alike,
            end_vertices,
            marked: FixedBitSet::with_capacity(n),
        }
    }

    pub(super) fn edges(&self) -> usize {
        self.instance.graph.edge_count()
    }

    pub(super) fn vertices(&self) -> usize {
        self.instance.graph.vertex_count()
    }

    /// Whether a cycle is looked for that need not visit any vertex in particular.
    pub(super) fn is_anywhere(&self) -> bool {
        self.root.is_none() && matches!(self.instance.ends, Ends::Closed { .. })
    }

    /// The column that says whether the vertex is visited.
    pub(super) fn visit(&self, vertex: u32) -> u32 {
        self.edges() as u32 + vertex
    }

    /// The columns of ends at this vertex, each once.
    pub(super) fn ends_at(&self, vertex: u32) -> impl Iterator<Item = u32> + use<> {
        let (first, last) = (self.first[vertex as usize], self.last[vertex as usize]);
        let last = if self.ends_are_alike { NONE } else { last };
        [first, last].into_iter().filter(|&column| column != NONE)
    }

    /// The columns of ends with their vertices.
    pub(super) fn end_columns(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let before = (self.edges() + self.vertices()) as u32;
        (before..).zip(self.end_vertices.iter().copied())
    }

    /// What the path does at every vertex: two edges (one in, one out where directed), ends counted, if it is visited; and
    /// that it has two ends. Where a cycle may be anywhere, that it is somewhere.
    pub(super) fn equations(&self) -> Vec<Row> {
        let graph = &self.instance.graph;
        let mut rows = Vec::new();
        let mut add = |entries: Vec<(u32, i32)>, least| rows.push(Row { entries, least, is_equation: true });
        for vertex in 0..self.vertices() as u32 {
            let out = graph.out_arcs(vertex).iter().map(|arc| (arc.edge, 1));
            if graph.is_directed() {
                let into = graph.in_arcs(vertex).iter().map(|arc| (arc.edge, 1));
                for (arcs, end) in [
                    (out.collect::<Vec<_>>(), self.last[vertex as usize]),
                    (into.collect::<Vec<_>>(), self.first[vertex as usize]),
                ] {
                    let end = Some((end, 1)).filter(|&(column, _)| column != NONE);
                    add(arcs.into_iter().chain(end).chain([(self.visit(vertex), -1)]).collect(), 0);
                }
            } else {
                let ends = self.ends_at(vertex).map(|column| (column, 1));
                add(out.chain(ends).chain([(self.visit(vertex), -2)]).collect(), 0);
            }
        }
        if self.is_anywhere() {
            let least = if graph.is_directed() { 2 } else { 3 };
            let visits = (0..self.vertices() as u32).map(|vertex| (self.visit(vertex), 1)).collect();
            rows.push(Row { entries: visits, least, is_equation: false });
        } else if self.root.is_none() {
            let all = |columns: &[u32]| {
                let columns = columns.iter().filter(|&&column| column != NONE);
                columns.map(|&column| (column, 1)).collect::<Vec<_>>()
            };
            if self.ends_are_alike {
                add(all(&self.first), 2);
            } else {
                add(all(&self.first), 1);
                add(all(&self.last), 1);
            }
        }
        rows
    }

    /// The row of a cut, in the form that has the fewest entries: forms differ by multiples of equations.
    pub(super) fn row(&mut self, cut: &Cut) -> (Row, Form) {
        match cut {
            Cut::Set(SetCut::Subtour { inside, visited }) => self.border_row(inside, *visited, None),
            Cut::Between { inside, visited, beyond } => self.border_row(inside, *visited, Some(*beyond)),
            Cut::Set(SetCut::Blossom { inside, teeth }) => (self.blossom_row(inside, teeth), Form::Other),
            Cut::Visited { edge, vertex } => {
                let entries = vec![(self.visit(*vertex), 1), (*edge, -1)];
                (Row { entries, least: 0, is_equation: false }, Form::Other)
            }
            Cut::Half(row) => (Row::clone(row), Form::Other),
            Cut::EndVisited { vertex } => {
                let ends = self.ends_at(*vertex).map(|column| (column, -1));
                let entries = ends.chain([(self.visit(*vertex), 1)]).collect();
                (Row { entries, least: 0, is_equation: false }, Form::Other)
            }
        }
    }

    /// The border of a set with a vertex inside that is visited; and one `beyond` it, if it is to separate the two.
    fn border_row(&mut self, inside: &[u32], visited: u32, beyond: Option<u32>) -> (Row, Form) {
        let alone = i64::from(beyond.is_some());
        for &vertex in inside {
            self.marked.insert(vertex as usize);
        }
        let graph = &self.instance.graph;
        let (mut within, mut out, mut into) = (Vec::new(), Vec::new(), Vec::new());
        for &vertex in inside {
            for arc in graph.out_arcs(vertex) {
                if !self.marked[arc.target as usize] {
                    out.push(arc.edge);
                } else if graph.is_directed() || vertex < arc.target {
                    within.push(arc.edge);
                }
            }
            if graph.is_directed() {
                let arcs = graph.in_arcs(vertex).iter().filter(|arc| !self.marked[arc.target as usize]);
                into.extend(arcs.map(|arc| arc.edge));
            }
        }
        let entries = Vec::with_capacity(within.len() + inside.len() + 1);
        let mut best = Row { entries, least: -alone, is_equation: false };
        let mut form = Form::Inside;
        best.entries.extend(inside.iter().filter(|&&vertex| vertex != visited).map(|&vertex| (self.visit(vertex), 1)));
        best.entries.extend(within.iter().map(|&edge| (edge, -1)));
        best.entries.extend(beyond.map(|vertex| (self.visit(vertex), -1)));

        // Across the border: out of it and, where directed, the same into it. Ends are those inside, or the others.
        let times = if graph.is_directed() { 1 } else { 2 };
        let sides: &[(&[u32], &[u32])] =
            if graph.is_directed() { &[(&out, &self.last), (&into, &self.first)] } else { &[(&out, &self.first)] };
        for (side, &(across, ends)) in sides.iter().enumerate() {
            let mut columns: Vec<(u32, u32)> = self.end_columns().collect();
            if graph.is_directed() {
                columns.retain(|&(column, vertex)| ends[vertex as usize] == column);
            }
            let ends_inside = columns.iter().filter(|(_, vertex)| self.marked[*vertex as usize]).count();
            let complement = 2 * ends_inside > columns.len();
            let count = across.len() + 1 + if complement { columns.len() - ends_inside } else { ends_inside };
            if count < best.entries.len() {
                let listed = columns.iter().filter(|(_, vertex)| self.marked[*vertex as usize] != complement);
                let sign = if complement { -1 } else { 1 };
                best.entries = across.iter().map(|&edge| (edge, 1)).collect();
                best.entries.extend(listed.map(|&(column, _)| (column, sign)));
                best.entries.extend([Some(visited), beyond].into_iter().flatten().map(|v| (self.visit(v), -times)));
                best.least = -i64::from(times) * (i64::from(complement) + alone);
                form = Form::Across { into: side == 1, complement };
            }
        }
        for &vertex in inside {
            self.marked.remove(vertex as usize);
        }
        (best, form)
    }

    fn blossom_row(&mut self, inside: &[u32], teeth: &[u32]) -> Row {
        for &vertex in inside {
            self.marked.insert(vertex as usize);
        }
        let mut entries = Vec::new();
        for &vertex in inside {
            let arcs = self.instance.graph.out_arcs(vertex).iter();
            let across = arcs.filter(|arc| !self.marked[arc.target as usize]).map(|arc| arc.edge);
            let columns = across.chain(self.ends_at(vertex));
            entries.extend(columns.map(|column| (column, if teeth.contains(&column) { -1 } else { 1 })));
        }
        for &vertex in inside {
            self.marked.remove(vertex as usize);
        }
        Row { entries, least: 1 - teeth.len() as i64, is_equation: false }
    }
}

//! The integer program of an instance: variables, the rows that every path obeys, and the rows that cut off what is no path.
//!
//! Every edge has a variable (1 if the path uses it), every vertex one (1 if the path visits it), and so has every vertex as
//! a possible first or last one. Where the graph is undirected and both ends have the same prizes, which end is which
//! doesn't matter, and one variable does for both. Each is a column of the program, unless [chains](super::chains) make columns
//! of several. Beginning and ending is an edge to the *outside*, so a path is a cycle
//! through the outside; a cycle of the instance has the vertex that it must visit for an outside. Where it need not visit
//! any, there is none: borders separate what is visited on both sides.

use std::borrow::Cow;
use std::slice;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::chains::{Columns, Variables};
use crate::branching::separation::SetCut;
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::lp::proof::Row;

/// No variable.
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
    /// No vertex is visited twice.
    VisitedOnce { vertex: u32 },
    /// Half the sum of rows of columns that hold, rounded up.
    Half(Arc<Row>),
}

/// What the program of an instance takes at least, in bytes.
pub(super) fn bytes(instance: &Instance) -> usize {
    800 * (instance.graph.vertex_count() + instance.graph.edge_count())
}

/// The variables and columns of an instance.
#[derive(Clone)]
pub(super) struct Model<'p> {
    pub(super) instance: &'p Instance,
    /// The vertex that a cycle must visit.
    pub(super) root: Option<u32>,
    /// What each column is worth. Variables are edges first, then vertices (0 each), then ends.
    pub(super) worth: Vec<i64>,
    /// By vertex: the variables of beginning and of ending there. Equal where one does for both.
    pub(super) first: Vec<u32>,
    pub(super) last: Vec<u32>,
    pub(super) ends_are_alike: bool,
    /// The vertex of each end variable.
    end_vertices: Vec<u32>,
    /// Which variables columns stand for, if not each for one.
    columns: Option<Columns>,
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
        let mut variables = |prizes: &[i64], worth: &mut Vec<i64>| {
            let mut variable = vec![NONE; n];
            for vertex in (0..n).filter(|&vertex| prizes[vertex] != NOT_AN_END) {
                variable[vertex] = worth.len() as u32;
                worth.push(prizes[vertex]);
                end_vertices.push(vertex as u32);
            }
            variable
        };
        let mut ends_are_alike = false;
        let (first, last) = match &instance.ends {
            Ends::Open { first, last, .. } => {
                ends_are_alike = !graph.is_directed() && first == last;
                let of_first = variables(first, &mut worth);
                let of_last = if ends_are_alike { of_first.clone() } else { variables(last, &mut worth) };
                (of_first, of_last)
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
            columns: None,
            marked: FixedBitSet::with_capacity(n),
        }
    }

    /// The same with columns for chains.
    pub(super) fn with_chains(mut self) -> Self {
        let variables = Variables {
            instance: self.instance,
            first: &self.first,
            last: &self.last,
            ends_are_alike: self.ends_are_alike,
            ends: self.end_variables().collect(),
        };
        if let Some(columns) = Columns::of(&variables) {
            self.worth = columns.worth(&self.worth);
            self.columns = Some(columns);
        }
        self
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

    /// How many variables there are.
    pub(super) fn variables(&self) -> usize {
        self.edges() + self.vertices() + self.end_vertices.len()
    }

    /// So many columns come first that are edges, or whole chains.
    pub(super) fn edge_columns(&self) -> usize {
        self.columns.as_ref().map_or(self.edges(), Columns::edges)
    }

    /// The columns that use a variable, those of edges and whole chains first.
    pub(super) fn users<'a>(&'a self, variable: &'a u32) -> &'a [u32] {
        self.columns.as_ref().map_or(slice::from_ref(variable), |columns| columns.users(*variable))
    }

    /// The values of variables by those of columns.
    pub(super) fn of_variables<'v>(&self, values: &'v [f64]) -> Cow<'v, [f64]> {
        self.columns.as_ref().map_or(Cow::Borrowed(values), |columns| Cow::Owned(columns.spread(values)))
    }

    /// Gains of variables by those of columns: no path gains less by its variables.
    pub(super) fn gains_of_variables<'g>(&self, gains: &'g [i128]) -> Cow<'g, [i128]> {
        self.columns.as_ref().map_or(Cow::Borrowed(gains), |columns| Cow::Owned(columns.gains(gains)))
    }

    /// The columns that use exactly these variables, if there are any.
    pub(super) fn using(&self, variables: FixedBitSet) -> Option<FixedBitSet> {
        match &self.columns {
            Some(columns) => columns.using(&variables),
            None => Some(variables),
        }
    }

    /// Vertices that columns might visit more than once.
    pub(super) fn visited_by_several(&self) -> &[u32] {
        self.columns.as_ref().map_or(&[], Columns::used_by_several)
    }

    /// A row of variables as one of columns.
    fn contracted(&self, row: Row) -> Row {
        match &self.columns {
            Some(columns) => columns.contracted(row),
            None => row,
        }
    }

    /// The variable that says whether the vertex is visited.
    pub(super) fn visit(&self, vertex: u32) -> u32 {
        self.edges() as u32 + vertex
    }

    /// The variables of ends at this vertex, each once.
    pub(super) fn ends_at(&self, vertex: u32) -> impl Iterator<Item = u32> + use<> {
        let (first, last) = (self.first[vertex as usize], self.last[vertex as usize]);
        let last = if self.ends_are_alike { NONE } else { last };
        [first, last].into_iter().filter(|&variable| variable != NONE)
    }

    /// The variables of ends with their vertices.
    pub(super) fn end_variables(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
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
                    let end = Some((end, 1)).filter(|&(variable, _)| variable != NONE);
                    add(arcs.into_iter().chain(end).chain([(self.visit(vertex), -1)]).collect(), 0);
                }
            } else {
                let ends = self.ends_at(vertex).map(|variable| (variable, 1));
                add(out.chain(ends).chain([(self.visit(vertex), -2)]).collect(), 0);
            }
        }
        if self.is_anywhere() {
            let least = if graph.is_directed() { 2 } else { 3 };
            let visits = (0..self.vertices() as u32).map(|vertex| (self.visit(vertex), 1)).collect();
            rows.push(Row { entries: visits, least, is_equation: false });
        } else if self.root.is_none() {
            let all = |variables: &[u32]| {
                let variables = variables.iter().filter(|&&variable| variable != NONE);
                variables.map(|&variable| (variable, 1)).collect::<Vec<_>>()
            };
            if self.ends_are_alike {
                add(all(&self.first), 2);
            } else {
                add(all(&self.first), 1);
                add(all(&self.last), 1);
            }
        }
        // Of vertices inside chains nothing is left to say.
        let rows = rows.into_iter().map(|row| self.contracted(row));
        rows.filter(|row| !row.entries.is_empty() || row.least != 0).collect()
    }

    /// The row of a cut, in the form that has the fewest entries: forms differ by multiples of equations.
    pub(super) fn row(&mut self, cut: &Cut) -> (Row, Form) {
        match cut {
            Cut::Set(SetCut::Subtour { inside, visited }) => self.border_row(inside, *visited, None),
            Cut::Between { inside, visited, beyond } => self.border_row(inside, *visited, Some(*beyond)),
            Cut::Set(SetCut::Blossom { inside, teeth }) => (self.blossom_row(inside, teeth), Form::Other),
            Cut::Visited { edge, vertex } => self.other_row(vec![(self.visit(*vertex), 1), (*edge, -1)], 0),
            Cut::EndVisited { vertex } => {
                let ends = self.ends_at(*vertex).map(|variable| (variable, -1));
                self.other_row(ends.chain([(self.visit(*vertex), 1)]).collect(), 0)
            }
            Cut::VisitedOnce { vertex } => self.other_row(vec![(self.visit(*vertex), -1)], -1),
            Cut::Half(row) => (Row::clone(row), Form::Other),
        }
    }

    fn other_row(&self, entries: Vec<(u32, i32)>, least: i64) -> (Row, Form) {
        (self.contracted(Row { entries, least, is_equation: false }), Form::Other)
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
        best = self.contracted(best);

        // Across the border: out of it and, where directed, the same into it. Ends are those inside, or the others.
        let times = if graph.is_directed() { 1 } else { 2 };
        let sides: &[(&[u32], &[u32])] =
            if graph.is_directed() { &[(&out, &self.last), (&into, &self.first)] } else { &[(&out, &self.first)] };
        for (side, &(across, ends)) in sides.iter().enumerate() {
            let mut listed: Vec<(u32, u32)> = self.end_variables().collect();
            if graph.is_directed() {
                listed.retain(|&(variable, vertex)| ends[vertex as usize] == variable);
            }
            let ends_inside = listed.iter().filter(|(_, vertex)| self.marked[*vertex as usize]).count();
            let complement = 2 * ends_inside > listed.len();
            let count = across.len() + 1 + if complement { listed.len() - ends_inside } else { ends_inside };
            if count < best.entries.len() {
                listed.retain(|(_, vertex)| self.marked[*vertex as usize] != complement);
                let sign = if complement { -1 } else { 1 };
                let mut entries: Vec<(u32, i32)> = across.iter().map(|&edge| (edge, 1)).collect();
                entries.extend(listed.iter().map(|&(variable, _)| (variable, sign)));
                entries.extend([Some(visited), beyond].into_iter().flatten().map(|v| (self.visit(v), -times)));
                let least = -i64::from(times) * (i64::from(complement) + alone);
                best = self.contracted(Row { entries, least, is_equation: false });
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
            let crossing = across.chain(self.ends_at(vertex));
            entries.extend(crossing.map(|variable| (variable, if teeth.contains(&variable) { -1 } else { 1 })));
        }
        for &vertex in inside {
            self.marked.remove(vertex as usize);
        }
        self.contracted(Row { entries, least: 1 - teeth.len() as i64, is_equation: false })
    }
}

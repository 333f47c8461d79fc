//! Trails as an integer program: columns, the rows that every trail obeys, and those that a solution violates.
//!
//! *Columns*, 0 or 1 each: an edge is used; a vertex is visited; the trail has an *end* at a vertex (its first, its last, or,
//! where there are no directions and both are free, either); both its ends are at a vertex. Where an end is given its column
//! is fixed.
//!
//! *Rows*: ends are two in all, and there is an edge. With directions a vertex has as many edges in as out, ends counted;
//! without them that is a cut. So are what it means to be visited, and the borders of sets.

use super::Question;
use super::guess;
use crate::branching::separation::{Along, LEAST_VIOLATION, SetCut, Wanted};
use crate::branching::support::Support;
use crate::branching::{Formulation, Known, Moment, Tree};
use crate::instance::{Budget, Monitor};
use crate::lp::LinearProgram;
use crate::lp::proof::{Range, Row};
use crate::rows::Rows;
use crate::sets::set_of;
use crate::solution::Stop;

/// Subtour cuts by minimum cuts in one round.
const MOST_CHEAPEST: usize = 40;
/// Nodes between two guesses.
const GUESS_EVERY: u64 = 10;

/// Why a row holds for every trail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cut {
    Set(SetCut),
    /// An edge is not used where one of its ends is not visited.
    Visited {
        edge: u32,
        vertex: u32,
    },
}

/// Which end a column stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
    /// One of two that are alike.
    Either,
    /// Both at once.
    Both,
}

/// The trails of a question.
pub(super) struct Trails {
    pub(super) question: Question,
    /// What each column is worth: edges first, then vertices and ends, which are worth nothing.
    pub(super) worth: Vec<i64>,
    /// Ends with their vertices, and whether they are given.
    ends: Vec<(End, u32, bool)>,
    /// The edges at each vertex, loops aside, and the columns of ends there.
    edges_at: Rows<u32>,
    ends_at: Rows<u32>,
}

impl Trails {
    pub(super) fn new(question: Question) -> Self {
        let n = question.vertex_count;
        let edges = (0..).zip(&question.edges).filter(|(_, edge)| edge.0 != edge.1);
        let edges: Vec<(u32, [u32; 2])> = edges.map(|(number, &(one, two, _))| (number, [one, two])).collect();
        let edges_at = Rows::of_edges(n, edges.len(), |at| edges[at].1, |at, _| edges[at as usize].0);
        let mut ends = Vec::new();
        let mut add = |end: End, given: Option<u32>| match given {
            Some(vertex) => ends.push((end, vertex, true)),
            // Where a vertex has no edge no trail ends.
            None => ends.extend((0..n as u32).map(|vertex| (end, vertex, false))),
        };
        match (question.closed, question.directed, question.from, question.to) {
            (true, _, from, _) => add(End::Both, from),
            (false, false, None, None) => {
                add(End::Either, None);
                add(End::Both, None);
            }
            (false, _, from, to) => {
                add(End::First, from);
                add(End::Last, to);
            }
        }
        let mut worth: Vec<i64> = question.edges.iter().map(|edge| edge.2).collect();
        worth.resize(question.edges.len() + n + ends.len(), 0);
        let before = (question.edges.len() + n) as u32;
        let ends_at = Rows::new(n, ends.len(), |end| (ends[end].1, before + end as u32));
        Trails { question, worth, ends, edges_at, ends_at }
    }

    fn visit(&self, vertex: u32) -> u32 {
        self.question.edges.len() as u32 + vertex
    }

    fn first_end(&self) -> u32 {
        (self.question.edges.len() + self.question.vertex_count) as u32
    }

    fn end(&self, column: u32) -> End {
        self.ends[(column - self.first_end()) as usize].0
    }

    /// How many of the two ends a column stands for.
    fn count(&self, column: u32) -> i32 {
        if self.end(column) == End::Both { 2 } else { 1 }
    }

    pub(super) fn ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::Free; self.worth.len()];
        for (column, &(_, vertex, given)) in (self.first_end()..).zip(&self.ends) {
            if given {
                ranges[column as usize] = Range::One;
                ranges[self.visit(vertex) as usize] = Range::One;
            }
        }
        ranges
    }

    /// The rows that are always there.
    pub(super) fn rows(&self) -> Vec<Row> {
        let edges = (0..self.question.edges.len() as u32).map(|edge| (edge, 1)).collect();
        let mut rows = vec![Row { entries: edges, least: 1, is_equation: false }];
        let of = |wanted: &[End]| -> Vec<(u32, i32)> {
            let ends = (self.first_end()..).zip(&self.ends).filter(|(_, end)| wanted.contains(&end.0));
            ends.map(|(column, _)| (column, self.count(column))).collect()
        };
        for (ends, least) in [(&[End::First][..], 1), (&[End::Last], 1), (&[End::Either, End::Both], 2)] {
            let entries = of(ends);
            if !entries.is_empty() {
                rows.push(Row { entries, least, is_equation: true });
            }
        }
        if self.question.directed {
            rows.extend((0..self.question.vertex_count as u32).map(|vertex| self.balance(vertex)));
        }
        rows
    }

    /// As many edges in as out.
    fn balance(&self, vertex: u32) -> Row {
        let edges = self.edges_at.row(vertex).iter();
        let out = |edge: u32| self.question.edges[edge as usize].0 == vertex;
        let mut entries: Vec<(u32, i32)> = edges.map(|&edge| (edge, if out(edge) { 1 } else { -1 })).collect();
        for &column in self.ends_at.row(vertex) {
            match self.end(column) {
                End::First => entries.push((column, -1)),
                End::Last => entries.push((column, 1)),
                End::Either | End::Both => {}
            }
        }
        Row { entries, least: 0, is_equation: true }
    }

    /// The edges that cross the border of a set, and the ends inside.
    fn crossing(&self, inside: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let marked = set_of(self.question.vertex_count, inside);
        let (mut edges, mut ends) = (Vec::new(), Vec::new());
        for &vertex in inside {
            edges.extend(self.edges_at.row(vertex).iter().copied().filter(|&edge| {
                let (one, two, _) = self.question.edges[edge as usize];
                !marked[(if one == vertex { two } else { one }) as usize]
            }));
            ends.extend(self.ends_at.row(vertex));
        }
        (edges, ends)
    }

    /// What a solution uses: with the columns of both ends at once as much as two for borders, without them for parities.
    fn support(&self, values: &[f64], with_both: bool) -> Support {
        let n = self.question.vertex_count as u32;
        let edges = (0..).zip(&self.question.edges).filter(|(_, edge)| edge.0 != edge.1);
        let edges = edges.map(|(column, edge): (u32, _)| (values[column as usize], edge.0, edge.1, column));
        let ends = (self.first_end()..).zip(&self.ends).filter(move |(_, end)| with_both || end.0 != End::Both);
        let ends = ends.map(|(column, &(_, vertex, _))| {
            (values[column as usize] * f64::from(self.count(column)), vertex, n, column)
        });
        Support::new(n, n, edges.chain(ends), |vertex| values[self.visit(vertex) as usize])
    }

    /// Edges that are used more than their ends are visited.
    fn unvisited(&self, values: &[f64], found: &mut Vec<(f64, Cut)>) {
        for (edge, &(one, two, _)) in (0..).zip(&self.question.edges) {
            for vertex in [one, two] {
                let violation = values[edge as usize] - values[self.visit(vertex) as usize];
                if violation > LEAST_VIOLATION {
                    found.push((violation, Cut::Visited { edge, vertex }));
                }
            }
        }
    }

    /// The trail that a solution in whole numbers is.
    fn trail(&self, values: &[f64]) -> Vec<u32> {
        (0..self.question.edges.len() as u32).filter(|&edge| values[edge as usize] > 0.5).collect()
    }
}

impl Formulation for Trails {
    type Cut = Cut;
    type Form = ();
    type Answer = Vec<u32>;

    fn vertices(&self) -> usize {
        self.question.vertex_count
    }

    fn row(&mut self, cut: &Cut) -> (Row, ()) {
        let row = match cut {
            Cut::Visited { edge, vertex } => {
                Row { entries: vec![(self.visit(*vertex), 1), (*edge, -1)], least: 0, is_equation: false }
            }
            Cut::Set(SetCut::Subtour { inside, visited }) => {
                let (edges, ends) = self.crossing(inside);
                let mut entries: Vec<(u32, i32)> = edges.into_iter().map(|edge| (edge, 1)).collect();
                entries.extend(ends.into_iter().map(|end| (end, self.count(end))));
                entries.push((self.visit(*visited), -2));
                Row { entries, least: 0, is_equation: false }
            }
            Cut::Set(SetCut::Blossom { inside, teeth }) => {
                let (edges, ends) = self.crossing(inside);
                let ends = ends.into_iter().filter(|&end| self.end(end) != End::Both);
                let sign = |column: u32| if teeth.contains(&column) { -1 } else { 1 };
                let entries = edges.into_iter().chain(ends).map(|column| (column, sign(column))).collect();
                Row { entries, least: 1 - teeth.len() as i64, is_equation: false }
            }
        };
        (row, ())
    }

    fn value(&self, trail: &Vec<u32>) -> i64 {
        trail.iter().map(|&edge| self.question.edges[edge as usize].2).sum()
    }

    fn separate(&self, values: &[f64], found: &mut Vec<(f64, Cut)>, budget: &Budget) {
        self.unvisited(values, found);
        let mut add = |cuts: Vec<(f64, SetCut)>| {
            found.extend(cuts.into_iter().map(|(violation, cut)| (violation, Cut::Set(cut))));
            found.len()
        };
        let borders = self.support(values, true);
        if !self.question.directed {
            let parities = self.support(values, false);
            add(parities.blossoms_at_vertices());
            add(parities.grown(Along::Values, Wanted::BLOSSOMS, budget));
            add(parities.grown(Along::FractionsInOrder, Wanted::BLOSSOMS, budget));
        }
        add(borders.grown(Along::Values, Wanted::SUBTOURS, budget));
        if add(borders.grown(Along::FractionsInOrder, Wanted::SUBTOURS, budget)) < MOST_CHEAPEST / 4 {
            add(borders.cheapest_subtours(MOST_CHEAPEST, budget));
        }
    }

    fn take_whole(&self, values: &[f64]) -> (Vec<Cut>, Option<Vec<u32>>) {
        let mut found = Vec::new();
        self.unvisited(values, &mut found);
        let mut cuts: Vec<Cut> = found.into_iter().map(|(_, cut)| cut).collect();
        let components = self.support(values, true).components().into_iter();
        cuts.extend(components.map(|inside| Cut::Set(SetCut::Subtour { visited: inside[0], inside })));
        if !self.question.directed {
            let odd = self.support(values, false).blossoms_at_vertices();
            cuts.extend(odd.into_iter().map(|(_, cut)| Cut::Set(cut)));
        }
        // Loops hang together with nothing else where their vertex is not visited by anything else.
        cuts.extend(
            self.lonely_loops(values).map(|vertex| Cut::Set(SetCut::Subtour { inside: vec![vertex], visited: vertex })),
        );
        let trail = if cuts.is_empty() { Some(self.trail(values)) } else { None };
        (cuts, trail)
    }

    fn only_answer(&self, values: &[f64], budget: &Budget) -> Vec<Vec<u32>> {
        let whole = self.take_whole(values).1.filter(|trail| guess::is_trail(&self.question, trail));
        whole.into_iter().chain(guess::near(&self.question, values, budget)).collect()
    }

    fn guess(&self, moment: &Moment<'_>) -> Vec<Vec<u32>> {
        let is_time = moment.is_root || (moment.round == 1 && moment.nodes.is_multiple_of(GUESS_EVERY));
        if is_time {
            guess::near(&self.question, moment.values, moment.budget).into_iter().collect()
        } else {
            Vec::new()
        }
    }

    fn search_nearby<P: LinearProgram>(_tree: &mut Tree<Self, P>, _monitor: &mut dyn Monitor) -> Result<(), Stop> {
        Ok(())
    }

    fn listen(&self, _known: &mut Known<Vec<u32>>, _budget: &Budget, _monitor: &mut dyn Monitor) {}
}

impl Trails {
    /// Vertices with a loop that is used, and nothing else, ends included.
    fn lonely_loops(&self, values: &[f64]) -> impl Iterator<Item = u32> + '_ {
        let used = |column: u32| values[column as usize] > 0.5;
        let loops = (0..).zip(&self.question.edges).filter(|(_, edge)| edge.0 == edge.1);
        let vertices: Vec<u32> = loops.filter(|&(column, _)| used(column)).map(|(_, edge)| edge.0).collect();
        let mut lonely: Vec<u32> = vertices
            .into_iter()
            .filter(|&vertex| {
                let mut columns = self.edges_at.row(vertex).iter().chain(self.ends_at.row(vertex));
                !columns.any(|&column| used(column))
            })
            .collect();
        lonely.dedup();
        lonely.into_iter()
    }
}

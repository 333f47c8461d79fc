//! The integer program of a core: columns, and the rows that every trail obeys.
//!
//! *Which trails.* A closed trail without its last line visits the same vertices. So does a trail whose end it had visited
//! before, without its last line. So some best trail, if it is no single vertex, has two different ends and traverses one
//! line at each of them; these are the only ones meant here. With the outside of the graph between its ends it is closed, so it
//! crosses the border of every set an even number of times, at least twice if it visits the inside.
//!
//! *Columns*, 0 or 1 each: a *line* (one or two for a bundle) is traversed; a vertex is visited; a vertex is an end; a bundle is
//! lost, since neither of its ends is visited. A vertex with three lines or fewer is traversed twice if it is visited, ends
//! counted: that is an equation. All other rows are cuts, also those that say what it means to be visited or lost: most
//! never matter.

use crate::search::lp::proof::{Range, Row};
use crate::search::trail::core::Core;

/// A bundle, once for each way of traversing it that makes a difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) bundle: u32,
    pub(super) ends: [u32; 2],
}

/// Why a row holds for every trail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cut {
    /// A trail that visits a vertex inside crosses the border of the set twice, ends inside counted: generalised subtour
    /// elimination (M. Fischetti, J. J. Salazar González, P. Toth, *A branch-and-cut algorithm for the symmetric
    /// generalized traveling salesman problem*, Operations Research 45, 1997, doi:10.1287/opre.45.3.378).
    Border { inside: Vec<u32>, visited: u32 },
    /// A trail crosses the border of a set an even number of times, ends inside counted. So if it uses all of an odd number of
    /// columns that cross it, it uses another one: blossoms (J. Edmonds, *Maximum matching and a polyhedron with
    /// 0,1-vertices*, J. Res. Nat. Bur. Standards 69B, 1965, doi:10.6028/jres.069B.013).
    Blossom { inside: Vec<u32>, teeth: Vec<u32> },
    /// A line is traversed only if both its ends are visited.
    Visited { line: u32, vertex: u32 },
    /// An end is visited.
    EndVisited { vertex: u32 },
    /// A bundle is lost unless one of its ends is visited.
    Lost { bundle: u32 },
}

/// The columns of a core.
pub(super) struct Model<'c> {
    pub(super) core: &'c Core,
    pub(super) lines: Vec<Line>,
    /// The lines at vertex `v`, with the vertex at the other end, are `arcs[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    arcs: Vec<(u32, u32)>,
    pub(super) worth: Vec<i64>,
    /// What a trail is worth beside its columns.
    pub(super) constant: i64,
    /// A vertex worth more than all else.
    pub(super) must: Option<u32>,
    marked: Vec<bool>,
}

impl<'c> Model<'c> {
    pub(super) fn new(core: &'c Core) -> Self {
        let n = core.vertex_count();
        let mut lines: Vec<Line> = Vec::new();
        for (number, bundle) in core.bundles.iter().enumerate() {
            let line = Line { bundle: number as u32, ends: bundle.ends };
            lines.extend(std::iter::repeat_n(line, bundle.count.min(2) as usize));
        }
        let mut starts = vec![0u32; n + 1];
        lines.iter().flat_map(|line| line.ends).for_each(|end| starts[end as usize + 1] += 1);
        for vertex in 0..n {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut arcs = vec![(0, 0); 2 * lines.len()];
        for (number, line) in lines.iter().enumerate() {
            let [one, two] = line.ends;
            for (from, to) in [(one, two), (two, one)] {
                arcs[next[from as usize] as usize] = (number as u32, to);
                next[from as usize] += 1;
            }
        }
        let must = (0..n as u32).find(|&vertex| 2 * core.gains[vertex as usize] > core.total);
        let mut worth = vec![0; lines.len()];
        worth.extend(&core.gains);
        worth.resize(lines.len() + 2 * n, 0);
        worth.extend(core.bundles.iter().map(|bundle| -i64::from(bundle.count)));
        let mut constant: i64 = core.bundles.iter().map(|bundle| i64::from(bundle.count)).sum();
        if let Some(vertex) = must {
            constant += std::mem::take(&mut worth[lines.len() + vertex as usize]);
        }
        Model { core, lines, starts, arcs, worth, constant, must, marked: vec![false; n] }
    }

    pub(super) fn vertices(&self) -> usize {
        self.core.vertex_count()
    }

    /// The lines at a vertex, each with its other end.
    pub(super) fn arcs(&self, vertex: u32) -> &[(u32, u32)] {
        &self.arcs[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }

    pub(super) fn visit(&self, vertex: u32) -> u32 {
        self.lines.len() as u32 + vertex
    }

    pub(super) fn end(&self, vertex: u32) -> u32 {
        (self.lines.len() + self.vertices()) as u32 + vertex
    }

    fn lost(&self, bundle: u32) -> u32 {
        (self.lines.len() + 2 * self.vertices()) as u32 + bundle
    }

    /// What the columns may be at the beginning.
    pub(super) fn ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::Free; self.worth.len()];
        if let Some(vertex) = self.must {
            ranges[self.visit(vertex) as usize] = Range::One;
        }
        ranges
    }

    /// The rows that are always there.
    pub(super) fn rows(&self) -> Vec<Row> {
        let vertices = 0..self.vertices() as u32;
        let mut rows: Vec<Row> = vertices
            .clone()
            .map(|vertex| {
                let lines = self.arcs(vertex).iter().map(|&(line, _)| (line, 1));
                let entries = lines.chain([(self.end(vertex), 1), (self.visit(vertex), -2)]).collect();
                Row { entries, least: 0, is_equation: self.arcs(vertex).len() <= 3 }
            })
            .collect();
        let ends = vertices.map(|vertex| (self.end(vertex), 1)).collect();
        rows.push(Row { entries: ends, least: 2, is_equation: true });
        rows
    }

    pub(super) fn row(&mut self, cut: &Cut) -> Row {
        let row = |entries, least| Row { entries, least, is_equation: false };
        match cut {
            Cut::Border { inside, visited } => {
                let mut entries: Vec<(u32, i32)> =
                    self.crossing(inside).into_iter().map(|column| (column, 1)).collect();
                entries.push((self.visit(*visited), -2));
                row(entries, 0)
            }
            Cut::Blossom { inside, teeth } => {
                let sign = |column: u32| if teeth.contains(&column) { -1 } else { 1 };
                let entries = self.crossing(inside).into_iter().map(|column| (column, sign(column))).collect();
                row(entries, 1 - teeth.len() as i64)
            }
            Cut::Visited { line, vertex } => row(vec![(self.visit(*vertex), 1), (*line, -1)], 0),
            Cut::EndVisited { vertex } => row(vec![(self.visit(*vertex), 1), (self.end(*vertex), -1)], 0),
            Cut::Lost { bundle } => {
                let [one, two] = self.core.bundles[*bundle as usize].ends;
                row(vec![(self.lost(*bundle), 1), (self.visit(one), 1), (self.visit(two), 1)], 1)
            }
        }
    }

    /// The columns that cross the border of a set, ends inside among them.
    fn crossing(&mut self, inside: &[u32]) -> Vec<u32> {
        inside.iter().for_each(|&vertex| self.marked[vertex as usize] = true);
        let mut columns = Vec::new();
        for &vertex in inside {
            let leaving = self.arcs(vertex).iter().filter(|&&(_, other)| !self.marked[other as usize]);
            columns.extend(leaving.map(|&(line, _)| line));
            columns.push(self.end(vertex));
        }
        inside.iter().for_each(|&vertex| self.marked[vertex as usize] = false);
        columns
    }

    /// The bundles that the values put at a loss too cheaply, with the violation.
    pub(super) fn unpaid(&self, values: &[f64]) -> impl Iterator<Item = (f64, Cut)> {
        let visit = |vertex: u32| values[self.visit(vertex) as usize];
        (0..).zip(&self.core.bundles).map(move |(number, bundle)| {
            let [one, two] = bundle.ends;
            (1.0 - visit(one) - visit(two) - values[self.lost(number) as usize], Cut::Lost { bundle: number })
        })
    }
}

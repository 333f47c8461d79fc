//! The integer program of a core: columns, and the rows that every trail obeys.
//!
//! *Which trails.* A closed trail without its last line visits the same vertices. So does a trail whose end it had visited
//! before, without its last line. So some best trail, if it is no single vertex, has two different ends and traverses one
//! line at each of them; these are the only ones meant here. With the outside of the graph between its ends it is closed, so it
//! crosses the border of every set an even number of times, at least twice if it visits the inside.
//!
//! *Columns*, 0 or 1 each: a *line* (one or two for a bundle) is traversed; a vertex is visited; a vertex is an *end*; a bundle is
//! lost, since neither of its ends is visited. A vertex with three lines or fewer is traversed twice if it is visited, ends
//! counted: that is an equation. All other rows are cuts, also those that say what it means to be visited or lost: most
//! never matter.
//!
//! *Leaves*. A vertex with a single line is an end if it is visited. So there are no columns for it, and none for its line;
//! instead the vertex where it hangs has an end that is worth what the leaf is. It needs no other: a trail that ends there
//! would rather go on to the leaf.
//!
//! *With prizes* the ends are the tips: a column for every tip at each vertex where it can be taken, and for the first and the
//! last, if these make a difference. A tip goes from its vertex to the outside, so borders and parities are what they were.
//! Nothing is said of where the trail ends here, so a vertex makes an equation only if no more than three lines and tips
//! could be there. Of a bundle no more edges are traversed or taken than there are.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::branching::separation::SetCut;
use crate::engines::trail::bundle::{Bundle, Trail};
use crate::engines::trail::core::{Core, Ending};
use crate::instance::NOT_AN_END;
use crate::lp::proof::{self, Row};
use crate::rows::Rows;
use crate::sets::set_where;

/// A bundle, once for each way of traversing it that makes a difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) bundle: u32,
    pub(super) ends: [u32; 2],
}

/// An end, and what it is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) vertex: u32,
    worth: i64,
    kind: EndKind,
    pub(super) what: EndWhat,
}

/// What makes an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndWhat {
    /// The trail just ends.
    Plain,
    /// It goes on to a leaf, by this bundle.
    Leaf { bundle: u32 },
    /// With prizes, an edge of this place.
    PendantEdge { place: u32, edge: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndKind {
    Any,
    First,
    Last,
}

/// No more of these columns than so many.
struct Limit {
    columns: Vec<u32>,
    most: i64,
}

/// Why a row holds for every trail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cut {
    /// A trail with the outside is closed: see there.
    Set(SetCut),
    /// A line is traversed only if both its ends are visited.
    Visited { line: u32, vertex: u32 },
    /// An end is visited; this is its column.
    EndVisited { end: u32, vertex: u32 },
    /// An edge is lost unless one of its ends is visited, and traversed only if both are: so it is lost, or one more of its ends is
    /// visited than it is traversed. Added up over the edges of a bundle.
    Lost { bundle: u32 },
    /// Edges can't be traversed or taken twice.
    Limit { number: u32 },
}

/// The columns of a core.
pub(super) struct Model<'c> {
    pub(super) core: &'c Core,
    pub(super) lines: Vec<Line>,
    /// The lines at each vertex, with the vertex at the other end.
    arcs: Rows<(u32, u32)>,
    /// By vertex.
    pub(super) ends: Rows<End>,
    limits: Vec<Limit>,
    pub(super) worth: Vec<i64>,
    /// What a trail is worth beside its columns.
    pub(super) constant: i64,
    pub(super) leaves: FixedBitSet,
    marked: FixedBitSet,
}

impl<'c> Model<'c> {
    pub(super) fn new(core: &'c Core) -> Self {
        let n = core.vertex_count();
        let leaves = set_where(n, |&vertex| is_leaf(core, vertex as u32));
        let hangs = |bundle: &Bundle| bundle.ends.iter().any(|&end| leaves[end as usize]);
        let mut lines: Vec<Line> = Vec::new();
        for (number, bundle) in core.bundles.iter().enumerate().filter(|(_, bundle)| !hangs(bundle)) {
            let line = Line { bundle: number as u32, ends: bundle.ends };
            lines.extend(std::iter::repeat_n(line, bundle.count.min(2) as usize));
        }
        let arcs = Rows::of_edges(n, lines.len(), |line| lines[line].ends, |line, [_, other]| (line, other));
        let ends = ends_of(core, &leaves);
        let ends = Rows::new(n, ends.len(), |end| (ends[end].vertex, ends[end]));
        // The line to a leaf is met where that hangs.
        let mut gains = core.gains.clone();
        let mut losses = Vec::with_capacity(core.bundles.len());
        for bundle in &core.bundles {
            let [one, two] = bundle.ends;
            let count = i64::from(bundle.count);
            match [one, two].map(|end| leaves[end as usize]) {
                [true, _] => gains[two as usize] += count,
                [_, true] => gains[one as usize] += count,
                _ => {
                    losses.push(-count);
                    continue;
                }
            }
            losses.push(0);
        }
        leaves.ones().for_each(|leaf| gains[leaf] = 0);
        let mut constant: i64 = -losses.iter().sum::<i64>();
        let mut worth = vec![0; lines.len()];
        worth.extend(gains);
        worth.extend(ends.items().iter().map(|end| end.worth));
        worth.extend(losses);
        for &vertex in &core.required {
            constant += std::mem::take(&mut worth[lines.len() + vertex as usize]);
        }
        let limits = Vec::new();
        let marked = FixedBitSet::with_capacity(n);
        let mut model = Model { core, lines, arcs, ends, limits, worth, constant, leaves, marked };
        if core.pendants().is_some() {
            model.limits = model.limits_of_pendants();
        }
        model
    }

    /// What can be used no more than once, or as often as there are edges.
    fn limits_of_pendants(&self) -> Vec<Limit> {
        let mut of_bundle: Vec<Vec<u32>> = vec![Vec::new(); self.core.bundles.len()];
        (0..).zip(&self.lines).for_each(|(column, line)| of_bundle[line.bundle as usize].push(column));
        let mut of_edge: HashMap<u32, Vec<u32>> = HashMap::new();
        for (column, end) in (self.first_end()..).zip(self.ends.items()) {
            let EndWhat::PendantEdge { place, edge } = end.what else { continue };
            of_edge.entry(edge).or_default().push(column);
            if let Some(columns) = of_bundle.get_mut(place as usize) {
                columns.push(column);
            }
        }
        let counts = self.core.bundles.iter().map(|bundle| i64::from(bundle.count));
        let mut limits: Vec<Limit> =
            of_bundle.into_iter().zip(counts).map(|(columns, most)| Limit { columns, most }).collect();
        let mut of_edge: Vec<(u32, Vec<u32>)> = of_edge.into_iter().collect();
        of_edge.sort_unstable();
        limits.extend(of_edge.into_iter().map(|(_, columns)| Limit { columns, most: 1 }));
        limits.retain(|limit| limit.columns.len() as i64 > limit.most);
        limits
    }

    pub(super) fn vertices(&self) -> usize {
        self.core.vertex_count()
    }

    /// The lines at a vertex, each with its other end.
    pub(super) fn arcs(&self, vertex: u32) -> &[(u32, u32)] {
        self.arcs.row(vertex)
    }

    pub(super) fn visit(&self, vertex: u32) -> u32 {
        self.lines.len() as u32 + vertex
    }

    fn first_end(&self) -> u32 {
        (self.lines.len() + self.vertices()) as u32
    }

    /// The columns of the ends at a vertex.
    pub(super) fn ends_at(&self, vertex: u32) -> Range<u32> {
        let places = self.ends.places(vertex);
        self.first_end() + places.start as u32..self.first_end() + places.end as u32
    }

    pub(super) fn lost(&self, bundle: u32) -> u32 {
        self.first_end() + self.ends.items().len() as u32 + bundle
    }

    /// What the columns may be at the beginning.
    pub(super) fn ranges(&self) -> Vec<proof::Range> {
        let mut ranges = vec![proof::Range::Free; self.worth.len()];
        for &vertex in &self.core.required {
            ranges[self.visit(vertex) as usize] = proof::Range::One;
        }
        for vertex in self.leaves.ones().map(|leaf| leaf as u32) {
            ranges[self.visit(vertex) as usize] = proof::Range::Zero;
        }
        ranges
    }

    /// The rows that are always there.
    pub(super) fn rows(&self) -> Vec<Row> {
        let vertices = self.leaves.zeroes().map(|vertex| vertex as u32);
        let mut rows: Vec<Row> = vertices
            .map(|vertex| {
                let columns = self.arcs(vertex).iter().map(|&(line, _)| line).chain(self.ends_at(vertex));
                let entries = columns.map(|column| (column, 1)).chain([(self.visit(vertex), -2)]).collect();
                Row { entries, least: 0, is_equation: self.is_crossed_once(vertex) }
            })
            .collect();
        for (kind, least) in [(EndKind::Any, 2), (EndKind::First, 1), (EndKind::Last, 1)] {
            let ends = (self.first_end()..).zip(self.ends.items()).filter(|(_, end)| end.kind == kind);
            let entries: Vec<(u32, i32)> = ends.map(|(column, _)| (column, 1)).collect();
            if !entries.is_empty() {
                rows.push(Row { entries, least, is_equation: true });
            }
        }
        rows
    }

    fn leaves_at(&self, vertex: u32) -> usize {
        let ends = self.ends_at(vertex).map(|end| self.ends.items()[(end - self.first_end()) as usize]);
        ends.filter(|end| matches!(end.what, EndWhat::Leaf { .. })).count()
    }

    /// Whether some best trail gets there once at most, whatever it is.
    fn is_crossed_once(&self, vertex: u32) -> bool {
        let Some(pendants) = self.core.pendants() else { return self.arcs(vertex).len() + self.leaves_at(vertex) <= 3 };
        let bundles =
            self.core.arcs(vertex).iter().map(|&(_, bundle)| self.core.bundles[bundle as usize].count as usize);
        bundles.sum::<usize>() + pendants.at(self.core.bundles.len() as u32 + vertex).len() <= 3
    }

    pub(super) fn row(&mut self, cut: &Cut) -> Row {
        let row = |entries, least| Row { entries, least, is_equation: false };
        match cut {
            Cut::Set(SetCut::Subtour { inside, visited }) => {
                let mut entries: Vec<(u32, i32)> =
                    self.crossing(inside).into_iter().map(|column| (column, 1)).collect();
                entries.push((self.visit(*visited), -2));
                row(entries, 0)
            }
            Cut::Set(SetCut::Blossom { inside, teeth }) => {
                let sign = |column: u32| if teeth.contains(&column) { -1 } else { 1 };
                let entries = self.crossing(inside).into_iter().map(|column| (column, sign(column))).collect();
                row(entries, 1 - teeth.len() as i64)
            }
            Cut::Visited { line, vertex } => row(vec![(self.visit(*vertex), 1), (*line, -1)], 0),
            Cut::EndVisited { end, vertex } => row(vec![(self.visit(*vertex), 1), (*end, -1)], 0),
            Cut::Limit { number } => {
                let Limit { columns, most } = &self.limits[*number as usize];
                row(columns.iter().map(|&column| (column, -1)).collect(), -most)
            }
            Cut::Lost { bundle } => {
                let (lines, Bundle { ends, count, .. }) = (self.lines_of(*bundle), self.core.bundles[*bundle as usize]);
                let count = count as i32;
                let met = [self.lost(*bundle), self.visit(ends[0]), self.visit(ends[1])].map(|column| (column, count));
                row(met.into_iter().chain(lines.map(|line| (line, -1))).collect(), count.into())
            }
        }
    }

    /// The lines of a bundle.
    pub(super) fn lines_of(&self, bundle: u32) -> impl Iterator<Item = u32> + use<'_> {
        let lines = self.arcs(self.core.bundles[bundle as usize].ends[0]).iter().map(|&(line, _)| line);
        lines.filter(move |&line| self.lines[line as usize].bundle == bundle)
    }

    /// The columns that cross the border of a set, ends inside among them.
    fn crossing(&mut self, inside: &[u32]) -> Vec<u32> {
        inside.iter().for_each(|&vertex| self.marked.insert(vertex as usize));
        let mut columns = Vec::new();
        for &vertex in inside {
            let leaving = self.arcs(vertex).iter().filter(|&&(_, other)| !self.marked[other as usize]);
            columns.extend(leaving.map(|&(line, _)| line));
            columns.extend(self.ends_at(vertex));
        }
        inside.iter().for_each(|&vertex| self.marked.remove(vertex as usize));
        columns
    }

    /// Which lines a trail traverses, and then which vertices it visits.
    pub(super) fn columns_of(&self, trail: &Trail) -> FixedBitSet {
        let mut copies = trail.uses.clone();
        let mut columns = FixedBitSet::with_capacity(self.lines.len() + self.vertices());
        for (column, line) in self.lines.iter().enumerate() {
            let left = &mut copies[line.bundle as usize];
            columns.set(column, *left > 0);
            *left = left.saturating_sub(1);
        }
        columns.extend(self.core.visited(trail).ones().map(|vertex| self.lines.len() + vertex));
        columns
    }

    /// The values of the bundles' first and second lines, and of all ends at each vertex.
    pub(super) fn weights(&self, values: &[f64]) -> (Vec<[f64; 2]>, Vec<f64>) {
        let mut weights = vec![[0.0; 2]; self.core.bundles.len()];
        let mut copies = vec![0usize; weights.len()];
        for (line, &value) in self.lines.iter().zip(values) {
            weights[line.bundle as usize][copies[line.bundle as usize]] = value;
            copies[line.bundle as usize] += 1;
        }
        let at = |vertex: u32| self.ends_at(vertex).map(|end| values[end as usize]).sum();
        let mut ends: Vec<f64> = (0..self.vertices() as u32).map(at).collect();
        for (value, top, leaf, bundle) in self.leaves(values) {
            weights[bundle as usize][0] = value;
            ends[top as usize] -= value;
            ends[leaf as usize] = value;
        }
        (weights, ends)
    }

    /// How much of each vertex is visited.
    pub(super) fn visits(&self, values: &[f64]) -> Vec<f64> {
        let mut visits: Vec<f64> = values[self.lines.len()..self.lines.len() + self.vertices()].to_vec();
        for (value, _, leaf, _) in self.leaves(values) {
            visits[leaf as usize] = value;
        }
        visits
    }

    /// The value of every end at a leaf, with the vertex where that hangs, the leaf, and the bundle between.
    fn leaves(&self, values: &[f64]) -> impl Iterator<Item = (f64, u32, u32, u32)> {
        let values = &values[self.first_end() as usize..];
        values.iter().zip(self.ends.items()).filter_map(|(&value, end)| match end.what {
            EndWhat::Leaf { bundle } => {
                let [one, two] = self.core.bundles[bundle as usize].ends;
                Some((value, end.vertex, if one == end.vertex { two } else { one }, bundle))
            }
            _ => None,
        })
    }

    /// The bundles that the values put at a loss too cheaply, with the violation.
    pub(super) fn unpaid(&self, values: &[f64]) -> impl Iterator<Item = (f64, Cut)> {
        let visit = |vertex: u32| values[self.visit(vertex) as usize];
        let whole = |bundle: &Bundle| bundle.ends.iter().all(|&end| !self.leaves[end as usize]);
        let mut lines = self.lines.iter().zip(values).peekable();
        (0..).zip(&self.core.bundles).filter(move |(_, bundle)| whole(bundle)).map(move |(number, bundle)| {
            let [one, two] = bundle.ends;
            let mut used = 0.0;
            while let Some((_, value)) = lines.next_if(|(line, _)| line.bundle == number) {
                used += value;
            }
            let met_once = visit(one) + visit(two) - used / f64::from(bundle.count);
            (1.0 - met_once - values[self.lost(number) as usize], Cut::Lost { bundle: number })
        })
    }

    /// The limits that the values pass, with the violation.
    pub(super) fn surpassed(&self, values: &[f64]) -> impl Iterator<Item = (f64, Cut)> {
        (0..).zip(&self.limits).map(|(number, limit)| {
            let used: f64 = limit.columns.iter().map(|&column| values[column as usize]).sum();
            (used - limit.most as f64, Cut::Limit { number })
        })
    }
}

/// Whether trails can but end there.
fn is_leaf(core: &Core, vertex: u32) -> bool {
    let may_be = matches!(core.ending, Ending::Open) && !core.required.contains(&vertex);
    match core.arcs(vertex) {
        [(other, bundle)] if may_be && core.bundles[*bundle as usize].count == 1 => core.arcs(*other).len() > 1,
        _ => false,
    }
}

/// The ends that a trail may have, by vertex.
fn ends_of(core: &Core, leaves: &FixedBitSet) -> Vec<End> {
    let vertices = leaves.zeroes().map(|vertex| vertex as u32);
    let pendants = match &core.ending {
        Ending::Open => {
            let mut ends = Vec::new();
            for vertex in vertices {
                let hanging = core.arcs(vertex).iter().filter(|&&(other, _)| leaves[other as usize]);
                let before = ends.len();
                ends.extend(hanging.map(|&(leaf, bundle)| {
                    let worth = core.gains[leaf as usize];
                    End { vertex, worth, kind: EndKind::Any, what: EndWhat::Leaf { bundle } }
                }));
                if ends.len() == before {
                    ends.push(End { vertex, worth: 0, kind: EndKind::Any, what: EndWhat::Plain });
                }
            }
            return ends;
        }
        Ending::Closed => return Vec::new(),
        Ending::Prized(pendants) => pendants,
    };
    let mut ends = Vec::new();
    for vertex in vertices {
        let bundles = core.arcs(vertex).iter().map(|&(_, bundle)| bundle);
        for place in bundles.chain([core.bundles.len() as u32 + vertex]) {
            for pendant in pendants.at(place) {
                let mut add = |worth: i64, kind| {
                    if worth != NOT_AN_END {
                        ends.push(End {
                            vertex,
                            worth,
                            kind,
                            what: EndWhat::PendantEdge { place, edge: pendant.edge },
                        });
                    }
                };
                if pendants.is_symmetric {
                    add(pendant.first, EndKind::Any);
                } else {
                    add(pendant.first, EndKind::First);
                    add(pendant.last, EndKind::Last);
                }
            }
        }
    }
    ends
}

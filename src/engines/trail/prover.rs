//! Proofs about trails: the tree of cases of a root once more, each step [written down](crate::proof).
//!
//! The root is [contracted](contracted) first, and the proof is about that: neighbours share an end as they did, which is all that
//! it asks of a root. *Columns*: an edge is used; a vertex is visited; a vertex is a tip; an edge is lost. *Rows* are those that
//! `longhaul-check` knows of trails with two different tips, where it also says why they hold: what visits the inside of a set
//! crosses its border twice, tips counted, and all do so an even number of times. In the program a loop is worth something where it
//! is, in place of its column and row.

use super::core::contracted;
use super::root::Root;
use crate::branching::cases::{Node, NodeOutcome};
use crate::branching::separation::{LEAST_VIOLATION, SetCut};
use crate::branching::support::Support;
use crate::branching::whole::{FINE, closing, fixing};
use crate::branching::{Formulation, Known, Moment, Pause, Relaxation, Tree};
use crate::instance::{Budget, Monitor, Silent};
use crate::lp::proof::{Range, Row as ProgramRow};
use crate::lp::{LinearProgram, Simplex, Verdict};
use crate::proof::{Column, Cut as ProofCut, Multipliers, Record, Row, Step};
use crate::rows::Rows;
use crate::sets::set_of;
use crate::solution::Stop;

/// When to give up: a unit for every row at every pivot, some hundred nanoseconds.
const MOST_WORK: u64 = 100_000_000;

/// A root, and a record of steps that show that no path of the line graph is longer than `target`, or why there is none. Paths of a
/// single edge of the root, and trails of a single vertex, are not its business.
pub(crate) fn prove(root: &Root, target: i64, most: usize, budget: &Budget) -> Result<(Root, Record), Stop> {
    let root = contracted(root);
    let trails = Trails::new(&root);
    let constant = (0..trails.edges()).filter(|&edge| !is_loop(&root, edge)).count() as i64 - 1;
    let relaxation = Relaxation::new(trails.worth(), constant, trails.ranges(), trails.rows(), None);
    let known = Known { best: None, floor: target, upper: i64::MAX, peak_bytes: 0 };
    let mut tree: Tree<Trails<'_>, Simplex> = Tree::new(trails, relaxation, known);
    tree.budget = budget.clone();
    tree.pause = Pause::AtWork(MOST_WORK);
    let mut open: Vec<Node> = tree.open.drain().collect();
    while let Some(mut node) = open.pop() {
        if let NodeOutcome::Split { column, value } = tree.look_into(&mut node, &mut Silent)? {
            let name = tree.formulation.column(column);
            tree.formulation.record.add(Step::Case(name));
            let next = tree.split(node, column, value);
            let other = tree.open.pop().expect("the other half is open");
            let is_one = |node: &Node| node.fixed.last().is_some_and(|&(_, range)| range == Range::One);
            open.extend(if is_one(&next) { [other, next] } else { [next, other] });
        }
        if tree.formulation.failed || tree.formulation.record.size > most {
            return Err(Stop::Exhausted);
        }
    }
    let record = tree.formulation.record;
    Ok((root, record))
}

/// Vertices with no more edges are visited once at most.
const MOST_CROSSED_ONCE: usize = 3;

/// Why a row holds for every trail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Cut {
    Set(SetCut),
    /// An edge is used only if this end of it is visited.
    Use(u32, u32),
    Tip(u32),
    Lost(u32),
}

/// The trails of a root that have two different ends, with the record of what is shown about them.
struct Trails<'r> {
    root: &'r Root,
    /// The edges at each vertex, each with its other end.
    arcs: Rows<(u32, u32)>,
    record: Record,
    /// Something could not be written down.
    failed: bool,
}

impl<'r> Trails<'r> {
    fn new(root: &'r Root) -> Self {
        let straight: Vec<u32> = (0..root.ends.len() as u32).filter(|&edge| !is_loop(root, edge)).collect();
        let arcs = Rows::of_edges(
            root.vertex_count,
            straight.len(),
            |at| root.ends[straight[at] as usize],
            |at, [_, other]| (straight[at as usize], other),
        );
        Trails { root, arcs, record: Record::default(), failed: false }
    }

    fn edges(&self) -> u32 {
        self.root.ends.len() as u32
    }

    fn visit(&self, vertex: u32) -> u32 {
        self.edges() + vertex
    }

    fn tip(&self, vertex: u32) -> u32 {
        self.edges() + self.root.vertex_count as u32 + vertex
    }

    fn lost(&self, edge: u32) -> u32 {
        self.edges() + 2 * self.root.vertex_count as u32 + edge
    }

    /// The name of a column.
    fn column(&self, column: u32) -> Column {
        let (m, n) = (self.edges(), self.root.vertex_count as u32);
        match column {
            edge if edge < m => Column::Edge(edge),
            visit if visit < m + n => Column::Visit(visit - m),
            tip if tip < m + 2 * n => Column::Tip(tip - m - n),
            lost => Column::Lost(lost - m - 2 * n),
        }
    }

    fn worth(&self) -> Vec<i64> {
        let mut worth = vec![0; self.lost(self.edges()) as usize];
        for (edge, ends) in (0..self.edges()).zip(&self.root.ends) {
            match is_loop(self.root, edge) {
                true => worth[self.visit(ends[0]) as usize] += 1,
                false => worth[self.lost(edge) as usize] = -1,
            }
        }
        worth
    }

    fn ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::Free; self.lost(self.edges()) as usize];
        for edge in (0..self.edges()).filter(|&edge| is_loop(self.root, edge)) {
            ranges[edge as usize] = Range::Zero;
            ranges[self.lost(edge) as usize] = Range::Zero;
        }
        for vertex in (0..self.root.vertex_count as u32).filter(|&vertex| self.arcs.row(vertex).is_empty()) {
            ranges[self.visit(vertex) as usize] = Range::Zero;
            ranges[self.tip(vertex) as usize] = Range::Zero;
        }
        ranges
    }

    /// The rows that are always there: what a visit takes at each vertex, and that there are two tips.
    fn rows(&self) -> Vec<ProgramRow> {
        let vertices = 0..self.root.vertex_count as u32;
        let at = |vertex: u32| {
            let lines = self.arcs.row(vertex).iter().map(|&(edge, _)| (edge, 1));
            let entries = lines.chain([(self.tip(vertex), 1), (self.visit(vertex), -2)]).collect();
            ProgramRow { entries, least: 0, is_equation: self.arcs.row(vertex).len() <= MOST_CROSSED_ONCE }
        };
        let tips = vertices.clone().map(|vertex| (self.tip(vertex), 1)).collect();
        vertices.map(at).chain([ProgramRow { entries: tips, least: 2, is_equation: true }]).collect()
    }

    fn support(&self, values: &[f64]) -> Support {
        let n = self.root.vertex_count as u32;
        let lines = (0..self.edges()).zip(&self.root.ends).filter(|(edge, _)| !is_loop(self.root, *edge));
        let lines = lines.map(|(edge, ends)| (values[edge as usize], ends[0], ends[1], edge));
        let tips = (0..n).map(|vertex| (values[self.tip(vertex) as usize], vertex, n, self.tip(vertex)));
        Support::new(n, n, lines.chain(tips), |vertex| values[self.visit(vertex) as usize])
    }

    /// Violated rows about an edge or a tip.
    fn simple(&self, values: &[f64], found: &mut Vec<(f64, Cut)>) {
        let value = |column: u32| values[column as usize];
        for (edge, ends) in (0..self.edges()).zip(&self.root.ends).filter(|(edge, _)| !is_loop(self.root, *edge)) {
            let visits: f64 = ends.iter().map(|&end| value(self.visit(end))).sum();
            found.push((1.0 + value(edge) - value(self.lost(edge)) - visits, Cut::Lost(edge)));
            found.extend(ends.iter().map(|&end| (value(edge) - value(self.visit(end)), Cut::Use(edge, end))));
        }
        let tips = 0..self.root.vertex_count as u32;
        found.extend(tips.map(|vertex| (value(self.tip(vertex)) - value(self.visit(vertex)), Cut::Tip(vertex))));
        found.retain(|&(violation, _)| violation > LEAST_VIOLATION);
    }

    /// The columns that cross the border of a set, tips inside among them.
    fn crossing(&self, inside: &[u32]) -> Vec<u32> {
        let is_inside = set_of(self.root.vertex_count, inside);
        let across = |vertex: u32| {
            let leaving = self.arcs.row(vertex).iter().filter(|&&(_, other)| !is_inside[other as usize]);
            leaving.map(|&(edge, _)| edge).chain([self.tip(vertex)]).collect::<Vec<u32>>()
        };
        inside.iter().flat_map(|&vertex| across(vertex)).collect()
    }

    /// Writes a step down.
    fn note(
        &mut self,
        relaxation: &Relaxation<Self, impl LinearProgram>,
        whole: &[i64],
        scale: i64,
        step: fn(Multipliers) -> Step,
    ) {
        let n = self.root.vertex_count;
        let mut rows = Vec::new();
        for (number, (active, &multiplier)) in relaxation.rows.iter().zip(whole).enumerate() {
            if multiplier == 0 {
                continue;
            }
            // The program's rows are least values, an equation's multiplier counts the other way round.
            rows.push(match active.cut.as_ref().map(|active| active.cut.clone()) {
                None if number < n && active.row.is_equation => (Row::At(number as u32), -multiplier),
                None if number < n => (Row::At(number as u32), multiplier),
                None => (Row::Ends, -multiplier),
                Some(Cut::Use(edge, vertex)) => (Row::Use(edge, vertex), multiplier),
                Some(Cut::Tip(vertex)) => (Row::Tip(vertex), multiplier),
                Some(Cut::Lost(edge)) => (Row::Lost(edge), multiplier),
                Some(Cut::Set(cut)) => (Row::Cut(self.number(cut)), multiplier),
            });
        }
        let loops = (0..self.edges()).filter(|&edge| scale != 0 && is_loop(self.root, edge));
        rows.extend(loops.map(|edge| (Row::Lost(edge), scale)));
        if rows.iter().any(|(_, multiplier)| multiplier.unsigned_abs() >= 1 << 61) {
            self.failed = true;
        } else {
            self.record.add(step(Multipliers { scale, rows }));
        }
    }

    /// The number of a cut, a new one if it is new.
    fn number(&mut self, cut: SetCut) -> u32 {
        let cut = match cut {
            SetCut::Subtour { inside, visited } => ProofCut::Set { inside, visited, outer: None },
            SetCut::Blossom { inside, teeth } => {
                ProofCut::Blossom { inside, teeth: teeth.into_iter().map(|tooth| self.column(tooth)).collect() }
            }
        };
        self.record.number(cut)
    }
}

fn is_loop(root: &Root, edge: u32) -> bool {
    let [one, two] = root.ends[edge as usize];
    one == two
}

impl Formulation for Trails<'_> {
    type Cut = Cut;
    type Form = ();
    /// None is looked for: the target is known.
    type Answer = ();

    fn vertices(&self) -> usize {
        self.root.vertex_count
    }

    fn row(&mut self, cut: &Cut) -> (ProgramRow, ()) {
        let (entries, least) = match cut {
            Cut::Set(SetCut::Subtour { inside, visited }) => {
                let across = self.crossing(inside).into_iter().map(|column| (column, 1));
                (across.chain([(self.visit(*visited), -2)]).collect(), 0)
            }
            Cut::Set(SetCut::Blossom { inside, teeth }) => {
                let sign = |column: u32| if teeth.contains(&column) { -1 } else { 1 };
                let across = self.crossing(inside).into_iter().map(|column| (column, sign(column)));
                (across.collect(), 1 - teeth.len() as i64)
            }
            Cut::Use(edge, vertex) => (vec![(self.visit(*vertex), 1), (*edge, -1)], 0),
            Cut::Tip(vertex) => (vec![(self.visit(*vertex), 1), (self.tip(*vertex), -1)], 0),
            Cut::Lost(edge) => {
                let [one, two] = self.root.ends[*edge as usize].map(|end| (self.visit(end), 1));
                (vec![(self.lost(*edge), 1), one, two, (*edge, -1)], 1)
            }
        };
        (ProgramRow { entries, least, is_equation: false }, ())
    }

    fn value(&self, (): &()) -> i64 {
        i64::MIN
    }

    fn separate(&self, values: &[f64], found: &mut Vec<(f64, Cut)>, budget: &Budget) {
        self.simple(values, found);
        // So many rows change the solution anyway, and are found at a glance.
        if found.len() > self.root.vertex_count {
            return;
        }
        let support = self.support(values);
        let cuts = support.cuts_of_trails(found.len(), budget);
        found.extend(cuts.into_iter().map(|(violation, cut)| (violation, Cut::Set(cut))));
    }

    fn take_whole(&self, values: &[f64]) -> (Vec<Cut>, Option<()>) {
        let support = self.support(values);
        let mut found = Vec::new();
        self.simple(values, &mut found);
        let mut cuts: Vec<Cut> = found.into_iter().map(|(_, cut)| cut).collect();
        cuts.extend(support.cuts_of_whole_trails().map(Cut::Set));
        (cuts, None)
    }

    fn only_answer(&self, _values: &[f64], _budget: &Budget) -> Vec<()> {
        Vec::new()
    }

    fn guess(&self, _moment: &Moment<'_>) -> Vec<()> {
        Vec::new()
    }

    fn search_nearby<P: LinearProgram>(_tree: &mut Tree<Self, P>, _monitor: &mut dyn Monitor) -> Result<(), Stop> {
        Ok(())
    }

    fn listen(&self, _known: &mut Known<()>, _budget: &Budget, _monitor: &mut dyn Monitor) {}

    fn fixes_columns(&self) -> bool {
        false
    }

    fn is_recording(&self) -> bool {
        true
    }

    fn note_settled<P: LinearProgram>(&mut self, relaxation: &Relaxation<Self, P>, lower: i64, verdict: Verdict) {
        match closing(relaxation, lower, verdict) {
            Some((whole, scale)) => self.note(relaxation, &whole, scale, Step::Close),
            None => self.failed = true,
        }
    }

    fn note_otherwise_settled(&mut self) {
        self.failed = true;
    }

    fn fixed_on_record<P: LinearProgram>(&mut self, relaxation: &Relaxation<Self, P>, lower: i64) -> Vec<(u32, Range)> {
        let (whole, fixed) = fixing(relaxation, lower);
        if !fixed.is_empty() {
            self.note(relaxation, &whole, FINE, Step::Reduce);
        }
        fixed
    }
}

//! Proofs about trails: the tree of cases of a root once more, each step [written down](crate::proof).
//!
//! The root is [contracted](contracted) first, and the proof is about that: neighbours share an end as they did, which is all that
//! it asks of a root. *Columns*: an edge is used; a vertex is visited; a vertex is a tip; an edge is lost. *Rows* are those that
//! `longhaul-check` knows of trails with two different tips, where it also says why they hold: what visits the inside of a set
//! crosses its border twice, tips counted, and all do so an even number of times.
//!
//! The program has fewer columns and rows; what it does without is added where a step is written down. A loop is worth something
//! where it is. A *leaf* has one edge, which leads to its *top*; who visits it uses this edge and has a tip there, so the column of
//! the edge stands for all three, and is worth what the leaf is. It is met where the top is visited.

use fixedbitset::FixedBitSet;

use super::contract::{Contracted, contracted};
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
use crate::sets::{set_of, set_where};
use crate::solution::Stop;
use crate::terms::Basis;

/// When to give up: a unit for every row at every pivot, some hundred nanoseconds.
const MOST_WORK: u64 = 100_000_000;

/// A root, and a record of steps that show that no path of the line graph is longer than `target`, or why there is none. Paths of a
/// single edge of the root, and trails of a single vertex, are not its business. The program begins where another one stood, if
/// that is known.
pub(crate) fn prove(
    root: &Root,
    basis: Option<&Basis>,
    target: i64,
    most: usize,
    budget: &Budget,
) -> Result<(Root, Record), Stop> {
    let Contracted { root, place } = contracted(root, target);
    let trails = Trails::new(&root);
    let constant = (0..trails.edges()).filter(|&edge| trails.has_column(edge)).count() as i64 - 1;
    let relaxation = Relaxation::new(trails.worth(), constant, trails.ranges(), trails.rows(), None);
    let known = Known::between(target, i64::MAX);
    let mut tree: Tree<Trails<'_>, Simplex> = Tree::new(trails, relaxation, known);
    tree.budget = budget.clone();
    tree.pause = Pause::AtWork(MOST_WORK);
    if let Some(basis) = basis {
        begin_at(&mut tree, basis, &place)?;
    }
    let mut open: Vec<Node> = tree.open.drain().collect();
    while let Some(mut node) = open.pop() {
        if let NodeOutcome::Split { column, value } = tree.look_into(&mut node, false, &mut Silent)? {
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

/// Makes the program stand where another one stood, whose vertices have these places here.
fn begin_at(tree: &mut Tree<Trails<'_>, Simplex>, basis: &Basis, place: &[u32]) -> Result<(), Stop> {
    let trails = &tree.formulation;
    let (mut cuts, mut binding) = (Vec::new(), FixedBitSet::with_capacity(tree.relaxation.rows.len()));
    for row in &basis.rows {
        match trails.placed(row, basis, place) {
            Some(Placed::Always(number)) => binding.insert(number),
            Some(Placed::Cut(cut)) => cuts.push(cut),
            None => {}
        }
    }
    let columns = basis.columns.iter().filter_map(|&column| trails.placed_column(column, place));
    let mut columns: Vec<u32> = columns.collect();
    trails.complete(&mut binding, &mut cuts, &mut columns);
    columns.retain(|&column| tree.ranges[column as usize] == Range::Free);
    let slack: Vec<u32> = binding.zeroes().map(|row| row as u32).collect();
    tree.activate_all(cuts)?;
    tree.relaxation.program.begin_at(&columns, &slack);
    Ok(())
}

/// Trees that hang by one edge.
struct Trees {
    /// Their vertices without leaves, outer ones first.
    list: Vec<Peeled>,
    /// All of them, with leaves.
    gone: FixedBitSet,
}

/// A vertex that hangs by its stem.
struct Peeled {
    vertex: u32,
    stem: u32,
    /// The edge that is best to go on by.
    best: u32,
    /// What a trail with both its ends behind it may seem to be worth.
    both_ends: i64,
}

/// A row of another program here.
enum Placed {
    /// One that is always there, by its number.
    Always(usize),
    Cut(Cut),
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
    /// The vertices with one edge that leads to a vertex with more; and those that have rows, in turn.
    leaves: FixedBitSet,
    crossed: Vec<u32>,
    /// By vertex, its loops.
    loops: Vec<i64>,
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
        let is_leaf = |vertex: u32| match arcs.row(vertex) {
            [(_, top)] => arcs.row(*top).len() > 1,
            _ => false,
        };
        let leaves = set_where(root.vertex_count, |&vertex| is_leaf(vertex as u32));
        let crossed = leaves.zeroes().map(|vertex| vertex as u32).filter(|&vertex| !arcs.row(vertex).is_empty());
        let crossed = crossed.collect();
        let mut loops = vec![0; root.vertex_count];
        root.ends.iter().filter(|[one, two]| one == two).for_each(|ends| loops[ends[0] as usize] += 1);
        Trails { root, arcs, leaves, crossed, loops, record: Record::default(), failed: false }
    }

    /// The top of a leaf and the leaf, if the edge leads to one.
    fn hanging(&self, edge: u32) -> Option<[u32; 2]> {
        let [one, two] = self.root.ends[edge as usize];
        match [one, two].map(|end| self.leaves[end as usize]) {
            [false, true] => Some([one, two]),
            [true, false] => Some([two, one]),
            // None, or a loop.
            _ => None,
        }
    }

    /// Whether the edge's being lost has a column in the program.
    fn has_column(&self, edge: u32) -> bool {
        !is_loop(self.root, edge) && self.hanging(edge).is_none()
    }

    /// The edges between vertices that have rows.
    fn inner(&self) -> impl Iterator<Item = (u32, [u32; 2])> {
        (0..self.edges()).zip(self.root.ends.iter().copied()).filter(|&(edge, _)| self.has_column(edge))
    }

    /// The edges that lead to leaves, each with its top and the leaf.
    fn hangings(&self) -> impl Iterator<Item = (u32, [u32; 2])> {
        (0..self.edges()).filter_map(|edge| Some((edge, self.hanging(edge)?)))
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
        for (vertex, &loops) in (0..).zip(&self.loops) {
            worth[self.visit(vertex) as usize] = loops;
        }
        self.inner().for_each(|(edge, _)| worth[self.lost(edge) as usize] = -1);
        for (edge, [top, leaf]) in self.hangings() {
            worth[self.visit(top) as usize] += 1;
            worth[edge as usize] = std::mem::take(&mut worth[self.visit(leaf) as usize]);
        }
        worth
    }

    fn ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::Zero; self.lost(self.edges()) as usize];
        for (edge, _) in self.inner() {
            ranges[edge as usize] = Range::Free;
            ranges[self.lost(edge) as usize] = Range::Free;
        }
        self.hangings().for_each(|(edge, _)| ranges[edge as usize] = Range::Free);
        for &vertex in &self.crossed {
            ranges[self.visit(vertex) as usize] = Range::Free;
            ranges[self.tip(vertex) as usize] = Range::Free;
        }
        ranges
    }

    /// The rows that are always there: what a visit takes at each vertex, and that there are two tips.
    fn rows(&self) -> Vec<ProgramRow> {
        let at = |&vertex: &u32| {
            let lines = self.arcs.row(vertex).iter().map(|&(edge, _)| (edge, 1));
            let entries = lines.chain([(self.tip(vertex), 1), (self.visit(vertex), -2)]).collect();
            ProgramRow { entries, least: 0, is_equation: self.arcs.row(vertex).len() <= MOST_CROSSED_ONCE }
        };
        let tips = self.crossed.iter().map(|&vertex| self.tip(vertex)).chain(self.hangings().map(|(edge, _)| edge));
        let tips = tips.map(|column| (column, 1)).collect();
        self.crossed.iter().map(at).chain([ProgramRow { entries: tips, least: 2, is_equation: true }]).collect()
    }

    fn support(&self, values: &[f64]) -> Support {
        let n = self.root.vertex_count as u32;
        let lines = self.inner().map(|(edge, ends)| (values[edge as usize], ends[0], ends[1], edge));
        let hangings = self.hangings().map(|(edge, [top, _])| (values[edge as usize], top, n, edge));
        let tips = self.crossed.iter().map(|&vertex| (values[self.tip(vertex) as usize], vertex, n, self.tip(vertex)));
        Support::new(n, n, lines.chain(hangings).chain(tips), |vertex| values[self.visit(vertex) as usize])
    }

    /// Violated rows about an edge or a tip.
    fn simple(&self, values: &[f64], found: &mut Vec<(f64, Cut)>) {
        let value = |column: u32| values[column as usize];
        for (edge, ends) in self.inner() {
            let visits: f64 = ends.iter().map(|&end| value(self.visit(end))).sum();
            found.push((1.0 + value(edge) - value(self.lost(edge)) - visits, Cut::Lost(edge)));
            found.extend(ends.iter().map(|&end| (value(edge) - value(self.visit(end)), Cut::Use(edge, end))));
        }
        let tops = self.hangings().map(|(edge, [top, _])| (value(edge) - value(self.visit(top)), Cut::Use(edge, top)));
        found.extend(tops);
        let tip = |&vertex: &u32| (value(self.tip(vertex)) - value(self.visit(vertex)), Cut::Tip(vertex));
        found.extend(self.crossed.iter().map(tip));
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
        let n = self.crossed.len();
        let mut rows = Vec::new();
        for (number, (active, &multiplier)) in relaxation.rows.iter().zip(whole).enumerate() {
            if multiplier == 0 {
                continue;
            }
            // The program's rows are least values, an equation's multiplier counts the other way round.
            rows.push(match active.cut.as_ref().map(|active| active.cut.clone()) {
                None if number < n && active.row.is_equation => (Row::At(self.crossed[number]), -multiplier),
                None if number < n => (Row::At(self.crossed[number]), multiplier),
                None => (Row::Ends, -multiplier),
                Some(Cut::Use(edge, vertex)) => (Row::Use(edge, vertex), multiplier),
                Some(Cut::Tip(vertex)) => (Row::Tip(vertex), multiplier),
                Some(Cut::Lost(edge)) => (Row::Lost(edge), multiplier),
                Some(Cut::Set(cut)) => (Row::Cut(self.number(cut)), multiplier),
            });
        }
        let loops = (0..self.edges()).filter(|&edge| scale != 0 && is_loop(self.root, edge));
        rows.extend(loops.map(|edge| (Row::Lost(edge), scale)));
        self.add_leaves(whole[n], scale, &mut rows);
        if rows.iter().any(|(_, multiplier)| multiplier.unsigned_abs() >= 1 << 61) {
            self.failed = true;
        } else {
            self.record.add(step(Multipliers { scale, rows }));
        }
    }

    /// Adds the rows of leaves, where `tip` is what a tip gains by there being two. The gains of the edge, the tip and the visit add up to
    /// that of the column which stands for them; with these rows it is all with the edge.
    fn add_leaves(&self, tip: i64, scale: i64, rows: &mut Vec<(Row, i64)>) {
        for (edge, [_, leaf]) in self.hangings() {
            let visit = scale * (self.loops[leaf as usize] + 1);
            let sum = visit.saturating_add(tip.saturating_mul(2));
            let (too_few, too_many) = (sum.min(0).saturating_neg(), sum.max(0));
            let of_leaf = [
                (Row::Lost(edge), scale),
                (Row::Use(edge, leaf), too_few),
                (Row::Tip(leaf), too_many),
                (Row::At(leaf), tip.saturating_sub(too_many)),
            ];
            rows.extend(of_leaf.into_iter().filter(|(_, multiplier)| *multiplier != 0));
        }
    }

    /// A row of another program here, whose vertices have these places, if it is one.
    fn placed(&self, row: &Row, basis: &Basis, place: &[u32]) -> Option<Placed> {
        let crossed = |vertex: u32| self.crossed.binary_search(place.get(vertex as usize)?).ok();
        let edge = |edge: u32| (edge < self.edges() && !is_loop(self.root, edge)).then_some(edge);
        Some(match *row {
            Row::At(vertex) => Placed::Always(crossed(vertex)?),
            Row::Ends => Placed::Always(self.crossed.len()),
            Row::Use(used, vertex) => {
                let vertex = self.crossed[crossed(vertex)?];
                let used = edge(used)?;
                self.root.ends[used as usize].contains(&vertex).then_some(Placed::Cut(Cut::Use(used, vertex)))?
            }
            Row::Tip(vertex) => Placed::Cut(Cut::Tip(self.crossed[crossed(vertex)?])),
            Row::Lost(lost) => Placed::Cut(Cut::Lost(edge(lost).filter(|&lost| self.has_column(lost))?)),
            Row::Cut(number) => Placed::Cut(Cut::Set(self.placed_cut(&basis.cuts[number as usize], place)?)),
            _ => return None,
        })
    }

    /// Adds to the basis of another program what that has folded: trees that hang by one edge, which were leaves there. Who comes to a
    /// vertex of a tree by its *stem* visits it and goes on to what is worth most. A trail with both ends in a tree would be worth too much,
    /// if nothing said that it leads to the rest.
    fn complete(&self, binding: &mut FixedBitSet, cuts: &mut Vec<Cut>, columns: &mut Vec<u32>) {
        let known = set_of(self.lost(self.edges()) as usize, &*columns);
        let trees = self.peeled(|number, vertex| binding[number] || known[self.visit(vertex) as usize]);
        // As much as the set takes off what both ends there are worth, where that is most.
        let Some(most) = (0..trees.list.len()).max_by_key(|&number| trees.list[number].both_ends) else { return };
        for (number, &Peeled { vertex, stem, best, .. }) in trees.list.iter().enumerate() {
            binding.insert(self.crossed.binary_search(&vertex).expect("it is crossed"));
            columns.extend([self.visit(vertex), self.lost(stem), best]);
            cuts.push(Cut::Lost(stem));
            cuts.extend((number != most).then_some(Cut::Use(stem, vertex)));
        }
        let inside: Vec<u32> = self.crossed.iter().copied().filter(|&vertex| !trees.gone[vertex as usize]).collect();
        if let Some(visited) = inside.iter().copied().max_by_key(|&vertex| self.arcs.row(vertex).len()) {
            cuts.push(Cut::Set(SetCut::Subtour { inside, visited }));
        }
    }

    /// Peels off, again and again, a vertex that hangs by one edge and is not kept.
    fn peeled(&self, is_kept: impl Fn(usize, u32) -> bool) -> Trees {
        let n = self.root.vertex_count;
        let mut trees = Trees { list: Vec::new(), gone: self.leaves.clone() };
        let (mut left, mut open) = (vec![0u32; n], Vec::new());
        // What is best to end with behind each vertex, by which edge.
        let mut best: Vec<Option<(i64, u32)>> = vec![None; n];
        let mut kept = set_where(n, |_| true);
        for (number, &vertex) in self.crossed.iter().enumerate() {
            let hanging = self.arcs.row(vertex).iter().filter(|&&(_, other)| self.leaves[other as usize]);
            best[vertex as usize] = hanging.clone().map(|&(edge, leaf)| (self.loops[leaf as usize], edge)).max();
            left[vertex as usize] = (self.arcs.row(vertex).len() - hanging.count()) as u32;
            kept.set(vertex as usize, is_kept(number, vertex));
            if left[vertex as usize] == 1 {
                open.push(vertex);
            }
        }
        while let Some(vertex) = open.pop() {
            let at = vertex as usize;
            let mut stems = self.arcs.row(vertex).iter().filter(|&&(_, other)| !trees.gone[other as usize]);
            let (Some(&(stem, top)), Some((worth, edge))) = (stems.next(), best[at]) else { continue };
            if kept[at] {
                continue;
            }
            trees.gone.insert(at);
            let met = self.loops[at] + self.arcs.row(vertex).len() as i64;
            trees.list.push(Peeled { vertex, stem, best: edge, both_ends: met + 2 * worth });
            best[top as usize] = best[top as usize].max(Some((met - 1 + worth, stem)));
            left[top as usize] -= 1;
            if left[top as usize] == 1 {
                open.push(top);
            }
        }
        trees
    }

    fn placed_cut(&self, cut: &ProofCut, place: &[u32]) -> Option<SetCut> {
        let (ProofCut::Set { inside, .. } | ProofCut::Blossom { inside, .. }) = cut;
        let inside = inside.iter().filter_map(|&vertex| place.get(vertex as usize).copied());
        let mut inside: Vec<u32> = inside.filter(|vertex| self.crossed.binary_search(vertex).is_ok()).collect();
        inside.sort_unstable();
        inside.dedup();
        match cut {
            ProofCut::Set { visited, .. } => {
                let visited = *place.get(*visited as usize)?;
                inside.contains(&visited).then_some(SetCut::Subtour { inside, visited })
            }
            ProofCut::Blossom { teeth, .. } => {
                let mut teeth: Vec<u32> =
                    teeth.iter().map(|&tooth| self.placed_column(tooth, place)).collect::<Option<_>>()?;
                teeth.sort_unstable();
                teeth.dedup();
                let crossing = self.crossing(&inside);
                let is_one = teeth.len() % 2 == 1 && teeth.iter().all(|tooth| crossing.contains(tooth));
                is_one.then_some(SetCut::Blossom { inside, teeth })
            }
        }
    }

    fn placed_column(&self, column: Column, place: &[u32]) -> Option<u32> {
        let there = |vertex: u32| place.get(vertex as usize).copied().filter(|&vertex| vertex != u32::MAX);
        let edge = |edge: u32| (edge < self.edges()).then_some(edge);
        match column {
            Column::Edge(used) => edge(used),
            Column::Visit(vertex) => Some(self.visit(there(vertex)?)),
            Column::Tip(vertex) => Some(self.tip(there(vertex)?)),
            Column::Lost(lost) => Some(self.lost(edge(lost)?)),
            Column::Start(_) | Column::Finish(_) => None,
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

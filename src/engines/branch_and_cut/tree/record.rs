//! The tree of cases once more, depth first, with a [record](crate::proof) of every step.
//!
//! The target is known here, so there is nothing to look for: columns are fixed by gains once a node, before it branches, and a
//! side that a trial has shown to be empty is visited all the same. Multipliers are rounded to the coarsest unit that still shows
//! what they are for.

use hashbrown::HashMap;

use super::super::Settings;
use super::super::model::{Cut, Form};
use super::{Known, Tree};
use crate::engines::branch_and_cut::Family;
use crate::instance::{Budget, Instance, Silent};
use crate::lp::cases::{Node, NodeOutcome};
use crate::lp::proof::Range;
use crate::lp::{LinearProgram, Simplex, Verdict};
use crate::proof::{Column, Cut as ProofCut, Multipliers, Record, Row, Step};
use crate::solution::Stop;

/// Units tried for multipliers, the coarsest first.
const UNITS: [i64; 9] = [1, 2, 4, 12, 60, 1 << 10, 1 << 14, 1 << 19, 1 << 24];
/// The unit of multipliers that fix columns or lead a sweep.
const FINE: i64 = 1 << 10;
/// Multipliers beyond this are no use.
const MOST: f64 = 1e15;

/// What the tree notes while it proves.
#[derive(Default)]
pub(super) struct Notes {
    record: Record,
    numbers: HashMap<ProofCut, u32>,
    /// Something could not be written down.
    failed: bool,
}

/// A search for a proof that no path with an edge is worth more than a target.
pub(crate) struct Prover<'p> {
    tree: Tree<'p, Simplex>,
    /// Nodes to be looked into, the next one last.
    open: Vec<Node>,
}

impl<'p> Prover<'p> {
    /// `root` is the vertex that a cycle visits; cycles avoid those that are `removed`.
    pub(crate) fn new(instance: &'p Instance, root: Option<u32>, removed: &[bool], target: i64) -> Self {
        let settings = Settings { without: vec![Family::Guesses], ..Settings::default() };
        let known = Known { best: None, floor: target, upper: i64::MAX, peak_bytes: 0 };
        let mut tree = Tree::new(&settings, instance, root, removed, known);
        tree.notes = Some(Notes::default());
        let open = tree.open.drain().collect();
        Prover { tree, open }
    }

    /// Looks into one node after the other, at most so many. Whether all is proved; the next call goes on, be it after a stop.
    pub(crate) fn go_on(&mut self, nodes: u64, most: usize, budget: &Budget) -> Result<bool, Stop> {
        self.tree.budget = budget.clone();
        self.tree.pause = u64::MAX;
        for _ in 0..nodes {
            if self.tree.notes().failed || self.tree.notes().record.size > most {
                return Err(Stop::Exhausted);
            }
            let Some(mut node) = self.open.pop() else { return Ok(true) };
            let steps = self.record().steps.len();
            let outcome = match self.tree.look_into(&mut node, &mut Silent) {
                Ok(outcome) => outcome,
                Err(stop) => {
                    // What was fixed meanwhile is written down, and holds when it goes on; it may even be settled.
                    if !matches!(self.record().steps[steps..].last(), Some(Step::Close(_))) {
                        self.open.push(node);
                    }
                    return Err(stop);
                }
            };
            match outcome {
                NodeOutcome::Settled => {}
                NodeOutcome::Split { column, value } => {
                    let name = self.tree.column(column as usize);
                    self.tree.notes().record.add(Step::Case(name));
                    let next = self.tree.split(node, column, value);
                    let other = self.tree.open.pop().expect("the other half is open");
                    let is_one = |node: &Node| node.fixed.last().is_some_and(|&(_, range)| range == Range::One);
                    let (one, zero) = if is_one(&next) { (next, other) } else { (other, next) };
                    self.open.extend([zero, one]);
                }
            }
        }
        Ok(self.open.is_empty() && !self.tree.notes().failed)
    }

    /// The steps so far.
    pub(crate) fn record(&mut self) -> &Record {
        &self.tree.notes().record
    }

    /// The multipliers that the program has now.
    pub(crate) fn multipliers(&mut self) -> Option<Multipliers> {
        let multipliers = self.tree.program.multipliers().to_vec();
        let whole = self.tree.rounded(&multipliers, self.tree.unit, FINE);
        self.tree.translated(&whole, FINE)
    }

    /// Whether a better path may use the edge, and visit the vertex.
    pub(crate) fn allows_edge(&self, edge: u32) -> bool {
        self.tree.ranges[edge as usize] != Range::Zero
    }

    pub(crate) fn allows_visit(&self, vertex: u32) -> bool {
        self.tree.ranges[self.tree.model.visit(vertex) as usize] != Range::Zero
    }
}

impl<P: LinearProgram> Tree<'_, P> {
    fn notes(&mut self) -> &mut Notes {
        self.notes.as_mut().expect("a prover has notes")
    }

    /// The node is settled: writes down why.
    pub(super) fn note_settled(&mut self, verdict: Verdict) {
        if self.notes.is_none() {
            return;
        }
        let multipliers = self.program.multipliers().to_vec();
        for scale in UNITS {
            let whole = self.rounded(&multipliers, self.unit, scale);
            if self.bound(&whole, scale).0 < self.needed(scale) {
                return self.note(&whole, scale, Step::Close);
            }
        }
        if verdict == Verdict::Infeasible {
            let ray = self.program.ray().to_vec();
            let greatest = ray.iter().fold(1e-9f64, |most, value| most.max(value.abs()));
            for unit in UNITS {
                let whole = self.rounded(&ray, 1.0 / greatest, unit);
                if self.bound(&whole, 0).0 < 0 {
                    return self.note(&whole, 0, Step::Close);
                }
            }
        }
        self.notes().failed = true;
    }

    /// Fixes columns by gains in coarser units, and writes it down.
    pub(super) fn note_fixing(&mut self, node: &mut Node) {
        if self.notes.is_none() {
            return;
        }
        let is_root = node.fixed.is_empty();
        let multipliers = self.program.multipliers().to_vec();
        let whole = self.rounded(&multipliers, self.unit, FINE);
        let (bound, gains) = self.bound(&whole, FINE);
        let needed = self.needed(FINE);
        let mut fixed = 0;
        for (column, gain) in gains.iter().enumerate() {
            if self.here[column] == Range::Free && bound - gain.abs() < needed {
                let range = if *gain > 0 { Range::One } else { Range::Zero };
                self.fix(column, range);
                fixed += 1;
                if is_root {
                    self.ranges[column] = range;
                } else {
                    node.fixed.push((column as u32, range));
                }
            }
        }
        if fixed > 0 {
            self.note(&whole, FINE, Step::Reduce);
        }
    }

    /// Something settled the node that can't be written down.
    pub(super) fn note_failure(&mut self) {
        if let Some(notes) = &mut self.notes {
            notes.failed = true;
        }
    }

    fn note(&mut self, whole: &[i64], scale: i64, step: fn(Multipliers) -> Step) {
        match self.translated(whole, scale) {
            Some(multipliers) => self.notes().record.add(step(multipliers)),
            None => self.notes().failed = true,
        }
    }

    fn needed(&self, scale: i64) -> i128 {
        i128::from(scale) * (i128::from(self.lower()) + 1)
    }

    /// Whole multiples of `1 / scale`, those with a wrong sign dropped.
    fn rounded(&self, multipliers: &[f64], unit: f64, scale: i64) -> Vec<i64> {
        let round = |(active, value): (&super::Active, &f64)| {
            let value = (value * unit * scale as f64).round();
            let is_good = value.abs() < MOST && (value >= 0.0 || active.row.is_equation);
            if is_good { value as i64 } else { 0 }
        };
        self.rows.iter().zip(multipliers).map(round).collect()
    }

    /// The bound of whole multipliers in the present node, times `scale`, and the gains.
    fn bound(&self, whole: &[i64], scale: i64) -> (i128, Vec<i128>) {
        let mut gains: Vec<i128> =
            self.model.worth.iter().map(|&worth| i128::from(worth) * i128::from(scale)).collect();
        let mut bound = 0;
        for (active, &multiplier) in self.rows.iter().zip(whole).filter(|(_, multiplier)| **multiplier != 0) {
            for &(column, coefficient) in &active.row.entries {
                gains[column as usize] += i128::from(multiplier) * i128::from(coefficient);
            }
            bound -= i128::from(multiplier) * i128::from(active.row.least);
        }
        for (&gain, range) in gains.iter().zip(&self.here) {
            bound += match range {
                Range::Free => gain.max(0),
                Range::Zero => 0,
                Range::One => gain,
            };
        }
        (bound, gains)
    }

    fn column(&self, column: usize) -> Column {
        let model = &self.model;
        let (m, n) = (model.edges(), model.vertices());
        if column < m {
            return Column::Edge(column as u32);
        }
        if column < m + n {
            return Column::Visit((column - m) as u32);
        }
        let (_, vertex) = model.end_columns().nth(column - m - n).expect("what is no edge and no visit is an end");
        if model.ends_are_alike {
            Column::Tip(vertex)
        } else if model.first[vertex as usize] == column as u32 {
            Column::Start(vertex)
        } else {
            Column::Finish(vertex)
        }
    }

    /// The multipliers of the common rows that come to the same. `None` where they become too large.
    ///
    /// A border across is twice the set (once, where directed) and the equations at its vertices, less the equation of the ends
    /// where those outside are listed; a blossom likewise.
    fn translated(&mut self, whole: &[i64], scale: i64) -> Option<Multipliers> {
        let (n, directed) = (self.model.vertices(), self.model.instance.graph.is_directed());
        // Of the equations: leaving (all, where undirected) and entering each vertex, starts, finishes.
        let (mut out, mut into, mut starts, mut finishes) = (vec![0i64; n], vec![0i64; n], 0i64, 0i64);
        let mut rows = Vec::new();
        let mut notes = self.notes.take()?;
        // Equations come first.
        for (equation, (active, &multiplier)) in self.rows.iter().zip(whole).enumerate() {
            let Some((cut, _)) = &active.cut else {
                let at_vertices = if directed { 2 * n } else { n };
                match equation {
                    _ if equation < at_vertices && !directed => out[equation] -= multiplier,
                    _ if equation < at_vertices && equation % 2 == 0 => out[equation / 2] -= multiplier,
                    _ if equation < at_vertices => into[equation / 2] -= multiplier,
                    _ if equation == at_vertices => starts -= multiplier,
                    _ => finishes -= multiplier,
                }
                continue;
            };
            if multiplier == 0 {
                continue;
            }
            match cut {
                Cut::Subtour { inside, visited } => {
                    let mut times = 1;
                    if let Form::Across { into: enters, complement } = active.form {
                        let equations = if directed && enters { &mut into } else { &mut out };
                        inside.iter().for_each(|&vertex| equations[vertex as usize] -= multiplier);
                        if complement && (!directed || enters) {
                            starts += multiplier;
                        }
                        if complement && !self.model.ends_are_alike && (!directed || !enters) {
                            finishes += multiplier;
                        }
                        times = if directed { 1 } else { 2 };
                    }
                    let mut inside = inside.clone();
                    inside.sort_unstable();
                    let cut = ProofCut::Set { inside, visited: *visited, outer: self.model.root };
                    rows.push((Row::Cut(notes.number(cut)), times * multiplier));
                }
                Cut::Blossom { inside, teeth } => {
                    inside.iter().for_each(|&vertex| out[vertex as usize] -= multiplier);
                    let teeth = teeth.iter().map(|&column| self.column(column as usize)).collect();
                    let cut = ProofCut::Blossom { inside: inside.clone(), teeth };
                    rows.push((Row::Cut(notes.number(cut)), 2 * multiplier));
                }
                Cut::Visited { edge, vertex } => rows.push((Row::Use(*edge, *vertex), multiplier)),
                Cut::EndVisited { vertex } => rows.push((Row::Tip(*vertex), multiplier)),
            }
        }
        for vertex in 0..n {
            let names =
                if directed { [Row::Out(vertex as u32), Row::In(vertex as u32)] } else { [Row::At(vertex as u32); 2] };
            rows.extend(names.into_iter().zip([out[vertex], into[vertex]]).filter(|(_, multiplier)| *multiplier != 0));
        }
        let names = if self.model.ends_are_alike { [Row::Ends; 2] } else { [Row::Starts, Row::Finishes] };
        rows.extend(names.into_iter().zip([starts, finishes]).filter(|(_, multiplier)| *multiplier != 0));
        self.notes = Some(notes);
        rows.iter().all(|(_, multiplier)| multiplier.unsigned_abs() < 1 << 61).then_some(Multipliers { scale, rows })
    }
}

impl Notes {
    /// The number of a cut, a new one if it is new.
    fn number(&mut self, cut: ProofCut) -> u32 {
        let next = self.record.cuts.len() as u32;
        let number = *self.numbers.entry(cut.clone()).or_insert(next);
        if number == next {
            let (ProofCut::Set { inside, .. } | ProofCut::Blossom { inside, .. }) = &cut;
            self.record.size += inside.len() + 4;
            self.record.cuts.push(cut);
        }
        number
    }
}

//! What the tree of cases notes while it proves, in the terms of [proofs](crate::proof).

use super::model::{Cut, Form, Model};
use crate::branching::separation::SetCut;
use crate::branching::whole::{FINE, closing, fixing, rounded};
use crate::branching::{Active, Formulation, Relaxation};
use crate::lp::proof::Range;
use crate::lp::{LinearProgram, Verdict};
use crate::proof::{Column, Cut as ProofCut, Multipliers, Record, Row, Step};

/// What the tree notes while it proves.
#[derive(Clone, Default)]
pub(super) struct Notes {
    record: Record,
    /// Something could not be written down.
    failed: bool,
}

impl Notes {
    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    /// Whether something could not be written down.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Something settled a node that can't be written down.
    pub(super) fn fail(&mut self) {
        self.failed = true;
    }

    /// A node is settled, since nothing in it is worth more than `lower`: writes down why.
    pub(super) fn settled<F: Written, P: LinearProgram>(
        &mut self,
        model: &Model<'_>,
        relaxation: &Relaxation<F, P>,
        lower: i64,
        verdict: Verdict,
    ) {
        match closing(relaxation, lower, verdict) {
            Some((whole, scale)) => self.note(model, &relaxation.rows, &whole, scale, Step::Close),
            None => self.failed = true,
        }
    }

    /// Columns fixed by gains in coarser units, which is written down.
    pub(super) fn fixed<F: Written, P: LinearProgram>(
        &mut self,
        model: &Model<'_>,
        relaxation: &Relaxation<F, P>,
        lower: i64,
    ) -> Vec<(u32, Range)> {
        let (whole, fixed) = fixing(relaxation, lower);
        if !fixed.is_empty() {
            self.note(model, &relaxation.rows, &whole, FINE, Step::Reduce);
        }
        fixed
    }

    /// A node is split at this column.
    pub(super) fn split(&mut self, model: &Model<'_>, column: u32) {
        self.record.add(Step::Case(name(model, column as usize)));
    }

    /// The multipliers that the program has now.
    pub(super) fn multipliers<F: Written, P: LinearProgram>(
        &mut self,
        model: &Model<'_>,
        relaxation: &Relaxation<F, P>,
    ) -> Option<Multipliers> {
        let whole = rounded(relaxation, FINE);
        self.translated(model, &relaxation.rows, &whole, FINE)
    }

    fn note<F: Written>(
        &mut self,
        model: &Model<'_>,
        rows: &[Active<F>],
        whole: &[i64],
        scale: i64,
        step: fn(Multipliers) -> Step,
    ) {
        match self.translated(model, rows, whole, scale) {
            Some(multipliers) => self.record.add(step(multipliers)),
            None => self.failed = true,
        }
    }

    /// The multipliers of the common rows that come to the same. `None` where they become too large.
    fn translated<F: Written>(
        &mut self,
        model: &Model<'_>,
        active: &[Active<F>],
        whole: &[i64],
        scale: i64,
    ) -> Option<Multipliers> {
        let mut equations = Equations::new(model);
        let mut rows = Vec::new();
        for (number, (active, &multiplier)) in active.iter().zip(whole).enumerate() {
            match &active.cut {
                // Equations come first.
                None => equations.add(number, multiplier),
                Some(_) if multiplier == 0 => {}
                Some(active) => rows.push(self.cut(&mut equations, &active.cut, active.form, multiplier)?),
            }
        }
        rows.extend(equations.rows());
        rows.iter().all(|(_, multiplier)| multiplier.unsigned_abs() < 1 << 61).then_some(Multipliers { scale, rows })
    }

    /// The common row of a cut, with its multiplier; half sums have none, nor have borders that separate two vertices.
    ///
    /// A border across is twice the set (once, where directed) and the equations at its vertices, less the equation of the ends
    /// where those outside are listed; a blossom likewise.
    fn cut(&mut self, equations: &mut Equations<'_, '_>, cut: &Cut, form: Form, multiplier: i64) -> Option<(Row, i64)> {
        let model = equations.model;
        Some(match cut {
            Cut::Set(SetCut::Subtour { inside, visited }) => {
                let times = if let Form::Across { into, complement } = form {
                    equations.cross(inside, into, complement, multiplier)
                } else {
                    1
                };
                let mut inside = inside.clone();
                inside.sort_unstable();
                let cut = ProofCut::Set { inside, visited: *visited, outer: model.root };
                (Row::Cut(self.record.number(cut)), times * multiplier)
            }
            Cut::Set(SetCut::Blossom { inside, teeth }) => {
                inside.iter().for_each(|&vertex| equations.out[vertex as usize] -= multiplier);
                let teeth = teeth.iter().map(|&column| name(model, column as usize)).collect();
                let cut = ProofCut::Blossom { inside: inside.clone(), teeth };
                (Row::Cut(self.record.number(cut)), 2 * multiplier)
            }
            Cut::Visited { edge, vertex } => (Row::Use(*edge, *vertex), multiplier),
            Cut::EndVisited { vertex } => (Row::Tip(*vertex), multiplier),
            Cut::Half(_) | Cut::Between { .. } | Cut::VisitedOnce { .. } => return None,
        })
    }
}

/// What has cuts that can be written down.
pub(super) trait Written: Formulation<Cut = Cut, Form = Form> {}

impl<F: Formulation<Cut = Cut, Form = Form>> Written for F {}

/// The multipliers of the equations: of leaving (all, where undirected) and entering each vertex, of starts, of finishes.
struct Equations<'m, 'p> {
    model: &'m Model<'p>,
    directed: bool,
    out: Vec<i64>,
    into: Vec<i64>,
    starts: i64,
    finishes: i64,
}

impl<'m, 'p> Equations<'m, 'p> {
    fn new(model: &'m Model<'p>) -> Self {
        let n = model.vertices();
        let directed = model.instance.graph.is_directed();
        Equations { model, directed, out: vec![0; n], into: vec![0; n], starts: 0, finishes: 0 }
    }

    /// The equation of this number.
    fn add(&mut self, number: usize, multiplier: i64) {
        let n = self.out.len();
        match number.checked_sub(if self.directed { 2 * n } else { n }) {
            None if !self.directed => self.out[number] -= multiplier,
            None if number.is_multiple_of(2) => self.out[number / 2] -= multiplier,
            None => self.into[number / 2] -= multiplier,
            Some(0) => self.starts -= multiplier,
            Some(_) => self.finishes -= multiplier,
        }
    }

    /// A border across; how many times the set it is.
    fn cross(&mut self, inside: &[u32], enters: bool, complement: bool, multiplier: i64) -> i64 {
        let equations = if self.directed && enters { &mut self.into } else { &mut self.out };
        inside.iter().for_each(|&vertex| equations[vertex as usize] -= multiplier);
        if complement && (!self.directed || enters) {
            self.starts += multiplier;
        }
        if complement && !self.model.ends_are_alike && (!self.directed || !enters) {
            self.finishes += multiplier;
        }
        if self.directed { 1 } else { 2 }
    }

    /// The rows of those that count.
    fn rows(self) -> impl Iterator<Item = (Row, i64)> {
        let directed = self.directed;
        let vertices = (0..).zip(self.out.into_iter().zip(self.into)).flat_map(move |(vertex, (out, into))| {
            let names = if directed { [Row::Out(vertex), Row::In(vertex)] } else { [Row::At(vertex); 2] };
            names.into_iter().zip([out, into])
        });
        let names = if self.model.ends_are_alike { [Row::Ends; 2] } else { [Row::Starts, Row::Finishes] };
        let ends = names.into_iter().zip([self.starts, self.finishes]);
        vertices.chain(ends).filter(|(_, multiplier)| *multiplier != 0)
    }
}

fn name(model: &Model<'_>, column: usize) -> Column {
    let (m, n) = (model.edges(), model.vertices());
    if column < m {
        return Column::Edge(column as u32);
    }
    if column < m + n {
        return Column::Visit((column - m) as u32);
    }
    let (_, vertex) = model.end_variables().nth(column - m - n).expect("what is no edge and no visit is an end");
    if model.ends_are_alike {
        Column::Tip(vertex)
    } else if model.first[vertex as usize] == column as u32 {
        Column::Start(vertex)
    } else {
        Column::Finish(vertex)
    }
}

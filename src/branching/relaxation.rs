//! The linear program with its rows, and what its multipliers prove.
//!
//! Rows that have been slack for long go to a pool, where they are looked through before anything is separated anew. Whatever
//! the program says in floating point, the [`Proof`] adds up in integers.

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;

use super::Formulation;
use super::cases::{WHOLE, drop_idle_rows};
use crate::instance::Budget;
use crate::lp::proof::{Proof, Range, Row, SCALE};
use crate::lp::{LinearProgram, Verdict};
use crate::rows::IsOver;
use crate::solution::Stop;

/// Pivots between two looks at the clock, and rows times pivots.
const PIVOTS: usize = 500;
const WORK_UNSEEN: usize = 1_000_000;
/// What else solving takes, in pivots.
const SOLVING: u64 = 5;
/// The pool keeps so many cuts for every vertex.
const POOL_PER_VERTEX: usize = 8;
/// Rows looked through, or made, between two looks at the clock.
const ROWS_PER_LOOK: usize = 64;
/// Rows added to a new program between two looks at the clock.
const ROWS_ADDED_PER_LOOK: usize = 4096;
/// What a row takes, in the program and its copy for trials.
const BYTES_A_ROW: usize = 400;
const BYTES_AN_ENTRY: usize = 80;

/// A row of the program.
#[derive(Clone)]
pub(crate) struct Active<F: Formulation> {
    pub(crate) row: Row,
    /// `None` for what is always there.
    pub(crate) cut: Option<ActiveCut<F>>,
}

/// A cut that has a row.
#[derive(Clone)]
pub(crate) struct ActiveCut<F: Formulation> {
    pub(crate) cut: F::Cut,
    pub(crate) form: F::Form,
    /// The rounds it has been slack.
    idle: u32,
}

/// The program as it is now, with the bounds of its columns.
#[derive(Clone)]
pub(crate) struct Relaxation<F: Formulation, P> {
    pub(crate) program: P,
    pub(crate) rows: Vec<Active<F>>,
    pool: Vec<(F::Cut, Row)>,
    /// What each column is worth, and all answers beside their columns.
    pub(crate) worth: Vec<i64>,
    constant: i64,
    /// What a unit of the program's objective is worth.
    pub(crate) unit: f64,
    /// The bounds of the columns.
    pub(crate) here: Vec<Range>,
    pub(crate) proof: Proof,
    /// The last solution looked at.
    pub(crate) values: Vec<f64>,
    /// A unit for every row at every pivot, some hundred nanoseconds.
    pub(crate) work: u64,
    /// Debugging: the columns of an answer that no cut may cut off, and no bound may fall below.
    watched: Option<FixedBitSet>,
}

impl<F: Formulation, P: LinearProgram> Relaxation<F, P> {
    pub(crate) fn new(
        worth: Vec<i64>,
        constant: i64,
        ranges: Vec<Range>,
        rows: Vec<Row>,
        watched: Option<FixedBitSet>,
    ) -> Self {
        Self::new_unless(worth, constant, ranges, rows, watched, &mut || false).expect("nobody ends it")
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn new_unless(
        worth: Vec<i64>,
        constant: i64,
        ranges: Vec<Range>,
        rows: Vec<Row>,
        watched: Option<FixedBitSet>,
        is_over: IsOver<'_>,
    ) -> Option<Self> {
        let greatest = worth.iter().map(|worth| worth.unsigned_abs()).max().unwrap_or(0);
        let unit = greatest.max(1) as f64;
        let mut program = P::default();
        program.set_unit(unit);
        for (worth, range) in worth.iter().zip(&ranges) {
            let (lower, upper) = range.bounds();
            program.add_column(-*worth as f64 / unit, lower, upper);
        }
        let mut relaxation = Relaxation {
            program,
            rows: Vec::new(),
            pool: Vec::new(),
            worth,
            constant,
            unit,
            here: ranges,
            proof: Proof::default(),
            values: Vec::new(),
            work: 0,
            watched,
        };
        for (number, row) in rows.into_iter().enumerate() {
            if number % ROWS_ADDED_PER_LOOK == 0 && is_over() {
                return None;
            }
            relaxation.activate(row, None);
        }
        Some(relaxation)
    }

    /// With what a trial on either side of a branching takes: a copy of the program.
    pub(crate) fn bytes(&self) -> usize {
        let entries: usize = self.rows.iter().map(|active| active.row.entries.len()).sum();
        let pooled: usize = self.pool.iter().map(|(_, row)| row.entries.len()).sum();
        2 * self.program.bytes() + 16 * (entries + pooled) + 120 * self.worth.len()
    }

    /// The value of answers without what they are worth beside their columns.
    pub(crate) fn in_columns(&self, value: i64) -> i64 {
        value.saturating_sub(self.constant)
    }

    /// Nothing within the bounds is worth more.
    pub(crate) fn proved(&self) -> i64 {
        self.value_of(&self.proof)
    }

    fn value_of(&self, proof: &Proof) -> i64 {
        proof.floor().saturating_add(self.constant)
    }

    /// The same in columns, beside whole numbers.
    pub(crate) fn fine_bound(&self) -> f64 {
        self.proof.bound as f64 / SCALE as f64
    }

    /// The same as a part of what answers are worth.
    pub(crate) fn whole_bound(&self) -> f64 {
        self.fine_bound() + self.constant as f64
    }

    /// Gives a column its bounds.
    pub(crate) fn fix(&mut self, column: usize, range: Range) {
        self.here[column] = range;
        let (lower, upper) = range.bounds();
        self.program.set_bounds(column, lower, upper);
    }

    /// Makes these the bounds of the columns.
    pub(crate) fn enter(&mut self, wanted: Vec<Range>) {
        for (column, &range) in wanted.iter().enumerate() {
            if range != self.here[column] {
                self.fix(column, range);
            }
        }
    }

    /// Solves the program; with a cutoff by `lower` where that may be trusted. Computes what the multipliers prove, even where a
    /// limit is spent.
    pub(crate) fn solve(
        &mut self,
        lower: i64,
        with_cutoff: bool,
        spent: &mut dyn FnMut() -> Option<Stop>,
    ) -> Result<Verdict, Stop> {
        let cutoff = if with_cutoff && lower != i64::MIN {
            // The least objective that is surely no better than the best answer.
            -(self.in_columns(lower) as f64 + 1.0 - 1e-3) / self.unit + 1e-7
        } else {
            f64::INFINITY
        };
        let most = (WORK_UNSEEN / self.rows.len().max(1)).clamp(10, PIVOTS);
        loop {
            let before = self.program.pivots();
            let verdict = self.program.solve_until(most, cutoff, &mut || spent().is_some());
            self.count_work(before);
            let stop = if verdict == Verdict::Stopped { spent() } else { None };
            if stop.is_some() || verdict != Verdict::Stopped || self.program.pivots() < before + most as u64 {
                self.prove(verdict);
                return stop.map_or(Ok(verdict), Err);
            }
        }
    }

    fn count_work(&mut self, pivots_before: u64) {
        self.work += (self.program.pivots() - pivots_before + SOLVING) * self.rows.len() as u64;
    }

    /// Computes what the multipliers prove.
    fn prove(&mut self, verdict: Verdict) {
        let rows = || self.rows.iter().map(|active| &active.row);
        self.proof.compute(&self.worth, &self.here, rows(), self.program.multipliers(), self.unit);
        if verdict == Verdict::Infeasible {
            let mut none = Proof::default();
            none.compute(&[], &self.here, rows(), self.program.ray(), 1.0);
            if none.bound < 0 {
                self.proof.bound = i128::from(i64::MIN) * SCALE;
            }
        }
        self.watch();
    }

    /// What a few pivots prove with other bounds for a column, as a value and as in [`fine_bound`](Self::fine_bound).
    pub(crate) fn try_out(
        &mut self,
        column: usize,
        range: Range,
        pivots: usize,
        is_over: &mut dyn FnMut() -> bool,
    ) -> (i64, f64) {
        let (lower, upper) = range.bounds();
        self.program.begin_trial(is_over);
        self.program.set_bounds(column, lower, upper);
        let before = self.program.pivots();
        let verdict = self.program.solve_until(pivots, f64::INFINITY, is_over);
        self.count_work(before);
        let kept = std::mem::replace(&mut self.here[column], range);
        let proof = std::mem::take(&mut self.proof);
        self.prove(verdict);
        let found = std::mem::replace(&mut self.proof, proof);
        self.here[column] = kept;
        self.program.end_trial();
        (self.value_of(&found), found.bound as f64 / SCALE as f64)
    }

    /// Debugging: no bound is below the watched answer where that is within the bounds.
    fn watch(&self) {
        if let Some(watched) = &self.watched
            && (0..).zip(&self.here).all(|(column, range)| range.allows(watched[column]))
        {
            let worth: i64 = watched.ones().map(|column| self.worth[column]).sum();
            assert!(self.proof.floor() >= worth, "a bound of {} for an answer worth {worth}", self.proof.floor());
        }
    }

    /// Takes the solution of the program.
    pub(crate) fn take_values(&mut self) {
        self.values.clear();
        self.values.extend_from_slice(self.program.values());
    }

    /// The solution where every column has its bounds.
    pub(crate) fn take_bounds(&mut self) {
        self.values = self.here.iter().map(|&range| if range == Range::One { 1.0 } else { 0.0 }).collect();
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.values.iter().all(|value| (value - value.round()).abs() < WHOLE)
    }

    /// The rows of the program and those of the pool.
    pub(crate) fn known_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().map(|active| &active.row).chain(self.pool.iter().map(|(_, row)| row))
    }

    /// Takes cuts out of the pool that the solution violates by at least so much; none where a limit is spent.
    pub(crate) fn violated_in_pool(&mut self, least: f64, budget: &Budget) -> Option<Vec<(f64, F::Cut)>> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.pool.len() {
            if at.is_multiple_of(ROWS_PER_LOOK) && budget.spent().is_some() {
                return None;
            }
            let row = &self.pool[at].1;
            let activity: f64 =
                row.entries.iter().map(|&(column, value)| f64::from(value) * self.values[column as usize]).sum();
            let violation = row.least as f64 - activity;
            if violation > least {
                found.push((violation, self.pool.swap_remove(at).0));
            } else {
                at += 1;
            }
        }
        Some(found)
    }

    /// Adds the rows of cuts, if they fit into so many bytes.
    pub(crate) fn activate_all(
        &mut self,
        formulation: &mut F,
        cuts: Vec<F::Cut>,
        bytes: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let rows = rows_of(formulation, &cuts, bytes, budget)?;
        for (cut, (row, form)) in cuts.into_iter().zip(rows) {
            self.activate(row, Some(ActiveCut { cut, form, idle: 0 }));
        }
        Ok(())
    }

    /// Puts cuts into the pool that are not yet known, if their rows fit into so many bytes.
    pub(crate) fn remember(
        &mut self,
        formulation: &mut F,
        mut cuts: Vec<F::Cut>,
        bytes: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let active = self.rows.iter().filter_map(|active| active.cut.as_ref()).map(|active| &active.cut);
        let known: HashSet<&F::Cut> = active.chain(self.pool.iter().map(|(cut, _)| cut)).collect();
        cuts.retain(|cut| !known.contains(cut));
        drop(known);
        let rows = rows_of(formulation, &cuts, bytes, budget)?;
        self.pool.extend(cuts.into_iter().zip(rows).map(|(cut, (row, _))| (cut, row)));
        self.limit_pool(formulation.vertices());
        Ok(())
    }

    /// The cuts of the program and of the pool.
    pub(crate) fn into_cuts(self) -> Vec<F::Cut> {
        let active = self.rows.into_iter().filter_map(|active| active.cut).map(|active| active.cut);
        active.chain(self.pool.into_iter().map(|(cut, _)| cut)).collect()
    }

    fn activate(&mut self, row: Row, cut: Option<ActiveCut<F>>) {
        if let Some(watched) = &self.watched {
            let used = row.entries.iter().filter(|(column, _)| watched[*column as usize]);
            let activity: i64 = used.map(|&(_, value)| i64::from(value)).sum();
            let holds = if row.is_equation { activity == row.least } else { activity >= row.least };
            assert!(holds, "{:?} cuts off an answer: {row:?}", cut.map(|active| active.cut));
        }
        let entries: Vec<(u32, f64)> = row.entries.iter().map(|&(column, value)| (column, f64::from(value))).collect();
        let upper = if row.is_equation { row.least as f64 } else { f64::INFINITY };
        self.program.add_row(row.least as f64, upper, &entries);
        self.rows.push(Active { row, cut });
    }

    /// Rows that have been slack for long go to the pool, which keeps some for each of so many vertices.
    pub(crate) fn forget_idle(&mut self, vertices: usize) {
        let ages = self.rows.iter_mut().map(|active| active.cut.as_mut().map(|cut| &mut cut.idle));
        let Some(keep) = drop_idle_rows(&mut self.program, ages) else {
            return;
        };
        let mut kept = keep.iter();
        for active in self.rows.extract_if(.., |_| !*kept.next().expect("one for each row")) {
            let cut = active.cut.expect("what is always there stays");
            self.pool.push((cut.cut, active.row));
        }
        self.limit_pool(vertices);
    }

    fn limit_pool(&mut self, vertices: usize) {
        let most = POOL_PER_VERTEX * vertices;
        if self.pool.len() > most {
            self.pool.drain(..self.pool.len() - most);
        }
    }
}

/// The rows of cuts, if they fit into so many bytes.
fn rows_of<F: Formulation>(
    formulation: &mut F,
    cuts: &[F::Cut],
    bytes: usize,
    budget: &Budget,
) -> Result<Vec<(Row, F::Form)>, Stop> {
    let mut rows: Vec<(Row, F::Form)> = Vec::with_capacity(cuts.len());
    for cut in cuts {
        if rows.len() % ROWS_PER_LOOK == ROWS_PER_LOOK - 1 {
            budget.spent().map_or(Ok(()), Err)?;
        }
        rows.push(formulation.row(cut));
    }
    let more: usize = rows.iter().map(|(row, _)| BYTES_A_ROW + BYTES_AN_ENTRY * row.entries.len()).sum();
    if more > bytes {
        return Err(Stop::MemoryLimit);
    }
    Ok(rows)
}

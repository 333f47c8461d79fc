//! Linear programs by HiGHS, in place of [`Simplex`](super::Simplex): for comparison, and where programs are large.
//!
//! HiGHS (Q. Huangfu and J. A. J. Hall, *Parallelizing the dual revised simplex method*, Mathematical Programming
//! Computation 10 (2018) 119–142, doi:10.1007/s12532-017-0130-5) keeps its basis while rows are added and bounds move. Its safe
//! interface neither drops rows nor tells why a program has no solution. So rows are dropped many at once, after which it
//! begins from scratch, and where there is no solution our own simplex method is asked for the ray. What it says is
//! believed no more than what ours says: bounds are proved from the multipliers.

use highs::{Col, HighsModelStatus, Model, RowProblem, Sense};

use super::{LinearProgram, Simplex, Solved, Verdict};

/// Activities this far from a side don't bind.
const SLACK: f64 = 1e-7;
/// One row in so many must go before any does.
const MANY: usize = 3;
/// HiGHS takes some kilobytes by itself, and for every column, row and entry some hundred bytes, in its copies of the program.
const BYTES: usize = 1 << 16;
const BYTES_EACH: usize = 200;

/// A program, as HiGHS holds it and beside that.
#[derive(Default)]
pub(crate) struct Highs {
    cost: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    rows: Vec<Row>,
    entries: usize,
    /// `None`: to be loaded from the above.
    model: Option<Model>,
    columns: Vec<Col>,
    solved: Solved,
    /// For each row that was there at the last solve, whether neither side binds.
    slack: Vec<bool>,
    pivots: u64,
    before: Option<Before>,
}

struct Row {
    lower: f64,
    upper: f64,
    entries: Vec<(u32, f64)>,
}

/// What a trial changes.
struct Before {
    bounds: Vec<(usize, (f64, f64))>,
    solved: Solved,
    slack: Vec<bool>,
    pivots: u64,
}

impl LinearProgram for Highs {
    fn add_column(&mut self, cost: f64, lower: f64, upper: f64) {
        assert!(self.rows.is_empty(), "all columns come before the first row");
        self.cost.push(cost);
        self.bounds.push((lower, upper));
        self.model = None;
    }

    fn add_row(&mut self, lower: f64, upper: f64, entries: &[(u32, f64)]) {
        if let Some(model) = &mut self.model {
            let columns = &self.columns;
            let added =
                model.try_add_row(lower..=upper, entries.iter().map(|&(at, value)| (columns[at as usize], value)));
            if added.is_err() {
                self.model = None;
            }
        }
        self.entries += entries.len();
        self.rows.push(Row { lower, upper, entries: entries.to_vec() });
    }

    fn retain_rows(&mut self, keep: &mut [bool]) {
        let gone = (0..self.rows.len()).filter(|&row| !keep[row] && self.is_slack(row)).count();
        if gone * MANY < self.rows.len() {
            return keep.fill(true);
        }
        for (row, keep) in keep.iter_mut().enumerate() {
            *keep |= !self.is_slack(row);
        }
        let mut kept = keep.iter();
        self.rows.retain(|_| *kept.next().expect("one for each row"));
        let mut kept = keep.iter();
        self.slack.retain(|_| *kept.next().expect("one for each row"));
        self.entries = self.rows.iter().map(|row| row.entries.len()).sum();
        self.model = None;
    }

    fn set_bounds(&mut self, column: usize, lower: f64, upper: f64) {
        if let Some(before) = &mut self.before {
            before.bounds.push((column, self.bounds[column]));
        }
        self.bounds[column] = (lower, upper);
        if let Some(model) = &mut self.model {
            model.change_column_bounds(self.columns[column], lower..=upper);
        }
    }

    fn solve_until(&mut self, pivots: usize, cutoff: f64, is_over: &mut dyn FnMut() -> bool) -> Verdict {
        if is_over() {
            return self.failed();
        }
        let mut model = self.model.take().unwrap_or_else(|| self.load());
        model.set_option("simplex_iteration_limit", i32::try_from(pivots).unwrap_or(i32::MAX));
        model.set_option("objective_bound", cutoff);
        let Ok(solved) = model.try_solve() else {
            return self.failed();
        };
        self.pivots += solved.simplex_iteration_count().max(0) as u64;
        let solution = solved.get_solution();
        self.solved.multipliers.clear();
        self.solved.multipliers.extend_from_slice(solution.dual_rows());
        let verdict = match solved.status() {
            HighsModelStatus::Optimal | HighsModelStatus::ModelEmpty => Verdict::Optimal,
            HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => self.find_ray(),
            HighsModelStatus::ObjectiveBound => Verdict::Cutoff,
            _ => Verdict::Stopped,
        };
        if verdict == Verdict::Optimal {
            self.solved.values.clear();
            let within = self.bounds.iter().zip(solution.columns());
            self.solved.values.extend(within.map(|(&(lower, upper), value)| value.clamp(lower, upper)));
            self.slack.clear();
            let away = |(row, &activity): (&Row, &f64)| activity - row.lower > SLACK && row.upper - activity > SLACK;
            self.slack.extend(self.rows.iter().zip(solution.rows()).map(away));
        }
        self.model = Some(solved.into());
        verdict
    }

    fn begin_trial(&mut self, _is_over: &mut dyn FnMut() -> bool) {
        self.before = Some(Before {
            bounds: Vec::new(),
            solved: self.solved.clone(),
            slack: self.slack.clone(),
            pivots: self.pivots,
        });
    }

    fn end_trial(&mut self) {
        let Some(before) = self.before.take() else { return };
        for (column, (lower, upper)) in before.bounds.into_iter().rev() {
            self.set_bounds(column, lower, upper);
        }
        self.solved = before.solved;
        self.slack = before.slack;
        self.pivots = before.pivots;
    }

    fn solved(&self) -> &Solved {
        &self.solved
    }

    fn is_slack(&self, row: usize) -> bool {
        self.slack.get(row).is_some_and(|&slack| slack)
    }

    fn pivots(&self) -> u64 {
        self.pivots
    }

    fn bytes(&self) -> usize {
        BYTES + BYTES_EACH * (self.cost.len() + self.rows.len() + self.entries)
    }
}

impl Highs {
    /// The program as HiGHS has it, to be minimised by the dual simplex method on one thread, without a word.
    fn load(&mut self) -> Model {
        let mut problem = RowProblem::new();
        let columns = self.cost.iter().zip(&self.bounds);
        self.columns = columns.map(|(&cost, &(lower, upper))| problem.add_column(cost, lower..=upper)).collect();
        for row in &self.rows {
            let entries: Vec<(Col, f64)> =
                row.entries.iter().map(|&(column, value)| (self.columns[column as usize], value)).collect();
            problem.add_row(row.lower..=row.upper, &entries);
        }
        let mut model = problem.optimise(Sense::Minimise);
        model.make_quiet();
        model.set_option("threads", 1);
        model.set_option("solver", "simplex");
        model.set_option("simplex_strategy", 1);
        model.set_option("presolve", "off");
        model
    }

    /// Nothing can be said.
    fn failed(&mut self) -> Verdict {
        self.solved.multipliers.clear();
        self.solved.multipliers.resize(self.rows.len(), 0.0);
        Verdict::Stopped
    }

    /// Why there is no solution, by our own simplex method.
    fn find_ray(&mut self) -> Verdict {
        let mut program = Simplex::default();
        for (&cost, &(lower, upper)) in self.cost.iter().zip(&self.bounds) {
            program.add_column(cost, lower, upper);
        }
        for row in &self.rows {
            program.add_row(row.lower, row.upper, &row.entries);
        }
        match program.solve_until(usize::MAX, f64::INFINITY, &mut || false) {
            Verdict::Infeasible => {
                self.solved.ray.clear();
                self.solved.ray.extend_from_slice(program.ray());
                Verdict::Infeasible
            }
            // They disagree by a hair.
            _ => self.failed(),
        }
    }
}

//! Cuts come and go.

use hashbrown::HashSet;

use super::super::Family;
use super::super::model::{Cut, Form};
use super::super::support::{LEAST_VIOLATION, Support};
use super::{Active, Tree};
use crate::lp::LinearProgram;
use crate::lp::cases::drop_idle_rows;
use crate::lp::proof::Row;
use crate::solution::Stop;

/// The pool keeps so many cuts for every vertex.
const POOL_PER_VERTEX: usize = 20;
/// Borders by minimum cuts in one round.
const MOST_CHEAPEST: usize = 60;

/// Rows looked through, or made, between two looks at the clock.
const ROWS_PER_LOOK: usize = 64;

/// What a row takes, in the program and its copy for trials.
const BYTES_A_ROW: usize = 400;
const BYTES_AN_ENTRY: usize = 80;

impl<P: LinearProgram> Tree<'_, P> {
    /// Violated cuts, the most violated first; no more than those found where a limit is spent.
    pub(super) fn separate(&mut self) -> Vec<Cut> {
        let mut found: Vec<(f64, Cut)> = Vec::new();
        // What the pool has needn't be found again.
        let mut at = 0;
        while at < self.pool.len() {
            if at.is_multiple_of(ROWS_PER_LOOK) && self.budget.spent().is_some() {
                return Vec::new();
            }
            let row = &self.pool[at].1;
            let activity: f64 =
                row.entries.iter().map(|&(column, value)| f64::from(value) * self.values[column as usize]).sum();
            if row.least as f64 - activity > LEAST_VIOLATION {
                let violation = row.least as f64 - activity;
                found.push((violation, self.pool.swap_remove(at).0));
            } else {
                at += 1;
            }
        }
        if self.settings.has(Family::Visited) {
            self.unvisited(&mut found);
        }
        let support = Support::new(&self.model, &self.values);
        if self.settings.has(Family::Grown) {
            found.extend(support.grown_borders(&self.budget));
        }
        if self.settings.has(Family::Blossoms) && !self.model.instance.graph.is_directed() {
            let columns = if self.settings.root_only { self.model.edges() } else { usize::MAX };
            found.extend(support.blossoms(columns, &self.budget));
        }
        if self.settings.has(Family::Cheapest) && found.len() < MOST_CHEAPEST / 4 {
            found.extend(support.cheapest_borders(MOST_CHEAPEST, &self.budget));
        }
        found.sort_by(|one, two| two.0.total_cmp(&one.0));
        let mut seen = HashSet::new();
        let most = self.model.vertices() / 2 + 50;
        let fresh = found.into_iter().map(|(_, cut)| cut).filter(|cut| seen.insert(cut.clone()));
        fresh.take(most).collect()
    }

    /// Edges and ends that are used more than a vertex they touch is visited.
    fn unvisited(&self, found: &mut Vec<(f64, Cut)>) {
        let model = &self.model;
        let visit = |vertex: u32| self.values[model.visit(vertex) as usize];
        for (edge, line) in model.instance.graph.edges().iter().enumerate() {
            let value = self.values[edge];
            for (vertex, other) in [(line.source, line.target), (line.target, line.source)] {
                let violation = value - visit(vertex);
                if violation > LEAST_VIOLATION {
                    let at_root = model.root.is_some_and(|root| root == vertex || root == other);
                    let cut = if at_root {
                        Cut::Visited { edge: edge as u32, vertex }
                    } else {
                        Cut::Subtour { inside: vec![vertex.min(other), vertex.max(other)], visited: other }
                    };
                    found.push((violation, cut));
                }
            }
        }
        for vertex in 0..model.vertices() as u32 {
            let ends: f64 = model.ends_at(vertex).map(|column| self.values[column as usize]).sum();
            if ends - visit(vertex) > LEAST_VIOLATION {
                found.push((ends - visit(vertex), Cut::EndVisited { vertex }));
            }
        }
    }

    /// Adds the rows of cuts, if they fit.
    pub(super) fn activate_all(&mut self, cuts: Vec<Cut>) -> Result<(), Stop> {
        let mut rows: Vec<(Row, Form)> = Vec::with_capacity(cuts.len());
        for cut in &cuts {
            if rows.len() % ROWS_PER_LOOK == ROWS_PER_LOOK - 1 {
                self.budget.spent().map_or(Ok(()), Err)?;
            }
            rows.push(self.model.row(cut));
        }
        let more: usize = rows.iter().map(|(row, _)| BYTES_A_ROW + BYTES_AN_ENTRY * row.entries.len()).sum();
        if self.bytes() + more > self.budget.memory {
            return Err(Stop::MemoryLimit);
        }
        for (cut, (row, form)) in cuts.into_iter().zip(rows) {
            self.activate(row, form, Some((cut, 0)));
        }
        Ok(())
    }

    pub(super) fn activate(&mut self, row: Row, form: Form, cut: Option<(Cut, u32)>) {
        if let Some(watched) = &self.watched {
            let activity: i64 = row
                .entries
                .iter()
                .filter(|(column, _)| watched[*column as usize])
                .map(|&(_, value)| i64::from(value))
                .sum();
            let holds = if row.is_equation { activity == row.least } else { activity >= row.least };
            assert!(holds, "{cut:?} cuts off a path: {row:?}");
        }
        let entries: Vec<(u32, f64)> = row.entries.iter().map(|&(column, value)| (column, f64::from(value))).collect();
        let upper = if row.is_equation { row.least as f64 } else { f64::INFINITY };
        self.program.add_row(row.least as f64, upper, &entries);
        self.rows.push(Active { row, form, cut });
    }

    /// Rows that have been slack for long go to the pool.
    pub(super) fn forget_idle(&mut self) {
        let ages = self.rows.iter_mut().map(|active| active.cut.as_mut().map(|(_, idle)| idle));
        let Some(keep) = drop_idle_rows(&mut self.program, ages) else {
            return;
        };
        let mut kept = keep.iter();
        for active in self.rows.extract_if(.., |_| !*kept.next().expect("one for each row")) {
            let (cut, _) = active.cut.expect("equations stay");
            self.pool.push((cut, active.row));
        }
        let most = POOL_PER_VERTEX * self.model.vertices();
        if self.pool.len() > most {
            self.pool.drain(..self.pool.len() - most);
        }
    }
}

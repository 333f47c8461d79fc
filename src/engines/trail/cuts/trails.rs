//! Trails as a formulation for the tree of cases: what its solutions violate, and the trails near them.

use std::sync::Arc;

use super::basis::add_basis;
use super::model::{Cut, Model};
use super::near::{self, Rhythm};
use super::shared::Shared;
use crate::branching::separation::LEAST_VIOLATION;
use crate::branching::support::Support;
use crate::branching::{Formulation, Known, Moment, Relaxation, Tree};
use crate::engines::trail::bundle::Trail;
use crate::engines::trail::core::Core;
use crate::engines::trail::cover::find_cover_without;
use crate::engines::trail::guess::guess;
use crate::instance::{Budget, Monitor};
use crate::lp::proof::Row;
use crate::lp::{LinearProgram, Simplex};
use crate::sets::set_where;
use crate::solution::Stop;
use crate::terms::Basis;

/// Trees tried through what a solution visits.
const COVERS: usize = 4;

/// The trails of a core that have two different ends.
pub(super) struct Trails<'t> {
    model: Model<'t>,
    pub(super) rhythm: Rhythm,
    pub(super) shared: Option<Arc<Shared>>,
    /// Whether anyone asks where the program stands at the root, and what it was.
    pub(super) notes_basis: bool,
    pub(super) basis: Option<Basis>,
}

/// A tree of all trails of a core that are worth more than is known.
pub(super) fn tree<'t>(core: &'t Core, known: Known<Trail>) -> Tree<Trails<'t>, Simplex> {
    let model = Model::new(core);
    let relaxation = Relaxation::new(model.worth.clone(), model.constant, model.ranges(), model.rows(), None);
    let trails = Trails { model, rhythm: Rhythm::default(), shared: None, notes_basis: false, basis: None };
    Tree::new(trails, relaxation, known)
}

impl Formulation for Trails<'_> {
    type Cut = Cut;
    type Form = ();
    type Answer = Trail;

    fn vertices(&self) -> usize {
        self.model.vertices()
    }

    fn row(&mut self, cut: &Cut) -> (Row, ()) {
        (self.model.row(cut), ())
    }

    fn value(&self, trail: &Trail) -> i64 {
        self.model.core.value(trail)
    }

    fn separate(&self, values: &[f64], found: &mut Vec<(f64, Cut)>, budget: &Budget) {
        self.simple(values, found);
        let support = self.support(values);
        let cuts = support.cuts_of_trails(found.len(), budget);
        found.extend(cuts.into_iter().map(|(violation, cut)| (violation, Cut::Set(cut))));
    }

    fn take_whole(&self, values: &[f64]) -> (Vec<Cut>, Option<Trail>) {
        let support = self.support(values);
        let mut found = Vec::new();
        self.simple(values, &mut found);
        let mut cuts: Vec<Cut> = found.into_iter().map(|(_, cut)| cut).collect();
        cuts.extend(support.cuts_of_whole_trails().map(Cut::Set));
        (cuts, None)
    }

    fn only_answer(&self, values: &[f64], budget: &Budget) -> Vec<Trail> {
        self.near(values, budget)
    }

    fn guess(&self, moment: &Moment<'_>) -> Vec<Trail> {
        if moment.is_root || moment.round == 1 { self.near(moment.values, moment.budget) } else { Vec::new() }
    }

    /// The cases near the best trail are gone through now and then.
    fn search_nearby<P: LinearProgram>(tree: &mut Tree<Self, P>, monitor: &mut dyn Monitor) -> Result<(), Stop> {
        // It is the root that is split first.
        tree.formulation.note_basis(&tree.relaxation);
        if !tree.formulation.rhythm.is_time(tree.pivots()) {
            return Ok(());
        }
        let began = tree.pivots();
        let used = |formulation: &Self, best: &Trail| formulation.model.columns_of(best);
        let result = near::search_nearby(tree, used, monitor);
        let now = tree.pivots();
        tree.formulation.rhythm.note(began, now);
        result
    }

    /// Learns of the other tree's best trail, and tells of its own.
    fn listen(&self, known: &mut Known<Trail>, _budget: &Budget, monitor: &mut dyn Monitor) {
        if let Some(shared) = &self.shared {
            shared.exchange(known, monitor);
        }
    }

    fn is_over(&self) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.is_over())
    }
}

impl Trails<'_> {
    /// Notes where the program stands, the first time.
    pub(super) fn note_basis(&mut self, relaxation: &Relaxation<Self, impl LinearProgram>) {
        if self.notes_basis && self.basis.is_none() {
            let basis = self.basis.insert(Basis::default());
            add_basis(&self.model, relaxation, basis);
        }
    }

    fn support(&self, values: &[f64]) -> Support {
        let model = &self.model;
        let n = model.vertices() as u32;
        let lines = (0..).zip(&model.lines);
        let lines = lines.map(|(column, line)| (values[column as usize], line.ends[0], line.ends[1], column));
        let ends =
            (0..n).flat_map(|vertex| model.ends_at(vertex).map(move |end| (values[end as usize], vertex, n, end)));
        Support::new(n, n, lines.chain(ends), |vertex| values[model.visit(vertex) as usize])
    }

    /// Violated rows about a line, an end or a bundle.
    fn simple(&self, values: &[f64], found: &mut Vec<(f64, Cut)>) {
        let model = &self.model;
        let visit = |vertex: u32| values[model.visit(vertex) as usize];
        let before = found.len();
        for (number, line) in (0..).zip(&model.lines) {
            for vertex in line.ends {
                found.push((values[number as usize] - visit(vertex), Cut::Visited { line: number, vertex }));
            }
        }
        for vertex in 0..model.vertices() as u32 {
            let ends = model.ends_at(vertex);
            found.extend(ends.map(|end| (values[end as usize] - visit(vertex), Cut::EndVisited { end, vertex })));
        }
        found.extend(model.unpaid(values));
        found.extend(model.surpassed(values));
        let fresh = found.split_off(before);
        found.extend(fresh.into_iter().filter(|&(violation, _)| violation > LEAST_VIOLATION));
    }

    /// Trails near a solution: one by rounding it, and one through most of what it visits, for where little is to be missed
    /// that may be all there is to know.
    fn near(&self, values: &[f64], budget: &Budget) -> Vec<Trail> {
        let core = self.model.core;
        let (weights, ends) = self.model.weights(values);
        let visits = self.model.visits(values);
        let left_out = set_where(visits.len(), |&vertex| visits[vertex] < 0.5);
        let cover = find_cover_without(core, &left_out, COVERS, budget);
        let trails = std::iter::once(guess(core, &weights, &ends)).chain(cover);
        let trails = trails.map(|trail| core.with_pendants(trail));
        trails.filter(|trail| trail.ends.is_some() || core.pendants().is_none()).collect()
    }
}

//! The tree of cases once more, depth first, with a [record](crate::proof) of every step.
//!
//! The target is known here, so there is nothing to look for: columns are fixed by gains once a node, before it branches, and a
//! side that a trial has shown to be empty is visited all the same.

use fixedbitset::FixedBitSet;

use super::Settings;
use super::paths::{Paths, tree};
use super::record::Notes;
use crate::branching::cases::{Node, NodeOutcome};
use crate::branching::{Known, Pause, Tree};
use crate::engines::branch_and_cut::Family;
use crate::instance::{Budget, Instance, Silent};
use crate::lp::Simplex;
use crate::lp::proof::Range;
use crate::proof::{Multipliers, Record, Step};
use crate::solution::Stop;

/// A search for a proof that no path with an edge is worth more than a target.
pub(crate) struct Prover<'p> {
    tree: Tree<Paths<'p>, Simplex>,
    /// Nodes to be looked into, the next one last.
    open: Vec<Node>,
}

impl<'p> Prover<'p> {
    /// `root` is the vertex that a cycle visits; cycles avoid those that are `removed`.
    pub(crate) fn new(instance: &'p Instance, root: Option<u32>, removed: &FixedBitSet, target: i64) -> Self {
        let settings =
            Settings { without: vec![Family::Guesses, Family::Halves, Family::Chains], ..Settings::default() };
        let known = Known::between(target, i64::MAX);
        let mut tree = tree(&settings, instance, root, removed, known, &mut || false).expect("nobody ends it");
        tree.formulation.notes = Some(Notes::default());
        let open = tree.open.drain().collect();
        Prover { tree, open }
    }

    /// Looks into one node after the other, at most so many. Whether all is proved; the next call goes on, be it after a stop.
    pub(crate) fn go_on(&mut self, nodes: u64, most: usize, budget: &Budget) -> Result<bool, Stop> {
        self.tree.budget = budget.clone();
        self.tree.pause = Pause::Never;
        for _ in 0..nodes {
            if self.notes().has_failed() || self.record().size > most {
                return Err(Stop::Exhausted);
            }
            let Some(mut node) = self.open.pop() else { return Ok(true) };
            let steps = self.record().steps.len();
            let outcome = match self.tree.look_into(&mut node, false, &mut Silent) {
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
                NodeOutcome::Deferred => self.open.push(node),
                NodeOutcome::Split { column, value } => {
                    let Paths { model, notes, .. } = &mut self.tree.formulation;
                    notes.as_mut().expect("a prover has notes").split(model, column);
                    let next = self.tree.split(node, column, value);
                    let other = self.tree.open.pop().expect("the other half is open");
                    let is_one = |node: &Node| node.fixed.last().is_some_and(|&(_, range)| range == Range::One);
                    let (one, zero) = if is_one(&next) { (next, other) } else { (other, next) };
                    self.open.extend([zero, one]);
                }
            }
        }
        Ok(self.open.is_empty() && !self.notes().has_failed())
    }

    /// The steps so far.
    pub(crate) fn record(&self) -> &Record {
        self.notes().record()
    }

    /// The multipliers that the program has now.
    pub(crate) fn multipliers(&mut self) -> Option<Multipliers> {
        let Paths { model, notes, .. } = &mut self.tree.formulation;
        notes.as_mut()?.multipliers(model, &self.tree.relaxation)
    }

    fn notes(&self) -> &Notes {
        self.tree.formulation.notes.as_ref().expect("a prover has notes")
    }

    /// Whether a better path may use the edge, and visit the vertex.
    pub(crate) fn allows_edge(&self, edge: u32) -> bool {
        self.tree.ranges[edge as usize] != Range::Zero
    }

    pub(crate) fn allows_visit(&self, vertex: u32) -> bool {
        self.tree.ranges[self.tree.formulation.model.visit(vertex) as usize] != Range::Zero
    }
}

//! What the constraints share: the assignment and the books they keep about it.

use super::clauses::Clauses;
use super::config::Config;
use super::fragments::Fragments;
use super::levels::Levels;
use super::literal::{Assignment, Lit, Reason, Var};
use super::log::Log;
use super::losses::Losses;
use super::model::Model;
use super::walk::Walk;

/// A contradiction was met; the literals of the violated clause are in `State::violated`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conflict;

/// Which constraint is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// A clause, by its name.
    Clause(u32),
    /// A clause of two, or an edge of a skipped vertex.
    Pair(Lit, Lit),
    Degree(u32),
    Loss,
    /// This edge has closed a short cycle.
    Cycle(Var),
    /// What has this mark, at this literal.
    Ground(u32, Lit),
}

/// The constraints with the current assignment.
///
/// A *target* above the floor is a literal that is decided first; clauses that rest on it have its negation, so they stay
/// true when it is given up. Whatever follows from it alone stands at level 1 and is treated as given.
#[derive(Debug)]
pub(super) struct State<'m> {
    pub(super) model: &'m Model,
    pub(super) config: Config,
    pub(super) assignment: Assignment,
    pub(super) clauses: Clauses,
    pub(super) fragments: Fragments,
    pub(super) losses: Losses,
    /// By slot: how many of its edges are chosen, and how many are not yet ruled out.
    pub(super) chosen: Vec<u32>,
    pub(super) left: Vec<u32>,
    /// How many vertices must be visited as things stand.
    pub(super) visited: u32,
    /// Reasons that can't be looked up later: their mark, how many literals, then these.
    pub(super) kept: Vec<u32>,
    /// The literals of the clause that is violated.
    pub(super) violated: Vec<Lit>,
    pub(super) violation: Violation,
    /// What is learnt, where a proof is wanted.
    pub(super) log: Option<Box<Log>>,
    /// How far clauses and degrees, and how far fragments, have been told of the trail.
    pub(super) head: usize,
    pub(super) path_head: usize,
    /// The target that is assumed at present.
    pub(super) target: Option<Lit>,
    /// What it has cost so far, in steps of propagation.
    pub(super) ticks: u64,
    pub(super) walk: Walk,
    pub(super) levels: Levels,
}

impl<'m> State<'m> {
    /// Nothing is assigned yet; only cycles worth more than `floor` matter.
    pub(super) fn new(model: &'m Model, config: Config, floor: i64) -> Self {
        let vars = model.vars();
        let mut assignment = Assignment::default();
        (0..vars).for_each(|_| _ = assignment.add_var());
        State {
            assignment,
            clauses: Clauses::new(vars),
            fragments: Fragments::new(model.vertices, model.is_directed),
            losses: Losses::new(model, floor),
            chosen: vec![0; model.slots()],
            left: (0..model.slots() as u32).map(|slot| model.row(slot).len() as u32).collect(),
            visited: 0,
            kept: Vec::new(),
            violated: Vec::new(),
            violation: Violation::Loss,
            log: None,
            head: 0,
            path_head: 0,
            target: None,
            ticks: 0,
            walk: Walk::new(model.vertices),
            levels: Levels::new(vars),
            model,
            config,
        }
    }

    pub(super) fn add_var(&mut self) -> Var {
        self.clauses.add_var();
        self.levels.add_var();
        self.assignment.add_var()
    }

    /// The level up to which everything is given: that of the target, where one is assumed.
    pub(super) fn base_level(&self) -> u32 {
        u32::from(self.target.is_some())
    }

    /// Makes an open literal true.
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        self.assignment.assign(lit, reason);
    }

    /// Keeps the other literals of a reason that can't be looked up later, with its mark.
    pub(super) fn keep(&mut self, mark: u32, why: &[Lit]) -> Reason {
        let place = self.kept.len() as u32;
        self.kept.extend([mark, why.len() as u32]);
        self.kept.extend(why.iter().map(|lit| lit.code()));
        Reason::Kept(place)
    }

    pub(super) fn is_chosen(&self, edge: Var) -> bool {
        self.assignment.is_true(self.model.lit(edge))
    }

    pub(super) fn is_ruled_out(&self, edge: Var) -> bool {
        self.assignment.is_false(self.model.lit(edge))
    }

    /// When it was decided whether an edge is chosen: a position on the trail.
    pub(super) fn position_of(&self, edge: Var) -> u32 {
        self.assignment.position(self.model.lit(edge).var())
    }

    pub(super) fn is_edge(&self, var: Var) -> bool {
        (var as usize) < self.model.edges()
    }

    pub(super) fn is_skip(&self, var: Var) -> bool {
        (self.model.edges()..self.model.vars()).contains(&(var as usize))
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let log = self.log.as_ref().map_or(0, |log| log.bytes());
        self.model.bytes() + self.assignment.bytes() + self.clauses.bytes() + self.fragments.bytes() + log
    }
}

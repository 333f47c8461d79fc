//! The tree of cases.
//!
//! A *node* is what is fixed: some columns to 0, some to 1. Its bound comes from the linear program, to which violated cuts
//! are added as long as that helps; all cuts hold for all paths, so all nodes share one program, and one that goes on
//! where the last node left it. Rows that have been slack for long go to a pool, where they are looked through before
//! anything is separated anew. Branching is on a column that is no whole number and moves the bound most on both sides, as
//! far as that is known from earlier branchings (pseudo-costs: M. Bénichou et al., *Experiments in mixed-integer linear
//! programming*, Mathematical Programming 1 (1971) 76–94, doi:10.1007/BF01584074), or from a few pivots on either side
//! where it is not (T. Achterberg, T. Koch, A. Martin, *Branching rules revisited*, Operations Research Letters 33 (2005)
//! 42–54, doi:10.1016/j.orl.2004.04.002). The search goes down to the better side at once and returns to the node with the
//! greatest bound when that is settled.

mod branching;
mod cuts;
mod dive;
mod parts;
mod paths;
mod record;

pub(crate) use self::parts::OpenCase;
pub(crate) use self::record::Prover;

use std::collections::BinaryHeap;

use super::model::{Cut, Form, Model};
use super::{Family, Settings, witness};
use crate::certificate::Removal;
use crate::instance::{Budget, Instance, Monitor};
use crate::lp::cases::{Node, NodeOutcome, PseudoCost, WHOLE};
use crate::lp::proof::{Proof, Range, Row, SCALE};
use crate::lp::{LinearProgram, Verdict};
use crate::solution::Stop;

/// Pivots between two looks at the clock, and rows times pivots.
const PIVOTS: usize = 500;
const WORK_UNSEEN: usize = 1_000_000;
/// What else solving takes, in pivots.
const SOLVING: u64 = 5;
/// Rounds of cuts at a node below the root.
const ROUNDS_BELOW: usize = 6;
/// The root goes on as long as the bound falls by this part of the gap in so many rounds.
const ROOT_PROGRESS: f64 = 0.01;
const ROOT_PATIENCE: usize = 8;
/// Work of local search on a guess, for each vertex: first, then.
const FIRST_CLIMB: u64 = 4_000;
const CLIMB: u64 = 3_000;
/// Dives take one part in so many of the work; the first comes at this node, or at the root where the gap is more than one
/// part in so many of the bound.
const DIVES_PART: u64 = 4;
const FIRST_DIVE: u64 = 10;
const FAR: i64 = 50;
/// Nodes between two guesses.
const GUESS_EVERY: u64 = 5;

/// What is known of an instance.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The best path worth more than the floor.
    pub(super) best: Option<(Vec<u32>, i64)>,
    pub(super) floor: i64,
    /// Nothing is worth more.
    pub(super) upper: i64,
    pub(super) peak_bytes: usize,
}

impl Known {
    /// The value of the best path, or the floor, which may have risen above it.
    pub(super) fn lower(&self) -> i64 {
        self.best.as_ref().map_or(self.floor, |best| best.1.max(self.floor))
    }

    /// Takes note that nothing but the best path is worth more than this.
    pub(super) fn lower_to(&mut self, bound: i64, monitor: &mut dyn Monitor) {
        let upper = bound.max(self.lower());
        if upper < self.upper {
            self.upper = upper;
            monitor.bound(upper);
        }
    }
}

/// A row of the program.
struct Active {
    row: Row,
    form: Form,
    /// The cut, with the rounds it has been slack; `None` for what is always there.
    cut: Option<(Cut, u32)>,
}

pub(super) struct Tree<'p, P> {
    settings: Settings,
    model: Model<'p>,
    /// The limits of the present run, and the work at which it pauses.
    budget: Budget,
    work: u64,
    pause: u64,
    /// The part of the work that went into dives.
    dived: u64,
    known: Known,
    program: P,
    rows: Vec<Active>,
    pool: Vec<(Cut, Row)>,
    /// What a unit of the program's objective is worth.
    unit: f64,
    /// The bounds of columns: of the whole tree, and of the present node.
    ranges: Vec<Range>,
    here: Vec<Range>,
    proof: Proof,
    /// The last proof for the whole tree: a better path lets it fix more.
    root_proof: Proof,
    open: BinaryHeap<Node>,
    /// By column, down and up.
    pseudo: Vec<[PseudoCost; 2]>,
    values: Vec<f64>,
    /// The last ones at the root.
    root_values: Vec<f64>,
    nodes: u64,
    watched: Option<Vec<bool>>,
    /// By the best multipliers for the whole tree, where the settings ask for it.
    witness: Option<Removal<u32>>,
    witnessed: i128,
    /// Where every step is to be written down.
    notes: Option<record::Notes>,
}

impl<'p, P: LinearProgram> Tree<'p, P> {
    pub(super) fn new(
        settings: &Settings,
        instance: &'p Instance,
        root: Option<u32>,
        removed: &[bool],
        known: Known,
    ) -> Self {
        let model = Model::new(instance, root);
        let count = model.worth.len();
        let greatest = model.worth.iter().map(|worth| worth.unsigned_abs()).max().unwrap_or(0);
        let unit = greatest.max(1) as f64;
        let mut ranges = vec![Range::Free; count];
        for vertex in (0..model.vertices() as u32).filter(|&vertex| removed[vertex as usize]) {
            ranges[model.visit(vertex) as usize] = Range::Zero;
            for arc in instance.graph.out_arcs(vertex).iter().chain(instance.graph.in_arcs(vertex)) {
                ranges[arc.edge as usize] = Range::Zero;
            }
        }
        if let Some(root) = root {
            ranges[model.visit(root) as usize] = Range::One;
        }
        let mut program = P::default();
        for (worth, range) in model.worth.iter().zip(&ranges) {
            let (lower, upper) = range.bounds();
            program.add_column(-*worth as f64 / unit, lower, upper);
        }
        let watched = settings.watched.as_ref().and_then(|path| paths::columns_of(&model, path));
        let mut tree = Tree {
            settings: settings.clone(),
            budget: Budget::unlimited(),
            work: 0,
            pause: 0,
            dived: 0,
            known,
            program,
            rows: Vec::new(),
            pool: Vec::new(),
            unit,
            here: ranges.clone(),
            ranges,
            proof: Proof::default(),
            root_proof: Proof::default(),
            open: BinaryHeap::new(),
            pseudo: vec![[PseudoCost::default(); 2]; count],
            values: Vec::new(),
            root_values: Vec::new(),
            nodes: 0,
            watched,
            witness: None,
            witnessed: i128::MAX,
            notes: None,
            model,
        };
        for row in tree.model.equations() {
            tree.activate(row, Form::Other, None);
        }
        tree.open.push(Node { fixed: Vec::new(), bound: tree.known.upper, branched: None });
        tree
    }

    fn lower(&self) -> i64 {
        self.known.lower()
    }

    /// What is known by now.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    pub(super) fn known_mut(&mut self) -> &mut Known {
        &mut self.known
    }

    /// The edges that a better path may use.
    pub(super) fn is_of_use(&self, edge: u32) -> bool {
        self.ranges[edge as usize] != Range::Zero
    }

    /// The edges that a solution used, at the root or last.
    pub(super) fn is_used(&self, edge: u32) -> bool {
        let uses = |values: &[f64]| values.get(edge as usize).is_some_and(|&value| value > WHOLE);
        uses(&self.values) || uses(&self.root_values)
    }

    /// The steps taken: pivots.
    pub(super) fn steps(&self) -> u64 {
        self.program.pivots() + self.nodes
    }

    /// The work done so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Searches until everything is settled, the budget is spent, or so much work is done: a unit for every row at every
    /// pivot, some hundred nanoseconds. Can be called again, to go on.
    pub(super) fn run(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Option<Stop> {
        self.budget = budget.clone();
        self.pause = self.work.saturating_add(work);
        self.known.peak_bytes = self.known.peak_bytes.max(self.bytes().min(budget.memory));
        let mut node = None;
        let stop = loop {
            let Some(mut present) = node.take().or_else(|| self.open.pop()) else { break None };
            if present.bound <= self.lower() {
                continue;
            }
            match self.look_into(&mut present, monitor) {
                Ok(NodeOutcome::Settled) => {}
                Ok(NodeOutcome::Split { column, value }) => {
                    node = Some(self.split(present, column, value));
                    if self.is_time_to_dive()
                        && let Err(stop) = self.dive(monitor)
                    {
                        self.open.extend(node);
                        break Some(stop);
                    }
                }
                Err(stop) => {
                    self.open.push(present);
                    break Some(stop);
                }
            }
            self.tell_bound(node.as_ref().map(|node| node.bound), monitor);
            self.known.peak_bytes = self.known.peak_bytes.max(self.bytes());
        };
        self.tell_bound(None, monitor);
        stop
    }

    /// Takes note of what engines beside this one know.
    fn listen(&mut self) {
        let best = self.budget.shared_lower();
        if best > self.lower() {
            self.known.floor = best;
            self.fix_at_the_root(best);
        }
        self.known.upper = self.known.upper.min(self.budget.shared_upper()).max(self.lower());
    }

    /// A path that is far off is looked for at once; one that is close may come by itself.
    fn is_time_to_dive(&self) -> bool {
        let gap = self.known.upper.saturating_sub(self.lower());
        let is_far = gap.saturating_mul(FAR) > self.known.upper.saturating_abs();
        let is_time = (is_far || self.nodes >= FIRST_DIVE) && DIVES_PART * self.dived <= self.work;
        is_time && self.settings.has(Family::Guesses)
    }

    /// No path is worth more than the best path, and the best node still open.
    fn tell_bound(&mut self, present: Option<i64>, monitor: &mut dyn Monitor) {
        let open = self.open.peek().map(|node| node.bound).max(present);
        self.known.lower_to(open.unwrap_or(i64::MIN), monitor);
    }

    /// Why the run must end now, if it must.
    fn spent(&self) -> Option<Stop> {
        if self.bytes() > self.budget.memory {
            return Some(Stop::MemoryLimit);
        }
        self.budget.spent().or((self.work >= self.pause).then_some(Stop::Exhausted))
    }

    fn bytes(&self) -> usize {
        let entries: usize = self.rows.iter().map(|active| active.row.entries.len()).sum();
        let pooled: usize = self.pool.iter().map(|(_, row)| row.entries.len()).sum();
        let columns = self.model.worth.len();
        let depth = self.open.iter().map(|node| node.fixed.len()).max().unwrap_or(0);
        // A trial on either side of a branching takes a copy of the program.
        2 * self.program.bytes() + 16 * (entries + pooled) + 120 * columns + self.open.len() * (64 + 8 * depth)
    }

    /// Splits a node in two: one to go on with, the other stays open.
    fn split(&mut self, node: Node, column: u32, value: f64) -> Node {
        let bound = self.proof.bound as f64 / SCALE as f64;
        let child = |range: Range| {
            let part = if range == Range::One { 1.0 - value } else { value };
            let mut fixed = node.fixed.clone();
            fixed.push((column, range));
            Node { fixed, bound: node.bound, branched: Some((column, range, part, bound)) }
        };
        let (first, second) = if value >= 0.5 { (Range::One, Range::Zero) } else { (Range::Zero, Range::One) };
        self.open.push(child(second));
        child(first)
    }

    /// Makes the bounds of the columns those of a node.
    fn enter(&mut self, node: &Node) {
        let mut wanted = self.ranges.clone();
        for &(column, range) in &node.fixed {
            // Where the whole tree has been fixed otherwise meanwhile, nothing better is inside.
            wanted[column as usize] = range;
        }
        for (column, &range) in wanted.iter().enumerate() {
            if range != self.here[column] {
                let (lower, upper) = range.bounds();
                self.program.set_bounds(column, lower, upper);
            }
        }
        self.here = wanted;
    }

    fn fix(&mut self, column: usize, range: Range) {
        self.here[column] = range;
        let (lower, upper) = range.bounds();
        self.program.set_bounds(column, lower, upper);
    }

    /// Solves and cuts a node until it is settled or must be split.
    fn look_into(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Result<NodeOutcome, Stop> {
        self.nodes += 1;
        let is_root = node.fixed.is_empty();
        let conflict = node.fixed.iter().any(|&(column, range)| {
            self.ranges[column as usize] != Range::Free && self.ranges[column as usize] != range
        });
        if conflict {
            self.note_failure();
            return Ok(NodeOutcome::Settled);
        }
        self.enter(node);
        let mut patience = 0;
        let mut best_bound = f64::INFINITY;
        let mut rounds = 0;
        let mut trusted = true;
        loop {
            if let Some(stop) = self.spent() {
                return Err(stop);
            }
            self.listen();
            let verdict = match self.solve(trusted) {
                Ok(verdict) => verdict,
                Err(stop) => {
                    self.is_settled_by(Verdict::Stopped, node, monitor);
                    return Err(stop);
                }
            };
            if self.settings.root_only {
                self.remember();
            }
            if self.is_settled_by(verdict, node, monitor) {
                return Ok(NodeOutcome::Settled);
            }
            if verdict == Verdict::Cutoff {
                // The rounded multipliers don't quite show it: go on to the end.
                trusted = false;
                continue;
            }
            if verdict != Verdict::Optimal {
                return Ok(self.split_blindly(node, monitor));
            }
            let bound = self.proof.bound as f64 / SCALE as f64;
            if let Some((column, range, part, before)) = node.branched.take() {
                self.learn(column, range, part, before - bound);
            }
            if self.settings.has(Family::Fixing) && self.notes.is_none() {
                self.fix_by_gains(node, is_root);
            }
            self.values.clear();
            self.values.extend_from_slice(self.program.values());
            if is_root {
                self.root_values.clone_from(&self.values);
            }
            let found = if self.is_whole() { self.take_whole(monitor) } else { self.separate() };
            if self.proof.floor() <= self.lower() {
                self.note_failure();
                return Ok(NodeOutcome::Settled);
            }
            rounds += 1;
            let first_here = rounds == 1;
            let is_time = if is_root { rounds % 10 == 0 } else { first_here && self.nodes.is_multiple_of(GUESS_EVERY) };
            if (is_time || (is_root && first_here)) && self.settings.has(Family::Guesses) {
                self.guess(if is_root && first_here { FIRST_CLIMB } else { CLIMB }, monitor);
                if self.proof.floor() <= self.lower() {
                    return Ok(NodeOutcome::Settled);
                }
            }
            let gap = (bound - self.lower() as f64).max(1.0).min(bound.abs().max(1.0));
            patience = if best_bound - bound > ROOT_PROGRESS * gap { 0 } else { patience + 1 };
            best_bound = best_bound.min(bound);
            let goes_on = if is_root { patience <= ROOT_PATIENCE } else { rounds <= ROUNDS_BELOW && patience <= 1 };
            let must = self.is_whole();
            if found.is_empty() || !(goes_on || must) {
                if self.settings.root_only {
                    return Ok(NodeOutcome::Settled);
                }
                self.note_fixing(node);
                self.forget_idle();
                return match self.choose(node, monitor)? {
                    Some(look) => Ok(look),
                    None => Ok(self.split_blindly(node, monitor)),
                };
            }
            self.forget_idle();
            self.activate_all(found)?;
        }
    }

    /// Solves the program; with a cutoff where that may be trusted.
    fn solve(&mut self, with_cutoff: bool) -> Result<Verdict, Stop> {
        let lower = self.lower();
        let cutoff = if with_cutoff && lower != i64::MIN {
            // The least objective that is surely no better than the best path.
            -(lower as f64 + 1.0 - 1e-3) / self.unit + 1e-7
        } else {
            f64::INFINITY
        };
        let most = (WORK_UNSEEN / self.rows.len().max(1)).clamp(10, PIVOTS);
        loop {
            let before = self.program.pivots();
            let budget = &self.budget;
            let verdict = self.program.solve_until(most, cutoff, &mut || budget.spent().is_some());
            self.work += (self.program.pivots() - before + SOLVING) * self.rows.len() as u64;
            if verdict == Verdict::Stopped
                && let Some(stop) = self.budget.spent()
            {
                // Even so they prove something.
                self.prove(verdict);
                return Err(stop);
            }
            if verdict != Verdict::Stopped || self.program.pivots() < before + most as u64 {
                self.prove(verdict);
                return Ok(verdict);
            }
        }
    }

    /// Computes what the multipliers prove.
    fn prove(&mut self, verdict: Verdict) {
        let rows = self.rows.iter().map(|active| &active.row);
        self.proof.compute(&self.model.worth, &self.here, rows, self.program.multipliers(), self.unit);
        if verdict == Verdict::Infeasible {
            let mut none = Proof::default();
            let rows = self.rows.iter().map(|active| &active.row);
            none.compute(&[], &self.here, rows, self.program.ray(), 1.0);
            if none.bound < 0 {
                self.proof.bound = i128::from(i64::MIN) * SCALE;
            }
        }
        self.watch();
    }

    /// Keeps the best multipliers for the whole tree as a witness.
    fn remember(&mut self) {
        if self.proof.bound < self.witnessed {
            let rows = self.rows.iter().map(|active| (active.form, active.cut.as_ref().map(|(cut, _)| cut)));
            let witness = witness::removal(&self.model, rows, self.program.multipliers(), self.unit);
            if witness.is_some() {
                self.witnessed = self.proof.bound;
                self.witness = witness;
            }
        }
    }

    /// What the multipliers behind the witness prove.
    #[cfg(test)]
    pub(super) fn root_bound(&self) -> i64 {
        i64::try_from(self.witnessed.div_euclid(SCALE)).unwrap_or(i64::MAX)
    }

    pub(super) fn into_witness(self) -> Option<Removal<u32>> {
        self.witness
    }

    /// Debugging: no bound is below the watched path where the path is within the node.
    fn watch(&self) {
        if let Some(watched) = &self.watched
            && self.here.iter().zip(watched).all(|(range, &used)| range.allows(used))
        {
            let worth: i64 =
                self.model.worth.iter().zip(watched).filter(|(_, used)| **used).map(|(worth, _)| worth).sum();
            assert!(self.proof.floor() >= worth, "a bound of {} for a path worth {worth}", self.proof.floor());
        }
    }

    fn is_settled_by(&mut self, verdict: Verdict, node: &mut Node, monitor: &mut dyn Monitor) -> bool {
        node.bound = node.bound.min(self.proof.floor());
        if node.fixed.is_empty() {
            self.known.lower_to(node.bound, monitor);
        }
        let settled = node.bound <= self.lower();
        if settled {
            self.note_settled(verdict);
        }
        if settled
            && verdict != Verdict::Stopped
            && let Some((column, range, part, before)) = node.branched.take()
        {
            let bound = self.proof.bound as f64 / SCALE as f64;
            self.learn(column, range, part, (before - bound).min((before - self.lower() as f64).max(1.0)));
        }
        settled
    }

    /// Fixes every free column whose other value would lose more than the gap.
    fn fix_by_gains(&mut self, node: &mut Node, is_root: bool) {
        let lower = self.lower();
        for column in 0..self.here.len() {
            if self.here[column] == Range::Free
                && let Some(range) = self.proof.forces(column, lower)
            {
                self.fix(column, range);
                if is_root {
                    self.ranges[column] = range;
                } else {
                    node.fixed.push((column as u32, range));
                }
            }
        }
        if is_root {
            self.root_proof.clone_from(&self.proof);
        }
    }

    /// Fixes for the whole tree what only paths worth no more than this need otherwise.
    fn fix_at_the_root(&mut self, lower: i64) {
        if !self.settings.has(Family::Fixing) {
            return;
        }
        for column in 0..self.root_proof.gains.len() {
            if self.ranges[column] == Range::Free
                && let Some(range) = self.root_proof.forces(column, lower)
            {
                self.ranges[column] = range;
            }
        }
    }

    fn is_whole(&self) -> bool {
        self.values.iter().all(|value| (value - value.round()).abs() < WHOLE)
    }

    /// Where the program has nothing to say: splits at any column that is free. Without one, the node is a single case.
    fn split_blindly(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> NodeOutcome {
        let free = (0..self.here.len()).find(|&column| self.here[column] == Range::Free);
        match free {
            Some(column) => NodeOutcome::Split { column: column as u32, value: 0.5 },
            None => {
                self.note_failure();
                self.values = self.here.iter().map(|&range| if range == Range::One { 1.0 } else { 0.0 }).collect();
                if let Some(path) = self.walk() {
                    self.offer(path, monitor);
                }
                node.bound = self.lower();
                NodeOutcome::Settled
            }
        }
    }
}

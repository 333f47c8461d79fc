//! The tree of cases.
//!
//! A *node* is what is fixed: some columns to 0, some to 1. Its bound comes from the linear program, to which violated rows are
//! added as long as that helps; all of them hold for all trails, so all nodes share one program. Branching is on a column
//! that is no whole number and moves the bound most on both sides, as far as that is known from earlier branchings, or from a few
//! pivots on either side where it is not (T. Achterberg, T. Koch, A. Martin, *Branching rules revisited*, Operations Research
//! Letters 33 (2005) 42–54, doi:10.1016/j.orl.2004.04.002). The search goes down to the better side at once and returns to the
//! node with the greatest bound when that is settled.

mod near;
mod pair;

use std::collections::BinaryHeap;
use std::sync::atomic::Ordering;

use hashbrown::HashSet;

use self::near::FINISH_PAUSE;
use self::pair::Shared;
pub(in crate::engines::trail) use self::pair::{ALONE, solve};
use super::model::{Cut, Model};
use super::support::{LEAST_VIOLATION, Support};
use crate::engines::trail::bundle::Trail;
use crate::engines::trail::core::Core;
use crate::engines::trail::cover::find_cover_without;
use crate::engines::trail::guess::guess;
use crate::instance::{Budget, Monitor};
use crate::lp::cases::{Node, NodeOutcome, PseudoCost, Trial, WHOLE, candidates, drop_idle_rows, score};
use crate::lp::proof::{Proof, Range, Row, SCALE};
use crate::lp::{LinearProgram, Simplex, Verdict};
use crate::solution::Stop;

/// Pivots between two looks at the clock.
const PIVOTS: usize = 500;
/// Rounds of cuts at a node below the root.
const ROUNDS_BELOW: usize = 6;
/// The root goes on as long as the bound falls by this part of the gap in so many rounds.
const ROOT_PROGRESS: f64 = 0.01;
const ROOT_PATIENCE: usize = 8;
/// Borders by minimum cuts in one round.
const MOST_CHEAPEST: usize = 60;
/// Trees tried through what a solution visits.
const COVERS: usize = 4;
/// Columns tried before branching, and pivots on either side.
const TRIED: usize = 8;
const TRIAL_PIVOTS: usize = 40;

/// What the tree brings back.
pub(in crate::engines::trail) struct Cutting {
    /// The best trail above the floor, with its value.
    pub(in crate::engines::trail) best: Option<(Trail, i64)>,
    /// No trail is worth more than this or the floor, whichever is greater.
    pub(in crate::engines::trail) upper: i64,
    pub(in crate::engines::trail) stop: Option<Stop>,
    pub(in crate::engines::trail) pivots: u64,
    pub(in crate::engines::trail) peak_bytes: usize,
}

/// Why a tree is not worked on.
enum End {
    Done,
    Paused,
    Stopped(Stop),
}

/// A row of the program.
struct Active {
    row: Row,
    /// The cut, with the rounds it has been slack; `None` for what is always there.
    cut: Option<(Cut, u32)>,
}

struct Tree<'t> {
    model: Model<'t>,
    budget: &'t Budget,
    monitor: &'t mut dyn Monitor,
    program: Simplex,
    rows: Vec<Active>,
    /// What a unit of the program's objective is worth.
    unit: f64,
    /// The bounds of columns: of the whole tree, and of the present node.
    ranges: Vec<Range>,
    here: Vec<Range>,
    proof: Proof,
    open: BinaryHeap<Node>,
    /// By column, down and up.
    pseudo: Vec<[PseudoCost; 2]>,
    values: Vec<f64>,
    best: Option<Trail>,
    /// The value of the best trail, or the floor.
    lower: i64,
    upper: i64,
    /// The pivots at which the neighbourhood of the best trail is looked through again.
    next_finish: u64,
    pause: u64,
    /// The node to go on with.
    present: Option<Node>,
    shared: Option<&'t Shared>,
    memory: usize,
    peak_bytes: usize,
}

impl<'t> Tree<'t> {
    fn new(core: &'t Core, floor: i64, upper: i64, budget: &'t Budget, monitor: &'t mut dyn Monitor) -> Self {
        let model = Model::new(core);
        let ranges = model.ranges();
        let unit = model.worth.iter().map(|worth| worth.unsigned_abs()).max().unwrap_or(0).max(1) as f64;
        let mut program = Simplex::default();
        for (worth, range) in model.worth.iter().zip(&ranges) {
            let (lower, upper) = range.bounds();
            program.add_column(-*worth as f64 / unit, lower, upper);
        }
        let mut tree = Tree {
            budget,
            monitor,
            program,
            rows: Vec::new(),
            unit,
            here: ranges.clone(),
            proof: Proof::default(),
            open: BinaryHeap::new(),
            pseudo: vec![[PseudoCost::default(); 2]; ranges.len()],
            ranges,
            values: Vec::new(),
            best: None,
            lower: floor,
            upper,
            next_finish: 0,
            pause: FINISH_PAUSE,
            present: Some(Node { fixed: Vec::new(), bound: upper, branched: None }),
            shared: None,
            memory: budget.memory,
            peak_bytes: 0,
            model,
        };
        for row in tree.model.rows() {
            tree.activate(row, None);
        }
        tree
    }

    /// Works on until so many pivots were made.
    fn go_on(&mut self, pivots: u64) -> End {
        while let Some(mut node) = self.present.take().or_else(|| self.open.pop()) {
            self.shared_bounds();
            if node.bound <= self.lower {
                continue;
            }
            if self.program.pivots() >= pivots {
                self.present = Some(node);
                return End::Paused;
            }
            match self.look_into(&mut node) {
                Ok(NodeOutcome::Settled) => {}
                Ok(NodeOutcome::Split { column, value }) => self.present = Some(self.split(node, column, value)),
                Err(why) => return self.stopped(node, why),
            }
            self.tell_bound(self.present.as_ref().map(|node| node.bound));
            self.peak_bytes = self.peak_bytes.max(self.bytes());
            if self.program.pivots() >= self.next_finish
                && let Some(node) = self.present.take()
            {
                match self.finish_nearby() {
                    Ok(()) => self.present = Some(node),
                    Err(why) => return self.stopped(node, why),
                }
            }
        }
        self.tell_bound(None);
        End::Done
    }

    fn stopped(&mut self, node: Node, why: Stop) -> End {
        self.open.push(node);
        self.tell_bound(None);
        End::Stopped(why)
    }

    fn into_cutting(self, end: End) -> Cutting {
        let value = self.lower;
        Cutting {
            best: self.best.map(|trail| (trail, value)),
            upper: self.upper,
            stop: if let End::Stopped(why) = end { Some(why) } else { None },
            pivots: self.program.pivots(),
            peak_bytes: self.peak_bytes,
        }
    }

    /// No trail is worth more than the best, and the best node still open.
    fn tell_bound(&mut self, present: Option<i64>) {
        let open = self.open.peek().map(|node| node.bound).max(present);
        self.bound(open.unwrap_or(i64::MIN));
    }

    fn bound(&mut self, open: i64) {
        let upper = open.max(self.lower).min(self.upper);
        if upper < self.upper {
            self.upper = upper;
            self.monitor.bound(upper);
        }
    }

    fn bytes(&self) -> usize {
        let entries: usize = self.rows.iter().map(|active| active.row.entries.len()).sum();
        let depth = self.open.iter().map(|node| node.fixed.len()).max().unwrap_or(0);
        // A trial on either side of a branching takes a copy of the program.
        2 * self.program.bytes() + 16 * entries + 120 * self.ranges.len() + self.open.len() * (64 + 8 * depth)
    }

    /// The bound of the last program, beside whole numbers.
    fn fine_bound(&self) -> f64 {
        self.proof.bound as f64 / SCALE as f64
    }

    /// No trail within the present bounds is worth more.
    fn proved(&self, proof: &Proof) -> i64 {
        proof.floor().saturating_add(self.model.constant)
    }

    /// Splits a node in two: one to go on with, the other stays open.
    fn split(&mut self, node: Node, column: u32, value: f64) -> Node {
        let before = self.fine_bound();
        let child = |range: Range| {
            let part = if range == Range::One { 1.0 - value } else { value };
            let mut fixed = node.fixed.clone();
            fixed.push((column, range));
            Node { fixed, bound: node.bound, branched: Some((column, range, part, before)) }
        };
        let (first, second) = if value >= 0.5 { (Range::One, Range::Zero) } else { (Range::Zero, Range::One) };
        self.open.push(child(second));
        child(first)
    }

    /// Makes the bounds of the columns those of a node; `false` if it is at odds with what is fixed for all.
    fn enter(&mut self, node: &Node) -> bool {
        let mut wanted = self.ranges.clone();
        for &(column, range) in &node.fixed {
            let slot = &mut wanted[column as usize];
            if *slot != Range::Free && *slot != range {
                return false;
            }
            *slot = range;
        }
        for (column, &range) in wanted.iter().enumerate() {
            if range != self.here[column] {
                let (lower, upper) = range.bounds();
                self.program.set_bounds(column, lower, upper);
            }
        }
        self.here = wanted;
        true
    }

    fn fix(&mut self, node: &mut Node, column: usize, range: Range) {
        self.here[column] = range;
        let (lower, upper) = range.bounds();
        self.program.set_bounds(column, lower, upper);
        if node.fixed.is_empty() {
            self.ranges[column] = range;
        } else {
            node.fixed.push((column as u32, range));
        }
    }

    /// Solves and cuts a node until it is settled or must be split.
    fn look_into(&mut self, node: &mut Node) -> Result<NodeOutcome, Stop> {
        if !self.enter(node) {
            return Ok(NodeOutcome::Settled);
        }
        let is_root = node.fixed.is_empty();
        let (mut patience, mut best_bound, mut rounds) = (0, f64::INFINITY, 0);
        let mut with_cutoff = true;
        loop {
            if self.bytes() > self.memory {
                return Err(Stop::MemoryLimit);
            }
            let verdict = self.solve(with_cutoff)?;
            if self.is_settled(node) {
                return Ok(NodeOutcome::Settled);
            }
            if verdict == Verdict::Cutoff && with_cutoff {
                // The rounded multipliers don't quite show it: go on to the end.
                with_cutoff = false;
                continue;
            }
            if verdict != Verdict::Optimal {
                return Ok(self.split_blindly(node));
            }
            let bound = self.fine_bound();
            if let Some((column, range, part, before)) = node.branched.take() {
                self.learn(column, range, part, before - bound);
            }
            for column in 0..self.here.len() {
                if self.here[column] == Range::Free
                    && let Some(range) = self.proof.forces(column, self.lower.saturating_sub(self.model.constant))
                {
                    self.fix(node, column, range);
                }
            }
            self.values.clear();
            self.values.extend_from_slice(self.program.values());
            let is_whole = self.is_whole();
            let found = if is_whole { self.take_whole() } else { self.separate() };
            rounds += 1;
            if rounds == 1 || is_root {
                self.guess();
            }
            if self.is_settled(node) {
                return Ok(NodeOutcome::Settled);
            }
            let gap = (bound + (self.model.constant - self.lower) as f64).max(1.0);
            patience = if best_bound - bound > ROOT_PROGRESS * gap { 0 } else { patience + 1 };
            best_bound = best_bound.min(bound);
            let goes_on = if is_root { patience <= ROOT_PATIENCE } else { rounds <= ROUNDS_BELOW && patience <= 1 };
            self.forget_idle();
            if found.is_empty() || !(goes_on || is_whole) {
                return self.choose(node);
            }
            for cut in found {
                let row = self.model.row(&cut);
                self.activate(row, Some((cut, 0)));
            }
        }
    }

    /// Solves the program, with a cutoff where that may be trusted, and computes what the multipliers prove.
    fn solve(&mut self, with_cutoff: bool) -> Result<Verdict, Stop> {
        let cutoff = if with_cutoff && self.lower != i64::MIN {
            // The least objective that is surely no better than the best trail.
            -((self.lower - self.model.constant) as f64 + 1.0 - 1e-3) / self.unit + 1e-7
        } else {
            f64::INFINITY
        };
        loop {
            if let Some(stop) = self.budget.spent() {
                return Err(stop);
            }
            if self.shared.is_some_and(|shared| shared.is_over.load(Ordering::Relaxed)) {
                return Err(Stop::Exhausted);
            }
            let before = self.program.pivots();
            let budget = self.budget;
            let verdict = self.program.solve_until(PIVOTS, cutoff, &mut || budget.spent().is_some());
            if verdict == Verdict::Stopped
                && let Some(stop) = self.budget.spent()
            {
                return Err(stop);
            }
            if verdict != Verdict::Stopped || self.program.pivots() < before + PIVOTS as u64 {
                self.proof = self.proof_of(verdict);
                return Ok(verdict);
            }
        }
    }

    fn proof_of(&self, verdict: Verdict) -> Proof {
        let rows = || self.rows.iter().map(|active| &active.row);
        let mut proof = Proof::default();
        proof.compute(&self.model.worth, &self.here, rows(), self.program.multipliers(), self.unit);
        if verdict == Verdict::Infeasible {
            let mut none = Proof::default();
            none.compute(&[], &self.here, rows(), self.program.ray(), 1.0);
            if none.bound < 0 {
                proof.bound = i128::from(i64::MIN) * SCALE;
            }
        }
        proof
    }

    fn is_settled(&mut self, node: &mut Node) -> bool {
        node.bound = node.bound.min(self.proved(&self.proof));
        if node.fixed.is_empty() {
            self.bound(node.bound);
        }
        let settled = node.bound <= self.lower;
        if settled && let Some((column, range, part, before)) = node.branched.take() {
            let reach = (before + (self.model.constant - self.lower) as f64).max(1.0);
            self.learn(column, range, part, (before - self.fine_bound()).min(reach));
        }
        settled
    }

    fn learn(&mut self, column: u32, range: Range, part: f64, fall: f64) {
        self.pseudo[column as usize][usize::from(range == Range::One)].learn(part, fall);
    }

    fn is_whole(&self) -> bool {
        self.values.iter().all(|value| (value - value.round()).abs() < WHOLE)
    }

    /// What is wrong with a solution in whole numbers.
    fn take_whole(&mut self) -> Vec<Cut> {
        let support = Support::new(&self.model, &self.values);
        let mut found = support.grown(true);
        let components = support.components().into_iter();
        found.extend(components.map(|inside| (1.0, Cut::Subtour { visited: inside[0], inside })));
        self.simple(&mut found);
        distinct(found, usize::MAX)
    }

    /// Violated rows, the most violated first.
    fn separate(&mut self) -> Vec<Cut> {
        let mut found: Vec<(f64, Cut)> = Vec::new();
        self.simple(&mut found);
        let support = Support::new(&self.model, &self.values);
        found.extend(support.grown(false));
        found.extend(support.grown(true));
        if found.len() < MOST_CHEAPEST / 4 {
            found.extend(support.cheapest(MOST_CHEAPEST));
        }
        found.sort_by(|one, two| two.0.total_cmp(&one.0));
        distinct(found, self.model.vertices() / 2 + 50)
    }

    /// Violated rows about a line, an end or a bundle.
    fn simple(&self, found: &mut Vec<(f64, Cut)>) {
        let model = &self.model;
        let visit = |vertex: u32| self.values[model.visit(vertex) as usize];
        for (number, line) in (0..).zip(&model.lines) {
            for vertex in line.ends {
                found.push((self.values[number as usize] - visit(vertex), Cut::Visited { line: number, vertex }));
            }
        }
        for vertex in 0..model.vertices() as u32 {
            let ends = model.ends_at(vertex);
            found.extend(ends.map(|end| (self.values[end as usize] - visit(vertex), Cut::EndVisited { end, vertex })));
        }
        found.extend(model.unpaid(&self.values));
        found.extend(model.surpassed(&self.values));
        found.retain(|&(violation, _)| violation > LEAST_VIOLATION);
    }

    /// A trail from the present solution.
    fn guess(&mut self) {
        let (weights, ends) = self.model.weights(&self.values);
        self.offer(guess(self.model.core, &weights, &ends));
        // Where little is to be missed, that may be all there is to know.
        let left_out: Vec<bool> = self.model.visits(&self.values).into_iter().map(|visit| visit < 0.5).collect();
        if let Some(trail) = find_cover_without(self.model.core, &left_out, COVERS, self.budget) {
            self.offer(trail);
        }
    }

    /// Keeps a trail if it is the best so far.
    fn offer(&mut self, trail: Trail) {
        let trail = self.model.core.with_pendants(trail);
        let value = self.model.core.value(&trail);
        if value > self.lower && (trail.ends.is_some() || self.model.core.pendants().is_none()) {
            self.lower = value;
            self.best = Some(trail);
            self.monitor.incumbent(value);
        }
    }

    fn activate(&mut self, row: Row, cut: Option<(Cut, u32)>) {
        let entries: Vec<(u32, f64)> = row.entries.iter().map(|&(column, value)| (column, f64::from(value))).collect();
        let upper = if row.is_equation { row.least as f64 } else { f64::INFINITY };
        self.program.add_row(row.least as f64, upper, &entries);
        self.rows.push(Active { row, cut });
    }

    /// Rows that have been slack for long go.
    fn forget_idle(&mut self) {
        let ages = self.rows.iter_mut().map(|active| active.cut.as_mut().map(|(_, idle)| idle));
        let Some(keep) = drop_idle_rows(&mut self.program, ages) else {
            return;
        };
        let mut kept = keep.iter();
        self.rows.retain(|_| *kept.next().expect("one for each row"));
    }

    /// The column to branch on.
    fn choose(&mut self, node: &mut Node) -> Result<NodeOutcome, Stop> {
        loop {
            let mut candidates = candidates(&self.pseudo, &self.values, &self.here);
            candidates.truncate(TRIED);
            let Some(&(_, first)) = candidates.first() else { return Ok(self.split_blindly(node)) };
            let mut best = (f64::NEG_INFINITY, first);
            let mut fixed_one = false;
            for &(score, column) in &candidates {
                let known = self.pseudo[column as usize].iter().all(|cost| cost.count > 0);
                let trial = if known { Trial::Score(score) } else { self.try_both(column) };
                match trial {
                    Trial::Score(score) if score > best.0 => best = (score, column),
                    Trial::Score(_) => {}
                    Trial::Fixed(range) => {
                        self.fix(node, column as usize, range);
                        fixed_one = true;
                        break;
                    }
                    Trial::Settled => return Ok(NodeOutcome::Settled),
                }
            }
            if !fixed_one {
                return Ok(NodeOutcome::Split { column: best.1, value: self.values[best.1 as usize] });
            }
            let verdict = self.solve(true)?;
            if self.is_settled(node) {
                return Ok(NodeOutcome::Settled);
            }
            if verdict != Verdict::Optimal {
                return Ok(self.split_blindly(node));
            }
            self.values.clear();
            self.values.extend_from_slice(self.program.values());
        }
    }

    /// A few pivots on either side of a column.
    fn try_both(&mut self, column: u32) -> Trial {
        let before = self.fine_bound();
        let value = self.values[column as usize];
        let mut falls = [0.0; 2];
        let mut dead = [false; 2];
        for (side, range) in [(0, Range::Zero), (1, Range::One)] {
            let mut trial = self.program.clone();
            let (lower, upper) = range.bounds();
            trial.set_bounds(column as usize, lower, upper);
            let budget = self.budget;
            let verdict = trial.solve_until(TRIAL_PIVOTS, f64::INFINITY, &mut || budget.spent().is_some());
            std::mem::swap(&mut trial, &mut self.program);
            let free = std::mem::replace(&mut self.here[column as usize], range);
            let found = self.proof_of(verdict);
            self.here[column as usize] = free;
            std::mem::swap(&mut trial, &mut self.program);
            dead[side] = self.proved(&found) <= self.lower;
            let reach = (before + (self.model.constant - self.lower) as f64 + 1.0).max(1.0);
            falls[side] = (before - found.bound as f64 / SCALE as f64).max(0.0).min(reach);
            let part = if side == 1 { 1.0 - value } else { value };
            self.learn(column, range, part, falls[side]);
        }
        match dead {
            [true, true] => Trial::Settled,
            [true, false] => Trial::Fixed(Range::One),
            [false, true] => Trial::Fixed(Range::Zero),
            [false, false] => Trial::Score(score(falls[0], falls[1])),
        }
    }

    /// Where the program has nothing to say: splits at any column that is free. Without one, the node is a single case.
    fn split_blindly(&mut self, node: &mut Node) -> NodeOutcome {
        let free = (0..self.here.len()).find(|&column| self.here[column] == Range::Free);
        match free {
            Some(column) => NodeOutcome::Split { column: column as u32, value: 0.5 },
            None => {
                self.values = self.here.iter().map(|&range| if range == Range::One { 1.0 } else { 0.0 }).collect();
                self.guess();
                node.bound = self.lower;
                NodeOutcome::Settled
            }
        }
    }
}

/// The first cuts, each once.
fn distinct(found: Vec<(f64, Cut)>, most: usize) -> Vec<Cut> {
    let mut seen = HashSet::new();
    found.into_iter().map(|(_, cut)| cut).filter(|cut| seen.insert(cut.clone())).take(most).collect()
}

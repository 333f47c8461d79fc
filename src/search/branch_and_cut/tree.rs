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

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use hashbrown::HashSet;

use super::model::{Cut, Model, NONE};
use super::support::{LEAST_VIOLATION, Support};
use super::{Family, Settings, guess};
use crate::search::lp::proof::{Proof, Range, Row, SCALE};
use crate::search::lp::{LinearProgram, Simplex, Verdict};
use crate::search::{Budget, Ends, Monitor, Piece, local_search};
use crate::solution::Stop;

/// Values this close to a whole number are one.
const WHOLE: f64 = 1e-6;
/// Pivots between two looks at the clock, and rows times pivots.
const PIVOTS: usize = 500;
const WORK_UNSEEN: usize = 1_000_000;
/// What else solving takes, in pivots.
const SOLVING: u64 = 5;
/// A row leaves the program after being slack for so many rounds; the pool keeps so many for every vertex.
const IDLE: u32 = 8;
const POOL_PER_VERTEX: usize = 20;
/// Rounds of cuts at a node below the root.
const ROUNDS_BELOW: usize = 6;
/// The root goes on as long as the bound falls by this part of the gap in so many rounds.
const ROOT_PROGRESS: f64 = 0.01;
const ROOT_PATIENCE: usize = 8;
/// Borders by minimum cuts in one round.
const MOST_CHEAPEST: usize = 60;
/// Columns tried before branching, and pivots on either side.
const TRIED: usize = 8;
const TRIAL_PIVOTS: usize = 40;
/// Branchings on either side after which a column's pseudo-cost is believed.
const RELIABLE: u32 = 1;
/// Work of local search on a guess, for each vertex: first, then.
const FIRST_CLIMB: u64 = 10_000;
const CLIMB: u64 = 3_000;
/// Nodes between two guesses.
const GUESS_EVERY: u64 = 5;

/// What is known of a piece.
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
    /// The value of the best path, or the floor.
    pub(super) fn lower(&self) -> i64 {
        self.best.as_ref().map_or(self.floor, |best| best.1)
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

/// A node that is still to be looked into.
struct Node {
    fixed: Vec<(u32, Range)>,
    /// No path within it is worth more.
    bound: i64,
    /// The column and side of the last branching, the part it was rounded by, and the bound before: for its pseudo-cost.
    branched: Option<(u32, Range, f64, f64)>,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    /// The greatest bound first, then the deepest.
    fn cmp(&self, other: &Self) -> Ordering {
        (self.bound, self.fixed.len()).cmp(&(other.bound, other.fixed.len()))
    }
}

/// What rounding a column up or down has cost so far, for each unit: sum and number.
#[derive(Clone, Copy, Default)]
struct PseudoCost {
    sum: f64,
    count: u32,
}

/// A row of the program.
struct Active {
    row: Row,
    /// The cut, with the rounds it has been slack; `None` for what is always there.
    cut: Option<(Cut, u32)>,
}

/// What looking into a node came to.
enum Look {
    /// There is nothing better inside.
    Settled,
    /// It is to be split at this column, whose value is given.
    Split { column: u32, value: f64 },
}

pub(super) struct Tree<'p> {
    settings: Settings,
    model: Model<'p>,
    /// The limits of the present run, and the work at which it pauses.
    budget: Budget,
    work: u64,
    pause: u64,
    known: Known,
    program: Simplex,
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
    nodes: u64,
    watched: Option<Vec<bool>>,
}

impl<'p> Tree<'p> {
    pub(super) fn new(
        settings: &Settings,
        piece: &'p Piece,
        root: Option<u32>,
        removed: &[bool],
        known: Known,
    ) -> Self {
        let model = Model::new(piece, root);
        let count = model.worth.len();
        let greatest = model.worth.iter().map(|worth| worth.unsigned_abs()).max().unwrap_or(0);
        let unit = greatest.max(1) as f64;
        let mut ranges = vec![Range::Free; count];
        for vertex in (0..model.vertices() as u32).filter(|&vertex| removed[vertex as usize]) {
            ranges[model.visit(vertex) as usize] = Range::Zero;
            for arc in piece.graph.out_arcs(vertex).iter().chain(piece.graph.in_arcs(vertex)) {
                ranges[arc.edge as usize] = Range::Zero;
            }
        }
        if let Some(root) = root {
            ranges[model.visit(root) as usize] = Range::One;
        }
        let mut program = Simplex::default();
        for (worth, range) in model.worth.iter().zip(&ranges) {
            let (lower, upper) = range.bounds();
            program.add_column(-*worth as f64 / unit, lower, upper);
        }
        let watched = settings.watched.as_ref().and_then(|path| columns_of(&model, path));
        let mut tree = Tree {
            settings: settings.clone(),
            budget: Budget::unlimited(),
            work: 0,
            pause: 0,
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
            nodes: 0,
            watched,
            model,
        };
        for row in tree.model.equations() {
            tree.activate(row, None);
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

    /// The steps taken: pivots.
    pub(super) fn steps(&self) -> u64 {
        self.program.pivots() + self.nodes
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
                Ok(Look::Settled) => {}
                Ok(Look::Split { column, value }) => node = Some(self.split(present, column, value)),
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
    fn look_into(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Result<Look, Stop> {
        self.nodes += 1;
        let is_root = node.fixed.is_empty();
        let conflict = node.fixed.iter().any(|&(column, range)| {
            self.ranges[column as usize] != Range::Free && self.ranges[column as usize] != range
        });
        if conflict {
            return Ok(Look::Settled);
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
            let verdict = match self.solve(trusted) {
                Ok(verdict) => verdict,
                Err(stop) => {
                    self.is_settled_by(Verdict::Stopped, node, monitor);
                    return Err(stop);
                }
            };
            if self.is_settled_by(verdict, node, monitor) {
                return Ok(Look::Settled);
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
            if self.settings.without != Some(Family::Fixing) {
                self.fix_by_gains(node, is_root);
            }
            self.values.clear();
            self.values.extend_from_slice(self.program.values());
            let found = if self.is_whole() { self.take_whole(monitor) } else { self.separate() };
            if self.proof.floor() <= self.lower() {
                return Ok(Look::Settled);
            }
            rounds += 1;
            let first_here = rounds == 1;
            let is_time = if is_root { rounds % 10 == 0 } else { first_here && self.nodes.is_multiple_of(GUESS_EVERY) };
            if (is_time || (is_root && first_here)) && self.settings.without != Some(Family::Guesses) {
                self.guess(if is_root && first_here { FIRST_CLIMB } else { CLIMB }, monitor);
                if self.proof.floor() <= self.lower() {
                    return Ok(Look::Settled);
                }
            }
            let gap = (bound - self.lower() as f64).max(1.0).min(bound.abs().max(1.0));
            patience = if best_bound - bound > ROOT_PROGRESS * gap { 0 } else { patience + 1 };
            best_bound = best_bound.min(bound);
            let goes_on = if is_root { patience <= ROOT_PATIENCE } else { rounds <= ROUNDS_BELOW && patience <= 1 };
            let must = self.is_whole();
            if found.is_empty() || !(goes_on || must) {
                self.forget_idle();
                return match self.choose(node, monitor)? {
                    Some(look) => Ok(look),
                    None => Ok(self.split_blindly(node, monitor)),
                };
            }
            self.forget_idle();
            for cut in found {
                let row = self.model.row(&cut);
                self.activate(row, Some((cut, 0)));
            }
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
            let verdict = self.program.solve(most, cutoff);
            self.work += (self.program.pivots() - before + SOLVING) * self.rows.len() as u64;
            if verdict != Verdict::Stopped || self.program.pivots() < before + most as u64 {
                self.prove(verdict);
                return Ok(verdict);
            }
            if let Some(stop) = self.budget.spent() {
                // Even so they prove something.
                self.prove(verdict);
                return Err(stop);
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
        if settled
            && verdict != Verdict::Stopped
            && let Some((column, range, part, before)) = node.branched.take()
        {
            let bound = self.proof.bound as f64 / SCALE as f64;
            self.learn(column, range, part, (before - bound).min((before - self.lower() as f64).max(1.0)));
        }
        settled
    }

    fn learn(&mut self, column: u32, range: Range, part: f64, fall: f64) {
        let cost = &mut self.pseudo[column as usize][usize::from(range == Range::One)];
        cost.sum += fall.max(0.0) / part.max(WHOLE);
        cost.count += 1;
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

    fn is_whole(&self) -> bool {
        self.values.iter().all(|value| (value - value.round()).abs() < WHOLE)
    }

    /// A solution in whole numbers: a path, which is taken, with cycles beside it, which are cut off.
    fn take_whole(&mut self, monitor: &mut dyn Monitor) -> Vec<Cut> {
        let support = Support::new(&self.model, &self.values);
        let mut cuts = Vec::new();
        for inside in support.components() {
            let visited = inside[0];
            cuts.push(Cut::Border { inside, visited });
        }
        for vertex in 0..self.model.vertices() as u32 {
            if self.model.ends_at(vertex).map(|column| self.values[column as usize]).sum::<f64>() > 1.5 {
                cuts.push(Cut::EndVisited { vertex });
            }
        }
        // A single vertex that is visited may be all there is where both ends are put there.
        if let Some(path) = self.walk() {
            self.offer(path, monitor);
        }
        cuts
    }

    /// The path of a solution in whole numbers: from the outside along what is used until there again.
    fn walk(&self) -> Option<Vec<u32>> {
        let graph = &self.model.piece.graph;
        let used = |column: u32| column != NONE && self.values[column as usize] > 0.5;
        let start = match self.model.root {
            Some(root) => root,
            None => (0..self.model.vertices() as u32).find(|&vertex| used(self.model.first[vertex as usize]))?,
        };
        let mut path = vec![start];
        let mut last_edge = NONE;
        loop {
            let at = path[path.len() - 1];
            let next = graph.out_arcs(at).iter().find(|arc| arc.edge != last_edge && used(arc.edge));
            let Some(arc) = next else { break };
            if arc.target == start {
                break;
            }
            last_edge = arc.edge;
            path.push(arc.target);
            if path.len() > self.model.vertices() {
                return None;
            }
        }
        if is_sound(self.model.piece, &path) { Some(path) } else { None }
    }

    /// Takes a path if it is the best so far.
    fn offer(&mut self, path: Vec<u32>, monitor: &mut dyn Monitor) {
        let value = self.model.piece.value(&path);
        if value > self.lower() {
            self.known.best = Some((path, value));
            monitor.incumbent(value);
            if self.settings.without != Some(Family::Fixing) {
                for column in 0..self.root_proof.gains.len() {
                    if self.ranges[column] == Range::Free
                        && let Some(range) = self.root_proof.forces(column, value)
                    {
                        self.ranges[column] = range;
                    }
                }
            }
        }
    }

    /// A path from the present solution, improved by local search.
    fn guess(&mut self, work_per_vertex: u64, monitor: &mut dyn Monitor) {
        let piece = self.model.piece;
        let path = guess::path(piece, &self.values).filter(|path| is_sound(piece, path));
        let effort = work_per_vertex * self.model.vertices() as u64;
        let mut budget = self.budget.clone();
        budget.threads = 1;
        budget.seed = budget.seed.wrapping_add(self.nodes);
        let upper = self.known.upper;
        let found = local_search::solve(piece, path.as_deref(), upper, effort, &budget, &mut Nobody);
        if let Some((path, _)) = found.best {
            self.offer(path, monitor);
        }
    }

    /// Violated cuts, the most violated first.
    fn separate(&mut self) -> Vec<Cut> {
        let without = |family| self.settings.without == Some(family);
        let mut found: Vec<(f64, Cut)> = Vec::new();
        // What the pool has needn't be found again.
        let mut at = 0;
        while at < self.pool.len() {
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
        if !without(Family::Visited) {
            self.unvisited(&mut found);
        }
        let support = Support::new(&self.model, &self.values);
        if !without(Family::Grown) {
            found.extend(support.grown_borders());
        }
        if !without(Family::Blossoms) && !self.model.piece.graph.is_directed() {
            found.extend(support.blossoms());
        }
        if !without(Family::Cheapest) && found.len() < MOST_CHEAPEST / 4 {
            found.extend(support.cheapest_borders(MOST_CHEAPEST));
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
        for (edge, line) in model.piece.graph.edges().iter().enumerate() {
            let value = self.values[edge];
            for (vertex, other) in [(line.source, line.target), (line.target, line.source)] {
                let violation = value - visit(vertex);
                if violation > LEAST_VIOLATION {
                    let at_root = model.root.is_some_and(|root| root == vertex || root == other);
                    let cut = if at_root {
                        Cut::Visited { edge: edge as u32, vertex }
                    } else {
                        Cut::Border { inside: vec![vertex.min(other), vertex.max(other)], visited: other }
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

    fn activate(&mut self, row: Row, cut: Option<(Cut, u32)>) {
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
        self.rows.push(Active { row, cut });
    }

    /// Rows that have been slack for long go to the pool.
    fn forget_idle(&mut self) {
        let mut keep = vec![true; self.rows.len()];
        let mut count = 0;
        for (at, active) in self.rows.iter_mut().enumerate() {
            if let Some((_, idle)) = &mut active.cut {
                *idle = if self.program.is_slack(at) { *idle + 1 } else { 0 };
                keep[at] = *idle < IDLE;
                count += usize::from(!keep[at]);
            }
        }
        if count * 20 < self.rows.len() {
            return;
        }
        self.program.retain_rows(&mut keep);
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

    /// The column to branch on. `None` if all are whole.
    fn choose(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Result<Option<Look>, Stop> {
        loop {
            let mut candidates = self.candidates();
            candidates.truncate(TRIED);
            let Some(&(_, first)) = candidates.first() else { return Ok(None) };
            let mut best = (f64::NEG_INFINITY, first);
            let mut fixed_one = false;
            for &(score, column) in &candidates {
                let known = self.pseudo[column as usize].iter().all(|cost| cost.count >= RELIABLE);
                let score = if known {
                    score
                } else {
                    if let Some(stop) = self.budget.spent() {
                        return Err(stop);
                    }
                    match self.try_both(column) {
                        Trial::Score(score) => score,
                        Trial::Fixed(range) => {
                            self.fix(column as usize, range);
                            if node.fixed.is_empty() {
                                self.ranges[column as usize] = range;
                            } else {
                                node.fixed.push((column, range));
                            }
                            fixed_one = true;
                            break;
                        }
                        Trial::Settled => return Ok(Some(Look::Settled)),
                    }
                };
                if score > best.0 {
                    best = (score, column);
                }
            }
            if !fixed_one {
                return Ok(Some(Look::Split { column: best.1, value: self.values[best.1 as usize] }));
            }
            let verdict = self.solve(true)?;
            if self.is_settled_by(verdict, node, monitor) {
                return Ok(Some(Look::Settled));
            }
            if verdict != Verdict::Optimal {
                return Ok(Some(self.split_blindly(node, monitor)));
            }
            self.values.clear();
            self.values.extend_from_slice(self.program.values());
            if self.is_whole() {
                // What it says is taken or cut off there.
                let again = self.take_whole(monitor);
                if again.is_empty() && self.proof.floor() <= self.lower() {
                    return Ok(Some(Look::Settled));
                }
                for cut in again {
                    let row = self.model.row(&cut);
                    self.activate(row, Some((cut, 0)));
                }
                return Ok(Some(self.split_blindly(node, monitor)));
            }
        }
    }

    /// Fractional columns, the most promising first, with their scores.
    fn candidates(&self) -> Vec<(f64, u32)> {
        let mut mean = [1.0, 1.0];
        for (side, mean) in mean.iter_mut().enumerate() {
            let known = self.pseudo.iter().map(|cost| cost[side]).filter(|cost| cost.count > 0);
            let (sum, count) =
                known.fold((0.0, 0u32), |(sum, count), cost| (sum + cost.sum / f64::from(cost.count), count + 1));
            if count > 0 {
                *mean = (sum / f64::from(count)).max(WHOLE);
            }
        }
        let mut candidates: Vec<(f64, u32)> = Vec::new();
        for (column, &value) in self.values.iter().enumerate() {
            if (value - value.round()).abs() < WHOLE || self.here[column] != Range::Free {
                continue;
            }
            let cost = |side: usize| {
                let cost = self.pseudo[column][side];
                if cost.count > 0 { cost.sum / f64::from(cost.count) } else { mean[side] }
            };
            let score = score(value * cost(0), (1.0 - value) * cost(1));
            candidates.push((score, column as u32));
        }
        candidates.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
        candidates
    }

    /// A few pivots on either side of a column.
    fn try_both(&mut self, column: u32) -> Trial {
        let before = self.proof.bound as f64 / SCALE as f64;
        let value = self.values[column as usize];
        let mut falls = [0.0; 2];
        let mut dead = [false; 2];
        for (side, range) in [(0, Range::Zero), (1, Range::One)] {
            let mut program = self.program.clone();
            let (lower, upper) = range.bounds();
            program.set_bounds(column as usize, lower, upper);
            let verdict = program.solve(TRIAL_PIVOTS, f64::INFINITY);
            self.work += (program.pivots() - self.program.pivots() + SOLVING) * self.rows.len() as u64;
            std::mem::swap(&mut program, &mut self.program);
            let kept = std::mem::replace(&mut self.here[column as usize], range);
            let proof = std::mem::take(&mut self.proof);
            self.prove(verdict);
            let found = std::mem::replace(&mut self.proof, proof);
            self.here[column as usize] = kept;
            std::mem::swap(&mut program, &mut self.program);
            dead[side] = found.floor() <= self.lower();
            falls[side] = (before - found.bound as f64 / SCALE as f64).max(0.0).min(before - self.lower() as f64 + 1.0);
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
    fn split_blindly(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Look {
        let free = (0..self.here.len()).find(|&column| self.here[column] == Range::Free);
        match free {
            Some(column) => Look::Split { column: column as u32, value: 0.5 },
            None => {
                self.values = self.here.iter().map(|&range| if range == Range::One { 1.0 } else { 0.0 }).collect();
                if let Some(path) = self.walk() {
                    self.offer(path, monitor);
                }
                node.bound = self.lower();
                Look::Settled
            }
        }
    }
}

/// What trying both sides of a column came to.
enum Trial {
    Score(f64),
    /// Only this side is left.
    Fixed(Range),
    /// None is.
    Settled,
}

/// Both sides should move the bound.
fn score(down: f64, up: f64) -> f64 {
    down.max(WHOLE) * up.max(WHOLE)
}

struct Nobody;

impl Monitor for Nobody {
    fn incumbent(&mut self, _value: i64) {}
    fn bound(&mut self, _upper: i64) {}
}

/// Whether this is a path with an edge between allowed ends, or a cycle of the piece through what it must visit.
fn is_sound(piece: &Piece, path: &[u32]) -> bool {
    let graph = &piece.graph;
    let adjacent = path.windows(2).all(|pair| graph.edge_between(pair[0], pair[1]).is_some());
    let (first_vertex, last_vertex) = (path[0], path[path.len() - 1]);
    let ends = match &piece.ends {
        Ends::Open { first, last, .. } => {
            let allowed = |prizes: &[i64], vertex: u32| prizes[vertex as usize] != crate::search::NOT_AN_END;
            path.len() > 1 && allowed(first, first_vertex) && allowed(last, last_vertex)
        }
        Ends::Closed { through } => {
            let least = if graph.is_directed() { 2 } else { 3 };
            path.len() >= least
                && graph.edge_between(last_vertex, first_vertex).is_some()
                && through.is_none_or(|through| path.contains(&through))
        }
    };
    adjacent && ends
}

/// Which columns a path uses; `None` if it is no path of this model.
fn columns_of(model: &Model<'_>, path: &[u32]) -> Option<Vec<bool>> {
    if !is_sound(model.piece, path) || model.root.is_some_and(|root| !path.contains(&root)) {
        return None;
    }
    let mut used = vec![false; model.worth.len()];
    for edge in model.piece.graph.edges_along(path) {
        used[edge as usize] = true;
    }
    for &vertex in path {
        used[model.visit(vertex) as usize] = true;
    }
    let (first, last) = (path[0], path[path.len() - 1]);
    match &model.piece.ends {
        Ends::Open { .. } => {
            used[model.first[first as usize] as usize] = true;
            used[model.last[last as usize] as usize] = true;
        }
        Ends::Closed { .. } => used[model.piece.graph.edge_between(last, first)? as usize] = true,
    }
    Some(used)
}

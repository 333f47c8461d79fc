//! A proof of an answer, made after it: the answer says what to prove, which makes it a shorter way than the one that found it.
//!
//! Cheap before dear: multipliers that need no program; a sweep of what is narrow, unless something else than a sweep has settled
//! the question; the root of branch and cut, whose cuts are
//! often all that is needed; a sweep of what the multipliers of the root leave, each state with what it may still lose, which
//! gets by on a small part of the states that an engine without a target makes; the tree of cases; where a better path would miss
//! few vertices, clauses learnt from looking for one. They take turns with growing effort; what branch and cut has settled the tree
//! begins. Each attempt is written down and read by the checker's own rules: what it refuses is no proof.
//!
//! Only what the frontier program has settled is not swept once more: whatever the multipliers are, a sweep along a
//! narrow order shows all that is true, so the checker can only refuse it for lack of memory.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fixedbitset::FixedBitSet;

use longhaul_check::Limits;

use crate::bound::{self, Effort};
use crate::decompose::{self, VertexOrder};
use crate::engine::Engine;
use crate::engines::branch_and_cut::Prover;
use crate::engines::conflict;
use crate::engines::trail::{self, Root};
use crate::instance::{Budget, Ends, Instance, NOT_AN_END, Outcome};
use crate::proof::folding::Folding;
use crate::proof::hanging;
use crate::proof::{Column, Cut, Draft, Multipliers, Record, Row, Step, prices};
use crate::rows::Rows;
use crate::sets::{reached_from, set_of, set_where};
use crate::solution::Stop;
use crate::terms::Basis;
use crate::view::{CsrGraph, Edge};

/// States of the first sweep, and those of the ones that take turns with the tree: first, and by how much more each time.
const FIRST_SWEEP: u64 = 100_000;
const SWEEP: u64 = 2_000_000;
const MORE: u64 = 4;
/// Larger sweeps than this are not tried once the tree has failed.
const MOST_STATES: u64 = 1 << 32;
/// The least time that the tree has for its turn.
const FIRST_SLICE: Duration = Duration::from_millis(500);
/// The work of learning clauses: first, before long turns, and by how much more each time.
const FIRST_LEARNING: u64 = 300_000;
const LEARNING: u64 = 4_000_000;
const MORE_LEARNING: u64 = 4;
/// After more than this the rest of the time is for others.
const MOST_LEARNING: u64 = 1 << 34;
/// From so many edges on a program over them takes too long.
const LARGEST_PROGRAM: usize = 100_000;
/// Up to so many vertices a sweep is tried that nobody has made; up to this many before any program.
const SMALL: usize = 400;
const TINY: usize = 20;
/// Questions that took the engines fewer steps are settled by the checker's sweep in as many, about.
const ENGINES_SWEEP: u64 = 1 << 28;
/// How many vertices the frontier of a sweep may have there, where directed and where not.
const CHECKERS_SLOTS: (usize, usize) = (20, 25);
/// Work for an order, in neighbours looked at, for each edge: of the first sweep, and of later ones.
const QUICK_ORDER: u64 = 3_000;
const GOOD_ORDER: u64 = 30_000;
/// Bytes of a number of a record.
const NUMBER_BYTES: usize = 24;

/// How an answer came about, which says what to try first.
pub(crate) struct Settled<'r> {
    pub(crate) by: Engine,
    /// Along these orders the frontier program has settled parts.
    pub(crate) orders: &'r [Vec<u32>],
    /// The root of which trails are the paths, if it is known, and where the program of its trails stood.
    pub(crate) root: Option<&'r Root>,
    pub(crate) basis: Option<&'r Basis>,
}

/// A proof of what an outcome says of an instance, and whether the checker has accepted it; or why there is none. `numbers` are
/// those that vertices have in the proof, of `count`; `prizes` what visiting each earns, which is in the weights.
pub(crate) fn prove(
    instance: &Instance,
    (numbers, count): (&[u32], usize),
    prizes: Option<&[i64]>,
    outcome: &Outcome,
    settled: &Settled<'_>,
    binary: bool,
    budget: &Budget,
) -> Result<(Vec<u8>, bool), String> {
    let path = outcome.best.as_ref().map(|(path, _)| path.as_slice());
    // Where prizes double all weights no value is odd.
    let odd = i64::from(prizes.is_some() && !instance.graph.is_directed());
    let claim = (path.is_some() || outcome.upper != i64::MIN).then_some(outcome.upper | odd);
    let draft = Draft { count, path, binary, prizes, ..Draft::of(instance, numbers, claim) };
    let mut attempts =
        Attempts { instance, draft, budget, refusal: String::new(), begun: None, may_learn: None, tries: 0 };
    if let Some(proof) = attempts.at_once() {
        return Ok((proof, true));
    }
    let n = instance.graph.vertex_count();
    if let Some(proof) = attempts.by_root(settled) {
        return Ok((proof, true));
    }
    if settled.by == Engine::Auto {
        let are_small = bound::parts::are_small(&instance.graph);
        let of_small = if are_small { attempts.by_parts() } else { None };
        let found = of_small.or_else(|| attempts.by_removal());
        if let Some(proof) = found.or_else(|| if are_small { None } else { attempts.by_parts() }) {
            return Ok((proof, true));
        }
    }
    // What linear programs have settled they settle once more; the root of one often does for what others have settled.
    let was_cut = settled.by == Engine::BranchAndCut;
    let is_promising = settled.by != Engine::Frontier && n > TINY;
    if attempts.begun.is_none() && (was_cut || is_promising) {
        let slice = if was_cut { Some(FIRST_SLICE) } else { None };
        if let Some(proof) = attempts.by_program(slice) {
            return Ok((proof, true));
        }
    }
    if !was_cut || n <= SMALL / 4 {
        let was_swept = settled.by == Engine::Frontier && outcome.steps < ENGINES_SWEEP;
        if let Some(proof) = attempts.swept(was_swept, settled.orders) {
            return Ok(proof);
        }
    }
    let learnt = attempts.by_clauses(FIRST_LEARNING);
    learnt.map_or_else(|| attempts.at_length(), Ok).map(|proof| (proof, true))
}

struct Attempts<'p> {
    instance: &'p Instance,
    draft: Draft<'p>,
    budget: &'p Budget,
    /// Of the last attempt.
    refusal: String,
    /// The tree of cases.
    begun: Option<Begun<'p>>,
    /// Whether clauses are of use, once that was asked, and how often they were tried.
    may_learn: Option<bool>,
    tries: u64,
}

/// A tree of cases whose root was looked into.
struct Begun<'p> {
    prover: Prover<'p>,
    /// What was written down there, the multipliers of the program, and the vertices that a better path may visit.
    at_root: Record,
    multipliers: Option<Multipliers>,
    left: Vec<u32>,
    done: bool,
}

impl<'p> Attempts<'p> {
    /// What needs no search.
    fn at_once(&mut self) -> Option<Vec<u8>> {
        self.plain_multipliers().into_iter().find_map(|plain| self.attempt(&self.record_of(Step::Close(plain)), 0))
    }

    /// Vertices to remove, so that paths fall apart.
    fn by_removal(&mut self) -> Option<Vec<u8>> {
        let claim = self.draft.claim?;
        let found = bound::best_bound(self.instance, Effort::Least, self.budget, claim);
        let record = bound::steps::record(self.instance, &found.witness).filter(|_| found.upper <= claim)?;
        self.attempt(&record, 0)
    }

    /// Block by block, each folded into the vertex that it hangs from.
    fn by_parts(&mut self) -> Option<Vec<u8>> {
        let (parts, rest) = bound::parts::record(self.instance, self.draft.claim?, self.budget)?;
        (self.draft.parts, self.draft.rest) = (parts, Some((rest.graph, rest.vertices)));
        let proof = self.attempt(&rest.record, FIRST_SWEEP);
        (self.draft.parts, self.draft.rest) = (Vec::new(), None);
        proof
    }

    /// Steps about the trails of the root, where the graph is a line graph and paths may end anywhere.
    fn by_root(&mut self, settled: &Settled<'_>) -> Option<Vec<u8>> {
        let Ends::Open { first, last, .. } = &self.instance.ends else { return None };
        let target = self.draft.claim.filter(|_| first.iter().chain(last).all(|&prize| prize == 0))?;
        let root = match settled.root {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(trail::root_of(&self.instance.graph).ok()?),
        };
        let proved = trail::prove(&root, settled.basis, target, self.most_numbers(), self.budget);
        let (root, record) = proved.ok()?;
        self.draft.root = Some((root.vertex_count, root.ends));
        let proof = self.attempt(&record, 0);
        self.draft.root = None;
        proof
    }

    /// A short sweep, which the checker makes once more, or the one that the frontier program has made if that has settled the
    /// question; and whether it was checked.
    fn swept(&mut self, was_swept: bool, known: &[Vec<u32>]) -> Option<(Vec<u8>, bool)> {
        let n = self.instance.graph.vertex_count();
        if n > SMALL && !was_swept {
            return None;
        }
        let all: Vec<u32> = (0..n as u32).collect();
        let (record, order) = match self.priced() {
            Some(prices) if n > SMALL / 4 => {
                let fixed = self.fixed_by(&prices);
                let is_left = |edge: u32| !fixed[edge as usize];
                let order = self
                    .completed(known, is_left)
                    .filter(|order| order.width() < self.slots())
                    .unwrap_or_else(|| self.order(&all, is_left, GOOD_ORDER));
                let prices = self.leave_out_beside(known, prices);
                let mut record = Record::default();
                record.add(Step::Reduce(prices.clone()));
                record.add(Step::Sweep(prices, order.vertices().to_vec()));
                (record, order)
            }
            _ => {
                let order = self.order(&all, |_| true, QUICK_ORDER);
                let plain = self.plain_multipliers().pop()?;
                (self.record_of(Step::Sweep(plain, order.vertices().to_vec())), order)
            }
        };
        let proof = if was_swept && order.width() < self.slots() {
            self.draft.compose(&record).ok().map(|proof| (proof, false))
        } else {
            self.attempt(&record, FIRST_SWEEP).map(|proof| (proof, true))
        };
        self.draft.parts.clear();
        proof
    }

    /// Folds away what no path visits, since it hangs on the longest of these orders by a vertex; edges there have no prices then.
    fn leave_out_beside(&mut self, known: &[Vec<u32>], mut prices: Multipliers) -> Multipliers {
        let graph = &self.instance.graph;
        let longest = known.iter().max_by_key(|order| order.len());
        let Some(longest) = longest.filter(|_| !graph.is_directed()) else { return prices };
        let n = graph.vertex_count();
        let is_main = set_of(n, longest.iter().filter(|&&vertex| (vertex as usize) < n));
        self.draft.parts = hanging::left_out(self.instance, &is_main);
        let is_gone = set_of(n, self.draft.parts.iter().flat_map(|part| &part.vertices[1..]));
        let is_left = |edge: u32| {
            let Edge { source, target, .. } = graph.edges()[edge as usize];
            !is_gone[source as usize] && !is_gone[target as usize]
        };
        prices.rows.retain(|(row, _)| !matches!(row, Row::Use(edge, _) if !is_left(*edge)));
        prices
    }

    fn slots(&self) -> usize {
        if self.instance.graph.is_directed() { CHECKERS_SLOTS.0 } else { CHECKERS_SLOTS.1 }
    }

    /// The longest of the orders that are known of parts, with all other vertices where they fit: what hangs together comes
    /// before the first of the order beside it. `None` if none is known.
    fn completed(&self, known: &[Vec<u32>], is_left: impl Fn(u32) -> bool + Copy) -> Option<VertexOrder> {
        let graph = &self.instance.graph;
        let n = graph.vertex_count();
        let longest = known.iter().max_by_key(|order| order.len())?;
        let mut rank = vec![usize::MAX; n];
        for (place, &vertex) in longest.iter().enumerate() {
            *rank.get_mut(vertex as usize)? = place;
        }
        let left = (0..).zip(graph.edges()).filter(|&(edge, _)| is_left(edge));
        let left: Vec<Edge> = left.map(|(_, edge)| Edge { weight: 1, ..*edge }).collect();
        let ends = |edge: usize| [left[edge].source, left[edge].target];
        let beside = Rows::of_edges(n, left.len(), ends, |_, [_, other]| other);
        let others: Vec<u32> = (0..n as u32).filter(|&vertex| rank[vertex as usize] == usize::MAX).collect();
        let order = self.order(&others, is_left, QUICK_ORDER);
        let mut rank_of_other = vec![0; n];
        (0..).zip(order.vertices()).for_each(|(place, &at)| rank_of_other[others[at as usize] as usize] = place);
        // By place in the order, what comes before it.
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); longest.len() + 1];
        let mut is_seen = set_of(n, longest);
        for &start in &others {
            if is_seen[start as usize] {
                continue;
            }
            let around = |vertex: u32| beside.row(vertex).iter().copied();
            let mut part = reached_from(vec![start], &mut is_seen, around);
            let ranks = part.iter().flat_map(|&vertex| around(vertex)).map(|other| rank[other as usize]);
            let place = ranks.min().unwrap_or(usize::MAX).min(longest.len());
            part.sort_unstable_by_key(|&vertex| rank_of_other[vertex as usize]);
            before[place].append(&mut part);
        }
        let last = before.pop().unwrap_or_default();
        let rest = longest.iter().zip(before).flat_map(|(&vertex, mut before)| {
            before.push(vertex);
            before
        });
        let vertices: Vec<u32> = rest.chain(last).collect();
        gathered(&CsrGraph::from_multigraph(n, false, left).0, &vertices)
    }

    /// Prices of places at vertices, where something is claimed.
    fn priced(&self) -> Option<Multipliers> {
        self.draft.claim.and_then(|_| prices::multipliers(self.instance, self.budget))
    }

    /// The edges that no better path uses at these prices.
    fn fixed_by(&self, prices: &Multipliers) -> FixedBitSet {
        let graph = &self.instance.graph;
        let n = graph.vertex_count();
        let (mut out, mut into, mut ends) = (vec![0i128; n], vec![0i128; n], [0i128; 2]);
        let (mut uses, mut used) = (vec![0i128; graph.edge_count()], vec![0i128; n]);
        for &(row, multiplier) in &prices.rows {
            match row {
                Row::At(vertex) => {
                    (out[vertex as usize], into[vertex as usize]) = (multiplier.into(), multiplier.into());
                }
                Row::Out(vertex) => out[vertex as usize] = multiplier.into(),
                Row::In(vertex) => into[vertex as usize] = multiplier.into(),
                Row::Ends => ends = [multiplier.into(); 2],
                Row::Starts => ends[0] = multiplier.into(),
                Row::Finishes => ends[1] = multiplier.into(),
                Row::Use(edge, vertex) => {
                    uses[edge as usize] += i128::from(multiplier);
                    used[vertex as usize] += i128::from(multiplier);
                }
                _ => {}
            }
        }
        let scale = i128::from(prices.scale);
        let gains = graph.edges().iter().zip(uses).map(|(edge, used)| {
            scale * i128::from(edge.weight) - out[edge.source as usize] - into[edge.target as usize] - used
        });
        let gains: Vec<i128> = gains.collect();
        let visits = (0..n).map(|vertex| out[vertex] + into[vertex] + used[vertex]);
        let mut bound = gains.iter().copied().chain(visits).map(|gain| gain.max(0)).sum::<i128>();
        if let Ends::Open { first, last, .. } = &self.instance.ends {
            let best = |prizes: &[i64], takes: &[i128], end: i128| {
                let able = prizes.iter().zip(takes).filter(|(prize, _)| **prize != NOT_AN_END);
                able.map(|(&prize, take)| (scale * i128::from(prize) - take - end).max(0)).sum::<i128>()
            };
            let alike = !graph.is_directed() && first == last;
            bound += ends[0] + ends[1] + best(first, &into, ends[0]);
            if !alike {
                bound += best(last, &out, ends[1]);
            }
        }
        let needed = scale * (i128::from(self.draft.claim.unwrap_or(i64::MAX)) + 1);
        set_where(gains.len(), |&edge| gains[edge] < 0 && bound + gains[edge] < needed)
    }

    /// Linear programs, trees, and long sweeps.
    fn at_length(mut self) -> Result<Vec<u8>, String> {
        match self.instance.ends {
            Ends::Closed { through: None } => {
                let mut work = LEARNING;
                while work < MOST_LEARNING && self.budget.spent().is_none() && self.may_learn == Some(true) {
                    if let Some(proof) = self.by_clauses(work) {
                        return Ok(proof);
                    }
                    work *= MORE_LEARNING;
                }
                self.every_root()
            }
            Ends::Closed { through } => self.tree_and_sweeps(through),
            Ends::Open { .. } => self.tree_and_sweeps(None),
        }
    }

    /// The proof with these steps, if the checker accepts it after so many states of sweeps at most.
    fn attempt(&mut self, record: &Record, states: u64) -> Option<Vec<u8>> {
        let stop = || self.budget.spent().is_some();
        let limits = Limits { memory: self.budget.memory, states, stop: &stop };
        match self.draft.write(record, &limits) {
            Ok(proof) => Some(proof),
            Err(why) => {
                self.refusal = why;
                None
            }
        }
    }

    /// A record of one step, with the set of all vertices for its only cut.
    fn record_of(&self, step: Step) -> Record {
        let inside: Vec<u32> = (0..self.instance.graph.vertex_count() as u32).collect();
        let mut record = Record::default();
        record.number(Cut::Set { inside, visited: 0, outer: None });
        record.add(step);
        record
    }

    /// Multipliers that need no program: fewer edges than vertices; no more than half the two best edges of each vertex.
    fn plain_multipliers(&self) -> Vec<Multipliers> {
        let graph = &self.instance.graph;
        let n = graph.vertex_count() as u32;
        let Some(target) = self.draft.claim else {
            return vec![Multipliers::default()];
        };
        let weight = graph.edges().iter().map(|edge| edge.weight).max().unwrap_or(0).max(0);
        let mut all = Vec::new();
        if n > 0 && matches!(self.instance.ends, Ends::Open { .. }) && target >= weight.saturating_mul(i64::from(n) - 1)
        {
            all.push(Multipliers { scale: 1, rows: vec![(Row::Cut(0), weight)] });
        }
        let halves = (0..n).flat_map(|vertex| match graph.is_directed() {
            false => vec![(Row::At(vertex), weight)],
            true => vec![(Row::Out(vertex), weight), (Row::In(vertex), weight)],
        });
        all.push(Multipliers { scale: 2, rows: halves.filter(|(_, multiplier)| *multiplier > 0).collect() });
        all
    }

    /// An order of some vertices along the edges that are left between them.
    fn order(&self, vertices: &[u32], allowed: impl Fn(u32) -> bool, work_per_edge: u64) -> VertexOrder {
        let graph = &self.instance.graph;
        let mut position = vec![u32::MAX; graph.vertex_count()];
        (0..).zip(vertices).for_each(|(at, &vertex)| position[vertex as usize] = at);
        let edges = (0..).zip(graph.edges()).filter(|&(edge, _)| allowed(edge)).filter_map(|(_, edge)| {
            let (source, target) = (position[edge.source as usize], position[edge.target as usize]);
            (source != u32::MAX && target != u32::MAX).then_some(Edge { source, target, weight: 1 })
        });
        let (left, _) = CsrGraph::from_multigraph(vertices.len(), false, edges.collect());
        let effort = decompose::Effort {
            work: left.edge_count() as u64 * work_per_edge,
            work_per_state: 1.0,
            deadline: self.budget.deadline,
            interrupt: self.budget.interrupt.clone(),
            ..decompose::Effort::default()
        }
        .within(self.budget.memory);
        let order = VertexOrder::find(&left, &effort, self.budget.seed);
        gathered(&left, order.vertices()).unwrap_or(order)
    }

    /// Looks into the root of the tree of cases, and goes on for so long; for cycles only if they visit a given vertex.
    fn by_program(&mut self, slice: Option<Duration>) -> Option<Vec<u8>> {
        let root = match self.instance.ends {
            Ends::Closed { through: None } => return None,
            Ends::Closed { through } => through,
            Ends::Open { .. } => None,
        };
        let mut begun = self.begin(root).ok()?;
        if let Some(slice) = slice.filter(|_| !begun.done) {
            begun.done = begun.prover.go_on(u64::MAX, self.most_numbers(), &self.turn(slice)).unwrap_or(false);
        }
        let proof = if begun.done { self.attempt(begun.prover.record(), 0) } else { None };
        self.begun = Some(begun);
        proof
    }

    /// Clauses that are learnt with so much work.
    fn by_clauses(&mut self, work: u64) -> Option<Vec<u8>> {
        let (instance, claim) = (self.instance, self.draft.claim);
        let fits = || conflict::fits(instance, self.budget.memory) && conflict::may_derive(instance, claim);
        if !*self.may_learn.get_or_insert_with(fits) {
            return None;
        }
        // Others may be luckier.
        let config = conflict::Config { seed: self.budget.seed.wrapping_add(self.tries), ..Default::default() };
        self.tries += 1;
        let (multipliers, derivation) = conflict::derive(instance, claim, config, work, self.budget)?;
        let mut record = Record::default();
        record.add(Step::Learn(multipliers, Arc::new(derivation)));
        self.attempt(&record, 0)
    }

    fn most_numbers(&self) -> usize {
        self.budget.memory / NUMBER_BYTES
    }

    /// The budget with an early deadline.
    fn turn(&self, slice: Duration) -> Budget {
        self.budget.until(Instant::now() + slice)
    }

    /// Looks into the root of the tree.
    fn begin(&self, root: Option<u32>) -> Result<Begun<'p>, String> {
        let n = self.instance.graph.vertex_count();
        if self.instance.graph.edge_count() > LARGEST_PROGRAM {
            return Err("the graph is too large for a linear program".to_owned());
        }
        let target = self.draft.claim.unwrap_or(i64::MIN);
        let mut prover = Prover::new(self.instance, root, &FixedBitSet::with_capacity(n), target);
        let done = prover.go_on(1, self.most_numbers(), self.budget).map_err(ended)?;
        let multipliers = prover.multipliers().filter(|_| self.draft.claim.is_some());
        let at_root = prover.record().clone();
        let left: Vec<u32> = (0..n as u32).filter(|&vertex| prover.allows_visit(vertex)).collect();
        Ok(Begun { prover, at_root, multipliers, left, done })
    }

    fn tree_and_sweeps(mut self, root: Option<u32>) -> Result<Vec<u8>, String> {
        let most = self.most_numbers();
        let Begun { mut prover, at_root, multipliers, left, mut done } = match self.begun.take() {
            Some(begun) => begun,
            None => self.begin(root)?,
        };
        let mut order = None;
        let (mut slice, mut states, mut goes_on, mut work) = (FIRST_SLICE, SWEEP, true, LEARNING);
        loop {
            if done {
                let proof = self.attempt(prover.record(), 0);
                return proof.ok_or(self.refusal);
            }
            let began = Instant::now();
            if let Some(multipliers) = &multipliers {
                let order: &Vec<u32> = order.get_or_insert_with(|| {
                    let order = self.order(&left, |edge| prover.allows_edge(edge), GOOD_ORDER);
                    order.vertices().iter().map(|&at| left[at as usize]).collect()
                });
                let mut record = at_root.clone();
                // What was begun behind the root goes on otherwise.
                record.steps.retain(|step| matches!(step, Step::Reduce(_)));
                record.add(Step::Sweep(multipliers.clone(), order.clone()));
                if let Some(proof) = self.attempt(&record, states) {
                    return Ok(proof);
                }
            }
            if work < MOST_LEARNING
                && let Some(proof) = self.by_clauses(work)
            {
                return Ok(proof);
            }
            work = work.saturating_mul(MORE_LEARNING);
            if let Some(stop) = self.budget.spent() {
                return Err(format!("{}; the last attempt: {}", ended(stop), self.refusal));
            }
            // The tree has as long as the sweep had.
            slice = slice.max(began.elapsed());
            if goes_on {
                done = match prover.go_on(u64::MAX, most, &self.turn(slice)) {
                    Ok(done) => done,
                    Err(Stop::Exhausted) => {
                        goes_on = false;
                        false
                    }
                    Err(_) => false,
                };
            } else if multipliers.is_none() || states > MOST_STATES {
                return Err(format!("neither sweeps nor cases come to an end; the last attempt: {}", self.refusal));
            }
            states = states.saturating_mul(MORE);
        }
    }

    /// Every cycle visits some vertex: those through the first, then those through the second that avoid the first, and so on.
    fn every_root(mut self) -> Result<Vec<u8>, String> {
        let n = self.instance.graph.vertex_count();
        let most = self.most_numbers();
        let target = self.draft.claim.unwrap_or(i64::MIN);
        let mut removed = FixedBitSet::with_capacity(n);
        let mut whole = Record::default();
        for root in 0..n as u32 {
            whole.add(Step::Case(Column::Visit(root)));
            let mut prover = Prover::new(self.instance, Some(root), &removed, target);
            let done = prover.go_on(u64::MAX, most, self.budget).map_err(|stop| format!("stopped: {stop}"))?;
            if !done {
                return Err("the tree of cases has a case that can't be written down".to_owned());
            }
            whole.append(prover.record());
            removed.insert(root as usize);
        }
        whole.add(Step::Close(Multipliers { scale: 0, rows: vec![(Row::Some, 1)] }));
        let proof = self.attempt(&whole, 0);
        proof.ok_or(self.refusal)
    }
}

fn ended(stop: Stop) -> String {
    format!("the proof was stopped: {stop}")
}

/// An order in which chains and hanging trees come where they are decided.
fn gathered(graph: &CsrGraph, order: &[u32]) -> Option<VertexOrder> {
    VertexOrder::of(graph, Folding::of(graph).gathered(order)).ok()
}

//! Shares from the 2-matching relaxation: how to book the weight of each edge at its two ends so that the bound is least.
//!
//! A path uses at most two edges at a vertex and every edge at both its ends or at neither. Drop the second rule: each
//! vertex takes the two greatest shares it can, and the total is a bound for any shares whatever. The least such bound
//! over all shares is, by linear programming duality, the linear relaxation of the simple 2-matching with one rule more:
//! an edge is used no more than a vertex at its end, so that a vertex of degree two is passed through, or ended at, or
//! left alone, but not half used. (Taking back the second rule by multipliers is what M. Held and R. M. Karp did for the
//! rules their trees break: The traveling-salesman problem and minimum spanning trees II, *Mathematical Programming* 1,
//! 1971, doi:10.1007/BF01584070.) With a removal order beside, only those vertices count that the order can't rule out.
//!
//! The total is convex in the shares. We go down by subgradients: an edge taken at one end and not at the other is worth
//! less where it is taken. Steps are B. T. Polyak's (Minimization of unsmooth functionals, *USSR Comput. Math. and Math.
//! Phys.* 9, 1969, doi:10.1016/0041-5553(69)90061-5), towards a level that sinks by halves when it is out of reach, along
//! directions that don't turn back on the last one (P. M. Camerini, L. Fratta, F. Maffioli, On improving relaxation
//! methods by modified gradient techniques, *Mathematical Programming Study* 3, 1975). All this is floating point: the
//! shares are rounded at the end, and rounded shares prove a bound like any others.

use super::WorkBudget;
use super::plan::Plan;
use super::potentials;
use crate::certificate::{Shares, SubtourCut};
use crate::instance::{Ends, Instance, NOT_AN_END, best_end};
use crate::top_two::keep_top_two;

/// Shares and borders that, with this removal order, prove a better bound, and roundings of them to simple fractions.
/// They stop improving where the bound would meet `known_lower`, or where nothing is left to spend.
pub(super) fn shares(
    instance: &Instance,
    order: &[u32],
    known_lower: i64,
    work_budget: &mut WorkBudget<'_>,
) -> Vec<Rounded> {
    let sweep = sweep(instance, order.len(), 0);
    if work_budget.left < LEAST_SWEEPS * sweep || !work_budget.has_time(LEAST_SWEEPS * sweep / 8) {
        return Vec::new();
    }
    let mut relaxation = Relaxation::new(instance, order);
    let graph = &instance.graph;
    let work = potentials::work(graph);
    let is_worth_it = order.is_empty() && potentials::fit(graph) && work <= work_budget.left / 4 * 3;
    if is_worth_it
        && work_budget.pay(work)
        && let Some(shares) = potentials::at_sources(graph, &|| work_budget.budget.spent().is_some())
    {
        relaxation.variables[..graph.edge_count()].copy_from_slice(&shares);
    }
    relaxation.descend(known_lower, work_budget);
    relaxation.roundings()
}

/// Fewer steps down are not worth beginning.
const LEAST_SWEEPS: usize = 30;

/// The work of evaluating a bound, `volume` being what all borders enclose and cross.
fn sweep(instance: &Instance, removed: usize, volume: usize) -> usize {
    4 * instance.graph.vertex_count() + 3 * instance.graph.edge_count() + 10 * removed + 2 * volume
}

/// What a vertex takes, beside the ids of edges.
const BEGINNING: u32 = u32::MAX - 1;
const END: u32 = u32::MAX - 2;
const NOTHING: u32 = u32::MAX;

pub(super) struct Relaxation<'a> {
    instance: &'a Instance,
    plan: Plan,
    /// By edge: what is booked at its source, half its multipliers aside. Then what the outside claims at the beginning and at the
    /// end. Then the multiplier of each border.
    variables: Vec<f64>,
    worth: Vec<f64>,
    /// What each vertex takes.
    taken: Vec<[u32; 2]>,
    slope: Vec<f64>,
    /// How much each edge is used: half for each end that takes it.
    used: Vec<f64>,
    subtour_cuts: Vec<Line>,
    /// By edge, all multipliers that it gets; by vertex, all that a path gets for an end there, and all that it pays.
    edge_multipliers: Vec<f64>,
    end_multipliers: Vec<f64>,
    visit_multipliers: Vec<f64>,
    average: Average,
    /// No path is worth less.
    least: f64,
    /// The best of the roundings looked at on the way, and what it proves.
    jumped: Option<(f64, Rounded)>,
}

/// A border: the set, and the edges across.
struct Line {
    inside: Vec<u32>,
    visited: u32,
    across: Vec<u32>,
}

/// The solution that the relaxation hovers around: recent ones, averaged.
struct Average {
    /// By edge.
    used: Vec<f64>,
    /// By vertex.
    visited: Vec<f64>,
    ended: Vec<f64>,
}

/// The weight of the newest solution in the average.
const FRESH: f64 = 0.04;

impl<'a> Relaxation<'a> {
    pub(super) fn new(instance: &'a Instance, order: &[u32]) -> Self {
        let graph = &instance.graph;
        let (n, m) = (graph.vertex_count(), graph.edge_count());
        let mut at_source: Vec<f64> = graph.edges().iter().map(|edge| edge.weight as f64 / 2.0).collect();
        let total: f64 = at_source.iter().map(|share| share.abs()).sum();
        let mean = if m == 0 { 0.5 } else { total / m as f64 };
        let greatest = at_source.iter().fold(0.0, |greatest: f64, share| greatest.max(share.abs()));
        let claim = |prizes: &[i64]| {
            let best = best_end(prizes).unwrap_or(0) as f64;
            let is_fixed = prizes.iter().filter(|&&prize| prize != NOT_AN_END).take(2).count() == 1;
            // A fixed end is always taken: whatever it costs there is earned outside.
            best - if is_fixed { 8.0 * greatest + 1.0 } else { mean }
        };
        let worst = |prizes: &[i64]| {
            let allowed = prizes.iter().filter(|&&prize| prize != NOT_AN_END);
            allowed.fold(0.0, |worst: f64, &prize| worst.max((prize as f64).abs()))
        };
        let mut least = -2.0 * total;
        if let Ends::Open { first, last, .. } = &instance.ends {
            least -= worst(first) + worst(last);
        }
        match &instance.ends {
            Ends::Open { first, last, .. } => at_source.extend([claim(first), claim(last)]),
            Ends::Closed { .. } => at_source.extend([0.0, 0.0]),
        }
        Relaxation {
            instance,
            plan: Plan::new(instance, order),
            variables: at_source,
            worth: vec![0.0; n],
            taken: vec![[NOTHING; 2]; n],
            slope: vec![0.0; m + 2],
            used: vec![0.0; m],
            subtour_cuts: Vec::new(),
            edge_multipliers: vec![0.0; m],
            end_multipliers: vec![0.0; n],
            visit_multipliers: vec![0.0; n],
            average: Average { used: vec![0.0; m], visited: vec![0.0; n], ended: vec![0.0; n] },
            least,
            jumped: None,
        }
    }

    /// Lets every vertex take what is best for it.
    fn take(&mut self) {
        let graph = &self.instance.graph;
        let m = graph.edge_count();
        for vertex in 0..graph.vertex_count() as u32 {
            let [mut any, mut out] = [[NO_OFFER; 2]; 2];
            for arc in graph.in_arcs(vertex) {
                let edge = &graph.edges()[arc.edge as usize];
                let at_source = self.variables[arc.edge as usize];
                // An undirected edge is seen from both its ends.
                let booked = if edge.source == vertex { at_source } else { edge.weight as f64 - at_source };
                let booked = booked + 0.5 * self.edge_multipliers[arc.edge as usize];
                offer(&mut any, booked, arc.edge, arc.target);
            }
            if graph.is_directed() {
                for arc in graph.out_arcs(vertex) {
                    let booked = self.variables[arc.edge as usize] + 0.5 * self.edge_multipliers[arc.edge as usize];
                    offer(&mut out, booked, arc.edge, arc.target);
                }
            }
            let mut closed = true;
            if let Ends::Open { first, last, .. } = &self.instance.ends {
                closed = false;
                let multiplier = self.end_multipliers[vertex as usize];
                if first[vertex as usize] != NOT_AN_END {
                    let booked = first[vertex as usize] as f64 - self.variables[m] + multiplier;
                    offer(&mut any, booked, BEGINNING, BEGINNING);
                }
                if last[vertex as usize] != NOT_AN_END {
                    let exits = if graph.is_directed() { &mut out } else { &mut any };
                    offer(exits, last[vertex as usize] as f64 - self.variables[m + 1] + multiplier, END, END);
                }
            }
            let (worth, taken) = if graph.is_directed() {
                best_pair(&any, &out, closed)
            } else {
                (any[0].booked + any[1].booked, any.map(|offer| offer.what))
            };
            let worth = worth - self.visit_multipliers[vertex as usize];
            let is_worth_it = worth > 0.0;
            self.worth[vertex as usize] = if is_worth_it { worth } else { 0.0 };
            self.taken[vertex as usize] = if is_worth_it { taken } else { [NOTHING; 2] };
        }
    }

    /// The bound that the present shares prove, and its slope.
    pub(super) fn evaluate(&mut self) -> f64 {
        let m = self.instance.graph.edge_count();
        self.spread_multipliers();
        self.take();
        let mut bound = self.plan.evaluate(&self.worth);
        self.slope.fill(0.0);
        self.used.fill(0.0);
        if matches!(self.instance.ends, Ends::Open { .. }) {
            bound += self.variables[m] + self.variables[m + 1];
            self.slope[m] = 1.0;
            self.slope[m + 1] = 1.0;
        }
        let graph = &self.instance.graph;
        for vertex in 0..graph.vertex_count() {
            let counts = self.plan.counts(vertex);
            let mut ended = 0.0;
            for &what in self.taken[vertex].iter().filter(|_| counts) {
                match what {
                    NOTHING => {}
                    BEGINNING => {
                        self.slope[m] -= 1.0;
                        ended += 1.0;
                    }
                    END => {
                        self.slope[m + 1] -= 1.0;
                        ended += 1.0;
                    }
                    edge => {
                        let at_source = graph.edges()[edge as usize].source as usize == vertex;
                        self.slope[edge as usize] += if at_source { 1.0 } else { -1.0 };
                        self.used[edge as usize] += 0.5;
                    }
                }
            }
            let visited = if counts && self.taken[vertex][0] != NOTHING { 1.0 } else { 0.0 };
            self.average.visited[vertex] += FRESH * (visited - self.average.visited[vertex]);
            self.average.ended[vertex] += FRESH * (ended - self.average.ended[vertex]);
        }
        for (average, used) in self.average.used.iter_mut().zip(&self.used) {
            *average += FRESH * (used - *average);
        }
        for (line, slope) in self.subtour_cuts.iter().zip(&mut self.slope[m + 2..]) {
            let is_counted = |&vertex: &u32| self.plan.counts(vertex as usize);
            let crossed: f64 = line.across.iter().map(|&edge| self.used[edge as usize]).sum();
            let ends = |vertex: u32| {
                self.taken[vertex as usize].iter().filter(|&&what| what == BEGINNING || what == END).count() as f64
            };
            let ended: f64 = line.inside.iter().filter(|vertex| is_counted(vertex)).map(|&vertex| ends(vertex)).sum();
            let visited = is_counted(&line.visited) && self.taken[line.visited as usize][0] != NOTHING;
            *slope = crossed + ended - if visited { 2.0 } else { 0.0 };
        }
        bound
    }

    /// Adds up the multipliers of all borders.
    fn spread_multipliers(&mut self) {
        self.edge_multipliers.fill(0.0);
        self.end_multipliers.fill(0.0);
        self.visit_multipliers.fill(0.0);
        let multipliers = &self.variables[self.instance.graph.edge_count() + 2..];
        for (line, &multiplier) in
            self.subtour_cuts.iter().zip(multipliers).filter(|(_, multiplier)| **multiplier > 0.0)
        {
            for &edge in &line.across {
                self.edge_multipliers[edge as usize] += multiplier;
            }
            for &vertex in &line.inside {
                self.end_multipliers[vertex as usize] += multiplier;
            }
            self.visit_multipliers[line.visited as usize] += 2.0 * multiplier;
        }
    }

    /// Goes down, draws borders round what goes round in itself, goes further down.
    pub(super) fn descend(&mut self, known_lower: i64, work_budget: &mut WorkBudget<'_>) {
        let goal = (known_lower as f64) + 0.5;
        let mut before = f64::INFINITY;
        let mut idle_rounds = 0;
        loop {
            let (best, can_go_on) = self.go_down(goal, work_budget);
            if !can_go_on || self.best_of(best) < goal + 0.4 || best < self.least {
                return;
            }
            idle_rounds = if best < before - 0.05 - before.abs() * 1e-5 { 0 } else { idle_rounds + 1 };
            before = before.min(best);
            let size = self.instance.graph.vertex_count() + self.instance.graph.edge_count();
            if idle_rounds == 3 || !work_budget.pay(20 * size) || !self.draw_borders() {
                return;
            }
        }
    }

    fn volume(&self) -> usize {
        self.subtour_cuts.iter().map(|line| line.inside.len() + line.across.len()).sum()
    }

    /// Subgradient steps until they get nowhere; the best bound on the way, whose shares are then the present ones, and
    /// whether anything is left to spend.
    fn go_down(&mut self, goal: f64, work_budget: &mut WorkBudget<'_>) -> (f64, bool) {
        let sweep = sweep(self.instance, self.plan.step_count(), self.volume());
        let first_multiplier = self.instance.graph.edge_count() + 2;
        let mut best = f64::INFINITY;
        let mut best_variables = self.variables.clone();
        let mut direction = vec![0.0; self.slope.len()];
        let mut gap = f64::INFINITY;
        let mut patience = 0;
        let mut improved_from = f64::INFINITY;
        let mut can_go_on = true;
        loop {
            if !work_budget.pay(sweep) {
                can_go_on = false;
                break;
            }
            let bound = self.evaluate();
            if bound < best {
                best = bound;
                best_variables.copy_from_slice(&self.variables);
            }
            if gap == f64::INFINITY {
                gap = (best - goal).min(best.abs() * 0.1 + 1.0);
                improved_from = best;
            }
            if self.best_of(best) < goal + 0.4 || gap < 1e-2 + best.abs() * 1e-5 || best < self.least {
                break;
            }
            if best < improved_from - gap * 0.25 {
                improved_from = best;
                patience = 0;
            } else {
                patience += 1;
                if patience == PATIENCE {
                    patience = 0;
                    gap /= 2.0;
                    direction.fill(0.0);
                    if !work_budget.pay(sweep) {
                        can_go_on = false;
                        break;
                    }
                    self.flip_bounds(&best_variables);
                    self.variables.copy_from_slice(&best_variables);
                    improved_from = best;
                    continue;
                }
            }
            let level = (best - gap).max(goal);
            let along: f64 = self.slope.iter().zip(&direction).map(|(slope, turn)| slope * turn).sum();
            let size: f64 = direction.iter().map(|turn| turn * turn).sum();
            let keep = if along < 0.0 { -1.5 * along / size } else { 0.0 };
            let mut norm = 0.0;
            for (turn, slope) in direction.iter_mut().zip(&self.slope) {
                *turn = slope + keep * *turn;
                norm += *turn * *turn;
            }
            if norm == 0.0 {
                break;
            }
            let step = (bound - level) / norm;
            for (variable, turn) in self.variables.iter_mut().zip(&direction) {
                *variable -= step * turn;
            }
            for multiplier in &mut self.variables[first_multiplier..] {
                *multiplier = multiplier.max(0.0);
            }
        }
        self.variables = best_variables;
        (best, can_go_on)
    }

    /// Optimal shares are often halves, and the last of the way there is long: looks at the halves nearest to where we are.
    /// (Going on from there is no good: all ties meet at such points.)
    fn flip_bounds(&mut self, variables: &[f64]) {
        for (variable, &here) in self.variables.iter_mut().zip(variables) {
            *variable = (here * 2.0).round() / 2.0;
        }
        let bound = self.evaluate();
        if self.fits(4) && self.jumped.as_ref().is_none_or(|(best, _)| bound < *best) {
            self.jumped = Some((bound, self.rounded(4)));
        }
    }

    fn best_of(&self, bound: f64) -> f64 {
        self.jumped.as_ref().map_or(bound, |&(jumped, _)| bound.min(jumped))
    }

    /// Draws a border round each set of vertices that the average visits without crossing its border twice, as far as
    /// they are found by uniting the ends of edges in the order of their use, and drops sets without multiplier. Whether
    /// there are new ones.
    fn draw_borders(&mut self) -> bool {
        let graph = &self.instance.graph;
        let (n, m) = (graph.vertex_count(), graph.edge_count());
        let shut_out = match self.instance.ends {
            Ends::Open { .. } => None,
            Ends::Closed { through: Some(vertex) } => Some(vertex),
            Ends::Closed { through: None } => return false,
        };
        let multipliers = self.variables.split_off(m + 2);
        let mut keep = multipliers.iter().map(|&multiplier| multiplier > 1e-9);
        self.subtour_cuts.retain(|_| keep.next() == Some(true));
        self.variables.extend(multipliers.into_iter().filter(|&multiplier| multiplier > 1e-9));

        let mut order: Vec<u32> = (0..m as u32).filter(|&edge| self.average.used[edge as usize] > 0.02).collect();
        order.sort_by(|&one, &two| self.average.used[two as usize].total_cmp(&self.average.used[one as usize]));
        let mut set_of: Vec<u32> = (0..n as u32).collect();
        let mut sets: Vec<Set> = (0..n as u32).map(|vertex| self.single(vertex)).collect();
        let room = 4 * (n + m);
        let mut volume = self.volume();
        let mut found = false;
        for edge in order {
            let edge = graph.edges()[edge as usize];
            let (one, two) = (set_of[edge.source as usize] as usize, set_of[edge.target as usize] as usize);
            if one == two {
                continue;
            }
            let (small, large) =
                if sets[one].members.len() < sets[two].members.len() { (one, two) } else { (two, one) };
            let small = std::mem::take(&mut sets[small]);
            let mut between = 0.0;
            for &vertex in &small.members {
                let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
                for arc in graph.out_arcs(vertex).iter().chain(back) {
                    if set_of[arc.target as usize] == large as u32 {
                        between += self.average.used[arc.edge as usize];
                    }
                }
            }
            for &vertex in &small.members {
                set_of[vertex as usize] = large as u32;
            }
            let set = &mut sets[large];
            set.crossed += small.crossed - 2.0 * between;
            set.members.extend(&small.members);
            if self.average.visited[small.visited as usize] > self.average.visited[set.visited as usize] {
                set.visited = small.visited;
            }
            set.worst = set.worst.max(small.worst);
            let lack = 2.0 * self.average.visited[set.visited as usize] - set.crossed;
            if lack > set.worst + 0.05 && shut_out.is_none_or(|vertex| set_of[vertex as usize] != large as u32) {
                set.worst = lack;
                let across = |vertex: u32| {
                    let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
                    let arcs = graph.out_arcs(vertex).iter().chain(back);
                    arcs.filter(|arc| set_of[arc.target as usize] != large as u32).map(|arc| arc.edge)
                };
                let across: Vec<u32> = set.members.iter().flat_map(|&vertex| across(vertex)).collect();
                volume += across.len() + set.members.len();
                if volume > room {
                    break;
                }
                self.subtour_cuts.push(Line { inside: set.members.clone(), visited: set.visited, across });
                self.variables.push(0.0);
                found = true;
            }
        }
        self.slope = vec![0.0; self.variables.len()];
        found
    }

    fn single(&self, vertex: u32) -> Set {
        let graph = &self.instance.graph;
        let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
        let arcs = graph.out_arcs(vertex).iter().chain(back);
        let used: f64 = arcs.map(|arc| self.average.used[arc.edge as usize]).sum();
        Set { members: vec![vertex], crossed: used + self.average.ended[vertex as usize], visited: vertex, worst: 0.1 }
    }

    /// The shares in units of small fractions and of a very small one; the finer, the closer, and the more unwieldy.
    pub(super) fn roundings(&mut self) -> Vec<Rounded> {
        self.spread_multipliers();
        let jumped = self.jumped.take().map(|(_, rounded)| rounded);
        let fitting = [2, 12, 1 << 20].into_iter().filter(|&scale| self.fits(scale));
        jumped.into_iter().chain(fitting.map(|scale| self.rounded(scale))).collect()
    }

    /// Whether the shares are numbers of 64 bits at this scale.
    fn fits(&self, scale: i64) -> bool {
        let all: f64 = self.variables[self.instance.graph.edge_count()..].iter().map(|variable| variable.abs()).sum();
        let greatest = self.variables.iter().fold(0.0, |greatest: f64, share| greatest.max(share.abs()));
        (greatest + all) * (scale as f64) < (1u64 << 60) as f64
    }

    fn rounded(&self, scale: i64) -> Rounded {
        let graph = &self.instance.graph;
        let m = graph.edge_count();
        let units = |share: f64| (share * scale as f64).round() as i64;
        let mut subtour_cuts = Vec::new();
        let mut multipliers = vec![0; m];
        for (line, &multiplier) in self.subtour_cuts.iter().zip(&self.variables[m + 2..]) {
            let multiplier = units(multiplier);
            if multiplier > 0 {
                subtour_cuts.push(SubtourCut { inside: line.inside.clone(), visited: line.visited, multiplier });
                for &edge in &line.across {
                    multipliers[edge as usize] += multiplier;
                }
            }
        }
        let mut booked = Vec::new();
        for (at, edge) in graph.edges().iter().enumerate() {
            let amount = units(self.variables[at] + 0.5 * self.edge_multipliers[at]);
            let whole = i128::from(edge.weight) * i128::from(scale) + i128::from(multipliers[at]);
            if i128::from(amount) != whole.div_euclid(2) {
                booked.push((edge.source, edge.target, amount));
            }
        }
        let shares = Shares { scale, beginning: units(self.variables[m]), end: units(self.variables[m + 1]), booked };
        (shares, subtour_cuts)
    }
}

/// Shares and borders in whole units.
type Rounded = (Shares<u32>, Vec<SubtourCut<u32>>);

/// A set of vertices that might need a border.
#[derive(Default)]
struct Set {
    members: Vec<u32>,
    /// How often the average crosses its border, ends included.
    crossed: f64,
    /// The vertex in it that the average visits most.
    visited: u32,
    /// How much is lacking at worst in the subsets tried.
    worst: f64,
}

/// After so many sweeps without progress the level to be reached is raised.
const PATIENCE: usize = 20;

/// A share that a vertex may take.
#[derive(Clone, Copy)]
struct Offer {
    booked: f64,
    what: u32,
    other: u32,
}

const NO_OFFER: Offer = Offer { booked: f64::NEG_INFINITY, what: NOTHING, other: NOTHING };

fn offer([best, second]: &mut [Offer; 2], booked: f64, what: u32, other: u32) {
    keep_top_two([best, second], Offer { booked, what, other }, |offer| offer.booked);
}

/// The best share to come in and to go out together; both to the same vertex only in a cycle.
fn best_pair(entries: &[Offer; 2], exits: &[Offer; 2], closed: bool) -> (f64, [u32; 2]) {
    let pair = |entry: Offer, exit: Offer| (entry.booked + exit.booked, [entry.what, exit.what]);
    if closed || entries[0].other != exits[0].other {
        return pair(entries[0], exits[0]);
    }
    let (one, two) = (pair(entries[0], exits[1]), pair(entries[1], exits[0]));
    if one.0 >= two.0 { one } else { two }
}

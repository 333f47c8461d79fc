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

use super::plan::Plan;
use crate::certificate::Shares;
use crate::search::{Budget, Ends, NOT_AN_END, Piece, best_end};

/// Shares that, with this removal order, prove a better bound, and roundings of them to simple fractions. They stop
/// improving where the bound would meet `known_lower`, or after about this much work.
pub(super) fn shares(piece: &Piece, order: &[u32], known_lower: i64, work: usize, budget: &Budget) -> Vec<Shares<u32>> {
    let work_a_sweep = piece.graph.vertex_count() * 4 + piece.graph.edge_count() * 3;
    let sweeps = work / work_a_sweep.max(1);
    if sweeps < 2 {
        return Vec::new();
    }
    let mut relaxation = Relaxation::new(piece, order);
    relaxation.descend(known_lower, sweeps, budget);
    relaxation.roundings()
}

/// What a vertex takes, beside the ids of edges.
const BEGINNING: u32 = u32::MAX - 1;
const END: u32 = u32::MAX - 2;
const NOTHING: u32 = u32::MAX;

struct Relaxation<'a> {
    piece: &'a Piece,
    plan: Plan,
    /// By edge: what is booked at its source. After the edges, what the outside claims at the beginning and at the end.
    at_source: Vec<f64>,
    worth: Vec<f64>,
    /// What each vertex takes.
    taken: Vec<[u32; 2]>,
    slope: Vec<f64>,
}

impl<'a> Relaxation<'a> {
    fn new(piece: &'a Piece, order: &[u32]) -> Self {
        let graph = &piece.graph;
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
        match &piece.ends {
            Ends::Open { first, last, .. } => at_source.extend([claim(first), claim(last)]),
            Ends::Closed { .. } => at_source.extend([0.0, 0.0]),
        }
        Relaxation {
            piece,
            plan: Plan::new(piece, order),
            at_source,
            worth: vec![0.0; n],
            taken: vec![[NOTHING; 2]; n],
            slope: vec![0.0; m + 2],
        }
    }

    /// Lets every vertex take what is best for it.
    fn take(&mut self) {
        let graph = &self.piece.graph;
        let m = graph.edge_count();
        for vertex in 0..graph.vertex_count() as u32 {
            let (mut any, mut out) = (TopTwo::default(), TopTwo::default());
            for arc in graph.in_arcs(vertex) {
                let edge = &graph.edges()[arc.edge as usize];
                let at_source = self.at_source[arc.edge as usize];
                // An undirected edge is seen from both its ends.
                let booked = if edge.source == vertex { at_source } else { edge.weight as f64 - at_source };
                any.offer(booked, arc.edge, arc.target);
            }
            if graph.is_directed() {
                for arc in graph.out_arcs(vertex) {
                    out.offer(self.at_source[arc.edge as usize], arc.edge, arc.target);
                }
            }
            let mut closed = true;
            if let Ends::Open { first, last, .. } = &self.piece.ends {
                closed = false;
                if first[vertex as usize] != NOT_AN_END {
                    any.offer(first[vertex as usize] as f64 - self.at_source[m], BEGINNING, BEGINNING);
                }
                if last[vertex as usize] != NOT_AN_END {
                    let exits = if graph.is_directed() { &mut out } else { &mut any };
                    exits.offer(last[vertex as usize] as f64 - self.at_source[m + 1], END, END);
                }
            }
            let (worth, taken) = if graph.is_directed() {
                any.with(&out, closed)
            } else {
                (any.best.booked + any.second.booked, [any.best.what, any.second.what])
            };
            let is_worth_it = worth > 0.0;
            self.worth[vertex as usize] = if is_worth_it { worth } else { 0.0 };
            self.taken[vertex as usize] = if is_worth_it { taken } else { [NOTHING; 2] };
        }
    }

    /// The bound that the present shares prove, and its slope.
    fn evaluate(&mut self) -> f64 {
        self.take();
        let graph = &self.piece.graph;
        let m = graph.edge_count();
        let open = matches!(self.piece.ends, Ends::Open { .. });
        let mut bound = self.plan.evaluate(&self.worth);
        self.slope.fill(0.0);
        if open {
            bound += self.at_source[m] + self.at_source[m + 1];
            self.slope[m] = 1.0;
            self.slope[m + 1] = 1.0;
        }
        for vertex in (0..graph.vertex_count()).filter(|&vertex| self.plan.counts(vertex)) {
            for &what in &self.taken[vertex] {
                match what {
                    NOTHING => {}
                    BEGINNING => self.slope[m] -= 1.0,
                    END => self.slope[m + 1] -= 1.0,
                    edge => {
                        let at_source = graph.edges()[edge as usize].source as usize == vertex;
                        self.slope[edge as usize] += if at_source { 1.0 } else { -1.0 };
                    }
                }
            }
        }
        bound
    }

    fn descend(&mut self, known_lower: i64, sweeps: usize, budget: &Budget) {
        let goal = (known_lower as f64) + 0.5;
        let mut best = f64::INFINITY;
        let mut best_shares = self.at_source.clone();
        let mut direction = vec![0.0; self.slope.len()];
        let mut gap = f64::INFINITY;
        let mut patience = 0;
        let mut improved_from = f64::INFINITY;
        for sweep in 0..sweeps {
            let bound = self.evaluate();
            if bound < best {
                best = bound;
                best_shares.copy_from_slice(&self.at_source);
            }
            if sweep == 0 {
                gap = (best - goal).min(best.abs() * 0.1 + 1.0);
                improved_from = best;
            }
            if best < goal + 0.4 || gap < 1e-3 + best.abs() * 1e-6 || !best.is_finite() || budget.spent().is_some() {
                break;
            }
            if best < improved_from - gap * 0.25 {
                improved_from = best;
                patience = 0;
            } else {
                patience += 1;
                if patience == PATIENCE {
                    patience = 0;
                    improved_from = best;
                    gap /= 2.0;
                    self.at_source.copy_from_slice(&best_shares);
                    direction.fill(0.0);
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
            for (share, turn) in self.at_source.iter_mut().zip(&direction) {
                *share -= step * turn;
            }
        }
        self.at_source = best_shares;
    }

    /// The shares in units of small fractions and of a very small one; the finer, the closer, and the more unwieldy.
    fn roundings(&self) -> Vec<Shares<u32>> {
        let graph = &self.piece.graph;
        let m = graph.edge_count();
        let greatest = self.at_source.iter().fold(1.0, |greatest: f64, share| greatest.max(share.abs()));
        let scales = [2, 12, 1 << 20];
        let fitting = scales.into_iter().filter(|&scale| greatest * (scale as f64) < (1u64 << 60) as f64);
        let rounded = |scale: i64| {
            let units = |share: f64| (share * scale as f64).round() as i64;
            let mut booked = Vec::new();
            for (edge, &share) in graph.edges().iter().zip(&self.at_source) {
                let amount = units(share);
                if i128::from(amount) != (i128::from(edge.weight) * i128::from(scale)).div_euclid(2) {
                    booked.push((edge.source, edge.target, amount));
                }
            }
            Shares { scale, beginning: units(self.at_source[m]), end: units(self.at_source[m + 1]), booked }
        };
        fitting.map(rounded).collect()
    }
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

/// The two greatest shares at a vertex.
struct TopTwo {
    best: Offer,
    second: Offer,
}

impl Default for TopTwo {
    fn default() -> Self {
        let none = Offer { booked: f64::NEG_INFINITY, what: NOTHING, other: NOTHING };
        TopTwo { best: none, second: none }
    }
}

impl TopTwo {
    fn offer(&mut self, booked: f64, what: u32, other: u32) {
        let offer = Offer { booked, what, other };
        if booked > self.best.booked {
            self.second = self.best;
            self.best = offer;
        } else if booked > self.second.booked {
            self.second = offer;
        }
    }

    /// The best share of these (to come in) and of `out` together; both to the same vertex only in a cycle.
    fn with(&self, out: &TopTwo, closed: bool) -> (f64, [u32; 2]) {
        let pair = |entry: &Offer, exit: &Offer| (entry.booked + exit.booked, [entry.what, exit.what]);
        if closed || self.best.other != out.best.other {
            return pair(&self.best, &out.best);
        }
        let (one, two) = (pair(&self.best, &out.second), pair(&self.second, &out.best));
        if one.0 >= two.0 { one } else { two }
    }
}

//! What columns cost for the time being.
//!
//! Programs of paths are highly degenerate: most edges weigh the same. So each cost is moved a little, each by another
//! amount, and stays so: by a millionth of the greatest, or where most are alike by some more, without which thousands of
//! pivots gain nothing. There an answer that is known is made a little cheaper as well: it violates no cut, so the closer to it
//! solutions are the fewer cuts are left to be found, and what they have that it has not is little (after M. Fischetti and M. Monaci,
//! *Proximity search for 0-1 mixed-integer convex programming*, Journal of Heuristics 20 (2014) 709–731,
//! doi:10.1007/s10732-014-9266-x). The optimum of the program moves by about as much, and the bound that is proved with the multipliers
//! uses the true costs. Where weights are large that is some hundreds of what is to be told apart; so an optimum that
//! close to the cutoff is found once more by the true costs, and with reduced costs that are more exact.

use super::{DUAL_TOLERANCE, Simplex};

/// Where an objective is so close to the cutoff that moved costs can't tell on which side: what all reduced costs together may be
/// wrong by, in parts of what is to be told apart, and what one of them may be in any case.
const PART_LOST: f64 = 0.1;
const LEAST_TOLERANCE: f64 = 1e-11;
/// Moved costs tell nothing wrong as long as all are moved together by no more than this part.
const PART_MOVED: f64 = 0.05;
/// The cost of a column moves by up to this part of the greatest cost.
const PERTURBATION: f64 = 1e-6;
/// Where there are so many columns to each cost it moves by this part of the cost in the middle.
const PERTURBATION_OF_ALIKE: f64 = 1e-5;
const ALIKE: usize = 50;
/// The cost of what an answer uses falls by so many times that, where costs are alike.
const LEANING: f64 = 8.0;

impl Simplex {
    /// Moves each cost a little, so that few bases are equally good; where costs are alike, what is used farther down.
    pub(super) fn perturb(&mut self, is_used: impl Fn(usize) -> bool) {
        let (most, are_alike) = self.perturbation();
        for (column, (moved, cost)) in self.moved_cost.iter_mut().zip(&self.true_cost).enumerate() {
            let down = if are_alike && is_used(column) { LEANING } else { 0.0 };
            *moved = cost + most * (evenly_spread(column) - 0.5 - down);
        }
    }

    /// How much a cost is moved, and whether costs are alike: there are many columns to each.
    fn perturbation(&self) -> (f64, bool) {
        let mut costs: Vec<f64> = self.true_cost.iter().map(|cost| cost.abs()).filter(|&cost| cost > 0.0).collect();
        costs.sort_unstable_by(f64::total_cmp);
        let greatest = costs.last().copied().unwrap_or(0.0).max(1e-9);
        let middle = costs.get(costs.len() / 2).copied().unwrap_or(greatest);
        costs.dedup();
        let are_alike = costs.len() * ALIKE <= self.columns.len();
        (if are_alike { middle * PERTURBATION_OF_ALIKE } else { greatest * PERTURBATION }, are_alike)
    }

    /// How much the optimum by the moved costs may differ from that by the true ones, if that matters.
    pub(super) fn margin(&self) -> f64 {
        let moved = self.moved_cost.iter().zip(&self.true_cost).map(|(moved, cost)| (moved - cost).abs()).sum::<f64>();
        if moved * self.unit > PART_MOVED { moved } else { 0.0 }
    }

    /// How far beyond zero a reduced cost may be.
    pub(super) fn dual_tolerance(&self) -> f64 {
        if !self.is_exact {
            return DUAL_TOLERANCE;
        }
        (PART_LOST / (self.unit * self.columns.len() as f64)).clamp(LEAST_TOLERANCE, DUAL_TOLERANCE)
    }

    /// Takes back all shifts of costs.
    pub(super) fn begin_costs(&mut self) {
        let mut cost = std::mem::take(&mut self.cost);
        cost.clear();
        cost.extend_from_slice(self.costs());
        cost.resize(self.columns.len() + self.rows.len(), 0.0);
        self.cost = cost;
    }

    /// What columns cost for the time being, without shifts.
    pub(super) fn costs(&self) -> &[f64] {
        if self.is_exact { &self.true_cost } else { &self.moved_cost }
    }
}

/// A sequence that spreads evenly over 0..1: multiples of the golden ratio.
fn evenly_spread(number: usize) -> f64 {
    (number as f64 * 0.618_033_988_749_894_9).fract()
}

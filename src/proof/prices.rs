//! Multipliers from prices: what a place at a vertex should cost.
//!
//! Every visited vertex has two places for edges, an end of the path counted (where directed: one for an arc out, one for an arc in).
//! With a price on each, an edge gains what it weighs less the prices of the places it takes; the bound is the sum of what all
//! places cost and of all gains beyond that. Prices are the multipliers of the rows `at` (`out`, `in`) and `ends` (`starts`,
//! `finishes`), whatever they are; good ones leave a sweep little to lose. Where edges have no direction, chains and hanging trees are
//! [folded](super::folding) before. Prices are sought by gradient steps on the bound, smoothed
//! less and less (D. P. Kingma and J. Ba, *Adam: a method for stochastic optimization*, ICLR 2015, arXiv:1412.6980).
//!
//! Some hundred rounds of `O(n + m)`.

use super::folding::Folding;
use crate::instance::{Budget, Ends, Instance, NOT_AN_END};
use crate::proof::{Multipliers, Row};

const ROUNDS: usize = 160;
/// Prices are whole multiples of `1 / SCALE`.
const SCALE: i64 = 64;
/// Larger weights and prizes than this in all are no matter for floating point.
const LARGEST: u64 = 1 << 46;

/// What can be had: it gains `worth` and takes two places.
struct Choice {
    worth: f64,
    places: [u32; 2],
}

/// Places, how many of each there are, and what takes them.
struct Market {
    supply: Vec<f64>,
    choices: Vec<Choice>,
    rows: Vec<Row>,
    folding: Option<Folding>,
}

/// Good multipliers for all paths of an instance, or `None` where weights are too large or the budget is spent.
pub(crate) fn multipliers(instance: &Instance, budget: &Budget) -> Option<Multipliers> {
    let market = Market::of(instance)?;
    let prices = market.prices(budget)?;
    let round = |grain: f64| prices.iter().map(|price| (price * grain).round() / grain).collect::<Vec<f64>>();
    // The best prices are often halves of whole numbers.
    let (fine, halves) = (round(SCALE as f64), round(2.0));
    let (scale, best) = if market.cost(&halves) <= market.cost(&fine) { (2, halves) } else { (SCALE, fine) };
    let whole: Vec<i64> = best.iter().map(|price| (price * scale as f64).round() as i64).collect();
    let mut rows: Vec<(Row, i64)> = market.rows.iter().copied().zip(whole.iter().copied()).collect();
    if let Some(folding) = &market.folding {
        rows.retain(|(row, _)| !matches!(row, Row::At(_)));
        rows.extend(folding.rows(&instance.graph, scale, |vertex| whole[vertex as usize]));
    }
    rows.retain(|&(_, multiplier)| multiplier != 0);
    Some(Multipliers { scale, rows })
}

impl Market {
    fn of(instance: &Instance) -> Option<Market> {
        let graph = &instance.graph;
        let n = graph.vertex_count() as u32;
        let directed = graph.is_directed();
        let room = |vertex: u32| if directed { [2 * vertex, 2 * vertex + 1] } else { [vertex; 2] };
        let (mut supply, mut rows): (Vec<f64>, Vec<Row>) = if directed {
            let rows = (0..n).flat_map(|vertex| [Row::Out(vertex), Row::In(vertex)]);
            (vec![1.0; 2 * n as usize], rows.collect())
        } else {
            (vec![2.0; n as usize], (0..n).map(Row::At).collect())
        };
        let prizes = match &instance.ends {
            Ends::Open { first, last, .. } => [&first[..], &last[..]],
            Ends::Closed { .. } => [&[][..]; 2],
        };
        let able = prizes.into_iter().flatten().filter(|prize| **prize != NOT_AN_END);
        let all = graph.edges().iter().map(|edge| &edge.weight).chain(able);
        if all.map(|worth| worth.unsigned_abs()).fold(0, u64::saturating_add) > LARGEST {
            return None;
        }
        let folding = (!directed).then(|| Folding::of(graph));
        let link = |worth: i64, places| Choice { worth: worth as f64, places };
        let mut choices: Vec<Choice> = match &folding {
            Some(folding) => folding.links.iter().map(|&(ends, worth)| link(worth, ends)).collect(),
            None => {
                let arcs = graph.edges().iter();
                arcs.map(|arc| link(arc.weight, [room(arc.source)[0], room(arc.target)[1]])).collect()
            }
        };
        if let Some(folding) = &folding {
            // Places at vertices that are not of the core are nothing to buy.
            folding.is_core.zeroes().for_each(|vertex| supply[vertex] = 0.0);
        }
        let anchor = |vertex: u32| folding.as_ref().map_or((vertex, 0), |folding| folding.anchors[vertex as usize]);
        if let Ends::Open { first, last, .. } = &instance.ends {
            let alike = !directed && first == last;
            let roles: &[(&Vec<i64>, usize, Row, f64)] = if alike {
                &[(first, 0, Row::Ends, 2.0)]
            } else {
                // A start takes the place of an arc in.
                &[(first, 1, Row::Starts, 1.0), (last, 0, Row::Finishes, 1.0)]
            };
            for &(prizes, side, row, count) in roles {
                let end = supply.len() as u32;
                supply.push(count);
                rows.push(row);
                let able = (0..n).zip(prizes).filter(|(_, prize)| **prize != NOT_AN_END);
                choices.extend(able.map(|(vertex, &prize)| {
                    let (anchor, worth) = anchor(vertex);
                    link(prize + worth, [room(anchor)[side], end])
                }));
            }
        }
        Some(Market { supply, choices, rows, folding })
    }

    fn surplus(&self, choice: &Choice, prices: &[f64]) -> f64 {
        let cost = choice.places.iter().map(|&place| prices[place as usize]).sum::<f64>();
        choice.worth - cost
    }

    /// The bound at these prices.
    fn cost(&self, prices: &[f64]) -> f64 {
        let places: f64 = self.supply.iter().zip(prices).map(|(supply, price)| supply * price.max(0.0)).sum();
        places + self.choices.iter().map(|choice| self.surplus(choice, prices).max(0.0)).sum::<f64>()
    }

    fn prices(&self, budget: &Budget) -> Option<Vec<f64>> {
        let positive: Vec<f64> = self.choices.iter().map(|choice| choice.worth).filter(|worth| *worth > 0.0).collect();
        let unit = (positive.iter().sum::<f64>() / positive.len().max(1) as f64).max(1.0);
        let count = self.supply.len();
        let mut prices = vec![unit / 2.0; count];
        let (mut mean, mut square, mut average) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
        for round in 0..ROUNDS {
            if round % 16 == 0 && budget.spent().is_some() {
                return None;
            }
            let progress = round as f64 / ROUNDS as f64;
            let softness = unit * 0.3 * (0.02f64 / 0.3).powf(progress);
            let pace = unit * 0.1 * (0.004f64 / 0.1).powf(progress);
            let mut gradient = self.supply.clone();
            for choice in &self.choices {
                let surplus = self.surplus(choice, &prices) / softness;
                let share = 0.5 + 0.5 * surplus / (4.0 + surplus * surplus).sqrt();
                choice.places.iter().for_each(|&place| gradient[place as usize] -= share);
            }
            let [mean_weight, square_weight] = [0.9f64, 0.99].map(|keep| 1.0 - keep.powi(round as i32 + 1));
            for place in 0..count {
                mean[place] = 0.9 * mean[place] + 0.1 * gradient[place];
                square[place] = 0.99 * square[place] + 0.01 * gradient[place] * gradient[place];
                let step = pace * (mean[place] / mean_weight) / ((square[place] / square_weight).sqrt() + 1e-9);
                prices[place] = (prices[place] - step).max(0.0);
                average[place] += if 4 * round >= 3 * ROUNDS { prices[place] * 4.0 / ROUNDS as f64 } else { 0.0 };
            }
        }
        Some(average)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{CsrGraph, Edge};

    /// A star: of its edges two can be used, whatever the prices say of the others.
    #[test]
    fn prices_find_the_two_edges_of_a_star() {
        let edges = (1..6).map(|target| Edge { source: 0, target, weight: 10 }).collect();
        let instance = Instance::free(CsrGraph::from_simple(6, false, edges));
        let market = Market::of(&instance).unwrap();
        let prices = market.prices(&Budget::unlimited()).unwrap();
        assert!((20.0..21.5).contains(&market.cost(&prices)), "{}", market.cost(&prices));
    }

    #[test]
    fn what_is_too_large_has_no_prices() {
        let edges = vec![Edge { source: 0, target: 1, weight: 1 << 50 }];
        assert_eq!(multipliers(&Instance::free(CsrGraph::from_simple(2, false, edges)), &Budget::unlimited()), None);
    }
}

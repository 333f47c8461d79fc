//! Prices that bound the rest of a state at once, before anything is swept.
//!
//! A vertex has room for two edges (an arc in and an arc out). Put a price on that room, and one on being an end of the
//! path: then a completion gains at most what is left of all the room at these prices, plus whatever single chains and
//! ends gain beyond the prices of what they use. That holds for any prices that are not negative (they are multipliers of
//! Lagrange for the fractional path-and-cycle cover); good ones make it close. They are sought by gradient steps (D. P.
//! Kingma and J. Ba, *Adam: a method for stochastic optimization*, ICLR 2015) on the bound, smoothed less and less, and
//! rounded at the end, so that all that is proved rests on integers.

use super::chains::{Core, UseKind};
use super::kernel::{FLAG_BOTH, Role, Signature, State};
use super::plan::{Op, Plan};
use crate::instance::Budget;
use crate::solution::Stop;

/// Bounds on what completions add, in `1 / SCALE`.
pub(super) struct Potentials {
    /// For every layer: what does not depend on the state.
    constants: Vec<i64>,
    /// For every layer: the price of each bit that a signature lacks.
    prices: Vec<[i64; BITS]>,
    /// For the ends that exist: the price of those that do not.
    ends: [i64; 4],
    /// No path of the core is worth more.
    pub(super) bound: i64,
}

const SCALE: i64 = 64;
/// Where all that a path may gain, and all prices, add up to no more than this, `SCALE` times the value of a state and its
/// rest stay within 2⁶².
const LARGEST_SUM: f64 = (1u64 << 54) as f64;
/// Two for each of 25 slots.
const BITS: usize = 50;
const CHUNKS: usize = BITS.div_ceil(8);

/// The bounds of one layer, by eight bits of the signature at a time.
pub(super) struct Potential {
    constant: i64,
    ends: [i64; 4],
    chunks: Box<[[i64; 256]; CHUNKS]>,
}

impl Potential {
    /// Whether no completion of such a state with this value can be worth more than the target.
    #[inline(always)]
    pub(super) fn rules_out(&self, signature: Signature, value: i64, target: i64) -> bool {
        SCALE * value + self.rest(signature) <= SCALE.saturating_mul(target)
    }

    /// Above this must be what a part of a signature [adds](Self::adds) so that, with such others (and no ends) and this value,
    /// a completion can be worth more than the target.
    #[inline(always)]
    pub(super) fn lacks(&self, others: Signature, value: i64, target: i64) -> i64 {
        SCALE.saturating_mul(target).saturating_sub(self.score(others, value))
    }

    /// What a part of a signature, with the ends and this gain, adds to the score of the others.
    pub(super) fn adds(&self, part: Signature, gain: i64) -> i64 {
        self.score(part, gain) - self.score(Signature::EMPTY, 0)
    }

    /// What a completion adds at most, times `SCALE`.
    #[inline(always)]
    pub(super) fn rest(&self, signature: Signature) -> i64 {
        let packed = signature.packed();
        let mut rest = self.constant + self.ends[(packed >> BITS) as usize];
        for (chunk, table) in self.chunks.iter().enumerate() {
            let bits = if chunk + 1 < CHUNKS { packed >> (8 * chunk) & 255 } else { packed >> (8 * chunk) & 3 };
            rest += table[bits as usize];
        }
        rest
    }

    /// The value that orders states by what they may become.
    #[inline(always)]
    pub(super) fn score(&self, signature: Signature, value: i64) -> i64 {
        SCALE * value + self.rest(signature)
    }
}

impl Potentials {
    /// `None` where the weights are too large for this.
    pub(super) fn new(core: &Core, plan: &Plan, directed: bool, budget: &Budget) -> Result<Option<Self>, Stop> {
        let market = Market::new(core, plan, directed);
        let magnitude = market.magnitude();
        if magnitude > LARGEST_SUM {
            return Ok(None);
        }
        let prices = market.prices(plan.mean_gain() as f64, budget)?;
        // A rest counts each price up to four times: as room, twice as a bit, and as an end.
        if magnitude + 4.0 * prices.iter().sum::<f64>() > LARGEST_SUM {
            return Ok(None);
        }
        let rounded = |grain: i64| -> Vec<i64> {
            prices.iter().map(|&price| (price * (SCALE / grain) as f64).round() as i64 * grain).collect()
        };
        // Best prices are often halves of integers.
        let (fine, halves) = (rounded(1), rounded(SCALE / 2));
        let prices = if market.cost(&halves) <= market.cost(&fine) { halves } else { fine };
        Ok(Some(Self::at(prices, &market, plan)))
    }

    /// The bounds by given prices of the room for arcs out, by core vertex.
    pub(super) fn given(core: &Core, plan: &Plan, out: &[i64]) -> Option<Self> {
        let market = Market::new(core, plan, core.directed);
        let magnitude = market.magnitude() + 4.0 * out.iter().map(|&price| price as f64).sum::<f64>();
        if magnitude > LARGEST_SUM {
            return None;
        }
        let mut prices = vec![0; market.supply.len()];
        for (vertex, &price) in (0..).zip(out) {
            prices[market.room(vertex)[1]] += SCALE * price;
        }
        Some(Self::at(prices, &market, plan))
    }

    /// The bounds of all layers at given prices.
    fn at(prices: Vec<i64>, market: &Market, plan: &Plan) -> Self {
        let last = prices.len() - 1;
        let ends = match (market.symmetric, plan.goal) {
            (_, goal) if goal != FLAG_BOTH => [0; 4],
            (true, _) => [2 * prices[last], prices[last], 0, 0],
            (false, _) => {
                let (first, last) = (prices[last - 1], prices[last]);
                [first + last, last, first, 0]
            }
        };
        let count = plan.steps.len();
        let mut constants = vec![0; count + 1];
        for (step, groups) in market.groups_of_steps.iter().enumerate().rev() {
            let vertex = plan.steps[step].vertex;
            let room = market.room(vertex).map(|good| prices[good]).iter().sum::<i64>();
            let forced: i64 = market.forced[step].iter().map(|&(prize, good)| SCALE * prize - prices[good]).sum();
            let beyond: i64 = groups.clone().map(|group| market.beyond(group, &prices)).sum();
            constants[step] = constants[step + 1] + room + forced + beyond;
        }
        let mut of_slots = [0; BITS];
        let mut of_layers = vec![of_slots];
        for step in &plan.steps {
            let [into, out] = market.room(step.vertex);
            of_slots[2 * step.slot as usize] = prices[into];
            of_slots[2 * step.slot as usize + 1] = prices[out];
            for op in &step.ops {
                if let Op::Leave { slot, .. } = op {
                    of_slots[2 * *slot as usize] = 0;
                    of_slots[2 * *slot as usize + 1] = 0;
                }
            }
            of_layers.push(of_slots);
        }
        let bound = (constants[0] + ends[0]).div_euclid(SCALE);
        Potentials { constants, prices: of_layers, ends, bound }
    }

    pub(super) fn bytes(&self) -> usize {
        self.prices.capacity() * size_of::<[i64; BITS]>() + self.constants.capacity() * 8
    }

    /// The bounds after `step` steps.
    pub(super) fn layer(&self, step: usize) -> Potential {
        let mut chunks = Box::new([[0; 256]; CHUNKS]);
        for (table, prices) in chunks.iter_mut().zip(self.prices[step].chunks(8)) {
            // With no bit set all are lacking; each set bit takes its price away.
            table[0] = prices.iter().sum();
            for bits in 1usize..1 << prices.len() {
                table[bits] = table[bits & (bits - 1)] - prices[bits.trailing_zeros() as usize];
            }
        }
        Potential { constant: self.constants[step], ends: self.ends, chunks }
    }
}

/// What there is to buy with room and ends, which are the *goods*.
struct Market {
    directed: bool,
    symmetric: bool,
    /// How much there is of each good.
    supply: Vec<f64>,
    choices: Vec<Purchase>,
    /// Of the choices of a group one at most is taken.
    groups: Vec<std::ops::Range<usize>>,
    groups_of_steps: Vec<std::ops::Range<usize>>,
    /// What every path takes in a step: its gain and the good it uses.
    forced: Vec<Vec<(i64, usize)>>,
}

/// Something gained for up to four goods; [`NO_GOOD`] fills the rest.
struct Purchase {
    gain: i64,
    goods: [usize; 4],
}

const NO_GOOD: usize = usize::MAX;

impl Market {
    fn new(core: &Core, plan: &Plan, directed: bool) -> Self {
        let n = core.vertices.len();
        let mut roles = plan.steps.iter().flat_map(|step| &step.ops).flat_map(Op::roles);
        let symmetric = roles.any(|role| role == Role::Either);
        let mut supply = if directed { vec![1.0; 2 * n] } else { vec![2.0; n] };
        let open = plan.goal == FLAG_BOTH;
        supply.extend(match (open, symmetric) {
            (true, true) => vec![0.0, 2.0],
            (true, false) => vec![1.0, 1.0],
            (false, _) => vec![0.0, 0.0],
        });
        let mut market = Market {
            directed,
            symmetric,
            supply,
            choices: Vec::new(),
            groups: Vec::new(),
            groups_of_steps: Vec::new(),
            forced: Vec::new(),
        };
        for step in &plan.steps {
            let first_group = market.groups.len();
            let mut forced = Vec::new();
            for op in &step.ops {
                let first_choice = market.choices.len();
                match op {
                    Op::Pin { vertex, role, prize, .. } => {
                        let good = market.good_of_end(*vertex, *role);
                        market.supply[good] -= 1.0;
                        let end = market.end(*role);
                        market.supply[end] -= 1.0;
                        forced.push((*prize, good));
                    }
                    Op::Leave { vertex, ends, .. } => {
                        for &(gain, role) in ends {
                            let goods = [market.good_of_end(*vertex, role), market.end(role), NO_GOOD, NO_GOOD];
                            market.choices.push(Purchase { gain, goods });
                        }
                    }
                    // Whoever finishes may as well end where its vertex leaves.
                    Op::Finish { .. } | Op::Close { .. } => {}
                    Op::Pair { chains, gains, .. } => {
                        for (&chain, &gain) in chains.iter().zip(gains) {
                            let chain = &core.chains[chain as usize];
                            let goods = [market.room(chain.a)[1], market.room(chain.b)[0], NO_GOOD, NO_GOOD];
                            market.choices.push(Purchase { gain, goods });
                        }
                    }
                    Op::Chain { chain, uses, .. } => {
                        let (a, b) = (core.chains[*chain as usize].a, core.chains[*chain as usize].b);
                        for &(gain, kind) in uses {
                            let goods = match kind {
                                UseKind::Full => [market.room(a)[1], market.room(b)[0], NO_GOOD, NO_GOOD],
                                UseKind::DipA(role, _) => {
                                    [market.good_of_end(a, role), market.end(role), NO_GOOD, NO_GOOD]
                                }
                                UseKind::DipB(role, _) => {
                                    [market.good_of_end(b, role), market.end(role), NO_GOOD, NO_GOOD]
                                }
                                UseKind::Dips(role_a, _, role_b, _) => [
                                    market.good_of_end(a, role_a),
                                    market.end(role_a),
                                    market.good_of_end(b, role_b),
                                    market.end(role_b),
                                ],
                            };
                            market.choices.push(Purchase { gain, goods });
                        }
                    }
                }
                if market.choices.len() > first_choice {
                    market.groups.push(first_choice..market.choices.len());
                }
            }
            market.groups_of_steps.push(first_group..market.groups.len());
            market.forced.push(forced);
        }
        market
    }

    /// More than any path gains or loses: chains, ends and pinned ends together.
    fn magnitude(&self) -> f64 {
        let chosen = self.choices.iter().map(|choice| choice.gain);
        let forced = self.forced.iter().flatten().map(|&(prize, _)| prize);
        chosen.chain(forced).map(|gain| (gain as f64).abs()).sum()
    }

    /// The goods that are a vertex's room: for an arc in and an arc out, or one twice.
    fn room(&self, vertex: u32) -> [usize; 2] {
        let vertex = vertex as usize;
        if self.directed { [2 * vertex, 2 * vertex + 1] } else { [vertex, vertex] }
    }

    /// The room that an end in this role takes.
    fn good_of_end(&self, vertex: u32, role: Role) -> usize {
        self.room(vertex)[usize::from(role == Role::Last)]
    }

    /// The good of being an end in this role.
    fn end(&self, role: Role) -> usize {
        self.supply.len() - if role == Role::First { 2 } else { 1 }
    }

    /// What the best choice of a group gains beyond its price, times `SCALE`.
    fn beyond(&self, group: usize, prices: &[i64]) -> i64 {
        let surplus = |choice: &Purchase| {
            let goods = choice.goods.iter().filter(|&&good| good != NO_GOOD);
            SCALE * choice.gain - goods.map(|&good| prices[good]).sum::<i64>()
        };
        self.choices[self.groups[group].clone()].iter().map(surplus).max().unwrap_or(0).max(0)
    }

    /// The bound at these prices, times `SCALE`, up to a constant.
    fn cost(&self, prices: &[i64]) -> i64 {
        let supply: i64 = self.supply.iter().zip(prices).map(|(&supply, &price)| supply as i64 * price).sum();
        supply + (0..self.groups.len()).map(|group| self.beyond(group, prices)).sum::<i64>()
    }

    /// Good prices, in units of weight. `unit` is the size of a usual gain.
    fn prices(&self, unit: f64, budget: &Budget) -> Result<Vec<f64>, Stop> {
        const ROUNDS: usize = 500;
        let unit = unit.max(1.0);
        let goods = self.supply.len();
        let mut prices = vec![0.0; goods];
        for &good in self.choices.iter().flat_map(|choice| &choice.goods).filter(|&&good| good != NO_GOOD) {
            prices[good] = unit / 2.0;
        }
        let (mut mean, mut square) = (vec![0.0; goods], vec![0.0; goods]);
        let mut average = vec![0.0; goods];
        let mut gradient = vec![0.0; goods];
        let mut shares = Vec::new();
        for round in 0..ROUNDS {
            budget.spent().map_or(Ok(()), Err)?;
            let progress = round as f64 / ROUNDS as f64;
            let softness = unit * 0.3 * (0.02f64 / 0.3).powf(progress);
            let pace = unit * 0.1 * (0.004f64 / 0.1).powf(progress);
            gradient.copy_from_slice(&self.supply);
            for group in &self.groups {
                let choices = &self.choices[group.clone()];
                shares.clear();
                let mut total = 1.0;
                for choice in choices {
                    let goods = choice.goods.iter().filter(|&&good| good != NO_GOOD);
                    let surplus = choice.gain as f64 - goods.map(|&good| prices[good]).sum::<f64>();
                    // Far beyond the price everything is bought anyway; this keeps the sum finite.
                    let share = (surplus / softness).min(40.0).exp();
                    total += share;
                    shares.push(share);
                }
                for (choice, share) in choices.iter().zip(&shares) {
                    for &good in choice.goods.iter().filter(|&&good| good != NO_GOOD) {
                        gradient[good] -= share / total;
                    }
                }
            }
            let (keep_mean, keep_square) = (0.9f64, 0.99f64);
            let (mean_weight, square_weight) =
                (1.0 - keep_mean.powi(round as i32 + 1), 1.0 - keep_square.powi(round as i32 + 1));
            for good in 0..goods {
                mean[good] = keep_mean * mean[good] + (1.0 - keep_mean) * gradient[good];
                square[good] = keep_square * square[good] + (1.0 - keep_square) * gradient[good] * gradient[good];
                let step = pace * (mean[good] / mean_weight) / ((square[good] / square_weight).sqrt() + 1e-9);
                prices[good] = (prices[good] - step).max(0.0);
                average[good] += if 4 * round >= 3 * ROUNDS { prices[good] * 4.0 / ROUNDS as f64 } else { 0.0 };
            }
        }
        Ok(average)
    }
}

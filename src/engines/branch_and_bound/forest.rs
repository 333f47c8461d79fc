//! The scattering bound: how much can a few disjoint paths visit, when taking out vertices leaves many parts?
//!
//! An *elimination forest* puts every vertex above the parts that its removal (after that of its ancestors) leaves of its
//! part. Paths inside a part may be seen as pieces of paths joined at its eliminated vertex. So if the best that `k`
//! disjoint paths can visit below is bounded by the `k` greatest of some *marginals*, then with the vertex itself one more
//! instance can be used, at the price of joining two: the two greatest marginals and the vertex become one marginal. Folding
//! from the leaves to the roots bounds what `k` disjoint paths can visit in all by the `k` greatest marginals.
//!
//! This holds for every induced subgraph with the same forest: an absent vertex joins nothing. It contains, among others,
//! the scattering bound (taking out `S` leaves parts of which a path meets at most `|S| + 1`; H. A. Jung, *On a class of
//! posets and the corresponding comparability graphs*, J. Combin. Theory Ser. B 24, 1978, is where the scattering number
//! comes from), applied again inside the parts, and cut vertices.
//!
//! The first forest is made greedily, in [`Forest::greedy`]; [`Forest::improved`] then climbs by random changes of the order
//! in which vertices are taken out.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::bits::{Bits, flood};
use super::board::Board;
use crate::instance::Budget;

#[derive(Default)]
pub(super) struct Forest {
    /// Every vertex after the parts below it, and how many these are.
    upward: Vec<(u8, u8)>,
}

/// Forests are compared by what they say of so many paths, in this order.
const SCORED_PATHS: [usize; 3] = [1, 3, 6];

/// More changes find little more.
const IMPROVEMENTS_PER_VERTEX: usize = 10;

/// Memory for [`Forest::bound`], kept between calls.
pub(super) struct Marginals {
    values: Vec<i64>,
    counts: Vec<usize>,
}

impl Marginals {
    pub(super) fn new(n: usize) -> Self {
        Marginals { values: Vec::with_capacity(n), counts: Vec::with_capacity(n) }
    }
}

impl Forest {
    /// Takes out, of every part, the vertex that leaves the least in its two heaviest parts; among equals the one of the
    /// most neighbours within its part. `O(n³)`.
    pub(super) fn greedy<B: Bits>(board: &Board<B>) -> Self {
        let mut forest = Forest::default();
        forest.rebuild(board, &mut Vec::new(), |part| Self::splitter(board, part));
        forest
    }

    /// The best of this forest and some made from it by changing the order in which vertices are taken out.
    pub(super) fn improved<B: Bits>(self, board: &Board<B>, budget: &Budget) -> Self {
        let n = board.n;
        let mut marginals = Marginals::new(n);
        let mut score = |forest: &Forest| SCORED_PATHS.map(|k| forest.bound(board, board.vertices, k, &mut marginals));
        let mut dice = Pcg64Mcg::seed_from_u64(budget.seed);
        // The vertex of the greatest rank is taken out first.
        let mut ranks = vec![0; n];
        for (rank, &(vertex, _)) in self.upward.iter().enumerate() {
            ranks[usize::from(vertex)] = rank;
        }
        let mut best_score = score(&self);
        let mut best = self;
        let (mut other, mut parts) = (Forest::default(), Vec::new());
        for round in 0..IMPROVEMENTS_PER_VERTEX * n {
            if round % 16 == 0 && budget.spent().is_some() {
                break;
            }
            let (one, another) = ((dice.next_u32() as usize) % n, (dice.next_u32() as usize) % n);
            ranks.swap(one, another);
            other.rebuild(board, &mut parts, |part| {
                part.members().max_by_key(|&vertex| ranks[vertex]).expect("a part has vertices")
            });
            let other_score = score(&other);
            if other_score <= best_score {
                best_score = other_score;
                std::mem::swap(&mut best, &mut other);
            } else {
                ranks.swap(one, another);
            }
        }
        best
    }

    /// Takes the whole board apart; of every connected part the splitter says what to take out.
    fn rebuild<B: Bits>(&mut self, board: &Board<B>, parts: &mut Vec<B>, mut splitter: impl FnMut(B) -> usize) {
        let push_parts = |set: B, parts: &mut Vec<B>| {
            let (mut rest, before) = (set, parts.len());
            while !rest.is_empty() {
                let part = flood(&board.around, B::only(rest.least()), rest);
                rest = rest & !part;
                parts.push(part);
            }
            parts.len() - before
        };
        // Every vertex before the parts below it; turned round at the end.
        self.upward.clear();
        push_parts(board.vertices, parts);
        while let Some(part) = parts.pop() {
            let vertex = splitter(part);
            let below = push_parts(part.without(vertex), parts);
            self.upward.push((vertex as u8, below as u8));
        }
        self.upward.reverse();
    }

    fn splitter<B: Bits>(board: &Board<B>, part: B) -> usize {
        let degree = |vertex: usize| (board.around[vertex] & part).count();
        // By Dirac's theorem such a part has a Hamiltonian cycle, hence no cut vertex.
        if part.members().all(|vertex| 2 * degree(vertex) >= part.count()) {
            return part.members().max_by_key(|&vertex| degree(vertex)).expect("a part has vertices");
        }
        let key = |vertex: usize| {
            let mut rest = part.without(vertex);
            let (mut best, mut second) = (0, 0);
            while !rest.is_empty() {
                let instance = flood(&board.around, B::only(rest.least()), rest);
                rest = rest & !instance;
                let heavy = board.passing_sum(instance);
                (best, second) = if heavy > best { (heavy, best) } else { (best, second.max(heavy)) };
            }
            (board.passing[vertex] + best + second, std::cmp::Reverse(degree(vertex)), vertex)
        };
        part.members().min_by_key(|&vertex| key(vertex)).expect("a part has vertices")
    }

    /// Every vertex with all that is below it.
    pub(super) fn parts<B: Bits>(&self) -> Vec<(usize, B)> {
        let mut parts = Vec::with_capacity(self.upward.len());
        let mut complete: Vec<B> = Vec::new();
        for &(vertex, count) in &self.upward {
            let below = complete.split_off(complete.len() - usize::from(count));
            let below = below.into_iter().fold(B::default(), |set, part| set | part);
            parts.push((usize::from(vertex), below));
            complete.push(below | B::only(usize::from(vertex)));
        }
        parts
    }

    /// No `paths` disjoint paths within `set` visit vertices whose [`passing`](Board::passing) sums up to more than this.
    pub(super) fn bound<B: Bits>(&self, board: &Board<B>, set: B, paths: usize, marginals: &mut Marginals) -> i64 {
        let Marginals { values, counts } = marginals;
        values.clear();
        counts.clear();
        for &(vertex, parts) in &self.upward {
            let from = counts.len() - usize::from(parts);
            let mut count: usize = counts[from..].iter().sum();
            counts.truncate(from);
            if set.has(usize::from(vertex)) {
                let mut joined = board.passing[usize::from(vertex)];
                let instances = values.len() - count;
                for _ in 0..count.min(2) {
                    joined += take_greatest(values, instances);
                    count -= 1;
                }
                values.push(joined);
                count += 1;
            }
            counts.push(count);
        }
        (0..paths.min(values.len())).map(|_| take_greatest(values, 0)).sum()
    }
}

/// Removes the greatest value from `values[from..]`, which must not be empty.
fn take_greatest(values: &mut Vec<i64>, from: usize) -> i64 {
    let mut place = from;
    for other in from + 1..values.len() {
        if values[other] > values[place] {
            place = other;
        }
    }
    values.swap_remove(place)
}

//! Bounds by counting how many cards each symbol is on.
//!
//! Let b cards of k symbols be drawn from n, and let symbol s be on r(s) of them. Then Σ r(s) = bk, and Σ r(s)(r(s) − 1) counts
//! the ordered pairs of cards with the symbols they share: b(b − 1) if any two share exactly one, no more if at most one.
//!
//! **Exactly one.** Decks whose cards all share one symbol have ⌊(n − 1)/(k − 1)⌋ cards at most. In every other deck some card
//! misses s, and meets the cards with s in different symbols: r(s) ≤ k, so b ≤ k² − k + 1 (M. Deza, *Solution d'un problème de
//! Erdős–Lovász*, Journal of Combinatorial Theory B 16, 1974, DOI 10.1016/0095-8956(74)90059-8); and b ≤ n (R. A. Fisher, *An
//! examination of the different possible solutions of a problem in incomplete blocks*, Annals of Eugenics 10, 1940, DOI
//! 10.1111/j.1469-1809.1940.tb02237.x). Beyond that, the multiplicities r(s) must exist as whole numbers, and so must the
//! cards: the r(s) − 1 of one card add up to b − 1. So a *profile*, how many symbols are on r cards for each r, is refuted if
//! there are not b cards of possible kinds that use its symbols exactly. Any deck contains smaller ones; hence what holds for
//! no deck of b cards bounds all decks by b − 1.
//!
//! A deck of k² − k + 1 cards that do not share one symbol is a projective plane of order k − 1, and one of k² − k cards is one
//! without a line: there every card lacks one meeting of k(k − 1), so exactly one of its symbols is on k − 1 cards and the
//! others on k; the symbols on k − 1 cards are k in number, no two of them on one card, and are the missing card. By R. H.
//! Bruck, H. J. Ryser, *The nonexistence of certain finite projective planes*, Canadian Journal of Mathematics 1, 1949, DOI
//! 10.4153/CJM-1949-009-2, an order of the form 4m + 1 or 4m + 2 is a sum of two squares; and there is none of order 10 (C. W.
//! H. Lam, L. Thiel, S. Swiercz, *The non-existence of finite projective planes of order 10*, Canadian Journal of Mathematics
//! 41, 1989, DOI 10.4153/CJM-1989-049-4). The same is said of (k − 1)² cards all of whose symbols are on k − 1 cards: seen from the
//! cards these are an affine plane.
//!
//! **At most one.** The cards with s have no other symbol in common: r(s) ≤ ⌊(n − 1)/(k − 1)⌋, which gives Johnson's first
//! bound, and Σ r(s)(r(s) − 1) ≤ b(b − 1) his second (S. M. Johnson, *A new upper bound for error-correcting codes*, IRE
//! Transactions on Information Theory 8, 1962, DOI 10.1109/TIT.1962.1057714). Each card is left whole by n − k of the n ways to
//! take a symbol out: b ≤ ⌊n/(n − k) · bound for n − 1⌋. Where k − 1 divides n − 1, the pairs of symbols on no card make a
//! graph whose degrees k − 1 divides; such a graph has no edge or at least k(k − 1)/2, and exactly so many only as the room for
//! one more card.

use super::watch::Watch;

/// Profiles of more multiplicities are not listed.
const MOST_MULTIPLICITY: usize = 256;

/// At most so many cases are looked at before a deck is taken to be possible.
const MOST_WORK: u64 = 200_000;

/// How many symbols are on r cards, for each r from 0.
pub(super) type Profile = Vec<u32>;

/// How many cards have one symbol in common and nothing else, at most.
pub(super) fn most_sunflower(size: usize, symbols: usize) -> usize {
    (symbols - 1).checked_div(size - 1).unwrap_or(1)
}

/// The most cards of which any two share exactly one symbol, but not all the same one, as far as sums tell.
pub(super) fn most_exactly_one(size: usize, symbols: usize) -> usize {
    let most = most_by_meetings(size, symbols, (size * size - size + 1).min(symbols) as u128) as usize;
    let least_plane = size * size - size;
    if size > 2 && most >= least_plane && !may_be_plane(size as u64 - 1) { least_plane - 1 } else { most }
}

/// The same, if there are no more than `most`, as far as profiles tell.
pub(super) fn most_by_profiles(mut most: usize, size: usize, symbols: usize, watch: &mut Watch) -> usize {
    while most > 1 && profiles(most, size, symbols, watch).is_some_and(|all| all.is_empty()) {
        most -= 1;
    }
    most
}

/// The most cards, up to `most`, such that Σ r(r − 1) can be no more than b(b − 1) for so many cards and for all fewer.
///
/// That sum is least if all symbols are on as equally many cards as can be, q or q + 1. As long as q is the same, it exceeds
/// b(b − 1) by a concave function of b, which is greatest at qk.
fn most_by_meetings(size: usize, symbols: usize, most: u128) -> u128 {
    let (k, n) = (size as u128, symbols as u128);
    let exceeds = |b: u128| {
        let (each, more) = (b * k / n, b * k % n);
        (n - more) * each * each.saturating_sub(1) + more * (each + 1) * each > b * (b - 1)
    };
    let mut from = 1;
    while from <= most {
        let each = from * k / n;
        let upto = (((each + 1) * n - 1) / k).min(most);
        let peak = (each * k).clamp(from, upto);
        if exceeds(peak) {
            // Up to the peak the excess grows.
            let (mut fits, mut fails) = (from - 1, peak);
            while fails - fits > 1 {
                let middle = fits.midpoint(fails);
                *(if exceeds(middle) { &mut fails } else { &mut fits }) = middle;
            }
            return fits;
        }
        from = upto + 1;
    }
    most
}

/// Whether a projective plane of this order is not known to be impossible.
fn may_be_plane(order: u64) -> bool {
    let is_square = |number: u64| number.isqrt().pow(2) == number;
    let is_sum = || (0..=order.isqrt()).any(|root| is_square(order - root * root));
    order != 10 && (matches!(order % 4, 0 | 3) || is_sum())
}

/// All profiles of decks of so many cards in which any two share exactly one symbol and no symbol is on more than `size`; those
/// that leave no way to make the cards are left out. `None` if there are too many cases, or the limits are spent.
pub(super) fn profiles(cards: usize, size: usize, symbols: usize, watch: &mut Watch) -> Option<Vec<Profile>> {
    let most = size.min(cards);
    if most > MOST_MULTIPLICITY {
        return None;
    }
    let mut search = Profiles { cards, size, work: 0, current: vec![0; most + 1], found: Vec::new(), watch };
    search.extend(most, symbols as i64, (cards * size) as i64, (cards * (cards - 1)) as i64);
    (search.work < MOST_WORK).then_some(search.found)
}

struct Profiles<'a> {
    cards: usize,
    size: usize,
    work: u64,
    current: Profile,
    found: Vec<Profile>,
    watch: &'a mut Watch,
}

/// A case takes as long as so many small steps.
const STEPS_OF_CASE: usize = 64;

/// Counts a case; all there may be if the limits are spent.
fn count_case(work: &mut u64, watch: &mut Watch) {
    *work = if watch.steps(STEPS_OF_CASE).is_ok() { *work + 1 } else { MOST_WORK };
}

impl Profiles<'_> {
    /// Chooses how many of the `left` symbols are on `times` cards, then on fewer, such that multiplicities r add up to `sum`
    /// and the r(r − 1) to `meetings`.
    fn extend(&mut self, times: usize, left: i64, sum: i64, meetings: i64) {
        count_case(&mut self.work, self.watch);
        let high = times as i64;
        let is_possible = sum <= left * high
            && meetings <= sum * (high - 1).max(0)
            // By Cauchy and Schwarz, (Σ r)² is no more than left · Σ r².
            && i128::from(sum) * i128::from(sum) <= i128::from(left) * i128::from(sum + meetings);
        if self.work >= MOST_WORK || !is_possible {
            return;
        }
        if times == 0 {
            if sum == 0 && meetings == 0 {
                self.current[0] = left as u32;
                let mut kinds = Kinds::new(&self.current, self.cards, self.size, self.watch);
                let feasible = kinds.can_make_all();
                let work = kinds.work;
                self.work += work;
                if feasible && !self.is_impossible_plane() {
                    self.found.push(self.current.clone());
                }
            }
            return;
        }
        for count in (0..=left.min(sum / high)).rev() {
            if count * high * (high - 1) <= meetings {
                self.current[times] = count as u32;
                self.extend(times - 1, left - count, sum - count * high, meetings - count * high * (high - 1));
            }
        }
        self.current[times] = 0;
    }

    /// Whether all q² cards are on q + 1 symbols, and every symbol on q of them: seen from the cards an affine plane of order q,
    /// and there is none.
    fn is_impossible_plane(&self) -> bool {
        let order = self.size - 1;
        let is_affine = order > 1
            && self.cards == order * order
            && self.current.get(order) == Some(&((order * order + order) as u32));
        is_affine && !may_be_plane(order as u64)
    }
}

/// The kinds of cards that a profile allows: how many of a card's symbols have each multiplicity.
struct Kinds<'a> {
    kinds: Vec<Vec<u32>>,
    cards: u32,
    /// For each multiplicity: how often its symbols are on cards.
    uses: Vec<u32>,
    work: u64,
    watch: &'a mut Watch,
}

impl<'a> Kinds<'a> {
    fn new(profile: &[u32], cards: usize, size: usize, watch: &'a mut Watch) -> Self {
        let uses = profile.iter().enumerate().map(|(times, &count)| times as u32 * count).collect();
        let mut kinds = Kinds { kinds: Vec::new(), cards: cards as u32, uses, work: 0, watch };
        let mut kind = vec![0; profile.len()];
        kinds.list(profile, profile.len() - 1, size as u32, cards as u32 - 1, &mut kind);
        kinds
    }

    /// Chooses `left` symbols on `times` cards or fewer, of which the multiplicities less one add up to `others`.
    fn list(&mut self, profile: &[u32], times: usize, left: u32, others: u32, kind: &mut Vec<u32>) {
        count_case(&mut self.work, self.watch);
        if self.work >= MOST_WORK || u64::from(others) > u64::from(left) * times.saturating_sub(1) as u64 {
            return;
        }
        if times == 0 {
            if left == 0 && others == 0 {
                self.kinds.push(kind.clone());
            }
            return;
        }
        let each = times as u32 - 1;
        for count in 0..=left.min(profile[times]) {
            if count * each <= others {
                kind[times] = count;
                self.list(profile, times - 1, left - count, others - count * each, kind);
            }
        }
        kind[times] = 0;
    }

    /// Whether some `cards` of these kinds use every symbol exactly as often as the profile says. True where that takes too long
    /// to find out.
    fn can_make_all(&mut self) -> bool {
        let uses = self.uses.clone();
        let mut seen = hashbrown::HashSet::new();
        self.make(0, self.cards, uses, &mut seen) || self.work >= MOST_WORK
    }

    fn make(
        &mut self,
        from: usize,
        left: u32,
        uses: Vec<u32>,
        seen: &mut hashbrown::HashSet<(usize, Vec<u32>)>,
    ) -> bool {
        count_case(&mut self.work, self.watch);
        if left == 0 {
            return uses.iter().all(|&uses| uses == 0);
        }
        if from == self.kinds.len() || self.work >= MOST_WORK || !seen.insert((from, uses.clone())) {
            return false;
        }
        let kind = &self.kinds[from];
        let most = uses
            .iter()
            .zip(kind)
            .filter(|&(_, &per_card)| per_card > 0)
            .map(|(&uses, &per_card)| uses / per_card)
            .min();
        let most = most.unwrap_or(left).min(left);
        for count in (0..=most).rev() {
            let rest = uses.iter().zip(&self.kinds[from]).map(|(uses, per_card)| uses - count * per_card).collect();
            if self.make(from + 1, left - count, rest, seen) {
                return true;
            }
        }
        false
    }
}

/// The most cards of which any two share at most one symbol, as far as is proved.
pub(super) fn most_at_most_one(size: usize, symbols: usize) -> usize {
    match size {
        1 => return symbols,
        _ if symbols == size => return 1,
        _ => {}
    }
    // From few symbols up, for every bound carries over to one symbol more; where there are very many, from not so few.
    const CARRIED: usize = 4096;
    let carried = (16 * CARRIED / size).min(CARRIED);
    let first = (size + 1).max(symbols.saturating_sub(carried));
    let mut below = ((first - 1) * ((first - 2) / (size - 1)) / size).max(1) as u128;
    for n in first..=symbols {
        below = at_most_one_of(size, n, below);
    }
    usize::try_from(below).unwrap_or(usize::MAX)
}

fn at_most_one_of(size: usize, symbols: usize, below: u128) -> u128 {
    let (k, n) = (size as u128, symbols as u128);
    let each = (n - 1) / (k - 1);
    let mut most = (n * each / k).min(n * below / (n - k));
    // Johnson's second bound tells something only where symbols are few.
    if n < k * k {
        most = most_by_meetings(size, symbols, most).max(1);
    }
    let pairs_left = |most: u128| n * (n - 1) / 2 - most * (k * (k - 1) / 2);
    while (n - 1) % (k - 1) == 0 && (1..=k * (k - 1) / 2).contains(&pairs_left(most)) {
        most -= 1;
    }
    if most == n && n == k * k - k + 2 && !may_leave_matching(k, n) {
        most -= 1;
    }
    let plane = if n == k * k { Some(k) } else { (n == k * k - k + 1).then_some(k - 1) };
    if pairs_left(most) == 0 && plane.is_some_and(|order| order > 1 && !may_be_plane(order as u64)) {
        most -= 1;
    }
    match theorem(size, symbols) {
        Some(proved) => most.min(proved),
        None => most,
    }
}

/// Whether n cards on n = k² − k + 2 symbols may share at most one symbol each. Then every symbol is on k cards and meets all
/// others but one, its partner, and the incidence matrix N has NNᵀ = (k − 1)I + J − P for the matching P of partners. Its
/// eigenvalues are k² once, k − 2 for n/2 − 1 vectors equal on partners, and k for n/2 opposite on them; their product is the
/// square of det N. (R. C. Bose, W. S. Connor, *Combinatorial properties of group divisible incomplete block designs*, Annals of
/// Mathematical Statistics 23, 1952, DOI 10.1214/aoms/1177729382.)
fn may_leave_matching(k: u128, n: u128) -> bool {
    let is_square = |number: u128| number.isqrt().pow(2) == number;
    let half = n / 2;
    if half.is_multiple_of(2) { is_square(k - 2) } else { is_square(k) }
}

/// Two packings of quadruples that counting does not settle: A. E. Brouwer, *Optimal packings of K4's into a Kn*, Journal of
/// Combinatorial Theory A 26, 1979, DOI 10.1016/0097-3165(79)90107-1.
fn theorem(size: usize, symbols: usize) -> Option<u128> {
    match (size, symbols) {
        (4, 17) => Some(20),
        (4, 19) => Some(25),
        _ => None,
    }
}

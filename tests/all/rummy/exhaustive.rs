//! Exhaustive search. A hand is how often it has each card, by rank and suit, and how many jokers.

use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aces {
    Low,
    High,
    Around,
}

pub(super) type Cards = [[u8; 4]; 13];
/// Whether it is a set, and the ranks and suits of its places; those of jokers are none.
pub(super) type Laid = (bool, Vec<Option<(usize, usize)>>);

/// The ranks that a run of this length from here on goes through.
fn ranks(from: usize, length: usize, aces: Aces) -> Option<Vec<usize>> {
    let last = from + length - 1;
    let fits = match aces {
        Aces::Low => last <= 12,
        Aces::High => last <= 13,
        Aces::Around => true,
    };
    (length <= 13 && fits).then(|| (from..=last).map(|rank| rank % 13).collect())
}

/// The most that can be melded, where each card is worth what `worth` says of its rank (13 for a joker).
pub(super) struct Search<'a> {
    pub(super) aces: Aces,
    pub(super) worth: &'a dyn Fn(usize) -> u64,
    pub(super) known: HashMap<(Cards, u8), u64>,
}

impl Search<'_> {
    pub(super) fn most(&mut self, cards: &Cards, jokers: u8) -> u64 {
        if let Some(&known) = self.known.get(&(*cards, jokers)) {
            return known;
        }
        let first = (0..52).map(|at| (at / 4, at % 4)).find(|&(rank, suit)| cards[rank][suit] > 0);
        let Some((rank, suit)) = first else {
            // Jokers alone stand for any three cards of a row.
            return if jokers >= 3 { u64::from(jokers) * (self.worth)(13) } else { 0 };
        };
        // The card is left over, or in a meld.
        let mut rest = *cards;
        rest[rank][suit] -= 1;
        let mut most = self.most(&rest, jokers);
        for from in 0..13 {
            for length in 3..=13 {
                let Some(ranks) = ranks(from, length, self.aces) else { continue };
                if ranks.contains(&rank) {
                    let places: Vec<(usize, usize)> = ranks.iter().map(|&rank| (rank, suit)).collect();
                    self.fill(&places, (rank, suit), cards, jokers, 0, &mut most);
                }
            }
        }
        for suits in 0u32..16 {
            if suits >> suit & 1 == 1 && suits.count_ones() >= 3 {
                let places: Vec<(usize, usize)> =
                    (0..4).filter(|suit| suits >> suit & 1 == 1).map(|suit| (rank, suit)).collect();
                self.fill(&places, (rank, suit), cards, jokers, 0, &mut most);
            }
        }
        self.known.insert((*cards, jokers), most);
        most
    }

    /// Puts a card or a joker into each of the places; the card itself into its own.
    fn fill(
        &mut self,
        places: &[(usize, usize)],
        own: (usize, usize),
        cards: &Cards,
        jokers: u8,
        worth: u64,
        most: &mut u64,
    ) {
        let Some((&(rank, suit), places)) = places.split_first() else {
            *most = (*most).max(worth + self.most(cards, jokers));
            return;
        };
        if cards[rank][suit] > 0 {
            let mut rest = *cards;
            rest[rank][suit] -= 1;
            let worth = worth + (self.worth)(rank);
            self.fill(places, own, &rest, jokers, worth, most);
        }
        if jokers > 0 && (rank, suit) != own {
            self.fill(places, own, cards, jokers - 1, worth + (self.worth)(13), most);
        }
    }
}

/// The least number of cards left over, if only so many of each may be.
pub(super) struct Rearranging {
    pub(super) aces: Aces,
    pub(super) known: HashMap<(Cards, u8, Cards), Option<usize>>,
}

impl Rearranging {
    pub(super) fn least(&mut self, cards: &Cards, jokers: u8, may: &Cards, may_jokers: u8) -> Option<usize> {
        if let Some(&known) = self.known.get(&(*cards, jokers, *may)) {
            return known;
        }
        let first = (0..52).map(|at| (at / 4, at % 4)).find(|&(rank, suit)| cards[rank][suit] > 0);
        let Some((rank, suit)) = first else {
            return match jokers {
                0 | 3.. => Some(0),
                left => (left <= may_jokers).then_some(usize::from(left)),
            };
        };
        let mut least = None;
        if may[rank][suit] > 0 {
            let (mut rest, mut may) = (*cards, *may);
            (rest[rank][suit], may[rank][suit]) = (rest[rank][suit] - 1, may[rank][suit] - 1);
            least = self.least(&rest, jokers, &may, may_jokers).map(|left| left + 1);
        }
        for meld in melds_with(rank, suit, self.aces) {
            for stand_ins in 0u32..1 << meld.len() {
                let mut rest = *cards;
                let mut left = jokers;
                let possible = meld.iter().enumerate().all(|(at, &(r, s))| {
                    let count = if stand_ins >> at & 1 == 1 { &mut left } else { &mut rest[r][s] };
                    let there = *count > 0 && (stand_ins >> at & 1 == 0 || (r, s) != (rank, suit));
                    *count = count.saturating_sub(1);
                    there
                });
                if possible {
                    let other = self.least(&rest, left, may, may_jokers);
                    least = least.into_iter().chain(other).min();
                }
            }
        }
        self.known.insert((*cards, jokers, *may), least);
        least
    }
}

fn melds_with(rank: usize, suit: usize, aces: Aces) -> Vec<Vec<(usize, usize)>> {
    let mut melds = Vec::new();
    for from in 0..13 {
        for ranks in (3..=13).filter_map(|length| ranks(from, length, aces)) {
            if ranks.contains(&rank) {
                melds.push(ranks.into_iter().map(|rank| (rank, suit)).collect());
            }
        }
    }
    for suits in (0u32..16).filter(|suits| suits >> suit & 1 == 1 && suits.count_ones() >= 3) {
        melds.push((0..4).filter(|suit| suits >> suit & 1 == 1).map(|suit| (rank, suit)).collect());
    }
    melds
}

/// A meld on the table: a set by its rank and suits (jokers beside them), or a run by suit, first rank and length.
#[derive(Clone, Copy)]
pub(super) enum Lying {
    Set(usize, u32, u32),
    Run(usize, usize, usize),
}

/// The most cards of a hand that can be melded or laid off on melds from this one on.
pub(super) fn most_laid_off(search: &mut Search<'_>, lying: &[Lying], cards: &Cards, jokers: u8) -> u64 {
    let Some((&meld, others)) = lying.split_first() else { return search.most(cards, jokers) };
    let mut most = most_laid_off(search, others, cards, jokers);
    let mut places: Vec<(usize, usize, Lying)> = Vec::new();
    match meld {
        Lying::Set(rank, suits, stand_ins) => {
            if suits.count_ones() + stand_ins == 3 {
                let missing = (0..4).filter(|suit| suits >> suit & 1 == 0);
                places.extend(missing.map(|suit| (rank, suit, Lying::Set(rank, suits | 1 << suit, stand_ins))));
            }
        }
        Lying::Run(suit, from, length) => {
            if let Some(ranks) = ranks(from, length + 1, search.aces) {
                places.push((ranks[length], suit, Lying::Run(suit, from, length + 1)));
            }
            let before = if search.aces == Aces::Around { (from + 12) % 13 } else { from.wrapping_sub(1) };
            if before < 13 && length < 13 {
                places.push((before, suit, Lying::Run(suit, before, length + 1)));
            }
        }
    }
    for (rank, suit, with) in places {
        let lying = [&[with], others].concat();
        if cards[rank][suit] > 0 {
            let mut rest = *cards;
            rest[rank][suit] -= 1;
            most = most.max(1 + most_laid_off(search, &lying, &rest, jokers));
        }
        if jokers > 0 {
            most = most.max(1 + most_laid_off(search, &lying, cards, jokers - 1));
        }
    }
    most
}

/// All configurations, each as its melds in order: every choice of melds, found by leaving one card after another aside.
pub(super) fn configurations(cards: &Cards, jokers: u8, aces: Aces) -> HashSet<Vec<Laid>> {
    let mut melds: Vec<Vec<(usize, usize)>> = Vec::new();
    for suit in 0..4 {
        for from in 0..13 {
            for length in 3..=13 {
                if let Some(ranks) = ranks(from, length, aces) {
                    // All 13 cards of a suit are one run, wherever it begins.
                    if length < 13 || from == 0 {
                        melds.push(ranks.into_iter().map(|rank| (rank, suit)).collect());
                    }
                }
            }
        }
    }
    for rank in 0..13 {
        for suits in 0u32..16 {
            if suits.count_ones() >= 3 {
                melds.push((0..4).filter(|suit| suits >> suit & 1 == 1).map(|suit| (rank, suit)).collect());
            }
        }
    }
    let mut with_jokers: HashSet<Laid> = HashSet::new();
    for meld in melds {
        for places in 0u32..1 << meld.len() {
            if places.count_ones() > u32::from(jokers) {
                continue;
            }
            let joker = |at: usize| places >> at & 1 == 1;
            let mut laid: Vec<_> = meld.iter().enumerate().map(|(at, &card)| (!joker(at)).then_some(card)).collect();
            let is_set = meld[0].0 == meld[1].0;
            if is_set {
                // It does not matter for whom the joker stands.
                laid.sort();
            }
            with_jokers.insert((is_set, laid));
        }
    }
    let melds: Vec<Laid> = with_jokers.into_iter().collect();
    let mut found = HashSet::new();
    choose(&melds, cards, jokers, &mut Vec::new(), &mut found);
    found
}

fn choose(melds: &[Laid], cards: &Cards, jokers: u8, chosen: &mut Vec<Laid>, found: &mut HashSet<Vec<Laid>>) {
    let mut sorted = chosen.clone();
    sorted.sort();
    found.insert(sorted);
    for (at, meld) in melds.iter().enumerate() {
        let mut rest = *cards;
        let stand_ins = meld.1.iter().filter(|card| card.is_none()).count() as u8;
        let there = meld.1.iter().flatten().all(|&(rank, suit)| {
            let there = rest[rank][suit] > 0;
            rest[rank][suit] = rest[rank][suit].saturating_sub(1);
            there
        });
        if there && stand_ins <= jokers {
            chosen.push(meld.clone());
            choose(&melds[at..], &rest, jokers - stand_ins, chosen, found);
            chosen.pop();
        }
    }
}

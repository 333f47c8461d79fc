//! Exhaustive search. A hand is how often it has each card, by rank and suit, and how many jokers.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aces {
    Low,
    High,
    Around,
}

/// By rank and suit how often there is a card, at most three times: two bits each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cards(u128);

impl Cards {
    pub(super) const NONE: Cards = Cards(0);

    fn shift((rank, suit): Place) -> usize {
        2 * (4 * rank + suit)
    }

    fn count(self, place: Place) -> u128 {
        self.0 >> Cards::shift(place) & 3
    }

    /// One of them more.
    pub(super) fn with(self, place: Place) -> Cards {
        assert!(self.count(place) < 3);
        Cards(self.0 + (1 << Cards::shift(place)))
    }

    /// One of them less, if there is one.
    fn without(self, place: Place) -> Option<Cards> {
        (self.count(place) > 0).then(|| Cards(self.0 - (1 << Cards::shift(place))))
    }

    /// The first card that is there.
    fn first(self) -> Option<Place> {
        let at = (self.0 != 0).then(|| self.0.trailing_zeros() as usize / 2)?;
        Some((at / 4, at % 4))
    }
}

/// A rank and a suit.
pub(super) type Place = (usize, usize);
/// Whether it is a set, and its places; those of jokers are none.
pub(super) type Laid = (bool, Vec<Option<Place>>);

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

/// Every meld without jokers.
pub(super) struct Melds {
    aces: Aces,
    all: Vec<Vec<Place>>,
    /// By card those that it is in.
    with: Vec<Vec<Vec<Place>>>,
}

impl Melds {
    pub(super) fn new(aces: Aces) -> Melds {
        let mut all: Vec<Vec<Place>> = Vec::new();
        for suit in 0..4 {
            for (from, length) in (0..13).flat_map(|from| (3..=13).map(move |length| (from, length))) {
                // All 13 cards of a suit are one run, wherever it begins.
                if let Some(ranks) = ranks(from, length, aces)
                    && (length < 13 || from == 0)
                {
                    all.push(ranks.into_iter().map(|rank| (rank, suit)).collect());
                }
            }
        }
        for rank in 0..13 {
            for suits in (0u32..16).filter(|suits| suits.count_ones() >= 3) {
                all.push((0..4).filter(|suit| suits >> suit & 1 == 1).map(|suit| (rank, suit)).collect());
            }
        }
        let with = |at: usize| all.iter().filter(|meld| meld.contains(&(at / 4, at % 4))).cloned().collect();
        Melds { aces, with: (0..52).map(with).collect(), all }
    }

    fn with(&self, (rank, suit): Place) -> &[Vec<Place>] {
        &self.with[4 * rank + suit]
    }
}

/// What to do with cards and jokers that are left and the places as they were laid.
type Then<'a> = dyn FnMut(Cards, u8, &[Option<Place>]) + 'a;

/// Puts a card or a joker into each of the places, the card itself into its own; tells what is left then, and what was laid.
fn fill(
    places: &[Place],
    own: Option<Place>,
    cards: Cards,
    jokers: u8,
    laid: &mut Vec<Option<Place>>,
    then: &mut Then<'_>,
) {
    let Some((&place, places)) = places.split_first() else { return then(cards, jokers, laid) };
    if let Some(rest) = cards.without(place) {
        laid.push(Some(place));
        fill(places, own, rest, jokers, laid, then);
        laid.pop();
    }
    if jokers > 0 && own != Some(place) {
        laid.push(None);
        fill(places, own, cards, jokers - 1, laid, then);
        laid.pop();
    }
}

/// The most that can be melded, where each card is worth what `worth` says of its rank (13 for a joker).
pub(super) struct Search<'a> {
    melds: &'a Melds,
    worth: &'a dyn Fn(usize) -> u64,
    known: HashMap<(Cards, u8), u64>,
}

impl<'a> Search<'a> {
    pub(super) fn new(melds: &'a Melds, worth: &'a dyn Fn(usize) -> u64) -> Self {
        Search { melds, worth, known: HashMap::new() }
    }

    pub(super) fn most(&mut self, cards: Cards, jokers: u8) -> u64 {
        if let Some(&known) = self.known.get(&(cards, jokers)) {
            return known;
        }
        let Some(first) = cards.first() else {
            // Jokers alone stand for any three cards of a row.
            return if jokers >= 3 { u64::from(jokers) * (self.worth)(13) } else { 0 };
        };
        // The card is left over, or in a meld.
        let mut most = cards.without(first).map_or(0, |rest| self.most(rest, jokers));
        let (melds, worth) = (self.melds, self.worth);
        for meld in melds.with(first) {
            fill(meld, Some(first), cards, jokers, &mut Vec::new(), &mut |cards, jokers, laid| {
                let melded: u64 = laid.iter().map(|place| worth(place.map_or(13, |(rank, _)| rank))).sum();
                most = most.max(melded + self.most(cards, jokers));
            });
        }
        self.known.insert((cards, jokers), most);
        most
    }
}

/// The least number of cards left over, if only so many of each may be.
pub(super) struct Rearranging<'a> {
    melds: &'a Melds,
    known: HashMap<(Cards, u8, Cards), Option<usize>>,
}

impl<'a> Rearranging<'a> {
    pub(super) fn new(melds: &'a Melds) -> Self {
        Rearranging { melds, known: HashMap::new() }
    }

    pub(super) fn least(&mut self, cards: Cards, jokers: u8, may: Cards, may_jokers: u8) -> Option<usize> {
        if let Some(&known) = self.known.get(&(cards, jokers, may)) {
            return known;
        }
        let Some(first) = cards.first() else {
            return match jokers {
                0 | 3.. => Some(0),
                left => (left <= may_jokers).then_some(usize::from(left)),
            };
        };
        let mut least = None;
        if let (Some(rest), Some(may)) = (cards.without(first), may.without(first)) {
            least = self.least(rest, jokers, may, may_jokers).map(|left| left + 1);
        }
        let melds = self.melds;
        for meld in melds.with(first) {
            fill(meld, Some(first), cards, jokers, &mut Vec::new(), &mut |cards, jokers, _| {
                let other = self.least(cards, jokers, may, may_jokers);
                least = least.into_iter().chain(other).min();
            });
        }
        self.known.insert((cards, jokers, may), least);
        least
    }
}

/// A meld on the table: a set by its rank and suits (jokers beside them), or a run by suit, first rank and length.
#[derive(Clone, Copy)]
pub(super) enum Lying {
    Set(usize, u32, u32),
    Run(usize, usize, usize),
}

/// The most cards of a hand that can be melded or laid off on melds from this one on.
pub(super) fn most_laid_off(search: &mut Search<'_>, lying: &[Lying], cards: Cards, jokers: u8) -> u64 {
    let Some((&meld, others)) = lying.split_first() else { return search.most(cards, jokers) };
    let mut most = most_laid_off(search, others, cards, jokers);
    let mut places: Vec<(Place, Lying)> = Vec::new();
    match meld {
        Lying::Set(rank, suits, stand_ins) => {
            if suits.count_ones() + stand_ins == 3 {
                let missing = (0..4).filter(|suit| suits >> suit & 1 == 0);
                places.extend(missing.map(|suit| ((rank, suit), Lying::Set(rank, suits | 1 << suit, stand_ins))));
            }
        }
        Lying::Run(suit, from, length) => {
            let aces = search.melds.aces;
            if let Some(ranks) = ranks(from, length + 1, aces) {
                places.push(((ranks[length], suit), Lying::Run(suit, from, length + 1)));
            }
            let before = if aces == Aces::Around { (from + 12) % 13 } else { from.wrapping_sub(1) };
            if before < 13 && length < 13 {
                places.push(((before, suit), Lying::Run(suit, before, length + 1)));
            }
        }
    }
    for (place, with) in places {
        let lying = [&[with], others].concat();
        if let Some(rest) = cards.without(place) {
            most = most.max(1 + most_laid_off(search, &lying, rest, jokers));
        }
        if jokers > 0 {
            most = most.max(1 + most_laid_off(search, &lying, cards, jokers - 1));
        }
    }
    most
}

/// All configurations, each as its melds in order: every choice of melds, found by leaving one card after another aside.
pub(super) fn configurations(cards: Cards, jokers: u8, melds: &Melds) -> HashSet<Vec<Laid>> {
    let mut with_jokers: BTreeSet<Laid> = BTreeSet::new();
    for meld in &melds.all {
        fill(meld, None, cards, jokers, &mut Vec::new(), &mut |_, _, laid| {
            let (is_set, mut laid) = (meld[0].0 == meld[1].0, laid.to_vec());
            if is_set {
                // It does not matter for whom the joker stands.
                laid.sort();
            }
            with_jokers.insert((is_set, laid));
        });
    }
    let melds: Vec<Laid> = with_jokers.into_iter().collect();
    let mut found = HashSet::new();
    choose(&melds, cards, jokers, &mut Vec::new(), &mut found);
    found
}

/// Every choice of these melds, each in their order.
fn choose(melds: &[Laid], cards: Cards, jokers: u8, chosen: &mut Vec<Laid>, found: &mut HashSet<Vec<Laid>>) {
    found.insert(chosen.clone());
    for (at, meld) in melds.iter().enumerate() {
        let rest = meld.1.iter().flatten().try_fold(cards, |cards, &place| cards.without(place));
        let stand_ins = meld.1.iter().filter(|card| card.is_none()).count() as u8;
        if let Some(rest) = rest
            && stand_ins <= jokers
        {
            chosen.push(meld.clone());
            choose(&melds[at..], rest, jokers - stand_ins, chosen, found);
            chosen.pop();
        }
    }
}

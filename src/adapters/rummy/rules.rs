//! What a game of rummy lets differ: the place of the ace, and what cards are worth.

use super::card::{Card, RANKS};

/// Where the ace stands in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ace {
    /// Before the 2 only.
    #[default]
    Low,
    /// Before the 2 or after the king, one or the other in each run.
    High,
    /// Between the king and the 2: runs go round the corner, as in K A 2.
    Around,
}

impl Ace {
    /// All places with their names.
    pub const ALL: [(&'static str, Ace); 3] = [("low", Ace::Low), ("high", Ace::High), ("around", Ace::Around)];

    /// How many columns a run can go through: one more than there are ranks where the ace comes twice.
    pub(super) fn columns(self) -> usize {
        RANKS + usize::from(self == Ace::High)
    }

    /// Whether there is a run of so many cards from this rank on, which is one run only if written so: all 13 ranks of a suit
    /// begin with the ace.
    pub(super) fn allows(self, first: u8, len: u8) -> bool {
        let (first, len, ranks) = (usize::from(first), usize::from(len), RANKS);
        let fits = self == Ace::Around || first + len - 1 <= self.columns();
        (1..=ranks).contains(&first) && (3..=ranks).contains(&len) && fits && (len < ranks || first == 1)
    }
}

/// What each card is worth that is left over, as points against its holder.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Card, Suit, Weights};
///
/// let queen = Card::new(12, Suit::Hearts).unwrap();
/// assert_eq!(Weights::FACES_TEN.of(queen), 10);
/// assert_eq!(Weights::RANKS.of(queen), 12);
/// let spades_count = Weights::new(|card| u32::from(card.suit() == Some(Suit::Spades)));
/// assert_eq!(spades_count.of(queen), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights([u32; Card::KINDS]);

impl Weights {
    /// The usual values: an ace 1, others their rank, faces 10, jokers nothing.
    pub const FACES_TEN: Weights = Weights::by_rank(10);
    /// Every card its rank, the king 13; jokers nothing.
    pub const RANKS: Weights = Weights::by_rank(RANKS as u32);

    /// Weights of the caller's own.
    pub fn new(weight: impl Fn(Card) -> u32) -> Self {
        let mut weights = Weights([0; Card::KINDS]);
        Card::all().for_each(|card| weights.0[card.index()] = weight(card));
        weights
    }

    const fn by_rank(most: u32) -> Self {
        let mut weights = [0; Card::KINDS];
        let mut index = 0;
        while index < Card::KINDS - 1 {
            let rank = (index / super::card::SUITS + 1) as u32;
            weights[index] = if rank < most { rank } else { most };
            index += 1;
        }
        Weights(weights)
    }

    /// What this card is worth.
    pub fn of(&self, card: Card) -> u32 {
        self.0[card.index()]
    }

    /// What these cards are worth together.
    pub fn sum(&self, cards: &[Card]) -> u64 {
        cards.iter().map(|&card| u64::from(self.of(card))).sum()
    }
}

/// What is to be left over as little as possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a question has one, and no list of them is ever made")]
pub enum Objective {
    /// The fewest cards; among those the fewest points of [`Weights::FACES_TEN`].
    #[default]
    FewestCards,
    /// The fewest points of these weights; among those the fewest cards.
    FewestPoints(Weights),
}

impl Objective {
    /// The points that are counted beside the cards.
    pub fn weights(&self) -> &Weights {
        match self {
            Objective::FewestCards => &Weights::FACES_TEN,
            Objective::FewestPoints(weights) => weights,
        }
    }

    /// What this card adds to that which is to be small.
    pub fn cost(&self, card: Card) -> u64 {
        match self {
            Objective::FewestCards => 1,
            Objective::FewestPoints(weights) => u64::from(weights.of(card)),
        }
    }

    /// What all these cards add.
    pub fn sum(&self, cards: &[Card]) -> u64 {
        cards.iter().map(|&card| self.cost(card)).sum()
    }

    /// The cost with what decides between equals in the lower bits. A hand has fewer than 2¹² cards and weights are below
    /// 2³², so both sums have room.
    pub(super) fn ranked_cost(&self, card: Card) -> u64 {
        match self {
            Objective::FewestCards => (1 << 44) + u64::from(Weights::FACES_TEN.of(card)),
            Objective::FewestPoints(weights) => (u64::from(weights.of(card)) << 12) + 1,
        }
    }

    /// The cost alone of a sum of [ranked costs](Self::ranked_cost).
    pub(super) fn primary(&self, ranked: u64) -> u64 {
        match self {
            Objective::FewestCards => ranked >> 44,
            Objective::FewestPoints(_) => ranked >> 12,
        }
    }
}

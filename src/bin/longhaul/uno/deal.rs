//! The cards of a file: as one deck, or in the hands of players; and how they are called.

use std::path::Path;

use longhaul::adapters::uno::{Card, Deck, Laid};
use longhaul::io::{self, CardNames, DeckFile};

use crate::answer::Sequence;
use crate::failure::Failure;

/// What a file holds.
pub(super) struct Deal {
    pub(super) hands: Vec<Deck>,
    pub(super) names: CardNames,
}

impl Deal {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let (name, bytes) = io::read_bytes(path)?;
        let DeckFile { hands, names } =
            DeckFile::parse(&name, &bytes).map_err(|error| Failure::in_file(&error, &bytes))?;
        let card = |(number, colour)| Card { number, colour };
        let hands = hands.into_iter().map(|hand| Deck::new(hand.into_iter().map(card).collect())).collect();
        Ok(Deal { hands, names })
    }

    /// For a question about one deck.
    pub(super) fn single(self) -> Result<Self, Failure> {
        match self.hands.len() {
            1 => Ok(self),
            hands => {
                Err(Failure::new(format!("the file holds the hands of {hands} players, and this is about one deck"))
                    .with_help("ask for --cooperative or --uncooperative play, or take the dividing lines out"))
            }
        }
    }

    /// For a game: the hands of the file, or one deck dealt to so many players, card by card.
    pub(super) fn dealt(self, players: Option<usize>) -> Result<Self, Failure> {
        let Some(players) = players else { return Ok(self) };
        match &self.hands[..] {
            hands if hands.len() == players => Ok(self),
            [deck] => {
                let cards = deck.cards();
                if cards.len() < players {
                    let message = format!("--players: {} cards can't be dealt to {players} players", cards.len());
                    return Err(Failure::new(message));
                }
                let hand = |player| Deck::new(cards.iter().skip(player).step_by(players).copied().collect());
                Ok(Deal { hands: (0..players).map(hand).collect(), names: self.names })
            }
            hands => Err(Failure::new(format!("--players: the file holds {} hands, not {players}", hands.len()))),
        }
    }

    pub(super) fn deck(&self) -> &Deck {
        &self.hands[0]
    }

    pub(super) fn card(&self, card: Card) -> String {
        self.names.card(card.number, card.colour)
    }

    /// In what a card agrees with the one before.
    pub(super) fn link(&self, before: Card, card: Card) -> String {
        match (before.number == card.number, before.colour == card.colour) {
            (true, true) => "the same card".to_owned(),
            (true, false) => format!("number {}", self.names.number(card.number)),
            _ => format!("colour {}", self.names.colour(card.colour)),
        }
    }

    /// Cards laid one after the other, out of so many.
    pub(super) fn sequence(&self, laid: &[Laid], of: usize) -> Sequence {
        let cards: Vec<Option<Card>> = laid.iter().map(|laid| laid.card(self.deck())).collect();
        let text = |card: &Option<Card>| card.map_or_else(|| "wild".to_owned(), |card| self.card(card));
        let link = |pair: &[Option<Card>]| match pair {
            [Some(before), Some(card)] => self.link(*before, *card),
            _ => "wild".to_owned(),
        };
        Sequence { cards: cards.iter().map(text).collect(), links: cards.windows(2).map(link).collect(), of }
    }
}

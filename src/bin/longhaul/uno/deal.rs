//! The cards of a file: as one deck, or in the hands of players; and how they are called.

use std::path::Path;

use longhaul::adapters::uno::{Card, Deck, PlayedCard};
use longhaul::io::{self, CardNames, DeckFile, ReadOptions};

use crate::answer::Sequence;
use crate::failure::Failure;

/// What a file holds.
pub(super) struct Deal {
    pub(super) hands: Vec<Deck>,
    pub(super) names: CardNames,
}

impl Deal {
    pub(super) fn open(path: &Path, options: &ReadOptions) -> Result<Self, Failure> {
        let (name, bytes) = io::read_bytes_within(path, options)?;
        let DeckFile { hands, names } =
            DeckFile::parse_within(&name, &bytes, options).map_err(|error| Failure::in_file(&error, &bytes))?;
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
}

/// Cards of a deal laid one after the other.
pub(super) struct Row<'a> {
    pub(super) deal: &'a Deal,
    pub(super) laid: &'a [PlayedCard],
    pub(super) of: usize,
}

impl Sequence for Row<'_> {
    fn len(&self) -> usize {
        self.laid.len()
    }

    fn of(&self) -> usize {
        self.of
    }

    fn card(&self, at: usize, text: &mut String) {
        match self.laid[at].card(self.deal.deck()) {
            Some(Card { number, colour }) => {
                text.push_str(&self.deal.names.number(number));
                text.push(' ');
                text.push_str(&self.deal.names.colour(colour));
            }
            None => text.push_str("wild"),
        }
    }

    fn link(&self, at: usize, text: &mut String) {
        let [before, card] = [at - 1, at].map(|at| self.laid[at].card(self.deal.deck()));
        match before.zip(card) {
            Some((before, card)) => text.push_str(&self.deal.link(before, card)),
            None => text.push_str("wild"),
        }
        if let PlayedCard::Added(_) = self.laid[at] {
            text.push_str(", added");
        }
    }
}

//! Games of UNO, ready to be played: whose hand is what, which cards lie where.
//!
//! ```text
//! # hands in turn order; A begins
//! A: plus2,blue plus4,all reverse,green
//! B: 7,red 0,green
//! C: change,all 2,blue 3,green
//! pile: 2,red                      # what has been played, the top first
//! deck: 1,red 3,blue               # what is drawn, in this order
//! shuffle: 3,blue 2,red 1,red      # the order that a shuffle gives the cards; those still held are left out
//! ```
//!
//! A card is its type and its colour: types are 0 to 9, `reverse`, `stop`, `plus2`, `plus4` and `change`, colours `red`,
//! `green`, `blue`, `yellow` and, for `plus4` and `change` alone, `all`. These two may have a colour on the pile, where
//! somebody has called one. There are two to ten players, A to J. Sections may come in any order; blank lines and comments do
//! not matter.
//!
//! Source of the words: Luca Fuligni, Michele Russo, Marco Zamponi, *Implementing UNO using Maude* (slides; the file is ours).

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use super::error::FileError;
use super::text::{Text, Word};

/// The most players that a game has.
const MOST_PLAYERS: usize = 10;
/// The most cards of a section, and of all hands with the deck: more than two decks.
const MOST_CARDS: usize = 255;

/// What a card does, or its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CardType {
    /// A number from 0 to 9.
    Number(u8),
    /// Play goes the other way round.
    Reverse,
    /// The next player is skipped.
    Stop,
    /// The next player draws two cards.
    Plus2,
    /// The next player draws four cards, and a colour is called.
    Plus4,
    /// A colour is called.
    Change,
}

/// The colour of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CardColour {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Of a wild card for which no colour has been called.
    All,
}

/// A card with its type and its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameCard {
    /// What it does, or its number.
    pub kind: CardType,
    /// Its colour.
    pub colour: CardColour,
}

/// A game as a file tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFile {
    /// The hands, in turn order.
    pub hands: Vec<Vec<GameCard>>,
    /// What has been played, the top first; at least one card.
    pub pile: Vec<GameCard>,
    /// What is drawn, in this order.
    pub deck: Vec<GameCard>,
    /// The order that a shuffle gives the cards.
    pub shuffle: Vec<GameCard>,
}

impl CardColour {
    /// The colours that cards have, in the order in which ties between them are broken.
    pub const FOUR: [CardColour; 4] = [CardColour::Red, CardColour::Green, CardColour::Blue, CardColour::Yellow];
}

impl fmt::Display for CardType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CardType::Number(number) => return write!(formatter, "{number}"),
            CardType::Reverse => "reverse",
            CardType::Stop => "stop",
            CardType::Plus2 => "plus2",
            CardType::Plus4 => "plus4",
            CardType::Change => "change",
        })
    }
}

impl fmt::Display for CardColour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CardColour::Red => "red",
            CardColour::Green => "green",
            CardColour::Blue => "blue",
            CardColour::Yellow => "yellow",
            CardColour::All => "all",
        })
    }
}

/// As in a game file: type, comma, colour.
impl fmt::Display for GameCard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{}", self.kind, self.colour)
    }
}

impl FromStr for CardType {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "reverse" => CardType::Reverse,
            "stop" => CardType::Stop,
            "plus2" => CardType::Plus2,
            "plus4" => CardType::Plus4,
            "change" => CardType::Change,
            _ => match text.as_bytes() {
                [digit @ b'0'..=b'9'] => CardType::Number(digit - b'0'),
                _ => return Err(()),
            },
        })
    }
}

impl FromStr for CardColour {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let all = CardColour::FOUR.into_iter().chain([CardColour::All]);
        all.into_iter().find(|colour| colour.to_string() == text).ok_or(())
    }
}

/// From the words of a game file, whether or not a deck has the card.
impl FromStr for GameCard {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (kind, colour) = text.split_once(',').ok_or(())?;
        Ok(GameCard { kind: kind.parse()?, colour: colour.parse()? })
    }
}

impl GameCard {
    /// Whether it is a wild card.
    pub fn is_wild(self) -> bool {
        matches!(self.kind, CardType::Plus4 | CardType::Change)
    }
}

/// Where a card of the file stands, which says which cards there may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Hand(usize),
    Pile,
    Deck,
    Shuffle,
}

impl GameFile {
    /// Reads the bytes of a game file; `file` is the name that errors mention.
    ///
    /// # Errors
    /// At the first word that is no card of any deck, at a section that is unknown or there twice, at an eleventh player, and
    /// at the end of the file if a section is missing.
    ///
    /// # Example
    /// ```
    /// use longhaul::io::GameFile;
    ///
    /// let game = GameFile::parse("small.cfg", b"A: 1,red\nB: change,all\npile: 1,blue\ndeck:\nshuffle:\n")?;
    /// assert_eq!((game.hands.len(), game.pile[0].to_string()), (2, "1,blue".to_owned()));
    /// let error = GameFile::parse("small.cfg", b"A: 1,red 12,red\n").unwrap_err();
    /// assert!(error.to_string().starts_with("small.cfg:1:10: found '12', expected the type of a card"));
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, FileError> {
        read(&Text::new(file, bytes)?)
    }

    /// Writes the game as [`parse`](Self::parse) reads it.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let mut section = |name: &dyn fmt::Display, cards: &[GameCard]| {
            write!(out, "{name}:")?;
            cards.iter().try_for_each(|card| write!(out, " {card}"))?;
            writeln!(out)
        };
        for (player, hand) in self.hands.iter().enumerate() {
            section(&player_name(player), hand)?;
        }
        section(&"pile", &self.pile)?;
        section(&"deck", &self.deck)?;
        section(&"shuffle", &self.shuffle)
    }
}

/// What the player of this index is called: A, B and so on.
pub fn player_name(player: usize) -> char {
    char::from(b'A' + player as u8)
}

fn read<'a>(source: &'a Text<'a>) -> Result<GameFile, FileError> {
    let mut hands: Vec<Option<Vec<GameCard>>> = vec![None; MOST_PLAYERS];
    let [mut pile, mut deck, mut shuffle] = [const { None::<Vec<GameCard>> }; 3];
    let mut dealt = 0;
    for line in source.lines() {
        let mut line = line.without_comment(b'#');
        let Some(first) = line.next() else { continue };
        let (place, first_card) = section(first)?;
        let slot = match place {
            Place::Hand(player) => &mut hands[player],
            Place::Pile => &mut pile,
            Place::Deck => &mut deck,
            Place::Shuffle => &mut shuffle,
        };
        if slot.is_some() {
            return Err(first.unexpected("each section once"));
        }
        let mut cards = Vec::new();
        for word in first_card.into_iter().chain(line.by_ref()) {
            cards.push(card(word, place)?);
            dealt += usize::from(matches!(place, Place::Hand(_) | Place::Deck));
            if cards.len() > MOST_CARDS || dealt > MOST_CARDS {
                return Err(
                    word.unexpected(format!("{MOST_CARDS} cards at most in hands and deck, and in each section"))
                );
            }
        }
        if place == Place::Pile && cards.is_empty() {
            return Err(line.ends_early("the card on top of the pile"));
        }
        *slot = Some(cards);
    }
    let players = hands.iter().rposition(Option::is_some).map_or(0, |last| last + 1).max(2);
    let missing = |name: &dyn fmt::Display| source.ends_early(format!("the section '{name}:'"));
    let hands: Result<Vec<_>, _> = hands
        .into_iter()
        .take(players)
        .enumerate()
        .map(|(player, hand)| hand.ok_or_else(|| missing(&player_name(player))))
        .collect();
    Ok(GameFile {
        hands: hands?,
        pile: pile.ok_or_else(|| missing(&"pile"))?,
        deck: deck.ok_or_else(|| missing(&"deck"))?,
        shuffle: shuffle.ok_or_else(|| missing(&"shuffle"))?,
    })
}

/// The section that begins with this word, and its first card if that stands in the same word.
fn section<'a>(word: Word<'a>) -> Result<(Place, Option<Word<'a>>), FileError> {
    let (name, rest) = word.text.split_once(':').unwrap_or((word.text, ""));
    let place = match name.as_bytes() {
        _ if name.len() == word.text.len() => None,
        b"pile" => Some(Place::Pile),
        b"deck" => Some(Place::Deck),
        b"shuffle" => Some(Place::Shuffle),
        [letter @ b'A'..=b'Z'] => Some(Place::Hand(usize::from(letter - b'A'))),
        _ => None,
    };
    match place {
        Some(Place::Hand(player)) if player >= MOST_PLAYERS => {
            let last = player_name(MOST_PLAYERS - 1);
            Err(word.unexpected(format!("the hand of a player from A to {last}: a game has {MOST_PLAYERS} at most")))
        }
        Some(place) => Ok((place, (!rest.is_empty()).then(|| word.part(name.len() + 1)))),
        None => Err(word.unexpected("a section: the hand of a player, as 'A:', or 'pile:', 'deck:' or 'shuffle:'")),
    }
}

fn card(word: Word<'_>, place: Place) -> Result<GameCard, FileError> {
    let (kind, colour) = word
        .text
        .split_once(',')
        .ok_or_else(|| word.unexpected("a card as its type, a comma and its colour, like '7,red' or 'plus4,all'"))?;
    let comma = word.start + kind.len();
    let kind_span = word.start..comma;
    let colour_span = comma + 1..word.start + word.text.len();
    let kind: CardType = kind.parse().map_err(|()| {
        word.part_unexpected(kind_span, "the type of a card: 0 to 9, reverse, stop, plus2, plus4 or change")
    })?;
    let colour: CardColour = colour.parse().map_err(|()| {
        word.part_unexpected(colour_span.clone(), "the colour of a card: red, green, blue, yellow or all")
    })?;
    let card = GameCard { kind, colour };
    match (card.is_wild(), colour) {
        (false, CardColour::All) => {
            Err(word
                .part_unexpected(colour_span, "red, green, blue or yellow: no deck has such a card without a colour"))
        }
        (true, CardColour::Red | CardColour::Green | CardColour::Blue | CardColour::Yellow) if place != Place::Pile => {
            Err(word
                .part_unexpected(colour_span, "all: no deck has such a card with a colour, which it gets on the pile"))
        }
        _ => Ok(card),
    }
}

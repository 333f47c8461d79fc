//! Answers as files hold them: JSON or DIMACS lines as `solve` writes them, or lists of names.

use std::collections::{HashMap, VecDeque};

use longhaul::io::{Decimal, DeckFile};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::claims::{Claims, Numbers, decimal, name_of};
use crate::failure::Failure;

/// An answer as somebody wrote it.
pub(crate) struct Claimed {
    /// How the nodes are called there.
    pub(crate) nodes: Vec<String>,
    /// Whether the nodes are numbered from 1, whatever the file calls them.
    pub(crate) numbered: bool,
    /// Whether they are cards of a deck: positions, and the card itself where the deck has no more of it.
    pub(crate) cards: bool,
    length: Option<Decimal>,
    pub(crate) claims: Claims,
}

impl Claimed {
    /// Its length, if it claims one: as units of this many places behind the point, or what is wrong with it.
    pub(crate) fn length_in(&self, places: u32) -> Result<Option<i64>, String> {
        let units = |length: Decimal| {
            length
                .units_of(places)
                .ok_or_else(|| format!("no path of this graph has the length {length} that it claims"))
        };
        self.length.map(units).transpose()
    }
}

/// How to come by the deck, where the answer is about one.
pub(crate) type DeckSource<'a> = &'a dyn Fn() -> Result<DeckFile, Failure>;

/// JSON begins with a brace, DIMACS has `v` or `s` lines, and all else is a list.
pub(crate) fn read_answer(name: &str, text: &str, deck: Option<DeckSource<'_>>) -> Result<Claimed, Failure> {
    let is_dimacs = |line: &str| ["s ", "v ", "o "].iter().any(|start| line.starts_with(start));
    if text.trim_start().starts_with('{') {
        read_json(name, text)
    } else if text.lines().find(|line| !line.starts_with("c ")).is_some_and(is_dimacs) {
        read_dimacs(name, text)
    } else {
        read_list(name, text, deck)
    }
}

/// One object, or the last of many that has nodes.
fn read_json(name: &str, text: &str) -> Result<Claimed, Failure> {
    let mut last = None;
    let wrong = |error: serde_json::Error| {
        let (line, column) = (error.line(), error.column());
        Failure::new(format!("{name}:{line}:{column}: found something else, expected JSON: {error}"))
    };
    for object in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        let object = object.map_err(wrong)?;
        let value: Value = serde_json::from_str(object.get()).map_err(wrong)?;
        if value.get("nodes").is_some() {
            last = Some((value, object));
        }
    }
    let (value, object) = last.ok_or_else(|| Failure::new(format!("{name}: the JSON has no \"nodes\"")))?;
    let nodes = value["nodes"].as_array().ok_or_else(|| Failure::new(format!("{name}: \"nodes\" is no array")))?;
    let node_name = |node: &Value| {
        let wrong = || Failure::new(format!("{name}: found {node} in \"nodes\", expected names or numbers"));
        name_of(node).ok_or_else(wrong)
    };
    let nodes = nodes.iter().map(node_name).collect::<Result<_, _>>()?;
    let numbers: Numbers<'_> = serde_json::from_str(object.get()).map_err(wrong)?;
    let claims = Claims::of_json(&value, &numbers);
    Ok(Claimed { nodes, numbered: false, cards: false, length: numbers.length.and_then(decimal), claims })
}

/// The last `o` line, and all `v` lines up to the 0.
fn read_dimacs(name: &str, text: &str) -> Result<Claimed, Failure> {
    let mut claimed =
        Claimed { nodes: Vec::new(), numbered: true, cards: false, length: None, claims: Claims::default() };
    let mut ended = false;
    for (number, line) in text.lines().enumerate() {
        let at = number + 1;
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("o") => {
                let length = words.next().and_then(|word| word.parse().ok());
                let wrong = || Failure::new(format!("{name}:{at}:3: found '{line}', expected 'o LENGTH'"));
                claimed.length = Some(length.ok_or_else(wrong)?);
            }
            Some("s") => {
                let wrong = || {
                    Failure::new(format!(
                        "{name}:{at}:3: found '{line}', expected 's STATUS', one of \
                                                     OPTIMUM FOUND, FEASIBLE, INFEASIBLE, UNKNOWN"
                    ))
                };
                claimed.claims.status = Some(Claims::of_dimacs_status(&line[1..]).ok_or_else(wrong)?);
            }
            Some("v") => {
                for word in words {
                    if ended {
                        return Err(Failure::new(format!("{name}:{at}: found '{word}', expected nothing after the 0")));
                    }
                    ended = word == "0";
                    if !ended {
                        claimed.nodes.push(word.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    if !claimed.nodes.is_empty() && !ended {
        return Err(Failure::new(format!("{name}: found the end of the file, expected a 0 after the last node")));
    }
    Ok(claimed)
}

/// Words in order; `#` begins a comment. For a deck, two numbers a line are cards.
fn read_list(name: &str, text: &str, deck: Option<DeckSource<'_>>) -> Result<Claimed, Failure> {
    let lines = || text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let mut rows = lines().map(|line| line.split_ascii_whitespace().count()).filter(|&count| count > 0).peekable();
    let is_cards = rows.peek().is_some() && rows.all(|count| count == 2);
    let deck = deck.filter(|_| is_cards);
    let nodes = match deck {
        Some(deck) => positions_of_cards(name, text, deck()?)?,
        None => lines().flat_map(str::split_ascii_whitespace).map(str::to_owned).collect(),
    };
    Ok(Claimed { nodes, numbered: false, cards: deck.is_some(), length: None, claims: Claims::default() })
}

/// Copies of a card are as good as each other: each mention takes the next one. Names are compared as names, since two files
/// may give them different numbers.
fn positions_of_cards(name: &str, text: &str, deck: DeckFile) -> Result<Vec<String>, Failure> {
    let cards = |file: DeckFile| -> Vec<String> {
        file.hands.iter().flatten().map(|&(number, colour)| file.names.card(number, colour)).collect()
    };
    let played =
        DeckFile::parse(name, text.as_bytes()).map_err(|error| Failure::in_file(&error, text.as_bytes())).map(cards)?;
    let mut copies: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (card, position) in cards(deck).iter().zip(1..) {
        copies.entry(card.to_lowercase()).or_default().push_back(position);
    }
    let mut take = |card: &String| {
        let position = copies.get_mut(&card.to_lowercase()).and_then(VecDeque::pop_front);
        position.map_or_else(|| card.clone(), |position| position.to_string())
    };
    Ok(played.iter().map(&mut take).collect())
}

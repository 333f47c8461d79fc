//! Solutions from files and into files.

use std::io::Write;

use fixedbitset::FixedBitSet;
use longhaul::adapters::reductions::{Missing, Pairing};
use longhaul::adapters::uno::cooperative::Turn;
use longhaul::io::DeckFile;
use petgraph::graph::NodeIndex;
use serde_json::Value;

use super::instance::Terms;
use crate::claimed::read_answer;
use crate::failure::Failure;

/// A solution as text.
pub(super) trait Told: Sized {
    fn read(name: &str, text: &str, terms: &Terms) -> Result<Self, Failure>;

    fn write(&self, terms: &Terms, out: &mut dyn Write) -> std::io::Result<()>;
}

/// A path: its nodes, as `solve` prints and `check` reads them.
impl Told for Vec<NodeIndex> {
    fn read(name: &str, text: &str, terms: &Terms) -> Result<Self, Failure> {
        let answer = read_answer(name, text, None)?;
        let numbered = |word: &String| word.parse().ok().and_then(|number: usize| number.checked_sub(1));
        let node = |word: &String| match answer.numbered {
            true => numbered(word).map(NodeIndex::new).ok_or_else(|| unknown_node(name, word)),
            false => terms.node(name, word),
        };
        answer.nodes.iter().map(node).collect()
    }

    fn write(&self, terms: &Terms, out: &mut dyn Write) -> std::io::Result<()> {
        self.iter().try_for_each(|&node| writeln!(out, "{}", terms.name(node)))
    }
}

/// A sequence of cards: written as cards, read as `check` does.
impl Told for Vec<usize> {
    fn read(name: &str, text: &str, terms: &Terms) -> Result<Self, Failure> {
        let deck = || Ok(terms.hands().clone());
        let answer = read_answer(name, text, Some(&deck))?;
        let unknown = |word: &String| Failure::new(format!("{name}: the deck has no card '{word}', or no more of it"));
        answer.nodes.iter().map(|word| word.parse().map_err(|_| unknown(word))).collect()
    }

    fn write(&self, terms: &Terms, out: &mut dyn Write) -> std::io::Result<()> {
        let cards: Vec<(u32, u32)> = terms.hands().hands.concat();
        self.iter().try_for_each(|&position| {
            let (number, colour) = cards[position - 1];
            writeln!(out, "{}", terms.hands().names.card(number, colour))
        })
    }
}

/// A play of two, as `uno --cooperative` prints it.
impl Told for Vec<Turn> {
    fn read(name: &str, text: &str, terms: &Terms) -> Result<Self, Failure> {
        if text.trim_start().starts_with('{') {
            return read_json_turns(name, text);
        }
        let file = terms.hands();
        let mut played: Vec<FixedBitSet> =
            file.hands.iter().map(|hand| FixedBitSet::with_capacity(hand.len())).collect();
        let mut turns = Vec::new();
        for (at, words) in lines(text) {
            let wrong = || {
                let line = words.join(" ");
                Failure::new(format!(
                    "{name}:{at}: found '{line}', expected 'TURN. player P: NUMBER COLOUR' or 'TURN. player P can't play'"
                ))
            };
            let [_, "player", player, rest @ ..] = &words[..] else {
                return Err(wrong());
            };
            let player: usize = player.trim_end_matches(':').parse().map_err(|_| wrong())?;
            let hand = player.checked_sub(1).filter(|&index| index < file.hands.len()).ok_or_else(wrong)?;
            turns.push(match rest {
                ["can't", "play"] => Turn::Skip { player },
                [number, colour, ..] => {
                    let card = file.names.find_number(number).zip(file.names.find_colour(colour)).ok_or_else(wrong)?;
                    let copy = played[hand].zeroes().find(|&at| file.hands[hand][at] == card);
                    let missing = || {
                        let message = format!("{name}:{at}: player {player} has no card '{number} {colour}' left");
                        Failure::new(message)
                    };
                    let at = copy.ok_or_else(missing)?;
                    played[hand].insert(at);
                    Turn::Play { player, position: at + 1 }
                }
                _ => return Err(wrong()),
            });
        }
        Ok(turns)
    }

    fn write(&self, terms: &Terms, out: &mut dyn Write) -> std::io::Result<()> {
        let file = terms.hands();
        self.iter().zip(1..).try_for_each(|(turn, number)| match *turn {
            Turn::Skip { player } => writeln!(out, "{number}. player {player} can't play"),
            Turn::Play { player, position } => {
                let (card, colour) = file.hands[player - 1][position - 1];
                writeln!(out, "{number}. player {player}: {}", file.names.card(card, colour))
            }
        })
    }
}

/// The `turns` of the object that `uno --cooperative --output json` prints.
fn read_json_turns(name: &str, text: &str) -> Result<Vec<Turn>, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Failure::new(format!("{name}:{line}:{column}: found something else, expected JSON: {error}"))
    })?;
    let turns = value["turns"].as_array().ok_or_else(|| Failure::new(format!("{name}: the JSON has no \"turns\"")))?;
    let turn = |turn: &Value| {
        let number = |key: &str| turn[key].as_u64().and_then(|number| usize::try_from(number).ok());
        let wrong = || Failure::new(format!("{name}: found {turn} in \"turns\", expected a player and a position"));
        let player = number("player").ok_or_else(wrong)?;
        match &turn["position"] {
            Value::Null => Ok(Turn::Skip { player }),
            _ => Ok(Turn::Play { player, position: number("position").ok_or_else(wrong)? }),
        }
    };
    turns.iter().map(turn).collect()
}

/// A strategy: the opening, then each move with its answer.
impl Told for Pairing<NodeIndex> {
    fn read(name: &str, text: &str, terms: &Terms) -> Result<Self, Failure> {
        let (opening, answers) = read_pairs(name, text, |word| terms.node(name, word))?;
        Ok(Pairing { opening, answers })
    }

    fn write(&self, terms: &Terms, out: &mut dyn Write) -> std::io::Result<()> {
        write_pairs(self.opening, &self.answers, |node| terms.name(node), out)
    }
}

/// The same for cards: positions in the hands of the two players.
impl Told for Pairing<usize> {
    fn read(name: &str, text: &str, _: &Terms) -> Result<Self, Failure> {
        let position = |word: &str| {
            let wrong = || Failure::new(format!("{name}: found '{word}', expected a position in a hand, from 1"));
            word.parse().ok().filter(|&position: &usize| position > 0).ok_or_else(wrong)
        };
        let (opening, answers) = read_pairs(name, text, position)?;
        Ok(Pairing { opening, answers })
    }

    fn write(&self, _: &Terms, out: &mut dyn Write) -> std::io::Result<()> {
        write_pairs(self.opening, &self.answers, |position| position.to_string(), out)
    }
}

/// A matching: the node that it misses, then its pairs.
impl Told for Missing {
    fn read(name: &str, text: &str, terms: &Terms) -> Result<Self, Failure> {
        let (node, matching) = read_pairs(name, text, |word| terms.node(name, word))?;
        Ok(Missing { node, matching })
    }

    fn write(&self, terms: &Terms, out: &mut dyn Write) -> std::io::Result<()> {
        write_pairs(self.node, &self.matching, |node| terms.name(node), out)
    }
}

impl Terms {
    /// What a node is called, where there are nodes.
    pub(super) fn file_name(&self, node: usize) -> Option<&str> {
        match self {
            Terms::Nodes(names) => names.get(node).map(String::as_str),
            Terms::Hands(_) => None,
        }
    }

    fn node(&self, file: &str, word: &str) -> Result<NodeIndex, Failure> {
        let position = match self {
            Terms::Nodes(names) => names.iter().position(|name| name == word),
            Terms::Hands(_) => None,
        };
        position.map(NodeIndex::new).ok_or_else(|| unknown_node(file, word))
    }

    fn name(&self, node: NodeIndex) -> &str {
        match self {
            Terms::Nodes(names) => &names[node.index()],
            Terms::Hands(_) => unreachable!("paths are about graphs"),
        }
    }

    fn hands(&self) -> &DeckFile {
        match self {
            Terms::Hands(file) => file,
            Terms::Nodes(_) => unreachable!("plays are about cards"),
        }
    }
}

fn unknown_node(file: &str, word: &str) -> Failure {
    Failure::new(format!("{file}: the graph has no node '{word}'"))
}

/// Lines that say something, as words, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let numbered = text.lines().zip(1..).map(|(line, at)| {
        let said = line.split('#').next().unwrap_or_default();
        (at, said.split_ascii_whitespace().collect::<Vec<_>>())
    });
    numbered.filter(|(_, words)| !words.is_empty())
}

/// One word on the first line, two on each other.
fn read_pairs<T>(
    name: &str,
    text: &str,
    term: impl Fn(&str) -> Result<T, Failure>,
) -> Result<(T, Vec<(T, T)>), Failure> {
    let (mut first, mut pairs) = (None, Vec::new());
    for (at, words) in lines(text) {
        match words[..] {
            [word] if first.is_none() => first = Some(term(word)?),
            [one, two] => pairs.push((term(one)?, term(two)?)),
            _ => {
                let line = words.join(" ");
                let expected = if first.is_none() { "one name, or two" } else { "two names" };
                return Err(Failure::new(format!("{name}:{at}: found '{line}', expected {expected}")));
            }
        }
    }
    let missing =
        || Failure::new(format!("{name}: found no line of one name, expected the opening or the node missed"));
    Ok((first.ok_or_else(missing)?, pairs))
}

fn write_pairs<T: Copy, N: std::fmt::Display>(
    first: T,
    pairs: &[(T, T)],
    name: impl Fn(T) -> N,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    writeln!(out, "{}", name(first))?;
    pairs.iter().try_for_each(|&(one, two)| writeln!(out, "{} {}", name(one), name(two)))
}

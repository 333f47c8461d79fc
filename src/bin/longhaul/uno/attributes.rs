//! The longest sequence of cards with any number of attributes.

use std::process::ExitCode;

use longhaul::LongestPath;
use longhaul::adapters::uno::AttributeDeck;
use longhaul::io::{self, NodeNames};
use petgraph::graph::NodeIndex;

use super::args::UnoArgs;
use crate::answer::{Answer, Sequence};
use crate::failure::Failure;
use crate::options::values::FirstCard;
use crate::process::Process;
use crate::watch::{Watch, configured};

pub(super) fn run(attributes: usize, args: &UnoArgs, process: &Process) -> Result<ExitCode, Failure> {
    let options = args.run.reading(process);
    let (name, bytes) = io::read_bytes_within(&args.file, &options)?;
    let deck =
        AttributeDeck::parse_within(&name, &bytes, &options).map_err(|error| Failure::in_file(&error, &bytes))?;
    if deck.attributes() != attributes {
        let message = format!("--attributes: the cards of {name} have {}, not {attributes}", deck.attributes());
        return Err(Failure::new(message));
    }
    let cards = deck.cards().len();
    let graph = deck.graph(args.run.spent.memory_limit).map_err(|error| Failure::new(error.to_string()))?;
    let mut question = LongestPath::new(&graph);
    match args.first {
        None => {}
        Some(FirstCard::Position(position)) if position <= cards => {
            question = question.from(NodeIndex::new(position - 1));
        }
        Some(_) => {
            return Err(Failure::new(format!(
                "--first: a card of many attributes is given by its position, 1 to {cards}"
            )));
        }
    }
    let mut watch = Watch::new(&args.run, process.interrupt.clone());
    let solution = configured!(question, &args.run, process, &mut watch).solve()?;
    watch.ended(solution.stats());

    // Lines of cards as the file has them.
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<String> = text
        .trim_start_matches('\u{FEFF}')
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty())
        .collect();
    let played: Vec<usize> = solution.path().unwrap_or_default().iter().map(|node| node.index()).collect();
    let sequence = Lines { cards: deck.cards().collect(), lines, played };
    let names = NodeNames::positions(cards);
    let answer = Answer { cards: Some(&sequence), ..Answer::of_path(&solution, &names, false) };
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

/// Cards as the lines of their file.
struct Lines<'a> {
    cards: Vec<&'a [u32]>,
    lines: Vec<String>,
    played: Vec<usize>,
}

impl Sequence for Lines<'_> {
    fn len(&self) -> usize {
        self.played.len()
    }

    fn of(&self) -> usize {
        self.cards.len()
    }

    fn card(&self, at: usize, text: &mut String) {
        text.push_str(&self.lines[self.played[at]]);
    }

    fn link(&self, at: usize, text: &mut String) {
        let [before, card] = [at - 1, at].map(|at| self.cards[self.played[at]]);
        let words = self.lines[self.played[at]].split(' ');
        let agree = words.zip(before.iter().zip(card)).filter(|(_, (before, card))| before == card);
        let words: Vec<&str> = agree.map(|(word, _)| word).collect();
        text.push_str(&words.join(", "));
    }
}

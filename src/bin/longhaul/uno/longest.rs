//! The longest sequence.

use std::process::ExitCode;

use longhaul::adapters::uno::{Card, Game, PlayedCard, WildPlay, longest_sequence_with_wild};
use longhaul::io::NodeNames;
use longhaul::{Limits, Stats};
use petgraph::graph::NodeIndex;

use super::args::UnoArgs;
use super::deal::{Deal, Row};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::options::values::FirstCard;
use crate::picture;
use crate::process::Process;
use crate::proof;
use crate::watch::{Watch, configured};

pub(super) fn run(deal: &Deal, args: &UnoArgs, limits: &Limits, process: &Process) -> Result<ExitCode, Failure> {
    let first = first_position(deal, args)?;
    let cards = deal.deck().cards().len();
    let mut watch = Watch::new(&args.run, process.interrupt.clone());
    let wrong_first = |error| Failure::new(format!("--first: {error}"));
    let names = NodeNames::positions(cards.saturating_add(args.wild));
    let (answer, laid);
    if args.wild == 0 {
        let game = Game::new(deal.deck().clone());
        let mut question = game.question(first).map_err(wrong_first)?;
        if let Some(file) = &args.proof {
            question = question.proof(std::io::sink());
            if proof::is_readable(file) {
                question = question.readable_proof();
            }
        }
        let solution = configured!(question, &args.run, process, &mut watch).solve()?;
        proof::save(args.proof.as_deref(), &solution)?;
        watch.ended(solution.stats());
        let solution = solution.map(|card| NodeIndex::new(card.index()), |value| value);
        let position = |node: &NodeIndex| PlayedCard::Dealt { position: node.index() + 1 };
        laid = solution.path().unwrap_or_default().iter().map(position).collect::<Vec<_>>();
        answer = Answer::of_path(&solution, &names, false);
    } else {
        let play = longest_sequence_with_wild(deal.deck(), args.wild, first, limits);
        let play = play.map_err(|error| Failure::new(error.to_string()))?;
        answer = answer_with_wild(&play, cards, &names, process);
        watch.ended(&answer.stats);
        laid = play.cards().to_vec();
    }
    let row = Row { deal, laid: &laid, of: cards.saturating_add(args.wild) };
    let answer = Answer { cards: Some(&row), ..answer };
    let asked = format!("The longest sequence of {}", args.file.display());
    picture::of_answer(&args.run.pictures, &answer, None, &asked, watch.history())?;
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

/// Where the card on the table is.
fn first_position(deal: &Deal, args: &UnoArgs) -> Result<Option<usize>, Failure> {
    let (number, colour) = match &args.first {
        None => return Ok(None),
        Some(FirstCard::Position(position)) => return Ok(Some(*position)),
        Some(FirstCard::Card(number, colour)) => (number, colour),
    };
    let card = deal.names.find_number(number).zip(deal.names.find_colour(colour));
    let position = card.and_then(|(number, colour)| deal.deck().position(Card { number, colour }));
    let missing = || Failure::new(format!("--first: the deck has no card '{number} {colour}'"));
    position.map(Some).ok_or_else(missing)
}

/// Wild cards are called by the positions after those of the deck.
fn answer_with_wild<'a>(play: &WildPlay, cards: usize, names: &'a NodeNames, process: &Process) -> Answer<'a> {
    let mut wild = cards..;
    let node = |laid: &PlayedCard| match laid {
        PlayedCard::Dealt { position } => position - 1,
        _ => wild.next().expect("there are positions enough"),
    };
    let nodes = play.cards().iter().map(node).map(NodeIndex::new).collect();
    // A play counts cards, a path the steps between them.
    let answer = play.answer().as_ref().worth_more(-1);
    let stats = Stats { elapsed: process.began.elapsed(), ..play.stats().clone() };
    Answer { stats, ..Answer::of(&answer, nodes, names) }
}

//! UNO and cliques.

use std::path::Path;

use longhaul::BigUint;
use longhaul::adapters::uno::{Card, Deck, Game, PlayedCard, counting, longest_sequence_with_wild};
use longhaul::clique::MaximumClique;
use longhaul::io::{DeckFile, read_bytes};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answer::{Answer, bytes};
use crate::edges::{Edges, Listed};
use crate::failure::{raised, refused, unreadable};
use crate::limits::{Asked, interrupted_by};
use crate::search::Search;

fn deck(cards: Vec<(u32, u32)>) -> Deck {
    Deck::new(cards.into_iter().map(|(number, colour)| Card { number, colour }).collect())
}

/// The cards of a deck file, as they are called there.
#[pyfunction]
pub(crate) fn read_deck(py: Python<'_>, path: &str) -> PyResult<Vec<(String, String)>> {
    let file = py.detach(|| {
        let (name, bytes) = read_bytes(Path::new(path))?;
        DeckFile::parse(&name, &bytes)
    });
    let file = file.map_err(unreadable)?;
    let names = &file.names;
    let card = |&(number, colour): &(u32, u32)| (names.number(number).into_owned(), names.colour(colour).into_owned());
    Ok(file.hands.iter().flatten().map(card).collect())
}

/// The longest sequence of a deck, from the card at index `first` on if that is given, with `wild` cards beside the deck.
/// Its path is of the cards' indices; a wild card's is the number of cards.
#[pyfunction]
pub(crate) fn uno(
    py: Python<'_>,
    cards: Vec<(u32, u32)>,
    first: Option<usize>,
    wild: usize,
    asked: &Bound<'_, PyDict>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let limits = asked.extract::<Asked>()?.limits()?;
    let (deck, watched) = (deck(cards), callback.is_some());
    let first = first.map(|index| index + 1);
    let search = Search::begin(callback, move |teller| {
        let limits = interrupted_by(&limits, teller);
        if wild > 0 {
            let count = deck.cards().len() as u32;
            let play = longest_sequence_with_wild(&deck, wild, first, &limits).map_err(|error| error.to_string());
            teller.give(play.map(|play| answer_with_wild(&play, count)));
            return;
        }
        let game = Game::new(deck);
        let solved = game.question(first).map_err(|error| error.to_string()).and_then(|question| {
            let question = question.limits(limits);
            let question = if watched { question.on_progress(teller.observer()) } else { question };
            question.solve().map_err(|error| error.to_string())
        });
        let numbered = |solution: longhaul::Solution<petgraph::graph::EdgeIndex, petgraph::graph::NodeIndex>| {
            Answer::of(solution.map(|card| card.index() as u32, |value| value.index() as u32))
        };
        teller.give(solved.map(numbered));
    })?;
    search.answer(py)?.map_err(refused)
}

fn answer_with_wild(play: &longhaul::adapters::uno::WildPlay, wild: u32) -> Answer {
    let card = |laid: &PlayedCard| match laid {
        PlayedCard::Dealt { position } => *position as u32 - 1,
        _ => wild,
    };
    let nodes: Vec<u32> = play.cards().iter().map(card).collect();
    let answer = play.answer().as_ref().worth_more(-1);
    Answer {
        witness: Err("there are no proofs with wild cards".to_owned()),
        ..Answer::telling(&answer, answer.worth().map(|length| (nodes, Vec::new(), length)))
    }
}

/// How many sequences play so many cards of a deck.
#[pyfunction]
pub(crate) fn uno_count<'py>(
    py: Python<'py>,
    cards: Vec<(u32, u32)>,
    wild: usize,
    length: usize,
    asked: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyBytes>> {
    let limits = asked.extract::<Asked>()?.limits()?;
    let deck = deck(cards);
    let search = Search::begin(None, move |teller| {
        let limits = interrupted_by(&limits, teller);
        teller.give(counting::sequences(&deck, wild, length, &limits).map_err(|error| error.to_string()));
    })?;
    let count: BigUint = search.answer(py)?.map_err(refused)?;
    Ok(bytes(py, &count))
}

/// The largest clique, or with a weight for each node the heaviest: an answer whose path is the clique, in any order.
#[pyfunction]
pub(crate) fn maximum_clique(
    py: Python<'_>,
    edges: &Edges,
    weights: Option<Vec<i64>>,
    asked: &Bound<'_, PyDict>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let limits = asked.extract::<Asked>()?.limits()?;
    let (list, watched) = (edges.list.clone(), callback.is_some());
    let search = Search::begin(callback, move |teller| {
        let mut request = MaximumClique::new(Listed(&list)).limits(interrupted_by(&limits, teller));
        if let Some(weights) = &weights {
            request = request.node_weights(move |node| weights[node as usize]);
        }
        if watched {
            request = request.on_progress(teller.observer());
        }
        let answer = request.solve().map(|solution| Answer {
            witness: Err("cliques have colourings for a proof, not proofs of paths".to_owned()),
            ..Answer::telling(
                solution.answer(),
                solution.nodes().map(<[u32]>::to_vec).zip(solution.weight()).map(|(nodes, w)| (nodes, Vec::new(), w)),
            )
        });
        teller.give(answer);
    })?;
    search.answer(py)?.map_err(|error| raised(&error))
}

//! Rummy and Dobble, and all maximal cliques.

use std::sync::Arc;

use longhaul::adapters::dobble::{Deck, LargestDeck, Sharing};
use longhaul::adapters::rummy::{Ace, Card, Configuration, Hand, Objective, Rummy, Weights};
use longhaul::clique::MaximalCliques;
use longhaul::io::HandFile;
use longhaul::{BigUint, Limits, Stats};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answer::{bytes, stats};
use crate::edges::{EdgeList, Edges, Listed};
use crate::failure::{contradiction, raised, refused, unreadable};
use crate::limits::{Asked, interrupted_by};
use crate::search::Search;

/// Melds, and the cards that are left over.
type Melding = (Vec<Vec<String>>, Vec<String>);

/// A hand as Python tells it: its cards in words, and what is allowed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Told {
    cards: String,
    decks: u8,
    jokers: u8,
    ace: String,
    /// By rank from ace to king, and of a joker; none counts cards.
    points: Option<Vec<u32>>,
}

/// A hand, and what is allowed.
#[derive(Clone)]
struct Dealt {
    hand: Hand,
    ace: Ace,
    objective: Objective,
    /// Whether the hand spells aces and faces as numbers.
    numbers: bool,
}

impl Told {
    fn dealt(&self) -> PyResult<Dealt> {
        let file = HandFile::parse("hand", self.cards.as_bytes()).map_err(unreadable)?;
        let decks = 1..=Hand::MAX_DECKS;
        if !decks.contains(&self.decks) || self.jokers > Hand::MAX_JOKERS {
            let most = (Hand::MAX_DECKS, Hand::MAX_JOKERS);
            return Err(contradiction(format!("a hand is of 1 to {} decks, with up to {} jokers", most.0, most.1)));
        }
        let mut hand = Hand::new(self.decks);
        hand.add_all(&file).map_err(unreadable)?;
        for _ in 0..self.jokers {
            hand.add(Card::JOKER).map_err(|error| contradiction(format!("jokers={}: {error}", self.jokers)))?;
        }
        let ace = Ace::ALL.iter().find(|(name, _)| *name == self.ace).map(|entry| entry.1);
        let ace = ace.ok_or_else(|| {
            let known: Vec<&str> = Ace::ALL.iter().map(|entry| entry.0).collect();
            contradiction(format!("ace={:?}: the ace stands {}", self.ace, known.join(", or ")))
        })?;
        let objective = self.points.as_ref().map_or(Objective::FewestCards, |points| {
            let place = |card: Card| card.rank().map_or(13, |rank| usize::from(rank) - 1);
            Objective::FewestPoints(Weights::new(|card| points.get(place(card)).copied().unwrap_or(0)))
        });
        Ok(Dealt { hand, ace, objective, numbers: file.spells_numbers() })
    }
}

impl Dealt {
    fn question(&self, limits: Limits) -> Rummy<'_> {
        Rummy::new(&self.hand).ace(self.ace).objective(self.objective).limits(limits)
    }

    fn words(&self, cards: impl Iterator<Item = Card>) -> Vec<String> {
        cards.map(|card| if self.numbers { format!("{card:#}") } else { card.to_string() }).collect()
    }

    fn melding(&self, configuration: &Configuration) -> Melding {
        let melds = configuration.melds().iter().map(|meld| self.words(meld.cards()));
        (melds.collect(), self.words(configuration.deadwood().iter().copied()))
    }
}

/// The best melding of a hand.
#[pyfunction]
pub(crate) fn rummy<'py>(
    py: Python<'py>,
    told: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let (dealt, limits) = (told.extract::<Told>()?.dealt()?, asked.extract::<Asked>()?.limits()?);
    let search = Search::begin(None, move |teller| {
        let best = dealt.question(interrupted_by(&limits, teller)).best();
        teller.give((dealt.melding(best.configuration()), best));
    })?;
    let ((melds, deadwood), best) = search.answer(py)?;
    let answer = PyDict::new(py);
    answer.set_item("melds", melds)?;
    answer.set_item("deadwood", deadwood)?;
    answer.set_item("points", best.deadwood_points())?;
    answer.set_item("lower_bound", best.lower_bound())?;
    answer.set_item("status", best.status().to_string())?;
    answer.set_item("stop", best.stop().to_string())?;
    Ok(answer)
}

/// How many configurations a hand has, how many of them leave the least, and what that is.
#[pyfunction]
pub(crate) fn rummy_count<'py>(
    py: Python<'py>,
    told: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, u64)> {
    let (dealt, limits) = (told.extract::<Told>()?.dealt()?, asked.extract::<Asked>()?.limits()?);
    let search = Search::begin(None, move |teller| {
        let counts = dealt.question(interrupted_by(&limits, teller)).count();
        teller.give(counts.map_err(|uncounted| uncounted.to_string()));
    })?;
    let counts = search.answer(py)?.map_err(refused)?;
    let told = |number: &BigUint| bytes(py, number);
    Ok((told(&counts.configurations), told(&counts.optima), counts.least))
}

/// Something found one after the other by a search on its way; each is handed over when it is asked for.
#[pyclass(frozen, module = "longhaul._longhaul")]
pub(crate) struct Listing {
    search: Search<Found>,
}

enum Found {
    Melding(Melding),
    Clique(Vec<u32>),
    /// The limit that ended the list.
    Stopped(String),
}

#[pymethods]
impl Listing {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.search.next(py)? {
            Some(Found::Melding(melding)) => Ok(Some(melding.into_pyobject(py)?.into_any())),
            Some(Found::Clique(nodes)) => Ok(Some(nodes.into_pyobject(py)?.into_any())),
            Some(Found::Stopped(stop)) => Err(refused(format!("the list is not complete: {stop}"))),
            None => Ok(None),
        }
    }
}

/// All configurations of a hand, or those that leave the least.
#[pyfunction]
pub(crate) fn rummy_list(told: &Bound<'_, PyDict>, only_best: bool, asked: &Bound<'_, PyDict>) -> PyResult<Listing> {
    let (dealt, limits) = (told.extract::<Told>()?.dealt()?, asked.extract::<Asked>()?.limits()?);
    let search = Search::begin(None, move |teller| {
        let question = dealt.question(interrupted_by(&limits, teller));
        let mut found = if only_best { question.optima() } else { question.configurations() };
        for configuration in found.by_ref() {
            if !teller.give(Found::Melding(dealt.melding(&configuration))) {
                return;
            }
        }
        if found.stop() != longhaul::Stop::Finished {
            teller.give(Found::Stopped(found.stop().to_string()));
        }
    })?;
    Ok(Listing { search })
}

/// All sets of nodes of which any two are adjacent, and that no node can join.
#[pyfunction]
pub(crate) fn maximal_cliques(edges: &Edges) -> PyResult<Listing> {
    let list: Arc<EdgeList> = edges.list.clone();
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    let search = Search::begin(None, move |teller| {
        let cliques = MaximalCliques::new(Listed(&list));
        let (cliques, told) = match cliques {
            Ok(cliques) => (Some(cliques), Ok(())),
            Err(error) => (None, Err(error)),
        };
        let is_wanted = sender.send(told).is_ok();
        for clique in cliques.into_iter().flatten().take_while(|_| is_wanted) {
            if !teller.give(Found::Clique(clique)) {
                return;
            }
        }
    })?;
    match receiver.recv() {
        Ok(Err(error)) => Err(raised(&error)),
        _ => Ok(Listing { search }),
    }
}

/// The largest deck of cards of so many symbols, any two of which share one symbol, or at most one.
#[pyfunction]
pub(crate) fn dobble<'py>(
    py: Python<'py>,
    card_size: usize,
    symbols: usize,
    at_most_one: bool,
    asked: &Bound<'py, PyDict>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = asked.extract::<Asked>()?.limits()?;
    let watched = callback.is_some();
    let search = Search::begin(callback, move |teller| {
        let question = LargestDeck::new(card_size, symbols).sharing(sharing(at_most_one));
        let question = question.limits(interrupted_by(&limits, teller));
        let question = if watched { question.on_progress(teller.observer()) } else { question };
        teller.give(question.solve().map_err(|error| error.to_string()));
    })?;
    let solution = search.answer(py)?.map_err(contradiction)?;
    let cards: Vec<Vec<u32>> = solution.deck().cards().map(<[u32]>::to_vec).collect();
    let answer = PyDict::new(py);
    answer.set_item("cards", cards)?;
    answer.set_item("upper_bound", solution.upper_bound())?;
    answer.set_item("status", solution.status().to_string())?;
    answer.set_item("stop", solution.stop().to_string())?;
    let found: &Stats = solution.stats();
    answer.set_item("stats", stats(py, found)?)?;
    Ok(answer)
}

fn sharing(at_most_one: bool) -> Sharing {
    if at_most_one { Sharing::AtMostOne } else { Sharing::ExactlyOne }
}

/// Two cards of a deck, by their places from 0, that do not share what they should; nothing where all do.
#[pyfunction]
pub(crate) fn check_dobble(py: Python<'_>, cards: Vec<Vec<u32>>, at_most_one: bool) -> Option<(usize, usize)> {
    py.detach(|| Deck::new(&cards).check(sharing(at_most_one)).err().map(|unfit| unfit.cards))
}

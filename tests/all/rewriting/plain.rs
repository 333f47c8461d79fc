//! The rules once more, as lists of cards, and the plainest search of them.

use std::collections::VecDeque;
use std::rc::Rc;

use hashbrown::HashMap;
use longhaul::adapters::uno::rewriting::Rules;
use longhaul::io::{CardColour, CardType, GameCard, GameFile};

/// A position as the source has it, with the whole pile; players in turn order, each with a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) players: Vec<(usize, Vec<GameCard>)>,
    deck: Vec<GameCard>,
    pile: Vec<GameCard>,
    played: bool,
    drawn: bool,
    counter: usize,
    /// Official rules: the card just drawn.
    pending: Option<GameCard>,
}

impl State {
    pub(super) fn first(&self) -> usize {
        self.players[0].0
    }

    pub(super) fn winner(&self) -> Option<usize> {
        self.players[0].1.is_empty().then(|| self.first())
    }
}

pub(super) struct Plain<'a> {
    pub(super) file: &'a GameFile,
    pub(super) rules: Rules,
    pub(super) whole_pile: bool,
}

/// What a search has met: every state with its depth, in the order of meeting, and its successors as indices.
pub(super) struct Met {
    pub(super) states: Vec<(Rc<State>, usize)>,
    pub(super) successors: Vec<Vec<usize>>,
}

fn without(cards: &[GameCard], card: GameCard) -> Vec<GameCard> {
    let mut rest = cards.to_vec();
    if let Some(at) = rest.iter().position(|&other| other == card) {
        rest.remove(at);
    }
    rest
}

fn with(cards: &[GameCard], card: GameCard) -> Vec<GameCard> {
    let mut all = cards.to_vec();
    all.push(card);
    all.sort();
    all
}

fn uncoloured(card: GameCard) -> GameCard {
    if card.is_wild() { GameCard { colour: CardColour::All, ..card } } else { card }
}

fn number_of(cards: &[GameCard], colour: CardColour) -> usize {
    cards.iter().filter(|card| card.colour == colour).count()
}

fn most_frequent(cards: &[GameCard]) -> CardColour {
    let most = CardColour::FOUR.map(|colour| number_of(cards, colour)).into_iter().max().unwrap();
    CardColour::FOUR.into_iter().find(|&colour| number_of(cards, colour) == most).unwrap()
}

impl Plain<'_> {
    pub(super) fn start(&self) -> State {
        let mut hands = self.file.hands.clone();
        hands.iter_mut().for_each(|hand| hand.sort());
        let mut state = State {
            players: hands.into_iter().enumerate().collect(),
            deck: self.file.deck.clone(),
            pile: self.file.pile.clone(),
            played: false,
            drawn: false,
            counter: 0,
            pending: None,
        };
        if self.rules == Rules::Official && state.pile.len() == 1 {
            let plus4 = GameCard { kind: CardType::Plus4, colour: CardColour::All };
            if state.deck.iter().any(|&card| card != plus4) {
                while state.pile[0] == plus4 {
                    state.deck.push(plus4);
                    state.pile[0] = state.deck.remove(0);
                }
            }
            if state.players.iter().all(|(_, hand)| !hand.is_empty()) {
                match state.pile[0].kind {
                    CardType::Plus2 => self.punish(&mut state, 2),
                    CardType::Stop => state.players.rotate_left(1),
                    CardType::Reverse => state.players.reverse(),
                    _ => {}
                }
            }
        }
        self.cut(&mut state);
        state
    }

    fn cut(&self, state: &mut State) {
        if !self.whole_pile {
            state.pile.truncate(1);
        }
    }

    pub(super) fn successors(&self, state: &State) -> Vec<State> {
        if state.players.iter().any(|(_, hand)| hand.is_empty()) {
            return Vec::new();
        }
        let mut found = if self.rules == Rules::Official { self.official(state) } else { self.source(state) };
        found.iter_mut().for_each(|state| self.cut(state));
        let mut distinct = Vec::new();
        for state in found {
            if !distinct.contains(&state) {
                distinct.push(state);
            }
        }
        distinct
    }

    fn source(&self, state: &State) -> Vec<State> {
        let mut found = Vec::new();
        let (top, hand) = (state.pile[0], &state.players[0].1);
        let possible = hand
            .iter()
            .any(|card| card.colour == top.colour || card.kind == top.kind || card.colour == CardColour::All);
        let quiet = !state.played && state.counter == 0;
        for &card in hand.iter().filter(|_| quiet) {
            let rest = without(hand, card);
            let asked = if self.rules == Rules::Printed { top.colour } else { card.colour };
            let mut shown = Vec::new();
            if card.colour == top.colour || (card.kind == top.kind && asked != CardColour::All) {
                shown.push(card);
            }
            let plus4 = card.kind == CardType::Plus4 && number_of(&rest, top.colour) == 0;
            if card.kind == CardType::Change || plus4 {
                shown.push(GameCard { colour: most_frequent(&rest), ..card });
            }
            for card in shown {
                let mut after = state.clone();
                after.players[0].1 = rest.clone();
                after.pile.insert(0, card);
                after.played = true;
                found.push(after);
            }
        }
        if state.played {
            let mut after = State { played: false, drawn: false, ..state.clone() };
            match top.kind {
                CardType::Reverse => after.players.reverse(),
                CardType::Stop => after.players.rotate_left(2 % state.players.len()),
                _ => after.players.rotate_left(1),
            }
            after.counter = match top.kind {
                CardType::Plus2 => 2,
                CardType::Plus4 => 4,
                _ => 0,
            };
            found.push(after);
        }
        let mut drawing = state.clone();
        if !state.deck.is_empty() && !state.played {
            let card = drawing.deck.remove(0);
            drawing.players[0].1 = with(hand, card);
            if state.counter > 0 {
                drawing.counter -= 1;
                if drawing.counter == 0 {
                    drawing.players.rotate_left(1);
                }
                found.push(drawing);
            } else if !state.drawn && !possible {
                found.push(State { drawn: true, ..drawing });
            }
        }
        if quiet && state.drawn && !possible {
            let mut after = State { drawn: false, ..state.clone() };
            after.players.rotate_left(1);
            found.push(after);
        }
        if state.deck.is_empty() {
            let mut after = state.clone();
            self.shuffle(&mut after, if self.rules == Rules::MendedShuffle { uncoloured(top) } else { top });
            found.push(after);
        }
        found
    }

    fn shuffle(&self, state: &mut State, top: GameCard) {
        let held = state.players.iter().flat_map(|(_, hand)| hand).copied().chain([top]);
        state.deck = held.fold(self.file.shuffle.clone(), |deck, card| without(&deck, card));
        state.pile.truncate(1);
    }

    fn punish(&self, state: &mut State, count: usize) {
        for _ in 0..count {
            self.refill(state);
            if !state.deck.is_empty() {
                let card = state.deck.remove(0);
                state.players[0].1 = with(&state.players[0].1, card);
            }
        }
        state.players.rotate_left(1);
    }

    fn refill(&self, state: &mut State) {
        if state.deck.is_empty() {
            self.shuffle(state, uncoloured(state.pile[0]));
        }
    }

    fn official(&self, state: &State) -> Vec<State> {
        let mut found = Vec::new();
        let (top, hand) = (state.pile[0], &state.players[0].1);
        if top.colour == CardColour::All {
            for colour in CardColour::FOUR {
                let mut after = state.clone();
                after.pile[0].colour = colour;
                found.push(after);
            }
            return found;
        }
        let fits = |card: GameCard, hand: &[GameCard]| match card.kind {
            CardType::Change => true,
            CardType::Plus4 => number_of(hand, top.colour) == 0,
            _ => card.kind == top.kind || card.colour == top.colour,
        };
        let candidates = state.pending.map_or(hand.clone(), |card| vec![card]);
        for card in candidates.into_iter().filter(|&card| fits(card, hand)) {
            let shown = if card.is_wild() { CardColour::FOUR.to_vec() } else { vec![card.colour] };
            for colour in shown {
                let mut after = State { pending: None, ..state.clone() };
                after.players[0].1 = without(hand, card);
                after.pile.insert(0, GameCard { colour, ..card });
                let player = state.first();
                match card.kind {
                    CardType::Reverse => after.players.reverse(),
                    CardType::Stop => after.players.rotate_left(2 % state.players.len()),
                    CardType::Plus2 | CardType::Plus4 => {
                        after.players.rotate_left(1);
                        self.punish(&mut after, if card.kind == CardType::Plus2 { 2 } else { 4 });
                    }
                    _ => after.players.rotate_left(1),
                }
                // Who has won stands first, wherever the turn would go.
                while after.players.iter().any(|(_, hand)| hand.is_empty()) && after.first() != player {
                    after.players.rotate_left(1);
                }
                found.push(after);
            }
        }
        let mut after = State { pending: None, ..state.clone() };
        if state.pending.is_none() {
            self.refill(&mut after);
            if !after.deck.is_empty() {
                let card = after.deck.remove(0);
                let hand = with(hand, card);
                after.players[0].1.clone_from(&hand);
                if fits(card, &hand) {
                    found.push(State { pending: Some(card), ..after });
                    return found;
                }
            }
        }
        after.players.rotate_left(1);
        found.push(after);
        found
    }

    /// All states, or those of the first layers if there are more than `most`; the last layer is then without successors.
    pub(super) fn search(&self, most: usize) -> Met {
        let start = Rc::new(self.start());
        let mut index = HashMap::new();
        index.insert(Rc::clone(&start), 0);
        let mut met = Met { states: vec![(start, 0)], successors: Vec::new() };
        let mut queue = VecDeque::from([0]);
        let mut deepest = usize::MAX;
        while let Some(at) = queue.pop_front() {
            let (state, depth) = met.states[at].clone();
            if met.states.len() > most && deepest == usize::MAX {
                deepest = depth + 1;
            }
            let mut successors = Vec::new();
            if depth < deepest {
                for after in self.successors(&state) {
                    let (after, next) = (Rc::new(after), met.states.len());
                    let known = *index.entry(Rc::clone(&after)).or_insert(next);
                    if known == next {
                        met.states.push((after, depth + 1));
                        queue.push_back(next);
                    }
                    successors.push(known);
                }
            }
            met.successors.push(successors);
        }
        met
    }
}

impl Met {
    /// By state: whether the player can force a win from there. Applied again and again until nothing changes.
    pub(super) fn forced(&self, player: usize) -> Vec<bool> {
        let mut won: Vec<bool> = self.states.iter().map(|(state, _)| state.winner() == Some(player)).collect();
        loop {
            let before = won.clone();
            for (at, (state, _)) in self.states.iter().enumerate() {
                let successors = &self.successors[at];
                won[at] |= match state.first() == player {
                    true => successors.iter().any(|&after| won[after]),
                    false => !successors.is_empty() && successors.iter().all(|&after| won[after]),
                };
            }
            if won == before {
                return won;
            }
        }
    }
}

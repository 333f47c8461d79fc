//! A maximum matching between two hands: cards that agree in number or colour.
//!
//! The algorithm of Hopcroft and Karp, without the graph: the neighbours of a card are the *rows* of its colour and of its
//! number in the other hand, and a phase needs each row once. Breadth first, the first card that meets a row reaches all of
//! it. Depth first, only cards of that same layer can use the row, and a card of the row that was tried is done with. So a
//! phase is linear in the cards, however many pairs match.
//!
//! Source: John E. Hopcroft, Richard M. Karp, *An n^{5/2} algorithm for maximum matchings in bipartite graphs*, SIAM Journal on
//! Computing 2, 1973, DOI 10.1137/0202019.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::adapters::uno::card::Card;

/// A matching, and the rows that it was found by. Cards are known by their indices from 0.
#[derive(Debug)]
pub(super) struct Matching {
    /// For each card of the first hand its colour's and its number's row in the second hand.
    rows_of: Vec<[Option<u32>; 2]>,
    rows: Vec<Vec<u32>>,
    /// The partner of each card of the first hand, and of the second.
    pub(super) first: Vec<Option<u32>>,
    pub(super) second: Vec<Option<u32>>,
}

/// What a phase knows. Layers count the pairs on the way; a row, and a card of the second hand, is in that of the card of the
/// first hand which met it first.
struct Phase {
    first: Vec<u32>,
    rows: Vec<u32>,
    second: Vec<u32>,
    /// Where in each row the next card to be tried is.
    next: Vec<u32>,
}

const NO_LAYER: u32 = u32::MAX;

impl Matching {
    /// A maximum matching, the same for the same hands.
    pub(super) fn new(first: &[Card], second: &[Card]) -> Self {
        let mut rows: Vec<Vec<u32>> = Vec::new();
        let mut names: HashMap<(bool, u32), u32> = HashMap::new();
        for (card, index) in second.iter().zip(0..) {
            for side in [(false, card.colour), (true, card.number)] {
                let row = *names.entry(side).or_insert_with(|| {
                    rows.push(Vec::new());
                    rows.len() as u32 - 1
                });
                rows[row as usize].push(index);
            }
        }
        let row = |side: (bool, u32)| names.get(&side).copied();
        let rows_of = first.iter().map(|card| [row((false, card.colour)), row((true, card.number))]).collect();
        let mut matching = Matching { rows_of, rows, first: vec![None; first.len()], second: vec![None; second.len()] };
        while matching.augment() {}
        matching
    }

    /// One phase: augments along shortest ways as long as there are any; whether there was one.
    fn augment(&mut self) -> bool {
        let mut phase = self.layers();
        let mut augmented = false;
        for start in 0..self.first.len() as u32 {
            if self.first[start as usize].is_none() {
                augmented |= self.augment_from(start, &mut phase);
            }
        }
        augmented
    }

    /// Breadth first from all free cards of the first hand, as far as the first layer with a free card of the second.
    fn layers(&self) -> Phase {
        let mut first = vec![NO_LAYER; self.first.len()];
        let mut second = vec![NO_LAYER; self.second.len()];
        let mut rows = vec![NO_LAYER; self.rows.len()];
        let mut queue: Vec<u32> = self.free_cards().collect();
        queue.iter().for_each(|&card| first[card as usize] = 0);
        let (mut at, mut last) = (0, NO_LAYER);
        while let Some(&card) = queue.get(at).filter(|&&card| first[card as usize] <= last) {
            at += 1;
            let own = first[card as usize];
            for row in self.rows_of[card as usize].into_iter().flatten() {
                if rows[row as usize] != NO_LAYER {
                    continue;
                }
                rows[row as usize] = own;
                for &other in &self.rows[row as usize] {
                    if second[other as usize] != NO_LAYER {
                        continue;
                    }
                    second[other as usize] = own;
                    match self.second[other as usize] {
                        None => last = own,
                        Some(partner) => {
                            first[partner as usize] = own + 1;
                            queue.push(partner);
                        }
                    }
                }
            }
        }
        // A way may end in the last layer and nowhere else, so nothing leads beyond it.
        first.iter_mut().filter(|layer| **layer > last).for_each(|layer| *layer = NO_LAYER);
        Phase { first, rows, second, next: vec![0; self.rows.len()] }
    }

    /// Depth first along the layers, from one free card.
    fn augment_from(&mut self, start: u32, phase: &mut Phase) -> bool {
        // Cards of the first hand, each with the card of the second hand that leads on.
        let mut way: Vec<(u32, u32)> = Vec::new();
        let mut card = start;
        loop {
            match self.next_card(card, phase) {
                Some(other) => {
                    way.push((card, other));
                    let Some(partner) = self.second[other as usize] else { break };
                    card = partner;
                }
                None => match way.pop() {
                    Some((before, _)) => card = before,
                    None => return false,
                },
            }
        }
        for (one, two) in way {
            self.first[one as usize] = Some(two);
            self.second[two as usize] = Some(one);
        }
        true
    }

    /// The next card of the second hand that is worth a try from this card; it is tried once in a phase.
    fn next_card(&self, card: u32, phase: &mut Phase) -> Option<u32> {
        let own = phase.first[card as usize];
        if own == NO_LAYER {
            return None;
        }
        for row in self.rows_of[card as usize].into_iter().flatten() {
            if phase.rows[row as usize] != own {
                continue;
            }
            while let Some(&other) = self.rows[row as usize].get(phase.next[row as usize] as usize) {
                phase.next[row as usize] += 1;
                if phase.second[other as usize] == own {
                    phase.second[other as usize] = NO_LAYER;
                    return Some(other);
                }
            }
        }
        None
    }

    fn free_cards(&self) -> impl Iterator<Item = u32> {
        (0..self.first.len() as u32).filter(|&card| self.first[card as usize].is_none())
    }

    /// How many pairs there are.
    pub(super) fn size(&self) -> usize {
        self.first.iter().flatten().count()
    }

    /// For each card of the first hand that some maximum matching misses: the card from which an alternating way of even
    /// length leads to it, and the card of the second hand between; the card itself and none where it is free.
    pub(super) fn missable(&self) -> Vec<Option<(u32, Option<u32>)>> {
        let mut before: Vec<Option<(u32, Option<u32>)>> = vec![None; self.first.len()];
        let mut row_is_seen = FixedBitSet::with_capacity(self.rows.len());
        let mut queue: Vec<u32> = self.free_cards().collect();
        queue.iter().for_each(|&card| before[card as usize] = Some((card, None)));
        while let Some(card) = queue.pop() {
            for row in self.rows_of[card as usize].into_iter().flatten() {
                if row_is_seen.put(row as usize) {
                    continue;
                }
                for &other in &self.rows[row as usize] {
                    let partner = self.second[other as usize].expect("a free card here would make the matching larger");
                    if before[partner as usize].is_none() {
                        before[partner as usize] = Some((card, Some(other)));
                        queue.push(partner);
                    }
                }
            }
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::algo::maximum_matching;
    use petgraph::graph::{NodeIndex, UnGraph};
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::Rng;

    #[test]
    fn as_large_as_petgraph_says() {
        let mut random = Pcg64Mcg::new(7);
        for round in 0..600u64 {
            let mut hand = |most: u64, values: u64| -> Vec<Card> {
                let count = random.next_u64() % (most + 1);
                let mut value = || (random.next_u64() % values) as u32;
                (0..count).map(|_| Card { number: value(), colour: value() }).collect()
            };
            let values = 1 + round % 14;
            let (first, second) = (hand(20, values), hand(20, values));
            let matching = Matching::new(&first, &second);
            let mut graph = UnGraph::<(), ()>::default();
            (0..first.len() + second.len()).for_each(|_| _ = graph.add_node(()));
            for (one, card) in first.iter().enumerate() {
                for (two, _) in second.iter().enumerate().filter(|(_, other)| card.matches(**other)) {
                    graph.add_edge(NodeIndex::new(one), NodeIndex::new(first.len() + two), ());
                }
            }
            assert_eq!(matching.size(), maximum_matching(&graph).edges().count());
            for (one, two) in matching.first.iter().enumerate().filter_map(|(one, two)| Some((one, (*two)? as usize))) {
                assert!(first[one].matches(second[two]));
                assert_eq!(matching.second[two], Some(one as u32));
            }
        }
    }

    #[test]
    fn many_equal_cards_make_no_pairs() {
        let card = Card { number: 1, colour: u32::MAX };
        let matching = Matching::new(&vec![card; 100_000], &vec![card; 90_000]);
        assert_eq!(matching.size(), 90_000);
        assert_eq!(matching.missable().iter().flatten().count(), 100_000);
    }
}

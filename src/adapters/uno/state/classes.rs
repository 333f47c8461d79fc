//! Cards that are as good as each other, so that a game is played with counts.
//!
//! Copies of a card in one hand are. More than that: if a number comes, over all hands, with one colour only, then it adds
//! nothing to that colour, and any two such numbers of a colour may be exchanged; likewise for colours. So these numbers
//! become one, and more cards become copies. What matches what stays as it was.

use hashbrown::HashMap;

use crate::adapters::uno::card::Card;
use crate::adapters::uno::deck::Deck;

/// The cards of one hand that are as good as each other.
#[derive(Clone, Debug)]
pub(in crate::adapters::uno) struct Class {
    pub(in crate::adapters::uno) player: u32,
    pub(in crate::adapters::uno) number: u32,
    pub(in crate::adapters::uno) colour: u32,
    /// Where the cards are in the hand, from 1.
    pub(in crate::adapters::uno) positions: Vec<usize>,
}

/// All hands as classes, in the order of the players; numbers and colours are renamed to 0, 1, ….
#[derive(Clone, Debug)]
pub(in crate::adapters::uno) struct Classes {
    pub(in crate::adapters::uno) classes: Vec<Class>,
    pub(in crate::adapters::uno) numbers: usize,
    pub(in crate::adapters::uno) colours: usize,
}

impl Classes {
    pub(in crate::adapters::uno) fn new(hands: &[Deck]) -> Self {
        let all = || hands.iter().flat_map(Deck::cards);
        let number_names = names(all().map(|card| (card.number, card.colour)));
        let colour_names = names(all().map(|card| (card.colour, card.number)));
        let mut classes: Vec<Class> = Vec::new();
        for (hand, player) in hands.iter().zip(0..) {
            let mut class_of: HashMap<(u32, u32), usize> = HashMap::new();
            for (&Card { number, colour }, position) in hand.cards().iter().zip(1..) {
                let (number, colour) = (number_names[&number], colour_names[&colour]);
                let class = *class_of.entry((number, colour)).or_insert_with(|| {
                    classes.push(Class { player, number, colour, positions: Vec::new() });
                    classes.len() - 1
                });
                classes[class].positions.push(position);
            }
        }
        let count = |names: &HashMap<u32, u32>| names.values().max().map_or(0, |&last| last as usize + 1);
        Classes { numbers: count(&number_names), colours: count(&colour_names), classes }
    }
}

/// New names for the values of one side, in order of appearance; those that meet only one and the same value of the other
/// side share a name.
fn names(pairs: impl Iterator<Item = (u32, u32)> + Clone) -> HashMap<u32, u32> {
    let mut partner: HashMap<u32, Option<u32>> = HashMap::new();
    for (value, other) in pairs.clone() {
        let known = partner.entry(value).or_insert(Some(other));
        *known = known.filter(|&known| known == other);
    }
    let mut shared: HashMap<u32, u32> = HashMap::new();
    let mut names = HashMap::new();
    let mut fresh = 0..;
    let mut next = move || fresh.next().expect("no more names than cards");
    for (value, _) in pairs {
        names.entry(value).or_insert_with(|| match partner[&value] {
            Some(other) => *shared.entry(other).or_insert_with(&mut next),
            None => next(),
        });
    }
    names
}

//! The view of the article: islands of the grid, control points with their placement bits, and configurations read off from
//! placed cards.
//!
//! Source: Iheb Rachdi, *Core AI For Any Rummy Variant*, Medium, November 2024. A hand is a grid of 4 × 13 counts; a card that
//! can go into more melds than there are copies of it is a control point; all ways to place the copies of the control points are
//! gone through depth first, and each tells runs and sets by reading rows and columns.
//!
//! As printed this fails, and we mend it:
//! - A run ends where `bits | 1 == 0`, which never holds; it has to be *and*.
//! - When a card may go into a second run is not defined. Here every card of a row of three or more may that holds a duplicate, and
//!   every card of a column may go into a second set that has six cards or more of three suits or more.
//! - Cards with more copies than bits vanish. Here what is left over is the hand without its melds.
//!
//! So mended, the placements of a hand of two decks at most, without jokers and with the ace low, reach the least deadwood (that is
//! tested). But they don't reach every configuration, and reach some more than once; for all of them, for the
//! other rules and for more decks there is [`Rummy::configurations`](super::Rummy::configurations), and for the best the program.

use std::ops::Range;

use super::card::{Card, RANKS, SUITS};
use super::configuration::Configuration;
use super::hand::Hand;
use super::meld::Meld;
use super::rules::Ace;

/// The islands of a hand, from the lowest rank up: cards that are linked by sharing a side in the grid, or a column, each
/// with its copies. Jokers belong to none. Where the ace can stand behind the king, these share a side too.
///
/// No meld without jokers has cards of two islands.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Ace, Hand, islands};
///
/// let hand = Hand::parse("hand", b"11C 3H 4H 11D 3D 5H 9D 2H 6H 3C 4H 3D 4D 5H 12D 3C", 2)?;
/// let islands: Vec<String> = islands(&hand, Ace::Low).iter().map(|island| island.to_string()).collect();
/// assert_eq!(islands, ["2H 3H 3D 3D 3C 3C 4H 4H 4D 5H 5H 6H", "9D", "JD JC QD"]);
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn islands(hand: &Hand, ace: Ace) -> Vec<Hand> {
    let mut islands: Vec<Hand> = Vec::new();
    let linked =
        |one: usize, other: usize| (0..SUITS).any(|row| hand.counts[one][row] > 0 && hand.counts[other][row] > 0);
    for column in 0..RANKS {
        if hand.counts[column] == [0; SUITS] {
            continue;
        }
        if column == 0 || !linked(column - 1, column) {
            islands.push(Hand::new(hand.decks()));
        }
        let island = islands.last_mut().expect("the first column begins an island");
        island.counts[column] = hand.counts[column];
    }
    if ace != Ace::Low && islands.len() > 1 && linked(RANKS - 1, 0) {
        let last = islands.pop().expect("there are two at least");
        for (mine, other) in islands[0].counts.iter_mut().flatten().zip(last.counts.iter().flatten()) {
            *mine += other;
        }
    }
    islands
}

/// A card with the melds in which its copies can be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlPoint {
    /// The card.
    pub card: Card,
    /// How many copies the hand has.
    pub copies: u8,
    /// Where a copy can be placed: bit 0 in a run, bit 1 in a second run, bit 2 in a set, bit 3 in a second set.
    pub placements: u8,
}

impl ControlPoint {
    const RUN: u8 = 1;
    const SECOND_RUN: u8 = 2;
    const SET: u8 = 4;
    const SECOND_SET: u8 = 8;

    /// Whether there is a choice: more placements than copies.
    pub fn is_choice(&self) -> bool {
        self.placements.count_ones() > u32::from(self.copies)
    }
}

/// Every card of the hand with its placements, in order; [`ControlPoint::is_choice`] tells the control points among them.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Hand, placement_bits};
///
/// let island = Hand::parse("island", b"2H3H4H5H4H5H6H3C3C3D3D4D", 2)?;
/// let cells = placement_bits(&island);
/// let three = cells.iter().find(|cell| cell.card.to_string() == "3H").unwrap();
/// assert_eq!((three.copies, three.placements, three.is_choice()), (1, 0b0111, true));
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn placement_bits(hand: &Hand) -> Vec<ControlPoint> {
    let mut bits = [[0u8; SUITS]; RANKS];
    for row in 0..SUITS {
        for columns in rows_of_three(|column| hand.counts[column][row] > 0) {
            let duplicate = columns.clone().any(|column| hand.counts[column][row] > 1);
            let second = if duplicate { ControlPoint::SECOND_RUN } else { 0 };
            bits[columns].iter_mut().for_each(|bits| bits[row] |= ControlPoint::RUN | second);
        }
    }
    for (bits, counts) in bits.iter_mut().zip(&hand.counts) {
        let suits = counts.iter().filter(|&&count| count > 0).count();
        let cards: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        if suits >= 3 {
            let second = if cards >= 6 { ControlPoint::SECOND_SET } else { 0 };
            let held = bits.iter_mut().zip(counts).filter(|(_, count)| **count > 0);
            held.for_each(|(bits, _)| *bits |= ControlPoint::SET | second);
        }
    }
    let kinds = hand.kinds().filter_map(|card| Some((card, card.cell()?)));
    let cells = kinds.map(|(card, (column, row))| ControlPoint {
        card,
        copies: hand.counts[column][row],
        placements: bits[column][row],
    });
    cells.collect()
}

/// The configurations of all placements of the control points, depth first: see [`placements`].
#[derive(Clone, Debug)]
pub struct Placements {
    hand: Hand,
    /// Each cell of the grid with all choices of as many of its placements as there are copies.
    cells: Vec<(Card, Vec<u8>)>,
    /// Which choice it is for each cell; `None` after the last.
    chosen: Option<Vec<usize>>,
}

/// Goes through the placements of a hand with the ace low; jokers and copies beyond the fourth stay aside.
///
/// As printed the article's test for the end of a run never holds, second runs are not defined, and cards with more copies than
/// placements vanish. Mended, the placements of a hand of two decks without jokers have the least deadwood among them; but not every
/// configuration, and some more than once. [`Rummy::configurations`](super::Rummy::configurations) has all, once.
///
/// # Complexity
/// Exponential in the number of control points.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Hand, placements};
///
/// let island = Hand::parse("island", b"2H3H4H5H4H5H6H3C3C3D3D4D", 2)?;
/// let least = placements(&island).map(|configuration| configuration.deadwood().len()).min();
/// assert_eq!(least, Some(5));
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn placements(hand: &Hand) -> Placements {
    let choices = |cell: ControlPoint| {
        let placed = cell.placements.count_ones().min(u32::from(cell.copies));
        let choice = |bits: &u8| bits & !cell.placements == 0 && bits.count_ones() == placed;
        (cell.card, (0..16).filter(choice).collect())
    };
    let cells: Vec<(Card, Vec<u8>)> = placement_bits(hand).into_iter().map(choices).collect();
    Placements { hand: hand.clone(), chosen: Some(vec![0; cells.len()]), cells }
}

impl Iterator for Placements {
    type Item = Configuration;

    fn next(&mut self) -> Option<Configuration> {
        let chosen = self.chosen.as_mut()?;
        let mut placed = [[0u8; SUITS]; RANKS];
        for ((card, choices), &choice) in self.cells.iter().zip(&*chosen) {
            if let Some((column, row)) = card.cell() {
                placed[column][row] = choices[choice];
            }
        }
        // The next choice of the last control point that has one; those behind it begin again.
        let mut cells = self.cells.iter().zip(&mut *chosen).rev();
        let advanced = cells.any(|((_, choices), choice)| {
            *choice = (*choice + 1) % choices.len();
            *choice > 0
        });
        if !advanced {
            self.chosen = None;
        }
        let configuration = Configuration::new(&self.hand, read_off(&placed), Ace::Low);
        Some(configuration.expect("no card is placed more often than it is there"))
    }
}

/// The runs of each row and the sets of each column, for both bits of each.
fn read_off(placed: &[[u8; SUITS]; RANKS]) -> Vec<Meld> {
    let mut melds = Vec::new();
    for bit in [ControlPoint::RUN, ControlPoint::SECOND_RUN] {
        let runs =
            |row: usize| rows_of_three(|column| placed[column][row] & bit != 0).into_iter().map(move |run| (row, run));
        melds.extend((0..SUITS).flat_map(runs).map(|(row, run)| Meld::run_at(row, run.start, run.len(), 0)));
    }
    for bit in [ControlPoint::SET, ControlPoint::SECOND_SET] {
        for (column, bits) in placed.iter().enumerate() {
            let rows = (0..SUITS).fold(0u8, |rows, row| rows | u8::from(bits[row] & bit != 0) << row);
            if rows.count_ones() >= 3 {
                melds.push(Meld::set_at(column, rows, 0));
            }
        }
    }
    melds
}

/// The longest rows of columns in which something holds, if they have three or more.
fn rows_of_three(holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut first = 0;
    for column in 0..=RANKS {
        if column == RANKS || !holds(column) {
            rows.extend((column >= first + 3).then_some(first..column));
            first = column + 1;
        }
    }
    rows
}

//! In which order cards are read, and which columns are alive when.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::adapters::uno::card::Card;

/// Counts of paths are kept in 16 bits.
pub(super) const MOST_CARDS: usize = u16::MAX as usize;

/// Classes are kept in 8 bits; see [`step`](super::step).
pub(super) const MOST_COLUMNS: usize = 120;

/// A card as the program reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// The slot of its column, from 1; none for a wild card.
    pub(super) slot: Option<u8>,
    /// Whether its column has no card after this one.
    pub(super) retires: bool,
    /// Whether its row has no card after this one.
    pub(super) ends_row: bool,
}

pub(super) struct Plan {
    pub(super) cards: Vec<Reading>,
    /// The most columns that are alive at once.
    pub(super) columns: usize,
}

impl Plan {
    /// Rows are the numbers or the colours, whichever keeps fewer columns alive.
    pub(super) fn new(cards: &[Card], wild: usize) -> Self {
        let by_number: Vec<(u32, u32)> = cards.iter().map(|card| (card.number, card.colour)).collect();
        let by_colour: Vec<(u32, u32)> = cards.iter().map(|card| (card.colour, card.number)).collect();
        let orders = [ordered(&by_number), ordered(&by_colour)];
        let [one, two] = orders.map(|order| Columns::new(&order));
        let Columns { readings, most } = if one.weight() <= two.weight() { one } else { two };
        let wild = std::iter::repeat_n(Reading { slot: None, retires: false, ends_row: true }, wild);
        Plan { cards: wild.chain(readings).collect(), columns: most }
    }
}

/// The cards as (row, column), both named 0, 1, …, row by row: next comes the row that leaves the fewest columns alive.
fn ordered(cards: &[(u32, u32)]) -> Vec<(u32, u32)> {
    /// So many rows are compared before one is taken.
    const COMPARED: usize = 64;

    let (row_names, column_names) =
        (renamed(cards.iter().map(|card| card.0)), renamed(cards.iter().map(|card| card.1)));
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); row_names.len()];
    let mut left: Vec<usize> = vec![0; column_names.len()];
    for (row, column) in cards {
        let column = column_names[column];
        rows[row_names[row] as usize].push(column);
        left[column as usize] += 1;
    }
    let total = left.clone();
    let is_alive = |left: &[usize], column: u32| left[column as usize] < total[column as usize];

    let mut waiting: Vec<u32> = (0..rows.len() as u32).rev().collect();
    let mut order = Vec::with_capacity(cards.len());
    for row in &mut rows {
        row.sort_unstable();
    }
    while !waiting.is_empty() {
        let change = |row: u32| -> isize {
            let columns = rows[row as usize].chunk_by(|one, two| one == two);
            let change = |cards: &[u32]| {
                let opens = !is_alive(&left, cards[0]);
                let closes = left[cards[0] as usize] == cards.len();
                isize::from(opens) - isize::from(closes)
            };
            columns.map(change).sum()
        };
        let compared = waiting.len().saturating_sub(COMPARED);
        let best = (compared..waiting.len()).rev().min_by_key(|&at| change(waiting[at])).expect("a row is waiting");
        let row = waiting.remove(best);
        // First the columns that close, last those that open.
        let mut columns: Vec<&[u32]> = rows[row as usize].chunk_by(|one, two| one == two).collect();
        columns.sort_by_key(|cards| (!is_alive(&left, cards[0]), left[cards[0] as usize] != cards.len()));
        order.extend(columns.iter().copied().flatten().map(|&column| (row, column)));
        for &column in &rows[row as usize] {
            left[column as usize] -= 1;
        }
    }
    order
}

/// Names 0, 1, … in order of appearance.
fn renamed(values: impl Iterator<Item = u32>) -> HashMap<u32, u32> {
    let mut names = HashMap::new();
    for value in values {
        let next = names.len() as u32;
        names.entry(value).or_insert(next);
    }
    names
}

/// Slots for the columns, reused when a column is dead.
struct Columns {
    readings: Vec<Reading>,
    most: usize,
}

impl Columns {
    fn new(order: &[(u32, u32)]) -> Self {
        let mut last: HashMap<u32, usize> = HashMap::new();
        order.iter().enumerate().for_each(|(at, &(_, column))| _ = last.insert(column, at));
        let mut slots: HashMap<u32, usize> = HashMap::new();
        let mut free: Vec<usize> = Vec::new();
        let mut most = 0;
        let mut readings = Vec::with_capacity(order.len());
        for (at, &(row, column)) in order.iter().enumerate() {
            let slot = *slots.entry(column).or_insert_with(|| {
                free.pop().unwrap_or_else(|| {
                    most += 1;
                    most
                })
            });
            let retires = last[&column] == at;
            if retires {
                free.push(slot);
            }
            let ends_row = order.get(at + 1).is_none_or(|&(next, _)| next != row);
            // A plan with more slots than fit is refused by the caller.
            readings.push(Reading { slot: Some(slot.min(u8::MAX as usize) as u8), retires, ends_row });
        }
        Columns { readings, most }
    }

    /// What orders of rows are compared by: the columns alive, over all cards.
    fn weight(&self) -> (usize, usize) {
        let mut alive = 0;
        let mut taken = FixedBitSet::with_capacity(self.most + 1);
        let mut sum = 0;
        for reading in &self.readings {
            let slot = usize::from(reading.slot.unwrap_or(0)).min(self.most);
            alive += usize::from(!taken[slot]);
            taken.set(slot, !reading.retires);
            sum += alive;
            alive -= usize::from(reading.retires);
        }
        (self.most, sum)
    }
}

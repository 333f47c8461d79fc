//! Clauses that follow one from the other down to one without literals: what a step `learn` says.

use super::{Column, Row};

/// A set of vertices; and the ends, seen as a vertex that every path goes back by, if they belong to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    pub(crate) inside: Vec<u32>,
    pub(crate) has_ends: bool,
}

/// What makes a crossing of the border of a side necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Crossing {
    Leave,
    Enter,
    /// The side would hang on this vertex alone, or on the ends.
    Hang(Option<u32>),
}

/// What a clause follows from, among others; literals are numbers of named columns, from 1, negative where the column is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hint {
    /// An earlier clause.
    Clause(u32),
    Row(Row),
    /// The contrary of this literal loses too much; 0: what is lost is too much.
    Loss(i32),
    /// A side has a vertex inside that is visited and one outside; none stands for the ends.
    Crossing(Crossing, u32, [Option<u32>; 2]),
    /// The border of this side is crossed an even number of times.
    Even(u32),
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Clause {
        literals: Vec<i32>,
        hints: Vec<Hint>,
    },
    /// Clauses of two literals that say of two columns that one is the other, or its contrary.
    Tie([u32; 2]),
}

/// A derivation; its last clause has no literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derivation {
    pub(crate) named: Vec<Column>,
    pub(crate) sides: Vec<Side>,
    pub(crate) items: Vec<Item>,
}

impl Derivation {
    /// How many numbers it takes, about.
    pub(crate) fn size(&self) -> usize {
        let sides: usize = self.sides.iter().map(|side| side.inside.len() + 4).sum();
        let of_item = |item: &Item| match item {
            Item::Clause { literals, hints } => literals.len() + 3 * hints.len() + 4,
            Item::Tie(_) => 3,
        };
        sides + 3 * self.named.len() + self.items.iter().map(of_item).sum::<usize>()
    }
}

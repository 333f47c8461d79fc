//! What a search learns, kept for a proof: every clause with the hints from which it follows.

use std::hash::Hash;

use hashbrown::HashMap;

use super::literal::{Lit, Var};
use crate::proof::derivation::{Crossing, Side};

/// What a literal follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// A clause, by its name.
    Clause(u32),
    /// The degree of a slot.
    Degree(u32),
    /// What this literal's contrary loses is too much.
    Loss(Lit),
    /// What is lost is too much.
    Overdrawn,
    /// A border is crossed, by its number among [`Log::borders`], on the way from this vertex.
    Border(u32, u32),
    /// The border of this side is crossed an even number of times.
    Even(u32),
    /// A path does not begin and end at this vertex.
    Tip(u32),
    /// Something is visited.
    Some,
}

/// A border that is crossed by whatever visits its fixed vertex and one at its other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Border {
    pub(super) crossing: Crossing,
    pub(super) side: u32,
    pub(super) fixed: u32,
    /// Whether the fixed vertex is the one outside.
    pub(super) is_fixed_outside: bool,
}

/// What a constraint without a clause of its own goes by, under a mark that is kept with its reasons. No mark is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ground {
    Border(u32),
    Even(u32),
}

/// Things by number, each once.
#[derive(Debug)]
pub(super) struct Numbers<T> {
    pub(super) all: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn new() -> Self {
        Numbers { all: Vec::new(), numbers: HashMap::new() }
    }

    pub(super) fn number(&mut self, of: T) -> u32 {
        let next = self.all.len() as u32;
        *self.numbers.entry(of).or_insert_with_key(|new| {
            self.all.push(new.clone());
            next
        })
    }
}

/// The clauses learnt so far; the names of clauses are their numbers, from 1.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) literals: Vec<Lit>,
    pub(super) hints: Vec<Hint>,
    /// Where the literals and the hints of each clause end.
    ends: Vec<(usize, usize)>,
    /// Two clauses that tie edges, and how many clauses there were then.
    pub(super) ties: Vec<([u32; 2], u32)>,
    pub(super) sides: Numbers<Side>,
    side_vertices: usize,
    pub(super) borders: Numbers<Border>,
    pub(super) grounds: Numbers<Ground>,
    /// The names of the axioms of the model.
    pub(super) axioms: Vec<u32>,
    /// How far what is given has been noted.
    pub(super) noted: usize,
    /// Scratch: the variables that have been looked at.
    pub(super) marks: Vec<bool>,
    pub(super) marked: Vec<Var>,
}

impl Log {
    pub(super) fn new(vars: usize) -> Self {
        Log {
            literals: Vec::new(),
            hints: Vec::new(),
            ends: Vec::new(),
            ties: Vec::new(),
            sides: Numbers::new(),
            side_vertices: 0,
            borders: Numbers::new(),
            grounds: Numbers::new(),
            axioms: Vec::new(),
            noted: 0,
            marks: vec![false; vars],
            marked: Vec::new(),
        }
    }

    /// Notes a clause; returns its name.
    pub(super) fn add(&mut self, literals: &[Lit], hints: &[Hint]) -> u32 {
        self.literals.extend_from_slice(literals);
        self.hints.extend_from_slice(hints);
        self.ends.push((self.literals.len(), self.hints.len()));
        self.ends.len() as u32
    }

    /// Two clauses say of two edges that one is the other, or its contrary.
    pub(super) fn tie(&mut self, clauses: [u32; 2]) {
        self.ties.push((clauses, self.clauses()));
    }

    pub(super) fn clauses(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The literals and the hints of a clause.
    pub(super) fn clause(&self, name: u32) -> (&[Lit], &[Hint]) {
        let at = name as usize - 1;
        let begin = at.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        (&self.literals[begin.0..self.ends[at].0], &self.hints[begin.1..self.ends[at].1])
    }

    pub(super) fn side(&mut self, inside: Vec<u32>, has_ends: bool) -> u32 {
        let before = self.sides.all.len();
        let size = inside.len();
        let number = self.sides.number(Side { inside, has_ends });
        self.side_vertices += if self.sides.all.len() > before { size } else { 0 };
        number
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let sides = 8 * self.side_vertices + 160 * self.sides.all.len();
        let borders = 80 * (self.borders.all.len() + self.grounds.all.len());
        4 * self.literals.capacity()
            + size_of::<Hint>() * self.hints.capacity()
            + 16 * self.ends.capacity()
            + sides
            + borders
    }
}

//! The state of a game between players: how many cards of each class are left, and what may be played.

mod classes;
mod table;

pub(super) use classes::{Class, Classes};
pub(super) use table::Table;

/// What all hands hold at some moment.
pub(super) struct Hands<'a> {
    pub(super) classes: &'a [Class],
    pub(super) players: usize,
    pub(super) by_colour: Rows,
    pub(super) by_number: Rows,
    /// How many cards are left, by class and by player.
    pub(super) left: Vec<u32>,
    pub(super) in_hand: Vec<u32>,
}

/// The classes by player and colour (or number), and how many cards of each are left.
pub(super) struct Rows {
    values: usize,
    /// The row of a player and a value is that of `player * values + value`.
    starts: Vec<u32>,
    classes: Vec<u32>,
    left: Vec<u32>,
}

impl<'a> Hands<'a> {
    pub(super) fn new(dealt: &'a Classes, players: usize) -> Self {
        let classes = &dealt.classes[..];
        let left: Vec<u32> = classes.iter().map(|class| class.positions.len() as u32).collect();
        let mut in_hand = vec![0; players];
        classes.iter().zip(&left).for_each(|(class, &left)| in_hand[class.player as usize] += left);
        Hands {
            by_colour: Rows::new(classes, players, dealt.colours, |class| class.colour),
            by_number: Rows::new(classes, players, dealt.numbers, |class| class.number),
            classes,
            players,
            left,
            in_hand,
        }
    }

    pub(super) fn player(&self, class: u32) -> usize {
        self.classes[class as usize].player as usize
    }

    /// The classes of a player, cards left or not.
    pub(super) fn classes_of(&self, player: usize) -> impl Iterator<Item = u32> {
        (0..self.classes.len() as u32).filter(move |&class| self.player(class) == player)
    }

    /// Takes a card from its hand.
    pub(super) fn take(&mut self, class: u32) {
        self.counts(class).into_iter().for_each(|count| *count -= 1);
    }

    /// Gives a card back to its hand.
    pub(super) fn give_back(&mut self, class: u32) {
        self.counts(class).into_iter().for_each(|count| *count += 1);
    }

    fn counts(&mut self, class: u32) -> [&mut u32; 4] {
        let Class { player, number, colour, .. } = self.classes[class as usize];
        [
            &mut self.left[class as usize],
            &mut self.in_hand[player as usize],
            self.by_colour.left_mut(player, colour),
            self.by_number.left_mut(player, number),
        ]
    }

    /// How many cards of a player match this card, or more: those that agree in both count twice.
    pub(super) fn answers_at_most(&self, player: usize, top: u32) -> u32 {
        let Class { number, colour, .. } = self.classes[top as usize];
        self.by_colour.left(player, colour) + self.by_number.left(player, number)
    }

    /// The classes that a player holds and may play on this card.
    pub(super) fn answers(&self, player: usize, top: u32) -> impl Iterator<Item = u32> {
        let Class { number, colour, .. } = self.classes[top as usize];
        let of_colour = self.by_colour.row(player, colour).iter().copied();
        let of_number = self.by_number.row(player, number).iter().copied();
        let others = of_number.filter(move |&class| self.classes[class as usize].colour != colour);
        of_colour.chain(others).filter(|&class| self.left[class as usize] > 0)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<u32>() * (self.left.len() + self.in_hand.len()) + self.by_colour.bytes() + self.by_number.bytes()
    }
}

impl Rows {
    fn new(classes: &[Class], players: usize, values: usize, value: impl Fn(&Class) -> u32) -> Self {
        let row = |class: &Class| class.player as usize * values + value(class) as usize;
        let mut order: Vec<u32> = (0..classes.len() as u32).collect();
        order.sort_by_key(|&class| row(&classes[class as usize]));
        let mut starts = vec![0; players * values + 1];
        let mut left = vec![0; players * values];
        for class in classes {
            starts[row(class) + 1] += 1;
            left[row(class)] += class.positions.len() as u32;
        }
        for row in 0..players * values {
            starts[row + 1] += starts[row];
        }
        Rows { values, starts, classes: order, left }
    }

    /// The classes of a player with this value, cards left or not.
    pub(super) fn row(&self, player: usize, value: u32) -> &[u32] {
        let row = player * self.values + value as usize;
        &self.classes[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// How many cards of a player with this value are left.
    pub(super) fn left(&self, player: usize, value: u32) -> u32 {
        self.left[player * self.values + value as usize]
    }

    fn left_mut(&mut self, player: u32, value: u32) -> &mut u32 {
        &mut self.left[player as usize * self.values + value as usize]
    }

    fn bytes(&self) -> usize {
        size_of::<u32>() * (self.starts.len() + self.classes.len() + self.left.len())
    }
}

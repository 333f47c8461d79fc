//! Forced skips: depth-first search over the states of the game.
//!
//! A state is the card on top and how many cards of each [class](super::classes) are left. Whose turn it is follows: the next
//! player in turn, from the one after who played, that holds a matching card; all between are forced to skip. If not even the
//! player of the top card holds one, that is deadlock. So a search step plays a card, and skips are put in at the end.
//!
//! Cards only go away, so a state met again was lost before: a table of all states visited, whole and exact, ends it. Two more
//! reasons end a branch. All cards still to be played lie, as edges between numbers and colours, in one connected piece with
//! the top card; if some card of player 1 does not, player 1 cannot finish. And another player's last card is never played: if
//! it must be, the game is lost.
//!
//! Player 1 tries the card first that the fewest of its own cards follow (the rule of Warnsdorff, *Des Rösselsprungs
//! einfachste und allgemeinste Lösung*, 1823); the others prefer cards that player 1 can answer.

use super::classes::{Class, Classes};
use super::turns::Turn;
use super::{Cooperation, Verdict};
use crate::Stop;
use crate::adapters::uno::deck::Deck;
use crate::adapters::uno::limits::{Limits, Meter};

/// How many steps are taken between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 10;

pub(super) fn search(hands: &[Deck], limits: &Limits) -> Cooperation {
    let meter = limits.start();
    let Classes { classes, numbers, colours } = Classes::new(hands);
    let mut search = Search::new(&classes, hands.len(), numbers, colours);
    let verdict = match search.run(&meter) {
        Ok(true) => Verdict::Win(with_skips(hands, &classes, &search.played())),
        Ok(false) => Verdict::NoWin,
        Err(stop) => Verdict::Unknown(stop),
    };
    Cooperation { verdict, steps: search.steps, peak_bytes: search.peak_bytes }
}

/// The classes as played, with positions, and with the skips between.
fn with_skips(hands: &[Deck], classes: &[Class], played: &[u32]) -> Vec<Turn> {
    let mut taken = vec![0; classes.len()];
    let mut turns: Vec<Turn> = Vec::new();
    let mut next = 0;
    for &class in played {
        let Class { player, positions, .. } = &classes[class as usize];
        while next != *player as usize {
            turns.push(Turn::Skip { player: next + 1 });
            next = (next + 1) % hands.len();
        }
        turns.push(Turn::Play { player: next + 1, position: positions[taken[class as usize]] });
        taken[class as usize] += 1;
        next = (next + 1) % hands.len();
    }
    turns
}

/// A state on the way down.
struct Frame {
    /// The class of the card on top; none before the opening.
    top: Option<u32>,
    /// Where its candidates begin.
    candidates: usize,
}

struct Search<'a> {
    classes: &'a [Class],
    players: usize,
    /// For each player and colour (or number) the classes of it: rows of `player * count + value`.
    by_colour: Rows,
    by_number: Rows,
    /// How many cards are left, by class and by player.
    left: Vec<u32>,
    in_hand: Vec<u32>,
    seen: States,
    reach: Reach,
    /// The way from the opening to the state at hand.
    frames: Vec<Frame>,
    /// The candidates of all frames that are still to be tried, those to be tried first at the end.
    candidates: Vec<u32>,
    steps: u64,
    peak_bytes: usize,
}

/// The classes by player and value, and how many cards of each are left.
struct Rows {
    values: usize,
    starts: Vec<u32>,
    classes: Vec<u32>,
    left: Vec<u32>,
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

    fn row(&self, player: usize, value: u32) -> &[u32] {
        let row = player * self.values + value as usize;
        &self.classes[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    fn left(&self, player: usize, value: u32) -> u32 {
        self.left[player * self.values + value as usize]
    }

    fn left_mut(&mut self, player: u32, value: u32) -> &mut u32 {
        &mut self.left[player as usize * self.values + value as usize]
    }

    fn bytes(&self) -> usize {
        size_of::<u32>() * (self.starts.len() + self.classes.len() + self.left.len())
    }
}

impl<'a> Search<'a> {
    fn new(classes: &'a [Class], players: usize, numbers: usize, colours: usize) -> Self {
        let left: Vec<u32> = classes.iter().map(|class| class.positions.len() as u32).collect();
        let mut in_hand = vec![0; players];
        classes.iter().zip(&left).for_each(|(class, &left)| in_hand[class.player as usize] += left);
        Search {
            by_colour: Rows::new(classes, players, colours, |class| class.colour),
            by_number: Rows::new(classes, players, numbers, |class| class.number),
            seen: States::new(&left),
            reach: Reach::new(numbers, colours),
            classes,
            players,
            left,
            in_hand,
            frames: Vec::new(),
            candidates: Vec::new(),
            steps: 0,
            peak_bytes: 0,
        }
    }

    /// Whether player 1 can win; then [`played`](Self::played) tells how.
    fn run(&mut self, meter: &Meter) -> Result<bool, Stop> {
        let opening: Vec<u32> = (0..self.classes.len() as u32).filter(|&class| self.player(class) == 0).collect();
        self.enter(None, opening);
        while let Some(frame) = self.frames.last() {
            if self.candidates.len() == frame.candidates {
                if let Some(class) = frame.top {
                    self.put(class, true);
                }
                self.frames.pop();
                continue;
            }
            let class = self.candidates.pop().expect("a candidate is left");
            if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS)
                && let Some(stop) = meter.spent()
            {
                return Err(stop);
            }
            self.steps += 1;
            if self.play(class, meter)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The classes played, in order; the last one is the card at the top of the last frame.
    fn played(&self) -> Vec<u32> {
        self.frames.iter().filter_map(|frame| frame.top).collect()
    }

    /// Plays a card and enters the state after it, unless that is lost. `true` if it wins.
    fn play(&mut self, class: u32, meter: &Meter) -> Result<bool, Stop> {
        let player = self.player(class);
        if player != 0 && self.in_hand[player] == 1 {
            return Ok(false);
        }
        self.put(class, false);
        if self.in_hand[0] == 0 {
            self.frames.push(Frame { top: Some(class), candidates: self.candidates.len() });
            return Ok(true);
        }
        let fixed = self.by_colour.bytes() + self.by_number.bytes();
        let walk = size_of::<Frame>() * self.frames.capacity() + size_of::<u32>() * self.candidates.capacity();
        let mut bytes = fixed + walk + self.seen.bytes();
        if self.seen.is_full() {
            // While the table grows there are two.
            bytes += 2 * self.seen.bytes();
            if meter.forbids(bytes) {
                return Err(Stop::MemoryLimit);
            }
        }
        self.peak_bytes = self.peak_bytes.max(bytes);
        if !self.seen.insert(&self.left, class) || self.is_cut_off(class) {
            self.put(class, true);
            return Ok(false);
        }
        let candidates = self.answers(class);
        self.enter(Some(class), candidates);
        Ok(false)
    }

    /// Takes a card from its hand, or gives it back.
    fn put(&mut self, class: u32, back: bool) {
        let Class { player, number, colour, .. } = self.classes[class as usize];
        for count in [
            &mut self.left[class as usize],
            &mut self.in_hand[player as usize],
            self.by_colour.left_mut(player, colour),
            self.by_number.left_mut(player, number),
        ] {
            *count = if back { *count + 1 } else { *count - 1 };
        }
    }

    /// What may be played on this card: by the first player in turn who can; nothing in a deadlock.
    fn answers(&self, top: u32) -> Vec<u32> {
        let Class { number, colour, .. } = self.classes[top as usize];
        for after in 1..=self.players {
            let player = (self.player(top) + after) % self.players;
            if self.by_colour.left(player, colour) + self.by_number.left(player, number) == 0 {
                continue;
            }
            let of_colour = self.by_colour.row(player, colour).iter();
            let of_number = self.by_number.row(player, number).iter();
            let others = of_number.filter(|&&class| self.classes[class as usize].colour != colour);
            let at_hand = of_colour.chain(others).filter(|&&class| self.left[class as usize] > 0);
            return at_hand.copied().collect();
        }
        Vec::new()
    }

    /// A new state, with what may be played in it.
    fn enter(&mut self, top: Option<u32>, mut candidates: Vec<u32>) {
        self.frames.push(Frame { top, candidates: self.candidates.len() });
        candidates.sort_by_cached_key(|&class| std::cmp::Reverse(self.rank(class)));
        self.candidates.extend(candidates);
    }

    /// The smaller, the sooner it is tried.
    fn rank(&self, class: u32) -> (bool, u32) {
        let Class { number, colour, .. } = self.classes[class as usize];
        let followers = self.by_colour.left(0, colour) + self.by_number.left(0, number);
        (self.player(class) != 0 && followers == 0, followers)
    }

    /// Whether some card of player 1 can no longer be reached from the top card.
    fn is_cut_off(&mut self, top: u32) -> bool {
        // The first way down is as good as any, and long hands are often played at once.
        if self.steps <= self.classes.len() as u64 {
            return false;
        }
        let Search { reach, classes, players, by_colour, by_number, left, in_hand, .. } = self;
        reach.begin(&classes[top as usize]);
        let mut reached = 0;
        while reached < in_hand[0]
            && let Some(side) = reach.pending.pop()
        {
            let (rows, value) = match side {
                Side::Colour(value) => (&*by_colour, value),
                Side::Number(value) => (&*by_number, value),
            };
            if let Side::Colour(_) = side {
                reached += rows.left(0, value);
            }
            for player in 0..*players {
                for &class in rows.row(player, value) {
                    if left[class as usize] > 0 {
                        reach.visit(&classes[class as usize]);
                    }
                }
            }
        }
        reached < in_hand[0]
    }

    fn player(&self, class: u32) -> usize {
        self.classes[class as usize].player as usize
    }
}

/// One side of a card.
enum Side {
    Colour(u32),
    Number(u32),
}

/// What is reached from the top card, going from colours to numbers and back.
struct Reach {
    round: u32,
    /// The round in which each was reached last.
    colours: Vec<u32>,
    numbers: Vec<u32>,
    pending: Vec<Side>,
}

impl Reach {
    fn new(numbers: usize, colours: usize) -> Self {
        Reach { round: 0, colours: vec![0; colours], numbers: vec![0; numbers], pending: Vec::new() }
    }

    fn begin(&mut self, top: &Class) {
        if self.round == u32::MAX {
            self.colours.fill(0);
            self.numbers.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.pending.clear();
        self.visit(top);
    }

    fn visit(&mut self, class: &Class) {
        let round = self.round;
        if std::mem::replace(&mut self.colours[class.colour as usize], round) != round {
            self.pending.push(Side::Colour(class.colour));
        }
        if std::mem::replace(&mut self.numbers[class.number as usize], round) != round {
            self.pending.push(Side::Number(class.number));
        }
    }
}

/// A set of states: counts and the top card packed into words, in an open table.
struct States {
    /// Where each class's count is: word and shift; the top card comes last.
    places: Vec<(u32, u32)>,
    words: usize,
    table: Vec<u64>,
    used: usize,
    key: Vec<u64>,
}

/// No key is this: the lowest bit of the first word is kept clear.
const EMPTY: u64 = u64::MAX;

impl States {
    fn new(most: &[u32]) -> Self {
        const SMALLEST_TABLE: usize = 1 << 10;
        let width = |most: u32| u32::BITS - most.leading_zeros();
        let (mut word, mut used) = (0, 1);
        let mut places = Vec::with_capacity(most.len() + 1);
        for width in most.iter().map(|&most| width(most)).chain([width(most.len() as u32)]) {
            if used + width > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            places.push((word, used));
            used += width;
        }
        let words = word as usize + 1;
        States { places, words, table: vec![EMPTY; SMALLEST_TABLE * words], used: 0, key: vec![0; words] }
    }

    fn bytes(&self) -> usize {
        size_of::<u64>() * (self.table.len() + self.key.len()) + size_of::<(u32, u32)>() * self.places.len()
    }

    /// Whether the next insertion makes the table grow.
    fn is_full(&self) -> bool {
        (self.used + 1) * self.words * 4 > self.table.len() * 3
    }

    /// Adds a state; `false` if it was there.
    fn insert(&mut self, left: &[u32], top: u32) -> bool {
        if self.is_full() {
            self.grow();
        }
        self.key.fill(0);
        for (&count, &(word, shift)) in left.iter().chain([&top]).zip(&self.places) {
            self.key[word as usize] |= u64::from(count) << shift;
        }
        let slot = find(&self.table, &self.key);
        let found = &mut self.table[slot * self.words..][..self.words];
        if found[0] != EMPTY {
            return false;
        }
        found.copy_from_slice(&self.key);
        self.used += 1;
        true
    }

    fn grow(&mut self) {
        let mut table = vec![EMPTY; 2 * self.table.len()];
        for key in self.table.chunks_exact(self.words).filter(|key| key[0] != EMPTY) {
            let slot = find(&table, key);
            table[slot * self.words..][..self.words].copy_from_slice(key);
        }
        self.table = table;
    }
}

/// Where the key is, or would be put. The number of slots is a power of two.
fn find(table: &[u64], key: &[u64]) -> usize {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let hash = key.iter().fold(0u64, |hash, &word| {
        let product = u128::from(hash ^ word ^ MULTIPLIER) * u128::from(MULTIPLIER);
        (product as u64) ^ (product >> 64) as u64
    });
    let slots = table.len() / key.len();
    let mut slot = hash as usize & (slots - 1);
    loop {
        let found = &table[slot * key.len()..][..key.len()];
        if found[0] == EMPTY || found == key {
            return slot;
        }
        slot = (slot + 1) & (slots - 1);
    }
}

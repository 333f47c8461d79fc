//! Melds that lie on the table: adding cards to them, and taking them apart for new ones.

use fixedbitset::FixedBitSet;

use super::best::{Best, Rummy};
use super::card::{RANKS, SUITS};
use super::hand::{Hand, HandError, card_of};
use super::meld::{Kind, Meld};
use super::program::{Begins, Ends, Layout, Program, Strip, Task, deal_sets};
use super::rules::Ace;
use super::solve::{self, Solved};
use crate::io::{FileError, HandFile};

/// The melds on the table.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Ace, Hand, Rummy, Table};
///
/// let table = Table::parse("table", b"3H 4H 5H\n7H 7D 7C 7S\n", 2, Ace::Low)?;
/// let hand = Hand::parse("hand", b"6H 8H 9H KS", 2)?;
/// // Added to what lies there: the six goes behind the run.
/// let laid_off = Rummy::new(&hand).lay_off(&table)?;
/// assert_eq!(laid_off.table()[0].to_string(), "3H 4H 5H 6H");
/// assert_eq!(laid_off.best().deadwood_cards(), 3);
/// // With the table taken apart: the seven of hearts leaves its set.
/// let best = Rummy::new(&hand).rearrange(&table)?;
/// assert_eq!(best.configuration().to_string(), "3H 4H 5H 6H 7H 8H 9H | 7D 7C 7S | KS");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    melds: Vec<Meld>,
    cards: Hand,
}

impl Table {
    /// These melds, of cards from so many decks; `None` if the decks don't hold the cards.
    ///
    /// # Panics
    /// Unless there are 1 to [`Hand::MAX_DECKS`] decks.
    pub fn new(melds: Vec<Meld>, decks: u8) -> Option<Self> {
        let mut cards = Hand::new(decks);
        for card in melds.iter().flat_map(Meld::cards) {
            cards.add(card).ok()?;
        }
        Some(Table { melds, cards })
    }

    /// Reads a [file of cards](HandFile), a meld a line; `file` is the name that errors mention.
    ///
    /// # Errors
    /// At the first thing that is no card, at a line that is no meld, or at a card that the decks don't hold so often.
    ///
    /// # Panics
    /// Unless there are 1 to [`Hand::MAX_DECKS`] decks.
    pub fn parse(file: &str, bytes: &[u8], decks: u8, ace: Ace) -> Result<Self, FileError> {
        let file = HandFile::parse(file, bytes)?;
        let mut cards = Hand::new(decks);
        cards.add_all(&file)?;
        let mut melds = Vec::new();
        for (line, cards) in file.lines.iter().enumerate() {
            let cards: Vec<_> = cards.iter().map(|&card| card_of(card)).collect();
            let meld = Meld::from_cards(&cards, ace);
            melds.push(meld.ok_or_else(|| {
                let expected =
                    "a meld: a run of 3 to 13 cards of one suit, or a set of 3 or 4 of one rank and different suits";
                file.unexpected(line, 0..cards.len(), expected)
            })?);
        }
        Ok(Table { melds, cards })
    }

    /// The melds in order.
    pub fn melds(&self) -> &[Meld] {
        &self.melds
    }

    /// Their cards.
    pub fn cards(&self) -> &Hand {
        &self.cards
    }

    /// The cards of the table and of a hand.
    fn with(&self, hand: &Hand) -> Result<Hand, HandError> {
        let mut all = hand.clone();
        self.cards.cards().try_for_each(|card| all.add(card))?;
        Ok(all)
    }
}

/// What is laid off on the table, and melded beside it.
#[derive(Clone, Debug)]
pub struct LaidOff {
    best: Best,
    table: Vec<Meld>,
    own: Vec<Meld>,
}

impl LaidOff {
    /// The answer as a configuration of the cards of table and hand together.
    pub fn best(&self) -> &Best {
        &self.best
    }

    /// The melds on the table, in their order, with what was added to them.
    pub fn table(&self) -> &[Meld] {
        &self.table
    }

    /// The melds from the hand alone.
    pub fn own(&self) -> &[Meld] {
        &self.own
    }
}

impl Rummy<'_> {
    /// The question of Rummikub: which cards of the hand can be played if the table may be taken apart, so that in the end
    /// all of its cards and the cards played are in melds? The answer is a configuration of table and hand together,
    /// whose deadwood is what stays in the hand.
    ///
    /// # Errors
    /// If table and hand together have more copies of a card than the decks of the hand hold, or too many jokers.
    ///
    /// # Complexity
    /// That of [the program](super#the-best-melding) for all cards together.
    pub fn rearrange(&self, table: &Table) -> Result<Best, HandError> {
        let all = table.with(self.hand)?;
        let mut task = solve::task_of(&all, self.ace, solve::ranked_gain(&self.objective));
        (task.must, task.must_jokers) = (table.cards.counts, table.cards.jokers);
        let mut program = Program::new(task);
        let solved = solve::solve(&mut program, self.ace, &self.limits.start());
        Ok(Best::new(&all, self.ace, &self.objective, &solved, &table.melds, &program))
    }

    /// The best melding where cards may be laid off as well: added to the runs on the table at either end, or to its sets of
    /// three. Otherwise the melds on the table stay as they are, and their jokers where they are.
    ///
    /// # Errors
    /// If table and hand together have more copies of a card than the decks of the hand hold, or too many jokers.
    pub fn lay_off(&self, table: &Table) -> Result<LaidOff, HandError> {
        let all = table.with(self.hand)?;
        let task = solve::task_of(self.hand, self.ace, solve::ranked_gain(&self.objective));
        let mut best: Option<(Solved, Program)> = None;
        let mut bound = 0;
        for task in Additions::new(table, self.ace).tasks(&task) {
            let mut program = Program::new(task);
            let solved = solve::solve(&mut program, self.ace, &self.limits.start());
            bound = bound.max(solved.bound);
            if best.as_ref().is_none_or(|(best, _)| best.gain < solved.gain) {
                best = Some((solved, program));
            }
        }
        let (mut solved, program) = best.expect("there is always a way to add nothing");
        let mut hands = Laying { ace: self.ace, table: table.melds.clone(), own: Vec::new() };
        if let Some(laid) = &solved.laid {
            hands.lay(laid);
        }
        // The program counts the hand alone.
        let on_table: u64 = table.cards.cards().map(|card| self.objective.ranked_cost(card)).sum();
        (solved.gain, solved.bound) = (solved.gain + on_table, bound + on_table);
        let melds = hands.table.iter().chain(&hands.own).copied().collect();
        let best = Best::of_melds(&all, self.ace, &self.objective, melds, &solved, &program);
        solve::sort(&mut hands.own);
        Ok(LaidOff { best, table: hands.table, own: hands.own })
    }
}

/// What can be added to a table: the columns where its runs go on, and the cards that its melds take one of.
///
/// Three cards added at one end of a run are a run themselves. So two at each end are all that matter, and only runs of ten
/// cards and more could come to hold a rank twice by that, where the ace stands behind the king too. For these one end is
/// restricted, each in turn.
struct Additions {
    ace: Ace,
    sets: Vec<(usize, u8)>,
    /// Row, first column and length.
    runs: Vec<(usize, usize, usize)>,
}

impl Additions {
    fn new(table: &Table, ace: Ace) -> Self {
        let mut additions = Additions { ace, sets: Vec::new(), runs: Vec::new() };
        for meld in &table.melds {
            match meld.kind() {
                Kind::Run { row, first, len, .. } => {
                    additions.runs.push((usize::from(row), usize::from(first), usize::from(len)));
                }
                Kind::Set { column, rows, .. } if meld.len() < SUITS => {
                    additions.sets.push((usize::from(column), !rows & 0b1111));
                }
                Kind::Set { .. } => {}
            }
        }
        additions
    }

    /// The tasks of which the best is the best of all.
    fn tasks(&self, hand: &Task) -> Vec<Task> {
        const MOST_ADDED: usize = 4;
        let mut task = hand.clone();
        task.lies_there = true;
        task.slots = self.sets.clone();
        // Jokers go with any run in the end if there is room for them whatever else is added.
        let room: usize = self.runs.iter().map(|&(_, _, len)| (RANKS - len).saturating_sub(MOST_ADDED)).sum();
        task.has_run = hand.jokers > 0 && room >= usize::from(hand.jokers);
        task.explicit_jokers = hand.jokers > 0 && !task.has_run;
        let mut tasks = vec![task];
        for &(row, first, len) in &self.runs {
            let restricted: &[bool] = match self.ace != Ace::Low && len + MOST_ADDED > RANKS {
                true => &[true, false],
                false => &[false],
            };
            let variants = tasks.iter().flat_map(|task| {
                restricted.iter().map(|&before| {
                    let mut task = task.clone();
                    if restricted.len() == 1 {
                        self.open_behind(row, first + len, &mut task);
                        self.catch_before(row, first, &mut task);
                    } else if self.ace == Ace::High {
                        self.add_to_long(row, first, first + len, before, &mut task);
                    } else {
                        self.add_to_long_around(row, first, len, before, &mut task);
                    }
                    task
                })
            });
            tasks = variants.collect();
        }
        tasks
    }

    /// Runs may go on in this column.
    fn open_behind(&self, row: usize, column: usize, task: &mut Task) {
        if self.ace == Ace::Around {
            task.opened[column % RANKS][row] += 1;
        } else if column < self.ace.columns() {
            task.opened[column][row] += 1;
        }
    }

    /// Runs may end before this column.
    fn catch_before(&self, row: usize, column: usize, task: &mut Task) {
        match (column, self.ace) {
            (0, Ace::Around) => task.caught[RANKS][row] += 1,
            (0, Ace::Low | Ace::High) => {}
            _ => task.caught[column][row] += 1,
        }
    }

    /// A long run with the ace high: the ace is kept from one of the ends.
    fn add_to_long(&self, row: usize, first: usize, end: usize, before: bool, task: &mut Task) {
        let ace_before = first > 0 && before && end <= RANKS;
        let ace_behind = end <= RANKS && first > 0 && !before;
        match first {
            _ if ace_before => self.catch_before(row, first, task),
            0 | 1 => {}
            2 => task.slots.push((1, 1 << row)),
            _ => self.catch_before(row, first, task),
        }
        match end {
            _ if ace_behind => self.open_behind(row, end, task),
            RANKS.. => {}
            12 => task.slots.push((12, 1 << row)),
            _ => self.open_behind(row, end, task),
        }
    }

    /// A long run on the circle: of three missing ranks one end takes what it likes and the other one card; of fewer, each takes its
    /// card.
    fn add_to_long_around(&self, row: usize, first: usize, len: usize, before: bool, task: &mut Task) {
        let single = |at: usize| ((first + len + at) % RANKS, 1 << row);
        match RANKS - len {
            missing @ 0..=2 => task.slots.extend((0..missing).map(single)),
            _ if before => {
                self.catch_before(row, first, task);
                task.slots.push(single(0));
            }
            missing => {
                self.open_behind(row, first + len, task);
                task.slots.push(single(missing - 1));
            }
        }
    }
}

/// Lays what the program decided.
struct Laying {
    ace: Ace,
    table: Vec<Meld>,
    own: Vec<Meld>,
}

impl Laying {
    fn lay(&mut self, laid: &Layout) {
        // Each run is gone on with once behind and once before.
        let [mut behind, mut before] = [(); 2].map(|()| FixedBitSet::with_capacity(self.table.len()));
        for strip in solve::join(&laid.strips) {
            let is_own = strip.begins == Begins::Here && strip.ends != Ends::Caught;
            if is_own || strip.jokers.len() >= 3 {
                solve::split_run(strip.row, strip.first, &strip.jokers, self.ace, &mut self.own);
                continue;
            }
            let used = if strip.ends == Ends::Caught { &mut before } else { &mut behind };
            let added = (0..self.table.len()).find_map(|at| {
                let meld = (!used[at]).then(|| self.extended(self.table[at], &strip)).flatten()?;
                Some((at, meld))
            });
            let (at, meld) = added.expect("the program adds cards to runs that are there");
            self.table[at] = meld;
            used.insert(at);
        }
        let mut singles = Vec::new();
        for (column, play) in &laid.plays {
            deal_sets(*column, play, &mut self.own);
            for row in 0..SUITS {
                singles.extend(std::iter::repeat_n((*column, Some(row)), usize::from(play.added[row])));
            }
            singles.extend(std::iter::repeat_n((*column, None), usize::from(play.added_jokers)));
        }
        let placed = self.place_singles(&singles);
        assert!(placed, "the program adds single cards where there are places");
        self.place_jokers(usize::from(laid.spare_jokers));
    }

    /// The run with the strip behind it, or before it if the strip ends there.
    fn extended(&self, meld: Meld, strip: &Strip) -> Option<Meld> {
        let Kind::Run { row, first, len, jokers } = meld.kind() else { return None };
        let (first, len, added) = (usize::from(first), usize::from(len), strip.jokers.len());
        let mask = strip.jokers.iter().rev().fold(0u16, |mask, &joker| mask << 1 | u16::from(joker));
        let is_before = strip.ends == Ends::Caught;
        let meets = if is_before { strip.end() % RANKS == first } else { (first + len) % RANKS == strip.first % RANKS };
        if usize::from(row) != strip.row || !meets || len + added > RANKS {
            return None;
        }
        if is_before {
            return Meld::canonical_run(strip.row, strip.first, len + added, jokers << added | mask, self.ace);
        }
        Meld::canonical_run(strip.row, first, len + added, mask << len | jokers, self.ace)
    }

    /// Adds cards to melds one by one, a joker where the row is none; tries further melds where the first leave no place
    /// for others. As deep as there are such cards in a hand.
    fn place_singles(&mut self, singles: &[(usize, Option<usize>)]) -> bool {
        let Some((&(column, row), rest)) = singles.split_first() else { return true };
        for at in 0..self.table.len() {
            let meld = self.table[at];
            for with in self.with_single(meld, column, row).into_iter().flatten() {
                self.table[at] = with;
                if self.place_singles(rest) {
                    return true;
                }
                self.table[at] = meld;
            }
        }
        false
    }

    /// The meld with a card of this column, or a joker for it, behind it and before it.
    fn with_single(&self, meld: Meld, column: usize, row: Option<usize>) -> [Option<Meld>; 2] {
        match meld.kind() {
            Kind::Set { column: own, rows, jokers } => {
                let fits =
                    usize::from(own) == column && meld.len() < SUITS && row.is_none_or(|row| rows >> row & 1 == 0);
                let (rows, jokers) = row.map_or((rows, jokers + 1), |row| (rows | 1 << row, jokers));
                [fits.then(|| Meld::set_at(column, rows, jokers)), None]
            }
            Kind::Run { row: own, .. } => [Ends::Here, Ends::Caught].map(|ends| {
                let jokers = vec![row.is_none()];
                let row = row.unwrap_or(usize::from(own));
                let strip = Strip { row, first: column, jokers, begins: Begins::Here, ends };
                self.extended(meld, &strip)
            }),
        }
    }

    /// Jokers that go with any run: with one of the hand's own, else with one on the table.
    fn place_jokers(&mut self, mut jokers: usize) {
        let own = self.own.iter().any(Meld::is_run);
        while jokers > 0 && !own {
            let with_joker = |at: usize| {
                let Kind::Run { row, first, len, .. } = self.table[at].kind() else { return None };
                let (first, len) = (usize::from(first), usize::from(len));
                let strip = |first: usize, ends: Ends| Strip {
                    row: usize::from(row),
                    first,
                    jokers: vec![true],
                    begins: Begins::Here,
                    ends,
                };
                let behind = self.extended(self.table[at], &strip(first + len, Ends::Here));
                let meld = behind.or_else(|| {
                    let column = (first + RANKS - 1) % RANKS;
                    self.extended(self.table[at], &strip(column, Ends::Caught))
                })?;
                Some((at, meld))
            };
            let Some((at, meld)) = (0..self.table.len()).find_map(with_joker) else { break };
            self.table[at] = meld;
            jokers -= 1;
        }
        solve::place_jokers(jokers, self.ace, &mut self.own);
    }
}

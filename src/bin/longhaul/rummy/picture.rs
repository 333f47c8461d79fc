//! The grid of a hand: a row a suit, a column a rank, and for each card the letter of its meld.

use std::io::{self, IsTerminal, Write};

use longhaul::adapters::rummy::{Card, Configuration, RANKS, Suit};

/// The letter of the meld at this place.
pub(super) fn letter(at: usize) -> String {
    let letters = ('a'..='z').chain('A'..='Z');
    letters.into_iter().nth(at).unwrap_or('?').to_string()
}

/// Colours, where somebody can see them.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    colours: bool,
}

impl Paint {
    /// Colours on a terminal, unless the environment has `NO_COLOR`.
    pub(super) fn for_stdout() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Paint { colours: wanted && io::stdout().is_terminal() }
    }

    pub(super) fn meld(self, at: usize, text: &str) -> String {
        // Green, yellow, blue, magenta, cyan, then the same brighter.
        const COLOURS: [u8; 10] = [32, 33, 34, 35, 36, 92, 93, 94, 95, 96];
        self.paint(COLOURS[at % COLOURS.len()], text)
    }

    pub(super) fn deadwood(self, text: &str) -> String {
        const FAINT: u8 = 2;
        self.paint(FAINT, text)
    }

    fn paint(self, code: u8, text: &str) -> String {
        if self.colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Each cell has a letter for each of its cards, those that are left over as '-'; jokers have a row of their own.
pub(super) fn write_grid(configuration: &Configuration, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    // By kind of card, the melds that have it; none for what is left over.
    let mut cells: Vec<Vec<Option<usize>>> = vec![Vec::new(); Card::KINDS];
    for (at, meld) in configuration.melds().iter().enumerate() {
        meld.cards().for_each(|card| cells[card.index()].push(Some(at)));
    }
    configuration.deadwood().iter().for_each(|card| cells[card.index()].push(None));
    let width = cells[..Card::KINDS - 1].iter().map(Vec::len).max().unwrap_or(0).max(2);
    let names = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
    let head: String = names.iter().map(|name| format!(" {name:<width$}")).collect();
    writeln!(out, " {}", head.trim_end())?;
    let write_cell = |cell: &[Option<usize>], out: &mut dyn Write| {
        cell.iter().try_for_each(|place| {
            let text = place.map_or_else(|| paint.deadwood("-"), |at| paint.meld(at, &letter(at)));
            write!(out, "{text}")
        })
    };
    for suit in Suit::ALL {
        write!(out, "{}", suit.letter())?;
        let row: Vec<&[_]> = (1..=RANKS as u8)
            .map(|rank| &cells[Card::new(rank, suit).expect("a rank of the grid").index()][..])
            .collect();
        let last = row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        for (at, cell) in row[..last].iter().enumerate() {
            write!(out, " ")?;
            write_cell(cell, out)?;
            if at + 1 < last {
                write!(out, "{:1$}", "", width - cell.len())?;
            }
        }
        writeln!(out)?;
    }
    let jokers = &cells[Card::JOKER.index()];
    if !jokers.is_empty() {
        write!(out, "* ")?;
        write_cell(jokers, out)?;
        writeln!(out)?;
    }
    Ok(())
}

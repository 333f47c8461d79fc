//! Exact search for a deck of so many cards in which any two share exactly one symbol.
//!
//! Seen from its cards, such a deck is a *linear space*: cards are points, a symbol on r ≥ 2 cards is a line of r points, and any
//! two points lie on exactly one line. A point is on k lines at most, symbols that no other card has make up the rest. For a
//! given profile, how many lines there are of each size, lines are drawn one after another: through the point with fewest
//! others not yet joined to it, and one of these.
//!
//! Points that are on the same lines so far are interchangeable, and so are two lines through one point whose other points are
//! on nothing else: where a choice is tried without one of them, the others are not tried either. That keeps a deck of every
//! kind, for exchanging them turns any deck with the choices made so far into another with these choices.
//!
//! A point with u others not yet joined and d symbols to come needs d lines whose sizes less one add up to u, of sizes that are
//! left; else the branch is given up.
//!
//! Lines of a space are what symbols of a deck are: N. G. de Bruijn, P. Erdős, *On a combinatorial problem*, Indagationes
//! Mathematicae 10, 1948. The rejection of equal choices goes back to I. A. Faradžev, *Constructive enumeration of combinatorial
//! objects*, 1978; here only the cheap part of it is done.

use hashbrown::HashMap;

use super::counting::Profile;
use crate::Stop;

/// More cards than bits of a word are not searched for.
pub(super) const MOST_CARDS: usize = 64;

/// Larger cards would make every step long, and are searched for neither.
pub(super) const MOST_SIZE: usize = 256;

/// How a search ended.
pub(super) enum Verdict {
    /// A deck, its symbols numbered from 0.
    Deck(Vec<Vec<u32>>),
    /// There is none: proved.
    None,
    /// The steps allowed were not enough.
    Unsettled,
    /// A limit of the caller's is spent.
    Spent(Stop),
}

/// Looks for a deck of so many cards with this profile, for so many steps.
pub(super) fn search(
    cards: usize,
    size: usize,
    profile: &Profile,
    steps: &mut u64,
    spent: &mut dyn FnMut() -> Option<Stop>,
) -> Verdict {
    let all = if cards == MOST_CARDS { u64::MAX } else { (1 << cards) - 1 };
    let mut space = Space {
        size,
        left: profile.clone(),
        unjoined: (0..cards).map(|point| all & !(1 << point)).collect(),
        to_come: vec![size as u32; cards],
        lines: Vec::new(),
        lines_on: vec![Vec::with_capacity(size); cards],
        fits: HashMap::new(),
        steps,
        spent,
        stop: None,
        unsettled: false,
    };
    space.left.resize(size + 1, 0);
    let found = space.draw();
    match (found, space.stop) {
        (true, _) => Verdict::Deck(space.deck()),
        (false, Some(stop)) => Verdict::Spent(stop),
        (false, None) if space.unsettled => Verdict::Unsettled,
        (false, None) => Verdict::None,
    }
}

/// A linear space under way.
struct Space<'a> {
    size: usize,
    /// How many lines of each size are still to be drawn; of size 1, symbols that only one card has.
    left: Vec<u32>,
    /// Per point: the others that no line joins to it yet.
    unjoined: Vec<u64>,
    /// Per point: how many of its symbols are still to come.
    to_come: Vec<u32>,
    lines: Vec<u64>,
    /// Per point: the lines on it.
    lines_on: Vec<Vec<u32>>,
    /// By the set of sizes that are left: whether u others can be met by d symbols, at u (size + 1) + d.
    fits: HashMap<u64, Vec<bool>>,
    steps: &'a mut u64,
    spent: &'a mut dyn FnMut() -> Option<Stop>,
    stop: Option<Stop>,
    unsettled: bool,
}

/// What makes two points interchangeable, if nothing of it has been chosen yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// On no line.
    Free,
    /// On this line only.
    On(u32),
    /// On a line of this size only, through this point, whose other points are on nothing else.
    OnFresh(u32, u32),
    /// Like no other.
    Own,
}

impl Space<'_> {
    /// Draws the next line, and all after it; whether that led to a whole space.
    fn draw(&mut self) -> bool {
        let open = (0..self.unjoined.len()).filter(|&point| self.unjoined[point] != 0);
        let Some(point) = open.min_by_key(|&point| self.unjoined[point].count_ones()) else {
            return true;
        };
        let others = self.unjoined[point];
        let with = |&other: &usize| (others & self.unjoined[other]).count_ones();
        let other = elements(others).min_by_key(with).expect("a point with others to join");
        let line = 1 << point | 1 << other;
        let candidates = others & self.unjoined[other];
        // The first point may have its lines in any order: the largest first.
        let most = match self.lines.first() {
            Some(_) if self.lines.iter().all(|line| line >> point & 1 == 1) => {
                self.lines.last().map_or(self.size, |last| last.count_ones() as usize)
            }
            _ => self.left.len() - 1,
        };
        (2..=most)
            .rev()
            .filter(|&of| self.left[of] > 0)
            .collect::<Vec<_>>()
            .into_iter()
            .any(|of| self.choose(line, candidates, of - 2))
    }

    /// Adds `missing` of the candidates to the line, then draws it and goes on.
    fn choose(&mut self, line: u64, candidates: u64, missing: usize) -> bool {
        if missing == 0 {
            return self.put(line);
        }
        let mut rest = candidates;
        while rest.count_ones() as usize >= missing {
            let point = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.choose(line | 1 << point, rest & self.unjoined[point], missing - 1) {
                return true;
            }
            if self.stop.is_some() || self.unsettled {
                return false;
            }
            let likeness = self.likeness(point, line);
            if likeness != Likeness::Own {
                for other in elements(rest) {
                    if self.likeness(other, line) == likeness {
                        rest &= !(1 << other);
                    }
                }
            }
        }
        false
    }

    fn likeness(&self, point: usize, chosen: u64) -> Likeness {
        match self.lines_on[point][..] {
            [] => Likeness::Free,
            [only] => {
                let line = self.lines[only as usize];
                let mut busy = elements(line).filter(|&other| self.lines_on[other].len() > 1);
                match (busy.next(), busy.next()) {
                    (Some(pivot), None) if line & chosen & !(1 << pivot) == 0 => {
                        Likeness::OnFresh(pivot as u32, line.count_ones())
                    }
                    _ => Likeness::On(only),
                }
            }
            _ => Likeness::Own,
        }
    }

    /// Draws a line and goes on, if every point can still be completed.
    fn put(&mut self, line: u64) -> bool {
        const STEPS_PER_LOOK: u64 = 1 << 10;
        if *self.steps == 0 {
            self.unsettled = true;
            return false;
        }
        *self.steps -= 1;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) {
            self.stop = (self.spent)();
            if self.stop.is_some() {
                return false;
            }
        }
        let of = line.count_ones() as usize;
        let number = self.lines.len() as u32;
        self.lines.push(line);
        self.left[of] -= 1;
        for point in elements(line) {
            self.unjoined[point] &= !line;
            self.to_come[point] -= 1;
            self.lines_on[point].push(number);
        }
        // Points that are joined to all others have the rest of their symbols for themselves.
        let alone: u32 =
            elements(line).filter(|&point| self.unjoined[point] == 0).map(|point| self.to_come[point]).sum();
        let affordable = alone <= self.left[1];
        self.left[1] -= if affordable { alone } else { 0 };
        let found = affordable && self.all_fit(line, of) && self.draw();
        if found {
            return true;
        }
        self.left[1] += if affordable { alone } else { 0 };
        for point in elements(line) {
            self.lines_on[point].pop();
            self.to_come[point] += 1;
            self.unjoined[point] |= line & !(1 << point);
        }
        self.left[of] += 1;
        self.lines.pop();
        false
    }

    /// Whether the points of a new line can be completed; all points where a size has run out.
    fn all_fit(&mut self, line: u64, of: usize) -> bool {
        let sizes = (1..=self.size).filter(|&of| self.left[of] > 0).fold(0u64, |sizes, of| sizes | 1 << of);
        let (size, points) = (self.size, self.unjoined.len());
        let fits = self.fits.entry(sizes).or_insert_with(|| table(sizes, size, points));
        let fit = |point: usize| {
            let others = self.unjoined[point].count_ones() as usize;
            others == 0 || fits[others * (size + 1) + self.to_come[point] as usize]
        };
        if self.left[of] == 0 || self.left[1] == 0 { (0..points).all(fit) } else { elements(line).all(fit) }
    }

    /// The deck of a whole space.
    fn deck(&self) -> Vec<Vec<u32>> {
        let mut next = self.lines.len() as u32;
        let card = |lines: &Vec<u32>| {
            let mut card = lines.clone();
            card.extend(next..next + (self.size - lines.len()) as u32);
            next += (self.size - lines.len()) as u32;
            card
        };
        self.lines_on.iter().map(card).collect()
    }
}

/// Whether d of these sizes, less one each, can add up to u; at u (size + 1) + d.
fn table(sizes: u64, size: usize, points: usize) -> Vec<bool> {
    let mut fits = vec![false; points * (size + 1)];
    fits[0] = true;
    for others in 0..points {
        for count in 1..=size {
            fits[others * (size + 1) + count] |= elements(sizes).any(|of| {
                of - 1 <= others && (of > 1 || count > 0) && fits[(others + 1 - of) * (size + 1) + count - 1]
            });
        }
    }
    fits
}

fn elements(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let element = set.trailing_zeros() as usize;
            set &= set - 1;
            element
        })
    })
}

//! Decks by construction: sunflowers, projective and affine planes, and what is left of a plane when symbols are taken out.
//!
//! Symbols are the points of a plane and cards its lines. In a projective plane of order q any two of the q² + q + 1 lines, of
//! q + 1 points each, meet in exactly one point; without one line and its points it is an affine plane, where lines meet in at
//! most one. Planes over GF(q): the points (x, y) lie on the lines y = mx + c and x = c, and lines of one slope m meet in a
//! point of their own at infinity; these points are on a line too.
//!
//! If a symbol is taken out together with all cards it is on, the rest is a deck with one symbol less; which symbols cost the
//! fewest cards is tried greedily. Cards get larger by symbols of their own.
//!
//! Source: Gino Fano and others; Peter Dembowski, *Finite Geometries*, Springer 1968, chapter 3.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::deck::Deck;
use super::field::Field;

/// The projective plane of order q as a deck: q² + q + 1 cards of q + 1 symbols, of as many symbols as cards, any two cards
/// sharing exactly one. `None` if q is no prime power. `O(q³)`.
///
/// # Example
/// ```
/// use longhaul::adapters::dobble::{Sharing, projective_plane};
///
/// let deck = projective_plane(7).expect("7 is a prime");
/// assert_eq!((deck.len(), deck.card_size(), deck.symbol_count()), (57, 8, 57));
/// assert_eq!(deck.check(Sharing::ExactlyOne), Ok(()));
/// assert!(projective_plane(6).is_none());
/// ```
pub fn projective_plane(order: u32) -> Option<Deck> {
    Some(Deck::new(&projective_lines(&Field::new(order)?)))
}

/// The affine plane of order q as a deck: q² + q cards of q symbols, of q² symbols, any two cards sharing at most one. `None` if
/// q is no prime power. `O(q³)`.
///
/// # Example
/// ```
/// use longhaul::adapters::dobble::{Sharing, affine_plane};
///
/// let deck = affine_plane(3).expect("3 is a prime");
/// assert_eq!((deck.len(), deck.card_size(), deck.symbol_count()), (12, 3, 9));
/// assert_eq!(deck.check(Sharing::AtMostOne), Ok(()));
/// ```
pub fn affine_plane(order: u32) -> Option<Deck> {
    Some(Deck::new(&affine_lines(&Field::new(order)?, order)))
}

/// The lines of the projective plane, that at infinity last.
pub(super) fn projective_lines(field: &Field) -> Vec<Vec<u32>> {
    let order = field.order();
    let mut lines = affine_lines(field, order);
    // Lines come slope by slope.
    for (at, line) in lines.iter_mut().enumerate() {
        line.push(order * order + at as u32 / order);
    }
    lines.push((order * order..=order * order + order).collect());
    lines
}

/// The lines of the affine plane, those of one slope after another, of its points (x, y) with this many x.
pub(super) fn affine_lines(field: &Field, columns: u32) -> Vec<Vec<u32>> {
    let order = field.order();
    let mut lines = Vec::with_capacity((order * order + columns) as usize);
    for slope in 0..order {
        for shift in 0..order {
            let point = |x: u32| x * order + field.add(field.multiply(slope, x), shift);
            lines.push((0..columns).map(point).collect());
        }
    }
    if columns == order {
        lines.extend((0..order).map(|x| (0..order).map(|y| x * order + y).collect()));
    }
    lines
}

/// A deck of cards of `size` symbols, at most `symbols` in all, which share what these lines do: what is left of them. Empty if
/// `spent` says so first.
pub(super) fn truncate(
    lines: &[Vec<u32>],
    size: usize,
    symbols: usize,
    seed: u64,
    spent: &mut dyn FnMut() -> bool,
) -> Vec<Vec<u32>> {
    const TRIES: u64 = 40;
    /// Beyond so many symbols on all lines one try has to do.
    const LARGE: usize = 20_000;
    let tries = if lines.len() * size > LARGE { 1 } else { TRIES };
    let mut best: Vec<Vec<u32>> = Vec::new();
    for attempt in 0..tries {
        let mut rest = Rest::new(lines, size);
        if !rest.thin(symbols, &mut Pcg64Mcg::seed_from_u64(seed ^ attempt), spent) {
            break;
        }
        if rest.cards > best.len() {
            best = rest.deck(size);
        }
        if rest.cards == lines.len() {
            break;
        }
    }
    best
}

/// What is left of a set of lines.
struct Rest<'a> {
    lines: &'a [Vec<u32>],
    kept: Vec<bool>,
    cards: usize,
    /// How many symbols of its own each card is to get.
    own: usize,
    /// Per point: the lines on it, and how many of them are kept.
    through: Vec<Vec<u32>>,
    on: Vec<usize>,
    /// Points on kept lines, and the cards' own symbols.
    used: usize,
}

impl<'a> Rest<'a> {
    fn new(lines: &'a [Vec<u32>], size: usize) -> Self {
        let points = lines.iter().flatten().max().map_or(0, |&most| most as usize + 1);
        let mut through = vec![Vec::new(); points];
        for (at, line) in lines.iter().enumerate() {
            line.iter().for_each(|&point| through[point as usize].push(at as u32));
        }
        let own = size - lines.first().map_or(size, Vec::len);
        let on: Vec<usize> = through.iter().map(Vec::len).collect();
        let used = on.iter().filter(|&&count| count > 0).count() + own * lines.len();
        Rest { lines, kept: vec![true; lines.len()], cards: lines.len(), own, through, on, used }
    }

    /// Takes out symbol after symbol until few enough are used, each time one of those on fewest cards at random; or a single
    /// card where that is enough. `false` if that was not to be finished.
    fn thin(&mut self, symbols: usize, random: &mut Pcg64Mcg, spent: &mut dyn FnMut() -> bool) -> bool {
        while self.used > symbols {
            if spent() {
                return false;
            }
            let Some(fewest) = self.on.iter().copied().filter(|&count| count > 0).min() else { return true };
            let single = if fewest > 1 { self.single(self.used - symbols) } else { None };
            if let Some(line) = single {
                self.drop(line);
                continue;
            }
            let candidates: Vec<usize> = (0..self.on.len()).filter(|&point| self.on[point] == fewest).collect();
            let point = candidates[(random.next_u64() % candidates.len() as u64) as usize];
            for at in 0..self.through[point].len() {
                let line = self.through[point][at] as usize;
                if self.kept[line] {
                    self.drop(line);
                }
            }
        }
        true
    }

    /// A card whose own symbols, with those that only it has, are so many.
    fn single(&self, wanted: usize) -> Option<usize> {
        let most = self.lines.first().map_or(0, Vec::len) + self.own;
        let saved = |line: &[u32]| self.own + line.iter().filter(|&&point| self.on[point as usize] == 1).count();
        (wanted <= most).then(|| (0..self.lines.len()).find(|&at| self.kept[at] && saved(&self.lines[at]) >= wanted))?
    }

    fn drop(&mut self, line: usize) {
        self.kept[line] = false;
        self.cards -= 1;
        self.used -= self.own;
        for &point in &self.lines[line] {
            self.on[point as usize] -= 1;
            self.used -= usize::from(self.on[point as usize] == 0);
        }
    }

    /// The cards that are kept, with symbols numbered anew.
    fn deck(&self, size: usize) -> Vec<Vec<u32>> {
        let mut name = vec![u32::MAX; self.on.len()];
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        let mut deck: Vec<Vec<u32>> = Vec::with_capacity(self.cards);
        for (line, _) in self.lines.iter().zip(&self.kept).filter(|&(_, &kept)| kept) {
            let mut card: Vec<u32> = Vec::with_capacity(size);
            for &point in line {
                if name[point as usize] == u32::MAX {
                    name[point as usize] = fresh();
                }
                card.push(name[point as usize]);
            }
            deck.push(card);
        }
        deck.iter_mut().for_each(|card| card.extend((0..self.own).map(|_| fresh())));
        deck
    }
}

/// So many cards that all share symbol 0 and nothing else.
pub(super) fn sunflower(size: usize, cards: usize) -> Vec<Vec<u32>> {
    let petal = |at: usize| std::iter::once(0).chain((1..size).map(|own| (at * (size - 1) + own) as u32)).collect();
    (0..cards).map(petal).collect()
}

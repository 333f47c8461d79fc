//! Decks by construction: sunflowers, projective and affine planes, and parts of planes.
//!
//! Symbols are the points of a plane and cards its lines. In a projective plane of order q any two of the q² + q + 1 lines, of
//! q + 1 points each, meet in exactly one point; without one line and its points it is an affine plane, where lines meet in at
//! most one. Planes over GF(q): the points (x, y) lie on the lines y = mx + c and x = c, and lines of one slope m meet in a
//! point of their own at infinity; these points are on a line too.
//!
//! Any of the lines are a deck again, and cards get larger by symbols of their own.
//!
//! Source: Gino Fano and others; Peter Dembowski, *Finite Geometries*, Springer 1968, chapter 3.

use super::deck::Deck;
use super::field::{Field, prime_power};
use super::watch::Watch;

/// The projective plane of order q as a deck: q² + q + 1 cards of q + 1 symbols, of as many symbols as cards, any two cards
/// sharing exactly one. `None` if q is no prime power, or greater than 4096. `O(q³)` time and memory.
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
    let plane = Plane::new(order)?;
    let lines = plane.projective_lines(plane.line_count(), 0, &mut Watch::unlimited());
    Some(Deck::numbered(plane.order() + 1, lines))
}

/// The affine plane of order q as a deck: q² + q cards of q symbols, of q² symbols, any two cards sharing at most one. `None` if
/// q is no prime power, or greater than 4096. `O(q³)` time and memory.
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
    let plane = Plane::new(order)?;
    let count = plane.line_count() - 1;
    Some(Deck::numbered(plane.order(), plane.affine_lines(count, plane.order(), &mut Watch::unlimited())))
}

/// The plane over a finite field.
pub(super) struct Plane {
    field: Field,
}

/// Planes of greater order have more points than there may be symbols.
pub(super) const MOST_ORDER: usize = 1 << 12;

impl Plane {
    /// The plane of this order, or `None` if that is no prime power, or too great.
    pub(super) fn new(order: u32) -> Option<Self> {
        (order as usize <= MOST_ORDER).then(|| Field::new(order).map(|field| Plane { field }))?
    }

    /// How many points are on an affine line.
    pub(super) fn order(&self) -> usize {
        self.field.order() as usize
    }

    /// How many lines the projective plane has.
    pub(super) fn line_count(&self) -> usize {
        lines_of_order(self.order())
    }

    /// The first lines of the projective plane, slope by slope, that at infinity last; each with `own` points more that are on
    /// no other. Fewer if the limits are spent.
    pub(super) fn projective_lines(&self, count: usize, own: usize, watch: &mut Watch) -> Vec<u32> {
        let order = self.field.order();
        let size = self.order() + 1 + own;
        let mut lines = Vec::with_capacity(count * size);
        let mut next_own = points_on_first(count, self.order()) as u32;
        for at in 0..count as u32 {
            if at == order * (order + 1) {
                lines.extend(order * order..=order * order + order);
            } else {
                self.push_affine_line(at, order, &mut lines);
                lines.push(order * order + at / order);
            }
            lines.extend(next_own..next_own + own as u32);
            next_own += own as u32;
            if watch.steps(4 * self.order() + own).is_err() {
                break;
            }
        }
        lines
    }

    /// The first lines of the affine plane, slope by slope, of its points (x, y) with this many x; of `columns` points each.
    /// Fewer if the limits are spent.
    pub(super) fn affine_lines(&self, count: usize, columns: usize, watch: &mut Watch) -> Vec<u32> {
        let mut lines = Vec::with_capacity(count * columns);
        for at in 0..count as u32 {
            self.push_affine_line(at, columns as u32, &mut lines);
            if watch.steps(4 * columns).is_err() {
                break;
            }
        }
        lines
    }

    /// The points of one affine line, ascending: of slope m = at / q while that is in the field, then upright.
    fn push_affine_line(&self, at: u32, columns: u32, line: &mut Vec<u32>) {
        let order = self.field.order();
        let (slope, shift) = (at / order, at % order);
        if slope < order {
            let point = |x: u32| x * order + self.field.add(self.field.multiply(slope, x), shift);
            line.extend((0..columns).map(point));
        } else {
            line.extend((0..order).map(|y| shift * order + y));
        }
    }
}

/// How many lines the projective plane of this order has, and points.
pub(super) fn lines_of_order(order: usize) -> usize {
    order * order + order + 1
}

/// How many points are on the first lines of a projective plane of this order, if these are as many as its order or more.
fn points_on_first(count: usize, order: usize) -> usize {
    order * order + count.div_ceil(order).min(order + 1)
}

/// A part of a projective plane: its first lines, each with symbols of its own.
pub(super) struct Part {
    pub(super) order: usize,
    pub(super) cards: usize,
}

/// The greatest deck of cards of this size that is the first lines of a projective plane with symbols of their own.
pub(super) fn greatest_part(size: usize, symbols: usize) -> Option<Part> {
    let mut best: Option<Part> = None;
    for order in 2..size.min(MOST_ORDER + 1) {
        if order * order > symbols {
            break;
        }
        let own = size - order - 1;
        // As if there were no points at infinity; then as many fewer as these take.
        let mut cards = (symbols - order * order).checked_div(own).unwrap_or(usize::MAX).min(lines_of_order(order));
        while cards >= order && points_on_first(cards, order) + cards * own > symbols {
            let over = points_on_first(cards, order) + cards * own - symbols;
            cards = cards.saturating_sub(over.div_ceil(own + 1));
        }
        let is_better = cards >= order && best.as_ref().is_none_or(|best| cards > best.cards);
        if is_better && prime_power(order as u32).is_some() {
            best = Some(Part { order, cards });
        }
    }
    best
}

/// So many cards that all share symbol 0 and nothing else; fewer if the limits are spent.
pub(super) fn sunflower(size: usize, cards: usize, watch: &mut Watch) -> Vec<u32> {
    let mut symbols = Vec::with_capacity(cards * size);
    for at in 0..cards {
        let first = 1 + at * (size - 1);
        symbols.push(0);
        symbols.extend((first..first + size - 1).map(|own| own as u32));
        if watch.steps(size).is_err() {
            break;
        }
    }
    symbols
}

//! Cards of three symbols, any two sharing at most one: as many as there can be, by construction.
//!
//! Let Q be 0, 1, …, q − 1 with x∘y = y∘x such that x∘y takes every value once as y runs through Q. Symbols are three copies of
//! Q, and ∞ or two of it. The cards {(x, i), (y, i), (x∘y, i + 1)}, for x ≠ y and i modulo 3, have every pair of symbols of the
//! three copies but {(x, i), (x∘x, i + 1)} and {(x, i), (x, i + 1)}; what these allow depends on the number of symbols:
//!
//! - *6t + 3*: q = 2t + 1 and x∘x = x. The cards {(x, 0), (x, 1), (x, 2)} have the rest (R. C. Bose, *On the construction of
//!   balanced incomplete block designs*, Annals of Eugenics 9, 1939, DOI 10.1111/j.1469-1809.1939.tb02219.x).
//! - *6t + 1*: q = 2t and x∘x = (x + t)∘(x + t) = x for x < t. These {(x, 0), (x, 1), (x, 2)}, and {∞, (t + x, i), (x, i + 1)}
//!   (T. Skolem, *Some remarks on the triple systems of Steiner*, Mathematica Scandinavica 6, 1958).
//! - *6t + 5*: q = 2t + 1, x∘x = x, and from the third copy to the first x∘y is followed by α, which leaves 0 and turns the
//!   others in one cycle. The pairs left over but for 0 are a cycle (1, 0), (1, 1), (1, 2), (α(1), 0), …; its edges go to ∞ and
//!   ∞′ in turn. Of the five symbols ∞, ∞′, (0, 0), (0, 1), (0, 2) two more cards can be made.
//!
//! For 6t, 6t + 2 and 6t + 4 one symbol of the next larger number is taken out with its cards; of 6t + 5 one of the five.

use super::watch::Watch;

/// A largest set of cards of three of these symbols, at most `most` of them; fewer if the limits are spent.
pub(super) fn triples(symbols: usize, most: usize, watch: &mut Watch) -> Vec<u32> {
    // With one symbol more where that is taken out again: the last.
    let whole = if symbols.is_multiple_of(2) { symbols + 1 } else { symbols };
    let mut cards = Cards { symbols: symbols as u32, most, kept: Vec::new(), watch };
    // Each ends early, with nothing to say, once there are enough cards.
    match whole % 6 {
        1 => skolem(whole as u32, &mut cards),
        3 => bose(whole as u32, &mut cards),
        _ => with_five(whole as u32, &mut cards),
    };
    cards.kept
}

struct Cards<'a> {
    /// Symbols from this on are taken out.
    symbols: u32,
    most: usize,
    kept: Vec<u32>,
    watch: &'a mut Watch,
}

impl Cards<'_> {
    /// `None` if there are enough cards, or the limits are spent.
    fn push(&mut self, mut card: [u32; 3]) -> Option<()> {
        const STEPS: usize = 8;
        card.sort_unstable();
        if card[2] < self.symbols {
            self.kept.extend(card);
        }
        self.watch.steps(STEPS).ok()?;
        (self.kept.len() / 3 < self.most).then_some(())
    }
}

fn bose(whole: u32, cards: &mut Cards<'_>) -> Option<()> {
    let q = whole / 3;
    (0..q).try_for_each(|x| cards.push([x, q + x, 2 * q + x]))?;
    mixed(q, |sum| idempotent(sum, q), |value| value, cards)
}

fn skolem(whole: u32, cards: &mut Cards<'_>) -> Option<()> {
    let q = whole / 3;
    let half = q / 2;
    let infinity = whole - 1;
    for x in 0..half {
        cards.push([x, q + x, 2 * q + x])?;
        for copy in 0..3 {
            cards.push([infinity, copy * q + half + x, (copy + 1) % 3 * q + x])?;
        }
    }
    let halved = |sum: u32| sum % q / 2 + if sum.is_multiple_of(2) { 0 } else { half };
    mixed(q, halved, |value| value, cards)
}

fn with_five(whole: u32, cards: &mut Cards<'_>) -> Option<()> {
    let q = whole / 3;
    let infinities = [whole - 2, whole - 1];
    cards.push([infinities[1], infinities[0], 0])?;
    cards.push([infinities[0], q, 2 * q])?;
    if cards.symbols < whole {
        cards.kept.clear();
        cards.push([0, q, 2 * q])?;
    }
    // The cycle, edge by edge.
    let corner = |at: u32| at % 3 * q + 1 + at / 3 % (q - 1);
    for at in 0..3 * (q - 1) {
        cards.push([infinities[at as usize % 2], corner(at), corner(at + 1)])?;
    }
    let turned = |value: u32| if value == 0 { 0 } else { value % (q - 1) + 1 };
    mixed(q, |sum| idempotent(sum, q), turned, cards)
}

/// Half of a sum, modulo an odd number.
fn idempotent(sum: u32, q: u32) -> u32 {
    (u64::from(sum) * u64::from(q.div_ceil(2)) % u64::from(q)) as u32
}

/// The cards with two symbols of one copy and one of the next, which x + y determines; `last` is applied from the third copy to
/// the first.
fn mixed(q: u32, of_sum: impl Fn(u32) -> u32, last: impl Fn(u32) -> u32, cards: &mut Cards<'_>) -> Option<()> {
    for x in 0..q {
        for y in x + 1..q {
            let value = of_sum(x + y);
            cards.push([x, y, q + value])?;
            cards.push([q + x, q + y, 2 * q + value])?;
            cards.push([2 * q + x, 2 * q + y, last(value)])?;
        }
    }
    Some(())
}

//! What is left of a deck when symbols are taken out.
//!
//! If a symbol is taken out together with all cards it is on, the rest is a deck with one symbol less; which symbols cost the
//! fewest cards is tried greedily. Cards get larger by symbols of their own.

use fixedbitset::FixedBitSet;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::watch::Watch;
use crate::Stop;

/// A deck of cards of `size` symbols, at most `symbols` in all, which share what these lines of `line_size` points do: what is
/// left of them. Empty if the limits are spent first.
pub(super) fn truncate(
    lines: &[u32],
    line_size: usize,
    size: usize,
    symbols: usize,
    seed: u64,
    watch: &mut Watch,
) -> Vec<u32> {
    const TRIES: u64 = 40;
    /// Beyond so many symbols on all lines one try has to do.
    const LARGE: usize = 20_000;
    let whole = Rest::new(lines, line_size, size);
    let tries = if whole.cards * size > LARGE { 1 } else { TRIES };
    let mut best = Vec::new();
    for attempt in 0..tries {
        let mut rest = whole.clone();
        if rest.thin(symbols, &mut Pcg64Mcg::seed_from_u64(seed ^ attempt), watch).is_err() {
            break;
        }
        if rest.cards * size > best.len() {
            best = rest.deck();
        }
        if rest.cards == whole.cards {
            break;
        }
    }
    best
}

/// What is left of a set of lines.
#[derive(Clone)]
struct Rest<'a> {
    lines: &'a [u32],
    line_size: usize,
    kept: FixedBitSet,
    cards: usize,
    /// How many symbols of its own each card is to get.
    own: usize,
    /// The lines on point `p` are `through[starts[p]..starts[p + 1]]`, and so many of them are kept.
    starts: Vec<usize>,
    through: Vec<u32>,
    on: Vec<usize>,
    /// Points on kept lines, and the cards' own symbols.
    used: usize,
}

impl<'a> Rest<'a> {
    fn new(lines: &'a [u32], line_size: usize, size: usize) -> Self {
        let points = lines.iter().max().map_or(0, |&most| most as usize + 1);
        let mut on = vec![0usize; points];
        lines.iter().for_each(|&point| on[point as usize] += 1);
        let mut starts = Vec::with_capacity(points + 1);
        let mut end = 0;
        starts.push(0);
        for &count in &on {
            end += count;
            starts.push(end);
        }
        let mut next = starts.clone();
        let mut through = vec![0u32; lines.len()];
        for (at, &point) in lines.iter().enumerate() {
            through[next[point as usize]] = (at / line_size) as u32;
            next[point as usize] += 1;
        }
        let cards = lines.len() / line_size;
        let own = size - line_size;
        let used = on.iter().filter(|&&count| count > 0).count() + own * cards;
        let mut kept = FixedBitSet::with_capacity(cards);
        kept.insert_range(..);
        Rest { lines, line_size, kept, cards, own, starts, through, on, used }
    }

    /// Takes out symbol after symbol until few enough are used, each time one of those on fewest cards at random; or a single
    /// card where that is enough.
    fn thin(&mut self, symbols: usize, random: &mut Pcg64Mcg, watch: &mut Watch) -> Result<(), Stop> {
        while self.used > symbols {
            watch.steps(self.on.len())?;
            let Some(fewest) = self.on.iter().copied().filter(|&count| count > 0).min() else { return Ok(()) };
            let single = if fewest > 1 { self.single(self.used - symbols, watch)? } else { None };
            if let Some(line) = single {
                self.drop(line);
                continue;
            }
            let candidates: Vec<usize> = (0..self.on.len()).filter(|&point| self.on[point] == fewest).collect();
            let point = candidates[(random.next_u64() % candidates.len() as u64) as usize];
            for at in self.starts[point]..self.starts[point + 1] {
                let line = self.through[at] as usize;
                if self.kept[line] {
                    self.drop(line);
                }
            }
        }
        Ok(())
    }

    fn line(&self, at: usize) -> &'a [u32] {
        &self.lines[at * self.line_size..][..self.line_size]
    }

    /// A card whose own symbols, with those that only it has, are so many.
    fn single(&self, wanted: usize, watch: &mut Watch) -> Result<Option<usize>, Stop> {
        if wanted > self.line_size + self.own {
            return Ok(None);
        }
        let saved = |at: usize| self.own + self.line(at).iter().filter(|&&point| self.on[point as usize] == 1).count();
        for at in self.kept.ones() {
            if saved(at) >= wanted {
                return Ok(Some(at));
            }
            watch.steps(self.line_size)?;
        }
        Ok(None)
    }

    fn drop(&mut self, line: usize) {
        self.kept.remove(line);
        self.cards -= 1;
        self.used -= self.own;
        for &point in self.line(line) {
            self.on[point as usize] -= 1;
            self.used -= usize::from(self.on[point as usize] == 0);
        }
    }

    /// The cards that are kept, with symbols numbered anew.
    fn deck(&self) -> Vec<u32> {
        let mut name = vec![u32::MAX; self.on.len()];
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        let mut deck = Vec::with_capacity(self.cards * (self.line_size + self.own));
        for at in self.kept.ones() {
            for &point in self.line(at) {
                if name[point as usize] == u32::MAX {
                    name[point as usize] = fresh();
                }
                deck.push(name[point as usize]);
            }
            deck.extend((0..self.own).map(|_| fresh()));
        }
        deck
    }
}

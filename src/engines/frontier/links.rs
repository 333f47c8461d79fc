//! Which state leads to which, noted on the way forth: then the way back need not find that out again.
//!
//! A layer's links lie by shards of the layer after it, and in each by portions of the layer before: whoever follows those of a
//! portion reads one small region after the other, and writes where nobody else does.

use super::tables::{NOTHING, hands, shards_of};
use super::worker_pool::deal_out;
use crate::instance::Budget;
use crate::solution::Stop;

/// What is noted of a successor beside its state and value.
pub(super) trait Note: Copy + Send + Sync {
    /// Whether links are made of it.
    const IS_KEPT: bool;

    /// Of a successor of the state at this position in its portion, worth so much more than that.
    fn of(from: usize, gain: i64) -> Self;

    /// That the successor is at this position in its shard.
    fn link(self, to: u32) -> Link;
}

/// From a position in a portion of a layer to one in a shard of the next, with what that gains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    from: u16,
    to: u16,
    gain: i32,
}

/// States of a portion at most.
pub(super) const LONGEST_PORTION: usize = 1 << 16;

/// A gain that has no room in a link.
const TOO_LARGE: i32 = i32::MIN;

impl Note for () {
    const IS_KEPT: bool = false;

    fn of(_: usize, _: i64) -> Self {}

    fn link(self, to: u32) -> Link {
        Origin::of(0, 0).link(to)
    }
}

/// Where a successor comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    from: u16,
    gain: i32,
}

impl Note for Origin {
    const IS_KEPT: bool = true;

    #[inline(always)]
    fn of(from: usize, gain: i64) -> Self {
        debug_assert!(from < LONGEST_PORTION);
        Origin { from: from as u16, gain: i32::try_from(gain).unwrap_or(TOO_LARGE) }
    }

    #[inline(always)]
    fn link(self, to: u32) -> Link {
        let gain = if to < 1 << 16 { self.gain } else { TOO_LARGE };
        Link { from: self.from, to: to as u16, gain }
    }
}

/// The links into one shard.
#[derive(Debug, Default)]
pub(super) struct Inward {
    links: Vec<Link>,
    /// Where those from each portion end.
    ends: Vec<u32>,
    has_too_large: bool,
}

impl Inward {
    /// Those of one portion.
    pub(super) fn of(links: &[Link]) -> Self {
        let has_too_large = links.iter().any(|link| link.gain == TOO_LARGE);
        Inward { links: links.to_vec(), ends: vec![links.len() as u32], has_too_large }
    }

    pub(super) fn reserve(&mut self, links: usize) {
        self.links.reserve_exact(links);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, link: Link) {
        self.has_too_large |= link.gain == TOO_LARGE;
        self.links.push(link);
    }

    pub(super) fn end_portion(&mut self) {
        self.ends.push(self.links.len() as u32);
    }

    /// What completions add at most to the states of a portion, as far as these links tell.
    #[inline(always)]
    fn follow(&self, portion: usize, after: &[i64], rests: &mut [i64]) {
        let from = if portion == 0 { 0 } else { self.ends[portion - 1] };
        for link in &self.links[from as usize..self.ends[portion] as usize] {
            let rest = after[link.to as usize];
            if rest != NOTHING {
                let best = &mut rests[link.from as usize];
                *best = (rest + i64::from(link.gain)).max(*best);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>() + self.ends.capacity() * size_of::<u32>()
    }
}

/// Those of portions that were merged together.
#[derive(Debug)]
struct Round {
    /// Where the portions begin, rising.
    begins: Vec<usize>,
    shards: Vec<Inward>,
}

/// Those of a portion of a shard that went through the step by itself: all into the same shard of the next layer.
#[derive(Debug)]
pub(super) struct Stretch {
    /// Where the portion begins.
    pub(super) begin: usize,
    pub(super) shard: usize,
    pub(super) links: Inward,
}

/// All links of a step: of rounds, or else of stretches.
#[derive(Debug, Default)]
pub(super) struct Links {
    rounds: Vec<Round>,
    stretches: Vec<Stretch>,
    /// Positions from which the step completes a path, with what the path is worth.
    completed: Vec<(u32, i64)>,
}

impl Links {
    /// Takes up those into all shards from portions that begin there.
    pub(super) fn add(&mut self, begins: Vec<usize>, shards: Vec<Inward>) {
        self.rounds.push(Round { begins, shards });
    }

    /// Takes up those of all shards, each by itself, in order.
    pub(super) fn add_stretches(&mut self, stretches: Vec<Stretch>) {
        self.stretches = stretches;
    }

    pub(super) fn complete(&mut self, completed: &mut Vec<(u32, i64)>) {
        self.completed.append(completed);
    }

    /// Whether they say everything.
    pub(super) fn are_whole(&self) -> bool {
        let of_stretches = self.stretches.iter().map(|stretch| &stretch.links);
        !self.rounds.iter().flat_map(|round| &round.shards).chain(of_stretches).any(|inward| inward.has_too_large)
    }

    pub(super) fn bytes(&self) -> usize {
        let round = |round: &Round| round.begins.capacity() * 8 + round.shards.iter().map(Inward::bytes).sum::<usize>();
        let stretch = |stretch: &Stretch| size_of::<Stretch>() + stretch.links.bytes();
        let of_stretches: usize = self.stretches.iter().map(stretch).sum();
        self.rounds.iter().map(round).sum::<usize>() + of_stretches + self.completed.capacity() * 16
    }

    /// What completions add at most to the states of a layer with these values, or [`NOTHING`]: given the same of the layer after
    /// it, and where the shards of that begin.
    pub(super) fn follow(
        &self,
        value: impl Fn(usize) -> i64,
        after: &[i64],
        bounds: &[usize],
        budget: &Budget,
        rests: &mut [i64],
    ) -> Result<(), Stop> {
        for &(from, total) in &self.completed {
            let rest = &mut rests[from as usize];
            *rest = (total - value(from as usize)).max(*rest);
        }
        if after.is_empty() {
            // What the last step leads to is not completed any more.
            return Ok(());
        }
        let mut hands = hands(after.len(), budget, || ());
        for Round { begins, shards } in &self.rounds {
            deal_out(&mut portions_of(rests, begins.iter().copied()), &mut hands, |(), portion, rests| {
                for (inward, &region) in shards.iter().zip(bounds) {
                    inward.follow(portion, &after[region..], rests);
                    budget.spent().map_or(Ok(()), Err)?;
                }
                Ok(())
            })?;
        }
        let begins = self.stretches.iter().map(|stretch| stretch.begin);
        deal_out(&mut portions_of(rests, begins), &mut hands, |(), at, rests| {
            let Stretch { shard, links, .. } = &self.stretches[at];
            links.follow(0, &after[bounds[*shard]..], rests);
            budget.spent().map_or(Ok(()), Err)
        })
    }
}

/// The portions that begin there, rising, each up to where the next begins.
fn portions_of(rests: &mut [i64], begins: impl Iterator<Item = usize>) -> Vec<&mut [i64]> {
    let mut bounds: Vec<usize> = begins.collect();
    let Some(&first) = bounds.first() else { return Vec::new() };
    bounds.push(rests.len());
    shards_of(&mut rests[first..], &bounds)
}

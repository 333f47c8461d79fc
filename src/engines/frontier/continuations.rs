//! What may become of the signatures of a layer: for each, the ways through a step from which something is gained, as far as a
//! relaxation tells.
//!
//! Many exact states share a signature, and those of a shard come close together, so each signature is looked into when it comes
//! up first, and known from then on.

use std::cmp::Reverse;
use std::ops::Range;

use super::kernel::{Signature, scattered};
use super::tables::{Lookups, NOTHING, Table};

/// A way that a state of some signature may go.
#[derive(Clone, Copy)]
pub(super) struct Continuation {
    pub(super) way: u32,
    /// What that gains and all that comes after, at most.
    pub(super) rest: i64,
}

pub(super) struct Continuations {
    size: usize,
    /// By some bits of the hash of a signature, where it is if it was seen.
    index: Vec<u32>,
    /// None first, then those seen.
    seen: Vec<Seen>,
    /// Those of one signature after the other, the best of each first.
    all: Vec<Continuation>,
    /// So many of the seen are looked up; the ways of the others, with what these gain, and in the lookups where they lead.
    looked_up: usize,
    pending: Vec<Continuation>,
    lookups: Lookups,
}

struct Seen {
    signature: Signature,
    /// Whether a path may be completed.
    completes: bool,
    /// Where its continuations are, or those that are to be looked up.
    range: Range<u32>,
}

/// The size of an index for which all stays in the cache.
pub(super) const INDEX_SIZE: usize = 1 << 12;

impl Continuations {
    /// With an index of this size, a power of two; half as many signatures are known before all are forgotten.
    pub(super) fn new(size: usize) -> Self {
        Continuations {
            size,
            index: Vec::new(),
            seen: Vec::new(),
            looked_up: 0,
            all: Vec::new(),
            pending: Vec::new(),
            lookups: Lookups::default(),
        }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.index.clear();
        self.index.resize(self.size, 0);
        self.seen.clear();
        self.seen.push(Seen { signature: Signature::NONE, completes: false, range: 0..0 });
        self.looked_up = 1;
        self.all.clear();
    }

    /// Begins with some more signatures; those that are new are [looked up](Self::look_up) together.
    pub(super) fn begin(&mut self) {
        if self.seen.len() > self.size / 2 {
            self.clear();
        }
        self.pending.clear();
        self.lookups.signatures.clear();
    }

    /// Where a signature is. Of one that is new `ways` says whether a path may be completed, and tells of each way that goes on
    /// its number, what it gains, and where it leads.
    #[inline(always)]
    pub(super) fn place(
        &mut self,
        signature: Signature,
        ways: impl FnOnce(&mut dyn FnMut(u32, i64, Signature)) -> bool,
    ) -> u32 {
        // Those of a shard may have the high bits of their hash in common.
        let mixed = scattered(signature.packed());
        let at = (mixed ^ mixed >> 32) as usize & (self.index.len() - 1);
        let place = self.index[at];
        if self.seen[place as usize].signature == signature {
            return place;
        }
        let place = self.seen.len() as u32;
        self.index[at] = place;
        self.add(signature, ways);
        place
    }

    fn add(&mut self, signature: Signature, ways: impl FnOnce(&mut dyn FnMut(u32, i64, Signature)) -> bool) {
        let Continuations { seen, pending, lookups, .. } = self;
        let from = pending.len() as u32;
        let completes = ways(&mut |way, gain, to| {
            pending.push(Continuation { way, rest: gain });
            lookups.signatures.push(to);
        });
        seen.push(Seen { signature, completes, range: from..pending.len() as u32 });
    }

    /// Looks up what the table says of all that are new. Returns how many signatures that took.
    pub(super) fn look_up(&mut self, table: &Table) -> usize {
        let Continuations { seen, looked_up, all, pending, lookups, .. } = self;
        table.look_up(lookups);
        for seen in &mut seen[*looked_up..] {
            let from = all.len();
            let range = seen.range.start as usize..seen.range.end as usize;
            for (continuation, &rest) in pending[range.clone()].iter().zip(&lookups.rests[range]) {
                if rest != NOTHING {
                    all.push(Continuation { way: continuation.way, rest: continuation.rest + rest });
                }
            }
            all[from..].sort_unstable_by_key(|&Continuation { way, rest }| (Reverse(rest), way));
            seen.range = from as u32..all.len() as u32;
        }
        *looked_up = seen.len();
        pending.len()
    }

    /// Whether a state of the signature at this place may complete a path.
    #[inline(always)]
    pub(super) fn completes(&self, place: u32) -> bool {
        self.seen[place as usize].completes
    }

    /// The continuations of the signature at this place, the best first.
    #[inline(always)]
    pub(super) fn of(&self, place: u32) -> &[Continuation] {
        let Range { start, end } = self.seen[place as usize].range;
        &self.all[start as usize..end as usize]
    }
}

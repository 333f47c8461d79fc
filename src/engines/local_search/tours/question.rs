//! How long tours are made better, and what comes of that.

use super::{Chain, Nodes};
use crate::instance::{Budget, Instance};

/// Tours have this share of the work and time; a unit takes no longer than this, and so much work is done for each edge before
/// their best path is told first.
const PERCENT: u64 = 75;
const NANOSECONDS_A_UNIT: u64 = 10;
const SLICE_PER_EDGE: u64 = 20;

/// A path is asked for, from the start if there is one.
pub(in crate::engines::local_search) struct Question<'a> {
    pub(in crate::engines::local_search) instance: &'a Instance,
    pub(in crate::engines::local_search) start: Option<&'a [u32]>,
    /// No path is worth more.
    pub(in crate::engines::local_search) upper: i64,
    /// The work for this and what comes after.
    pub(in crate::engines::local_search) effort: u64,
    pub(in crate::engines::local_search) seed: u64,
}

/// The best path, if there was any, and what it took.
pub(in crate::engines::local_search) struct Toured {
    pub(in crate::engines::local_search) path: Option<Vec<u32>>,
    pub(in crate::engines::local_search) work: u64,
    pub(in crate::engines::local_search) steps: u64,
}

impl Question<'_> {
    /// Makes a tour better as long as its share allows and nobody else `is_first`, and tells what its best path is worth whenever it
    /// is worth more. `None` where there is no time for it.
    pub(in crate::engines::local_search) fn ask(
        &self,
        budget: &Budget,
        is_first: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(i64),
    ) -> Option<Toured> {
        let Question { instance, start, upper, effort, seed } = *self;
        let setup = Nodes::work(instance);
        let most = (effort / 100 * PERCENT).max(2 * setup);
        if setup > effort || !budget.has_time(setup * NANOSECONDS_A_UNIT) {
            return None;
        }
        let budget = budget.share(PERCENT as f64 / 100.0);
        let is_stopped = || is_first() || budget.spent().is_some();
        let nodes = Nodes::new(instance, &mut || is_stopped())?;
        let mut chain = Chain::new(&nodes, start, seed);
        let mut best: Option<(Vec<u32>, i64)> = None;
        let mut slice = instance.graph.edge_count() as u64 * SLICE_PER_EDGE;
        let mut is_over = false;
        while !is_over {
            let until = chain.work() + slice;
            slice = slice.saturating_mul(2);
            chain.run(&mut |work| {
                is_over = setup + work >= most || is_stopped();
                is_over || work >= until
            });
            if let Some((path, value)) = chain.best_path()
                && best.as_ref().is_none_or(|best| value > best.1)
            {
                tell(value);
                is_over |= value >= upper;
                best = Some((path, value));
            }
            // Where vertices must be missed, other moves know which.
            is_over |=
                chain.work() > setup && !Nodes::are_nearly_all_on(instance, best.as_ref().map_or(&[], |best| &best.0));
        }
        Some(Toured { path: best.map(|best| best.0), work: setup + chain.work(), steps: 1 + chain.kicks() })
    }
}

//! Searches for the same on a thread each.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::instance::Budget;
use crate::solution::Stop;

/// Does the first of these pieces of work on this thread and each other on one of its own. As soon as one is over, by what it
/// came to, the rest are [interrupted](Stop::Interrupted).
pub(super) fn at_once<T: Send, W>(
    works: impl IntoIterator<Item = W>,
    budget: &Budget,
    is_over: impl Fn(&T) -> bool + Sync,
) -> Vec<T>
where
    W: FnOnce(&mut dyn FnMut() -> Option<Stop>) -> T + Send,
{
    let ends_all = AtomicBool::new(false);
    let run = |work: W| {
        let halted = || ends_all.load(Ordering::Relaxed).then_some(Stop::Interrupted);
        let result = work(&mut || budget.spent().or_else(halted));
        ends_all.fetch_or(is_over(&result), Ordering::Relaxed);
        result
    };
    let mut works = works.into_iter();
    let Some(first) = works.next() else { return Vec::new() };
    let run = &run;
    std::thread::scope(|scope| {
        let others: Vec<_> = works.map(|work| scope.spawn(move || run(work))).collect();
        let first = run(first);
        let others = others.into_iter().map(|other| other.join().expect("a search does not panic"));
        std::iter::once(first).chain(others).collect()
    })
}

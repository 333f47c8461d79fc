//! Threads that share the work on one layer.
//!
//! A sweep is thousands of short regions of shared work, with less than a layer's work between them, and to wake a
//! thread takes longer than a small layer. So the whole sweep runs on one thread of a pool of its own, and whoever has
//! done its part of a region *attends* for a while: it looks for the next part before it falls asleep.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon_core::{ThreadPool, ThreadPoolBuilder, Yield};

use crate::instance::Budget;
use crate::solution::Stop;

/// The pool, once there is something to share.
pub(super) struct WorkerPool {
    threads: usize,
    pool: Option<ThreadPool>,
}

impl WorkerPool {
    /// Of so many threads at most.
    pub(super) fn new(threads: usize) -> Self {
        WorkerPool { threads, pool: None }
    }

    /// Does the work on a thread of the pool, so that its regions are shared with little delay.
    pub(super) fn run<R: Send>(&mut self, work: impl FnOnce() -> R + Send) -> R {
        if self.threads > 1 && self.pool.is_none() {
            self.pool = ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        }
        match &self.pool {
            Some(pool) => pool.install(work),
            // One thread, or the system has no more: then the work is done here.
            None => work(),
        }
    }
}

/// How many threads there are for a region: one where the work does not run on a crew.
pub(super) fn threads(budget: &Budget) -> usize {
    if rayon_core::current_thread_index().is_some() { budget.threads_now() } else { 1 }
}

/// Does the work for every item: the first here, the others wherever there is a thread.
pub(super) fn in_parallel<T: Send>(
    items: &mut [T],
    work: impl Fn(&mut T) -> Result<(), Stop> + Sync,
) -> Result<(), Stop> {
    let Some((first, others)) = items.split_first_mut() else {
        return Ok(());
    };
    if others.is_empty() {
        return work(first);
    }
    let mut results = vec![Ok(()); others.len()];
    let here = rayon_core::current_thread_index();
    let result = rayon_core::in_place_scope(|scope| {
        for (item, result) in others.iter_mut().zip(&mut results) {
            let work = &work;
            scope.spawn(move |_| {
                *result = work(item);
                if rayon_core::current_thread_index() != here {
                    rayon_core::spawn(move || attend(here));
                }
            });
        }
        work(first)
    });
    results.into_iter().fold(result, Result::and)
}

/// How long to attend: longer than most work between two regions, and not much longer than it takes to be woken.
const ATTENDANCE: Duration = Duration::from_micros(200);

/// Looks for the next part of the region that the thread of this index opens.
fn attend(opener: Option<usize>) {
    // The opener itself has better things to do.
    if rayon_core::current_thread_index() == opener {
        return;
    }
    let since = Instant::now();
    while since.elapsed() < ATTENDANCE {
        match rayon_core::yield_now() {
            // Whoever does a part attends after it.
            Some(Yield::Executed) | None => return,
            Some(Yield::Idle) => std::thread::yield_now(),
        }
    }
}

/// Does the work for all items with as many threads as there are hands to do it with, dealt out a handful at a time. It
/// is told which item it is at. Every hand begins with a part of its own, always the same, so that what a thread made in
/// one region it finds in its cache in the next; it helps with the others' parts when its own is done.
pub(super) fn deal_out<T: Send, W: Send>(
    items: &mut [T],
    hands: &mut [W],
    work: impl Fn(&mut W, usize, &mut T) -> Result<(), Stop> + Sync,
) -> Result<(), Stop> {
    const HANDFULS: usize = 8;
    let count = hands.len().min(items.len());
    if count < 2 {
        let hand = hands.first_mut();
        return hand
            .map_or(Ok(()), |hand| items.iter_mut().enumerate().try_for_each(|(index, item)| work(hand, index, item)));
    }
    let part = items.len().div_ceil(count);
    let handful = part.div_ceil(HANDFULS);
    let parts = items.chunks_mut(part).map(|part| Mutex::new(part.chunks_mut(handful).enumerate()));
    let parts: Vec<_> = parts.collect();
    let mut hands: Vec<_> = hands[..count].iter_mut().enumerate().collect();
    in_parallel(&mut hands, |(own, hand)| {
        for at in (*own..*own + count).map(|at| at % count).filter(|&at| at < parts.len()) {
            loop {
                let next = parts[at].lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, items)) = next else {
                    break;
                };
                for (offset, item) in items.iter_mut().enumerate() {
                    work(hand, at * part + number * handful + offset, item)?;
                }
            }
        }
        Ok(())
    })
}

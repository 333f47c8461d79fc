//! Threads that share the work on one layer.
//!
//! A sweep is thousands of short regions of shared work, with less than a layer's work between them, and to wake a
//! thread takes longer than a small layer. So the whole sweep runs on one thread of a pool of its own, and whoever has
//! done its part of a region *attends* for a while: it looks for the next part before it falls asleep.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon_core::{ThreadPool, ThreadPoolBuilder, Yield};

use crate::solution::Stop;

/// The pool, once there is something to share.
pub(super) struct Crew {
    threads: usize,
    pool: Option<ThreadPool>,
}

impl Crew {
    /// Of so many threads at most.
    pub(super) fn new(threads: usize) -> Self {
        Crew { threads, pool: None }
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

/// Does the work for all items, dealt out a handful at a time to as many threads as there are hands to do it with. It is
/// told which item it is at.
pub(super) fn deal_out<T: Send, W: Send>(
    items: &mut [T],
    hands: &mut [W],
    work: impl Fn(&mut W, usize, &mut T) -> Result<(), Stop> + Sync,
) -> Result<(), Stop> {
    const HANDFULS: usize = 8;
    let count = hands.len().min(items.len());
    let hands = &mut hands[..count];
    let size = items.len().div_ceil(HANDFULS * count.max(1)).max(1);
    let heap = Mutex::new(items.chunks_mut(size).enumerate());
    in_parallel(hands, |hand| {
        loop {
            let handful = heap.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((index, handful)) = handful else {
                return Ok(());
            };
            for (offset, item) in handful.iter_mut().enumerate() {
                work(hand, index * size + offset, item)?;
            }
        }
    })
}

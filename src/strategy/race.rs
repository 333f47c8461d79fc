//! Two engines at work on the same part at the same time.
//!
//! Each has a thread and limits of its own, and sees the other's best value and bound (see [`SharedBounds`]); whichever makes
//! them meet ends both. What they say goes through a channel to the thread that asked, so the log has one order and one
//! writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use super::scope::Log;
use crate::engine::Method;
use crate::instance::{Budget, Monitor, Outcome, SharedBounds};

/// How often limits are looked at for a segment of work that asks no clock but the flag that ends it.
const LOOK: Duration = Duration::from_millis(20);

/// The part of the memory that the second of two engines may hold, one in so many.
const SECOND_SHARE: usize = 4;

/// Runs both, the first with all threads but one and most of the memory, which gets the other's thread as well when that
/// comes to its end; each says with its outcome whether the other should stop too. What is `known` is a value below which
/// nothing matters, and a bound.
///
/// Of either outcome `upper` is proved where it is not below the better of both paths.
pub(super) fn run(
    budget: &Budget,
    known: (i64, i64),
    log: &mut dyn Log,
    first: impl FnOnce(Budget, &mut dyn Log) -> (Outcome, bool) + Send,
    second: impl FnOnce(Budget, &mut dyn Log) -> (Outcome, bool) + Send,
) -> [Outcome; 2] {
    let shared_bounds = Arc::new(SharedBounds::new(known.0, known.1));
    let halted = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let small = budget.memory / SECOND_SHARE;
    let most = budget.threads.saturating_sub(1).max(1);
    let budgets = [(most, budget.memory - small), (1, small)]
        .map(|(threads, memory)| budget.concurrent(&shared_bounds, &halted, threads, memory));
    let line = |sender| Line {
        method: Method::default(),
        most_states: 0,
        sender,
        shared_bounds: shared_bounds.clone(),
        halted: halted.clone(),
    };
    let lines = [line(sender.clone()), line(sender)];

    std::thread::scope(|scope| {
        let _end = EndOnPanic(&halted);
        let ([first_budget, second_budget], [first_line, second_line]) = (budgets, lines);
        let first = scope.spawn(|| take_part(first, first_budget, first_line));
        let second = scope.spawn(|| take_part(second, second_budget, second_line));
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(news) => news.tell(log),
                Err(RecvTimeoutError::Timeout) if budget.spent().is_some() => halted.store(true, Ordering::Relaxed),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        [first, second].map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn take_part(engine: impl FnOnce(Budget, &mut dyn Log) -> (Outcome, bool), budget: Budget, mut line: Line) -> Outcome {
    let _end = EndOnPanic(&line.halted.clone());
    let threads = budget.threads;
    let (outcome, is_over) = engine(budget, &mut line);
    if is_over {
        line.halted.store(true, Ordering::Relaxed);
    }
    line.shared_bounds.leave(threads);
    outcome
}

/// Silent should wait for an engine when another has failed.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// What an engine's thread says, and which engine it is.
enum News {
    Note(String),
    Incumbent(Method, i64),
    Bound(Method, i64),
    Layer(usize, usize),
    Swept(Vec<u32>),
}

impl News {
    fn tell(self, log: &mut dyn Log) {
        match self {
            News::Note(note) => log.note(note),
            News::Incumbent(method, value) => {
                log.works(method);
                log.incumbent(value);
            }
            News::Bound(method, upper) => {
                log.works(method);
                log.bound(upper);
            }
            News::Layer(states, bytes) => log.layer(states, bytes),
            News::Swept(order) => log.swept(&order),
        }
    }
}

/// The line from an engine's thread to the shared_bounds, and where something is new, to the log.
struct Line {
    method: Method,
    /// The states of the greatest layer told of.
    most_states: usize,
    sender: Sender<News>,
    shared_bounds: Arc<SharedBounds>,
    halted: Arc<AtomicBool>,
}

impl Line {
    fn send(&self, news: News) {
        // It fails only where the log has failed, which ends everything.
        let _ = self.sender.send(news);
        if self.shared_bounds.is_settled() {
            self.halted.store(true, Ordering::Relaxed);
        }
    }
}

impl Monitor for Line {
    fn incumbent(&mut self, value: i64) {
        if self.shared_bounds.raise(value) {
            self.send(News::Incumbent(self.method, value));
        }
    }

    fn bound(&mut self, upper: i64) {
        if self.shared_bounds.lower_to(upper) {
            self.send(News::Bound(self.method, upper));
        }
    }

    fn layer(&mut self, states: usize, bytes: usize) {
        if states > self.most_states {
            self.most_states = states;
            self.send(News::Layer(states, bytes));
        }
    }
}

impl Log for Line {
    fn works(&mut self, method: Method) {
        self.method = method;
    }

    fn note(&mut self, note: String) {
        self.send(News::Note(note));
    }

    fn swept(&mut self, order: &[u32]) {
        self.send(News::Swept(order.to_vec()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solution::Stop;

    struct Deaf;

    impl Monitor for Deaf {
        fn incumbent(&mut self, value: i64) {
            assert!(value < 7, "a value it can't bear");
        }

        fn bound(&mut self, _upper: i64) {}
    }

    impl Log for Deaf {
        fn works(&mut self, _method: Method) {}
        fn note(&mut self, _decision: String) {}
    }

    /// Works until it is told to stop.
    fn endless(budget: Budget, _log: &mut dyn Log) -> (Outcome, bool) {
        let stop = loop {
            if let Some(stop) = budget.spent() {
                break stop;
            }
            std::thread::yield_now();
        };
        (Outcome { stop: Some(stop), ..Outcome::nothing_above(0, 9) }, false)
    }

    fn finds(value: i64, bound: i64) -> impl FnOnce(Budget, &mut dyn Log) -> (Outcome, bool) + Send {
        move |_, log| {
            log.incumbent(value);
            log.bound(bound);
            (Outcome { best: Some((vec![0], value)), ..Outcome::nothing_above(0, bound) }, false)
        }
    }

    #[test]
    fn the_first_to_settle_ends_both() {
        let [one, other] = run(&Budget::unlimited(), (0, 9), &mut Deaf, endless, finds(5, 5));
        assert_eq!((one.stop, other.upper), (Some(Stop::Interrupted), 5));
    }

    #[test]
    fn value_and_bound_may_come_from_either() {
        let bounds = |budget: Budget, log: &mut dyn Log| {
            log.bound(4);
            endless(budget, log)
        };
        let [one, other] = run(&Budget::unlimited(), (0, 9), &mut Deaf, bounds, finds(4, 9));
        assert_eq!((one.stop, other.best.map(|best| best.1)), (Some(Stop::Interrupted), Some(4)));
    }

    #[test]
    fn threads_left_over_go_to_the_other() {
        let waits = |budget: Budget, _: &mut dyn Log| {
            while budget.threads_now() < 3 {
                std::thread::yield_now();
            }
            (Outcome::nothing_above(0, 9), false)
        };
        let mut budget = Budget::unlimited();
        (budget.threads, budget.memory) = (3, 100);
        let leaves = |budget: Budget, _: &mut dyn Log| {
            assert_eq!((budget.threads, budget.memory), (1, 25));
            (Outcome::nothing_above(0, 9), false)
        };
        let [one, _] = run(&budget, (0, 9), &mut Deaf, waits, leaves);
        assert_eq!(one.upper, 9);
    }

    #[test]
    fn the_greatest_layer_is_told() {
        #[derive(Default)]
        struct Ear(Vec<(usize, usize)>);
        impl Monitor for Ear {
            fn incumbent(&mut self, _value: i64) {}
            fn bound(&mut self, _upper: i64) {}
            fn layer(&mut self, states: usize, bytes: usize) {
                self.0.push((states, bytes));
            }
        }
        impl Log for Ear {
            fn works(&mut self, _method: Method) {}
            fn note(&mut self, _decision: String) {}
        }
        let layers = |_: Budget, log: &mut dyn Log| {
            [3, 2, 7, 7].into_iter().for_each(|states| log.layer(states, 16));
            (Outcome::nothing_above(0, 9), true)
        };
        let mut ear = Ear::default();
        run(&Budget::unlimited(), (0, 9), &mut ear, layers, endless);
        assert_eq!(ear.0, [(3, 16), (7, 16)]);
    }

    #[test]
    fn a_limit_ends_both() {
        let flag = Arc::new(AtomicBool::new(true));
        let mut budget = Budget::unlimited();
        budget.interrupt = Some(flag);
        let outcomes = run(&budget, (0, 9), &mut Deaf, endless, endless);
        assert!(outcomes.iter().all(|outcome| outcome.stop == Some(Stop::Interrupted)));
    }

    #[test]
    #[should_panic(expected = "a value it can't bear")]
    fn a_log_that_fails_ends_both() {
        run(&Budget::unlimited(), (0, 9), &mut Deaf, endless, finds(8, 9));
    }

    #[test]
    #[should_panic(expected = "an engine that fails")]
    fn an_engine_that_fails_ends_both() {
        run(&Budget::unlimited(), (0, 9), &mut Deaf, endless, |_, _| panic!("an engine that fails"));
    }
}

//! A run: its limits, what it knows so far, and who is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::disk::Disk;
use crate::engine::{Engine, Method};
use crate::instance::{Monitor, Outcome, SharedBounds};
use crate::limits::{Limits, Observer};
use crate::solution::{Progress, Stats, Stop};
use crate::terms::Basis;

/// The limits of a run, as an engine sees them.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
    /// Raised when the bound is as close to the incumbent as the caller wants it.
    close_enough: Arc<AtomicBool>,
    /// Bytes that the engine may hold at once.
    pub(crate) memory: usize,
    /// Where what finds no room there may wait.
    pub(crate) disk: Disk,
    pub(crate) threads: usize,
    /// Those of the engines beside this one too.
    all_threads: usize,
    pub(crate) seed: u64,
    /// What the engines beside this one know, where there are any.
    pub(crate) shared: Option<Arc<SharedBounds>>,
}

impl Budget {
    /// These limits, from this moment on.
    pub(crate) fn new(began: Instant, limits: &Limits) -> Self {
        Budget {
            deadline: limits.time.and_then(|limit| began.checked_add(limit)),
            interrupt: limits.interrupt.clone(),
            close_enough: Arc::default(),
            memory: limits.memory,
            disk: limits.disk(),
            threads: limits.threads,
            all_threads: limits.threads,
            seed: limits.seed,
            shared: None,
        }
    }

    /// No limits, one thread: for work that ends soon by itself.
    pub(crate) fn unlimited() -> Self {
        Budget::new(Instant::now(), &Limits { memory: usize::MAX, ..Limits::default() })
    }

    /// The same limits with only this share of the time that is left.
    pub(crate) fn share(&self, share: f64) -> Budget {
        let now = Instant::now();
        let deadline = self.deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(now);
            now + left.mul_f64(share.clamp(0.0, 1.0))
        });
        Budget { deadline, ..self.clone() }
    }

    /// The same limits, with no more time than to this moment.
    pub(crate) fn until(&self, end: Instant) -> Budget {
        Budget { deadline: Some(self.deadline.map_or(end, |deadline| deadline.min(end))), ..self.clone() }
    }

    /// The limits of an engine that works beside others: so many threads and bytes, and a flag that ends it.
    pub(crate) fn concurrent(
        &self,
        shared_bounds: &Arc<SharedBounds>,
        halted: &Arc<AtomicBool>,
        threads: usize,
        memory: usize,
    ) -> Budget {
        Budget { interrupt: Some(halted.clone()), shared: Some(shared_bounds.clone()), threads, memory, ..self.clone() }
    }

    /// The limits of work on one thread to which nothing matters that others know.
    pub(crate) fn alone(&self) -> Budget {
        Budget { shared: None, threads: 1, ..self.clone() }
    }

    /// Whether the run must end now, and why. Asks the clock: call it once in a few thousand steps.
    #[track_caller]
    pub(crate) fn spent(&self) -> Option<Stop> {
        #[cfg(test)]
        crate::looks::look();
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        if self.close_enough.load(Ordering::Relaxed) {
            return Some(Stop::Gap);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Stop::TimeLimit)
    }

    /// The time that is left, if it is limited.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The same limits, but so many nanoseconds kept of the time that is left, or this part of it if that is less.
    pub(crate) fn keeping(&self, nanoseconds: u64, part: u32) -> Budget {
        let now = Instant::now();
        let deadline = self.deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(now);
            deadline - Duration::from_nanos(nanoseconds).min(left / part)
        });
        Budget { deadline, ..self.clone() }
    }

    /// Whether there is time for work that takes so many nanoseconds at most and looks at no clock on its way.
    pub(crate) fn has_time(&self, nanoseconds: u64) -> bool {
        let time = Duration::from_nanos(nanoseconds);
        self.left().is_none_or(|left| left > time)
    }

    /// An engine beside this one holds a path of this value: only better ones matter.
    pub(crate) fn shared_lower(&self) -> i64 {
        self.shared.as_ref().map_or(i64::MIN, |shared_bounds| shared_bounds.lower())
    }

    /// Proved shared: no path is worth more than this, or than [`shared_lower`](Self::shared_lower).
    pub(crate) fn shared_upper(&self) -> i64 {
        self.shared.as_ref().map_or(i64::MAX, |shared_bounds| shared_bounds.upper())
    }

    /// As many threads as this engine may ever have.
    pub(crate) fn threads_ever(&self) -> usize {
        if self.shared.is_some() { self.all_threads } else { self.threads }.max(1)
    }

    /// The threads of this engine, with those that engines beside it have left over by now.
    pub(crate) fn threads_now(&self) -> usize {
        self.threads.max(1) + self.shared.as_ref().map_or(0, |shared_bounds| shared_bounds.free_threads())
    }
}

/// A graph of many parts would fill pages; the first decisions tell enough.
const MOST_DECISIONS: usize = 100;

/// When a run is over, other than by its limits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Goal {
    /// Stop as soon as the bound is at most this far above the incumbent.
    pub(crate) gap: u64,
    /// The same as a share of the bound.
    pub(crate) relative_gap: f64,
    /// Debugging: no incumbent may be above, and no bound below.
    pub(crate) known_optimum: Option<i64>,
    /// Stop as soon as there is a path of this value, or it is proved that there is none.
    pub(crate) enough: Option<i64>,
}

/// How the values that engines deal in go with what a path is worth to the caller: `factor · worth + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    pub(crate) factor: i64,
    pub(crate) offset: i64,
    /// What has a value below this is no answer.
    pub(crate) least: i64,
}

impl Scale {
    /// Values are what paths are worth.
    pub(crate) const PLAIN: Scale = Scale { factor: 1, offset: 0, least: i64::MIN };

    /// What a path of this value is worth, if it is an answer.
    pub(crate) fn worth(&self, value: i64) -> Option<i64> {
        (value >= self.least).then(|| (value - self.offset).div_euclid(self.factor))
    }

    /// What no answer is worth more than; `i64::MIN` if there is none.
    pub(crate) fn bound(&self, upper: i64) -> i64 {
        match upper {
            i64::MIN | i64::MAX => upper,
            _ => self.worth(upper).unwrap_or(i64::MIN),
        }
    }
}

/// The state of a run that all its parts and engines share.
pub(crate) struct Run<'a> {
    pub(crate) budget: Budget,
    began: Instant,
    observer: Option<Observer<'a>>,
    goal: Goal,
    incumbent: Option<i64>,
    scale: Scale,
    /// Proved for the whole question; `i64::MAX` before anything is, `i64::MIN` once it is clear that there is no path.
    upper_bound: i64,
    /// Whom the incumbent and the bound came from.
    found_by: Method,
    bounded_by: Method,
    stats: Stats,
    /// Vertex orders along which the frontier program has settled parts: for whoever writes a proof.
    orders: Vec<Vec<u32>>,
    /// Where programs stood that have settled the trails of the question's root; not asked for unless a proof is to be written.
    basis: Option<Basis>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(began: Instant, limits: &Limits, goal: Goal, observer: Option<Observer<'a>>) -> Self {
        let budget = Budget::new(began, limits);
        let (scale, stats) = (Scale::PLAIN, Stats::default());
        Run {
            budget,
            began,
            observer,
            goal,
            incumbent: None,
            scale,
            upper_bound: i64::MAX,
            found_by: Method::default(),
            bounded_by: Method::default(),
            stats,
            orders: Vec::new(),
            basis: None,
        }
    }

    /// A run of the same limits for a question on the way, of which nobody is told.
    pub(crate) fn aside(&self) -> Run<'static> {
        let goal = Goal::default();
        let mut aside = Run::new(self.began, &Limits::default(), goal, None);
        aside.budget = self.budget.clone();
        aside
    }

    /// Adds what such a run did to the record.
    pub(crate) fn absorb(&mut self, aside: Run<'_>) {
        self.spend(aside.stats.steps, aside.stats.peak_bytes);
        aside.stats.decisions.into_iter().for_each(|decision| self.note(decision));
    }

    /// What is heard from now on is measured like this.
    pub(crate) fn measure(&mut self, scale: Scale) {
        self.scale = scale;
    }

    /// What no path is worth more than, as has been told so far, in the values that engines deal in; `i64::MAX` if nothing has.
    pub(crate) fn proved(&self) -> i64 {
        let Scale { factor, offset, .. } = self.scale;
        match self.upper_bound {
            i64::MIN | i64::MAX => i64::MAX,
            worth => worth.saturating_mul(factor).saturating_add(offset).saturating_add(factor - 1),
        }
    }

    /// From here on this engine is at work; `why` goes to the decisions.
    pub(crate) fn enter(&mut self, method: impl Into<Method>, why: String) {
        self.at_work(method);
        self.note(why);
    }

    /// What is heard now comes from this engine.
    pub(crate) fn at_work(&mut self, method: impl Into<Method>) {
        let Method { engine, name } = method.into();
        (self.stats.engine, self.stats.method) = (engine, name);
    }

    fn method(&self) -> Method {
        Method::step(self.stats.engine, self.stats.method)
    }

    /// Adds a decision to the record.
    pub(crate) fn note(&mut self, decision: String) {
        if self.stats.decisions.len() < MOST_DECISIONS {
            self.stats.decisions.push(decision);
        }
    }

    /// The frontier program has settled a part along an order of its vertices.
    pub(crate) fn swept(&mut self, order: &[u32]) {
        self.orders.push(order.to_vec());
    }

    /// How many orders there are.
    pub(crate) fn order_count(&self) -> usize {
        self.orders.len()
    }

    /// The part behind the orders that came after so many has these vertices.
    pub(crate) fn rename_orders_after(&mut self, count: usize, vertices: &[u32]) {
        self.orders[count..].iter_mut().flatten().for_each(|vertex| *vertex = vertices[*vertex as usize]);
    }

    /// The orders of all parts, in the vertices of the whole.
    pub(crate) fn orders(&self) -> &[Vec<u32>] {
        &self.orders
    }

    /// A proof is to be written.
    pub(crate) fn note_basis(&mut self) {
        self.basis = Some(Basis::default());
    }

    /// What was noted of it.
    pub(crate) fn noted_basis(&self) -> Option<&Basis> {
        self.basis.as_ref()
    }

    /// Adds what an engine spent.
    pub(crate) fn account(&mut self, outcome: &Outcome) {
        self.spend(outcome.steps, outcome.peak_bytes);
    }

    pub(crate) fn spend(&mut self, steps: u64, peak_bytes: usize) {
        self.stats.steps += steps;
        self.stats.peak_bytes = self.stats.peak_bytes.max(peak_bytes);
    }

    pub(crate) fn into_stats(mut self) -> Stats {
        self.note_the_end();
        Stats { elapsed: self.began.elapsed(), ..self.stats }
    }

    /// Whose bound is the best.
    pub(crate) fn bounded_by(&self) -> Engine {
        self.bounded_by.engine
    }

    /// Where the chooser was at work, says whose path and whose bound settled the question, or how far they came.
    fn note_the_end(&mut self) {
        let chooser = Method::from(Engine::Auto);
        let chosen = self.stats.decisions.first().is_some_and(|decision| decision.starts_with(chooser.name));
        if !chosen || self.stats.decisions.len() >= MOST_DECISIONS {
            return;
        }
        let whose = |method: Method| if method == chooser { "auto's reductions and quick tries" } else { method.name };
        let (path, bound) = (whose(self.found_by), whose(self.bounded_by));
        let end = match (self.incumbent, self.upper_bound) {
            (None, i64::MIN) => format!("settled: there is no such path, by {bound}"),
            (None, i64::MAX) => return,
            (None, upper) => format!("left open: no path found; bound {upper} by {bound}"),
            (Some(length), i64::MAX) => format!("left open: length {length} by {path}; no bound"),
            (Some(length), upper) if length >= upper => {
                format!("settled: length {length} by {path} meets the bound by {bound}")
            }
            (Some(length), upper) => format!("left open: length {length} by {path}, bound {upper} by {bound}"),
        };
        self.stats.decisions.push(end);
    }

    fn improved(&mut self) {
        if let Some(enough) = self.goal.enough
            && (self.incumbent >= Some(enough) || self.upper_bound < enough)
        {
            self.budget.close_enough.store(true, Ordering::Relaxed);
        }
        let share = (self.goal.relative_gap * self.upper_bound.unsigned_abs() as f64) as u64;
        let gap = self.goal.gap.max(share);
        if let Some(incumbent) = self.incumbent
            && gap > 0
            && self.upper_bound.saturating_sub(incumbent) as u64 <= gap
        {
            self.budget.close_enough.store(true, Ordering::Relaxed);
        }
        if let Some(observer) = &mut self.observer {
            observer(&Progress {
                elapsed: self.began.elapsed(),
                incumbent: self.incumbent,
                upper_bound: (self.upper_bound != i64::MIN && self.upper_bound != i64::MAX).then_some(self.upper_bound),
                engine: self.stats.engine,
                method: self.stats.method,
            });
        }
    }
}

impl Monitor for Run<'_> {
    fn incumbent(&mut self, value: i64) {
        let Some(value) = self.scale.worth(value) else { return };
        if self.incumbent.is_none_or(|known| value > known) {
            if let Some(optimum) = self.goal.known_optimum {
                assert!(value <= optimum, "a path of length {value}, and the longest has {optimum}");
            }
            self.incumbent = Some(value);
            self.found_by = self.method();
            self.improved();
        }
    }

    fn bound(&mut self, upper: i64) {
        let upper = self.scale.bound(upper);
        if upper < self.upper_bound {
            if let Some(optimum) = self.goal.known_optimum {
                assert!(upper >= optimum, "'{}' bounds by {upper} what reaches {optimum}", self.stats.method);
            }
            self.upper_bound = upper;
            self.bounded_by = self.method();
            self.improved();
        }
    }

    fn layer(&mut self, states: usize, bytes: usize) {
        if states > self.stats.peak_states {
            (self.stats.peak_states, self.stats.state_bytes) = (states, bytes);
        }
    }

    fn basis(&mut self) -> Option<&mut Basis> {
        self.basis.as_mut()
    }
}

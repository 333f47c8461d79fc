//! Search of graphs that are not listed but told by a function: states, and the successors of each.
//!
//! | question | answered by |
//! |---|---|
//! | which states can be reached, in how many steps; a shortest way to a goal | [`Exploration::run`] |
//! | a shortest way to a goal that is far away, with an estimate of how far | [`Exploration::run_deepening`] |
//! | can one side force a goal, whatever the other does? | [`StateGraph::force`] |
//!
//! A state is any type that can be compared and hashed, or bytes, which are kept packed. A graph of petgraph will do, too.
//!
//! ```
//! use longhaul::explore::Exploration;
//!
//! // How to measure 2 with pails that hold 5 and 3.
//! let pour = |&(five, three): &(u32, u32), found: &mut longhaul::explore::Successors<'_, (u32, u32)>| {
//!     let (over, back) = (five.min(3 - three), three.min(5 - five));
//!     for state in [(5, three), (five, 3), (0, three), (five, 0), (five - over, three + over), (five + back, three - back)] {
//!         found.push(&state);
//!     }
//! };
//! let explored = Exploration::from_values([(0, 0)], pour).goal(|&(five, three)| five == 2 || three == 2).run();
//! let goal = explored.goals()[0];
//! assert_eq!(goal.depth, Some(2));
//! assert_eq!(explored.way_to(goal.nearest.unwrap()), [(0, 0), (5, 0), (2, 3)]);
//! ```

mod breadth_first;
mod forced;
mod graph;
mod hash;
mod pool;
mod shard;
mod state_graph;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::{Duration, Instant};

pub use breadth_first::{Layer, Listing, Successors};
pub use forced::{Forced, Strategy};
pub use graph::from_graph;
pub use pool::{Bytes, Pool, State, Values};
pub use state_graph::StateGraph;

use crate::limits::{Limits, budget_setters};
use crate::solution::Stop;
use shard::{SHARDS, Store};

/// Is told of every layer.
type Observer<'a> = Box<dyn FnMut(&Layer) + 'a>;

/// Which goal a state is, if it is one.
type Classify<'a, T> = Box<dyn Fn(&T) -> Option<usize> + Sync + 'a>;

/// How many steps it takes from a state to a goal, at least.
type Estimate<'a, T> = Box<dyn Fn(&T) -> usize + Sync + 'a>;

/// A breadth-first search, from first states through a function that lists the successors of a state.
///
/// The answer does not depend on the number of threads, nor does the way to a goal.
///
/// # Complexity
/// Time is linear in the states and transitions. A state of b packed bytes takes b + 8 bytes, 6.3 to 9.4 for the table that
/// finds it again, and an eighth of room to grow.
///
/// # Example
/// The doctest of the [module](self) asks for a shortest way; this one counts.
/// ```
/// use longhaul::explore::{End, Exploration};
///
/// // Words of up to three letters from two, packed.
/// let grow = |word: &[u8], found: &mut longhaul::explore::Successors<'_, [u8]>| {
///     for letter in *b"ab" {
///         found.push(&[word, &[letter]].concat());
///     }
/// };
/// let explored = Exploration::from_bytes([vec![]], grow).depth_limit(3).run();
/// assert_eq!(explored.states_by_depth(), [1, 2, 4, 8]);
/// assert_eq!((explored.transitions(), explored.end()), (14, End::Depth));
/// ```
pub struct Exploration<'a, T: State + ?Sized, F> {
    first: Vec<T::Owned>,
    successors: F,
    classify: Classify<'a, T>,
    goals: usize,
    until: Until,
    depth_limit: Option<usize>,
    state_limit: Option<u64>,
    bound: Option<(usize, Estimate<'a, T>)>,
    limits: Limits,
    observer: Option<Observer<'a>>,
}

/// Without the states and the functions.
impl<T: State + ?Sized, F> fmt::Debug for Exploration<'_, T, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Exploration").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a, S, F> Exploration<'a, S, F>
where
    S: State,
    F: Listing<S>,
{
    /// A search among values.
    pub fn from_values(first: impl IntoIterator<Item = S::Owned>, successors: F) -> Self {
        Self::new(first.into_iter().collect(), successors)
    }
}

impl<F> Exploration<'_, [u8], F>
where
    F: Listing<[u8]>,
{
    /// A search among states packed into bytes; not all need to be of one length.
    pub fn from_bytes(first: impl IntoIterator<Item = Vec<u8>>, successors: F) -> Self {
        Self::new(first.into_iter().collect(), successors)
    }
}

impl<'a, T, F> Exploration<'a, T, F>
where
    T: State + ?Sized,
    F: Listing<T>,
{
    fn new(first: Vec<T::Owned>, successors: F) -> Self {
        Exploration {
            first,
            successors,
            classify: Box::new(|_| None),
            goals: 0,
            until: Until::Never,
            depth_limit: None,
            state_limit: None,
            bound: None,
            limits: Limits::default(),
            observer: None,
        }
    }

    /// Ends when a state of this kind has been met, and its layer is complete.
    #[must_use]
    pub fn goal(self, is_goal: impl Fn(&T) -> bool + Sync + 'a) -> Self {
        self.goals(1, move |state| is_goal(state).then_some(0)).until(0)
    }

    /// Counts the states of some kinds, numbered from 0.
    ///
    /// # Panics
    /// The search panics if a state's kind is not below `count`.
    #[must_use]
    pub fn goals(mut self, count: usize, kind: impl Fn(&T) -> Option<usize> + Sync + 'a) -> Self {
        self.goals = count;
        self.classify = Box::new(kind);
        self
    }

    /// Ends when a state of this kind among the [`goals`](Self::goals) has been met, and its layer is complete.
    #[must_use]
    pub fn until(mut self, goal: usize) -> Self {
        self.until = Until::Met(goal);
        self
    }

    /// Ends when a state of each kind among the [`goals`](Self::goals) has been met, and its layer is complete.
    #[must_use]
    pub fn until_all(mut self) -> Self {
        self.until = Until::AllMet;
        self
    }

    /// Looks at states within so many steps only. \[default: all\]
    #[must_use]
    pub fn depth_limit(mut self, steps: usize) -> Self {
        self.depth_limit = Some(steps);
        self
    }

    /// Ends soon after so many states have been met. \[default: none\]
    #[must_use]
    pub fn state_limit(mut self, states: u64) -> Self {
        self.state_limit = Some(states);
        self
    }

    /// Leaves out every state from which a goal is too far: if its steps so far and those that `estimate` says it takes at
    /// least are more than `steps`. If the estimate never says too much, a nearest goal within `steps` is found all the same.
    #[must_use]
    pub fn bound(mut self, steps: usize, estimate: impl Fn(&T) -> usize + Sync + 'a) -> Self {
        self.bound = Some((steps, Box::new(estimate)));
        self
    }

    budget_setters!({ "" }, limits);

    /// How many threads to use, four at most. \[default: 1\] \[range: 1..\]
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.limits.threads = threads;
        self
    }

    /// Call this whenever a layer is complete. \[default: nobody is told\]
    #[must_use]
    pub fn on_progress(mut self, observer: impl FnMut(&Layer) + 'a) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Searches.
    pub fn run(self) -> Explored<T> {
        breadth_first::run(self).0
    }

    /// Searches for a nearest goal with greater and greater [bounds](Self::bound), beginning with `least`: each is the least
    /// that lets in more than the one before. The answer is that of the last search; and of how many steps it is proved that
    /// no goal is nearer.
    ///
    /// This is breadth-first heuristic search (Rong Zhou, Eric A. Hansen, *Breadth-first heuristic search*, Artificial
    /// Intelligence 170, 2006, DOI 10.1016/j.artint.2005.12.002) with iterative deepening of the bound (Richard E. Korf,
    /// *Depth-first iterative-deepening*, Artificial Intelligence 27, 1985, DOI 10.1016/0004-3702(85)90084-0).
    pub fn run_deepening(mut self, least: usize, estimate: impl Fn(&T) -> usize + Sync + 'a) -> (Explored<T>, usize) {
        let began = Instant::now();
        let limit = self.limits.time;
        self = self.bound(least, estimate);
        let mut proved = least;
        loop {
            self.limits.time = limit.map(|limit| limit.saturating_sub(began.elapsed()));
            let (explored, question) = breadth_first::run(self);
            self = question;
            let End::Bound(next) = explored.end() else {
                return (explored, proved);
            };
            proved = next;
            if let Some((bound, _)) = &mut self.bound {
                *bound = next;
            }
        }
    }
}

/// When a search has met what it looks for.
#[derive(Clone, Copy)]
enum Until {
    Never,
    Met(usize),
    AllMet,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Every state that can be reached has been met, and all its successors.
    Complete,
    /// What was searched for has been met.
    Goal,
    /// Every state within the [depth limit](Exploration::depth_limit) has been met, and there may be others.
    Depth,
    /// Every state within the [bound](Exploration::bound) has been met, and there may be others: by the estimate, a goal is
    /// that many steps away or more.
    Bound(usize),
    /// The [state limit](Exploration::state_limit) is reached.
    States,
    /// A limit is spent.
    Spent(Stop),
}

/// The states of one kind that have been met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// How many.
    pub count: u64,
    /// How many steps the nearest is away from the first states.
    pub depth: Option<usize>,
    /// A nearest one, for [`Explored::way_to`].
    pub nearest: Option<u32>,
}

/// What a search has met.
pub struct Explored<T: State + ?Sized> {
    store: Store<T>,
    states_by_depth: Vec<u64>,
    transitions: u64,
    goals: Vec<Goal>,
    end: End,
    elapsed: Duration,
    peak_bytes: usize,
    /// In each part, how many states have had their successors listed.
    expanded: [usize; SHARDS],
}

/// Without the states.
impl<T: State + ?Sized> fmt::Debug for Explored<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = formatter.debug_struct("Explored");
        told.field("states_by_depth", &self.states_by_depth).field("end", &self.end).finish_non_exhaustive()
    }
}

impl<T: State + ?Sized> Explored<T> {
    fn new(goals: usize) -> Self {
        Explored {
            store: Store::default(),
            states_by_depth: Vec::new(),
            transitions: 0,
            goals: vec![Goal::default(); goals],
            end: End::Complete,
            elapsed: Duration::ZERO,
            peak_bytes: 0,
            expanded: [0; SHARDS],
        }
    }

    /// Why the search ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// How many states there are at each number of steps from the first ones, as far as the layers are complete: what is said
    /// of all these states is proved.
    pub fn states_by_depth(&self) -> &[u64] {
        &self.states_by_depth
    }

    /// How many states have been met, those of a layer that is not complete among them.
    pub fn states(&self) -> u64 {
        self.store.len() as u64
    }

    /// How many successors have been listed.
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// What has been met of each kind of state asked for.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// A shortest way from a first state to this one, both among the states.
    ///
    /// # Panics
    /// If the number is none that this search has given.
    pub fn way_to(&self, state: u32) -> Vec<T::Owned> {
        self.store.path_to(state)
    }

    /// The number of a state, if it has been met.
    pub fn find(&self, state: &T) -> Option<u32> {
        self.store.find(state)
    }

    /// How long it took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The memory that the states take, their parents and the table that finds them among it, in bytes.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// The most memory that the search held at once, in bytes.
    pub fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }
}

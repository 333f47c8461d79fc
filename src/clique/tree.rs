//! Branch and bound over a graph of bit rows.
//!
//! A node of the tree is a clique with the candidates adjacent to all of it. Its branching vertices are tried one after another,
//! the last of the order first; each is then no candidate any more for those after it. Two or more threads take nodes of the
//! first levels from a common queue; whoever has work left gives some of it away as soon as another has none.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::bits;
use super::bounding::Bounding;
use super::dense::Dense;
use crate::limits::Meter;
use crate::solution::Stop;

/// What all threads of a search share: the best clique, and whether to go on.
pub(super) struct Shared {
    pub(super) meter: Meter,
    best: AtomicI64,
    /// A clique of this weight ends the search.
    enough: i64,
    /// Vertices of the graph that the search began with.
    clique: Mutex<Vec<u32>>,
    stopped: AtomicBool,
    stop: Mutex<Option<Stop>>,
    pub(super) steps: AtomicU64,
}

impl Shared {
    /// Only cliques heavier than `floor` count.
    pub(super) fn new(meter: Meter, floor: i64, enough: i64) -> Self {
        Shared {
            meter,
            best: AtomicI64::new(floor),
            enough,
            clique: Mutex::default(),
            stopped: AtomicBool::new(false),
            stop: Mutex::default(),
            steps: AtomicU64::new(0),
        }
    }

    /// The weight that a clique must exceed.
    pub(super) fn best(&self) -> i64 {
        self.best.load(Ordering::Relaxed)
    }

    /// The best clique told so far; empty if there is none.
    pub(super) fn clique(&self) -> Vec<u32> {
        self.clique.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn has_clique(&self) -> bool {
        !self.clique.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Keeps a clique if it is the best.
    pub(super) fn offer(&self, weight: i64, clique: impl FnOnce() -> Vec<u32>) {
        let mut kept = self.clique.lock().unwrap_or_else(PoisonError::into_inner);
        if weight > self.best() {
            *kept = clique();
            self.best.store(weight, Ordering::Relaxed);
            if weight >= self.enough {
                self.end(Stop::Gap);
            }
        }
    }

    /// Whether the search must end; asks the clock.
    pub(super) fn spent(&self) -> bool {
        if self.is_stopped() {
            return true;
        }
        match self.meter.spent() {
            Some(stop) => {
                self.end(stop);
                true
            }
            None => false,
        }
    }

    pub(super) fn end(&self, reason: Stop) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// While this lives, a panic ends the search of all threads: nobody waits for what the panicking one would have done.
    pub(super) fn end_on_panic(&self) -> EndOnPanic<'_> {
        EndOnPanic(self)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    pub(super) fn stop(&self) -> Option<Stop> {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct EndOnPanic<'a>(&'a Shared);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Stop::Interrupted);
        }
    }
}

/// A node of the tree.
pub(super) struct Node {
    /// Vertices of the outer graph in the clique already, and their weight.
    pub(super) clique: Vec<u32>,
    pub(super) weight: i64,
    pub(super) candidates: Vec<u64>,
}

/// One level of the way from the root to where the search is.
#[derive(Default)]
struct Level {
    candidates: Vec<u64>,
    /// What is left to branch on, the next last.
    branching: Vec<u32>,
}

/// Down to this level nodes may be given away.
const SPLIT_LEVELS: usize = 3;

/// One thread's search.
pub(super) struct Search<'a> {
    dense: &'a Dense,
    shared: &'a Shared,
    bounding: Bounding,
    levels: Vec<Level>,
    /// The vertices taken since the node that the search began at.
    taken: Vec<u32>,
    /// The weight of the whole clique.
    weight: i64,
    /// How much work the clock was asked at last.
    looked: u64,
    steps: u64,
    /// Those of them that all know of.
    told: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(dense: &'a Dense, shared: &'a Shared) -> Self {
        Search {
            dense,
            shared,
            bounding: Bounding::new(dense),
            levels: Vec::new(),
            taken: Vec::new(),
            weight: 0,
            looked: 0,
            steps: 0,
            told: 0,
        }
    }

    /// Searches everything below `node`, handing nodes of the first levels to `pool` while that has idle threads. `heard` is
    /// called whenever the clock is.
    pub(super) fn run(&mut self, node: &Node, pool: Option<&Pool>, heard: &mut dyn FnMut()) {
        self.taken.clear();
        self.weight = node.weight;
        if bits::is_empty(&node.candidates) {
            self.offer(node);
            return;
        }
        self.reach(0);
        self.levels[0].candidates.copy_from_slice(&node.candidates);
        let mut goes_on = self.bound(0);
        while goes_on && !self.look(heard) {
            let depth = self.taken.len();
            let Some(vertex) = self.levels[depth].branching.pop() else {
                goes_on = self.untake();
                continue;
            };
            self.steps += 1;
            self.take(vertex);
            if bits::is_empty(&self.levels[depth + 1].candidates) {
                self.offer(node);
                self.untake();
            } else if let Some(pool) = pool
                && depth < SPLIT_LEVELS
                && pool.has_idle()
            {
                pool.put(Node {
                    clique: self.clique(node),
                    weight: self.weight,
                    candidates: self.levels[depth + 1].candidates.clone(),
                });
                self.untake();
            } else if !self.bound(depth + 1) {
                self.untake();
            }
        }
        self.shared.steps.fetch_add(self.steps - self.told, Ordering::Relaxed);
        self.told = self.steps;
    }

    /// Makes room for the level.
    fn reach(&mut self, depth: usize) {
        if self.levels.len() <= depth {
            let words = self.dense.words;
            self.levels.push(Level { candidates: vec![0; words], branching: Vec::new() });
        }
    }

    /// Takes a candidate of the deepest level into the clique, and from the candidates there.
    fn take(&mut self, vertex: u32) {
        let depth = self.taken.len();
        self.reach(depth + 1);
        let (above, below) = self.levels.split_at_mut(depth + 1);
        let from = &mut above[depth].candidates;
        bits::remove(from, vertex as usize);
        bits::intersect_into(&mut below[0].candidates, from, self.dense.row(vertex as usize));
        self.weight += self.dense.weight(vertex as usize);
        self.taken.push(vertex);
    }

    /// Takes the last vertex back; `false` if there is none.
    fn untake(&mut self) -> bool {
        let vertex = self.taken.pop();
        self.weight -= vertex.map_or(0, |vertex| self.dense.weight(vertex as usize));
        vertex.is_some()
    }

    /// Finds what to branch on at this level; `false` if nothing below it beats the incumbent.
    fn bound(&mut self, depth: usize) -> bool {
        let budget = self.shared.best() - self.weight;
        let shared = self.shared;
        let mut looked = self.bounding.work;
        let mut hurry = |work: u64| {
            if work - looked >= WORK_PER_LOOK {
                looked = work;
                shared.spent();
            }
            shared.is_stopped()
        };
        let level = &mut self.levels[depth];
        level.branching.clear();
        self.bounding.branching(self.dense, &level.candidates, budget, &mut level.branching, &mut hurry);
        !level.branching.is_empty()
    }

    /// Whether the search must end.
    fn look(&mut self, heard: &mut dyn FnMut()) -> bool {
        if self.bounding.work + self.steps - self.looked >= WORK_PER_LOOK {
            self.looked = self.bounding.work + self.steps;
            heard();
            return self.shared.spent();
        }
        self.shared.is_stopped()
    }

    fn clique(&self, node: &Node) -> Vec<u32> {
        let taken = self.taken.iter().map(|&vertex| self.dense.outer[vertex as usize]);
        node.clique.iter().copied().chain(taken).collect()
    }

    fn offer(&self, node: &Node) {
        if self.weight > self.shared.best() {
            self.shared.offer(self.weight, || self.clique(node));
        }
    }
}

/// So many words are looked at in about a millisecond.
const WORK_PER_LOOK: u64 = 1 << 20;

/// A thread that has waited for so long looks at the limits, and hands on what it has heard from the others.
const LONG_WAIT: Duration = Duration::from_millis(5);

/// Nodes that wait for a thread.
pub(super) struct Pool {
    queue: Mutex<Queue>,
    arrival: Condvar,
    idle: AtomicUsize,
}

struct Queue {
    nodes: VecDeque<Node>,
    /// Threads that have a node, and may put more.
    busy: usize,
}

impl Pool {
    pub(super) fn new(root: Node) -> Self {
        let queue = Queue { nodes: VecDeque::from([root]), busy: 0 };
        Pool { queue: Mutex::new(queue), arrival: Condvar::new(), idle: AtomicUsize::new(0) }
    }

    fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    fn put(&self, node: Node) {
        self.lock().nodes.push_back(node);
        self.arrival.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next node, or `None` once there is none and no thread is left that could put one, or `ended` says so, which
    /// is asked whenever a wait gets long.
    fn next(&self, had_one: bool, mut ended: impl FnMut() -> bool) -> Option<Node> {
        let mut queue = self.lock();
        queue.busy -= usize::from(had_one);
        loop {
            if let Some(node) = queue.nodes.pop_front() {
                queue.busy += 1;
                return Some(node);
            }
            if queue.busy == 0 {
                self.arrival.notify_all();
                return None;
            }
            self.idle.fetch_add(1, Ordering::Relaxed);
            let (after, wait) = self.arrival.wait_timeout(queue, LONG_WAIT).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Ordering::Relaxed);
            queue = after;
            if wait.timed_out() && queue.nodes.is_empty() {
                drop(queue);
                if ended() {
                    return None;
                }
                queue = self.lock();
            }
        }
    }

    /// Works on nodes until there are none.
    pub(super) fn work(&self, search: &mut Search<'_>, heard: &mut dyn FnMut()) {
        let _ends = search.shared.end_on_panic();
        let mut leaving = Leaving { pool: self, has_node: false };
        loop {
            let had_one = std::mem::take(&mut leaving.has_node);
            let next = self.next(had_one, || {
                heard();
                search.shared.spent()
            });
            let Some(node) = next else { break };
            leaving.has_node = true;
            search.run(&node, Some(self), heard);
        }
    }
}

/// A thread whose panic in the middle of a node must not leave the others waiting for nodes of it.
struct Leaving<'a> {
    pool: &'a Pool,
    has_node: bool,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if self.has_node {
            self.pool.lock().busy -= 1;
            self.pool.arrival.notify_all();
        }
    }
}

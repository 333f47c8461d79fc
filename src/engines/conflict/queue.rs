//! Which variable to decide next: the one that took part in most conflicts lately.
//!
//! Activities that grow by a growing step (VSIDS), after Chaff (see [`clauses`](super::clauses)), in a binary heap. A long search
//! looks further back: the step grows more slowly then, as in G. Audemard, L. Simon, *Glucose 2.3 in the SAT 2013 competition*.
//! So does one whose clauses join most levels there are: nothing it learns is of one place only.

use super::literal::Var;

/// How much a conflict long ago counts: each counts so much less than the next.
const DECAY: f64 = 0.95;

/// Where clauses join most levels it is no less than this.
const DECAY_WHERE_DENSE: f64 = 0.985;

/// After so many conflicts that rises, by so much every so often, up to the last value.
const LONG: u64 = 30_000;
const PERIOD: u64 = 1000;
const RISE: f64 = 0.005;
const LAST_DECAY: f64 = 0.98;

/// The open variables by activity.
#[derive(Debug, Default)]
pub(super) struct Queue {
    activity: Vec<f64>,
    step: f64,
    decay: f64,
    conflicts: u64,
    heap: Vec<Var>,
    /// Where each variable stands in the heap, or [`OUT`].
    place: Vec<u32>,
}

const OUT: u32 = u32::MAX;

impl Queue {
    /// The variables that are used, with these first activities.
    pub(super) fn new(activity: Vec<f64>, is_used: impl Fn(Var) -> bool) -> Self {
        let vars = activity.len();
        let mut queue = Queue {
            activity,
            step: 1.0,
            decay: DECAY,
            conflicts: 0,
            heap: Vec::with_capacity(vars),
            place: vec![OUT; vars],
        };
        (0..vars as Var).filter(|&var| is_used(var)).for_each(|var| queue.insert(var));
        queue
    }

    /// A new variable, which is never decided by this queue.
    pub(super) fn add_var(&mut self) {
        self.activity.push(0.0);
        self.place.push(OUT);
    }

    /// Puts a variable (back) into the queue.
    pub(super) fn insert(&mut self, var: Var) {
        if self.place[var as usize] == OUT {
            self.place[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the most active variable out.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        self.place[top as usize] = OUT;
        let last = self.heap.pop()?;
        if last != top {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.sink(0);
        }
        Some(top)
    }

    /// The most active variable, which stays in.
    pub(super) fn first(&self) -> Option<Var> {
        self.heap.first().copied()
    }

    pub(super) fn activity(&self, var: Var) -> f64 {
        self.activity[var as usize]
    }

    /// The variable took part in a conflict.
    pub(super) fn bump(&mut self, var: Var) {
        self.activity[var as usize] += self.step;
        if self.activity[var as usize] > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.step *= 1e-100;
        }
        let place = self.place[var as usize];
        if place != OUT {
            self.rise(place as usize);
        }
    }

    /// Conflicts so far count less from now on; `is_dense` says whether clauses join most levels.
    pub(super) fn decay(&mut self, is_dense: bool) {
        self.conflicts += 1;
        if self.conflicts > LONG && self.conflicts.is_multiple_of(PERIOD) {
            self.decay = (self.decay + RISE).min(LAST_DECAY);
        }
        self.step /= if is_dense { self.decay.max(DECAY_WHERE_DENSE) } else { self.decay };
    }

    fn rise(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.activity[self.heap[parent] as usize] >= self.activity[var as usize] {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, var);
    }

    fn sink(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len()
                && self.activity[self.heap[child + 1] as usize] > self.activity[self.heap[child] as usize]
            {
                child += 1;
            }
            if self.activity[self.heap[child] as usize] <= self.activity[var as usize] {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, var);
    }

    fn put(&mut self, place: usize, var: Var) {
        self.heap[place] = var;
        self.place[var as usize] = place as u32;
    }
}

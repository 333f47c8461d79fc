//! The step `sweep`: dynamic programming over the frontier of a vertex order, with a purse.
//!
//! A combination of rows says `scale · value ≤ constant + Σ gain[c] · x[c]`, and its greatest right-hand side within the ranges is
//! its bound. Each decision about a column that is not the better one *loses* some of the bound: using a column of negative gain,
//! or leaving one of positive gain unused. So for every path `scale · value ≤ bound − losses`, and one worth more than the
//! target loses no more than the *purse*, `bound − needed`. The sweep goes through all that paths may do within it; if no path
//! that comes to its end is worth more than the target, none is.
//!
//! Vertices are placed one after the other; an edge is decided when its second vertex is placed, and a vertex *leaves* the
//! frontier when all its edges are decided. What the decisions to come depend on is the *state*: for every vertex of the
//! frontier whether it is untouched, full (it has two edges, or one where it is an end), or the open end of a stretch, and then
//! where the stretch's other end is; and which ends the path has. Two ways to one state have the same completions, with the
//! same losses and gains to come, so of each state the least loss and the greatest value are kept, be they those of different
//! ways: a path worth more than the target is never lost, and the values at the end are those of paths. (The states are the mate
//! arrays of D. E. Knuth, *The Art of Computer Programming* 4A, 7.1.4, "Simpath".)
//!
//! Each step tries everything that a path may do there: nothing is dropped but what is no path (a cycle beside the path, three
//! edges at a vertex, an end where none may be, two paths) and what is beyond the purse.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::Limits;
use crate::model::{Combination, Model, Range};

/// Thirty slots of six bits, ten a word, and flags above those of the last word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State([u64; 3]);

const SLOTS: usize = 30;
/// What a slot holds: nothing or a vertex without edges; one that takes no more; the open end of a stretch whose other end is the
/// start, or the finish, of the path; or [`OPEN`] plus twice the slot of the other end, plus one where directed and an arc into
/// this end is wanted.
const UNTOUCHED: u64 = 0;
const FULL: u64 = 1;
const FROM_START: u64 = 2;
const TO_FINISH: u64 = 3;
const OPEN: u64 = 4;
/// The path has its start (one tip), its finish (two tips); all of the path is there.
const HAS_START: u64 = 1 << 60;
const HAS_FINISH: u64 = 1 << 61;
const DONE: u64 = 1 << 62;

impl State {
    #[inline]
    fn get(self, slot: usize) -> u64 {
        self.0[slot / 10] >> (6 * (slot % 10)) & 63
    }

    #[inline]
    fn set(&mut self, slot: usize, symbol: u64) {
        let (word, shift) = (slot / 10, 6 * (slot % 10));
        self.0[word] = self.0[word] & !(63 << shift) | symbol << shift;
    }

    fn has(self, flags: u64) -> bool {
        self.0[2] & flags == flags
    }

    /// The path is complete, which it is only if nothing else is open.
    fn completed(mut self, slots: usize) -> Option<State> {
        self.0[2] |= HAS_START | HAS_FINISH | DONE;
        (0..slots).all(|slot| self.get(slot) <= FULL).then_some(self)
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c] = self.0;
        let mixed = (a ^ b.rotate_left(21) ^ c.rotate_left(43)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29 ^ b).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state.write_u64((mixed ^ mixed >> 32 ^ c).wrapping_mul(0x94d0_49bb_1331_11eb));
    }
}

/// States hash themselves.
#[derive(Default)]
struct Passed(u64);

impl Hasher for Passed {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// What is known of the ways to a state: what they lost at least, and are worth at most.
#[derive(Clone, Copy)]
struct Way {
    loss: u64,
    value: i64,
}

type Layer = HashMap<State, Way, BuildHasherDefault<Passed>>;

/// What each place for an entry of a layer takes, about.
const ENTRY_BYTES: usize = 46;
/// Purses are below this, and so are sums of a few losses.
const MOST_PURSE: i128 = 1 << 60;

/// A decision at a step.
enum Op {
    Place { slot: usize, vertex: u32 },
    Edge { from: usize, to: usize, edge: u32, visits: [u32; 2] },
    Leave { slot: usize, vertex: u32 },
}

struct Sweep<'a> {
    model: &'a Model,
    /// What each column is worth.
    worth: Vec<i64>,
    /// What is lost by using each column, and by not using it.
    take: Vec<u64>,
    skip: Vec<u64>,
    purse: u64,
    /// Vertices that are the start, or the finish, of every path within the ranges.
    is_start: Vec<bool>,
    is_finish: Vec<bool>,
    slots: usize,
}

/// What a sweep cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// States made in all.
    pub states: u64,
    /// The most in one layer.
    pub peak: usize,
}

/// Sweeps. `Ok` if nothing survives.
pub(crate) fn sweep(
    model: &Model,
    ranges: &[Range],
    sum: &Combination,
    target: Option<i64>,
    order: &[u32],
    limits: &Limits<'_>,
    cost: &mut Cost,
) -> Result<(), String> {
    let purse = sum.bound(ranges) - sum.needed(target)?;
    if purse < 0 {
        return Ok(());
    }
    if purse >= MOST_PURSE {
        return Err("sweep: the multipliers leave a purse beyond 2^60".to_owned());
    }
    let purse = purse as u64;
    // A loss beyond the purse is as good as any.
    let loss = |loss: i128| u64::try_from(loss).map_or(purse + 1, |loss| loss.min(purse + 1));
    let (mut take, mut skip) = (Vec::new(), Vec::new());
    for (&gain, range) in sum.gains.iter().zip(ranges) {
        take.push(if *range == Range::Zero { purse + 1 } else { loss((-gain).max(0)) });
        skip.push(match range {
            Range::Zero => 0,
            Range::One | Range::Empty => purse + 1,
            Range::Free => loss(gain.max(0)),
        });
        if *range == Range::One {
            *take.last_mut().expect("just pushed") = 0;
        }
    }
    let mut worth: Vec<i64> = model.graph.edges.iter().map(|edge| edge.2).collect();
    worth.resize(model.graph.edges.len() + model.graph.n, 0);
    worth.extend(model.first.iter().chain(&model.last).map(|prize| prize.unwrap_or(0)));
    if worth.iter().map(|&worth| u128::from(worth.unsigned_abs())).sum::<u128>() > 1 << 62 {
        return Err("sweep: the weights add up to more than 2^62".to_owned());
    }
    let mut sweep = Sweep { model, worth, take, skip, purse, is_start: Vec::new(), is_finish: Vec::new(), slots: 0 };
    let tips = if model.alike { 2 } else { 1 };
    sweep.is_start = sweep.forced(ranges, |vertex| model.start(vertex), tips);
    sweep.is_finish = sweep.forced(ranges, |vertex| model.finish(vertex), 1);
    let steps = sweep.plan(ranges, order)?;
    sweep.run(ranges, &steps, target, limits, cost)
}

impl Sweep<'_> {
    /// The vertices whose end column every path uses: they are fixed, or no more are left than paths need.
    fn forced(&self, ranges: &[Range], column: impl Fn(u32) -> u32, needs: usize) -> Vec<bool> {
        let range = |vertex: u32| ranges[column(vertex) as usize];
        let all = 0..self.model.graph.n as u32;
        let left = all.clone().filter(|&vertex| range(vertex) != Range::Zero).count();
        all.map(|vertex| range(vertex) == Range::One || (range(vertex) == Range::Free && left == needs)).collect()
    }

    /// The decisions of each step. Edges that no path uses are none; vertices that none visits need not be placed.
    fn plan(&mut self, ranges: &[Range], order: &[u32]) -> Result<Vec<Vec<Op>>, String> {
        let model = self.model;
        let mut rank = vec![usize::MAX; model.graph.n];
        for (position, &vertex) in order.iter().enumerate() {
            if std::mem::replace(&mut rank[vertex as usize], position) != usize::MAX {
                return Err(format!("sweep: the order has the vertex {} twice", vertex + 1));
            }
        }
        let is_visited = |vertex: u32| ranges[model.visit(vertex) as usize] != Range::Zero;
        if let Some(vertex) =
            (0..model.graph.n as u32).find(|&vertex| is_visited(vertex) && rank[vertex as usize] == usize::MAX)
        {
            return Err(format!("sweep: the order lacks the vertex {}", vertex + 1));
        }
        let usable =
            |&&(other, edge): &&(u32, u32)| ranges[edge as usize] != Range::Zero && rank[other as usize] != usize::MAX;
        let degree = |vertex: u32| model.graph.around[vertex as usize].iter().filter(usable).count();
        let mut undecided: Vec<usize> = (0..model.graph.n as u32).map(degree).collect();
        let mut slot_of = vec![usize::MAX; model.graph.n];
        let mut free: Vec<usize> = (0..SLOTS).rev().collect();
        let mut steps = Vec::with_capacity(order.len());
        for (position, &vertex) in order.iter().enumerate() {
            let slot = free.pop().ok_or_else(|| format!("sweep: the order has a frontier of more than {SLOTS}"))?;
            self.slots = self.slots.max(slot + 1);
            slot_of[vertex as usize] = slot;
            let mut ops = vec![Op::Place { slot, vertex }];
            let mut back: Vec<(u32, u32)> =
                model.graph.around[vertex as usize].iter().filter(usable).copied().collect();
            back.retain(|&(other, _)| rank[other as usize] < position);
            // Those that leave come first.
            back.sort_by_key(|&(other, _)| (undecided[other as usize], rank[other as usize]));
            let mut leave = |vertex: u32, ops: &mut Vec<Op>| {
                let slot = slot_of[vertex as usize];
                ops.push(Op::Leave { slot, vertex });
                free.push(slot);
            };
            for (other, edge) in back {
                let (u, v, _) = model.graph.edges[edge as usize];
                let visits = [model.visit(u), model.visit(v)];
                let other_slot = if other == u { slot_of[u as usize] } else { slot_of[v as usize] };
                let (from, to) = if other == u { (other_slot, slot) } else { (slot, other_slot) };
                ops.push(Op::Edge { from, to, edge, visits });
                undecided[other as usize] -= 1;
                undecided[vertex as usize] -= 1;
                if undecided[other as usize] == 0 {
                    leave(other, &mut ops);
                }
            }
            if undecided[vertex as usize] == 0 {
                leave(vertex, &mut ops);
            }
            steps.push(ops);
        }
        Ok(steps)
    }

    fn run(
        &self,
        ranges: &[Range],
        steps: &[Vec<Op>],
        target: Option<i64>,
        limits: &Limits<'_>,
        cost: &mut Cost,
    ) -> Result<(), String> {
        let can_end = |column: u32| usize::from(ranges[column as usize] != Range::Zero);
        let all = 0..self.model.graph.n as u32;
        let mut starts: usize = all.clone().map(|vertex| can_end(self.model.start(vertex))).sum();
        let mut finishes: usize = all.map(|vertex| can_end(self.model.finish(vertex))).sum();
        let mut layer = Layer::default();
        layer.insert(State([0; 3]), Way { loss: 0, value: 0 });
        let (mut now, mut then) = (Vec::new(), Vec::new());
        for ops in steps {
            for op in ops {
                if let Op::Leave { vertex, .. } = op {
                    starts -= can_end(self.model.start(*vertex));
                    finishes -= can_end(self.model.finish(*vertex));
                }
            }
            let mut next = Layer::default();
            let layer_capacity = layer.capacity();
            for (number, (state, way)) in layer.drain().enumerate() {
                if number % 4096 == 4095 && (cost.states > limits.states || (limits.stop)()) {
                    return Err("sweep: stopped by a limit".to_owned());
                }
                now.clear();
                now.push((state, way));
                for op in ops {
                    then.clear();
                    for &(state, way) in &now {
                        self.apply(op, state, way, &mut then);
                    }
                    std::mem::swap(&mut now, &mut then);
                }
                for &(state, way) in now.iter().filter(|(state, _)| self.may_end(*state, starts, finishes)) {
                    cost.states += 1;
                    let best = next.entry(state).or_insert(way);
                    *best = Way { loss: way.loss.min(best.loss), value: way.value.max(best.value) };
                }
                if (next.capacity() + layer_capacity) * ENTRY_BYTES > limits.memory {
                    return Err(format!(
                        "sweep: a step has more than {} states, which is beyond the memory limit",
                        next.len()
                    ));
                }
            }
            if cost.states > limits.states || (limits.stop)() {
                return Err("sweep: stopped by a limit".to_owned());
            }
            cost.peak = cost.peak.max(next.len());
            layer = next;
        }
        match layer.iter().filter(|(state, _)| state.has(DONE)).map(|(_, way)| way.value).max() {
            Some(value) if target.is_none_or(|target| value > target) => {
                Err(format!("sweep: there is a path worth {value}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the ends that are missing can still come.
    fn may_end(&self, state: State, starts: usize, finishes: usize) -> bool {
        if self.model.closed {
            return true;
        }
        let missing = [HAS_START, HAS_FINISH].map(|flag| usize::from(!state.has(flag)));
        match self.model.alike {
            true => missing[0] + missing[1] <= starts,
            false => missing[0] <= starts && missing[1] <= finishes,
        }
    }

    /// All that may become of a state.
    #[inline]
    fn apply(&self, op: &Op, state: State, way: Way, to: &mut Vec<(State, Way)>) {
        let mut push = |state: Option<State>, way: Way| {
            if let Some(state) = state
                && way.loss <= self.purse
            {
                to.push((state, way));
            }
        };
        match *op {
            Op::Place { slot, vertex } => match [self.is_start[vertex as usize], self.is_finish[vertex as usize]] {
                [false, false] => push(Some(state), way),
                // Only a path of this vertex alone has both ends there.
                [true, true] => {}
                [is_start, _] => {
                    let mark = if is_start { FROM_START } else { TO_FINISH };
                    let column = if is_start { self.model.start(vertex) } else { self.model.finish(vertex) };
                    let way = self.used(column, self.used(self.model.visit(vertex), way));
                    let mut ended = self.with_end(state, mark);
                    ended.iter_mut().for_each(|state| state.set(slot, mark));
                    push(ended, way);
                }
            },
            Op::Edge { from, to, edge, visits } => {
                push(Some(state), self.unused(edge, way));
                let mut way = self.used(edge, way);
                for (slot, visit) in [(from, visits[0]), (to, visits[1])] {
                    if state.get(slot) == UNTOUCHED {
                        way = self.used(visit, way);
                    }
                }
                if way.loss <= self.purse && !state.has(DONE) {
                    push(self.join(state, from, to), way);
                }
            }
            Op::Leave { slot, vertex } => self.leave(state, slot, vertex, way, push),
        }
    }

    #[inline]
    fn used(&self, column: u32, way: Way) -> Way {
        Way { loss: way.loss + self.take[column as usize], value: way.value + self.worth[column as usize] }
    }

    #[inline]
    fn unused(&self, column: u32, way: Way) -> Way {
        Way { loss: way.loss + self.skip[column as usize], ..way }
    }

    /// Takes note that the path has this end, if it had not.
    fn with_end(&self, mut state: State, mark: u64) -> Option<State> {
        let flag = match mark {
            FROM_START if self.model.alike && state.has(HAS_START) => HAS_FINISH,
            FROM_START => HAS_START,
            _ => HAS_FINISH,
        };
        if state.has(flag) || state.has(DONE) {
            return None;
        }
        state.0[2] |= flag;
        Some(state)
    }

    /// Uses the edge between two slots, from the one to the other where directed.
    #[inline]
    fn join(&self, mut state: State, from: usize, to: usize) -> Option<State> {
        let directed = u64::from(self.model.graph.directed);
        let (tail, head) = (state.get(from), state.get(to));
        if tail == FULL || head == FULL {
            return None;
        }
        if directed == 1 {
            // The tail must want an arc out, the head one in.
            let wants_in = |symbol: u64| symbol == TO_FINISH || (symbol >= OPEN && symbol & 1 == 1);
            let wants_out = |symbol: u64| symbol == FROM_START || (symbol >= OPEN && symbol & 1 == 0);
            if wants_in(tail) || wants_out(head) {
                return None;
            }
        }
        if tail >= OPEN && (tail - OPEN) / 2 == to as u64 {
            // The two ends of one stretch: a cycle.
            state.set(from, FULL);
            state.set(to, FULL);
            return if self.model.closed { state.completed(self.slots) } else { None };
        }
        // Where the stretches that are joined end otherwise: at slots, or at ends of the path.
        let beginning = other_end(tail, from);
        let end = other_end(head, to);
        for (slot, symbol) in [(from, tail), (to, head)] {
            if symbol != UNTOUCHED {
                state.set(slot, FULL);
            }
        }
        match (beginning, end) {
            (Ok(beginning), Ok(end)) => {
                state.set(beginning, OPEN + 2 * end as u64 + directed);
                state.set(end, OPEN + 2 * beginning as u64);
            }
            (Ok(slot), Err(mark)) | (Err(mark), Ok(slot)) => state.set(slot, mark),
            (Err(one), Err(other)) => {
                let complete = self.model.alike || one != other;
                return if complete { state.completed(self.slots) } else { None };
            }
        }
        Some(state)
    }

    /// The vertex has no more edges: it is unvisited, or full, or an end of the path.
    fn leave(&self, state: State, slot: usize, vertex: u32, way: Way, mut push: impl FnMut(Option<State>, Way)) {
        let (is_start, is_finish) = (self.is_start[vertex as usize], self.is_finish[vertex as usize]);
        let (start, finish) = (self.model.start(vertex), self.model.finish(vertex));
        let unless = |is_end: bool, column: u32, way: Way| if is_end { way } else { self.unused(column, way) };
        let no_end = |way: Way| unless(is_start, start, unless(is_finish, finish, way));
        let symbol = state.get(slot);
        let mut left = state;
        left.set(slot, UNTOUCHED);
        match symbol {
            UNTOUCHED => push(Some(left), no_end(self.unused(self.model.visit(vertex), way))),
            FULL => push(Some(left), no_end(way)),
            // An end that has no edge is no path with an edge.
            _ if is_start || is_finish || self.model.closed => {}
            _ => {
                let directed = self.model.graph.directed;
                let wants_in = symbol >= OPEN && symbol & 1 == 1;
                let may_start = symbol != FROM_START && (!directed || wants_in || symbol == TO_FINISH);
                let may_finish = symbol != TO_FINISH && (!directed || !wants_in);
                let choices = match self.model.alike {
                    true => [(true, FROM_START, start, finish), (false, 0, 0, 0)],
                    false => [(may_start, FROM_START, start, finish), (may_finish, TO_FINISH, finish, start)],
                };
                for (may, mark, column, other) in choices {
                    let Some(mut ended) = Some(left).filter(|_| may).and_then(|left| self.with_end(left, mark)) else {
                        continue;
                    };
                    let way = self.used(column, self.unused(other, way));
                    if symbol >= OPEN {
                        ended.set(((symbol - OPEN) / 2) as usize, mark);
                        push(Some(ended), way);
                    } else {
                        push(ended.completed(self.slots), way);
                    }
                }
            }
        }
    }
}

/// The slot at the other end of a stretch, or the mark of the path's end there.
fn other_end(symbol: u64, slot: usize) -> Result<usize, u64> {
    match symbol {
        UNTOUCHED => Ok(slot),
        FROM_START | TO_FINISH => Err(symbol),
        open => Ok(((open - OPEN) / 2) as usize),
    }
}

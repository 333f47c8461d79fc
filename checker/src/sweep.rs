//! The step `sweep`: dynamic programming over the frontier of a vertex order, with a purse and a look ahead.
//!
//! A combination of rows says `scale · value ≤ constant + Σ gain[c] · x[c]`, and its greatest right-hand side within the ranges is
//! its bound. Each decision about a column that is not the better one *loses* some of the bound: using a column of negative gain,
//! or leaving one of positive gain unused. So for every path `scale · value ≤ bound − losses`, and one worth more than the
//! target loses no more than the *purse*, `bound − needed`. The sweep goes through all that paths may do within it; if no path
//! that comes to its end is worth more than the target, none is. (Losses are counted in units of a power of two, rounded down
//! one by one, and so is the purse: the sum of rounded losses is no more than the rounded sum.)
//!
//! Vertices are placed one after the other; an edge is decided when its second vertex is placed, and a vertex *leaves* the
//! frontier when all its edges are decided. What the decisions to come depend on is the *state*: for every vertex of the
//! frontier whether it is untouched, full (it has two edges, or one where it is an end), or the open end of a stretch, and then
//! where the stretch's other end is; and which ends the path has. Two ways to one state have the same completions, with the
//! same losses and gains to come, so of each state the least loss and the greatest value are kept, be they those of different
//! ways: a path worth more than the target is never lost, and the values at the end are those of paths. (The states are the mate
//! arrays of D. E. Knuth, *The Art of Computer Programming* 4A, 7.1.4, "Simpath".)
//!
//! The *look ahead* comes first: a sweep of *outlines*, the states without where stretches end otherwise, but for those that begin
//! in the step itself, which so make no cycle there. Whatever a state may do its outline may do, at the same loss (what completes
//! the path makes the outline complete as well: nothing else is open). So what
//! the completions of an outline lose at least, found by going back over its layers, all completions of the state lose; what has
//! lost so much that it will not do is dropped.
//!
//! Each step tries everything that a path may do there: nothing is dropped but what is no path (a cycle beside the path, three
//! edges at a vertex, an end where none may be, two paths) and what is beyond the purse.

use crate::Limits;
use crate::model::{Combination, Model, Range};
use crate::state::{
    DONE, FROM_START, FULL, HAS_FINISH, HAS_START, Layer, PLACE_BYTES, State, TO_FINISH, UNTOUCHED, VACANT, Way,
};

/// The packed outlines of a layer: what ways to each lose at least; after the way back, what the completions of each do.
struct Outlines {
    keys: Vec<u64>,
    losses: Vec<u16>,
}

/// What each outline takes.
const OUTLINE_BYTES: usize = 10;
/// Purses are below this.
const MOST_PURSE: u32 = 1 << 15;
/// So many vertices of two edges at most are placed together with the next one.
const MOST_JOINED: usize = 6;
/// States that go through the decisions of a step together.
const BATCH: usize = 256;
/// What they may become on the way.
const MOST_ITEMS: usize = 1 << 22;
/// Batches between two looks at the limits.
const BATCHES_PER_LOOK: usize = 16;

/// A state on its way through a step, and which of a batch it comes from.
#[derive(Clone, Copy)]
struct Item<const DIRECTED: bool> {
    state: State<DIRECTED>,
    way: Way,
    from: u32,
}

type Items<const DIRECTED: bool> = Vec<Item<DIRECTED>>;

/// A decision at a step.
enum Op {
    Place { slot: u32, vertex: u32 },
    Edge { from: u32, to: u32, edge: u32, visits: [u32; 2] },
    Leave { slot: u32, vertex: u32 },
}

/// The decisions of a step, and how many starts and finishes are still to come after it.
struct Step {
    ops: Vec<Op>,
    starts: usize,
    finishes: usize,
}

struct Sweep<'a, const DIRECTED: bool> {
    model: &'a Model,
    ranges: &'a [Range],
    /// What each column is worth.
    worth: Vec<i64>,
    /// What is lost by using each column, and by not using it.
    take: Vec<u32>,
    skip: Vec<u32>,
    purse: u32,
    /// Vertices that are the start, or the finish, of every path within the ranges.
    is_start: Vec<bool>,
    is_finish: Vec<bool>,
    limits: &'a Limits<'a>,
}

/// What a step of the proof asks of a sweep.
pub(crate) struct Task<'a> {
    pub(crate) model: &'a Model,
    pub(crate) ranges: &'a [Range],
    pub(crate) sum: &'a Combination,
    pub(crate) target: Option<i64>,
    pub(crate) limits: &'a Limits<'a>,
}

/// Sweeps. `Ok` if nothing survives. The states that it makes are added to those made before.
pub(crate) fn sweep(task: &Task<'_>, order: &[u32], states: &mut u64) -> Result<(), String> {
    match task.model.graph.directed {
        true => sweep_with::<true>(task, order, states),
        false => sweep_with::<false>(task, order, states),
    }
}

fn sweep_with<const DIRECTED: bool>(task: &Task<'_>, order: &[u32], states: &mut u64) -> Result<(), String> {
    let &Task { model, ranges, sum, target, limits } = task;
    let purse = sum.bound(ranges) - sum.needed(target)?;
    if purse < 0 {
        return Ok(());
    }
    // Losses are counted in units of this many bits.
    let unit = (0..128).find(|unit| purse >> unit < i128::from(MOST_PURSE)).unwrap_or(127);
    let whole = (purse >> unit) as u32;
    // A loss beyond the purse is as good as any.
    let loss = |loss: i128| if loss > purse { whole + 1 } else { (loss >> unit) as u32 };
    let (mut take, mut skip) = (Vec::new(), Vec::new());
    for (&gain, range) in sum.gains.iter().zip(ranges) {
        let (taken, skipped) = match range {
            Range::Zero => (whole + 1, 0),
            Range::One => (0, whole + 1),
            Range::Empty => (whole + 1, whole + 1),
            Range::Free => (loss((-gain).max(0)), loss(gain.max(0))),
        };
        take.push(taken);
        skip.push(skipped);
    }
    let mut worth: Vec<i64> = model.graph.edges.iter().map(|edge| edge.2).collect();
    worth.resize(model.graph.edges.len() + model.graph.n, 0);
    worth.extend(model.first.iter().chain(&model.last).map(|prize| prize.unwrap_or(0)));
    if worth.iter().map(|&worth| u128::from(worth.unsigned_abs())).sum::<u128>() > 1 << 62 {
        return Err("sweep: the weights add up to more than 2^62".to_owned());
    }
    let tips = if model.alike { 2 } else { 1 };
    let is_start = forced(model, ranges, |vertex| model.start(vertex), tips);
    let is_finish = forced(model, ranges, |vertex| model.finish(vertex), 1);
    let sweep = Sweep::<DIRECTED> { model, ranges, worth, take, skip, purse: whole, is_start, is_finish, limits };
    let steps = sweep.plan(order)?;
    let outlines = sweep.look_ahead(&steps, states)?;
    match sweep.go_through(&steps, outlines, states)? {
        Some(value) if target.is_none_or(|target| value > target) => {
            Err(format!("sweep: there is a path worth {value}"))
        }
        _ => Ok(()),
    }
}

/// The vertices whose end column every path uses: they are fixed, or no more are left than paths need.
fn forced(model: &Model, ranges: &[Range], column: impl Fn(u32) -> u32, needs: usize) -> Vec<bool> {
    let range = |vertex: u32| ranges[column(vertex) as usize];
    let all = 0..model.graph.n as u32;
    let left = all.clone().filter(|&vertex| range(vertex) != Range::Zero).count();
    all.map(|vertex| range(vertex) == Range::One || (range(vertex) == Range::Free && left == needs)).collect()
}

impl<const DIRECTED: bool> Sweep<'_, DIRECTED> {
    /// The decisions of each step. Edges that no path uses are none; vertices that none visits need not be placed.
    fn plan(&self, order: &[u32]) -> Result<Vec<Step>, String> {
        let (model, ranges) = (self.model, self.ranges);
        let mut rank = vec![usize::MAX; model.graph.n];
        (0..).zip(order).for_each(|(position, &vertex)| rank[vertex as usize] = position);
        let is_open = |column: u32| ranges[column as usize] != Range::Zero;
        let is_lacking = |&vertex: &u32| is_open(model.visit(vertex)) && rank[vertex as usize] == usize::MAX;
        if let Some(vertex) = (0..model.graph.n as u32).find(is_lacking) {
            return Err(format!("sweep: the order lacks the vertex {}", vertex + 1));
        }
        let usable = |&&(other, edge): &&(u32, u32)| is_open(edge) && rank[other as usize] != usize::MAX;
        let degree = |vertex: u32| model.graph.around[vertex as usize].iter().filter(usable).count();
        let mut undecided: Vec<usize> = (0..model.graph.n as u32).map(degree).collect();
        let mut slot_of = vec![u32::MAX; model.graph.n];
        let most = State::<DIRECTED>::SLOTS;
        let mut free: Vec<u32> = (0..most as u32).rev().collect();
        let mut steps: Vec<Step> = Vec::with_capacity(order.len());
        let mut joined = MOST_JOINED;
        for (position, &vertex) in order.iter().enumerate() {
            let slot = free.pop().ok_or_else(|| format!("sweep: the order has a frontier of more than {most}"))?;
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
                let [from, to] = [u, v].map(|end| slot_of[end as usize]);
                ops.push(Op::Edge { from, to, edge, visits: [model.visit(u), model.visit(v)] });
                undecided[other as usize] -= 1;
                undecided[vertex as usize] -= 1;
                if undecided[other as usize] == 0 {
                    leave(other, &mut ops);
                }
            }
            if undecided[vertex as usize] == 0 {
                leave(vertex, &mut ops);
            }
            // What a vertex of two edges does is mostly decided by what comes next: both make one step.
            match steps.last_mut() {
                Some(Step { ops: before, .. }) if joined < MOST_JOINED => {
                    joined += 1;
                    before.append(&mut ops);
                }
                _ => {
                    joined = 0;
                    steps.push(Step { ops, starts: 0, finishes: 0 });
                }
            }
            if degree(vertex) > 2 {
                joined = MOST_JOINED;
            }
        }
        // Ends are made where vertices leave, at the latest.
        let (mut starts, mut finishes) = (0, 0);
        for step in steps.iter_mut().rev() {
            (step.starts, step.finishes) = (starts, finishes);
            for op in &step.ops {
                if let Op::Leave { vertex, .. } = *op {
                    starts += usize::from(is_open(model.start(vertex)));
                    finishes += usize::from(is_open(model.finish(vertex)));
                }
            }
        }
        Ok(steps)
    }

    /// What the completions of each outline lose at least, by layers, without those that are beyond the purse.
    fn look_ahead(&self, steps: &[Step], made: &mut u64) -> Result<Vec<Outlines>, String> {
        let (mut now, mut then) = (Vec::new(), Vec::new());
        let mut layer = Layer::<DIRECTED>::with_room_for(1);
        layer.add(State(0), Way { loss: 0, value: 0 });
        let mut held = 0;
        let mut layers = Vec::with_capacity(steps.len() + 1);
        for step in steps {
            let outlines = self.packed(&layer);
            held += outlines.keys.len() * OUTLINE_BYTES;
            let mut next = Layer::with_room_for(layer.count);
            for (number, begin) in (0..outlines.keys.len()).step_by(BATCH).enumerate() {
                self.fill(&mut now, &outlines, begin, |position| outlines.losses[position].into());
                self.expand::<false>(step, &mut now, &mut then)?;
                *made += now.len() as u64;
                now.iter().for_each(|item| next.add(item.state.outline(), item.way));
                self.look(number, held + (layer.keys.len() + next.keys.len()) * PLACE_BYTES, *made)?;
            }
            layers.push(outlines);
            layer = next;
        }
        // Nothing is on the frontier now: the path is there, or is not.
        let mut last = self.packed(&layer);
        last.losses.iter_mut().zip(&last.keys).for_each(|(loss, &key)| {
            *loss = if State::<DIRECTED>::unpacked(key).has(DONE) { 0 } else { self.purse as u16 + 1 };
        });
        let mut rest = last;
        let mut back = Vec::with_capacity(steps.len());
        let mut lost = Vec::new();
        while let Some(mut outlines) = layers.pop() {
            let step = &steps[layers.len()];
            let table = self.table(&rest);
            back.push(rest);
            lost.clear();
            lost.resize(outlines.keys.len(), self.purse + 1);
            for (number, begin) in (0..outlines.keys.len()).step_by(BATCH).enumerate() {
                self.fill(&mut now, &outlines, begin, |_| 0);
                self.expand::<false>(step, &mut now, &mut then)?;
                *made += now.len() as u64;
                for item in &now {
                    let place = table.place(item.state.outline());
                    if table.keys[place] != VACANT {
                        let least = &mut lost[begin + item.from as usize];
                        *least = (*least).min(item.way.loss + table.ways[place].loss);
                    }
                }
                self.look(number, held + table.keys.len() * PLACE_BYTES, *made)?;
            }
            let mut kept = 0;
            for (position, &lost) in lost.iter().enumerate() {
                if u32::from(outlines.losses[position]) + lost <= self.purse {
                    (outlines.keys[kept], outlines.losses[kept]) = (outlines.keys[position], lost as u16);
                    kept += 1;
                }
            }
            held -= (outlines.keys.len() - kept) * OUTLINE_BYTES;
            outlines.keys.truncate(kept);
            outlines.losses.truncate(kept);
            outlines.keys.shrink_to_fit();
            outlines.losses.shrink_to_fit();
            rest = outlines;
        }
        back.push(rest);
        Ok(back)
    }

    /// The outlines of a layer.
    fn packed(&self, layer: &Layer<DIRECTED>) -> Outlines {
        let mut outlines = Outlines { keys: Vec::with_capacity(layer.count), losses: Vec::with_capacity(layer.count) };
        for (state, way) in layer.states() {
            outlines.keys.push(state.packed());
            outlines.losses.push(way.loss as u16);
        }
        outlines
    }

    fn table(&self, outlines: &Outlines) -> Layer<DIRECTED> {
        let mut table = Layer::with_room_for(outlines.keys.len());
        for (&key, &loss) in outlines.keys.iter().zip(&outlines.losses) {
            table.add(State::unpacked(key), Way { loss: loss.into(), value: 0 });
        }
        table
    }

    /// Takes a batch from a position on.
    fn fill(&self, now: &mut Vec<Item<DIRECTED>>, from: &Outlines, begin: usize, loss: impl Fn(usize) -> u32) {
        let end = from.keys.len().min(begin + BATCH);
        now.clear();
        now.extend((begin..end).map(|position| {
            let way = Way { loss: loss(position), value: 0 };
            Item { state: State::unpacked(from.keys[position]), way, from: (position - begin) as u32 }
        }));
    }

    /// Now and then: whether a limit is spent.
    fn look(&self, number: usize, bytes: usize, made: u64) -> Result<(), String> {
        if bytes > self.limits.memory {
            return Err(format!("sweep: after {made} states it is beyond the memory limit"));
        }
        if number.is_multiple_of(BATCHES_PER_LOOK) && (made > self.limits.states || (self.limits.stop)()) {
            return Err("sweep: stopped by a limit".to_owned());
        }
        Ok(())
    }

    /// Goes through all states within the purse. The best value of a path that comes to its end.
    fn go_through(&self, steps: &[Step], mut ahead: Vec<Outlines>, made: &mut u64) -> Result<Option<i64>, String> {
        let mut held: usize = ahead.iter().map(|outlines| outlines.keys.len() * OUTLINE_BYTES).sum();
        let mut layer = Layer::<DIRECTED>::with_room_for(1);
        if ahead.pop().is_some_and(|first| !first.keys.is_empty()) {
            layer.add(State(0), Way { loss: 0, value: 0 });
        }
        let (mut now, mut then) = (Vec::new(), Vec::new());
        for step in steps {
            let outlines = ahead.pop().expect("a layer of outlines after each step");
            let table = self.table(&outlines);
            held -= outlines.keys.len() * OUTLINE_BYTES;
            drop(outlines);
            let mut next = Layer::with_room_for(layer.count);
            let mut states = layer.states();
            for number in 0.. {
                now.clear();
                now.extend(states.by_ref().take(BATCH).map(|(state, way)| Item { state, way, from: 0 }));
                if now.is_empty() {
                    break;
                }
                self.expand::<true>(step, &mut now, &mut then)?;
                *made += now.len() as u64;
                for item in &now {
                    let place = table.place(item.state.outline());
                    if table.keys[place] != VACANT && item.way.loss + table.ways[place].loss <= self.purse {
                        next.add(item.state, item.way);
                    }
                }
                let places = layer.keys.len() + next.keys.len() + table.keys.len();
                self.look(number, held + places * PLACE_BYTES, *made)?;
            }
            drop(states);
            layer = next;
        }
        Ok(layer.states().filter(|(state, _)| state.has(DONE)).map(|(_, way)| way.value).max())
    }

    /// All that may become of some states in a step: of states if `EXACT`, or of outlines.
    fn expand<const EXACT: bool>(
        &self,
        step: &Step,
        now: &mut Items<DIRECTED>,
        then: &mut Items<DIRECTED>,
    ) -> Result<(), String> {
        for op in &step.ops {
            then.clear();
            let mut push = |item: &Item<DIRECTED>, state: Option<State<DIRECTED>>, way: Way| {
                if let Some(state) = state
                    && way.loss <= self.purse
                {
                    then.push(Item { state, way, from: item.from });
                }
            };
            match *op {
                Op::Place { slot, vertex } => {
                    let [is_start, is_finish] = [self.is_start[vertex as usize], self.is_finish[vertex as usize]];
                    if !is_start && !is_finish {
                        continue;
                    }
                    // Only a path of this vertex alone has both ends there.
                    if is_start && is_finish {
                        now.clear();
                        return Ok(());
                    }
                    let (mark, column) = match is_start {
                        true => (FROM_START, self.model.start(vertex)),
                        false => (if EXACT || DIRECTED { TO_FINISH } else { FROM_START }, self.model.finish(vertex)),
                    };
                    let end = if is_start { FROM_START } else { TO_FINISH };
                    for item in &*now {
                        let way = self.used(column, self.used(self.model.visit(vertex), item.way));
                        push(item, self.with_end(item.state, end).map(|state| state.with(slot, mark)), way);
                    }
                }
                Op::Edge { from, to, edge, visits } => {
                    for item in &*now {
                        push(item, Some(item.state), self.unused(edge, item.way));
                    }
                    for item in &*now {
                        let mut way = self.used(edge, item.way);
                        for (slot, visit) in [(from, visits[0]), (to, visits[1])] {
                            if item.state.get(slot) == UNTOUCHED {
                                way = self.used(visit, way);
                            }
                        }
                        if way.loss <= self.purse && !item.state.has(DONE) {
                            push(item, self.join::<EXACT>(item.state, from, to), way);
                        }
                    }
                }
                Op::Leave { slot, vertex } => {
                    for item in &*now {
                        let push = |state, way| push(item, state, way);
                        self.leave::<EXACT>(item.state, slot, vertex, item.way, push);
                    }
                }
            }
            std::mem::swap(now, then);
            if now.len() > MOST_ITEMS {
                return Err("sweep: too many decisions between two vertices of more than two edges".to_owned());
            }
        }
        now.retain(|item| self.may_end(item.state, step));
        Ok(())
    }

    /// Whether the ends that are missing can still come.
    #[inline(always)]
    fn may_end(&self, state: State<DIRECTED>, step: &Step) -> bool {
        let missing = [HAS_START, HAS_FINISH].map(|flag| usize::from(!state.has(flag)));
        match self.model.alike {
            _ if self.model.closed => true,
            true => missing[0] + missing[1] <= step.starts,
            false => missing[0] <= step.starts && missing[1] <= step.finishes,
        }
    }

    #[inline(always)]
    fn used(&self, column: u32, way: Way) -> Way {
        Way { loss: way.loss + self.take[column as usize], value: way.value + self.worth[column as usize] }
    }

    #[inline(always)]
    fn unused(&self, column: u32, way: Way) -> Way {
        Way { loss: way.loss + self.skip[column as usize], ..way }
    }

    /// Takes note that the path has this end, if it had not.
    #[inline(always)]
    fn with_end(&self, state: State<DIRECTED>, mark: u32) -> Option<State<DIRECTED>> {
        let flag = match mark {
            FROM_START if self.model.alike && state.has(HAS_START) => HAS_FINISH,
            FROM_START => HAS_START,
            _ => HAS_FINISH,
        };
        (state.0 & (flag | DONE) == 0).then_some(State(state.0 | flag))
    }

    /// Uses the edge between two slots, from the one to the other where directed.
    #[inline(always)]
    fn join<const EXACT: bool>(&self, state: State<DIRECTED>, from: u32, to: u32) -> Option<State<DIRECTED>> {
        let (tail, head) = (state.get(from), state.get(to));
        if tail == FULL || head == FULL {
            return None;
        }
        // The tail must not want an arc in, nor the head one out.
        if DIRECTED && (tail & 1 == 1 || (head != UNTOUCHED && head & 1 == 0)) {
            return None;
        }
        let closed = self.model.closed;
        let after = |symbol: u32, begun: u32| if symbol == UNTOUCHED { begun } else { FULL };
        let beginning = State::<DIRECTED>::other_end(tail, from);
        let end = State::<DIRECTED>::other_end(head, to);
        let joined = state.with(from, after(tail, tail)).with(to, after(head, head));
        if beginning == Ok(to) {
            // The two ends of one stretch: a cycle.
            return if closed { joined.completed(true) } else { None };
        }
        // The stretches that are joined end otherwise at slots, or at ends of the path.
        match (beginning, end) {
            (Ok(beginning), Ok(end)) => {
                let joined = joined.with(beginning, State::<DIRECTED>::open(end, true));
                Some(joined.with(end, State::<DIRECTED>::open(beginning, false)))
            }
            (Ok(slot), Err(mark)) | (Err(mark), Ok(slot)) => Some(joined.with(slot, mark)),
            // Outlines don't know whose ends these are.
            (Err(_), Err(_)) if !EXACT && joined.0 & State::<DIRECTED>::HIGH != 0 => Some(joined),
            (Err(_), Err(_)) if !EXACT => joined.completed(closed),
            (Err(one), Err(other)) => {
                if self.model.alike || one != other {
                    joined.completed(false)
                } else {
                    None
                }
            }
        }
    }

    /// The vertex has no more edges: it is unvisited, or full, or an end of the path.
    #[inline(always)]
    fn leave<const EXACT: bool>(
        &self,
        state: State<DIRECTED>,
        slot: u32,
        vertex: u32,
        way: Way,
        mut push: impl FnMut(Option<State<DIRECTED>>, Way),
    ) {
        let (is_start, is_finish) = (self.is_start[vertex as usize], self.is_finish[vertex as usize]);
        let (start, finish) = (self.model.start(vertex), self.model.finish(vertex));
        let unless = |is_end: bool, column: u32, way: Way| if is_end { way } else { self.unused(column, way) };
        let no_end = |way: Way| unless(is_start, start, unless(is_finish, finish, way));
        let symbol = state.get(slot);
        let left = state.with(slot, UNTOUCHED);
        match symbol {
            UNTOUCHED => push(Some(left), no_end(self.unused(self.model.visit(vertex), way))),
            FULL => push(Some(left), no_end(way)),
            // An end that has no edge is no path with an edge.
            _ if is_start || is_finish || self.model.closed => {}
            _ => {
                // What wants an arc in may be the start; a stretch has each end of the path once.
                let [may_start, may_finish] = match (DIRECTED, EXACT) {
                    (true, _) => [symbol & 1 == 1, symbol & 1 == 0],
                    (false, true) => [symbol != FROM_START, symbol != TO_FINISH],
                    (false, false) => [true, true],
                };
                let choices = match self.model.alike {
                    true => [(true, FROM_START, start, finish), (false, 0, 0, 0)],
                    false => [(may_start, FROM_START, start, finish), (may_finish, TO_FINISH, finish, start)],
                };
                for (may, mark, column, other) in choices {
                    let Some(ended) = Some(left).filter(|_| may).and_then(|left| self.with_end(left, mark)) else {
                        continue;
                    };
                    let way = self.used(column, self.unused(other, way));
                    match State::<DIRECTED>::other_end(symbol, slot) {
                        Ok(far) => push(Some(ended.with(far, mark)), way),
                        _ if !EXACT && ended.0 & State::<DIRECTED>::HIGH != 0 => push(Some(ended), way),
                        _ => push(ended.completed(false), way),
                    }
                }
            }
        }
    }
}

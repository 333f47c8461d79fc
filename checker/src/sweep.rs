//! The step `sweep`: dynamic programming over the frontier of a vertex order, with a purse and a look ahead.
//!
//! A combination of rows says `scale · value ≤ constant + Σ gain[c] · x[c]`, and its greatest right-hand side within the ranges is
//! its bound. Each decision about a column that is not the better one *loses* some of the bound: using a column of negative gain,
//! or leaving one of positive gain unused. So for every path `scale · value ≤ bound − losses`, and one worth more than the
//! target loses no more than the *purse*, `bound − needed`. The sweep goes through all that paths may do within it; if no path
//! that comes to its end is worth more than the target, none is. (Losses are counted in units of a power of two, rounded down
//! one by one, and so is the purse: the sum of rounded losses is no more than the rounded sum. What huge weights are worth is
//! counted in such units too, and rounded up.)
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
//! in the step itself, which so make no cycle there. Whatever a state may do its outline may do, at the same loss (what completes the path makes the outline complete as well: nothing else is open). So what
//! the completions of an outline lose at least, found by going back over its layers, all completions of the state lose; what has
//! lost so much that it will not do is dropped.
//!
//! Each step tries everything that a path may do there: nothing is dropped but what is no path (a cycle beside the path, three
//! edges at a vertex, an end where none may be, two paths) and what is beyond the purse.

use crate::Limits;
use crate::model::{Model, Range};
use crate::state::{Entry, Known, LOSS, Layer, MOST_LOSS, Outline, State, WORTHLESS};
use crate::state::{FROM_START, FULL, HAS_FINISH, HAS_START, TO_FINISH, UNTOUCHED};

/// So many vertices of two edges at most are placed together with the next one.
const MOST_JOINED: usize = 6;
/// States that go through the decisions of a step together.
const BATCH: usize = 256;
/// For so many bytes of the memory they may become one more on the way.
const BYTES_PER_ITEM: usize = 1024;

/// What a step of the proof asks of a sweep.
pub(crate) struct Task<'a> {
    pub(crate) model: &'a Model,
    pub(crate) ranges: &'a [Range],
    /// What using each column gains, and how much of it may be lost.
    pub(crate) gains: &'a [i128],
    pub(crate) purse: i128,
    pub(crate) target: Option<i64>,
    pub(crate) limits: Limits<'a>,
}

/// A decision, with what each choice adds to a way.
enum Op {
    /// A vertex is placed that is the start, or the finish, of every path.
    Begin { slot: u32, mark: u32, taken: u64 },
    /// An edge is used or not; with the first edge of a vertex belongs its visit.
    Edge { slots: [u32; 2], visits: [u64; 2], used: u64, unused: u64 },
    /// A vertex has no more edges: it is unvisited, full, the start or the finish.
    Leave { slot: u32, unvisited: u64, full: u64, ends: [Option<u64>; 2] },
}

/// A state on its way through a step, and the number of the entry that it comes from.
#[derive(Clone, Copy)]
struct Item<const DIRECTED: bool> {
    state: State<DIRECTED>,
    way: u64,
    from: u32,
}

/// Sweeps. `Ok` if nothing survives. The states that it makes are added to those made before.
pub(crate) fn sweep(task: Task<'_>, order: &[u32], made: &mut u64) -> Result<(), String> {
    match task.model.graph.directed {
        true => Sweep::<true>::run(task, order, made),
        false => Sweep::<false>::run(task, order, made),
    }
}

struct Sweep<'a, const DIRECTED: bool> {
    task: Task<'a>,
    /// In units of losses.
    purse: u64,
    /// What using each column, and not using it, adds to a way.
    take: Vec<u64>,
    skip: Vec<u64>,
    /// States that have been made, and bytes of the layers that wait.
    made: &'a mut u64,
    held: usize,
}

impl<'a, const DIRECTED: bool> Sweep<'a, DIRECTED> {
    fn run(task: Task<'a>, order: &[u32], made: &'a mut u64) -> Result<(), String> {
        let (model, target, whole) = (task.model, task.target, task.purse);
        if whole < 0 {
            return Ok(());
        }
        let unit = |whole: u128, most: u64| (0..128).find(|unit| whole >> unit < u128::from(most)).unwrap_or(127);
        // Losses are counted in units of so many bits, rounded down; one beyond the purse is as good as any.
        let loss_unit = unit(whole as u128, MOST_LOSS - 1);
        let purse = (whole >> loss_unit) as u64;
        let loss = |loss: i128| {
            if loss > whole { purse + 1 } else { (loss.max(0) >> loss_unit) as u64 }
        };
        let worths: Vec<i128> = model.worths().collect();
        // And so are values, rounded up.
        let value_unit = unit(worths.iter().map(|worth| worth.unsigned_abs()).sum(), WORTHLESS / 2);
        let (mut take, mut skip) = (Vec::new(), Vec::new());
        for ((&gain, range), worth) in task.gains.iter().zip(task.ranges).zip(worths) {
            let (taken, skipped) = match range {
                Range::Zero => (purse + 1, 0),
                Range::One => (0, purse + 1),
                Range::Empty => (purse + 1, purse + 1),
                Range::Free => (loss(-gain), loss(gain)),
            };
            take.push((taken << LOSS).wrapping_add(-(-worth >> value_unit) as u64));
            skip.push(skipped << LOSS);
        }
        let mut sweep = Self { task, purse, take, skip, made, held: 0 };
        let steps = sweep.plan(order)?;
        let ahead = sweep.look_ahead(&steps)?;
        match sweep.go_through(&steps, ahead)? {
            Some(value) if target.is_none_or(|target| value > target >> value_unit) => {
                Err(format!("sweep: there is a path worth {}", i128::from(value) << value_unit))
            }
            _ => Ok(()),
        }
    }

    /// The decisions of each step. Edges that no path uses are none; vertices that none visits need not be placed.
    fn plan(&self, order: &[u32]) -> Result<Vec<Vec<Op>>, String> {
        let (model, ranges, all) = (self.task.model, self.task.ranges, 0..self.task.model.graph.n as u32);
        let mut rank = vec![usize::MAX; model.graph.n];
        (0..).zip(order).for_each(|(position, &vertex)| rank[vertex as usize] = position);
        let is_open = |column: u32| ranges[column as usize] != Range::Zero;
        if let Some(lacking) = all.clone().find(|&v| is_open(model.visit(v)) && rank[v as usize] == usize::MAX) {
            return Err(format!("sweep: the order lacks the vertex {}", lacking + 1));
        }
        // All paths end where an end is fixed, or where no more are left than paths need.
        let forced = |column: fn(&Model, u32) -> u32, needs: usize| -> Vec<bool> {
            let range = |vertex: u32| ranges[column(model, vertex) as usize];
            let left = all.clone().filter(|&vertex| range(vertex) != Range::Zero).count();
            let is_forced = |range: Range| range == Range::One || (range == Range::Free && left == needs);
            all.clone().map(|vertex| is_forced(range(vertex))).collect()
        };
        let forced = [forced(Model::start, if model.alike { 2 } else { 1 }), forced(Model::finish, 1)];
        let is_end = |vertex: u32| [0, 1].map(|end: usize| forced[end][vertex as usize]);
        let usable = |&&(other, edge): &&(u32, u32)| is_open(edge) && rank[other as usize] != usize::MAX;
        let edges = |vertex: u32| model.graph.around[vertex as usize].iter().filter(usable);
        let mut undecided: Vec<usize> = all.clone().map(|vertex| edges(vertex).count()).collect();
        let mut slot_of = vec![u32::MAX; model.graph.n];
        let most = State::<DIRECTED>::SLOTS as u32;
        let mut free: Vec<u32> = (0..most).rev().collect();
        let (mut steps, mut joined) = (Vec::new(), MOST_JOINED);
        for (position, &vertex) in order.iter().enumerate() {
            let slot = free.pop().ok_or_else(|| format!("sweep: the order has a frontier of more than {most}"))?;
            slot_of[vertex as usize] = slot;
            // What a vertex of two edges does is mostly decided by what comes next: both make one step.
            joined += 1;
            if joined > MOST_JOINED {
                joined = 0;
                steps.push(Vec::new());
            }
            if edges(vertex).count() > 2 {
                joined = MOST_JOINED;
            }
            let ops = steps.last_mut().expect("the first vertex begins a step");
            ops.extend(self.begin(vertex, slot, is_end(vertex)));
            let mut back: Vec<_> = edges(vertex).filter(|(other, _)| rank[*other as usize] < position).collect();
            // Those that leave come first, and the vertex itself last.
            back.sort_by_key(|(other, _)| (undecided[*other as usize], rank[*other as usize]));
            for back in back.into_iter().map(Some).chain([None]) {
                let leaving = back.map_or(vertex, |&(other, _)| other);
                if let Some(&(other, edge)) = back {
                    let (u, v, _) = model.graph.edges[edge as usize];
                    let visits = [u, v].map(|end| self.take[model.visit(end) as usize]);
                    let [used, unused] = [&self.take, &self.skip].map(|added| added[edge as usize]);
                    ops.push(Op::Edge { slots: [u, v].map(|end| slot_of[end as usize]), visits, used, unused });
                    [other, vertex].iter().for_each(|&end| undecided[end as usize] -= 1);
                }
                if undecided[leaving as usize] == 0 {
                    let slot = slot_of[leaving as usize];
                    ops.push(self.leave(leaving, slot, is_end(leaving)));
                    free.push(slot);
                }
            }
        }
        Ok(steps)
    }

    /// A vertex that is the start, or the finish, of all paths. Only a path of this vertex alone has both ends there.
    fn begin(&self, vertex: u32, slot: u32, [is_start, is_finish]: [bool; 2]) -> Option<Op> {
        let (mark, column) = match is_start {
            true => (FROM_START, self.task.model.start(vertex)),
            false => (TO_FINISH, self.task.model.finish(vertex)),
        };
        let taken = self.take[column as usize].wrapping_add(self.take[self.task.model.visit(vertex) as usize]);
        let taken = if is_start && is_finish { (self.purse + 1) << LOSS } else { taken };
        (is_start || is_finish).then_some(Op::Begin { slot, mark, taken })
    }

    /// A vertex that was an end from the beginning was paid for then, and is none here: an end without edges is no path with one.
    fn leave(&self, vertex: u32, slot: u32, is_end: [bool; 2]) -> Op {
        let columns = [self.task.model.start(vertex), self.task.model.finish(vertex)];
        let [no_start, no_finish] = [0, 1].map(|end| if is_end[end] { 0 } else { self.skip[columns[end] as usize] });
        let full = no_start + no_finish;
        let ends = [(0, no_finish), (1, no_start)].map(|(end, other)| {
            let added = self.take[columns[end] as usize].wrapping_add(other);
            Some(added).filter(|_| is_end == [false; 2] && self.is_affordable(added.wrapping_add(WORTHLESS)))
        });
        Op::Leave { slot, unvisited: full + self.skip[self.task.model.visit(vertex) as usize], full, ends }
    }

    #[inline(always)]
    fn is_affordable(&self, way: u64) -> bool {
        way >> LOSS <= self.purse
    }

    fn keep(&mut self, layers: &mut Vec<Layer<DIRECTED, Outline>>, layer: Layer<DIRECTED, Outline>) {
        self.held += layer.bytes();
        layers.push(layer);
    }

    fn fetch(&mut self, layers: &mut Vec<Layer<DIRECTED, Outline>>) -> Layer<DIRECTED, Outline> {
        let layer = layers.pop().expect("a layer before the first step, and after each");
        self.held -= layer.bytes();
        layer
    }

    /// What the completions of each outline lose at least, by layers, the last first, without those that are beyond the purse.
    fn look_ahead(&mut self, steps: &[Vec<Op>]) -> Result<Vec<Layer<DIRECTED, Outline>>, String> {
        let (mut layers, mut back) = (Vec::new(), Vec::new());
        let mut layer = Layer::of(vec![Outline::new(State::<DIRECTED>(0), WORTHLESS)]);
        for ops in steps {
            let next = self.forward(ops, &layer, layer.bytes(), |_| true)?;
            self.keep(&mut layers, layer);
            layer = next;
        }
        // Nothing is on the frontier now: the path is there, or is not.
        layer.entries.retain(|&outline| Entry::<DIRECTED>::parts(outline).0.is_done());
        layer.entries.iter_mut().for_each(|outline| *outline = outline.with_loss(0));
        for ops in steps.iter().rev() {
            layer.make_index();
            let mut before = self.fetch(&mut layers);
            // From the beginning to the end.
            let mut losses = vec![self.purse as u16 + 1; before.entries.len()];
            self.advance(ops, &before.entries, |items| {
                for item in items {
                    if let Ok(number) = layer.find(Outline::new(item.state, 0)) {
                        let loss = (item.way >> LOSS) + layer.entries[number].loss();
                        let least = &mut losses[item.from as usize];
                        *least = loss.min(u64::from(*least)) as u16;
                    }
                }
                before.bytes() + layer.bytes() + losses.len() * size_of::<u16>()
            })?;
            self.keep(&mut back, Layer::of(layer.entries));
            let mut losses = losses.into_iter().map(u64::from);
            before.entries.retain_mut(|outline| {
                let loss = losses.next().filter(|&loss| loss <= self.purse);
                loss.inspect(|loss| *outline = outline.with_loss(loss - outline.loss())).is_some()
            });
            layer = Layer::of(before.entries);
        }
        self.keep(&mut back, layer);
        Ok(back)
    }

    /// Goes through all states within the purse. The best value of a path that comes to its end.
    fn go_through(
        &mut self,
        steps: &[Vec<Op>],
        mut ahead: Vec<Layer<DIRECTED, Outline>>,
    ) -> Result<Option<i64>, String> {
        let is_hopeless = self.fetch(&mut ahead).entries.is_empty();
        let mut layer =
            Layer::of(if is_hopeless { Vec::new() } else { vec![Known::new(State::<DIRECTED>(0), WORTHLESS)] });
        for ops in steps {
            let mut outlines = self.fetch(&mut ahead);
            outlines.make_index();
            let purse = self.purse;
            layer = self.forward(ops, &layer, layer.bytes() + outlines.bytes(), |item| {
                let rest = |number: usize| outlines.entries[number].loss();
                let found = outlines.find(Outline::new(item.state, 0));
                found.is_ok_and(|number| (item.way >> LOSS) + rest(number) <= purse)
            })?;
        }
        let ways = layer.entries.into_iter().map(Entry::<DIRECTED>::parts);
        let done = ways.filter(|(state, _)| state.is_done());
        Ok(done.map(|(_, way)| (way & ((1 << LOSS) - 1)) as i64 - WORTHLESS as i64).max())
    }

    /// Makes the next layer of those that there is some use in, beside so many bytes.
    fn forward<E: Entry<DIRECTED>>(
        &mut self,
        ops: &[Op],
        layer: &Layer<DIRECTED, E>,
        beside: usize,
        is_useful: impl Fn(&Item<DIRECTED>) -> bool,
    ) -> Result<Layer<DIRECTED, E>, String> {
        let (mut next, mut some) = (Layer::of(Vec::new()), Vec::new());
        self.advance(ops, &layer.entries, |items| {
            some.clear();
            some.extend(items.iter().filter(|item| is_useful(item)).map(|item| E::new(item.state, item.way)));
            next.add_all(&some);
            beside + next.bytes()
        })?;
        Ok(Layer::of(next.entries))
    }

    /// Takes a layer through a step. What comes of it is told batch by batch, and then how many bytes are in use.
    fn advance<E: Entry<DIRECTED>>(
        &mut self,
        ops: &[Op],
        layer: &[E],
        mut tell: impl FnMut(&[Item<DIRECTED>]) -> usize,
    ) -> Result<(), String> {
        let (mut now, mut then, limits) = (Vec::new(), Vec::new(), self.task.limits);
        let mut numbers = 0..;
        for batch in layer.chunks(BATCH) {
            now.clear();
            let items = batch.iter().zip(&mut numbers);
            now.extend(items.map(|(entry, from)| {
                let (state, way) = entry.parts();
                Item { state, way, from }
            }));
            for op in ops {
                then.clear();
                now.iter().for_each(|item| self.decide::<E>(op, item, &mut then));
                std::mem::swap(&mut now, &mut then);
                if now.len() > limits.memory / BYTES_PER_ITEM + BATCH {
                    return Err("sweep: too many decisions between two vertices of more than two edges".to_owned());
                }
            }
            *self.made += now.len() as u64;
            let items = (now.capacity() + then.capacity()) * size_of::<Item<DIRECTED>>();
            let bytes = self.held + items + tell(&now);
            // What was given back is not all of use again: a fifth is left for that.
            if bytes / 4 * 5 > limits.memory {
                return Err(format!("sweep: after {} states it is beyond the memory limit", self.made));
            }
            if *self.made > limits.states || (limits.stop)() {
                return Err("sweep: stopped by a limit".to_owned());
            }
        }
        Ok(())
    }

    /// All that may become of a state by a decision.
    #[inline(always)]
    fn decide<E: Entry<DIRECTED>>(&self, op: &Op, item: &Item<DIRECTED>, then: &mut Vec<Item<DIRECTED>>) {
        let state = item.state;
        let mut push = |state: Option<State<DIRECTED>>, added: u64| {
            let way = item.way.wrapping_add(added);
            if let Some(state) = state.filter(|_| self.is_affordable(way)) {
                then.push(Item { state, way, from: item.from });
            }
        };
        match *op {
            Op::Begin { slot, mark, taken } => {
                push(self.with_end(state, mark).map(|state| state.with(slot, mark)), taken);
            }
            Op::Edge { slots, visits, mut used, unused } => {
                push(Some(state), unused);
                for (slot, visit) in slots.into_iter().zip(visits) {
                    if state.get(slot) == UNTOUCHED {
                        used = used.wrapping_add(visit);
                    }
                }
                if self.is_affordable(item.way.wrapping_add(used)) {
                    push(self.join::<E>(state, slots), used);
                }
            }
            Op::Leave { slot, unvisited, full, ends } => {
                let left = state.with(slot, UNTOUCHED);
                let symbol = state.get(slot);
                match symbol {
                    UNTOUCHED => return push(Some(left), unvisited),
                    FULL => return push(Some(left), full),
                    _ => {}
                }
                for (mark, added) in [FROM_START, TO_FINISH].into_iter().zip(ends) {
                    // What wants an arc in may be the start; a stretch has each end of the path once.
                    let may_end = match DIRECTED {
                        true => (symbol & 1 == 1) == (mark == FROM_START),
                        false => !E::EXACT || self.task.model.alike || symbol != mark,
                    };
                    let ended = self.with_end(left, mark);
                    let Some((added, ended)) = added.filter(|_| may_end).zip(ended) else { continue };
                    match State::<DIRECTED>::other_end(symbol, slot) {
                        Ok(far) => push(Some(ended.with(far, mark)), added),
                        Err(_) if !E::EXACT && ended.is_open() => push(Some(ended), added),
                        Err(_) => push(ended.completed(false), added),
                    }
                }
            }
        }
    }

    /// Takes note that the path has this end, if it had not.
    #[inline(always)]
    fn with_end(&self, State(state): State<DIRECTED>, mark: u32) -> Option<State<DIRECTED>> {
        let is_first = mark == FROM_START && !(self.task.model.alike && state & HAS_START != 0);
        let flag = if is_first { HAS_START } else { HAS_FINISH };
        (state & flag == 0).then_some(State(state | flag))
    }

    /// Uses the edge between two slots, from the one to the other where directed.
    #[inline(always)]
    fn join<E: Entry<DIRECTED>>(&self, state: State<DIRECTED>, [from, to]: [u32; 2]) -> Option<State<DIRECTED>> {
        let (tail, head) = (state.get(from), state.get(to));
        // The tail must not want an arc in, nor the head one out.
        let is_turned = DIRECTED && (tail & 1 == 1 || (head != UNTOUCHED && head & 1 == 0));
        if tail == FULL || head == FULL || is_turned || state.is_done() {
            return None;
        }
        let closed = self.task.model.closed;
        let after = |symbol: u32| if symbol == UNTOUCHED { UNTOUCHED } else { FULL };
        let joined = state.with(from, after(tail)).with(to, after(head));
        let (open, other_end) = (State::<DIRECTED>::open, State::<DIRECTED>::other_end);
        // The stretches that are joined end otherwise at slots, or at ends of the path.
        match (other_end(tail, from), other_end(head, to)) {
            // The two ends of one stretch: a cycle.
            (Ok(beginning), _) if beginning == to => joined.completed(true).filter(|_| closed),
            (Ok(beginning), Ok(end)) => Some(joined.with(beginning, open(end, true)).with(end, open(beginning, false))),
            (Ok(slot), Err(mark)) | (Err(mark), Ok(slot)) => Some(joined.with(slot, mark)),
            // Outlines don't know whose ends these are.
            (Err(_), Err(_)) if !E::EXACT && joined.is_open() => Some(joined),
            (Err(one), Err(other)) if !E::EXACT || self.task.model.alike || one != other => joined.completed(closed),
            _ => None,
        }
    }
}

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

use crate::model::{Model, Range};
use crate::state::{EXACT, Entry, LOSS, Layer, MOST_LOSS, OUTLINE, State, WORTHLESS};
use crate::state::{FROM_START, FULL, HAS_FINISH, HAS_START, TO_FINISH, UNTOUCHED};
use crate::{Combination, Limits, Tree};

/// So many vertices of two edges at most are placed together with the next one.
const MOST_JOINED: usize = 6;
/// States that go through the decisions of a step together.
const BATCH: usize = 256;
/// For so many bytes of the memory they may become one more on the way.
const BYTES_PER_ITEM: usize = 1024;

/// A decision, with what each choice adds to a way.
enum Op {
    /// A vertex is placed that is the start, or the finish, of every path.
    Begin { slot: u32, mark: u32, taken: u64 },
    /// An edge is used or not.
    Edge { slots: [u32; 2], used: u64, unused: u64 },
    /// A vertex has no more edges: it is unvisited, full, the start or the finish.
    Leave { slot: u32, unvisited: u64, full: u64, ends: [u64; 2] },
}

/// A state on its way through a step, and the number of the entry that it comes from.
#[derive(Clone, Copy)]
struct Item<const DIRECTED: bool> {
    state: State<DIRECTED>,
    way: u64,
    from: u32,
}

pub(crate) struct Sweep<'a, const DIRECTED: bool> {
    model: &'a Model,
    limits: Limits<'a>,
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
    /// Sweeps along an order, within what a combination leaves. `Ok` if nothing survives.
    pub(crate) fn run(tree: &'a mut Tree<'_, '_>, sum: &Combination, order: &[u32]) -> Result<(), String> {
        let (model, target, whole) = (tree.model, tree.target, sum.bound - sum.needed);
        if whole < 0 {
            return Ok(());
        }
        let unit = |whole: u128, most: u64| (0..128).find(|unit| whole >> unit < u128::from(most)).unwrap_or(127);
        // Losses are counted in units of so many bits, rounded down; one beyond the purse is as good as any.
        let loss_unit = unit(whole as u128, MOST_LOSS - 1);
        let purse = (whole >> loss_unit) as u64;
        // And so are values, rounded up.
        let value_unit = unit(model.worths().map(i128::unsigned_abs).sum(), WORTHLESS / 2);
        let (mut take, mut skip) = (Vec::new(), Vec::new());
        for ((&gain, &range), worth) in sum.gains.iter().zip(&tree.ranges).zip(model.worths()) {
            // What is lost by a value is what it gains less than the best.
            let [skipped, taken] = [(Range::Zero, 0), (Range::One, gain)].map(|(value, gained)| {
                let loss = range.best(gain) - gained;
                let is_beyond = loss > whole || ![Range::Free, value].contains(&range);
                if is_beyond { (purse + 1) << LOSS } else { ((loss >> loss_unit) as u64) << LOSS }
            });
            take.push(taken.wrapping_add(-(-worth >> value_unit) as u64));
            skip.push(skipped);
        }
        let mut is_placed = vec![false; model.graph.n];
        order.iter().for_each(|&vertex| is_placed[vertex as usize] = true);
        let is_open = |vertex: u32| tree.ranges[model.visit(vertex) as usize] != Range::Zero;
        if let Some(lacking) = (0..).zip(&is_placed).find(|&(vertex, is_placed)| !is_placed && is_open(vertex)) {
            return Err(format!("sweep: the order lacks the vertex {}", tree.run.tokens.name(lacking.0)));
        }
        let limits = Limits { memory: tree.run.limits.memory.saturating_sub(tree.bytes()), ..*tree.run.limits };
        let mut sweep = Self { model, limits, purse, take, skip, made: &mut tree.run.states, held: 0 };
        let steps = sweep.plan(&tree.ranges, order)?;
        let ahead = sweep.look_ahead(&steps)?;
        let found = sweep.go_through(&steps, ahead)?;
        let better = found.filter(|&value| target.is_none_or(|target| value > target >> value_unit));
        better.map_or(Ok(()), |value| Err(format!("sweep: there is a path worth {}", i128::from(value) << value_unit)))
    }

    /// The decisions of each step. Edges that no path uses are none.
    fn plan(&mut self, ranges: &[Range], order: &[u32]) -> Result<Vec<Vec<Op>>, String> {
        let (model, n) = (self.model, self.model.graph.n);
        let mut rank = vec![usize::MAX; n];
        (0..).zip(order).for_each(|(position, &vertex)| rank[vertex as usize] = position);
        let is_open = |column: u32| ranges[column as usize] != Range::Zero;
        // All paths end where an end is fixed, or where no more are left than paths need.
        let ends = [model.start(0), model.finish(0)].map(|first| &ranges[first as usize..][..n]);
        let needed = if model.alike { 2 } else { 1 };
        let few = ends.map(|ends| ends.iter().filter(|&&range| range != Range::Zero).count() <= needed);
        let is_forced = |end: usize, range: Range| range == Range::One || (range == Range::Free && few[end]);
        let is_end = |vertex: u32| [0, 1].map(|end| is_forced(end, ends[end][vertex as usize]));
        let usable = |&&(other, edge): &&(u32, u32)| is_open(edge) && rank[other as usize] != usize::MAX;
        let edges = |vertex: u32| model.graph.around[vertex as usize].iter().filter(usable);
        let mut undecided: Vec<usize> = (0..n as u32).map(|vertex| edges(vertex).count()).collect();
        let mut slot_of = vec![u32::MAX; n];
        let most = State::<DIRECTED>::SLOTS as u32;
        let mut free: Vec<u32> = (0..most).rev().collect();
        let (mut steps, mut joined) = (Vec::new(), 0);
        for (position, &vertex) in order.iter().enumerate() {
            let slot = free.pop().ok_or_else(|| format!("sweep: the order has a frontier of more than {most}"))?;
            slot_of[vertex as usize] = slot;
            // What a vertex of two edges does is mostly decided by what comes next: both make one step.
            if joined == 0 {
                steps.push(Vec::new());
                joined = MOST_JOINED + 1;
            }
            joined = if undecided[vertex as usize] > 2 { 0 } else { joined - 1 };
            let ops = steps.last_mut().expect("the first vertex begins a step");
            ops.extend(self.begin(vertex, slot, is_end(vertex)));
            let mut back: Vec<_> = edges(vertex).filter(|(other, _)| rank[*other as usize] < position).collect();
            // Those that leave come first, and the vertex itself last.
            back.sort_by_key(|(other, _)| (undecided[*other as usize], rank[*other as usize]));
            for back in back.into_iter().map(Some).chain([None]) {
                let leaving = back.map_or(vertex, |&(other, _)| other);
                if let Some(&(other, edge)) = back {
                    let (u, v, _) = model.graph.edges[edge as usize];
                    let [used, unused] = [&self.take, &self.skip].map(|added| added[edge as usize]);
                    ops.push(Op::Edge { slots: [u, v].map(|end| slot_of[end as usize]), used, unused });
                    [other, vertex].iter().for_each(|&end| undecided[end as usize] -= 1);
                }
                if undecided[leaving as usize] == 0 {
                    let slot = slot_of[leaving as usize];
                    ops.push(self.leave(leaving, slot));
                    free.push(slot);
                }
            }
        }
        Ok(steps)
    }

    /// A vertex that is the start, or the finish, of all paths is paid for at once, and is no end later: an end without edges is
    /// no path with one. Only a path of this vertex alone has both ends there.
    fn begin(&mut self, vertex: u32, slot: u32, is_end: [bool; 2]) -> Option<Op> {
        let columns = [self.model.start(vertex), self.model.finish(vertex)].map(|column| column as usize);
        let (end, beyond) = (is_end.iter().position(|&is_end| is_end)?, (self.purse + 1) << LOSS);
        let taken = if is_end == [true; 2] { beyond } else { self.take[columns[end]] };
        self.skip[columns[end]] = 0;
        columns.iter().for_each(|&column| self.take[column] = beyond);
        Some(Op::Begin { slot, mark: [FROM_START, TO_FINISH][end], taken })
    }

    fn leave(&self, vertex: u32, slot: u32) -> Op {
        let columns = [self.model.visit(vertex), self.model.start(vertex), self.model.finish(vertex)];
        let [visit, start, finish] = columns.map(|column| self.take[column as usize]);
        let [no_visit, no_start, no_finish] = columns.map(|column| self.skip[column as usize]);
        let full = visit.wrapping_add(no_start + no_finish);
        let ends =
            [(start, no_finish), (finish, no_start)].map(|(end, other)| visit.wrapping_add(end).wrapping_add(other));
        Op::Leave { slot, unvisited: no_visit + no_start + no_finish, full, ends }
    }

    #[inline(always)]
    fn is_affordable(&self, way: u64) -> bool {
        way >> LOSS <= self.purse
    }

    /// What the completions of each outline lose at least, by layers, without those that are beyond the purse.
    fn look_ahead(&mut self, steps: &[Vec<Op>]) -> Result<Vec<Layer<OUTLINE>>, String> {
        let mut layers = vec![Layer::of(vec![Entry::new(State::<DIRECTED>(0), WORTHLESS)])];
        self.held = layers[0].bytes();
        for (number, ops) in steps.iter().enumerate() {
            layers.push(self.forward(ops, &layers[number], 0, |_| true)?);
            self.held += layers[number + 1].bytes();
        }
        // Nothing is on the frontier now: the path is there, or is not.
        let last = &mut layers[steps.len()].entries;
        last.retain(|outline| outline.state::<DIRECTED>().is_done());
        last.iter_mut().for_each(|outline| outline.set_loss(0));
        for (number, ops) in steps.iter().enumerate().rev() {
            let [before, after] = &mut layers[number..number + 2] else { unreachable!("two layers") };
            self.held -= before.bytes() + after.bytes();
            after.make_index();
            // From the beginning to the end.
            let mut losses = vec![self.purse as u16 + 1; before.entries.len()];
            self.advance(ops, &before.entries, |items| {
                for item in items {
                    if let Ok(number) = after.find(Entry::new(item.state, 0)) {
                        let loss = (item.way >> LOSS) + after.entries[number].loss();
                        let least = &mut losses[item.from as usize];
                        *least = loss.min(u64::from(*least)) as u16;
                    }
                }
                before.bytes() + after.bytes() + losses.len() * size_of::<u16>()
            })?;
            let mut losses = losses.into_iter().map(u64::from);
            before.entries.retain_mut(|outline| {
                let loss = losses.next().filter(|&loss| loss <= self.purse);
                loss.inspect(|loss| outline.set_loss(loss - outline.loss())).is_some()
            });
            for layer in [before, after] {
                *layer = Layer::of(std::mem::take(&mut layer.entries));
                self.held += layer.bytes();
            }
        }
        Ok(layers)
    }

    /// Goes through all states within the purse. The best value of a path that comes to its end.
    fn go_through(&mut self, steps: &[Vec<Op>], ahead: Vec<Layer<OUTLINE>>) -> Result<Option<i64>, String> {
        let mut layer: Layer<EXACT> = Layer::of(vec![Entry::new(State::<DIRECTED>(0), WORTHLESS)]);
        for (ops, mut outlines) in steps.iter().zip(ahead.into_iter().skip(1)) {
            self.held -= outlines.bytes();
            outlines.make_index();
            let purse = self.purse;
            layer = self.forward(ops, &layer, layer.bytes() + outlines.bytes(), |item| {
                let found = outlines.find(Entry::new(item.state, 0));
                found.is_ok_and(|number| (item.way >> LOSS) + outlines.entries[number].loss() <= purse)
            })?;
        }
        let done = layer.entries.into_iter().filter(|known| known.state::<DIRECTED>().is_done());
        Ok(done.map(|known| (known.way() & ((1 << LOSS) - 1)) as i64 - WORTHLESS as i64).max())
    }

    /// Makes the next layer of those that there is some use in, beside so many bytes.
    fn forward<const KIND: usize>(
        &mut self,
        ops: &[Op],
        layer: &Layer<KIND>,
        beside: usize,
        is_useful: impl Fn(&Item<DIRECTED>) -> bool,
    ) -> Result<Layer<KIND>, String> {
        let (mut next, mut some) = (Layer::of(Vec::new()), Vec::new());
        self.advance(ops, &layer.entries, |items| {
            some.clear();
            some.extend(items.iter().filter(|item| is_useful(item)).map(|item| Entry::new(item.state, item.way)));
            next.add_all(&some);
            beside + next.bytes()
        })?;
        Ok(Layer::of(next.entries))
    }

    /// Takes a layer through a step. What comes of it is told batch by batch, and then how many bytes are in use.
    fn advance<const KIND: usize>(
        &mut self,
        ops: &[Op],
        layer: &[Entry<KIND>],
        mut tell: impl FnMut(&[Item<DIRECTED>]) -> usize,
    ) -> Result<(), String> {
        let (mut now, mut then, limits) = (Vec::new(), Vec::new(), self.limits);
        let mut items = (0..).zip(layer).map(|(from, entry)| Item { state: entry.state(), way: entry.way(), from });
        for _ in 0..layer.len().div_ceil(BATCH) {
            now.clear();
            now.extend(items.by_ref().take(BATCH));
            for op in ops {
                then.clear();
                now.iter().for_each(|item| self.decide::<KIND>(op, item, &mut then));
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
    fn decide<const KIND: usize>(&self, op: &Op, item: &Item<DIRECTED>, then: &mut Vec<Item<DIRECTED>>) {
        let state = item.state;
        let mut push = |state: Option<State<DIRECTED>>, added: u64| {
            let way = item.way.wrapping_add(added);
            if let Some(state) = state.filter(|_| self.is_affordable(way)) {
                then.push(Item { state, way, from: item.from });
            }
        };
        match *op {
            Op::Begin { slot, mark, taken } => push(self.ended::<KIND>(state, slot, mark), taken),
            Op::Edge { slots, used, unused } => {
                push(Some(state), unused);
                if self.is_affordable(item.way.wrapping_add(used)) {
                    push(self.join::<KIND>(state, slots), used);
                }
            }
            Op::Leave { slot, unvisited, full, ends } => match state.get(slot) {
                UNTOUCHED => push(Some(state), unvisited),
                FULL => push(Some(state.with(slot, UNTOUCHED)), full),
                _ => {
                    for (mark, added) in [FROM_START, TO_FINISH].into_iter().zip(ends) {
                        if self.is_affordable(item.way.wrapping_add(added)) {
                            push(self.ended::<KIND>(state, slot, mark), added);
                        }
                    }
                }
            },
        }
    }

    /// Makes the vertex at a slot an end of the path, which has each end once.
    #[inline(always)]
    fn ended<const KIND: usize>(&self, state: State<DIRECTED>, slot: u32, mark: u32) -> Option<State<DIRECTED>> {
        let symbol = state.get(slot);
        let is_first = mark == FROM_START && !(self.model.alike && state.0 & HAS_START != 0);
        let flag = if is_first { HAS_START } else { HAS_FINISH };
        // What wants an arc in may be the start.
        let is_turned = DIRECTED && symbol != UNTOUCHED && (symbol & 1 == 1) != (mark == FROM_START);
        if is_turned || state.0 & flag != 0 {
            return None;
        }
        let ended = State(state.0 | flag).with(slot, UNTOUCHED);
        self.linked::<KIND>(ended, [State::<DIRECTED>::other_end(symbol, slot), Err(mark)])
    }

    /// Uses the edge between two slots, from the one to the other where directed.
    #[inline(always)]
    fn join<const KIND: usize>(&self, state: State<DIRECTED>, [from, to]: [u32; 2]) -> Option<State<DIRECTED>> {
        let (tail, head) = (state.get(from), state.get(to));
        // The tail must not want an arc in, nor the head one out.
        let is_turned = DIRECTED && (tail & 1 == 1 || (head != UNTOUCHED && head & 1 == 0));
        if tail == FULL || head == FULL || is_turned || state.is_done() {
            return None;
        }
        let after = |symbol: u32| if symbol == UNTOUCHED { UNTOUCHED } else { FULL };
        let joined = state.with(from, after(tail)).with(to, after(head));
        let other_end = State::<DIRECTED>::other_end;
        match [other_end(tail, from), other_end(head, to)] {
            // The two ends of one stretch: a cycle.
            [Ok(beginning), _] if beginning == to => joined.completed(true).filter(|_| self.model.closed),
            stretch => self.linked::<KIND>(joined, stretch),
        }
    }

    /// A stretch has been made of two, or of one and an end of the path: it ends at these slots, or ends of the path.
    #[inline(always)]
    fn linked<const KIND: usize>(
        &self,
        state: State<DIRECTED>,
        stretch: [Result<u32, u32>; 2],
    ) -> Option<State<DIRECTED>> {
        let open = State::<DIRECTED>::open;
        match stretch {
            [Ok(beginning), Ok(end)] => Some(state.with(beginning, open(end, true)).with(end, open(beginning, false))),
            [Ok(slot), Err(mark)] | [Err(mark), Ok(slot)] => Some(state.with(slot, mark)),
            // Outlines don't know whose ends these are.
            _ if KIND == OUTLINE && state.is_open() => Some(state),
            [one, other] if KIND == OUTLINE || self.model.alike || one != other => state.completed(self.model.closed),
            _ => None,
        }
    }
}

//! Backtracking within one bag, with virtual jumps to the past and to the future.

use fixedbitset::FixedBitSet;

use super::table::{NO_TRACE, Table, Traces, Trie, Type, header};
use super::{Budget, Ends, Instance, NOT_AN_END, PathDecomposition};
use crate::solution::Stop;

/// How a sequence came to its present vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrival {
    /// It begins here, with an edge of this bag.
    Start,
    /// Along an edge of this bag.
    Edge,
    /// Out of the past, or out of the future.
    Past,
    Future,
}

/// A vertex to go to next.
#[derive(Clone, Copy)]
struct Choice {
    vertex: u32,
    arrival: Arrival,
    /// The jumps shown to the past so far, this arrival included.
    node: u32,
    /// What the sequence is worth so far, this arrival included and the past left out.
    value: i64,
}

/// A vertex of the present sequence, and what to restore when it is left.
struct Frame {
    vertex: u32,
    choices: usize,
    steps: usize,
    jumps: usize,
}

/// Searches one bag after the other; its memory is kept between them.
pub(super) struct Walker<'a> {
    instance: &'a Instance,
    decomposition: &'a PathDecomposition,
    budget: &'a Budget,

    bag: usize,
    /// The vertices of the present bag, and those that the next one holds too.
    members: Vec<u32>,
    shared: Vec<u32>,

    used: FixedBitSet,
    frames: Vec<Frame>,
    choices: Vec<Choice>,
    /// The edges of this bag that the sequence runs along.
    steps: Vec<(u32, u32)>,
    /// The jumps shown to the future so far.
    jumps: Vec<u32>,
    /// For the key in the making: forbidden by the past, and jumps.
    marked: Vec<Mark>,
    key: Vec<u32>,

    count: u64,
    until_clock: u32,
    peak_bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Forbidden,
    Jump,
}

/// Steps between two looks at the clock.
const STEPS_PER_CLOCK: u32 = 1 << 12;

/// Tables that become larger by no more bytes do so between two looks at the clock; others take so long for each byte.
const GROWTH_AT_ONCE: usize = 1 << 22;
const NANOSECONDS_PER_BYTE: u64 = 1;

impl<'a> Walker<'a> {
    pub(super) fn new(instance: &'a Instance, decomposition: &'a PathDecomposition, budget: &'a Budget) -> Self {
        let n = instance.graph.vertex_count();
        Walker {
            instance,
            decomposition,
            budget,
            bag: 0,
            members: Vec::new(),
            shared: Vec::new(),
            used: FixedBitSet::with_capacity(n),
            frames: Vec::new(),
            choices: Vec::new(),
            steps: Vec::new(),
            jumps: Vec::new(),
            marked: vec![Mark::None; n],
            key: Vec::new(),
            count: 0,
            until_clock: STEPS_PER_CLOCK,
            peak_bytes: 0,
        }
    }

    /// The sequences tried and rows looked up so far.
    pub(super) fn steps(&self) -> u64 {
        self.count
    }

    pub(super) fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// The table on the far side of a bag, and why it is incomplete if it is.
    pub(super) fn search(&mut self, bag: usize, past: &Table, traces: &mut Traces) -> (Table, Option<Stop>) {
        self.bag = bag;
        let decomposition = self.decomposition;
        self.members.retain(|&vertex| *decomposition.bags_of(vertex).end() >= bag);
        self.members.extend_from_slice(decomposition.entering(bag));
        self.shared.clear();
        self.shared.extend(self.members.iter().filter(|&&vertex| *decomposition.bags_of(vertex).end() > bag));
        self.shared.sort_unstable();

        let mut future = Table::new();
        if let Some((value, trace)) = past.complete() {
            future.improve(&[header(Type::A, 0)], value, || trace);
        }
        future.improve(&[header(Type::B, 0)], 0, || NO_TRACE);
        let trie = match Trie::new(past, self.budget) {
            Ok(trie) => trie,
            Err(stop) => return (future, Some(stop)),
        };
        let mut scene = Scene { past, trie: &trie, future: &mut future, traces, stop: None };

        self.start_inside(&mut scene);
        self.start_in_the_past(&mut scene);
        self.start_in_the_future(&mut scene);
        let stop = scene.stop;
        (future, stop)
    }

    fn start_inside(&mut self, scene: &mut Scene<'_>) {
        let Ends::Open { first, .. } = &self.instance.ends else { return };
        for position in 0..self.members.len() {
            let vertex = self.members[position];
            if first[vertex as usize] != NOT_AN_END {
                let node = Trie::root(Type::B);
                self.explore(Choice { vertex, arrival: Arrival::Start, node, value: first[vertex as usize] }, scene);
            }
        }
    }

    fn start_in_the_past(&mut self, scene: &mut Scene<'_>) {
        let trie = scene.trie;
        for (node, vertex) in trie.children(Trie::root(Type::A)) {
            self.explore(Choice { vertex, arrival: Arrival::Past, node, value: 0 }, scene);
        }
    }

    fn start_in_the_future(&mut self, scene: &mut Scene<'_>) {
        for position in 0..self.shared.len() {
            let vertex = self.shared[position];
            self.explore(Choice { vertex, arrival: Arrival::Future, node: Trie::root(Type::B), value: 0 }, scene);
        }
    }

    /// All sequences with this beginning.
    fn explore(&mut self, begin: Choice, scene: &mut Scene<'_>) {
        let kind = if begin.arrival == Arrival::Future { Type::B } else { Type::A };
        self.enter(begin, kind, scene);
        while let Some(frame) = self.frames.last() {
            if self.choices.len() > frame.choices && scene.stop.is_none() {
                let choice = self.choices.pop().expect("the frame has a choice left");
                self.enter(choice, kind, scene);
            } else {
                self.leave();
            }
        }
    }

    fn leave(&mut self) {
        let frame = self.frames.pop().expect("only entered vertices are left");
        self.used.remove(frame.vertex as usize);
        self.choices.truncate(frame.choices);
        self.steps.truncate(frame.steps);
        self.jumps.truncate(frame.jumps);
    }

    fn enter(&mut self, choice: Choice, kind: Type, scene: &mut Scene<'_>) {
        let Choice { vertex, arrival, node, value } = choice;
        let before = self.frames.last().map(|frame| frame.vertex);
        self.frames.push(Frame {
            vertex,
            choices: self.choices.len(),
            steps: self.steps.len(),
            jumps: self.jumps.len(),
        });
        self.used.insert(vertex as usize);
        match arrival {
            Arrival::Edge => self.steps.push((before.expect("an edge has a tail"), vertex)),
            Arrival::Future => {
                self.jumps.extend(before);
                self.jumps.push(vertex);
            }
            Arrival::Start | Arrival::Past => {}
        }
        self.tick(scene);

        let decomposition = self.decomposition;
        let (first_bag, last_bag) = decomposition.bags_of(vertex).into_inner();
        let (in_past, in_future) = (first_bag < self.bag, last_bag > self.bag);
        if let (Arrival::Edge, Ends::Open { last, .. }) = (arrival, &self.instance.ends)
            && last[vertex as usize] != NOT_AN_END
        {
            self.finish(node, value + last[vertex as usize], kind, scene);
        }
        if matches!(arrival, Arrival::Edge | Arrival::Future) && in_past {
            self.jump_to_the_past(vertex, node, value, kind, scene);
        }
        if matches!(arrival, Arrival::Edge | Arrival::Past) && in_future {
            self.jumps.push(vertex);
            self.finish(node, value, kind, scene);
            self.jumps.pop();
            let unused = self.shared.iter().filter(|&&other| !self.used[other as usize]);
            self.choices.extend(unused.map(|&vertex| Choice { vertex, arrival: Arrival::Future, node, value }));
        }
        for arc in self.instance.graph.out_arcs(vertex) {
            let (first, last) = decomposition.bags_of(arc.target).into_inner();
            let owned = first <= self.bag && last.min(last_bag) == self.bag;
            if owned && !self.used[arc.target as usize] {
                let value = value + self.instance.graph.weight(arc.edge);
                self.choices.push(Choice { vertex: arc.target, arrival: Arrival::Edge, node, value });
            }
        }
    }

    fn jump_to_the_past(&mut self, vertex: u32, node: u32, value: i64, kind: Type, scene: &mut Scene<'_>) {
        let trie = scene.trie;
        let Some(gone) = trie.child(node, vertex) else { return };
        self.finish(gone, value, kind, scene);
        for (back, vertex) in trie.children(gone) {
            if !self.used[vertex as usize] {
                self.choices.push(Choice { vertex, arrival: Arrival::Past, node: back, value });
            }
        }
    }

    /// The present sequence with every past that fits it.
    fn finish(&mut self, node: u32, value: i64, kind: Type, scene: &mut Scene<'_>) {
        for &jump in &self.jumps {
            self.marked[jump as usize] = Mark::Jump;
        }
        let trie = scene.trie;
        for row in trie.rows(node) {
            self.tick(scene);
            if scene.stop.is_some() {
                break;
            }
            let row = &scene.past.rows()[row as usize];
            let forbidden = scene.past.forbidden(row);
            if forbidden.iter().any(|&vertex| self.used[vertex as usize]) {
                continue;
            }
            forbidden.iter().for_each(|&vertex| self.marked[vertex as usize] = Mark::Forbidden);
            self.key.clear();
            self.key.push(header(kind, self.jumps.len()));
            self.key.extend_from_slice(&self.jumps);
            let closed = |&&vertex: &&u32| match self.marked[vertex as usize] {
                Mark::Forbidden => true,
                Mark::Jump => false,
                Mark::None => self.used[vertex as usize],
            };
            self.key.extend(self.shared.iter().filter(closed));
            forbidden.iter().for_each(|&vertex| self.marked[vertex as usize] = Mark::None);
            self.record(row.value + value, row.trace, scene);
        }
        for &jump in &self.jumps {
            self.marked[jump as usize] = Mark::None;
        }
    }

    /// Puts the key into the table of the future, if there is room.
    fn record(&mut self, value: i64, parent: u32, scene: &mut Scene<'_>) {
        let more = (self.key.len(), self.steps.len());
        let bytes = scene.future.bytes_with(more.0)
            + scene.traces.bytes_with(more.1)
            + scene.past.bytes_with(0)
            + scene.trie.bytes()
            + self.bytes();
        if bytes > self.budget.memory || !scene.future.has_room(more.0) || !scene.traces.has_room(more.1) {
            scene.stop = Some(Stop::MemoryLimit);
            return;
        }
        let growth = scene.future.bytes_with(more.0) - scene.future.bytes() + scene.traces.bytes_with(more.1)
            - scene.traces.bytes();
        if growth > GROWTH_AT_ONCE && !self.budget.has_time(growth as u64 * NANOSECONDS_PER_BYTE) {
            scene.stop = Some(Stop::TimeLimit);
            return;
        }
        self.peak_bytes = self.peak_bytes.max(bytes);
        let Scene { future, traces, .. } = scene;
        future.improve(&self.key, value, || traces.push(parent, &self.steps));
    }

    pub(super) fn bytes(&self) -> usize {
        self.used.len().div_ceil(8)
            + self.marked.len() * size_of::<Mark>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.choices.capacity() * size_of::<Choice>()
            + (self.members.capacity() + self.shared.capacity() + 2 * self.steps.capacity()) * size_of::<u32>()
    }

    fn tick(&mut self, scene: &mut Scene<'_>) {
        self.count += 1;
        self.until_clock -= 1;
        if self.until_clock == 0 {
            self.until_clock = STEPS_PER_CLOCK;
            scene.stop = scene.stop.or(self.budget.spent());
        }
    }
}

/// The tables around a bag.
struct Scene<'a> {
    past: &'a Table,
    trie: &'a Trie,
    future: &'a mut Table,
    traces: &'a mut Traces,
    stop: Option<Stop>,
}

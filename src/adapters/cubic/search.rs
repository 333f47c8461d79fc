//! The search for Hamiltonian cycles of a sparse graph: forced edges, and a table of what is left.
//!
//! A Hamiltonian cycle takes exactly two edges at every vertex. Where three meet, each edge left out forces the other two,
//! and each two taken leave out the third; so a single choice decides a whole neighbourhood. That is the idea of David
//! Eppstein, *The traveling salesman problem for cubic graphs*, Journal of Graph Algorithms and Applications 11, 2007,
//! 61–81, DOI 10.7155/jgaa.00137: branch on an edge beside what is forced already, propagate, and stop as soon as the
//! undecided edges form disjoint 4-cycles, where the answer is plain. What is forced here:
//!
//! - two taken edges at a vertex leave out the others; a vertex with only two edges left takes both;
//! - an edge between the two ends of one taken segment would close it too early, and is left out;
//! - all that is not left out must hold together without a bridge: a cycle crosses each cut at least twice.
//!
//! We depart from the paper. The choice is not the paper's: it is made at the first undecided vertex of an order that keeps
//! neighbours near each other, so its bound O(2^(3n/8)) is not claimed here. There is no special ending: with such an order
//! 4-cycles are soon decided. And what is left after propagation (the undecided edges, and which ends of taken
//! segments belong together) is looked up in a table, since whether the rest can be completed, and in how many ways,
//! depends on nothing else. With an order of small vertex separation the search so becomes a dynamic program over its
//! frontiers, and graphs that differ from Hamiltonian ones only as a whole (long snarks, generalised Petersen graphs) take
//! no more time than their width asks for. The table keeps whole states, not only their hashes: what it says is a proof.
//! When it is full the search goes on without adding to it.
//!
//! Any graph will do, not only cubic ones, and that is how paths are found: an *apex* vertex joined to the possible ends turns
//! a Hamiltonian path into a Hamiltonian cycle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::table::Table;
use crate::Stop;

/// A graph by its edges, with the edges at each vertex.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    ends: Vec<[u32; 2]>,
    /// The edges at `v` are `rows[starts[v]..starts[v + 1]]`, each with its other end.
    starts: Vec<usize>,
    rows: Vec<(u32, u32)>,
}

impl Sparse {
    pub(super) fn new(vertex_count: usize, ends: Vec<[u32; 2]>) -> Self {
        let mut starts = vec![0; vertex_count + 1];
        ends.iter().flatten().for_each(|&vertex| starts[vertex as usize + 1] += 1);
        for vertex in 0..vertex_count {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut rows = vec![(0, 0); starts[vertex_count]];
        for (edge, &[one, two]) in ends.iter().enumerate() {
            for (from, to) in [(one, two), (two, one)] {
                rows[next[from as usize]] = (edge as u32, to);
                next[from as usize] += 1;
            }
        }
        Sparse { ends, starts, rows }
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn ends(&self) -> &[[u32; 2]] {
        &self.ends
    }

    pub(super) fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> {
        self.row(vertex).iter().map(|&(_, other)| other)
    }

    fn row(&self, vertex: u32) -> &[(u32, u32)] {
        &self.rows[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }
}

/// What a search may spend.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) deadline: Option<Instant>,
    pub(super) interrupt: Option<Arc<AtomicBool>>,
    /// For the table and the states that wait to be entered.
    pub(super) memory: usize,
    /// Give up with [`Stop::Exhausted`] after so many choices.
    pub(super) choices: u64,
}

impl Limits {
    pub(super) fn stop(&self) -> Option<Stop> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::TimeLimit)
    }
}

/// Whether one cycle is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Find,
    Count,
}

/// What a search found out.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The vertices of a cycle in order.
    pub(super) cycle: Option<Vec<u32>>,
    /// How many cycles there are; at least 1 if there is one, where counting was not the goal.
    pub(super) count: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Taken,
    Dropped,
}

/// The clock is looked at once in so many choices.
const CHOICES_A_LOOK: u64 = 64;

/// So many edges share a word of a state.
const WORD: usize = u32::BITS as usize;

/// A decision that can be undone.
#[derive(Clone, Copy, Debug)]
enum Change {
    Dropped(u32),
    /// With the far ends of the two segments that the edge joined.
    Taken(u32, [u32; 2]),
}

/// A choice on the way down.
struct Choice {
    edge: u32,
    /// How long the trail was before it.
    trail: usize,
    /// Where its state begins in the stack of states; there is none where memory has no room for it.
    state: usize,
    hash: u64,
    /// Whether the edge was tried both ways.
    both: bool,
    /// Cycles found below.
    count: u128,
}

/// What propagation comes to.
enum Outcome {
    Impossible,
    Closed,
    Undecided,
}

/// Searches for a Hamiltonian cycle that contains the `forced` edges. `order` lists all vertices, and choices are made
/// at the first that is undecided.
pub(super) fn search(
    graph: &Sparse,
    order: &[u32],
    forced: &[u32],
    goal: Goal,
    limits: &Limits,
) -> Result<Found, Stop> {
    Search::new(graph, order, limits).run(forced, goal)
}

struct Search<'a> {
    graph: &'a Sparse,
    limits: &'a Limits,
    order: &'a [u32],
    place: Vec<u32>,
    state: Vec<State>,
    open: Vec<u32>,
    taken: Vec<u8>,
    /// The other end of the segment that ends here; the vertex itself if nothing is taken there. Stale inside segments.
    mate: Vec<u32>,
    taken_count: usize,
    trail: Vec<Change>,
    pending: Vec<u32>,
    closed: bool,
    reach: Reach,
    table: Table,
    states: Vec<u32>,
    choices: Vec<Choice>,
    choice_count: u64,
    cycle: Option<Vec<u32>>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Sparse, order: &'a [u32], limits: &'a Limits) -> Self {
        let n = graph.vertex_count();
        let mut place = vec![0; n];
        order.iter().zip(0..).for_each(|(&vertex, at)| place[vertex as usize] = at);
        Search {
            graph,
            limits,
            order,
            place,
            state: vec![State::Open; graph.ends.len()],
            open: (0..n as u32).map(|vertex| graph.row(vertex).len() as u32).collect(),
            taken: vec![0; n],
            mate: (0..n as u32).collect(),
            taken_count: 0,
            trail: Vec::new(),
            pending: (0..n as u32).collect(),
            closed: false,
            reach: Reach::new(n),
            table: Table::new(limits.memory / 2),
            states: Vec::new(),
            choices: Vec::new(),
            choice_count: 0,
            cycle: None,
        }
    }

    fn run(mut self, forced: &[u32], goal: Goal) -> Result<Found, Stop> {
        let n = self.graph.vertex_count();
        let mut possible = n >= 3;
        for &edge in forced {
            possible = possible && self.state[edge as usize] != State::Dropped && self.take(edge);
        }
        let mut count = if possible { self.descend() } else { Some(0) };
        loop {
            // On the way down, until something is known of what is below; then up, until a choice has another side.
            let Some(below) = count else {
                if self.choice_count > self.limits.choices {
                    return Err(Stop::Exhausted);
                }
                if self.choice_count % CHOICES_A_LOOK == 1
                    && let Some(stop) = self.limits.stop()
                {
                    return Err(stop);
                }
                count = self.descend();
                continue;
            };
            if goal == Goal::Find && below > 0 {
                return Ok(Found { cycle: self.cycle, count: below });
            }
            let Some(mut choice) = self.choices.pop() else {
                return Ok(Found { cycle: self.cycle, count: below });
            };
            self.undo(choice.trail);
            match choice.count.checked_add(below) {
                Some(sum) => choice.count = sum,
                None => return Err(Stop::Exhausted),
            }
            if choice.both {
                if self.states.len() > choice.state {
                    self.table.insert(choice.hash, &self.states[choice.state..], choice.count);
                    self.states.truncate(choice.state);
                }
                count = Some(choice.count);
            } else {
                choice.both = true;
                let edge = choice.edge;
                self.choices.push(choice);
                self.drop_edge(edge);
                count = None;
            }
        }
    }

    /// Propagates; if that does not settle the matter, looks it up, and else makes a choice and says nothing.
    fn descend(&mut self) -> Option<u128> {
        match self.propagate() {
            Outcome::Impossible => return Some(0),
            Outcome::Closed => {
                if self.cycle.is_none() {
                    self.cycle = Some(self.walk());
                }
                return Some(1);
            }
            Outcome::Undecided => {}
        }
        if !self.reach.holds_together(self.graph, &self.state) {
            return Some(0);
        }
        let (start, mut hash) = (self.states.len(), 0);
        let longest_state = self.state.len().div_ceil(WORD) + self.taken.len();
        if (start + longest_state) * size_of::<u32>() <= self.limits.memory / 2 {
            self.push_state();
            hash = Table::hash(&self.states[start..]);
            if let Some(count) = self.table.get(hash, &self.states[start..]) {
                self.states.truncate(start);
                return Some(count);
            }
        }
        let edge = self.choose();
        self.choice_count += 1;
        self.choices.push(Choice { edge, trail: self.trail.len(), state: start, hash, both: false, count: 0 });
        if self.take(edge) { None } else { Some(0) }
    }

    /// What the rest depends on: the undecided edges, and the mates of the ends of segments.
    fn push_state(&mut self) {
        for states in self.state.chunks(WORD) {
            let bits = states.iter().zip(0..).map(|(&state, bit)| u32::from(state == State::Open) << bit);
            self.states.push(bits.sum());
        }
        for vertex in 0..self.graph.vertex_count() {
            if self.taken[vertex] == 1 {
                self.states.push(self.mate[vertex]);
            }
        }
    }

    /// The edge to decide next: at the first vertex that is undecided, to its first neighbour.
    fn choose(&self) -> u32 {
        let undecided = |vertex: &&u32| self.open[**vertex as usize] > 0;
        let &vertex = self.order.iter().find(undecided).expect("something is undecided");
        let open = self.graph.row(vertex).iter().filter(|(edge, _)| self.state[*edge as usize] == State::Open);
        open.min_by_key(|(_, other)| self.place[*other as usize]).expect("an open edge").0
    }

    fn propagate(&mut self) -> Outcome {
        while let Some(vertex) = self.pending.pop() {
            let needed = 2 - u32::from(self.taken[vertex as usize]);
            let open = self.open[vertex as usize];
            if open < needed {
                return self.give_up();
            }
            if open == 0 || (needed > 0 && open > needed) {
                continue;
            }
            for at in self.graph.starts[vertex as usize]..self.graph.starts[vertex as usize + 1] {
                let edge = self.graph.rows[at].0;
                if self.state[edge as usize] != State::Open {
                    continue;
                }
                if needed == 0 {
                    self.drop_edge(edge);
                } else if !self.take(edge) {
                    return self.give_up();
                }
            }
        }
        if self.closed { Outcome::Closed } else { Outcome::Undecided }
    }

    fn give_up(&mut self) -> Outcome {
        self.pending.clear();
        Outcome::Impossible
    }

    fn drop_edge(&mut self, edge: u32) {
        self.state[edge as usize] = State::Dropped;
        self.trail.push(Change::Dropped(edge));
        for vertex in self.graph.ends[edge as usize] {
            self.open[vertex as usize] -= 1;
            self.pending.push(vertex);
        }
    }

    /// Takes an edge; `false` if it closes a cycle too early or is one too many.
    fn take(&mut self, edge: u32) -> bool {
        if self.state[edge as usize] == State::Taken {
            return true;
        }
        let [one, two] = self.graph.ends[edge as usize];
        let n = self.graph.vertex_count();
        if self.taken[one as usize] == 2 || self.taken[two as usize] == 2 {
            self.pending.clear();
            return false;
        }
        let far = [self.mate[one as usize], self.mate[two as usize]];
        let closes = far[0] == two;
        if closes && self.taken_count + 1 < n {
            self.pending.clear();
            return false;
        }
        self.state[edge as usize] = State::Taken;
        self.trail.push(Change::Taken(edge, far));
        self.taken_count += 1;
        for vertex in [one, two] {
            self.open[vertex as usize] -= 1;
            self.taken[vertex as usize] += 1;
            self.pending.push(vertex);
        }
        if closes {
            self.closed = true;
            return true;
        }
        self.mate[far[0] as usize] = far[1];
        self.mate[far[1] as usize] = far[0];
        if self.taken_count + 1 < n {
            self.drop_shortcut(far);
        }
        true
    }

    /// Drops the edge that would close a segment.
    fn drop_shortcut(&mut self, [one, two]: [u32; 2]) {
        let shorter = |a: u32, b: u32| if self.graph.row(a).len() <= self.graph.row(b).len() { (a, b) } else { (b, a) };
        let (from, to) = shorter(one, two);
        for at in self.graph.starts[from as usize]..self.graph.starts[from as usize + 1] {
            let (edge, other) = self.graph.rows[at];
            if other == to && self.state[edge as usize] == State::Open {
                self.drop_edge(edge);
            }
        }
    }

    fn undo(&mut self, length: usize) {
        self.pending.clear();
        while self.trail.len() > length {
            let change = self.trail.pop().expect("longer than that");
            let edge = match change {
                Change::Dropped(edge) => edge,
                Change::Taken(edge, far) => {
                    let [one, two] = self.graph.ends[edge as usize];
                    self.taken[one as usize] -= 1;
                    self.taken[two as usize] -= 1;
                    self.taken_count -= 1;
                    self.closed = false;
                    self.mate[far[0] as usize] = one;
                    self.mate[far[1] as usize] = two;
                    edge
                }
            };
            self.state[edge as usize] = State::Open;
            for vertex in self.graph.ends[edge as usize] {
                self.open[vertex as usize] += 1;
            }
        }
    }

    /// The vertices along the taken edges.
    fn walk(&self) -> Vec<u32> {
        let mut cycle = Vec::with_capacity(self.graph.vertex_count());
        let (mut vertex, mut before) = (0, u32::MAX);
        loop {
            cycle.push(vertex);
            let taken = |(edge, _): &&(u32, u32)| self.state[*edge as usize] == State::Taken && *edge != before;
            let &(edge, next) = self.graph.row(vertex).iter().find(taken).expect("a cycle goes on");
            (vertex, before) = (next, edge);
            if vertex == 0 {
                return cycle;
            }
        }
    }
}

/// The bridges of a graph that is connected: the edges without which it would not be. Nothing if it is not.
pub(super) fn bridges(graph: &Sparse) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    let reached = Reach::new(graph.vertex_count()).explore(
        graph,
        |_| true,
        |bridge| {
            found.push(bridge);
            true
        },
    );
    (reached == graph.vertex_count()).then_some(found)
}

/// A walk through a graph that finds its bridges by low points (R. Tarjan, *Depth-first search and linear graph algorithms*,
/// SIAM Journal on Computing 1, 1972, DOI 10.1137/0201010).
struct Reach {
    /// When each vertex was found, from 1.
    found: Vec<u32>,
    low: Vec<u32>,
    next: Vec<u32>,
    stack: Vec<(u32, u32)>,
}

impl Reach {
    fn new(n: usize) -> Self {
        Reach { found: vec![0; n], low: vec![0; n], next: vec![0; n], stack: Vec::with_capacity(n) }
    }

    /// Whether what is not dropped is connected without a bridge.
    fn holds_together(&mut self, graph: &Sparse, state: &[State]) -> bool {
        let reached = self.explore(graph, |edge| state[edge as usize] != State::Dropped, |_| false);
        reached == graph.vertex_count()
    }

    /// How many vertices are reached from the first along the edges that are there. Tells of each bridge on the way, and ends
    /// where that is answered with `false`.
    fn explore(
        &mut self,
        graph: &Sparse,
        is_there: impl Fn(u32) -> bool,
        mut bridge: impl FnMut(u32) -> bool,
    ) -> usize {
        self.found.fill(0);
        self.next.fill(0);
        self.stack.clear();
        self.stack.push((0, u32::MAX));
        (self.found[0], self.low[0]) = (1, 1);
        let mut time = 1;
        while let Some(&(vertex, by)) = self.stack.last() {
            let v = vertex as usize;
            let Some(&(edge, other)) = graph.row(vertex).get(self.next[v] as usize) else {
                self.stack.pop();
                if let Some(&(parent, _)) = self.stack.last() {
                    if self.low[v] == self.found[v] && !bridge(by) {
                        return 0;
                    }
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[v]);
                }
                continue;
            };
            self.next[v] += 1;
            if edge == by || !is_there(edge) {
                continue;
            }
            let found = self.found[other as usize];
            if found > 0 {
                self.low[v] = self.low[v].min(found);
            } else {
                time += 1;
                (self.found[other as usize], self.low[other as usize]) = (time, time);
                self.stack.push((other, edge));
            }
        }
        time as usize
    }
}

//! Depth-first branch and bound for paths under demands: numbers of edges, musts, no chords. For graphs too wide for a sweep.
//!
//! A path grows at its head, vertex by vertex. Before it goes on, what it can still gain is [bounded](bounds): by the
//! vertices within reach, by what an induced path can take of small groups of them, and where few edges are left by the best
//! walk of so many. Where vertices are alike to all that is there already, which an [automorphism](symmetry) shows, only one
//! of them is tried: in a graph that looks the same from every vertex one beginning does for all. For the snake in the box
//! that is the canonical order of transitions (K. J. Kochut, *Snake-in-the-box codes for dimension 7*, Journal of
//! Combinatorial Mathematics and Combinatorial Computing 20, 1996), found here without being told of cubes.
//!
//! *Soundness.* Let σ be an automorphism of the question, demands and all, that leaves each vertex of the path alone. Then σ
//! maps the answers that go on by `u` to those that go on by `σ(u)`, of the same worth. Where the first vertex is free, σ need
//! not leave anything alone; when all paths from a vertex are known, so are those of its orbit, which are then no
//! longer last vertices either where edges have no direction, nor on any cycle.
//!
//! Memory is linear in the graph; the time is exponential in the length of the path. The search can pause and go on.

mod bounds;
mod symmetry;
#[cfg(test)]
mod tests;

use fixedbitset::FixedBitSet;

use self::bounds::{Bounds, Reach};
use self::symmetry::Symmetry;
use crate::instance::{Budget, Monitor};
use crate::sets::set_of;
use crate::solution::Stop;
use crate::view::CsrGraph;

/// What is asked: a simple graph, and what its paths must be like. They have an edge.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) graph: CsrGraph,
    pub(crate) from: Option<u32>,
    pub(crate) to: Option<u32>,
    pub(crate) closed: bool,
    pub(crate) induced: bool,
    /// By vertex what visiting it adds.
    pub(crate) prizes: Vec<i64>,
    /// The vertices that must be visited.
    pub(crate) visit: FixedBitSet,
    /// The edges that must be used.
    pub(crate) use_edges: FixedBitSet,
    pub(crate) at_least: u32,
    pub(crate) at_most: u32,
}

impl Question {
    fn vertices(&self) -> usize {
        self.graph.vertex_count()
    }

    /// All neighbours, where directed those of both directions; some may come twice.
    fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let into: &[_] = if self.graph.is_directed() { self.graph.in_arcs(vertex) } else { &[] };
        self.graph.out_arcs(vertex).iter().chain(into).map(|arc| arc.target)
    }

    fn has_edge(&self, from: u32, to: u32) -> bool {
        self.graph.edge_between(from, to).is_some()
    }

    /// The same with all paths turned round.
    fn turned(self) -> Self {
        Question { graph: self.graph.reversed(), from: self.to, to: self.from, ..self }
    }
}

/// A vertex of the growing path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    vertex: u32,
    /// What the path up to here is worth.
    worth: i64,
    /// How many of the edges that must be used have been.
    musts: u32,
    /// Of those, how many end here.
    musts_here: u32,
    /// Where its next vertices begin among the options, and which of them comes next.
    options: u32,
    next: u32,
    /// Whether automorphisms may still be found that leave the path alone.
    symmetric: bool,
}

/// A search that can pause and go on.
#[derive(Debug)]
pub(crate) struct Search {
    question: Question,
    /// Whether its paths are those asked for, backwards.
    turned: bool,
    bounds: Bounds,
    symmetry: Symmetry,
    /// Beginnings that are left, the next at the end, and the orbit of the present one.
    beginnings: Vec<u32>,
    orbit: Vec<u32>,
    /// Where edges have no direction, and for cycles: vertices of orbits that are done.
    done: FixedBitSet,
    frames: Vec<Frame>,
    options: Vec<u32>,
    on_path: FixedBitSet,
    /// Of how many vertices of the path, but for the head, each is a neighbour; for induced paths alone.
    blocked: Vec<u32>,
    /// How many vertices that must be visited have not been.
    visits_left: u32,
    must_count: u32,
    must_degree: Vec<u32>,
    reach: Reach,
    best: Option<(Vec<u32>, i64)>,
    /// What is worth no more does not matter.
    lower: i64,
    upper: i64,
    steps: u64,
}

/// What a search has brought.
#[derive(Clone, Debug)]
pub(crate) struct Grown {
    /// The best path above the floor, vertex by vertex, with its worth.
    pub(crate) best: Option<(Vec<u32>, i64)>,
    /// No path is worth more than this, or than the floor.
    pub(crate) upper: i64,
    /// Why it is not settled; [`Exhausted`](Stop::Exhausted) where the steps were spent.
    pub(crate) stop: Option<Stop>,
    pub(crate) steps: u64,
    pub(crate) bytes: usize,
}

/// Steps between two looks at the clock, each as long as the graph is large: so many edges.
const LOOK_EVERY: usize = 1 << 18;

/// How many short searches there are before the long one, and how long each may be.
const DIPS: usize = 24;
const MOST_STEPS_OF_A_DIP: u64 = 2_000;

impl Search {
    /// Only paths worth more than `floor` matter; `memory` is for tables of the bounds.
    pub(crate) fn new(question: Question, floor: i64, memory: usize) -> Self {
        let backwards = !question.closed && question.from.is_none() && question.to.is_some();
        let question = if backwards { question.turned() } else { question };
        let n = question.vertices();
        let bounds = Bounds::new(&question, memory);
        let mut must_degree = vec![0; n];
        let musts = question.use_edges.ones().map(|edge| &question.graph.edges()[edge]);
        musts.flat_map(|edge| [edge.source, edge.target]).for_each(|end| must_degree[end as usize] += 1);
        let mut search = Search {
            turned: backwards,
            symmetry: Symmetry::new(&question),
            beginnings: Vec::new(),
            orbit: Vec::new(),
            done: FixedBitSet::with_capacity(n),
            frames: Vec::new(),
            options: Vec::new(),
            on_path: FixedBitSet::with_capacity(n),
            blocked: vec![0; n],
            visits_left: question.visit.count_ones(..) as u32,
            must_count: question.use_edges.count_ones(..) as u32,
            must_degree,
            reach: Reach::new(n, &bounds),
            best: None,
            lower: floor,
            upper: bounds.of_all(&question).max(floor),
            steps: 0,
            bounds,
            question,
        };
        search.beginnings = search.all_beginnings();
        search
    }

    /// Where paths may begin; of cycles every one meets the first of them, or else the next, and so on.
    fn all_beginnings(&self) -> Vec<u32> {
        let question = &self.question;
        let visited = || question.visit.minimum().map(|vertex| vertex as u32);
        let given = if question.closed { question.from.or_else(visited) } else { question.from };
        match given {
            Some(vertex) => vec![vertex],
            None => {
                let mut all: Vec<u32> = (0..question.vertices() as u32).collect();
                let degree = |vertex: u32| question.graph.out_arcs(vertex).len();
                // Cycles through vertices of many edges first, so that few are left; paths from vertices of few.
                all.sort_by_key(|&vertex| {
                    (
                        if question.closed { degree(vertex) } else { usize::MAX - degree(vertex) },
                        usize::MAX - vertex as usize,
                    )
                });
                all
            }
        }
    }

    /// Goes on for so many steps at most; the first time some short searches from here and there look for a path to prune with.
    pub(crate) fn run(&mut self, steps: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Grown {
        let pause = self.steps.saturating_add(steps);
        if self.steps == 0 {
            self.dip(pause, budget, monitor);
        }
        let stop = self.search(pause, budget, monitor);
        if stop.is_none() {
            self.upper = self.lower;
            monitor.bound(self.upper);
        }
        let mut best = self.best.clone();
        if let Some((path, _)) = best.as_mut().filter(|_| self.turned) {
            path.reverse();
        }
        Grown { best, upper: self.upper, stop, steps: self.steps, bytes: self.bounds.bytes() }
    }

    /// A path of this worth is known from elsewhere, and this bound is proved.
    pub(crate) fn learn(&mut self, worth: i64, upper: i64) {
        self.lower = self.lower.max(worth);
        self.upper = self.upper.min(upper).max(self.lower);
    }

    /// Short searches from some beginnings, evenly spread, which settle nothing.
    fn dip(&mut self, pause: u64, budget: &Budget, monitor: &mut dyn Monitor) {
        let beginnings = std::mem::take(&mut self.beginnings);
        let each = (self.question.vertices() as u64).clamp(16, MOST_STEPS_OF_A_DIP);
        for &vertex in beginnings.iter().rev().step_by(beginnings.len().div_ceil(DIPS).max(1)) {
            let end = self.steps + each;
            if end > pause || budget.spent().is_some() {
                break;
            }
            self.begin(vertex);
            self.search(end, budget, monitor);
            while !self.frames.is_empty() {
                self.go_back();
            }
            self.done.clear();
        }
        self.beginnings = beginnings;
    }

    fn search(&mut self, pause: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Option<Stop> {
        let size = 1 + self.question.vertices() + self.question.graph.edge_count();
        let look_every = (LOOK_EVERY / size).max(1) as u64;
        let mut look = self.steps;
        while self.upper > self.lower {
            if self.steps >= look {
                if let Some(stop) = budget.spent() {
                    return Some(stop);
                }
                look = self.steps + look_every;
            }
            if self.steps >= pause {
                return Some(Stop::Exhausted);
            }
            let Some(frame) = self.frames.last_mut() else {
                match self.beginnings.pop() {
                    None => return None,
                    Some(vertex) => self.begin(vertex),
                }
                continue;
            };
            if (frame.next as usize) < self.options.len() {
                let vertex = self.options[frame.next as usize];
                frame.next += 1;
                self.go_on(vertex);
                self.judge(monitor);
                self.look_ahead();
                self.steps += 1;
            } else {
                self.go_back();
            }
        }
        None
    }

    /// A path of one vertex, for all of its orbit.
    fn begin(&mut self, vertex: u32) {
        self.orbit = self.symmetry.orbit(&self.question, vertex, &self.beginnings);
        let alike = set_of(self.question.vertices(), &self.orbit);
        self.beginnings.retain(|&other| !alike[other as usize]);
        self.orbit.push(vertex);
        let worth = self.question.prizes[vertex as usize];
        self.push(Frame { vertex, worth, musts: 0, musts_here: 0, options: 0, next: 0, symmetric: true });
        self.look_ahead();
        self.steps += 1;
    }

    fn push(&mut self, frame: Frame) {
        self.on_path.insert(frame.vertex as usize);
        self.visits_left -= u32::from(self.question.visit[frame.vertex as usize]);
        self.frames.push(frame);
    }

    /// Whether what is next to this vertex of the path, as soon as it is no head, can be on no induced path. A cycle comes back
    /// to what is next to its first vertex.
    fn blocks(&self, depth: usize) -> bool {
        self.question.induced && !(self.question.closed && depth == 0)
    }

    fn block(&mut self, vertex: u32, more: bool) {
        for other in self.question.neighbours(vertex) {
            let count = &mut self.blocked[other as usize];
            *count = if more { *count + 1 } else { *count - 1 };
        }
    }

    /// The head moves on to a vertex that is one of its options.
    fn go_on(&mut self, vertex: u32) {
        let depth = self.frames.len() - 1;
        let head = self.frames[depth];
        if self.blocks(depth) {
            self.block(head.vertex, true);
        }
        let edge = self.question.graph.edge_between(head.vertex, vertex).expect("options are neighbours");
        let must = u32::from(self.question.use_edges[edge as usize]);
        self.frames[depth].musts_here += must;
        self.push(Frame {
            vertex,
            worth: head.worth + self.question.graph.weight(edge) + self.question.prizes[vertex as usize],
            musts: head.musts + must,
            musts_here: must,
            options: self.options.len() as u32,
            next: self.options.len() as u32,
            symmetric: head.symmetric,
        });
    }

    fn go_back(&mut self) {
        let frame = self.frames.pop().expect("there is a head");
        self.on_path.remove(frame.vertex as usize);
        self.visits_left += u32::from(self.question.visit[frame.vertex as usize]);
        self.options.truncate(frame.options as usize);
        match self.frames.last_mut() {
            Some(head) => {
                head.musts_here -= frame.musts - head.musts;
                let (vertex, depth) = (head.vertex, self.frames.len() - 1);
                if self.blocks(depth) {
                    self.block(vertex, false);
                }
            }
            None => self.orbit.drain(..).for_each(|vertex| self.done.insert(vertex as usize)),
        }
    }

    /// Keeps the path, or cycle, if it is a better answer.
    fn judge(&mut self, monitor: &mut dyn Monitor) {
        let question = &self.question;
        let head = self.frames[self.frames.len() - 1];
        let first = self.frames[0].vertex;
        let (mut edges, mut worth, mut musts) = (self.frames.len() - 1, head.worth, head.musts);
        if question.closed {
            let directed = question.graph.is_directed();
            let Some(edge) = question.graph.edge_between(head.vertex, first).filter(|_| edges >= 2 || directed) else {
                return;
            };
            // The way back from the first vertex would be a chord, but for a cycle of two.
            if question.induced && directed && edges >= 2 && question.has_edge(first, head.vertex) {
                return;
            }
            edges += 1;
            worth += question.graph.weight(edge);
            musts += u32::from(question.use_edges[edge as usize]);
        } else {
            let may_end = match question.to {
                Some(to) => head.vertex == to,
                None => question.graph.is_directed() || !self.done[head.vertex as usize],
            };
            if !may_end {
                return;
            }
        }
        let fits = (question.at_least as usize..=question.at_most as usize).contains(&edges);
        if fits && self.visits_left == 0 && musts == self.must_count && worth > self.lower {
            self.best = Some((self.frames.iter().map(|frame| frame.vertex).collect(), worth));
            self.lower = worth;
            monitor.incumbent(worth);
        }
    }

    /// Lists where the head may go, the most promising first; nowhere, if nothing better can come of it.
    fn look_ahead(&mut self) {
        let depth = self.frames.len() - 1;
        let begin = self.options.len();
        (self.frames[depth].options, self.frames[depth].next) = (begin as u32, begin as u32);
        if !self.may_go_on(depth) || !self.is_promising(depth) {
            return;
        }
        let question = &self.question;
        let head = self.frames[depth];
        let free_of_musts = question.closed && depth == 0;
        for arc in question.graph.out_arcs(head.vertex) {
            let musts = head.musts_here + u32::from(question.use_edges[arc.edge as usize]);
            let misses = !free_of_musts && musts < self.must_degree[head.vertex as usize];
            if !misses && self.is_free(arc.target) && !self.has_way_back(depth, arc.target) {
                self.options.push(arc.target);
            }
        }
        if head.symmetric && self.options.len() > begin + 1 {
            let path: Vec<u32> = self.frames.iter().map(|frame| frame.vertex).collect();
            let kept = self.symmetry.representatives(&self.question, &path, &self.options[begin..]);
            self.frames[depth].symmetric = kept.is_some();
            if let Some(kept) = kept {
                self.options.truncate(begin);
                self.options.extend(kept);
            }
        }
        let mut ranked = self.options.split_off(begin);
        ranked
            .sort_by_cached_key(|&vertex| self.question.neighbours(vertex).filter(|&next| self.is_free(next)).count());
        self.options.append(&mut ranked);
    }

    fn is_free(&self, vertex: u32) -> bool {
        let at = vertex as usize;
        !self.on_path[at] && self.blocked[at] == 0 && !(self.question.closed && self.done[at])
    }

    /// Whether the arc back from there would be a chord.
    fn has_way_back(&self, depth: usize, vertex: u32) -> bool {
        let question = &self.question;
        let is_first_of_cycle = question.closed && depth == 0;
        question.induced
            && question.graph.is_directed()
            && !is_first_of_cycle
            && question.has_edge(vertex, self.frames[depth].vertex)
    }

    /// Whether the path may have another vertex behind its head.
    fn may_go_on(&self, depth: usize) -> bool {
        let question = &self.question;
        let head = self.frames[depth].vertex;
        if !question.closed {
            return depth < question.at_most as usize && question.to != Some(head);
        }
        let first = self.frames[0].vertex;
        let is_chord = match depth {
            0 => false,
            1 => question.graph.is_directed() && question.has_edge(head, first),
            _ => question.has_edge(head, first) || question.has_edge(first, head),
        };
        depth + 1 < question.at_most as usize && !(question.induced && is_chord)
    }

    /// Whether a better answer may lie ahead: everything that is needed is within reach, and what is there is worth enough.
    fn is_promising(&mut self, depth: usize) -> bool {
        let head = self.frames[depth];
        let first = self.frames[0].vertex;
        let mut reach = std::mem::take(&mut self.reach);
        let question = &self.question;
        let is_last = |vertex: u32| match question.closed {
            true => {
                let next_to_first = || question.has_edge(vertex, first) || question.has_edge(first, vertex);
                question.induced && depth > 0 && next_to_first()
            }
            false => question.to == Some(vertex),
        };
        reach.grow(question, head.vertex, |vertex| self.is_free(vertex), is_last);
        let closes = || reach.vertices().iter().any(|&vertex| question.has_edge(vertex, first));
        let closing = usize::from(question.closed);
        let left = question.at_most as usize - depth;
        let has_all = reach.must_visit() == self.visits_left
            && question.to.is_none_or(|to| question.closed || reach.has(to))
            && depth + reach.vertices().len() + closing >= question.at_least as usize
            && (!question.closed || closes());
        let promising = has_all && {
            let back = question.closed.then_some(first);
            head.worth.saturating_add(self.bounds.rest(question, head.vertex, back, &mut reach, left)) > self.lower
        };
        self.reach = reach;
        promising
    }
}

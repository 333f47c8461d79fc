//! What a path can still gain at most.
//!
//! Every edge gives half of its weight to each of its ends. So a vertex within the path gains its prize and half of its two
//! best edges, and the path no more than what the vertices within reach do together (all numbers are doubled). Of an induced
//! path every small group of vertices can hold no more than an induced set of disjoint paths: no three edges meet, and there
//! is no cycle. The best of those is read from a table, by which vertices of the group are within reach; groups have
//! up to eight vertices with as many edges between them as can be.
//!
//! Where only few edges are left, no path gains more than the best *walk* of so many edges, which may visit a vertex again
//! but does not turn on its heel.

use super::Question;

/// How many vertices a group has at most.
const GROUP: usize = 8;

/// The tables of a question.
#[derive(Debug)]
pub(super) struct Bounds {
    /// By vertex, doubled: what it gains if the path gets there.
    gains: Vec<i64>,
    /// By vertex the best edge that leads on, and the best that leads there; `i64::MIN / 4` without.
    best_out: Vec<i64>,
    best_in: Vec<i64>,
    /// For induced paths, by vertex: its group, and its place there.
    place: Vec<(u32, u8)>,
    /// `1 << GROUP` values a group.
    tables: Vec<i64>,
    walks: Option<Walks>,
}

/// Better than none.
const NOTHING: i64 = i64::MIN / 4;

impl Bounds {
    pub(super) fn new(question: &Question, memory: usize) -> Self {
        let n = question.vertices();
        let graph = &question.graph;
        let best = |arcs: &[crate::view::Arc]| arcs.iter().map(|arc| graph.weight(arc.edge)).max().unwrap_or(NOTHING);
        let best_out: Vec<i64> = (0..n as u32).map(|vertex| best(graph.out_arcs(vertex))).collect();
        let best_in: Vec<i64> = (0..n as u32).map(|vertex| best(graph.in_arcs(vertex))).collect();
        let gain = |vertex: u32| {
            let [one, two] = if graph.is_directed() {
                [best_in[vertex as usize], best_out[vertex as usize]]
            } else {
                let mut two = [NOTHING; 2];
                for arc in graph.out_arcs(vertex) {
                    let weight = graph.weight(arc.edge);
                    two = if weight > two[0] { [weight, two[0]] } else { [two[0], two[1].max(weight)] };
                }
                two
            };
            2 * question.prizes[vertex as usize] + one + two.max(0)
        };
        let gains: Vec<i64> = (0..n as u32).map(gain).collect();
        let mut bounds = Bounds { gains, best_out, best_in, place: Vec::new(), tables: Vec::new(), walks: None };
        let table_bytes = n.div_ceil(GROUP) * (size_of::<i64>() << GROUP);
        if question.induced && table_bytes <= memory / 4 {
            bounds.group(question);
        }
        bounds.walks = Walks::new(question, memory / 4);
        bounds
    }

    pub(super) fn bytes(&self) -> usize {
        self.tables.len() * 8 + self.gains.len() * 40 + self.walks.as_ref().map_or(0, Walks::bytes)
    }

    fn groups(&self) -> usize {
        self.tables.len() >> GROUP
    }

    /// Divides the vertices into groups, and makes their tables. `O(n · 2^8)`, and for each group its neighbours.
    fn group(&mut self, question: &Question) {
        let n = question.vertices();
        const NOWHERE: (u32, u8) = (u32::MAX, 0);
        self.place = vec![NOWHERE; n];
        let mut joined = vec![0u32; n];
        for first in 0..n as u32 {
            if self.place[first as usize] != NOWHERE {
                continue;
            }
            let number = self.groups() as u32;
            let mut members = vec![first];
            self.place[first as usize] = (number, 0);
            let mut rim: Vec<u32> = Vec::new();
            while members.len() < GROUP {
                let newest = members[members.len() - 1];
                for other in question.neighbours(newest).filter(|&other| self.place[other as usize] == NOWHERE) {
                    if joined[other as usize] == 0 {
                        rim.push(other);
                    }
                    joined[other as usize] += 1;
                }
                rim.retain(|&vertex| self.place[vertex as usize] == NOWHERE);
                let key = |vertex: &u32| (joined[*vertex as usize], std::cmp::Reverse(*vertex));
                let Some(next) = rim.iter().copied().max_by_key(key) else { break };
                self.place[next as usize] = (number, members.len() as u8);
                members.push(next);
            }
            rim.iter().chain(&members).for_each(|&vertex| joined[vertex as usize] = 0);
            self.tables.extend(table(question, &members, &self.gains));
        }
    }

    /// What no path gains more than, from beginning to end.
    pub(super) fn of_all(&self, question: &Question) -> i64 {
        let total: i64 = if question.graph.is_directed() {
            // The first vertex is not entered.
            let gains = question.prizes.iter().zip(self.best_in.iter().zip(&self.best_out));
            gains.map(|(prize, (into, out))| (2 * prize + (*into).max(0) + (*out).max(0)).max(0)).sum()
        } else if self.tables.is_empty() || question.closed {
            // A cycle may be all of a group.
            self.gains.iter().map(|gain| (*gain).max(0)).sum()
        } else {
            self.tables.chunks(1 << GROUP).map(|table| table[table.len() - 1]).sum()
        };
        let by_walks = match &self.walks {
            Some(walks) => walks.best(question),
            None => i64::MAX,
        };
        total.div_euclid(2).min(by_walks)
    }

    /// What a path gains behind its head at most, with an edge or more and `left` at most, through what is within reach. A cycle
    /// comes back to its first vertex.
    pub(super) fn rest(
        &self,
        question: &Question,
        head: u32,
        first: Option<u32>,
        reach: &mut Reach,
        left: usize,
    ) -> i64 {
        let ends = self.best_out[head as usize] + first.map_or(0, |first| self.best_in[first as usize]);
        let vertices = &reach.vertices;
        let all: i64 = if self.tables.is_empty() {
            vertices.iter().map(|&vertex| self.gains[vertex as usize].max(0)).sum()
        } else {
            for &vertex in vertices {
                let (group, place) = self.place[vertex as usize];
                let mask = &mut reach.masks[group as usize];
                if *mask == 0 {
                    reach.touched.push(group);
                }
                *mask |= 1 << place;
            }
            let value = |group: u32| {
                let mask = std::mem::take(&mut reach.masks[group as usize]);
                self.tables[((group as usize) << GROUP) + usize::from(mask)]
            };
            reach.touched.drain(..).map(value).sum()
        };
        let mut rest = all;
        if left < vertices.len() {
            // No more vertices than edges.
            reach.gains.clear();
            reach.gains.extend(vertices.iter().map(|&vertex| self.gains[vertex as usize].max(0)));
            let from = reach.gains.len() - left;
            let (_, _, greatest) = reach.gains.select_nth_unstable(from.saturating_sub(1));
            let sum: i64 = if from == 0 { 0 } else { greatest.iter().sum() };
            rest = rest.min(sum);
        }
        let rest = rest.saturating_add(ends).div_euclid(2);
        match &self.walks {
            Some(walks) => rest.min(walks.rest(question, head, reach, left)),
            None => rest,
        }
    }
}

/// By set of members the most that an induced set of disjoint paths gains of it.
fn table(question: &Question, members: &[u32], gains: &[i64]) -> Vec<i64> {
    let count = members.len();
    let mut adjacent = [0u8; GROUP];
    for (one, &vertex) in members.iter().enumerate() {
        for (two, &other) in members.iter().enumerate() {
            if question.has_edge(vertex, other) || question.has_edge(other, vertex) {
                adjacent[one] |= 1 << two;
            }
        }
    }
    let mut table = vec![0i64; 1 << GROUP];
    for (set, value) in table.iter_mut().enumerate().take(1 << count) {
        if is_linear_forest(set as u8, &adjacent) {
            let inside = members.iter().enumerate().filter(|&(member, _)| set >> member & 1 == 1);
            // Whoever gains nothing may as well be left out.
            *value = inside.map(|(_, &vertex)| gains[vertex as usize].max(0)).sum();
        }
    }
    // The best of all subsets.
    for member in 0..GROUP {
        for set in 0..1usize << GROUP {
            if set >> member & 1 == 1 {
                table[set] = table[set].max(table[set ^ 1 << member]);
            }
        }
    }
    table
}

/// Whether these vertices make disjoint paths.
fn is_linear_forest(set: u8, adjacent: &[u8; GROUP]) -> bool {
    let (mut edges, mut parts, mut seen) = (0, 0, 0u8);
    for member in (0..GROUP).filter(|&member| set >> member & 1 == 1) {
        let degree = (adjacent[member] & set).count_ones();
        if degree > 2 {
            return false;
        }
        edges += degree;
        if seen >> member & 1 == 0 {
            parts += 1;
            let mut open = 1u8 << member;
            while open != 0 {
                seen |= open;
                let next =
                    (0..GROUP).filter(|&other| open >> other & 1 == 1).fold(0, |next, other| next | adjacent[other]);
                open = next & set & !seen;
            }
        }
    }
    edges / 2 + parts == set.count_ones()
}

/// The vertices within reach of the head, with room for what is counted of them.
#[derive(Debug, Default)]
pub(super) struct Reach {
    vertices: Vec<u32>,
    seen: Vec<u32>,
    round: u32,
    must_visit: u32,
    masks: Vec<u8>,
    touched: Vec<u32>,
    gains: Vec<i64>,
}

impl Reach {
    pub(super) fn new(n: usize, bounds: &Bounds) -> Self {
        Reach { seen: vec![0; n], masks: vec![0; bounds.groups()], ..Reach::default() }
    }

    /// Finds all that can be reached from the head through free vertices, which last ones do not lead on from.
    pub(super) fn grow(
        &mut self,
        question: &Question,
        head: u32,
        is_free: impl Fn(u32) -> bool,
        is_last: impl Fn(u32) -> bool,
    ) {
        if self.round == u32::MAX {
            self.seen.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.vertices.clear();
        self.must_visit = 0;
        let mut at = 0;
        let mut from = head;
        loop {
            if from == head || !is_last(from) {
                for arc in question.graph.out_arcs(from) {
                    let seen = &mut self.seen[arc.target as usize];
                    if *seen != self.round && is_free(arc.target) {
                        *seen = self.round;
                        self.must_visit += u32::from(question.visit[arc.target as usize]);
                        self.vertices.push(arc.target);
                    }
                }
            }
            let Some(&next) = self.vertices.get(at) else { break };
            (from, at) = (next, at + 1);
        }
    }

    pub(super) fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// How many of them must be visited.
    pub(super) fn must_visit(&self) -> u32 {
        self.must_visit
    }

    pub(super) fn has(&self, vertex: u32) -> bool {
        self.seen[vertex as usize] == self.round
    }
}

/// The best walks of few edges.
#[derive(Debug)]
struct Walks {
    /// Where the arcs out of each vertex begin.
    starts: Vec<u32>,
    /// By number of edges, from 1 on, and first arc: what it gains at most, the prize of the vertex it starts from aside.
    gains: Vec<Vec<i64>>,
}

impl Walks {
    /// `None` where the number of edges is no limit, or the table would be too large. Cycles would earn their first prize twice.
    fn new(question: &Question, memory: usize) -> Option<Self> {
        let (graph, n) = (&question.graph, question.vertices());
        let mut starts = vec![0u32; n + 1];
        for vertex in 0..n {
            starts[vertex + 1] = starts[vertex] + graph.out_arcs(vertex as u32).len() as u32;
        }
        let arcs = starts[n] as usize;
        let most = question.at_most as usize;
        if question.closed || most >= n || most.saturating_mul(arcs).saturating_mul(8) > memory {
            return None;
        }
        let mut gains: Vec<Vec<i64>> = Vec::with_capacity(most);
        for length in 0..most {
            let before: Option<&Vec<i64>> = length.checked_sub(1).map(|before| &gains[before]);
            // Of each vertex the best two ways on, to different neighbours.
            let mut best = vec![[(0i64, u32::MAX); 2]; if before.is_some() { n } else { 0 }];
            if let Some(before) = before {
                for vertex in 0..n {
                    let row = starts[vertex] as usize..starts[vertex + 1] as usize;
                    for (arc, &gain) in graph.out_arcs(vertex as u32).iter().zip(&before[row]) {
                        let best = &mut best[vertex];
                        if gain > best[0].0 {
                            *best = [(gain, arc.target), best[0]];
                        } else if gain > best[1].0 {
                            best[1] = (gain, arc.target);
                        }
                    }
                }
            }
            let mut now = Vec::with_capacity(arcs);
            for vertex in 0..n as u32 {
                for arc in graph.out_arcs(vertex) {
                    let on = best
                        .get(arc.target as usize)
                        .map_or(0, |best| if best[0].1 == vertex { best[1].0 } else { best[0].0 });
                    now.push(graph.weight(arc.edge) + question.prizes[arc.target as usize] + on.max(0));
                }
            }
            gains.push(now);
        }
        Some(Walks { starts, gains })
    }

    fn bytes(&self) -> usize {
        self.gains.len() * self.gains.first().map_or(0, Vec::len) * 8
    }

    /// The best of all.
    fn best(&self, question: &Question) -> i64 {
        let Some(gains) = self.gains.last() else { return NOTHING };
        let of = |vertex: usize| {
            let row = &gains[self.starts[vertex] as usize..self.starts[vertex + 1] as usize];
            question.prizes[vertex].saturating_add(row.iter().copied().max().unwrap_or(NOTHING))
        };
        (0..question.vertices()).map(of).max().unwrap_or(NOTHING)
    }

    fn rest(&self, question: &Question, head: u32, reach: &Reach, left: usize) -> i64 {
        let Some(gains) = left.checked_sub(1).and_then(|place| self.gains.get(place)) else { return i64::MAX };
        let row = self.starts[head as usize] as usize..self.starts[head as usize + 1] as usize;
        let ways = question.graph.out_arcs(head).iter().zip(&gains[row]);
        ways.filter(|(arc, _)| reach.has(arc.target)).map(|(_, &gain)| gain).max().unwrap_or(NOTHING)
    }
}

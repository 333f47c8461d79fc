//! The question in the solver's words: one cycle, some of whose vertices may be skipped, and what every choice loses.
//!
//! A path becomes a cycle through a *depot*: a vertex joined to all that may be ends, with their prizes as weights. Where the
//! two ends of an undirected path have different prizes the depot is two vertices and an edge that is always used.
//!
//! Every edge is a variable, and every vertex that may be skipped has one more. A *slot* is a degree constraint: exactly two
//! edges of each vertex that is not skipped, or where edges are directed one out and one in.
//!
//! With a potential for every slot the value of a cycle is a constant minus the *losses* of its choices, none of which is
//! negative: Σ w·x = Σ p·k·(1 − s) + Σ (w − p − p')·x. This is the dual of the relaxation to cycle covers; a few rounds of
//! subgradient steps choose the potentials where weights differ.

use super::literal::{Lit, Var};
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::view::CsrGraph;

/// What is at the other end of an edge of a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) vertex: u32,
    pub(super) edge: Var,
}

/// The cycle question. Variables `0..edges` are edges; those that follow are vertices, true where skipped.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) is_directed: bool,
    pub(super) vertices: usize,
    /// The ends of the edges, from tail to head where directed.
    pub(super) ends: Vec<[u32; 2]>,
    pub(super) weights: Vec<i64>,
    /// By edge: the literal that says it is chosen; edges may share a variable, where one implies another.
    lits: Vec<Lit>,
    /// The literal with code `c` says of `tied[tied_starts[c]..tied_starts[c + 1]]` that they are chosen.
    tied_starts: Vec<u32>,
    tied: Vec<Var>,
    /// The slots of these edges.
    slots_tied: Vec<[u32; 2]>,
    /// Slot `s` has `links[starts[s]..starts[s + 1]]`, sorted by vertex.
    starts: Vec<u32>,
    links: Vec<Link>,
    /// Slots that need not notice when they have too few edges left: other constraints will, with shorter reasons.
    pub(super) is_lenient: Vec<bool>,
    /// Clauses that hold from the beginning.
    pub(super) axioms: Vec<Vec<Lit>>,
    /// The depots.
    pub(super) depots: Vec<u32>,
    /// By literal, and `most` is what a cycle that loses nothing is worth; both times [`SCALE`].
    pub(super) losses: Vec<i128>,
    pub(super) most: i128,
}

/// Potentials are multiples of a half, since an edge has two ends.
pub(super) const SCALE: i128 = 2;

/// Slots with so many links or fewer are never lenient.
const SHORT_ROW: usize = 8;

/// Rounds of subgradient steps.
const ROUNDS: usize = 60;

impl Model {
    /// The model of an instance, or `None` where no path of two vertices or more can exist.
    pub(super) fn new(instance: &Instance) -> Option<Self> {
        let graph = &instance.graph;
        let n = graph.vertex_count();
        let mut model = Model::without_ends(graph);
        match &instance.ends {
            Ends::Closed { through } => {
                model.index(n);
                match through {
                    Some(vertex) => model.axioms.push(vec![!model.skip(*vertex)]),
                    None => model.axioms.push((0..n as u32).map(|vertex| !model.skip(vertex)).collect()),
                }
            }
            Ends::Open { first, last, .. } => model.add_depots(first, last),
        }
        if model.axioms.iter().any(Vec::is_empty) {
            return None;
        }
        model.set_losses();
        Some(model)
    }

    /// Whether some vertex has so few edges that choosing one of two may say something of others.
    pub(super) fn may_tie(&self) -> bool {
        (0..self.slots() as u32).any(|slot| self.row(slot).len() <= 2)
    }

    fn without_ends(graph: &CsrGraph) -> Self {
        Model {
            is_directed: graph.is_directed(),
            vertices: graph.vertex_count(),
            ends: graph.edges().iter().map(|edge| [edge.source, edge.target]).collect(),
            weights: graph.edges().iter().map(|edge| edge.weight).collect(),
            lits: Vec::new(),
            tied_starts: Vec::new(),
            tied: Vec::new(),
            slots_tied: Vec::new(),
            starts: Vec::new(),
            links: Vec::new(),
            is_lenient: Vec::new(),
            axioms: Vec::new(),
            depots: Vec::new(),
            losses: Vec::new(),
            most: 0,
        }
    }

    fn add_depots(&mut self, first: &[i64], last: &[i64]) {
        let n = self.vertices as u32;
        let is_even = !self.is_directed && first == last;
        let is_double = !self.is_directed && !is_even;
        self.depots = if is_double { vec![n, n + 1] } else { vec![n] };
        let mut begins = Vec::new();
        let mut stops = Vec::new();
        let mut both = Vec::new();
        for vertex in 0..n {
            let mut begin = None;
            if first[vertex as usize] != NOT_AN_END {
                begin = Some(self.ends.len() as Var);
                begins.push(self.ends.len() as Var);
                self.ends.push([n, vertex]);
                self.weights.push(first[vertex as usize]);
            }
            if !is_even && last[vertex as usize] != NOT_AN_END {
                let stop = self.ends.len() as Var;
                stops.push(stop);
                self.ends.push([vertex, if is_double { n + 1 } else { n }]);
                self.weights.push(last[vertex as usize]);
                both.extend(begin.map(|begin| [begin, stop]));
            }
        }
        let between = is_double.then(|| {
            self.ends.push([n, n + 1]);
            self.weights.push(0);
            self.ends.len() as Var - 1
        });
        self.index(n as usize + self.depots.len());
        self.axioms.extend(between.map(|edge| vec![Lit::positive(edge)]));
        for depot in self.depots.clone() {
            self.axioms.push(vec![!self.skip(depot)]);
        }
        // A path of one vertex is not looked for here.
        self.axioms.extend(both.iter().map(|pair| pair.map(Lit::negative).to_vec()));
        let any = |edges: &[Var]| edges.iter().map(|&edge| Lit::positive(edge)).collect();
        self.axioms.push(any(&begins));
        if !is_even {
            self.axioms.push(any(&stops));
        }
    }

    /// Sorts the edges by slots.
    fn index(&mut self, vertices: usize) {
        self.vertices = vertices;
        let slots = if self.is_directed { 2 * vertices } else { vertices };
        let mut rows: Vec<(u32, Link)> = Vec::with_capacity(2 * self.ends.len());
        for (edge, &[tail, head]) in (0..).zip(&self.ends) {
            let [out, into] = self.slots_of(edge);
            rows.push((out, Link { vertex: head, edge }));
            rows.push((into, Link { vertex: tail, edge }));
        }
        rows.sort_unstable_by_key(|(slot, link)| (*slot, link.vertex));
        self.starts = vec![0; slots + 1];
        rows.iter().for_each(|(slot, _)| self.starts[*slot as usize + 1] += 1);
        for slot in 0..slots {
            self.starts[slot + 1] += self.starts[slot];
        }
        self.links = rows.into_iter().map(|(_, link)| link).collect();
        self.tie((0..self.ends.len() as Var).map(Lit::positive).collect());
        self.is_lenient = (0..slots as u32)
            .map(|slot| self.depots.contains(&self.vertex_of(slot)) && self.row(slot).len() > SHORT_ROW)
            .collect();
    }

    /// From here on these literals say whether the edges are chosen.
    pub(super) fn tie(&mut self, lits: Vec<Lit>) {
        let mut rows: Vec<(u32, Var)> = lits.iter().map(|lit| lit.code()).zip(0..).collect();
        rows.sort_unstable();
        self.tied_starts = vec![0; 2 * lits.len() + 1];
        rows.iter().for_each(|(code, _)| self.tied_starts[*code as usize + 1] += 1);
        for code in 0..2 * lits.len() {
            self.tied_starts[code + 1] += self.tied_starts[code];
        }
        self.tied = rows.into_iter().map(|(_, edge)| edge).collect();
        self.slots_tied = self.tied.iter().map(|&edge| self.slots_of(edge)).collect();
        self.lits = lits;
    }

    /// The literal that says that an edge is chosen.
    pub(super) fn lit(&self, edge: Var) -> Lit {
        self.lits[edge as usize]
    }

    /// The edges that are chosen where this literal, of an edge, is true.
    pub(super) fn chosen_by(&self, lit: Lit) -> &[Var] {
        &self.tied[self.tied_starts[lit.index()] as usize..self.tied_starts[lit.index() + 1] as usize]
    }

    /// The slots of the edges that are chosen where this literal, of an edge, is true.
    pub(super) fn slots_chosen_by(&self, lit: Lit) -> &[[u32; 2]] {
        &self.slots_tied[self.tied_starts[lit.index()] as usize..self.tied_starts[lit.index() + 1] as usize]
    }

    /// Whether a variable says anything: not where others say it of its edge.
    pub(super) fn is_used(&self, var: Var) -> bool {
        self.lits.get(var as usize).is_none_or(|lit| lit.var() == var)
    }

    pub(super) fn edges(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn vars(&self) -> usize {
        self.ends.len() + self.vertices
    }

    pub(super) fn slots(&self) -> usize {
        self.starts.len() - 1
    }

    /// The literal that says that a vertex is skipped.
    pub(super) fn skip(&self, vertex: u32) -> Lit {
        Lit::positive(self.ends.len() as Var + vertex)
    }

    /// The vertex whose skipping a variable is.
    pub(super) fn vertex_of_skip(&self, var: Var) -> u32 {
        var - self.ends.len() as Var
    }

    pub(super) fn row(&self, slot: u32) -> &[Link] {
        &self.links[self.starts[slot as usize] as usize..self.starts[slot as usize + 1] as usize]
    }

    /// The links of all slots of a vertex, by number.
    pub(super) fn links_of(&self, vertex: u32) -> std::ops::Range<u32> {
        let slots = self.slots_at(vertex);
        self.starts[slots.start as usize]..self.starts[slots.end as usize]
    }

    pub(super) fn link(&self, number: u32) -> Link {
        self.links[number as usize]
    }

    /// How many edges of a slot are used where its vertex is not skipped.
    pub(super) fn need(&self) -> u32 {
        if self.is_directed { 1 } else { 2 }
    }

    pub(super) fn vertex_of(&self, slot: u32) -> u32 {
        if self.is_directed { slot / 2 } else { slot }
    }

    /// The slots of a vertex: one, or where edges are directed that of the edges out and that of those in.
    pub(super) fn slots_at(&self, vertex: u32) -> std::ops::Range<u32> {
        if self.is_directed { 2 * vertex..2 * vertex + 2 } else { vertex..vertex + 1 }
    }

    /// The slot of the edges that leave a vertex; all its edges where they are undirected.
    pub(super) fn slot_out(&self, vertex: u32) -> u32 {
        self.slots_at(vertex).start
    }

    /// The slot of the edges that enter a vertex; all its edges where they are undirected.
    pub(super) fn slot_in(&self, vertex: u32) -> u32 {
        self.slots_at(vertex).end - 1
    }

    /// The two slots of an edge.
    pub(super) fn slots_of(&self, edge: Var) -> [u32; 2] {
        let [tail, head] = self.ends[edge as usize];
        [self.slot_out(tail), self.slot_in(head)]
    }

    /// The edge from one vertex to another, if there is one.
    pub(super) fn edge_between(&self, tail: u32, head: u32) -> Option<Var> {
        let out = self.row(self.slot_out(tail));
        let into = self.row(self.slot_in(head));
        let (row, wanted) = if out.len() <= into.len() { (out, head) } else { (into, tail) };
        row.binary_search_by_key(&wanted, |link| link.vertex).ok().map(|place| row[place].edge)
    }

    /// A vertex of the instance, or none for the depots.
    pub(super) fn place(&self, vertex: u32) -> Option<u32> {
        Some(vertex).filter(|vertex| !self.depots.contains(vertex))
    }

    /// Whether an edge leads to a depot.
    pub(super) fn is_end(&self, edge: Var) -> bool {
        self.ends[edge as usize].iter().any(|vertex| self.depots.contains(vertex))
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.ends.len() * (8 + 8 + 8 + 16 + 32 + 16) + self.vertices * (4 + 1 + 32)
    }

    fn set_losses(&mut self) {
        let potentials = self.potentials();
        let need = i128::from(self.need());
        self.losses = vec![0; 2 * self.vars()];
        let mut most = 0;
        for vertex in 0..self.vertices as u32 {
            let worth: i128 = self.slots_at(vertex).map(|slot| potentials[slot as usize] * need).sum();
            let skip = self.skip(vertex);
            if self.depots.contains(&vertex) {
                most += worth;
            } else {
                most += worth.max(0);
                self.losses[if worth > 0 { skip } else { !skip }.index()] = worth.abs();
            }
        }
        for edge in 0..self.ends.len() as Var {
            let gain = self.reduced_gain(edge, &potentials);
            most += gain.max(0);
            let choice = if gain > 0 { Lit::negative(edge) } else { Lit::positive(edge) };
            self.losses[choice.index()] = gain.abs();
        }
        self.most = most;
    }

    fn reduced_gain(&self, edge: Var, potentials: &[i128]) -> i128 {
        let [out, into] = self.slots_of(edge);
        SCALE * i128::from(self.weights[edge as usize]) - potentials[out as usize] - potentials[into as usize]
    }

    /// Potentials of the slots, times [`SCALE`].
    pub(super) fn potentials(&self) -> Vec<i128> {
        let n = self.vertices - self.depots.len();
        let inner = self.ends.iter().zip(&self.weights).filter(|([tail, head], _)| (*tail.max(head) as usize) < n);
        let mut inner = inner.map(|(_, &weight)| i128::from(weight));
        let prizes = self.ends.iter().zip(&self.weights).filter(|([tail, head], _)| *tail.max(head) as usize >= n);
        let mut prizes = prizes.map(|(_, &weight)| i128::from(weight));
        let (weight, prize) = (inner.next().unwrap_or(0), prizes.next().unwrap_or(0));
        let half = weight.max(0) * SCALE / 2;
        let mut potentials = vec![half; self.slots()];
        for &depot in &self.depots {
            self.slots_at(depot).for_each(|slot| potentials[slot as usize] = prize * SCALE - half);
        }
        let is_even = inner.all(|other| other == weight) && prizes.all(|other| other == prize) && self.depots.len() < 2;
        if is_even { potentials } else { self.descend(potentials) }
    }

    /// What cycles are worth at most with these potentials, times [`SCALE`].
    fn dual(&self, potentials: &[i128]) -> i128 {
        let need = i128::from(self.need());
        let at_vertices: i128 = (0..self.vertices as u32)
            .map(|vertex| {
                let worth: i128 = self.slots_at(vertex).map(|slot| potentials[slot as usize] * need).sum();
                if self.depots.contains(&vertex) { worth } else { worth.max(0) }
            })
            .sum();
        let edges = 0..self.ends.len() as Var;
        at_vertices + edges.map(|edge| self.reduced_gain(edge, potentials).max(0)).sum::<i128>()
    }

    /// Subgradient steps towards the least dual value, the best potentials met on the way.
    fn descend(&self, mut potentials: Vec<i128>) -> Vec<i128> {
        let need = i128::from(self.need());
        let heaviest = self.weights.iter().map(|weight| i128::from(weight.unsigned_abs())).max().unwrap_or(0);
        let mut best = (self.dual(&potentials), potentials.clone());
        let mut slope = vec![0i128; self.slots()];
        for round in 0..ROUNDS {
            for (slot, slope) in (0..).zip(&mut slope) {
                let vertex = self.vertex_of(slot);
                let worth: i128 = self.slots_at(vertex).map(|slot| potentials[slot as usize]).sum();
                *slope = if worth > 0 || self.depots.contains(&vertex) { need } else { 0 };
            }
            for edge in 0..self.ends.len() as Var {
                if self.reduced_gain(edge, &potentials) > 0 {
                    self.slots_of(edge).into_iter().for_each(|slot| slope[slot as usize] -= 1);
                }
            }
            let step = (heaviest * SCALE / (4 + round as i128)).max(1);
            for (potential, slope) in potentials.iter_mut().zip(&slope) {
                *potential -= (slope.clamp(&-2, &2) * step) / 2;
            }
            let value = self.dual(&potentials);
            if value < best.0 {
                best = (value, potentials.clone());
            }
        }
        best.1
    }
}

impl Model {
    /// The path or cycle of the instance that these edges make, which are one cycle here.
    pub(super) fn path(&self, edges: &[Var], instance: &Instance) -> Vec<u32> {
        let n = instance.graph.vertex_count() as u32;
        let mut links = vec![[Var::MAX; 2]; self.vertices];
        for &edge in edges {
            for (end, &vertex) in self.ends[edge as usize].iter().enumerate() {
                let links = &mut links[vertex as usize];
                let place = if self.is_directed { end } else { usize::from(links[0] != Var::MAX) };
                links[place] = edge;
            }
        }
        let Some(&any) = edges.first() else { return Vec::new() };
        // Where there are two depots the edge between them is the last of the cycle.
        let start = self.depots.first().copied().unwrap_or(self.ends[any as usize][0]);
        let between = edges.iter().copied().find(|&edge| self.ends[edge as usize].iter().all(|&vertex| vertex >= n));
        let mut came_by = between.unwrap_or(Var::MAX);
        let mut path = Vec::with_capacity(edges.len());
        let mut vertex = start;
        loop {
            path.extend((vertex < n).then_some(vertex));
            let [out, other] = links[vertex as usize];
            let next = if self.is_directed || out != came_by { out } else { other };
            let [one, two] = self.ends[next as usize];
            vertex = if one == vertex { two } else { one };
            came_by = next;
            if vertex == start || self.depots.contains(&vertex) {
                break;
            }
        }
        path
    }
}

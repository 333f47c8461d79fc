//! Which candidates must be branched on: all but a set whose heaviest clique provably adds too little.
//!
//! Let a clique need more than `budget` from the candidates P to beat the incumbent. If P∖B holds no clique above the budget,
//! such a clique has a vertex of B, and only those are branched on. P∖B is found in three steps:
//!
//! 1. *Colouring.* `budget` independent sets, filled greedily. A clique takes one vertex of each at most.
//! 2. *Re-colouring.* A vertex left over whose only neighbour in a set can move to another takes that neighbour's place.
//! 3. *Inconsistent sets.* A left-over vertex v is a set {v} of its own. If no clique takes a vertex from {v} and from each of
//!    some other sets, these all together yield one vertex less than there are sets, so v is free of charge. Such sets are
//!    found by unit propagation: v is taken, its non-neighbours fall, a set with one vertex left takes that, and so on until a
//!    set is empty.
//! 4. *Relaxation.* Each of the sets found, {v} among them, gets one more element, a relaxation, of which a clique may take one
//!    only: so one set of them, whichever it likes, need yield no vertex. The sets go on in later propagations, where a set
//!    whose vertices have all fallen takes its relaxation, and the others of that conflict lose theirs. In sparse graphs, where
//!    longer propagations cost more than they save, the sets are closed instead: each pays for one vertex only.
//!
//! With weights a set costs its least weight, which all its vertices are then relieved of, and goes on without those that
//! weigh nothing any more; a clique pays each set once at most.
//!
//! Sources: Pablo San Segundo, Diego Rodríguez-Losada, Agustín Jiménez, *An exact bit-parallel algorithm for the maximum
//! clique problem*, Computers & Operations Research 38, 2011, DOI 10.1016/j.cor.2010.07.019 (colour classes as bit sets);
//! Etsuji Tomita and others, *A simple and faster branch-and-bound algorithm for finding a maximum clique*, WALCOM 2010, DOI
//! 10.1007/978-3-642-11440-3_18 (re-colouring); Chu-Min Li, Zhe Quan, *An efficient branch-and-bound algorithm based on MaxSAT
//! for the maximum clique problem*, AAAI 2010, DOI 10.1609/aaai.v24i1.7536 (inconsistent sets); Chu-Min Li, Zhiwen Fang, Ke
//! Xu, *Combining MaxSAT reasoning and incremental upper bound for the maximum clique problem*, ICTAI 2013, DOI
//! 10.1109/ICTAI.2013.143 (relaxed sets that go on); Pablo San Segundo, Alvaro Lopez, Panos M. Pardalos, *A new exact maximum clique algorithm for large and massive sparse graphs*,
//! Computers & Operations Research 66, 2016, DOI 10.1016/j.cor.2015.07.013; Chu-Min Li, Hua Jiang, Felip Manyà, *On
//! minimization of the number of branches in branch-and-bound algorithms for the maximum clique problem*, Computers &
//! Operations Research 84, 2017, DOI 10.1016/j.cor.2017.02.017. Weights relieved set by set: Wladimir Araujo Tavares and
//! others, *Um algoritmo de branch and bound para o problema da clique máxima ponderada*, SBPO 2015. We depart from these in
//! that sets are made anew at every node, which bits make cheap, and do without trials of the vertices of small sets: these
//! relieved hardly a vertex more.

use super::bits;
use super::dense::Dense;

/// Room for the sets of one node of the tree, used again at the next.
pub(super) struct Bounding {
    words: usize,
    /// Colour class `c` is `classes[c * words..][..words]`.
    classes: Vec<u64>,
    /// Whether a class is in no conflict yet.
    open: Vec<bool>,
    /// Whether classes go on after a conflict.
    relaxes: bool,
    left: Vec<u64>,
    row: Vec<u64>,
    /// The union of the classes that take part in propagation.
    covered: Vec<u64>,
    alive: Vec<u64>,
    /// Per class: the conflicts that have relaxed it.
    relaxed_by: Vec<Vec<u32>>,
    /// Per conflict: the propagation in which a class used the relaxation up.
    used_up: Vec<u32>,
    /// What propagation has taken, each with its class.
    trail: Vec<(Literal, u32)>,
    /// Per class: the propagation in which it took its vertex, or was found guilty.
    satisfied: Vec<u32>,
    guilty: Vec<u32>,
    round: u32,
    /// Classes to be asked for their reasons, each with how much of the trail counts and the vertex it took itself.
    suspects: Vec<(usize, usize, Option<Literal>)>,
    residual: Vec<i64>,
    /// The vertices of the class at hand, where they have weights.
    members: Vec<u32>,
    /// Words looked at, for whoever watches the clock.
    pub(super) work: u64,
}

/// What propagation takes from a class: one of its vertices, or its relaxation by this conflict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Literal {
    Vertex(u32),
    Relaxation(u32),
}

/// From this density on classes are relaxed instead of closed.
const RELAXED_FROM: f64 = 0.75;

/// The class of the vertex under trial, which is none of the colouring.
const OWN: u32 = u32::MAX;

impl Bounding {
    pub(super) fn new(dense: &Dense) -> Self {
        let (words, n) = (dense.words, dense.len());
        Bounding {
            words,
            classes: Vec::new(),
            open: Vec::new(),
            relaxes: dense.density() >= RELAXED_FROM,
            left: vec![0; words],
            row: vec![0; words],
            covered: vec![0; words],
            alive: vec![0; words],
            relaxed_by: Vec::new(),
            used_up: Vec::new(),
            trail: Vec::with_capacity(64),
            satisfied: Vec::new(),
            guilty: Vec::new(),
            round: 0,
            suspects: Vec::new(),
            members: Vec::new(),
            residual: if dense.is_unweighted() { Vec::new() } else { vec![0; n] },
            work: 0,
        }
    }

    /// Appends to `branching` the candidates to branch on, ascending, if only cliques above `budget` matter. `hurry` is asked
    /// now and then whether to do without steps 2 and 3.
    pub(super) fn branching(
        &mut self,
        dense: &Dense,
        candidates: &[u64],
        budget: i64,
        branching: &mut Vec<u32>,
        hurry: &mut dyn FnMut(u64) -> bool,
    ) {
        self.left.copy_from_slice(candidates);
        if dense.is_unweighted() {
            self.colour(dense, budget.max(0) as usize);
            self.relieve_left(dense, hurry);
        } else {
            self.colour_weights(dense, budget.max(0));
        }
        branching.extend(bits::elements(&self.left).map(|vertex| vertex as u32));
    }

    /// Step 1: fills at most `budget` classes from `left`.
    fn colour(&mut self, dense: &Dense, budget: usize) {
        let words = self.words;
        self.open.clear();
        self.classes.clear();
        while self.open.len() < budget && !bits::is_empty(&self.left) {
            let start = self.classes.len();
            self.classes.resize(start + words, 0);
            let class = &mut self.classes[start..];
            self.row.copy_from_slice(&self.left);
            let mut from = 0;
            while let Some(vertex) = bits::first(&self.row, from) {
                from = vertex / 64;
                bits::insert(class, vertex);
                bits::remove(&mut self.row, vertex);
                bits::strike(&mut self.row[from..], &dense.row(vertex)[from..]);
                self.work += (words - from) as u64;
            }
            bits::strike(&mut self.left, class);
            self.open.push(true);
        }
    }

    /// Steps 2 to 4 for every vertex left over, which leave in `left` those that they do not relieve.
    fn relieve_left(&mut self, dense: &Dense, hurry: &mut dyn FnMut(u64) -> bool) {
        if bits::is_empty(&self.left) || self.open.is_empty() {
            return;
        }
        self.used_up.clear();
        self.relaxed_by.iter_mut().for_each(Vec::clear);
        self.reach(self.open.len());
        self.covered.fill(0);
        for class in self.classes.chunks_exact(self.words) {
            for (covered, class) in self.covered.iter_mut().zip(class) {
                *covered |= class;
            }
        }
        for at in 0..self.words {
            let mut rest = self.left[at];
            while rest != 0 {
                let vertex = at * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if hurry(self.work) {
                    return;
                }
                if self.recolour(dense, vertex) || self.pay_by_conflict(dense, vertex) {
                    self.left[at] &= !(1 << (vertex % 64));
                }
            }
        }
    }

    /// Makes room for what is known of so many classes.
    fn reach(&mut self, count: usize) {
        if self.satisfied.len() < count {
            self.satisfied.resize(count, 0);
            self.guilty.resize(count, 0);
            self.relaxed_by.resize_with(count, Vec::new);
        }
    }

    /// Step 2: puts `vertex` into an open class, moving at most one other vertex to another open class.
    fn recolour(&mut self, dense: &Dense, vertex: usize) -> bool {
        let (words, count) = (self.words, self.open.len());
        for class in 0..count {
            if !self.open[class] {
                continue;
            }
            let members = &self.classes[class * words..][..words];
            let (met, other) = bits::meet_up_to_two(members, dense.row(vertex));
            self.work += words as u64;
            if met == 2 {
                continue;
            }
            if met == 1 {
                let free = |&target: &usize| {
                    let members = &self.classes[target * words..][..words];
                    target != class && self.open[target] && bits::disjoint(members, dense.row(other))
                };
                let target = (0..count).find(free);
                self.work += (words * count) as u64 / 4;
                let Some(target) = target else { continue };
                bits::insert(&mut self.classes[target * words..][..words], other);
                bits::remove(&mut self.classes[class * words..][..words], other);
            }
            bits::insert(&mut self.classes[class * words..][..words], vertex);
            bits::insert(&mut self.covered, vertex);
            return true;
        }
        false
    }

    /// Steps 3 and 4: looks for classes that together with {vertex} are inconsistent, and lets them pay.
    fn pay_by_conflict(&mut self, dense: &Dense, vertex: usize) -> bool {
        self.round += 1;
        self.trail.clear();
        let mut alive = std::mem::take(&mut self.alive);
        bits::intersect_into(&mut alive, &self.covered, dense.row(vertex));
        self.trail.push((Literal::Vertex(vertex as u32), OWN));
        let conflict = self.propagate(dense, &mut alive);
        self.alive = alive;
        if let Some(empty) = conflict {
            self.blame(dense, empty);
            if self.relaxes { self.relax(vertex) } else { self.close() }
        }
        conflict.is_some()
    }

    /// The guilty classes take part no longer.
    fn close(&mut self) {
        for class in 0..self.open.len() {
            if self.guilty[class] == self.round {
                self.open[class] = false;
                bits::strike(&mut self.covered, &self.classes[class * self.words..][..self.words]);
            }
        }
    }

    /// Each of the guilty classes, and {vertex} as one more, gets a relaxation.
    fn relax(&mut self, vertex: usize) {
        let conflict = self.used_up.len() as u32;
        self.used_up.push(0);
        let own = self.open.len();
        self.open.push(false);
        self.reach(own + 1);
        self.guilty[own] = self.round;
        self.classes.resize((own + 1) * self.words, 0);
        bits::insert(&mut self.classes[own * self.words..], vertex);
        bits::insert(&mut self.covered, vertex);
        for class in 0..=own {
            if self.guilty[class] == self.round {
                self.open[class] = false;
                self.relaxed_by[class].push(conflict);
            }
        }
    }

    /// Takes the last element of every class that has only one left, until a class has none, which is returned, or nothing more
    /// follows.
    fn propagate(&mut self, dense: &Dense, alive: &mut [u64]) -> Option<usize> {
        let (words, count) = (self.words, self.open.len());
        loop {
            let before = self.trail.len();
            for class in 0..count {
                if self.satisfied[class] == self.round || !(self.open[class] || self.relaxes) {
                    continue;
                }
                self.work += words as u64;
                let (vertices, last) = bits::meet_up_to_two(&self.classes[class * words..][..words], alive);
                if vertices == 2 {
                    continue;
                }
                let is_left = |&&conflict: &&u32| self.used_up[conflict as usize] != self.round;
                let mut relaxations = self.relaxed_by[class].iter().filter(is_left);
                let literal = match (vertices, relaxations.next(), relaxations.next()) {
                    (0, None, _) => return Some(class),
                    (1, None, _) => Literal::Vertex(last as u32),
                    (0, Some(&conflict), None) => Literal::Relaxation(conflict),
                    _ => continue,
                };
                match literal {
                    Literal::Vertex(vertex) => bits::intersect(alive, dense.row(vertex as usize)),
                    Literal::Relaxation(conflict) => self.used_up[conflict as usize] = self.round,
                }
                self.satisfied[class] = self.round;
                self.trail.push((literal, class as u32));
            }
            if self.trail.len() == before {
                return None;
            }
        }
    }

    /// Marks a class without elements as guilty, with those whose taken elements removed its own, those whose taken elements
    /// removed the other elements of these, and so on.
    fn blame(&mut self, dense: &Dense, empty: usize) {
        let words = self.words;
        self.suspects.clear();
        self.suspects.push((empty, self.trail.len(), None));
        while let Some((class, upto, own)) = self.suspects.pop() {
            if self.guilty[class] == self.round {
                continue;
            }
            self.guilty[class] = self.round;
            let trail = &self.trail[..upto];
            for member in bits::elements(&self.classes[class * words..][..words]) {
                if own == Some(Literal::Vertex(member as u32)) {
                    continue;
                }
                let removes = |&(taken, _): &(Literal, u32)| match taken {
                    Literal::Vertex(taken) => !bits::contains(dense.row(taken as usize), member),
                    Literal::Relaxation(_) => false,
                };
                if let Some(at) = trail.iter().position(removes) {
                    let (taken, of) = trail[at];
                    if of != OWN {
                        self.suspects.push((of as usize, at, Some(taken)));
                    }
                }
            }
            for literal in self.relaxed_by[class].iter().map(|&conflict| Literal::Relaxation(conflict)) {
                if own != Some(literal) {
                    let at = trail.iter().position(|&(taken, _)| taken == literal).expect("another class has taken it");
                    self.suspects.push((trail[at].1 as usize, at, Some(literal)));
                }
            }
        }
    }

    /// The weighted form of step 1.
    fn colour_weights(&mut self, dense: &Dense, mut budget: i64) {
        let words = self.words;
        for vertex in bits::elements(&self.left) {
            self.residual[vertex] = dense.weights[vertex];
        }
        while budget > 0 && !bits::is_empty(&self.left) {
            self.members.clear();
            self.row.copy_from_slice(&self.left);
            let mut least = budget;
            let mut from = 0;
            while let Some(vertex) = bits::first(&self.row, from) {
                from = vertex / 64;
                bits::remove(&mut self.row, vertex);
                bits::strike(&mut self.row[from..], &dense.row(vertex)[from..]);
                self.work += (words - from) as u64;
                self.members.push(vertex as u32);
                least = least.min(self.residual[vertex]);
            }
            for &vertex in &self.members {
                let residual = &mut self.residual[vertex as usize];
                *residual -= least;
                if *residual == 0 {
                    bits::remove(&mut self.left, vertex as usize);
                }
            }
            budget -= least;
        }
    }
}

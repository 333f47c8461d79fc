//! The degrees of a cycle through everything, and no more: of the literals of each row so many are true, and what the chosen edges
//! make is one cycle. There are no reasons here, so this takes a fraction of the time that the [solver](super::super::solver) does.
//!
//! What is settled at once is taken out, as are two literals of a row one of which is true, so rows are few and short where edges
//! are tied.

use std::sync::Arc;

use super::super::fragments::Fragments;
use super::super::literal::{Lit, Var};
use super::super::model::Model;

/// Nothing is left of this.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// Of its literals, which may be there more than once, exactly so many are true.
#[derive(Clone, Copy, Debug)]
struct Row {
    begin: u32,
    end: u32,
    need: u32,
    /// How many are true, and how many are not false.
    chosen: u32,
    left: u32,
}

/// Lists one after another.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    fn new(lists: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut new = Lists { starts: vec![0], all: Vec::new() };
        lists.for_each(|list| {
            new.all.extend(list);
            new.starts.push(new.all.len() as u32);
        });
        new
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    fn get(&self, index: usize) -> &[u32] {
        &self.all[self.range(index)]
    }
}

/// Rows with what is assigned at present; its variables are those that are open, numbered anew.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// The ends of the edges.
    ends: Arc<[[u32; 2]]>,
    rows: Vec<Row>,
    lits: Vec<Lit>,
    /// By literal: the rows that have it, and the edges that it chooses.
    rows_of: Lists,
    edges_of: Lists,
    /// Edges that every cycle has.
    certain: Vec<Var>,
    /// By literal: 1 true, −1 false, 0 open.
    value: Vec<i8>,
    trail: Vec<Lit>,
    head: usize,
    fragments: Fragments,
    /// How many vertices the cycle has.
    visited: u32,
    /// How many literals were propagated.
    pub(super) steps: u64,
}

/// A row while rows are made.
struct Draft {
    lits: Vec<Lit>,
    need: i64,
}

impl Cover {
    /// The cycles of a model that visit everything, or if vertices are given everything but one of these; `None` where there are none.
    /// The axioms of the model must say no more than that, and which edges are certain.
    pub(super) fn new(model: &Model, missed: &[u32]) -> Option<Self> {
        let mut value = vec![0i8; 2 * model.vars()];
        let mut drafts = drafts(model, missed);
        settle(model, &mut drafts, &mut value)?;
        let edges = (0..model.edges() as Var).filter(|&edge| model.is_used(edge)).map(Lit::positive);
        let skips = missed.iter().map(|&vertex| model.skip(vertex));
        let open: Vec<Lit> = edges.chain(skips).filter(|lit| value[lit.index()] == 0).collect();
        let mut number = vec![0; model.vars()];
        open.iter().zip(0..).for_each(|(lit, new)| number[lit.var() as usize] = new);
        let renamed = |lit: Lit| Lit::new(number[lit.var() as usize], lit.is_positive());
        let mut rows = Vec::with_capacity(drafts.len());
        let mut all = Vec::new();
        let mut rows_of = vec![Vec::new(); 2 * open.len()];
        for Draft { lits, need } in drafts {
            let begin = all.len() as u32;
            all.extend(lits.iter().copied().map(renamed));
            all[begin as usize..].iter().for_each(|lit| rows_of[lit.index()].push(rows.len() as u32));
            let left = lits.len() as u32;
            rows.push(Row { begin, end: begin + left, need: need as u32, chosen: 0, left });
        }
        let chosen_by = |lit: Lit| match (lit.var() as usize) < model.edges() {
            true => model.chosen_by(lit).to_vec(),
            false => Vec::new(),
        };
        let certain = (0..model.edges() as Var).filter(|&edge| value[model.lit(edge).index()] > 0).collect();
        let mut cover = Cover {
            ends: model.ends.as_slice().into(),
            rows,
            lits: all,
            rows_of: Lists::new(rows_of.into_iter()),
            edges_of: Lists::new(open.iter().flat_map(|&lit| [chosen_by(lit), chosen_by(!lit)])),
            certain,
            value: vec![0; 2 * open.len()],
            trail: Vec::with_capacity(open.len()),
            head: 0,
            fragments: Fragments::new(model.vertices, model.is_directed),
            visited: model.vertices as u32 - u32::from(!missed.is_empty()),
            steps: 0,
        };
        for place in 0..cover.certain.len() {
            cover.join(cover.certain[place], 0).ok()?;
        }
        Some(cover)
    }

    pub(super) fn vars(&self) -> usize {
        self.value.len() / 2
    }

    pub(super) fn is_open(&self, var: Var) -> bool {
        self.value[Lit::positive(var).index()] == 0
    }

    pub(super) fn is_complete(&self) -> bool {
        self.trail.len() == self.vars()
    }

    /// How many literals are assigned.
    pub(super) fn assigned(&self) -> usize {
        self.trail.len()
    }

    /// In how many rows a variable is.
    pub(super) fn rows_with(&self, var: Var) -> usize {
        [Lit::positive(var), Lit::negative(var)].map(|lit| self.rows_of.get(lit.index()).len()).iter().sum()
    }

    /// The chosen edges.
    pub(super) fn edges(&self) -> Vec<Var> {
        let open = self.trail.iter().flat_map(|lit| self.edges_of.get(lit.index()));
        self.certain.iter().chain(open).copied().collect()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.rows.len() * size_of::<Row>()
            + self.lits.len() * 8
            + (self.vars() * 2 + self.certain.len()) * 24
            + self.fragments.bytes()
    }

    /// Makes an open literal true.
    pub(super) fn assign(&mut self, lit: Lit) {
        debug_assert!(self.is_open(lit.var()));
        self.value[lit.index()] = 1;
        self.value[(!lit).index()] = -1;
        self.trail.push(lit);
    }

    /// Lets everything follow.
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            self.steps += 1;
            self.count(lit);
            for place in self.rows_of.range(lit.index()) {
                self.check_chosen(self.rows_of.all[place])?;
            }
            for place in self.rows_of.range((!lit).index()) {
                self.check_left(self.rows_of.all[place])?;
            }
            for place in self.edges_of.range(lit.index()) {
                self.join(self.edges_of.all[place], self.head)?;
            }
        }
        Ok(())
    }

    fn count(&mut self, lit: Lit) {
        for &row in self.rows_of.get(lit.index()) {
            self.rows[row as usize].chosen += 1;
        }
        for &row in self.rows_of.get((!lit).index()) {
            self.rows[row as usize].left -= 1;
        }
    }

    fn uncount(&mut self, lit: Lit) {
        for &row in self.rows_of.get(lit.index()) {
            self.rows[row as usize].chosen -= 1;
        }
        for &row in self.rows_of.get((!lit).index()) {
            self.rows[row as usize].left += 1;
        }
    }

    fn check_chosen(&mut self, row: u32) -> Result<(), Contradiction> {
        let Row { begin, end, need, chosen, left } = self.rows[row as usize];
        if chosen > need {
            return Err(Contradiction);
        }
        if chosen == need && left > chosen {
            self.assign_open(begin..end, |lit| !lit);
        }
        Ok(())
    }

    fn check_left(&mut self, row: u32) -> Result<(), Contradiction> {
        let Row { begin, end, need, chosen, left } = self.rows[row as usize];
        if left < need {
            return Err(Contradiction);
        }
        if left == need && left > chosen {
            self.assign_open(begin..end, |lit| lit);
        }
        Ok(())
    }

    fn assign_open(&mut self, range: std::ops::Range<u32>, as_what: impl Fn(Lit) -> Lit) {
        for place in range {
            let lit = self.lits[place as usize];
            if self.value[lit.index()] == 0 {
                self.assign(as_what(lit));
            }
        }
    }

    fn join(&mut self, edge: Var, told: usize) -> Result<(), Contradiction> {
        let ends = self.ends[edge as usize];
        let closes = self.fragments.join(edge, ends, told).is_none();
        if closes && self.fragments.size(ends[0]) < self.visited { Err(Contradiction) } else { Ok(()) }
    }

    /// Takes back all but so many literals.
    pub(super) fn back_to(&mut self, assigned: usize) {
        while self.trail.len() > assigned {
            let Some(lit) = self.trail.pop() else { break };
            self.value[lit.index()] = 0;
            self.value[(!lit).index()] = 0;
            if self.trail.len() < self.head {
                self.uncount(lit);
            }
        }
        while let Some(edge) = self.fragments.last_after(assigned) {
            self.fragments.part(self.ends[edge as usize]);
        }
        self.head = self.head.min(assigned);
    }

    /// How much a trial has brought that began with so many literals: rows that became shorter, most of all those that leave two ways.
    pub(super) fn gain_since(&self, assigned: usize) -> f32 {
        const TWO_WAYS: f32 = 3.0;
        let rows = self.trail[assigned..].iter().flat_map(|&lit| self.rows_of.get((!lit).index()));
        let rows = rows.map(|&row| &self.rows[row as usize]).filter(|row| row.chosen < row.need);
        rows.map(|row| if row.left == row.need + 1 { TWO_WAYS } else { 1.0 }).sum()
    }
}

/// The degrees of all vertices, and that one vertex of those that may be missed is.
fn drafts(model: &Model, missed: &[u32]) -> Vec<Draft> {
    let need = model.need();
    let of_slot = |slot: u32| {
        let mut lits: Vec<Lit> = model.row(slot).iter().map(|link| model.lit(link.edge)).collect();
        let vertex = model.vertex_of(slot);
        if missed.contains(&vertex) {
            lits.extend((0..need).map(|_| model.skip(vertex)));
        }
        Draft { lits, need: i64::from(need) }
    };
    let mut drafts: Vec<Draft> = (0..model.slots() as u32).map(of_slot).collect();
    if !missed.is_empty() {
        drafts.push(Draft { lits: missed.iter().map(|&vertex| model.skip(vertex)).collect(), need: 1 });
    }
    drafts
}

/// Takes out what is certain, what follows from it, and pairs of a row that contradict each other, as long as there is any.
fn settle(model: &Model, drafts: &mut Vec<Draft>, value: &mut [i8]) -> Option<()> {
    let mut settled: Vec<Lit> =
        model.axioms.iter().filter_map(|axiom| <[Lit; 1]>::try_from(&axiom[..]).ok()).flatten().collect();
    loop {
        for lit in settled.drain(..) {
            if value[lit.index()] < 0 {
                return None;
            }
            value[lit.index()] = 1;
            value[(!lit).index()] = -1;
        }
        for Draft { lits, need } in drafts.iter_mut() {
            *need -= lits.iter().filter(|lit| value[lit.index()] > 0).count() as i64;
            lits.retain(|lit| value[lit.index()] == 0);
            lits.sort_unstable_by_key(|lit| lit.code());
            while let Some(place) = lits.windows(2).position(|pair| pair[0] == !pair[1]) {
                lits.drain(place..place + 2);
                *need -= 1;
            }
            if *need < 0 || *need > lits.len() as i64 {
                return None;
            }
            if *need == 0 {
                settled.extend(lits.iter().map(|&lit| !lit));
            } else if *need == lits.len() as i64 {
                settled.extend(lits.iter().copied());
            }
        }
        if settled.is_empty() {
            drafts.retain(|draft| !draft.lits.is_empty());
            drafts.sort_unstable_by(|one, other| codes(one).cmp(codes(other)).then(one.need.cmp(&other.need)));
            drafts.dedup_by(|one, other| one.lits == other.lits && one.need == other.need);
            return Some(());
        }
    }
}

fn codes(draft: &Draft) -> impl Iterator<Item = u32> {
    draft.lits.iter().map(|lit| lit.code())
}

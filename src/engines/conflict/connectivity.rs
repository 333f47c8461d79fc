//! All that must be visited has to lie in one part of the graph that is left, and in one block of it.
//!
//! A depth-first search from a vertex that must be visited finds the parts it does not reach, and the cut vertices (J. Hopcroft,
//! R. Tarjan, *Algorithm 447: efficient algorithms for graph manipulation*, Communications of the ACM 16 (1973) 372–378,
//! doi:10.1145/362248.362272). A cycle through the root does not enter a part that is cut off, or only joined by one vertex: that
//! part is skipped, or contradicts. The reason is the edges ruled out between the part and the rest: a cut.
//! Where edges are directed, so is what the root can reach and what can reach the root.
//!
//! Fragments of the path are passed over: the search goes from one of their ends to the other. Inside of them there is nowhere
//! else to go, and where their ends are in a part, so is what lies between.
//!
//! A part is never said to be needed by its size alone: the other vertices might all be skipped. A root is needed that must
//! be visited.
//!
//! How often to look is learnt by looking: more often where something follows.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::literal::Lit;
use super::model::Model;
use super::state::{Conflict, State, Violation};
use crate::proof::derivation::Crossing;

const UNSEEN: u32 = u32::MAX;

/// The pause after a look becomes so many times as long where something followed, and where nothing did; and it stays within so many
/// times that which was asked for.
const SHORTER: f64 = 0.7;
const LONGER: f64 = 1.2;
const RANGE: f64 = 4.0;

/// A vertex on the way of the search.
#[derive(Clone, Copy, Debug)]
struct Visit {
    vertex: u32,
    /// When the vertex was met to which there is a way back.
    low: u32,
    /// Its edges that are left to follow, and one more for the other end of its fragment.
    next: u32,
    end: u32,
}

/// What was met below a vertex is joined to the rest by the vertex before only: a range of the order.
#[derive(Clone, Copy, Debug)]
struct Branch {
    parent: u32,
    begin: u32,
    end: u32,
}

/// Scratch of the search.
#[derive(Debug, Default)]
pub(super) struct Connectivity {
    /// By vertex: when it was met.
    met: Vec<u32>,
    /// The vertices in the order in which they were met.
    order: Vec<u32>,
    stack: Vec<Visit>,
    branches: Vec<Branch>,
    is_in: FixedBitSet,
    part: Vec<u32>,
    /// The number of decisions at which to look again.
    next: u64,
    /// How many decisions there are between looks.
    pause: f64,
}

impl Connectivity {
    pub(super) fn new(model: &Model, every: u64) -> Self {
        let n = model.vertices;
        Connectivity {
            met: vec![UNSEEN; n],
            order: Vec::with_capacity(n),
            stack: Vec::new(),
            branches: Vec::new(),
            is_in: FixedBitSet::with_capacity(n),
            part: Vec::new(),
            next: 0,
            pause: every as f64,
        }
    }
}

/// Which edges to follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Out,
    In,
}

impl Connectivity {
    /// Whether it is time to look again, after so many decisions.
    pub(super) fn is_time(&self, decisions: u64, every: u64) -> bool {
        every > 0 && decisions >= self.next
    }

    /// Looks at what is left of the graph; `Ok(false)` where something follows.
    pub(super) fn check(&mut self, decisions: u64, state: &mut State<'_>) -> Result<bool, Conflict> {
        let every = state.config.connectivity as f64;
        let Some(root) = root(state) else {
            self.next = decisions + self.pause as u64;
            return Ok(true);
        };
        let before = state.assignment.trail().len();
        let result = self.look(root, state);
        let is_useful = result.is_err() || state.assignment.trail().len() > before;
        self.pause *= if is_useful { SHORTER } else { LONGER };
        self.pause = self.pause.clamp((every / RANGE).max(1.0), every * RANGE);
        self.next = decisions + self.pause as u64;
        result?;
        Ok(!is_useful)
    }

    fn look(&mut self, root: u32, state: &mut State<'_>) -> Result<(), Conflict> {
        if state.model.is_directed {
            for along in [Along::Out, Along::In] {
                self.reach(root, along, state);
                self.drop_unreached(root, along, state)?;
            }
        }
        self.reach_by_depth(root, state);
        self.drop_unmet(root, state)?;
        self.drop_behind_cut_vertices(root, state)
    }

    /// Marks what the root reaches (or what reaches it) in `is_in`.
    fn reach(&mut self, root: u32, along: Along, state: &mut State<'_>) {
        self.part.clear();
        self.part.push(root);
        self.is_in.insert(root as usize);
        let mut next = 0;
        while let Some(&vertex) = self.part.get(next) {
            next += 1;
            for link in state.model.row(slot_along(state, vertex, along)) {
                if !state.is_ruled_out(link.edge) && !self.is_in[link.vertex as usize] {
                    self.is_in.insert(link.vertex as usize);
                    self.part.push(link.vertex);
                }
            }
        }
    }

    /// Skips what lies outside of the part marked, the cut around which is closed in this direction.
    fn drop_unreached(&mut self, root: u32, along: Along, state: &mut State<'_>) -> Result<(), Conflict> {
        let mut result = Ok(());
        if self.part.len() < state.model.vertices {
            let others: Vec<u32> = self.is_in.zeroes().map(|vertex| vertex as u32).collect();
            if others.iter().any(|&vertex| !state.assignment.is_true(state.model.skip(vertex))) {
                let mut why = vec![state.model.skip(root)];
                for &vertex in &self.part {
                    let row = state.model.row(slot_along(state, vertex, along));
                    let out = row.iter().filter(|link| !self.is_in[link.vertex as usize]);
                    why.extend(out.map(|link| state.model.lit(link.edge)));
                }
                let crossing = if along == Along::Out { Crossing::Leave } else { Crossing::Enter };
                let mark = state.mark_border(crossing, &self.part, root, false);
                result = skip_all(state, &others, mark, why);
            }
        }
        self.part.iter().for_each(|&vertex| self.is_in.remove(vertex as usize));
        result
    }

    /// Depth-first search along edges in both directions.
    fn reach_by_depth(&mut self, root: u32, state: &mut State<'_>) {
        self.met.fill(UNSEEN);
        self.order.clear();
        self.branches.clear();
        self.meet(root, state);
        let mut looked = 0;
        while let Some(visit) = self.stack.last_mut() {
            let Visit { vertex, end, .. } = *visit;
            if let Some(other) = next_unmet(visit, &self.met, state) {
                self.meet(other, state);
                continue;
            }
            let low = visit.low;
            self.stack.pop();
            if let Some(parent) = self.stack.last_mut() {
                parent.low = parent.low.min(low);
                let begin = self.met[vertex as usize];
                if low == self.met[parent.vertex as usize] {
                    let end = self.order.len() as u32;
                    self.branches.push(Branch { parent: parent.vertex, begin, end });
                }
            }
            looked += u64::from(end - state.model.links_of(vertex).start);
        }
        state.ticks += looked / 8 + state.model.vertices as u64 / 16;
    }

    fn meet(&mut self, vertex: u32, state: &State<'_>) {
        let time = self.order.len() as u32;
        self.met[vertex as usize] = time;
        self.order.push(vertex);
        let links = state.model.links_of(vertex);
        self.stack.push(Visit { vertex, low: time, next: links.start, end: links.end });
    }

    /// Skips the parts that the search has not met.
    fn drop_unmet(&mut self, root: u32, state: &mut State<'_>) -> Result<(), Conflict> {
        let met = self.order.len();
        for vertex in 0..state.model.vertices as u32 {
            if self.met[vertex as usize] != UNSEEN
                || state.assignment.is_true(state.model.skip(vertex))
                || is_inside(vertex, state)
            {
                continue;
            }
            let begin = self.order.len();
            self.meet_part(vertex, state);
            let part = self.with_insides(begin..self.order.len(), state);
            let mut why = vec![state.model.skip(root)];
            self.cut(&part, UNSEEN, state, &mut why);
            let mark = state.mark_border(Crossing::Leave, &part, root, true);
            skip_all(state, &part, mark, why)?;
        }
        self.order.truncate(met);
        Ok(())
    }

    fn meet_part(&mut self, vertex: u32, state: &State<'_>) {
        let mut next = self.order.len();
        self.met[vertex as usize] = next as u32;
        self.order.push(vertex);
        while let Some(&vertex) = self.order.get(next) {
            next += 1;
            let links = state.model.links_of(vertex);
            let mut visit = Visit { vertex, low: 0, next: links.start, end: links.end };
            while let Some(other) = next_unmet(&mut visit, &self.met, state) {
                self.met[other as usize] = self.order.len() as u32;
                self.order.push(other);
            }
        }
    }

    /// A range of the order, and what is inside of the fragments that end there.
    fn with_insides(&mut self, range: Range<usize>, state: &State<'_>) -> Vec<u32> {
        let mut part = self.order[range].to_vec();
        part.iter().for_each(|&vertex| self.is_in.insert(vertex as usize));
        for place in 0..part.len() {
            let (end, mate) = (part[place], state.fragments.mate(part[place]));
            // Once for each; where one end is not in the part, it is what joins the part to the rest.
            if end < mate || !self.is_in[mate as usize] {
                part.extend(state.fragments.inside(end, &state.model.ends));
            }
        }
        part.iter().for_each(|&vertex| self.is_in.remove(vertex as usize));
        part
    }

    /// The edges between a part and all others but `but`, which are ruled out. A vertex of the part whose own edges are
    /// known, within the part, says the same of all its others, with fewer literals.
    fn cut(&mut self, part: &[u32], but: u32, state: &State<'_>, why: &mut Vec<Lit>) {
        part.iter().for_each(|&vertex| self.is_in.insert(vertex as usize));
        for &vertex in part {
            for slot in state.model.slots_at(vertex) {
                let row = state.model.row(slot);
                let begin = why.len();
                let out = row.iter().filter(|link| !self.is_in[link.vertex as usize] && link.vertex != but);
                let out = out.map(|link| state.model.lit(link.edge));
                why.extend(out.filter(|lit| state.assignment.level(lit.var()) > state.base_level()));
                let need = state.model.need();
                if why.len() - begin > need as usize && state.chosen[slot as usize] == need {
                    let chosen = row.iter().filter(|link| state.is_chosen(link.edge));
                    if chosen.clone().all(|link| self.is_in[link.vertex as usize] || link.vertex == but) {
                        why.truncate(begin);
                        why.extend(chosen.map(|link| !state.model.lit(link.edge)));
                    }
                }
            }
        }
        // Given literals were left out: they all rest on the target.
        why.extend(state.target.map(|target| !target));
        part.iter().for_each(|&vertex| self.is_in.remove(vertex as usize));
    }

    /// Skips the parts that only a cut vertex joins to the root.
    fn drop_behind_cut_vertices(&mut self, root: u32, state: &mut State<'_>) -> Result<(), Conflict> {
        self.branches.sort_unstable_by_key(|branch| branch.begin);
        // The part at the root that must be visited, if there is one.
        let main = self.branches.iter().filter(|branch| branch.parent == root).find_map(|branch| {
            let part = &self.order[branch.begin as usize..branch.end as usize];
            let must = part.iter().copied().find(|&vertex| state.assignment.is_false(state.model.skip(vertex)));
            must.map(|must| (branch.begin, must))
        });
        for place in 0..self.branches.len() {
            let Branch { parent, begin, end } = self.branches[place];
            let outside = match main {
                _ if parent != root => root,
                Some((main, must)) if main != begin => must,
                _ => continue,
            };
            let part = self.with_insides(begin as usize..end as usize, state);
            if part.iter().all(|&vertex| state.assignment.is_true(state.model.skip(vertex))) {
                continue;
            }
            let mut why = vec![state.model.skip(outside)];
            self.cut(&part, parent, state, &mut why);
            let mark = state.mark_border(state.crossing_at(parent, outside), &part, outside, true);
            skip_all(state, &part, mark, why)?;
        }
        Ok(())
    }
}

/// A vertex that must be visited, not inside of a fragment; one of the lowest level.
fn root(state: &State<'_>) -> Option<u32> {
    let mut found: Option<(u32, u32)> = None;
    for vertex in state.model.depots.iter().copied().chain(0..state.model.vertices as u32) {
        let skip = state.model.skip(vertex);
        if !state.assignment.is_false(skip) || is_inside(vertex, state) {
            continue;
        }
        let level = state.assignment.level(skip.var());
        if found.is_none_or(|(least, _)| level < least) {
            found = Some((level, vertex));
        }
        if level <= state.base_level() {
            break;
        }
    }
    found.map(|(_, vertex)| vertex)
}

/// Whether a vertex has all edges that it needs: then nothing else is open at it.
fn is_inside(vertex: u32, state: &State<'_>) -> bool {
    state.model.slots_at(vertex).all(|slot| state.chosen[slot as usize] == state.model.need())
}

/// The next vertex that was not met yet, along open edges and to the other end of the fragment.
fn next_unmet(visit: &mut Visit, met: &[u32], state: &State<'_>) -> Option<u32> {
    while visit.next < visit.end {
        let link = state.model.link(visit.next);
        visit.next += 1;
        if state.assignment.is_open(state.model.lit(link.edge)) {
            match met[link.vertex as usize] {
                UNSEEN => return Some(link.vertex),
                met => visit.low = visit.low.min(met),
            }
        }
    }
    if visit.next == visit.end {
        visit.next += 1;
        let mate = state.fragments.mate(visit.vertex);
        match met[mate as usize] {
            UNSEEN => return Some(mate),
            met => visit.low = visit.low.min(met),
        }
    }
    None
}

fn slot_along(state: &State<'_>, vertex: u32, along: Along) -> u32 {
    if along == Along::In { state.model.slot_in(vertex) } else { state.model.slot_out(vertex) }
}

/// Skips vertices for this reason, which goes by this mark, or finds that one of them must be visited.
fn skip_all(state: &mut State<'_>, vertices: &[u32], mark: u32, mut why: Vec<Lit>) -> Result<(), Conflict> {
    why.retain(|lit| state.assignment.level(lit.var()) > 0);
    let must = vertices.iter().map(|&vertex| state.model.skip(vertex)).filter(|&skip| state.assignment.is_false(skip));
    if let Some(skip) = must.min_by_key(|skip| state.assignment.level(skip.var())) {
        why.push(skip);
        state.violated = why;
        state.violation = Violation::Ground(mark, skip);
        return Err(Conflict);
    }
    let reason = state.keep(mark, &why);
    for &vertex in vertices {
        let skip = state.model.skip(vertex);
        if state.assignment.is_open(skip) {
            state.assign(skip, reason);
        }
    }
    Ok(())
}

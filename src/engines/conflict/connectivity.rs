//! All that must be visited has to lie in one part of the graph that is left, and in one block of it.
//!
//! A depth-first search from a vertex that must be visited finds the parts it does not reach, and the cut vertices (J. Hopcroft,
//! R. Tarjan, *Algorithm 447: efficient algorithms for graph manipulation*, Communications of the ACM 16 (1973) 372–378,
//! doi:10.1145/362248.362272). A cycle through the root does not enter a part that is cut off, or only joined by one vertex: that
//! part is skipped, or contradicts. The reason is the edges ruled out between the part and the rest: a cut.
//! Where edges are directed, so is what the root can reach and what can reach the root.
//!
//! A part is never said to be needed by its size alone: the other vertices might all be skipped. A root is needed that must
//! be visited.

use fixedbitset::FixedBitSet;

use super::literal::Lit;
use super::model::Model;
use super::state::{Conflict, State};

const UNSEEN: u32 = u32::MAX;

/// Scratch of the search, by vertex.
#[derive(Debug, Default)]
pub(super) struct Connectivity {
    /// When it was met.
    met: Vec<u32>,
    low: Vec<u32>,
    parent: Vec<u32>,
    /// How many vertices were met below it, and itself.
    below: Vec<u32>,
    /// The vertices in the order in which they were met.
    order: Vec<u32>,
    /// How many of those met before must be visited.
    visited: Vec<u32>,
    stack: Vec<(u32, u32)>,
    is_in: FixedBitSet,
    part: Vec<u32>,
    /// The number of decisions at which to look again.
    next: u64,
}

impl Connectivity {
    pub(super) fn new(model: &Model) -> Self {
        let n = model.vertices;
        Connectivity {
            met: vec![UNSEEN; n],
            low: vec![0; n],
            parent: vec![0; n],
            below: vec![0; n],
            order: Vec::with_capacity(n),
            visited: Vec::with_capacity(n + 1),
            stack: Vec::new(),
            is_in: FixedBitSet::with_capacity(n),
            part: Vec::new(),
            next: 0,
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
        self.next = decisions + state.config.connectivity;
        let vertices = state.model.depots.iter().copied().chain(0..state.model.vertices as u32);
        let mut visited = vertices.filter(|&vertex| state.assignment.is_false(state.model.skip(vertex)));
        let Some(root) = visited.next() else { return Ok(true) };
        let before = state.assignment.trail().len();
        self.look(root, state)?;
        Ok(state.assignment.trail().len() == before)
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
                result = skip_all(state, &others, why);
            }
        }
        self.part.iter().for_each(|&vertex| self.is_in.remove(vertex as usize));
        result
    }

    /// Depth-first search along edges in both directions.
    fn reach_by_depth(&mut self, root: u32, state: &mut State<'_>) {
        self.met.fill(UNSEEN);
        self.order.clear();
        self.visited.clear();
        self.visited.push(0);
        self.meet(root, UNSEEN, state);
        while let Some(&(vertex, place)) = self.stack.last() {
            let top = self.stack.len() - 1;
            let slots = state.model.slots_at(vertex);
            let out = state.model.row(slots.start);
            let link = match out.get(place as usize) {
                None if slots.len() == 2 => state.model.row(slots.start + 1).get(place as usize - out.len()),
                link => link,
            };
            let Some(link) = link else {
                self.stack.pop();
                self.below[vertex as usize] = self.order.len() as u32 - self.met[vertex as usize];
                if let Some(&(parent, _)) = self.stack.last() {
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[vertex as usize]);
                }
                continue;
            };
            self.stack[top].1 += 1;
            if state.is_ruled_out(link.edge) {
                continue;
            }
            let met = self.met[link.vertex as usize];
            if met == UNSEEN {
                self.meet(link.vertex, vertex, state);
            } else if link.vertex != self.parent[vertex as usize] {
                self.low[vertex as usize] = self.low[vertex as usize].min(met);
            }
        }
        state.ticks += (state.model.edges() + state.model.vertices) as u64 / 4;
    }

    fn meet(&mut self, vertex: u32, parent: u32, state: &State<'_>) {
        let time = self.order.len() as u32;
        self.met[vertex as usize] = time;
        self.low[vertex as usize] = time;
        self.parent[vertex as usize] = parent;
        self.order.push(vertex);
        let must = u32::from(state.assignment.is_false(state.model.skip(vertex)));
        self.visited.push(self.visited[time as usize] + must);
        self.stack.push((vertex, 0));
    }

    /// Skips the parts that the search has not met.
    fn drop_unmet(&mut self, root: u32, state: &mut State<'_>) -> Result<(), Conflict> {
        let met = self.order.len();
        for vertex in 0..state.model.vertices as u32 {
            if self.met[vertex as usize] != UNSEEN || state.assignment.is_true(state.model.skip(vertex)) {
                continue;
            }
            let begin = self.order.len();
            self.meet_part(vertex, state);
            let part = self.order[begin..].to_vec();
            let mut why = vec![state.model.skip(root)];
            self.cut(&part, UNSEEN, state, &mut why);
            skip_all(state, &part, why)?;
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
            for slot in state.model.slots_at(vertex) {
                for link in state.model.row(slot) {
                    if !state.is_ruled_out(link.edge) && self.met[link.vertex as usize] == UNSEEN {
                        self.met[link.vertex as usize] = self.order.len() as u32;
                        self.order.push(link.vertex);
                    }
                }
            }
        }
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
        // The part at the root that must be visited, if there is one.
        let mut main: Option<(u32, u32)> = None;
        for place in 1..self.order.len() {
            let vertex = self.order[place];
            if self.parent[vertex as usize] != root {
                continue;
            }
            let (begin, end) = (place, place + self.below[vertex as usize] as usize);
            if self.visited[end] > self.visited[begin] && main.is_none() {
                let part = &self.order[begin..end];
                let must = part.iter().copied().find(|&vertex| state.assignment.is_false(state.model.skip(vertex)));
                main = must.map(|must| (vertex, must));
            }
        }
        for place in 1..self.order.len() {
            let vertex = self.order[place];
            let parent = self.parent[vertex as usize];
            if self.low[vertex as usize] < self.met[parent as usize] {
                continue;
            }
            let outside = match main {
                _ if parent != root => root,
                Some((main, must)) if main != vertex => must,
                _ => continue,
            };
            let part = self.order[place..place + self.below[vertex as usize] as usize].to_vec();
            if part.iter().all(|&vertex| state.assignment.is_true(state.model.skip(vertex))) {
                continue;
            }
            let mut why = vec![state.model.skip(outside)];
            self.cut(&part, parent, state, &mut why);
            skip_all(state, &part, why)?;
        }
        Ok(())
    }
}

fn slot_along(state: &State<'_>, vertex: u32, along: Along) -> u32 {
    if along == Along::In { state.model.slot_in(vertex) } else { state.model.slot_out(vertex) }
}

/// Skips vertices for this reason, or finds that one of them must be visited.
fn skip_all(state: &mut State<'_>, vertices: &[u32], mut why: Vec<Lit>) -> Result<(), Conflict> {
    why.retain(|lit| state.assignment.level(lit.var()) > 0);
    let must = vertices.iter().map(|&vertex| state.model.skip(vertex)).filter(|&skip| state.assignment.is_false(skip));
    if let Some(skip) = must.min_by_key(|skip| state.assignment.level(skip.var())) {
        why.push(skip);
        state.violated = why;
        return Err(Conflict);
    }
    let reason = state.keep(&why);
    for &vertex in vertices {
        let skip = state.model.skip(vertex);
        if state.assignment.is_open(skip) {
            state.assign(skip, reason);
        }
    }
    Ok(())
}

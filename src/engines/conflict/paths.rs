//! No short cycles: the edge that would close one while another vertex must be visited is ruled out.
//!
//! The fragments know their two ends, so the edge is found at once. Its reason is looked up when it is needed. Let F be the
//! vertices of the cycle. No edge leaves F if each vertex of F either has its two edges within F, or has no edge out of F
//! left; then F can't be all there is if another vertex must be visited. For every vertex the cheaper of the two serves: its
//! chosen edges (which its neighbours on the cycle may share), or the edges ruled out around it. The cheapest choice for all is
//! found by dynamic programming along the cycle. A vertex with three edges or more around it is never worth its while, since
//! it has but two chosen ones.

use super::fragments::NONE;
use super::literal::{Lit, Reason, Var};
use super::state::{Conflict, State, Violation};
use super::walk::{NEVER, Step};

/// Around a vertex no more edges are counted: two chosen ones are cheaper.
const MOST_AROUND: u32 = 2;

impl State<'_> {
    /// After an edge was chosen and all degrees are settled.
    pub(super) fn join(&mut self, edge: Var) -> Result<(), Conflict> {
        let ends = self.model.ends[edge as usize];
        let Some((from, to)) = self.fragments.join(edge, ends, self.path_head) else { return self.close(edge) };
        if !self.config.closing || self.visited <= self.fragments.size(from) {
            return Ok(());
        }
        if let Some(closing) = self.model.edge_between(to, from)
            && self.assignment.is_open(self.model.lit(closing))
        {
            self.assign(!self.model.lit(closing), Reason::Closing(closing));
        }
        Ok(())
    }

    /// A cycle was closed: that must be all.
    fn close(&mut self, edge: Var) -> Result<(), Conflict> {
        if self.visited > self.fragments.size(self.model.ends[edge as usize][0]) {
            let mut violated = std::mem::take(&mut self.violated);
            violated.clear();
            violated.push(!self.model.lit(edge));
            self.explain_closing(edge, u32::MAX, &mut violated);
            self.violated = violated;
            self.violation = Violation::Cycle(edge);
            return Err(Conflict);
        }
        for vertex in 0..self.model.vertices as u32 {
            let skip = self.model.skip(vertex);
            if self.assignment.is_open(skip) {
                self.assign(skip, Reason::Closed(edge));
            }
        }
        Ok(())
    }

    /// Why an edge could not close a cycle at this position of the trail.
    pub(super) fn explain_closing(&mut self, edge: Var, position: u32, why: &mut Vec<Lit>) {
        self.walk(edge, position);
        let outside = self.visited_outside(position);
        debug_assert!(outside.is_some(), "another vertex must be visited");
        why.extend(outside);
        self.explain_cycle(position, why);
    }

    /// Why all vertices outside of the cycle that this edge closed are skipped.
    pub(super) fn explain_closed(&mut self, edge: Var, position: u32, why: &mut Vec<Lit>) {
        self.walk(edge, position);
        why.push(!self.model.lit(edge));
        self.explain_cycle(position, why);
    }

    /// The vertices of the cycle that this edge closes, as chosen edges before this position have it.
    pub(super) fn cycle(&mut self, edge: Var, position: u32) -> Vec<u32> {
        self.walk(edge, position);
        let vertices = self.walk.steps.drain(..).map(|step| step.vertex).collect();
        for &vertex in &vertices as &Vec<u32> {
            self.walk.is_on.remove(vertex as usize);
        }
        vertices
    }

    /// A vertex outside of it that must be visited.
    pub(super) fn outside_of(&mut self, edge: Var, position: u32) -> Option<u32> {
        self.walk(edge, position);
        let outside = self.visited_outside(position).map(|skip| self.model.vertex_of_skip(skip.var()));
        self.walk.steps.drain(..).for_each(|step| self.walk.is_on.remove(step.vertex as usize));
        outside
    }

    /// The literal that a vertex outside of the cycle is skipped, which is false; one of the lowest level.
    fn visited_outside(&self, position: u32) -> Option<Lit> {
        let base = self.base_level();
        let mut found: Option<(u32, Lit)> = None;
        let depots = self.model.depots.iter().copied();
        for vertex in depots.chain(0..self.model.vertices as u32) {
            let skip = self.model.skip(vertex);
            if self.walk.is_on[vertex as usize]
                || !self.assignment.is_false(skip)
                || self.assignment.position(skip.var()) >= position
            {
                continue;
            }
            let level = self.assignment.level(skip.var());
            if found.is_none_or(|(least, _)| level < least) {
                found = Some((level, skip));
            }
            if level <= base {
                break;
            }
        }
        found.map(|(_, skip)| skip)
    }

    /// Follows the chosen edges before this position from one end of an edge to the other.
    fn walk(&mut self, edge: Var, position: u32) {
        self.walk.steps.clear();
        let [tail, head] = self.model.ends[edge as usize];
        let mut vertex = head;
        let mut came_by = edge;
        while vertex != tail {
            let [out, other] = self.fragments.links(vertex);
            let is_next =
                |link: Var| link != NONE && link != came_by && link != edge && self.position_of(link) < position;
            let next = if self.model.is_directed || is_next(out) { out } else { other };
            self.push_step(vertex, next);
            let [one, two] = self.model.ends[next as usize];
            vertex = if one == vertex { two } else { one };
            came_by = next;
        }
        self.push_step(tail, edge);
    }

    fn push_step(&mut self, vertex: u32, edge: Var) {
        self.walk.is_on.insert(vertex as usize);
        self.walk.steps.push(Step { vertex, edge, around: NEVER, cost: [0; 2], from: [true; 2] });
    }

    /// Whether a false literal has to be mentioned.
    fn counts(&self, edge: Var) -> bool {
        self.assignment.level(self.model.lit(edge).var()) > self.base_level()
    }

    /// The literals that leave no way out of the walk, except for the edge that closes it.
    fn explain_cycle(&mut self, position: u32, why: &mut Vec<Lit>) {
        let mut walk = std::mem::take(&mut self.walk.steps);
        if self.config.short_reasons {
            for step in &mut walk[1..] {
                step.around = self.around(step.vertex, position);
            }
        }
        // The first vertex is explained by its edges, of which the closing one is not counted.
        walk[0].cost = [0, NEVER];
        for place in 1..walk.len() {
            let before = walk[place - 1];
            let edge = u32::from(self.counts(before.edge));
            let step = &mut walk[place];
            for (is_around, own) in [0, step.around].into_iter().enumerate() {
                let by_edges = before.cost[0] + edge;
                let by_around = before.cost[1] + if is_around == 1 { 0 } else { edge };
                step.from[is_around] = by_edges <= by_around;
                step.cost[is_around] = own.saturating_add(by_edges.min(by_around)).min(NEVER);
            }
        }
        // Back from the last vertex.
        let last = walk.len() - 1;
        let mut by_edges = walk[last].cost[0] <= walk[last].cost[1];
        for place in (0..walk.len()).rev() {
            let step = walk[place];
            let before_by_edges = step.from[usize::from(!by_edges)];
            if !by_edges {
                self.push_around(step.vertex, why);
            }
            if place > 0 && (by_edges || before_by_edges) {
                why.push(!self.model.lit(walk[place - 1].edge));
            }
            by_edges = before_by_edges;
        }
        walk.iter().for_each(|step| self.walk.is_on.remove(step.vertex as usize));
        walk.clear();
        self.walk.steps = walk;
    }

    /// How many literals say that no edge leads from a vertex out of the walk.
    fn around(&self, vertex: u32, position: u32) -> u32 {
        let mut count = 0;
        for slot in self.model.slots_at(vertex) {
            for link in self.model.row(slot) {
                if self.walk.is_on[link.vertex as usize] {
                    continue;
                }
                if !self.is_ruled_out(link.edge) || self.position_of(link.edge) >= position {
                    return NEVER;
                }
                count += u32::from(self.counts(link.edge));
                if count > MOST_AROUND {
                    return NEVER;
                }
            }
        }
        count
    }

    fn push_around(&self, vertex: u32, why: &mut Vec<Lit>) {
        for slot in self.model.slots_at(vertex) {
            let out = self.model.row(slot).iter().filter(|link| !self.walk.is_on[link.vertex as usize]);
            why.extend(out.map(|link| self.model.lit(link.edge)));
        }
    }
}

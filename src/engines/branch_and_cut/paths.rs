//! Paths as a formulation for the tree of cases: what its solutions violate, and the paths that they hold.

use std::cmp::Reverse;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use super::model::{Cut, Form, Model, NONE};
use super::record::Notes;
use super::side::{Side, shortened};
use super::{Family, Settings, Silent, dive, guess, witness};
use crate::branching::halves::halves;
use crate::branching::separation::{Along, LEAST_VIOLATION, SetCut, Wanted};
use crate::branching::support::Support;
use crate::branching::{Formulation, Known, Moment, Relaxation, Tree, is_close};
use crate::certificate::Removal;
use crate::engines::local_search;
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END};
use crate::lp::proof::{Range, Row};
use crate::lp::{LinearProgram, Verdict};
use crate::solution::Stop;
use crate::view::{self, IsOver};

/// Work of local search on a guess, for each vertex: first, then.
const FIRST_CLIMB: u64 = 4_000;
const CLIMB: u64 = 3_000;
/// Rounds at the root between two guesses, and nodes.
const GUESS_ROUNDS: u32 = 10;
const GUESS_NODES: u64 = 5;
/// Subtour cuts by minimum cuts in one round.
const MOST_CHEAPEST: usize = 60;
/// Half sums in one round.
const MOST_HALVES: usize = 100;
/// Where there are more edges to a vertex half sums of rows cost more than they bring.
const MOST_EDGES_OF_HALVES: usize = 5;
/// They are looked for where there are fewer other cuts: in directed graphs, and in undirected ones.
const LITTLE_OF_ARCS: usize = 15;
const LITTLE_OF_EDGES: usize = 50;
/// Dives take one part in so many of the work, half as much after each that finds nothing, but no less than the second.
const DIVES_PART: u64 = 4;
const LEAST_DIVES_PART: u64 = 32;
/// The first comes at this node, or at the root where the best path is not close to the bound, and lacks more than so many edges.
const FIRST_DIVE: u64 = 10;
const FEW_EDGES: i64 = 3;

/// The paths of an instance, or its cycles, all or those through one vertex.
#[derive(Clone)]
pub(super) struct Paths<'p> {
    pub(super) model: Model<'p>,
    settings: Settings,
    /// The part of the work that went into dives.
    dived: u64,
    /// Dives take one part in so many of the work: less where they find nothing.
    dives_part: u64,
    /// By the best multipliers for the whole tree, where the settings ask for it, with what they prove.
    witness: Option<Removal<u32>>,
    witnessed: i128,
    /// Where every step is to be written down.
    pub(super) notes: Option<Notes>,
}

/// A tree of all paths or cycles of an instance, or of the cycles through `root`, that avoid what is `removed`; `None` if `is_over`, which is
/// asked now and then, says so.
pub(super) fn tree<'p, P: LinearProgram>(
    settings: &Settings,
    instance: &'p Instance,
    root: Option<u32>,
    removed: &FixedBitSet,
    known: Known<Vec<u32>>,
    is_over: IsOver<'_>,
) -> Option<Tree<Paths<'p>, P>> {
    let mut model = Model::new(instance, root);
    if settings.has(Family::Chains) {
        model = model.with_chains();
    }
    let mut ranges = vec![Range::Free; model.worth.len()];
    let mut fix = |variable: u32, range: Range| {
        model.users(&variable).iter().for_each(|&column| ranges[column as usize] = range);
    };
    for vertex in removed.ones().map(|vertex| vertex as u32) {
        fix(model.visit(vertex), Range::Zero);
        for arc in instance.graph.out_arcs(vertex).iter().chain(instance.graph.in_arcs(vertex)) {
            fix(arc.edge, Range::Zero);
        }
    }
    if let Some(root) = root {
        fix(model.visit(root), Range::One);
    }
    let watched = settings.watched.as_ref().and_then(|path| columns_of(&model, path));
    let mut rows = model.equations();
    rows.extend(settings.side.iter().flat_map(|side| side.rows(&model)));
    let relaxation = Relaxation::new_unless(model.worth.clone(), 0, ranges, rows, watched, is_over)?;
    let paths = Paths {
        model,
        settings: settings.clone(),
        dived: 0,
        dives_part: DIVES_PART,
        witness: None,
        witnessed: i128::MAX,
        notes: None,
    };
    Some(Tree::new(paths, relaxation, known))
}

impl Formulation for Paths<'_> {
    type Cut = Cut;
    type Form = Form;
    type Answer = Vec<u32>;

    fn vertices(&self) -> usize {
        self.model.vertices()
    }

    fn row(&mut self, cut: &Cut) -> (Row, Form) {
        self.model.row(cut)
    }

    /// Where only two edges of a vertex are left, or one arc in or out, whoever visits it without an end there uses them.
    fn kin(&self, here: &[Range]) -> Vec<u32> {
        let graph = &self.model.instance.graph;
        let mut sets = UnionFind::<u32>::new(here.len());
        // The column of a variable, or of the whole chain that it is in.
        let main = |variable: u32| self.model.users(&variable).first().copied();
        let mut join = |arcs: &[view::Arc], needed: usize, visit: u32| {
            let columns = arcs.iter().filter_map(|arc| main(arc.edge));
            let left = columns.filter(|&column| here[column as usize] != Range::Zero);
            if left.clone().nth(needed).is_none() {
                left.for_each(|column| _ = sets.union(column, visit));
            }
        };
        for vertex in 0..self.model.vertices() as u32 {
            let Some(visit) = main(self.model.visit(vertex)) else { continue };
            if graph.is_directed() {
                join(graph.out_arcs(vertex), 1, visit);
                join(graph.in_arcs(vertex), 1, visit);
            } else {
                join(graph.out_arcs(vertex), 2, visit);
            }
        }
        sets.into_labeling()
    }

    fn columns(&self, path: &Vec<u32>) -> Option<FixedBitSet> {
        columns_of(&self.model, path)
    }

    fn value(&self, path: &Vec<u32>) -> i64 {
        self.model.instance.value(path)
    }

    fn separate(&self, values: &[f64], found: &mut Vec<(f64, Cut)>, budget: &Budget) {
        let values = &*self.model.of_variables(values);
        if self.settings.has(Family::Visited) {
            self.unvisited(values, found);
        }
        let support = self.support(values);
        // Where a cycle may be anywhere, a border holds as far as the vertex beyond it is visited.
        let beyond = self.model.is_anywhere().then(|| support.outside());
        let unvisited = beyond.map_or(0.0, |vertex| 2.0 * (1.0 - values[self.model.visit(vertex) as usize]));
        let mut add = |cuts: Vec<(f64, SetCut)>| {
            found.extend(cuts.into_iter().filter_map(|(violation, cut)| match (cut, beyond) {
                (SetCut::Subtour { inside, visited }, Some(beyond)) => {
                    let violation = violation - unvisited;
                    (violation > LEAST_VIOLATION).then_some((violation, Cut::Between { inside, visited, beyond }))
                }
                (cut, _) => Some((violation, Cut::Set(cut))),
            }));
            found.len()
        };
        if self.settings.has(Family::Grown) {
            add(support.grown(Along::Values, Wanted::SUBTOURS, budget));
        }
        if self.settings.has(Family::Blossoms) && !self.model.instance.graph.is_directed() {
            let mut blossoms = support.grown(Along::Fractions, Wanted::BLOSSOMS, budget);
            if self.settings.root_only {
                let edges = self.model.edges() as u32;
                let has_edges = |teeth: &[u32]| teeth.iter().all(|&tooth| tooth < edges);
                blossoms.retain(|(_, cut)| matches!(cut, SetCut::Blossom { teeth, .. } if has_edges(teeth)));
            }
            add(blossoms);
        }
        if add(Vec::new()) < MOST_CHEAPEST / 4 && self.settings.has(Family::Cheapest) {
            add(support.cheapest_subtours(MOST_CHEAPEST, budget));
        }
    }

    /// Half sums, where the borders of sets have little to say.
    fn combine<'r>(
        &self,
        rows: impl Iterator<Item = &'r Row>,
        values: &[f64],
        found: &mut Vec<(f64, Cut)>,
        budget: &Budget,
    ) {
        let graph = &self.model.instance.graph;
        let is_little = found.len() < if graph.is_directed() { LITTLE_OF_ARCS } else { LITTLE_OF_EDGES };
        let is_sparse = graph.edge_count() <= MOST_EDGES_OF_HALVES * graph.vertex_count();
        if is_little && is_sparse && self.settings.has(Family::Halves) {
            let cuts = halves(rows, values, MOST_HALVES, budget);
            found.extend(cuts.into_iter().map(|(violation, row)| (violation, Cut::Half(Arc::new(row)))));
        }
    }

    /// A path, with cycles beside it, which are cut off.
    fn take_whole(&self, values: &[f64]) -> (Vec<Cut>, Option<Vec<u32>>) {
        let values = &*self.model.of_variables(values);
        let mut cuts: Vec<Cut> = self.visited_twice(values).map(|(_, cut)| cut).collect();
        let support = self.support(values);
        let beyond = self.model.is_anywhere().then(|| support.outside());
        for inside in support.components() {
            let visited = inside[0];
            cuts.push(match beyond {
                Some(beyond) => Cut::Between { inside, visited, beyond },
                None => Cut::Set(SetCut::Subtour { inside, visited }),
            });
        }
        for vertex in 0..self.model.vertices() as u32 {
            if self.model.ends_at(vertex).map(|variable| values[variable as usize]).sum::<f64>() > 1.5 {
                cuts.push(Cut::EndVisited { vertex });
            }
        }
        // A single vertex that is visited may be all there is where both ends are put there.
        (cuts, self.walk(values))
    }

    fn only_answer(&self, values: &[f64], _budget: &Budget) -> Vec<Vec<u32>> {
        self.walk(&self.model.of_variables(values)).into_iter().collect()
    }

    /// A path by the fractional solution, improved by local search.
    fn guess(&self, moment: &Moment<'_>) -> Vec<Vec<u32>> {
        let is_first = moment.round == 1;
        let is_time = match moment.is_root {
            true => is_first || moment.round.is_multiple_of(GUESS_ROUNDS),
            false => is_first && moment.nodes.is_multiple_of(GUESS_NODES),
        };
        if !is_time || !self.settings.has(Family::Guesses) {
            return Vec::new();
        }
        let instance = self.model.instance;
        let values = self.model.of_variables(moment.values);
        let path = guess::path(instance, &values).filter(|path| is_sound(instance, path));
        if let Some(side) = self.settings.side {
            // Local search knows nothing of that.
            let path = path.map(|path| shortened(instance, side, path)).filter(|path| is_sound(instance, path));
            return path.filter(|path| side.allows(instance, path)).into_iter().collect();
        }
        let work = if moment.is_root && is_first { FIRST_CLIMB } else { CLIMB };
        let effort = work * self.model.vertices() as u64;
        let mut budget = moment.budget.clone();
        budget.threads = 1;
        budget.seed = budget.seed.wrapping_add(moment.nodes);
        let found = local_search::solve(instance, path.as_deref(), moment.upper, effort, &budget, &mut Silent);
        found.best.into_iter().map(|(path, _)| path).collect()
    }

    /// A path that is far off is looked for at once; one that is close may come by itself.
    fn search_nearby<P: LinearProgram>(tree: &mut Tree<Self, P>, monitor: &mut dyn Monitor) -> Result<(), Stop> {
        let is_time = is_far_off(&tree.known) || tree.nodes >= FIRST_DIVE;
        let before = tree.relaxation.work;
        let Paths { model, settings, dived, dives_part, .. } = &tree.formulation;
        if !is_time || dives_part * dived > before || !settings.has(Family::Guesses) {
            return Ok(());
        }
        let (edges, known) = (model.edge_columns(), tree.lower());
        let result = dive::dive(tree, edges, monitor);
        let is_better = tree.lower() > known;
        let paths = &mut tree.formulation;
        paths.dived += tree.relaxation.work - before;
        paths.dives_part = if is_better { DIVES_PART } else { (2 * paths.dives_part).min(LEAST_DIVES_PART) };
        result
    }

    fn listen(&self, known: &mut Known<Vec<u32>>, budget: &Budget, _monitor: &mut dyn Monitor) {
        if budget.shared_lower() > known.lower() {
            known.floor = budget.shared_lower();
        }
        known.upper = known.upper.min(known.congruence.greatest_up_to(budget.shared_upper())).max(known.value());
    }

    fn fixes_columns(&self) -> bool {
        self.settings.has(Family::Fixing) && self.notes.is_none()
    }

    fn is_root_only(&self) -> bool {
        self.settings.root_only
    }

    fn is_recording(&self) -> bool {
        self.notes.is_some()
    }

    /// Keeps the best multipliers for the whole tree as a witness.
    fn note_solved<P: LinearProgram>(&mut self, relaxation: &Relaxation<Self, P>) {
        if !self.settings.root_only || relaxation.proof.bound >= self.witnessed {
            return;
        }
        let rows = relaxation.rows.iter().map(|active| active.cut.as_ref().map(|active| (&active.cut, active.form)));
        let witness = witness::removal(&self.model, rows, relaxation.program.multipliers(), relaxation.unit);
        if witness.is_some() {
            self.witnessed = relaxation.proof.bound;
            self.witness = witness;
        }
    }

    fn note_settled<P: LinearProgram>(&mut self, relaxation: &Relaxation<Self, P>, lower: i64, verdict: Verdict) {
        if let Some(notes) = &mut self.notes {
            notes.settled(&self.model, relaxation, lower, verdict);
        }
    }

    fn note_otherwise_settled(&mut self) {
        if let Some(notes) = &mut self.notes {
            notes.fail();
        }
    }

    fn fixed_on_record<P: LinearProgram>(&mut self, relaxation: &Relaxation<Self, P>, lower: i64) -> Vec<(u32, Range)> {
        match &mut self.notes {
            Some(notes) => notes.fixed(&self.model, relaxation, lower),
            None => Vec::new(),
        }
    }
}

/// Whether the best path is so far from the bound that a better one is worth a search of its own.
fn is_far_off(known: &Known<Vec<u32>>) -> bool {
    let gap = known.upper.saturating_sub(known.lower());
    let lacks_many =
        |path: &[u32]| gap.saturating_mul(path.len() as i64) > known.upper.saturating_abs().saturating_mul(FEW_EDGES);
    !is_close(known.lower(), known.upper) && known.best.as_ref().is_none_or(|(path, _)| lacks_many(path))
}

impl Paths<'_> {
    pub(super) fn into_witness(self) -> Option<Removal<u32>> {
        self.witness
    }

    /// What the multipliers behind the witness prove.
    #[cfg(test)]
    pub(super) fn root_bound(&self) -> i64 {
        i64::try_from(self.witnessed.div_euclid(crate::lp::proof::SCALE)).unwrap_or(i64::MAX)
    }

    fn support(&self, values: &[f64]) -> Support {
        let model = &self.model;
        let n = model.vertices() as u32;
        let outside = model.root.or_else(|| self.most_visited(values)).unwrap_or(n);
        let edges = (0..).zip(model.instance.graph.edges());
        let edges = edges.map(|(variable, edge)| (values[variable as usize], edge.source, edge.target, variable));
        let ends = model.end_variables();
        let ends = ends.map(|(variable, vertex)| (values[variable as usize], vertex, outside, variable));
        Support::new(n, outside, edges.chain(ends), |vertex| values[model.visit(vertex) as usize])
    }

    /// Where a cycle may be anywhere, the vertex that is visited most; of those that are visited alike, one with many edges.
    fn most_visited(&self, values: &[f64]) -> Option<u32> {
        let model = &self.model;
        if !model.is_anywhere() {
            return None;
        }
        let visit = |vertex: u32| (values[model.visit(vertex) as usize] / LEAST_VIOLATION).round() as u32;
        let degree = |vertex: u32| model.instance.graph.out_arcs(vertex).len();
        (0..model.vertices() as u32).max_by_key(|&vertex| (visit(vertex), degree(vertex), Reverse(vertex)))
    }

    /// Edges and ends that are used more than a vertex they touch is visited.
    fn unvisited(&self, values: &[f64], found: &mut Vec<(f64, Cut)>) {
        let model = &self.model;
        let visit = |vertex: u32| values[model.visit(vertex) as usize];
        for (edge, line) in model.instance.graph.edges().iter().enumerate() {
            let value = values[edge];
            for (vertex, other) in [(line.source, line.target), (line.target, line.source)] {
                let violation = value - visit(vertex);
                if violation > LEAST_VIOLATION {
                    let at_root = model.root.is_some_and(|root| root == vertex || root == other);
                    let cut = if at_root || model.is_anywhere() {
                        Cut::Visited { edge: edge as u32, vertex }
                    } else {
                        Cut::Set(SetCut::Subtour { inside: vec![vertex.min(other), vertex.max(other)], visited: other })
                    };
                    found.push((violation, cut));
                }
            }
        }
        found.extend(self.visited_twice(values));
        for vertex in 0..model.vertices() as u32 {
            let ends: f64 = model.ends_at(vertex).map(|variable| values[variable as usize]).sum();
            if ends - visit(vertex) > LEAST_VIOLATION {
                found.push((ends - visit(vertex), Cut::EndVisited { vertex }));
            }
        }
    }

    /// Vertices inside chains that are visited more than once.
    fn visited_twice(&self, values: &[f64]) -> impl Iterator<Item = (f64, Cut)> {
        self.model.visited_by_several().iter().filter_map(|&vertex| {
            let violation = values[self.model.visit(vertex) as usize] - 1.0;
            (violation > LEAST_VIOLATION).then_some((violation, Cut::VisitedOnce { vertex }))
        })
    }

    /// The path of a solution in whole numbers: from the outside along what is used until there again.
    fn walk(&self, values: &[f64]) -> Option<Vec<u32>> {
        let graph = &self.model.instance.graph;
        let used = |variable: u32| variable != NONE && values[variable as usize] > 0.5;
        let start = match self.model.root.or_else(|| self.most_visited(values)) {
            Some(start) => start,
            None => (0..self.model.vertices() as u32).find(|&vertex| used(self.model.first[vertex as usize]))?,
        };
        let mut path = vec![start];
        let mut last_edge = NONE;
        loop {
            let at = path[path.len() - 1];
            let next = graph.out_arcs(at).iter().find(|arc| arc.edge != last_edge && used(arc.edge));
            let Some(arc) = next else { break };
            if arc.target == start {
                break;
            }
            last_edge = arc.edge;
            path.push(arc.target);
            if path.len() > self.model.vertices() {
                return None;
            }
        }
        let allowed = |side: &Side| side.allows(self.model.instance, &path);
        let is_answer = is_sound(self.model.instance, &path) && self.settings.side.as_ref().is_none_or(allowed);
        is_answer.then_some(path)
    }
}

/// Whether this is a path with an edge between allowed ends, or a cycle of the instance through what it must visit.
fn is_sound(instance: &Instance, path: &[u32]) -> bool {
    let graph = &instance.graph;
    let adjacent = path.windows(2).all(|pair| graph.edge_between(pair[0], pair[1]).is_some());
    let (first_vertex, last_vertex) = (path[0], path[path.len() - 1]);
    let ends = match &instance.ends {
        Ends::Open { first, last, .. } => {
            let allowed = |prizes: &[i64], vertex: u32| prizes[vertex as usize] != NOT_AN_END;
            path.len() > 1 && allowed(first, first_vertex) && allowed(last, last_vertex)
        }
        Ends::Closed { through } => {
            let least = if graph.is_directed() { 2 } else { 3 };
            path.len() >= least
                && graph.edge_between(last_vertex, first_vertex).is_some()
                && through.is_none_or(|through| path.contains(&through))
        }
    };
    adjacent && ends
}

/// Which columns a path uses; `None` if it is no path of this model, or one that [chains](super::chains) leave out.
pub(super) fn columns_of(model: &Model<'_>, path: &[u32]) -> Option<FixedBitSet> {
    if !is_sound(model.instance, path) || model.root.is_some_and(|root| !path.contains(&root)) {
        return None;
    }
    let mut used = FixedBitSet::with_capacity(model.variables());
    for edge in model.instance.graph.edges_along(path) {
        used.insert(edge as usize);
    }
    for &vertex in path {
        used.insert(model.visit(vertex) as usize);
    }
    let (first, last) = (path[0], path[path.len() - 1]);
    match &model.instance.ends {
        Ends::Open { .. } => {
            used.insert(model.first[first as usize] as usize);
            used.insert(model.last[last as usize] as usize);
        }
        Ends::Closed { .. } => used.insert(model.instance.graph.edge_between(last, first)? as usize),
    }
    model.using(used)
}

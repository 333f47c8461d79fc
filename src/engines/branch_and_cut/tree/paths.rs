//! From solutions to paths.

use super::super::model::{Cut, Model, NONE};
use super::super::support::Support;
use super::super::{Silent, guess};
use super::Tree;
use crate::engines::local_search;
use crate::instance::{Ends, Instance, Monitor, NOT_AN_END};
use crate::lp::LinearProgram;

impl<P: LinearProgram> Tree<'_, P> {
    /// A solution in whole numbers: a path, which is taken, with cycles beside it, which are cut off.
    pub(super) fn take_whole(&mut self, monitor: &mut dyn Monitor) -> Vec<Cut> {
        let support = Support::new(&self.model, &self.values);
        let mut cuts = Vec::new();
        for inside in support.components() {
            let visited = inside[0];
            cuts.push(Cut::Subtour { inside, visited });
        }
        for vertex in 0..self.model.vertices() as u32 {
            if self.model.ends_at(vertex).map(|column| self.values[column as usize]).sum::<f64>() > 1.5 {
                cuts.push(Cut::EndVisited { vertex });
            }
        }
        // A single vertex that is visited may be all there is where both ends are put there.
        if let Some(path) = self.walk() {
            self.offer(path, monitor);
        }
        cuts
    }

    /// The path of a solution in whole numbers: from the outside along what is used until there again.
    pub(super) fn walk(&self) -> Option<Vec<u32>> {
        let graph = &self.model.instance.graph;
        let used = |column: u32| column != NONE && self.values[column as usize] > 0.5;
        let start = match self.model.root {
            Some(root) => root,
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
        if is_sound(self.model.instance, &path) { Some(path) } else { None }
    }

    /// Takes a path if it is the best so far.
    pub(super) fn offer(&mut self, path: Vec<u32>, monitor: &mut dyn Monitor) {
        let value = self.model.instance.value(&path);
        if value > self.lower() {
            self.known.best = Some((path, value));
            monitor.incumbent(value);
            self.fix_at_the_root(value);
        }
    }

    /// A path from the present solution, improved by local search.
    pub(super) fn guess(&mut self, work_per_vertex: u64, monitor: &mut dyn Monitor) {
        let instance = self.model.instance;
        let path = guess::path(instance, &self.values).filter(|path| is_sound(instance, path));
        let effort = work_per_vertex * self.model.vertices() as u64;
        let mut budget = self.budget.clone();
        budget.threads = 1;
        budget.seed = budget.seed.wrapping_add(self.nodes);
        let upper = self.known.upper;
        let found = local_search::solve(instance, path.as_deref(), upper, effort, &budget, &mut Silent);
        if let Some((path, _)) = found.best {
            self.offer(path, monitor);
        }
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

/// Which columns a path uses; `None` if it is no path of this model.
pub(super) fn columns_of(model: &Model<'_>, path: &[u32]) -> Option<Vec<bool>> {
    if !is_sound(model.instance, path) || model.root.is_some_and(|root| !path.contains(&root)) {
        return None;
    }
    let mut used = vec![false; model.worth.len()];
    for edge in model.instance.graph.edges_along(path) {
        used[edge as usize] = true;
    }
    for &vertex in path {
        used[model.visit(vertex) as usize] = true;
    }
    let (first, last) = (path[0], path[path.len() - 1]);
    match &model.instance.ends {
        Ends::Open { .. } => {
            used[model.first[first as usize] as usize] = true;
            used[model.last[last as usize] as usize] = true;
        }
        Ends::Closed { .. } => used[model.instance.graph.edge_between(last, first)? as usize] = true,
    }
    Some(used)
}

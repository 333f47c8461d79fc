//! The longest trail of a graph: one component after the other, all its edges where that works, else the search.

use std::time::Instant;

use fixedbitset::FixedBitSet;
use petgraph::visit::EdgeRef;

use super::{READING, UNREAD, check_options, solution};
use crate::certificate::{self, Claim};
use crate::engine::Engine;
use crate::engines::sweep::trail::Ends;
use crate::error::Error;
use crate::instance::{Monitor, Run};
use crate::problem::LongestTrail;
use crate::solution::{Path, Solution, Stop};
use crate::strategy::sweep;
use crate::view::{InputGraph, LENGTH_LIMIT};

const EDGES_BETWEEN_LOOKS: usize = 1 << 16;

impl<G: InputGraph> LongestTrail<'_, G> {
    /// Answers the question.
    ///
    /// # Errors
    /// If an end is not in the graph, if [`closed`](Self::closed) meets [`to`](Self::to), if no thread is to be used, or if the
    /// graph or its weights are out of range. Spent limits and graphs without a trail are answers: see
    /// [`Status`](crate::Status).
    ///
    /// # Panics
    /// If the answer fails the independent check, which would be a defect of longhaul.
    pub fn solve(self) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
        let began = Instant::now();
        let LongestTrail { graph, from, to, closed, weights, options, observer } = self;
        let weight = |edge: G::EdgeRef| weights.as_ref().map_or(1, |weight| weight(edge));
        check_options(&options)?;
        if closed && to.is_some() {
            return Err(Error::contradiction(
                "a closed trail has no end; give the node it must visit with `from`, and no `to`",
            ));
        }
        let nodes: Vec<G::NodeId> = graph.node_identifiers().collect();
        if nodes.len() >= u32::MAX as usize {
            return Err(Error::too_large("nodes", nodes.len(), u32::MAX as usize - 1));
        }
        let vertex = |node: Option<G::NodeId>, role| match node {
            Some(node) => {
                let place = nodes.iter().position(|&known| known == node);
                place.map(|at| Some(at as u32)).ok_or_else(|| Error::unknown_end(role))
            }
            None => Ok(None),
        };
        let ends = Ends { from: vertex(from, "the beginning")?, to: vertex(to, "the end")?, closed };
        let mut vertex_from_index = vec![u32::MAX; graph.node_bound()];
        nodes.iter().enumerate().for_each(|(at, &node)| vertex_from_index[graph.to_index(node)] = at as u32);
        let (mut edges, mut ids) = (Vec::new(), Vec::new());
        let mut run = Run::new(began, &options.limits, options.goal, observer);
        for (count, edge) in graph.edge_references().enumerate() {
            if count % EDGES_BETWEEN_LOOKS == EDGES_BETWEEN_LOOKS - 1 && run.budget.spent().is_some() {
                run.enter(READING, UNREAD.to_owned());
                let all = graph.edge_references().map(|edge| i128::from(weight(edge).max(0))).sum::<i128>();
                let stop = run.budget.spent();
                return Ok(solution(None, all.min(i128::from(LENGTH_LIMIT)) as i64, stop, run));
            }
            let [source, target] = [edge.source(), edge.target()].map(|node| vertex_from_index[graph.to_index(node)]);
            edges.push((source, target, weight(edge)));
            ids.push(edge.id());
        }
        if edges.len() > u32::MAX as usize / 2 {
            return Err(Error::too_large("edges", edges.len(), u32::MAX as usize / 2));
        }
        let total: u128 = edges.iter().map(|edge| u128::from(edge.2.unsigned_abs())).sum();
        if total > LENGTH_LIMIT as u128 {
            return Err(Error::weights_too_large(total));
        }

        run.enter(Engine::Auto, format!("auto: {} nodes, {} edges", nodes.len(), edges.len()));
        let question = Question { vertex_count: nodes.len(), directed: graph.is_directed(), edges, ends };
        let Known { best, upper, stop } = question.solve(&mut run);
        let path = best.map(|(edges, length)| {
            let (vertices, edges) = question.walk(edges);
            Path {
                nodes: vertices.iter().map(|&vertex| nodes[vertex as usize]).collect(),
                edges: edges.iter().map(|&edge| ids[edge as usize]).collect(),
                length,
            }
        });
        if let Some(path) = &path {
            let claim = Claim { from, to, closed };
            match certificate::check_trail(graph, weight, &claim, &path.nodes, &path.edges) {
                Ok(length) => assert_eq!(length, path.length, "the trail found is not as long as its engine says"),
                Err(flaw) => panic!("a wrong trail was found: {flaw}"),
            }
        }
        run.bound(upper);
        Ok(solution(path, upper, stop, run))
    }
}

/// The question in plain numbers.
struct Question {
    vertex_count: usize,
    directed: bool,
    edges: Vec<(u32, u32, i64)>,
    ends: Ends,
}

/// A set of edges that is a trail, or a single vertex.
enum Trail {
    Lone(u32),
    Edges(Vec<u32>),
}

struct Known {
    best: Option<(Trail, i64)>,
    upper: i64,
    stop: Option<Stop>,
}

impl Question {
    fn solve(&self, run: &mut Run<'_>) -> Known {
        let mut known = Known { best: None, upper: i64::MIN, stop: None };
        if let Some(vertex) = self.lone() {
            known = Known { best: Some((Trail::Lone(vertex), 0)), upper: 0, stop: None };
            run.incumbent(0);
        }
        let mut parts = self.components();
        let gain = |part: &Vec<u32>| part.iter().map(|&edge| self.edges[edge as usize].2.max(0)).sum::<i64>();
        parts.sort_by_key(|part| std::cmp::Reverse(gain(part)));
        let mut bound = known.upper;
        let mut floor = known.upper;
        for (at, part) in parts.iter().enumerate() {
            // Those after it can gain no more than this one, all edges taken.
            let rest = parts.get(at + 1).map_or(i64::MIN, gain);
            let mut upper = gain(part);
            if upper <= floor {
                break;
            }
            let (found, stop) = match self.all_of(part) {
                Some(worth) => {
                    run.note(format!("trail: all {} edges of a component make one", part.len()));
                    upper = worth;
                    ((worth > floor).then(|| (part.clone(), worth)), None)
                }
                None => {
                    let edges: Vec<(u32, u32, i64)> = part.iter().map(|&edge| self.edges[edge as usize]).collect();
                    let asked = sweep::AskedTrail {
                        vertex_count: self.vertex_count,
                        directed: self.directed,
                        edges: &edges,
                        ends: self.ends,
                    };
                    let (found, stop) = sweep::best_trail(&asked, floor, &mut upper, rest.max(bound), run);
                    let whole = |edges: Vec<u32>| edges.iter().map(|&edge| part[edge as usize]).collect();
                    (found.map(|(edges, worth)| (whole(edges), worth)), stop)
                }
            };
            if let Some((edges, worth)) = found {
                run.incumbent(worth);
                floor = worth;
                known.best = Some((Trail::Edges(edges), worth));
            }
            bound = bound.max(upper);
            known.stop = known.stop.or(stop);
        }
        known.upper = bound.max(floor);
        known
    }

    /// A vertex that is a trail by itself, if one may be.
    fn lone(&self) -> Option<u32> {
        let Ends { from, to, closed } = self.ends;
        match (from, to) {
            _ if closed || self.vertex_count == 0 => None,
            (Some(from), Some(to)) => (from == to).then_some(from),
            (from, to) => Some(from.or(to).unwrap_or(0)),
        }
    }

    /// The edges of each connected component that has any and the given ends.
    fn components(&self) -> Vec<Vec<u32>> {
        let mut parent: Vec<u32> = (0..self.vertex_count as u32).collect();
        for &(source, target, _) in &self.edges {
            let (one, two) = (root(&mut parent, source), root(&mut parent, target));
            parent[one as usize] = two;
        }
        let given: Vec<u32> =
            [self.ends.from, self.ends.to].into_iter().flatten().map(|end| root(&mut parent, end)).collect();
        let mut place = vec![u32::MAX; self.vertex_count];
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for (edge, &(source, ..)) in self.edges.iter().enumerate() {
            let root = root(&mut parent, source);
            if given.iter().any(|&end| end != root) {
                continue;
            }
            let at = &mut place[root as usize];
            if *at == u32::MAX {
                *at = parts.len() as u32;
                parts.push(Vec::new());
            }
            parts[*at as usize].push(edge as u32);
        }
        parts
    }

    /// What all edges of a component are worth, if they make a trail and none is better left out.
    fn all_of(&self, part: &[u32]) -> Option<i64> {
        let mut balance = vec![0i64; self.vertex_count];
        let mut worth = 0;
        for &edge in part {
            let (source, target, weight) = self.edges[edge as usize];
            if weight < 0 {
                return None;
            }
            worth += weight;
            balance[source as usize] += 1;
            balance[target as usize] += if self.directed { -1 } else { 1 };
        }
        let Ends { from, to, closed } = self.ends;
        if !closed {
            // A given end counts as entered, or left, once more from outside.
            from.iter().for_each(|&from| balance[from as usize] += if self.directed { -1 } else { 1 });
            to.iter().for_each(|&to| balance[to as usize] += 1);
        }
        let odd = balance.iter().map(|&balance| if self.directed { balance } else { balance & 1 });
        let (mut starts, mut stops) = (0, 0);
        for balance in odd {
            match balance {
                0 => {}
                1 => starts += 1,
                -1 => stops += 1,
                _ => return None,
            }
        }
        let free = if closed { [0, 0] } else { [u32::from(from.is_none()), u32::from(to.is_none())] };
        let fits = if self.directed { starts <= free[0] && stops <= free[1] } else { starts <= free[0] + free[1] };
        fits.then_some(worth)
    }

    /// A set of edges in the order of a trail: one walk, into which those from its vertices are woven (Hierholzer).
    fn walk(&self, trail: Trail) -> (Vec<u32>, Vec<u32>) {
        let edges = match trail {
            Trail::Lone(vertex) => return (vec![vertex], Vec::new()),
            Trail::Edges(edges) => edges,
        };
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); self.vertex_count];
        let mut balance = vec![0i64; self.vertex_count];
        for &edge in edges.iter().rev() {
            let (source, target, _) = self.edges[edge as usize];
            at[source as usize].push(edge);
            if !self.directed && source != target {
                at[target as usize].push(edge);
            }
            balance[source as usize] += 1;
            balance[target as usize] += if self.directed { -1 } else { 1 };
        }
        let is_start = |vertex: &u32| {
            let balance = balance[*vertex as usize];
            let odd = if self.directed { balance == 1 } else { balance % 2 != 0 };
            odd && (self.directed || self.ends.to != Some(*vertex))
        };
        let touched = |vertex: &u32| !at[*vertex as usize].is_empty();
        let vertices = 0..self.vertex_count as u32;
        // A trail with a given last vertex and no first one that is odd comes back to it.
        let start = self.ends.from.or_else(|| vertices.clone().find(is_start)).or(self.ends.to);
        let start = start.or_else(|| vertices.clone().find(touched)).expect("a trail has an edge");
        let mut used = FixedBitSet::with_capacity(self.edges.len());
        let mut open: Vec<(u32, Option<u32>)> = vec![(start, None)];
        let mut done: Vec<(u32, Option<u32>)> = Vec::new();
        while let Some(&(vertex, by)) = open.last() {
            match at[vertex as usize].pop() {
                Some(edge) if used[edge as usize] => {}
                Some(edge) => {
                    used.insert(edge as usize);
                    let (source, target, _) = self.edges[edge as usize];
                    open.push((if source == vertex { target } else { source }, Some(edge)));
                }
                None => {
                    done.push((vertex, by));
                    open.pop();
                }
            }
        }
        done.reverse();
        let (mut vertices, by): (Vec<u32>, Vec<Option<u32>>) = done.into_iter().unzip();
        if self.ends.closed {
            vertices.pop();
        }
        (vertices, by.into_iter().flatten().collect())
    }
}

/// The representative of a vertex's component, with shorter ways for the next time.
fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        parent[vertex as usize] = parent[parent[vertex as usize] as usize];
        vertex = parent[vertex as usize];
    }
    vertex
}

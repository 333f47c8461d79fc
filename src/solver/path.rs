//! The longest path of a graph: view → strategy → lift → check.

use std::time::Instant;

use super::demanding;
use super::reading::Question;
use super::{check_options, check_path, check_sieve, instance_of, proved, solution, unread};
use crate::certificate::Claim;
use crate::error::Error;
use crate::instance::{Ends, Run};
use crate::problem::LongestPath;
use crate::solution::{Path, Solution};
use crate::strategy;
use crate::view::{InputGraph, View};

impl<G: InputGraph> LongestPath<'_, G> {
    /// Answers the question.
    ///
    /// # Errors
    /// If a node or edge asked for is not in the graph, or demanded and forbidden at once, if a number of edges is 0, if
    /// options contradict each other ([`closed`](Self::closed) with
    /// [`to`](Self::to), no thread at all, the sieve with weights, [`Highs`](crate::LinearSolver::Highs) without its feature, a
    /// failure probability out of its range), or if the graph or its weights are out of range. Spent limits and graphs
    /// without a path are answers: see [`Status`](crate::Status).
    ///
    /// # Panics
    /// If the answer fails the independent check, which would be a defect of longhaul.
    pub fn solve(self) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
        let began = Instant::now();
        let LongestPath { graph, from, to, closed, weights, prizes, demands, mut options, observer, proof } = self;
        let weight = |edge: G::EdgeRef| weights.as_ref().map_or(1, |weight| weight(edge));
        check_options(&options)?;

        let claim = Claim { from, to, closed };
        if prizes.is_some() || !demands.is_none() {
            let question = Question { graph, claim, demands: &demands, weights: &weights, prizes: &prizes };
            let run = Run::new(began, &options.limits, options.goal, observer);
            let mut aside = run.aside();
            let mut solution = demanding::solve(&question, &options, run)?;
            if proof.is_some() && !demands.is_none() {
                solution.witness = Err("a proof knows no demands".to_owned());
            } else if proof.is_some() {
                solution.witness = demanding::prove(&question, &solution, (proof, options.readable_proof), &mut aside)?;
            }
            return Ok(solution);
        }
        let mut run = Run::new(began, &options.limits, options.goal, observer);
        if proof.is_some() {
            run.note_basis();
        }
        let Some(view) = View::new_unless(graph, weight, &mut || run.budget.spent().is_some())? else {
            return Ok(unread(graph, weight, closed, run));
        };
        let (instance, names) = instance_of(view, &claim)?;

        check_sieve(options.engine.engine(), &instance.graph)?;

        // The dense graph is held beside what engines take, and most parts of it once more as such.
        let held = 2 * instance.graph.bytes();
        options.limits.memory = options.limits.memory.saturating_sub(held);
        run.budget.memory = options.limits.memory;
        let answer = strategy::solve(&instance, &options, &mut run);

        let numbers: Vec<u32> =
            (0..instance.graph.vertex_count() as u32).map(|vertex| graph.to_index(names.node(vertex)) as u32).collect();
        let witness = proved(
            &instance,
            (&numbers, graph.node_bound()),
            None,
            None,
            &answer,
            (proof, options.readable_proof),
            &mut run,
        )?;

        let path = answer.best.map(|(mut vertices, length)| {
            if let Ends::Closed { through: Some(from) } = instance.ends {
                let start = vertices.iter().position(|&vertex| vertex == from);
                vertices.rotate_left(start.expect("the cycle visits the vertex asked for"));
            }
            let mut edges: Vec<u32> = instance.graph.edges_along(&vertices).collect();
            if closed {
                let closing = instance.graph.edge_between(vertices[vertices.len() - 1], vertices[0]);
                edges.push(closing.expect("a cycle closes"));
            }
            Path {
                nodes: vertices.iter().map(|&vertex| names.node(vertex)).collect(),
                edges: edges.iter().map(|&edge| names.edge_id(edge)).collect(),
                length,
            }
        });
        if let Some(path) = &path {
            check_path(graph, weight, &claim, path);
        }
        Ok(Solution { witness, ..solution(path, answer.upper, answer.stop, run) })
    }
}

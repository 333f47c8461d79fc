//! The longest path of a line graph, asked of the multigraph itself.

use std::hash::Hash;
use std::time::Instant;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::{check_options, instance_of, proved, solution};
use crate::certificate::{self, Claim};
use crate::engine::Engine;
use crate::engines::trail::{self, EndCondition, Query, Root};
use crate::error::Error;
use crate::instance::{Monitor, Outcome, Run};
use crate::line_graph;
use crate::problem::LongestSequence;
use crate::solution::{Path, Solution};
use crate::strategy;
use crate::view::{InputGraph, View};

impl<G: InputGraph> LongestSequence<'_, G> {
    /// Answers the question.
    ///
    /// # Errors
    /// If the first edge is not in the graph, if no thread is to be used, if the graph is out of range, or if an engine is
    /// asked for that needs the line graph, and that would not fit in the memory limit. Spent limits are answers: see
    /// [`Status`](crate::Status).
    ///
    /// # Panics
    /// If the answer fails the independent check, which would be a defect of longhaul.
    pub fn solve(self) -> Result<Solution<G::EdgeId, G::NodeId>, Error>
    where
        G::EdgeId: Eq + Hash,
    {
        let began = Instant::now();
        let LongestSequence { graph, first, options, observer, proof } = self;
        check_options(&options)?;
        let ids: Vec<G::EdgeId> = graph.edge_references().map(|edge| edge.id()).collect();
        if ids.len() > u32::MAX as usize / 2 {
            return Err(Error::too_large("edges", ids.len(), u32::MAX as usize / 2));
        }
        if graph.node_bound() >= u32::MAX as usize - 1 {
            return Err(Error::too_large("nodes", graph.node_bound(), u32::MAX as usize - 2));
        }
        let first_edge = match first {
            None => None,
            Some(first) => {
                let place = ids.iter().position(|&id| id == first).ok_or_else(Error::unknown_first_edge)?;
                Some(place as u32)
            }
        };
        let index = |node: G::NodeId| graph.to_index(node) as u32;
        let ends: Vec<[u32; 2]> =
            graph.edge_references().map(|edge| [index(edge.source()), index(edge.target())]).collect();
        let root = Root::new(graph.node_bound(), ends);

        let mut run = Run::new(began, &options.limits, options.goal, observer);
        let answer = match options.engine.engine() {
            Engine::Auto | Engine::Trail => {
                let words = format!("trail: on the root itself, {} edges", ids.len());
                run.enter(Engine::Trail, words);
                let budget = run.budget.clone();
                let end_condition = first_edge.map_or(EndCondition::Free, EndCondition::From);
                let query = Query { end_condition, earned: 0, turned: false, single_vertex: true };
                let outcome = trail::solve(&root, query, i64::MIN, &budget, &mut run);
                run.bound(outcome.upper);
                run.account(&outcome);
                outcome
            }
            engine => {
                let too_large =
                    |error: line_graph::TooLarge| Error::line_graph_too_large(engine.name(), error.to_string());
                let line = line_graph::line_graph(graph, options.limits.memory).map_err(too_large)?;
                let from = first_edge.map(|edge| NodeIndex::new(edge as usize));
                let (instance, _) = instance_of(View::new(&line, |_| 1)?, &Claim { from, to: None, closed: false })?;
                strategy::solve(&instance, &options, &mut run)
            }
        };

        let witness = match proof {
            None => Err(super::UNASKED.to_owned()),
            Some(proof) => {
                let line = line_graph::line_graph(graph, options.limits.memory / 4);
                match line {
                    Err(error) => Err(format!("a proof is one about the line graph: {error}")),
                    Ok(line) => {
                        let from = first_edge.map(|edge| NodeIndex::new(edge as usize));
                        let (instance, _) =
                            instance_of(View::new(&line, |_| 1)?, &Claim { from, to: None, closed: false })?;
                        let numbers: Vec<u32> = (0..ids.len() as u32).collect();
                        let form = (Some(proof), options.readable_proof);
                        proved(&instance, (&numbers, ids.len()), &answer, form, &mut run)?
                    }
                }
            }
        };

        let Outcome { best, upper, stop, .. } = answer;
        let path = best.map(|(sequence, length)| {
            let mut nodes: Vec<Option<G::NodeId>> = vec![None; graph.node_bound()];
            graph.node_identifiers().for_each(|node| nodes[graph.to_index(node)] = Some(node));
            let meetings = sequence.windows(2).map(|pair| {
                let [one, two] = [pair[0], pair[1]].map(|edge| root.ends[edge as usize]);
                let shared = one.into_iter().find(|end| two.contains(end)).expect("the edges share an end");
                nodes[shared as usize].expect("edges end at nodes of the graph")
            });
            Path { edges: meetings.collect(), nodes: sequence.iter().map(|&edge| ids[edge as usize]).collect(), length }
        });
        if let Some(path) = &path {
            match certificate::check_sequence(graph, first, &path.nodes, &path.edges) {
                Ok(length) => assert_eq!(length, path.length, "the sequence found is not as long as its engine says"),
                Err(flaw) => panic!("a wrong sequence was found: {flaw}"),
            }
        }
        Ok(Solution { witness, ..solution(path, upper, stop, run) })
    }
}

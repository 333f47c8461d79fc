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
use crate::instance::{Instance, Monitor, Outcome, Run};
use crate::line_graph;
use crate::options::Options;
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
        let asked = Asked::of(graph, first)?;
        let mut run = Run::new(began, &options.limits, options.goal, observer);
        if proof.is_some() {
            run.note_basis();
        }
        let answer = asked.answer(&options, &mut run)?;
        let witness = match proof {
            None => Err(super::UNASKED.to_owned()),
            Some(proof) => match asked.instance(options.limits.memory / 4)? {
                Err(error) => Err(format!("a proof is one about the line graph: {error}")),
                Ok(instance) => {
                    let numbers: Vec<u32> = (0..asked.ids.len() as u32).collect();
                    let form = (Some(proof), options.readable_proof);
                    let root = Some(&asked.root);
                    proved(&instance, (&numbers, asked.ids.len()), None, root, &answer, form, &mut run)?
                }
            },
        };
        let Outcome { best, upper, stop, .. } = answer;
        let path = best.map(|(sequence, length)| asked.path(&sequence, length));
        if let Some(path) = &path {
            match certificate::check_sequence(graph, first, &path.nodes, &path.edges) {
                Ok(length) => assert_eq!(length, path.length, "the sequence found is not as long as its engine says"),
                Err(flaw) => panic!("a wrong sequence was found: {flaw}"),
            }
        }
        Ok(Solution { witness, ..solution(path, upper, stop, run) })
    }
}

/// The question in the words of engines.
struct Asked<G: InputGraph> {
    graph: G,
    /// The edges of the multigraph, the vertices of its line graph.
    ids: Vec<G::EdgeId>,
    root: Root,
    first: Option<u32>,
}

impl<G: InputGraph> Asked<G> {
    fn of(graph: G, first: Option<G::EdgeId>) -> Result<Self, Error>
    where
        G::EdgeId: Eq,
    {
        let ids: Vec<G::EdgeId> = graph.edge_references().map(|edge| edge.id()).collect();
        if ids.len() > u32::MAX as usize / 2 {
            return Err(Error::too_large("edges", ids.len(), u32::MAX as usize / 2));
        }
        if graph.node_bound() >= u32::MAX as usize - 1 {
            return Err(Error::too_large("nodes", graph.node_bound(), u32::MAX as usize - 2));
        }
        let place = |first| ids.iter().position(|&id| id == first).ok_or_else(Error::unknown_first_edge);
        let first = first.map(place).transpose()?.map(|place| place as u32);
        let index = |node: G::NodeId| graph.to_index(node) as u32;
        let ends = graph.edge_references().map(|edge| [index(edge.source()), index(edge.target())]).collect();
        Ok(Asked { graph, ids, root: Root::new(graph.node_bound(), ends), first })
    }

    /// The line graph as an instance, or why it does not fit.
    fn instance(&self, memory: usize) -> Result<Result<Instance, line_graph::TooLarge>, Error> {
        let line = match line_graph::line_graph(self.graph, memory) {
            Ok(line) => line,
            Err(error) => return Ok(Err(error)),
        };
        let from = self.first.map(|edge| NodeIndex::new(edge as usize));
        let (instance, _) = instance_of(View::new(&line, |_| 1)?, &Claim { from, to: None, closed: false })?;
        Ok(Ok(instance))
    }

    /// What the engine says that the options ask for: that of trails sees the multigraph, the others its line graph.
    fn answer(&self, options: &Options, run: &mut Run<'_>) -> Result<Outcome, Error> {
        let engine = options.engine.engine();
        if !matches!(engine, Engine::Auto | Engine::Trail) {
            let too_large = |error: line_graph::TooLarge| Error::line_graph_too_large(engine.name(), error.to_string());
            let instance = self.instance(options.limits.memory)?.map_err(too_large)?;
            return Ok(strategy::solve(&instance, options, run));
        }
        run.enter(Engine::Trail, format!("trail: on the root itself, {} edges", self.ids.len()));
        let budget = run.budget.clone();
        let end_condition = self.first.map_or(EndCondition::Free, EndCondition::From);
        let query = Query { end_condition, earned: 0, turned: false, single_vertex: true };
        let outcome = trail::solve(&self.root, query, i64::MIN, &budget, run);
        run.bound(outcome.upper);
        run.account(&outcome);
        Ok(outcome)
    }

    /// A sequence of edges, with the nodes at which they meet.
    fn path(&self, sequence: &[u32], length: i64) -> Path<G::EdgeId, G::NodeId> {
        let mut nodes: Vec<Option<G::NodeId>> = vec![None; self.graph.node_bound()];
        self.graph.node_identifiers().for_each(|node| nodes[self.graph.to_index(node)] = Some(node));
        let meetings = sequence.windows(2).map(|pair| {
            let [one, two] = [pair[0], pair[1]].map(|edge| self.root.ends[edge as usize]);
            let shared = one.into_iter().find(|end| two.contains(end)).expect("the edges share an end");
            nodes[shared as usize].expect("edges end at nodes of the graph")
        });
        let edges = meetings.collect();
        Path { edges, nodes: sequence.iter().map(|&edge| self.ids[edge as usize]).collect(), length }
    }
}

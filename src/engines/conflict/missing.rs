//! Cycles that miss exactly one vertex, where none is Hamiltonian.
//!
//! Most vertices are out of the question at once. The rest are tried in groups: that some vertex of a group is missed takes hardly
//! more work to find out than that this one is, and is far more often so. A group has a slice half as long as it took to settle
//! that no cycle is Hamiltonian, and if that was not enough others, of lengths after Luby's sequence: some are settled far sooner than
//! others (M. Luby, A. Sinclair, D. Zuckerman, *Optimal speedup of Las Vegas algorithms*, Information Processing Letters 47 (1993)
//! 173–180, doi:10.1016/0020-0190(93)90029-9).
//!
//! Where [lookahead](super::lookahead) has settled that no cycle is Hamiltonian, it tries these vertices too: one at a time, since a tree
//! for several is hardly smaller than one for each.
//!
//! Where a path is asked for, such a cycle and the vertex it misses, where they are joined, make a path through everything.

use std::collections::VecDeque;

use super::at_once::at_once;
use super::config::Config;
use super::lookahead::Lookahead;
use super::model::Model;
use super::random::Random;
use super::solver::{Solver, Verdict};
use super::ties::Spanning;
use crate::instance::{Budget, Ends, Instance};
use crate::solution::Stop;
use crate::view::CsrGraph;

/// The work of a short slice, at least.
const SLICE: u64 = 100_000;

/// So many slices take as long as it took to settle that no cycle is Hamiltonian.
const PER_SLICE: u64 = 2;

/// How many vertices are tried together, and how many groups at once.
const GROUP: usize = 8;
const GROUPS_AT_ONCE: usize = 2;

/// What it costs for each vertex and edge to see whether nothing speaks against a vertex, and to begin with a group.
const UNITS_TO_TRY_PER_EDGE: u64 = 1;
const UNITS_TO_BEGIN_PER_EDGE: u64 = 8;

/// The vertices that are left to try.
pub(super) struct Missing {
    /// What all tries have in common, once there was one.
    spanning: Option<Spanning>,
    untried: Vec<u32>,
    /// Vertices that are not out of the question, not yet enough for a group.
    begun: Vec<u32>,
    groups: VecDeque<Vec<u32>>,
    luby: (u64, u64),
    /// Whether vertices are tried with lookahead, and the one that is tried at present.
    looks_ahead: bool,
    tree: Option<Tree>,
    /// The work of a short slice.
    slice: u64,
    /// The work so far.
    pub(super) spent: u64,
    pub(super) conflicts: u64,
}

/// Lookahead at cycles that miss this vertex.
struct Tree {
    vertex: u32,
    model: Model,
    lookahead: Lookahead,
}

/// What a try came to.
pub(super) enum Try {
    /// A cycle without this vertex.
    Found(Vec<u32>, u32),
    /// Nothing yet.
    Open,
    /// No cycle misses exactly one vertex.
    Refuted,
    Stopped(Stop),
}

impl Try {
    /// Of two at the same time the one that says more counts; one that was ended for the other's sake has nothing to say.
    fn says(&self) -> u8 {
        match self {
            Try::Refuted => 0,
            Try::Open | Try::Stopped(Stop::Interrupted) => 1,
            Try::Stopped(_) => 2,
            Try::Found(..) => 3,
        }
    }
}

/// What a try came to, its work and its conflicts.
struct Attempt {
    tried: Try,
    work: u64,
    conflicts: u64,
}

impl Missing {
    /// Nothing is tried yet; so much work has settled that no cycle is Hamiltonian.
    pub(super) fn new(instance: &Instance, seed: u64, work: u64) -> Self {
        let mut random = Random::new(seed);
        let through = match &instance.ends {
            Ends::Closed { through } => *through,
            Ends::Open { .. } => None,
        };
        let vertices = 0..instance.graph.vertex_count() as u32;
        let mut untried: Vec<u32> = vertices.filter(|&vertex| through != Some(vertex)).collect();
        for place in (1..untried.len()).rev() {
            untried.swap(place, (random.next() % (place as u64 + 1)) as usize);
        }
        Missing {
            spanning: None,
            untried,
            begun: Vec::with_capacity(GROUP),
            groups: VecDeque::new(),
            luby: (1, 1),
            looks_ahead: false,
            tree: None,
            slice: SLICE.max(work / PER_SLICE),
            spent: 0,
            conflicts: 0,
        }
    }

    /// What it holds from one try to the next.
    pub(super) fn bytes(&self) -> usize {
        let tree = self.tree.as_ref().map_or(0, |tree| tree.model.bytes() + tree.lookahead.bytes());
        self.spanning.as_ref().map_or(0, Spanning::bytes) + tree
    }

    /// Whether vertices are tried with lookahead.
    pub(super) fn looks_ahead(&self) -> bool {
        self.looks_ahead
    }

    /// From here on vertices are tried with lookahead, as long as that does not take too long.
    pub(super) fn look_ahead(&mut self) {
        self.looks_ahead = true;
    }

    /// Tries the next group, or two at once where there are two threads, for no more than so much work once they have begun.
    pub(super) fn turn(
        &mut self,
        instance: &Instance,
        config: Config,
        most: u64,
        memory: usize,
        budget: &Budget,
    ) -> Try {
        if self.looks_ahead {
            return self.turn_ahead(instance, most, memory, budget);
        }
        let mut groups = Vec::new();
        while groups.len() < budget.threads.clamp(1, GROUPS_AT_ONCE) {
            match self.next_group(&instance.graph, most, budget) {
                Ok(Some(group)) if group.is_empty() && groups.is_empty() => return Try::Refuted,
                Ok(Some(group)) if !group.is_empty() => groups.push(group),
                Ok(None) if groups.is_empty() => return Try::Open,
                Ok(_) => break,
                Err(stop) => {
                    self.groups.extend(groups);
                    return Try::Stopped(stop);
                }
            }
        }
        let (length, memory) = ((self.slice * self.luby.1).min(most), memory / groups.len());
        let this = &*self;
        let works = groups.iter().map(|group| {
            move |spent: &mut dyn FnMut() -> Option<Stop>| this.attempt(group, length, instance, config, memory, spent)
        });
        let attempts = at_once(works, budget, |attempt| matches!(attempt.tried, Try::Found(..) | Try::Stopped(_)));
        self.spent += attempts.iter().map(|attempt| attempt.work).max().unwrap_or(0);
        let mut result = Try::Refuted;
        for (group, attempt) in groups.into_iter().zip(attempts) {
            self.conflicts += attempt.conflicts;
            if !matches!(attempt.tried, Try::Refuted) {
                self.groups.push_back(group);
                let (turn, length) = self.luby;
                self.luby = if turn & turn.wrapping_neg() == length { (turn + 1, 1) } else { (turn, 2 * length) };
            }
            if attempt.tried.says() > result.says() {
                result = attempt.tried;
            }
        }
        match result {
            Try::Refuted if !(self.untried.is_empty() && self.groups.is_empty()) => Try::Open,
            result => result,
        }
    }

    /// Looks ahead, at the next vertex or at that which is tried at present.
    fn turn_ahead(&mut self, instance: &Instance, most: u64, memory: usize, budget: &Budget) -> Try {
        let mut tree = match self.tree.take() {
            Some(tree) => tree,
            None => match self.next_group(&instance.graph, most, budget) {
                Ok(Some(group)) => {
                    let Some(&vertex) = group.first() else { return Try::Refuted };
                    self.spent += size(&instance.graph) * UNITS_TO_BEGIN_PER_EDGE;
                    let Some(model) = self.spanning.as_ref().and_then(|spanning| spanning.missing_one_of(&group))
                    else {
                        return Try::Open;
                    };
                    Tree { vertex, lookahead: Lookahead::new(&model, &group), model }
                }
                Ok(None) => return Try::Open,
                Err(stop) => return Try::Stopped(stop),
            },
        };
        let (begin, nodes) = (tree.lookahead.spent, tree.lookahead.nodes());
        let verdict = tree.lookahead.search(most.min(self.slice), memory, budget);
        self.spent += tree.lookahead.spent - begin;
        self.conflicts += tree.lookahead.nodes() - nodes;
        let tried = match verdict {
            Verdict::Found(edges) => return Try::Found(tree.model.path(&edges, instance), tree.vertex),
            Verdict::Refuted => return Try::Open,
            Verdict::Paused => Try::Open,
            Verdict::Stopped(stop) => Try::Stopped(stop),
        };
        if tree.lookahead.is_too_long() {
            self.looks_ahead = false;
            self.groups.push_back(vec![tree.vertex]);
        } else {
            self.tree = Some(tree);
        }
        tried
    }

    /// A try at one group; it is refuted where none of its vertices is missed.
    fn attempt(
        &self,
        group: &[u32],
        length: u64,
        instance: &Instance,
        config: Config,
        memory: usize,
        spent: &mut dyn FnMut() -> Option<Stop>,
    ) -> Attempt {
        let begin = size(&instance.graph) * UNITS_TO_BEGIN_PER_EDGE;
        let Some(model) = self.spanning.as_ref().and_then(|spanning| spanning.missing_one_of(group)) else {
            return Attempt { tried: Try::Refuted, work: begin, conflicts: 0 };
        };
        let mut solver = Solver::new(&model, config, i64::MIN);
        let tried = match solver.search(length, memory, spent) {
            Verdict::Found(edges) => {
                let closed = model.path(&edges, instance);
                let missed = group.iter().copied().find(|vertex| !closed.contains(vertex));
                missed.map_or(Try::Open, |vertex| Try::Found(closed, vertex))
            }
            Verdict::Refuted => Try::Refuted,
            Verdict::Paused => Try::Open,
            Verdict::Stopped(stop) => Try::Stopped(stop),
        };
        Attempt { tried, work: begin + solver.ticks(), conflicts: solver.conflicts() }
    }

    /// Vertices that are not out of the question, or else a group that was tried for too short a time; nobody where none is left,
    /// and no answer where it takes more work than this.
    fn next_group(&mut self, graph: &CsrGraph, most: u64, budget: &Budget) -> Result<Option<Vec<u32>>, Stop> {
        if self.spanning.is_none() {
            self.spanning = Spanning::of(graph);
        }
        let Some(spanning) = &mut self.spanning else { return Ok(Some(Vec::new())) };
        let end = self.spent.saturating_add(most);
        let size_of_group = if self.looks_ahead { 1 } else { GROUP };
        while self.begun.len() < size_of_group
            && let Some(vertex) = self.untried.pop()
        {
            let stop = budget.spent();
            if stop.is_some() || self.spent >= end {
                self.untried.push(vertex);
                return stop.map_or(Ok(None), Err);
            }
            self.spent += size(graph) * UNITS_TO_TRY_PER_EDGE + 1;
            if spanning.may_miss(vertex) {
                self.begun.push(vertex);
            }
        }
        let group = std::mem::take(&mut self.begun);
        Ok(Some(if group.is_empty() { self.groups.pop_front().unwrap_or_default() } else { group }))
    }
}

fn size(graph: &CsrGraph) -> u64 {
    (graph.vertex_count() + graph.edge_count()) as u64
}

/// The path that a cycle makes with a vertex beside it, if they are joined.
pub(super) fn with_tail(cycle: &[u32], vertex: u32, graph: &CsrGraph) -> Option<Vec<u32>> {
    let turned = |first: usize| cycle[first..].iter().chain(&cycle[..first]).copied();
    (0..cycle.len()).find_map(|place| {
        if graph.edge_between(vertex, cycle[place]).is_some() {
            Some(std::iter::once(vertex).chain(turned(place)).collect())
        } else if graph.edge_between(cycle[place], vertex).is_some() {
            Some(turned((place + 1) % cycle.len()).chain([vertex]).collect())
        } else {
            None
        }
    })
}

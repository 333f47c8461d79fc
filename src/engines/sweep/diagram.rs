//! The decision diagram itself, kept whole: every way from its root to its end is an answer, and every answer is one way.
//!
//! What can still come of a node, its *best rest* and how many rests are as good, is worked out once from the last layer
//! to the first. From then on each answer costs no more than its own length: the best ones one after the other, all of a
//! given worth, or one at random.

use std::collections::BinaryHeap;

use hashbrown::HashMap;
use num_bigint::BigUint;

use super::optimum::Cost;
use super::{Next, Rule, STEPS_BETWEEN_LOOKS};
use crate::instance::Budget;
use crate::solution::Stop;

/// A decision that leads nowhere.
const DEAD: u32 = u32::MAX;
/// A decision that completes an answer.
const DONE: u32 = u32::MAX - 1;

/// The diagram of all answers of a rule, without the ways that lead nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Diagram {
    layers: Vec<Nodes>,
    /// What every answer is worth beside what its decisions gain.
    worth: i64,
}

/// The nodes of one layer: for each the outcome of each choice.
#[derive(Clone, Debug, Default)]
struct Nodes {
    choices: usize,
    /// `choices` a node: the node of the next layer, or `DEAD`, or `DONE`.
    outcomes: Vec<u32>,
    gains: Vec<i64>,
    /// By node the best that can still be gained; `i64::MIN` if nothing comes of it.
    rest: Vec<i64>,
}

impl Nodes {
    fn range(&self, node: u32) -> std::ops::Range<usize> {
        node as usize * self.choices..(node as usize + 1) * self.choices
    }
}

impl Diagram {
    /// No answer at all.
    pub(crate) fn empty() -> Self {
        Diagram { layers: Vec::new(), worth: 0 }
    }

    /// Makes all layers, then works back.
    pub(crate) fn new<R: Rule>(rule: &R, budget: &Budget, cost: &mut Cost) -> Result<Self, Stop> {
        let (start, worth) = rule.start();
        let mut states = vec![start];
        let mut place: HashMap<R::State, u32> = HashMap::new();
        let mut layers = Vec::with_capacity(rule.layers());
        let mut held = 0;
        let mut looked = 0;
        for layer in 0..rule.layers() {
            let choices = rule.choices(layer);
            let mut nodes = Nodes { choices, ..Nodes::default() };
            let mut next_states = Vec::new();
            place.clear();
            for state in &states {
                for choice in 0..choices {
                    let (outcome, gain) = match rule.step(layer, choice, state) {
                        Next::Dead => (DEAD, 0),
                        Next::Done(gain) => (DONE, gain),
                        Next::On(next, gain) => {
                            let at = *place.entry(next).or_insert_with(|| {
                                next_states.push(next);
                                next_states.len() as u32 - 1
                            });
                            (at, gain)
                        }
                    };
                    nodes.outcomes.push(outcome);
                    nodes.gains.push(gain);
                }
                cost.steps += choices as u64;
                if cost.steps >= looked + STEPS_BETWEEN_LOOKS {
                    looked = cost.steps;
                    let open =
                        nodes.outcomes.len() * 12 + (states.len() + 2 * next_states.len()) * size_of::<R::State>();
                    cost.peak_bytes = cost.peak_bytes.max(held + open);
                    match budget.spent() {
                        Some(stop) => return Err(stop),
                        None if held + open > budget.memory || next_states.len() >= DONE as usize => {
                            return Err(Stop::MemoryLimit);
                        }
                        None => {}
                    }
                }
            }
            held += nodes.outcomes.len() * 12 + states.len() * 8;
            layers.push(nodes);
            states = next_states;
        }
        let mut diagram = Diagram { layers, worth };
        diagram.work_back();
        Ok(diagram)
    }

    /// From the last layer to the first: the best rest of every node.
    fn work_back(&mut self) {
        let mut after: Vec<i64> = Vec::new();
        for nodes in self.layers.iter_mut().rev() {
            let rest = |outcome: u32| match outcome {
                DEAD => i64::MIN,
                DONE => 0,
                // In the last layer nothing goes on.
                next => after.get(next as usize).copied().unwrap_or(i64::MIN),
            };
            for outcome in &mut nodes.outcomes {
                if rest(*outcome) == i64::MIN {
                    *outcome = DEAD;
                }
            }
            let node_count = nodes.outcomes.len() / nodes.choices;
            nodes.rest = (0..node_count as u32)
                .map(|node| {
                    let range = nodes.range(node);
                    let outcomes = nodes.outcomes[range.clone()].iter().zip(&nodes.gains[range]);
                    let rests = outcomes.filter(|&(&outcome, _)| outcome != DEAD);
                    rests.map(|(&outcome, gain)| rest(outcome) + gain).max().unwrap_or(i64::MIN)
                })
                .collect();
            after.clone_from(&nodes.rest);
        }
    }

    fn rest(&self, layer: usize, outcome: u32) -> i64 {
        match outcome {
            DEAD => i64::MIN,
            DONE => 0,
            node => self.layers[layer].rest[node as usize],
        }
    }

    /// What the best answer is worth, if there is one.
    pub(crate) fn best(&self) -> Option<i64> {
        let rest = self.layers.first()?.rest[0];
        (rest != i64::MIN).then(|| self.worth + rest)
    }

    /// The choices of a node that lead to an answer: which, to what, and what they gain.
    fn ways(&self, layer: usize, node: u32) -> impl DoubleEndedIterator<Item = (u32, u32, i64)> + '_ {
        let nodes = &self.layers[layer];
        let range = nodes.range(node);
        let ways = nodes.outcomes[range.clone()].iter().zip(&nodes.gains[range]).enumerate();
        ways.filter(|&(_, (&outcome, _))| outcome != DEAD)
            .map(|(choice, (&outcome, &gain))| (choice as u32, outcome, gain))
    }

    /// One of the best answers, each as likely; `pick` gives a number below the one it is given.
    pub(crate) fn sample(&self, counts: &BestCounts, mut pick: impl FnMut(&BigUint) -> BigUint) -> Option<Vec<u32>> {
        self.best()?;
        let mut decisions = Vec::new();
        let (mut layer, mut node) = (0, 0);
        loop {
            let mut left = pick(&counts.layers[layer][node as usize]);
            let rest = self.layers[layer].rest[node as usize];
            let mut ways =
                self.ways(layer, node).filter(|&(_, outcome, gain)| gain + self.rest(layer + 1, outcome) == rest);
            let (choice, outcome) = loop {
                let (choice, outcome, _) = ways.next().expect("the counts of the ways add up");
                let count = counts.of(layer + 1, outcome);
                if left < count {
                    break (choice, outcome);
                }
                left -= count;
            };
            decisions.push(choice);
            if outcome == DONE {
                return Some(decisions);
            }
            (layer, node) = (layer + 1, outcome);
        }
    }
}

/// How many rests of each node are as good as its best.
#[derive(Clone, Debug)]
pub(crate) struct BestCounts {
    layers: Vec<Vec<BigUint>>,
}

impl BestCounts {
    pub(crate) fn new(diagram: &Diagram) -> Self {
        let mut counts = BestCounts { layers: vec![Vec::new(); diagram.layers.len()] };
        for (layer, nodes) in diagram.layers.iter().enumerate().rev() {
            let row = (0..nodes.rest.len() as u32)
                .map(|node| {
                    let rest = nodes.rest[node as usize];
                    let best = diagram
                        .ways(layer, node)
                        .filter(|&(_, outcome, gain)| gain + diagram.rest(layer + 1, outcome) == rest);
                    best.map(|(_, outcome, _)| counts.of(layer + 1, outcome)).sum()
                })
                .collect();
            counts.layers[layer] = row;
        }
        counts
    }

    /// How many of the best answers there are.
    pub(crate) fn total(&self) -> BigUint {
        self.layers.first().map_or_else(BigUint::default, |root| root[0].clone())
    }

    fn of(&self, layer: usize, outcome: u32) -> BigUint {
        match outcome {
            DEAD => BigUint::default(),
            DONE => BigUint::from(1u32),
            node => self.layers[layer][node as usize].clone(),
        }
    }
}

/// All of the best answers, in the order of their decisions. Between two answers it takes no more than as many steps as
/// there are decisions.
#[derive(Clone, Debug)]
pub(crate) struct BestAnswers {
    diagram: Diagram,
    /// The nodes on the way to the last answer, with what was decided there.
    way: Vec<(u32, u32)>,
    ended: bool,
}

impl BestAnswers {
    pub(crate) fn new(diagram: Diagram) -> Self {
        let ended = diagram.best().is_none();
        BestAnswers { diagram, way: Vec::new(), ended }
    }

    /// The first choice from this one on that leads to a best answer.
    fn choice_from(&self, layer: usize, node: u32, least: u32) -> Option<(u32, u32)> {
        let rest = self.diagram.layers[layer].rest[node as usize];
        let mut ways = self.diagram.ways(layer, node);
        let way = ways
            .find(|&(choice, outcome, gain)| choice >= least && gain + self.diagram.rest(layer + 1, outcome) == rest);
        way.map(|(choice, outcome, _)| (choice, outcome))
    }
}

impl Iterator for BestAnswers {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        if self.ended {
            return None;
        }
        let (mut node, mut least) = self.way.pop().map_or((0, 0), |(node, choice)| (node, choice + 1));
        loop {
            let layer = self.way.len();
            match self.choice_from(layer, node, least) {
                Some((choice, outcome)) => {
                    self.way.push((node, choice));
                    if outcome == DONE {
                        return Some(self.way.iter().map(|&(_, choice)| choice).collect());
                    }
                    (node, least) = (outcome, 0);
                }
                None => match self.way.pop() {
                    Some((before, choice)) => (node, least) = (before, choice + 1),
                    None => {
                        self.ended = true;
                        return None;
                    }
                },
            }
        }
    }
}

/// The best answers one after the other, those of equal worth in the order of their decisions.
///
/// A best-first search whose estimate is exact: every answer begun is one that will be told. Partial answers hang together
/// backwards, so that each takes no more than its last decision.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    diagram: Diagram,
    /// Worth, then the newest first, so that answers come out whole and the heap stays small.
    open: BinaryHeap<(i64, u64, Partial)>,
    made: u64,
    /// What was decided, and before it what: the trunk of all partial answers.
    trunk: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Partial {
    layer: u32,
    outcome: u32,
    /// What its decisions gained.
    gained: i64,
    /// The place of its last decision in the trunk.
    last: u32,
}

/// Before the first decision.
const ROOT: u32 = u32::MAX;

impl Answers {
    pub(crate) fn new(diagram: Diagram) -> Self {
        let mut open = BinaryHeap::new();
        if let Some(best) = diagram.best() {
            open.push((best, 0, Partial { layer: 0, outcome: 0, gained: diagram.worth, last: ROOT }));
        }
        Answers { diagram, open, made: 0, trunk: Vec::new() }
    }

    /// What the next answer is worth.
    pub(crate) fn peek(&self) -> Option<i64> {
        self.open.peek().map(|&(worth, ..)| worth)
    }

    /// What the list holds, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.open.len() * 48 + self.trunk.len() * 8
    }
}

impl Iterator for Answers {
    type Item = (Vec<u32>, i64);

    fn next(&mut self) -> Option<(Vec<u32>, i64)> {
        loop {
            let (worth, _, partial) = self.open.pop()?;
            if partial.outcome == DONE {
                let mut decisions = Vec::new();
                let mut at = partial.last;
                while at != ROOT {
                    let (choice, before) = self.trunk[at as usize];
                    decisions.push(choice);
                    at = before;
                }
                decisions.reverse();
                return Some((decisions, worth));
            }
            let layer = partial.layer as usize;
            for (choice, outcome, gain) in self.diagram.ways(layer, partial.outcome).rev() {
                let gained = partial.gained + gain;
                let worth = gained + self.diagram.rest(layer + 1, outcome);
                let last = self.trunk.len() as u32;
                self.trunk.push((choice, partial.last));
                self.made += 1;
                let next = Partial { layer: partial.layer + 1, outcome, gained, last };
                self.open.push((worth, self.made, next));
            }
        }
    }
}

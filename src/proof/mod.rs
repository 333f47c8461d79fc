//! Proofs that no path is worth more than a target, as trees of steps, and their way into the format of `longhaul-check`.
//!
//! `docs/proof.md` describes the format, and the checker's own files say why each step is sound. Here are only its words: nothing
//! depends on a proof being right, since whoever uses it has it checked. [`Draft::write`] hands over none that the checker has
//! not accepted; [`Draft::compose`] is for sweeps that have been made.

pub(crate) mod derivation;
pub(crate) mod folding;
pub(crate) mod hanging;
pub(crate) mod prices;
mod scribe;

use std::sync::Arc;

use hashbrown::HashMap;
use longhaul_check::graph::Graph;
use longhaul_check::{Limits, check};

use derivation::{Crossing, Derivation, Hint, Item};
use scribe::Scribe;

use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::sets::set_of;
pub(crate) use crate::terms::{Column, Cut, Row};
use crate::view::{CsrGraph, Edge};

/// Rows with their multipliers, in units of `1 / scale`; a scale of 0 leaves out what paths are worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Multipliers {
    pub(crate) scale: i64,
    pub(crate) rows: Vec<(Row, i64)>,
}

/// A step; those below it follow.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Close(Multipliers),
    Reduce(Multipliers),
    /// First the column is 1, then 0.
    Case(Column),
    Sweep(Multipliers, Vec<u32>),
    Learn(Multipliers, Arc<Derivation>),
}

/// Steps in the order of a walk through their tree, with the cuts that their rows name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    cuts: Vec<Cut>,
    pub(crate) steps: Vec<Step>,
    /// What they take, in numbers, about.
    pub(crate) size: usize,
    /// By cut, its number.
    numbers: HashMap<Cut, u32>,
}

impl Record {
    /// Notes a step.
    pub(crate) fn add(&mut self, step: Step) {
        self.size += match &step {
            Step::Close(multipliers) | Step::Reduce(multipliers) => 2 + 2 * multipliers.rows.len(),
            Step::Sweep(multipliers, order) => 2 + 2 * multipliers.rows.len() + order.len(),
            Step::Learn(multipliers, derivation) => 2 + 2 * multipliers.rows.len() + derivation.size(),
            Step::Case(_) => 2,
        };
        self.steps.push(step);
    }

    /// The number of a cut, a new one if it is new.
    pub(crate) fn number(&mut self, cut: Cut) -> u32 {
        let next = self.cuts.len() as u32;
        let number = *self.numbers.entry(cut.clone()).or_insert(next);
        if number == next {
            let (Cut::Set { inside, .. } | Cut::Blossom { inside, .. }) = &cut;
            self.size += inside.len() + 4;
            self.cuts.push(cut);
        }
        number
    }

    /// Notes the steps of another record.
    pub(crate) fn append(&mut self, other: &Record) {
        let numbers: Vec<u32> = other.cuts.iter().map(|cut| self.number(cut.clone())).collect();
        for step in &other.steps {
            let mut step = step.clone();
            if let Step::Close(multipliers)
            | Step::Reduce(multipliers)
            | Step::Sweep(multipliers, _)
            | Step::Learn(multipliers, _) = &mut step
            {
                for (row, _) in &mut multipliers.rows {
                    if let Row::Cut(number) = row {
                        *number = numbers[*number as usize];
                    }
                }
            }
            self.add(step);
        }
    }
}

/// Vertices that hang on the others by one, the first of these; they are folded into it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) vertices: Vec<u32>,
    /// Of these vertices alone; its edges are those that the steps name.
    pub(crate) graph: CsrGraph,
    /// No better path is within them.
    pub(crate) within: Record,
    /// What paths within are worth as far as the first vertex, or from there, if there are any: once where ends are alike.
    pub(crate) tails: Vec<(Option<i64>, Record)>,
}

/// What a proof is about, in the numbers that it will use.
pub(crate) struct Draft<'p> {
    pub(crate) instance: &'p Instance,
    /// By vertex of the instance, its number in the file, from 0; and how many numbers there are.
    pub(crate) numbers: &'p [u32],
    pub(crate) count: usize,
    pub(crate) path: Option<&'p [u32]>,
    /// What is claimed, as the instance counts: a bound, or that there is no path.
    pub(crate) claim: Option<i64>,
    /// The compact form.
    pub(crate) binary: bool,
    /// What visiting each vertex earns, which is in the weights of the instance.
    pub(crate) prizes: Option<&'p [i64]>,
    /// The multigraph that the steps are about, whose edges are the vertices of the instance: how many vertices it has, and the
    /// ends of each edge.
    pub(crate) root: Option<(usize, Vec<[u32; 2]>)>,
    /// What is folded away before, in turn. The steps are then about what is left, with what ends earn there.
    pub(crate) parts: Vec<Part>,
    /// The graph that the steps name then, if it is another, and which its vertices are.
    pub(crate) rest: Option<(CsrGraph, Vec<u32>)>,
}

/// The names of what steps are about.
struct Naming<'n> {
    graph: &'n CsrGraph,
    numbers: &'n [u32],
    is_root: bool,
}

impl<'p> Draft<'p> {
    /// About an instance with these numbers for its vertices and no others, in the compact form.
    pub(crate) fn of(instance: &'p Instance, numbers: &'p [u32], claim: Option<i64>) -> Self {
        let (path, prizes, root, parts, rest) = (None, None, None, Vec::new(), None);
        let count = numbers.len();
        Draft { instance, numbers, count, path, claim, binary: true, prizes, root, parts, rest }
    }

    /// The proof with these steps, if the checker accepts it.
    pub(crate) fn write(&self, record: &Record, limits: &Limits<'_>) -> Result<Vec<u8>, String> {
        let graph = self.graph();
        let proof = self.written(&graph, record).map_err(|error| error.to_string())?;
        check(&graph, &proof[..], limits)?;
        Ok(proof)
    }

    /// The proof with these steps, whether or not they hold.
    pub(crate) fn compose(&self, record: &Record) -> Result<Vec<u8>, String> {
        self.written(&self.graph(), record).map_err(|error| error.to_string())
    }

    /// The graph as the checker will have it: vertices of the caller that are not in the instance have no edges.
    pub(crate) fn graph(&self) -> Graph {
        let graph = &self.instance.graph;
        let number = |vertex: u32| self.numbers[vertex as usize];
        let weight = |edge: &Edge| match self.prizes {
            None => edge.weight,
            Some(prizes) if graph.is_directed() => edge.weight - prizes[edge.target as usize],
            Some(prizes) => (edge.weight - prizes[edge.source as usize] - prizes[edge.target as usize]) / 2,
        };
        let edges = graph.edges().iter().map(|edge| (number(edge.source), number(edge.target), weight(edge)));
        Graph::new(graph.is_directed(), self.count, edges)
    }

    fn written(&self, graph: &Graph, record: &Record) -> std::io::Result<Vec<u8>> {
        let mut scribe = Scribe::new(Vec::new(), self.binary)?;
        self.question(graph, &mut scribe)?;
        scribe.word("best")?;
        let path = self.path.unwrap_or_default();
        scribe.number(path.len() as i64)?;
        path.iter().try_for_each(|&vertex| scribe.number(self.number(vertex)))?;
        scribe.word("claim")?;
        let factor = if self.prizes.is_some() && !self.instance.graph.is_directed() { 2 } else { 1 };
        match self.claim {
            Some(bound) => scribe.number(bound.div_euclid(factor))?,
            None => scribe.word("none")?,
        }
        for Part { vertices, graph, within, tails } in &self.parts {
            scribe.word("part")?;
            scribe.number(self.number(vertices[0]))?;
            scribe.number(vertices.len() as i64 - 1)?;
            vertices[1..].iter().try_for_each(|&vertex| scribe.number(self.number(vertex)))?;
            let numbers: Vec<u32> = vertices.iter().map(|&vertex| self.numbers[vertex as usize]).collect();
            let naming = Naming { graph, numbers: &numbers, is_root: false };
            naming.steps(within, &mut scribe)?;
            for (tail, steps) in tails {
                match tail {
                    Some(worth) => scribe.number(*worth)?,
                    None => scribe.word("none")?,
                }
                naming.steps(steps, &mut scribe)?;
            }
        }
        if let Some((vertices, ends)) = &self.root {
            scribe.word("root")?;
            scribe.number(*vertices as i64)?;
            let mut by_number = vec![[0; 2]; self.count];
            for (&number, ends) in self.numbers.iter().zip(ends) {
                by_number[number as usize] = ends.map(|end| i64::from(end) + 1);
            }
            by_number.iter().flatten().try_for_each(|&end| scribe.number(end))?;
        }
        let (graph, numbers) = match &self.rest {
            Some((graph, vertices)) => (graph, vertices.iter().map(|&vertex| self.numbers[vertex as usize]).collect()),
            None => (&self.instance.graph, self.numbers.to_vec()),
        };
        Naming { graph, numbers: &numbers, is_root: self.root.is_some() }.steps(record, &mut scribe)?;
        scribe.finish()
    }

    fn question(&self, graph: &Graph, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        scribe.word("graph")?;
        scribe.number(graph.n as i64)?;
        scribe.number(graph.edges.len() as i64)?;
        scribe.word(if graph.directed { "directed" } else { "undirected" })?;
        scribe.number(graph.digest())?;
        let absent: Vec<usize> = set_of(self.count, self.numbers).zeroes().collect();
        if !absent.is_empty() {
            scribe.word("without")?;
            scribe.number(absent.len() as i64)?;
            absent.iter().try_for_each(|&number| scribe.number(number as i64 + 1))?;
        }
        let no_prizes = vec![0; self.numbers.len()];
        let prizes = self.prizes.unwrap_or(&no_prizes);
        if self.prizes.is_some() {
            let earning = (0..).zip(prizes).filter(|(_, prize)| **prize != 0);
            scribe.word("prizes")?;
            scribe.number(earning.clone().count() as i64)?;
            for (vertex, &prize) in earning {
                scribe.number(self.number(vertex))?;
                scribe.number(prize)?;
            }
        }
        // What an end earns beside the prize that its vertex has, which was added to it.
        let directed = self.instance.graph.is_directed();
        let own = |is_last: bool, vertex: usize, prize: i64| match (prize, is_last && directed) {
            (NOT_AN_END, _) | (_, true) => prize,
            _ if directed => prize - prizes[vertex],
            _ if self.prizes.is_some() => (prize - prizes[vertex]) / 2,
            _ => prize,
        };
        match &self.instance.ends {
            Ends::Closed { through } => {
                scribe.word("cycle")?;
                scribe.number(through.map_or(0, |vertex| self.number(vertex)))
            }
            Ends::Open { first, last, .. } => {
                scribe.word("path")?;
                for (word, given, is_last) in [("first", first, false), ("last", last, true)] {
                    scribe.word(word)?;
                    let prizes: Vec<i64> =
                        given.iter().enumerate().map(|(vertex, &prize)| own(is_last, vertex, prize)).collect();
                    if prizes.iter().all(|&prize| prize == 0) {
                        scribe.word("all")?;
                        continue;
                    }
                    let ends = (0..).zip(&prizes).filter(|(_, prize)| **prize != NOT_AN_END);
                    let ends: Vec<(u32, &i64)> = ends.collect();
                    scribe.word("only")?;
                    scribe.number(ends.len() as i64)?;
                    for (vertex, &prize) in ends {
                        scribe.number(self.number(vertex))?;
                        scribe.number(prize)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Vertices are numbered from 1.
    fn number(&self, vertex: u32) -> i64 {
        i64::from(self.numbers[vertex as usize]) + 1
    }
}

impl Naming<'_> {
    fn steps(&self, record: &Record, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        let mut cuts = record.cuts.iter();
        let mut written = 0;
        for step in &record.steps {
            if let Step::Close(multipliers)
            | Step::Reduce(multipliers)
            | Step::Sweep(multipliers, _)
            | Step::Learn(multipliers, _) = step
            {
                // Cuts are numbered as they come, and named after they came.
                let named = multipliers.rows.iter().filter_map(|(row, _)| match row {
                    Row::Cut(number) => Some(number + 1),
                    _ => None,
                });
                let needed = named.max().unwrap_or(0);
                while written < needed {
                    self.cut(cuts.next().expect("a row names a cut of the record"), scribe)?;
                    written += 1;
                }
            }
            self.step(step, scribe)?;
        }
        Ok(())
    }

    /// Vertices are numbered from 1.
    fn number(&self, vertex: u32) -> i64 {
        i64::from(self.numbers[vertex as usize]) + 1
    }

    /// The number of a vertex that a step is about.
    fn name(&self, vertex: u32) -> i64 {
        if self.is_root { i64::from(vertex) + 1 } else { self.number(vertex) }
    }

    fn vertices(&self, vertices: &[u32], scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        scribe.number(vertices.len() as i64)?;
        vertices.iter().try_for_each(|&vertex| scribe.number(self.name(vertex)))
    }

    fn edge(&self, edge: u32, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        if self.is_root {
            return scribe.number(self.number(edge));
        }
        let edge = self.graph.edges()[edge as usize];
        scribe.number(self.name(edge.source))?;
        scribe.number(self.name(edge.target))
    }

    fn cut(&self, cut: &Cut, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        match cut {
            Cut::Set { inside, visited, outer } => {
                scribe.word("set")?;
                scribe.number(self.name(*visited))?;
                scribe.number(outer.map_or(0, |vertex| self.name(vertex)))?;
                self.vertices(inside, scribe)
            }
            Cut::Blossom { inside, teeth } => {
                scribe.word("blossom")?;
                self.vertices(inside, scribe)?;
                scribe.number(teeth.len() as i64)?;
                teeth.iter().try_for_each(|&column| self.column(column, scribe))
            }
        }
    }

    fn column(&self, column: Column, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        let (word, vertex) = match column {
            Column::Edge(edge) => {
                scribe.word("edge")?;
                return self.edge(edge, scribe);
            }
            Column::Lost(edge) => {
                scribe.word("lost")?;
                return self.edge(edge, scribe);
            }
            Column::Visit(vertex) => ("visit", vertex),
            Column::Tip(vertex) => ("tip", vertex),
            Column::Start(vertex) => ("start", vertex),
            Column::Finish(vertex) => ("finish", vertex),
        };
        scribe.word(word)?;
        scribe.number(self.name(vertex))
    }

    fn step(&self, step: &Step, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        match step {
            Step::Close(multipliers) => {
                scribe.word("close")?;
                self.multipliers(multipliers, scribe)
            }
            Step::Reduce(multipliers) => {
                scribe.word("reduce")?;
                self.multipliers(multipliers, scribe)
            }
            Step::Case(column) => {
                scribe.word("case")?;
                self.column(*column, scribe)
            }
            Step::Sweep(multipliers, order) => {
                scribe.word("sweep")?;
                self.multipliers(multipliers, scribe)?;
                self.vertices(order, scribe)
            }
            Step::Learn(multipliers, derivation) => {
                scribe.word("learn")?;
                self.multipliers(multipliers, scribe)?;
                self.derivation(derivation, scribe)
            }
        }
    }

    fn derivation(&self, derivation: &Derivation, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        scribe.number(derivation.named.len() as i64)?;
        derivation.named.iter().try_for_each(|&column| self.column(column, scribe))?;
        for side in &derivation.sides {
            scribe.word("side")?;
            scribe.number(i64::from(side.has_ends))?;
            self.vertices(&side.inside, scribe)?;
        }
        for item in &derivation.items {
            match item {
                Item::Clause { literals, hints } => {
                    scribe.word("lemma")?;
                    scribe.number(literals.len() as i64)?;
                    literals.iter().try_for_each(|&literal| scribe.number(i64::from(literal)))?;
                    scribe.number(hints.len() as i64)?;
                    hints.iter().try_for_each(|hint| self.hint(hint, scribe))?;
                }
                Item::Tie(clauses) => {
                    scribe.word("tie")?;
                    clauses.iter().try_for_each(|&clause| scribe.number(i64::from(clause)))?;
                }
            }
        }
        Ok(())
    }

    fn hint(&self, hint: &Hint, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        let (word, number) = match *hint {
            Hint::Clause(clause) => return scribe.number(i64::from(clause)),
            Hint::Row(row) => return self.row(row, scribe),
            Hint::Loss(literal) => ("loss", i64::from(literal)),
            Hint::Even(side) => ("even", i64::from(side)),
            Hint::Crossing(Crossing::Leave, side, _) => ("leave", i64::from(side)),
            Hint::Crossing(Crossing::Enter, side, _) => ("enter", i64::from(side)),
            Hint::Crossing(Crossing::Hang(_), side, _) => ("hang", i64::from(side)),
        };
        scribe.word(word)?;
        scribe.number(number)?;
        if let Hint::Crossing(crossing, _, between) = *hint {
            let holder = if let Crossing::Hang(holder) = crossing { Some(holder) } else { None };
            let places = between.into_iter().chain(holder);
            places.map(|place| place.map_or(0, |vertex| self.name(vertex))).try_for_each(|name| scribe.number(name))?;
        }
        Ok(())
    }

    fn multipliers(&self, multipliers: &Multipliers, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        scribe.number(multipliers.scale)?;
        scribe.number(multipliers.rows.len() as i64)?;
        for &(row, multiplier) in &multipliers.rows {
            self.row(row, scribe)?;
            scribe.number(multiplier)?;
        }
        Ok(())
    }
    fn row(&self, row: Row, scribe: &mut Scribe<Vec<u8>>) -> std::io::Result<()> {
        let (word, vertex) = match row {
            Row::At(vertex) => ("at", Some(vertex)),
            Row::Out(vertex) => ("out", Some(vertex)),
            Row::In(vertex) => ("in", Some(vertex)),
            Row::Tip(vertex) => ("tip", Some(vertex)),
            Row::Ends => ("ends", None),
            Row::Starts => ("starts", None),
            Row::Finishes => ("finishes", None),
            Row::Some => ("some", None),
            Row::Cut(number) => {
                scribe.word("cut")?;
                return scribe.number(i64::from(number));
            }
            Row::Lost(edge) => {
                scribe.word("lost")?;
                return self.edge(edge, scribe);
            }
            Row::Use(edge, vertex) => {
                scribe.word("use")?;
                self.edge(edge, scribe)?;
                return scribe.number(self.name(vertex));
            }
        };
        scribe.word(word)?;
        vertex.map_or(Ok(()), |vertex| scribe.number(self.name(vertex)))
    }
}

//! Checks proofs of longhaul: that no path of a graph is worth more than is claimed.
//!
//! What must be trusted is in these files and in nothing else: [`graph`] reads the graph, [`token`] the proof's tokens, `model` has
//! the question and the rows that all paths obey, `trails` those of trails, `sweep` one step, with `state`, and this file the
//! others. A proof that is wrong, cut short or garbage is refused; a proof that is accepted is right whoever wrote it, and however.
//!
//! A proof is the question, a path, a claim, and a tree of steps. A step is about the paths that are *left*: those worth more than
//! the claim (all, if it claims that there is none) within the ranges of columns fixed so far. It closes when it shows that none
//! is left:
//!
//! - `close`: a combination of rows whose bound is less than a path needs;
//! - `reduce`: each column whose other value would make the bound of a combination less than that is fixed; a step about the rest
//!   follows;
//! - `case`: a column is 1, or it is 0; a step for each follows;
//! - `sweep`: all that paths may do within what a combination leaves them.
//!
//! Before all steps a `root` may say that what follows is about trails of a multigraph whose edges are the graph's vertices.
//!
//! If the first step closes, no path is left at all.

pub mod graph;
mod model;
mod state;
mod sweep;
pub mod token;
mod trails;

use std::io::BufRead;

use graph::Graph;
use model::{Combination, Cut, Model, Range};
use sweep::Task;
use token::Tokens;

/// What a proof proves.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The value of the path that the proof gives; it is a path of the graph, and ends where it may.
    pub path: Option<i64>,
    /// No path is worth more; `None` if there is no path.
    pub bound: Option<i64>,
    /// The question, in words.
    pub question: String,
    /// How many steps there were.
    pub steps: u64,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.path, self.bound) {
            (Some(path), Some(bound)) if path == bound => write!(formatter, "VERIFIED optimal {bound}")?,
            (_, Some(bound)) => write!(formatter, "VERIFIED bound {bound}")?,
            (_, None) => write!(formatter, "VERIFIED infeasible")?,
        }
        write!(formatter, " ({})", self.question)
    }
}

/// How far a check may go.
#[derive(Clone, Copy)]
pub struct Limits<'s> {
    /// Bytes for the layers of a sweep.
    pub memory: usize,
    /// States that sweeps may make.
    pub states: u64,
    /// Asked now and then whether to stop.
    pub stop: &'s dyn Fn() -> bool,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { memory: 4 << 30, states: u64::MAX, stop: &|| false }
    }
}

/// Checks a proof about a graph.
///
/// # Errors
/// Which step fails, and why.
pub fn check(graph: &Graph, mut proof: impl BufRead, limits: &Limits<'_>) -> Result<Verdict, String> {
    let mut tokens = Tokens::new(&mut proof)?;
    let model = Model::read(graph, &mut tokens)?;
    tokens.expect("best")?;
    let path = tokens.vertices(graph.n)?;
    let path = if path.is_empty() { None } else { Some(model.value(&path)?) };
    tokens.expect("claim")?;
    let claim = match tokens.token()? {
        token::Token::Number(value) => Some(value),
        token::Token::Word("none") => None,
        token::Token::Word(other) => return Err(format!("'{other}' where a bound or 'none' should be")),
    };
    // Values are twice what they are where vertices have prizes, so none is one more than twice the claim.
    let odd = model.factor - 1;
    let target = match claim.map(|claim| claim.checked_mul(model.factor)?.checked_add(odd)) {
        Some(None) => return Err("the claim is beyond 64 bits".to_owned()),
        target => target.flatten(),
    };
    // Option orders None before all: a path beats the claim that there is none.
    if path > target {
        let value = path.unwrap_or_default() / model.factor;
        return Err(format!("the proof's own path is worth {value}, more than its claim"));
    }
    // Paths of one vertex, here and now.
    if let Some(value) = model.best_vertex().filter(|_| !model.closed)
        && target.is_none_or(|target| value > target)
    {
        return Err(format!("a single vertex is worth {}, more than the claim", value / model.factor));
    }
    let (factor, question) = (model.factor, model.question.clone());
    let (model, first) = match tokens.word()? {
        "root" => (model.root(&mut tokens, target)?, tokens.word()?),
        other => (model, other),
    };
    let ranges = model.ranges();
    let mut run = Run {
        model: &model,
        tokens,
        first: Some(first),
        target,
        ranges,
        trail: Vec::new(),
        cuts: Vec::new(),
        held: 0,
        sum: Combination::default(),
        steps: 0,
        limits,
        states: 0,
    };
    run.tidy();
    run.prove().map_err(|why| format!("step {}: {why}", run.steps))?;
    run.tokens.expect("end")?;
    Ok(Verdict { path: path.map(|value| value / factor), bound: claim, steps: run.steps, question })
}

struct Run<'m> {
    model: &'m Model,
    tokens: Tokens<'m>,
    /// The word with which the first step begins.
    first: Option<&'static str>,
    target: Option<i64>,
    ranges: Vec<Range>,
    /// Columns in the order in which they were fixed, with what they were.
    trail: Vec<(u32, Range)>,
    cuts: Vec<Cut>,
    held: usize,
    sum: Combination,
    steps: u64,
    limits: &'m Limits<'m>,
    /// States that sweeps have made.
    states: u64,
}

/// Where a `case` stands: the second value of its column, if that is still to come, and the trail before it.
struct Open {
    second: Option<u32>,
    trail: usize,
}

impl Run<'_> {
    /// Reads one step with all below it. Steps come in the order of a walk through their tree, so the open cases are a stack.
    fn prove(&mut self) -> Result<(), String> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let word = self.first.take().map_or_else(|| self.tokens.word(), Ok)?;
            self.steps += u64::from(!matches!(word, "set" | "blossom"));
            match word {
                "set" | "blossom" => {
                    self.cuts.push(self.model.read_cut(word, &mut self.tokens, &mut self.held)?);
                    continue;
                }
                "case" => {
                    let column = self.model.column(&mut self.tokens)?;
                    open.push(Open { second: Some(column), trail: self.trail.len() });
                    self.fix(column, Range::One);
                    continue;
                }
                "reduce" => {
                    open.push(Open { second: None, trail: self.trail.len() });
                    self.reduce()?;
                    continue;
                }
                "close" => self.close()?,
                "sweep" => self.sweep()?,
                other => return Err(format!("'{other}' where a step should be")),
            }
            // This one is closed: on to the second value of the last case that has one left.
            loop {
                let Some(last) = open.last_mut() else { return Ok(()) };
                for (column, before) in self.trail.drain(last.trail..).rev() {
                    self.ranges[column as usize] = before;
                }
                if let Some(column) = last.second.take() {
                    self.fix(column, Range::Zero);
                    break;
                }
                open.pop();
            }
        }
    }

    /// Fixes a column. What is never visited has no edges and is no end.
    fn fix(&mut self, column: u32, range: Range) {
        let graph = &self.model.graph;
        let m = graph.edges.len();
        self.set(column, range);
        if range == Range::Zero && (m..m + graph.n).contains(&(column as usize)) {
            let vertex = column - m as u32;
            for &(_, edge) in &graph.around[vertex as usize] {
                self.set(edge, Range::Zero);
            }
            self.set(self.model.start(vertex), Range::Zero);
            self.set(self.model.finish(vertex), Range::Zero);
        }
    }

    /// A column that can be neither 0 nor 1 leaves no path.
    fn set(&mut self, column: u32, range: Range) {
        let before = self.ranges[column as usize];
        if before != range {
            self.ranges[column as usize] = if before == Range::Free { range } else { Range::Empty };
            self.trail.push((column, before));
        }
    }

    /// Paths below have an edge, so none visits a vertex without edges.
    fn tidy(&mut self) {
        for vertex in 0..self.model.graph.n as u32 {
            let column = self.model.visit(vertex);
            if self.model.graph.around[vertex as usize].is_empty() && self.ranges[column as usize] == Range::Free {
                self.fix(column, Range::Zero);
            }
        }
        self.trail.clear();
    }

    fn combine(&mut self) -> Result<i128, String> {
        self.model.combine(&mut self.tokens, &self.cuts, &mut self.sum)?;
        self.sum.needed(self.target)
    }

    fn close(&mut self) -> Result<(), String> {
        let needed = self.combine()?;
        match self.sum.bound(&self.ranges) {
            bound if bound < needed => Ok(()),
            bound => Err(format!("the multipliers show {bound}, and less than {needed} was to be shown")),
        }
    }

    /// A path with the other value in a column has the bound less the gain for its right-hand side at most.
    fn reduce(&mut self) -> Result<(), String> {
        let needed = self.combine()?;
        let bound = self.sum.bound(&self.ranges);
        let gains = std::mem::take(&mut self.sum.gains);
        for (column, gain) in gains.iter().enumerate() {
            if self.ranges[column] == Range::Free && bound - gain.abs() < needed {
                self.fix(column as u32, if *gain > 0 { Range::One } else { Range::Zero });
            }
        }
        self.sum.gains = gains;
        Ok(())
    }

    fn sweep(&mut self) -> Result<(), String> {
        if self.model.trails {
            return Err("there are no sweeps of trails".to_owned());
        }
        self.combine()?;
        let order = self.tokens.vertices(self.model.graph.n)?;
        let Run { model, ref ranges, ref sum, target, limits, .. } = *self;
        sweep::sweep(&Task { model, ranges, sum, target, limits }, &order, &mut self.states)
    }
}

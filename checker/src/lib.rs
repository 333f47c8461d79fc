//! Checks proofs of longhaul: that no path of a graph is worth more than is claimed.
//!
//! What must be trusted is in these files and in nothing else: [`graph`] reads the graph, [`token`] the proof's tokens, `model` the
//! question, with the rows that all paths obey, `trails` those of trails, `sweep` one step, with `state`, and this file the others.
//! [`question`] is what was asked, to be told and compared. A proof that is wrong, cut short or garbage is refused; a proof that is
//! accepted is right whoever wrote it, and however.
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
pub mod question;
mod state;
mod sweep;
pub mod token;
mod trails;

use std::io::BufRead;

use graph::Graph;
use model::{Combination, Model, Range, Row};
use question::Question;
use sweep::Task;
use token::Tokens;

/// What a proof proves.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The value of the path that the proof gives; it is a path of the graph, and ends where it may.
    pub path: Option<i64>,
    /// No path is worth more; `None` if there is no path.
    pub bound: Option<i64>,
    /// What was asked.
    pub question: Question,
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
    /// Bytes for all that is held at once.
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

/// Range, gain, and what a sweep notes for it; where paths may end counts as a column too.
const COLUMN_BYTES: usize = 64;

/// Checks a proof about a graph.
///
/// # Errors
/// Which step fails, and why.
pub fn check(graph: &Graph, mut proof: impl BufRead, limits: &Limits<'_>) -> Result<Verdict, String> {
    // The graph once more, as the question has it, ends, and what each column takes, those of a root too.
    let fixed_bytes = 2 * graph::bytes(graph.n, graph.edges.len()) + (graph.edges.len() + 8 * graph.n) * COLUMN_BYTES;
    if fixed_bytes > limits.memory {
        return Err("the graph is beyond the memory limit".to_owned());
    }
    let mut tokens = Tokens::new(&mut proof)?;
    let (model, question) = Model::read(graph, &mut tokens)?;
    tokens.expect("best")?;
    let path = tokens.vertices(graph.n)?;
    let path = if path.is_empty() { None } else { Some(model.value(&path)?) };
    tokens.expect("claim")?;
    let claim = if tokens.accept("none")? { None } else { Some(tokens.number()?) };
    // Values are twice what they are where vertices have prizes, so none is one more than twice the claim.
    let (factor, odd) = (model.factor, model.factor - 1);
    let target = match claim.map(|claim| claim.checked_mul(factor)?.checked_add(odd)) {
        Some(None) => return Err("the claim is beyond 64 bits".to_owned()),
        target => target.flatten(),
    };
    // Option orders None before all: a path beats the claim that there is none.
    if path > target {
        let value = path.unwrap_or_default() / factor;
        return Err(format!("the proof's own path is worth {value}, more than its claim"));
    }
    // Paths of one vertex, here and now.
    let single = model.best_vertex().filter(|_| !model.closed);
    if single > target {
        let value = single.unwrap_or_default() / factor;
        return Err(format!("a single vertex is worth {value}, more than the claim"));
    }
    let model = if tokens.accept("root")? { model.root(&mut tokens, target)? } else { model };
    let mut run = Run {
        tokens,
        target,
        limits,
        ranges: model.ranges(),
        model,
        trail: Vec::new(),
        open: Vec::new(),
        cuts: Vec::new(),
        fixed_bytes,
        sum: Combination::default(),
        steps: 0,
        states: 0,
    };
    run.prove().map_err(|why| format!("step {}: {why}", run.steps))?;
    run.tokens.expect("end")?;
    Ok(Verdict { path: path.map(|value| value / factor), bound: claim, steps: run.steps, question })
}

struct Run<'m> {
    model: Model,
    tokens: Tokens<'m>,
    target: Option<i64>,
    limits: &'m Limits<'m>,
    ranges: Vec<Range>,
    /// Columns in the order in which they were fixed, with what they were.
    trail: Vec<(u32, Range)>,
    /// The steps above this one, from the first.
    open: Vec<Open>,
    cuts: Vec<Row>,
    /// Those of graph, columns and cuts.
    fixed_bytes: usize,
    sum: Combination,
    steps: u64,
    /// States that sweeps have made.
    states: u64,
}

/// A `reduce`, or a `case` with the column whose second value is still to come; and how long the trail was before.
struct Open {
    second: Option<u32>,
    trail: usize,
}

impl Run<'_> {
    /// Reads one step with all below it. Steps come in the order of a walk through their tree, so those above are a stack.
    fn prove(&mut self) -> Result<(), String> {
        loop {
            let word = self.tokens.word()?;
            self.steps += u64::from(!matches!(word, "set" | "blossom"));
            let trail = self.trail.len();
            match word {
                "set" | "blossom" => {
                    self.cuts.push(self.model.read_cut(word, &mut self.tokens)?);
                    self.fixed_bytes += self.cuts[self.cuts.len() - 1].bytes();
                }
                "case" => {
                    let column = self.model.column(&mut self.tokens)?;
                    self.open.push(Open { second: Some(column), trail });
                    self.fix(column, Range::One);
                }
                "reduce" => {
                    self.open.push(Open { second: None, trail });
                    self.reduce()?;
                }
                "close" => self.close()?,
                "sweep" => self.sweep()?,
                other => return self.tokens.wrong(format!("'{other}' where a step should be")),
            }
            if self.bytes() > self.limits.memory {
                return Err("the cuts and the cases of the proof are beyond the memory limit".to_owned());
            }
            if matches!(word, "close" | "sweep") && !self.go_back() {
                return Ok(());
            }
        }
    }

    /// What is held beside a sweep.
    fn bytes(&self) -> usize {
        self.fixed_bytes + self.open.capacity() * size_of::<Open>() + self.trail.capacity() * size_of::<(u32, Range)>()
    }

    /// A step is closed: on to the second value of the last case that has one left, if any has.
    fn go_back(&mut self) -> bool {
        while let Some(Open { second, trail }) = self.open.pop() {
            for (column, before) in self.trail.drain(trail..).rev() {
                self.ranges[column as usize] = before;
            }
            if let Some(column) = second {
                self.open.push(Open { second: None, trail });
                self.fix(column, Range::Zero);
                return true;
            }
        }
        false
    }

    /// Fixes a column. What is never visited has no edges and is no end.
    fn fix(&mut self, column: u32, range: Range) {
        self.set(column, range);
        let vertex = column.wrapping_sub(self.model.visit(0));
        if range == Range::Zero && (vertex as usize) < self.model.graph.n {
            for place in 0..self.model.graph.around[vertex as usize].len() {
                self.set(self.model.graph.around[vertex as usize][place].1, Range::Zero);
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

    /// Reads multipliers: their bound, and what a path needs.
    fn combine(&mut self) -> Result<(i128, i128), String> {
        self.model.combine(&mut self.tokens, &self.cuts, &mut self.sum)?;
        Ok((self.sum.bound(&self.ranges), self.sum.needed(self.target)?))
    }

    fn close(&mut self) -> Result<(), String> {
        match self.combine()? {
            (bound, needed) if bound < needed => Ok(()),
            (bound, needed) => Err(format!("the multipliers show {bound}, and less than {needed} was to be shown")),
        }
    }

    /// A path with the other value in a column has the bound less the gain for its right-hand side at most.
    fn reduce(&mut self) -> Result<(), String> {
        let (bound, needed) = self.combine()?;
        for column in 0..self.ranges.len() {
            let gain = self.sum.gains[column];
            if self.ranges[column] == Range::Free && bound - gain.abs() < needed {
                self.fix(column as u32, if gain > 0 { Range::One } else { Range::Zero });
            }
        }
        Ok(())
    }

    fn sweep(&mut self) -> Result<(), String> {
        if self.model.trails {
            return Err("there are no sweeps of trails".to_owned());
        }
        let (bound, needed) = self.combine()?;
        let order = self.tokens.vertices(self.model.graph.n)?;
        let limits = Limits { memory: self.limits.memory.saturating_sub(self.bytes()), ..*self.limits };
        let Run { model, ranges, sum, target, states, .. } = self;
        let task = Task { model, ranges, gains: &sum.gains, purse: bound - needed, target: *target, limits };
        sweep::sweep(task, &order, states)
    }
}

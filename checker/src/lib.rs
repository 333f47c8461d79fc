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
//! Before all steps `part`s may be folded away that hang on single vertices, and a `root` may say that what follows is about trails
//! of a multigraph whose edges are the graph's vertices.
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
    let graph_bytes = graph::bytes(graph.n, graph.edges.len());
    let fixed_bytes = 2 * graph_bytes + (graph.edges.len() + 8 * graph.n) * COLUMN_BYTES;
    if fixed_bytes > limits.memory {
        return Err("the graph is beyond the memory limit".to_owned());
    }
    let mut tokens = Tokens::new(&mut proof)?;
    let (mut model, question) = Model::read(graph, &mut tokens)?;
    tokens.expect("best")?;
    let path = tokens.vertices(graph.n)?;
    let path = if path.is_empty() { None } else { Some(model.value(&path)?) };
    tokens.expect("claim")?;
    let claim = tokens.number_or_none()?;
    // Values are twice what they are where vertices have prizes, so none is one more than twice the claim.
    let (factor, odd) = (model.factor, model.factor - 1);
    let target = match claim.map(|claim| claim.checked_mul(factor)?.checked_add(odd)) {
        Some(None) => return Err("the claim is beyond 64 bits".to_owned()),
        target => target.flatten(),
    };
    // Paths of one vertex are looked at here and now. Option orders None before all: a path beats the claim that there is none.
    let single = model.best_vertex().filter(|_| !model.closed);
    for (value, what) in [(path, "the proof's own path"), (single, "a single vertex")] {
        if value > target {
            return Err(format!("{what} is worth {}, more than the claim", value.unwrap_or_default() / factor));
        }
    }
    let mut run = Run { tokens, limits, fixed_bytes, steps: 0, states: 0 };
    let mut prove = || {
        while run.tokens.accept("part")? {
            // What is within the part, and what is without it.
            run.fixed_bytes = fixed_bytes + 2 * graph_bytes;
            run.part(&mut model, target)?;
        }
        if run.tokens.accept("root")? {
            model = model.root(&mut run.tokens, target)?;
        }
        run.prove(&model, target)
    };
    prove().map_err(|why: String| format!("step {}: {why}", run.steps))?;
    run.tokens.expect("end")?;
    Ok(Verdict { path: path.map(|value| value / factor), bound: claim, steps: run.steps, question })
}

struct Run<'m> {
    tokens: Tokens<'m>,
    limits: &'m Limits<'m>,
    /// Those of graphs and columns.
    fixed_bytes: usize,
    steps: u64,
    /// States that sweeps have made.
    states: u64,
}

/// Steps about one question, as far as they have been read.
struct Tree<'r, 'm> {
    run: &'r mut Run<'m>,
    model: &'r Model,
    target: Option<i64>,
    ranges: Vec<Range>,
    /// Columns in the order in which they were fixed, with what they were.
    trail: Vec<(u32, Range)>,
    /// The steps above this one, from the first.
    open: Vec<Open>,
    cuts: Vec<Row>,
    cut_bytes: usize,
    sum: Combination,
}

/// A `reduce`, or a `case` with the column whose second value is still to come; and how long the trail was before.
struct Open {
    second: Option<u32>,
    trail: usize,
}

impl Run<'_> {
    /// Reads a step about a question with all below it.
    fn prove(&mut self, model: &Model, target: Option<i64>) -> Result<(), String> {
        let (ranges, sum) = (model.ranges(), Combination::default());
        let (trail, open, cuts) = (Vec::new(), Vec::new(), Vec::new());
        Tree { run: self, model, target, ranges, trail, open, cuts, cut_bytes: 0, sum }.prove()
    }

    /// Reads a part, `holder count vertices STEP`, and for paths `TAIL STEP` once or, where ends there differ, twice. The model is
    /// then without it.
    ///
    /// *Argument.* No edge leads out of the part but to its holder. So what a path visits before its holder is all in the part or all
    /// beside it, and so is what it visits after it, or all of it if it has no holder. The first step is about the paths (cycles)
    /// of part and holder alone; no cycle is both in the part and beside it. Any other path that visits the part has only its
    /// beginning there, or its end, and something beside it at the other side of the holder. As far as the holder it earns no
    /// more than the tail, which the step after it shows; the holder alone earns what it did. So with that for a prize of its end
    /// at the holder the rest is a path beside the part, with an edge, and worth no less.
    fn part(&mut self, model: &mut Model, target: Option<i64>) -> Result<(), String> {
        let (n, holder) = (model.graph.n, self.tokens.vertex(model.graph.n)?);
        let mut part = vec![false; n];
        self.tokens.vertices(n)?.into_iter().for_each(|vertex| part[vertex as usize] = true);
        let is_part = |vertex: u32| part[vertex as usize];
        let leads_out = |u: u32, v: u32| is_part(u) && !is_part(v) && v != holder;
        if is_part(holder) || model.graph.edges.iter().any(|&(u, v, _)| leads_out(u, v) || leads_out(v, u)) {
            return self.tokens.wrong("a part that hangs on more than one vertex");
        }
        let mut within = model.within(|vertex| vertex == holder || is_part(vertex));
        self.prove(&within, target)?;
        *model = model.within(|vertex| !is_part(vertex));
        let (first, last, at) = (within.first.clone(), within.last.clone(), holder as usize);
        let mut alone = vec![None; n];
        alone[at] = Some(0);
        // From a start to the holder, and from the holder to a finish; and for which ends there the tail counts.
        let ends = [(first, alone.clone()), (alone, last)];
        let counts: &[[bool; 2]] = match (within.closed, within.alike) {
            (true, _) => &[],
            (false, true) => &[[true, true]],
            (false, false) => &[[true, false], [false, true]],
        };
        for (ends, counts) in ends.into_iter().zip(counts) {
            (within.first, within.last) = ends;
            within.find_alike();
            let tail = self.tokens.number_or_none()?;
            self.prove(&within, tail)?;
            for (prizes, _) in
                [&mut model.first, &mut model.last].into_iter().zip(counts).filter(|(_, counts)| **counts)
            {
                prizes[at] = prizes[at].max(tail);
            }
        }
        model.find_alike();
        Ok(())
    }
}

impl Tree<'_, '_> {
    /// Reads one step with all below it. Steps come in the order of a walk through their tree, so those above are a stack.
    fn prove(&mut self) -> Result<(), String> {
        loop {
            let word = self.run.tokens.word()?;
            self.run.steps += u64::from(!matches!(word, "set" | "blossom"));
            let trail = self.trail.len();
            match word {
                "set" | "blossom" => {
                    self.cuts.push(self.model.read_cut(word, &mut self.run.tokens)?);
                    self.cut_bytes += self.cuts[self.cuts.len() - 1].bytes();
                }
                "case" => {
                    let column = self.model.column(&mut self.run.tokens)?;
                    self.open.push(Open { second: Some(column), trail });
                    self.fix(column, Range::One);
                }
                "reduce" => {
                    self.open.push(Open { second: None, trail });
                    self.reduce()?;
                }
                "close" => self.close()?,
                "sweep" => self.sweep()?,
                other => return self.run.tokens.wrong(format!("'{other}' where a step should be")),
            }
            if self.bytes() > self.run.limits.memory {
                return Err("the cuts and the cases of the proof are beyond the memory limit".to_owned());
            }
            if matches!(word, "close" | "sweep") && !self.go_back() {
                return Ok(());
            }
        }
    }

    /// What is held beside a sweep.
    fn bytes(&self) -> usize {
        self.run.fixed_bytes
            + self.cut_bytes
            + self.open.capacity() * size_of::<Open>()
            + self.trail.capacity() * size_of::<(u32, Range)>()
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
        self.model.combine(&mut self.run.tokens, &self.cuts, &mut self.sum)?;
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
        let order = self.run.tokens.vertices(self.model.graph.n)?;
        let limits = Limits { memory: self.run.limits.memory.saturating_sub(self.bytes()), ..*self.run.limits };
        let (model, ranges, gains, purse) = (self.model, &self.ranges, &self.sum.gains, bound - needed);
        sweep::sweep(Task { model, ranges, gains, purse, target: self.target, limits }, &order, &mut self.run.states)
    }
}

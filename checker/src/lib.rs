//! Checks proofs of longhaul: that no path of a graph is worth more than is claimed.
//!
//! What must be trusted is in these files and in nothing else: [`graph`] reads the graph, [`token`] the proof's tokens, `model` the
//! question, with the rows that all paths obey, `trails` those of trails, `sweep` one step, with `state`, `learn` another, and this file
//! the others.
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
//! - `sweep`: all that paths may do within what a combination leaves them;
//! - `learn`: clauses, each of which follows from rows, borders and those before it, down to one that nothing satisfies.
//!
//! Before all steps `part`s may be folded away that hang on single vertices, and a `root` may say that what follows is about trails
//! of a multigraph whose edges are the graph's vertices.
//!
//! If the first step closes, no path is left at all.

pub mod graph;
mod learn;
mod model;
pub mod question;
mod state;
mod sweep;
pub mod token;
mod trails;

use std::io::BufRead;

use graph::Graph;
use learn::Learner;
use model::{Model, Range, Row};
use question::Question;
use sweep::Sweep;
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
    let factor = model.factor;
    let most = |claim: i64| claim.checked_mul(factor)?.checked_add(factor - 1);
    let target = claim.map(|claim| most(claim).ok_or("the claim is beyond 64 bits")).transpose()?;
    // Paths of one vertex are looked at here and now. Option orders None before all: a path beats the claim that there is none.
    let single = model.first.iter().zip(&model.last).filter_map(|(first, last)| Some((*first)? + (*last)?)).max();
    for (value, what) in [(path, "the proof's own path"), (single, "a single vertex")] {
        if value > target {
            return Err(format!("{what} is worth {}, more than the claim", value.unwrap_or_default() / factor));
        }
    }
    let mut run = Run { tokens, limits, fixed_bytes, steps: 0, states: 0 };
    let mut prove = || {
        let mut gone = Vec::new();
        while run.tokens.accept("part")? {
            // What is within the part, and in the end what is without all.
            run.fixed_bytes = fixed_bytes + 2 * graph_bytes;
            gone.resize(graph.n, false);
            run.part(&mut model, &mut gone, target)?;
        }
        if !gone.is_empty() {
            model = model.within(|vertex| !gone[vertex as usize]);
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
    /// The steps above this one, from the first: the column, for a `case` whose second value is still to come; and how long the
    /// trail was before.
    open: Vec<(Option<u32>, usize)>,
    cuts: Vec<Row>,
    cut_bytes: usize,
}

/// Multipliers are below this, and rows as many at most: sums of them stay within 128 bits.
const MOST_MULTIPLIER: u64 = 1 << 62;
const MOST_SCALE: i128 = 1 << 30;
const MOST_ROWS: usize = 1 << 24;

/// `scale · value ≤ constant + Σ gain[c] · x[c]` for every path.
struct Combination {
    gains: Vec<i128>,
    /// The greatest right-hand side within the ranges; where no path is left, less than anything that one needs.
    bound: i128,
    /// The least that a path worth more than the target needs.
    needed: i128,
}

impl Run<'_> {
    /// Reads a step about a question with all below it.
    fn prove(&mut self, model: &Model, target: Option<i64>) -> Result<(), String> {
        let (ranges, trail, open, cuts) = (model.ranges(), Vec::new(), Vec::new(), Vec::new());
        Tree { run: self, model, target, ranges, trail, open, cuts, cut_bytes: 0 }.prove()
    }

    /// Reads a part, `holder count vertices STEP`, and for paths `TAIL STEP` once or, where ends there differ, twice. Its vertices are
    /// `gone` then, and what follows has no edges there. Steps name no vertices but those of the part and its holder.
    ///
    /// *Argument.* No edge leads out of the part but to its holder. So what a path visits before its holder is all in the part or all
    /// beside it, and so is what it visits after it, or all of it if it has no holder. The first step is about the paths (cycles)
    /// of part and holder alone; no cycle is both in the part and beside it. Any other path that visits the part has only its
    /// beginning there, or its end, and something beside it at the other side of the holder. As far as the holder it earns no
    /// more than the tail, which the step after it shows; the holder alone earns what it did. So with that for a prize of its end
    /// at the holder the rest is a path beside the part, with an edge, and worth no less.
    fn part(&mut self, model: &mut Model, gone: &mut [bool], target: Option<i64>) -> Result<(), String> {
        let (n, holder) = (model.graph.n, self.tokens.vertex(model.graph.n)?);
        let mut part = self.tokens.vertices(n)?;
        part.sort_unstable();
        let is_part = |vertex: u32| part.binary_search(&vertex).is_ok();
        let leads_out = |&(other, _): &(u32, u32)| other != holder && !is_part(other) && !gone[other as usize];
        let hangs = |&vertex: &u32| !model.graph.around[vertex as usize].iter().any(leads_out);
        if is_part(holder) || !part.iter().all(hangs) {
            return self.tokens.wrong("a part that hangs on more than one vertex");
        }
        if part.iter().chain([&holder]).any(|&vertex| gone[vertex as usize]) {
            return self.tokens.wrong("a part with vertices that are folded away");
        }
        let (mut within, vertices) = model.among(&part, holder);
        let place = vertices.binary_search(&holder).unwrap_or_default();
        self.tokens.part = vertices;
        self.prove(&within, target)?;
        part.iter().for_each(|&vertex| gone[vertex as usize] = true);
        if !within.closed {
            let (mut alone, is_alike, at) = (vec![None; within.graph.n], within.alike, holder as usize);
            alone[place] = Some(0);
            // From a start to the holder; and from the holder to a finish, where that is not the same turned round.
            let last = std::mem::replace(&mut within.last, alone.clone());
            let begun = self.tail(&mut within)?;
            (within.first, within.last) = (alone, last);
            let finished = if is_alike { begun } else { self.tail(&mut within)? };
            model.first[at] = model.first[at].max(begun);
            model.last[at] = model.last[at].max(finished);
        }
        self.tokens.part.clear();
        Ok(())
    }

    /// Reads what is claimed of the paths with these ends, and the step that shows it.
    fn tail(&mut self, within: &mut Model) -> Result<Option<i64>, String> {
        within.find_alike();
        let tail = self.tokens.number_or_none()?;
        self.prove(within, tail)?;
        Ok(tail)
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
                    let row = self.model.read_cut(word, &mut self.run.tokens)?;
                    // Twice the row, since the list that it is in doubles, and what allocating its entries takes.
                    self.cut_bytes += 2 * size_of::<Row>() + 16 + row.entries.capacity() * size_of::<(u32, i32)>();
                    self.cuts.push(row);
                }
                "case" => {
                    let column = self.model.column(&mut self.run.tokens)?;
                    self.open.push((Some(column), trail));
                    self.fix(column, Range::One);
                }
                "reduce" => {
                    self.open.push((None, trail));
                    self.reduce()?;
                }
                "close" => {
                    let Combination { bound, needed, .. } = self.combine()?;
                    if bound >= needed {
                        return Err(format!("the multipliers show {bound}, and less than {needed} was to be shown"));
                    }
                }
                "sweep" => self.sweep()?,
                "learn" => Learner::run(self)?,
                other => return self.run.tokens.wrong(format!("'{other}' where a step should be")),
            }
            if self.bytes() > self.run.limits.memory {
                return Err("the cuts and the cases of the proof are beyond the memory limit".to_owned());
            }
            if matches!(word, "close" | "sweep" | "learn") && !self.go_back() {
                return Ok(());
            }
        }
    }

    /// What is held beside a sweep.
    fn bytes(&self) -> usize {
        let open = self.open.capacity() * size_of::<(Option<u32>, usize)>();
        let trail = self.trail.capacity() * size_of::<(u32, Range)>();
        self.run.fixed_bytes + self.cut_bytes + open + trail
    }

    /// A step is closed: on to the second value of the last case that has one left, if any has.
    fn go_back(&mut self) -> bool {
        while let Some((second, trail)) = self.open.pop() {
            for (column, before) in self.trail.drain(trail..).rev() {
                self.ranges[column as usize] = before;
            }
            if let Some(column) = second {
                self.open.push((None, trail));
                self.fix(column, Range::Zero);
                return true;
            }
        }
        false
    }

    /// Fixes a column. What is never visited has no edges and is no end.
    fn fix(&mut self, column: u32, range: Range) {
        self.set(column, range);
        let (model, vertex) = (self.model, column.wrapping_sub(self.model.visit(0)));
        if let Some(around) = model.graph.around.get(vertex as usize).filter(|_| range == Range::Zero) {
            around.iter().for_each(|&(_, edge)| self.set(edge, Range::Zero));
            [model.start(vertex), model.finish(vertex)].into_iter().for_each(|end| self.set(end, Range::Zero));
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

    /// Reads `scale count (row multiplier)…` and adds up.
    ///
    /// *Argument.* Each row is `Σ a[c] x[c] ≤ b` (or `=`) for every path of the question. With a multiplier `λ ≥ 0` (any, for an
    /// equation) `λ (b − Σ a[c] x[c])` is not negative, so it may be added to the right of `scale · value = Σ scale · worth[c] · x[c]`.
    /// All in whole numbers; so a path worth more than the target has `scale · value ≥ scale · (target + 1)`. Without a target any
    /// path is one too many, and a scale of 0 asks for `0 ≤ …`, which every path obeys: then a smaller bound shows that there is none.
    fn combine(&mut self) -> Result<Combination, String> {
        let (model, tokens) = (self.model, &mut self.run.tokens);
        let scale = i128::from(tokens.number()?);
        if !(0..=MOST_SCALE).contains(&scale) {
            return tokens.wrong(format!("a scale of {scale}, which should lie between 0 and {MOST_SCALE}"));
        }
        let mut gains: Vec<i128> = model.worths().map(|worth| scale * worth).collect();
        let mut bound = scale * model.constant();
        for _ in 0..tokens.index(MOST_ROWS, "number of rows")? {
            let kind = tokens.word()?;
            let row = match kind {
                "cut" => &self.cuts[tokens.index(self.cuts.len(), "cut")? as usize],
                _ => &model.row(kind, tokens)?,
            };
            let multiplier = tokens.number()?;
            if multiplier.unsigned_abs() > MOST_MULTIPLIER || (multiplier < 0 && !row.is_equation) {
                return tokens.wrong(format!("a multiplier of {multiplier} for a row '{kind}'"));
            }
            let multiplier = i128::from(multiplier);
            for &(column, coefficient) in &row.entries {
                gains[column as usize] -= multiplier * i128::from(coefficient);
            }
            bound += multiplier * i128::from(row.most);
        }
        bound += gains.iter().zip(&self.ranges).map(|(&gain, range)| range.best(gain)).sum::<i128>();
        if self.ranges.contains(&Range::Empty) {
            bound = i128::MIN / 4;
        }
        let needed = match self.target {
            _ if scale == 0 => 0,
            Some(target) => scale * (i128::from(target) + 1),
            None => return Err("that there is no path at all is shown with the scale 0".to_owned()),
        };
        Ok(Combination { gains, bound, needed })
    }

    /// A path with the other value in a column has the bound less the gain for its right-hand side at most.
    fn reduce(&mut self) -> Result<(), String> {
        let Combination { gains, bound, needed } = self.combine()?;
        for (column, gain) in (0..).zip(gains) {
            if self.ranges[column as usize] == Range::Free && bound - gain.abs() < needed {
                self.fix(column, if gain > 0 { Range::One } else { Range::Zero });
            }
        }
        Ok(())
    }

    fn sweep(&mut self) -> Result<(), String> {
        if self.model.trails {
            return Err("there are no sweeps of trails".to_owned());
        }
        let (sum, order) = (self.combine()?, self.run.tokens.vertices(self.model.graph.n)?);
        match self.model.graph.directed {
            true => Sweep::<true>::run(self, &sum, &order),
            false => Sweep::<false>::run(self, &sum, &order),
        }
    }
}

//! What a conflict teaches: the clause of the first unique implication point, without what the rest of it implies.
//!
//! L. Zhang, C. Madigan, M. Moskewicz, S. Malik, *Efficient conflict driven learning in a Boolean satisfiability solver*, ICCAD
//! 2001, doi:10.1109/ICCAD.2001.968634; minimised after N. Sörensson, A. Biere, *Minimizing learned clauses*, SAT 2009,
//! doi:10.1007/978-3-642-02777-2_23. Reasons of constraints are looked up here, once for each conflict.

use std::ops::Range;

use super::literal::{Lit, Reason, Var};
use super::queue::Queue;
use super::state::State;

/// What is known of a variable while a clause is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Unknown,
    /// It is in the clause, or was resolved away.
    Seen,
    /// The clause implies it.
    Implied,
    /// The clause does not.
    Needed,
}

/// Scratch for one conflict.
#[derive(Debug)]
pub(super) struct Analysis {
    /// The clause learnt, the asserting literal first.
    pub(super) learnt: Vec<Lit>,
    marks: Vec<Mark>,
    marked: Vec<Var>,
    /// Reasons looked up for this conflict, and where that of each variable is: `(0, 0)` if nowhere.
    reasons: Vec<Lit>,
    range: Vec<(u32, u32)>,
    explained: Vec<Var>,
    stack: Vec<(Lit, u32)>,
    needs_target: bool,
}

impl Analysis {
    pub(super) fn new(vars: usize) -> Self {
        Analysis {
            learnt: Vec::new(),
            marks: vec![Mark::Unknown; vars],
            marked: Vec::new(),
            reasons: Vec::new(),
            range: vec![(0, 0); vars],
            explained: Vec::new(),
            stack: Vec::new(),
            needs_target: false,
        }
    }

    pub(super) fn add_var(&mut self) {
        self.marks.push(Mark::Unknown);
        self.range.push((0, 0));
    }

    fn mark(&mut self, var: Var, mark: Mark) {
        if self.marks[var as usize] == Mark::Unknown {
            self.marked.push(var);
        }
        self.marks[var as usize] = mark;
    }

    fn clear(&mut self) {
        self.marked.drain(..).for_each(|var| self.marks[var as usize] = Mark::Unknown);
        self.explained.drain(..).for_each(|var| self.range[var as usize] = (0, 0));
        self.reasons.clear();
    }

    /// Turns the violated clause, whose highest level is the current one, into `learnt`. Returns the level to jump back
    /// to and how many levels the clause joins.
    pub(super) fn analyze(&mut self, state: &mut State<'_>, queue: &mut Queue) -> (u32, u32) {
        let current = state.assignment.current_level();
        self.learnt.clear();
        self.learnt.push(Lit::positive(0));
        self.needs_target = false;
        let mut open = 0;
        for place in 0..state.violated.len() {
            let lit = state.violated[place];
            open += self.see(lit, current, state);
        }
        let mut place = state.assignment.trail().len();
        let asserting = loop {
            place -= 1;
            let lit = state.assignment.trail()[place];
            if self.marks[lit.var() as usize] != Mark::Seen {
                continue;
            }
            open -= 1;
            if open == 0 {
                break lit;
            }
            if let Reason::Clause(clause) = state.assignment.reason(lit.var()) {
                state.use_clause(clause);
            }
            for index in self.explain(lit, state) {
                let other = self.reasons[index];
                open += self.see(other, current, state);
            }
        };
        self.learnt[0] = !asserting;
        if state.config.minimise {
            self.minimise(state);
        }
        for place in 0..self.marked.len() {
            let var = self.marked[place];
            if self.marks[var as usize] == Mark::Seen {
                queue.bump(var);
            }
        }
        let mut learnt = std::mem::take(&mut self.learnt);
        if self.needs_target {
            learnt.extend(state.target.map(|target| !target));
        }
        let levels = state.levels.count(learnt.iter().copied(), &state.assignment);
        let mut back = 0;
        for place in 1..learnt.len() {
            let level = state.assignment.level(learnt[place].var());
            if level > back {
                back = level;
                learnt.swap(1, place);
            }
        }
        self.learnt = learnt;
        self.clear();
        (back, levels)
    }

    /// Takes a false literal into the clause, unless it is given. Returns 1 where it is of the current level.
    fn see(&mut self, lit: Lit, current: u32, state: &State<'_>) -> u32 {
        let level = state.assignment.level(lit.var());
        if level <= state.base_level() {
            self.needs_target |= level > 0;
            return 0;
        }
        if self.marks[lit.var() as usize] != Mark::Unknown {
            return 0;
        }
        self.mark(lit.var(), Mark::Seen);
        if level == current {
            return 1;
        }
        self.learnt.push(lit);
        0
    }

    /// The other literals of a true literal's reason, all false, as positions in `reasons`.
    fn explain(&mut self, lit: Lit, state: &mut State<'_>) -> Range<usize> {
        let (begin, end) = self.range[lit.var() as usize];
        if end > 0 {
            return begin as usize..end as usize;
        }
        if self.reasons.is_empty() {
            // Position 0 stands for "not looked up".
            self.reasons.push(lit);
        }
        let begin = self.reasons.len();
        state.explain(lit, &mut self.reasons);
        let end = self.reasons.len();
        self.range[lit.var() as usize] = (begin as u32, end as u32);
        self.explained.push(lit.var());
        begin..end
    }

    /// Drops the literals that the others imply.
    fn minimise(&mut self, state: &mut State<'_>) {
        // Where the clause has no literal of a level, nothing else of that level is implied.
        let mut learnt = std::mem::take(&mut self.learnt);
        state.levels.count(learnt.iter().copied(), &state.assignment);
        let mut kept = 1;
        for place in 1..learnt.len() {
            let lit = learnt[place];
            if !self.is_implied(lit, state) {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
        self.learnt = learnt;
    }

    /// Whether the other literals of the clause imply this one, by a search through reasons with a stack of its own.
    fn is_implied(&mut self, lit: Lit, state: &mut State<'_>) -> bool {
        if state.assignment.reason(lit.var()) == Reason::None {
            return false;
        }
        self.stack.clear();
        self.stack.push((!lit, 0));
        while let Some(&(lit, next)) = self.stack.last() {
            let range = self.explain(lit, state);
            let Some(&other) = self.reasons[range].get(next as usize) else {
                self.stack.pop();
                // Those of the clause itself stay seen.
                if self.marks[lit.var() as usize] != Mark::Seen {
                    self.mark(lit.var(), Mark::Implied);
                }
                continue;
            };
            let top = self.stack.len() - 1;
            self.stack[top].1 += 1;
            let var = other.var();
            let level = state.assignment.level(var);
            if level <= state.base_level() {
                self.needs_target |= level > 0;
                continue;
            }
            match self.marks[var as usize] {
                Mark::Seen | Mark::Implied => {}
                Mark::Unknown if state.assignment.reason(var) != Reason::None && state.levels.has(level) => {
                    self.stack.push((!other, 0));
                }
                _ => {
                    // All that led here are needed as well.
                    for place in 0..self.stack.len() {
                        let var = self.stack[place].0.var();
                        if self.marks[var as usize] == Mark::Unknown {
                            self.mark(var, Mark::Needed);
                        }
                    }
                    self.mark(var, Mark::Needed);
                    return false;
                }
            }
        }
        true
    }
}

//! The step `learn`: clauses that all paths obey which are left, each with hints from which it follows, down to one without literals.
//!
//! A *literal* is a column that is 1, or one that is 0. A *clause* says that one of its literals holds. It follows where its contrary,
//! all of its literals false, leads to a contradiction: each hint names something that all paths left obey, and what that leaves no
//! choice about is taken over, until something is violated. (E. Goldberg, Y. Novikov, *Verification of proofs of unsatisfiability for
//! CNF formulas*, DATE 2003, doi:10.1109/DATE.2003.1253718; with hints as in L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann,
//! P. Schneider-Kamp, *Efficient certified RAT verification*, CADE 2017, doi:10.1007/978-3-319-63046-5_14.) A hint from which nothing
//! follows does no harm: the clause is then refused if nothing else is violated.
//!
//! What hints may name:
//!
//! - a clause from before, by its number;
//! - a row, as multipliers have them: what its least and greatest sums leave no choice about;
//! - `loss`: the paths left lose no more of the bound of the combination than is above what they need;
//! - the border of a *side*, a set of vertices. Seen as cycles, paths go from their finish back to their start by way of the *ends*,
//!   which belong to a side or do not, like a vertex that is always visited: starts lead away from there, and finishes to there. What
//!   visits a vertex inside and one outside *leaves* and *enters* a side; it crosses the border an *even* number of times, if edges
//!   have no direction; and if it crosses it at one vertex outside alone, it visits no other outside (a side that *hangs*), since two
//!   of its edges there lead inside, and a cycle has no more at a vertex.
//!
//! Two clauses that say of two columns that they are the same, or contrary, may *tie* them: one is then read as the other.

use crate::model::{Range, Row};
use crate::token::Token;
use crate::{Combination, Tree};

/// Something that all paths obey is violated.
struct Violated;

/// Columns looked at between looks at the limits.
const WORK_PER_LOOK: usize = 1 << 16;

/// The most literals of a clause, and hints.
const MOST: usize = 1 << 30;

/// A column, and whether it is 1.
type Literal = (u32, bool);

/// A set of vertices, and the ends if they belong to it.
struct Side {
    inside: Vec<u32>,
    has_ends: bool,
    /// The columns that lead out of it and into it; edges without direction, and ends that are alike, are in both.
    border: [Vec<u32>; 2],
}

pub(crate) struct Learner<'t, 'r, 'm> {
    tree: &'t mut Tree<'r, 'm>,
    /// The columns that literals name, from 1.
    named: Vec<u32>,
    /// By column: its value, if it is known; not of those that are tied to others.
    values: Vec<Option<bool>>,
    /// By column: the one that it is read as, and whether as its contrary.
    read_as: Vec<(u32, bool)>,
    /// What has been assigned, in order.
    trail: Vec<u32>,
    /// By column: what it adds to the bound of the combination; and how much of that the values lose, and may.
    gains: Vec<i128>,
    lost: i128,
    may_lose: i128,
    sides: Vec<Side>,
    /// Whether clauses of one literal violate each other, or what is known.
    is_refuted: bool,
    /// All literals of all clauses, and where each clause begins.
    literals: Vec<i32>,
    starts: Vec<usize>,
    side_bytes: usize,
    /// Columns looked at since the last look at the limits.
    work: usize,
}

/// What a column takes here: its value, what it is read as, its gain, and its name and place on the trail.
const COLUMN_BYTES: usize = 64;

impl<'t, 'r, 'm> Learner<'t, 'r, 'm> {
    /// Reads `multipliers count columns`, then sides, clauses and ties as far as a clause without literals.
    pub(crate) fn run(tree: &'t mut Tree<'r, 'm>) -> Result<(), String> {
        if tree.model.trails {
            return Err("nothing is learnt of trails".to_owned());
        }
        let columns = tree.model.columns();
        if tree.bytes() + columns * COLUMN_BYTES > tree.run.limits.memory {
            return Err("what is to be learnt is beyond the memory limit".to_owned());
        }
        let Combination { gains, bound, needed } = tree.combine()?;
        let count = tree.run.tokens.index(columns + 1, "number of columns")?;
        let named =
            (0..count).map(|_| tree.model.column(&mut tree.run.tokens)).collect::<Result<Vec<u32>, String>>()?;
        if tree.ranges.contains(&Range::Empty) {
            return Err("learning where no path is left".to_owned());
        }
        let known = |range: &Range| if *range == Range::Free { None } else { Some(*range == Range::One) };
        let mut learner = Learner {
            named,
            values: tree.ranges.iter().map(known).collect(),
            read_as: (0..columns as u32).map(|column| (column, false)).collect(),
            trail: Vec::new(),
            gains,
            lost: 0,
            may_lose: bound - needed,
            sides: Vec::new(),
            is_refuted: false,
            literals: Vec::new(),
            starts: vec![0],
            side_bytes: 0,
            work: 0,
            tree,
        };
        loop {
            match learner.tree.run.tokens.one_of(&["side", "lemma", "tie"])? {
                "side" => learner.read_side()?,
                "tie" => learner.tie()?,
                _ if learner.lemma()? => return Ok(()),
                _ => {}
            }
        }
    }

    /// Whether memory and time are left, after so much work.
    fn look(&mut self, work: usize) -> Result<(), String> {
        self.work += work;
        if self.work < WORK_PER_LOOK {
            return Ok(());
        }
        self.work = 0;
        let own = self.values.len() * COLUMN_BYTES + 8 * self.literals.len() + 16 * self.starts.len() + self.side_bytes;
        if self.tree.bytes() + own > self.tree.run.limits.memory {
            return Err("what has been learnt is beyond the memory limit".to_owned());
        }
        if (self.tree.run.limits.stop)() {
            return Err("stopped".to_owned());
        }
        Ok(())
    }

    /// Reads `ends count vertices`: 1 where the ends belong to the side.
    fn read_side(&mut self) -> Result<(), String> {
        let (model, tokens) = (self.tree.model, &mut self.tree.run.tokens);
        let has_ends = tokens.index(2, "way to have ends")? == 1;
        let mut inside = tokens.vertices(model.graph.n)?;
        inside.sort_unstable();
        let is_inside = |vertex: u32| inside.binary_search(&vertex).is_ok();
        let mut border = [Vec::new(), Vec::new()];
        for &vertex in &inside {
            for &(other, edge) in &model.graph.around[vertex as usize] {
                let is_out = model.graph.edges[edge as usize].0 == vertex;
                for (way, border) in border.iter_mut().enumerate() {
                    let leads = !model.graph.directed || is_out == (way == 0);
                    border.extend(Some(edge).filter(|_| leads && !is_inside(other)));
                }
            }
        }
        if has_ends && model.closed {
            return tokens.wrong("a cycle has no ends");
        }
        // From the finish to the ends, and from there to the start.
        for vertex in (0..model.graph.n as u32).filter(|&vertex| !model.closed && is_inside(vertex) != has_ends) {
            for (way, border) in border.iter_mut().enumerate() {
                let is_start = model.alike || has_ends == (way == 0);
                border.push(if is_start { model.start(vertex) } else { model.finish(vertex) });
            }
        }
        let size = inside.len() + border[0].len() + border[1].len();
        self.side_bytes += 2 * size_of::<Side>() + 8 * size;
        self.sides.push(Side { inside, has_ends, border });
        self.look(1 + model.graph.n + size)
    }

    /// Reads two clauses of two literals, the second with the contrary of each: one of both holds, and not the other. Whatever column
    /// is not known is read as the other from then on.
    fn tie(&mut self) -> Result<(), String> {
        let count = self.starts.len() - 1;
        let tokens = &mut self.tree.run.tokens;
        let pair = [tokens.index(count, "clause")? as usize, tokens.index(count, "clause")? as usize];
        let [one, other] = pair.map(|clause| &self.literals[self.starts[clause]..self.starts[clause + 1]]);
        let (&[first, second], &[third, fourth]) = (one, other) else {
            return tokens.wrong("a tie by clauses that have not two literals");
        };
        if [third, fourth] != [-first, -second] && [fourth, third] != [-first, -second] {
            return tokens.wrong("a tie by clauses that do not make one");
        }
        let [(one, is_one), (other, is_other)] = [first, second].map(|number| {
            let (column, is_one) = self.literal(number);
            let (read, is_contrary) = self.read(column);
            (read, is_one != is_contrary)
        });
        let is_free = |column: u32| self.values[column as usize].is_none();
        let (from, to) = if is_free(one) { (one, other) } else { (other, one) };
        if from == to || !is_free(from) {
            return Ok(());
        }
        if self.gains[from as usize] != 0 {
            return self.tree.run.tokens.wrong("a tie of what gains something");
        }
        self.read_as[from as usize] = (to, is_one == is_other);
        Ok(())
    }

    /// Reads `count literals count hints`; whether it is the clause without literals.
    fn lemma(&mut self) -> Result<bool, String> {
        let (begin, mark, lost) = (self.literals.len(), self.trail.len(), self.lost);
        let mut is_shown = self.is_refuted;
        for _ in 0..self.tree.run.tokens.index(MOST, "number of literals")? {
            let number = self.tree.run.tokens.number()?;
            if !(1..=self.named.len() as u64).contains(&number.unsigned_abs()) {
                return self.tree.run.tokens.wrong(format!("there is no column {number}"));
            }
            self.literals.push(number as i32);
            self.look(1)?;
            let (column, is_one) = self.literal(number as i32);
            is_shown |= self.assign((column, !is_one)).is_err();
        }
        let first = self.literals.get(begin).copied();
        let is_unit = self.literals.len() == begin + 1;
        for _ in 0..self.tree.run.tokens.index(MOST, "number of hints")? {
            is_shown |= self.hint(is_shown)?.is_err();
        }
        if !is_shown {
            return Err(format!("the hints of clause {} lead to no contradiction", self.starts.len() - 1));
        }
        for column in self.trail.drain(mark..) {
            self.values[column as usize] = None;
        }
        self.lost = lost;
        self.starts.push(self.literals.len());
        if let Some(number) = first.filter(|_| is_unit) {
            self.is_refuted |= self.assign(self.literal(number)).is_err();
        }
        Ok(first.is_none())
    }

    fn literal(&self, number: i32) -> Literal {
        (self.named[number.unsigned_abs() as usize - 1], number > 0)
    }

    /// What a column is read as in the end, and whether as its contrary.
    fn read(&self, column: u32) -> Literal {
        let (mut column, mut is_contrary) = (column, false);
        while self.read_as[column as usize].0 != column {
            let (next, turns) = self.read_as[column as usize];
            (column, is_contrary) = (next, is_contrary != turns);
        }
        (column, is_contrary)
    }

    fn value(&self, column: u32) -> Option<bool> {
        let (read, is_contrary) = self.read(column);
        self.values[read as usize].map(|value| value != is_contrary)
    }

    /// Takes a literal for true.
    fn assign(&mut self, (column, is_one): Literal) -> Result<(), Violated> {
        let (read, is_contrary) = self.read(column);
        let value = is_one != is_contrary;
        match self.values[read as usize] {
            Some(known) if known == value => Ok(()),
            Some(_) => Err(Violated),
            None => {
                self.values[read as usize] = Some(value);
                self.trail.push(read);
                self.lost += self.loss((read, value));
                Ok(())
            }
        }
    }

    /// What a literal loses of the bound: nothing if it is the better one.
    fn loss(&self, (column, is_one): Literal) -> i128 {
        let gain = self.gains[column as usize];
        if is_one { (-gain).max(0) } else { gain.max(0) }
    }

    /// Reads a hint and takes over what follows, if that still matters.
    fn hint(&mut self, is_idle: bool) -> Result<Result<(), Violated>, String> {
        let kind = match self.tree.run.tokens.token()? {
            Token::Word(kind) => kind,
            Token::Number(number) => {
                let count = self.starts.len() - 1;
                let Some(clause) = usize::try_from(number).ok().filter(|&clause| clause < count) else {
                    return self.tree.run.tokens.wrong(format!("there is no clause {number}"));
                };
                let all = self.starts[clause]..self.starts[clause + 1];
                let clause: Vec<Literal> = all.map(|place| self.literal(self.literals[place])).collect();
                self.look(1 + clause.len())?;
                return Ok(if is_idle { Ok(()) } else { self.follow_clause(clause) });
            }
        };
        match kind {
            "loss" => {
                let number = self.tree.run.tokens.number()?;
                if number.unsigned_abs() > self.named.len() as u64 {
                    return self.tree.run.tokens.wrong(format!("there is no column {number}"));
                }
                let literal = if number == 0 { None } else { Some(self.literal(number as i32)) };
                Ok(self.follow_loss(literal))
            }
            "leave" | "enter" | "hang" => {
                let clause = self.read_crossing(kind)?;
                self.look(1 + clause.len())?;
                Ok(if is_idle { Ok(()) } else { self.follow_clause(clause) })
            }
            "even" => {
                let side = self.tree.run.tokens.index(self.sides.len(), "side")?;
                if self.tree.model.graph.directed {
                    return self.tree.run.tokens.wrong("'even' where edges have a direction");
                }
                self.look(1 + self.sides[side as usize].border[0].len())?;
                Ok(self.follow_parity(side as usize))
            }
            "cut" => {
                let cut = self.tree.run.tokens.index(self.tree.cuts.len(), "cut")? as usize;
                let row = std::mem::replace(
                    &mut self.tree.cuts[cut],
                    Row { entries: Vec::new(), most: 0, is_equation: false },
                );
                let followed = self.follow_row(&row);
                let work = row.entries.len();
                self.tree.cuts[cut] = row;
                self.look(1 + work)?;
                Ok(followed)
            }
            other => {
                let row = self.tree.model.row(other, &mut self.tree.run.tokens)?;
                self.look(1 + row.entries.len())?;
                Ok(self.follow_row(&row))
            }
        }
    }

    /// What follows where only one literal of a clause is left.
    fn follow_clause(&mut self, clause: Vec<Literal>) -> Result<(), Violated> {
        let is_true = |&(column, is_one): &Literal| self.value(column) == Some(is_one);
        if clause.iter().any(is_true) {
            return Ok(());
        }
        let mut open = clause.into_iter().filter(|&(column, _)| self.value(column).is_none());
        match (open.next(), open.next()) {
            (None, _) => Err(Violated),
            (Some(literal), None) => self.assign(literal),
            _ => Ok(()),
        }
    }

    /// A literal that must hold since its contrary would lose too much; or too much is lost already.
    fn follow_loss(&mut self, literal: Option<Literal>) -> Result<(), Violated> {
        let violated = |lost: i128| if lost > self.may_lose { Err(Violated) } else { Ok(()) };
        match literal {
            Some((column, is_one)) if self.value(column).is_none() => {
                let (read, is_contrary) = self.read(column);
                match violated(self.lost + self.loss((read, is_one == is_contrary))) {
                    Err(_) => self.assign((column, is_one)),
                    Ok(()) => Ok(()),
                }
            }
            _ => violated(self.lost),
        }
    }

    /// Reads `side inside outside`, and where it hangs the vertex it hangs on; for each a vertex, or 0 for the ends.
    fn read_crossing(&mut self, kind: &str) -> Result<Vec<Literal>, String> {
        let (model, tokens) = (self.tree.model, &mut self.tree.run.tokens);
        let side = &self.sides[tokens.index(self.sides.len(), "side")? as usize];
        let is_inside = |place: Option<u32>| match place {
            Some(vertex) => side.inside.binary_search(&vertex).is_ok(),
            None => side.has_ends,
        };
        let (inside, outside) = (tokens.optional_vertex(model.graph.n)?, tokens.optional_vertex(model.graph.n)?);
        let holder = if kind == "hang" { Some(tokens.optional_vertex(model.graph.n)?) } else { None };
        let names_ends = [Some(inside), Some(outside), holder].contains(&Some(None));
        let is_sound = is_inside(inside) && !is_inside(outside) && holder != Some(outside);
        if !is_sound || holder.is_some_and(is_inside) || names_ends && model.closed {
            return tokens.wrong(format!("'{kind}' between vertices that are not at its sides"));
        }
        let is_at = |column: u32, holder: Option<u32>| {
            let edge = model.graph.edges.get(column as usize);
            match (edge, holder) {
                (Some(&(u, v, _)), Some(holder)) => u == holder || v == holder,
                (Some(_), None) => false,
                (None, Some(holder)) => column == model.start(holder) || column == model.finish(holder),
                (None, None) => true,
            }
        };
        let [leaving, entering] = &side.border;
        let columns: Vec<u32> = match holder {
            None if kind == "leave" => leaving.clone(),
            None => entering.clone(),
            Some(holder) => leaving.iter().chain(entering).copied().filter(|&column| !is_at(column, holder)).collect(),
        };
        let visited = [inside, outside].into_iter().flatten().map(|vertex| (model.visit(vertex), false));
        Ok(visited.chain(columns.into_iter().map(|column| (column, true))).collect())
    }

    /// What is left open of a border by all others.
    fn follow_parity(&mut self, side: usize) -> Result<(), Violated> {
        let (mut is_odd, mut open, mut is_alone) = (false, None, true);
        let (model, [leaving, entering]) = (self.tree.model, &self.sides[side].border);
        let is_other = |column: &&u32| !model.alike && **column as usize >= model.graph.edges.len();
        for &column in leaving.iter().chain(entering.iter().filter(is_other)) {
            match self.value(column) {
                Some(is_one) => is_odd ^= is_one,
                None => is_alone &= open.replace(column).is_none(),
            }
        }
        match open {
            Some(column) if is_alone => self.assign((column, is_odd)),
            None if is_odd => Err(Violated),
            _ => Ok(()),
        }
    }

    /// What the least and the greatest sum of a row leave no choice about, as long as something follows.
    fn follow_row(&mut self, row: &Row) -> Result<(), Violated> {
        loop {
            let (mut least, mut greatest) = (-row.most, -row.most);
            for &(column, coefficient) in &row.entries {
                match self.value(column) {
                    Some(is_one) => {
                        let part = if is_one { i64::from(coefficient) } else { 0 };
                        (least, greatest) = (least + part, greatest + part);
                    }
                    None => {
                        least += i64::from(coefficient.min(0));
                        greatest += i64::from(coefficient.max(0));
                    }
                }
            }
            if least > 0 || row.is_equation && greatest < 0 {
                return Err(Violated);
            }
            let before = self.trail.len();
            for &(column, coefficient) in &row.entries {
                if self.value(column).is_some() {
                    continue;
                }
                let size = i64::from(coefficient.abs());
                if least + size > 0 {
                    self.assign((column, coefficient < 0))?;
                } else if row.is_equation && greatest < size {
                    self.assign((column, coefficient > 0))?;
                }
            }
            if self.trail.len() == before {
                return Ok(());
            }
        }
    }
}

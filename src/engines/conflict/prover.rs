//! A proof that no path is worth more than a claim: a search that notes what it learns, and of that what it takes.

use fixedbitset::FixedBitSet;

use super::config::Config;
use super::literal::{Lit, Var};
use super::log::{self, Border, Log};
use super::model::{Model, SCALE};
use super::solver::{Solver, Verdict};
use super::ties::Ties;
use crate::instance::{Budget, Instance};
use crate::proof::derivation::{Derivation, Hint, Item};
use crate::proof::{Column, Multipliers, Row};

/// Where more vertices than this might be missed by a better path, clauses have to count, which they are bad at.
const MOST_MISSED: i128 = 8;

/// Clauses between looks at the limits while a proof is put together.
const CLAUSES_PER_LOOK: u32 = 1 << 10;

/// Looks for a proof that no path of two vertices or more is worth more than the claim (or that there is none) for so much work:
/// `None` if that was not enough, or memory or time are.
pub(crate) fn derive(
    instance: &Instance,
    claim: Option<i64>,
    config: Config,
    work: u64,
    budget: &Budget,
) -> Option<(Multipliers, Derivation)> {
    let mut model = Model::new(instance)?;
    let floor = claim.unwrap_or(i64::MIN);
    let multipliers = if claim.is_some() { multipliers(&model)? } else { Multipliers::default() };
    let mut log = Box::new(Log::new(model.vars()));
    log.axioms = model.axioms.iter().map(|axiom| note_axiom(axiom, &model, &mut log)).collect();
    let mut log = Some(log);
    let untied = model.clone();
    if model.may_tie() && (0..model.edges() as Var).all(|edge| loses_nothing(edge, &model)) {
        match Ties::find(&model, floor, &mut log) {
            Some(ties) => {
                let names = log.as_mut()?;
                names.axioms = names
                    .axioms
                    .iter()
                    .zip(&model.axioms)
                    .filter(|(_, axiom)| axiom.len() > 1)
                    .map(|(&name, _)| name)
                    .collect();
                names.noted = 0;
                ties.bind(&mut model);
            }
            None => return Some((multipliers, written(&*log?, &untied, budget)?)),
        }
    }
    // Two depots are one to the checker, and between them a border may be crossed an odd number of times.
    let config = Config { parity: config.parity && model.depots.len() < 2, ..config };
    let mut solver = Solver::with_log(&model, config, floor, log);
    match solver.search(work, budget.memory, &mut || budget.spent()) {
        Verdict::Refuted => Some((multipliers, written(&*solver.take_log()?, &untied, budget)?)),
        _ => None,
    }
}

/// Whether clauses may be what a proof is best made of: a better path misses few vertices.
pub(crate) fn may_derive(instance: &Instance, claim: Option<i64>) -> bool {
    let Some(model) = Model::new(instance) else { return false };
    let Some(claim) = claim else { return true };
    let room = model.most - SCALE * (i128::from(claim) + 1);
    let mut losses: Vec<i128> =
        (0..model.vertices as u32).map(|vertex| model.losses[model.skip(vertex).index()]).collect();
    losses.sort_unstable();
    let few = losses.iter().filter(|&&loss| loss > 0).take(MOST_MISSED as usize + 1).sum::<i128>();
    room < few
}

fn loses_nothing(edge: Var, model: &Model) -> bool {
    [Lit::positive(edge), Lit::negative(edge)].iter().all(|lit| model.losses[lit.index()] == 0)
}

/// Notes an axiom, if it is no matter of course there; returns its name.
fn note_axiom(axiom: &[Lit], model: &Model, log: &mut Log) -> u32 {
    let edges = model.edges();
    let hint = match *axiom {
        // That a depot is visited goes without saying, and so does that a given vertex is.
        [one, ..] if one.var() as usize >= edges => match model.depots.contains(&model.vertex_of_skip(one.var())) {
            true => return 0,
            false => log::Hint::Some,
        },
        [one, other] if !one.is_positive() && !other.is_positive() => {
            let [tail, head] = model.ends[one.var() as usize];
            log::Hint::Tip(if model.depots.contains(&tail) { head } else { tail })
        }
        [one, ..] => {
            let slots = model.slots_of(one.var());
            let of_depots: Vec<u32> =
                slots.into_iter().filter(|&slot| model.depots.contains(&model.vertex_of(slot))).collect();
            match of_depots[..] {
                [slot] => log::Hint::Degree(slot),
                // The edge between two depots.
                _ => return 0,
            }
        }
        [] => return 0,
    };
    log.add(axiom, &[hint])
}

/// The rows that give the losses of a model.
fn multipliers(model: &Model) -> Option<Multipliers> {
    let potentials = model.potentials();
    let mut rows = Vec::with_capacity(potentials.len());
    for (slot, &potential) in (0..).zip(&potentials) {
        let multiplier = i64::try_from(potential).ok().filter(|multiplier| multiplier.unsigned_abs() < 1 << 62)?;
        if multiplier != 0 {
            rows.push((degree(slot, model), multiplier));
        }
    }
    Some(Multipliers { scale: SCALE as i64, rows })
}

/// The row of a slot.
fn degree(slot: u32, model: &Model) -> Row {
    let vertex = model.vertex_of(slot);
    let is_out = slot == model.slot_out(vertex);
    match model.depots[..] {
        [depot] if depot == vertex && !model.is_directed => Row::Ends,
        [depot] if depot == vertex => {
            if is_out {
                Row::Starts
            } else {
                Row::Finishes
            }
        }
        [first, _] if first == vertex => Row::Starts,
        [_, last] if last == vertex => Row::Finishes,
        _ if !model.is_directed => Row::At(vertex),
        _ if is_out => Row::Out(vertex),
        _ => Row::In(vertex),
    }
}

/// The column of a variable.
fn column(var: Var, model: &Model) -> Column {
    if var as usize >= model.edges() {
        return Column::Visit(model.vertex_of_skip(var));
    }
    let [tail, head] = model.ends[var as usize];
    match (model.depots.contains(&tail), model.depots.contains(&head)) {
        (false, false) => Column::Edge(var),
        (true, _) if !model.is_directed && model.depots.len() == 1 => Column::Tip(head),
        (true, _) => Column::Start(head),
        (false, true) => Column::Finish(tail),
    }
}

/// What the last clause of a log takes, if that has no literals, and if there is memory and time for it.
fn written(log: &Log, model: &Model, budget: &Budget) -> Option<Derivation> {
    let count = log.clauses();
    if count == 0 || !log.clause(count).0.is_empty() {
        return None;
    }
    let is_used = used(log, budget)?;
    let mut writer = Writer {
        log,
        model,
        clauses: vec![0; count as usize + 1],
        columns: vec![0; model.vars()],
        sides: vec![u32::MAX; log.sides.all.len()],
        derivation: Derivation::default(),
    };
    let mut ties = log.ties.iter().peekable();
    let mut written = 0;
    for name in 1..=count {
        if is_used[name as usize] {
            writer.clause(name);
            writer.clauses[name as usize] = written;
            written += 1;
        }
        while let Some((pair, _)) = ties.next_if(|(_, after)| *after <= name) {
            let pair = pair.map(|name| writer.clauses[name as usize]);
            writer.derivation.items.push(Item::Tie(pair));
        }
        if name.is_multiple_of(CLAUSES_PER_LOOK) && budget.spent().is_some() {
            return None;
        }
    }
    Some(writer.derivation)
}

/// The names of the clauses that the last one takes, as long as there is memory for writing them down.
fn used(log: &Log, budget: &Budget) -> Option<FixedBitSet> {
    let count = log.clauses();
    let mut bytes = log.bytes();
    let mut is_used = FixedBitSet::with_capacity(count as usize + 1);
    is_used.insert(count as usize);
    log.ties.iter().flat_map(|(pair, _)| pair).for_each(|&name| is_used.insert(name as usize));
    for name in (1..=count).rev() {
        let (literals, hints) = log.clause(name);
        // What is given no hint names.
        if is_used[name as usize] || literals.len() == 1 {
            is_used.insert(name as usize);
            bytes += size_of::<Item>() + size_of_val(literals) + hints.len() * size_of::<Hint>();
            for hint in hints {
                if let log::Hint::Clause(other) = *hint {
                    is_used.insert(other as usize);
                }
            }
        }
        if bytes > budget.memory || name.is_multiple_of(CLAUSES_PER_LOOK) && budget.spent().is_some() {
            return None;
        }
    }
    Some(is_used)
}

/// Numbers what is used as it comes.
struct Writer<'l> {
    log: &'l Log,
    model: &'l Model,
    /// By name: the number of a clause that is used.
    clauses: Vec<u32>,
    /// By variable: its number among the columns, 0 if it has none yet.
    columns: Vec<i32>,
    /// By number in the log: that in the derivation.
    sides: Vec<u32>,
    derivation: Derivation,
}

impl Writer<'_> {
    fn clause(&mut self, name: u32) {
        let (literals, hints) = self.log.clause(name);
        let literals = literals.iter().map(|&lit| self.literal(lit)).collect();
        let hints = hints.iter().map(|&hint| self.hint(hint)).collect();
        self.derivation.items.push(Item::Clause { literals, hints });
    }

    fn literal(&mut self, lit: Lit) -> i32 {
        let var = lit.var() as usize;
        if self.columns[var] == 0 {
            self.derivation.named.push(column(lit.var(), self.model));
            self.columns[var] = self.derivation.named.len() as i32;
        }
        // Edges are chosen; vertices are skipped.
        let is_one = lit.is_positive() == (var < self.model.edges());
        if is_one { self.columns[var] } else { -self.columns[var] }
    }

    fn side(&mut self, number: u32) -> u32 {
        let number = number as usize;
        if self.sides[number] == u32::MAX {
            self.sides[number] = self.derivation.sides.len() as u32;
            self.derivation.sides.push(self.log.sides.all[number].clone());
        }
        self.sides[number]
    }

    fn hint(&mut self, hint: log::Hint) -> Hint {
        match hint {
            log::Hint::Clause(name) => Hint::Clause(self.clauses[name as usize]),
            log::Hint::Degree(slot) => Hint::Row(degree(slot, self.model)),
            log::Hint::Loss(lit) => Hint::Loss(self.literal(lit)),
            log::Hint::Overdrawn => Hint::Loss(0),
            log::Hint::Even(side) => Hint::Even(self.side(side)),
            log::Hint::Tip(vertex) => Hint::Row(Row::Tip(vertex)),
            log::Hint::Some => Hint::Row(Row::Some),
            log::Hint::Border(border, vertex) => {
                let Border { crossing, side, fixed, is_fixed_outside } = self.log.borders.all[border as usize];
                let place = |vertex: u32| self.model.place(vertex);
                let between =
                    if is_fixed_outside { [place(vertex), place(fixed)] } else { [place(fixed), place(vertex)] };
                Hint::Crossing(crossing, self.side(side), between)
            }
        }
    }
}

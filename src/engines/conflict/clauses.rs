//! The clauses: one arena, two watched literals each, and learnt ones in tiers by how many levels they join.
//!
//! Watched literals after M. Moskewicz, C. Madigan, Y. Zhao, L. Zhang, S. Malik, *Chaff: engineering an efficient SAT solver*,
//! DAC 2001, doi:10.1145/378239.379017; the number of levels as a measure of worth after G. Audemard, L. Simon, *Predicting
//! learnt clauses quality in modern SAT solvers*, IJCAI 2009; three tiers after C. Oh, *Between SAT and UNSAT: the fundamental
//! difference in CDCL SAT*, SAT 2015, doi:10.1007/978-3-319-24318-4_23.

use hashbrown::HashMap;

use super::literal::{Assignment, Lit, Reason};

/// Words before the literals of a clause, the one that is read most beside them: levels joined (0 for an axiom), whether used
/// lately, activity, its name in the log, 0 where none is kept, how many literals.
const HEADER: usize = 5;
const LEVELS: usize = 0;
const LATELY: usize = 1;
const ACTIVITY: usize = 2;
const NAME: usize = 3;
const SIZE: usize = 4;

/// Learnt clauses that join no more levels are kept for good; those that join no more than the second as long as they are used.
const CORE: u32 = 2;
const MIDDLE: u32 = 6;

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    /// Another literal of the clause; where it is true the clause needs no look.
    blocker: Lit,
}

/// All clauses of two or more literals.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    arena: Vec<u32>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    /// By literal: the other literals of its clauses of two.
    binary: Vec<Vec<Lit>>,
    binary_count: usize,
    /// The names of those in the log.
    names_of_pairs: HashMap<[u32; 2], u32>,
    learnt: usize,
    bump: f32,
}

impl Clauses {
    pub(super) fn new(vars: usize) -> Self {
        Clauses {
            watches: vec![Vec::new(); 2 * vars],
            binary: vec![Vec::new(); 2 * vars],
            bump: 1.0,
            ..Self::default()
        }
    }

    pub(super) fn add_var(&mut self) {
        self.watches.extend([Vec::new(), Vec::new()]);
        self.binary.extend([Vec::new(), Vec::new()]);
    }

    /// How many learnt clauses of three or more literals there are.
    pub(super) fn learnt(&self) -> usize {
        self.learnt
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.arena.capacity() * 4
            + self.watches.len() * 48
            + (self.arena.len() / 8) * size_of::<Watch>()
            + self.binary_count * 8
    }

    /// Adds a clause, two literals of which may be watched: the first two. `levels` is 0 for an axiom, `name` where no log is
    /// kept. Returns it as a reason for its first literal.
    pub(super) fn add(&mut self, lits: &[Lit], levels: u32, name: u32) -> Reason {
        debug_assert!(lits.len() >= 2);
        if let &[one, other] = lits {
            self.binary[one.index()].push(other);
            self.binary[other.index()].push(one);
            self.binary_count += 2;
            if name > 0 {
                self.names_of_pairs.insert(pair(one, other), name);
            }
            return Reason::Binary(other);
        }
        let clause = self.arena.len() as u32;
        self.arena.extend([levels, 1, self.bump.to_bits(), name, lits.len() as u32]);
        self.arena.extend(lits.iter().map(|lit| lit.code()));
        self.learnt += usize::from(levels > 0);
        self.watch(clause, lits[0], lits[1]);
        Reason::Clause(clause)
    }

    fn watch(&mut self, clause: u32, one: Lit, other: Lit) {
        self.watches[one.index()].push(Watch { clause, blocker: other });
        self.watches[other.index()].push(Watch { clause, blocker: one });
    }

    /// The name of a clause in the log.
    pub(super) fn name(&self, clause: u32) -> u32 {
        self.arena[clause as usize + NAME]
    }

    /// The name of the clause of these two literals, if that is in the log.
    pub(super) fn name_of_pair(&self, one: Lit, other: Lit) -> Option<u32> {
        self.names_of_pairs.get(&pair(one, other)).copied()
    }

    /// The literals of a clause.
    pub(super) fn lits(&self, clause: u32) -> impl Iterator<Item = Lit> + '_ {
        let begin = clause as usize + HEADER;
        self.arena[begin..begin + self.arena[clause as usize + SIZE] as usize].iter().map(|&code| Lit::from_code(code))
    }

    /// The clause was of use for a new one that joins so many levels.
    pub(super) fn used(&mut self, clause: u32, count_levels: impl FnOnce(&Self) -> u32) {
        let head = clause as usize;
        if self.arena[head + LEVELS] == 0 {
            return;
        }
        self.arena[head + LATELY] = 2;
        if self.arena[head + LEVELS] > CORE {
            let levels = count_levels(self).max(1);
            self.arena[head + LEVELS] = self.arena[head + LEVELS].min(levels);
        }
        let activity = f32::from_bits(self.arena[head + ACTIVITY]) + self.bump;
        self.arena[head + ACTIVITY] = activity.to_bits();
        if activity > 1e20 {
            self.rescale();
        }
    }

    /// Uses so far count less from now on.
    pub(super) fn decay(&mut self) {
        self.bump /= 0.999;
    }

    fn rescale(&mut self) {
        let mut head = 0;
        while head < self.arena.len() {
            self.arena[head + ACTIVITY] = (f32::from_bits(self.arena[head + ACTIVITY]) * 1e-20).to_bits();
            head += HEADER + self.arena[head + SIZE] as usize;
        }
        self.bump *= 1e-20;
    }

    /// What follows from `lit` having become true: assigns it, or returns a clause (or the clause of two) that is violated.
    pub(super) fn propagate(&mut self, lit: Lit, assignment: &mut Assignment) -> Result<(), Reason> {
        for &other in &self.binary[(!lit).index()] {
            if assignment.is_open(other) {
                assignment.assign(other, Reason::Binary(!lit));
            } else if assignment.is_false(other) {
                // The caller finds the first literal of the clause in the reason and the second in `lit`.
                return Err(Reason::Binary(other));
            }
        }
        let mut watches = std::mem::take(&mut self.watches[(!lit).index()]);
        let (mut from, mut to) = (0, 0);
        let mut violated = Ok(());
        'watches: while from < watches.len() {
            let watch = watches[from];
            from += 1;
            if assignment.is_true(watch.blocker) {
                watches[to] = watch;
                to += 1;
                continue;
            }
            let begin = watch.clause as usize + HEADER;
            let end = begin + self.arena[watch.clause as usize + SIZE] as usize;
            let lits = &mut self.arena[begin..end];
            if lits[0] == (!lit).code() {
                lits.swap(0, 1);
            }
            let first = Lit::from_code(lits[0]);
            if first != watch.blocker && assignment.is_true(first) {
                watches[to] = Watch { blocker: first, ..watch };
                to += 1;
                continue;
            }
            for place in 2..lits.len() {
                let candidate = Lit::from_code(lits[place]);
                if !assignment.is_false(candidate) {
                    lits.swap(1, place);
                    self.watches[candidate.index()].push(Watch { clause: watch.clause, blocker: first });
                    continue 'watches;
                }
            }
            watches[to] = watch;
            to += 1;
            if assignment.is_false(first) {
                violated = Err(Reason::Clause(watch.clause));
                break;
            }
            assignment.assign(first, Reason::Clause(watch.clause));
        }
        while from < watches.len() {
            watches[to] = watches[from];
            (from, to) = (from + 1, to + 1);
        }
        watches.truncate(to);
        self.watches[(!lit).index()] = watches;
        violated
    }

    /// Drops what is satisfied for good and half of the learnt clauses that join many levels and were of little use, and takes
    /// the literals out that are false for good. The assignment is that of level 0, and nothing follows from it any more.
    pub(super) fn reduce(&mut self, assignment: &Assignment) {
        let old = std::mem::take(&mut self.arena);
        let least = median_activity(&old);
        self.watches.iter_mut().for_each(Vec::clear);
        self.learnt = 0;
        let mut head = 0;
        let mut lits = Vec::new();
        while head < old.len() {
            let header = &old[head..head + HEADER];
            let (size, levels, lately) = (header[SIZE] as usize, header[LEVELS], header[LATELY]);
            let body = &old[head + HEADER..head + HEADER + size];
            let stays = match levels {
                0..=CORE => true,
                ..=MIDDLE if lately > 0 => true,
                _ => f32::from_bits(header[ACTIVITY]) > least,
            };
            lits.clear();
            lits.extend(body.iter().map(|&code| Lit::from_code(code)).filter(|&lit| !assignment.is_false(lit)));
            if stays
                && !lits.iter().any(|&lit| assignment.is_true(lit))
                && let Reason::Clause(clause) = self.add(&lits, levels, header[NAME])
            {
                self.arena[clause as usize + LATELY] = lately.saturating_sub(1);
                self.arena[clause as usize + ACTIVITY] = header[ACTIVITY];
            }
            head += HEADER + size;
        }
        self.sweep_binary(assignment);
    }

    /// Drops the clauses of two that are satisfied for good.
    fn sweep_binary(&mut self, assignment: &Assignment) {
        self.binary_count = 0;
        for code in 0..self.binary.len() as u32 {
            let row = &mut self.binary[code as usize];
            if !assignment.is_open(Lit::from_code(code)) {
                *row = Vec::new();
            }
            row.retain(|&other| assignment.is_open(other));
            self.binary_count += row.len();
        }
    }
}

/// The codes of two literals in order.
fn pair(one: Lit, other: Lit) -> [u32; 2] {
    [one.code().min(other.code()), one.code().max(other.code())]
}

/// The median of the activities of those clauses that may be dropped.
fn median_activity(arena: &[u32]) -> f32 {
    let mut activities = Vec::new();
    let mut head = 0;
    while head < arena.len() {
        if arena[head + LEVELS] > MIDDLE || arena[head + LEVELS] > CORE && arena[head + LATELY] == 0 {
            activities.push(f32::from_bits(arena[head + ACTIVITY]));
        }
        head += HEADER + arena[head + SIZE] as usize;
    }
    if activities.is_empty() {
        return 0.0;
    }
    let middle = activities.len() / 2;
    *activities.select_nth_unstable_by(middle, f32::total_cmp).1
}

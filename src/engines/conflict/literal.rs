//! Variables, literals, and what is assigned: the trail with levels, positions and reasons.

/// A variable of the model.
pub(super) type Var = u32;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) fn positive(var: Var) -> Self {
        Lit(var << 1)
    }

    pub(super) fn negative(var: Var) -> Self {
        Lit(var << 1 | 1)
    }

    /// The literal of this variable with this sign.
    pub(super) fn new(var: Var, is_positive: bool) -> Self {
        Lit(var << 1 | u32::from(!is_positive))
    }

    pub(super) fn from_code(code: u32) -> Self {
        Lit(code)
    }

    pub(super) fn code(self) -> u32 {
        self.0
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn var(self) -> Var {
        self.0 >> 1
    }

    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Why a literal is true. Where the reason is a constraint of the model, its literals are looked up only when asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was chosen, or it holds without conditions.
    None,
    /// The other literal of a clause of two, which is false.
    Binary(Lit),
    /// The clause that begins here.
    Clause(u32),
    /// The degree constraint has as many true edges as it may have.
    Full(u32),
    /// The degree constraint has too few edges left.
    Short(u32),
    /// The edge would close a cycle that leaves out a vertex which must be visited.
    Closing(Var),
    /// This edge closed a cycle, so all vertices outside of it are skipped.
    Closed(Var),
    /// Its loss is more than may still be lost.
    Loss,
    /// The literals kept here.
    Kept(u32),
}

/// The current partial assignment.
#[derive(Debug, Default)]
pub(super) struct Assignment {
    /// 1 true, −1 false, 0 open; by literal.
    value: Vec<i8>,
    level: Vec<u32>,
    position: Vec<u32>,
    reason: Vec<Reason>,
    trail: Vec<Lit>,
    /// Where the levels above 0 begin on the trail.
    starts: Vec<u32>,
}

impl Assignment {
    pub(super) fn add_var(&mut self) -> Var {
        let var = self.level.len() as Var;
        self.value.extend([0, 0]);
        self.level.push(0);
        self.position.push(0);
        self.reason.push(Reason::None);
        var
    }

    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.value[lit.index()] > 0
    }

    pub(super) fn is_false(&self, lit: Lit) -> bool {
        self.value[lit.index()] < 0
    }

    pub(super) fn is_open(&self, lit: Lit) -> bool {
        self.value[lit.index()] == 0
    }

    /// 1 where the variable is true, −1 where it is false, 0 where it is open.
    pub(super) fn value(&self, var: Var) -> i8 {
        self.value[(var << 1) as usize]
    }

    /// The level at which a variable was assigned.
    pub(super) fn level(&self, var: Var) -> u32 {
        self.level[var as usize]
    }

    /// When the variable was assigned: its position on the trail.
    pub(super) fn position(&self, var: Var) -> u32 {
        self.position[var as usize]
    }

    pub(super) fn reason(&self, var: Var) -> Reason {
        self.reason[var as usize]
    }

    pub(super) fn trail(&self) -> &[Lit] {
        &self.trail
    }

    pub(super) fn current_level(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Where a level begins on the trail.
    pub(super) fn start_of_level(&self, level: u32) -> usize {
        if level == 0 { 0 } else { self.starts[level as usize - 1] as usize }
    }

    pub(super) fn begin_level(&mut self) {
        self.starts.push(self.trail.len() as u32);
    }

    /// Makes an open literal true.
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(self.is_open(lit));
        self.value[lit.index()] = 1;
        self.value[(!lit).index()] = -1;
        let var = lit.var() as usize;
        self.level[var] = self.starts.len() as u32;
        self.position[var] = self.trail.len() as u32;
        self.reason[var] = reason;
        self.trail.push(lit);
    }

    /// Takes the last assignment back.
    pub(super) fn pop(&mut self) -> Option<(Lit, Reason)> {
        let lit = self.trail.pop()?;
        self.value[lit.index()] = 0;
        self.value[(!lit).index()] = 0;
        Some((lit, self.reason[lit.var() as usize]))
    }

    /// Forgets the levels above this one; their assignments have been taken back.
    pub(super) fn truncate_levels(&mut self, level: u32) {
        self.starts.truncate(level as usize);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.level.len() * (2 + 4 + 4 + size_of::<Reason>() + 4)
    }
}

//! How long a node is cut before it is split.

/// Rounds of cuts at a node below the root.
const ROUNDS_BELOW: u32 = 6;
/// The root goes on as long as the bound falls by this part of the gap in so many rounds; a sweep that waits for the multipliers
/// gains less by them.
const ROOT_PROGRESS: f64 = 0.004;
const ROOT_PROGRESS_BEFORE_SWEEP: f64 = 0.01;
const ROOT_PATIENCE: u32 = 8;
/// Where the target is known and every step is written down, a split brings more than such rounds.
const ROOT_PATIENCE_ON_RECORD: u32 = 3;
const ROOT_PATIENCE_BEFORE_SWEEP: u32 = 2;

/// Why a node is cut.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Search,
    Record,
    /// For the multipliers of the root.
    Sweep,
}

/// How the bound of a node falls, round by round.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    pub(super) is_root: bool,
    pub(super) rounds: u32,
    /// So many idle rounds are borne at the root.
    patience: u32,
    /// A round is idle unless the bound falls by this part of the gap.
    least_progress: f64,
    best_bound: f64,
    /// Rounds without much of a fall.
    idle: u32,
}

impl Progress {
    pub(super) fn new(is_root: bool, purpose: Purpose) -> Self {
        let (patience, least_progress) = match purpose {
            Purpose::Search => (ROOT_PATIENCE, ROOT_PROGRESS),
            Purpose::Record => (ROOT_PATIENCE_ON_RECORD, ROOT_PROGRESS),
            Purpose::Sweep => (ROOT_PATIENCE_BEFORE_SWEEP, ROOT_PROGRESS_BEFORE_SWEEP),
        };
        Progress { is_root, rounds: 0, patience, least_progress, best_bound: f64::INFINITY, idle: 0 }
    }

    pub(super) fn goes_on(&self) -> bool {
        if self.is_root { self.idle <= self.patience } else { self.rounds <= ROUNDS_BELOW && self.idle <= 1 }
    }

    /// A round has come to this bound, with so much to the best answer.
    pub(super) fn note(&mut self, bound: f64, gap: f64) {
        self.rounds += 1;
        self.idle = if self.best_bound - bound > self.least_progress * gap { 0 } else { self.idle + 1 };
        self.best_bound = self.best_bound.min(bound);
    }
}

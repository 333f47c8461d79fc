//! The engine's options.

/// The options of [`Conflict`](crate::Engine::Conflict). They change how soon the answer comes, not the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Breaks ties.
    pub(crate) seed: u64,
    /// Whether edges are chosen or ruled out first.
    pub(crate) phase: bool,
    /// Whether edges that would close short cycles are ruled out at once.
    pub(crate) closing: bool,
    /// Whether their reasons may be those around a fragment.
    pub(crate) short_reasons: bool,
    /// Whether cuts are crossed an even number of times.
    pub(crate) parity: bool,
    /// Whether clauses are minimised.
    pub(crate) minimise: bool,
    /// Decisions between looks at connectivity, at first; 0: never.
    pub(crate) connectivity: u64,
    /// Whether cycles through everything are looked for with lookahead, too.
    pub(crate) lookahead: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 0,
            phase: true,
            closing: true,
            short_reasons: true,
            parity: true,
            minimise: true,
            connectivity: 32,
            lookahead: true,
        }
    }
}

impl Config {
    /// Whether an edge that is decided on for the first time is chosen; if not, it is ruled out. \[default: true\]
    #[must_use]
    pub fn choose_first(mut self, choose: bool) -> Self {
        self.phase = choose;
        self
    }

    /// Whether edges that would close a short cycle are ruled out at once, and not only when they have. \[default: true\]
    #[must_use]
    pub fn rule_out_short_cycles(mut self, rule_out: bool) -> Self {
        self.closing = rule_out;
        self
    }

    /// Whether the reason for ruling such an edge out may be the edges that leave the fragment, where those are fewer than the
    /// edges along it. \[default: true\]
    #[must_use]
    pub fn short_reasons(mut self, short: bool) -> Self {
        self.short_reasons = short;
        self
    }

    /// Whether to use that a cycle crosses every cut an even number of times. \[default: true\]
    #[must_use]
    pub fn parity(mut self, parity: bool) -> Self {
        self.parity = parity;
        self
    }

    /// Whether what follows from the rest of a clause is left out of it. \[default: true\]
    #[must_use]
    pub fn minimise(mut self, minimise: bool) -> Self {
        self.minimise = minimise;
        self
    }

    /// After how many decisions to look again whether what is left hangs together; 0: never. That is at first: the more is found,
    /// the more often. \[default: 32\]
    #[must_use]
    pub fn decisions_between_looks(mut self, decisions: u64) -> Self {
        self.connectivity = decisions;
        self
    }

    /// Whether cycles through everything, or all but one vertex, are looked for with lookahead as well where what is learnt joins most
    /// decisions. \[default: true\]
    #[must_use]
    pub fn lookahead(mut self, lookahead: bool) -> Self {
        self.lookahead = lookahead;
        self
    }
}

//! How far a search by falling gap looks next.

/// How far below the bound to look next: so far that the sweep is expected to cost a few times the last.
pub(super) struct Gaps {
    unit: i64,
    /// A sweep this cheap is not worth a small step.
    cheap: f64,
    /// The next sweep is expected to cost so many times the last.
    growth: f64,
    pub(super) gap: i64,
    /// The gap and states of the last sweeps that found nothing.
    pub(super) tried: Vec<(i64, f64)>,
}

impl Gaps {
    pub(super) fn new(mean_gain: i64, cheap: f64, growth: f64) -> Self {
        let unit = (mean_gain / 8).max(1);
        Gaps { unit, cheap, growth, gap: 0, tried: Vec::new() }
    }

    pub(super) fn next(&mut self) -> i64 {
        let more = match self.tried[..] {
            [.., (gap_before, states_before), (gap, states)] if states > states_before && gap > gap_before => {
                let growth = (states / states_before.max(1.0)).ln() / (gap - gap_before) as f64;
                let factor = (self.cheap / states).max(self.growth);
                ((factor.ln() / growth) as i64).clamp(self.unit, gap.max(self.unit).saturating_mul(3))
            }
            [.., (gap, _)] => gap.saturating_mul(2),
            _ => self.unit,
        };
        self.gap = self.gap.saturating_add(more);
        self.gap
    }

    /// The sweep to the gap given last found nothing, and had this many states.
    pub(super) fn failed(&mut self, states: f64) {
        self.tried.push((self.gap, states));
    }
}

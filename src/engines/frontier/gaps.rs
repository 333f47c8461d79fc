//! How far a search by falling gap looks next.

/// A sweep down to the best path known has the last word. Where it is expected to cost no more times what the next one would, it
/// comes at once: mostly there is nothing better between.
const NEAR: f64 = 16.0;
/// Where nothing is known yet of what gaps cost, it is near where its gap is no more than so much larger.
const LITTLE_LARGER: f64 = 1.3;

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

    /// The next gap, no less than this, or that of the best path known if that is near.
    pub(super) fn next(&mut self, least: i64, known: Option<i64>) -> i64 {
        let (more, growth) = match self.tried[..] {
            [.., (gap_before, states_before), (gap, states)] if states > states_before && gap > gap_before => {
                let growth = (states / states_before.max(1.0)).ln() / (gap - gap_before) as f64;
                let factor = (self.cheap / states).max(self.growth);
                let more = (factor.ln() / growth) as i64;
                (more.clamp(self.unit, gap.max(self.unit).saturating_mul(3)), growth)
            }
            [.., (gap, _)] => (gap.saturating_mul(2), f64::INFINITY),
            _ => (self.unit, f64::INFINITY),
        };
        self.gap = self.gap.saturating_add(more).max(least);
        let is_near = |known: i64| {
            let is_cheap = (known - self.gap) as f64 * growth <= NEAR.ln();
            is_cheap || growth.is_infinite() && known as f64 <= LITTLE_LARGER * self.gap as f64
        };
        if let Some(known) = known.filter(|&known| known > self.gap && is_near(known)) {
            self.gap = known;
        }
        self.gap
    }

    /// The sweep to the gap given last found nothing, and had this many states.
    pub(super) fn failed(&mut self, states: f64) {
        self.tried.push((self.gap, states));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_path_is_taken_where_it_is_near() {
        let gaps = || {
            let mut gaps = Gaps::new(8, 0.0, 2.0);
            for (gap, states) in [(10, 1000.0), (20, 2000.0)] {
                gaps.gap = gap;
                gaps.failed(states);
            }
            gaps
        };
        // Twice the states for every ten.
        assert_eq!(gaps().next(0, None), 30);
        assert_eq!(gaps().next(0, Some(45)), 45);
        assert_eq!(gaps().next(0, Some(65)), 65);
        assert_eq!(gaps().next(0, Some(75)), 30);
        assert_eq!(gaps().next(0, Some(25)), 30);
        assert_eq!(gaps().next(40, Some(75)), 75);
        let new = || Gaps::new(8, 0.0, 2.0);
        assert_eq!(new().next(0, Some(2)), 1);
        assert_eq!(new().next(10, Some(13)), 13);
        assert_eq!(new().next(10, Some(14)), 10);
    }
}

//! The two greatest numbers of many, each with where it is from.

/// Of equal numbers the one from the greater place comes first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TopTwo {
    pub(super) best: Option<(i128, usize)>,
    pub(super) second: Option<(i128, usize)>,
}

impl TopTwo {
    /// The top two of these, as far as there is a number at all.
    pub(super) fn of(numbers: impl Iterator<Item = (Option<i128>, usize)>) -> Self {
        let mut top = TopTwo::default();
        for (number, place) in numbers {
            if let Some(number) = number {
                top.offer(number, place);
            }
        }
        top
    }

    pub(super) fn offer(&mut self, number: i128, place: usize) {
        let offered = Some((number, place));
        if offered > self.best {
            self.second = self.best;
            self.best = offered;
        } else {
            self.second = self.second.max(offered);
        }
    }

    /// The greatest sum of one of these and one of the others, from different places.
    pub(super) fn beside(&self, others: &TopTwo) -> Option<i128> {
        let (best, other) = (self.best?, others.best?);
        if best.1 != other.1 {
            return Some(best.0 + other.0);
        }
        let one = self.second.map(|second| second.0 + other.0);
        let two = others.second.map(|second| best.0 + second.0);
        one.max(two)
    }
}

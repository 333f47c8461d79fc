//! Looks at the limits that cost nothing where work comes in small steps.

use crate::Stop;
use crate::limits::Meter;

/// Asks the limits once in so many steps of work.
pub(super) struct Watch {
    meter: Option<Meter>,
    steps: usize,
}

/// So many words are written, or a quarter as many places looked up, in about a millisecond.
const STEPS_PER_LOOK: usize = 1 << 18;

impl Watch {
    /// Under these limits. A first look is taken after as many steps as before any other, so that small work is always done.
    pub(super) fn new(meter: &Meter) -> Self {
        Watch { meter: Some(meter.clone()), steps: 0 }
    }

    /// Under no limits.
    pub(super) fn unlimited() -> Self {
        Watch { meter: None, steps: 0 }
    }

    /// Some steps have been done; an error if the limits are spent.
    #[track_caller]
    pub(super) fn steps(&mut self, steps: usize) -> Result<(), Stop> {
        self.steps += steps;
        if self.steps < STEPS_PER_LOOK {
            return Ok(());
        }
        self.steps = 0;
        self.meter.as_ref().and_then(Meter::spent).map_or(Ok(()), Err)
    }
}

//! What stages know of the question as a whole, and who hears of them.

use crate::engine::Method;
use crate::instance::{Monitor, Run, Silent};
use crate::reduce::Reductions;

/// What all stages of the automatic engine know.
pub(crate) struct Context {
    pub(super) reductions: Reductions,
    /// Whether every connected component has been asked already whether it is a line graph.
    pub(super) components_were_asked: bool,
}

/// What the paths of a part mean for the question as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// Their values are lengths of whole paths; `rest` bounds every path that is not of this part.
    Whole { rest: i64 },
    /// They are segments that something is still to be added to.
    Part,
}

/// Passes on what an engine reports about a part, where it means something for the whole.
pub(crate) struct Scoped<'r, 'a> {
    pub(super) run: &'r mut Run<'a>,
    pub(super) scope: Scope,
}

impl Monitor for Scoped<'_, '_> {
    fn incumbent(&mut self, value: i64) {
        if let Scope::Whole { .. } = self.scope {
            self.run.incumbent(value);
        }
    }

    fn bound(&mut self, upper: i64) {
        if let Scope::Whole { rest } = self.scope {
            self.run.bound(upper.max(rest));
        }
    }

    fn layer(&mut self, states: usize, bytes: usize) {
        self.run.layer(states, bytes);
    }
}

/// Hears, beside what engines report, which of them is at work and why.
pub(crate) trait Log: Monitor {
    /// What is heard now comes from this engine.
    fn works(&mut self, method: Method);
    /// Adds a decision to the record.
    fn note(&mut self, decision: String);
    /// The frontier program has settled the part along this order.
    fn swept(&mut self, _order: &[u32]) {}
}

impl dyn Log + '_ {
    /// What is heard now comes from this engine.
    pub(crate) fn at_work(&mut self, method: impl Into<Method>) {
        self.works(method.into());
    }

    /// From here on this engine is at work.
    pub(crate) fn enter(&mut self, method: impl Into<Method>, why: String) {
        self.works(method.into());
        self.note(why);
    }
}

impl Log for Silent {
    fn works(&mut self, _method: Method) {}
    fn note(&mut self, _decision: String) {}
}

impl Log for Scoped<'_, '_> {
    fn works(&mut self, method: Method) {
        self.run.at_work(method);
    }

    fn note(&mut self, decision: String) {
        self.run.note(decision);
    }

    fn swept(&mut self, order: &[u32]) {
        self.run.swept(order);
    }
}

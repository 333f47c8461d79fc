//! What can be asked of a run beside the question: an engine with its options, limits, and when to stop.

use crate::engines::EngineConfig;
use crate::error::Error;
use crate::instance::Goal;
use crate::limits::Limits;

/// The options that do not depend on the type of the graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) engine: EngineConfig,
    pub(crate) limits: Limits,
    pub(crate) goal: Goal,
    pub(crate) readable_proof: bool,
    /// What is wrong with the request, where that was seen before it was answered.
    pub(crate) flaw: Option<Error>,
}

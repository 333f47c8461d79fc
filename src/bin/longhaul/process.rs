//! What every command needs to know of the process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What every command needs to know of the process.
pub(crate) struct Process {
    pub(crate) began: Instant,
    /// Raised by a signal, or by an output that nobody reads any more.
    pub(crate) interrupt: Arc<AtomicBool>,
}

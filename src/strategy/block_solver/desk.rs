//! Between two threads on one part: what the linear program of one uses, the other sweeps for a better path, so that the first loses no
//! time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::engines::branch_and_cut::Uses;

/// A note of what the program uses, with the time for sweeps of it.
pub(super) type Note = (Uses, Duration);

#[derive(Debug, Default)]
pub(super) struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The latest note that was not read yet.
    note: Option<Note>,
    is_read: bool,
    is_past_root: bool,
}

impl Desk {
    pub(super) fn new(is_past_root: bool) -> Self {
        Desk { state: Mutex::new(State { is_past_root, ..State::default() }), ..Desk::default() }
    }

    /// From here on somebody reads what is put here, or no longer.
    pub(super) fn read(&self, is_read: bool) {
        let mut state = self.state();
        state.is_read = is_read;
        state.note = None;
    }

    /// Puts a note here; `false` if nobody reads, or has not come to the last one yet, whose time this one has then.
    pub(super) fn put(&self, uses: &Uses, patience: Duration) -> bool {
        let mut state = self.state();
        let is_idle = state.is_read && state.note.is_none();
        if state.is_read {
            let patience = state.note.take().map_or(patience, |(_, before)| before);
            state.note = Some((uses.clone(), patience));
            self.changed.notify_all();
        }
        is_idle
    }

    /// Takes the note, if there is one.
    pub(super) fn take(&self) -> Option<Note> {
        self.state().note.take()
    }

    /// Waits so long for a note, no longer than the program is cut at its root.
    pub(super) fn wait(&self, most: Duration) -> Option<Note> {
        let is_idle = |state: &mut State| state.note.is_none() && !state.is_past_root;
        let waited = self.changed.wait_timeout_while(self.state(), most, is_idle);
        waited.unwrap_or_else(PoisonError::into_inner).0.note.take()
    }

    pub(super) fn is_read(&self) -> bool {
        self.state().is_read
    }

    /// Branch and cut is past its root, and may have use for two threads.
    pub(super) fn pass_root(&self) {
        self.state().is_past_root = true;
        self.changed.notify_all();
    }

    pub(super) fn is_past_root(&self) -> bool {
        self.state().is_past_root
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::branch_and_cut::Search;
    use crate::instance::{Ends, Instance};
    use crate::view::CsrGraph;

    #[test]
    fn notes_wait_for_a_reader_who_is_not_busy() {
        let ends = Ends::Closed { through: None };
        let instance = Instance { graph: CsrGraph::from_simple(0, false, Vec::new()), ends };
        let uses = || Search::<crate::lp::Simplex>::new(&instance, None, 0, 0).uses();
        let [short, long] = [1, 2].map(Duration::from_millis);
        let desk = Desk::new(false);
        assert!(!desk.put(&uses(), short), "nobody reads");
        desk.read(true);
        assert!(desk.take().is_none());
        assert!(desk.put(&uses(), short));
        assert!(!desk.put(&uses(), long), "the last one was not read");
        assert_eq!(desk.wait(Duration::MAX).map(|(_, patience)| patience), Some(short));
        assert!(desk.put(&uses(), long) && desk.take().is_some());
        assert!(desk.wait(short).is_none());
        desk.pass_root();
        assert!(desk.is_past_root() && desk.wait(Duration::MAX).is_none());
        desk.read(false);
        assert!(!desk.put(&uses(), long));
    }
}

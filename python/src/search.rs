//! A search beside the interpreter: it runs on a thread of its own without the GIL, while the thread that called waits, looks
//! for Ctrl-C twenty times a second, and tells the caller's function of every improvement.
//!
//! A search that is to end is asked to by its interrupt flag. After Ctrl-C, or an exception from the caller's function, nobody
//! waits for it longer than a moment: it holds nothing of Python's and ends by itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use longhaul::Progress;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often the waiting thread looks for signals.
const TICK: Duration = Duration::from_millis(50);

/// How long a search that was asked to end is waited for, if its answer is not wanted any more.
const GRACE: Duration = Duration::from_millis(150);

/// Stacks are as large as those of a main thread.
const STACK: usize = 8 << 20;

/// So many messages may wait; a search that is ahead of whoever listens pauses.
const MOST_WAITING: usize = 256;

/// What a search tells.
pub(crate) enum Message<T> {
    Progress(Progress),
    Item(T),
}

/// The search's end of the wire.
pub(crate) struct Teller<T> {
    sender: SyncSender<Message<T>>,
    interrupt: Arc<AtomicBool>,
}

impl<T> Teller<T> {
    /// The flag that ends the search.
    pub(crate) fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// What is to be called at every improvement.
    pub(crate) fn observer(&self) -> impl FnMut(&Progress) + Send + use<T>
    where
        T: Send,
    {
        let sender = self.sender.clone();
        // Whoever does not listen any more has raised the flag as well.
        move |progress| _ = sender.send(Message::Progress(progress.clone()))
    }

    /// Hands over something found; false if nobody listens any more.
    pub(crate) fn give(&self, item: T) -> bool {
        self.sender.send(Message::Item(item)).is_ok()
    }
}

/// The waiting end.
pub(crate) struct Search<T> {
    receiver: Mutex<Receiver<Message<T>>>,
    interrupt: Arc<AtomicBool>,
    callback: Option<Py<PyAny>>,
}

impl<T: Send + 'static> Search<T> {
    /// Begins a search, which gives what it finds to its [`Teller`].
    pub(crate) fn begin(
        callback: Option<Py<PyAny>>,
        job: impl FnOnce(&Teller<T>) + Send + 'static,
    ) -> PyResult<Search<T>> {
        let (sender, receiver) = mpsc::sync_channel(MOST_WAITING);
        let interrupt = Arc::new(AtomicBool::new(false));
        let teller = Teller { sender, interrupt: interrupt.clone() };
        let thread = Builder::new().name("longhaul".to_owned()).stack_size(STACK);
        thread.spawn(move || job(&teller))?;
        Ok(Search { receiver: Mutex::new(receiver), interrupt, callback })
    }

    /// The next that was found; `None` when the search is over.
    ///
    /// # Errors
    /// What a signal handler or the caller's function raises.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            match py.detach(|| self.receive(TICK)) {
                Ok(Message::Item(item)) => return Ok(Some(item)),
                Ok(Message::Progress(progress)) => self.tell(py, &progress).map_err(|error| self.abandon(py, error))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
            py.check_signals().map_err(|error| self.abandon(py, error))?;
        }
    }

    /// The one answer of a search that gives one.
    ///
    /// # Errors
    /// As [`next`](Self::next); or if the search panicked, which would be a defect of longhaul.
    pub(crate) fn answer(self, py: Python<'_>) -> PyResult<T> {
        self.next(py)?.ok_or_else(|| {
            PyRuntimeError::new_err("the search ended without an answer: a defect of longhaul, told on standard error")
        })
    }

    /// Tells the caller's function of an improvement; true from it ends the search.
    fn tell(&self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        let Some(callback) = &self.callback else { return Ok(()) };
        let row =
            (progress.elapsed.as_secs_f64(), progress.incumbent, progress.upper_bound, progress.method.to_owned());
        if callback.bind(py).call1(row)?.is_truthy()? {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Ends a search whose answer is not wanted any more.
    fn abandon(&self, py: Python<'_>, error: PyErr) -> PyErr {
        self.interrupt.store(true, Ordering::Relaxed);
        py.detach(|| {
            let until = Instant::now() + GRACE;
            while let Ok(Message::Progress(_)) = self.receive(until.saturating_duration_since(Instant::now())) {}
        });
        error
    }

    fn receive(&self, within: Duration) -> Result<Message<T>, RecvTimeoutError> {
        self.receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(within)
    }
}

/// A search that nobody waits for any more ends.
impl<T> Drop for Search<T> {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

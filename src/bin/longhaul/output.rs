//! Standard output, which may be closed before everything is said.

use std::io::{self, BufWriter, ErrorKind, Stdout, Write};

use crate::failure::Failure;

/// Standard output. After its reader has gone away, the rest is dropped silently.
pub(crate) struct Output {
    writer: BufWriter<Stdout>,
    error: Option<io::Error>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Output { writer: BufWriter::new(io::stdout()), error: None }
    }

    /// Writes unless writing has failed before.
    pub(crate) fn write(&mut self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.error.is_none()
            && let Err(error) = content(&mut self.writer)
        {
            self.error = Some(error);
        }
    }

    /// Whether writing has failed before, so that all that follows is in vain.
    pub(crate) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes one line and sends it off; `false` if that was in vain.
    pub(crate) fn write_now(&mut self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> bool {
        self.write(content);
        self.write_flush();
        self.error.is_none()
    }

    fn write_flush(&mut self) {
        if self.error.is_none()
            && let Err(error) = self.writer.flush()
        {
            self.error = Some(error);
        }
    }

    /// Sends off the rest.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.write_flush();
        match self.error {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::new(format!("standard output: cannot be written: {error}")))
            }
            _ => Ok(()),
        }
    }
}

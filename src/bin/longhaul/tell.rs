//! Standard error.

use std::io::{self, Write};

/// A line for standard error. If nobody can hear it there, nobody can be told.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

//! Errors of the library as exceptions of the package.

use longhaul::{Error, ErrorKind};
use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(longhaul._errors, LonghaulError);
import_exception!(longhaul._errors, NotInGraphError);
import_exception!(longhaul._errors, TooLargeError);
import_exception!(longhaul._errors, ContradictionError);
import_exception!(longhaul._errors, GraphFormatError);

/// The exception for an error, with its text.
pub(crate) fn raised(error: &Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::NotInGraph => NotInGraphError::new_err(text),
        ErrorKind::GraphTooLarge | ErrorKind::WeightsTooLarge | ErrorKind::LineGraphTooLarge => {
            TooLargeError::new_err(text)
        }
        ErrorKind::Contradiction => ContradictionError::new_err(text),
        _ => LonghaulError::new_err(text),
    }
}

/// A request that is out of range before the library sees it.
pub(crate) fn contradiction(text: String) -> PyErr {
    ContradictionError::new_err(text)
}

/// Whatever else the library refuses.
pub(crate) fn refused(text: String) -> PyErr {
    LonghaulError::new_err(text)
}

/// A file that cannot be read.
pub(crate) fn unreadable(error: impl std::fmt::Display) -> PyErr {
    GraphFormatError::new_err(error.to_string())
}

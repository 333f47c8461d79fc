//! `--proof FILE`: the proof of an answer, in a file of its own.

use std::path::Path;

use longhaul::{Solution, io};

use crate::failure::Failure;
use crate::tell::tell;

/// Whether the file shall be one for people.
pub(crate) fn is_readable(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "txt")
}

/// Saves the proof, or says why there is none.
pub(crate) fn save<N, E>(file: Option<&Path>, solution: &Solution<N, E>) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    match solution.witness() {
        Ok(proof) => Ok(io::save(file, |out| out.write_all(proof))?),
        Err(why) => {
            tell(&format!("no proof was found, and '{}' is not written: {why}", file.display()));
            Ok(())
        }
    }
}

//! Files that are written whole or not at all.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::error::FileError;

/// Writes a file through `content`: into a new file beside it, which takes its place only when everything is written.
///
/// # Errors
/// If writing fails; then an older file of this name is as it was.
pub fn save(path: &Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), FileError> {
    let name = path.display().to_string();
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::new(fs::File::create_new(&beside)?);
        content(&mut out)?;
        out.into_inner()?.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        // If the new file is not there, there is nothing to tidy up.
        let _ = fs::remove_file(&beside);
        FileError::system(&name, "written", error)
    })
}

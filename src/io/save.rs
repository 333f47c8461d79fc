//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::error::FileError;

/// The new files of all saves under way.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the unfinished files of all saves under way, and lets none go on or begin: for whoever ends the process now, on a
/// signal say, before `save` can tidy up itself.
pub fn abandon_saves() {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in unfinished.drain(..) {
        // What is not there yet, or not any more, needs no tidying.
        let _ = fs::remove_file(path);
    }
    // Who wants to begin or to finish a save waits from now on.
    std::mem::forget(unfinished);
}

/// Writes a file through `content`: into a new file beside it, which takes its place only when everything is written.
///
/// A symbolic link stays one: the file that it leads to is replaced. What is no regular file (a device, a pipe) can be
/// neither kept nor replaced, so it is written to as it stands.
///
/// The new file is called like the other with the number of the process and `.part` behind. A process that is killed leaves it
/// there, unless it hears of that and calls [`abandon_saves`].
///
/// # Errors
/// If writing fails; then an older file of this name is as it was.
pub fn save(path: &Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), FileError> {
    let written = match fs::metadata(path) {
        Ok(old) if !old.is_file() => write_into(path, content),
        Ok(old) => fs::canonicalize(path).and_then(|target| replace(&target, Some(old.permissions()), content)),
        Err(_) => replace(path, None, content),
    };
    written.map_err(|error| FileError::system(&path.display().to_string(), "written", error))
}

fn write_into(path: &Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
    content(&mut out)?;
    out.flush()
}

fn replace(
    target: &Path,
    permissions: Option<fs::Permissions>,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut beside = target.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    let unfinished = || UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let write = || -> std::io::Result<()> {
        unfinished().push(beside.clone());
        let mut out = BufWriter::new(File::create_new(&beside)?);
        content(&mut out)?;
        let file = out.into_inner()?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        Ok(())
    };
    let written = write();
    // From here on nobody abandons it any more.
    let mut unfinished = unfinished();
    unfinished.retain(|other| *other != beside);
    written.and_then(|()| fs::rename(&beside, target)).inspect_err(|_| {
        // If the new file is not there, there is nothing to tidy up.
        let _ = fs::remove_file(&beside);
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("longhaul-save-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_failure_leaves_the_older_file_and_no_other() {
        let folder = folder("failure");
        let path = folder.join("kept");
        save(&path, |out| out.write_all(b"old")).unwrap();
        let failed = save(&path, |out| out.write_all(b"new").and(Err(std::io::Error::other("no room"))));
        assert!(failed.unwrap_err().to_string().contains("no room"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = folder("link");
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        save(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_pipe_is_written_to_and_not_replaced() {
        let folder = folder("pipe");
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
                text
            }
        });
        save(&pipe, |out| out.write_all(b"through")).unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        fs::remove_dir_all(folder).unwrap();
    }
}

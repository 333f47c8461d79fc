//! The instances of a folder or an index.

use std::path::{Path, PathBuf};

use longhaul::io::{Decimal, Format};

use crate::failure::Failure;
use crate::input::read_text;

/// What is asked, and what is known of the answer.
pub(super) struct Instance {
    pub(super) file: String,
    pub(super) path: PathBuf,
    pub(super) ends: [Option<String>; 2],
    pub(super) lower: Option<Decimal>,
    pub(super) upper: Option<Decimal>,
}

/// From the index, or from the folder.
pub(super) fn instances(place: &Path, only: Option<&str>) -> Result<Vec<Instance>, Failure> {
    let index = if place.is_dir() { place.join("INDEX.tsv") } else { place.to_owned() };
    let mut instances = if index.is_file() { of_index(&index)? } else { of_folder(place)? };
    if let Some(text) = only {
        instances.retain(|instance| instance.file.contains(text));
    }
    match instances.is_empty() {
        true => Err(Failure::new(format!("{}: there is no instance to solve", place.display()))),
        false => Ok(instances),
    }
}

fn of_index(index: &Path) -> Result<Vec<Instance>, Failure> {
    let (name, text) = read_text(index)?;
    let folder = index.parent().unwrap_or(Path::new(""));
    let mut rows = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let wrong = |line: usize, expected: &str| Failure::new(format!("{name}:{}: expected {expected}", line + 1));
    let (line, header) = rows.next().ok_or_else(|| wrong(0, "a row with the names of the columns"))?;
    let names: Vec<&str> = header.split('\t').collect();
    let column = |name: &str| names.iter().position(|known| *known == name);
    let file = column("file").ok_or_else(|| wrong(line, "a column 'file', with tabs between the columns"))?;
    let mut instances = Vec::new();
    for (line, row) in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let cell = |column: Option<usize>| column.and_then(|column| cells.get(column)).copied().unwrap_or("-");
        let length = |column: Option<usize>| match cell(column) {
            "-" | "" => Ok(None),
            text => {
                text.parse::<Decimal>().map(Some).map_err(|_| wrong(line, &format!("a length or '-', not '{text}'")))
            }
        };
        // A table of many small instances is no instance.
        if cell(column("format")).ends_with("-table") {
            continue;
        }
        let end = |column: Option<usize>| Some(cell(column)).filter(|end| !["-", "*"].contains(end)).map(str::to_owned);
        let file = cell(Some(file)).to_owned();
        instances.push(Instance {
            path: folder.join(&file),
            file,
            ends: [end(column("from")), end(column("to"))],
            lower: length(column("lower"))?,
            upper: length(column("upper"))?,
        });
    }
    Ok(instances)
}

/// All files below whose extension is that of a graph, by name.
fn of_folder(place: &Path) -> Result<Vec<Instance>, Failure> {
    let unreadable = |error: std::io::Error| Failure::new(format!("{}: cannot be read: {error}", place.display()));
    let mut files = Vec::new();
    let mut folders = vec![place.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if Format::from_extension(&path.display().to_string()).is_some() {
                files.push(path);
            }
        }
    }
    files.sort();
    let instance = |path: PathBuf| Instance {
        file: path.strip_prefix(place).unwrap_or(&path).display().to_string(),
        path,
        ends: [None, None],
        lower: None,
        upper: None,
    };
    Ok(files.into_iter().map(instance).collect())
}

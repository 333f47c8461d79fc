//! Reads the tables of the corpus `graphs/`: its index, and the tables of small instances.
//!
//! Use it from any test with `mod corpus;`, and from a bench or example with a `#[path]` in front.

use std::collections::HashMap;
use std::ops::Index;
use std::path::{Path, PathBuf};

/// One line of a table: cells by the names of their columns, `row["lower"]`.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    cells: HashMap<String, String>,
}

/// The rows of a table, `INDEX.tsv` or another; lines that begin with `#` are comments, the first other line names the
/// columns. Panics if the table is not as it should be.
pub(crate) fn table(file: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().expect("a line of column names").split('\t').collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), columns.len(), "{file}: {line}");
        Row { cells: columns.iter().zip(cells).map(|(&column, cell)| (column.to_owned(), cell.to_owned())).collect() }
    };
    lines.map(row).collect()
}

/// The place of a file of the corpus, which lies beside this package, or one folder above it (for the benches).
pub(crate) fn path(file: &str) -> PathBuf {
    let mut corpora = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("graphs"));
    corpora.find(|corpus| corpus.is_dir()).expect("a folder `graphs`").join(file)
}

impl Index<&str> for Row {
    type Output = str;

    fn index(&self, column: &str) -> &str {
        self.cells.get(column).unwrap_or_else(|| panic!("the table has no column '{column}'"))
    }
}

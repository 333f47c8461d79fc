//! The terms of proofs: columns and rows of the program that all steps share, and what a search leaves of it for a proof.

/// A column of the common program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Edge(u32),
    Visit(u32),
    /// Being an end, where ends are alike.
    Tip(u32),
    Start(u32),
    Finish(u32),
    /// An edge of a root meets no vertex that is visited.
    Lost(u32),
}

/// A row that every path obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    At(u32),
    Out(u32),
    In(u32),
    Ends,
    Starts,
    Finishes,
    /// A cut of the record, by its number.
    Cut(u32),
    /// An edge is used no more than this vertex is visited.
    Use(u32, u32),
    /// A vertex is an end no more than it is visited.
    Tip(u32),
    /// Something is visited.
    Some,
    /// An edge of a root is lost, or one of its ends is visited.
    Lost(u32),
}

/// What a row of kind [`Row::Cut`] is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cut {
    Set { inside: Vec<u32>, visited: u32, outer: Option<u32> },
    Blossom { inside: Vec<u32>, teeth: Vec<Column> },
}

impl std::hash::Hash for Column {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let (kind, number) = match *self {
            Column::Edge(number) => (0, number),
            Column::Visit(number) => (1, number),
            Column::Tip(number) => (2, number),
            Column::Start(number) => (3, number),
            Column::Finish(number) => (4, number),
            Column::Lost(number) => (5, number),
        };
        (kind, number).hash(state);
    }
}

/// Where a program of a search stood in the end: the columns in its basis, and the rows that bind. A program of the same question
/// that begins there has little left to do, and wherever it begins it comes to the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Basis {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// Those that rows name.
    pub(crate) cuts: Vec<Cut>,
}

impl Basis {
    /// Adds that of a program beside it.
    pub(crate) fn add(&mut self, other: Basis) {
        let before = self.cuts.len() as u32;
        self.columns.extend(other.columns);
        self.cuts.extend(other.cuts);
        self.rows.extend(other.rows.into_iter().map(|row| match row {
            Row::Cut(number) => Row::Cut(before + number),
            row => row,
        }));
    }
}

//! Options that commands share: which graph, which paths, what a run may spend, how the answer is printed.

pub(crate) mod graph;
pub(crate) mod limits;
pub(crate) mod output;
pub(crate) mod pictures;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod values;

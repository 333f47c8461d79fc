//! The line graph of a multigraph.

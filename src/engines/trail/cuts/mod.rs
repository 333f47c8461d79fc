//! Branch and cut on the root: a linear program over lines and vertices, cut down to the trails, and a tree of cases where that
//! is not enough. For sparse roots too wide for any sweep.
//!
//! The root of a line graph has far fewer columns than the line graph, and none of its symmetries: which of the edges at a
//! vertex a path takes in which order makes no difference here. The [`model`] says what a trail is to the program, the
//! [`support`] finds violated rows, the [`tree`] branches. Every bound is [proved](crate::lp::proof) in integers.
//!
//! The tree may have as many leaves as there are trails; memory is a few hundred bytes for every open node and every entry of a
//! row.

mod model;
mod support;
mod tree;

pub(super) use tree::{ALONE, solve};

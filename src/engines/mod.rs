//! The engines, a folder each: every one takes the uniform problem of [`instance`](crate::instance), and none knows another.

pub(crate) mod branch_and_bound;
pub(crate) mod branch_and_cut;
pub(crate) mod color_coding;
pub(crate) mod conflict;
pub(crate) mod frontier;
pub(crate) mod local_search;
pub(crate) mod reference;
pub(crate) mod sieve;
pub(crate) mod sweep;
pub(crate) mod trail;

//! The three programs of *Projet UNO* (P. Dorbec and C. Gavoille, Université de Bordeaux) as printed, to be read beside the
//! text and to measure by: backtracking, which pruned is an engine of its own for small graphs; the dynamic program over
//! signatures of bags; and color coding.

pub(crate) mod backtracking;
pub(crate) mod color_coding;
pub(crate) mod signature;

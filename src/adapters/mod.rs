//! Other worlds as graphs, and paths back into those worlds.

pub mod cubic;
pub mod dobble;
pub mod families;
pub mod reductions;
pub mod rummy;
pub mod uno;

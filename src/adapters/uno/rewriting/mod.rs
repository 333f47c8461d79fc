//! UNO as a game to search.

mod code;
mod deal;
mod game;
mod official;
mod packing;
mod position;
mod replay;
mod rules;
mod source_rules;
mod step;

pub use deal::{DealError, deal, full_deck};
pub use game::Game;
pub use replay::{BadRun, Replay, replay};
pub use rules::Rules;
pub use step::{Action, Step, UnknownStep};

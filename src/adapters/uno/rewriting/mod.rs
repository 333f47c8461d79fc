//! UNO as a game to search: who can win, how soon, in how many ways, and who can force it?
//!
//! | question | answered by |
//! |---|---|
//! | the positions that can come about, by depth; a shortest run after which a player has won | [`Game::exploration`] |
//! | the same in a full game under the official rules | [`Game::steps_to_win`] with [`run_deepening`](crate::explore::Exploration::run_deepening) |
//! | can a player force a win against all others? | [`Game::force`] |
//! | is this a run by the rules, or a strategy that wins? | [`replay()`], [`check_strategy`] |
//! | a game to play | [`deal`](deal()), [`GameFile`](crate::io::GameFile) |
//!
//! The rules are those of the source, rewriting rules in Maude, as printed or mended, or the official ones: [`Rules`]. In all
//! of them the order of the draw pile is known, and so is that of every shuffle; nothing is left to chance. "Can win" means
//! that all players help; "can force" that all others do not, each knowing all cards.
//!
//! How this reading of UNO relates to the longest sequence of a deck and to cooperative play by its match graph is told in
//! `docs/uno-readings.md`.
//!
//! Sources: Luca Fuligni, Michele Russo, Marco Zamponi, *Implementing UNO using Maude* (slides), for the rewriting rules and
//! the question; Appendix A of Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno,
//! *UNO is hard, even for a single player*, Theoretical Computer Science 521, 2014, DOI 10.1016/j.tcs.2013.11.023, for the
//! official ones.
//!
//! # Where the printed rules are at fault
//! - A wild card on another of its type is also thrown without a colour, since that rule asks whether the top has a colour and
//!   not whether the card has one. [`Rules::Mended`] asks for the card's.
//! - A shuffle leaves out what the players hold and the top of the pile. A wild card there has a colour, is not found in the
//!   shuffled deck, and comes a second time. [`Rules::MendedShuffle`] leaves it out. It is no part of `Mended`, since small
//!   games then run out of cards: nobody can draw what a plus4 demands, and the game stands still.
//! - All of the pile is part of a state, while the rules look at its top alone. [`Game::new`] keeps the top;
//!   [`Game::with_whole_pile`] counts states as the source does.
//!
//! # Example
//! ```
//! use longhaul::adapters::uno::rewriting::{Contest, Game, Rules, replay};
//! use longhaul::Limits;
//! use longhaul::io::GameFile;
//!
//! let text = b"A: 1,red 2,green\nB: 3,blue 4,blue\npile: 5,red\ndeck: 6,blue 2,red\nshuffle: 6,blue 2,red\n";
//! let file = GameFile::parse("example", text)?;
//! let game = Game::new(&file, Rules::Official);
//! let explored = game.exploration().until(0).run();
//! let win = explored.goals()[0].nearest.expect("A can win");
//! let steps = game.steps(&explored.way_to(win));
//! assert_eq!(replay(&file, Rules::Official, &steps), Ok(Some(0)));
//! assert_eq!(steps[0].to_string(), "A plays 1,red");
//! let graph = game.exploration().run_graph();
//! assert!(matches!(game.force(&file, &graph, 1), Contest::NoWin));
//! # Ok::<(), longhaul::io::FileError>(())
//! ```

mod code;
mod deal;
mod estimate;
mod game;
mod official;
mod packing;
mod position;
mod replay;
mod rules;
mod source_rules;
mod step;
mod strategy;

pub use deal::{DealError, deal, full_deck};
pub use game::{Contest, Game};
pub use replay::{BadRun, Replay, replay};
pub use rules::Rules;
pub use step::{Action, Step, UnknownStep};
pub use strategy::{Choices, check_strategy};

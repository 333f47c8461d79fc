//! A strategy played out against everything that the others can do.
//!
//! As in [`replay`](mod@super::replay), nothing of the search is asked: every reply of the others is tried, each step is judged by
//! the words of the rules, and no position may come back, so that every play ends with the win.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::replay::Replay;
use super::rules::Rules;
use super::step::Step;
use crate::io::{GameFile, player_name};

/// What a player does in each position that can come about, told as by [`Replay::describe`].
pub type Choices = BTreeMap<String, Step>;

/// How far a position has been followed up.
#[derive(Clone, Copy)]
enum Mark {
    /// It is part of the play at hand.
    OnTheWay,
    /// All plays from here end with the win, after so many steps at most.
    Won(usize),
}

/// A position of the play at hand, with the steps from it that are still to be tried.
struct Frame {
    position: Replay,
    steps: Vec<Step>,
    longest: usize,
}

/// After how many steps at most the player, counted from 0, has won by these choices, whatever the others do.
///
/// # Errors
/// If there is no choice for a position that comes about, if one is against the rules, or if a play comes to an end without
/// the win or back to where it was; in words.
///
/// # Complexity
/// Linear in the positions that come about and their steps.
pub fn check_strategy(file: &GameFile, rules: Rules, player: usize, choices: &Choices) -> Result<usize, String> {
    let mut marks: HashMap<Replay, Mark> = HashMap::new();
    let mut frames = Vec::new();
    let first = Replay::new(file, rules);
    let Some(frame) = open(&first, player, choices)? else { return Ok(0) };
    marks.insert(first, Mark::OnTheWay);
    frames.push(frame);
    loop {
        let frame = frames.last_mut().expect("the first position is still to be settled");
        let Some(step) = frame.steps.pop() else {
            let Frame { position, longest, .. } = frames.pop().expect("there is one");
            marks.insert(position, Mark::Won(longest));
            let Some(before) = frames.last_mut() else { return Ok(longest) };
            before.longest = before.longest.max(longest + 1);
            continue;
        };
        let mut after = frame.position.clone();
        after.step(&step).map_err(|error| error.reason)?;
        let after = after.forget_steps();
        match marks.get(&after) {
            Some(Mark::Won(steps)) => frame.longest = frame.longest.max(steps + 1),
            Some(Mark::OnTheWay) => return Err(format!("a play comes back to: {}", after.describe())),
            None => match open(&after, player, choices)? {
                None => {
                    frame.longest = frame.longest.max(1);
                    marks.insert(after, Mark::Won(0));
                }
                Some(opened) => {
                    marks.insert(after, Mark::OnTheWay);
                    frames.push(opened);
                }
            },
        }
    }
}

/// The steps that a position has to be followed up by; none are needed if the player has won.
fn open(position: &Replay, player: usize, choices: &Choices) -> Result<Option<Frame>, String> {
    if position.winner() == Some(player) {
        return Ok(None);
    }
    let steps = if position.mover() == player && !position.is_over() {
        let place = position.describe();
        vec![*choices.get(&place).ok_or_else(|| format!("there is no choice for: {place}"))?]
    } else {
        position.steps()
    };
    if steps.is_empty() {
        let name = player_name(player);
        return Err(format!("a play ends without a win of {name}: {}", position.describe()));
    }
    Ok(Some(Frame { position: position.clone(), steps, longest: 0 }))
}

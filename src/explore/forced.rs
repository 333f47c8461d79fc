//! Who can force a goal: alternating reachability, by working backwards from the goals.
//!
//! The states of one side are those where it chooses the successor; in all others somebody else does. A goal state is won. A
//! state of the side is won if one successor is won, another one if it has successors and all are. These conditions are
//! applied until nothing changes, each state at most once: a state of the others counts its successors down. So a state is
//! won exactly if a goal is reached in a bounded number of steps whatever the others do; a play that goes round in a circle
//! for ever, or ends elsewhere, is not won. The order in which states become won gives each a rank, the steps to the goal at
//! worst; a strategy that always goes to a successor of lower rank cannot circle.
//!
//! Where a limit has cut the search short, there are states with successors that have not been met. To prove a win these are
//! taken as lost, and to disprove one as won, so both verdicts hold for the whole graph.
//!
//! Source: Erich Grädel, Wolfgang Thomas, Thomas Wilke (eds.), *Automata, Logics, and Infinite Games*, LNCS 2500, 2002, chapter
//! 2 (attractors), DOI 10.1007/3-540-36387-4.

use super::shard::Id;
use super::state_graph::StateGraph;
use super::{End, State};
use crate::sets::set_of;
use crate::solution::Stop;

/// Whether a side can force a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forced<O> {
    /// It can.
    Win(Strategy<O>),
    /// It cannot: the others can keep it from the goal for ever.
    NoWin,
    /// The states that were met do not settle it; why the search ended.
    Unknown(End),
}

/// What a side does in each state that it can come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy<O> {
    /// How many steps it takes to the goal at most.
    pub steps: usize,
    /// Each state where the side chooses, with the successor to go to.
    pub choices: Vec<(O, O)>,
}

/// By state: how many steps it is away from the goal at worst, if the side can force it from there.
struct Ranks(Vec<u32>);

const NOT_WON: u32 = u32::MAX;
/// After how many states to look at the clock.
const LOOK: usize = 1 << 12;

impl<T: State + ?Sized> StateGraph<T> {
    /// Whether a goal can be forced from the first states, all of them, by a side that chooses where `is_own` says so.
    ///
    /// # Complexity
    /// Linear in the states and transitions.
    pub fn force(&self, is_own: impl Fn(&T) -> bool, is_goal: impl Fn(&T) -> bool) -> Forced<T::Owned> {
        match self.settle(&is_own, &is_goal) {
            Ok(forced) => forced,
            Err(stop) => Forced::Unknown(End::Spent(stop)),
        }
    }

    fn settle(&self, is_own: &dyn Fn(&T) -> bool, is_goal: &dyn Fn(&T) -> bool) -> Result<Forced<T::Owned>, Stop> {
        if let Some(stop) = self.stop() {
            return Err(stop);
        }
        let sources = self.sources()?;
        let won = self.ranks(&sources, is_own, is_goal, false)?;
        if let Some(steps) = won.worst(self.first()) {
            return Ok(Forced::Win(self.strategy(&won, steps as usize, is_own, is_goal)));
        }
        let is_complete = self.explored().end() == End::Complete;
        if is_complete || self.ranks(&sources, is_own, is_goal, true)?.worst(self.first()).is_none() {
            return Ok(Forced::NoWin);
        }
        Ok(Forced::Unknown(self.explored().end()))
    }

    /// Works backwards from the goals. With `hopeful`, states with successors that have not been met are won, too.
    fn ranks(
        &self,
        sources: &Sources,
        is_own: &dyn Fn(&T) -> bool,
        is_goal: &dyn Fn(&T) -> bool,
        hopeful: bool,
    ) -> Result<Ranks, Stop> {
        let mut ranks = vec![NOT_WON; self.ids()];
        // How many successors must become won before the state is.
        let mut missing = vec![0u32; self.ids()];
        let mut queue: Vec<Id> = Vec::new();
        for (at, id) in self.states().enumerate() {
            if at.is_multiple_of(LOOK) {
                self.look()?;
            }
            let (state, is_open) = (self.state(id), self.is_open(id));
            missing[id as usize] = match is_own(state) {
                true => 1,
                // One that is never won keeps an open state from being won.
                false => self.successors(id).len() as u32 + u32::from(is_open),
            };
            if is_goal(state) || (hopeful && is_open) {
                ranks[id as usize] = 0;
                queue.push(id);
            }
        }
        let mut next = 0;
        while let Some(&won) = queue.get(next) {
            if next.is_multiple_of(LOOK) {
                self.look()?;
            }
            next += 1;
            for &source in sources.of(won) {
                let at = source as usize;
                if ranks[at] != NOT_WON {
                    continue;
                }
                missing[at] -= 1;
                if missing[at] == 0 {
                    ranks[at] = ranks[won as usize] + 1;
                    queue.push(source);
                }
            }
        }
        Ok(Ranks(ranks))
    }

    /// For every state that can be met while the side goes where the rank is least: where it goes.
    fn strategy(
        &self,
        ranks: &Ranks,
        steps: usize,
        is_own: &dyn Fn(&T) -> bool,
        is_goal: &dyn Fn(&T) -> bool,
    ) -> Strategy<T::Owned> {
        let mut choices = Vec::new();
        let mut queue = self.first().to_vec();
        let mut is_met = set_of(self.ids(), &queue);
        let mut next = 0;
        while let Some(&id) = queue.get(next) {
            next += 1;
            let state = self.state(id);
            if is_goal(state) {
                continue;
            }
            let mut meet = |id: Id| {
                if !is_met.put(id as usize) {
                    queue.push(id);
                }
            };
            let successors = self.successors(id);
            if is_own(state) {
                let best = successors.iter().min_by_key(|&&successor| ranks.0[successor as usize]);
                let &best = best.expect("a won state that is no goal has a won successor");
                choices.push((state.to_owned(), self.state(best).to_owned()));
                meet(best);
            } else {
                successors.iter().for_each(|&successor| meet(successor));
            }
        }
        Strategy { steps, choices }
    }

    /// The transitions backwards.
    fn sources(&self) -> Result<Sources, Stop> {
        let mut begins = vec![0; self.ids() + 1];
        self.states().flat_map(|id| self.successors(id)).for_each(|&target| begins[target as usize + 1] += 1);
        self.look()?;
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut sources = vec![0; begins[self.ids()]];
        let mut next = begins.clone();
        for id in self.states() {
            for &target in self.successors(id) {
                sources[next[target as usize]] = id;
                next[target as usize] += 1;
            }
        }
        self.look()?;
        Ok(Sources { begins, sources })
    }
}

impl Ranks {
    /// The greatest rank of these states if all are won.
    fn worst(&self, states: &[Id]) -> Option<u32> {
        states.iter().map(|&id| self.0[id as usize]).max().filter(|&rank| rank != NOT_WON)
    }
}

/// By state: from where transitions lead to it.
struct Sources {
    begins: Vec<usize>,
    sources: Vec<Id>,
}

impl Sources {
    fn of(&self, id: Id) -> &[Id] {
        &self.sources[self.begins[id as usize]..self.begins[id as usize + 1]]
    }
}

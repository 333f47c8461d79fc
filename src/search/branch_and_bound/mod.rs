//! Branch and bound on bit sets, for dense or wide pieces of up to 128 vertices.
//!
//! A depth-first search over partial paths. What makes it small:
//!
//! - **It grows paths from the middle.** An elimination forest (see [`forest`]) has one topmost vertex for every path. So
//!   the search takes the forest's vertices one after another as the *middle*, and looks for paths through it and what
//!   lies below: first backwards from the middle to the first vertex, then forwards to the last. Where few vertices may
//!   be the first, paths grow from there instead. Where a path and its reverse are worth the same, the edge by which it
//!   left the middle backwards is gone once all such paths are searched, so none is seen twice.
//! - **Bounds**, cheapest first: the vertices still in reach, each worth its best two half edges; the balance of colours
//!   where the graph is bipartite; the scattering bound of the forest; the best way down the block-cut tree, or through
//!   the strong components, of what is in reach (see [`chains`]).
//! - **A table** (see [`table`]) remembers for head and vertices in reach what the best completion is bounded by.
//! - **It asks falling questions.** Is there a path worth more than `bound − 1`? If not, `bound − 1` is proved, and so on
//!   with growing steps: each answer lowers the bound that is reported, what the table has learnt stays true from one
//!   question to the next, and the first path found is nearly the best. No good incumbent is needed.
//!
//! Source: the falling questions are those of MTD(f) (A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, *Best-first
//! fixed-depth minimax algorithms*, Artificial Intelligence 87, 1996), which needs a table in the same way. Growing from
//! the middle along an elimination forest, and the forest's bound, are longhaul's own.
//!
//! `O(2ⁿ n)` states at the worst; memory is the table's, which takes what it is given.

mod bits;
mod board;
mod chains;
mod forest;
mod table;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use bits::Bits;
use board::Board;
use chains::{NONE, plus};
use forest::{Forest, Marginals};
use walk::{Common, Leg, Share, Walker};

use super::{Budget, Monitor, NOT_AN_END, Outcome, Piece};
use crate::solution::Stop;

/// Searches a piece of at most 128 vertices for the best path worth more than `floor`. Of a larger piece it says no more
/// than that it is too large.
pub(crate) fn solve(piece: &Piece, floor: i64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
    let upper = piece.trivial_bound();
    monitor.bound(upper.max(floor));
    match piece.graph.vertex_count() {
        0 => Outcome { best: None, upper: i64::MIN, stop: None, steps: 0, peak_bytes: 0 },
        1..=64 => Search::<u64>::new(piece, floor, upper, budget).run(monitor),
        65..=128 => Search::<u128>::new(piece, floor, upper, budget).run(monitor),
        _ => Outcome { best: None, upper: upper.max(floor), stop: Some(Stop::Exhausted), steps: 0, peak_bytes: 0 },
    }
}

/// Where no more vertices than this may be an end, paths grow from there.
const FEW_ENDS: usize = 2;

struct Search<'a, B> {
    board: Board<B>,
    /// Whether the board is the piece turned round.
    turned: bool,
    forest: Forest,
    shares: Vec<Share<B>>,
    budget: &'a Budget,
    common: Common,
    upper: i64,
    steps: u64,
    peak_bytes: usize,
}

impl<'a, B: Bits> Search<'a, B> {
    fn new(piece: &Piece, floor: i64, upper: i64, budget: &'a Budget) -> Self {
        let mut board: Board<B> = Board::new(piece);
        let turned = board.may_be_last.count() < board.may_be_first.count().min(FEW_ENDS + 1);
        if turned {
            board = Board::new(&piece.reversed());
        }
        let forest = Forest::new(&board);
        let common = Common {
            value: AtomicI64::new(floor),
            best: Mutex::new(None),
            ceiling: AtomicI64::new(i64::MAX),
            halt: AtomicBool::new(false),
            stop: Mutex::new(None),
        };
        let mut search =
            Search { board, turned, forest, shares: Vec::new(), budget, common, upper, steps: 0, peak_bytes: 0 };
        search.share_out();
        search
    }

    /// Divides the paths of two vertices or more among shares, in the order of promise.
    fn share_out(&mut self) {
        let board = &self.board;
        let mut marginals = Marginals::new(board.n);
        let mut shares = Vec::new();
        if !board.closed && board.may_be_first.count() <= FEW_ENDS {
            for first in board.may_be_first.members() {
                let within = board.vertices.without(first);
                let visited = self.forest.bound(board, within, 1, &mut marginals);
                let doubled = plus(plus(visited, board.half_out[first]), board.best_last(within));
                let bound = if doubled == NONE { NONE } else { board.first[first] + (doubled >> 1) };
                let share =
                    Share { middle: first, step: 0, leg: Leg::Fore, within, other_side: within, serial: 0, bound };
                let steps = board.out[first].members().filter(|&step| (board.twins_before[step] & within).is_empty());
                shares.extend(steps.map(|step| Share { step, ..share }));
            }
        } else {
            let middles = match board.through {
                Some(vertex) => vec![(vertex, board.vertices.without(vertex))],
                None => self.forest.parts(),
            };
            for (middle, within) in middles {
                let whole: B = within | B::only(middle);
                let visited = self.forest.bound(board, whole, 1, &mut marginals);
                let ends = if board.closed { 0 } else { plus(board.best_first(whole), board.best_last(whole)) };
                let doubled = plus(visited, ends);
                let bound = if doubled == NONE { NONE } else { doubled >> 1 };
                let (leg, beside, other) = if board.closed {
                    (Leg::Round, board.out[middle], board.into[middle])
                } else {
                    (Leg::Back, board.into[middle], board.out[middle])
                };
                let mut other_side: B = other & within;
                let mut serial = 0;
                for step in (beside & within).members() {
                    if board.symmetric {
                        other_side = other_side.without(step);
                        serial += 1;
                    }
                    // What goes by way of a twin was searched with that.
                    if !(board.twins_before[step] & within).is_empty() {
                        continue;
                    }
                    shares.push(Share { middle, step, leg, within, other_side, serial, bound });
                }
                if leg == Leg::Back && !board.symmetric && board.first[middle] != NOT_AN_END {
                    shares.push(Share { middle, step: middle, leg: Leg::Turn, within, other_side, serial, bound });
                }
            }
        }
        // Stable: the shares of one middle stay in the order of their serials.
        shares.sort_by_key(|share: &Share<B>| std::cmp::Reverse(share.bound));
        self.shares = shares;
    }

    fn run(mut self, monitor: &mut dyn Monitor) -> Outcome {
        let board = &self.board;
        let floor = self.common.value.load(Ordering::Relaxed);
        for vertex in (board.may_be_first & board.may_be_last).members() {
            self.common.offer(vec![vertex as u32], board.first[vertex] + board.last[vertex]);
        }
        let mut known = self.common.value.load(Ordering::Relaxed);
        if known > floor {
            monitor.incumbent(known);
        }
        let best_share = self.shares.first().map_or(NONE, |share| share.bound);
        self.upper = self.upper.min(best_share).max(known);
        monitor.bound(self.upper);

        let threads = self.budget.threads.clamp(1, self.shares.len().max(1));
        // A fraction of what is allowed: other engines and the graph itself want memory too.
        let bytes = self.budget.memory / 2 / threads;
        let mut walkers: Vec<Walker<'_, B>> =
            (0..threads).map(|_| Walker::new(&self.board, &self.forest, self.budget, &self.common, bytes)).collect();
        let nothing = self.board.least_value() - 1;
        let mut step: i64 = 1;
        let mut stop = None;
        while self.upper > known {
            let target = known.max(self.upper.saturating_sub(step)).max(nothing);
            self.common.ceiling.store(self.upper, Ordering::Relaxed);
            self.common.halt.store(false, Ordering::Relaxed);
            let open = self.shares.partition_point(|share| share.bound > target);
            let done: Vec<AtomicBool> = (0..open).map(|_| AtomicBool::new(false)).collect();
            let next = AtomicUsize::new(0);
            let work = |walker: &mut Walker<'_, B>, poll: &mut dyn FnMut()| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= open || !walker.search(&self.shares[at], target, poll) {
                        break;
                    }
                    done[at].store(true, Ordering::Relaxed);
                }
            };
            let (first, others) = walkers.split_first_mut().expect("there is at least one thread");
            std::thread::scope(|scope| {
                for walker in others {
                    scope.spawn(|| work(walker, &mut || ()));
                }
                work(first, &mut || {
                    let value = self.common.value.load(Ordering::Relaxed);
                    if value > known {
                        known = value;
                        monitor.incumbent(value);
                    }
                });
            });
            let value = self.common.value.load(Ordering::Relaxed);
            if value > known {
                known = value;
                monitor.incumbent(value);
            }
            stop = *self.common.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let unsearched = done.iter().zip(&self.shares).find(|(done, _)| !done.load(Ordering::Relaxed));
            let proved = match unsearched {
                // Whoever found what can't be beaten left the rest unsearched.
                Some(_) if stop.is_none() => known,
                Some((_, share)) => share.bound.max(target).max(known),
                None => target.max(known),
            };
            self.upper = self.upper.min(if proved <= nothing { known } else { proved });
            monitor.bound(self.upper);
            if stop.is_some() {
                break;
            }
            step = step.saturating_mul(2);
        }
        self.steps = walkers.iter().map(|walker| walker.steps).sum();
        self.peak_bytes = walkers.iter().map(Walker::bytes).sum();
        drop(walkers);
        let best = self.common.best.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let best = best.map(|(mut path, value)| {
            if self.turned {
                path.reverse();
            }
            (path, value)
        });
        Outcome {
            best,
            upper: self.upper,
            stop: stop.filter(|_| self.upper > known),
            steps: self.steps,
            peak_bytes: self.peak_bytes,
        }
    }
}

//! The signature dynamic program along a path decomposition.
//!
//! Source: §3 of P. Dorbec and C. Gavoille, *Projet UNO* (project text, Université de Bordeaux). The bags S₁ … S_p are
//! gone through in order. Seen from the cut between Sᵢ and what follows, a path of the whole graph is described by its
//! *signature* on the intersection Sᵢ ∩ Sᵢ₊₁:
//!
//! - the ordered vertices at which it *jumps* across, alternately from left (S₁ … Sᵢ) to right and from right to left;
//! - whether its first jump goes from left to right (type A: it begins on the left) or from right to left (type B);
//! - the *forbidden* vertices: those of the intersection that its left part uses without jumping there.
//!
//! For every signature the greatest length of the left part is kept. One bag is searched by backtracking, with virtual
//! jumps between the vertices shared with the bag before (into the past) and between those shared with the bag after
//! (into the future). The past signature that a sequence shows is looked up, what the sequence adds is added, and the
//! signature it shows to the future keeps the maximum. After the last bag the intersection is empty, and the answer is
//! the value of the empty signature.
//!
//! # Where the printed description is incomplete, and what is done here
//! - *Which edges count.* An edge belongs to the last bag that holds both its ends, that is, where at least one end is
//!   in Sᵢ ∖ Sᵢ₊₁. The text counts "the jumps made among cards from Sᵢ ∖ Sᵢ₊₁"; with both ends there, the edges between
//!   such a card and the intersection would count nowhere, against the values it prints. Between two cards of Sᵢ ∩ Sᵢ₊₁
//!   the direct edge is left to the future, as the text says; between two of Sᵢ₋₁ ∩ Sᵢ both the edge and the past are
//!   tried.
//! - *The empty signature means two things*: the path lies wholly on the left and is complete, or it has not begun.
//!   Only the latter, whose value is zero and which the printed table lacks, may be continued. Looking a sequence
//!   without any past up under the former would join two paths that have nothing to do with each other. Here "not
//!   begun" is the empty signature of type B; the best complete path is carried under the empty signature of type A,
//!   and nothing is ever added to it.
//! - *Looking up.* A sequence in Sᵢ determines the jumps of its past, but not what that past forbids: every past
//!   signature with those jumps whose forbidden set the sequence avoids is a way to complete it. What it forbids and Sᵢ
//!   ∩ Sᵢ₊₁ still holds stays forbidden.
//! - *Maximal sequences* are not enough: a shorter one forbids less. Every sequence is tried.
//! - *A jump has something on both sides*: a path that merely ends at a vertex of the intersection doesn't jump there.
//!   Else one path would have several signatures.
//! - *Turning round.* The text lists one of a sequence and its reverse (which shares its type where the jumps are even
//!   in number, and not where they are odd). Here both are kept, so that directed graphs and ends with different prizes
//!   need nothing special. And it prints the row `((), A, {1, 2}): 3` twice.
//!
//! # Soundness
//! Every path of the instance with an edge shows in each bag exactly one sequence of real steps, past jumps and future
//! jumps, with consistent signatures; each of its edges is counted in the one bag it belongs to, and each end prize in
//! the bag of the first or last edge. Conversely the steps of a chain of rows join to a single path: sequences meet
//! only at jumps, in the order both sides agree on, and a vertex used on the left is either a jump or forbidden for as
//! long as a later bag can see it. Paths of a single vertex are looked at on their own.
//!
//! # Limits
//! With intersections of size k there may be Σ C(k, j)·j!·2^(k − j + 1) signatures (k = 4: 336, 6: 10 592, 8: 595 712),
//! far more than a frontier program's pairings, since the order of the jumps is remembered; and within a bag the
//! backtracking is exponential in the bag's own part of the graph. So it lives on the decomposition: along good vertex
//! orders sparse graphs are answered up to width eleven or so (a planar 30 × 30 maze in under a second); along
//! depth-first bags, whose intersections are as long as paths from the root, mazes and road maps of a hundred vertices
//! are out of reach.
//!
//! *Cycles are not answered*: they have no first jump, and the text doesn't treat them; then only a bound that needs no
//! search comes back.

mod bag;
mod config;
mod table;
#[cfg(test)]
mod tests;

use crate::decompose::PathDecomposition;
use crate::engines::door::{Door, Offer, Unfit};
use crate::engines::orders;
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome};
use crate::solution::Stop;
use bag::Walker;
use table::{Table, Traces};

pub use config::Config;

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        let Instance { graph, ends: Ends::Open { .. } } = instance else {
            return Err("cycles have no first jump");
        };
        let offer = Offer::of(|floor, budget, monitor| {
            let bags = if self.depth_first_bags && graph.vertex_count() > 0 {
                PathDecomposition::from_depth_first(graph, 0)
            } else {
                PathDecomposition::from_order(graph, orders::order_for(graph, budget).vertices())
            };
            solve(instance, &bags.expect("the order is one of this graph"), floor, budget, monitor)
        });
        Ok(Offer { nanoseconds: orders::nanoseconds_to_read(graph), ..offer })
    }
}

/// Searches the instance along one of its path decompositions for a path worth more than `floor`.
pub(crate) fn solve(
    instance: &Instance,
    decomposition: &PathDecomposition,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let trivial = instance.trivial_bound();
    monitor.bound(trivial.max(floor));
    let Ends::Open { first, last, single_vertex } = &instance.ends else {
        return Outcome { best: None, upper: trivial, stop: Some(Stop::Exhausted), steps: 0, peak_bytes: 0 };
    };
    let single = (0..instance.graph.vertex_count() as u32)
        .filter(|&vertex| *single_vertex && first[vertex as usize] != NOT_AN_END && last[vertex as usize] != NOT_AN_END)
        .map(|vertex| (first[vertex as usize] + last[vertex as usize], vertex))
        .max_by_key(|&(value, vertex)| (value, std::cmp::Reverse(vertex)));
    let mut told = floor;
    if let Some((value, _)) = single
        && value > told
    {
        told = value;
        monitor.incumbent(value);
    }

    let mut traces = Traces::default();
    let mut past = Table::before_the_first();
    let mut walker = Walker::new(instance, decomposition, budget);
    let mut stop = None;
    if walker.bytes() > budget.memory {
        stop = Some(Stop::MemoryLimit);
    }
    for bag in 0..decomposition.bag_count() {
        if stop.is_some() {
            break;
        }
        let (table, stopped) = walker.search(bag, &past, &mut traces);
        // The rows of a bag half searched are of no use to the next, but a complete path is one.
        past = table;
        if let Some((value, _)) = past.complete()
            && value > told
        {
            told = value;
            monitor.incumbent(value);
        }
        stop = stopped;
    }

    let best = match (past.complete(), single) {
        (Some((value, trace)), single) if single.is_none_or(|(alone, _)| value > alone) => {
            Some((traces.path(trace, instance.graph.vertex_count()), value))
        }
        (_, single) => single.map(|(value, vertex)| (vec![vertex], value)),
    };
    let upper = match (stop, &best) {
        (Some(_), _) => trivial,
        (None, Some((_, value))) => *value,
        (None, None) => i64::MIN,
    };
    monitor.bound(upper.max(floor));
    let best = best.filter(|(_, value)| *value > floor);
    Outcome { best, upper, stop, steps: walker.steps(), peak_bytes: walker.peak_bytes() }
}

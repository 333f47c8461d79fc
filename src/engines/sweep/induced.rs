//! The rule of induced paths and cycles: no edge of the graph joins two of their vertices but those along them.
//!
//! Vertices are decided, not edges: a vertex that is taken takes every edge to a taken neighbour with it. So beside the
//! mates a state remembers of every frontier vertex whether it is taken. Source of the problem: W. H. Kautz, *Unit-distance
//! error-checking codes*, IRE Transactions on Electronic Computers EC-7(2), 1958, DOI 10.1109/TEC.1958.5222529 (the snake
//! in the box).

use super::mates::{AFTER_FIRST, BEFORE_LAST, CLOSED, OUT, join_arc, join_edge};
use super::path::Demands;
use super::{Next, Rule};
use crate::view::CsrGraph;

/// One decision: whether this vertex is taken.
#[derive(Clone, Debug)]
struct Layer {
    vertex: u32,
    slot: u8,
    /// The neighbours decided before, by slot.
    earlier: Vec<Link>,
    leave: Vec<(u8, u32)>,
    must: bool,
}

/// The edges between a vertex and one decided before: there, back, or both (the same where undirected).
#[derive(Clone, Copy, Debug)]
struct Link {
    slot: u8,
    /// What the edge from the earlier to this vertex weighs.
    into: Option<i64>,
    /// What the edge from this vertex to the earlier one weighs.
    out: Option<i64>,
}

/// A vertex order made ready for induced paths.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    layers: Vec<Layer>,
    pub(crate) slots: usize,
}

impl Places {
    /// The vertices in this order; `must` are those that have to be taken.
    pub(crate) fn new(graph: &CsrGraph, order: &[u32], demands: &Demands) -> Self {
        let n = graph.vertex_count();
        let mut rank = vec![0u32; n];
        for (at, &vertex) in order.iter().enumerate() {
            rank[vertex as usize] = at as u32;
        }
        let neighbours = |vertex: u32| graph.out_arcs(vertex).iter().chain(graph.in_arcs(vertex)).map(|arc| arc.target);
        let last_needed = |vertex: u32| {
            neighbours(vertex).map(|other| rank[other as usize]).max().unwrap_or(0).max(rank[vertex as usize])
        };
        let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); n];
        (0..n as u32).for_each(|vertex| leaving[last_needed(vertex) as usize].push(vertex));
        let mut slot_of = vec![u8::MAX; n];
        let (mut free, mut slots) = (Vec::new(), 0usize);
        let through = demands.from.filter(|_| demands.closed);
        let layers = order.iter().enumerate().map(|(at, &vertex)| {
            let slot = free.pop().unwrap_or_else(|| {
                slots += 1;
                (slots - 1).min(usize::from(u8::MAX)) as u8
            });
            slot_of[vertex as usize] = slot;
            let mut others: Vec<u32> = neighbours(vertex).filter(|&other| rank[other as usize] < at as u32).collect();
            others.sort_unstable();
            others.dedup();
            let weight = |a: u32, b: u32| graph.edge_between(a, b).map(|edge| graph.weight(edge));
            let link = |&other: &u32| Link {
                slot: slot_of[other as usize],
                into: weight(other, vertex),
                out: weight(vertex, other),
            };
            let earlier = others.iter().map(link).collect();
            let leave: Vec<(u8, u32)> = leaving[at].iter().map(|&left| (slot_of[left as usize], left)).collect();
            free.extend(leave.iter().map(|&(slot, _)| slot));
            let must = demands.is_given_end(vertex) || through == Some(vertex) || demands.visit.contains(&vertex);
            Layer { vertex, slot, earlier, leave, must }
        });
        let layers = layers.collect();
        Places { layers, slots }
    }

    /// The vertex that a layer decides on.
    pub(crate) fn vertex(&self, layer: usize) -> u32 {
        self.layers[layer].vertex
    }
}

/// Induced paths, or cycles, that meet the demands.
pub(crate) struct Induced<'a, const N: usize, const DIRECTED: bool> {
    places: &'a Places,
    demands: &'a Demands,
    gain_left: Vec<i64>,
    /// From this layer on no vertex must be taken.
    musts_end: usize,
}

/// The state of the frontier: a path is made of fragments, each of which knows its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Taken<const N: usize> {
    symbols: [u8; N],
    /// Whether the first vertex of the path is made, and the last; where undirected how many ends, in the first.
    made: [u8; 2],
    hops: u32,
}

impl<'a, const N: usize, const DIRECTED: bool> Induced<'a, N, DIRECTED> {
    pub(crate) fn new(places: &'a Places, demands: &'a Demands) -> Self {
        let mut gain_left = vec![0; places.layers.len() + 1];
        for (at, layer) in places.layers.iter().enumerate().rev() {
            let mut best = [0i64; 2];
            for weight in layer.earlier.iter().flat_map(|link| [link.into, link.out]).flatten() {
                if weight > best[0] {
                    best = [weight, best[0]];
                } else {
                    best[1] = best[1].max(weight);
                }
            }
            gain_left[at] = gain_left[at + 1] + best[0] + best[1] + demands.prize(layer.vertex).max(0);
        }
        let musts_end = places.layers.iter().rposition(|layer| layer.must).map_or(0, |last| last + 1);
        Induced { places, demands, gain_left, musts_end }
    }

    fn own(slot: u8) -> u8 {
        if DIRECTED { 2 * slot } else { slot }
    }

    /// Makes a vertex an end of the path: the first (`0`) or the last (`1`), which are the same where undirected.
    fn make_end(&self, state: &mut Taken<N>, end: usize) -> Option<()> {
        let (end, most) = match (self.demands.closed, DIRECTED) {
            (true, _) => return None,
            (false, true) => (end, 1),
            (false, false) => (0, 2),
        };
        state.made[end] += 1;
        (state.made[end] <= most).then_some(())
    }

    /// Anchors a vertex that has just been taken, if it is a given end.
    fn anchor(&self, layer: &Layer, state: &mut Taken<N>) -> Option<()> {
        let slot = usize::from(layer.slot);
        if !self.demands.is_given_end(layer.vertex) {
            return Some(());
        }
        if self.demands.from == Some(layer.vertex) {
            self.make_end(state, 0)?;
            state.symbols[slot] = AFTER_FIRST;
        } else {
            self.make_end(state, 1)?;
            state.symbols[slot] = if DIRECTED { BEFORE_LAST } else { AFTER_FIRST };
        }
        Some(())
    }

    /// A taken vertex leaves. `Some(true)` if that completes a path.
    fn leave(&self, state: &mut Taken<N>, slot: u8) -> Option<bool> {
        let symbol = state.symbols[usize::from(slot)];
        state.symbols[usize::from(slot)] = OUT;
        match symbol {
            OUT | CLOSED => Some(false),
            // A vertex alone is no path with an edge.
            own if own == Self::own(slot) => None,
            AFTER_FIRST => self.make_end(state, 1).map(|()| true),
            BEFORE_LAST => self.make_end(state, 0).map(|()| true),
            mate => {
                let lacks_out = DIRECTED && mate & 1 == 0;
                let far = usize::from(if DIRECTED { mate >> 1 } else { mate });
                self.make_end(state, usize::from(lacks_out))?;
                state.symbols[far] = if lacks_out { BEFORE_LAST } else { AFTER_FIRST };
                Some(false)
            }
        }
    }

    fn is_answer(&self, layer: usize, state: &Taken<N>) -> bool {
        let enough = !self.demands.count_hops() || state.hops >= self.demands.at_least;
        enough && layer + 1 >= self.musts_end && state.symbols.iter().all(|&symbol| symbol == OUT || symbol == CLOSED)
    }

    /// Takes the edges between the layer's vertex, taken, and its taken neighbours. Whether a path is complete, with what
    /// that gains.
    fn join_all(&self, layer: &Layer, state: &mut Taken<N>) -> Option<(bool, i64)> {
        let (mut complete, mut gain) = (false, 0);
        for link in &layer.earlier {
            if state.symbols[usize::from(link.slot)] == OUT {
                continue;
            }
            if complete {
                return None;
            }
            // Of two opposite arcs only one can be on a path; the other would be a chord, but for a cycle of two.
            if DIRECTED && link.into.is_some() && link.out.is_some() {
                let (one, two) = (Self::own(link.slot), Self::own(layer.slot));
                let symbols = &mut state.symbols;
                let both_alone = symbols[usize::from(link.slot)] == one && symbols[usize::from(layer.slot)] == two;
                if !self.demands.closed || !both_alone {
                    return None;
                }
                (symbols[usize::from(link.slot)], symbols[usize::from(layer.slot)]) = (CLOSED, CLOSED);
                gain += link.into.unwrap_or(0) + link.out.unwrap_or(0);
                state.hops += 2 * u32::from(self.demands.count_hops());
                complete = true;
                continue;
            }
            let (tail, head, weight) = match (link.into, link.out) {
                (Some(weight), _) => (link.slot, layer.slot, weight),
                (None, Some(weight)) => (layer.slot, link.slot, weight),
                (None, None) => unreachable!("neighbours are joined by an edge"),
            };
            let (tail, head) = (usize::from(tail), usize::from(head));
            complete = if DIRECTED {
                join_arc(&mut state.symbols, tail, head, self.demands.closed)?
            } else {
                join_edge(&mut state.symbols, tail, head, self.demands.closed)?
            };
            gain += weight;
            state.hops += u32::from(self.demands.count_hops());
        }
        Some((complete, gain))
    }
}

impl<const N: usize, const DIRECTED: bool> Rule for Induced<'_, N, DIRECTED> {
    type State = Taken<N>;

    fn layers(&self) -> usize {
        self.places.layers.len()
    }

    fn choices(&self, _layer: usize) -> usize {
        2
    }

    fn start(&self) -> (Taken<N>, i64) {
        (Taken { symbols: [OUT; N], made: [0, 0], hops: 0 }, 0)
    }

    fn step(&self, layer: usize, choice: usize, state: &Taken<N>) -> Next<Taken<N>> {
        let at = &self.places.layers[layer];
        let mut next = *state;
        let mut gain = 0;
        let mut complete = false;
        if choice == 0 {
            if at.must {
                return Next::Dead;
            }
            next.symbols[usize::from(at.slot)] = OUT;
        } else {
            next.symbols[usize::from(at.slot)] = Self::own(at.slot);
            if self.anchor(at, &mut next).is_none() {
                return Next::Dead;
            }
            gain += self.demands.prize(at.vertex);
            match self.join_all(at, &mut next) {
                None => return Next::Dead,
                Some((done, more)) => (complete, gain) = (done, gain + more),
            }
            match self.demands.hops(next.hops) {
                Some(hops) => next.hops = hops,
                None => return Next::Dead,
            }
        }
        if complete {
            return if self.is_answer(layer, &next) { Next::Done(gain) } else { Next::Dead };
        }
        for &(slot, vertex) in &at.leave {
            if self.demands.is_given_end(vertex) && next.symbols[usize::from(slot)] != CLOSED {
                return Next::Dead;
            }
            match self.leave(&mut next, slot) {
                None => return Next::Dead,
                Some(false) => {}
                Some(true) => {
                    // Whoever leaves with it must have all it needs.
                    return if self.is_answer(layer, &next) { Next::Done(gain) } else { Next::Dead };
                }
            }
        }
        Next::On(next, gain)
    }

    fn gain_left(&self, layer: usize) -> i64 {
        self.gain_left[layer]
    }
}

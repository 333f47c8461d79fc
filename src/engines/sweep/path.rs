//! The rule of simple paths and cycles: the *mate* arrays of Simpath, with finished and skipped vertices told apart only
//! while they are on the frontier.
//!
//! A fragment of the path has two open ends on the frontier, each of which knows the slot of the other. Where one of them
//! is an end of the whole path already, the other is *anchored*. A given end counts as an end before it has any edge, so
//! it is anchored as soon as it enters.

use std::hash::{Hash, Hasher};

use fixedbitset::FixedBitSet;

use super::mates::{AFTER_FIRST, BEFORE_LAST, CLOSED, join_arc, join_edge};
use super::script::{NEVER, Script};
use super::{Next, Rule};

/// What an answer must be like beside being a path: vertices and edges in the numbers of the script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demands {
    pub(crate) from: Option<u32>,
    pub(crate) to: Option<u32>,
    pub(crate) closed: bool,
    /// By vertex what visiting it adds; empty where nothing is added anywhere.
    pub(crate) prizes: Vec<i64>,
    /// Vertices that must be visited.
    pub(crate) visit: Vec<u32>,
    /// The edges that must be used. One that must be has no parallel edge in the script.
    pub(crate) use_edges: FixedBitSet,
    /// The fewest and the most edges.
    pub(crate) at_least: u32,
    pub(crate) at_most: Option<u32>,
}

impl Demands {
    pub(crate) fn prize(&self, vertex: u32) -> i64 {
        self.prizes.get(vertex as usize).copied().unwrap_or(0)
    }

    /// Whether the path must end at this vertex. It has an edge, then, and only one.
    pub(super) fn is_given_end(&self, vertex: u32) -> bool {
        !self.closed && (self.from == Some(vertex) || self.to == Some(vertex))
    }

    /// So many edges, as far as a state has to tell them apart; `None` if they are too many.
    pub(super) fn hops(&self, hops: u32) -> Option<u32> {
        match self.at_most {
            Some(most) => (hops <= most).then_some(hops),
            None => Some(hops.min(self.at_least)),
        }
    }

    /// Whether a state has to know how many edges it has.
    pub(super) fn count_hops(&self) -> bool {
        self.at_least > 1 || self.at_most.is_some()
    }
}

/// Paths, or cycles, that meet the demands.
pub(crate) struct Paths<'a, const N: usize, const DIRECTED: bool> {
    script: &'a Script,
    demands: &'a Demands,
    /// By layer whether its edge must be used.
    must_use: Vec<bool>,
    /// From this layer on no edge must be used.
    musts_end: usize,
    /// The vertices that must be visited: layer of entry, layer of leaving, slot.
    visits: Vec<(u32, u32, u8)>,
    /// By layer, what all later decisions can gain at most.
    gain_left: Vec<i64>,
    /// How many ends are free: at the beginning and at the end of the path; where undirected, only their sum matters.
    free: [u8; 2],
}

/// The state of the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mates<const N: usize> {
    symbols: [u8; N],
    /// Free ends that are made, as `free` counts them.
    made: [u8; 2],
    hops: u32,
}

impl<const N: usize> Hash for Mates<N> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // All of it in two pieces: most of the time goes into finding states.
        hasher.write(&self.symbols);
        hasher.write_u64(u64::from(self.hops) << 16 | u64::from(u16::from_le_bytes(self.made)));
    }
}

impl<'a, const N: usize, const DIRECTED: bool> Paths<'a, N, DIRECTED> {
    /// The rule; `None` if no path with an edge can meet the demands, since a vertex has none.
    pub(crate) fn new(script: &'a Script, demands: &'a Demands) -> Option<Self> {
        let stays = &script.stays;
        let mut asked = demands.visit.iter().chain(&demands.from).chain(&demands.to);
        if asked.any(|&vertex| stays[vertex as usize][0] == NEVER) {
            return None;
        }
        let through = demands.from.filter(|_| demands.closed);
        let mut visits = Vec::new();
        for &vertex in demands.visit.iter().chain(&through) {
            let [enter, leave] = stays[vertex as usize];
            let entering = script.layers[enter as usize].enter.iter().find(|(_, entering)| *entering == vertex);
            visits.push((enter, leave, entering.expect("it enters there").0));
        }
        let must_use: Vec<bool> = script
            .layers
            .iter()
            .map(|layer| layer.options.iter().any(|option| demands.use_edges.contains(option.edge as usize)))
            .collect();
        let musts_end = must_use.iter().rposition(|&must| must).map_or(0, |last| last + 1);

        let mut gain_left = vec![0; script.layers.len() + 1];
        for (at, layer) in script.layers.iter().enumerate().rev() {
            let edge = layer.options.iter().map(|option| option.weight).max().unwrap_or(0).max(0);
            let prizes: i64 = layer.leave.iter().map(|&(_, vertex)| demands.prize(vertex).max(0)).sum();
            gain_left[at] = gain_left[at + 1] + edge + prizes;
        }
        let free = match (demands.closed, DIRECTED) {
            (true, _) => [0, 0],
            (false, true) => [u8::from(demands.from.is_none()), u8::from(demands.to.is_none())],
            (false, false) => [u8::from(demands.from.is_none()) + u8::from(demands.to.is_none()), 0],
        };
        Some(Paths { script, demands, must_use, musts_end, visits, gain_left, free })
    }

    fn own(slot: usize) -> u8 {
        if DIRECTED { 2 * slot as u8 } else { slot as u8 }
    }

    /// Whether no fragment is open.
    fn nothing_open(symbols: &[u8; N]) -> bool {
        symbols.iter().enumerate().all(|(slot, &symbol)| symbol == CLOSED || symbol == Self::own(slot))
    }

    /// Vertices enter; those that are ends of the path are anchored from the beginning.
    fn enter(&self, layer: usize, state: &mut Mates<N>) {
        if self.demands.closed {
            return;
        }
        for &(slot, vertex) in &self.script.layers[layer].enter {
            if self.demands.from == Some(vertex) {
                state.symbols[slot as usize] = AFTER_FIRST;
            } else if self.demands.to == Some(vertex) {
                state.symbols[slot as usize] = if DIRECTED { BEFORE_LAST } else { AFTER_FIRST };
            }
        }
    }

    /// Takes an edge. `Some(true)` if that completes a path or cycle, as far as the fragment is concerned.
    fn join(&self, symbols: &mut [u8; N], a: usize, b: usize) -> Option<bool> {
        if DIRECTED {
            join_arc(symbols, a, b, self.demands.closed)
        } else {
            join_edge(symbols, a, b, self.demands.closed)
        }
    }

    /// A vertex leaves. `Some(true)` if that completes a path.
    fn leave(&self, state: &mut Mates<N>, slot: usize) -> Option<bool> {
        let symbol = state.symbols[slot];
        if symbol == CLOSED || symbol == Self::own(slot) {
            state.symbols[slot] = Self::own(slot);
            return Some(false);
        }
        // It becomes an end of the path: which, and what its far end knows of that.
        let (end, mark) = match symbol {
            AFTER_FIRST if DIRECTED => (1, BEFORE_LAST),
            BEFORE_LAST => (0, AFTER_FIRST),
            AFTER_FIRST => (0, AFTER_FIRST),
            mate if DIRECTED && mate & 1 == 0 => (1, BEFORE_LAST),
            _ => (0, AFTER_FIRST),
        };
        state.made[end] += 1;
        if state.made[end] > self.free[end] {
            return None;
        }
        state.symbols[slot] = Self::own(slot);
        if symbol == AFTER_FIRST || symbol == BEFORE_LAST {
            return Some(true);
        }
        let far = if DIRECTED { symbol >> 1 } else { symbol };
        state.symbols[far as usize] = mark;
        Some(false)
    }

    /// Whether a path that is complete in this layer meets all demands; `touched` are the symbols before anyone left.
    fn is_answer(&self, layer: usize, touched: &[u8; N], state: &Mates<N>) -> bool {
        let visited = |&(enter, leave, slot): &(u32, u32, u8)| {
            // Whoever left before was visited, or the state would not be.
            (leave as usize) < layer || (enter as usize <= layer && touched[slot as usize] != Self::own(slot as usize))
        };
        layer + 1 >= self.musts_end
            && (!self.demands.count_hops() || state.hops >= self.demands.at_least)
            && self.visits.iter().all(visited)
            && Self::nothing_open(&state.symbols)
    }

    fn must_visit(&self, layer: usize, slot: u8) -> bool {
        self.visits.iter().any(|&(_, leave, visited)| leave as usize == layer && visited == slot)
    }
}

impl<const N: usize, const DIRECTED: bool> Rule for Paths<'_, N, DIRECTED> {
    type State = Mates<N>;

    fn layers(&self) -> usize {
        self.script.layers.len()
    }

    fn choices(&self, layer: usize) -> usize {
        self.script.layers[layer].options.len() + 1
    }

    fn start(&self) -> (Mates<N>, i64) {
        let mut symbols = [0; N];
        symbols.iter_mut().enumerate().for_each(|(slot, symbol)| *symbol = Self::own(slot));
        // A given end is never untouched, so its prize is no decision's.
        let given =
            self.demands.from.iter().chain(&self.demands.to).filter(|&&vertex| self.demands.is_given_end(vertex));
        let prizes = given.map(|&vertex| self.demands.prize(vertex)).sum();
        (Mates { symbols, made: [0, 0], hops: 0 }, prizes)
    }

    fn step(&self, layer: usize, choice: usize, state: &Mates<N>) -> Next<Mates<N>> {
        let script = &self.script.layers[layer];
        let mut next = *state;
        self.enter(layer, &mut next);
        let mut gain = 0;
        let mut complete = false;
        if choice == 0 {
            if self.must_use[layer] {
                return Next::Dead;
            }
        } else {
            let [a, b] = script.ends.map(usize::from);
            for (slot, vertex) in [a, b].into_iter().zip(script.vertices) {
                if next.symbols[slot] == Self::own(slot) {
                    gain += self.demands.prize(vertex);
                }
            }
            match self.join(&mut next.symbols, a, b) {
                Some(done) => complete = done,
                None => return Next::Dead,
            }
            gain += script.options[choice - 1].weight;
            if self.demands.count_hops() {
                match self.demands.hops(next.hops + 1) {
                    Some(hops) => next.hops = hops,
                    None => return Next::Dead,
                }
            }
        }
        if complete {
            return if self.is_answer(layer, &next.symbols, &next) { Next::Done(gain) } else { Next::Dead };
        }
        let touched = next.symbols;
        for &(slot, vertex) in &script.leave {
            if self.demands.is_given_end(vertex) && next.symbols[slot as usize] != CLOSED {
                return Next::Dead;
            }
            if touched[slot as usize] == Self::own(slot as usize) && self.must_visit(layer, slot) {
                return Next::Dead;
            }
            match self.leave(&mut next, slot as usize) {
                None => return Next::Dead,
                Some(false) => {}
                Some(true) if self.is_answer(layer, &touched, &next) => return Next::Done(gain),
                Some(true) => return Next::Dead,
            }
        }
        Next::On(next, gain)
    }

    fn gain_left(&self, layer: usize) -> i64 {
        self.gain_left[layer]
    }
}

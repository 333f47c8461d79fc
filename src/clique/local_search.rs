//! A good clique soon: tabu search over cliques.
//!
//! The clique grows by a vertex adjacent to all of it, exchanges one vertex for another that misses only that one, or loses a
//! vertex; of all moves that are not forbidden the one that gains most weight is made. A vertex that has left may not come back
//! for some moves, and one that came in by an exchange may not leave; after many moves in vain the search begins anew.
//!
//! Source: Qinghua Wu, Jin-Kao Hao, Fred Glover, *Multi-neighborhood tabu search for the maximum weight clique problem*, Annals
//! of Operations Research 196, 2012, DOI 10.1007/s10479-012-1124-3.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::dense::Dense;
use super::tree::Shared;

/// The vertices by how many of the clique's they miss: none, one, or more.
struct State<'a> {
    dense: &'a Dense,
    in_clique: Vec<bool>,
    clique: Vec<u32>,
    weight: i64,
    /// Per vertex: how many vertices of the clique it is not adjacent to, itself not counted.
    missed: Vec<u32>,
    /// Per vertex: the exclusive or of those vertices, which is the only one where there is only one.
    rival: Vec<u32>,
    /// Vertices outside the clique that miss none (list 0) or one (list 1) of it, and where each stands in its list.
    lists: [Vec<u32>; 2],
    place: Vec<u32>,
}

/// No place in a list.
const NOWHERE: u32 = u32::MAX;

impl<'a> State<'a> {
    fn new(dense: &'a Dense) -> Self {
        let n = dense.len();
        State {
            dense,
            in_clique: vec![false; n],
            clique: Vec::new(),
            weight: 0,
            missed: vec![0; n],
            rival: vec![0; n],
            lists: [(0..n as u32).collect(), Vec::new()],
            place: (0..n as u32).collect(),
        }
    }

    fn list(&mut self, vertex: u32) {
        if let Some(list) = self.lists.get_mut(self.missed[vertex as usize] as usize) {
            self.place[vertex as usize] = list.len() as u32;
            list.push(vertex);
        }
    }

    fn unlist(&mut self, vertex: u32) {
        let at = std::mem::replace(&mut self.place[vertex as usize], NOWHERE);
        if at != NOWHERE {
            let list = &mut self.lists[self.missed[vertex as usize] as usize];
            list.swap_remove(at as usize);
            if let Some(&moved) = list.get(at as usize) {
                self.place[moved as usize] = at;
            }
        }
    }

    /// Adds the vertex to the clique, or takes it out; in between, the clique need not be one.
    fn flip(&mut self, vertex: u32) {
        let comes = !self.in_clique[vertex as usize];
        let weight = self.dense.weight(vertex as usize);
        if comes {
            self.unlist(vertex);
            self.clique.push(vertex);
            self.weight += weight;
        } else {
            let at = self.clique.iter().position(|&other| other == vertex).expect("a vertex of the clique");
            self.clique.swap_remove(at);
            self.weight -= weight;
        }
        self.in_clique[vertex as usize] = comes;
        for at in 0..self.dense.words {
            let mut strangers = !self.dense.row(vertex as usize)[at];
            while strangers != 0 {
                let other = at * 64 + strangers.trailing_zeros() as usize;
                strangers &= strangers - 1;
                if other >= self.dense.len() {
                    break;
                }
                if other == vertex as usize {
                    continue;
                }
                let other = other as u32;
                if !self.in_clique[other as usize] {
                    self.unlist(other);
                }
                let missed = &mut self.missed[other as usize];
                *missed = if comes { *missed + 1 } else { *missed - 1 };
                self.rival[other as usize] ^= vertex;
                if !self.in_clique[other as usize] {
                    self.list(other);
                }
            }
        }
        if !comes {
            self.list(vertex);
        }
    }
}

/// A step of the search.
enum Move {
    Add(u32),
    Exchange(u32, u32),
    Drop(u32),
}

/// Searches for this many moves, telling every clique better than the shared one.
pub(super) fn search(dense: &Dense, shared: &Shared, seed: u64, moves: u64, heard: &mut dyn FnMut()) {
    const PATIENCE: u64 = 4000;
    const TENURE: u64 = 7;
    const MOVES_PER_LOOK: u64 = 64;
    if dense.len() == 0 {
        return;
    }
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut state = State::new(dense);
    // Until which move a vertex may not come in, and may not leave.
    let (mut banned, mut kept) = (vec![0u64; dense.len()], vec![0u64; dense.len()]);
    let (mut local_best, mut since) = (0, 0);
    for now in 1..=moves {
        if now.is_multiple_of(MOVES_PER_LOOK) {
            heard();
            if shared.spent() {
                return;
            }
        }
        let choice = choose(&state, &banned, &kept, now, local_best, &mut random);
        let exchanges = state.lists[1].len() as u64;
        match choice {
            Some(Move::Add(vertex)) => state.flip(vertex),
            Some(Move::Exchange(comes, goes)) => {
                state.flip(goes);
                state.flip(comes);
                banned[goes as usize] = now + TENURE + random.next_u64() % exchanges.max(1);
                kept[comes as usize] = now + TENURE;
            }
            Some(Move::Drop(vertex)) => {
                state.flip(vertex);
                banned[vertex as usize] = now + TENURE;
            }
            None => since = PATIENCE,
        }
        if state.weight > local_best {
            (local_best, since) = (state.weight, 0);
            if state.weight > shared.best() {
                shared
                    .offer(state.weight, || state.clique.iter().map(|&vertex| dense.outer[vertex as usize]).collect());
            }
        } else {
            since += 1;
        }
        if since >= PATIENCE {
            state = State::new(dense);
            banned.fill(0);
            kept.fill(0);
            let first = (random.next_u64() % dense.len() as u64) as u32;
            state.flip(first);
            (local_best, since) = (state.weight, 0);
        }
    }
}

/// The best move, one of equals at random. A forbidden one counts only if it leads to a better clique than any since the start.
fn choose(state: &State<'_>, banned: &[u64], kept: &[u64], now: u64, best: i64, random: &mut Pcg64Mcg) -> Option<Move> {
    let mut choice = None;
    let mut gain = i64::MIN;
    let mut equals = 0u64;
    let mut better = |of: i64, random: &mut Pcg64Mcg| {
        if of > gain {
            (gain, equals) = (of, 1);
            return true;
        }
        equals += u64::from(of == gain);
        of == gain && random.next_u64().is_multiple_of(equals)
    };
    for &vertex in &state.lists[0] {
        let of = state.dense.weight(vertex as usize);
        if (banned[vertex as usize] < now || state.weight + of > best) && better(of, random) {
            choice = Some(Move::Add(vertex));
        }
    }
    if choice.is_some() {
        return choice;
    }
    for &vertex in &state.lists[1] {
        let rival = state.rival[vertex as usize];
        let of = state.dense.weight(vertex as usize) - state.dense.weight(rival as usize);
        let allowed = banned[vertex as usize] < now && kept[rival as usize] < now;
        if (allowed || state.weight + of > best) && better(of, random) {
            choice = Some(Move::Exchange(vertex, rival));
        }
    }
    for &vertex in &state.clique {
        let of = -state.dense.weight(vertex as usize);
        if kept[vertex as usize] < now && better(of, random) {
            choice = Some(Move::Drop(vertex));
        }
    }
    choice
}

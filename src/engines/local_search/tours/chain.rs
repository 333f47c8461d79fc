//! A tour that gets better: Lin–Kernighan moves from node after node, then kicks here and there that are taken back where no
//! better tour comes of them.

use std::collections::VecDeque;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::nodes::{NOBODY, Nodes};
use crate::engines::local_search::random;

/// How many links are tried at each depth of a move; one at those below, down to the last.
const BREADTH: [usize; 4] = [5, 3, 2, 1];
const DEPTH: usize = 30;

/// Segments up to so many nodes are moved as they are.
const LONGEST_SEGMENT: usize = 3;

/// A kick exchanges two stretches of so many nodes at most.
const LONGEST_KICK: usize = 40;

/// Work between looks at the limits.
const WORK_PER_LOOK: u64 = 1 << 13;

/// So many exchanges of stretches are tried at each depth, and all links after one count as so deep.
const PASSAGES: [usize; 5] = [5, 3, 2, 1, 1];
const PASSED: usize = 2;

/// From the cycle that is closed at `to`, the way leads through `into` and `out`, which comes after or before that on the tour.
#[derive(Clone, Copy)]
struct Passage {
    gain: i64,
    to: u32,
    into: u32,
    out: u32,
    is_after: bool,
}

impl Passage {
    const NONE: Self = Passage { gain: i64::MIN, to: NOBODY, into: NOBODY, out: NOBODY, is_after: false };
}

/// A tour through all nodes.
pub(in crate::engines::local_search) struct Chain<'n, 'a> {
    nodes: &'n Nodes<'a>,
    tour: Vec<u32>,
    places: Vec<u32>,
    /// Whether the list has the tour the wrong way round, and whether it is read backwards at present.
    is_reversed: bool,
    is_backwards: bool,
    /// The nodes from which a move may make the tour better.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// The stretches turned round since the last kick, as they were read before, forwards in the tour.
    turned: Vec<(u32, u32)>,
    rng: Pcg64Mcg,
    work: u64,
    kicks: u64,
}

impl<'n, 'a> Chain<'n, 'a> {
    /// A tour along a path known, if there is one, and along the greatest weights for the rest.
    pub(in crate::engines::local_search) fn new(nodes: &'n Nodes<'a>, path: Option<&[u32]>, seed: u64) -> Self {
        let count = nodes.len();
        let mut chain = Chain {
            nodes,
            tour: Vec::with_capacity(count),
            places: vec![0; count],
            is_reversed: false,
            is_backwards: false,
            queue: VecDeque::new(),
            is_queued: vec![false; count],
            turned: Vec::new(),
            rng: Pcg64Mcg::seed_from_u64(seed),
            work: (4 * count) as u64,
            kicks: 0,
        };
        chain.link_greedily(path);
        for (place, &node) in chain.tour.iter().enumerate() {
            chain.places[node as usize] = place as u32;
        }
        let mut order = chain.tour.clone();
        random::shuffle(&mut chain.rng, &mut order);
        order.into_iter().for_each(|node| chain.enqueue(node));
        chain
    }

    /// The path, then the candidates of the greatest weights that can be linked, then what has come of that, end to end.
    fn link_greedily(&mut self, path: Option<&[u32]>) {
        let count = self.nodes.len();
        let mut links = vec![[NOBODY; 2]; count];
        // The other end of the stretch of which this is one.
        let mut others: Vec<u32> = (0..count as u32).collect();
        let mut link = |links: &mut Vec<[u32; 2]>, a: u32, b: u32| {
            let is_free = |node: u32| links[node as usize][1] == NOBODY;
            if !is_free(a) || !is_free(b) || others[a as usize] == b {
                return;
            }
            for (node, other) in [(a, b), (b, a)] {
                let slot = usize::from(links[node as usize][0] != NOBODY);
                links[node as usize][slot] = other;
            }
            let (front, back) = (others[a as usize], others[b as usize]);
            (others[front as usize], others[back as usize]) = (back, front);
        };
        for node in 0..count as u32 {
            if let Some(mate) = self.nodes.mate(node).filter(|&mate| mate > node) {
                link(&mut links, node, mate);
            }
        }
        for (a, b) in path.into_iter().flat_map(|path| self.nodes.links_along(path)) {
            link(&mut links, a, b);
        }
        let mut pairs: Vec<(i64, u32, u32)> = Vec::new();
        for node in 0..count as u32 {
            let candidates = self.nodes.candidates(node).iter().filter(|&&other| other != NOBODY);
            pairs.extend(candidates.map(|&other| (self.nodes.weight(node, other), node, other)));
        }
        pairs.sort_unstable_by(|a, b| b.cmp(a));
        self.work += 10 * pairs.len() as u64;
        for (_, a, b) in pairs {
            link(&mut links, a, b);
        }
        let mut is_seen = vec![false; count];
        let (ends, inner): (Vec<u32>, Vec<u32>) =
            (0..count as u32).partition(|&node| links[node as usize][1] == NOBODY);
        for start in ends.into_iter().chain(inner) {
            let mut node = start;
            while !std::mem::replace(&mut is_seen[node as usize], true) {
                self.tour.push(node);
                let next = links[node as usize].into_iter().find(|&next| next != NOBODY && !is_seen[next as usize]);
                node = next.unwrap_or(node);
            }
        }
    }

    pub(in crate::engines::local_search) fn work(&self) -> u64 {
        self.work
    }

    pub(in crate::engines::local_search) fn kicks(&self) -> u64 {
        self.kicks
    }

    /// The best path along the tour, and its value.
    pub(in crate::engines::local_search) fn best_path(&self) -> Option<(Vec<u32>, i64)> {
        self.nodes.best_path(&self.tour)
    }

    /// Moves and kicks until it `is_over`, which is told the work done so far.
    pub(in crate::engines::local_search) fn run(&mut self, is_over: &mut dyn FnMut(u64) -> bool) {
        let mut look_at = 0;
        let mut looks = |chain: &Self| {
            if chain.work < look_at {
                return false;
            }
            look_at = chain.work + WORK_PER_LOOK;
            is_over(chain.work)
        };
        if !self.settle_unless(&mut looks) {
            return;
        }
        while !looks(self) {
            self.turned.clear();
            self.kicks += 1;
            let mut gain = self.kick();
            while let Some(node) = self.dequeue() {
                while let Some(more) = self.improve(node) {
                    gain += more;
                }
            }
            while gain < 0 && !self.turned.is_empty() {
                self.turn_back();
            }
        }
        self.turned.clear();
    }

    /// Moves as long as any makes the tour better. Returns whether it came to that end.
    fn settle_unless(&mut self, is_over: &mut dyn FnMut(&Self) -> bool) -> bool {
        while let Some(node) = self.dequeue() {
            while self.improve(node).is_some() {}
            self.turned.clear();
            if is_over(self) {
                return false;
            }
        }
        true
    }

    /// Makes one move that makes the tour better and begins at this node; returns by how much.
    fn improve(&mut self, node: u32) -> Option<i64> {
        let gain = [false, true].into_iter().find_map(|is_backwards| {
            self.is_backwards = is_backwards;
            self.move_links(node).or_else(|| self.move_segment(node))
        });
        self.is_backwards = false;
        gain
    }

    /// Lin–Kernighan: the link to the next node is cut, and one link after the other replaced while that may gain.
    fn move_links(&mut self, node: u32) -> Option<i64> {
        let next = self.next(node);
        if self.nodes.are_paired(node, next) {
            return None;
        }
        let gain = -self.nodes.weight(node, next);
        let gain = self.deepen(0, node, next, gain, 0).or_else(|| self.pass_cycle(0, node, next, gain, 0))?;
        self.enqueue(node);
        self.enqueue(next);
        Some(gain)
    }

    /// The same where the second link closes a cycle, which the third takes in again: so a stretch changes places with another, and
    /// neither is turned round. Where that is all that can be done, it is gone on with.
    fn pass_cycle(&mut self, depth: usize, first: u32, last: u32, gain: i64, least: i64) -> Option<i64> {
        let nodes = self.nodes;
        let passages = self.passages(depth, first, last, gain);
        for Passage { gain, to, into, out, is_after } in passages.into_iter().take_while(|option| option.to != NOBODY) {
            let (end, turned) = (self.next(to), self.turned.len());
            if is_after {
                self.turn(last, to);
                self.turn(to, out);
                self.turn(into, last);
            } else {
                self.turn(last, out);
                self.turn(into, to);
            }
            let closed = gain + nodes.weight(first, out);
            let deeper = match nodes.is_directed() {
                true if depth + 1 < PASSAGES.len() => self.pass_cycle(depth + 1, first, out, gain, least.max(closed)),
                true => None,
                false => self.deepen(PASSED, first, out, gain, least.max(closed)),
            };
            if let Some(gained) = deeper.or_else(|| Some(closed).filter(|&closed| closed > least)) {
                [to, end, into, out].into_iter().for_each(|node| self.enqueue(node));
                return Some(gained);
            }
            while self.turned.len() > turned {
                self.turn_back();
            }
        }
        None
    }

    /// The best ways from `last` through a cycle, as many as are tried at this depth; the others stand at the end, without nodes.
    fn passages(&mut self, depth: usize, first: u32, last: u32, gain: i64) -> [Passage; PASSAGES[0]] {
        let nodes = self.nodes;
        let mut options = [Passage::NONE; PASSAGES[0]];
        for &to in nodes.candidates(last) {
            self.work += 1;
            if to == NOBODY || gain + nodes.weight(last, to) <= 0 {
                break;
            }
            let end = self.next(to);
            if to == first || to == self.next(last) || nodes.are_paired(to, end) {
                continue;
            }
            let (gain, length) = (gain + nodes.weight(last, to) - nodes.weight(to, end), self.distance(last, to));
            for &into in nodes.candidates(end) {
                self.work += 1;
                if into == NOBODY || gain + nodes.weight(end, into) <= 0 {
                    break;
                }
                let place = self.distance(last, into);
                if place > length {
                    continue;
                }
                let after = (place < length).then(|| (self.next(into), true));
                let before = (place > 0).then(|| (self.previous(into), false));
                for (out, is_after) in after.into_iter().chain(before).filter(|&(out, _)| !nodes.are_paired(into, out))
                {
                    let gain = gain + nodes.weight(end, into) - nodes.weight(into, out);
                    let mut option = Passage { gain, to, into, out, is_after };
                    for slot in &mut options[..PASSAGES[depth]] {
                        if option.gain > slot.gain {
                            std::mem::swap(&mut option, slot);
                        }
                    }
                }
            }
        }
        options
    }

    /// The tour is a path from `last` on to `first`, but for the link between them: has a new link from `last`, with another
    /// cut there, then closes the path or goes on. `gain` is what links made and cut so far have brought, without that which
    /// closes; the tour must gain more than `least`, or it stays as it was.
    fn deepen(&mut self, depth: usize, first: u32, last: u32, gain: i64, least: i64) -> Option<i64> {
        let nodes = self.nodes;
        let mut options = [(i64::MIN, NOBODY, NOBODY); BREADTH[0]];
        let breadth = BREADTH.get(depth).copied().unwrap_or(1);
        let (before, after) = (self.previous(last), self.next(last));
        for &to in nodes.candidates(last) {
            self.work += 1;
            if to == NOBODY || gain + nodes.weight(last, to) <= 0 {
                break;
            }
            let end = self.previous(to);
            if to == before || to == after || nodes.are_paired(end, to) {
                continue;
            }
            let mut option = (nodes.weight(last, to) - nodes.weight(end, to), to, end);
            for slot in &mut options[..breadth] {
                if option.0 > slot.0 {
                    std::mem::swap(&mut option, slot);
                }
            }
        }
        for &(difference, to, end) in options[..breadth].iter().take_while(|option| option.1 != NOBODY) {
            self.turn(last, end);
            let gain = gain + difference;
            let closed = gain + nodes.weight(first, end);
            let deeper = if depth < DEPTH { self.deepen(depth + 1, first, end, gain, least.max(closed)) } else { None };
            if let Some(gained) = deeper.or_else(|| Some(closed).filter(|&closed| closed > least)) {
                self.enqueue(to);
                self.enqueue(end);
                return Some(gained);
            }
            self.turn_back();
        }
        None
    }

    /// Moves the segment from this node on, of a few nodes, to where its beginning is linked to a candidate.
    fn move_segment(&mut self, node: u32) -> Option<i64> {
        let nodes = self.nodes;
        let before = self.previous(node);
        if nodes.are_paired(before, node) {
            return None;
        }
        let mut end = node;
        for length in 1..=LONGEST_SEGMENT {
            let after = self.next(end);
            if after == before || self.next(after) == before {
                return None;
            }
            if !nodes.are_paired(end, after) {
                let freed = nodes.weight(before, after) - nodes.weight(before, node) - nodes.weight(end, after);
                for &to in nodes.candidates(node) {
                    self.work += 1;
                    if to == NOBODY || nodes.weight(node, to) <= nodes.weight(before, node) {
                        break;
                    }
                    if self.distance(node, to) < length || to == before {
                        continue;
                    }
                    for is_after in [true, false] {
                        let beside = if is_after { self.next(to) } else { self.previous(to) };
                        if beside == end || nodes.are_paired(to, beside) {
                            continue;
                        }
                        let gain =
                            freed + nodes.weight(node, to) + nodes.weight(end, beside) - nodes.weight(to, beside);
                        if gain > 0 {
                            self.place_segment([node, end], after, [to, beside], is_after);
                            [before, node, end, after, to, beside].into_iter().for_each(|node| self.enqueue(node));
                            return Some(gain);
                        }
                    }
                }
            }
            end = after;
        }
        None
    }

    /// The segment, followed by `after`, comes between `to` and what is `beside` it, next or before; its beginning next to `to`.
    fn place_segment(&mut self, [node, end]: [u32; 2], after: u32, [to, beside]: [u32; 2], is_after: bool) {
        let last = if is_after { to } else { beside };
        self.turn(node, last);
        self.turn(last, after);
        if is_after {
            self.turn(end, node);
        }
    }

    /// Exchanges two stretches that follow each other somewhere; returns what the tour gains.
    fn kick(&mut self) -> i64 {
        let count = self.tour.len();
        let most = LONGEST_KICK.min((count - 2) / 4);
        let from = self.below(count);
        let mut at = self.tour[from];
        let mut cuts = [[at; 2]; 3];
        for cut in &mut cuts {
            let next = self.next(at);
            *cut = if self.nodes.are_paired(at, next) { [next, self.next(next)] } else { [at, next] };
            at = cut[1];
            for _ in 0..self.below(most) {
                at = self.next(at);
            }
        }
        let [[a, b], [c, d], [e, f]] = cuts;
        let nodes = self.nodes;
        self.turn(b, e);
        self.turn(e, d);
        self.turn(c, b);
        [a, b, c, d, e, f].into_iter().for_each(|node| self.enqueue(node));
        let made = nodes.weight(a, d) + nodes.weight(e, b) + nodes.weight(c, f);
        made - nodes.weight(a, b) - nodes.weight(c, d) - nodes.weight(e, f)
    }

    fn next(&self, node: u32) -> u32 {
        self.neighbour(node, self.is_backwards)
    }

    fn previous(&self, node: u32) -> u32 {
        self.neighbour(node, !self.is_backwards)
    }

    #[inline]
    fn neighbour(&self, node: u32, is_backwards: bool) -> u32 {
        let (place, count) = (self.places[node as usize] as usize, self.tour.len());
        let next = match is_backwards != self.is_reversed {
            false if place + 1 == count => 0,
            false => place + 1,
            true if place == 0 => count - 1,
            true => place - 1,
        };
        self.tour[next]
    }

    /// How many steps on from one node to another.
    fn distance(&self, from: u32, to: u32) -> usize {
        let (from, to) = if self.is_backwards != self.is_reversed { (to, from) } else { (from, to) };
        let [from, to] = [from, to].map(|node| self.places[node as usize] as usize);
        if to >= from { to - from } else { to + self.tour.len() - from }
    }

    /// Turns the stretch from one node on to another round.
    fn turn(&mut self, from: u32, to: u32) {
        let stretch = if self.is_backwards { (to, from) } else { (from, to) };
        self.turned.push(stretch);
        self.turn_forwards(stretch);
    }

    /// Takes the last turn back.
    fn turn_back(&mut self) {
        let (from, to) = self.turned.pop().expect("something was turned");
        self.turn_forwards((to, from));
    }

    /// Turns the stretch between two nodes round, as it is read forwards; in the list, it or else all the rest.
    fn turn_forwards(&mut self, (from, to): (u32, u32)) {
        let count = self.tour.len();
        let (from, to) = if self.is_reversed { (to, from) } else { (from, to) };
        let [from, to] = [from, to].map(|node| self.places[node as usize] as usize);
        let length = if to >= from { to - from } else { to + count - from } + 1;
        let (mut low, mut high, length) = if 2 * length <= count {
            (from, to, length)
        } else {
            self.is_reversed = !self.is_reversed;
            ((to + 1) % count, (from + count - 1) % count, count - length)
        };
        self.work += 2 + length as u64 / 4;
        for _ in 0..length / 2 {
            let (a, b) = (self.tour[low], self.tour[high]);
            (self.tour[low], self.tour[high]) = (b, a);
            self.places[b as usize] = low as u32;
            self.places[a as usize] = high as u32;
            low = if low + 1 == count { 0 } else { low + 1 };
            high = if high == 0 { count - 1 } else { high - 1 };
        }
    }

    #[cfg(test)]
    pub(super) fn settle(&mut self) {
        assert!(self.settle_unless(&mut |_| false));
    }

    #[cfg(test)]
    pub(super) fn tour(&self) -> &[u32] {
        &self.tour
    }

    fn enqueue(&mut self, node: u32) {
        if !std::mem::replace(&mut self.is_queued[node as usize], true) {
            self.queue.push_back(node);
        }
    }

    fn dequeue(&mut self) -> Option<u32> {
        let node = self.queue.pop_front()?;
        self.is_queued[node as usize] = false;
        Some(node)
    }

    fn below(&mut self, bound: usize) -> usize {
        random::below(&mut self.rng, bound)
    }
}

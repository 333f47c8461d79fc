//! The path under search, as a sequence of vertices that can be turned round in part.
//!
//! Every move of the search is one of six operations on ranks (positions counted from the front). Two structures offer
//! them: [`Array`] in time linear in what moves, with a small constant, and [`SplayTree`](super::splay::SplayTree) in
//! amortised logarithmic time.

/// One of the two ends of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Front,
    Back,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Side::Front => Side::Back,
            Side::Back => Side::Front,
        }
    }
}

/// A sequence of different vertices out of `0..vertex_count`.
pub(super) trait Sequence {
    /// An empty sequence.
    fn new(vertex_count: usize) -> Self;
    /// Bytes held for so many vertices.
    fn bytes(vertex_count: usize) -> usize;
    fn len(&self) -> usize;
    fn contains(&self, vertex: u32) -> bool;
    /// The rank of a vertex that the sequence contains.
    fn rank(&mut self, vertex: u32) -> usize;
    fn at(&mut self, rank: usize) -> u32;
    fn push(&mut self, side: Side, vertex: u32);
    fn pop(&mut self, side: Side) -> u32;
    /// Turns ranks `from..to` round.
    fn reverse(&mut self, from: usize, to: usize);
    /// Exchanges the neighbouring segments `from..middle` and `middle..to`.
    fn shared_bounds(&mut self, from: usize, middle: usize, to: usize);
    /// Replaces ranks `from..to` by vertices that the sequence does not contain.
    fn replace(&mut self, from: usize, to: usize, by: &[u32]);
    /// Becomes these vertices.
    fn load(&mut self, vertices: &[u32]);
    /// Writes the vertices from front to back.
    fn store(&mut self, into: &mut Vec<u32>);
    /// Work done so far, in units of about the time it takes to look at an arc.
    fn work(&self) -> u64;
}

/// A vertex that the sequence does not contain has this place.
const NOWHERE: u32 = u32::MAX;

/// So many vertices are moved in the time it takes to look at one arc, whose end is anywhere in memory.
const MOVES_PER_WORK: u64 = 8;

/// A sequence in an array with room at both ends.
pub(super) struct Array {
    /// The sequence is `order[begin..end]`.
    order: Vec<u32>,
    begin: usize,
    end: usize,
    /// Where in `order` a vertex is.
    place: Vec<u32>,
    work: u64,
}

impl Array {
    #[inline]
    fn renumber(&mut self, from: usize, to: usize) {
        for place in from..to {
            self.place[self.order[place] as usize] = place as u32;
        }
        self.work += (to - from) as u64 / MOVES_PER_WORK;
    }

    /// Moves the sequence to the middle, so that both ends have half the room that is left.
    fn recentre(&mut self) {
        let begin = (self.order.len() - self.len()) / 2;
        self.order.copy_within(self.begin..self.end, begin);
        (self.begin, self.end) = (begin, begin + self.len());
        self.renumber(self.begin, self.end);
    }
}

impl Sequence for Array {
    fn new(vertex_count: usize) -> Self {
        let room = 2 * vertex_count + 2;
        Array {
            order: vec![0; room],
            begin: vertex_count,
            end: vertex_count,
            place: vec![NOWHERE; vertex_count],
            work: 0,
        }
    }

    fn bytes(vertex_count: usize) -> usize {
        (3 * vertex_count + 2) * size_of::<u32>()
    }

    #[inline]
    fn len(&self) -> usize {
        self.end - self.begin
    }

    #[inline]
    fn contains(&self, vertex: u32) -> bool {
        self.place[vertex as usize] != NOWHERE
    }

    #[inline]
    fn rank(&mut self, vertex: u32) -> usize {
        self.place[vertex as usize] as usize - self.begin
    }

    #[inline]
    fn at(&mut self, rank: usize) -> u32 {
        self.order[self.begin + rank]
    }

    #[inline]
    fn push(&mut self, side: Side, vertex: u32) {
        if (side == Side::Front && self.begin == 0) || (side == Side::Back && self.end == self.order.len()) {
            self.recentre();
        }
        let place = match side {
            Side::Front => {
                self.begin -= 1;
                self.begin
            }
            Side::Back => {
                self.end += 1;
                self.end - 1
            }
        };
        self.order[place] = vertex;
        self.place[vertex as usize] = place as u32;
        self.work += 1;
    }

    #[inline]
    fn pop(&mut self, side: Side) -> u32 {
        let vertex = match side {
            Side::Front => {
                self.begin += 1;
                self.order[self.begin - 1]
            }
            Side::Back => {
                self.end -= 1;
                self.order[self.end]
            }
        };
        self.place[vertex as usize] = NOWHERE;
        self.work += 1;
        vertex
    }

    fn reverse(&mut self, from: usize, to: usize) {
        let (from, to) = (self.begin + from, self.begin + to);
        self.order[from..to].reverse();
        self.renumber(from, to);
    }

    fn shared_bounds(&mut self, from: usize, middle: usize, to: usize) {
        let (from, to) = (self.begin + from, self.begin + to);
        self.order[from..to].rotate_left(self.begin + middle - from);
        self.renumber(from, to);
    }

    fn replace(&mut self, from: usize, to: usize, by: &[u32]) {
        let tail = self.len() - to;
        for rank in from..to {
            let vertex = self.at(rank);
            self.place[vertex as usize] = NOWHERE;
        }
        // The shorter rest moves.
        let growth = by.len() as isize - (to - from) as isize;
        let lacks_room = if from < tail {
            (self.begin as isize) < growth
        } else {
            self.end as isize + growth > self.order.len() as isize
        };
        if lacks_room {
            // The places of what is replaced are stale, so they must not be numbered again.
            let begin = (self.order.len() - self.len()) / 2;
            self.order.copy_within(self.begin..self.end, begin);
            (self.begin, self.end) = (begin, begin + self.len());
            self.renumber(begin, begin + from);
            self.renumber(begin + to, self.end);
        }
        let (first, last) = (self.begin + from, self.begin + to);
        let start = if from < tail {
            let begin = (self.begin as isize - growth) as usize;
            self.order.copy_within(self.begin..first, begin);
            self.begin = begin;
            self.renumber(begin, begin + from);
            begin + from
        } else {
            let moved_to = (last as isize + growth) as usize;
            self.order.copy_within(last..self.end, moved_to);
            self.end = (self.end as isize + growth) as usize;
            self.renumber(moved_to, self.end);
            first
        };
        self.order[start..start + by.len()].copy_from_slice(by);
        self.renumber(start, start + by.len());
    }

    fn load(&mut self, vertices: &[u32]) {
        for place in self.begin..self.end {
            self.place[self.order[place] as usize] = NOWHERE;
        }
        let begin = (self.order.len() - vertices.len()) / 2;
        (self.begin, self.end) = (begin, begin + vertices.len());
        self.order[self.begin..self.end].copy_from_slice(vertices);
        self.renumber(self.begin, self.end);
    }

    fn store(&mut self, into: &mut Vec<u32>) {
        into.clear();
        into.extend_from_slice(&self.order[self.begin..self.end]);
        self.work += self.len() as u64 / MOVES_PER_WORK;
    }

    #[inline]
    fn work(&self) -> u64 {
        self.work
    }
}

//! The symbols of a frontier vertex and what an edge does to them, for paths of all kinds.
//!
//! Of a fragment of the path each open end holds the slot of the other; an untouched vertex holds its own. Where edges are
//! directed a symbol is twice that slot, and one more where an arc in is missing: the first vertex of a fragment is odd, the
//! last even, and an untouched vertex its own last.

/// Has all the edges it can have.
pub(super) const CLOSED: u8 = u8::MAX;
/// The open end of a fragment whose other end is the first vertex of the whole path; where undirected, either end.
pub(super) const AFTER_FIRST: u8 = u8::MAX - 1;
/// The open end of a fragment whose other end is the last vertex of the whole path.
pub(super) const BEFORE_LAST: u8 = u8::MAX - 2;
/// Left out for good; only induced paths need to know.
pub(super) const OUT: u8 = u8::MAX - 3;

/// Takes an undirected edge. `Some(true)` if that completes a path or, where they are wanted, a cycle; `None` if it can't be
/// taken.
pub(super) fn join_edge<const N: usize>(symbols: &mut [u8; N], a: usize, b: usize, cycles: bool) -> Option<bool> {
    let (one, two) = (symbols[a], symbols[b]);
    if one == CLOSED || two == CLOSED {
        return None;
    }
    let is_cycle = one as usize == b && two as usize == a;
    if one as usize != a {
        symbols[a] = CLOSED;
    }
    if two as usize != b {
        symbols[b] = CLOSED;
    }
    if is_cycle {
        return cycles.then_some(true);
    }
    match (one == AFTER_FIRST, two == AFTER_FIRST) {
        (true, true) => return Some(true),
        (true, false) => symbols[two as usize] = AFTER_FIRST,
        (false, true) => symbols[one as usize] = AFTER_FIRST,
        (false, false) => (symbols[one as usize], symbols[two as usize]) = (two, one),
    }
    Some(false)
}

/// Takes an arc from `a` to `b`; see [`join_edge`].
pub(super) fn join_arc<const N: usize>(symbols: &mut [u8; N], a: usize, b: usize, cycles: bool) -> Option<bool> {
    let (tail, head) = (symbols[a], symbols[b]);
    let own = |slot: usize| 2 * slot as u8;
    let is_mate = |symbol: u8| symbol < OUT;
    let takes_out = tail == AFTER_FIRST || (is_mate(tail) && tail & 1 == 0);
    let takes_in = head == BEFORE_LAST || head == own(b) || (is_mate(head) && head & 1 == 1);
    if !takes_out || !takes_in {
        return None;
    }
    let (start, finish) = (usize::from(tail >> 1), usize::from(head >> 1));
    let is_cycle = is_mate(tail) && is_mate(head) && start == b && finish == a;
    if tail != own(a) {
        symbols[a] = CLOSED;
    }
    if head != own(b) {
        symbols[b] = CLOSED;
    }
    if is_cycle {
        return cycles.then_some(true);
    }
    match (is_mate(tail), is_mate(head)) {
        (false, false) => return Some(true),
        (false, true) => symbols[finish] = AFTER_FIRST,
        (true, false) => symbols[start] = BEFORE_LAST,
        (true, true) => {
            symbols[start] = own(finish) + 1;
            symbols[finish] = own(start);
        }
    }
    Some(false)
}

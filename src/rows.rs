//! Rows of any lengths, one behind the other in one list: compressed sparse rows.

use std::ops::Range;

/// Asked now and then by work on large graphs, whether it shall end.
pub(crate) type IsOver<'a> = &'a mut dyn FnMut() -> bool;

/// So many items are taken between two questions; small graphs ask none.
pub(crate) const PIECE: usize = 1 << 16;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rows<T> {
    /// Row `r` is `items[starts[r]..starts[r + 1]]`.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// Sorts `count` items, each given with its row, into `rows` rows, in two linear passes; within a row they stay in order.
    ///
    /// # Panics
    /// If there are more items than 32-bit positions, or one in a row out of range.
    pub(crate) fn new(rows: usize, count: usize, item: impl Fn(usize) -> (u32, T)) -> Self {
        Rows::new_unless(rows, count, item, &mut || false).expect("nobody ends it")
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn new_unless(
        rows: usize,
        count: usize,
        item: impl Fn(usize) -> (u32, T),
        is_over: IsOver<'_>,
    ) -> Option<Self> {
        assert!(u32::try_from(count).is_ok(), "{count} items in rows do not fit 32-bit positions");
        let pieces = || (0..count).step_by(PIECE).map(|first| first..(first + PIECE).min(count));
        let mut starts = vec![0u32; rows + 1];
        for piece in pieces() {
            if piece.start > 0 && is_over() {
                return None;
            }
            piece.for_each(|position| starts[item(position).0 as usize + 1] += 1);
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        if count == 0 {
            return Some(Rows { starts, items: Vec::new() });
        }
        let mut next = starts.clone();
        let mut items = vec![item(0).1; count];
        for piece in pieces() {
            if piece.start > 0 && is_over() {
                return None;
            }
            for position in piece {
                let (row, item) = item(position);
                let slot = &mut next[row as usize];
                items[*slot as usize] = item;
                *slot += 1;
            }
        }
        Some(Rows { starts, items })
    }

    /// For every edge an item at each of its ends: `item` says what the edge of this number is at the first of the two vertices.
    pub(crate) fn of_edges(
        rows: usize,
        edges: usize,
        ends: impl Fn(usize) -> [u32; 2],
        item: impl Fn(u32, [u32; 2]) -> T,
    ) -> Self {
        Rows::new(rows, 2 * edges, |position| {
            let edge = position / 2;
            let [one, two] = ends(edge);
            let ends = if position.is_multiple_of(2) { [one, two] } else { [two, one] };
            (ends[0], item(edge as u32, ends))
        })
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[T] {
        &self.items[self.places(row)]
    }

    /// Where the items of a row stand among all.
    #[inline]
    pub(crate) fn places(&self, row: u32) -> Range<usize> {
        self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize
    }

    /// All items, row by row.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn bytes(&self) -> usize {
        self.starts.len() * size_of::<u32>() + self.items.len() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn items_stand_in_their_rows_in_order() {
        let rows = Rows::new(4, 5, |at| ([2, 0, 2, 3, 2][at], at));
        let read: Vec<&[usize]> = (0..4).map(|row| rows.row(row)).collect();
        assert_eq!(read, [&[1][..], &[], &[0, 2, 4], &[3]]);
        assert_eq!((rows.len(), rows.places(2)), (4, 1..4));
        let rows = Rows::of_edges(3, 2, |edge| [[0, 2], [2, 1]][edge], |edge, [_, other]| (other, edge));
        assert_eq!((rows.row(2), rows.row(1)), (&[(0, 0), (1, 1)][..], &[(2, 1)][..]));
        assert!(Rows::new(1, 0, |at| (0, at)).row(0).is_empty());
    }
}

//! Sets of vertices or edges, by their numbers.

use fixedbitset::FixedBitSet;

/// These members of `0..count`.
pub(crate) fn set_of<'a>(count: usize, members: impl IntoIterator<Item = &'a u32>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(count);
    members.into_iter().for_each(|&member| set.insert(member as usize));
    set
}

/// Those of `0..count` for which this holds.
pub(crate) fn set_where(count: usize, is_member: impl FnMut(&usize) -> bool) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(count);
    (0..count).filter(is_member).for_each(|member| set.insert(member));
    set
}

/// The starts, and what is reached from them through vertices that are not in `met`, in breadth-first order; all of it is
/// entered there.
pub(crate) fn reached_from<N: Iterator<Item = u32>>(
    starts: Vec<u32>,
    met: &mut FixedBitSet,
    neighbours: impl Fn(u32) -> N,
) -> Vec<u32> {
    starts.iter().for_each(|&start| met.insert(start as usize));
    let (mut reached, mut next) = (starts, 0);
    while let Some(&vertex) = reached.get(next) {
        next += 1;
        reached.extend(neighbours(vertex).filter(|&other| !met.put(other as usize)));
    }
    reached
}

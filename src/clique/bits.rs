//! Sets of small numbers as rows of words.

/// How many words a set of numbers below `count` takes.
pub(super) fn words_for(count: usize) -> usize {
    count.div_ceil(64)
}

pub(super) fn insert(set: &mut [u64], element: usize) {
    set[element / 64] |= 1 << (element % 64);
}

pub(super) fn remove(set: &mut [u64], element: usize) {
    set[element / 64] &= !(1 << (element % 64));
}

pub(super) fn contains(set: &[u64], element: usize) -> bool {
    set[element / 64] >> (element % 64) & 1 == 1
}

pub(super) fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

pub(super) fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|&word| word == 0)
}

/// All numbers below `count`.
pub(super) fn fill(set: &mut [u64], count: usize) {
    set.fill(0);
    set[..count / 64].fill(u64::MAX);
    if !count.is_multiple_of(64) {
        set[count / 64] = (1 << (count % 64)) - 1;
    }
}

/// `target = one ∩ other`; whether it has an element.
pub(super) fn intersect_into(target: &mut [u64], one: &[u64], other: &[u64]) -> bool {
    let mut any = 0;
    for ((target, one), other) in target.iter_mut().zip(one).zip(other) {
        *target = one & other;
        any |= *target;
    }
    any != 0
}

/// `target = target ∩ other`.
pub(super) fn intersect(target: &mut [u64], other: &[u64]) {
    for (target, other) in target.iter_mut().zip(other) {
        *target &= other;
    }
}

/// `target = target ∖ other`.
pub(super) fn strike(target: &mut [u64], other: &[u64]) {
    for (target, other) in target.iter_mut().zip(other) {
        *target &= !other;
    }
}

/// The least element in the words from this one on.
pub(super) fn first(set: &[u64], from: usize) -> Option<usize> {
    let at = from + set[from..].iter().position(|&word| word != 0)?;
    Some(at * 64 + set[at].trailing_zeros() as usize)
}

pub(super) fn disjoint(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one & other == 0)
}

/// The size of `one ∩ other`, or 2 if it is greater, and an element of it.
pub(super) fn meet_up_to_two(one: &[u64], other: &[u64]) -> (usize, usize) {
    let (mut size, mut element) = (0, usize::MAX);
    for (at, (one, other)) in one.iter().zip(other).enumerate() {
        let both = one & other;
        if both != 0 {
            if size > 0 || !both.is_power_of_two() {
                return (2, at * 64 + both.trailing_zeros() as usize);
            }
            (size, element) = (1, at * 64 + both.trailing_zeros() as usize);
        }
    }
    (size, element)
}

/// The elements, ascending.
pub(super) fn elements(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let element = at * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                element
            })
        })
    })
}

//! The two best of many.

/// Keeps what is offered, if it is worth more than one of the best two so far. Of what is worth the same the first stays.
#[inline]
pub(crate) fn keep_top_two<T, W: PartialOrd>([best, second]: [&mut T; 2], offered: T, worth: impl Fn(&T) -> W) {
    if worth(&offered) > worth(best) {
        *second = std::mem::replace(best, offered);
    } else if worth(&offered) > worth(second) {
        *second = offered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_two_of_all_orders() {
        for numbers in [[3, 2, 1, 2], [1, 2, 3, 2], [2, 3, 2, 1], [3, 3, 1, 2]] {
            let (mut best, mut second) = (None, None);
            for offered in numbers.into_iter().zip(0..) {
                keep_top_two([&mut best, &mut second], Some(offered), |known| known.map(|(number, _)| number));
            }
            let mut sorted: Vec<(i32, i32)> = numbers.into_iter().zip(0..).collect();
            sorted.sort_by_key(|&(number, place)| (-number, place));
            assert_eq!([best, second], [Some(sorted[0]), Some(sorted[1])], "{numbers:?}");
        }
    }
}

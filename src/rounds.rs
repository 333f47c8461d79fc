//! How long tests go on with random cases.

/// As many rounds as every run of the tests has time for; `LONGHAUL_ROUNDS` times as many where that is set.
pub(crate) fn rounds(few: usize) -> usize {
    let times = std::env::var("LONGHAUL_ROUNDS").map_or(1, |times| times.parse().expect("a whole number"));
    few * times
}

//! The answer to the question how many paths there are.

use num_bigint::BigUint;

use crate::solution::{Stats, Stop};

/// How many paths there are, by their lengths: the answer of [`count`](crate::LongestPath::count) and
/// [`distribution`](crate::LongestPath::distribution).
///
/// Where the graph has no direction, a path and its reverse are the same, and so are the ways to tell a cycle. Parallel edges
/// make different paths. A single node is a path too.
///
/// With the feature `serde` it can be stored and read again; numbers are written as strings of digits, since they may be large.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathCounts {
    #[cfg_attr(feature = "serde", serde(with = "digits"))]
    pub(crate) by_length: Vec<(i64, BigUint)>,
    pub(crate) stop: Stop,
    pub(crate) stats: Stats,
}

impl PathCounts {
    /// Whether all are counted; if not, [`stop`](Self::stop) says why, and there are no numbers.
    pub fn is_complete(&self) -> bool {
        self.stop == Stop::Finished
    }

    /// The greatest length; `None` if there is no path, or not all are counted.
    pub fn length(&self) -> Option<i64> {
        self.by_length.last().map(|&(length, _)| length)
    }

    /// How many paths have the greatest length: 0 if there is no path; `None` if not all are counted.
    pub fn count(&self) -> Option<BigUint> {
        let count = self.by_length.last().map(|(_, count)| count.clone());
        self.is_complete().then(|| count.unwrap_or_default())
    }

    /// Lengths with the number of paths of each, ascending. After [`count`](crate::LongestPath::count) only the greatest.
    pub fn by_length(&self) -> &[(i64, BigUint)] {
        &self.by_length
    }

    /// How many paths there are in all of [`by_length`](Self::by_length).
    pub fn total(&self) -> BigUint {
        self.by_length.iter().map(|(_, count)| count).sum()
    }

    /// Why the count ended.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// How it came about.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }
}

/// Lengths with large numbers, as strings of digits.
#[cfg(feature = "serde")]
mod digits {
    use num_bigint::BigUint;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(counts: &[(i64, BigUint)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(counts.iter().map(|(length, count)| (length, count.to_string())))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(i64, BigUint)>, D::Error> {
        let counts = Vec::<(i64, String)>::deserialize(deserializer)?;
        let number = |(length, count): (i64, String)| Ok((length, count.parse().map_err(D::Error::custom)?));
        counts.into_iter().map(number).collect()
    }
}

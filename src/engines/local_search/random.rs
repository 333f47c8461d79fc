//! Numbers and orders drawn at random.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

/// A number below `bound`.
#[inline]
pub(super) fn below(rng: &mut Pcg64Mcg, bound: usize) -> usize {
    ((u64::from(rng.next_u32()) * bound as u64) >> 32) as usize
}

/// Brings the vertices into any order (R. Durstenfeld, *Algorithm 235: Random permutation*, Communications of the ACM 7 (1964)
/// 420, doi:10.1145/364520.364540).
pub(super) fn shuffle(rng: &mut Pcg64Mcg, vertices: &mut [u32]) {
    for place in (1..vertices.len()).rev() {
        vertices.swap(place, below(rng, place + 1));
    }
}

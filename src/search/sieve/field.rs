//! Arithmetic in GF(2⁸), many elements at once, bit by bit.
//!
//! A [`Block`] holds [`LANES`] elements in *bit slices*: slice `i` has the bits of `xⁱ` of all of them. Sums are XORs of
//! slices; products are sums of ANDs, as on paper, by Karatsuba's rule on halves of halves, reduced by
//! `x⁸ = x⁴ + x³ + x + 1`. There are no tables, no branches on data and no carries, so the compiler makes vector
//! instructions of it, of whatever width the machine has.

/// 64-bit words in a slice.
pub(super) const WORDS: usize = 4;
/// Elements in a block.
pub(super) const LANES: usize = 64 * WORDS;
/// Bits of an element.
pub(super) const BITS: usize = 8;

/// As many words as are worked on at once, so that the slices of a product stay in registers.
const CHUNK: usize = 2;
type Slice = [u64; CHUNK];

/// 256 elements of GF(2⁸): `block[word group][slice]`, every word group a block of its own with fewer lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block([[Slice; BITS]; WORDS / CHUNK]);

#[inline(always)]
fn xor(one: Slice, other: Slice) -> Slice {
    std::array::from_fn(|word| one[word] ^ other[word])
}

#[inline(always)]
fn and(one: Slice, other: Slice) -> Slice {
    std::array::from_fn(|word| one[word] & other[word])
}

/// All ones where the bit of the scalar is set.
#[inline(always)]
fn spread(scalar: u8, bit: usize) -> Slice {
    [0u64.wrapping_sub(u64::from(scalar >> bit & 1)); CHUNK]
}

impl Block {
    pub(super) const ZERO: Block = Block([[[0; CHUNK]; BITS]; WORDS / CHUNK]);

    /// For every lane the sum of those scalars whose bit is set in the lane's number: scalar `j` for bit `j`.
    pub(super) fn subset_sums(scalars: &[u8]) -> Block {
        let mut block = Block::ZERO;
        for (label, &scalar) in scalars.iter().enumerate() {
            let lanes = lanes_with(label);
            for (group, lanes) in block.0.iter_mut().zip(lanes.chunks_exact(CHUNK)) {
                for (bit, slice) in group.iter_mut().enumerate() {
                    let mask = spread(scalar, bit);
                    for (word, lanes) in slice.iter_mut().zip(lanes) {
                        *word ^= lanes & mask[0];
                    }
                }
            }
        }
        block
    }

    /// Adds the same scalar in every lane.
    #[inline(always)]
    pub(super) fn plus(&self, scalar: u8) -> Block {
        let mut sum = *self;
        for group in &mut sum.0 {
            for (bit, slice) in group.iter_mut().enumerate() {
                *slice = xor(*slice, spread(scalar, bit));
            }
        }
        sum
    }

    /// Adds lane by lane.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Block) {
        for (group, other) in self.0.iter_mut().zip(&other.0) {
            for (slice, other) in group.iter_mut().zip(other) {
                *slice = xor(*slice, *other);
            }
        }
    }

    /// Multiplies every lane by the same scalar: `Σ scalarⱼ xʲ`, so eight shifted copies are masked and added.
    #[inline(always)]
    pub(super) fn scaled(&self, scalar: u8) -> Block {
        let mut product = Block::ZERO;
        for (group, product) in self.0.iter().zip(&mut product.0) {
            let mut shifted = *group;
            for bit in 0..BITS {
                let mask = spread(scalar, bit);
                for (slice, product) in shifted.iter().zip(product.iter_mut()) {
                    *product = xor(*product, and(*slice, mask));
                }
                shifted = times_x(&shifted);
            }
        }
        product
    }

    /// Multiplies lane by lane.
    #[inline(always)]
    pub(super) fn times(&self, other: &Block) -> Block {
        let mut product = Block::ZERO;
        for ((one, other), product) in self.0.iter().zip(&other.0).zip(&mut product.0) {
            *product = reduced(multiply(one, other));
        }
        product
    }

    /// For each slice the sum over the lanes with numbers below `lanes` (their parity, folded into a word).
    pub(super) fn folded(&self, lanes: usize) -> [u64; BITS] {
        let below = |word: usize| match lanes.saturating_sub(64 * word) {
            0 => 0,
            bits if bits < 64 => (1 << bits) - 1,
            _ => u64::MAX,
        };
        let mut sums = [0; BITS];
        for (group, words) in self.0.iter().zip((0..WORDS).step_by(CHUNK)) {
            for (slice, sum) in group.iter().zip(&mut sums) {
                for (at, word) in slice.iter().enumerate() {
                    *sum ^= word & below(words + at);
                }
            }
        }
        sums
    }

    #[cfg(test)]
    pub(super) fn lane(&self, lane: usize) -> u8 {
        let (word, bit) = (lane / 64, lane % 64);
        let group = &self.0[word / CHUNK];
        (0..BITS).map(|slice| ((group[slice][word % CHUNK] >> bit & 1) as u8) << slice).sum()
    }
}

/// The lanes whose number has this bit.
fn lanes_with(bit: usize) -> [u64; WORDS] {
    const PATTERNS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    std::array::from_fn(|word| match PATTERNS.get(bit) {
        Some(&pattern) => pattern,
        None if word >> (bit - PATTERNS.len()) & 1 == 1 => u64::MAX,
        None => 0,
    })
}

#[inline(always)]
fn times_x(slices: &[Slice; BITS]) -> [Slice; BITS] {
    let [a, b, c, d, e, f, g, top] = *slices;
    [top, xor(a, top), b, xor(c, top), xor(d, top), e, f, g]
}

/// The product of two polynomials of degree 1.
#[inline(always)]
fn multiply_2(a: [Slice; 2], b: [Slice; 2]) -> [Slice; 3] {
    let (low, high) = (and(a[0], b[0]), and(a[1], b[1]));
    let cross = and(xor(a[0], a[1]), xor(b[0], b[1]));
    [low, xor(cross, xor(low, high)), high]
}

/// Of degree 3.
#[inline(always)]
fn multiply_4(a: [Slice; 4], b: [Slice; 4]) -> [Slice; 7] {
    let low = multiply_2([a[0], a[1]], [b[0], b[1]]);
    let high = multiply_2([a[2], a[3]], [b[2], b[3]]);
    let cross = multiply_2([xor(a[0], a[2]), xor(a[1], a[3])], [xor(b[0], b[2]), xor(b[1], b[3])]);
    let middle: [Slice; 3] = std::array::from_fn(|i| xor(cross[i], xor(low[i], high[i])));
    [low[0], low[1], xor(low[2], middle[0]), middle[1], xor(high[0], middle[2]), high[1], high[2]]
}

/// Of degree 7.
#[inline(always)]
fn multiply(a: &[Slice; BITS], b: &[Slice; BITS]) -> [Slice; 2 * BITS - 1] {
    let [a0, a1, a2, a3, a4, a5, a6, a7] = *a;
    let [b0, b1, b2, b3, b4, b5, b6, b7] = *b;
    let low = multiply_4([a0, a1, a2, a3], [b0, b1, b2, b3]);
    let high = multiply_4([a4, a5, a6, a7], [b4, b5, b6, b7]);
    let cross = multiply_4(
        [xor(a0, a4), xor(a1, a5), xor(a2, a6), xor(a3, a7)],
        [xor(b0, b4), xor(b1, b5), xor(b2, b6), xor(b3, b7)],
    );
    let mut product = [[0; CHUNK]; 2 * BITS - 1];
    for i in 0..7 {
        product[i] = xor(product[i], low[i]);
        product[i + 8] = xor(product[i + 8], high[i]);
        product[i + 4] = xor(product[i + 4], xor(cross[i], xor(low[i], high[i])));
    }
    product
}

/// Modulo `x⁸ + x⁴ + x³ + x + 1`.
#[inline(always)]
fn reduced(mut product: [Slice; 2 * BITS - 1]) -> [Slice; BITS] {
    for degree in (BITS..2 * BITS - 1).rev() {
        let carried = product[degree];
        for lower in [degree - 8, degree - 7, degree - 5, degree - 4] {
            product[lower] = xor(product[lower], carried);
        }
    }
    std::array::from_fn(|bit| product[bit])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On paper.
    fn product(one: u8, other: u8) -> u8 {
        let mut sum = 0u16;
        for bit in 0..8 {
            if other >> bit & 1 == 1 {
                sum ^= u16::from(one) << bit;
            }
        }
        for degree in (8..15).rev() {
            if sum >> degree & 1 == 1 {
                sum ^= 0x11b << (degree - 8);
            }
        }
        sum as u8
    }

    /// Lane `i` has the element `i`.
    fn counting() -> Block {
        Block::subset_sums(&[1, 2, 4, 8, 16, 32, 64, 128])
    }

    #[test]
    fn every_product() {
        let all = counting();
        assert!((0..LANES).all(|lane| all.lane(lane) == lane as u8));
        for scalar in 0..=255 {
            let scaled = all.scaled(scalar);
            let shifted = all.plus(scalar);
            let times = all.times(&shifted);
            for lane in 0..LANES {
                let element = lane as u8;
                assert_eq!(scaled.lane(lane), product(element, scalar));
                assert_eq!(shifted.lane(lane), element ^ scalar);
                assert_eq!(times.lane(lane), product(element, element ^ scalar));
            }
        }
    }

    /// A ring without zero divisors of this size is the field.
    #[test]
    fn no_zero_divisors() {
        assert!((1..=255).all(|one| (1..=255).all(|other| product(one, other) != 0)));
    }

    #[test]
    fn folds() {
        let all = counting();
        for lanes in [0, 1, 5, 64, 100, 128, 200, 256] {
            let expected = (0..lanes).fold(0, |sum, lane| sum ^ lane as u8);
            let folded = all.folded(lanes);
            let parities = folded.iter().enumerate().map(|(bit, word)| ((word.count_ones() % 2) as u8) << bit);
            assert_eq!(parities.sum::<u8>(), expected);
        }
    }
}

//! Arithmetic in GF(2⁸), many elements at once, bit by bit.
//!
//! A [`Block`] holds [`LANES`] elements in *bit slices*: slice `i` has the bits of `xⁱ` of all of them. Sums are XORs of
//! slices. Products follow Horner's rule, one factor's slices from the top: multiply by `x`, where `x⁸ = x⁴ + x³ + x + 1`
//! renames the slices and adds three, and add the other factor masked by the slice. There are no tables, no branches on
//! data and no carries, so the compiler makes vector instructions of it, of whatever width the machine has. (Karatsuba's
//! rule takes fewer operations and more registers than there are: it was slower by a factor of five.)

/// 64-bit words in a slice.
pub(super) const WORDS: usize = 4;
/// Elements in a block.
pub(super) const LANES: usize = 64 * WORDS;
/// Bits of an element.
pub(super) const BITS: usize = 8;

type Slice = [u64; WORDS];

/// Elements of GF(2⁸), by slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Block([Slice; BITS]);

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
    [0u64.wrapping_sub(u64::from(scalar >> bit & 1)); WORDS]
}

impl Block {
    pub(super) const ZERO: Block = Block([[0; WORDS]; BITS]);

    /// For every lane the sum of those scalars whose bit is set in the lane's number: scalar `j` for bit `j`.
    pub(super) fn subset_sums(scalars: &[u8]) -> Block {
        let mut block = Block::ZERO;
        for (label, &scalar) in scalars.iter().enumerate() {
            let lanes = lanes_with(label);
            for (bit, slice) in block.0.iter_mut().enumerate() {
                *slice = xor(*slice, and(lanes, spread(scalar, bit)));
            }
        }
        block
    }

    /// Adds the same scalar in every lane.
    #[inline]
    pub(super) fn plus(&self, scalar: u8) -> Block {
        let mut sum = *self;
        for (bit, slice) in sum.0.iter_mut().enumerate() {
            *slice = xor(*slice, spread(scalar, bit));
        }
        sum
    }

    /// Adds lane by lane.
    #[inline]
    pub(super) fn add(&mut self, other: &Block) {
        for (slice, other) in self.0.iter_mut().zip(&other.0) {
            *slice = xor(*slice, *other);
        }
    }

    /// Multiplies every lane by the same scalar.
    #[inline]
    pub(super) fn scaled(&self, scalar: u8) -> Block {
        let mut product = [[0; WORDS]; BITS];
        for bit in (0..BITS).rev() {
            product = times_x_plus(&product, spread(scalar, bit), &self.0);
        }
        Block(product)
    }

    /// Multiplies lane by lane.
    #[inline]
    pub(super) fn times(&self, other: &Block) -> Block {
        let mut product = [[0; WORDS]; BITS];
        for slice in self.0.iter().rev() {
            product = times_x_plus(&product, *slice, &other.0);
        }
        Block(product)
    }

    /// For each slice the sum over the lanes with numbers below `lanes` (their parity, folded into a word).
    pub(super) fn folded(&self, lanes: usize) -> [u64; BITS] {
        let below: Slice = std::array::from_fn(|word| match lanes.saturating_sub(64 * word) {
            0 => 0,
            bits if bits < 64 => (1 << bits) - 1,
            _ => u64::MAX,
        });
        self.0.map(|slice| and(slice, below).into_iter().fold(0, |sum, word| sum ^ word))
    }

    #[cfg(test)]
    pub(super) fn lane(&self, lane: usize) -> u8 {
        let (word, bit) = (lane / 64, lane % 64);
        (0..BITS).map(|slice| ((self.0[slice][word] >> bit & 1) as u8) << slice).sum()
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

/// `sum · x + mask · addend`, lane by lane.
#[inline(always)]
fn times_x_plus(sum: &[Slice; BITS], mask: Slice, addend: &[Slice; BITS]) -> [Slice; BITS] {
    let [a, b, c, d, e, f, g, top] = *sum;
    let mut shifted = [top, xor(a, top), b, xor(c, top), xor(d, top), e, f, g];
    for (slice, addend) in shifted.iter_mut().zip(addend) {
        *slice = xor(*slice, and(mask, *addend));
    }
    shifted
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

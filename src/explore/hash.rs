//! A hash that is the same in every run, so that the order in which states are kept is, too.
//!
//! Words of eight bytes are folded in by the full product of two 64-bit numbers, whose halves are xored: the mixing step of
//! Wang Yi's wyhash (2019, public domain), without its seeds. States come from a model and not from an adversary, so nothing
//! secret is needed.

use std::hash::{Hash, Hasher};

const START: u64 = 0x243f_6a88_85a3_08d3;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a value.
pub(super) fn of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut mixer = Mixer(START);
    value.hash(&mut mixer);
    mixer.finish()
}

/// The hash of some bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> u64 {
    let mut mixer = Mixer(START ^ bytes.len() as u64);
    mixer.write(bytes);
    mixer.finish()
}

struct Mixer(u64);

impl Mixer {
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.fold(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.fold(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.fold(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.fold(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.fold(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.fold(value as u64);
    }

    fn finish(&self) -> u64 {
        let product = u128::from(self.0) * u128::from(START | 1);
        (product as u64) ^ (product >> 64) as u64
    }
}

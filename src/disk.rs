//! What has no room in memory waits on disk.
//!
//! A [`Spool`] is a file without a name, which is gone when the process is, however that ends. All spools of a run share one
//! [`Disk`]: the bytes that they may take together. Words that lie [packed](pack) in it are told by their differences, one byte of all
//! of them after the other, and then compressed (LZ4): of sorted words the high bytes are nearly all nothing.

#[cfg(feature = "disk")]
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(feature = "disk")]
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many bytes a run may still write. Copies are of the same disk.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    room: Arc<AtomicU64>,
}

impl Disk {
    /// With room for so many bytes.
    pub(crate) fn of(bytes: u64) -> Self {
        Disk { room: Arc::new(AtomicU64::new(bytes)) }
    }

    /// Without any.
    pub(crate) fn none() -> Self {
        Disk::of(0)
    }

    /// So many bytes of it are left.
    pub(crate) fn room(&self) -> u64 {
        self.room.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) -> bool {
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(bytes)).is_ok()
    }

    fn give_back(&self, bytes: u64) {
        self.room.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A file that grows at its end, is read anywhere and cut short.
#[derive(Debug)]
pub(crate) struct Spool {
    disk: Disk,
    /// Once there is something to write. After a failure nothing more is.
    #[cfg(feature = "disk")]
    file: Option<Mutex<std::fs::File>>,
    failed: bool,
    length: u64,
}

impl Spool {
    /// An empty one; without room it has no file.
    pub(crate) fn new(disk: &Disk) -> Self {
        Spool {
            disk: disk.clone(),
            #[cfg(feature = "disk")]
            file: None,
            failed: false,
            length: 0,
        }
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Writes at the end; `false` if there is no room, or it can't be written.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        let count = bytes.len() as u64;
        if self.failed || !self.disk.take(count) {
            return false;
        }
        if self.write(bytes).is_none() {
            self.disk.give_back(count);
            self.failed = true;
            return false;
        }
        self.length += count;
        true
    }

    /// Forgets all from there on, which was read or is of no use.
    pub(crate) fn cut(&mut self, length: u64) {
        debug_assert!(length <= self.length);
        self.disk.give_back(self.length - length);
        self.length = length;
        // If that fails, the file is longer than it need be.
        #[cfg(feature = "disk")]
        if let Some(file) = &self.file {
            let _ = locked(file).set_len(length);
        }
    }

    #[cfg(feature = "disk")]
    fn write(&mut self, bytes: &[u8]) -> Option<()> {
        if self.file.is_none() {
            self.file = Some(Mutex::new(tempfile::tempfile_in(folder()).ok()?));
        }
        let mut file = locked(self.file.as_ref()?);
        file.seek(SeekFrom::Start(self.length)).ok()?;
        file.write_all(bytes).ok()
    }

    /// What was written there; `None` if it can't be read again.
    #[cfg(feature = "disk")]
    pub(crate) fn read(&self, at: u64, count: usize) -> Option<Vec<u8>> {
        debug_assert!(at + count as u64 <= self.length);
        let mut file = locked(self.file.as_ref()?);
        let mut bytes = vec![0; count];
        file.seek(SeekFrom::Start(at)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    #[cfg(not(feature = "disk"))]
    fn write(&mut self, _: &[u8]) -> Option<()> {
        None
    }

    #[cfg(not(feature = "disk"))]
    pub(crate) fn read(&self, _: u64, _: usize) -> Option<Vec<u8>> {
        None
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        self.disk.give_back(self.length);
    }
}

#[cfg(feature = "disk")]
fn locked(file: &Mutex<std::fs::File>) -> MutexGuard<'_, std::fs::File> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where such files are: what is large and temporary has a place of its own on many systems, where the other is in memory.
#[cfg(feature = "disk")]
fn folder() -> std::path::PathBuf {
    let large = std::path::PathBuf::from("/var/tmp");
    if std::env::var_os("TMPDIR").is_none() && large.is_dir() { large } else { std::env::temp_dir() }
}

/// Packs words, which are shortest where they rise, behind what is there already. The buffer is the caller's to keep.
pub(crate) fn pack(words: &[u64], buffer: &mut Vec<u8>, packed: &mut Vec<u8>) {
    buffer.clear();
    for byte in 0..8 {
        let mut before = 0u64;
        buffer.extend(words.iter().map(|&word| {
            let difference = word.wrapping_sub(std::mem::replace(&mut before, word));
            difference.to_le_bytes()[byte]
        }));
    }
    compress(buffer, packed);
}

/// The words again; `None` if these are none, or not so many.
pub(crate) fn unpack(packed: &[u8], buffer: &mut Vec<u8>, words: &mut [u64]) -> Option<()> {
    buffer.clear();
    buffer.resize(8 * words.len(), 0);
    decompress(packed, buffer)?;
    let mut before = 0u64;
    for (at, word) in words.iter_mut().enumerate() {
        let difference = u64::from_le_bytes(std::array::from_fn(|byte| buffer[byte * (buffer.len() / 8) + at]));
        before = before.wrapping_add(difference);
        *word = before;
    }
    Some(())
}

#[cfg(feature = "disk")]
fn compress(bytes: &[u8], packed: &mut Vec<u8>) {
    let begin = packed.len();
    packed.resize(begin + lz4_flex::block::get_maximum_output_size(bytes.len()), 0);
    let count =
        lz4_flex::block::compress_into(bytes, &mut packed[begin..]).expect("there is room for the longest output");
    packed.truncate(begin + count);
}

#[cfg(feature = "disk")]
fn decompress(packed: &[u8], bytes: &mut [u8]) -> Option<()> {
    let count = lz4_flex::block::decompress_into(packed, bytes).ok()?;
    (count == bytes.len()).then_some(())
}

#[cfg(not(feature = "disk"))]
fn compress(bytes: &[u8], packed: &mut Vec<u8>) {
    packed.extend_from_slice(bytes);
}

#[cfg(not(feature = "disk"))]
fn decompress(packed: &[u8], bytes: &mut [u8]) -> Option<()> {
    (packed.len() == bytes.len()).then(|| bytes.copy_from_slice(packed))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::rounds::rounds;

    #[test]
    fn words_come_back_as_they_were() {
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        let (mut buffer, mut packed) = (Vec::new(), Vec::new());
        for _ in 0..rounds(300) {
            let (count, bits) = (rng.random_range(0..3000), rng.random_range(0..64));
            let mut words: Vec<u64> = (0..count).map(|_| rng.random::<u64>() >> bits).collect();
            if rng.random() {
                words.sort_unstable();
            }
            packed.clear();
            packed.push(7);
            pack(&words, &mut buffer, &mut packed);
            let mut again = vec![0; words.len()];
            assert!(unpack(&packed[1..], &mut buffer, &mut again).is_some());
            assert_eq!(words, again);
            let mut more = vec![0; words.len() + 1];
            assert!(unpack(&packed[1..], &mut buffer, &mut more).is_none());
        }
    }

    #[cfg(feature = "disk")]
    #[test]
    fn sorted_words_take_a_part_of_their_room() {
        let mut rng = Pcg64Mcg::seed_from_u64(4);
        let mut words: Vec<u64> = (0..2048).map(|_| rng.random::<u64>() >> 24).collect();
        words.sort_unstable();
        let mut packed = Vec::new();
        pack(&words, &mut Vec::new(), &mut packed);
        assert!(packed.len() < words.len() * 5, "{} bytes", packed.len());
    }

    #[cfg(feature = "disk")]
    #[test]
    fn a_spool_keeps_what_it_has_room_for() {
        let disk = Disk::of(10);
        let [mut one, mut other] = [Spool::new(&disk), Spool::new(&disk)];
        assert!(one.push(b"abcd") && one.push(b"ef") && other.push(b"gh"));
        assert!(!one.push(b"ijk") && one.push(b"i"));
        assert_eq!(one.read(2, 4).as_deref(), Some(&b"cdef"[..]));
        one.cut(3);
        assert!(other.push(b"klmno") && !other.push(b"p"));
        assert!(!one.push(b"x"));
        drop(other);
        assert!(one.push(b"xyz"));
        assert_eq!(one.read(0, 6).as_deref(), Some(&b"abcxyz"[..]));
        assert_eq!(one.length(), 6);
        drop(one);
        assert!(disk.take(10) && disk.room() == 0);
    }
}

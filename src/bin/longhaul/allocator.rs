//! Memory that was freed goes back to the system.
//!
//! `--memory-limit` counts what is held. The allocator of glibc keeps what was freed for the next who asks: each time that a mapped
//! block is freed, blocks of its size and smaller are taken from the heap from then on, up to 32 MB. Vectors that grow to a few
//! megabytes and are freed leave holes there: 420 MB were held where at most 300 were counted. With a threshold that stays
//! where it is, such vectors are mapped, and given back when they are freed: 300 MB.

/// Blocks of so many bytes are mapped.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_FROM: libc::c_int = 1 << 20;

/// Sets the size from which blocks are mapped, so that it no longer grows. Other allocators stay as they are.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc has no other way to set it")]
pub(crate) fn give_back_what_is_freed() {
    // SAFETY: `mallopt` takes two numbers and touches no memory of ours; no other thread runs yet. Where it refuses (0), the
    // threshold stays as it was.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_FROM);
    }
}

/// Other allocators stay as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_what_is_freed() {}

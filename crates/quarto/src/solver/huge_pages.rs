//! A large zeroed array of atomics on huge pages, and the processor's prefetch.
//!
//! This is the only unsafe code of the crate. A transposition table of gigabytes is hit at random: on pages of 4 KiB nearly
//! every look misses the translation buffer as well as the cache, and the safe ways to get memory do not let us ask for
//! larger pages. So the array is an anonymous mapping, and two facts make its use as atomics sound: the mapping is zeroed,
//! page-aligned, owned by this value and never handed out otherwise; and every bit pattern is a valid `AtomicU64`.

#![allow(unsafe_code)]

#[cfg(target_os = "linux")]
use memmap2::Advice;
#[cfg(not(target_arch = "wasm32"))]
use memmap2::MmapMut;
use std::io;
use std::sync::atomic::AtomicU64;

/// Up to so many bytes no huge pages are asked for.
#[cfg(target_os = "linux")]
const SMALL: usize = 64 << 20;

/// Zeroed atomics where there are no pages to choose from: in a browser.
#[cfg(target_arch = "wasm32")]
pub(super) struct HugePages(Vec<AtomicU64>);

#[cfg(target_arch = "wasm32")]
impl HugePages {
    /// `length` zeroes. An error if there is no room.
    pub(super) fn zeroed(length: usize) -> io::Result<Self> {
        let mut words = Vec::new();
        words
            .try_reserve_exact(length)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        words.resize_with(length, AtomicU64::default);
        Ok(HugePages(words))
    }

    /// The atomics.
    #[inline(always)]
    pub(super) fn words(&self) -> &[AtomicU64] {
        &self.0
    }
}

/// Zeroed atomics, on huge pages where the system gives them.
#[cfg(not(target_arch = "wasm32"))]
pub(super) struct HugePages {
    mapping: MmapMut,
    length: usize,
}

#[cfg(not(target_arch = "wasm32"))]
impl HugePages {
    /// `length` zeroes; `length` must not be 0. An error if the system refuses.
    pub(super) fn zeroed(length: usize) -> io::Result<Self> {
        let bytes = length
            .checked_mul(size_of::<AtomicU64>())
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let mapping = MmapMut::map_anon(bytes)?;
        // Only a wish: without huge pages the table is slower, not wrong. For a small one it is not worth what it may cost: to
        // make a huge page, the kernel may have to move others out of the way, and a player that is told to stop in the
        // middle of that answers 100 ms later.
        #[cfg(target_os = "linux")]
        if bytes > SMALL {
            let _ = mapping.advise(Advice::HugePage);
        }
        Ok(HugePages { mapping, length })
    }

    /// The atomics.
    #[inline(always)]
    pub(super) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is page-aligned, holds `length` words of 8 bytes, lives as long as `self`, is written only
        // through these atomics, and any bits are a valid AtomicU64.
        unsafe { std::slice::from_raw_parts(self.mapping.as_ptr().cast::<AtomicU64>(), self.length) }
    }
}

/// Asks for the cache line of a word that will be read soon.
#[inline(always)]
pub(super) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless, and this one comes from a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn memory_is_zeroed_and_every_word_can_be_written_from_any_thread() {
        let memory = HugePages::zeroed(10_000).unwrap();
        assert_eq!(memory.words().len(), 10_000);
        assert!(memory.words().iter().all(|word| word.load(Ordering::Relaxed) == 0));
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let words = memory.words();
                scope.spawn(move || {
                    for (i, word) in words.iter().enumerate().filter(|(i, _)| i % 2 == thread) {
                        prefetch(word);
                        word.store(i as u64, Ordering::Relaxed);
                    }
                });
            }
        });
        assert!(
            (0u64..)
                .zip(memory.words())
                .all(|(i, word)| word.load(Ordering::Relaxed) == i)
        );
    }

    #[test]
    fn an_impossible_amount_is_refused_not_fatal() {
        assert!(HugePages::zeroed(usize::MAX / 8).is_err());
        assert!(HugePages::zeroed(usize::MAX).is_err());
    }
}

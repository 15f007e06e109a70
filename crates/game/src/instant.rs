//! A moment on a clock that never goes back.
//!
//! Nearly everywhere it is the standard library's. In a browser that one panics, since WebAssembly by itself knows no time: there
//! the host is asked, through the one function it must provide, `terzo.now`.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use hosted::Instant;

/// The part of `std::time::Instant` that is used here, over the clock of who hosts the module.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod hosted {
    // A function of the host can be called only by `unsafe`: the compiler cannot see what it does. It takes nothing, gives a
    // number, and touches no memory.
    #![allow(unsafe_code)]

    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "terzo")]
    unsafe extern "C" {
        /// Milliseconds since some fixed moment.
        fn now() -> f64;
    }

    /// A moment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Self {
            // SAFETY: see above.
            let ms = unsafe { now() };
            Instant(Duration::from_secs_f64((ms / 1000.0).max(0.0)))
        }

        /// How long ago it was.
        pub fn elapsed(&self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        /// How long it was after another moment; zero if it was before.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The same.
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }

        /// The moment so much later, if there is one.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }

    impl Sub<Instant> for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}

//! When work must end with what it has.
//!
//! Searches ask a position for its successors through [`game::Game`], which has no parameter for a clock, and a single state may take
//! the prover longer than a player can wait. So a player sets a deadline for its thread ([`Deadline::bound`]), and the machines check
//! it.

use game::Instant;
use game::Stop;
use std::cell::RefCell;

/// A moment and a sign, whichever comes first.
///
/// ```
/// use game::Stop;
/// use gdl::Deadline;
///
/// let stop = Stop::new();
/// let deadline = Deadline { at: None, stop: stop.clone() };
/// deadline.bound(|| {
///     assert!(!Deadline::current().is_over());
///     stop.raise();
///     assert!(Deadline::current().is_over());
/// });
/// assert!(!Deadline::current().is_over());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    /// The moment.
    pub at: Option<Instant>,
    /// The sign.
    pub stop: Stop,
}

thread_local! {
    static CURRENT: RefCell<Deadline> = const { RefCell::new(Deadline { at: None, stop: Stop::never() }) };
}

impl Deadline {
    /// Whether it is time to end.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stop.is_raised() || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// The same, at `at` at the latest.
    pub fn before(&self, at: Option<Instant>) -> Deadline {
        Deadline {
            at: match (self.at, at) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            stop: self.stop.clone(),
        }
    }

    /// Does some work on this thread, in which no machine is busy beyond this deadline: games in progress are dropped, and states
    /// that are not worked out are errors. Threads that the work starts are not bound by it.
    pub fn bound<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Puts back what was there before, also after a panic.
        struct Restore(Deadline);
        impl Drop for Restore {
            fn drop(&mut self) {
                let before = std::mem::take(&mut self.0);
                CURRENT.with(|current| *current.borrow_mut() = before);
            }
        }
        let _restore = Restore(CURRENT.with(|current| current.replace(self.clone())));
        work()
    }

    /// The deadline of this thread; none if none was set.
    pub fn current() -> Deadline {
        CURRENT.with(|current| current.borrow().clone())
    }
}

//! The one sign by which a search, a player or a solver is told to end.

use crate::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A sign to stop. Clones are the same sign; whoever holds one may raise it, and whoever works under it looks at it often
/// enough to end within ten milliseconds, with the best answer found so far.
///
/// ```
/// use game::Stop;
///
/// let whole = Stop::new(); // Ctrl-C raises this one
/// let part = whole.child(); // a single search works under this one
/// part.raise();
/// assert!(part.is_raised() && !whole.is_raised());
/// assert!(!whole.child().is_raised());
/// whole.raise();
/// assert!(whole.child().is_raised());
/// assert!(!Stop::never().is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<Sign>>);

#[derive(Debug)]
struct Sign {
    raised: AtomicBool,
    /// What is raised above is raised here, too.
    above: Stop,
}

impl Stop {
    /// A sign that has not been raised.
    pub fn new() -> Self {
        Stop::never().child()
    }

    /// The sign that is never raised; raising it does nothing. Looking at it costs nothing.
    pub const fn never() -> Self {
        Stop(None)
    }

    /// A sign for a part of the work: raised with this one, or alone.
    pub fn child(&self) -> Self {
        Stop(Some(Arc::new(Sign {
            raised: AtomicBool::new(false),
            above: self.clone(),
        })))
    }

    /// Tells everybody who works under this sign to end. It cannot be lowered again.
    pub fn raise(&self) {
        if let Some(sign) = &self.0 {
            sign.raised.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the work is to end.
    #[inline]
    pub fn is_raised(&self) -> bool {
        match &self.0 {
            None => false,
            Some(sign) => sign.raised.load(Ordering::Relaxed) || sign.above.is_raised(),
        }
    }

    /// Whether this sign can be raised at all. Who cannot be stopped need not look.
    #[inline]
    pub fn can_be_raised(&self) -> bool {
        self.0.is_some()
    }
}

/// Until when work goes on: a moment or a sign, whichever comes first.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// The moment, if there is one.
    pub deadline: Option<Instant>,
    /// The sign.
    pub stop: Stop,
}

impl Until {
    /// Without end.
    pub const fn never() -> Self {
        Until {
            deadline: None,
            stop: Stop::never(),
        }
    }

    /// Up to a moment.
    pub const fn moment(deadline: Instant) -> Self {
        Until {
            deadline: Some(deadline),
            stop: Stop::never(),
        }
    }

    /// Whether it is time to end.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stop.is_raised() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

//! Who hears what a player finds while it thinks.

use crate::Analysis;
use game::{Game, Instant};
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How an observer hears.
type Hear = dyn Fn(&Analysis<String>) + Send + Sync;

/// Somebody who hears how a search goes while it goes. Clones are the same observer.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Hear>>);

impl Observer {
    /// Nobody.
    pub const fn nobody() -> Self {
        Observer(None)
    }

    /// Whoever hears with this function.
    pub fn new(hear: impl Fn(&Analysis<String>) + Send + Sync + 'static) -> Self {
        Observer(Some(Arc::new(hear)))
    }

    /// Whether anybody hears.
    #[inline]
    pub fn listens(&self) -> bool {
        self.0.is_some()
    }

    /// Tells how the search of `position` stands, if anybody hears.
    pub fn tell<G: Game>(&self, position: &G, analysis: &Analysis<G::Move>) {
        if let Some(hear) = &self.0 {
            hear(&analysis.in_words(position));
        }
    }

    /// Does `work`, and meanwhile tells [now and then](Cadence) what `look` sees of it, if anything: for searches that cannot look up from
    /// their work. `look` runs on a thread of its own, so it must only look. Without anybody who hears there is no such thread.
    pub fn watch<G: Game, T>(
        &self,
        position: &G,
        look: impl Fn() -> Option<Analysis<G::Move>> + Send,
        work: impl FnOnce() -> T,
    ) -> T {
        if !self.listens() {
            return work();
        }
        std::thread::scope(|scope| {
            let (working, ended) = channel::<()>();
            scope.spawn(move || {
                let mut cadence = Cadence::new();
                while ended.recv_timeout(cadence.wait()) == Err(RecvTimeoutError::Timeout) {
                    if let Some(analysis) = look() {
                        self.tell(position, &analysis);
                    }
                }
            });
            let done = work();
            drop(working);
            done
        })
    }
}

/// When an observer is told of a search that has no iterations to tell of: after a tenth of a second, then less and less often,
/// but at least every ten seconds.
#[derive(Clone, Debug)]
pub struct Cadence {
    began: Instant,
    due: Duration,
}

impl Cadence {
    const FIRST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_secs(10);

    /// From now on.
    #[expect(clippy::new_without_default, reason = "it begins when it is made")]
    pub fn new() -> Self {
        Cadence {
            began: Instant::now(),
            due: Cadence::FIRST,
        }
    }

    /// Whether it is time to tell something; if so, the next time is later.
    pub fn is_due(&mut self) -> bool {
        let now = self.began.elapsed();
        let due = now >= self.due;
        if due {
            self.due = now + (now / 2).min(Cadence::LONGEST);
        }
        due
    }

    /// How long to wait until the next time, if what was due has been told.
    fn wait(&mut self) -> Duration {
        self.is_due();
        self.due.saturating_sub(self.began.elapsed())
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.listens() { "Observer" } else { "nobody" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::example::Heap;
    use std::sync::Mutex;

    #[test]
    fn work_that_takes_long_is_told_of_meanwhile_and_its_result_is_handed_on() {
        let heard = Arc::new(Mutex::new(0));
        let hear = heard.clone();
        let observer = Observer::new(move |_| *hear.lock().unwrap() += 1);
        let deadline = Instant::now() + Duration::from_secs(20);
        let look = || Some(Analysis::of_move(1));
        let answer = observer.watch(&Heap::new(7), look, || {
            while *heard.lock().unwrap() < 3 && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(5));
            }
            11
        });
        assert_eq!(answer, 11);
        assert!(*heard.lock().unwrap() >= 3);
        assert_eq!(Observer::nobody().watch(&Heap::new(7), look, || 12), 12);
    }

    #[test]
    fn it_is_told_of_less_and_less_often_but_never_too_rarely() {
        let mut cadence = Cadence::new();
        assert!(!cadence.is_due());
        let mut waits = Vec::new();
        for _ in 0..20 {
            // As if the time had passed.
            cadence.began -= cadence.due;
            let wait = cadence.wait();
            waits.push(wait);
            cadence.began = Instant::now();
        }
        assert!(
            waits[0] > Duration::ZERO && waits[0] <= Duration::from_millis(100),
            "{waits:?}"
        );
        assert!(waits.iter().all(|wait| *wait <= Cadence::LONGEST), "{waits:?}");
        assert!(waits[19] > Duration::from_secs(5), "{waits:?}");
    }
}

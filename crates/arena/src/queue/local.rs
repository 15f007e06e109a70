//! Work done by threads of this process.
//!
//! Threads take one unit at a time, and keep what comes out for a moment if the next units end as quickly: whoever folds
//! thousands of results a second gets them by the handful, and one that took long at once.

use super::{Fold, Halt, Queue, QueueError, Unit, Work};
use crate::control::Control;
use parking_lot::Mutex;
use rayon::ThreadPoolBuilder;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How long a thread may keep a result to itself, if the next ones come as quickly.
const MOMENT: Duration = Duration::from_millis(20);

/// How many results it may keep.
const HANDFUL: usize = 256;

/// Threads of this process.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// How many; 0 for one a core.
    pub threads: usize,
}

impl<W: Work> Queue<W> for Local {
    fn run(
        &mut self,
        work: &Arc<W>,
        open: &mut (dyn Iterator<Item = Unit> + Send),
        control: &Control,
        fold: &mut Fold<'_, W::Done>,
    ) -> Result<(), QueueError> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let threads = LocalThreads {
            work: work.as_ref(),
            open: Mutex::new(open),
            failed: Mutex::new(None),
            control,
        };
        let (sender, receiver) = sync_channel(64);
        std::thread::scope(|scope| {
            let threads = &threads;
            scope.spawn(move || {
                let senders: Vec<_> = (0..pool.current_num_threads()).map(|_| sender.clone()).collect();
                drop(sender);
                pool.broadcast(|thread| threads.work(thread.index(), &senders[thread.index()]));
            });
            fold_all(&receiver, fold);
            // Threads still at work find nobody to hand over to, and end.
            drop(receiver);
        });
        threads.failed.into_inner().map_or(Ok(()), Err)
    }
}

/// Folds until nothing more comes, or whoever folds breaks.
fn fold_all<D>(receiver: &Receiver<Vec<(u64, D)>>, fold: &mut Fold<'_, D>) {
    while let Ok(mut results) = receiver.recv() {
        while results.len() < 16 * HANDFUL {
            match receiver.try_recv() {
                Ok(more) => results.extend(more),
                Err(_) => break,
            }
        }
        if fold(results).is_break() {
            return;
        }
    }
}

/// Where the threads work.
struct LocalThreads<'a, W> {
    work: &'a W,
    open: Mutex<&'a mut (dyn Iterator<Item = Unit> + Send)>,
    failed: Mutex<Option<QueueError>>,
    control: &'a Control,
}

impl<W: Work> LocalThreads<'_, W> {
    fn next(&self) -> Option<Unit> {
        match self.control.enough.is_raised() {
            true => None,
            false => self.open.lock().next(),
        }
    }

    /// Does units until none is left.
    fn work(&self, thread: usize, sender: &SyncSender<Vec<(u64, W::Done)>>) {
        let mut state = self.work.thread_state(&self.control.stop);
        let mut finished = Vec::new();
        let mut handed_over = Instant::now();
        while let Some(unit) = self.next() {
            self.control.note(thread, Some(unit.number));
            match self.work.work(&unit, &mut state) {
                Ok(done) => finished.push((unit.number, done)),
                Err(Halt::Stopped) => break,
                Err(Halt::Failed(why)) => {
                    self.fail(unit.number, why);
                    break;
                }
            }
            if finished.len() >= HANDFUL || handed_over.elapsed() >= MOMENT {
                if sender.send(std::mem::take(&mut finished)).is_err() {
                    break;
                }
                handed_over = Instant::now();
            }
        }
        self.control.note(thread, None);
        if !finished.is_empty() {
            // If nobody listens, whoever folds has ended it.
            let _ = sender.send(finished);
        }
    }

    /// Keeps the first failure, and lets the others finish what they have in hand.
    fn fail(&self, number: u64, why: String) {
        self.control.enough.raise();
        self.failed.lock().get_or_insert(QueueError::Failed { number, why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::Order;
    use game::Stop;
    use std::ops::ControlFlow;

    /// Squares numbers; thirteen cannot be squared, and at a hundred somebody stops it.
    struct Squares;

    impl Work for Squares {
        type Done = u64;
        type ThreadState = ();

        fn order(&self) -> Order {
            Order {
                kind: "squares".into(),
                text: String::new(),
            }
        }

        fn thread_state(&self, _: &Stop) {}

        fn work(&self, unit: &Unit, (): &mut ()) -> Result<u64, Halt> {
            match unit.number {
                13 => Err(Halt::Failed("unlucky".into())),
                100 => Err(Halt::Stopped),
                number => Ok(number * number),
            }
        }
    }

    fn run(
        numbers: impl Iterator<Item = u64> + Send,
        control: &Control,
        most: usize,
    ) -> (Vec<(u64, u64)>, Option<String>) {
        let mut results = Vec::new();
        let ended = Local { threads: 3 }.run(
            &Arc::new(Squares),
            &mut numbers.map(Unit::of_number),
            control,
            &mut |more| {
                results.extend(more);
                match results.len() >= most {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        results.sort_unstable();
        (results, ended.err().map(|error| error.to_string()))
    }

    #[test]
    fn every_unit_is_done_once() {
        let (results, error) = run(200..5000, &Control::default(), usize::MAX);
        assert_eq!(results, (200..5000).map(|n| (n, n * n)).collect::<Vec<_>>());
        assert_eq!(error, None);
    }

    #[test]
    fn a_unit_that_cannot_be_done_is_named_and_what_was_done_is_kept() {
        let (results, error) = run(0..14, &Control::default(), usize::MAX);
        assert_eq!(error.as_deref(), Some("unit 13: unlucky"));
        assert_eq!(results.len(), 13);
    }

    #[test]
    fn who_folds_and_who_controls_can_end_it() {
        let (results, error) = run(200.., &Control::default(), 1000);
        assert!(results.len() >= 1000 && error.is_none());
        let control = Control::default();
        control.stop.raise();
        assert_eq!(run(0..50, &control, usize::MAX), (Vec::new(), None));
        let (results, error) = run([1, 2, 100].into_iter(), &Control::default(), usize::MAX);
        assert_eq!((results, error), (vec![(1, 1), (2, 4)], None));
    }
}

//! Threads that work for many clients and let none of them keep the others waiting.
//!
//! Every client has a queue of its own; the threads take from the queues in turn, and a client never holds more than its
//! share of the threads. So what one client asks for, however much it is, delays another's job by the jobs that are
//! running at most. A job must end by itself in bounded time: nothing here can stop one.

use crate::client::Client;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::oneshot;

/// A piece of work. It is given what its thread keeps from job to job, and may leave a rest to be done when it is its
/// client's turn again.
pub struct PoolJob<W>(Box<JobFn<W>>);

type JobFn<W> = dyn FnOnce(&mut W) -> Option<PoolJob<W>> + Send;

impl<W> PoolJob<W> {
    /// Work that is done in one go.
    pub fn new(work: impl FnOnce(&mut W) + Send + 'static) -> Self {
        PoolJob::in_parts(|keeps| {
            work(keeps);
            None
        })
    }

    /// Work that may leave a rest.
    pub fn in_parts(work: impl FnOnce(&mut W) -> Option<PoolJob<W>> + Send + 'static) -> Self {
        PoolJob(Box::new(work))
    }
}

/// How much a pool takes.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Threads.
    pub threads: usize,
    /// Threads that one client may hold.
    pub share: usize,
    /// Jobs of one client that may wait.
    pub waiting: usize,
}

/// The pool. Its threads end when the last handle is dropped.
pub struct Pool<W: 'static> {
    shared: Arc<PoolState<W>>,
    size: Size,
    /// Rayon's threads: players that could spread over all cores do not do so on one of them.
    _threads: Arc<rayon::ThreadPool>,
}

impl<W> Clone for Pool<W> {
    fn clone(&self) -> Self {
        self.shared.lock().handles += 1;
        Pool {
            shared: self.shared.clone(),
            size: self.size,
            _threads: self._threads.clone(),
        }
    }
}

impl<W> Drop for Pool<W> {
    fn drop(&mut self) {
        self.shared.lock().handles -= 1;
        self.shared.changed.notify_all();
    }
}

/// A client has too many jobs waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

struct PoolState<W> {
    queue: Mutex<TaskQueue<W>>,
    changed: Condvar,
}

impl<W> PoolState<W> {
    fn lock(&self) -> MutexGuard<'_, TaskQueue<W>> {
        self.queue.lock()
    }
}

struct TaskQueue<W> {
    lanes: HashMap<Client, Lane<W>>,
    /// Clients with waiting jobs, the next to be served first.
    ring: VecDeque<Client>,
    waiting: usize,
    running: usize,
    handles: usize,
}

struct Lane<W> {
    jobs: VecDeque<PoolJob<W>>,
    running: usize,
}

impl<W> TaskQueue<W> {
    /// The next job of the first client in the ring that holds less than its share.
    fn take(&mut self, share: usize) -> Option<(Client, PoolJob<W>)> {
        for _ in 0..self.ring.len() {
            let client = self.ring.pop_front()?;
            let Some(lane) = self.lanes.get_mut(&client) else {
                continue;
            };
            if lane.running < share
                && let Some(job) = lane.jobs.pop_front()
            {
                lane.running += 1;
                if !lane.jobs.is_empty() {
                    self.ring.push_back(client);
                }
                self.waiting -= 1;
                self.running += 1;
                return Some((client, job));
            }
            self.ring.push_back(client);
        }
        None
    }

    fn add(&mut self, client: Client, job: PoolJob<W>, most: usize) -> Result<(), Full> {
        let lane = self.lanes.entry(client).or_insert_with(|| Lane {
            jobs: VecDeque::new(),
            running: 0,
        });
        if lane.jobs.len() >= most {
            return Err(Full);
        }
        lane.jobs.push_back(job);
        if lane.jobs.len() == 1 {
            self.ring.push_back(client);
        }
        self.waiting += 1;
        Ok(())
    }

    fn done(&mut self, client: Client, rest: Option<PoolJob<W>>) {
        self.running -= 1;
        if let Some(rest) = rest {
            // What was let in stays in.
            let _ = self.add(client, rest, usize::MAX);
        }
        if let Some(lane) = self.lanes.get_mut(&client) {
            lane.running -= 1;
            if lane.running == 0 && lane.jobs.is_empty() {
                self.lanes.remove(&client);
            }
        }
    }
}

impl<W> Pool<W> {
    /// Starts the threads; `make` makes what a thread keeps from job to job.
    pub fn new(
        name: &'static str,
        size: Size,
        make: impl Fn() -> W + Clone + Send + 'static,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(size.threads)
            .thread_name(move |i| format!("{name} {i}"))
            .build()?;
        let shared = Arc::new(PoolState {
            queue: Mutex::new(TaskQueue {
                lanes: HashMap::new(),
                ring: VecDeque::new(),
                waiting: 0,
                running: 0,
                handles: 1,
            }),
            changed: Condvar::new(),
        });
        for _ in 0..size.threads {
            let (shared, make) = (shared.clone(), make.clone());
            threads.spawn(move || work(&shared, size.share, make));
        }
        Ok(Pool {
            shared,
            size,
            _threads: Arc::new(threads),
        })
    }

    /// Queues a job for a client.
    pub fn ask(&self, client: Client, job: PoolJob<W>) -> Result<(), Full> {
        self.shared.lock().add(client, job, self.size.waiting)?;
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Does something on one of the threads and waits for its answer; `None` if it panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce(&mut W) -> T + Send + 'static,
    ) -> Result<Option<T>, Full> {
        let (sender, receiver) = oneshot::channel();
        let job = PoolJob::new(move |keeps: &mut W| {
            // If nobody waits any more, nobody needs the answer.
            if !sender.is_closed() {
                let _ = sender.send(work(keeps));
            }
        });
        self.ask(client, job)?;
        Ok(receiver.await.ok())
    }

    /// How many jobs run, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let queue = self.shared.lock();
        (queue.running, queue.waiting)
    }
}

fn work<W>(shared: &PoolState<W>, share: usize, make: impl Fn() -> W) {
    let mut keeps = make();
    let mut queue = shared.lock();
    while queue.handles > 0 {
        let Some((client, job)) = queue.take(share) else {
            shared.changed.wait(&mut queue);
            continue;
        };
        drop(queue);
        let rest = catch_unwind(AssertUnwindSafe(|| (job.0)(&mut keeps))).unwrap_or_else(|_| {
            keeps = make();
            None
        });
        queue = shared.lock();
        queue.done(client, rest);
        // The client may have been waiting for its share.
        shared.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    fn pool(threads: usize, share: usize) -> Pool<()> {
        let waiting = 100;
        Pool::new(
            "test",
            Size {
                threads,
                share,
                waiting,
            },
            || (),
        )
        .unwrap()
    }

    #[test]
    fn clients_are_served_in_turn_however_much_one_asks() {
        let pool = pool(1, 1);
        let (sender, receiver) = channel();
        let (open, gate) = channel::<()>();
        pool.ask(Client::number(9), PoolJob::new(move |()| gate.recv().unwrap_or(())))
            .unwrap();
        for (client, name) in [(1, 'a'), (1, 'b'), (1, 'c'), (2, 'x'), (3, 'y')] {
            let sender = sender.clone();
            pool.ask(
                Client::number(client),
                PoolJob::new(move |()| sender.send(name).unwrap()),
            )
            .unwrap();
        }
        open.send(()).unwrap();
        let order: String = receiver.iter().take(5).collect();
        assert_eq!(order, "axybc");
    }

    #[test]
    fn a_client_never_holds_more_than_its_share() {
        let pool = pool(2, 1);
        let (open, gate) = channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        for _ in 0..2 {
            let gate = gate.clone();
            pool.ask(
                Client::number(1),
                PoolJob::new(move |()| gate.lock().recv().unwrap_or(())),
            )
            .unwrap();
        }
        // Client 1 has two endless jobs and one thread; client 2 is served by the other.
        let (sender, receiver) = channel();
        pool.ask(Client::number(2), PoolJob::new(move |()| sender.send(()).unwrap()))
            .unwrap();
        assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(()));
        drop(open);
    }

    #[test]
    fn a_panic_costs_a_job_and_not_a_thread() {
        let pool = pool(1, 1);
        pool.ask(
            Client::number(1),
            PoolJob::new(|()| panic!("a job that fails, on purpose")),
        )
        .unwrap();
        let (sender, receiver) = channel();
        pool.ask(Client::number(1), PoolJob::new(move |()| sender.send(7).unwrap()))
            .unwrap();
        assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(7));
    }

    #[test]
    fn too_many_waiting_jobs_are_refused() {
        let pool: Pool<()> = Pool::new(
            "test",
            Size {
                threads: 1,
                share: 0,
                waiting: 2,
            },
            || (),
        )
        .unwrap();
        let ask = |client| pool.ask(Client::number(client), PoolJob::new(|()| ()));
        assert_eq!([ask(1), ask(1), ask(1), ask(2)], [Ok(()), Ok(()), Err(Full), Ok(())]);
    }
}

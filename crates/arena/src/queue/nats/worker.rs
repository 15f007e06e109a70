//! Who does the work: a process that takes jobs, as many at once as it has threads for.

use super::pull::Puller;
use super::wire::{Job, Presence, Refusal, UnitReport};
use super::{
    HEARTBEAT, JOBS, NatsAccess, ORDERS, PRESENCE, WorkerIdentity, broker, jobs_for, order_of, refusal_of, reports_of,
    token, workers_of,
};
use crate::queue::{Halt, Order, QueueError, Unit, Work};
use async_nats::Client;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_nats::jetstream::{self, AckKind, Context, Message};
use futures_util::StreamExt;
use game::Stop;
use parking_lot::Mutex;
use serde_json::value::RawValue;
use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// A report is cut where it gets longer than this; the server takes a megabyte.
const LONG: usize = 256 << 10;

/// How many runs a worker remembers the orders of.
const RUNS: usize = 4;

/// Work whose results are only text.
pub trait AnyWork: Send + Sync {
    /// Something that does units, for one thread, until the sign is raised.
    fn begin(self: Arc<Self>, stop: &Stop) -> Doer;
}

/// Does units, and writes down what comes out.
pub type Doer = Box<dyn FnMut(&Unit) -> Result<Box<RawValue>, Halt>>;

impl<W: Work> AnyWork for W {
    fn begin(self: Arc<Self>, stop: &Stop) -> Doer {
        let mut state = self.thread_state(stop);
        Box::new(move |unit| {
            let done = self.work(unit, &mut state)?;
            serde_json::value::to_raw_value(&done).map_err(|error| Halt::Failed(error.to_string()))
        })
    }
}

/// A place to work at.
pub struct Post<'a> {
    /// The server.
    pub access: NatsAccess,
    /// Who works.
    pub identity: WorkerIdentity,
    /// What it is called; unique among workers.
    pub name: String,
    /// How many jobs at once.
    pub threads: usize,
    /// Raised, it ends the worker: units in hand are left to others.
    pub stop: Stop,
    /// Told what happens, a line each.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

/// What makes work of an order, or says why not.
pub type WorkFactory = dyn Fn(&Order) -> Result<Arc<dyn AnyWork>, String> + Send + Sync;

/// Works until it is stopped, or refused. Says how many units it did.
pub fn serve(post: &Post, maker: Arc<WorkFactory>) -> Result<u64, QueueError> {
    let runtime = super::runtime()?;
    let ended = runtime.block_on(work(post, maker));
    runtime.shutdown_timeout(super::FAREWELL);
    ended
}

async fn work(post: &Post<'_>, maker: Arc<WorkFactory>) -> Result<u64, QueueError> {
    let (events, mut told) = tokio::sync::mpsc::unbounded_channel();
    let connect = post.access.connect(&post.name, move |there| {
        let _ = events.send(there);
    });
    let client = tokio::select! {
        client = connect => client?,
        () = super::long_raised(&post.stop) => return Ok(0),
    };
    let context = jetstream::new(client.clone());
    tokio::select! {
        ready = super::JetStreams::await_ready(&context) => drop(ready?),
        () = super::long_raised(&post.stop) => return Ok(0),
    }
    let mut refusals = client
        .subscribe(refusal_of(&post.name))
        .await
        .map_err(|error| broker("cannot listen to the server", error))?;
    let shop = Arc::new(Shop {
        context,
        name: post.name.clone(),
        version: post.identity.version.clone(),
        stop: post.stop.clone(),
        done: AtomicU64::new(0),
        maker,
        runs: Mutex::default(),
    });
    let mut slots = tokio::task::JoinSet::new();
    for _ in 0..post.threads.max(1) {
        slots.spawn(shop.clone().take_jobs());
    }
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let mut patience_gone = std::pin::pin!(super::long_raised(&post.stop));
    let ended = loop {
        tokio::select! {
            _ = second.tick() => presence(&client, post, &shop, false).await,
            Some(there) = told.recv() => (post.tell)(match there {
                true => "connected",
                false => "the server is away; waiting for it",
            }),
            Some(message) = refusals.next() => {
                if let Ok(Refusal { run, wanted }) = serde_json::from_slice(&message.payload) {
                    let (run, wanted) = (token(&run), wanted.escape_default());
                    break Err(QueueError::Broker(format!(
                        "refused: run {run} is worked on with version {wanted}, and this worker has {}",
                        post.identity.version
                    )));
                }
            }
            slot = slots.join_next() => match slot {
                // They end only when they are told to.
                None => break Ok(()),
                Some(Ok(())) => (),
                Some(Err(error)) => break Err(broker("a slot of the worker ended", error)),
            },
            // A server that is away gets no more reports; somebody else will do those units again.
            () = &mut patience_gone => break Ok(()),
        }
    };
    post.stop.raise();
    let _ = tokio::time::timeout(super::FAREWELL, presence(&client, post, &shop, true)).await;
    let _ = tokio::time::timeout(super::FAREWELL, client.flush()).await;
    ended.map(|()| shop.done.load(Ordering::Relaxed))
}

/// Says that this worker is there, or that it goes.
async fn presence(client: &Client, post: &Post<'_>, shop: &Shop, leaving: bool) {
    let presence = Presence {
        name: post.name.clone(),
        version: post.identity.version.clone(),
        speed: post.identity.speed,
        threads: post.threads,
        done: shop.done.load(Ordering::Relaxed),
        leaving,
    };
    if let Ok(body) = serde_json::to_vec(&presence) {
        let _ = client.publish(PRESENCE, body.into()).await;
    }
}

/// What the slots of a worker share.
struct Shop {
    context: Context,
    name: String,
    version: String,
    stop: Stop,
    done: AtomicU64,
    maker: Arc<WorkFactory>,
    /// The work of the latest runs.
    runs: Mutex<Vec<(String, Arc<dyn AnyWork>)>>,
}

/// A job for a thread, and where to answer.
type WorkerTask = (Job, Arc<dyn AnyWork>, oneshot::Sender<TaskOutcome>);

/// What a thread made of a job.
struct TaskOutcome {
    results: Vec<(u64, Box<RawValue>)>,
    failed: Option<(u64, String)>,
    seconds: f64,
    whole: bool,
}

impl Shop {
    fn stopped(&self) -> bool {
        self.stop.is_raised()
    }

    /// Takes jobs one after another and has a thread of its own do them.
    async fn take_jobs(self: Arc<Self>) {
        let (tasks, bench) = mpsc::channel::<WorkerTask>();
        let stop = self.stop.clone();
        std::thread::spawn(move || {
            // A player that would share its work among threads finds only this one: a worker uses as many cores as it said.
            match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(alone) => alone.install(move || work_at(&bench, &stop)),
                Err(_) => work_at(&bench, &stop),
            }
        });
        let name = workers_of(&self.version);
        let mut puller = Puller::new(&self.context, JOBS, name, jobs_for(&self.version), 1);
        while let Some(message) = self.next(&mut puller).await {
            self.clone().do_job(&message, &tasks).await;
        }
    }

    async fn next(&self, puller: &mut Puller) -> Option<Message> {
        loop {
            if self.stopped() {
                return None;
            }
            tokio::select! {
                message = puller.next() => return Some(message),
                () = tokio::time::sleep(Duration::from_millis(200)) => (),
            }
        }
    }

    async fn do_job(self: Arc<Self>, message: &Message, tasks: &mpsc::Sender<WorkerTask>) {
        let Ok(job) = serde_json::from_slice::<Job>(&message.payload) else {
            // Nobody can read it, now or later.
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let (run, name) = (token(&job.run), job.name.clone());
        let first = job.units.first().map_or(0, |unit| unit.number);
        let outcome = match self.work_of(&run).await {
            Ok(Some(work)) => self.have_done(message, (job, work), tasks).await,
            // The run is over: nobody waits for this.
            Ok(None) => {
                let _ = message.ack().await;
                return;
            }
            Err(Halt::Stopped) => None,
            Err(Halt::Failed(why)) => Some(TaskOutcome {
                results: Vec::new(),
                failed: Some((first, why)),
                seconds: 0.0,
                whole: true,
            }),
        };
        let Some(outcome) = outcome else {
            // Not now; somebody else, or this one in a moment.
            let _ = message.ack_with(AckKind::Nak(Some(Duration::from_secs(1)))).await;
            return;
        };
        self.done.fetch_add(outcome.results.len() as u64, Ordering::Relaxed);
        let whole = outcome.whole;
        if self.report(&run, &name, outcome).await.is_err() || !whole {
            // Not all of it is stored: somebody else gets it.
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return;
        }
        // If this gets lost, the job is done once more, to no harm.
        let _ = message.ack().await;
    }

    /// Gives the job to the thread, and tells the server now and then that it is being worked on.
    async fn have_done(
        &self,
        message: &Message,
        (job, work): (Job, Arc<dyn AnyWork>),
        tasks: &mpsc::Sender<WorkerTask>,
    ) -> Option<TaskOutcome> {
        let (sender, mut receiver) = oneshot::channel();
        tasks.send((job, work, sender)).ok()?;
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        loop {
            tokio::select! {
                outcome = &mut receiver => return outcome.ok(),
                _ = heartbeat.tick() => drop(message.ack_with(AckKind::Progress).await),
            }
        }
    }

    /// What a run is about; `None` if there is no such run any more. A server that does not answer may do so another time.
    async fn work_of(&self, run: &str) -> Result<Option<Arc<dyn AnyWork>>, Halt> {
        let known = |runs: &Vec<(String, Arc<dyn AnyWork>)>| {
            runs.iter().find(|(name, _)| name == run).map(|(_, work)| work.clone())
        };
        let ready = known(&self.runs.lock());
        if let Some(work) = ready {
            return Ok(Some(work));
        }
        let stream = self.context.get_stream(ORDERS).await.map_err(|_| Halt::Stopped)?;
        let message = match stream.get_last_raw_message_by_subject(&order_of(run)).await {
            Ok(message) => message,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => return Ok(None),
            Err(_) => return Err(Halt::Stopped),
        };
        let order: Order =
            serde_json::from_slice(&message.payload).map_err(|error| Halt::Failed(format!("its order: {error}")))?;
        // Making players may take a while: machines are built.
        let maker = self.maker.clone();
        let made = tokio::task::spawn_blocking(move || catch_unwind(AssertUnwindSafe(|| maker(&order))));
        let made = made.await.map_err(|_| Halt::Stopped)?;
        let work = made
            .unwrap_or_else(|panic| Err(words_of(&*panic)))
            .map_err(Halt::Failed)?;
        let mut runs = self.runs.lock();
        runs.retain(|(name, _)| name != run);
        if runs.len() >= RUNS {
            runs.remove(0);
        }
        runs.push((run.into(), work.clone()));
        Ok(Some(work))
    }

    /// Writes what came out, in as many messages as it takes.
    async fn report(&self, run: &str, job: &str, outcome: TaskOutcome) -> Result<(), QueueError> {
        let total = outcome.results.len().max(1) as f64;
        let mut failed = outcome.failed;
        let mut parts = cut(outcome.results);
        if parts.is_empty() {
            parts.push(Vec::new());
        }
        let last = parts.len() - 1;
        for (part, results) in parts.into_iter().enumerate() {
            let report = UnitReport {
                job: job.into(),
                worker: self.name.clone(),
                seconds: outcome.seconds * results.len() as f64 / total,
                results,
                failed: if part == last { failed.take() } else { None },
            };
            let body = serde_json::to_vec(&report).map_err(|error| broker("cannot write a report", error))?;
            let whole = if outcome.whole { "" } else { "-some" };
            let id = format!("{run}.{job}.{part}{whole}");
            // A worker that was told to stop waits for a server that is away, but not for long: `work` gives up for all.
            super::write(&self.context, &reports_of(run), &id, body, || false).await?;
        }
        Ok(())
    }
}

/// Results in messages of a size that the server takes.
fn cut(results: Vec<(u64, Box<RawValue>)>) -> Vec<Vec<(u64, Box<RawValue>)>> {
    let mut parts: Vec<Vec<(u64, Box<RawValue>)>> = Vec::new();
    let mut length = 0;
    for (number, result) in results {
        let more = result.get().len() + 24;
        match parts.last_mut() {
            Some(part) if length + more <= LONG => {
                length += more;
                part.push((number, result));
            }
            _ => {
                length = more;
                parts.push(vec![(number, result)]);
            }
        }
    }
    parts
}

/// The thread of a slot: does jobs until nobody sends any.
fn work_at(bench: &mpsc::Receiver<WorkerTask>, stop: &Stop) {
    // Players and tables are kept as long as the jobs are of the same run.
    let mut doers: HashMap<String, Doer> = HashMap::new();
    while let Ok((job, work, answer)) = bench.recv() {
        doers.retain(|run, _| *run == job.run);
        let mut doer = doers.remove(&job.run).unwrap_or_else(|| work.begin(stop));
        let began = Instant::now();
        let mut outcome = TaskOutcome {
            results: Vec::new(),
            failed: None,
            seconds: 0.0,
            whole: true,
        };
        for unit in &job.units {
            if stop.is_raised() {
                outcome.whole = false;
                break;
            }
            match catch_unwind(AssertUnwindSafe(|| doer(unit))) {
                Ok(Ok(result)) => outcome.results.push((unit.number, result)),
                Ok(Err(Halt::Stopped)) => {
                    outcome.whole = false;
                    break;
                }
                Ok(Err(Halt::Failed(why))) => {
                    outcome.failed = Some((unit.number, why));
                    break;
                }
                Err(panic) => {
                    outcome.failed = Some((unit.number, words_of(&*panic)));
                    break;
                }
            }
        }
        outcome.seconds = began.elapsed().as_secs_f64();
        if outcome.failed.is_none() {
            doers.insert(job.run, doer);
        }
        let _ = answer.send(outcome);
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", words.unwrap_or("without a word"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_cut_into_messages_that_fit_and_none_is_lost() {
        let text = |length: usize| serde_json::value::to_raw_value(&"x".repeat(length)).unwrap();
        let lengths = [10, LONG / 2, LONG / 2, 10, LONG * 3, 5];
        let parts = cut((0..).zip(lengths.map(text)).collect());
        let numbers: Vec<Vec<u64>> = parts
            .iter()
            .map(|part| part.iter().map(|(number, _)| *number).collect())
            .collect();
        assert_eq!(numbers, [vec![0, 1], vec![2, 3], vec![4], vec![5]]);
    }
}

//! Who wants work done.

use super::crew::Crew;
use super::pull::Puller;
use super::wire::{Job, Presence, Refusal, UnitReport};
use super::{
    JOB, JOBS, JetStreams, NatsAccess, PRESENCE, REPORTS, broker, jobs_of, order_of, refusal_of, reports_of, workers_of,
};
use crate::control::Control;
use crate::queue::{Fold, Order, Queue, QueueError, Unit, Work};
use async_nats::jetstream::{self, Context, Message};
use async_nats::{Client, Subscriber};
use futures_util::{StreamExt, TryStreamExt};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often whoever folds is given a look even if nothing came.
const TICK: Duration = Duration::from_millis(200);

/// After so long without a report it is asked whether jobs were lost.
const DOUBT: Duration = Duration::from_secs(5);

/// The most units of a job, and the most text.
const MOST_UNITS: usize = 1024;
const MOST_TEXT: usize = 128 << 10;

/// Workers elsewhere.
pub struct Remote {
    access: NatsAccess,
    version: String,
    run: String,
    crew: Arc<Crew>,
}

impl Remote {
    /// Workers of this version, reached through a server. `run` names the work: begun again under the same name, it goes on
    /// with what was reported in the meantime.
    pub fn new(access: NatsAccess, version: &str, run: &str) -> Self {
        Remote {
            access,
            version: version.into(),
            run: super::token(run),
            crew: Arc::default(),
        }
    }

    /// Who is working.
    pub fn crew(&self) -> Arc<Crew> {
        self.crew.clone()
    }
}

impl<W: Work> Queue<W> for Remote {
    fn run(
        &mut self,
        work: &Arc<W>,
        open: &mut (dyn Iterator<Item = Unit> + Send),
        control: &Control,
        fold: &mut Fold<'_, W::Done>,
    ) -> Result<(), QueueError> {
        let runtime = super::runtime()?;
        let whole = async {
            let mut office = Office::open(self, work.order(), open, control).await?;
            let ended = office.manage(fold).await;
            office.close(matches!(ended, Ok(RunEnd::Done))).await;
            ended.map(|_| ())
        };
        let ended = runtime.block_on(async {
            tokio::select! {
                ended = whole => ended,
                // A server that is away must not keep us: what was not written or heard will be when the run goes on.
                () = super::long_raised(&control.enough) => Ok(()),
            }
        });
        runtime.shutdown_timeout(super::FAREWELL);
        ended
    }
}

/// How it ended.
#[derive(PartialEq)]
enum RunEnd {
    Done,
    Stopped,
}

/// Where jobs are written and reports read.
struct Office<'a> {
    remote: &'a Remote,
    order: Order,
    client: Client,
    context: Context,
    reports: Puller,
    presence: Subscriber,
    open: &'a mut (dyn Iterator<Item = Unit> + Send),
    control: &'a Control,
    /// Makes the names of this process's jobs its own.
    epoch: String,
    written: u64,
    /// Jobs that were written, and how many of their units are not reported.
    jobs: HashMap<String, usize>,
    /// Units that are out, and in which job.
    out: HashMap<u64, (Unit, String)>,
    /// Reported before they were asked for: by jobs of an earlier process of the same run.
    early: HashSet<u64>,
    exhausted: bool,
    pace: Pace,
}

impl<'a> Office<'a> {
    async fn open(
        remote: &'a Remote,
        order: Order,
        open: &'a mut (dyn Iterator<Item = Unit> + Send),
        control: &'a Control,
    ) -> Result<Self, QueueError> {
        let crew = remote.crew.clone();
        let client = remote
            .access
            .connect("terzo coordinator", move |there| crew.note_server(there))
            .await?;
        let context = jetstream::new(client.clone());
        let streams = JetStreams::await_ready(&context).await?;
        let presence = client
            .subscribe(PRESENCE)
            .await
            .map_err(|error| broker("cannot listen to workers", error))?;
        // Reports that were given to an earlier process and not acknowledged are to be had at once, not after a while.
        let name = format!("run-{}", remote.run);
        let _ = streams.reports.delete_consumer(&name).await;
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let office = Office {
            reports: Puller::new(&context, REPORTS, name, reports_of(&remote.run), 64),
            remote,
            order,
            client,
            context,
            presence,
            open,
            control,
            epoch: format!("{:x}", epoch.as_nanos()),
            written: 0,
            jobs: HashMap::new(),
            out: HashMap::new(),
            early: HashSet::new(),
            exhausted: false,
            pace: Pace::default(),
        };
        office.write_order().await?;
        Ok(office)
    }

    async fn write_order(&self) -> Result<(), QueueError> {
        let subject = order_of(&self.remote.run);
        let body = as_json(&self.order)?;
        let id = format!("{}.order.{}", self.epoch, self.written);
        super::write(&self.context, &subject, &id, body, || self.stopped()).await
    }

    fn stopped(&self) -> bool {
        self.control.enough.is_raised()
    }

    /// Writes jobs and folds reports until nothing is open.
    async fn manage<D: serde::de::DeserializeOwned>(&mut self, fold: &mut Fold<'_, D>) -> Result<RunEnd, QueueError> {
        let mut tick = tokio::time::interval(TICK);
        let mut heard = Instant::now();
        let mut lost_before = false;
        loop {
            if self.stopped() {
                return Ok(RunEnd::Stopped);
            }
            self.write_jobs().await?;
            if self.exhausted && self.out.is_empty() {
                return Ok(RunEnd::Done);
            }
            tokio::select! {
                message = self.reports.next() => {
                    heard = Instant::now();
                    lost_before = false;
                    if self.take(message, fold).await? == RunEnd::Stopped {
                        return Ok(RunEnd::Stopped);
                    }
                }
                Some(message) = self.presence.next() => self.greet(&message.payload).await,
                _ = tick.tick() => {
                    if fold(Vec::new()).is_break() {
                        return Ok(RunEnd::Stopped);
                    }
                    if heard.elapsed() > DOUBT {
                        heard = Instant::now();
                        let lost = self.lost().await;
                        // A job may be between two streams at one look, but not at two.
                        if lost && lost_before {
                            self.write_again().await?;
                        }
                        lost_before = lost;
                    }
                }
            }
        }
    }

    /// Folds a report and acknowledges it.
    async fn take<D: serde::de::DeserializeOwned>(
        &mut self,
        message: Message,
        fold: &mut Fold<'_, D>,
    ) -> Result<RunEnd, QueueError> {
        let (mut failed, mut worker) = (None, String::new());
        // What cannot be read came from nobody who knows the work: its units stay open.
        if let Ok(report) = serde_json::from_slice::<UnitReport<D>>(&message.payload) {
            // An earlier process may have left failures of its own: perhaps there are other workers now.
            failed = report.failed.filter(|_| self.jobs.contains_key(&report.job));
            worker = report.worker;
            self.pace.learn(report.seconds, report.results.len());
            for (number, _) in &report.results {
                self.came_back(*number);
            }
            if fold(report.results).is_break() {
                return Ok(RunEnd::Stopped);
            }
        }
        // If this is lost, the report comes once more, and counts for nothing.
        let _ = message.ack().await;
        match failed {
            Some((number, why)) => Err(QueueError::Failed {
                number,
                why: format!("{why} (worker {worker})"),
            }),
            None => Ok(RunEnd::Done),
        }
    }

    fn came_back(&mut self, number: u64) {
        /// What was never asked for may be noise.
        const MOST: usize = 1 << 20;
        let Some((_, job)) = self.out.remove(&number) else {
            if self.early.len() < MOST {
                self.early.insert(number);
            }
            return;
        };
        if let Some(left) = self.jobs.get_mut(&job) {
            *left -= 1;
            if *left == 0 {
                self.jobs.remove(&job);
            }
        }
    }

    /// Keeps as many jobs out as there are hands, and some more so that nobody waits.
    async fn write_jobs(&mut self) -> Result<(), QueueError> {
        let threads = self.remote.crew.threads().max(1);
        while !self.exhausted && self.jobs.len() < 2 * threads + 2 && !self.stopped() {
            let units = self.next_units(threads);
            if !units.is_empty() {
                self.write_job(units).await?;
            }
        }
        Ok(())
    }

    fn next_units(&mut self, threads: usize) -> Vec<Unit> {
        let remaining = self.open.size_hint().1.unwrap_or(usize::MAX);
        let most = self.pace.units(remaining, threads);
        let (mut units, mut text) = (Vec::new(), 0);
        while units.len() < most && text < MOST_TEXT {
            let Some(unit) = self.open.next() else {
                self.exhausted = true;
                break;
            };
            if !self.early.contains(&unit.number) {
                text += unit.text.len();
                units.push(unit);
            }
        }
        units
    }

    async fn write_job(&mut self, units: Vec<Unit>) -> Result<(), QueueError> {
        let name = format!("{}.{}", self.epoch, self.written);
        self.written += 1;
        let job = Job {
            run: self.remote.run.clone(),
            name: name.clone(),
            units,
        };
        let subject = jobs_of(&self.remote.version, &self.remote.run);
        let id = format!("{}.{name}", self.remote.run);
        let body = as_json(&job)?;
        self.jobs.insert(name.clone(), job.units.len());
        for unit in job.units {
            self.out.insert(unit.number, (unit, name.clone()));
        }
        let written = super::write(&self.context, &subject, &id, body, || self.stopped()).await;
        match written {
            // What was not written is missing in the records, and will be asked for when the run goes on.
            Err(_) if self.stopped() => Ok(()),
            other => other,
        }
    }

    /// Whether jobs are out that are neither on the server nor reported.
    async fn lost(&self) -> bool {
        if self.out.is_empty() || self.remote.crew.server_away() {
            return false;
        }
        let jobs = jobs_of(&self.remote.version, &self.remote.run);
        let reports = reports_of(&self.remote.run);
        let gone = self.waiting(JOBS, &jobs).await == Some(0) || self.passed_over().await;
        gone && self.waiting(REPORTS, &reports).await == Some(0)
    }

    /// Whether the server has nothing more for workers and waits for none of them, whatever lies in its stream.
    async fn passed_over(&self) -> bool {
        let Ok(stream) = self.context.get_stream(JOBS).await else {
            return false;
        };
        let workers = stream.consumer_info(workers_of(&self.remote.version)).await;
        workers.is_ok_and(|workers| workers.num_pending == 0 && workers.num_ack_pending == 0)
    }

    /// How many messages of a subject the server has. `None` if it does not say.
    async fn waiting(&self, stream: &str, subject: &str) -> Option<usize> {
        let stream = match self.context.get_stream(stream).await {
            Ok(stream) => stream,
            Err(error) if error.to_string().contains("not found") => return Some(0),
            Err(_) => return None,
        };
        let subjects = stream.info_with_subjects(subject).await.ok()?;
        let counts: Vec<(String, usize)> = subjects.try_collect().await.ok()?;
        Some(counts.into_iter().map(|(_, count)| count).sum())
    }

    /// Writes everything that is out once more, and what it is about: a server that lost jobs may have lost that, too.
    async fn write_again(&mut self) -> Result<(), QueueError> {
        JetStreams::await_ready(&self.context).await?;
        self.write_order().await?;
        self.jobs.clear();
        let mut units: Vec<Unit> = std::mem::take(&mut self.out)
            .into_values()
            .map(|(unit, _)| unit)
            .collect();
        units.sort_by_key(|unit| unit.number);
        let most = self.pace.units(units.len(), self.remote.crew.threads().max(1));
        for units in units.chunks(most) {
            self.write_job(units.to_vec()).await?;
        }
        Ok(())
    }

    /// Hears of a worker. One of another version is sent away.
    async fn greet(&self, payload: &[u8]) {
        let Ok(presence) = serde_json::from_slice::<Presence>(payload) else {
            return;
        };
        let subject = refusal_of(&presence.name);
        if self.remote.crew.note(presence, &self.remote.version) {
            let refusal = Refusal {
                run: self.remote.run.clone(),
                wanted: self.remote.version.clone(),
            };
            if let Ok(body) = as_json(&refusal) {
                let _ = self.client.publish(subject, body.into()).await;
            }
        }
    }

    /// Takes away what nobody needs any more. Jobs and reports are left: they are few, a run that goes on can use them, and a
    /// server that is told to purge a part of a stream may pass over the rest of it.
    async fn close(&self, done: bool) {
        if done && let Ok(streams) = JetStreams::open(&self.context).await {
            let run = &self.remote.run;
            let _ = streams.reports.delete_consumer(&format!("run-{run}")).await;
            let _ = streams.orders.purge().filter(order_of(run)).await;
        }
        let _ = tokio::time::timeout(super::FAREWELL, self.client.flush()).await;
    }
}

fn as_json(value: &impl serde::Serialize) -> Result<Vec<u8>, QueueError> {
    serde_json::to_vec(value).map_err(|error| broker("cannot write a message", error))
}

/// How long units take, and so how many make a job.
#[derive(Default)]
struct Pace {
    seconds: Option<f64>,
}

impl Pace {
    fn learn(&mut self, seconds: f64, units: usize) {
        if units == 0 || !seconds.is_finite() || seconds < 0.0 {
            return;
        }
        let each = seconds / units as f64;
        self.seconds = Some(self.seconds.map_or(each, |known| 0.7 * known + 0.3 * each));
    }

    /// Units for about one [`JOB`]; fewer towards the end, so that all workers end at about the same time, and a single one
    /// as long as nothing is known.
    fn units(&self, remaining: usize, threads: usize) -> usize {
        let Some(seconds) = self.seconds else {
            return 1;
        };
        let whole = (JOB.as_secs_f64() / seconds.max(1e-6)) as usize;
        let share = remaining / (2 * threads);
        whole.min(share).clamp(1, MOST_UNITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_take_about_two_seconds_and_get_smaller_towards_the_end() {
        let mut pace = Pace::default();
        assert_eq!(pace.units(1_000_000, 2), 1);
        pace.learn(0.1, 10);
        assert_eq!(pace.units(1_000_000, 2), 200);
        assert_eq!(pace.units(100, 2), 25);
        assert_eq!(pace.units(0, 2), 1);
        pace.learn(f64::NAN, 3);
        pace.learn(-1.0, 3);
        assert_eq!(pace.units(1_000_000, 2), 200);
        let mut quick = Pace::default();
        quick.learn(0.0, 10);
        assert_eq!(quick.units(usize::MAX, 1), MOST_UNITS);
    }
}

//! Work done by workers on any number of machines, over NATS JetStream.
//!
//! Whoever wants work done ([`Remote`]) writes an order and then jobs, a handful of units each; workers ([`serve`]) pull
//! jobs, do them and write reports. All three are streams in files on the server, so anything may die at any moment:
//!
//! - a worker: its job was not acknowledged, and goes to another one when its heartbeats have been missing for a while;
//! - the server: the streams are on its disk, and everybody connects again; if even they are gone, jobs that are neither
//!   there nor reported are written again;
//! - who wants the work: reports wait for it; begun again it reads them and writes jobs for what is missing.
//!
//! A job is acknowledged only after its reports were stored, a report only after it was folded. So work may be done twice,
//! never not at all; message ids catch most of the doubles on the server, and folding by number catches the rest.

mod access;
mod crew;
mod pull;
mod remote;
mod wire;
mod worker;

pub use access::NatsAccess;
pub use crew::{Crew, Member};
pub use remote::Remote;
pub use worker::{AnyWork, Doer, Post, WorkFactory, serve};

use super::QueueError;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use game::Stop;
use std::time::{Duration, Instant};

/// What a job should take. Much less, and messages cost more than the work; much more, and what dies takes much with it.
const JOB: Duration = Duration::from_secs(2);

/// How often a worker says that it is still at a job, and after how long without a word another one gets it.
const HEARTBEAT: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_secs(7);

/// How long a server with JetStream may take to get it ready: it reads what it has on disk first.
const RECOVERY: Duration = Duration::from_secs(120);

/// How long it is asked again if it says that it was started without, or that somebody else has our streams.
const HESITATION: Duration = Duration::from_secs(5);

/// How long anything stays on the server that nobody asks for.
const KEPT: Duration = Duration::from_secs(3 * 24 * 3600);

/// Within this time the server knows a message it has seen before.
const REMEMBERED: Duration = Duration::from_secs(120);

/// Where everything is said. Every run has subjects of its own; workers of one version share theirs.
const JOBS: &str = "TERZO_JOBS";
const REPORTS: &str = "TERZO_REPORTS";
const ORDERS: &str = "TERZO_ORDERS";
const PRESENCE: &str = "terzo.workers";

fn jobs_of(version: &str, run: &str) -> String {
    format!("terzo.jobs.{}.{run}", token(version))
}

fn jobs_for(version: &str) -> String {
    format!("terzo.jobs.{}.>", token(version))
}

/// Where workers of one version stand in the stream of jobs, all together.
fn workers_of(version: &str) -> String {
    format!("workers-{}", token(version))
}

fn reports_of(run: &str) -> String {
    format!("terzo.reports.{run}")
}

fn order_of(run: &str) -> String {
    format!("terzo.orders.{run}")
}

fn refusal_of(worker: &str) -> String {
    format!("terzo.refused.{}", token(worker))
}

/// A text as one word of a subject.
fn token(text: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}

/// Who takes part: same version, same results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerIdentity {
    /// What the results depend on.
    pub version: String,
    /// Nodes a second in the bench.
    pub speed: u64,
}

/// What the server has to keep, as it was agreed, as far as anybody asks for it by hand.
struct JetStreams {
    reports: Stream,
    orders: Stream,
}

impl JetStreams {
    /// Opens them, or makes them. A server that has just started takes connections before its JetStream is ready, and says
    /// until then that it has none: it is asked again for a while before that is believed.
    async fn await_ready(context: &Context) -> Result<Self, QueueError> {
        let began = Instant::now();
        loop {
            let error = match JetStreams::open(context).await {
                Ok(streams) => return Ok(streams),
                Err(error) => error,
            };
            // What it was started with it knows from the first moment; one without may be part of a cluster with.
            let told_otherwise = !context.client().server_info().jetstream || error.refused() || error.taken();
            let patience = if told_otherwise { HESITATION } else { RECOVERY };
            if !error.may_pass() || began.elapsed() > patience {
                return Err(error.into());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Opens them, or makes them, if the server is ready.
    async fn open(context: &Context) -> Result<Self, Unopened> {
        let of = |name: &str, subject: &str, retention| Config {
            name: name.into(),
            subjects: vec![subject.into()],
            retention,
            storage: StorageType::File,
            max_age: KEPT,
            duplicate_window: REMEMBERED,
            max_messages_per_subject: if name == ORDERS { 1 } else { -1 },
            ..Config::default()
        };
        let make = async |config: Config| {
            let stream = config.name.clone();
            let made = context.get_or_create_stream(config).await;
            made.map_err(|error| Unopened { stream, error })
        };
        make(of(JOBS, "terzo.jobs.>", RetentionPolicy::WorkQueue)).await?;
        Ok(JetStreams {
            reports: make(of(REPORTS, "terzo.reports.>", RetentionPolicy::WorkQueue)).await?,
            orders: make(of(ORDERS, "terzo.orders.>", RetentionPolicy::Limits)).await?,
        })
    }
}

/// A stream that the server did not give us.
struct Unopened {
    stream: String,
    error: CreateStreamError,
}

impl Unopened {
    /// Whether the server itself says that it has no JetStream, now or ever.
    fn unavailable(&self) -> bool {
        match self.error.kind() {
            CreateStreamErrorKind::JetStreamUnavailable => true,
            CreateStreamErrorKind::JetStream(error) => error.code() == 503,
            _ => false,
        }
    }

    /// Whether it has one, but not for us.
    fn refused(&self) -> bool {
        matches!(self.error.kind(), CreateStreamErrorKind::JetStream(error)
            if error.error_code() == ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT)
    }

    /// Whether another stream has the name or the subjects. So it looks, too, while another client makes the very same one:
    /// when it is there, the server gives it to both.
    fn taken(&self) -> bool {
        matches!(self.error.kind(), CreateStreamErrorKind::JetStream(error)
            if [ErrorCode::STREAM_SUBJECT_OVERLAP, ErrorCode::STREAM_NAME_EXIST].contains(&error.error_code()))
    }

    /// Whether it may be otherwise in a moment.
    fn may_pass(&self) -> bool {
        use CreateStreamErrorKind::{Response, TimedOut};
        self.unavailable() || self.taken() || matches!(self.error.kind(), Response | TimedOut)
    }
}

impl From<Unopened> for QueueError {
    fn from(unopened: Unopened) -> Self {
        match unopened.unavailable() {
            true => broker(
                "this server has no JetStream: start it with `nats-server -js -sd FOLDER`",
                "",
            ),
            false => broker(&format!("cannot make the stream {}", unopened.stream), unopened.error),
        }
    }
}

fn broker(what: &str, why: impl ToString) -> QueueError {
    match why.to_string() {
        why if why.is_empty() => QueueError::Broker(what.into()),
        why => QueueError::Broker(format!("{what}: {why}")),
    }
}

/// Writes a message until the server has it. The id keeps it from being there twice, so trying again does no harm.
async fn write(
    context: &Context,
    subject: &str,
    id: &str,
    body: Vec<u8>,
    give_up: impl Fn() -> bool,
) -> Result<(), QueueError> {
    let message = jetstream::message::PublishMessage::build()
        .payload(body.into())
        .message_id(id);
    let mut wait = Duration::from_millis(50);
    loop {
        let error = match context.send_publish(subject.to_owned(), message.clone()).await {
            Ok(acknowledged) => match acknowledged.await {
                Ok(_) => return Ok(()),
                Err(error) => error,
            },
            Err(error) => error,
        };
        if error.kind() == jetstream::context::PublishErrorKind::MaxPayloadExceeded || give_up() {
            return Err(broker(&format!("cannot write to {subject}"), error));
        }
        tokio::time::sleep(wait).await;
        wait = (2 * wait).min(Duration::from_secs(2));
    }
}

/// How long the last words to a server may take, and the end of what talks to it.
const FAREWELL: Duration = Duration::from_millis(200);

/// Ends some time after a sign was raised: long enough for whoever works under it to end in good order where the server
/// answers, and not to wait where it does not.
async fn long_raised(stop: &Stop) {
    while !stop.is_raised() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_millis(700)).await;
}

fn runtime() -> Result<tokio::runtime::Runtime, QueueError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("nats")
        .enable_all()
        .build()
        .map_err(|error| broker("cannot start the thread that talks to the server", error))
}

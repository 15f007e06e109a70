//! Work over a real NATS server: what is done, what is refused, what survives.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]
#![cfg(feature = "nats")]

#[path = "support/deadline.rs"]
mod deadline;
#[path = "support/nats_server.rs"]
mod nats_server;

use arena::control::Control;
use arena::queue::nats::{NatsAccess, Post, Remote, WorkerIdentity, serve};
use arena::queue::{Halt, Order, Queue, QueueError, Unit, Work};
use deadline::Deadline;
use game::Stop;
use nats_server::NatsServer;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Longer than anything here takes on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(300);

/// Squares numbers, slowly; number 13 cannot be squared, and at 14 everything falls over.
struct Squares {
    pause: Duration,
}

impl Work for Squares {
    type Done = u64;
    type ThreadState = ();

    fn order(&self) -> Order {
        Order {
            kind: "squares".into(),
            text: self.pause.as_millis().to_string(),
        }
    }

    fn thread_state(&self, _: &Stop) {}

    fn work(&self, unit: &Unit, (): &mut ()) -> Result<u64, Halt> {
        std::thread::sleep(self.pause);
        match unit.number {
            13 => Err(Halt::Failed("unlucky".into())),
            14 => panic!("fell over"),
            number => Ok(number * number),
        }
    }
}

/// A worker on a thread of its own.
struct Hand {
    stop: Stop,
    thread: std::thread::JoinHandle<Result<u64, QueueError>>,
}

impl Hand {
    fn hire(server: &NatsServer, name: &str, version: &str) -> Hand {
        let stop = Stop::new();
        let (access, name, version) = (NatsAccess::to(&server.url()), name.to_owned(), version.to_owned());
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let post = Post {
                access,
                identity: WorkerIdentity { version, speed: 1 },
                name,
                threads: 2,
                stop: stopped,
                tell: &|_| (),
            };
            let maker = |order: &Order| match order.kind.as_str() {
                "squares" => Ok(Arc::new(Squares {
                    pause: Duration::from_millis(order.text.parse().unwrap()),
                }) as _),
                other => Err(format!("what is {other}?")),
            };
            serve(&post, Arc::new(maker))
        });
        Hand { stop, thread }
    }

    fn dismiss(self) -> Result<u64, QueueError> {
        self.stop.raise();
        self.end()
    }

    /// What becomes of it without being told to stop.
    fn end(self) -> Result<u64, QueueError> {
        Deadline::after(PATIENCE).join("the worker's end", self.thread)
    }
}

/// Has numbers squared, and says what came back, how often.
fn square(
    server: &NatsServer,
    run: &str,
    numbers: std::ops::Range<u64>,
    pause: u64,
    meanwhile: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> (BTreeMap<u64, u64>, Result<(), QueueError>) {
    let mut results = BTreeMap::new();
    let deadline = Deadline::after(PATIENCE);
    let ended = Remote::new(NatsAccess::to(&server.url()), "1", run).run(
        &Arc::new(Squares {
            pause: Duration::from_millis(pause),
        }),
        &mut numbers.map(Unit::of_number),
        &Control::default(),
        &mut |more| {
            results.extend(more);
            deadline.check(|| format!("the run is at {} results", results.len()));
            meanwhile(results.len())
        },
    );
    (results, ended)
}

fn go_on(_: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn squares(numbers: std::ops::Range<u64>) -> BTreeMap<u64, u64> {
    numbers.map(|number| (number, number * number)).collect()
}

#[test]
fn workers_do_everything_and_several_runs_at_once_do_not_mix() {
    let Some(server) = NatsServer::start("all") else { return };
    let hands = [Hand::hire(&server, "a", "1"), Hand::hire(&server, "b", "1")];
    std::thread::scope(|scope| {
        let other = scope.spawn(|| square(&server, "other", 5000..7000, 0, &mut go_on));
        let (results, ended) = square(&server, "one", 100..3000, 0, &mut go_on);
        ended.unwrap();
        assert_eq!(results, squares(100..3000));
        let (results, ended) = other.join().unwrap();
        ended.unwrap();
        assert_eq!(results, squares(5000..7000));
    });
    let done: u64 = hands.map(|hand| hand.dismiss().unwrap()).iter().sum();
    assert!(done >= 4900, "{done}");
}

/// A stream of somebody else's, with our subjects, and what becomes of a run beside it; it is deleted when `lasts` is over.
fn beside_a_strange_stream(name: &str, lasts: Option<Duration>) -> Option<Result<BTreeMap<u64, u64>, QueueError>> {
    let server = NatsServer::start(name)?;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let jetstream = runtime.block_on(async {
        let jetstream = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let config = async_nats::jetstream::stream::Config {
            name: "STRANGE".into(),
            subjects: vec!["terzo.jobs.>".into()],
            ..Default::default()
        };
        jetstream.create_stream(config).await.unwrap();
        jetstream
    });
    if let Some(lasts) = lasts {
        runtime.spawn(async move {
            tokio::time::sleep(lasts).await;
            jetstream.delete_stream("STRANGE").await.unwrap();
        });
    }
    let hand = Hand::hire(&server, "hand", "1");
    let (results, ended) = square(&server, "run", 100..200, 0, &mut go_on);
    match ended {
        Ok(()) => hand.dismiss().map(|_| ()).unwrap(),
        Err(_) => assert!(hand.end().is_err(), "the worker meets the same"),
    }
    Some(ended.map(|()| results))
}

#[test]
fn a_stream_that_another_client_is_about_to_make_is_waited_for() {
    // Two who come to a new server at once: it tells the later one that a stream has its subjects already, and a moment
    // later gives it that stream. Here it is another stream that goes away, which looks the same and always happens.
    let Some(ended) = beside_a_strange_stream("overlap", Some(Duration::from_secs(1))) else {
        return;
    };
    assert_eq!(ended.unwrap(), squares(100..200));
}

#[test]
fn a_stream_of_others_with_our_subjects_is_named_in_the_end() {
    let Some(ended) = beside_a_strange_stream("strange", None) else {
        return;
    };
    let said = ended.unwrap_err().to_string();
    assert!(said.contains("TERZO_JOBS") && said.contains("overlap"), "{said}");
}

#[test]
fn a_worker_of_another_version_is_refused_and_does_nothing() {
    let Some(server) = NatsServer::start("version") else {
        return;
    };
    let stranger = Hand::hire(&server, "stranger", "0.9");
    let friend = Hand::hire(&server, "friend", "1");
    // The run goes on until both have shown what they do.
    let (results, ended) = square(
        &server,
        "run",
        100..1_000_000,
        5,
        &mut |done| match stranger.thread.is_finished() && done >= 60 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        },
    );
    ended.unwrap();
    let refusal = stranger.end().unwrap_err().to_string();
    assert!(refusal.contains("version 1, and this worker has 0.9"), "{refusal}");
    let done = friend.dismiss().unwrap();
    assert!(done >= results.len() as u64, "{done} done, {} reported", results.len());
}

#[test]
fn a_server_whose_jetstream_is_not_ready_yet_is_asked_again() {
    // Like one that has just started: it takes connections and says that it has no JetStream, and a moment later it has.
    let Some(mut server) = NatsServer::start_with("unready", &[]) else {
        return;
    };
    let url = server.url();
    let hand = Hand::hire(&server, "hand", "1");
    let run = std::thread::spawn(move || {
        let mut results = BTreeMap::new();
        let ended = Remote::new(NatsAccess::to(&url), "1", "run").run(
            &Arc::new(Squares { pause: Duration::ZERO }),
            &mut (100..200).map(Unit::of_number),
            &Control::default(),
            &mut |more| {
                results.extend(more);
                ControlFlow::Continue(())
            },
        );
        ended.map(|()| results)
    });
    std::thread::sleep(Duration::from_millis(500));
    server.revive_with(&["-js"]);
    let results = Deadline::after(PATIENCE).join("the run's end", run).unwrap();
    assert_eq!(results, squares(100..200));
    assert!(hand.dismiss().unwrap() >= 100);
}

#[test]
fn what_cannot_be_done_ends_the_run_with_its_number_and_reason() {
    let Some(server) = NatsServer::start("fails") else {
        return;
    };
    let hand = Hand::hire(&server, "hand", "1");
    for (number, reason) in [(13, "unlucky"), (14, "panicked: fell over")] {
        let (_, ended) = square(&server, &format!("run{number}"), number..number + 1, 0, &mut go_on);
        let error = ended.unwrap_err().to_string();
        assert!(
            error.contains(&format!("unit {number}: {reason}")) && error.contains("hand"),
            "{error}"
        );
    }
    hand.dismiss().unwrap();
}

#[test]
fn failures_of_an_earlier_process_are_not_those_of_a_run_that_begins_again() {
    let Some(server) = NatsServer::start("stale") else {
        return;
    };
    let hand = Hand::hire(&server, "hand", "1");
    // Both 13 and 14 fail; the run ends with one of them, and the other is reported to nobody.
    square(&server, "run", 13..20, 0, &mut go_on).1.unwrap_err();
    std::thread::sleep(Duration::from_secs(1));
    let (results, ended) = square(&server, "run", 100..120, 0, &mut go_on);
    ended.unwrap();
    assert!(
        squares(100..120)
            .iter()
            .all(|(number, square)| results.get(number) == Some(square))
    );
    hand.dismiss().unwrap();
}

#[test]
fn a_server_that_loses_everything_loses_no_work() {
    let Some(mut server) = NatsServer::start("amnesia") else {
        return;
    };
    let url = server.url();
    let mut hand = Some(Hand::hire(&server, "old", "1"));
    let mut cruel = true;
    let deadline = Deadline::after(PATIENCE);
    let mut results = BTreeMap::new();
    Remote::new(NatsAccess::to(&url), "1", "run")
        .run(
            &Arc::new(Squares {
                pause: Duration::from_millis(5),
            }),
            &mut (100..800).map(Unit::of_number),
            &Control::default(),
            &mut |more| {
                results.extend(more);
                deadline.check(|| format!("the run is at {} results", results.len()));
                if results.len() > 200 && std::mem::take(&mut cruel) {
                    server.revive_from_nothing();
                    // The new one has never heard what the run is about.
                    hand.take().map(Hand::dismiss);
                    hand = Some(Hand::hire(&server, "new", "1"));
                }
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    assert!(!cruel);
    assert_eq!(results, squares(100..800));
    hand.map(Hand::dismiss);
}

#[test]
fn a_run_that_was_stopped_goes_on_with_what_was_reported_meanwhile() {
    let Some(server) = NatsServer::start("again") else {
        return;
    };
    let hand = Hand::hire(&server, "hand", "1");
    let (first, ended) = square(&server, "run", 100..400, 2, &mut |done| match done > 50 {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    ended.unwrap();
    assert!(first.len() > 50 && first.len() < 300, "{}", first.len());
    std::thread::sleep(Duration::from_millis(500));
    let (rest, ended) = square(&server, "run", 100..400, 2, &mut go_on);
    ended.unwrap();
    assert_eq!(rest, squares(100..400));
    hand.dismiss().unwrap();
}

#[test]
fn what_is_wrong_with_the_server_is_said_without_the_password() {
    let Some(server) = NatsServer::start_with("password", &["-js", "--user", "me", "--pass", "hush"]) else {
        return;
    };
    let try_it = |access: NatsAccess| {
        let mut remote = Remote::new(access, "1", "run");
        let work = Arc::new(Squares { pause: Duration::ZERO });
        remote
            .run(&work, &mut std::iter::empty(), &Control::default(), &mut |_| {
                ControlFlow::Continue(())
            })
            .map_err(|error| error.to_string())
    };
    let with = |user: &str| server.url().replace("nats://", &format!("nats://{user}@"));
    assert_eq!(try_it(NatsAccess::to(&with("me:hush"))), Ok(()));
    let mut access = NatsAccess::to(&server.url());
    access.user = Some(("me".into(), "hush".into()));
    assert_eq!(try_it(access), Ok(()));
    for wrong in [with("me:husk"), server.url()] {
        let error = try_it(NatsAccess::to(&wrong)).unwrap_err();
        assert!(
            error.contains("refused the credentials") && !error.contains("husk"),
            "{error}"
        );
    }
    let Some(bare) = NatsServer::start_with("bare", &[]) else {
        return;
    };
    let error = try_it(NatsAccess::to(&bare.url())).unwrap_err();
    assert!(
        error.contains("no JetStream") && error.contains("nats-server -js"),
        "{error}"
    );
    let gone = bare.url();
    drop(bare);
    let error = try_it(NatsAccess::to(&gone)).unwrap_err();
    assert!(
        error.contains("cannot reach the NATS server nats://127.0.0.1:"),
        "{error}"
    );
}

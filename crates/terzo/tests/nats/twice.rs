//! A server may deliver what it was given more than once.

use crate::deadline::Deadline;
use crate::folder::Folder;
use crate::nats_server::NatsServer;
use crate::played::{games, tournament};
use crate::process::{LONG, Process};
use async_nats::HeaderMap;
use async_nats::jetstream::{self, stream::Stream};
use futures_util::StreamExt;
use std::time::Duration;

#[test]
fn jobs_and_reports_that_come_twice_count_once() {
    let Some(server) = NatsServer::start("twice") else {
        return;
    };
    let folder = Folder::new("on-twice");
    let (here, there) = (folder.file("here.db"), folder.file("there.db"));
    Process::start(&mut tournament("40", &here)).finish(LONG);
    let mut coordinator = Process::start(tournament("40", &there).args(["--on", &server.url()]));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let copied = runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let context = jetstream::new(client.clone());
        let deadline = Deadline::after(LONG);
        let streams = loop {
            deadline.check(|| "the streams are not made".into());
            let (jobs, reports) = (
                context.get_stream("TERZO_JOBS").await,
                context.get_stream("TERZO_REPORTS").await,
            );
            match (jobs, reports) {
                (Ok(jobs), Ok(reports)) => break [jobs, reports],
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let [jobs, reports] = streams;
        // Whoever hears of a report when it is written does not miss one that is taken away at once.
        let subject = reports.cached_info().config.subjects[0].clone();
        let mut reports = client.subscribe(subject).await.unwrap();
        // The first jobs are copied before anybody could take them.
        let (mut seen, mut copied) = (0, [0; 2]);
        while copied[0] == 0 {
            deadline.check(|| "no job is written".into());
            copied[0] += copy_stored(&context, &jobs, &mut seen).await;
        }
        let _workers = ["a", "b"].map(|name| Process::worker(&server.url(), name, &[]));
        while coordinator.alive() {
            deadline.check(|| format!("the tournament does not end; copied {copied:?}"));
            copied[0] += copy_stored(&context, &jobs, &mut seen).await;
            while let Ok(Some(report)) = tokio::time::timeout(Duration::from_millis(1), reports.next()).await {
                let headers = report.headers.unwrap_or_default();
                copied[1] += copy(&context, report.subject.to_string(), &headers, report.payload).await;
            }
        }
        copied
    });
    coordinator.finish(LONG);
    assert!(copied[0] > 0 && copied[1] > 0, "{copied:?}");
    assert_eq!(games(&there), games(&here));
}

/// Writes every new message of a stream once more.
async fn copy_stored(context: &jetstream::Context, stream: &Stream, seen: &mut u64) -> u64 {
    let mut copied = 0;
    let Ok(info) = stream.get_info().await else { return 0 };
    while *seen < info.state.last_sequence {
        *seen += 1;
        if let Ok(message) = stream.get_raw_message(*seen).await {
            copied += copy(context, message.subject.to_string(), &message.headers, message.payload).await;
        }
    }
    copied
}

/// Writes a message once more, without the id by which the server would know it, unless it is such a copy.
async fn copy(context: &jetstream::Context, subject: String, headers: &HeaderMap, payload: impl Into<Vec<u8>>) -> u64 {
    if headers.get("Copy").is_some() {
        return 0;
    }
    let mut headers = HeaderMap::new();
    headers.insert("Copy", "yes");
    match context
        .publish_with_headers(subject, headers, payload.into().into())
        .await
    {
        Ok(stored) => stored.await.is_ok().into(),
        Err(_) => 0,
    }
}

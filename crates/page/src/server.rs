//! Listening, and ending cleanly.
//!
//! Connections are accepted by hand, not by `axum::serve`, for the sake of its missing manners: a request must arrive
//! within some time, and there are only so many connections, in all and from one address. Who is one too many is not
//! answered.

use crate::api::router;
use crate::app::App;
use crate::client::Address;
use axum::extract::ConnectInfo;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// How long a client may take to finish what it was doing when the server closes.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long to wait after a connection could not be accepted: there are too many files open, say.
const BREATH: Duration = Duration::from_millis(50);

/// Serves until `stop` is done; then streams end, requests in progress are answered, and every table is written down.
pub async fn serve(app: Arc<App>, listener: TcpListener, stop: impl Future<Output = ()> + Send) {
    let router = router(app.clone());
    let open = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => welcome(&app, &router, &open, stream, peer),
                Err(_) => tokio::time::sleep(BREATH).await,
            },
        }
    }
    app.closing.send_replace(true);
    let _ = tokio::time::timeout(PATIENCE, open.shutdown()).await;
    app.tournaments.close(PATIENCE);
    app.tables.store().flush(Duration::from_secs(10));
}

fn welcome(app: &App, router: &Router, open: &GracefulShutdown, stream: TcpStream, peer: SocketAddr) {
    let address = Address::new(peer.ip());
    let Some(ticket) = app
        .connections
        .ticket(address, app.limits.connections, app.limits.connections_each)
    else {
        return;
    };
    // Small answers go out at once.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router.clone().layer(Extension(ConnectInfo(peer))));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.arrival)
        .serve_connection(TokioIo::new(stream), service);
    let connection = open.watch(connection);
    tokio::spawn(async move {
        // A connection that breaks concerns nobody but its client.
        let _ = connection.await;
        drop(ticket);
    });
}

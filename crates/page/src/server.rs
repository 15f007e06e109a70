//! Listening, and ending cleanly.

use crate::api::router;
use crate::app::App;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How long a client may take to finish what it was doing when the server closes.
const PATIENCE: Duration = Duration::from_secs(3);

/// Serves until `stop` is done; then streams end, requests in progress are answered, and every table is written down.
pub async fn serve(app: Arc<App>, listener: TcpListener, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let service = router(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let mut closing = app.closing.subscribe();
    let closed = app.clone();
    let ends = async move {
        stop.await;
        closed.closing.send_replace(true);
    };
    let server = axum::serve(listener, service).with_graceful_shutdown(ends);
    let too_long = async move {
        let _ = closing.wait_for(|&closing| closing).await;
        tokio::time::sleep(PATIENCE).await;
    };
    let result = tokio::select! {
        result = server => result,
        () = too_long => Ok(()),
    };
    app.tournaments.close(PATIENCE);
    app.hall.keeper().flush(Duration::from_secs(10));
    result
}

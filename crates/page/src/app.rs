//! What all requests share.

use crate::api_error::ApiError;
use crate::assets::Assets;
use crate::client::Client;
use crate::limits::ServerLimits;
use crate::quota::{Quota, Ticket};
use crate::solver_pool::SolverPool;
use crate::tables::Tables;
use crate::tournaments::Tournaments;
use arena::store::StoreError;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::watch;

/// How the server is to be.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The file of the records.
    pub records: PathBuf,
    /// What must be shown with every request; none is needed on this machine's own address.
    pub token: Option<String>,
    /// Where others can reach the server, the best first: `http://192.168.0.7:8080`. None if only this machine can.
    pub addresses: Vec<String>,
    /// A folder to read the files of the page from, instead of those in the program.
    pub assets: Option<PathBuf>,
    /// How much anybody may ask for.
    pub limits: ServerLimits,
}

/// The server.
pub struct App {
    pub(crate) tables: Arc<Tables>,
    pub(crate) solvers: SolverPool,
    pub(crate) tournaments: Tournaments,
    pub(crate) streams: Arc<Quota>,
    pub(crate) connections: Arc<Quota>,
    pub(crate) limits: ServerLimits,
    pub(crate) token: Option<String>,
    pub(crate) addresses: Vec<String>,
    pub(crate) assets: Assets,
    /// Becomes true when the server closes.
    pub(crate) closing: watch::Sender<bool>,
}

impl App {
    /// A server over the records. Must be called on a runtime.
    pub fn open(config: Config) -> Result<Arc<Self>, StoreError> {
        Ok(Arc::new(App {
            tables: Arc::new(Tables::open(&config.records, config.limits, Handle::current())?),
            solvers: SolverPool::new(&config.limits).map_err(|error| StoreError::Foreign {
                path: config.records.clone(),
                why: format!("no threads to solve on: {error}"),
            })?,
            tournaments: Tournaments::new(&config.records, &config.limits),
            streams: Arc::default(),
            connections: Arc::default(),
            limits: config.limits,
            token: config.token,
            addresses: config.addresses,
            assets: config.assets.map_or(Assets::Packed, Assets::Folder),
            closing: watch::Sender::new(false),
        }))
    }

    /// A place for a stream, if there is one.
    pub(crate) fn stream_ticket(&self, client: Client) -> Result<Ticket, ApiError> {
        self.streams
            .ticket(client.address, self.limits.streams, self.limits.streams_each)
            .ok_or_else(|| ApiError::busy("too many streams are open; close some, or try again in a while"))
    }
}

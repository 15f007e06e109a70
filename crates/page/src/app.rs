//! What all requests share.

use crate::assets::Assets;
use crate::client::Client;
use crate::hall::Hall;
use crate::house::House;
use crate::quota::{Quota, Ticket};
use crate::refusal::Refusal;
use crate::solver_pool::SolverPool;
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
    pub house: House,
}

/// The server.
pub struct App {
    pub(crate) hall: Arc<Hall>,
    pub(crate) solvers: SolverPool,
    pub(crate) tournaments: Tournaments,
    pub(crate) streams: Arc<Quota>,
    pub(crate) connections: Arc<Quota>,
    pub(crate) house: House,
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
            hall: Arc::new(Hall::open(&config.records, config.house, Handle::current())?),
            solvers: SolverPool::new(&config.house).map_err(|error| StoreError::Foreign {
                path: config.records.clone(),
                why: format!("no threads to solve on: {error}"),
            })?,
            tournaments: Tournaments::new(&config.records, &config.house),
            streams: Arc::default(),
            connections: Arc::default(),
            house: config.house,
            token: config.token,
            addresses: config.addresses,
            assets: config.assets.map_or(Assets::Packed, Assets::Folder),
            closing: watch::Sender::new(false),
        }))
    }

    /// A place for a stream, if there is one.
    pub(crate) fn stream_ticket(&self, client: Client) -> Result<Ticket, Refusal> {
        self.streams
            .ticket(client.address, self.house.streams, self.house.streams_each)
            .ok_or_else(|| Refusal::busy("too many streams are open; close some, or try again in a while"))
    }
}

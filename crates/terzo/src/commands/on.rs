//! `--on URL`: where work is done, by threads of this process or by workers elsewhere.

use crate::usage::{UsageError, usage};
use arena::queue::nats::{Crew, NatsAccess, Remote};
use arena::queue::{Local, Queue, Work};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// What the results depend on: workers must have the same.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("TERZO_DIGEST"));

/// Perhaps somewhere else.
#[derive(clap::Args, Clone, Default)]
pub struct On {
    /// Have it done by workers (`terzo worker`), through this NATS server, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", help_heading = "Other machines")]
    pub on: Option<String>,
    #[command(flatten)]
    credentials: Credentials,
}

/// As whom. Where the environment holds it, it is on nobody's screen and in no list of processes.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Credentials for the NATS server")]
pub struct Credentials {
    /// User
    #[arg(
        long,
        value_name = "NAME",
        env = "NATS_USER",
        requires = "nats_password",
        hide_env_values = true
    )]
    nats_user: Option<String>,
    /// Password
    #[arg(long, value_name = "TEXT", env = "NATS_PASSWORD", hide_env_values = true)]
    nats_password: Option<String>,
    /// Token
    #[arg(long, value_name = "TEXT", env = "NATS_TOKEN", hide_env_values = true)]
    nats_token: Option<String>,
    /// A credentials file: JWT and seed
    #[arg(long, value_name = "FILE", env = "NATS_CREDS", hide_env_values = true)]
    nats_creds: Option<PathBuf>,
    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE", env = "NATS_NKEY", hide_env_values = true)]
    nats_nkey: Option<PathBuf>,
    /// Certificates to trust beside the system's
    #[arg(long, value_name = "FILE", env = "NATS_CA", hide_env_values = true)]
    nats_ca: Option<PathBuf>,
    /// A certificate to show
    #[arg(
        long,
        value_name = "FILE",
        env = "NATS_CERT",
        hide_env_values = true,
        requires = "nats_key"
    )]
    nats_cert: Option<PathBuf>,
    /// The certificate's key
    #[arg(long, value_name = "FILE", env = "NATS_KEY", hide_env_values = true)]
    nats_key: Option<PathBuf>,
}

impl Credentials {
    /// For this server.
    pub fn access(&self, url: &str) -> NatsAccess {
        NatsAccess {
            url: url.into(),
            user: self.nats_user.clone().zip(self.nats_password.clone()),
            token: self.nats_token.clone(),
            credentials: self.nats_creds.clone(),
            nkey: self.nats_nkey.clone(),
            authority: self.nats_ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
        }
    }
}

/// A queue, and what is to be said of those who work on it if others do.
pub struct Hired<W> {
    pub queue: Box<dyn Queue<W>>,
    pub crew: Option<Box<dyn Fn() -> String>>,
}

/// Who is working, in words.
fn told(crew: &Crew, server: &NatsAccess) -> String {
    const ROWS: usize = 8;
    if crew.server_away() {
        return format!("the server {server} is away; waiting for it");
    }
    let members = crew.members();
    if members.is_empty() {
        return format!("no worker yet: `terzo worker --on {server}` makes one");
    }
    let mut text = format!("{} workers, {} at once", members.len(), crew.threads());
    for member in members.iter().take(ROWS) {
        text += &match member.refused {
            true => format!("\n  {}: refused, it has version {}", member.name, member.version),
            false => format!(
                "\n  {}: {} done, {} at once, {:.1} M nodes a second",
                member.name,
                member.done,
                member.threads,
                member.speed as f64 / 1e6
            ),
        };
    }
    text
}

impl On {
    /// Whether others do the work.
    pub fn elsewhere(&self) -> bool {
        self.on.is_some()
    }

    /// Says what is wrong with the address, before anything is made or begun.
    pub fn check(&self) -> anyhow::Result<()> {
        self.access().map(drop)
    }

    fn access(&self) -> anyhow::Result<Option<NatsAccess>> {
        let Some(url) = &self.on else { return Ok(None) };
        if url.is_empty() {
            usage!("--on: expected the address of a NATS server, such as nats://127.0.0.1:4222");
        }
        let access = self.credentials.access(url);
        access.check().map_err(|error| UsageError(format!("--on: {error}")))?;
        Ok(Some(access))
    }

    /// So many threads, or workers elsewhere. `run` are the words that make it this run and no other: begun again with the
    /// same words, it goes on.
    pub fn hire<W: Work>(&self, threads: usize, run: &[&str]) -> anyhow::Result<Hired<W>> {
        let Some(access) = self.access()? else {
            return Ok(Hired {
                queue: Box::new(Local { threads }),
                crew: None,
            });
        };
        let mut name = DefaultHasher::new();
        run.hash(&mut name);
        let remote = Remote::new(access.clone(), VERSION, &format!("{:016x}", name.finish()));
        let crew = remote.crew();
        Ok(Hired {
            crew: Some(Box::new(move || told(&crew, &access))),
            queue: Box::new(remote),
        })
    }
}

//! `terzo play`

use crate::output;
use crate::usage::usage;
use anyhow::Context;
use page::{App, Config, ServerLimits};
use serde_json::json;
use std::io::{ErrorKind, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::net::TcpListener;

/// Where the page is, unless somebody else is there or another port is asked for.
const PORT: u16 = 8080;

#[derive(clap::Args)]
#[command(
    after_help = "Starts the page on this machine and prints its address; Ctrl-C ends it, and games are kept. With --listen it can be reached from other machines by who has the address with the token, which is printed once (a new one every time, or what TERZO_TOKEN in the environment says); it speaks plain HTTP, so put a proxy with TLS before it where the network is not yours.\n\nExamples:\n  terzo play\n  terzo play stack4 --port 9000 --no-open\n  terzo play --listen 0.0.0.0\n  terzo play --terminal quarto-squares --seats human perfect:level=5"
)]
pub struct PlayArgs {
    /// The game to begin with; `terzo games` lists them
    game: Option<String>,
    /// The port [default: 8080, or a free one if that is taken]
    #[arg(long)]
    port: Option<u16>,
    /// Serve at this address of the machine, not only to the machine itself
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    /// Play in this terminal instead: a full-screen board with keys
    #[arg(long, conflicts_with_all = ["port", "listen", "no_open"])]
    terminal: bool,
    /// Who sits where in the terminal, in the order of the seats: human or a player; you and the strongest if left out
    #[arg(long, value_name = "PLAYER", num_args = 1.., requires = "terminal")]
    seats: Option<Vec<String>>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// The file of the records
    #[arg(long, value_name = "FILE", default_value = "terzo.db")]
    db: PathBuf,
    /// Let the page go on with recorded tournaments of programs (engine:, course:): they run with your rights
    #[arg(long, conflicts_with = "terminal")]
    engines: bool,
    /// Write one JSON object with the address
    #[arg(long, conflicts_with = "terminal")]
    json: bool,
    /// Read the files of the page from this folder at every request
    #[arg(long, value_name = "DIR", hide = true)]
    dev_assets: Option<PathBuf>,
    /// How long the solver may work for one question of the page, in milliseconds
    #[arg(long, value_name = "MS", hide = true)]
    dev_solving: Option<u64>,
}

impl PlayArgs {
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(game) = &self.game
            && !games::all().iter().any(|known| known.name == game.as_str())
        {
            // Says what is wrong with the name.
            games::find(game)?;
            usage!("`{game}` cannot be played on the page by that name: paste the sheet there");
        }
        if self.terminal && !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
            usage!("--terminal draws on a terminal, and this is none");
        }
        if self.terminal {
            let game = self.game.as_deref().unwrap_or("quarto");
            return page::terminal::play(game, self.seats.as_deref())
                .map_err(|error| anyhow::anyhow!("{}", error.message()));
        }
        let runtime = tokio::runtime::Runtime::new().context("cannot start the server's threads")?;
        let served = runtime.block_on(self.serve());
        // Thoughts that are being had need not be had to the end.
        runtime.shutdown_background();
        served
    }

    async fn serve(self) -> anyhow::Result<()> {
        let address = self.listen.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let listener = self.bind(address).await?;
        let address = listener.local_addr().context("cannot tell the address")?;
        let token = match address.ip().is_loopback() {
            true => None,
            false => Some(token()?),
        };
        let mut limits = ServerLimits {
            engines: self.engines,
            ..ServerLimits::default()
        };
        if let Some(ms) = self.dev_solving {
            limits.solving = Duration::from_millis(ms);
        }
        let (here, elsewhere) = reachable(address);
        let app = App::open(Config {
            records: self.db.clone(),
            token: token.clone(),
            addresses: elsewhere.clone(),
            assets: self.dev_assets.clone(),
            limits,
        })?;
        // Who reads the address may end it at once.
        let interrupted = interrupted()?;
        let url = self.url(&here, token.as_deref());
        let others: Vec<String> = elsewhere
            .iter()
            .filter(|base| **base != here)
            .map(|base| self.url(base, token.as_deref()))
            .collect();
        if self.json {
            output::print_json(&json!({"url": url, "others": others, "records": self.db}))?;
        } else {
            let others: String = others.iter().map(|url| format!("for others  {url}\n")).collect();
            output::print(&format!(
                "Terzo is at {url}\n{others}Ctrl-C ends it; games are kept in {}.\n",
                self.db.display()
            ))?;
        }
        if !self.no_open && std::io::stdout().is_terminal() {
            open_browser(&url);
        }
        page::serve(app, listener, interrupted).await;
        Ok(())
    }

    async fn bind(&self, address: IpAddr) -> anyhow::Result<TcpListener> {
        let at = |port| SocketAddr::new(address, port);
        let failed = |port| format!("cannot listen at {}", at(port));
        match (self.port, TcpListener::bind(at(self.port.unwrap_or(PORT))).await) {
            (_, Ok(listener)) => Ok(listener),
            (None, Err(error)) if error.kind() == ErrorKind::AddrInUse => {
                TcpListener::bind(at(0)).await.with_context(|| failed(0))
            }
            (port, Err(error)) => Err(error).with_context(|| failed(port.unwrap_or(PORT))),
        }
    }

    /// A link to the page at an address, with what is needed to come in.
    fn url(&self, base: &str, token: Option<&str>) -> String {
        let game = self.game.as_ref().map(|game| format!("game={game}"));
        let token = token.map(|token| format!("token={token}"));
        let query: Vec<String> = game.into_iter().chain(token).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{base}/{mark}{}", query.join("&"))
    }
}

/// Where a server at that address can be reached: from this machine, and from others, the likeliest first. An address that
/// means "all of them" is no address to go to, so it stands for those that the machine has.
fn reachable(address: SocketAddr) -> (String, Vec<String>) {
    let base = |ip: IpAddr| format!("http://{}", SocketAddr::new(ip, address.port()));
    let ip = address.ip();
    if ip.is_loopback() {
        return (base(ip), Vec::new());
    }
    if !ip.is_unspecified() {
        return (base(ip), vec![base(ip)]);
    }
    let here = match ip {
        IpAddr::V4(_) => IpAddr::from(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::from(Ipv6Addr::LOCALHOST),
    };
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut own: Vec<IpAddr> = interfaces.iter().map(|interface| interface.ip()).collect();
    own.retain(|own| match own {
        IpAddr::V4(own) => ip.is_ipv4() && !own.is_loopback() && !own.is_link_local(),
        // One that holds only on one cable needs more than itself to be reached.
        IpAddr::V6(own) => ip.is_ipv6() && !own.is_loopback() && !own.is_unicast_link_local(),
    });
    (base(here), own.into_iter().map(base).collect())
}

/// Where a token can be given that stays the same over restarts, so that links hold. Not an option: others can read those.
const TOKEN: &str = "TERZO_TOKEN";

/// The token that was given, or a hundred and twenty bits that nobody can guess.
fn token() -> anyhow::Result<String> {
    if let Ok(given) = std::env::var(TOKEN) {
        let plain = given
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if !plain || !(16..=128).contains(&given.len()) {
            usage!("{TOKEN}: expected 16 to 128 letters, digits, - or _");
        }
        return Ok(given);
    }
    let part = || page::unguessable().map_err(|error| anyhow::anyhow!("{}", error.message()));
    Ok(part()? + &part()?)
}

/// Ctrl-C, or a polite request of the system to end. Both are heeded from the call on, not from when they are first waited for.
#[cfg(unix)]
fn interrupted() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
        }
    })
}

/// Ctrl-C.
#[cfg(not(unix))]
fn interrupted() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Shows the page, if the system knows how. If not, the address stands on the terminal.
fn open_browser(url: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = Command::new(program)
        .args(before)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    drop(quiet);
}

//! `terzo play`

use crate::output;
use anyhow::{Context, bail};
use page::{App, Config, House};
use std::io::{ErrorKind, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tokio::net::TcpListener;

/// Where the page is, unless somebody else is there or another port is asked for.
const PORT: u16 = 8080;

#[derive(clap::Args)]
#[command(
    after_help = "Starts the page on this machine and prints its address; Ctrl-C ends it, and games are kept. With --listen it can be\nreached from other machines by who has the address with the token, which is printed once; it speaks plain HTTP, so put\na proxy with TLS before it where the network is not yours.\n\nExamples:\n  terzo play\n  terzo play stack4 --port 9000 --no-open\n  terzo play --listen 0.0.0.0\n  terzo play --terminal quarto-squares --seats human perfect:level=5"
)]
pub struct Play {
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
    /// Read the files of the page from this folder at every request
    #[arg(long, value_name = "DIR", hide = true)]
    dev_assets: Option<PathBuf>,
}

impl Play {
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(game) = &self.game
            && !players::games().iter().any(|known| known.name == game)
        {
            // Says what is wrong with the name.
            players::with_game(game, Named)?;
            bail!("`{game}` cannot be played on the page by that name: paste the sheet there");
        }
        if self.terminal {
            let game = self.game.as_deref().unwrap_or("quarto");
            return page::terminal::play(game, self.seats.as_deref())
                .map_err(|refusal| anyhow::anyhow!("{}", refusal.message()));
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
        let app = App::open(Config {
            records: self.db.clone(),
            token: token.clone(),
            assets: self.dev_assets.clone(),
            house: House::default(),
        })?;
        let url = self.url(address, token.as_deref());
        output::print(&format!(
            "Terzo is at {url}\nCtrl-C ends it; games are kept in {}.\n",
            self.db.display()
        ))?;
        if !self.no_open && std::io::stdout().is_terminal() {
            open_browser(&url);
        }
        page::serve(app, listener, interrupted()).await;
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

    fn url(&self, address: SocketAddr, token: Option<&str>) -> String {
        // An address that means "all of them" is no address to go to.
        let host = match address.ip() {
            ip if ip.is_unspecified() => "THIS-MACHINE".to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
            ip => ip.to_string(),
        };
        let game = self.game.as_ref().map(|game| format!("game={game}"));
        let token = token.map(|token| format!("token={token}"));
        let query: Vec<String> = game.into_iter().chain(token).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("http://{host}:{}/{mark}{}", address.port(), query.join("&"))
    }
}

/// Asks only whether a game of that name exists.
struct Named;

impl players::WithGame for Named {
    type Output = ();

    fn run<G: players::Playable>(self, _: G) {}
}

/// A hundred and twenty bits that nobody can guess.
fn token() -> anyhow::Result<String> {
    let part = || page::unguessable().map_err(|refusal| anyhow::anyhow!("{}", refusal.message()));
    Ok(part()? + &part()?)
}

/// Ctrl-C, or a polite request of the system to end.
async fn interrupted() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = interrupt => (),
            _ = terminate.recv() => (),
        }
        return;
    }
    let _ = interrupt.await;
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

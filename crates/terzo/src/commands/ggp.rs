//! `terzo ggp player` and `terzo ggp host`

use super::matches;
use crate::interrupt;
use crate::output::{self, say};
use crate::usage::usage;
use anyhow::Context;
use arena::matches::{FINISHED, MatchMove, NewMatch};
use arena::store::{Store, StoreError};
use clap::Subcommand;
use game::Stop;
use gdl::{BuildLimits, Machine, Sheet};
use ggp::PORT;
use ggp::host::{Contestant, Deed, MatchEnd, MatchObserver, MatchTerms, MoveFault, host};
use ggp::player::{PlayerEvent, PlayerOptions, Watcher, serve};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(clap::Args)]
pub struct GgpArgs {
    #[command(subcommand)]
    side: GgpCommand,
}

#[derive(Subcommand)]
enum GgpCommand {
    /// Play any game for any manager, match after match
    Player(PlayerSide),
    /// Referee matches between players that listen somewhere
    Host(HostSide),
}

#[derive(clap::Args)]
#[command(
    after_help = "Answers INFO, START, PLAY, STOP, ABORT and PREVIEW over HTTP until it is ended, always in time: if the player has no move when the margin begins, any legal one is sent. What happens is told on standard error, with --json as JSON lines on standard output.\n\nExamples:\n  terzo ggp player\n  terzo ggp player --port 9148 --player montecarlo --name Monte\n  terzo ggp player --listen 0.0.0.0"
)]
struct PlayerSide {
    /// The port to listen on; 0 takes a free one
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Who plays; `terzo players tictactoe` lists those who play any game
    #[arg(long, value_name = "SPEC", default_value = "general")]
    player: String,
    /// What INFO calls it
    #[arg(long, default_value = "terzo")]
    name: String,
    /// Milliseconds before the end of a clock when the answer must be on its way; at most half the clock
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u32).range(0..=600_000))]
    margin: u32,
    /// Think while others do, too
    #[arg(long)]
    ponder: bool,
    /// What the player's chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write what happens as JSON lines
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(
    after_help = "One player a role in the order of the sheet; `random` stands for legal moves drawn by the manager, which also plays a role of that name. A late or illegal move is replaced by a random legal one, and recorded as such. Every turn is in the records when it was played: `terzo records list`, `terzo records match`.\n\nExamples:\n  terzo ggp host tictactoe --players 127.0.0.1:9147 random\n  terzo ggp host mygame.kif --players 127.0.0.1:9147 127.0.0.1:9148 \\\n    --start 30 --play 10 --matches 4 --json"
)]
struct HostSide {
    /// A rule sheet: a file, or the name of a bundled one
    file: String,
    /// Where the players listen, HOST:PORT, role by role
    #[arg(long, value_name = "HOST:PORT", num_args = 1.., required = true)]
    players: Vec<String>,
    /// Seconds to get ready
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    start: u32,
    /// Seconds for a move
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    play: u32,
    /// How many matches; from one to the next the players change roles
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    matches: u32,
    /// After so many turns a game is taken to have no end
    #[arg(long, value_name = "N", default_value_t = 1000)]
    turns: u64,
    /// What drawn moves are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file of the records
    #[arg(long, value_name = "FILE", default_value = "terzo.db")]
    db: PathBuf,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl GgpArgs {
    pub fn run(self) -> anyhow::Result<()> {
        match self.side {
            GgpCommand::Player(command) => command.run(),
            GgpCommand::Host(command) => command.run(),
        }
    }
}

impl PlayerSide {
    fn run(self) -> anyhow::Result<()> {
        let factory = gdl::players::factory(&self.player)?;
        let options = PlayerOptions {
            name: self.name,
            margin: Duration::from_millis(self.margin.into()),
            seed: self.seed,
            ponder: self.ponder,
        };
        let as_lines = self.json;
        let watcher: Watcher = Arc::new(move |event| match as_lines {
            true => drop(output::print_json(&as_json(&event))),
            false => say(&event.to_string()),
        });
        let address = SocketAddr::new(self.listen, self.port);
        let server =
            serve(address, factory, options, watcher).with_context(|| format!("cannot listen on {address}"))?;
        say(&format!("{} listens on {}", self.player, server.address()));
        server.wait();
        Ok(())
    }
}

fn as_json(event: &PlayerEvent) -> Value {
    match event {
        PlayerEvent::Started { id, role } => json!({"event": "started", "match": id, "role": role}),
        PlayerEvent::Machine { id, what } => json!({"event": "machine", "match": id, "what": what}),
        PlayerEvent::Moved { id, turn, mv, took } => {
            json!({"event": "moved", "match": id, "turn": turn, "move": mv, "ms": took.as_millis() as u64})
        }
        PlayerEvent::Ended { id, goals } => {
            let goals: Option<serde_json::Map<String, Value>> = goals
                .as_ref()
                .map(|goals| goals.iter().map(|(role, goal)| (role.clone(), json!(goal))).collect());
            json!({"event": "ended", "match": id, "goals": goals})
        }
        PlayerEvent::Trouble(what) => json!({"event": "trouble", "what": what}),
    }
}

impl HostSide {
    fn run(self) -> anyhow::Result<()> {
        let game = RefereedGame::load(&self.file)?;
        let wanted: Vec<&str> = game
            .roles
            .iter()
            .filter(|role| !is_chance(role))
            .map(String::as_str)
            .collect();
        let seats = wanted.len();
        if seats != self.players.len() {
            let named = self.players.len();
            usage!(
                "{} needs {seats} players, for {}; --players names {named}",
                self.file,
                wanted.join(", ")
            );
        }
        let players = self
            .players
            .iter()
            .map(|text| contestant(text))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let mut store = Store::open(&self.db)?;
        let stop = interrupt::sign()?.child();
        let mut played = Vec::new();
        for number in 0..self.matches {
            if stop.is_raised() {
                break;
            }
            let mut next = players.iter().cycle().skip(number as usize % seats.max(1));
            let contestants: Vec<Contestant> = game
                .roles
                .iter()
                .map(|role| match is_chance(role) {
                    true => Contestant::Chance,
                    false => next.next().cloned().unwrap_or(Contestant::Chance),
                })
                .collect();
            let id = self.one_match(&game, &contestants, number, &mut store, &stop)?;
            let (entry, _) = store.match_entry(Some(id))?;
            if !self.json {
                output::print(&matches::as_line(&entry))?;
            }
            played.push(matches::as_json(&entry, &store.match_turns(id)?));
        }
        if self.json {
            output::print_json(&json!({"game": self.file, "matches": played}))?;
        }
        Ok(interrupt::unless_come()?)
    }

    fn one_match(
        &self,
        game: &RefereedGame,
        contestants: &[Contestant],
        number: u32,
        store: &mut Store,
        stop: &Stop,
    ) -> anyhow::Result<i64> {
        let terms = MatchTerms {
            id: match_name(&self.file, number),
            start: Duration::from_secs(self.start.into()),
            play: Duration::from_secs(self.play.into()),
            seed: game::mix(self.seed, &[u64::from(number)]),
            most_turns: self.turns,
        };
        let names = contestants.iter().map(|contestant| contestant.name().to_owned());
        let players: Vec<(String, String)> = game.roles.iter().cloned().zip(names).collect();
        let id = store.begin_match(&NewMatch {
            key: &terms.id,
            game: &self.file,
            sheet: &game.sheet,
            clocks: [terms.start, terms.play],
            seed: terms.seed,
            players: &players,
        })?;
        let mut scribe = MatchRecorder::new(store, id, stop, &terms.id);
        let end = host(&game.machine, &game.sheet, contestants, &terms, stop, &mut scribe)?;
        scribe.bar.finish_and_clear();
        if let Some(error) = scribe.failed {
            return Err(error.into());
        }
        match &end {
            MatchEnd::Finished(goals) => store.end_match(id, FINISHED, goals)?,
            MatchEnd::Stopped => store.end_match(id, "stopped by the user", &[])?,
            MatchEnd::Broken(why) => store.end_match(id, why, &[])?,
        }
        Ok(id)
    }
}

/// A game that can be refereed.
struct RefereedGame {
    sheet: String,
    machine: Machine,
    roles: Vec<String>,
}

impl RefereedGame {
    fn load(file: &str) -> anyhow::Result<RefereedGame> {
        let sheet = Sheet::text(file)?;
        let parsed = Sheet::parse(file, &sheet)?;
        let (mut machine, why) = Machine::best(&parsed, BuildLimits::default())?;
        if let Some(why) = why {
            say(&format!("{why}; the prover serves"));
        }
        // Only the prover knows what a role sees.
        if machine.is_hidden() {
            machine = Machine::prover(&parsed)?;
        }
        let roles = machine.roles().into_iter().map(String::from).collect();
        Ok(RefereedGame { sheet, machine, roles })
    }
}

/// Whether the manager itself plays a role.
fn is_chance(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

/// `HOST:PORT`, `HOST` with the usual port, or `random`.
fn contestant(text: &str) -> anyhow::Result<Contestant> {
    if text == "random" {
        return Ok(Contestant::Chance);
    }
    let found = match text.contains(':') {
        true => text.to_socket_addrs(),
        false => (text, PORT).to_socket_addrs(),
    };
    let mut addresses = found.with_context(|| format!("player {text:?}: expected HOST:PORT or random"))?;
    let address = addresses
        .next()
        .with_context(|| format!("player {text:?} has no address"))?;
    Ok(Contestant::At {
        name: text.into(),
        address,
    })
}

/// A name that no other match of this manager has, in letters that every KIF reader takes for a word.
fn match_name(file: &str, number: u32) -> String {
    let stem = std::path::Path::new(file)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let stem: String = stem.chars().filter(char::is_ascii_alphanumeric).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!(
        "{}.{}.{}",
        if stem.is_empty() { "match" } else { &stem },
        now.as_millis(),
        number + 1
    )
}

/// Writes a match down turn by turn and shows it where there is a terminal.
struct MatchRecorder<'a> {
    store: &'a mut Store,
    id: i64,
    stop: &'a Stop,
    key: String,
    bar: ProgressBar,
    failed: Option<StoreError>,
}

impl<'a> MatchRecorder<'a> {
    fn new(store: &'a mut Store, id: i64, stop: &'a Stop, key: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar.set_message(output::visible(&format!("{key}: waiting until everybody is ready")).into_owned());
        MatchRecorder {
            store,
            id,
            stop,
            key: key.into(),
            bar,
            failed: None,
        }
    }

    /// A record that cannot be written ends the match: it would be played for nothing.
    fn note(&mut self, written: Result<(), StoreError>) {
        if let Err(error) = written {
            self.stop.raise();
            self.failed = Some(error);
        }
    }
}

impl MatchObserver for MatchRecorder<'_> {
    fn started(&mut self, faults: &[Option<MoveFault>]) {
        let faults: Vec<Option<String>> = faults
            .iter()
            .map(|fault| fault.as_ref().map(MoveFault::to_string))
            .collect();
        let written = self.store.note_not_ready(self.id, &faults);
        self.note(written);
    }

    fn turn(&mut self, number: u64, deeds: &[Deed]) {
        let moves: Vec<MatchMove> = deeds
            .iter()
            .map(|deed| MatchMove {
                mv: deed.mv.clone(),
                took: deed.took,
                fault: deed.fault.as_ref().map(MoveFault::to_string),
            })
            .collect();
        let written = self.store.add_turn(self.id, number, &moves);
        self.note(written);
        let said: Vec<&str> = deeds.iter().map(|deed| deed.mv.as_str()).collect();
        let told = format!("{}: turn {number}, {}", self.key, said.join("  "));
        self.bar.set_message(output::visible(&told).into_owned());
    }
}

//! `terzo stack4 join` and `terzo stack4 host`

use super::limited::{self, EngineLimits};
use crate::interrupt;
use crate::output::{self, say};
use crate::usage::usage;
use clap::Subcommand;
use course::{
    CourseFault, CourseRecord, CourseSide, Host, HostedProgram, JoinOptions, PORT, ReplacedCount, Spawned, join,
    referee,
};
use game::{Seat, Stop, mix};
use player::{Clock, Player, PlayerFactory};
use serde_json::{Value, json};
use stack4::Position;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Stack4Args {
    #[command(subcommand)]
    command: CourseCommand,
}

#[derive(Subcommand)]
enum CourseCommand {
    /// Play for us on a server that speaks the course's protocol
    Join(Join),
    /// Referee programs written for the course, against each other or against one of our players
    Host(HostGames),
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  terzo stack4 join --host 127.0.0.1 --port 8888 --player strong:time=4s")]
struct Join {
    /// The server's name or address
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The server's port
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// The number of our team
    #[arg(long, default_value_t = 0)]
    team: i32,
    /// Who plays; `terzo players stack4` lists them
    #[arg(long, value_name = "SPEC", default_value = "strong:time=4s")]
    player: String,
    /// Seconds to wait for a server that is not up yet
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    wait: u32,
    /// Seconds to wait for the server's next board
    #[arg(long, value_name = "S", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    patience: u32,
    /// What the player's chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(
    after_help = "Waits for two programs, or with --player for one, and plays games with the colours swapped each time; the first to connect, or our player, is black in the first. With --program it starts them itself; {port} in a command stands for the port, without it the program must know it. A late or illegal move is replaced by the first legal column, and so is every move of a program that has left. One that connects again under its team number goes on; one that is gone when the game ends has lost it.\n\nExamples:\n  terzo stack4 host\n  terzo stack4 host --port 9000 --player run3:defend=20 --games 4 --json\n  terzo stack4 host --player run3 --time 2000 \\\n    --program 'terzo stack4 join --port {port} --player random'"
)]
struct HostGames {
    /// The port to listen on
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// The address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// One of our players for one side
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// A program to start, such as './mine {port}'; twice for both sides
    #[arg(long, value_name = "COMMAND")]
    program: Vec<String>,
    /// How many games
    #[arg(short = 'n', long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// Milliseconds for a move
    #[arg(long, value_name = "MS", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=3_600_000))]
    time: u32,
    /// Seconds to wait for the programs to connect
    #[arg(long, value_name = "S", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    patience: u32,
    /// What our player's chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    limits: EngineLimits,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Stack4Args {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            CourseCommand::Join(command) => command.run(),
            CourseCommand::Host(command) => command.run(),
        }
    }
}

impl Join {
    fn run(self) -> anyhow::Result<()> {
        let mut ours = Ours::new(
            &stack4::players::factory(&self.player)?,
            None,
            self.seed,
            &Stop::never(),
        );
        let options = JoinOptions {
            team: self.team,
            patience: Duration::from_secs(self.patience.into()),
            wait: Duration::from_secs(self.wait.into()),
        };
        let joined = join((self.host.as_str(), self.port), &options, |position| {
            ours.ask(position).ok()
        })?;
        let [black, white] = joined.last.score();
        if self.json {
            return output::print_json(&json!({
                "moves": joined.moves,
                "last": game::Game::print(&joined.last),
                "black": black,
                "white": white,
            }));
        }
        output::print_coloured(&format!(
            "{} moves; the last board that we were sent, black {black}, white {white}:\n{}",
            joined.moves,
            joined.last.drawing(output::colour())
        ))
    }
}

/// One of our players as a side of a game.
struct Ours {
    player: Box<dyn Player<Position>>,
    time: Option<Duration>,
    seed: u64,
    games: u64,
    stop: Stop,
}

impl Ours {
    fn new(factory: &PlayerFactory<Position>, time: Option<Duration>, seed: u64, stop: &Stop) -> Self {
        Ours {
            player: factory.make(),
            stop: stop.clone(),
            time,
            seed,
            games: 0,
        }
    }
}

impl CourseSide for Ours {
    fn ask(&mut self, position: &Position) -> Result<stack4::Column, CourseFault> {
        if position.moves() < 2 {
            self.games += 1;
            self.player.begin(mix(self.seed, &[self.games]));
        }
        let clock = Clock {
            time: self.time,
            stop: self.stop.clone(),
            ..Clock::started_at(Instant::now())
        };
        let analysis = self.player.choose(position, &clock).map_err(|_| CourseFault::Gone)?;
        match self.time {
            Some(time) if clock.elapsed() > time => Err(CourseFault::Late),
            _ => Ok(analysis.best),
        }
    }
}

/// Somebody who plays one side, at a port that lives for `'h`.
type Boxed<'h> = Box<dyn CourseSide + 'h>;

impl HostGames {
    fn run(self) -> anyhow::Result<()> {
        if self.program.len() + usize::from(self.player.is_some()) > 2 {
            usage!("a game has two sides: --player and --program name more");
        }
        let limits = self.limits.or(process::ResourceLimits::default());
        if self.program.is_empty() && limits != process::ResourceLimits::default() {
            usage!("--limits and --sandbox are for programs that are started here: name one with --program");
        }
        limited::warn_of_gaps(&limits);
        let stop = interrupt::sign()?;
        let ours = self.player.as_deref().map(stack4::players::factory).transpose()?;
        let host = Host::bind_to(SocketAddr::new(self.address, self.port))?;
        let (names, mut sides) = self.sides(&host, ours.as_ref(), limits, &stop)?;
        let mut games: Vec<GameReport> = Vec::new();
        for number in 0..self.games as usize {
            let (first, second) = sides.split_at_mut(1);
            let record = match number % 2 {
                0 => referee(first[0].as_mut(), second[0].as_mut(), &stop),
                _ => referee(second[0].as_mut(), first[0].as_mut(), &stop),
            };
            let Some(record) = record else { break };
            let mut game = GameReport::new(&record, number);
            for (side, why) in sides.iter_mut().zip(&mut game.gone) {
                *why = side.why_gone();
            }
            // For people every game is a sign of life; programs want one object in the end.
            let line = game.as_line(&names, number);
            match self.json {
                true => say(line.trim_end()),
                false => output::print(&line)?,
            }
            games.push(game);
        }
        sides.iter_mut().for_each(|side| side.stop(&Position::new()));
        drop(sides);
        match self.json {
            true => output::print_json(&as_json(&names, &games))?,
            false => output::print(&totals_as_text(&names, &games))?,
        }
        Ok(interrupt::unless_come()?)
    }

    /// Who plays: our player if there is one, the programs that we start, and those that connect.
    fn sides<'h>(
        &self,
        host: &'h Host,
        ours: Option<&PlayerFactory<Position>>,
        limits: process::ResourceLimits,
        stop: &Stop,
    ) -> anyhow::Result<(Vec<String>, Vec<Boxed<'h>>)> {
        let time = Duration::from_millis(self.time.into());
        let patience = Duration::from_secs(self.patience.into());
        let mut names = Vec::new();
        let mut sides: Vec<Boxed<'h>> = Vec::new();
        if let Some(factory) = ours {
            names.push(factory.spec.to_string());
            // A little of the time is for the way there and back, as it is for the programs.
            sides.push(Box::new(Ours::new(factory, Some(time.mul_f64(0.95)), self.seed, stop)));
        }
        for command in &self.program {
            let spawned = Spawned::start_at(host, command, limits, patience, time, stop)?;
            names.push(format!("team {}", spawned.program.team()));
            sides.push(Box::new(HostedProgram::started(host, spawned)));
        }
        if sides.len() < 2 {
            say(&format!("waiting for programs on {}", host.address()?));
        }
        while sides.len() < 2 {
            let program = host.accept(patience, time, stop)?;
            names.push(format!("team {}", program.team()));
            say(&format!("team {} has connected", program.team()));
            sides.push(Box::new(HostedProgram::connected(host, program)));
        }
        if names[0] == names[1] {
            names[1] += " (2)";
        }
        Ok((names, sides))
    }
}

/// A game as the two sides, in the order they connected, see it.
struct GameReport {
    points: [u32; 2],
    replaced: [ReplacedCount; 2],
    /// Why a program was not there any more in the end.
    gone: [Option<String>; 2],
    /// Which side won.
    winner: Option<usize>,
    moves: String,
    black: usize,
}

impl GameReport {
    fn new(record: &CourseRecord, number: usize) -> Self {
        let black = number % 2;
        fn by_side<T: Copy>(black: usize, seats: [T; 2]) -> [T; 2] {
            [seats[black], seats[1 - black]]
        }
        let replaced = [Seat::FIRST, Seat::SECOND].map(|seat| record.replaced(seat));
        let moves: Vec<String> = record.moves.iter().map(|played| played.column.to_string()).collect();
        GameReport {
            points: by_side(black, record.end.score()),
            replaced: by_side(black, replaced),
            gone: [None, None],
            winner: record.winner().map(|seat| (seat.index() + black) % 2),
            moves: moves.join(" "),
            black,
        }
    }

    /// The tournament's points: 2 for a win, 1 for a draw.
    fn worth(&self) -> [u32; 2] {
        match self.winner {
            Some(0) => [2, 0],
            Some(_) => [0, 2],
            None => [1, 1],
        }
    }

    fn as_line(&self, names: &[String], number: usize) -> String {
        let [a, b] = self.points;
        let won = self
            .winner
            .map_or("a draw".into(), |side| format!("{} wins", names[side]));
        let mut text = format!("game {}: {a}:{b}, {} black, {won}", number + 1, names[self.black]);
        for (name, replaced) in names.iter().zip(&self.replaced) {
            let ReplacedCount { late, illegal, died } = replaced;
            if late + illegal + died > 0 {
                text += &format!(", moves of {name} replaced: {late} late, {illegal} illegal, {died} died");
            }
        }
        for (name, why) in names.iter().zip(&self.gone) {
            if let Some(why) = why {
                text += &format!(", {name}: {why}");
            }
        }
        text + &format!("\n  {}\n", self.moves)
    }
}

fn totals(games: &[GameReport]) -> [u32; 2] {
    [0, 1].map(|side| games.iter().map(|game| game.worth()[side]).sum())
}

/// By how many points each side is ahead in all games: the course's tie-break.
fn difference(games: &[GameReport]) -> i64 {
    let ahead = |game: &GameReport| i64::from(game.points[0]) - i64::from(game.points[1]);
    games.iter().map(ahead).sum()
}

fn as_json(names: &[String], games: &[GameReport]) -> Value {
    let replaced =
        |replaced: &ReplacedCount| json!({"late": replaced.late, "illegal": replaced.illegal, "died": replaced.died});
    let list: Vec<Value> = games
        .iter()
        .map(|game| {
            json!({
                "black": names[game.black],
                "points": game.points,
                "winner": game.winner.map(|side| &names[side]),
                "replaced": game.replaced.iter().map(replaced).collect::<Vec<_>>(),
                "gone": game.gone,
                "moves": game.moves,
            })
        })
        .collect();
    let ahead = difference(games);
    json!({"sides": names, "tournament_points": totals(games), "difference": [ahead, -ahead], "games": list})
}

fn totals_as_text(names: &[String], games: &[GameReport]) -> String {
    let [a, b] = totals(games);
    let ahead = difference(games);
    format!(
        "{} against {}: tournament points {a}:{b}, points {ahead:+}\n",
        names[0], names[1]
    )
}

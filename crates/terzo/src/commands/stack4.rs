//! `terzo stack4 join` and `terzo stack4 host`

use crate::output;
use clap::Subcommand;
use game::{Seat, mix};
use link::course::{Fault, Host, JoinOptions, PORT, Program, Record, Side, join, referee};
use players::{Clock, Player, Recipe, recipe};
use serde_json::{Value, json};
use stack4::Position;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Stack4 {
    #[command(subcommand)]
    command: Conversation,
}

#[derive(Subcommand)]
enum Conversation {
    /// Play for us on a server that speaks the course's protocol
    Join(Join),
    /// Referee programs written for the course, against each other or against one of our players
    Host(HostGames),
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  terzo stack4 join --host 127.0.0.1 --port 8888 --team 7 --player strong:time=4s")]
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
    after_help = "Waits for two programs, or with --player for one, and plays games with the colours swapped each time; the first\nto connect, or our player, is black in the first. A late or illegal move is replaced by the first legal column, and so is\nevery move of a program that has left.\n\nExamples:\n  terzo stack4 host\n  terzo stack4 host --port 9000 --player run3:defend=20 --games 4 --json"
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
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Stack4 {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Conversation::Join(command) => command.run(),
            Conversation::Host(command) => command.run(),
        }
    }
}

impl Join {
    fn run(self) -> anyhow::Result<()> {
        let mut ours = Ours::new(&recipe(&self.player)?, None, self.seed);
        let options = JoinOptions {
            team: self.team,
            patience: Duration::from_secs(self.patience.into()),
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
        output::print(&format!(
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
}

impl Ours {
    fn new(recipe: &Recipe<Position>, time: Option<Duration>, seed: u64) -> Self {
        Ours {
            player: recipe.make(),
            time,
            seed,
            games: 0,
        }
    }
}

impl Side for Ours {
    fn ask(&mut self, position: &Position) -> Result<stack4::Column, Fault> {
        if position.moves() < 2 {
            self.games += 1;
            self.player.begin(mix(self.seed, &[self.games]));
        }
        let clock = Clock {
            time: self.time,
            ..Clock::started_at(Instant::now())
        };
        let thought = self.player.choose(position, &clock).map_err(|_| Fault::Gone)?;
        match self.time {
            Some(time) if clock.elapsed() > time => Err(Fault::Late),
            _ => Ok(thought.mv),
        }
    }
}

impl HostGames {
    fn run(self) -> anyhow::Result<()> {
        let time = Duration::from_millis(self.time.into());
        let patience = Duration::from_secs(self.patience.into());
        let ours = self.player.as_deref().map(recipe::<Position>).transpose()?;
        let host = Host::bind_to(SocketAddr::new(self.address, self.port))?;
        say(&format!("waiting for programs on {}", host.address()?));
        let mut names = Vec::new();
        let mut sides: Vec<Box<dyn Side>> = Vec::new();
        if let Some(recipe) = &ours {
            names.push(recipe.spec.to_string());
            // A little of the time is for the way there and back, as it is for the programs.
            sides.push(Box::new(Ours::new(recipe, Some(time.mul_f64(0.95)), self.seed)));
        }
        while sides.len() < 2 {
            let program: Program = host.accept(patience, time)?;
            names.push(format!("team {}", program.team()));
            say(&format!("team {} has connected", program.team()));
            sides.push(Box::new(program));
        }
        let mut records: Vec<Record> = Vec::new();
        for number in 0..self.games {
            let (first, second) = sides.split_at_mut(1);
            let record = match number % 2 {
                0 => referee(first[0].as_mut(), second[0].as_mut()),
                _ => referee(second[0].as_mut(), first[0].as_mut()),
            };
            records.push(record);
        }
        if let Some(last) = records.last() {
            sides.iter_mut().for_each(|side| side.stop(&last.end));
        }
        let games: Vec<Game> = records
            .iter()
            .enumerate()
            .map(|(i, record)| Game::new(record, i))
            .collect();
        match self.json {
            true => output::print_json(&as_json(&names, &games)),
            false => output::print(&as_text(&names, &games)),
        }
    }
}

/// Says something beside the output; that nobody may be listening is no reason to stop a game.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "terzo: {text}");
}

/// A game as the two sides, in the order they connected, see it.
struct Game {
    points: [u32; 2],
    replaced: [usize; 2],
    moves: String,
    black: usize,
}

impl Game {
    fn new(record: &Record, number: usize) -> Self {
        let black = number % 2;
        let by_side = |black_first: [usize; 2]| [black_first[black], black_first[1 - black]];
        let score = record.end.score().map(|points| points as usize);
        let replaced = [Seat::FIRST, Seat::SECOND].map(|seat| record.replaced(seat));
        let moves: Vec<String> = record.moves.iter().map(|played| played.column.to_string()).collect();
        Game {
            points: by_side(score).map(|points| points as u32),
            replaced: by_side(replaced),
            moves: moves.join(" "),
            black,
        }
    }

    /// The tournament's points: 2 for a win, 1 for a draw.
    fn worth(&self) -> [u32; 2] {
        match self.points[0].cmp(&self.points[1]) {
            std::cmp::Ordering::Greater => [2, 0],
            std::cmp::Ordering::Equal => [1, 1],
            std::cmp::Ordering::Less => [0, 2],
        }
    }
}

fn totals(games: &[Game]) -> [u32; 2] {
    [0, 1].map(|side| games.iter().map(|game| game.worth()[side]).sum())
}

fn as_json(names: &[String], games: &[Game]) -> Value {
    let list: Vec<Value> = games
        .iter()
        .map(|game| {
            json!({
                "black": names[game.black],
                "points": game.points,
                "replaced": game.replaced,
                "moves": game.moves,
            })
        })
        .collect();
    json!({"sides": names, "tournament_points": totals(games), "games": list})
}

fn as_text(names: &[String], games: &[Game]) -> String {
    let mut text = format!("{} against {}\n", names[0], names[1]);
    for (number, game) in games.iter().enumerate() {
        let [a, b] = game.points;
        text += &format!("game {}: {a}:{b}, {} black", number + 1, names[game.black]);
        for (name, replaced) in names.iter().zip(game.replaced).filter(|(_, replaced)| *replaced > 0) {
            text += &format!(", {replaced} moves of {name} replaced");
        }
        text += &format!("\n  {}\n", game.moves);
    }
    let [a, b] = totals(games);
    text + &format!("tournament points {a}:{b}\n")
}

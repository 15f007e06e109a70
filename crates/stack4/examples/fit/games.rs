//! Games that the strong player plays against itself, with what its search expected at every move, as lines of text.

use game::{Game, Seat, below, mix, rng};
use stack4::strong::{Limits, SearchParameters, Strong, Weights};
use stack4::{Column, Position};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A game: its moves, and before each of them the margin that the search expects for Black at the end.
pub struct Game4 {
    pub moves: Vec<(Column, f64)>,
}

/// How games are played.
pub struct Playing {
    pub games: u64,
    pub nodes: u64,
    pub seed: u64,
    pub jobs: usize,
    /// No game begins after this.
    pub time: Option<Duration>,
    pub weights: &'static Weights,
}

impl Playing {
    /// Plays the games side by side and tells each as it ends.
    pub fn play(&self, ended: &(dyn Fn(Game4) + Sync)) {
        let start = Instant::now();
        let next = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    while self.time.is_none_or(|time| start.elapsed() < time) {
                        let game = next.fetch_add(1, Relaxed);
                        if game >= self.games {
                            break;
                        }
                        ended(self.one(game));
                    }
                });
            }
        });
    }

    /// A game starts with up to nine random moves, and every twentieth move is random.
    fn one(&self, game: u64) -> Game4 {
        let mut chance = rng(mix(self.seed, &[game]));
        let mut strong = Strong::tuned(1, 1, SearchParameters::default(), self.weights);
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        };
        let mut position = Position::new();
        let random = below(&mut chance, 10);
        let mut moves = Vec::new();
        while let Some(found) = strong.search(&position, &limits) {
            let sign = if position.mover() == Seat::FIRST { 1.0 } else { -1.0 };
            let column = if position.moves() < random || below(&mut chance, 20) == 0 {
                position.random_column(&mut chance)
            } else {
                found.best
            };
            moves.push((column, sign * found.value.unwrap_or(0.0)));
            position.drop_stone(column);
        }
        Game4 { moves }
    }
}

impl Game4 {
    /// One line: column:tenths of a point for every move.
    pub fn print(&self) -> String {
        self.moves.iter().fold(String::new(), |mut line, (column, value)| {
            let space = if line.is_empty() { "" } else { " " };
            write!(line, "{space}{column}:{:.0}", 10.0 * value).unwrap_or_default();
            line
        })
    }

    pub fn parse(line: &str) -> Result<Game4, String> {
        let mut position = Position::new();
        let mut moves = Vec::new();
        for word in line.split(' ') {
            let wrong = || format!("`{word}`: expected COLUMN:TENTHS");
            let (column, tenths) = word.split_once(':').ok_or_else(wrong)?;
            let column: Column = column.parse().map_err(|_| wrong())?;
            let tenths: f64 = tenths.parse().map_err(|_| wrong())?;
            position.play(column).map_err(|error| error.to_string())?;
            moves.push((column, tenths / 10.0));
        }
        Ok(Game4 { moves })
    }

    /// Every position with what was expected there, and at last the final one.
    pub fn positions(&self) -> (Vec<(Position, f64)>, Position) {
        let mut position = Position::new();
        let mut list = Vec::with_capacity(self.moves.len());
        for &(column, value) in &self.moves {
            list.push((position, value));
            position.drop_stone(column);
        }
        (list, position)
    }
}

/// Reads a file of games.
pub fn read(path: &str) -> Result<Vec<Game4>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let lines = text.lines().enumerate();
    lines
        .map(|(i, line)| Game4::parse(line).map_err(|why| format!("{path}, line {}: {why}", i + 1)))
        .collect()
}

/// Plays games into a file; returns how many.
pub fn write(playing: &Playing, path: &str) -> Result<u64, String> {
    let wrong = |error: std::io::Error| format!("{path}: {error}");
    let file = Mutex::new((
        std::io::BufWriter::new(std::fs::File::create(path).map_err(wrong)?),
        0u64,
        Ok(()),
    ));
    playing.play(&|game| {
        use std::io::Write as _;
        let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.1 += 1;
        let written = writeln!(file.0, "{}", game.print());
        if file.2.is_ok() {
            file.2 = written;
        }
    });
    let (mut writer, count, written) = file.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    written
        .and_then(|()| std::io::Write::flush(&mut writer))
        .map_err(wrong)?;
    Ok(count)
}

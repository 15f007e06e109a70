//! An engine as a player.

use super::Command;
use super::process::{Process, Silence};
use game::{Game, Stop};
use players::{Clock, Player, PlayerError, Thought};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long the referee waits where a clock gives no limit at all.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a dying process may take to say how it died.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How often we look up while an engine thinks.
const LOOK_UP: Duration = Duration::from_millis(20);

/// How long an engine may take to answer `stop`.
const TO_STOP: Duration = Duration::from_millis(100);

/// A program that speaks UGI. Started when a game begins, ended when it misbehaves, started again for the next game.
pub struct Engine {
    command: Command,
    process: Option<Process>,
    /// Why there is no process: what `choose` will say.
    trouble: Option<PlayerError>,
    takes_seed: bool,
    muttered: String,
    line: String,
    /// Raised when nobody wants to hear of the engine any more.
    stop: Stop,
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Whoever has raised the sign waits for us: there is no time for a goodbye.
        if let Some(process) = self.process.as_mut().filter(|_| self.stop.is_raised()) {
            process.kill();
        }
    }
}

impl Engine {
    /// An engine that will be started with `command`.
    pub fn new(command: Command) -> Self {
        Engine {
            command,
            process: None,
            trouble: None,
            takes_seed: false,
            muttered: String::new(),
            line: String::new(),
            stop: Stop::never(),
        }
    }

    fn start(&mut self) -> Result<(), PlayerError> {
        let deadline = Instant::now() + self.command.start;
        let process = Process::start(&self.command)
            .map_err(|error| PlayerError::Crash(format!("cannot start `{}`: {error}", self.command.program)))?;
        self.process = Some(process);
        self.takes_seed = false;
        let mut takes_seed = false;
        self.send("ugi\n", deadline)?;
        self.find(deadline, "ugiok", |line| {
            takes_seed |= line.to_ascii_lowercase().starts_with("option name seed ");
            (line == "ugiok").then_some(())
        })?;
        self.takes_seed = takes_seed;
        let mut options = String::new();
        for (name, value) in &self.command.options {
            let _ = writeln!(options, "setoption name {name} value {value}");
        }
        self.send(&options, deadline)
    }

    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if self.process.is_none() {
            self.start()?;
        }
        let deadline = Instant::now() + self.command.start;
        let seed = match self.takes_seed {
            true => format!("setoption name Seed value {}\n", seed & 0x7fff_ffff_ffff_ffff),
            false => String::new(),
        };
        self.send(&format!("{seed}uginewgame\nisready\n"), deadline)?;
        self.find(deadline, "readyok", |line| (line == "readyok").then_some(()))
    }

    fn send(&mut self, text: &str, deadline: Instant) -> Result<(), PlayerError> {
        let process = self.process.as_mut().ok_or_else(nobody)?;
        let sent = process.send(text, deadline);
        sent.map_err(|silence| self.explain(silence, "the end of our message", false))
    }

    /// Waits for a line of the conversation before the clock runs.
    fn find<T>(
        &mut self,
        deadline: Instant,
        what: &str,
        read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, PlayerError> {
        let stop = self.stop.clone();
        let process = self.process.as_mut().ok_or_else(nobody)?;
        let found = listen(process, deadline, &stop, read);
        found.map_err(|silence| self.explain(silence, what, false))
    }

    /// What the engine's silence means. It is ended in any case.
    fn explain(&mut self, silence: Silence, what: &str, clock: bool) -> PlayerError {
        let Some(mut process) = self.process.take() else {
            return nobody();
        };
        let error = match silence {
            Silence::Late if clock => PlayerError::Timeout(format!("waited in vain for {what}")),
            Silence::Late => PlayerError::Stall(format!("waited in vain for {what}")),
            Silence::Broken(error) => PlayerError::Disconnect(error.to_string()),
            Silence::Ended => match process.ended(LAST_WORDS) {
                Some(status) if status.success() => PlayerError::Disconnect(format!("left while we waited for {what}")),
                Some(status) => PlayerError::Crash(status.to_string()),
                None => PlayerError::Disconnect(format!("closed its output while we waited for {what}")),
            },
        };
        process.kill();
        self.muttered += &process.mutterings();
        error
    }
}

/// The next line for which `read` has an answer. Silence is taken to be late when the sign is raised.
fn listen<T>(
    process: &mut Process,
    deadline: Instant,
    stop: &Stop,
    mut read: impl FnMut(&str) -> Option<T>,
) -> Result<T, Silence> {
    loop {
        let soon = Instant::now() + LOOK_UP;
        match process.find(deadline.min(soon), &mut read) {
            Err(Silence::Late) if soon < deadline && !stop.is_raised() => {}
            other => return other,
        }
    }
}

fn nobody() -> PlayerError {
    PlayerError::Crash("the engine is not running".into())
}

impl<G: Game> Player<G> for Engine {
    fn begin(&mut self, seed: u64) {
        // An engine that died between two games is found out here, and deserves a second start.
        let survived = self.process.is_some();
        self.trouble = self.new_game(seed).err();
        if survived && matches!(self.trouble, Some(PlayerError::Crash(_) | PlayerError::Disconnect(_))) {
            self.trouble = self.new_game(seed).err();
        }
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Thought<G::Move>, PlayerError> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let deadline = clock.started + clock.patience.unwrap_or(PATIENCE);
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        write_request(&mut line, position, clock);
        let sent = self.send(&line, deadline);
        self.line = line;
        sent.inspect_err(|error| self.trouble = Some(error.clone()))?;
        let Some(process) = &mut self.process else {
            return Err(nobody());
        };
        let mut info = String::new();
        let mut read = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("bestmove") => Some(words.next().unwrap_or("").to_owned()),
                Some("info") => {
                    info.clear();
                    info.push_str(line);
                    None
                }
                _ => None,
            }
        };
        let mut answer = listen(process, deadline, &clock.stop, &mut read);
        if matches!(answer, Err(Silence::Late)) && clock.stop.is_raised() {
            let soon = Instant::now() + TO_STOP;
            answer = process
                .send("stop\n", soon)
                .and_then(|()| process.find(soon, &mut read));
        }
        let timed = clock.time.is_some() || clock.bank.is_some();
        let said = answer.map_err(|silence| {
            let error = self.explain(silence, "bestmove", timed);
            self.trouble = Some(error.clone());
            error
        })?;
        let mv = position.parse_move(&said).map_err(|error| PlayerError::NotAMove {
            why: error.to_string(),
            said,
        })?;
        Ok(with_info(position, mv, &info))
    }

    fn heed(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    fn mutterings(&mut self) -> String {
        let mut all = std::mem::take(&mut self.muttered);
        if let Some(process) = &mut self.process {
            all += &process.mutterings();
        }
        all
    }
}

fn write_request<G: Game>(line: &mut String, position: &G, clock: &Clock) {
    if *position == position.start() {
        line.push_str("position startpos\ngo");
    } else {
        let _ = write!(line, "position fen {}\ngo", position.print());
    }
    let ms = |time: Duration| time.as_millis();
    let _ = match (clock.bank, clock.time) {
        (Some(bank), _) => {
            let ([p1, p2], inc) = (bank.left.map(ms), ms(bank.increment));
            write!(line, " p1time {p1} p2time {p2} p1inc {inc} p2inc {inc}")
        }
        (None, Some(time)) => write!(line, " movetime {}", ms(time)),
        (None, None) => Ok(()),
    };
    if let Some(nodes) = clock.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = clock.depth {
        let _ = write!(line, " depth {depth}");
    }
    line.push('\n');
}

/// A move with what the last `info` line said: `depth 3 score cp 12 nodes 100 pv a1.c …`.
pub fn with_info<G: Game>(position: &G, mv: G::Move, info: &str) -> Thought<G::Move> {
    let mut thought = Thought::silent(mv);
    let mut words = info.split_ascii_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        match word {
            "depth" => thought.depth = words.next().and_then(|text| text.parse().ok()),
            "nodes" => thought.nodes = words.next().and_then(|text| text.parse().ok()),
            "score" => {
                words.next_if(|&unit| unit == "cp");
                let value: Option<f64> = words.next().and_then(|text| text.parse().ok());
                thought.value = value.filter(|value| value.is_finite());
            }
            "pv" => {
                // A line is believed as far as it is legal; if there are several, the last one.
                thought.line.clear();
                let mut ahead = position.clone();
                for text in words.by_ref() {
                    match ahead.parse_move(text) {
                        Ok(mv) if ahead.play(mv).is_ok() => thought.line.push(mv),
                        _ => break,
                    }
                }
            }
            "string" => break,
            _ => (),
        }
    }
    thought
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::Bank;
    use quarto::{Position, Rules};

    #[test]
    fn a_request_names_the_position_and_the_limits() {
        let start = Position::new(Rules::standard());
        let later = start.parse("0.../..../...f/.... 5").unwrap();
        let mut clock = Clock::unlimited();
        let request = |position: &Position, clock: &Clock| {
            let mut line = String::new();
            write_request(&mut line, position, clock);
            line
        };
        assert_eq!(request(&start, &clock), "position startpos\ngo\n");
        clock.time = Some(Duration::from_millis(250));
        assert_eq!(
            request(&later, &clock),
            "position fen 0.../..../...f/.... 5\ngo movetime 250\n"
        );
        clock.bank = Some(Bank {
            left: [Duration::from_secs(3), Duration::from_secs(4)],
            increment: Duration::from_millis(100),
        });
        assert!(request(&start, &clock).ends_with("go p1time 3000 p2time 4000 p1inc 100 p2inc 100\n"));
        let clock = Clock {
            nodes: Some(7),
            depth: Some(2),
            ..Clock::unlimited()
        };
        assert!(request(&start, &clock).ends_with("go nodes 7 depth 2\n"));
    }

    #[test]
    fn an_info_line_is_read_as_far_as_it_makes_sense() {
        let position = Position::new(Rules::standard()).parse("0.../..../...f/.... 5").unwrap();
        let mv = position.parse_move("b1.1").unwrap();
        let read = |info| with_info(&position, mv, info);
        let full = read("info depth 3 score cp -12 nodes 100 pv b1.1 b2.2 b2.3");
        assert_eq!((full.depth, full.value, full.nodes), (Some(3), Some(-12.0), Some(100)));
        assert_eq!(full.line.len(), 2);
        assert_eq!(read("info pv b1.1 x pv b1.1 b2.2").line, full.line);
        assert_eq!(read("info score NaN depth x nodes"), Thought::silent(mv));
        assert_eq!(read("info string depth 9"), Thought::silent(mv));
    }
}

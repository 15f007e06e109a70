//! An engine as a player.

use super::EngineCommand;
use super::death::death;
use super::notation::Notation;
use super::process::{Process, Silence};
use game::{Game, Seat, Stop};
use player::{Analysis, Clock, ConversationLine, Player, PlayerError, Score};
use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long the referee waits where a clock gives no limit at all.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long an engine is asked to think where nobody has said anything.
const BY_DEFAULT: Duration = Duration::from_secs(1);

/// How often we look up while an engine thinks.
const LOOK_UP: Duration = Duration::from_millis(20);

/// How long an engine may take to answer `stop`.
const TO_STOP: Duration = Duration::from_millis(100);

/// A program that speaks UGI. Started when a game begins, ended when it misbehaves, started again for the next game.
pub struct Engine<G: Game> {
    command: EngineCommand,
    pub(super) process: Option<Process>,
    /// Why there is no process: what `choose` will say.
    trouble: Option<PlayerError>,
    takes_seed: bool,
    stderr_log: String,
    /// Whether the conversation is kept, and what was kept of processes that are no more.
    kept: Option<Vec<ConversationLine>>,
    line: String,
    /// How the game came to where it is, as far as we were told.
    history: Option<MoveHistory<G>>,
    /// Moves that it has said already, and where.
    rest: VecDeque<(G, G::Move)>,
    /// The processor time of the process that was told already.
    processor_told: Duration,
    /// The same of processes that are no more, and not yet told.
    processor_lost: Option<Duration>,
    /// Raised when nobody wants to hear of the engine any more.
    stop: Stop,
}

impl<G: Game> Drop for Engine<G> {
    fn drop(&mut self) {
        // Whoever has raised the sign waits for us: there is no time for a goodbye.
        if let Some(process) = self.process.as_mut().filter(|_| self.stop.is_raised()) {
            process.kill();
        }
    }
}

impl<G: Game> Engine<G> {
    /// An engine that will be started with `command`.
    pub fn new(command: EngineCommand) -> Self {
        Engine {
            command,
            process: None,
            trouble: None,
            takes_seed: false,
            stderr_log: String::new(),
            kept: None,
            line: String::new(),
            history: None,
            rest: VecDeque::new(),
            processor_told: Duration::ZERO,
            processor_lost: None,
            stop: Stop::never(),
        }
    }

    fn start(&mut self) -> Result<(), PlayerError> {
        let deadline = Instant::now() + self.command.start;
        let mut process = Process::start(&self.command)
            .map_err(|error| PlayerError::Crash(format!("cannot start `{}`: {error}", self.command.program)))?;
        if self.kept.is_some() {
            process.keep_conversation();
        }
        self.process = Some(process);
        self.processor_told = Duration::ZERO;
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
        if let Some(process) = &mut self.process {
            process.mark();
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
            Silence::Late => {
                let hint = match process.hint() {
                    hint if hint.is_empty() => hint,
                    hint => format!("; {hint}"),
                };
                let waited = format!("waited in vain for {what}{hint}");
                match clock {
                    true => PlayerError::Timeout(waited),
                    false => PlayerError::Stall(waited),
                }
            }
            Silence::Broken(error) => PlayerError::Disconnect(error.to_string()),
            Silence::Ended => match process.last_words(|| self.stop.is_raised()) {
                Some(status) if status.success() => PlayerError::Disconnect(format!("left while we waited for {what}")),
                Some(status) => death(&self.command.limits, process.exceeded(), status),
                None => PlayerError::Disconnect(format!("closed its output while we waited for {what}")),
            },
        };
        if let Some(taken) = process.processor_time() {
            *self.processor_lost.get_or_insert_default() += taken.saturating_sub(self.processor_told);
        }
        process.kill();
        self.stderr_log += &process.stderr_log();
        if let Some(kept) = &mut self.kept {
            kept.extend(process.conversation());
        }
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

impl<G: Game> Player<G> for Engine<G> {
    fn begin(&mut self, seed: u64) {
        self.history = None;
        self.rest.clear();
        // An engine that died between two games is found out here, and deserves a second start.
        let survived = self.process.is_some();
        self.trouble = self.new_game(seed).err();
        if survived && matches!(self.trouble, Some(PlayerError::Crash(_) | PlayerError::Disconnect(_))) {
            self.trouble = self.new_game(seed).err();
        }
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Analysis<G::Move>, PlayerError> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        // The rest of what it has said already: several jumps in one word.
        if let Some((at, mv)) = self.rest.pop_front()
            && at == *position
        {
            return Ok(Analysis::of_move(mv));
        }
        self.rest.clear();
        let asked = self.ask(position, clock);
        let (said, info) = asked.inspect_err(|error| self.trouble = Some(error.clone()))?;
        let notation = self.history_at(position).notation;
        let moves = notation.read_moves(position, &said);
        let moves = moves.map_err(|error| PlayerError::NotAMove {
            why: error.to_string(),
            said,
        })?;
        let mut at = position.clone();
        for (mv, next) in moves.iter().zip(moves.iter().skip(1)) {
            at.play_unchecked(*mv);
            self.rest.push_back((at.clone(), *next));
        }
        match moves.first() {
            Some(&mv) => Ok(with_info_in(notation, position, mv, &info)),
            None => Err(PlayerError::Finished),
        }
    }

    fn follows(&self) -> bool {
        true
    }

    fn moved(&mut self, position: &G, mv: G::Move) {
        self.history_at(position).add(mv);
    }

    fn heed(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    fn stderr_log(&mut self) -> String {
        let mut all = std::mem::take(&mut self.stderr_log);
        if let Some(process) = &mut self.process {
            all += &process.stderr_log();
        }
        all
    }

    fn processor_time(&mut self) -> Option<Duration> {
        let lost = self.processor_lost.take();
        let Some(taken) = self.process.as_mut().and_then(Process::processor_time) else {
            return lost;
        };
        let new = taken.saturating_sub(self.processor_told);
        self.processor_told = taken;
        Some(new + lost.unwrap_or_default())
    }

    fn keep_conversation(&mut self) {
        self.kept.get_or_insert_default();
        if let Some(process) = &mut self.process {
            process.keep_conversation();
        }
    }

    fn conversation(&mut self) -> Vec<ConversationLine> {
        let mut all = self.kept.as_mut().map(std::mem::take).unwrap_or_default();
        if let Some(process) = &mut self.process {
            // What was written to standard error since then belongs to it.
            process.read_stderr();
            all.extend(process.conversation());
        }
        all
    }
}

impl<G: Game> Engine<G> {
    /// The way to a position: the moves that were told, if they lead there.
    fn history_at(&mut self, position: &G) -> &mut MoveHistory<G> {
        let history = self.history.take().filter(|history| history.now == *position);
        self.history
            .insert(history.unwrap_or_else(|| MoveHistory::new(position)))
    }

    /// Tells the engine the position, waits until it has taken it in, and asks for a move: what it answers, and the last it
    /// said of its search.
    fn ask(&mut self, position: &G, clock: &Clock) -> Result<(String, String), PlayerError> {
        let deadline = clock.started + clock.patience.unwrap_or(PATIENCE);
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        self.history_at(position).write(&mut line);
        line.push_str("isready\n");
        self.send(&line, deadline)?;
        self.find(deadline, "readyok", |line| (line == "readyok").then_some(()))?;
        line.clear();
        write_go(&mut line, clock);
        self.send(&line, deadline)?;
        self.line = line;
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
        let hurry = hurry(clock).min(deadline);
        let mut answer = listen(process, hurry, &clock.stop, &mut read);
        if matches!(answer, Err(Silence::Late)) {
            // Perhaps it only waits for this: not every engine keeps every kind of clock.
            let last = match clock.stop.is_raised() {
                true => Instant::now() + TO_STOP,
                false => deadline,
            };
            answer = process
                .send("stop\n", last)
                .and_then(|()| listen(process, last, &self.stop, &mut read));
        }
        let timed = clock.time.is_some() || clock.bank.is_some();
        let said = answer.map_err(|silence| self.explain(silence, "bestmove", timed))?;
        Ok((said, info))
    }
}

/// When an engine is told to stop: its time is over, and half of what it may be late is left; without a clock, nine tenths of
/// the referee's patience.
fn hurry(clock: &Clock) -> Instant {
    let patience = clock.patience.unwrap_or(PATIENCE);
    let time = match (clock.bank, clock.time) {
        // The bank of whoever is asked is what the referee waits for, but for the margin.
        (Some(bank), _) => bank.left.into_iter().filter(|left| *left <= patience).max(),
        (None, time) => time,
    };
    let after = match time {
        Some(time) => time + patience.saturating_sub(time) / 2,
        None => patience * 9 / 10,
    };
    clock.started + after
}

/// How a game came to where it is, for an engine that is told so.
struct MoveHistory<G> {
    /// Where it began.
    start: String,
    notation: Notation,
    words: Vec<String>,
    last: Option<Seat>,
    now: G,
}

impl<G: Game> MoveHistory<G> {
    fn new(start: &G) -> Self {
        MoveHistory {
            start: match *start == start.start() {
                true => "startpos".into(),
                false => format!("fen {}", start.print()),
            },
            notation: Notation::of(start),
            words: Vec::new(),
            last: None,
            now: start.clone(),
        }
    }

    fn add(&mut self, mv: G::Move) {
        let word = self.notation.write_move(&self.now, mv);
        let mover = self.now.mover();
        self.notation.add(&mut self.words, word, self.last == Some(mover));
        self.last = Some(mover);
        self.now.play_unchecked(mv);
    }

    fn write(&self, line: &mut String) {
        let _ = write!(line, "position {}", self.start);
        for (number, word) in self.words.iter().enumerate() {
            let _ = write!(line, "{} {word}", if number == 0 { " moves" } else { "" });
        }
        line.push('\n');
    }
}

/// Never a bare `go`: most engines take that for an endless search.
fn write_go(line: &mut String, clock: &Clock) {
    let ms = |time: Duration| time.as_millis();
    line.push_str("go");
    let limited = clock.nodes.is_some() || clock.depth.is_some();
    let _ = match (clock.bank, clock.time) {
        (Some(bank), _) => {
            let ([p1, p2], [inc1, inc2]) = (bank.left.map(ms), bank.increment.map(ms));
            let to_go = bank
                .moves_to_go
                .map_or(String::new(), |moves| format!(" movestogo {moves}"));
            write!(line, " p1time {p1} p2time {p2} p1inc {inc1} p2inc {inc2}{to_go}")
        }
        (None, Some(time)) => write!(line, " movetime {}", ms(time)),
        (None, None) if clock.infinite => write!(line, " infinite"),
        (None, None) if !limited => write!(line, " movetime {}", ms(BY_DEFAULT)),
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
pub fn with_info<G: Game>(position: &G, mv: G::Move, info: &str) -> Analysis<G::Move> {
    with_info_in(Notation::of(position), position, mv, info)
}

fn with_info_in<G: Game>(notation: Notation, position: &G, mv: G::Move, info: &str) -> Analysis<G::Move> {
    let mut analysis = Analysis::of_move(mv);
    let mut words = info.split_ascii_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        match word {
            "depth" => analysis.depth = words.next().and_then(|text| text.parse().ok()),
            "nodes" => analysis.nodes = words.next().and_then(|text| text.parse().ok()),
            "time" => {
                let ms = words.next().and_then(|text| text.parse().ok());
                analysis.time = Duration::from_millis(ms.unwrap_or(0));
            }
            "score" => {
                let mates = words.next_if(|&unit| unit == "mate").is_some();
                words.next_if(|&unit| unit == "cp");
                let value: Option<f64> = words.next().and_then(|text| text.parse().ok());
                let value = value.filter(|value| value.is_finite());
                analysis.score = value.map(|value| match mates {
                    true => Score::Mate(value as i32),
                    false => Score::Cp(value as i32),
                });
                // A mate is no value on the scale of the others.
                analysis.value = value.filter(|_| !mates);
            }
            "pv" => {
                // A line is believed as far as it is legal; if there are several, the last one.
                analysis.pv.clear();
                let mut ahead = position.clone();
                for text in words.by_ref() {
                    let moves = notation.read_moves(&ahead, text).unwrap_or_default();
                    let played = moves.iter().take_while(|mv| ahead.play(**mv).is_ok()).count();
                    analysis.pv.extend_from_slice(&moves[..played]);
                    if played == 0 || played < moves.len() {
                        break;
                    }
                }
            }
            "string" => break,
            _ => (),
        }
    }
    analysis
}

#[cfg(test)]
mod tests {
    use super::*;
    use player::Bank;
    use quarto::{Position, Rules};

    #[test]
    fn a_game_is_told_from_its_start_and_other_positions_as_they_stand() {
        let start = Position::new(Rules::standard());
        let told = |history: &MoveHistory<Position>| {
            let mut line = String::new();
            history.write(&mut line);
            line
        };
        let mut history = MoveHistory::new(&start);
        assert_eq!(told(&history), "position startpos\n");
        for turn in ["-.3", "a1.4"] {
            let turn = history.now.parse_move(turn).unwrap();
            history.add(turn);
        }
        assert_eq!(told(&history), "position startpos moves -.3 a1.4\n");
        let mut later = MoveHistory::new(&start.parse("0.../..../...f/.... 5").unwrap());
        assert_eq!(told(&later), "position fen 0.../..../...f/.... 5\n");
        later.add(later.now.parse_move("b1.1").unwrap());
        assert_eq!(told(&later), "position fen 0.../..../...f/.... 5 moves b1.1\n");
    }

    #[test]
    fn every_go_has_a_limit() {
        let go = |clock: Clock| {
            let mut line = String::new();
            write_go(&mut line, &clock);
            line
        };
        let free = Clock::unlimited();
        assert_eq!(go(free.clone()), "go movetime 1000\n");
        let time = Some(Duration::from_millis(250));
        assert_eq!(go(Clock { time, ..free.clone() }), "go movetime 250\n");
        let bank = Some(Bank {
            left: [Duration::from_secs(3), Duration::from_secs(4)],
            increment: [Duration::from_millis(100), Duration::ZERO],
            moves_to_go: Some(7),
        });
        let game = go(Clock {
            bank,
            time,
            ..free.clone()
        });
        assert_eq!(game, "go p1time 3000 p2time 4000 p1inc 100 p2inc 0 movestogo 7\n");
        let counted = go(Clock {
            nodes: Some(7),
            depth: Some(2),
            ..free.clone()
        });
        assert_eq!(counted, "go nodes 7 depth 2\n");
        assert_eq!(go(Clock { infinite: true, ..free }), "go infinite\n");
    }

    #[test]
    fn an_info_line_is_read_as_far_as_it_makes_sense() {
        let position = Position::new(Rules::standard()).parse("0.../..../...f/.... 5").unwrap();
        let mv = position.parse_move("b1.1").unwrap();
        let read = |info| with_info(&position, mv, info);
        let full = read("info depth 3 score cp -12 nodes 100 nps 8333 time 12 pv b1.1 b2.2 b2.3");
        assert_eq!((full.depth, full.value, full.nodes), (Some(3), Some(-12.0), Some(100)));
        assert_eq!(full.time, Duration::from_millis(12));
        assert_eq!(full.pv.len(), 2);
        assert_eq!(read("info pv b1.1 x pv b1.1 b2.2").pv, full.pv);
        assert_eq!(read("info score NaN depth x nodes"), Analysis::of_move(mv));
        assert_eq!(read("info string depth 9"), Analysis::of_move(mv));
    }

    #[test]
    fn a_line_is_read_in_the_words_of_others() {
        let chess = gdl::Position::of_sheet("chess").unwrap();
        let mv = chess.parse_move("(move,e,2,e,4)").unwrap();
        let analysis = with_info(&chess, mv, "info depth 2 pv e2e4 e7e5 g1f3 e8e1");
        assert_eq!((analysis.pv.len(), analysis.pv.first()), (3, Some(&mv)));
    }
}

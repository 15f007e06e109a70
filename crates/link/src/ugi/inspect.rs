//! An engine put through its paces for its author: what is wrong, where it shows, and how to mend it.
//!
//! The same conversation that a game needs, one step after another, so that the first thing that is wrong is the first that is told:
//! it starts and greets, it is ready, it plays whole games against random moves with every kind of clock and from a position, it
//! hears `stop`, it passes over lines that it does not know, it leaves when asked to.

use super::process::{Process, Silence};
use super::{Engine, EngineCommand};
use game::{Game, Stop, mix, rng};
use player::{Bank, Clock, ConversationLine, Player, PlayerError};
use std::time::{Duration, Instant};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingSeverity {
    /// As it should be.
    Passed,
    /// It plays, but somebody will be surprised.
    Warning,
    /// It loses games by this, or cannot play at all.
    Error,
}

impl FindingSeverity {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            FindingSeverity::Passed => "ok",
            FindingSeverity::Warning => "warning",
            FindingSeverity::Error => "error",
        }
    }
}

/// Something that was found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: FindingSeverity,
    /// What was looked at: `start`, `ready`, `legality`, `time`, `memory`, `stop`, `robustness`, `quit`, `stderr`.
    pub topic: &'static str,
    /// What was seen.
    pub what: String,
    /// How to mend it; empty if nothing needs to be.
    pub advice: String,
    /// The last lines that were said before it.
    pub conversation: Vec<ConversationLine>,
}

/// How thoroughly to look.
#[derive(Clone, Debug)]
pub struct InspectionSettings {
    /// How many games.
    pub games: u32,
    /// How long it may think about a move.
    pub time: Duration,
    /// How late an answer may be.
    pub margin: Duration,
    /// Raised, it ends the inspection.
    pub stop: Stop,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// In the order of looking.
    pub findings: Vec<Finding>,
    /// Games that were played to their end.
    pub games: u32,
    /// Moves that the engine made.
    pub moves: u32,
    /// The longest that it thought.
    pub slowest: Duration,
    /// The most memory it held after a game.
    pub memory: Option<u64>,
}

impl Inspection {
    /// The worst that was found.
    pub fn severity(&self) -> FindingSeverity {
        let all = self.findings.iter().map(|finding| finding.severity);
        all.max().unwrap_or(FindingSeverity::Passed)
    }
}

/// How many lines of the conversation stand beside a finding.
const SHOWN: usize = 8;

/// How long an engine may take for `stop` and for `quit`.
const AT_ONCE: Duration = Duration::from_secs(2);

/// A game longer than this is not played to its end.
const LONGEST_GAME: u32 = 1000;

/// Memory that may come and go.
const SMALL_GROWTH: u64 = 64 << 20;

/// Puts an engine through its paces.
pub fn inspect<G: Game>(start: &G, command: &EngineCommand, settings: &InspectionSettings) -> Inspection {
    let mut inspector = Inspector {
        settings,
        found: Inspection::default(),
        recent: Vec::new(),
        stderr: String::new(),
    };
    if inspector.greets(command) {
        let mut engine = Engine::new(command.clone());
        Player::<G>::heed(&mut engine, &settings.stop);
        Player::<G>::keep_conversation(&mut engine);
        if inspector.plays(start, &mut engine) {
            inspector.hears_stop(start, &mut engine);
            inspector.survives(&mut engine);
            inspector.leaves(&mut engine);
        }
        inspector.stderr += &Player::<G>::stderr_log(&mut engine);
    }
    inspector.tells_of_stderr();
    inspector.found
}

struct Inspector<'a> {
    settings: &'a InspectionSettings,
    found: Inspection,
    /// The last lines that were said.
    recent: Vec<ConversationLine>,
    stderr: String,
}

impl Inspector<'_> {
    fn note(
        &mut self,
        severity: FindingSeverity,
        topic: &'static str,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) {
        let conversation = match severity {
            FindingSeverity::Passed => Vec::new(),
            _ => self.recent.clone(),
        };
        self.found.findings.push(Finding {
            severity,
            topic,
            what: what.into(),
            advice: advice.into(),
            conversation,
        });
    }

    fn hear(&mut self, lines: Vec<ConversationLine>) {
        self.recent.extend(lines);
        let over = self.recent.len().saturating_sub(SHOWN);
        self.recent.drain(..over);
    }

    /// Starts it once for the greeting alone.
    fn greets(&mut self, command: &EngineCommand) -> bool {
        let began = Instant::now();
        let mut process = match Process::start(command) {
            Ok(process) => process,
            Err(error) => {
                let advice =
                    "is the path right, is the file executable (chmod +x), and is what its first line names installed?";
                self.note(
                    FindingSeverity::Error,
                    "start",
                    format!("`{}` cannot be started: {error}", command.program),
                    advice,
                );
                return false;
            }
        };
        process.keep_conversation();
        for (say, expect, topic) in [("ugi\n", "ugiok", "start"), ("isready\n", "readyok", "ready")] {
            let mut heard = Vec::new();
            let answer = self.wait(&mut process, say, command.start, |line| {
                heard.push(line.to_owned());
                heard.truncate(100);
                (line == expect).then_some(())
            });
            self.hear(process.conversation());
            if let Err(silence) = answer {
                self.explain(&mut process, silence, expect, topic, &heard);
                return false;
            }
        }
        let took = began.elapsed();
        self.note(
            FindingSeverity::Passed,
            "start",
            format!("starts, greets and is ready after {}", ms(took)),
            "",
        );
        self.stderr += &process.stderr_log();
        true
    }

    /// Says something and waits for the answer.
    fn wait<T>(
        &self,
        process: &mut Process,
        say: &str,
        patience: Duration,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Silence> {
        let deadline = Instant::now() + patience;
        process.send(say, deadline)?;
        loop {
            let soon = Instant::now() + Duration::from_millis(20);
            match process.find(soon.min(deadline), &mut read) {
                Err(Silence::Late) if soon < deadline && !self.settings.stop.is_raised() => (),
                other => return other,
            }
        }
    }

    fn explain(
        &mut self,
        process: &mut Process,
        silence: Silence,
        expect: &str,
        topic: &'static str,
        heard: &[String],
    ) {
        let status = match silence {
            Silence::Ended => process.ended(Duration::from_secs(1)),
            _ => None,
        };
        let hint = process.hint();
        process.kill();
        process.read_stderr();
        self.hear(process.conversation());
        self.stderr += &process.stderr_log();
        let (what, advice) = match (silence, status) {
            (Silence::Broken(error), _) => (format!("the conversation broke off: {error}"), String::new()),
            (Silence::Ended, Some(status)) => (
                format!("it ended ({status}) before it said `{expect}`"),
                "run the command by hand, type `ugi` and see what it says; a program reads lines until `quit`".into(),
            ),
            (Silence::Ended, None) => (
                format!("it closed its output before it said `{expect}`"),
                "standard output must stay open until `quit`".into(),
            ),
            (Silence::Late, _) => (format!("it never said `{expect}`"), silent_advice(expect, &hint, heard)),
        };
        self.note(FindingSeverity::Error, topic, what, advice);
    }

    /// Plays whole games. Says whether it is worth while to go on.
    fn plays<G: Game>(&mut self, start: &G, engine: &mut Engine<G>) -> bool {
        let mut memory = Vec::new();
        for number in 0..self.settings.games {
            if self.settings.stop.is_raised() {
                return false;
            }
            if let Err((topic, what, advice)) = self.game(start, engine, number) {
                self.hear(Player::<G>::conversation(engine));
                let go = self.go_in_words(number);
                self.note(
                    FindingSeverity::Error,
                    topic,
                    format!("game {} ({go}, {}): {what}", number + 1, seat_in_words(number)),
                    advice,
                );
                return false;
            }
            self.found.games += 1;
            memory.extend(engine.process.as_ref().and_then(Process::memory));
        }
        self.hear(Player::<G>::conversation(engine));
        let (games, moves, slowest) = (self.found.games, self.found.moves, self.found.slowest);
        self.note(
            FindingSeverity::Passed,
            "legality",
            format!("{moves} moves in {games} games, all legal"),
            "",
        );
        self.note(
            FindingSeverity::Passed,
            "time",
            format!("the slowest move took {} of {}", ms(slowest), ms(self.settings.time)),
            "",
        );
        self.judges_memory(&memory);
        true
    }

    fn judges_memory(&mut self, memory: &[u64]) {
        self.found.memory = memory.iter().copied().max();
        let (Some(&first), Some(&last)) = (memory.first(), memory.last()) else {
            return;
        };
        match last > first + SMALL_GROWTH && last > first + first / 2 {
            true => self.note(
                FindingSeverity::Warning,
                "memory",
                format!(
                    "it holds {} MB after the first game and {} MB after the last",
                    first >> 20,
                    last >> 20
                ),
                "forget the last game at `uginewgame`: tables and lists that only grow end in a killed program",
            ),
            false => self.note(
                FindingSeverity::Passed,
                "memory",
                format!("{} MB", last.max(first) >> 20),
                "",
            ),
        }
    }

    /// One game against random moves; what is wrong, and how to mend it.
    fn game<G: Game>(
        &mut self,
        start: &G,
        engine: &mut Engine<G>,
        number: u32,
    ) -> Result<(), (&'static str, String, String)> {
        let (mut position, mut chance, mut buffer) = (start.clone(), rng(mix(1, &[number.into()])), Vec::new());
        engine.begin(number.into());
        if number % 4 == 3 {
            // From a position: two random moves that the engine is not told.
            for _ in 0..2 {
                if let Some(mv) = position.random_move(&mut chance, &mut buffer) {
                    position.play_unchecked(mv);
                }
            }
        }
        let engine_seat = usize::from(number % 2 == 1);
        for _ in 0..LONGEST_GAME {
            if position.outcome().is_some() {
                return Ok(());
            }
            let mv = if position.mover().index() == engine_seat {
                let clock = self.clock(number);
                let began = Instant::now();
                let answer = engine.choose(&position, &clock);
                let took = began.elapsed();
                if self.settings.stop.is_raised() {
                    return Ok(());
                }
                let analysis = answer.map_err(|error| advise(&position, error))?;
                self.found.moves += 1;
                self.found.slowest = self.found.slowest.max(took);
                if clock.time.is_some() && took > self.settings.time + self.settings.margin {
                    return Err((
                        "time",
                        format!("it answered after {} and had {}", ms(took), ms(self.settings.time)),
                        "look at the clock while thinking, and keep a part of the time in reserve".into(),
                    ));
                }
                if !position.is_legal(analysis.best) {
                    let (mv, why) = (position.print_move(analysis.best), position.why_illegal(analysis.best));
                    return Err((
                        "legality",
                        format!("`bestmove {mv}` is not legal in {}: {why}", position.print()),
                        LEGALITY.into(),
                    ));
                }
                analysis.best
            } else {
                match position.random_move(&mut chance, &mut buffer) {
                    Some(mv) => mv,
                    None => return Ok(()),
                }
            };
            engine.moved(&position, mv);
            position.play_unchecked(mv);
            let lines = Player::<G>::conversation(engine);
            self.hear(lines);
        }
        Ok(())
    }

    /// Every kind of clock has its turn.
    fn clock(&self, number: u32) -> Clock {
        let time = self.settings.time;
        let mut clock = Clock {
            patience: Some(time + self.settings.margin),
            stop: self.settings.stop.clone(),
            started: Instant::now(),
            ..Clock::unlimited()
        };
        match number % 4 {
            1 => {
                clock.bank = Some(Bank {
                    left: [time; 2],
                    increment: [time / 10; 2],
                    moves_to_go: None,
                })
            }
            2 => {
                clock.depth = Some(1);
                clock.patience = Some(Duration::from_secs(30));
            }
            _ => clock.time = Some(time),
        }
        clock
    }

    fn go_in_words(&self, number: u32) -> String {
        let time = self.settings.time.as_millis();
        match number % 4 {
            1 => format!("`go p1time {time} p2time {time} …`"),
            2 => "`go depth 1`".into(),
            3 => format!("`position fen …`, `go movetime {time}`"),
            _ => format!("`go movetime {time}`"),
        }
    }

    fn hears_stop<G: Game>(&mut self, start: &G, engine: &mut Engine<G>) {
        engine.begin(99);
        let Some(process) = &mut engine.process else {
            return self.note(
                FindingSeverity::Warning,
                "stop",
                "it was gone before `stop` could be tried",
                "",
            );
        };
        let best = |line: &str| line.starts_with("bestmove").then_some(());
        let asked = format!(
            "position {}\nisready\n",
            match *start == start.start() {
                true => "startpos".into(),
                false => format!("fen {}", start.print()),
            }
        );
        let ready = |line: &str| (line == "readyok").then_some(());
        let heard = self.wait(process, &asked, AT_ONCE, ready).and_then(|()| {
            match self.wait(process, "go infinite\n", Duration::from_millis(200), best) {
                Err(Silence::Late) => self.wait(process, "stop\n", AT_ONCE, best),
                other => other,
            }
        });
        let lines = process.conversation();
        self.hear(lines);
        match heard {
            Ok(()) => self.note(FindingSeverity::Passed, "stop", "`stop` (or `go infinite`) is answered with a move", ""),
            Err(_) => self.note(
                FindingSeverity::Warning,
                "stop",
                "`stop` after `go infinite` is not answered with `bestmove`",
                "read standard input while thinking (a thread, or a look now and then); games with a clock can be played without",
            ),
        }
    }

    fn survives<G: Game>(&mut self, engine: &mut Engine<G>) {
        engine.begin(100);
        let Some(process) = &mut engine.process else { return };
        let ready = |line: &str| (line == "readyok").then_some(());
        let heard = self.wait(process, "\nxyzzy is no command\nisready\n", AT_ONCE, ready);
        let lines = process.conversation();
        self.hear(lines);
        match heard {
            Ok(()) => self.note(
                FindingSeverity::Passed,
                "robustness",
                "empty and unknown lines are passed over",
                "",
            ),
            Err(_) => self.note(
                FindingSeverity::Warning,
                "robustness",
                "after a line that it does not know it answers no more",
                "pass over what you do not know: runners say more than one engine needs",
            ),
        }
    }

    fn leaves<G: Game>(&mut self, engine: &mut Engine<G>) {
        engine.begin(101);
        let Some(mut process) = engine.process.take() else {
            return;
        };
        let sent = process.send("quit\n", Instant::now() + AT_ONCE);
        let status = sent.ok().and_then(|()| process.ended(AT_ONCE));
        self.hear(process.conversation());
        match status {
            Some(status) if status.success() => self.note(FindingSeverity::Passed, "quit", "leaves at `quit`", ""),
            Some(status) => self.note(
                FindingSeverity::Warning,
                "quit",
                format!("it leaves at `quit` with {status}"),
                "leave with exit status 0",
            ),
            None => self.note(
                FindingSeverity::Warning,
                "quit",
                "it does not leave at `quit`, and has to be killed",
                "end the loop that reads lines at `quit` and at the end of the input",
            ),
        }
        self.stderr += &process.stderr_log();
    }

    /// What was written to standard error: a traceback tells more than anything else.
    fn tells_of_stderr(&mut self) {
        let lines: Vec<&str> = self.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.is_empty() {
            return;
        }
        let last = lines[lines.len().saturating_sub(SHOWN)..].join("\n");
        let severity = match self.found.severity() {
            FindingSeverity::Error => FindingSeverity::Error,
            _ => FindingSeverity::Warning,
        };
        let what = format!("it wrote to standard error, last:\n{last}");
        self.recent.clear();
        self.note(
            severity,
            "stderr",
            what,
            "a traceback names the file and the line; a log of your own needs no mending",
        );
    }
}

const LEGALITY: &str = "compare your board with this position: most often a move of the other side was not played on it, or `uginewgame` did not clear it";

fn silent_advice(expect: &str, hint: &str, heard: &[String]) -> String {
    if heard.iter().any(|line| line == "uciok") {
        return format!(
            "it speaks UCI: answer `ugi` with `ugiok`, not `uciok`, and wait for `{expect}`'s own question"
        );
    }
    if let Some(line) = heard.iter().find(|line| line.eq_ignore_ascii_case(expect)) {
        return format!("it said {line:?}: write `{expect}` in small letters");
    }
    if let Some(line) = heard.iter().find(|line| line.contains(expect)) {
        return format!("it said {line:?}: `{expect}` stands alone on its line");
    }
    match (hint.is_empty(), heard.last()) {
        (false, _) => hint.into(),
        (true, Some(line)) => format!("it said {line:?} instead; answer with `{expect}` on a line of its own"),
        (true, None) => format!("answer with `{expect}` on a line of its own, and flush"),
    }
}

/// What a failure in a game means for who has to mend it.
fn advise<G: Game>(position: &G, error: PlayerError) -> (&'static str, String, String) {
    let topic = match error {
        PlayerError::NotAMove { .. } => "legality",
        PlayerError::Timeout(_) | PlayerError::Stall(_) => "time",
        PlayerError::Finished | PlayerError::Crash(_) | PlayerError::Disconnect(_) => "crash",
    };
    let advice = match &error {
        PlayerError::NotAMove { .. } => {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            let some: Vec<String> = legal.iter().take(5).map(|&mv| position.print_move(mv)).collect();
            format!(
                "a move is one word; legal ones here are {}. {LEGALITY}",
                some.join(", ")
            )
        }
        PlayerError::Timeout(_) | PlayerError::Stall(_) => {
            "answer every `go` with `bestmove MOVE` within its time, end the line, and flush".into()
        }
        _ => "what it wrote to standard error stands below; run it by hand with the lines of this conversation".into(),
    };
    (topic, format!("{error} (in {})", position.print()), advice)
}

fn seat_in_words(number: u32) -> &'static str {
    match number % 2 {
        0 => "as seat 1",
        _ => "as seat 2",
    }
}

fn ms(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}

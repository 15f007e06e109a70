//! Our players as an engine.

use super::lines_within;
use game::{Game, Seat};
use players::{Bank, Clock, Playable, Player, Recipe};
use std::io::{self, BufRead, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// A longer line ends the conversation: no position has as many bytes.
const LONGEST_LINE: usize = 1 << 20;

/// As many commands may wait while a search runs; a runner that sends more waits with them.
const WAITING: usize = 256;

/// Talks UGI until `quit` or the end of the input.
///
/// A second thread reads, so that `isready` is answered while a search runs. Every other command waits its turn.
pub fn serve<G: Playable>(
    start: G,
    recipe: &Recipe<G>,
    input: impl BufRead + Send,
    output: impl Write + Send,
) -> io::Result<()> {
    let (sender, lines) = sync_channel::<String>(WAITING);
    let desk = Desk {
        output: Mutex::new(output),
        searching: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        let desk = &desk;
        scope.spawn(move || {
            for line in lines_within(input, LONGEST_LINE) {
                let line = match line {
                    Ok(line) => line,
                    Err(error) => {
                        // Nobody may be there any more to hear it.
                        let _ = desk.say(&format!("info string error: {error}; goodbye"));
                        break;
                    }
                };
                let word = line.split_ascii_whitespace().next().unwrap_or("");
                if word == "isready" && desk.searching.load(Ordering::Acquire) {
                    match desk.say("readyok") {
                        Ok(()) => continue,
                        Err(_) => break,
                    }
                }
                if word == "go" {
                    desk.searching.store(true, Ordering::Release);
                }
                let last = word == "quit";
                if sender.send(line).is_err() || last {
                    break;
                }
            }
        });
        Conversation {
            desk,
            recipe,
            player: recipe.make(),
            position: start.clone(),
            next: start.mover(),
            start,
            seed: 1,
            fresh: true,
            lines,
        }
        .hold()
    })
}

/// What both threads share.
struct Desk<W> {
    output: Mutex<W>,
    searching: AtomicBool,
}

impl<W: Write> Desk<W> {
    fn say(&self, line: &str) -> io::Result<()> {
        let mut output = self.output.lock().map_err(|_| io::Error::other("the output is lost"))?;
        // One write, so that a line is never torn.
        output.write_all(format!("{line}\n").as_bytes())?;
        output.flush()
    }
}

struct Conversation<'a, G: Playable, W> {
    desk: &'a Desk<W>,
    recipe: &'a Recipe<G>,
    player: Box<dyn Player<G>>,
    start: G,
    position: G,
    next: Seat,
    seed: u64,
    fresh: bool,
    lines: Receiver<String>,
}

impl<G: Playable, W: Write> Conversation<'_, G, W> {
    fn hold(mut self) -> io::Result<()> {
        while let Ok(line) = self.lines.recv() {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("ugi") => self.introduce()?,
                Some("isready") => self.desk.say("readyok")?,
                Some("uginewgame") => self.fresh = true,
                Some("setoption") => self.set_option(&line)?,
                Some("position") => {
                    let told: Vec<&str> = words.collect();
                    match read_position(&self.start, &told) {
                        Ok((position, next)) => (self.position, self.next) = (position, next),
                        Err(why) => self.complain(&why)?,
                    }
                }
                Some("query") => {
                    let answer = answer(&self.position, self.next, words.next().unwrap_or(""));
                    self.desk.say(&format!("response {answer}"))?;
                }
                Some("go") => {
                    let told: Vec<&str> = words.collect();
                    let goes_on = self.go(&told);
                    self.desk.searching.store(false, Ordering::Release);
                    if !goes_on? {
                        return Ok(());
                    }
                }
                Some("quit") => return Ok(()),
                Some("stop") | None => (),
                Some(word) => self.complain(&format!("unknown command `{word}`"))?,
            }
        }
        Ok(())
    }

    fn introduce(&self) -> io::Result<()> {
        self.desk.say(&format!("id name terzo {}", self.recipe.spec))?;
        self.desk.say("id author the Terzo project")?;
        self.desk
            .say("option name Seed type spin default 1 min 0 max 9223372036854775807")?;
        self.desk.say("ugiok")
    }

    fn complain(&self, why: &str) -> io::Result<()> {
        let line = why.replace(['\n', '\r'], " ");
        self.desk.say(&format!("info string error: {line}"))
    }

    fn set_option(&mut self, line: &str) -> io::Result<()> {
        let told: Vec<&str> = line.split_ascii_whitespace().collect();
        match told.as_slice() {
            ["setoption", "name", name, "value", value] if name.eq_ignore_ascii_case("seed") => match value.parse() {
                Ok(seed) => {
                    (self.seed, self.fresh) = (seed, true);
                    Ok(())
                }
                Err(_) => self.complain(&format!("Seed takes a whole number, not `{value}`")),
            },
            _ => self.complain("there is one option, Seed: expected `setoption name Seed value N`"),
        }
    }

    /// Thinks and answers; false if the conversation ended meanwhile.
    fn go(&mut self, told: &[&str]) -> io::Result<bool> {
        let started = Instant::now();
        if self.fresh {
            self.player.begin(self.seed);
            self.fresh = false;
        }
        let (clock, infinite) = match read_clock(told, self.position.mover(), started) {
            Ok(read) => read,
            Err(why) => {
                self.complain(&why)?;
                (Clock::started_at(started), false)
            }
        };
        if self.position.outcome().is_some() {
            self.complain("the game is over")?;
            self.desk.say("bestmove none")?;
            return Ok(true);
        }
        let answer = match self.player.choose(&self.position, &clock) {
            Ok(thought) => {
                let mut info = format!("info time {}", started.elapsed().as_millis());
                for (name, number) in [("depth", thought.depth.map(u64::from)), ("nodes", thought.nodes)] {
                    if let Some(number) = number {
                        info += &format!(" {name} {number}");
                    }
                }
                if let Some(value) = thought.value {
                    info += &format!(" score {value}");
                }
                if !thought.line.is_empty() {
                    info += " pv";
                    for &mv in &thought.line {
                        info.push(' ');
                        self.position.write_move(mv, &mut info);
                    }
                }
                self.desk.say(&info)?;
                self.position.print_move(thought.mv)
            }
            Err(error) => {
                self.complain(&error.to_string())?;
                "none".into()
            }
        };
        // The answer of an endless search is held back until it is asked for.
        let goes_on = !infinite || self.wait_for_stop()?;
        self.desk.say(&format!("bestmove {answer}"))?;
        Ok(goes_on)
    }

    /// Listens to nothing else until `stop`; false if the conversation ended instead.
    fn wait_for_stop(&mut self) -> io::Result<bool> {
        loop {
            match self.lines.recv().as_deref().map(str::trim) {
                Ok("stop") => return Ok(true),
                Ok("quit") | Err(_) => return Ok(false),
                Ok(other) => self.complain(&format!("still thinking: `{other}` is not heard before `stop`"))?,
            }
        }
    }
}

/// `startpos` or `fen …`, then perhaps `moves …`; and whose turn it is. A runner expects the turns to alternate to the
/// very end: after the last move it is the other's, even if in a finished game nobody moves.
fn read_position<G: Game>(start: &G, told: &[&str]) -> Result<(G, Seat), String> {
    let at_moves = told.iter().position(|&word| word == "moves").unwrap_or(told.len());
    let (place, moves) = told.split_at(at_moves);
    let mut position = match place {
        ["startpos"] => start.clone(),
        ["fen", fen @ ..] if !fen.is_empty() => start.parse(&fen.join(" ")).map_err(|error| error.to_string())?,
        _ => return Err("expected `position startpos` or `position fen …`".into()),
    };
    let mut next = position.mover();
    for text in moves.iter().skip(1) {
        let mv = position.parse_move(text).map_err(|error| error.to_string())?;
        let moved = position.mover();
        position.play(mv).map_err(|error| error.to_string())?;
        next = match position.outcome() {
            None => position.mover(),
            Some(_) => moved.other(),
        };
    }
    Ok((position, next))
}

fn answer<G: Game>(position: &G, next: Seat, question: &str) -> String {
    let outcome = position.outcome();
    match question {
        "p1turn" => (next == Seat::FIRST).to_string(),
        "gameover" => outcome.is_some().to_string(),
        "result" => match outcome.map(|payoffs| payoffs.winner()) {
            None => "none".into(),
            Some(None) => "draw".into(),
            Some(Some(Seat::FIRST)) => "p1win".into(),
            Some(Some(_)) => "p2win".into(),
        },
        "fen" => position.print(),
        "legalmoves" => {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let words: Vec<String> = moves.into_iter().map(|mv| position.print_move(mv)).collect();
            words.join(" ")
        }
        _ => "unsupported".into(),
    }
}

/// The limits of a `go`, and whether the answer waits for `stop`.
fn read_clock(told: &[&str], mover: Seat, started: Instant) -> Result<(Clock, bool), String> {
    let mut clock = Clock::started_at(started);
    let mut left = [None; 2];
    let mut increment = [Duration::ZERO; 2];
    let mut infinite = false;
    let mut words = told.iter();
    while let Some(&word) = words.next() {
        if word == "infinite" {
            infinite = true;
            continue;
        }
        let known = ["p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth"];
        if !known.contains(&word) {
            return Err(format!("`go` does not know `{word}`"));
        }
        let text = words.next().copied().unwrap_or("");
        // A clock below zero is one that has run out.
        let number: i64 = text
            .parse()
            .map_err(|_| format!("`go {word}` takes a number, not `{text}`"))?;
        let number = number.max(0) as u64;
        let time = Duration::from_millis(number);
        match word {
            "p1time" => left[0] = Some(time),
            "p2time" => left[1] = Some(time),
            "p1inc" => increment[0] = time,
            "p2inc" => increment[1] = time,
            // The way back through the pipe takes time, too.
            "movetime" => clock.time = Some(time.saturating_sub(Duration::from_millis(2)) * 19 / 20),
            "nodes" => clock.nodes = Some(number.max(1)),
            _ => clock.depth = Some(u32::try_from(number.max(1)).unwrap_or(u32::MAX)),
        }
    }
    if let (None, Some(mine)) = (clock.time, left[mover.index() & 1]) {
        let bank = Bank {
            left: left.map(|time| time.unwrap_or(mine)),
            increment: increment[mover.index() & 1],
        };
        (clock.time, clock.bank) = (Some(bank.share(mover)), Some(bank));
    }
    Ok((clock, infinite))
}

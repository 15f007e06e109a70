//! Our players as an engine.
//!
//! Three threads: one reads what the runner says, one thinks, and one holds the conversation: it hears the other two through
//! one channel and never waits for anything else, so that `stop`, `quit` and `isready` are answered at any time. Every other
//! command waits until the search is over, as in all engines of this family.

mod go;
mod options;
mod table;
mod thinker;

use super::lines_within;
use game::{Game, Stop, mix};
use go::Go;
use options::{Change, EngineOptions};
use player::{Analysis, Clock, PlayerFactory, Roster};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use table::ToldPosition;
use thinker::{ThinkTask, think};

/// A longer line ends the conversation: no position has as many bytes.
const LONGEST_LINE: usize = 1 << 20;

/// As many commands may wait for the end of a search; more are refused.
const WAITING: usize = 256;

/// What the conversation hears.
enum UgiEvent<M> {
    /// The runner.
    Line(String),
    /// The runner has gone; perhaps because of this.
    Gone(Option<io::Error>),
    /// The player is ready for a game.
    Ready,
    /// How its search goes.
    Info(Analysis<String>),
    /// Its move, or why there is none.
    Done(Result<Analysis<M>, String>),
}

/// Talks UGI until `quit` or the end of the input. The options of the player are set anew by the `roster` it comes from.
pub fn serve<G: Game>(
    start: G,
    roster: Roster<G>,
    factory: &PlayerFactory<G>,
    input: impl BufRead + Send,
    output: impl Write,
) -> io::Result<()> {
    let (events, heard) = sync_channel(WAITING);
    let (tasks, work) = channel();
    std::thread::scope(|scope| {
        let said = events.clone();
        scope.spawn(move || listen(input, &said));
        scope.spawn(move || think(&work, &events));
        UgiServer {
            output,
            heard,
            tasks,
            options: EngineOptions::new(roster, factory),
            table: ToldPosition::new(start),
            seeds: GameSeeds::new(),
            made: false,
            fresh: true,
            busy: Busy::No,
            waiting: VecDeque::new(),
            quitting: false,
        }
        .hold()
    })
}

/// Hands on what the runner says, until it says no more.
fn listen<M>(input: impl BufRead, events: &SyncSender<UgiEvent<M>>) {
    for line in lines_within(input, LONGEST_LINE) {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                let _ = events.send(UgiEvent::Gone(Some(error)));
                return;
            }
        };
        let last = line.split_ascii_whitespace().next() == Some("quit");
        if events.send(UgiEvent::Line(line)).is_err() || last {
            return;
        }
    }
    let _ = events.send(UgiEvent::Gone(None));
}

/// What the thinking thread is at.
enum Busy<G> {
    No,
    /// It gets ready; whether somebody waits to hear of it.
    Preparing {
        asked: bool,
    },
    Searching(Box<RunningSearch<G>>),
}

/// A search under way.
struct RunningSearch<G> {
    /// Where a move is looked for.
    position: G,
    clock: Clock,
    /// Whether its answer is held back until `stop`.
    infinite: bool,
    /// The answer so far: jumps that belong together are one word.
    word: String,
    /// Whether the answer is there, and held back.
    ready: bool,
}

/// Where the chance of every game comes from.
struct GameSeeds {
    /// What the runner has set.
    set: Option<u64>,
    /// Something that is never the same.
    own: u64,
    games: u64,
}

impl GameSeeds {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        GameSeeds {
            set: None,
            own: mix(now.as_nanos() as u64, &[std::process::id().into()]),
            games: 0,
        }
    }

    /// The seed of the next game: a new one, unless the runner has set it.
    fn next(&mut self) -> u64 {
        self.games += 1;
        self.set.unwrap_or_else(|| mix(self.own, &[self.games]))
    }
}

struct UgiServer<G: Game, W> {
    output: W,
    heard: Receiver<UgiEvent<G::Move>>,
    tasks: Sender<ThinkTask<G>>,
    options: EngineOptions<G>,
    table: ToldPosition<G>,
    seeds: GameSeeds,
    /// Whether the thinking thread has the player that the options want.
    made: bool,
    /// Whether the next search begins a game.
    fresh: bool,
    busy: Busy<G>,
    /// What was said while the thinking thread was busy, and whether `stop` was said after it.
    waiting: VecDeque<(String, bool)>,
    quitting: bool,
}

impl<G: Game, W: Write> UgiServer<G, W> {
    fn hold(mut self) -> io::Result<()> {
        loop {
            while matches!(self.busy, Busy::No)
                && let Some((line, stopped)) = self.waiting.pop_front()
            {
                self.obey(&line, stopped)?;
            }
            if self.quitting && matches!(self.busy, Busy::No) {
                return Ok(());
            }
            match self.heard.recv() {
                Ok(UgiEvent::Line(line)) => self.hear(line)?,
                Ok(UgiEvent::Gone(problem)) => {
                    if let Some(error) = problem {
                        // Nobody may be there any more to hear it.
                        let _ = self.say(&format!("info string error: {error}; goodbye"));
                    }
                    self.quit();
                }
                Ok(UgiEvent::Info(analysis)) => self.inform(&analysis)?,
                Ok(UgiEvent::Ready) => {
                    if let Busy::Preparing { asked: true } = std::mem::replace(&mut self.busy, Busy::No) {
                        self.say("readyok")?;
                    }
                }
                Ok(UgiEvent::Done(answer)) => self.conclude(answer)?,
                Err(_) => return Ok(()),
            }
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        // One write, so that a line is never torn.
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }

    /// Tells how a search goes, or what came of it.
    fn inform(&mut self, analysis: &Analysis<String>) -> io::Result<()> {
        let pv = self.table.translate(&analysis.pv);
        self.say(&info_line(analysis, &pv))
    }

    fn complain(&mut self, why: &str) -> io::Result<()> {
        let line = why.replace(['\n', '\r'], " ");
        self.say(&format!("info string error: {line}"))
    }

    /// What cannot wait is done at once, the rest when nothing is under way.
    fn hear(&mut self, line: String) -> io::Result<()> {
        match (line.split_ascii_whitespace().next(), &self.busy) {
            (Some("quit"), _) => {
                self.quit();
                Ok(())
            }
            (Some("stop"), _) => self.stop(),
            (Some("isready"), Busy::Searching(_)) => self.say("readyok"),
            (_, Busy::No) => self.obey(&line, false),
            _ if self.waiting.len() < WAITING => {
                self.waiting.push_back((line, false));
                Ok(())
            }
            _ => self.complain("still thinking: this is not heard before `stop`"),
        }
    }

    /// Ends the search under way and those that wait, and lets their answers be told.
    fn stop(&mut self) -> io::Result<()> {
        self.waiting.iter_mut().for_each(|(_, stopped)| *stopped = true);
        let Busy::Searching(search) = &mut self.busy else {
            return Ok(());
        };
        search.clock.stop.raise();
        search.infinite = false;
        match search.ready {
            true => self.answer(),
            false => Ok(()),
        }
    }

    /// Ends in good order: what is under way and what waits is still answered, without any thought.
    fn quit(&mut self) {
        self.quitting = true;
        // The runner may have closed its ears, too.
        let _ = self.stop();
    }

    /// Does what the runner says; nothing is under way. It may have said `stop` since.
    fn obey(&mut self, line: &str, stopped: bool) -> io::Result<()> {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("ugi") => {
                for line in self.options.introduction() {
                    self.say(&line)?;
                }
                Ok(())
            }
            Some("isready") => {
                self.prepare(true);
                Ok(())
            }
            Some("uginewgame") => {
                self.fresh = true;
                Ok(())
            }
            Some("setoption") => self.set_option(line),
            Some("position") => {
                let words: Vec<&str> = words.collect();
                match self.table.set(&words) {
                    Ok(()) => Ok(()),
                    Err(why) => self.complain(&why),
                }
            }
            Some("query") => {
                let question = words.next().unwrap_or("");
                match self.table.answer(question) {
                    Ok(answer) => self.say(&format!("response {answer}")),
                    Err(why) => {
                        self.complain(&why)?;
                        self.say("response unsupported")
                    }
                }
            }
            Some("go") => self.go(&words.collect::<Vec<_>>(), stopped || self.quitting),
            Some(word) => self.complain(&format!("unknown command `{word}`")),
            None => Ok(()),
        }
    }

    fn set_option(&mut self, line: &str) -> io::Result<()> {
        match self.options.set(line) {
            Ok(Change::Seed(seed)) => (self.seeds.set, self.fresh) = (seed, true),
            Ok(Change::Player) => (self.made, self.fresh) = (false, true),
            Ok(Change::Nothing) => (),
            Err(why) => return self.complain(&why),
        }
        Ok(())
    }

    /// Has the player made and told of a new game, if either is due.
    fn prepare(&mut self, asked: bool) {
        let factory = (!self.made).then(|| self.options.factory.clone());
        let seed = self.fresh.then(|| self.seeds.next());
        (self.made, self.fresh) = (true, false);
        let _ = self.tasks.send(ThinkTask::Prepare { factory, seed });
        self.busy = Busy::Preparing { asked };
    }

    /// Begins to think, or says why not: a runner that said `go` waits for a move.
    fn go(&mut self, words: &[&str], stopped: bool) -> io::Result<()> {
        let started = Instant::now();
        if self.fresh || !self.made {
            self.prepare(false);
            // It comes back here when the player is ready.
            self.waiting.push_front((format!("go {}", words.join(" ")), stopped));
            return Ok(());
        }
        let read = self.table.position().and_then(|position| {
            let go = Go::read(words, position, started)?;
            match position.outcome() {
                Some(_) => Err("the game is over".into()),
                None => Ok((position.clone(), go)),
            }
        });
        let (position, Go { mut clock, infinite }) = match read {
            Ok(read) => read,
            Err(why) => {
                self.complain(&why)?;
                return self.say("bestmove none");
            }
        };
        clock.stop = Stop::new();
        if stopped {
            clock.stop.raise();
        }
        self.search(Box::new(RunningSearch {
            position,
            clock,
            infinite: infinite && !stopped,
            word: String::new(),
            ready: false,
        }));
        Ok(())
    }

    fn search(&mut self, search: Box<RunningSearch<G>>) {
        let (position, clock) = (search.position.clone(), search.clock.clone());
        let _ = self.tasks.send(ThinkTask::Think { position, clock });
        self.busy = Busy::Searching(search);
    }

    /// Tells the player's answer, or holds it back.
    fn conclude(&mut self, answer: Result<Analysis<G::Move>, String>) -> io::Result<()> {
        let Busy::Searching(mut search) = std::mem::replace(&mut self.busy, Busy::No) else {
            return Ok(());
        };
        match answer {
            Ok(analysis) => {
                self.inform(&Analysis {
                    time: search.clock.elapsed(),
                    ..analysis.in_words(&search.position)
                })?;
                if self
                    .table
                    .goes_on(&mut search.position, analysis.best, &mut search.word)
                {
                    self.search(search);
                    return Ok(());
                }
            }
            Err(why) => {
                self.complain(&why)?;
                search.word = "none".into();
            }
        }
        search.ready = true;
        let held_back = search.infinite;
        self.busy = Busy::Searching(search);
        match held_back {
            true => Ok(()),
            false => self.answer(),
        }
    }

    fn answer(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.busy, Busy::No) {
            Busy::Searching(search) => self.say(&format!("bestmove {}", search.word)),
            _ => Ok(()),
        }
    }
}

fn per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// What a player says of a position, in whole numbers.
fn info_line(analysis: &Analysis<String>, pv: &[String]) -> String {
    let mut line = "info".to_string();
    if let Some(depth) = analysis.depth {
        let _ = write!(line, " depth {depth}");
    }
    if let Some(score) = analysis.score {
        let _ = write!(line, " score {score}");
    }
    if let Some(nodes) = analysis.nodes {
        let _ = write!(line, " nodes {nodes} nps {}", per_second(nodes, analysis.time));
    }
    let _ = write!(line, " time {}", analysis.time.as_millis());
    if !pv.is_empty() {
        let _ = write!(line, " pv {}", pv.join(" "));
    }
    line
}

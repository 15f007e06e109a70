//! Our players for anybody's manager.
//!
//! The [`MatchDesk`] answers messages, many at once, and never thinks. The match under way is a `session`: a thread with a
//! thinker that follows the game (`tracker`) and asks the player; whoever waits for its answer waits no longer than the
//! clock allows and then takes a legal move instead.

mod session;
mod thinker;
mod tracker;

use super::http::{HttpReply, HttpServer};
use super::message::{Message, TurnReport};
use gdl::{Position, Sheet};
use parking_lot::Mutex;
use player::PlayerFactory;
use session::{MatchSession, MatchStart};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Minds that may still be finishing a thought after their match was broken off. Beyond that, no new match.
const MOST_MINDS: usize = 8;

/// How a player presents itself, and how careful it is.
#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// Its name.
    pub name: String,
    /// How long before the end of a clock its answer must be on its way. At most half of a clock is given away.
    pub margin: Duration,
    /// What its chance is drawn from.
    pub seed: u64,
    /// Whether it thinks while others do, too.
    pub ponder: bool,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        PlayerOptions {
            name: "terzo".into(),
            margin: Duration::from_millis(500),
            seed: 1,
            ponder: false,
        }
    }
}

/// Something worth telling whoever watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerEvent {
    /// A match has begun.
    Started {
        /// The match.
        id: String,
        /// Our role.
        role: String,
    },
    /// The machine that plays it from now on.
    Machine {
        /// The match.
        id: String,
        /// What kind, and why if it is the slower one.
        what: String,
    },
    /// We made a move.
    Moved {
        /// The match.
        id: String,
        /// The number of the turn, from 1.
        turn: u64,
        /// The move.
        mv: String,
        /// After how long.
        took: Duration,
    },
    /// It is over.
    Ended {
        /// The match.
        id: String,
        /// What each role got, if we know.
        goals: Option<Vec<(String, u8)>>,
    },
    /// Something was not as it should be.
    Trouble(String),
}

impl fmt::Display for PlayerEvent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PlayerEvent::Started { id, role } => write!(f, "{id}: we play {role}"),
            PlayerEvent::Machine { id, what } => write!(f, "{id}: {what}"),
            PlayerEvent::Moved { id, turn, mv, took } => {
                write!(f, "{id}: turn {turn}, {mv} after {:.3} s", took.as_secs_f64())
            }
            PlayerEvent::Ended { id, goals: None } => write!(f, "{id}: over"),
            PlayerEvent::Ended { id, goals: Some(goals) } => {
                let goals: Vec<String> = goals.iter().map(|(role, goal)| format!("{role} {goal}")).collect();
                write!(f, "{id}: over, {}", goals.join(", "))
            }
            PlayerEvent::Trouble(what) => write!(f, "{what}"),
        }
    }
}

/// Whoever watches.
pub type Watcher = Arc<dyn Fn(PlayerEvent) + Send + Sync>;

/// Answers any manager on this address for as long as the server lives.
pub fn serve(
    address: SocketAddr,
    factory: PlayerFactory<Position>,
    options: PlayerOptions,
    watcher: Watcher,
) -> io::Result<HttpServer> {
    let desk = MatchDesk::new(factory, options, watcher);
    HttpServer::start(address, move |text, accepted| desk.answer(text, accepted))
}

/// A match that cannot be played.
struct RefusedMatch {
    id: String,
    why: String,
}

/// Answers messages.
pub struct MatchDesk {
    factory: PlayerFactory<Position>,
    options: PlayerOptions,
    watcher: Watcher,
    current: Mutex<Option<Arc<MatchSession>>>,
    /// The match that was refused last.
    refused: Mutex<Option<RefusedMatch>>,
    matches: AtomicU64,
    minds: Arc<AtomicUsize>,
}

impl MatchDesk {
    /// What answers for a player.
    pub fn new(factory: PlayerFactory<Position>, options: PlayerOptions, watcher: Watcher) -> Self {
        MatchDesk {
            factory,
            options,
            watcher,
            current: Mutex::default(),
            refused: Mutex::default(),
            matches: AtomicU64::new(0),
            minds: Arc::default(),
        }
    }

    /// The answer to a message that came at `accepted`, always in time.
    pub fn answer(&self, text: &str, accepted: Instant) -> HttpReply {
        let message = match Message::parse(text) {
            Ok(message) => message,
            Err(error) => {
                (self.watcher)(PlayerEvent::Trouble(format!("a message that is none: {error}")));
                return HttpReply::refuse(error.to_string());
            }
        };
        match message {
            Message::Info => HttpReply::ok(self.info()),
            Message::Ping => HttpReply::ok("ready"),
            Message::Preview if self.session().is_some() => HttpReply::ok("busy"),
            Message::Preview => HttpReply::ok("ready"),
            Message::Start {
                id,
                role,
                rules,
                start,
                play,
            } => match Sheet::parse(&id, &rules) {
                Ok(sheet) => self.start(MatchStart {
                    id,
                    role,
                    sheet,
                    start,
                    play,
                    accepted,
                }),
                Err(error) => self.cannot_play(&id, error.to_string()),
            },
            Message::Play { id, report } => self.play(&id, report, accepted),
            Message::Stop { id, report } => self.end(&id, Some(report), "done"),
            Message::Abort { id } => self.end(&id, None, "aborted"),
        }
    }

    fn session(&self) -> Option<Arc<MatchSession>> {
        self.current.lock().clone()
    }

    fn play(&self, id: &str, report: TurnReport, accepted: Instant) -> HttpReply {
        let current = self.session();
        match current.as_ref().filter(|session| session.is(id)) {
            Some(session) => match session.play(report, accepted) {
                Ok(answer) => HttpReply::ok(answer),
                Err(why) => {
                    self.drop_session(session);
                    self.cannot_play(id, why);
                    self.no_match(id)
                }
            },
            None if current.is_some() && !self.is_refused(id) => HttpReply::ok("busy"),
            None => self.no_match(id),
        }
    }

    fn is_refused(&self, id: &str) -> bool {
        let refused = self.refused.lock();
        refused
            .as_ref()
            .is_some_and(|refused| refused.id.eq_ignore_ascii_case(id))
    }

    /// Why there is no move in a match that is not under way.
    fn no_match(&self, id: &str) -> HttpReply {
        let refused = self.refused.lock();
        HttpReply::refuse(match refused.as_ref() {
            Some(RefusedMatch { id: of, why }) if of.eq_ignore_ascii_case(id) => {
                format!("the START of {of} was refused: {why}")
            }
            _ => format!("no match is under way, and none was refused as `{id}`: it begins with a START"),
        })
    }

    /// One that cannot be played must not keep the others out.
    fn drop_session(&self, session: &Arc<MatchSession>) {
        let mut current = self.current.lock();
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, session)) {
            *current = None;
        }
    }

    fn info(&self) -> String {
        let word = |c: char| if c.is_whitespace() || "();".contains(c) { '_' } else { c };
        let name: String = self.options.name.chars().map(word).collect();
        let status = match self.session() {
            Some(_) => "busy",
            None => "available",
        };
        format!("( ( name {name} ) ( status {status} ) ( species terzo ) )")
    }

    fn start(&self, beginning: MatchStart) -> HttpReply {
        // Whether the match under way can make room is asked without holding the others up.
        let old = self.session();
        if let Some(old) = &old {
            if old.is_same(&beginning) {
                return started(old, beginning.accepted);
            }
            if !old.is(&beginning.id) && !old.makes_room() {
                return HttpReply::ok("busy");
            }
        }
        if self.minds.load(Ordering::Acquire) >= MOST_MINDS {
            return HttpReply::ok("busy");
        }
        let number = self.matches.fetch_add(1, Ordering::Relaxed);
        let (id, accepted) = (beginning.id.clone(), beginning.accepted);
        let session = {
            let mut current = self.current.lock();
            // Another START may have been quicker.
            if current.as_ref().map(Arc::as_ptr) != old.as_ref().map(Arc::as_ptr) {
                return HttpReply::ok("busy");
            }
            let options = PlayerOptions {
                seed: game::mix(self.options.seed, &[number]),
                ..self.options.clone()
            };
            let begun = MatchSession::begin(
                beginning,
                self.factory.clone(),
                options,
                self.watcher.clone(),
                self.minds.clone(),
            );
            let session = match begun {
                Ok(session) => Arc::new(session),
                Err(error) => return HttpReply::refuse(format!("cannot think: {error}")),
            };
            if let Some(old) = current.replace(session.clone()) {
                old.leave(None);
            }
            // What was wrong with an earlier match of this name is not wrong with this one.
            let mut refused = self.refused.lock();
            refused.take_if(|refused| refused.id.eq_ignore_ascii_case(&id));
            session
        };
        let reply = started(&session, accepted);
        if reply.status != 200 {
            self.drop_session(&session);
            return self.cannot_play(&id, reply.text);
        }
        reply
    }

    fn cannot_play(&self, id: &str, why: String) -> HttpReply {
        (self.watcher)(PlayerEvent::Trouble(format!("a match that cannot be played: {why}")));
        *self.refused.lock() = Some(RefusedMatch {
            id: id.into(),
            why: why.clone(),
        });
        HttpReply::refuse(why)
    }

    fn end(&self, id: &str, report: Option<TurnReport>, word: &str) -> HttpReply {
        let mut current = self.current.lock();
        match current.as_ref().map(|session| session.is(id)) {
            Some(true) => {
                if let Some(session) = current.take() {
                    session.leave(Some(report));
                }
                HttpReply::ok(word)
            }
            // Said twice, or about a match that we never heard of: it is over, as far as we are concerned.
            None => HttpReply::ok(word),
            Some(false) => HttpReply::ok("busy"),
        }
    }
}

fn started(session: &MatchSession, accepted: Instant) -> HttpReply {
    match session.wait_until_ready(accepted) {
        Ok(()) => HttpReply::ok("ready"),
        Err(why) => HttpReply::refuse(why),
    }
}

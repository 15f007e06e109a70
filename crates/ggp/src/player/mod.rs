//! Our players for anybody's manager.
//!
//! The [`Desk`] answers messages, many at once, and never thinks. The match under way is a `session`: a thread with a
//! `mind` that follows the game (`track`) and asks the player; whoever waits for its answer waits no longer than the
//! clock allows and then takes a legal move instead.

mod mind;
mod session;
mod track;

use super::http::{Reply, Server};
use super::message::{Message, News};
use gdl::{Position, Sheet};
use player::PlayerFactory;
use session::{Beginning, Session};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Minds that may still be finishing a thought after their match was broken off. Beyond that, no new match.
const MOST_MINDS: usize = 8;

/// How a player presents itself, and how careful it is.
#[derive(Clone, Debug)]
pub struct Options {
    /// Its name.
    pub name: String,
    /// How long before the end of a clock its answer must be on its way. At most half of a clock is given away.
    pub margin: Duration,
    /// What its chance is drawn from.
    pub seed: u64,
    /// Whether it thinks while others do, too.
    pub ponder: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            name: "terzo".into(),
            margin: Duration::from_millis(500),
            seed: 1,
            ponder: false,
        }
    }
}

/// Something worth telling whoever watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
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

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Event::Started { id, role } => write!(f, "{id}: we play {role}"),
            Event::Machine { id, what } => write!(f, "{id}: {what}"),
            Event::Moved { id, turn, mv, took } => {
                write!(f, "{id}: turn {turn}, {mv} after {:.3} s", took.as_secs_f64())
            }
            Event::Ended { id, goals: None } => write!(f, "{id}: over"),
            Event::Ended { id, goals: Some(goals) } => {
                let goals: Vec<String> = goals.iter().map(|(role, goal)| format!("{role} {goal}")).collect();
                write!(f, "{id}: over, {}", goals.join(", "))
            }
            Event::Trouble(what) => write!(f, "{what}"),
        }
    }
}

/// Whoever watches.
pub type Watcher = Arc<dyn Fn(Event) + Send + Sync>;

/// Answers any manager on this address for as long as the server lives.
pub fn serve(
    address: SocketAddr,
    factory: PlayerFactory<Position>,
    options: Options,
    watcher: Watcher,
) -> io::Result<Server> {
    let desk = Desk::new(factory, options, watcher);
    Server::start(address, move |text, accepted| desk.answer(text, accepted))
}

/// A match that cannot be played.
struct Refused {
    id: String,
    why: String,
}

/// Answers messages.
pub struct Desk {
    factory: PlayerFactory<Position>,
    options: Options,
    watcher: Watcher,
    current: Mutex<Option<Arc<Session>>>,
    /// The match that was refused last.
    refused: Mutex<Option<Refused>>,
    matches: AtomicU64,
    minds: Arc<AtomicUsize>,
}

impl Desk {
    /// A desk in front of a player.
    pub fn new(factory: PlayerFactory<Position>, options: Options, watcher: Watcher) -> Self {
        Desk {
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
    pub fn answer(&self, text: &str, accepted: Instant) -> Reply {
        let message = match Message::parse(text) {
            Ok(message) => message,
            Err(error) => {
                (self.watcher)(Event::Trouble(format!("a message that is none: {error}")));
                return Reply::refuse(error.to_string());
            }
        };
        match message {
            Message::Info => Reply::ok(self.info()),
            Message::Ping => Reply::ok("ready"),
            Message::Preview if self.session().is_some() => Reply::ok("busy"),
            Message::Preview => Reply::ok("ready"),
            Message::Start {
                id,
                role,
                rules,
                start,
                play,
            } => match Sheet::parse(&id, &rules) {
                Ok(sheet) => self.start(Beginning {
                    id,
                    role,
                    sheet,
                    start,
                    play,
                    accepted,
                }),
                Err(error) => self.cannot_play(&id, error.to_string()),
            },
            Message::Play { id, news } => self.play(&id, news, accepted),
            Message::Stop { id, news } => self.end(&id, Some(news), "done"),
            Message::Abort { id } => self.end(&id, None, "aborted"),
        }
    }

    fn session(&self) -> Option<Arc<Session>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn play(&self, id: &str, news: News, accepted: Instant) -> Reply {
        let current = self.session();
        match current.as_ref().filter(|session| session.is(id)) {
            Some(session) => match session.play(news, accepted) {
                Ok(answer) => Reply::ok(answer),
                Err(why) => {
                    self.drop_session(session);
                    self.cannot_play(id, why);
                    self.no_match(id)
                }
            },
            None if current.is_some() && !self.is_refused(id) => Reply::ok("busy"),
            None => self.no_match(id),
        }
    }

    fn is_refused(&self, id: &str) -> bool {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused
            .as_ref()
            .is_some_and(|refused| refused.id.eq_ignore_ascii_case(id))
    }

    /// Why there is no move in a match that is not under way.
    fn no_match(&self, id: &str) -> Reply {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        Reply::refuse(match refused.as_ref() {
            Some(Refused { id: of, why }) if of.eq_ignore_ascii_case(id) => {
                format!("the START of {of} was refused: {why}")
            }
            _ => format!("no match is under way, and none was refused as `{id}`: it begins with a START"),
        })
    }

    /// One that cannot be played must not keep the others out.
    fn drop_session(&self, session: &Arc<Session>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
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

    fn start(&self, beginning: Beginning) -> Reply {
        // Whether the match under way can make room is asked without holding the others up.
        let old = self.session();
        if let Some(old) = &old {
            if old.is_same(&beginning) {
                return started(old, beginning.accepted);
            }
            if !old.is(&beginning.id) && !old.makes_room() {
                return Reply::ok("busy");
            }
        }
        if self.minds.load(Ordering::Acquire) >= MOST_MINDS {
            return Reply::ok("busy");
        }
        let number = self.matches.fetch_add(1, Ordering::Relaxed);
        let (id, accepted) = (beginning.id.clone(), beginning.accepted);
        let session = {
            let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            // Another START may have been quicker.
            if current.as_ref().map(Arc::as_ptr) != old.as_ref().map(Arc::as_ptr) {
                return Reply::ok("busy");
            }
            let options = Options {
                seed: game::mix(self.options.seed, &[number]),
                ..self.options.clone()
            };
            let begun = Session::begin(
                beginning,
                self.factory.clone(),
                options,
                self.watcher.clone(),
                self.minds.clone(),
            );
            let session = match begun {
                Ok(session) => Arc::new(session),
                Err(error) => return Reply::refuse(format!("cannot think: {error}")),
            };
            if let Some(old) = current.replace(session.clone()) {
                old.leave(None);
            }
            // What was wrong with an earlier match of this name is not wrong with this one.
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
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

    fn cannot_play(&self, id: &str, why: String) -> Reply {
        (self.watcher)(Event::Trouble(format!("a match that cannot be played: {why}")));
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(Refused {
            id: id.into(),
            why: why.clone(),
        });
        Reply::refuse(why)
    }

    fn end(&self, id: &str, news: Option<News>, word: &str) -> Reply {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        match current.as_ref().map(|session| session.is(id)) {
            Some(true) => {
                if let Some(session) = current.take() {
                    session.leave(Some(news));
                }
                Reply::ok(word)
            }
            // Said twice, or about a match that we never heard of: it is over, as far as we are concerned.
            None => Reply::ok(word),
            Some(false) => Reply::ok("busy"),
        }
    }
}

fn started(session: &Session, accepted: Instant) -> Reply {
    match session.wait_until_ready(accepted) {
        Ok(()) => Reply::ok("ready"),
        Err(why) => Reply::refuse(why),
    }
}

//! A match under way: a thinker in a thread of its own, and those who wait for its answers.

use super::thinker::MatchThinker;
use super::{PlayerEvent, PlayerOptions, Watcher};
use crate::message::TurnReport;
use game::Stop;
use gdl::{Position, Sheet};
use parking_lot::{Condvar, Mutex, MutexGuard};
use player::PlayerFactory;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};

/// A manager that has said nothing for two play clocks and this is not coming back.
const LOST_AFTER: Duration = Duration::from_secs(10);
/// How long a START waits to hear whether the last match may be over.
const TO_LOOK_BACK: Duration = Duration::from_millis(300);
/// How long a thinker thinks on before it looks whether somebody wants something.
const MOMENT: Duration = Duration::from_millis(150);

/// What START says, and when it came.
pub(super) struct MatchStart {
    pub id: String,
    pub role: String,
    pub sheet: Sheet,
    pub start: Duration,
    pub play: Duration,
    pub accepted: Instant,
}

/// A match, as those see it who wait for answers.
pub(super) struct MatchSession {
    id: String,
    role: String,
    start: Duration,
    play: Duration,
    margin: Duration,
    orders: Sender<ThinkOrder>,
    board: Arc<AnswerBoard>,
    /// Raised when the match is left: nobody needs its machines any more.
    stop: Stop,
}

/// What a thinker is asked to do.
enum ThinkOrder {
    Play {
        report: TurnReport,
        /// What we answered in the turn before.
        sent: Option<String>,
        accepted: Instant,
        ticket: u64,
    },
    /// Whether the game may be over by now, though nobody said so.
    LookBack(Sender<bool>),
    /// The match is over; a STOP brings the last report, after what we answered before.
    Leave(Option<(TurnReport, Option<String>)>),
}

/// Where the thinker writes and the others read.
#[derive(Default)]
struct AnswerBoard {
    face: Mutex<Face>,
    changed: Condvar,
}

#[derive(Default)]
struct Face {
    /// Whether the thinker is ready for the first turn, or why it never will be.
    ready: Option<Result<(), String>>,
    /// The question that was asked last, and with which report.
    asked: u64,
    report: Option<TurnReport>,
    /// A legal move, if the thinker has got as far as that.
    fallback: Option<String>,
    /// The answer to the question of that number.
    answer: Option<(u64, String)>,
    /// When we last answered.
    answered: Option<Instant>,
    /// The match was broken off.
    left: bool,
}

impl AnswerBoard {
    fn face(&self) -> MutexGuard<'_, Face> {
        self.face.lock()
    }

    fn write(&self, change: impl FnOnce(&mut Face)) {
        change(&mut self.face());
        self.changed.notify_all();
    }

    /// A legal move for who asks that question. Where somebody asks the next one already, it is of no use: there it may be illegal.
    fn offer(&self, ticket: u64, mv: String) {
        self.write(|face| {
            if face.asked <= ticket {
                face.fallback = Some(mv);
            }
        });
    }

    /// Waits until `look` finds something, or the deadline.
    fn wait<T>(&self, deadline: Instant, mut look: impl FnMut(&Face) -> Option<T>) -> Option<T> {
        let mut face = self.face();
        loop {
            if let Some(found) = look(&face) {
                return Some(found);
            }
            if self.changed.wait_until(&mut face, deadline).timed_out() {
                return look(&face);
            }
        }
    }
}

/// Half of a clock at most is given away.
fn margin_of(margin: Duration, clock: Duration) -> Duration {
    margin.min(clock / 2)
}

impl MatchSession {
    /// Starts a thinker on a match.
    pub fn begin(
        beginning: MatchStart,
        factory: PlayerFactory<Position>,
        options: PlayerOptions,
        watcher: Watcher,
        minds: Arc<AtomicUsize>,
    ) -> io::Result<MatchSession> {
        let (orders, inbox) = mpsc::channel();
        let board = Arc::new(AnswerBoard::default());
        let session = MatchSession {
            id: beginning.id.clone(),
            role: beginning.role.clone(),
            start: beginning.start,
            play: beginning.play,
            margin: options.margin,
            orders,
            board: board.clone(),
            stop: Stop::new(),
        };
        let stop = session.stop.clone();
        let until = beginning.accepted + beginning.start - margin_of(options.margin, beginning.start);
        let margin = margin_of(options.margin, beginning.play);
        let budget = beginning.play - margin;
        let count = ThinkerCount::new(minds);
        std::thread::Builder::new().name("ggp thinker".into()).spawn(move || {
            let _count = count;
            // A game that breaks the machine or the player must not break us.
            let early = |mv| board.offer(1, mv);
            let seed = options.seed;
            let made = guarded(|| MatchThinker::new(&beginning, factory, seed, until, &stop, watcher.clone(), early));
            let thinker = match made.unwrap_or_else(|| Err("the rules broke the machine".into())) {
                Ok(thinker) => thinker,
                Err(why) => return board.write(|face| face.ready = Some(Err(why))),
            };
            watcher(PlayerEvent::Started {
                id: beginning.id.clone(),
                role: beginning.role.clone(),
            });
            board.write(|face| face.ready = Some(Ok(())));
            let thread = MatchThread {
                thinker,
                inbox,
                board,
                id: beginning.id,
                budget,
                latest: budget + margin / 4,
                ponder: options.ponder,
                watcher,
            };
            thread.run();
        })?;
        Ok(session)
    }

    /// Whether this is the match of that name.
    pub fn is(&self, id: &str) -> bool {
        self.id.eq_ignore_ascii_case(id)
    }

    /// Whether a START is the one that this session still prepares for, sent once more.
    pub fn is_same(&self, other: &MatchStart) -> bool {
        self.is(&other.id) && self.role.eq_ignore_ascii_case(&other.role) && self.board.face().ready.is_none()
    }

    /// Waits until the thinker is ready, or the start clock is nearly over; then it goes on preparing.
    pub fn wait_until_ready(&self, accepted: Instant) -> Result<(), String> {
        let deadline = accepted + self.start - margin_of(self.margin, self.start) / 2;
        let ready = self.board.wait(deadline, |face| face.ready.clone()).unwrap_or(Ok(()));
        self.board.face().answered = Some(Instant::now());
        ready
    }

    /// Our move: what the thinker says, or at the last moment any legal one. An error says why there will never be one.
    pub fn play(&self, report: TurnReport, accepted: Instant) -> Result<String, String> {
        let ticket = {
            let mut face = self.board.face();
            // The same report while we still think about them: somebody lost patience, or the connection.
            let again = face.answer.is_none() && face.report.as_ref() == Some(&report);
            if !again {
                face.asked += 1;
                face.report = Some(report.clone());
                // What is known of the first turn was known before it was asked for.
                if face.asked > 1 {
                    face.fallback = None;
                }
                let sent = face.answer.take().map(|(_, answer)| answer);
                let ticket = face.asked;
                let order = ThinkOrder::Play {
                    report,
                    sent,
                    accepted,
                    ticket,
                };
                // A thinker that is no more cannot be told; the deadline finds it out.
                let _ = self.orders.send(order);
            }
            face.asked
        };
        let margin = margin_of(self.margin, self.play);
        let answered = |face: &Face| match &face.answer {
            _ if face.left => Some(Ok("aborted".into())),
            Some((number, answer)) if *number >= ticket => Some(Ok(answer.clone())),
            _ => match &face.ready {
                Some(Err(why)) => Some(face.fallback.clone().ok_or(why.clone())),
                _ => None,
            },
        };
        // Half of the margin is for the way. Without any move there is nothing to lose by waiting for nearly all of it.
        let thought = self.board.wait(accepted + self.play - margin / 2, answered);
        let answer = thought.or_else(|| {
            let any = |face: &Face| answered(face).or_else(|| face.fallback.clone().map(Ok));
            self.board.wait(accepted + self.play - margin / 8, any)
        });
        let mut face = self.board.face();
        face.answered = Some(Instant::now());
        let answer = answer.unwrap_or_else(|| Ok("nil".into()))?;
        // Whoever asks with the same report from now on asks anew.
        if face.asked == ticket && face.answer.is_none() {
            face.answer = Some((ticket, answer.clone()));
        }
        Ok(answer)
    }

    /// Whether another match may take this one's place: its manager has been silent for too long, or the game may be
    /// over and the STOP was lost.
    pub fn makes_room(&self) -> bool {
        // One that cannot be played will be gone in a moment.
        let soon = Instant::now() + TO_LOOK_BACK;
        if let Some(Err(_)) = self.board.wait(soon, |face| face.ready.clone()) {
            return true;
        }
        let answered = self.board.face().answered;
        let Some(silence) = answered.map(|answered| answered.elapsed()) else {
            return false;
        };
        if silence > 2 * self.play + LOST_AFTER {
            return true;
        }
        if self.is_asked() {
            return false;
        }
        let (send, answer) = mpsc::channel();
        self.orders.send(ThinkOrder::LookBack(send)).is_err() || answer.recv_timeout(TO_LOOK_BACK).unwrap_or(false)
    }

    fn is_asked(&self) -> bool {
        let face = self.board.face();
        face.asked > 0 && face.answer.is_none()
    }

    /// The match is over for us: with the report of a STOP, or without.
    pub fn leave(&self, report: Option<Option<TurnReport>>) {
        let mut sent = None;
        self.board.write(|face| {
            face.left = true;
            sent = face.answer.take().map(|(_, answer)| answer);
        });
        self.stop.raise();
        let last = report.flatten().map(|report| (report, sent));
        let _ = self.orders.send(ThinkOrder::Leave(last));
    }
}

/// Does what is asked until the match is over or everybody has left.
struct MatchThread {
    thinker: MatchThinker,
    inbox: Receiver<ThinkOrder>,
    board: Arc<AnswerBoard>,
    id: String,
    /// How long the thinker may think about a move.
    budget: Duration,
    /// After how long its machines stop, whatever it thinks.
    latest: Duration,
    ponder: bool,
    watcher: Watcher,
}

impl MatchThread {
    fn run(mut self) {
        while let Ok(order) = self.inbox.recv() {
            let mut order = Some(order);
            while let Some(next) = order.take() {
                match next {
                    ThinkOrder::Play {
                        report,
                        sent,
                        accepted,
                        ticket,
                    } => {
                        self.play(&report, sent.as_deref(), accepted, ticket);
                        order = self.ponder(accepted + self.budget);
                    }
                    ThinkOrder::LookBack(answer) => {
                        let thinker = &mut self.thinker;
                        let over = guarded(|| thinker.may_be_over(Instant::now() + TO_LOOK_BACK / 2));
                        let _ = answer.send(over.unwrap_or(true));
                    }
                    ThinkOrder::Leave(last) => {
                        let thinker = &mut self.thinker;
                        let goals = last
                            .and_then(|(report, sent)| guarded(|| thinker.goals(&report, sent.as_deref())).flatten());
                        return (self.watcher)(PlayerEvent::Ended { id: self.id, goals });
                    }
                }
            }
        }
    }

    fn play(&mut self, report: &TurnReport, sent: Option<&str>, accepted: Instant, ticket: u64) {
        let (until, latest) = (accepted + self.budget, accepted + self.latest);
        let (thinker, board) = (&mut self.thinker, &self.board);
        let thought = guarded(|| {
            thinker.follow(report, sent, until);
            if let Some(any) = thinker.any_move() {
                board.offer(ticket, any);
            }
            // Somebody who was asked again in the meantime need not think about the old question.
            let is_last = board.face().asked == ticket;
            if is_last {
                thinker.choose(accepted, until, latest)
            } else {
                None
            }
        });
        let Some(answer) = thought.flatten().or_else(|| board.face().fallback.clone()) else {
            return;
        };
        let mut sent = false;
        board.write(|face| {
            if face.asked == ticket && face.answer.is_none() {
                face.answer = Some((ticket, answer.clone()));
                sent = true;
            }
        });
        (self.watcher)(match sent {
            true => PlayerEvent::Moved {
                id: self.id.clone(),
                turn: thinker.turn() + 1,
                mv: answer,
                took: accepted.elapsed(),
            },
            false => PlayerEvent::Trouble(format!("{}: {answer} came too late", self.id)),
        });
    }

    /// Thinks on, a moment at a time, until there is something to do or the clock is over.
    fn ponder(&mut self, until: Instant) -> Option<ThinkOrder> {
        while self.ponder && Instant::now() < until && !self.board.face().left {
            match self.inbox.try_recv() {
                Ok(order) => return Some(order),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {}
            }
            let thinker = &mut self.thinker;
            if guarded(|| thinker.ponder(MOMENT)) != Some(true) {
                return None;
            }
        }
        None
    }
}

/// What `work` gives, or nothing if it panics: the game on its table may be any program's worst.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
}

/// Counts a thinker as long as it lives.
struct ThinkerCount(Arc<AtomicUsize>);

impl ThinkerCount {
    fn new(minds: Arc<AtomicUsize>) -> Self {
        minds.fetch_add(1, Ordering::AcqRel);
        ThinkerCount(minds)
    }
}

impl Drop for ThinkerCount {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A session without a thinker, and what that would be asked.
    fn session() -> (MatchSession, Receiver<ThinkOrder>) {
        let (orders, inbox) = mpsc::channel();
        let session = MatchSession {
            id: "late".into(),
            role: "p".into(),
            start: Duration::ZERO,
            play: Duration::from_secs(80),
            margin: Duration::from_secs(40),
            orders,
            board: Arc::default(),
            stop: Stop::never(),
        };
        (session, inbox)
    }

    #[test]
    fn a_move_that_comes_within_the_margin_is_better_than_none() {
        let (session, inbox) = session();
        // Half of the margin is over, and the thinker has only just come to this turn.
        let accepted = Instant::now() - Duration::from_secs(60);
        std::thread::scope(|scope| {
            let board = &session.board;
            scope.spawn(move || {
                let asked = inbox.recv();
                std::thread::sleep(Duration::from_millis(50));
                board.offer(1, asked.map_or("nothing was asked".into(), |_| "any".into()));
            });
            assert_eq!(session.play(TurnReport::Nothing, accepted), Ok("any".into()));
        });
    }

    #[test]
    fn a_move_that_was_found_for_the_turn_before_is_not_sent_in_this_one() {
        let (session, inbox) = session();
        let long_ago = Instant::now() - Duration::from_secs(80);
        assert_eq!(session.play(TurnReport::Nothing, long_ago), Ok("nil".into()));
        let accepted = Instant::now() - Duration::from_secs(60);
        std::thread::scope(|scope| {
            let board = &session.board;
            scope.spawn(move || {
                let orders: Vec<_> = inbox.iter().take(2).collect();
                board.offer(1, "of the first turn".into());
                std::thread::sleep(Duration::from_millis(50));
                board.offer(orders.len() as u64, "of the second".into());
            });
            let second = TurnReport::Moves(vec![None]);
            assert_eq!(session.play(second, accepted), Ok("of the second".into()));
        });
    }
}

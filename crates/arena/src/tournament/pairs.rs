//! The pairs of a plan: who meets in each, and playing any of them, here or elsewhere.

use crate::contest::{Contest, ContestError, Meeting, ThreadPlayers};
use crate::identity::{Identity, Recorded};
use crate::live::LiveGames;
use crate::plan::{Format, Plan};
use crate::queue::{Halt, Order, Unit, Work};
use crate::record::PairRecord;
use crate::schedule::Drawn;
use crate::store::{Store, StoreError};
use game::Stop;
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a tournament's pairs are called among other work.
pub const KIND: &str = "pairs";

/// All that can be played of a plan: any of its pairs, by number.
pub struct Pairs {
    pub(super) plan: Plan,
    pub(super) meetings: Vec<(usize, usize)>,
    /// Where the results decide who meets: who meets in each pair, as far as that is known.
    drawn: RwLock<Vec<Drawn>>,
    contest: Arc<dyn Contest>,
    identity: Identity,
    live: LiveGames,
    /// If every thread keeps to a core of its own: how many there are already.
    pinned: Option<AtomicUsize>,
}

impl Pairs {
    /// The pairs of a plan: a contest of its players.
    pub fn new(plan: Plan, contest: Arc<dyn Contest>) -> Result<Self, ContestError> {
        if contest.seats() != 2 {
            return Err(ContestError::Seats(contest.seats()));
        }
        if contest.players() != plan.players.len() {
            return Err(ContestError::Players {
                seats: plan.players.len(),
                players: contest.players(),
            });
        }
        let mut identity = Identity::default();
        for (number, player) in plan.players.iter().enumerate() {
            for (what, value) in contest.identity(number) {
                identity.add(&format!("{}: {what}", player.name), value);
            }
        }
        Ok(Pairs {
            meetings: plan.meetings(),
            drawn: RwLock::default(),
            plan,
            contest,
            identity,
            live: LiveGames::default(),
            pinned: None,
        })
    }

    /// The same, with every thread and the programs it starts kept on a core of their own.
    pub fn pinned(mut self, pinned: bool) -> Self {
        self.pinned = pinned.then(AtomicUsize::default);
        self
    }

    /// The same, where something else decides which games are played: the rules in a file, say.
    pub fn with(mut self, what: &str, value: &str) -> Self {
        self.identity.add(what, value);
        self
    }

    /// Which programs play, and whatever else decides which games are played.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// What makes it this tournament: the plan, and which programs play.
    pub fn key(&self) -> String {
        self.identity.key(&self.plan.key())
    }

    /// What the records know of it.
    pub fn recorded(&self, store: &Store) -> Result<Recorded, StoreError> {
        store.recorded(&self.plan.key(), &self.identity)
    }

    /// The games that are being played here.
    pub fn live(&self) -> &LiveGames {
        &self.live
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether the results decide who meets.
    pub(super) fn has_stages(&self) -> bool {
        matches!(self.plan.format, Format::Swiss | Format::Knockout)
    }

    /// The numbers of the players of a pair, if it is decided who meets in it.
    pub fn players_of(&self, number: u64) -> Option<[usize; 2]> {
        self.meeting(number).map(|meeting| [meeting.first, meeting.second])
    }

    /// Who meets in a pair, in which round, and what all its chance is drawn from. Nobody yet, if results are missing that
    /// decide it.
    fn meeting(&self, number: u64) -> Option<Meeting> {
        if !self.has_stages() {
            let known = number < self.plan.pairs();
            return known.then(|| Meeting::new(self.plan.seed, &self.meetings, number));
        }
        let drawn = *self.drawn.read().get(usize::try_from(number).ok()?)?;
        Some(self.meeting_of(number, drawn))
    }

    fn meeting_of(&self, number: u64, drawn: Drawn) -> Meeting {
        Meeting::drawn(self.plan.seed, number, (drawn.first, drawn.second), drawn.round)
    }

    /// Adds a stage; the numbers of its pairs.
    pub(super) fn draw(&self, stage: &[Drawn]) -> Range<u64> {
        let mut drawn = self.drawn.write();
        let from = drawn.len() as u64;
        drawn.extend_from_slice(stage);
        from..drawn.len() as u64
    }

    /// A pair as a unit of work. Who plays it elsewhere does not know the results, so it is told who meets.
    pub(super) fn unit(&self, number: u64) -> Unit {
        let drawn = self.drawn.read();
        let told = usize::try_from(number).ok().and_then(|number| drawn.get(number));
        Unit {
            number,
            text: told.map_or(String::new(), |drawn| {
                format!("{} {} {}", drawn.first, drawn.second, drawn.round)
            }),
        }
    }

    /// The meeting of a unit, which may come from elsewhere.
    fn meeting_of_unit(&self, unit: &Unit) -> Result<Meeting, Halt> {
        let wrong = || {
            Halt::Failed(format!(
                "expected a pair of this plan, found number {} {:?}",
                unit.number, unit.text
            ))
        };
        if !self.has_stages() {
            return self.meeting(unit.number).ok_or_else(wrong);
        }
        let numbers: Vec<u64> = unit.text.split(' ').map_while(|word| word.parse().ok()).collect();
        match numbers[..] {
            [first, second, round] if first < second && second < self.plan.players.len() as u64 => Ok(self.meeting_of(
                unit.number,
                Drawn {
                    first: first as usize,
                    second: second as usize,
                    round,
                },
            )),
            _ => Err(wrong()),
        }
    }

    /// Whether a pair is one of these: what comes from elsewhere may be anything.
    pub(super) fn holds(&self, pair: &PairRecord) -> bool {
        let claimed = Meeting {
            number: pair.number,
            first: pair.first,
            second: pair.second,
            round: pair.round,
            seed: pair.seed,
            opening_seed: self.plan.seed,
        };
        self.meeting(pair.number) == Some(claimed)
    }
}

/// A plan for those who play some of its pairs elsewhere: files that it names may not be there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// The plan as TOML.
    pub plan: String,
    /// The positions to begin from, if the plan names a file of them.
    pub positions: Option<Vec<String>>,
    /// Which programs play: files and digests, or versions.
    #[serde(default)]
    pub identity: Vec<(String, String)>,
}

impl Work for Pairs {
    type Done = PairRecord;
    type ThreadState = Box<dyn ThreadPlayers>;

    fn order(&self) -> Order {
        let brief = Brief {
            plan: self.plan.to_toml(),
            positions: self.contest.positions(),
            identity: self.identity.parts().to_vec(),
        };
        Order {
            kind: KIND.into(),
            // Texts and lists of texts: nothing that could not be written.
            text: serde_json::to_string(&brief).unwrap_or_default(),
        }
    }

    fn thread_state(&self, stop: &Stop) -> Box<dyn ThreadPlayers> {
        if let Some(threads) = &self.pinned {
            // Who may not, plays all the same: whoever asked for it has been told what it takes.
            let _ = process::pin_this_thread(threads.fetch_add(1, Ordering::Relaxed));
        }
        self.contest.clone().thread_players(&self.plan.terms, stop)
    }

    fn work(&self, unit: &Unit, players: &mut Box<dyn ThreadPlayers>) -> Result<PairRecord, Halt> {
        let meeting = self.meeting_of_unit(unit)?;
        players.record(&meeting, &self.live).ok_or(Halt::Stopped)
    }
}

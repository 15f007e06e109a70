//! A game and those who play it: where the type of the game disappears.
//!
//! [`Contest`] is all that a match or a tournament needs to know of a game: how many seats and players there are, and a
//! [`ThreadPlayers`] for each thread, which plays whole units. What happens within a unit is static and knows the game; the erased call
//! is one a unit.
//!
//! A unit is a round of games in which everybody sits on every seat once: with two seats, a pair. All its chance is drawn from
//! the seed of its [`Meeting`]; see there. This is the only seed scheme, so a match and a tournament of the same players from
//! the same seed are the same games.

use crate::gamelog::{GameLog, LoggedGame};
use crate::live::{LiveGame, LiveGames, Shown};
use crate::opening::{Opening, Openings};
use crate::record::{GameRecorder, PairRecord};
use crate::referee::{self, Conditions, Ended, GameObserver, Timing, Verdict};
use crate::tally::Tally;
use crate::terms::{Terms, TimeControl};
use arrayvec::ArrayVec;
use game::{Game, MAX_SEATS, Seat, Stop, mix};
use player::{Clock, Oracle, Player, PlayerFactory};
use std::sync::Arc;
use thiserror::Error;

/// A unit to be played: who meets, and what all chance is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The number of the unit in the whole match or tournament.
    pub number: u64,
    /// Who sits on the first seat of the first game. With more or fewer seats than two all players meet, in their order.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// How often these have met before.
    pub round: u64,
    /// What the chance of the unit is drawn from.
    pub seed: u64,
    /// What openings are drawn from: they are the same for all who meet in a round.
    pub opening_seed: u64,
}

impl Meeting {
    /// The meeting of two players (`index` is its place among all meetings) in a round.
    #[inline]
    pub fn new(seed: u64, meetings: &[(usize, usize)], number: u64) -> Self {
        let count = meetings.len().max(1) as u64;
        let (round, index) = (number / count, number % count);
        let (first, second) = meetings.get(index as usize).copied().unwrap_or_default();
        Meeting {
            number,
            first,
            second,
            round,
            seed: mix(seed, &[index, round]),
            opening_seed: seed,
        }
    }

    /// A meeting that the results before it have decided on.
    pub(crate) fn drawn(seed: u64, number: u64, (first, second): (usize, usize), round: u64) -> Self {
        Meeting {
            number,
            first,
            second,
            round,
            seed: mix(seed, &[number, round]),
            opening_seed: seed,
        }
    }

    /// What the players draw their chance from in one of the games, each from its own part of it.
    #[inline]
    fn game_seed(&self, game: u64) -> u64 {
        mix(self.seed, &[game])
    }
}

/// Why there can be no contest.
#[derive(Debug, Error)]
pub enum ContestError {
    /// Pairs are for two.
    #[error("this is for games with two seats, and this one has {0}")]
    Seats(usize),
    /// Everybody needs a seat, and every seat somebody.
    #[error("the game has {seats} seats and needs as many players; {players} were named")]
    Players {
        /// The seats.
        seats: usize,
        /// The players.
        players: usize,
    },
}

/// A game and its players, ready to meet.
pub trait Contest: Send + Sync {
    /// The seats of the game.
    fn seats(&self) -> usize;

    /// How many players there are.
    fn players(&self) -> usize;

    /// What makes a player this one beyond its spec: files and digests, or a version.
    fn identity(&self, player: usize) -> &[(String, String)];

    /// The positions that games begin from, if there is a list of them.
    fn positions(&self) -> Option<Vec<String>>;

    /// The players of one thread, who play on these terms until `stop` is raised.
    fn thread_players(self: Arc<Self>, terms: &Terms, stop: &Stop) -> Box<dyn ThreadPlayers>;
}

/// The players of one thread.
pub trait ThreadPlayers {
    /// Plays a pair and writes it down, for others to look on. Nothing comes of it if it is stopped before the end.
    fn record(&mut self, meeting: &Meeting, live: &LiveGames) -> Option<PairRecord>;

    /// Plays the first `games` games of a unit and only counts them. False if it is stopped before the end.
    fn count(&mut self, meeting: &Meeting, games: u64, tally: &mut Tally) -> bool;
}

/// A contest whose game is known.
pub struct TypedContest<G: Game> {
    start: G,
    factories: Vec<PlayerFactory<G>>,
    openings: Openings<G>,
    /// What limits the thinking of each player, where they differ.
    controls: Vec<Option<TimeControl>>,
    oracle: Option<Box<dyn Oracle<G>>>,
    log: Option<Arc<GameLog>>,
}

impl<G: Game> TypedContest<G> {
    /// The contest of these players.
    #[inline]
    pub fn new(start: G, factories: Vec<PlayerFactory<G>>, openings: Openings<G>) -> Self {
        TypedContest {
            start,
            factories,
            openings,
            controls: Vec::new(),
            oracle: None,
            log: None,
        }
    }

    /// The same, where some players have a time control of their own.
    pub fn timed(mut self, controls: Vec<Option<TimeControl>>) -> Self {
        self.controls = controls;
        self
    }

    /// The same, with somebody who knows the truth, for terms that let it end games.
    pub fn knowing(mut self, oracle: Option<Box<dyn Oracle<G>>>) -> Self {
        self.oracle = oracle;
        self
    }

    /// The same, with every conversation written down.
    pub fn logging(mut self, log: Option<Arc<GameLog>>) -> Self {
        self.log = log;
        self
    }
}

impl<G: Game> Contest for TypedContest<G> {
    fn seats(&self) -> usize {
        self.start.seats()
    }

    fn players(&self) -> usize {
        self.factories.len()
    }

    fn identity(&self, player: usize) -> &[(String, String)] {
        self.factories.get(player).map_or(&[], |factory| &factory.identity)
    }

    fn positions(&self) -> Option<Vec<String>> {
        match &self.openings {
            Openings::Positions(positions) => Some(positions.iter().map(Game::print).collect()),
            Openings::Plies(_) => None,
        }
    }

    fn thread_players(self: Arc<Self>, terms: &Terms, stop: &Stop) -> Box<dyn ThreadPlayers> {
        let sides = if self.start.seats() == 2 { 2 } else { 1 };
        Box::new(TypedPlayers {
            sides: (0..sides)
                .map(|_| self.factories.iter().map(|_| None).collect())
                .collect(),
            contest: self,
            terms: *terms,
            // A sign of its own: threads that count the holders of one sign wait for each other.
            clock: Clock {
                stop: stop.child(),
                ..Clock::unlimited()
            },
            buffer: Vec::new(),
        })
    }
}

/// The players of one side, by number, made when first needed.
type SidePlayers<G> = Vec<Option<Box<dyn Player<G>>>>;

struct TypedPlayers<G: Game> {
    contest: Arc<TypedContest<G>>,
    terms: Terms,
    clock: Clock,
    /// Two sides where pairs are played, because a player may well meet itself; one where all play at one table.
    sides: Vec<SidePlayers<G>>,
    buffer: Vec<G::Move>,
}

/// Of units that are only counted, one in so many is timed where the players do not look at their clocks: reading a clock takes as
/// long as a random player's turn.
const TIMED: u64 = 32;

impl<G: Game> TypedPlayers<G> {
    fn opening(&mut self, meeting: &Meeting) -> Opening<G> {
        let contest = &self.contest;
        contest
            .openings
            .of_round(&contest.start, meeting.opening_seed, meeting.round, &mut self.buffer)
    }

    /// A unit that begins so, who plays it, and their clock.
    fn begin<'t: 'u, 'u>(
        &'t mut self,
        meeting: &'u Meeting,
        opening: &'u Opening<G>,
    ) -> (UnitGames<'u, G>, MeetingPlayers<'t, G>, &'t mut Clock) {
        let players = table(&self.contest, &mut self.sides, meeting, &self.clock.stop);
        let unit = UnitGames {
            contest: &self.contest,
            terms: &self.terms,
            meeting,
            opening,
        };
        (unit, players, &mut self.clock)
    }
}

/// What limits the thinking of those who meet in one of their games, seat by seat; nothing if the terms say it for all.
fn seat_controls<G: Game>(
    contest: &TypedContest<G>,
    terms: &Terms,
    meeting: &Meeting,
    game: u64,
) -> ArrayVec<TimeControl, MAX_SEATS> {
    if contest.controls.iter().all(Option::is_none) {
        return ArrayVec::new();
    }
    let of = |player: usize| contest.controls.get(player).copied().flatten().unwrap_or(terms.control);
    sitting(contest.start.seats(), meeting, game).map(of).collect()
}

/// Who sits on each seat in one of the games of a unit: who sat on seat 1 in the first game moves up one seat a game.
fn sitting(seats: usize, meeting: &Meeting, game: u64) -> impl Iterator<Item = usize> + use<> {
    let (first, second) = (meeting.first, meeting.second);
    let up = (game % seats.max(1) as u64) as usize;
    (0..seats).map(move |seat| match (seats, (seat + seats - up) % seats) {
        (2, 0) => first,
        (2, _) => second,
        (_, player) => player,
    })
}

/// Takes those who meet from the sides of a thread; who is needed for the first time is made.
fn table<'p, G: Game>(
    contest: &TypedContest<G>,
    sides: &'p mut [SidePlayers<G>],
    meeting: &Meeting,
    stop: &Stop,
) -> MeetingPlayers<'p, G> {
    let made = |player: usize, place: &mut Option<Box<dyn Player<G>>>| {
        if place.is_none() {
            let mut made = contest.factories[player].make();
            made.heed(stop);
            if contest.log.is_some() {
                made.keep_conversation();
            }
            *place = Some(made);
        }
    };
    match sides {
        [one, other] => {
            made(meeting.first, &mut one[meeting.first]);
            made(meeting.second, &mut other[meeting.second]);
            let pair = [&mut one[meeting.first], &mut other[meeting.second]];
            pair.into_iter().flatten().collect()
        }
        all => {
            let all = all.iter_mut().flatten().enumerate();
            all.filter_map(|(player, place)| {
                made(player, place);
                place.as_mut()
            })
            .collect()
        }
    }
}

/// Those who meet, in the order of the seats of the first game.
type MeetingPlayers<'p, G> = ArrayVec<&'p mut Box<dyn Player<G>>, MAX_SEATS>;

/// The players as they sit.
type Seats<'p, G> = ArrayVec<&'p mut dyn Player<G>, MAX_SEATS>;

/// Gets everybody ready for a game and seats them: who sat on seat 1 in the first game moves up one seat a game.
fn seat<'p, G: Game>(
    players: &'p mut [&mut Box<dyn Player<G>>],
    meeting: &Meeting,
    game: u64,
    opening: &Opening<G>,
) -> Seats<'p, G> {
    let game_seed = meeting.game_seed(game);
    for (number, player) in (0..).zip(players.iter_mut()) {
        player.begin(mix(game_seed, &[number]));
        opening.tell(player.as_mut());
    }
    let up = (game % players.len().max(1) as u64) as usize;
    let (others, last) = players.split_at_mut(players.len() - up);
    let seats = last.iter_mut().chain(others);
    seats.map(|player| player.as_mut() as _).collect()
}

/// What the games of a unit have in common.
struct UnitGames<'a, G: Game> {
    contest: &'a TypedContest<G>,
    terms: &'a Terms,
    meeting: &'a Meeting,
    opening: &'a Opening<G>,
}

impl<G: Game> UnitGames<'_, G> {
    /// Plays one of them and writes down what was said; `None` if it was stopped.
    #[inline]
    fn play(
        &self,
        game: u64,
        seats: &mut [&mut dyn Player<G>],
        clock: &mut Clock,
        timing: Timing,
        observer: &mut impl GameObserver<G>,
    ) -> Option<Ended> {
        let conditions = Conditions {
            terms: self.terms,
            controls: &seat_controls(self.contest, self.terms, self.meeting, game),
            oracle: self.contest.oracle.as_deref(),
        };
        let ended = referee::play(&self.opening.position, seats, &conditions, clock, timing, observer)?;
        write_log(self.contest, self.meeting, game, seats, &ended);
        Some(ended)
    }
}

/// Writes down what was said in a game, if somebody wants it.
fn write_log<G: Game>(
    contest: &TypedContest<G>,
    meeting: &Meeting,
    game: u64,
    seats: &mut [&mut dyn Player<G>],
    ended: &Ended,
) {
    let Some(log) = &contest.log else { return };
    log.write(&LoggedGame {
        pair: meeting.number,
        game,
        seed: meeting.seed,
        players: sitting(seats.len(), meeting, game).collect(),
        said: seats.iter_mut().map(|player| player.conversation()).collect(),
        result: ended.verdict.in_words(),
    });
}

/// What the players wrote beside their moves.
fn logs<G: Game>(seats: Seats<G>) -> String {
    let mut all = String::new();
    for (index, player) in (0..).zip(seats) {
        let log = player.stderr_log();
        if !log.is_empty() {
            all += &format!("[{}]\n{}\n", Seat::new(index), log.trim_end());
        }
    }
    all
}

impl<G: Game> ThreadPlayers for TypedPlayers<G> {
    fn record(&mut self, meeting: &Meeting, live: &LiveGames) -> Option<PairRecord> {
        let opening = self.opening(meeting);
        let (unit, mut players, clock) = self.begin(meeting, &opening);
        let mut one = |game| {
            let mut seats = seat(&mut players, meeting, game, &opening);
            let mut shown = Shown {
                recorder: GameRecorder::new(),
                live,
                game: LiveGame {
                    pair: meeting.number,
                    game,
                    players: match game {
                        0 => [meeting.first, meeting.second],
                        _ => [meeting.second, meeting.first],
                    },
                    start: opening.start.clone(),
                    turns: opening.turns.clone(),
                },
            };
            let ended = unit.play(game, &mut seats, clock, Timing::EveryTurn, &mut shown)?;
            let mut record = shown.recorder.finish(&ended);
            if let [first, second] = &mut seats[..] {
                record.add_processor_times([first.processor_time(), second.processor_time()]);
            }
            record.log = logs(seats);
            Some(record)
        };
        let games = one(0).and_then(|first| Some([first, one(1)?]));
        live.forget(meeting.number);
        let games = games?;
        Some(PairRecord {
            number: meeting.number,
            first: meeting.first,
            second: meeting.second,
            round: meeting.round,
            seed: meeting.seed,
            start: opening.start,
            opening: opening.turns,
            games,
        })
    }

    fn count(&mut self, meeting: &Meeting, games: u64, tally: &mut Tally) -> bool {
        let opening = self.opening(meeting);
        let (unit, mut players, clock) = self.begin(meeting, &opening);
        let timing = match meeting.number % TIMED {
            0 => Timing::EveryTurn,
            _ => Timing::WhereNeeded,
        };
        for game in 0..games {
            let up = game as usize;
            let mut seats = seat(&mut players, meeting, game, &opening);
            let Some(ended) = unit.play(game, &mut seats, clock, timing, &mut tally.clocks(up)) else {
                return false;
            };
            tally.count(&ended, up);
            if let Verdict::Forfeit { seat, .. } = ended.verdict {
                tally.note_stderr(&seats[seat.index()].stderr_log());
            }
        }
        true
    }
}

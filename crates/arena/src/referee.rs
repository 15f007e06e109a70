//! One game: asks the players in turn, checks every move, keeps the time.

use crate::adjudication::{Adjudicated, Adjudicator};
use crate::tally::SeatedClocks;
use crate::terms::{RefereeClocks, Terms, TimeControl};
use game::{Game, Parts, Payoffs, Seat};
use player::{Analysis, Clock, Oracle, Player, PlayerError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// By the rules.
    Finished(Payoffs),
    /// By a player who broke them.
    Forfeit {
        /// Whose fault it was.
        seat: Seat,
        /// What happened.
        fault: GameFault,
    },
    /// By the referee.
    Adjudicated(Adjudicated),
}

/// What costs a player the game at once.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFault {
    /// A move that the rules do not allow.
    #[error("illegal move {mv} in {position}: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// Where.
        position: String,
        /// Why not.
        why: String,
    },
    /// No move at all, or none in time.
    #[error(transparent)]
    NoMove(#[from] PlayerError),
}

/// The kinds of verdicts, kept apart in the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerdictKind {
    /// Won by the rules.
    Win,
    /// Drawn by the rules.
    Draw,
    /// Lost by a move that the rules do not allow, or by words that are no move.
    Illegal,
    /// Lost by a player that died.
    Crash,
    /// Lost on time.
    Timeout,
    /// Lost by silence where no clock ran.
    Stall,
    /// Lost by a player that went away.
    Disconnect,
    /// Ended by the referee.
    Adjudicated,
}

impl VerdictKind {
    /// All kinds.
    pub const ALL: [VerdictKind; 8] = [
        VerdictKind::Win,
        VerdictKind::Draw,
        VerdictKind::Illegal,
        VerdictKind::Crash,
        VerdictKind::Timeout,
        VerdictKind::Stall,
        VerdictKind::Disconnect,
        VerdictKind::Adjudicated,
    ];

    /// The word in the records.
    pub const fn word(self) -> &'static str {
        match self {
            VerdictKind::Win => "win",
            VerdictKind::Draw => "draw",
            VerdictKind::Illegal => "illegal",
            VerdictKind::Crash => "crash",
            VerdictKind::Timeout => "timeout",
            VerdictKind::Stall => "stall",
            VerdictKind::Disconnect => "disconnect",
            VerdictKind::Adjudicated => "adjudicated",
        }
    }

    /// The kind of that word.
    pub fn of_word(word: &str) -> Option<VerdictKind> {
        VerdictKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether somebody lost by a fault of its own.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, VerdictKind::Win | VerdictKind::Draw | VerdictKind::Adjudicated)
    }
}

impl GameFault {
    fn kind(&self) -> VerdictKind {
        match self {
            GameFault::Illegal { .. } => VerdictKind::Illegal,
            GameFault::NoMove(error) => match error {
                PlayerError::NotAMove { .. } => VerdictKind::Illegal,
                PlayerError::Finished | PlayerError::Crash(_) => VerdictKind::Crash,
                PlayerError::Timeout(_) => VerdictKind::Timeout,
                PlayerError::Stall(_) => VerdictKind::Stall,
                PlayerError::Disconnect(_) => VerdictKind::Disconnect,
            },
        }
    }
}

impl Verdict {
    /// The seat of a game for two that won, if one did.
    pub fn winner(&self) -> Option<Seat> {
        match self {
            Verdict::Finished(payoffs) => payoffs.winner(),
            Verdict::Forfeit { seat, .. } => Some(seat.other()),
            Verdict::Adjudicated(called) => called.winner(),
        }
    }

    /// For people: who won and why.
    pub fn in_words(&self) -> String {
        match self {
            Verdict::Finished(payoffs) => match payoffs.winner() {
                Some(winner) => format!("{winner} won"),
                None => "draw".into(),
            },
            Verdict::Forfeit { seat, fault } => format!("{seat} lost: {fault}"),
            Verdict::Adjudicated(called) => {
                let result = called.winner().map_or("draw".to_string(), |seat| format!("{seat} won"));
                match called.why() {
                    "" => format!("{result}, adjudicated"),
                    why => format!("{result}, adjudicated: {why}"),
                }
            }
        }
    }

    /// Its kind.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Finished(payoffs) if payoffs.winner().is_some() => VerdictKind::Win,
            Verdict::Finished(_) => VerdictKind::Draw,
            Verdict::Forfeit { fault, .. } => fault.kind(),
            Verdict::Adjudicated(_) => VerdictKind::Adjudicated,
        }
    }
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub verdict: Verdict,
    /// After so many turns.
    pub turns: u32,
    /// The game's own points, if it counts any and nobody forfeited.
    pub points: Option<[i32; 2]>,
}

/// The time of a turn: placing and giving.
pub type PartTimes = (Option<Duration>, Option<Duration>);

/// Somebody who looks on while a game is played.
pub trait GameObserver<G: Game> {
    /// A legal turn was made in `position` and took so long.
    fn turn(&mut self, position: &G, seat: Seat, analysis: &Analysis<G::Move>, times: PartTimes);
}

impl<G: Game> GameObserver<G> for SeatedClocks<'_> {
    #[inline]
    fn turn(&mut self, _: &G, seat: Seat, analysis: &Analysis<G::Move>, times: PartTimes) {
        let clock = self.of(seat);
        clock.add(times);
        if let Some(why) = analysis.replaced {
            clock.replaced.add(why);
        }
    }
}

/// Which turns are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// All of them: somebody writes the times down.
    EveryTurn,
    /// Those of a game with a clock, or with a player that looks at its clock.
    WhereNeeded,
}

/// What a game is played under.
pub struct Conditions<'a, G: Game> {
    /// The terms for everybody.
    pub terms: &'a Terms,
    /// What limits thinking seat by seat; empty where the terms say it for all.
    pub controls: &'a [TimeControl],
    /// Who knows the truth, if the terms want it to end games.
    pub oracle: Option<&'a dyn Oracle<G>>,
}

impl<'a, G: Game> Conditions<'a, G> {
    /// The same terms for everybody.
    pub fn of(terms: &'a Terms) -> Self {
        Conditions {
            terms,
            controls: &[],
            oracle: None,
        }
    }

    /// What is known of an unfinished game for two after so many turns, if that is to end it.
    fn exact(&self, position: &G, turns: u32) -> Option<Adjudicated> {
        let oracle = self.oracle.filter(|_| position.seats() == 2)?;
        let from = self.terms.adjudication.exact?;
        let value = if turns < from { None } else { oracle.value(position) }?;
        let mover = position.mover();
        Some(Adjudicated::Exact(match value {
            0 => None,
            value if value > 0 => Some(mover),
            _ => Some(mover.other()),
        }))
    }
}

/// Plays a game from `start` under the given conditions, with a player for each seat. `clock` is what the players see; its stop sign ends the
/// game, and nothing comes of it then, for a player that was told to hurry may not have done its best.
pub fn play<G: Game>(
    start: &G,
    seats: &mut [&mut dyn Player<G>],
    conditions: &Conditions<G>,
    clock: &mut Clock,
    timing: Timing,
    observer: &mut impl GameObserver<G>,
) -> Option<Ended> {
    let terms = conditions.terms;
    let mut position = start.clone();
    let mut turns = 0;
    let mut adjudicator = Adjudicator::new(terms.adjudication);
    let judged = adjudicator.listens() && start.seats() == 2;
    let most_turns = terms.max_turns.unwrap_or(u32::MAX);
    let ended = |verdict, turns, points| Some(Ended { verdict, turns, points });
    let followed = seats.iter().any(|player| player.follows());
    let timed = timing == Timing::EveryTurn
        || terms.control != TimeControl::None
        || conditions.controls.iter().any(|control| *control != TimeControl::None)
        || seats.iter().any(|player| player.reads_clock());
    let mut clocks = RefereeClocks::new(terms, conditions.controls, clock, timed);
    // The end of one turn is the beginning of the next: a clock reading costs as much as a random player's turn.
    let mut now = clocks.now();
    loop {
        if let Some(payoffs) = position.outcome() {
            return ended(Verdict::Finished(payoffs), turns, position.points());
        }
        if turns >= most_turns {
            return ended(Verdict::Adjudicated(Adjudicated::Long), turns, position.points());
        }
        if let Some(called) = conditions.exact(&position, turns) {
            return ended(Verdict::Adjudicated(called), turns, None);
        }
        let seat = position.mover();
        let clock = match timed {
            true => clocks.start(seat, now),
            false => clocks.unread(),
        };
        let answer = seats[seat.index()].choose(&position, clock);
        if clock.stop.is_raised() {
            return None;
        }
        // Looked at where it is: it is large, and to move it takes longer than a random player's thought.
        let analysis = match &answer {
            Ok(analysis) => analysis,
            Err(error) => {
                let fault = error.clone().into();
                return ended(Verdict::Forfeit { seat, fault }, turns, None);
            }
        };
        let mut times = (None, None);
        if timed {
            let (started, patience) = (clock.started, clock.patience);
            now = Instant::now();
            let used = now.duration_since(started);
            // Who was late and had its move replaced has paid for it already: it is not late a second time because the machine is busy.
            let counted = match (analysis.replaced, patience) {
                (Some(_), Some(patience)) => used.min(patience),
                _ => used,
            };
            if let Err(error) = clocks.stop(seat, counted) {
                let fault = error.into();
                return ended(Verdict::Forfeit { seat, fault }, turns, None);
            }
            times = split(used, analysis.first_half, position.parts(analysis.best));
        }
        if !position.is_legal(analysis.best) {
            let fault = GameFault::Illegal {
                mv: position.print_move(analysis.best),
                position: position.print(),
                why: position.why_illegal(analysis.best),
            };
            return ended(Verdict::Forfeit { seat, fault }, turns, None);
        }
        observer.turn(&position, seat, analysis, times);
        if followed {
            seats
                .iter_mut()
                .for_each(|player| player.moved(&position, analysis.best));
        }
        position.play_unchecked(analysis.best);
        turns += 1;
        if judged
            && position.outcome().is_none()
            && let Some(called) = adjudicator.hear(seat, analysis.score, turns)
        {
            return ended(Verdict::Adjudicated(called), turns, None);
        }
    }
}

/// The time for placing and for giving. A player that decides both at once has spent it on the placement.
fn split(used: Duration, first_half: Option<Duration>, parts: Parts) -> PartTimes {
    match parts {
        Parts::Place => (Some(used), None),
        Parts::Give => (None, Some(used)),
        Parts::Both => {
            let place = first_half.map_or(used, |half| half.min(used));
            (Some(place), Some(used - place))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Tally;
    use game::Stop;
    use player::{Clock, Replaced};
    use quarto::players::factory;
    use quarto::{Cell, Piece, Position, Rules, Turn};

    /// Says the same turn whatever is asked.
    struct Parrot(Turn);

    impl Player<Position> for Parrot {
        fn begin(&mut self, _: u64) {}

        fn choose(&mut self, _: &Position, _: &Clock) -> Result<Analysis<Turn>, PlayerError> {
            Ok(Analysis::of_move(self.0))
        }
    }

    #[test]
    fn an_illegal_move_costs_the_game_and_is_explained() {
        let start = Position::new(Rules::standard());
        let mut random = factory("random").unwrap().make();
        let mut parrot = Parrot(Turn {
            place: Cell::new(0),
            give: Piece::new(1),
        });
        let mut tally = Tally::new(2);
        let Ended { verdict, turns, .. } = play(
            &start,
            &mut [&mut parrot, random.as_mut()],
            &Conditions::of(&Terms::default()),
            &mut Clock::unlimited(),
            Timing::EveryTurn,
            &mut tally.clocks(0),
        )
        .unwrap();
        let Verdict::Forfeit { seat, fault } = &verdict else {
            panic!("{verdict:?}");
        };
        assert_eq!((*seat, turns), (Seat::FIRST, 0));
        assert_eq!(verdict.winner(), Some(Seat::SECOND));
        assert!(fault.to_string().contains("no piece is in hand"), "{fault}");
    }

    /// Plays any turn, too late, and has it called replaced or not.
    struct Late(Option<Replaced>);

    impl Player<Position> for Late {
        fn begin(&mut self, _: u64) {}

        fn choose(&mut self, position: &Position, _: &Clock) -> Result<Analysis<Turn>, PlayerError> {
            std::thread::sleep(Duration::from_millis(30));
            let turn = position.random_move(&mut game::rng(1), &mut Vec::new());
            Ok(Analysis {
                replaced: self.0,
                ..Analysis::of_move(turn.ok_or(PlayerError::Finished)?)
            })
        }
    }

    #[test]
    fn who_is_late_loses_the_game_unless_its_move_was_replaced_for_that() {
        let terms = Terms {
            control: TimeControl::Move(Duration::from_millis(1)),
            margin: Duration::ZERO,
            max_turns: Some(1),
            ..Terms::default()
        };
        let ends = [Some(Replaced::Late), None].map(|replaced| {
            let mut random = factory("random").unwrap().make();
            let mut tally = Tally::new(2);
            let ended = play(
                &Position::new(Rules::standard()),
                &mut [&mut Late(replaced), random.as_mut()],
                &Conditions::of(&terms),
                &mut Clock::unlimited(),
                Timing::EveryTurn,
                &mut tally.clocks(0),
            );
            ended.unwrap().verdict.kind()
        });
        assert_eq!(ends, [VerdictKind::Adjudicated, VerdictKind::Timeout]);
    }

    #[test]
    fn a_game_that_lasts_too_long_is_adjudicated_a_draw_and_one_that_is_stopped_has_no_verdict() {
        let start = Position::new(Rules::standard());
        let [mut a, mut b] = [0, 1].map(|_| factory("random").unwrap().make());
        let mut tally = Tally::new(2);
        let terms = Terms {
            max_turns: Some(2),
            ..Terms::default()
        };
        let stop = Stop::new();
        let mut clock = Clock {
            stop: stop.clone(),
            ..Clock::unlimited()
        };
        let players: &mut [&mut dyn Player<Position>] = &mut [a.as_mut(), b.as_mut()];
        let ended = play(
            &start,
            players,
            &Conditions::of(&terms),
            &mut clock,
            Timing::WhereNeeded,
            &mut tally.clocks(0),
        )
        .unwrap();
        assert_eq!(
            (ended.verdict, ended.turns, ended.points),
            (Verdict::Adjudicated(Adjudicated::Long), 2, None)
        );
        stop.raise();
        assert_eq!(
            play(
                &start,
                players,
                &Conditions::of(&terms),
                &mut clock,
                Timing::WhereNeeded,
                &mut tally.clocks(0)
            ),
            None
        );
    }

    #[test]
    fn time_is_split_where_the_player_says_so() {
        let ms = Duration::from_millis;
        assert_eq!(split(ms(5), None, Parts::Both), (Some(ms(5)), Some(ms(0))));
        assert_eq!(split(ms(5), Some(ms(2)), Parts::Both), (Some(ms(2)), Some(ms(3))));
        assert_eq!(split(ms(5), Some(ms(9)), Parts::Both), (Some(ms(5)), Some(ms(0))));
        assert_eq!(split(ms(5), Some(ms(0)), Parts::Give), (None, Some(ms(5))));
    }
}

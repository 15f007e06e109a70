//! Loisel, the player of report 002, for any rule sheet.
//!
//! Iterative deepening: 1, 3, 5, … moves ahead, so that the last layer is always the opponent's. Alpha-beta stops at
//! a move worth 100. Positions at the horizon are judged by how many moves the opponent has: fewer is better. If the
//! time runs out before an iteration has its list of moves, the list of the one before serves; of the sorted list the
//! last move is played.
//!
//! Where the report is silent:
//! - A game that is over is worth its goal, 0 to 100. An opponent with `n` moves is worth `99 · 50 / (50 + n)`: above any
//!   loss, below any win, and every move more is worse; a draw is as good as an opponent with some fifty moves.
//! - Moves stay in the order of the machine; the sort is stable.
//! - All other roles are one opponent, who has as many moves as they have together and who wants Loisel to get as little
//!   as possible. Where roles choose at once, it is taken to know Loisel's choice. Alone, Loisel only looks for the goal.
//!
//! `stage=minimax` and `stage=alphabeta` are what the report's player was before: one search of a fixed depth, or to the end of
//! the game.
//!
//! `mobility=both` answers the weakness that the report admits: what counts is Loisel's own number of moves, when it was
//! last asked on the way to the position, minus the opponent's.

use crate::players::{Maker, TIME, margin};
use crate::{Move, Position};
use game::{Game, Seat, Until};
use player::{Analysis, Cadence, Clock, OptionHelp, Options, Player, PlayerError, Score, SpecError, stricter};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const SUMMARY: &str =
    "deepening alpha-beta that leaves the opponent few moves, and stops at a win (report 002)";
pub(crate) const OPTIONS: &[OptionHelp] = &[
    TIME,
    OptionHelp {
        key: "depth",
        default: "none",
        help: "the most moves to look ahead, 1 to 1000",
    },
    OptionHelp {
        key: "mobility",
        default: "opponent",
        help: "whose moves count: opponent, or both (its own minus the opponent's)",
    },
    OptionHelp {
        key: "stage",
        default: "deepening",
        help: "which of the report's stages: minimax (looks at everything), alphabeta (one search, as deep as depth says), deepening",
    },
];

/// The stages of the report's player, in its order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Every position, to the end of the game or to a fixed depth.
    Minimax,
    /// The same with alpha-beta pruning.
    AlphaBeta,
    /// 1, 3, 5, … moves ahead.
    Deepening,
}

pub(crate) fn prepare(options: Options) -> Result<Maker, SpecError> {
    let depth = options.number("depth", 1, 1000)?.map(|depth| depth as u32);
    let loisel = Loisel {
        time: options.time("time")?,
        depth,
        both: options.word("mobility", &["opponent", "both"])? == Some("both"),
        stage: match options.word("stage", &["minimax", "alphabeta", "deepening"])? {
            Some("minimax") => Stage::Minimax,
            Some("alphabeta") => Stage::AlphaBeta,
            _ => Stage::Deepening,
        },
    };
    Ok(Arc::new(move || Box::new(loisel.clone())))
}

#[derive(Clone)]
struct Loisel {
    time: Option<Duration>,
    depth: Option<u32>,
    both: bool,
    stage: Stage,
}

/// Values are goals and fractions of them.
const POINT: i32 = 1000;
const WIN: i32 = 100 * POINT;

impl Player<Position> for Loisel {
    fn begin(&mut self, _: u64) {}

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Move>, PlayerError> {
        let limited = clock.is_set() || self.depth.or(clock.depth).is_some();
        let second = (!limited).then_some(Duration::from_secs(1));
        let time = stricter(self.time.or(second), clock.time);
        let deepest = stricter(self.depth, clock.depth).unwrap_or(u32::MAX);
        let mut search = Search {
            me: position.mover(),
            both: self.both,
            prunes: self.stage != Stage::Minimax,
            until: Until {
                deadline: time.map(|time| clock.started + time.saturating_sub(margin(time))),
                stop: clock.stop.clone(),
            },
            nodes: 0,
            most_nodes: clock.nodes.unwrap_or(u64::MAX),
            cut_off: false,
        };
        let root = position.public();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut list: Vec<(i32, Move)> = moves.iter().map(|&mv| (0, mv)).collect();
        let analysis = |list: &[(i32, Move)], depth: u32, nodes: u64| {
            // Of equals the last.
            let &(value, mv) = list.iter().max_by_key(|&&(value, _)| value)?;
            let value = (depth > 0).then_some(f64::from(value) / f64::from(POINT));
            Some(Analysis {
                value,
                score: Some(Score::of_payoff(value.unwrap_or(50.0))),
                depth: Some(depth),
                nodes: Some(nodes),
                time: clock.elapsed(),
                pv: vec![mv],
                ..Analysis::of_move(mv)
            })
        };
        let tell = |list: &[(i32, Move)], depth: u32, nodes: u64| {
            if clock.observer.listens()
                && let Some(analysis) = analysis(list, depth, nodes)
            {
                clock.observer.tell(position, &analysis);
            }
        };
        let mut reached = 0;
        let mut cadence = Cadence::new();
        let first = if self.stage == Stage::Deepening { 1 } else { deepest };
        for depth in (first..=deepest).step_by(2) {
            search.cut_off = false;
            // Where there is no list yet, the beginning of one is better than silence.
            let mut listed = |list: &[(i32, Move)], nodes| {
                if reached == 0 && cadence.is_due() {
                    tell(list, depth, nodes);
                }
            };
            let Some(found) = search.list(&root, &moves, depth, &mut listed) else {
                break;
            };
            list = found;
            reached = depth;
            tell(&list, reached, search.nodes);
            let won = list.iter().any(|&(value, _)| value >= WIN);
            if won || !search.cut_off {
                break;
            }
        }
        analysis(&list, reached, search.nodes).ok_or(PlayerError::Finished)
    }
}

struct Search {
    me: Seat,
    both: bool,
    /// Whether it leaves out what cannot change the choice.
    prunes: bool,
    until: Until,
    nodes: u64,
    most_nodes: u64,
    /// Whether the horizon hid anything from this iteration.
    cut_off: bool,
}

impl Search {
    /// What each move is worth; those that are not among the best may be worth even less. Ends at a winning one. `None` if
    /// the time ran out. `listed` hears of the list whenever it has grown, and of the nodes so far.
    fn list(
        &mut self,
        root: &Position,
        moves: &[Move],
        depth: u32,
        listed: &mut impl FnMut(&[(i32, Move)], u64),
    ) -> Option<Vec<(i32, Move)>> {
        let mut list = Vec::with_capacity(moves.len());
        let mut best = 0;
        for &mv in moves {
            // Whoever is as good as the best shall be seen to be.
            let value = self.reply(root, Some(mv), depth, best - 1, WIN, moves.len())?;
            list.push((value, mv));
            listed(&list, self.nodes);
            best = best.max(value);
            if self.prunes && value >= WIN {
                break;
            }
        }
        Some(list)
    }

    /// What a public state is worth. `own` is how many moves we had when we were last asked.
    fn value(&mut self, state: &Position, depth: u32, alpha: i32, beta: i32, own: usize) -> Option<i32> {
        self.nodes += 1;
        if self.nodes > self.most_nodes || self.until.is_over() {
            return None;
        }
        if let Some(payoffs) = state.outcome() {
            return Some(i32::from(payoffs.of(self.me).points()) * POINT);
        }
        if depth == 0 {
            self.cut_off = true;
            return Some(self.evaluate(state, own));
        }
        if !state.asked().any(|seat| seat == self.me) {
            return self.reply(state, None, depth, alpha, beta, own);
        }
        let moves = &state.view().legal[self.me.index()];
        let mut best = i32::MIN;
        for &mv in moves {
            let value = self.reply(state, Some(mv), depth, alpha.max(best), beta, moves.len())?;
            best = best.max(value);
            if self.prunes && (best >= beta || best >= WIN) {
                break;
            }
        }
        Some(best)
    }

    /// The least that the others leave us at `state`, if we play `mine` there.
    fn reply(
        &mut self,
        state: &Position,
        mine: Option<Move>,
        depth: u32,
        alpha: i32,
        beta: i32,
        own: usize,
    ) -> Option<i32> {
        let mut worst = i32::MAX;
        // All choices of the others, counted through like an odometer.
        let mut wheels: Vec<usize> = state.asked().map(|_| 0).collect();
        loop {
            let mut next = state.clone();
            for (seat, &wheel) in state.asked().zip(&wheels) {
                let mv = mine.filter(|_| seat == self.me);
                next.play_unchecked(mv.unwrap_or_else(|| state.view().legal[seat.index()][wheel]));
            }
            let value = self.value(&next, depth - 1, alpha, beta.min(worst), own)?;
            worst = worst.min(value);
            if (self.prunes && worst <= alpha) || !self.turn(state, &mut wheels) {
                return Some(worst);
            }
        }
    }

    /// The next choice of the others; false after the last.
    fn turn(&self, state: &Position, wheels: &mut [usize]) -> bool {
        for (seat, wheel) in state.asked().zip(wheels) {
            if seat == self.me {
                continue;
            }
            *wheel += 1;
            if *wheel < state.view().legal[seat.index()].len() {
                return true;
            }
            *wheel = 0;
        }
        false
    }

    /// Between a loss and a win, both excluded.
    fn evaluate(&self, state: &Position, own: usize) -> i32 {
        let all = state.view().legal.iter().map(Vec::len).sum::<usize>();
        let others = (all - state.view().legal[self.me.index()].len()) as i64;
        let own = own as i64;
        // Half of the way from loss to win is gone at fifty moves.
        let fraction = |of: i64, n: i64| (99 * i64::from(POINT) * of / n.max(1)) as i32;
        match self.both {
            false => fraction(50, 50 + others),
            true => fraction(50 + own, 100 + own + others),
        }
    }
}

//! A player that chooses the two halves of a turn by searches of their own, as a program does that is asked first for a cell and
//! then for a piece. Its depth counts half turns.

use crate::{Cell, Position, Turn};
use game::{Rng, rng};
use player::{Analysis, Clock, Player, PlayerError};
use search::players::equally_likely;
use search::{Limits, Searcher};

/// The player.
pub(crate) struct HalfTurnPlayer {
    search: Box<dyn Searcher<Position>>,
    /// Half turns to look ahead, the one to choose included.
    depth: u32,
    rng: Rng,
}

impl HalfTurnPlayer {
    pub fn boxed(search: Box<dyn Searcher<Position>>, depth: u32) -> Box<dyn Player<Position>> {
        let rng = rng(0);
        Box::new(HalfTurnPlayer { search, depth, rng })
    }

    /// How many turns it looks ahead.
    fn turns(&self, position: &Position) -> u32 {
        match position.hand() {
            Some(_) => self.depth.div_ceil(2),
            None => 1 + self.depth / 2,
        }
    }

    /// Searches from a cell or from a gift. The boards at the horizon are judged without regard to the last gift, so a turn of
    /// which only the placement is seen is searched as a whole one.
    /// What it finds on the way is handed to `hear`.
    fn half(
        &mut self,
        position: &Position,
        clock: &Clock,
        hear: &mut dyn FnMut(Analysis<Turn>),
    ) -> Result<Analysis<Turn>, PlayerError> {
        let turns = self.turns(position);
        let limits = Limits {
            time: clock.time.map(|time| time.saturating_sub(clock.elapsed())),
            nodes: clock.nodes,
            depth: player::stricter(Some(turns), clock.depth),
            stop: clock.stop.clone(),
        };
        let found = self
            .search
            .search_observed(position, &limits, Some(&mut self.rng), hear);
        found.ok_or(PlayerError::Finished)
    }
}

impl Player<Position> for HalfTurnPlayer {
    fn begin(&mut self, seed: u64) {
        self.rng = rng(seed);
        self.search.clear();
    }

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Turn>, PlayerError> {
        let tell = |analysis: &Analysis<Turn>| clock.observer.tell(position, analysis);
        let placing = self.half(position, clock, &mut |found| tell(&found))?;
        let Some(cell) = placing.best.place else {
            return Ok(placing);
        };
        let board = position.placing(cell);
        if !board.playing() {
            return Ok(placing);
        }
        let first_half = clock.measured.then(|| clock.elapsed());
        let both = |giving: Analysis<Turn>| whole_turn(&placing, cell, giving);
        let giving = self.half(&board, clock, &mut |found| tell(&both(found)))?;
        Ok(Analysis {
            first_half,
            ..both(giving)
        })
    }

    fn move_probabilities(&mut self, position: &Position) -> Option<Vec<(Turn, f64)>> {
        let placings = equally_likely(self.search.best_moves(position, self.turns(position)));
        let mut turns = Vec::new();
        for (placing, share) in placings {
            let board = match placing.place {
                Some(cell) => position.placing(cell),
                None => {
                    turns.push((placing, share));
                    continue;
                }
            };
            if !board.playing() {
                turns.push((placing, share));
                continue;
            }
            let gifts = equally_likely(self.search.best_moves(&board, self.turns(&board)));
            turns.extend(gifts.into_iter().map(|(gift, each)| {
                let turn = Turn {
                    place: placing.place,
                    give: gift.give,
                };
                (turn, share * each)
            }));
        }
        Some(turns)
    }
}

/// What two halves are together. What follows the gift is what the second search expects.
fn whole_turn(placing: &Analysis<Turn>, cell: Cell, giving: Analysis<Turn>) -> Analysis<Turn> {
    let best = Turn {
        place: Some(cell),
        give: giving.best.give,
    };
    let pv = std::iter::once(best).chain(giving.pv.iter().copied().skip(1)).collect();
    Analysis {
        best,
        pv,
        nodes: placing.nodes.zip(giving.nodes).map(|(one, other)| one + other),
        time: placing.time + giving.time,
        ..giving
    }
}

#[cfg(test)]
mod tests {
    use crate::players::factory;
    use crate::{Position, Rules};
    use game::Game;
    use player::Clock;

    fn position(text: &str) -> Position {
        Position::new(Rules::standard()).parse(text).unwrap()
    }

    #[test]
    fn four_half_turns_choose_the_cell_two_turns_ahead_and_the_gift_with_one_more_placement() {
        let start = position("0..3/.6../..9./c... 5");
        let mut half = factory("minimax:depth=4,unit=half,eval=absolute").unwrap().make();
        half.begin(3);
        let found = half.choose(&start, &Clock::unlimited()).unwrap();
        assert!(found.first_half.is_some() && found.depth == Some(3), "{found:?}");
        let mut two = factory("minimax:depth=2,eval=absolute").unwrap().make();
        let value = |player: &mut Box<dyn player::Player<Position>>, at: &Position| {
            player.begin(3);
            player.choose(at, &Clock::unlimited()).unwrap().value
        };
        // The cell is one of the best at two turns: no gift there is worth more than the best turn.
        let best = value(&mut two, &start).unwrap();
        let board = start.placing(found.best.place.unwrap());
        let there = board.left().into_iter().map(|piece| {
            let mut one = factory("minimax:depth=1,eval=absolute").unwrap().make();
            -value(&mut one, &board.giving(piece)).unwrap()
        });
        assert_eq!(there.fold(f64::MIN, f64::max), best);
        // The gift is one of the best three turns ahead, counted from the gift.
        let mut three = factory("minimax:depth=3,eval=absolute").unwrap().make();
        assert_eq!(value(&mut three, &board), found.value);
    }

    #[test]
    fn it_wins_at_once_begins_with_a_gift_and_ends_with_a_placement() {
        let mut half = factory("minimax:depth=4,unit=half,eval=terzo").unwrap().make();
        half.begin(1);
        let won = position("012./..../.f../.... 3");
        assert_eq!(
            won.print_move(half.choose(&won, &Clock::unlimited()).unwrap().best),
            "d1.-"
        );
        let empty = Position::new(Rules::standard());
        let gift = half.choose(&empty, &Clock::unlimited()).unwrap().best;
        assert!(gift.place.is_none() && gift.give.is_some());
        let mut position = empty;
        while position.playing() {
            let turn = half.choose(&position, &Clock::unlimited()).unwrap().best;
            position.play(turn).unwrap();
        }
    }
}

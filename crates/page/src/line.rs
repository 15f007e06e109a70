//! A game that is being played, whatever game it is.
//!
//! [`Line`] is where the type of the game disappears: a table holds one and speaks to it in plies and texts. Behind it
//! stands [`Played`], the positions and moves of any [`Playable`] game.

use crate::bench::Bench;
use crate::refusal::Refusal;
use crate::view::{self, Family, View};
use arena::gametext::GameText;
use game::GameError;
use players::{Clock, Playable, PlayerError, WithGame, recipe};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The longest game that is kept. A GDL game need not end by itself.
pub const MOST_TURNS: usize = 2000;

/// What there is to know about a game at some ply.
pub struct Moment {
    /// The position as text.
    pub position: String,
    /// Whose move it is, from 0; nobody's once the game is over.
    pub mover: Option<usize>,
    /// The legal turns.
    pub legal: Vec<String>,
    /// Payoffs by seat, once the game is over.
    pub payoffs: Option<Vec<u8>>,
    /// The game's own points.
    pub points: Option<[i32; 2]>,
    /// How it ended, in words.
    pub ending: Option<String>,
    /// The turn that led here: whose it was, and what it did, in words.
    pub last: Option<(usize, String)>,
    /// What to draw.
    pub view: View,
}

/// A turn that a player chose, and what it said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The turn.
    pub turn: String,
    /// What the player thinks the position is worth to it, on its own scale.
    pub value: Option<f64>,
    /// How many moves ahead it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// How long it took.
    pub took: Duration,
    /// How it expects the game to go on.
    pub line: Vec<String>,
}

/// A thought to be had on some thread.
pub type Task = Box<dyn FnOnce(&Bench) -> Result<Said, PlayerError> + Send>;

/// A game being played: its first position and the turns that followed.
pub trait Line: Send + Sync {
    /// Which family of games.
    fn family(&self) -> Family;
    /// What the seats are called.
    fn roles(&self) -> Vec<String>;
    /// The turns played.
    fn turns(&self) -> Vec<String>;
    /// How many.
    fn len(&self) -> usize;
    /// The position it began from.
    fn start(&self) -> String;
    /// Whether that is the game's own first position.
    fn begins_at_the_start(&self) -> bool;
    /// Plays a turn after the first `ply` turns; those that stood there are dropped.
    fn play(&mut self, ply: usize, turn: &str) -> Result<(), Refusal>;
    /// Begins anew: from a position, or the game's own first one, with these turns. Nothing changes if they are wrong.
    fn replace(&mut self, position: Option<&str>, turns: &[String]) -> Result<(), Refusal>;
    /// Whether a word is written like a turn of this game, legal or not.
    fn reads_turn(&self, word: &str) -> bool;
    /// Whether a text is a position of this game; if not, why.
    fn check_position(&self, text: &str) -> Result<(), Refusal>;
    /// Whose move it is after so many turns, from 0; `None` once the game is over.
    fn mover(&self, ply: usize) -> Option<usize>;
    /// The seats that choose at the same time as the mover, and the mover; nobody once the game is over.
    fn choosers(&self, ply: usize) -> Vec<usize>;
    /// The ply at which those who choose at the same time began to: `ply` itself, unless some of them have chosen there.
    fn round(&self, ply: usize) -> usize;
    /// How many of the turns are for everybody to see: all, but for choices that others have yet to make at the same time.
    fn revealed(&self) -> usize {
        self.round(self.len())
    }
    /// The position it began from, as everybody may see it.
    fn shown_start(&self) -> String;
    /// Everything about a ply that everybody may see.
    fn moment(&self, ply: usize) -> Moment;
    /// The position at a ply drawn for a terminal, without colour.
    fn drawing(&self, ply: usize) -> String;
    /// Whether a player of this spec plays this game; if not, why.
    fn check_player(&self, spec: &str) -> Result<(), Refusal>;
    /// The spec of the strongest player.
    fn strongest(&self) -> String;
    /// A player's thought at a ply, all its chance drawn from `seed`. `game` names the game among those the bench knows.
    fn task(&self, ply: usize, game: &str, spec: &str, seed: u64, time: Duration) -> Result<Task, Refusal>;
    /// The position at a ply, if this is Quarto.
    fn quarto(&self, ply: usize) -> Option<quarto::Position>;
    /// The position at a ply, if this is Stack Four.
    fn stack4(&self, ply: usize) -> Option<stack4::Position>;
}

/// The game of a name, at its first position. Rule sheets in files are not for the page: a page pastes.
pub fn of_game(name: &str) -> Result<Box<dyn Line>, Refusal> {
    struct Sit;
    impl WithGame for Sit {
        type Output = Box<dyn Line>;

        fn run<G: Playable>(self, start: G) -> Self::Output {
            Box::new(Played::new(start))
        }
    }
    let games = players::games();
    if !games.iter().any(|game| game.name == name) {
        let name = shortened(name);
        let near = players::nearest(&name, games.iter().map(|game| game.name));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(Refusal::unknown_game(format!("unknown game `{name}`{hint}")));
    }
    players::with_game(name, Sit).map_err(Refusal::unknown_game)
}

/// A game from its first position.
pub fn of_position<G: Playable>(start: G) -> Box<dyn Line> {
    Box::new(Played::new(start))
}

/// Somebody else's text in a message: not too much of it.
pub fn shortened(text: &str) -> String {
    const KEPT: usize = 60;
    let mut kept: String = text.chars().take(KEPT).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}

/// Where a game begins, if not at its own first position, and the turns that follow.
pub type Beginning = (Option<String>, Vec<String>);

/// The beginning that somebody asks for: a pasted text, or a position and turns.
pub fn beginning(
    line: &dyn Line,
    text: Option<String>,
    position: Option<String>,
    turns: Option<Vec<String>>,
) -> Result<Beginning, Refusal> {
    match (text, position, turns) {
        (Some(text), None, None) => pasted(&text, line),
        (Some(_), _, _) => Err(Refusal::bad_request("expected either `text` or `position` and `turns`")),
        (None, position, turns) => Ok((position, turns.unwrap_or_default())),
    }
}

/// What a pasted text tells of a game: a record, bare turns, or a bare position.
pub fn pasted(text: &str, line: &dyn Line) -> Result<Beginning, Refusal> {
    let record = GameText::parse(text);
    let Some(first) = record.turns.first() else {
        return match record.position {
            Some(_) => Ok((record.position, record.turns)),
            None => Err(Refusal::bad_record("expected a position, or turns separated by spaces")),
        };
    };
    // Words that do not begin with a turn are meant as a position, also a wrong one.
    if record.position.is_none() && !line.reads_turn(first) {
        let bare: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        let bare = bare.join(" ");
        line.check_position(&bare).map_err(|refusal| {
            let first = shortened(first);
            Refusal::bad_position(format!("{} (and `{first}` is not a turn either)", refusal.message()))
        })?;
        return Ok((Some(bare), Vec::new()));
    }
    Ok((record.position, record.turns))
}

/// The record of a game as text that [`pasted`] reads.
pub fn record(game: &str, line: &dyn Line, players: &[String], ply: usize) -> String {
    let mut text = format!("# game {game}\n");
    // Writing into a String cannot fail.
    for (role, player) in line.roles().iter().zip(players) {
        let _ = writeln!(text, "# {role} {player}");
    }
    if let Some(ending) = line.moment(ply).ending {
        let _ = writeln!(text, "# result {ending}");
    }
    if !line.begins_at_the_start() {
        let _ = writeln!(text, "position {}", line.start());
    }
    let turns = line.turns();
    let _ = writeln!(text, "{}", turns[..ply.min(line.revealed())].join(" "));
    text
}

/// Positions and moves: one more position than moves.
struct Played<G: Playable> {
    positions: Vec<G>,
    moves: Vec<G::Move>,
}

impl<G: Playable> Played<G> {
    fn new(start: G) -> Self {
        Played {
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    /// The position after so many turns, or the last one.
    fn at(&self, ply: usize) -> &G {
        &self.positions[ply.min(self.moves.len())]
    }

    /// The move that a text means at a ply, and the position it leads to.
    fn next(&self, ply: usize, turn: &str) -> Result<(G::Move, G), Refusal> {
        if ply >= MOST_TURNS {
            return Err(Refusal::unsupported(format!(
                "no game here is longer than {MOST_TURNS} turns"
            )));
        }
        let mut position = self.at(ply).clone();
        let mv = position.parse_move(turn).map_err(refused)?;
        position.play(mv).map_err(refused)?;
        Ok((mv, position))
    }
}

fn refused(error: GameError) -> Refusal {
    match error {
        GameError::Finished { .. } => Refusal::game_over(error),
        GameError::Illegal { .. } => Refusal::illegal_turn(error),
        GameError::Notation { .. } => Refusal::bad_turn(error),
    }
}

impl<G: Playable> Line for Played<G> {
    fn family(&self) -> Family {
        view::family(self.at(0))
    }

    fn roles(&self) -> Vec<String> {
        view::roles(self.at(0))
    }

    fn turns(&self) -> Vec<String> {
        let moves = self.positions.iter().zip(&self.moves);
        moves.map(|(position, &mv)| position.print_move(mv)).collect()
    }

    fn len(&self) -> usize {
        self.moves.len()
    }

    fn start(&self) -> String {
        self.at(0).print()
    }

    fn begins_at_the_start(&self) -> bool {
        *self.at(0) == self.at(0).start()
    }

    fn play(&mut self, ply: usize, turn: &str) -> Result<(), Refusal> {
        let ply = ply.min(self.moves.len());
        let (mv, next) = self.next(ply, turn)?;
        self.positions.truncate(ply + 1);
        self.moves.truncate(ply);
        self.positions.push(next);
        self.moves.push(mv);
        Ok(())
    }

    fn replace(&mut self, position: Option<&str>, turns: &[String]) -> Result<(), Refusal> {
        let first = self.at(0).start();
        let start = match position {
            Some(text) => first.parse(text).map_err(Refusal::bad_position)?,
            None => first,
        };
        let mut played = Played::new(start);
        for (number, turn) in turns.iter().enumerate() {
            played
                .play(number, turn)
                .map_err(|refusal| Refusal::bad_record(format!("turn {}: {}", number + 1, refusal.message())))?;
        }
        *self = played;
        Ok(())
    }

    fn reads_turn(&self, word: &str) -> bool {
        self.at(0).parse_move(word).is_ok()
    }

    fn check_position(&self, text: &str) -> Result<(), Refusal> {
        self.at(0).parse(text).map(drop).map_err(Refusal::bad_position)
    }

    fn mover(&self, ply: usize) -> Option<usize> {
        let position = self.at(ply);
        position.outcome().is_none().then(|| position.mover().index())
    }

    fn choosers(&self, ply: usize) -> Vec<usize> {
        view::choosers(self.at(ply))
    }

    fn round(&self, ply: usize) -> usize {
        let ply = ply.min(self.moves.len());
        ply.saturating_sub(view::chosen(self.at(ply)))
    }

    fn shown_start(&self) -> String {
        view::public(self.at(0)).print()
    }

    fn moment(&self, ply: usize) -> Moment {
        let ply = ply.min(self.moves.len());
        let position = self.at(ply);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let last = ply.checked_sub(1).map(|before| {
            let position = &self.positions[before];
            (position.mover().index(), view::told(position, self.moves[before]))
        });
        Moment {
            position: view::public(position).print(),
            mover: self.mover(ply),
            legal: moves.into_iter().map(|mv| position.print_move(mv)).collect(),
            payoffs: position
                .outcome()
                .map(|payoffs| payoffs.all().iter().map(|payoff| payoff.points()).collect()),
            points: position.points(),
            ending: view::ending(position),
            last,
            view: view::look(&self.positions[..=ply]),
        }
    }

    fn drawing(&self, ply: usize) -> String {
        view::public(self.at(ply)).drawing(false)
    }

    fn check_player(&self, spec: &str) -> Result<(), Refusal> {
        recipe::<G>(spec).map(drop).map_err(Refusal::unknown_player)
    }

    fn strongest(&self) -> String {
        G::roster().last().map_or(String::new(), |kind| kind.name.into())
    }

    fn task(&self, ply: usize, game: &str, spec: &str, seed: u64, time: Duration) -> Result<Task, Refusal> {
        let recipe = recipe::<G>(spec).map_err(Refusal::unknown_player)?;
        let position = self.at(ply).clone();
        let name = format!("{game} {spec}");
        Ok(Box::new(move |bench| {
            bench.with(
                &name,
                || recipe.make(),
                |player| {
                    player.begin(seed);
                    let mut clock = Clock::started_at(Instant::now());
                    clock.time = Some(time);
                    let thought = player.choose(&position, &clock)?;
                    if !position.is_legal(thought.mv) {
                        return Err(PlayerError::NotAMove {
                            said: position.print_move(thought.mv),
                            why: position.why_illegal(thought.mv),
                        });
                    }
                    let mut line = Vec::new();
                    let mut ahead = position.clone();
                    for &mv in thought.line.iter().take(16) {
                        if !ahead.is_legal(mv) {
                            break;
                        }
                        line.push(ahead.print_move(mv));
                        ahead.play_unchecked(mv);
                    }
                    Ok(Said {
                        turn: position.print_move(thought.mv),
                        value: thought.value,
                        depth: thought.depth,
                        nodes: thought.nodes,
                        took: clock.elapsed(),
                        line,
                    })
                },
            )
        }))
    }

    fn quarto(&self, ply: usize) -> Option<quarto::Position> {
        view::known_as(self.at(ply)).copied()
    }

    fn stack4(&self, ply: usize) -> Option<stack4::Position> {
        view::known_as(self.at(ply)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_after_some_plies_drops_what_stood_there() {
        let mut line = of_game("quarto").unwrap();
        for (ply, turn) in ["-.0", "a1.1", "b1.2"].into_iter().enumerate() {
            line.play(ply, turn).unwrap();
        }
        line.play(1, "d4.f").unwrap();
        assert_eq!(line.turns(), ["-.0", "d4.f"]);
        assert_eq!(line.moment(2).position, "..../..../..../...0 f");
        // A refused turn changes nothing.
        assert_eq!(line.play(1, "a1.0").unwrap_err().code(), "illegal_turn");
        assert_eq!(line.play(1, "zebra").unwrap_err().code(), "bad_turn");
        assert_eq!(line.len(), 2);
    }

    #[test]
    fn a_record_reads_back() {
        let mut line = of_game("quarto-torus").unwrap();
        line.replace(Some("0.../..../..../.... 5"), &["b1.6".into()]).unwrap();
        let text = record("quarto-torus", line.as_ref(), &["human".into(), "novice".into()], 1);
        let (position, turns) = pasted(&text, line.as_ref()).unwrap();
        assert_eq!(
            (position.as_deref(), turns),
            (Some("0.../..../..../.... 5"), vec!["b1.6".to_string()])
        );
        assert_eq!(
            pasted("0.../..../...f/.... 5\n", line.as_ref()).unwrap().0.as_deref(),
            Some("0.../..../...f/.... 5")
        );
    }

    #[test]
    fn an_unknown_game_is_met_with_the_nearest_one() {
        assert!(
            of_game("quatro")
                .err()
                .unwrap()
                .message()
                .contains("did you mean `quarto`?")
        );
        assert_eq!(of_game("gdl:/etc/passwd").err().unwrap().code(), "unknown_game");
    }

    #[test]
    fn every_game_gives_a_moment_and_a_thought() {
        let bench = Bench::new(2);
        for name in ["quarto", "stack4", "tictactoe"] {
            let line = of_game(name).unwrap();
            let moment = line.moment(0);
            assert_eq!(moment.mover, Some(0));
            let task = line.task(0, name, "random", 1, Duration::from_secs(1)).unwrap();
            let said = task(&bench).unwrap();
            assert!(moment.legal.contains(&said.turn), "{name}: {said:?}");
        }
    }
}

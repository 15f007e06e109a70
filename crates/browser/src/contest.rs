//! Games between programs: one played from its beginning, which may be random, to its end, and the ratings that many of them come to. Who plays whom, and how
//! often, is the host's: see `static/tournaments.js`.

use crate::read;
use crate::thought::clock;
use game::{Instant, mix};
use games::AnyGame;
use page::ApiError;
use page::catalogue;
use serde::Deserialize;
use serde_json::{Value, json};
use stats::ratings::{PairResults, ratings};
use std::sync::Arc;
use std::time::Duration;

/// How long a turn may take where nobody says, as on a server's page.
const LONGEST_TURN: Duration = Duration::from_secs(5);

/// A game with more turns ends there, and is a draw.
const MOST_TURNS: usize = 1000;

/// The most players whose ratings are told.
const MOST_PLAYERS: usize = 64;

/// Who plays a game.
#[derive(Deserialize)]
struct Pairing {
    /// By seat.
    players: Vec<String>,
    /// What all chance of this game is drawn from, as text.
    seed: String,
    /// The time for a turn.
    ms: Option<u64>,
    /// How it begins, if not as the rules have it.
    opening: Option<RandomOpening>,
}

/// Random turns before the players are asked: the same for all pairs of a round, and the same as the arena's.
#[derive(Deserialize)]
struct RandomOpening {
    plies: u32,
    /// Of the tournament, as text.
    seed: String,
    round: u64,
}

/// The most random turns, as on a server's page.
const LONGEST_OPENING: u32 = 100;

impl RandomOpening {
    fn turns(&self, game: &dyn AnyGame) -> Result<Vec<String>, ApiError> {
        if self.plies > LONGEST_OPENING {
            return Err(ApiError::bad_tournament(format!(
                "opening_plies: expected at most {LONGEST_OPENING}"
            )));
        }
        Ok(game.random_opening(self.plies, number(&self.seed)?, self.round))
    }
}

/// A number that is too large for JavaScript's.
fn number(text: &str) -> Result<u64, ApiError> {
    let number = text.parse();
    number.map_err(|_| ApiError::bad_request("seed: expected a whole number"))
}

/// Plays a whole game.
pub fn play(game: Arc<dyn AnyGame>, question: Value) -> Result<Value, ApiError> {
    let pairing: Pairing = read(question)?;
    check(&game, &pairing.players)?;
    let seed = number(&pairing.seed)?;
    let opening = pairing
        .opening
        .map(|opening| opening.turns(game.as_ref()))
        .transpose()?;
    let opening = opening.unwrap_or_default();
    let time = pairing.ms.map_or(LONGEST_TURN, Duration::from_millis);
    let mut session = catalogue::begin(game);
    session.replace(None, &opening)?;
    let mut seconds = vec![0.0; pairing.players.len()];
    while let Some(seat) = session.mover(session.len()) {
        let ply = session.len();
        if ply >= MOST_TURNS {
            break;
        }
        let thinker = session.thinker(ply, &pairing.players[seat], mix(seed, &[ply as u64]))?;
        let began = Instant::now();
        let said = thinker(&clock(time)).map_err(ApiError::unavailable)?;
        seconds[seat] += began.elapsed().as_secs_f64();
        session.play(ply, &said.best)?;
    }
    let end = session.moment(session.len());
    let winner = end.payoffs.as_deref().and_then(winner);
    Ok(json!({
        "status": 200,
        "opening": opening,
        "turns": session.turns().split_off(opening.len()),
        "winner": winner,
        "verdict": match (&end.payoffs, winner) {
            (None, _) => "adjudicated",
            (_, None) => "draw",
            _ => "win",
        },
        "points": end.points,
        "seconds": seconds,
    }))
}

/// Refuses who cannot play this game, and games that are not for two.
pub fn check(game: &Arc<dyn AnyGame>, players: &[String]) -> Result<(), ApiError> {
    if game.seats() != 2 {
        return Err(ApiError::bad_tournament(format!(
            "tournaments are for games with two seats, and this one has {}",
            game.seats()
        )));
    }
    if players.len() < 2 {
        return Err(ApiError::bad_tournament("players: expected at least 2"));
    }
    let session = catalogue::begin(game.clone());
    for spec in players {
        page::check_spec(spec)?;
        session.check_player(spec).map_err(ApiError::unknown_player)?;
    }
    Ok(())
}

/// The seat that won, from 1.
fn winner(payoffs: &[u8]) -> Option<usize> {
    match payoffs {
        [first, second] if first > second => Some(1),
        [first, second] if second > first => Some(2),
        _ => None,
    }
}

/// The results of every two who meet.
#[derive(Deserialize)]
struct Results {
    players: usize,
    meetings: Vec<(usize, usize, [u64; 5])>,
}

/// What the results come to, by player: the same ratings as the arena's.
pub fn rate(question: Value) -> Result<Value, ApiError> {
    let results: Results = read(question)?;
    if results.players > MOST_PLAYERS {
        return Err(ApiError::bad_request(format!("players: at most {MOST_PLAYERS}")));
    }
    let meetings: Vec<PairResults> = results
        .meetings
        .into_iter()
        .map(|(first, second, counts)| PairResults { first, second, counts })
        .collect();
    let rated = ratings(results.players, &meetings);
    let told: Vec<Value> = rated
        .iter()
        .map(|rating| json!({ "elo": rating.value, "low": rating.low, "high": rating.high }))
        .collect();
    Ok(json!({ "status": 200, "ratings": told }))
}

#[cfg(test)]
mod tests {
    use crate::Instance;
    use serde_json::{Value, json};

    fn ask(question: Value) -> Value {
        serde_json::from_str(&Instance::default().ask(&question.to_string())).unwrap()
    }

    #[test]
    fn a_game_is_played_to_its_end_and_the_same_seed_plays_it_again() {
        for (game, players) in [
            ("quarto", ["novice", "random"]),
            ("stack4", ["random", "random"]),
            ("duel", ["random", "random"]),
        ] {
            let question =
                |seed: u64| json!({ "op": "play", "game": game, "players": players, "seed": seed.to_string() });
            let played = ask(question(3));
            assert_eq!(played["status"], 200, "{played}");
            assert_eq!(played["turns"], ask(question(3))["turns"]);
            assert!(
                (4..12).any(|seed| ask(question(seed))["turns"] != played["turns"]),
                "{game}"
            );
            assert_eq!(played["verdict"] == "win", played["winner"].is_u64(), "{played}");
        }
    }

    #[test]
    fn who_cannot_play_is_refused() {
        for (game, players, code) in [
            ("quarto", json!(["novice"]), "bad_tournament"),
            ("quarto", json!(["novice", "nobody"]), "unknown_player"),
            ("trio", json!(["random", "random"]), "bad_tournament"),
        ] {
            for op in ["play", "entrants"] {
                let said = ask(json!({ "op": op, "game": game, "players": players, "seed": "1" }));
                assert_eq!(said["error"]["error"]["code"], code, "{said}");
            }
        }
    }

    #[test]
    fn ratings_are_those_of_the_results() {
        let said = ask(json!({ "op": "ratings", "players": 2, "meetings": [[0, 1, [0, 0, 2, 3, 5]]] }));
        let elo = |player: usize| said["ratings"][player]["elo"].as_f64().unwrap();
        assert!(elo(0) > 50.0 && (elo(0) + elo(1)).abs() < 1e-6, "{said}");
    }
}

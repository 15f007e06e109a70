//! Games as texts: what is pasted, and what is copied.

use crate::api_error::{ApiError, shortened};
use game::GameText;
use games::Session;
use std::fmt::Write;

/// Where a game begins, if not at its own first position, and the turns that follow.
pub type Beginning = (Option<String>, Vec<String>);

/// The beginning that somebody asks for: a pasted text, or a position and turns.
pub fn beginning(
    session: &dyn Session,
    text: Option<String>,
    position: Option<String>,
    turns: Option<Vec<String>>,
) -> Result<Beginning, ApiError> {
    match (text, position, turns) {
        (Some(text), None, None) => pasted(&text, session),
        (Some(_), _, _) => Err(ApiError::bad_request(
            "expected either `text` or `position` and `turns`",
        )),
        (None, position, turns) => Ok((position, turns.unwrap_or_default())),
    }
}

/// What a pasted text tells of a game: a record, bare turns, or a bare position.
pub fn pasted(text: &str, session: &dyn Session) -> Result<Beginning, ApiError> {
    let record = GameText::parse(text);
    let Some(first) = record.turns.first() else {
        return match record.position {
            Some(_) => Ok((record.position, record.turns)),
            None => Err(ApiError::bad_record(
                "expected a position, or turns separated by spaces",
            )),
        };
    };
    // Words that do not begin with a turn are meant as a position, also a wrong one.
    if record.position.is_none() && !session.reads_turn(first) {
        let bare: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        let bare = bare.join(" ");
        session.check_position(&bare).map_err(|error| {
            let first = shortened(first);
            ApiError::bad_position(format!("{error} (and `{first}` is not a turn either)"))
        })?;
        return Ok((Some(bare), Vec::new()));
    }
    Ok((record.position, record.turns))
}

/// The record of a game as text that [`pasted`] reads.
/// `ended` says how it ended if the rules did not end it.
pub fn record(game: &str, session: &dyn Session, players: &[String], ply: usize, ended: Option<String>) -> String {
    let mut text = format!("# game {game}\n");
    // Writing into a String cannot fail.
    for (role, player) in session.game().roles().iter().zip(players) {
        let _ = writeln!(text, "# {role} {player}");
    }
    if let Some(ending) = ended.or(session.moment(ply).ending) {
        let _ = writeln!(text, "# result {ending}");
    }
    if !session.begins_at_the_start() {
        let _ = writeln!(text, "position {}", session.start());
    }
    let turns = session.turns();
    let _ = writeln!(text, "{}", turns[..ply.min(session.revealed())].join(" "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back() {
        let mut session = crate::catalogue::session("quarto-torus").unwrap();
        session
            .replace(Some("0.../..../..../.... 5"), &["b1.6".into()])
            .unwrap();
        let text = record(
            "quarto-torus",
            session.as_ref(),
            &["human".into(), "novice".into()],
            1,
            None,
        );
        let (position, turns) = pasted(&text, session.as_ref()).unwrap();
        assert_eq!(
            (position.as_deref(), turns),
            (Some("0.../..../..../.... 5"), vec!["b1.6".to_string()])
        );
        assert_eq!(
            pasted("0.../..../...f/.... 5\n", session.as_ref())
                .unwrap()
                .0
                .as_deref(),
            Some("0.../..../...f/.... 5")
        );
    }
}

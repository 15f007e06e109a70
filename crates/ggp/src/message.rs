//! What managers say, as KIF.

use gdl::sheet::{Expr, ExprKind, Symbols, read};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// A longer clock than a day is a mistake.
const LONGEST: u64 = 24 * 60 * 60;

/// A message of a manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Who are you, and are you free?
    Info,
    /// Are you there?
    Ping,
    /// Play this game in this role.
    Start {
        /// The match.
        id: String,
        /// The role.
        role: String,
        /// The rules.
        rules: String,
        /// Time to get ready.
        start: Duration,
        /// Time for each move.
        play: Duration,
    },
    /// A game that may be played soon.
    Preview,
    /// These moves were made; make yours.
    Play {
        /// The match.
        id: String,
        /// What happened.
        report: TurnReport,
    },
    /// These moves ended the game.
    Stop {
        /// The match.
        id: String,
        /// What happened.
        report: TurnReport,
    },
    /// The match is over, the game is not.
    Abort {
        /// The match.
        id: String,
    },
}

/// What a manager tells about the last turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnReport {
    /// Nothing: the game begins, or the manager does not say.
    Nothing,
    /// What every role did, in the order of the roles; `None` where the manager does not say.
    Moves(Vec<Option<String>>),
    /// In a game with hidden information: which turn it is, what we did and what we see.
    Senses {
        /// The number of the turn, from 0.
        turn: u64,
        /// What we did.
        did: Option<String>,
        /// What we see.
        sees: Vec<String>,
    },
}

/// Why a message was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct MessageError(String);

fn wrong<T>(why: impl Into<String>) -> Result<T, MessageError> {
    Err(MessageError(why.into()))
}

impl Message {
    /// Reads a message. Case does not matter, nor do arguments beyond those that are known.
    pub fn parse(text: &str) -> Result<Message, MessageError> {
        let form = Form::read(text)?;
        let (name, rest) = match form.exprs.as_slice() {
            [] => return Ok(Message::Info),
            [word] if matches!(word.kind, ExprKind::Word(_)) => (word, &[][..]),
            [
                Expr {
                    kind: ExprKind::List(items),
                    ..
                },
            ] => match items.split_first() {
                Some(split) => split,
                None => return wrong("the message is empty; expected a command such as ( INFO )"),
            },
            _ => return wrong("expected a single list such as ( INFO )"),
        };
        let name = form.text(name).to_ascii_uppercase();
        let word = |at: usize, what: &str| match rest.get(at) {
            Some(expr) => Ok(form.text(expr).to_owned()),
            None => wrong(format!("{name} lacks {what}")),
        };
        match name.as_str() {
            "INFO" => Ok(Message::Info),
            "PING" => Ok(Message::Ping),
            "PREVIEW" => Ok(Message::Preview),
            "START" => Ok(Message::Start {
                id: word(0, "the match")?,
                role: word(1, "the role")?,
                rules: match rest.get(2).map(|expr| (&expr.kind, form.text(expr))) {
                    Some((ExprKind::List(_), text)) => inside(text).to_owned(),
                    _ => return wrong("START lacks the list of rules"),
                },
                start: clock(&word(3, "the start clock")?)?,
                play: clock(&word(4, "the play clock")?)?,
            }),
            "PLAY" => Ok(Message::Play {
                id: word(0, "the match")?,
                report: form.report(rest.get(1..).unwrap_or_default()),
            }),
            "STOP" => Ok(Message::Stop {
                id: word(0, "the match")?,
                report: form.report(rest.get(1..).unwrap_or_default()),
            }),
            "ABORT" => Ok(Message::Abort {
                id: word(0, "the match")?,
            }),
            _ => wrong(format!(
                "unknown command `{}`; expected INFO, START, PLAY, STOP, ABORT or PREVIEW",
                short(&name)
            )),
        }
    }
}

/// A text and what the reader makes of it.
struct Form<'a> {
    source: &'a str,
    exprs: Vec<Expr>,
}

impl<'a> Form<'a> {
    fn read(source: &'a str) -> Result<Form<'a>, MessageError> {
        let mut diagnostics = Vec::new();
        let exprs = read(source, &mut Symbols::default(), &mut diagnostics);
        match diagnostics.first() {
            None => Ok(Form { source, exprs }),
            Some(first) => wrong(first.message.clone()),
        }
    }

    /// An expression as it was written.
    fn text(&self, expr: &Expr) -> &'a str {
        &self.source[expr.span.start..expr.span.end]
    }

    fn is_nil(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::List(items) => items.is_empty(),
            _ => self.text(expr).eq_ignore_ascii_case("nil"),
        }
    }

    fn maybe(&self, expr: &Expr) -> Option<String> {
        (!self.is_nil(expr)).then(|| one_line(self.text(expr)))
    }

    /// What follows the match in PLAY and STOP: `NIL`, `(m1 m2 …)`, or with hidden information `turn move (percepts)`.
    fn report(&self, told: &[Expr]) -> TurnReport {
        let items = |expr: &Expr| match &expr.kind {
            ExprKind::List(items) => items.clone(),
            _ => Vec::new(),
        };
        match told {
            [turn, did, sees, ..] => match self.text(turn).parse() {
                Ok(turn) => TurnReport::Senses {
                    turn,
                    did: self.maybe(did),
                    sees: items(sees).iter().map(|seen| one_line(self.text(seen))).collect(),
                },
                Err(_) => TurnReport::Nothing,
            },
            [moves, ..] if !self.is_nil(moves) => match &moves.kind {
                ExprKind::List(items) => TurnReport::Moves(items.iter().map(|mv| self.maybe(mv)).collect()),
                // The only role's move without parentheses around it.
                _ => TurnReport::Moves(vec![self.maybe(moves)]),
            },
            _ => TurnReport::Nothing,
        }
    }
}

/// What is between the parentheses.
fn inside(text: &str) -> &str {
    let text = text.strip_prefix('(').unwrap_or(text);
    text.strip_suffix(')').unwrap_or(text)
}

/// Seconds, whole ones by the book.
fn clock(text: &str) -> Result<Duration, MessageError> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST as f64).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => wrong(format!(
            "`{}` is not a clock; expected a number of seconds up to {LONGEST}",
            short(text)
        )),
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A text without its comments and line breaks: what was written, on one line, words apart by single blanks.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for part in text.lines() {
        let part = part.split(';').next().unwrap_or_default();
        for word in part.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    line
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Message::Info => write!(f, "( INFO )"),
            Message::Ping => write!(f, "( PING )"),
            Message::Preview => write!(f, "( PREVIEW )"),
            Message::Start {
                id,
                role,
                rules,
                start,
                play,
            } => {
                let (start, play) = (start.as_secs(), play.as_secs());
                write!(f, "( START {id} {role} ( {rules} ) {start} {play} )")
            }
            Message::Play { id, report } => write!(f, "( PLAY {id} {report} )"),
            Message::Stop { id, report } => write!(f, "( STOP {id} {report} )"),
            Message::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

impl fmt::Display for TurnReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = |word: &Option<String>| word.clone().unwrap_or_else(|| "NIL".into());
        match self {
            TurnReport::Nothing => write!(f, "NIL"),
            TurnReport::Moves(moves) => {
                let moves: Vec<String> = moves.iter().map(word).collect();
                write!(f, "( {} )", moves.join(" "))
            }
            TurnReport::Senses { turn, did, sees } => write!(f, "{turn} {} ( {} )", word(did), sees.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(moves: &[&str]) -> TurnReport {
        TurnReport::Moves(moves.iter().map(|&mv| (mv != "nil").then(|| mv.into())).collect())
    }

    #[test]
    fn messages_are_read_as_two_managers_write_them() {
        let start = Message::Start {
            id: "Match.1".into(),
            role: "xplayer".into(),
            rules: " (role xplayer) (role oplayer) ".into(),
            start: Duration::from_secs(60),
            play: Duration::from_secs(15),
        };
        let text = "( START Match.1 xplayer ( (role xplayer) (role oplayer) ) 60 15 )";
        assert_eq!(Message::parse(text).unwrap(), start);
        let more = "(start Match.1 xplayer ( (role xplayer) (role oplayer) ) 60 15 1 (x y))";
        assert_eq!(Message::parse(more).unwrap(), start);
        let play = |report| Message::Play { id: "M".into(), report };
        let cases = [
            ("( INFO )", Message::Info),
            ("(info)", Message::Info),
            ("", Message::Info),
            ("ping", Message::Ping),
            ("( PREVIEW ( (role x) ) 10 )", Message::Preview),
            ("( PLAY M NIL )", play(TurnReport::Nothing)),
            ("(play M nil)", play(TurnReport::Nothing)),
            ("(PLAY M ())", play(TurnReport::Nothing)),
            ("(PLAY M)", play(TurnReport::Nothing)),
            ("(PLAY M ((MARK 1\n 1) NOOP))", play(moves(&["(MARK 1 1)", "NOOP"]))),
            ("( PLAY M ( nil noop ) )", play(moves(&["nil", "noop"]))),
            ("( PLAY M noop )", play(moves(&["noop"]))),
            (
                "( PLAY M 3 (bet 1) ( (card 2) end ) )",
                play(TurnReport::Senses {
                    turn: 3,
                    did: Some("(bet 1)".into()),
                    sees: vec!["(card 2)".into(), "end".into()],
                }),
            ),
            (
                "( STOP M ( noop (mark 3 3) ) )",
                Message::Stop {
                    id: "M".into(),
                    report: moves(&["noop", "(mark 3 3)"]),
                },
            ),
            ("( ABORT M )", Message::Abort { id: "M".into() }),
        ];
        for (text, expected) in cases {
            assert_eq!(Message::parse(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_we_write_we_read() {
        let all = [
            Message::Info,
            Message::Play {
                id: "a.1".into(),
                report: moves(&["(mark 1 1)", "noop", "nil"]),
            },
            Message::Play {
                id: "a.1".into(),
                report: TurnReport::Senses {
                    turn: 0,
                    did: None,
                    sees: vec!["x".into()],
                },
            },
            Message::Stop {
                id: "a.1".into(),
                report: TurnReport::Nothing,
            },
            Message::Abort { id: "a.1".into() },
        ];
        for message in all {
            assert_eq!(Message::parse(&message.to_string()).unwrap(), message);
        }
    }

    #[test]
    fn a_message_that_is_none_says_why() {
        let deep = "(".repeat(200_000);
        let cases = [
            ("( START M (x", "2 closing parentheses"),
            ("( INFO ) )", "a closing parenthesis too many"),
            ("( INFO ) ( INFO )", "a single list"),
            ("( )", "empty"),
            ("( FLY M )", "unknown command `FLY`"),
            ("( PLAY )", "PLAY lacks the match"),
            ("( START M x y 1 1 )", "list of rules"),
            ("( START M x () soon 1 )", "`soon` is not a clock"),
            ("( START M x () 1 -1 )", "`-1` is not a clock"),
            ("( START M x () 1e99 NaN )", "is not a clock"),
            (&deep, "nested too deeply"),
        ];
        for (text, expected) in cases {
            let error = Message::parse(text).unwrap_err().to_string();
            let text = short(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_sheet_on_one_line_is_the_same_sheet() {
        let text = "(role x) ; who\n(role\t y)\n;; (role z)\n(init (a b))";
        assert_eq!(one_line(text), "(role x) (role y) (init (a b))");
    }
}

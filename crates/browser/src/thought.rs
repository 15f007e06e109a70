//! Thoughts and exact answers: what takes time. A question brings its game along, so any thinker can answer it.

use crate::{contest, read};
use game::Instant;
use games::exact::{Advice, Choices, ExactPosition, Hint, JudgedTurn, SolverQuestion, Solvers, Unanswered, Worth};
use games::puzzles::PuzzleQuestion;
use games::{AnyGame, Session};
use page::ApiError;
use page::catalogue::{self, Catalogue};
use page::opinion::{self, Subject};
use page::public_game::{ExploredPosition, GameInfo, Preview};
use page::public_puzzle::PuzzleTry;
use player::Clock;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The solver's memory, for each variant that is asked about, in bytes.
const MEMORY: usize = 32 << 20;

/// How long a program may think about a turn, and a player about a hint that cannot be proved.
const THOUGHT: Duration = Duration::from_secs(5);
const ADVICE: Duration = Duration::from_millis(700);

/// Who thinks.
pub struct ThoughtWorker {
    catalogue: Catalogue,
    solvers: Solvers,
}

impl Default for ThoughtWorker {
    fn default() -> Self {
        ThoughtWorker {
            catalogue: Catalogue::default(),
            solvers: Solvers::new(MEMORY),
        }
    }
}

/// A game, where it stands, and what is asked about it.
#[derive(Deserialize)]
struct About {
    game: String,
    sheet: Option<String>,
    start: Option<String>,
    #[serde(default)]
    turns: Vec<String>,
    /// After how many turns; as many as there are if left out.
    ply: Option<usize>,
    /// Quarto: where the piece in hand already stands.
    place: Option<String>,
    /// A player.
    #[serde(default)]
    spec: String,
    /// What its chance is drawn from, as text.
    seed: Option<String>,
    /// Which of several questions.
    #[serde(default)]
    number: usize,
    /// A turn that might be played.
    #[serde(default)]
    turn: String,
    /// How long it may take.
    ms: Option<u64>,
}

impl About {
    fn ply(&self) -> usize {
        self.ply.unwrap_or(self.turns.len())
    }

    fn time(&self, otherwise: Duration) -> Duration {
        self.ms.map_or(otherwise, Duration::from_millis)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.time(THOUGHT)
    }

    fn exact(&self, session: &dyn Session) -> Result<Box<dyn ExactPosition>, ApiError> {
        let exact = session.exact(self.ply(), self.place.as_deref());
        Ok(exact.ok_or_else(unsolved)??)
    }
}

fn unsolved() -> ApiError {
    ApiError::unsupported("exact values are known only of Quarto and its variants")
}

impl ThoughtWorker {
    /// Answers a question.
    pub fn answer(&mut self, op: &str, question: Value) -> Result<Value, ApiError> {
        if op == "check" {
            let sheet = question.get("sheet").and_then(Value::as_str).unwrap_or_default();
            return body(&self.catalogue.check(sheet));
        }
        if op == "games" {
            let names: Vec<String> = games::all().into_iter().map(|game| game.name.into()).collect();
            return body(&names);
        }
        if op == "ratings" {
            return contest::rate(question);
        }
        let about: About = read(question.clone())?;
        let game = self.game(&about)?;
        match op {
            "play" => return contest::play(game, question),
            "entrants" => {
                let players: Vec<String> = read(question["players"].clone())?;
                contest::check(&game, &players)?;
                return Ok(json!({ "status": 200 }));
            }
            "info" => return body(&GameInfo::of(game.as_ref())),
            "preview" => return body(&Preview::of(game.as_ref())),
            "puzzles" => {
                let found = game.puzzles();
                return body(&found.ok_or_else(|| ApiError::not_found("there are no puzzles of that game"))?);
            }
            "try" => {
                let asked = match question["solution"].as_bool() {
                    Some(true) => PuzzleQuestion::Solution,
                    _ => PuzzleQuestion::Verdict,
                };
                return body(&PuzzleTry::of(&game, about.number, &about.turns, asked)?);
            }
            _ => (),
        }
        let mut session = catalogue::begin(game);
        session.replace(about.start.as_deref(), &about.turns)?;
        let session = session.as_ref();
        match op {
            "think" => think(session, &about),
            "look" => look(session, &about),
            "choices" => Ok(choices(&about.exact(session)?.choices())),
            "question" => {
                let mut questions = about.exact(session)?.choices().questions;
                if about.number >= questions.len() {
                    return Err(ApiError::bad_request("there is no such question"));
                }
                let (question, _) = questions.swap_remove(about.number);
                answered(self.put(&question, &about), |worth| json!(worth))
            }
            "judge" => {
                let question = session.judge(about.ply()).ok_or_else(unsolved)?;
                answered(self.put(&question, &about), |judged| {
                    judged.map_or(Value::Null, |judged| told(about.ply(), &judged))
                })
            }
            "hint" => body(&self.hint(session, &about)?),
            "consequence" => {
                let question = session.consequence(about.ply(), &about.turn).ok_or_else(unsolved)??;
                match self.put(&question, &about) {
                    Ok(found) => body(&found),
                    Err(_) => Err(too_long()),
                }
            }
            "opening" => self.opening(session, &about),
            "opinion" => opinion(session, &about),
            "value" => self.value(about.exact(session)?, &about),
            _ => Err(ApiError::bad_request(format!("unknown `op` {}", page::shortened(op)))),
        }
    }

    fn game(&self, about: &About) -> Result<Arc<dyn AnyGame>, ApiError> {
        match &about.sheet {
            Some(sheet) => self.catalogue.pasted(sheet),
            None => self.catalogue.game(&about.game),
        }
    }

    fn put<T>(&mut self, question: &SolverQuestion<T>, about: &About) -> Result<T, Unanswered> {
        question(&mut self.solvers, about.deadline())
    }

    /// The values of all that can be chosen, in order, if they are found in time.
    fn values(&mut self, position: &dyn ExactPosition, deadline: Instant) -> Option<Vec<Worth>> {
        let all = position.choices();
        let mut values = vec![None; all.choices.len()];
        for (number, worth) in all.known {
            values[number] = Some(worth);
        }
        for (question, group) in &all.questions {
            let worth = question(&mut self.solvers, deadline).ok()?;
            for &number in group {
                values[number] = Some(worth);
            }
        }
        values.into_iter().collect()
    }

    /// What a position is worth, and what it took to find out.
    fn value(&mut self, position: Box<dyn ExactPosition>, about: &About) -> Result<Value, ApiError> {
        let (began, before) = (Instant::now(), self.solvers.nodes());
        let values = self.values(position.as_ref(), about.deadline()).ok_or_else(too_long)?;
        let mut answer = body(&Worth::best(values))?;
        answer["nodes"] = json!(self.solvers.nodes().saturating_sub(before));
        answer["ms"] = json!(began.elapsed().as_secs_f64() * 1000.0);
        Ok(answer)
    }

    /// A proved hint where there is one in time, else that of the game's strongest player.
    fn hint(&mut self, session: &dyn Session, about: &About) -> Result<Hint, ApiError> {
        let ply = about.ply();
        if session.mover(ply).is_none() {
            return Err(ApiError::game_over("the game is over"));
        }
        let deadline = about.deadline();
        let mut position = session.exact(ply, about.place.as_deref()).transpose()?;
        while let Some(exact) = position.take() {
            let Some(values) = self.values(exact.as_ref(), deadline) else {
                break;
            };
            if values.is_empty() {
                return Err(ApiError::game_over("there is nothing left to choose"));
            }
            match exact.advise(&values) {
                None => break,
                Some(Advice::Turn(hint)) => return Ok(hint),
                Some(Advice::Further(further)) => position = Some(further),
            }
        }
        let adviser = session.adviser(ply, &session.strongest(), 1)?;
        adviser(&clock(ADVICE)).map_err(|error| ApiError::unavailable(format!("no hint: {error}")))
    }

    /// A position, and what the turns from there are worth.
    fn opening(&mut self, session: &dyn Session, about: &About) -> Result<Value, ApiError> {
        let ply = session.len();
        let branches = match session.mover(ply) {
            None => Vec::new(),
            Some(_) => {
                let question = session.branches(ply).ok_or_else(unsolved)?;
                self.put(&question, about).map_err(|_| too_long())?
            }
        };
        body(&ExploredPosition {
            view: session.moment(ply).view,
            branches,
            // There are no tournaments here whose games could have chosen something.
            recorded: Vec::new(),
        })
    }
}

fn too_long() -> ApiError {
    ApiError::unavailable("this takes longer than a page may ask for")
}

/// An answer whose body is for the page's modules.
fn body(value: &impl Serialize) -> Result<Value, ApiError> {
    let text = serde_json::to_string(value).map_err(ApiError::unavailable)?;
    Ok(json!({ "status": 200, "body": text }))
}

/// A clock for one turn, started now.
pub(crate) fn clock(time: Duration) -> Clock {
    Clock {
        time: Some(time),
        ..Clock::started_at(Instant::now())
    }
}

/// Where a game stands.
fn look(session: &dyn Session, about: &About) -> Result<Value, ApiError> {
    let moment = session.moment(about.ply());
    body(&json!({
        "position": moment.position,
        "mover": moment.mover.map(|seat| seat + 1),
        "legal": moment.legal,
        "payoffs": moment.payoffs,
        "ending": moment.ending,
    }))
}

/// A player's turn, and what it says about it.
fn think(session: &dyn Session, about: &About) -> Result<Value, ApiError> {
    let seed = about.seed.as_deref().unwrap_or("0").parse();
    let seed = seed.map_err(|_| ApiError::bad_request("seed: expected a whole number"))?;
    page::check_spec(&about.spec)?;
    let thinker = session.thinker(about.ply(), &about.spec, seed)?;
    let said = thinker(&clock(about.time(THOUGHT))).map_err(ApiError::unavailable)?;
    Ok(json!({
        "status": 200,
        "said": {
            "best": said.best,
            "value": said.value,
            "depth": said.depth,
            "nodes": said.nodes,
            "ms": said.time.as_secs_f64() * 1000.0,
            "pv": said.pv,
        },
    }))
}

/// What the game's strongest player thinks of a position.
fn opinion(session: &dyn Session, about: &About) -> Result<Value, ApiError> {
    let (ply, turns) = (about.ply(), session.len());
    if ply > turns {
        return Err(ApiError::not_found(format!("the game has {turns} turns")));
    }
    let (subject, think) = Subject::of(session, ply)?;
    let said = think(&clock(about.time(opinion::THOUGHT)));
    let said = said.map_err(|error| ApiError::unavailable(format!("no opinion: {error}")))?;
    body(&subject.opinion(session, said))
}

/// What can be chosen, what of it is known at sight, and which choices each question answers for.
fn choices(all: &Choices) -> Value {
    let choices: Vec<Value> = all
        .choices
        .iter()
        .map(|choice| json!([choice.kind, choice.name]))
        .collect();
    let groups: Vec<&Vec<usize>> = all.questions.iter().map(|(_, group)| group).collect();
    json!({ "status": 200, "choices": choices, "known": all.known, "groups": groups })
}

/// The answer to one of several questions: `again` if it needs more time, and null if there is none.
fn answered<T>(tried: Result<T, Unanswered>, tell: impl FnOnce(T) -> Value) -> Result<Value, ApiError> {
    Ok(match tried {
        Ok(answer) => json!({ "status": 200, "answer": tell(answer) }),
        Err(Unanswered::Stopped) => json!({ "status": 200, "again": true }),
        Err(Unanswered::Never) => json!({ "status": 200, "answer": null }),
    })
}

/// A judged turn, as the page's modules know it.
fn told(ply: usize, judged: &JudgedTurn) -> Value {
    json!({
        "ply": ply,
        "seat": judged.seat.index() + 1,
        "turn": judged.turn,
        "value": judged.was.value,
        "plies": judged.was.plies,
        "best_value": judged.best.value,
        "best_plies": judged.best.plies,
        "best": judged.better.iter().take(5).collect::<Vec<_>>(),
        "mistake": judged.is_mistake(),
        "value_for_seat1": judged.for_first_seat(),
    })
}

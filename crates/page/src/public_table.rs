//! A table as the page sees it.

use crate::table::{Person, Seating, Table};
use games::Moment;
use games::view::View;
use player::Analysis;
use serde::Serialize;
use utoipa::ToSchema;

impl Table {
    /// The table as it stands, or as it stood at an earlier ply.
    pub fn public(&self, ply: Option<usize>) -> PublicTable {
        let at = ply.unwrap_or(self.ply).min(self.session.len());
        let now = at == self.ply;
        let Moment {
            position,
            mover,
            legal,
            legal_written,
            payoffs,
            points,
            ending,
            last,
            view,
        } = self.session.moment(at);
        // What some chose while others are still choosing is nobody's business yet.
        let revealed = self.session.revealed();
        let mut turns = self.session.turns();
        let mut written = self.session.written();
        for told in [&mut turns, &mut written] {
            told.iter_mut().skip(revealed).for_each(|turn| *turn = HIDDEN.into());
        }
        let said = self.said.as_ref().filter(|(ply, _)| *ply == at && at <= revealed);
        PublicTable {
            id: self.id.clone(),
            version: self.version,
            game: self.game.clone(),
            title: self.title(),
            family: self.session.game().stage(),
            pace_ms: self.pace_ms,
            seats: (self.session.game().roles().into_iter().zip(&self.seats).enumerate())
                .map(|(number, (role, seat))| PublicSeat {
                    seat: number + 1,
                    role,
                    player: seat.sitter.as_str().into(),
                    name: seat.name.clone(),
                })
                .collect(),
            start: self.session.shown_start(),
            position,
            ply: at,
            redoable: turns.len() - at,
            hidden: turns.len() - revealed,
            mover: mover.map(|seat| seat + 1),
            to_move: self.to_move(at).map(|(_, sitter)| match sitter.program() {
                None => ToMove::Human,
                Some(_) => ToMove::Program,
            }),
            thinking: self.thinking.filter(|_| now).map(|thinking| ThinkingProgram {
                seat: thinking.seat + 1,
                player: self.seats[thinking.seat].sitter.as_str().into(),
                waiting: thinking.waiting,
            }),
            paused: self.paused,
            legal,
            legal_written,
            outcome: payoffs.map(|payoffs| PublicOutcome {
                winner: winner(&payoffs),
                payoffs,
                points,
                text: ending.unwrap_or_default(),
            }),
            last: last.map(|(seat, text)| LastTurn {
                seat: seat + 1,
                turn: turns[at - 1].clone(),
                text: if at > revealed { "has chosen".into() } else { text },
                thought: said.map(|(_, said)| PublicThought::of(said)),
            }),
            turns,
            written,
            problem: self.problem.clone().filter(|_| now),
            view,
        }
    }
}

/// Stands for a turn that is not told yet.
pub const HIDDEN: &str = "?";

/// A table at some moment, and what each person may do at it: made once, however many look at it.
pub struct Snapshot {
    shown: PublicTable,
    seating: Seating,
}

impl Snapshot {
    /// The table as it stands, or as it stood at an earlier ply.
    pub fn of(table: &Table, ply: Option<usize>) -> Self {
        Snapshot {
            shown: table.public(ply),
            seating: table.seating(),
        }
    }

    /// Grows with every change of the table.
    pub fn version(&self) -> u64 {
        self.shown.version
    }

    /// As JSON, as a person sees it.
    pub fn json(&self, person: Person) -> String {
        let table = ClientTable {
            table: &self.shown,
            you: You {
                seats: self.seating.seats_of(person).map(|seat| seat + 1).collect(),
                in_charge: self.seating.in_charge(person),
            },
        };
        // It is made of numbers, texts and lists: nothing there can fail to be written.
        serde_json::to_string(&table).unwrap_or_default()
    }
}

/// A table as one person sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = Table)]
pub struct ClientTable<'a> {
    #[serde(flatten)]
    table: &'a PublicTable,
    /// What concerns who asks.
    you: You,
}

/// What somebody is at a table. Who has no seat watches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct You {
    /// Your seats.
    seats: Vec<usize>,
    /// Whether you may take turns back, begin anew and change who sits where.
    in_charge: bool,
}

/// The seat, from 1, that alone got most.
fn winner(payoffs: &[u8]) -> Option<usize> {
    let most = payoffs.iter().max()?;
    let mut best = payoffs.iter().enumerate().filter(|(_, payoff)| *payoff == most);
    match (best.next(), best.next()) {
        (Some((seat, _)), None) => Some(seat + 1),
        _ => None,
    }
}

/// A table as everybody sees it. Seats count from 1.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PublicTable)]
pub struct PublicTable {
    /// Its name in links: `/t/ID`.
    #[schema(example = "q7f3k2m9x1ab")]
    pub id: String,
    /// Grows with every change.
    pub version: u64,
    /// The game's name; `gdl` for a pasted sheet.
    #[schema(example = "quarto")]
    pub game: String,
    /// What a pasted sheet says of itself.
    pub title: Option<String>,
    /// Which view to expect: its `kind`. `quarto`, `stack4`, `gdl`, or `plain` for every other game.
    #[schema(value_type = String)]
    pub family: &'static str,
    /// How long a program's turn takes at least.
    pub pace_ms: u32,
    /// Who sits where.
    pub seats: Vec<PublicSeat>,
    /// The position the game began from.
    pub start: String,
    /// The position at this ply.
    #[schema(example = "0.../..../..../.... 5")]
    pub position: String,
    /// How many turns stand.
    pub ply: usize,
    /// All turns, those taken back included. The last ones are `?` while others have yet to choose at the same time.
    pub turns: Vec<String>,
    /// The same turns as people write them: `e4` for `(move,e,2,e,4)`.
    pub written: Vec<String>,
    /// How many turns were taken back.
    pub redoable: usize,
    /// How many of the last turns are not told yet.
    pub hidden: usize,
    /// The seat to move; null once the game is over.
    pub mover: Option<usize>,
    /// Who sits there.
    pub to_move: Option<ToMove>,
    /// The program that was asked.
    pub thinking: Option<ThinkingProgram>,
    /// Whether programs wait for `resume`.
    pub paused: bool,
    /// The legal turns.
    pub legal: Vec<String>,
    /// The same as people write them.
    pub legal_written: Vec<String>,
    /// How it ended.
    pub outcome: Option<PublicOutcome>,
    /// The turn that led here.
    pub last: Option<LastTurn>,
    /// Why a program does not play.
    pub problem: Option<Problem>,
    /// What to draw.
    pub view: View,
}

/// A seat.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Seat)]
pub struct PublicSeat {
    /// Its number.
    pub seat: usize,
    /// What the game calls it.
    pub role: String,
    /// "human", "open" for a seat that anybody may take, or a player's spec.
    pub player: String,
    /// What they are called, if that is told.
    pub name: Option<String>,
}

/// Who is to move.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ToMove {
    /// A person.
    Human,
    /// A program.
    Program,
}

/// A program that was asked for a turn.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Thinking)]
pub struct ThinkingProgram {
    /// Its seat.
    pub seat: usize,
    /// Its spec.
    pub player: String,
    /// Whether it has not begun yet.
    pub waiting: bool,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Outcome)]
pub struct PublicOutcome {
    /// The seat that alone got most.
    pub winner: Option<usize>,
    /// What every seat got, 0 to 100.
    pub payoffs: Vec<u8>,
    /// The game's own points.
    pub points: Option<[i32; 2]>,
    /// In words.
    pub text: String,
}

/// A turn that was played.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LastTurn)]
pub struct LastTurn {
    /// Whose.
    pub seat: usize,
    /// The turn.
    pub turn: String,
    /// In words.
    pub text: String,
    /// What a program said about it.
    pub thought: Option<PublicThought>,
}

/// What a program said about its turn.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Thought)]
pub struct PublicThought {
    /// What the position is worth to it, on its own scale.
    pub value: Option<f64>,
    /// How far it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// How long it took.
    pub ms: f64,
    /// How it expects the game to go on.
    pub line: Vec<String>,
}

impl PublicThought {
    fn of(said: &Analysis<String>) -> Self {
        PublicThought {
            value: said.value,
            depth: said.depth,
            nodes: said.nodes,
            ms: said.time.as_secs_f64() * 1000.0,
            line: said.pv.clone(),
        }
    }
}

/// Why a program is not playing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Problem {
    /// One word for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
}

//! A table as the page sees it.

use crate::table::{Action, Clocks, Person, Seating, Table, Termination};
use game::Instant;
use games::Moment;
use games::describe::ToSchema;
use games::view::View;
use player::Analysis;
use serde::Serialize;

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
        let roles = self.session.game().roles();
        let ended = self.ended.filter(|_| now);
        let over = payoffs.map(|payoffs| PublicOutcome {
            winner: winner(&payoffs),
            payoffs,
            points: points.filter(|_| ended.is_none()),
            text: ending.unwrap_or_default(),
            how: EndedBy::Rules,
        });
        let said = self.said.as_ref().filter(|(ply, _)| *ply == at && at <= revealed);
        PublicTable {
            id: self.id.clone(),
            version: self.version,
            game: self.game.clone(),
            title: self.title(),
            family: self.session.game().stage(),
            pace_ms: self.pace_ms,
            seats: (roles.iter().cloned().zip(&self.seats).enumerate())
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
            mover: mover.filter(|_| ended.is_none()).map(|seat| seat + 1),
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
            legal_written: if ended.is_some() { Vec::new() } else { legal_written },
            legal: if ended.is_some() { Vec::new() } else { legal },
            outcome: ended.map(|how| PublicOutcome::of(how, &roles)).or(over),
            proposal: self.proposal.as_ref().filter(|_| now).map(|proposal| PublicProposal {
                seat: self.seating().seats_of(proposal.by).next().map_or(0, |seat| seat + 1),
                what: Proposed::of(&proposal.action),
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
    clocks: Option<Clocks>,
}

impl Snapshot {
    /// The table as it stands, or as it stood at an earlier ply.
    pub fn of(table: &Table, ply: Option<usize>) -> Self {
        Snapshot {
            shown: table.public(ply),
            seating: table.seating(),
            clocks: table.clocks.clone(),
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
            clock: self.clocks.as_ref().map(|clocks| self.clock(clocks)),
            you: You {
                seats: self.seating.seats_of(person).map(|seat| seat + 1).collect(),
                in_charge: self.seating.in_charge(person),
            },
        };
        // It is made of numbers, texts and lists: nothing there can fail to be written.
        serde_json::to_string(&table).unwrap_or_default()
    }

    /// The clocks as they stand now, which is later than when the snapshot was made.
    fn clock(&self, clocks: &Clocks) -> PublicClock {
        let control = clocks.control();
        let left = clocks.left(Instant::now()).into_iter().zip(&self.shown.seats);
        PublicClock {
            base_ms: control.base.as_millis() as u64,
            increment_ms: control.increment.as_millis() as u64,
            left_ms: left
                .map(|(left, seat)| {
                    ["human", "open"]
                        .contains(&seat.player.as_str())
                        .then_some(left.as_millis() as u64)
                })
                .collect(),
            running: clocks.running().map(|seat| seat + 1),
        }
    }
}

/// A table as one person sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = Table)]
pub struct ClientTable<'a> {
    #[serde(flatten)]
    table: &'a PublicTable,
    /// How much time everybody has; null where nobody counts it.
    clock: Option<PublicClock>,
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
    /// What somebody asks the others for.
    pub proposal: Option<PublicProposal>,
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
    /// What ended it.
    pub how: EndedBy,
}

impl PublicOutcome {
    fn of(how: Termination, roles: &[String]) -> Self {
        let payoffs = how.payoffs(roles.len());
        PublicOutcome {
            winner: winner(&payoffs),
            payoffs,
            points: None,
            text: how.in_words(roles),
            how: match how {
                Termination::Resigned(_) => EndedBy::Resignation,
                Termination::OutOfTime(_) => EndedBy::Time,
                Termination::Agreed => EndedBy::Agreement,
            },
        }
    }
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// Its rules.
    Rules,
    /// Somebody gave up.
    Resignation,
    /// Somebody's time was up.
    Time,
    /// All agreed to a draw.
    Agreement,
}

/// What somebody asks the others for. Whoever plays on says no.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Proposal)]
pub struct PublicProposal {
    /// Who asks.
    pub seat: usize,
    /// What for.
    pub what: Proposed,
}

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Proposed {
    /// To take turns back, or to go to another ply.
    Undo,
    /// To play turns again.
    Redo,
    /// Another game from its start.
    Restart,
    /// To swap seats.
    Swap,
    /// Another position.
    Setup,
    /// A draw.
    Draw,
}

impl Proposed {
    fn of(action: &Action) -> Self {
        match action {
            Action::Undo(_) | Action::GoTo(_) => Proposed::Undo,
            Action::Restart => Proposed::Restart,
            Action::Swap => Proposed::Swap,
            Action::Setup { .. } => Proposed::Setup,
            Action::Draw => Proposed::Draw,
            _ => Proposed::Redo,
        }
    }
}

/// How much time everybody has.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Clock)]
pub struct PublicClock {
    /// What everybody had for the whole game.
    pub base_ms: u64,
    /// What each turn adds.
    pub increment_ms: u64,
    /// What each seat has left now; programs have no clock.
    pub left_ms: Vec<Option<u64>>,
    /// The seat whose clock runs.
    pub running: Option<usize>,
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

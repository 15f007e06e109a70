//! Who plays a match: the machine of its game, what is known of the position, and the player.

use super::session::MatchStart;
use super::tracker::PositionTracker;
use super::{PlayerEvent, Watcher};
use crate::message::TurnReport;
use game::{Game, Rng, Seat, Stop, pick};
use gdl::{BuildLimits, Building, Deadline, Machine, MachineKind, Position, State};
use player::{Clock, Player, PlayerFactory};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

/// How long the compiled machine may take to build, beside the prover's playing.
const TO_BUILD: Duration = Duration::from_secs(600);
/// So much the prover has to itself before the compiled machine is begun, if it needs it.
const TO_LEAD: Duration = Duration::from_millis(250);
/// Possible states that the player is asked about for one move.
const MOST_OPINIONS: usize = 8;

pub(super) struct MatchThinker {
    id: String,
    role: usize,
    /// The first position, as our role meets it; the machine is its.
    first: Position,
    /// In a game with hidden information: who knows what a role sees.
    prover: Option<Machine>,
    track: PositionTracker,
    factory: PlayerFactory<Position>,
    player: Box<dyn Player<Position>>,
    building: Option<Building>,
    seed: u64,
    rng: Rng,
    watcher: Watcher,
}

impl MatchThinker {
    /// Reads the rules and builds a machine: the compiled one if it is there in time, else the prover, and building
    /// goes on. `early` hears of a legal move in the first turn as soon as there is one. All of that ends if `stop` is raised.
    pub fn new(
        beginning: &MatchStart,
        factory: PlayerFactory<Position>,
        seed: u64,
        until: Instant,
        stop: &Stop,
        watcher: Watcher,
        early: impl FnOnce(String),
    ) -> Result<MatchThinker, String> {
        let id = beginning.id.clone();
        let Machines {
            plays: machine,
            prover,
            building,
        } = Machines::new(beginning, until, stop, &watcher, early)?;
        let role = role_in(&machine, beginning)?;
        let first = seated(machine, role)?;
        let mut player = fresh(&factory, seed);
        // The start clock is there to be used, but not by two at once.
        let now = Instant::now();
        if building.is_none() && now < until {
            let clock = Clock {
                time: Some(until - now),
                ..Clock::started_at(now)
            };
            in_time(until, || player.prepare(&first, &clock));
            if is_cut_short(&first, until) {
                player = fresh(&factory, seed);
            }
        }
        Ok(MatchThinker {
            id: id.clone(),
            role,
            track: PositionTracker::new(prover.as_ref().unwrap_or(first.machine()), role, game::mix(seed, &[1])),
            prover,
            first,
            player,
            factory,
            building,
            seed,
            rng: game::rng(game::mix(seed, &[2])),
            watcher: watcher.clone(),
        })
    }

    /// Takes the report of a turn in, after we have answered `sent` in the turn before.
    pub fn follow(&mut self, report: &TurnReport, sent: Option<&str>, until: Instant) {
        self.change_machines();
        let machine = self.prover.as_ref().unwrap_or(self.first.machine());
        if let Err(trouble) = self.track.follow(machine, report, sent, until) {
            (self.watcher)(PlayerEvent::Trouble(format!("{}: {trouble}", self.id)));
        }
    }

    /// How many turns have been played.
    pub fn turn(&self) -> u64 {
        self.track.turn()
    }

    /// The compiled machine takes over if it has been built by now.
    fn change_machines(&mut self) {
        let Some(built) = self
            .building
            .as_ref()
            .and_then(|building| building.wait(Duration::ZERO))
        else {
            return;
        };
        self.building = None;
        let changed = built.map_err(|error| error.to_string()).and_then(|machine| {
            let carried = match self.prover {
                Some(_) => None,
                None => Some(
                    self.track
                        .carry(self.first.machine(), &machine)
                        .ok_or("it does not know this position")?,
                ),
            };
            Ok((seated(machine, self.role)?, carried))
        });
        let what = match changed {
            Ok((first, carried)) => {
                self.first = first;
                carried.into_iter().for_each(|track| self.track = track);
                self.player = fresh(&self.factory, self.seed);
                "the compiled machine takes over".into()
            }
            Err(why) => format!("no compiled machine ({why}); the prover plays on"),
        };
        (self.watcher)(PlayerEvent::Machine {
            id: self.id.clone(),
            what,
        });
    }

    /// The machine whose states the track knows.
    fn tracker(&self) -> &Machine {
        self.prover.as_ref().unwrap_or(self.first.machine())
    }

    /// A position as our role meets it, at a state of the track.
    fn position(&self, state: &State) -> Option<Position> {
        let state = match &self.prover {
            None => state.clone(),
            Some(prover) => self.first.machine().state(&prover.facts(state)).ok()?,
        };
        self.first.at_state(state).ok()
    }

    /// A legal move at random.
    pub fn any_move(&mut self) -> Option<String> {
        let legal = self.track.legal(self.tracker(), self.role)?;
        let chosen = pick(&mut self.rng, &legal)?;
        Some(self.tracker().print_move(chosen))
    }

    /// The player's move, thought about until `until` and not at all after `latest`. `None` if it has none in time.
    pub fn choose(&mut self, asked: Instant, until: Instant, latest: Instant) -> Option<String> {
        let legal = self.track.legal(self.tracker(), self.role)?;
        let legal: Vec<String> = legal.into_iter().map(|mv| self.tracker().print_move(mv)).collect();
        if let [only] = legal.as_slice() {
            return Some(only.clone());
        }
        // Where several states are possible, the time is shared out among some of them, and the moves are counted.
        let states = self.track.some_states(MOST_OPINIONS);
        let mut votes = vec![0u32; legal.len()];
        for (number, state) in states.iter().enumerate() {
            let now = Instant::now();
            if now >= until {
                break;
            }
            let Some(position) = self
                .position(state)
                .filter(|position| position.mover().index() == self.role)
            else {
                continue;
            };
            let (started, share) = match states.len() {
                1 => (asked, until.saturating_duration_since(asked)),
                count => (now, (until - now) / (count - number) as u32),
            };
            let clock = Clock {
                time: Some(share),
                ..Clock::started_at(started)
            };
            let chosen = in_time(latest, || self.player.choose(&position, &clock));
            if is_cut_short(&self.first, latest) {
                self.player = fresh(&self.factory, self.seed);
            }
            match chosen {
                Ok(analysis) => {
                    let said = self.first.machine().print_move(analysis.best);
                    let place = legal.iter().position(|legal| *legal == said);
                    place.into_iter().for_each(|place| votes[place] += 1);
                }
                Err(error) => (self.watcher)(PlayerEvent::Trouble(format!("{}: the player {error}", self.id))),
            }
        }
        let most = votes.iter().copied().max().filter(|&votes| votes > 0)?;
        let place = votes.iter().position(|&votes| votes == most)?;
        legal.into_iter().nth(place)
    }

    /// Thinks on about where the game stands, for a moment. False if there is nothing to think about.
    pub fn ponder(&mut self, moment: Duration) -> bool {
        let position = self.track.state().and_then(|state| self.position(state));
        let Some(position) = position.filter(|position| position.outcome().is_none()) else {
            return false;
        };
        let clock = Clock {
            time: Some(moment),
            ..Clock::unlimited()
        };
        let latest = clock.started + 2 * moment;
        in_time(latest, || self.player.prepare(&position, &clock));
        if is_cut_short(&self.first, latest) {
            self.player = fresh(&self.factory, self.seed);
        }
        // A player that has no use for the time would keep us busy asking.
        clock.elapsed() >= moment / 4
    }

    /// Whether some joint move may have ended the game since we last heard of it.
    pub fn may_be_over(&mut self, until: Instant) -> bool {
        let machine = self.prover.as_ref().unwrap_or(self.first.machine());
        self.track.may_be_over(machine, until)
    }

    /// What everybody got, after the last report, if there is only one answer.
    pub fn goals(&mut self, report: &TurnReport, sent: Option<&str>) -> Option<Vec<(String, u8)>> {
        self.follow(report, sent, Instant::now() + Duration::from_secs(1));
        let machine = self.tracker();
        let mut goals = self.track.states().iter().map(|state| machine.goals(state).ok());
        let first = goals.next()??;
        let same = goals.all(|goals| goals.as_ref() == Some(&first));
        let roles = machine.roles().into_iter().map(String::from);
        same.then(|| roles.zip(first).collect())
    }
}

/// What the player does on its clock: it looks there from state to state, but one state may take the prover seconds. So the
/// machines stop at `latest`.
fn in_time<T>(latest: Instant, think: impl FnOnce() -> T) -> T {
    let deadline = Deadline {
        at: Some(latest),
        stop: Stop::never(),
    };
    deadline.bound(think)
}

/// Whether a machine was stopped in the middle of a state: the player believes then that the game was over there, and would go on
/// believing it. The compiled machine is never.
fn is_cut_short(position: &Position, latest: Instant) -> bool {
    Instant::now() >= latest && position.machine().kind() == MachineKind::Prover
}

fn fresh(factory: &PlayerFactory<Position>, seed: u64) -> Box<dyn Player<Position>> {
    let mut player = factory.make();
    player.begin(seed);
    player
}

fn seated(machine: Machine, role: usize) -> Result<Position, String> {
    let seat = u8::try_from(role).map(Seat::new).map_err(|error| error.to_string())?;
    Position::for_seat(machine, seat).map_err(|error| error.to_string())
}

/// The number of our role.
fn role_in(machine: &Machine, beginning: &MatchStart) -> Result<usize, String> {
    let roles = machine.roles();
    roles
        .iter()
        .position(|role| role.eq_ignore_ascii_case(&beginning.role))
        .ok_or_else(|| format!("the game has no role `{}`, only {}", beginning.role, roles.join(", ")))
}

/// The machines of a match.
struct Machines {
    plays: Machine,
    /// In a game with hidden information: who knows what a role sees.
    prover: Option<Machine>,
    /// The compiled machine that was not there in time.
    building: Option<Building>,
}

impl Machines {
    fn new(
        beginning: &MatchStart,
        until: Instant,
        stop: &Stop,
        watcher: &Watcher,
        early: impl FnOnce(String),
    ) -> Result<Machines, String> {
        let limits = BuildLimits {
            time: TO_BUILD,
            stop: stop.clone(),
            ..BuildLimits::default()
        };
        // A legal move comes first, where the cores are few or busy.
        let (is_proved, first): (Sender<()>, _) = mpsc::channel();
        let patience = until.saturating_duration_since(Instant::now()) / 4;
        let building = Building::start_after(beginning.sheet.clone(), limits, patience.max(TO_LEAD), first);
        // The prover is there in a moment, and with it a move, whatever becomes of the rest. On a slow day that moment is past the
        // clocks; but who gives it up has no move at all before the compiled machine is there, and some never are.
        let deadline = Deadline {
            at: None,
            stop: building.is_built(),
        };
        let proves = deadline.bound(|| prover(beginning, early));
        drop(is_proved);
        // The player wants to have a look before the first turn, too; but without the prover it has nothing to look at.
        let left = until.saturating_duration_since(Instant::now());
        let built = building.wait(if proves.is_ok() { left * 3 / 4 } else { TO_BUILD });
        let tell = |what: String| {
            watcher(PlayerEvent::Machine {
                id: beginning.id.clone(),
                what,
            });
        };
        let (compiled, building) = match built {
            Some(Ok(machine)) => {
                tell("the compiled machine plays".into());
                (Some(machine), None)
            }
            Some(Err(why)) => {
                tell(format!("{why}; the prover plays"));
                (None, None)
            }
            None => {
                tell("the prover plays until the compiled machine is built".into());
                (None, Some(building))
            }
        };
        let (plays, prover) = match (compiled, proves) {
            (Some(machine), Ok(prover)) => (machine, prover.is_hidden().then_some(prover)),
            (Some(machine), Err(_)) if machine.is_hidden() => (machine, Some(prover(beginning, |_| ())?)),
            (Some(machine), Err(_)) => (machine, None),
            (None, Ok(prover)) if prover.is_hidden() => {
                let second = Machine::prover(&beginning.sheet).map_err(|error| error.to_string())?;
                (second, Some(prover))
            }
            (None, Ok(prover)) => (prover, None),
            (None, Err(why)) => return Err(why),
        };
        Ok(Machines {
            plays,
            prover,
            building,
        })
    }
}

/// The prover of a match, if it can work the first position out; `early` hears of a legal move there.
fn prover(beginning: &MatchStart, early: impl FnOnce(String)) -> Result<Machine, String> {
    let prover = Machine::prover(&beginning.sheet).map_err(|error| error.to_string())?;
    let view = prover.view(&prover.initial()).map_err(|error| error.to_string())?;
    let role = role_in(&prover, beginning)?;
    if let Some(&mv) = view.legal.get(role).and_then(|legal| legal.first()) {
        early(prover.print_move(mv));
    }
    Ok(prover)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl::Sheet;
    use std::sync::Arc;

    /// Eight wheels in one fact: too many positions for the compiled machine, none of them hard. The prover looks at the clock
    /// while it makes all triples.
    fn wheels() -> Sheet {
        let mut text =
            String::from("(role p) (init (wheels 0 0 0 0 0 0 0 0)) (<= terminal (true (wheels 9 9 9 9 9 9 9 9)))");
        let number = |n| format!(" (number {n})");
        text.extend((0..40).map(number));
        (0..9).for_each(|n| text += &format!(" (succ {n} {})", n + 1));
        text += " (<= (triple ?a ?b ?c) (number ?a) (number ?b) (number ?c))";
        for wheel in 0..8 {
            let at = |turned: bool| {
                let places = (0..8).map(|place| match place == wheel && turned {
                    true => "?next".to_string(),
                    false => format!("?w{place}"),
                });
                places.collect::<Vec<_>>().join(" ")
            };
            let (now, next) = (at(false), at(true));
            text +=
                &format!(" (<= (legal p (turn {wheel})) (true (wheels {now})) (succ ?w{wheel} ?next) (triple 1 2 3))");
            text += &format!(
                " (<= (next (wheels {next})) (does p (turn {wheel})) (true (wheels {now})) (succ ?w{wheel} ?next))"
            );
        }
        text += " (goal p 100)";
        Sheet::parse("wheels", &text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_prover_that_is_late_for_its_clocks_is_still_waited_for() {
        let accepted = Instant::now();
        let beginning = MatchStart {
            id: "late".into(),
            role: "p".into(),
            sheet: wheels(),
            start: Duration::ZERO,
            play: Duration::ZERO,
            accepted,
        };
        let mut early = None;
        let stop = Stop::new();
        let quiet: Watcher = Arc::new(|_| ());
        let machines = Machines::new(&beginning, accepted, &stop, &quiet, |mv| early = Some(mv));
        assert_eq!(machines.map(|machines| machines.plays.kind()), Ok(MachineKind::Prover));
        assert_eq!(early.as_deref(), Some("(turn 0)"));
    }
}

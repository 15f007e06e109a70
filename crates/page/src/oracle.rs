//! The exact solver, shared by everybody.
//!
//! A client asks several questions at once. Each is tried for a moment; what takes longer goes to the end of its client's
//! queue and is then tried for twice as long, so easy questions are answered first and no client keeps the solver to
//! itself. What was found out on the way stays in the solver's table and helps with the next try. An inquiry ends with
//! its last answer, when its time is spent, or when nobody listens any more.

use crate::client::Client;
use crate::house::House;
use crate::pool::{Job, Pool, Size};
use crate::refusal::Refusal;
use quarto::Rules;
use quarto::solver::{NoAnswer, Solver};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How long a question is tried at first, and at most in one go.
const FIRST_TRY: Duration = Duration::from_millis(30);
const LONGEST_TRY: Duration = Duration::from_millis(480);

/// The threads that solve.
pub struct Oracle {
    pool: Pool<Desk>,
    memory: usize,
}

/// What one thread keeps: a solver with its table for each of the variants asked about last.
#[derive(Default)]
pub struct Desk(Vec<Solver>);

/// Variants kept at a desk.
const MOST_SOLVERS: usize = 2;

impl Desk {
    fn solver(&mut self, rules: &'static Rules, memory: usize) -> io::Result<&Solver> {
        let solver = match self.0.iter().position(|solver| solver.rules() == rules) {
            Some(at) => self.0.remove(at),
            None => {
                let mut solver = Solver::new(rules, memory, 1)?;
                solver.open_book();
                solver
            }
        };
        self.0.truncate(MOST_SOLVERS - 1);
        self.0.insert(0, solver);
        Ok(&self.0[0])
    }
}

/// A question to the solver. It may be put several times.
pub type Question<T> = Box<dyn Fn(&Solver) -> Result<T, NoAnswer> + Send>;

/// What the oracle tells: the number of a question, and the answer unless time ran out.
pub type Told<T> = (usize, Option<T>);

/// Questions on their way.
struct Inquiry<T> {
    sender: UnboundedSender<Told<T>>,
    /// Microseconds.
    spent: AtomicU64,
    time: Duration,
    rules: &'static Rules,
    memory: usize,
}

impl Oracle {
    /// Starts the threads.
    pub fn new(house: &House) -> io::Result<Self> {
        let size = Size {
            threads: house.solvers,
            share: house.solvers,
            waiting: 256,
        };
        Ok(Oracle {
            pool: Pool::new("solver", size).map_err(io::Error::other)?,
            memory: house.solver_memory,
        })
    }

    /// Asks questions about positions of one variant. As many answers come as there are questions, in any order.
    pub fn ask<T: Send + 'static>(
        &self,
        client: Client,
        rules: &'static Rules,
        questions: Vec<Question<T>>,
        time: Duration,
    ) -> Result<UnboundedReceiver<Told<T>>, Refusal> {
        let (sender, receiver) = unbounded_channel();
        let inquiry = Arc::new(Inquiry {
            sender,
            spent: AtomicU64::new(0),
            time,
            rules,
            memory: self.memory,
        });
        for (number, question) in questions.into_iter().enumerate() {
            let job = inquiry.clone().job(number, question, FIRST_TRY);
            self.pool
                .ask(client, job)
                .map_err(|_| Refusal::busy("the solver has more questions of yours than it takes; close some"))?;
        }
        Ok(receiver)
    }

    /// How many questions are being worked on, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        self.pool.load()
    }
}

impl<T: Send + 'static> Inquiry<T> {
    fn job(self: Arc<Self>, number: usize, question: Question<T>, time: Duration) -> Job<Desk> {
        Job::in_parts(move |desk: &mut Desk| {
            if self.sender.is_closed() {
                return None;
            }
            let left = self
                .time
                .saturating_sub(Duration::from_micros(self.spent.load(Ordering::Relaxed)));
            let answer = match desk.solver(self.rules, self.memory) {
                Ok(solver) if !left.is_zero() => {
                    let began = Instant::now();
                    solver.set_deadline(Some(began + time.min(left)));
                    let answer = question(solver);
                    solver.set_deadline(None);
                    self.spent
                        .fetch_add(began.elapsed().as_micros() as u64, Ordering::Relaxed);
                    match answer {
                        Err(NoAnswer::Stopped) => {
                            return Some(self.job(number, question, (2 * time).min(LONGEST_TRY)));
                        }
                        answer => answer.ok(),
                    }
                }
                _ => None,
            };
            let _ = self.sender.send((number, answer));
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use quarto::Position;
    use quarto::solver::Exact;

    fn oracle() -> Oracle {
        let house = House {
            solvers: 1,
            solver_memory: 1 << 20,
            ..House::default()
        };
        Oracle::new(&house).unwrap()
    }

    fn exact(text: &str, rules: &str) -> (&'static Rules, Question<Exact>) {
        let rules = Rules::named(rules).unwrap();
        let position = Position::new(rules).parse(text).unwrap();
        (rules, Box::new(move |solver| solver.exact(&position)))
    }

    #[test]
    fn an_easy_question_is_answered_while_a_hopeless_one_runs_out_of_time() {
        let oracle = oracle();
        let (rules, hopeless) = exact("..../..../..../.... -", "quarto-misere");
        let (_, easy) = exact("7.ea/3b.d/cf.9/5.12 8", "quarto-misere");
        let time = Duration::from_millis(200);
        let mut told = oracle
            .ask(Client::number(1), rules, vec![hopeless, easy], time)
            .unwrap();
        assert_eq!(
            told.blocking_recv().map(|(number, answer)| (number, answer.is_some())),
            Some((1, true))
        );
        assert_eq!(
            told.blocking_recv().map(|(number, answer)| (number, answer.is_some())),
            Some((0, false))
        );
        assert!(told.blocking_recv().is_none());
    }

    #[test]
    fn who_stops_listening_stops_the_solver() {
        let oracle = oracle();
        let (rules, hopeless) = exact("..../..../..../.... -", "quarto-misere");
        let told = oracle
            .ask(Client::number(1), rules, vec![hopeless], Duration::from_secs(600))
            .unwrap();
        drop(told);
        let (rules, easy) = exact("012./4.7./a..d/.... 3", "quarto");
        let mut told = oracle
            .ask(Client::number(2), rules, vec![easy], Duration::from_secs(1))
            .unwrap();
        assert!(told.blocking_recv().unwrap().1.is_some());
        assert_eq!(oracle.load().1, 0);
    }
}

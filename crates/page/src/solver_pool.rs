//! The exact solvers, shared by everybody.
//!
//! A client asks several questions at once. Each is tried for a moment; what takes longer goes to the end of its client's
//! queue and is then tried for twice as long, so easy questions are answered first and no client keeps the solver to
//! itself. What was found out on the way stays in the solver's table and helps with the next try. An inquiry ends with
//! its last answer, when its time is spent, or when nobody listens any more.

use crate::api_error::ApiError;
use crate::client::Client;
use crate::limits::ServerLimits;
use crate::pool::{Pool, PoolJob, Size};
use games::exact::{SolverQuestion, Solvers, Unanswered};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How long a question is tried at first, and at most in one go.
const FIRST_TRY: Duration = Duration::from_millis(30);
const LONGEST_TRY: Duration = Duration::from_millis(480);

/// The threads that solve.
pub struct SolverPool {
    pool: Pool<Solvers>,
}

/// What the solvers tell: the number of a question, and the answer unless time ran out.
pub type NumberedAnswer<T> = (usize, Option<T>);

/// Questions on their way.
struct Inquiry<T> {
    sender: UnboundedSender<NumberedAnswer<T>>,
    /// Microseconds.
    spent: AtomicU64,
    time: Duration,
}

impl SolverPool {
    /// Starts the threads.
    pub fn new(limits: &ServerLimits) -> io::Result<Self> {
        let size = Size {
            threads: limits.solvers,
            share: limits.solvers,
            waiting: 256,
        };
        let memory = limits.solver_memory;
        Ok(SolverPool {
            pool: Pool::new("solver", size, move || Solvers::new(memory)).map_err(io::Error::other)?,
        })
    }

    /// Asks questions. As many answers come as there are questions, in any order.
    pub fn ask<T: Send + 'static>(
        &self,
        client: Client,
        questions: Vec<SolverQuestion<T>>,
        time: Duration,
    ) -> Result<UnboundedReceiver<NumberedAnswer<T>>, ApiError> {
        let (sender, receiver) = unbounded_channel();
        let inquiry = Arc::new(Inquiry {
            sender,
            spent: AtomicU64::new(0),
            time,
        });
        for (number, question) in questions.into_iter().enumerate() {
            let job = inquiry.clone().job(number, question, FIRST_TRY);
            self.pool
                .ask(client, job)
                .map_err(|_| ApiError::busy("the solver has more questions of yours than it takes; close some"))?;
        }
        Ok(receiver)
    }

    /// How many questions are being worked on, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        self.pool.load()
    }
}

impl<T: Send + 'static> Inquiry<T> {
    fn job(self: Arc<Self>, number: usize, question: SolverQuestion<T>, time: Duration) -> PoolJob<Solvers> {
        PoolJob::in_parts(move |solvers: &mut Solvers| {
            if self.sender.is_closed() {
                return None;
            }
            let spent = Duration::from_micros(self.spent.load(Ordering::Relaxed));
            let left = self.time.saturating_sub(spent);
            let mut answer = None;
            if !left.is_zero() {
                let began = Instant::now();
                let tried = question(solvers, began + time.min(left));
                self.spent
                    .fetch_add(began.elapsed().as_micros() as u64, Ordering::Relaxed);
                if let Err(Unanswered::Stopped) = tried {
                    return Some(self.job(number, question, (2 * time).min(LONGEST_TRY)));
                }
                answer = tried.ok();
            }
            let _ = self.sender.send((number, answer));
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use games::exact::Worth;

    fn pool() -> SolverPool {
        let limits = ServerLimits {
            solvers: 1,
            solver_memory: 1 << 20,
            ..ServerLimits::default()
        };
        SolverPool::new(&limits).unwrap()
    }

    /// What the first thing that can be chosen in a position is worth.
    fn question(game: &str, position: &str) -> SolverQuestion<Worth> {
        let mut session = catalogue::session(game).unwrap();
        session.replace(Some(position), &[]).unwrap();
        let exact = session.exact(0, None).unwrap().unwrap();
        exact.choices().questions.remove(0).0
    }

    fn hopeless() -> SolverQuestion<Worth> {
        question("quarto-misere", "..../..../..../.... -")
    }

    #[test]
    fn an_easy_question_is_answered_while_a_hopeless_one_runs_out_of_time() {
        let easy = question("quarto-misere", "7.ea/3b.d/cf.9/5.12 8");
        // Long for the easy one, however busy the machine is; nothing for the other.
        let time = Duration::from_secs(5);
        let pool = pool();
        let mut answers = pool.ask(Client::number(1), vec![hopeless(), easy], time).unwrap();
        let mut next = || {
            let answer = answers.blocking_recv();
            answer.map(|(number, answer)| (number, answer.is_some()))
        };
        assert_eq!([next(), next(), next()], [Some((1, true)), Some((0, false)), None]);
    }

    #[test]
    fn who_stops_listening_stops_the_solver() {
        let pool = pool();
        let time = Duration::from_secs(600);
        drop(pool.ask(Client::number(1), vec![hopeless()], time).unwrap());
        let easy = question("quarto", "012./4.7./a..d/.... 3");
        let mut answers = pool
            .ask(Client::number(2), vec![easy], Duration::from_secs(10))
            .unwrap();
        assert!(answers.blocking_recv().unwrap().1.is_some());
        // The other one may wait for its next part, and is dropped when its turn comes.
        let began = game::Instant::now();
        while pool.load().1 > 0 {
            assert!(began.elapsed() < Duration::from_secs(60), "it is still asked");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

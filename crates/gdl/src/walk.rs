//! Random games for a tree search: each begins at a leaf of the tree, and as soon as one is over the next is sent out.

/// Where a random game begins.
#[derive(Clone, Debug, Default)]
pub struct WalkStart {
    /// A position.
    pub state: Vec<u32>,
    /// The joint move that is made there first, a move a role. If there is none, the legal moves are told instead.
    pub joint: Vec<u32>,
}

/// What random games prefer.
#[derive(Clone, Copy, Debug)]
pub struct Habits<'a> {
    /// How good each move has been anywhere, by its number. What is not in the list is as good as can be.
    pub means: &'a [f32],
    /// So many moves are drawn at random, and the best of them is made.
    pub draws: u32,
}

impl Habits<'_> {
    /// Nothing is preferred.
    pub const NONE: Habits<'static> = Habits { means: &[], draws: 1 };

    /// How good a move has been.
    #[inline(always)]
    pub fn of(&self, mv: usize) -> f32 {
        self.means.get(mv).copied().unwrap_or(1.0)
    }
}

/// Who sends random games out and hears of them. Several are under way at once, each known by its place.
pub trait Walker {
    /// Where the next game begins, written into `start`. False if there is none now.
    fn send(&mut self, place: usize, start: &mut WalkStart) -> bool;

    /// The joint move of a game has led to this position, in which the game may be over. `winner` is the role that is on turn and wins at once, if
    /// that was looked for.
    fn arrived(&mut self, place: usize, state: &[u32], over: bool, winner: Option<usize>);

    /// What every role may do where a game begins that has no joint move; told if the game is not over there.
    fn opened(&mut self, place: usize, legal: &[Vec<u32>]);

    /// A game is over: what each role gets, and who chose what on the way, where there was a choice.
    fn ended(&mut self, place: usize, goals: &[u8], played: &[(u8, u32)]);

    /// Whether random games shall see one move ahead: whoever can win at once does so, and a move that lets the other win at once is taken back.
    /// It is done in games whose machine has learnt to tell such moves ([`crate::Machine::learn_decisive_moves`]).
    fn looks_ahead(&self) -> bool {
        false
    }

    /// Moves are hardly ever taken back, so that looking ahead is not worth its time in this game.
    fn sees_nothing_ahead(&self) {}

    /// What random choices prefer.
    fn habits(&self) -> Habits<'_>;

    /// Whether it sends out a number of games, and not as many as there is time for.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "all walks have one width there")
    )]
    fn is_counted(&self) -> bool;

    /// Whether nothing more is wanted, not even of the games under way.
    fn is_done(&self) -> bool;
}

//! How other programs write the moves of a game.

/// Translates between a game's own notation and the one that the rest of the world uses: `e2e4`, not `(move,e,2,e,4)`.
pub trait Dialect: Sync {
    /// A move of the game's own notation as others write it; `None` if it is no such move.
    fn common(&self, own: &str) -> Option<String>;

    /// What others write in more than one way, in the way that [`common`](Dialect::common) writes it.
    fn plain(&self, text: &str) -> String;

    /// Whether moves that the same seat goes on with are written as one word: the jumps `22x15` and `15x8` as `22x15x8`.
    fn joins(&self) -> bool {
        false
    }
}

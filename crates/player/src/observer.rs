//! Who hears what a player finds while it thinks.

use crate::Analysis;
use game::Game;
use std::fmt;
use std::sync::Arc;

/// How an observer hears.
type Hear = dyn Fn(&Analysis<String>) + Send + Sync;

/// Somebody who hears how a search goes while it goes. Clones are the same observer.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Hear>>);

impl Observer {
    /// Nobody.
    pub const fn nobody() -> Self {
        Observer(None)
    }

    /// Whoever hears with this function.
    pub fn new(hear: impl Fn(&Analysis<String>) + Send + Sync + 'static) -> Self {
        Observer(Some(Arc::new(hear)))
    }

    /// Whether anybody hears.
    #[inline]
    pub fn listens(&self) -> bool {
        self.0.is_some()
    }

    /// Tells how the search of `position` stands, if anybody hears.
    pub fn tell<G: Game>(&self, position: &G, analysis: &Analysis<G::Move>) {
        if let Some(hear) = &self.0 {
            hear(&analysis.in_words(position));
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.listens() { "Observer" } else { "nobody" })
    }
}

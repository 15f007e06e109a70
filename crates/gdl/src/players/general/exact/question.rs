//! The question that is searched: does the first role get at least so many points?

/// What bounds say to the question whether the first role gets so many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundAnswer {
    /// Enough for who moves: a bound.
    Enough(u8),
    /// Too little.
    TooLittle(u8),
    /// Nothing yet.
    Open,
}

/// Who asks, and what: the mover of a position wants the first role to get at least so many points if that is it, and else fewer.
#[derive(Clone, Copy, Debug)]
pub struct BoundQuestion {
    /// Whether the first role moves.
    pub first: bool,
    /// The points.
    pub points: u8,
}

impl BoundQuestion {
    /// What bounds of the first role's points say.
    #[inline]
    pub fn verdict(self, least: u8, most: u8) -> BoundAnswer {
        match (least >= self.points, most < self.points) {
            (true, _) if self.first => BoundAnswer::Enough(least),
            (true, _) => BoundAnswer::TooLittle(least),
            (_, true) if self.first => BoundAnswer::TooLittle(most),
            (_, true) => BoundAnswer::Enough(most),
            _ => BoundAnswer::Open,
        }
    }

    /// The worst there is.
    #[inline]
    pub fn worst(self) -> u8 {
        if self.first { 0 } else { 100 }
    }

    /// The better of two.
    #[inline]
    pub fn better(self, a: u8, b: u8) -> u8 {
        if self.first { a.max(b) } else { a.min(b) }
    }
}

"""Games judged by the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Union

from ._games import game as find
from ._terzo import Game, Position, solve


@dataclass(frozen=True)
class JudgedMove:
    """A move of a game, and what the truth says of it.

    >>> import terzo
    >>> (judged,) = terzo.review(terzo.game("quarto").position("6b../1.../27f0/8... d"), "c1.4")
    >>> judged.value, judged.got, judged.best
    (100, 50, ['c4.a'])
    """

    #: The position before it.
    position: Position
    #: The move.
    move: str
    #: What the position was worth to its mover, 0 to 100.
    value: int
    #: What the move was worth.
    got: int
    #: The moves that keep the value.
    best: list[str]

    @property
    def mistake(self) -> bool:
        """Whether it gave something away.

        >>> import terzo
        >>> [judged.mistake for judged in terzo.review("tictactoe", ["(mark,1,1)", "(mark,1,2)", "(mark,2,2)"])]
        [False, True, False]
        """
        return self.got < self.value


def review(game: Union[str, Game, Position], moves: Union[str, Iterable[str]], *, skip: int = 0, threads: int = 0) -> list[JudgedMove]:
    """What every move of a game was worth: a list or a text of moves, from the first position or from another one. The first `skip`
    moves are played and not judged.

    >>> import terzo
    >>> p = terzo.game("quarto").position("6b../1.../27f0/8... d")
    >>> [(judged.move, judged.mistake) for judged in terzo.review(p, "c1.4")]
    [('c1.4', True)]
    """
    words = moves.split() if isinstance(moves, str) else list(moves)
    if isinstance(game, Position):
        position = game
    else:
        position = (game if isinstance(game, Game) else find(game)).start()
    before: list[Position] = []
    for word in words:
        before.append(position)
        position = position.play(word)
    judged = []
    for place, word, found in zip(before[skip:], words[skip:], solve(before[skip:], moves=True, threads=threads)):
        values = found.moves or {}
        # A move may be written in more than one way.
        spelled = word if word in values else place.move(place.action(word))
        judged.append(JudgedMove(place, word, found.value, values[spelled].value, found.best))
    return judged

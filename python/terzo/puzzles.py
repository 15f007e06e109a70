"""Puzzles: positions with exactly one right answer, proved by the solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from ._games import game as find
from ._terzo import Game, Position

#: What each kind asks.
_QUESTIONS = {
    "win1": "Win at once.",
    "win2": "Win in two turns of your own.",
    "win3": "Win in three turns of your own.",
    "win4": "Win in four turns of your own.",
    "draw": "Find the only cell that draws.",
    "gift": "Give the only piece that does not lose.",
    "trap": "Find the only turn that does not lose.",
    "hold": "Find the only move that does not lose.",
}


@dataclass(frozen=True)
class Puzzle:
    """A position with one right answer; a notebook draws it.

    >>> import terzo
    >>> puzzle = terzo.puzzles("quarto", kind="win2")[0]
    >>> puzzle.kind, len(puzzle.right_moves)
    ('win2', 1)
    """

    #: What is asked: `win1` to `win4` (of Stack Four a line, not the game), `hold`; of Quarto also `draw`, `gift` or `trap`.
    kind: str
    #: Where.
    position: Position
    #: The answer: a move, or the first part of one where the second is free.
    answer: str
    #: How hard it is: how many levels of player miss it.
    missed: int

    @property
    def question(self) -> str:
        """What is asked, in words.

        >>> import terzo
        >>> terzo.puzzles("quarto", kind="gift")[0].question
        'Give the only piece that does not lose.'
        """
        return _QUESTIONS.get(self.kind, self.kind)

    @property
    def right_moves(self) -> list[str]:
        """The legal moves that give the answer.

        >>> import terzo
        >>> puzzle = terzo.puzzles("quarto", kind="draw")[0]
        >>> all(move.startswith(puzzle.answer) for move in puzzle.right_moves)
        True
        """
        return [move for move in self.position.legal_moves() if self._gives(move)]

    def is_solved_by(self, move: Union[str, int]) -> bool:
        """Whether a move, as text or as an action, gives the answer; one that is illegal raises.

        >>> import terzo
        >>> puzzle = terzo.puzzles("quarto", kind="win1")[0]
        >>> puzzle.is_solved_by(puzzle.answer), puzzle.is_solved_by(puzzle.position.legal_actions()[0])
        (True, False)
        """
        if move == self.answer:
            return True
        position = self.position
        # Text is read by the game: a move may be written in more than one way, and illegal ones are refused.
        position.play(move)
        return self._gives(position.move(position.action(move) if isinstance(move, str) else move))

    def _gives(self, move: str) -> bool:
        return move == self.answer or move.startswith(self.answer + ".")

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()

    def __str__(self) -> str:
        return f"{self.question}\n{self.position}"


def puzzles(game: Union[str, Game] = "quarto", *, kind: str | None = None) -> list[Puzzle]:
    """The puzzles that come with a game: of one kind, or of all. `terzo puzzles make` finds more.

    >>> import terzo
    >>> len(terzo.puzzles("quarto")) >= 1000
    True
    >>> print(terzo.puzzles("quarto", kind="win1")[0].question)
    Win at once.
    """
    found = game if isinstance(game, Game) else find(game)
    told = found._puzzles()
    if told is None:
        raise ValueError(f"no puzzles of {found.name} come with Terzo")
    kinds = list(dict.fromkeys(entry[0] for entry in told))
    if kind is not None and kind not in kinds:
        raise ValueError(f"kind: expected one of {', '.join(kinds)}, found {kind!r}")
    return [
        Puzzle(asked, found.position(text), answer, missed)
        for asked, text, answer, missed in told
        if kind in (None, asked)
    ]

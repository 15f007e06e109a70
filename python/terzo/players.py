"""Players written in Python."""

from __future__ import annotations

import hashlib
import inspect
import random
from typing import Any, Callable, Type, Union

from ._terzo import Analysis, Clock, Position

#: What a player may answer: a move as text, an action as a number, or either with something to say about it.
Answer = Union[str, int, Analysis]


class Player:
    """Somebody who can be asked for a move. Make a subclass and say how it chooses:

    >>> import terzo
    >>> class Careful(terzo.Player):
    ...     '''Never gives a piece that wins at once, if it can.'''
    ...     def choose(self, position, clock):
    ...         moves = position.legal_moves()
    ...         safe = [m for m in moves if not any(r.endswith("-") for r in position.play(m).legal_moves())]
    ...         return self.random.choice(safe or moves)
    >>> result = terzo.match("quarto", [Careful, "random"], games=20, seed=1)
    >>> result.players[0].wins > result.players[1].wins
    True

    A class plays on several threads, an instance on one. Its exceptions lose the game, and the traceback is in the result.
    """

    #: What tables call it; the name of the class if left out.
    name: str = ""

    #: Chance, the same for the same seed of a match.
    random: random.Random = random.Random()

    def begin(self, seed: int) -> None:
        """Called before each game: forget the last one, and draw all chance from this seed.

        >>> import terzo
        >>> player = terzo.Player()
        >>> player.begin(5)
        >>> first = player.random.random()
        >>> player.begin(5)
        >>> player.random.random() == first
        True
        """
        self.random = random.Random(seed)

    def choose(self, position: Position, clock: Clock) -> Answer:
        """A move for the seat to move in an unfinished position.

        >>> import terzo
        >>> class First(terzo.Player):
        ...     def choose(self, position, clock):
        ...         return position.legal_actions()[0]
        >>> First().choose(terzo.game("stack4").start(), terzo.Clock.unlimited())
        0
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how it chooses: write a method choose(self, position, clock)")


#: Who may take part: the spec of a built-in player or of a program (`engine:COMMAND`), a class, an instance, or a function that
#: makes players.
Contender = Union[str, Player, Type[Player], Callable[[], Player]]


def factory(player: Any) -> Callable[[], Player] | None:
    """What makes players of a contender that is written in Python."""
    if isinstance(player, str):
        return None
    if isinstance(player, type) or (callable(player) and not hasattr(player, "choose")):
        made: Callable[[], Player] = player
        return made
    if not callable(getattr(player, "choose", None)):
        raise TypeError(f"expected the spec of a player, or a terzo.Player (a class or an instance), found {player!r}")
    return lambda: player


def is_shared(player: Any) -> bool:
    """Whether there is only one of it, so that it plays one game at a time."""
    return not isinstance(player, (str, type)) and hasattr(player, "choose")


def name_of(player: Any) -> str:
    """What tables call it."""
    if isinstance(player, str):
        return player
    own = getattr(player, "name", "") or getattr(player, "__name__", "") or type(player).__name__
    return str(own)


def version_of(player: Any) -> str | None:
    """Which version of a class it is: another text is another player in the records."""
    if isinstance(player, str):
        return None
    known = player if inspect.isclass(player) or inspect.isfunction(player) else type(player)
    try:
        text = inspect.getsource(known)
    except (OSError, TypeError):
        text = getattr(known, "__qualname__", name_of(player))
    return hashlib.sha256(text.encode()).hexdigest()[:16]

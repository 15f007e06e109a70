"""How positions become numbers, for the environments of other projects."""

from __future__ import annotations

import re
import zlib
from typing import Any, Union

import numpy as np

from ._games import game as find
from ._terzo import Game, Position

#: Features lie within these: ones and zeros, and points in hundreds.
OBSERVED = (-10.0, 10.0)

#: Numbers that the facts of a position share where nobody knows all facts in advance.
HASHED = 1024

#: A fact of a position's text: a term in parentheses, or a word.
_FACT = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\S+")


class Encoding:
    """The actions and observations of a game.

    Most games number their moves and have features of their own. Rules that are too large to be compiled do not, nor does a game whose
    writer has not said how. There an action is a place in the list of legal moves, of which there is room for `max_actions`, and an
    observation has `HASHED` numbers, of which each fact sets one by its hash, and one a seat that says whose move it is.
    """

    def __init__(self, game: Union[str, Game], max_actions: int) -> None:
        self.game = game if isinstance(game, Game) else find(game)
        own = self.game.actions, self.game.feature_shape
        self._numbered = None not in own
        if not self._numbered and max_actions < 1:
            raise ValueError(f"max_actions: expected 1 or more, found {max_actions}")
        self.actions: int = own[0] or max_actions
        self.shape: tuple[int, ...] = own[1] or (HASHED + self.game.seats,)

    def legal(self, position: Position) -> list[int]:
        """The legal actions."""
        legal = position.legal_actions()
        if not self._numbered and len(legal) > self.actions:
            raise ValueError(
                f"{self.game.name}: {len(legal)} moves are legal here, and the action space has room for {self.actions}; "
                "max_actions makes more"
            )
        return legal

    def mask(self, position: Position) -> Any:
        """Which actions are legal."""
        if self._numbered:
            return position.action_mask()
        mask = np.zeros(self.actions, np.int8)
        mask[: len(self.legal(position))] = 1
        return mask

    def observed(self, position: Position) -> Any:
        """What everybody may see of a position."""
        if self._numbered:
            return np.clip(position.features(), *OBSERVED)
        numbers = np.zeros(self.shape, np.float32)
        for fact in _FACT.findall(position.public().text):
            numbers[zlib.crc32(fact.encode()) % HASHED] = 1
        numbers[HASHED + (position.mover or 0)] = 1
        return numbers


def reward(payoff: int) -> float:
    """A payoff of 0 to 100 as -1 to 1."""
    return (payoff - 50) / 50

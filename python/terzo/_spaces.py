"""What the environments of PettingZoo and Gymnasium share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ._terzo import Game, Position

#: Features lie within these: ones and zeros, and points in hundreds.
OBSERVED = (-10.0, 10.0)


def action_space(game: Game) -> "spaces.Discrete":
    """The actions of a game."""
    if game.actions is None:
        raise ValueError(
            f"{game.name}: its moves are not known in advance ({game.warning or 'the rules were not compiled'}), so it has no "
            "action space"
        )
    return spaces.Discrete(game.actions)


def observed(position: Position) -> Any:
    """The features of a position, within their space."""
    return np.clip(position.features(), *OBSERVED)


def reward(payoff: int) -> float:
    """A payoff of 0 to 100 as -1 to 1."""
    return (payoff - 50) / 50

"""One role of a game as an environment of Gymnasium; the others are played by players of Terzo, or by yours.

>>> from terzo.gymnasium import env
>>> table = env("quarto", opponent="random")
>>> observation, info = table.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((18, 4, 4), 16)
"""

from __future__ import annotations

from typing import Any, Union

import gymnasium
import numpy as np

from ._games import game as find
from ._spaces import OBSERVED, action_space, observed, reward
from ._terzo import Clock, Game, Position
from .players import Contender, factory

Observation = Any


class TerzoEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game. Observations are the features of the position, `info["action_mask"]` says which actions are legal, and
    `action_masks()` says it in the way of sb3-contrib. The reward comes at the end: 1 for a win, 0 for a draw, -1 for a loss. An
    illegal action loses at once (`illegal="lose"`) or raises (`illegal="raise"`)."""

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        game: Union[str, Game],
        *,
        opponent: Contender = "random",
        seat: int = 0,
        illegal: str = "lose",
        max_turns: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else find(game)
        if not 0 <= seat < self.game.seats:
            raise ValueError(f"seat: expected 0 to {self.game.seats - 1}, found {seat}")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal: expected 'lose' or 'raise', found {illegal!r}")
        self.seat, self.illegal, self.max_turns, self.render_mode = seat, illegal, max_turns, render_mode
        self.opponent = opponent
        made = factory(opponent)
        self._guest = made() if made else None
        self.action_space = action_space(self.game)
        shape = self.game.feature_shape
        assert shape is not None, "a game with numbered actions has features"
        self.observation_space = gymnasium.spaces.Box(*OBSERVED, shape, np.float32)
        self.position: Position = self.game.start()
        self._turns = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins anew; `options={"position": text}` begins from a position. Opponents draw their chance from the seed."""
        super().reset(seed=seed)
        text = (options or {}).get("position")
        self.position = self.game.start() if text is None else self.game.position(text)
        self._turns = 0
        if self._guest is not None:
            self._guest.begin(self._chance())
        self._let_others_move()
        return observed(self.position), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.position.over:
            raise RuntimeError("the game is over: call reset")
        if self.illegal == "lose" and not self.action_masks()[int(action)]:
            return observed(self.position), -1.0, True, False, {**self._info(), "illegal": True}
        self._play(int(action))
        self._let_others_move()
        payoffs = self.position.payoffs
        truncated = payoffs is None and self._is_long()
        earned = 0.0 if payoffs is None else reward(payoffs[self.seat])
        return observed(self.position), earned, payoffs is not None, truncated, self._info()

    def action_masks(self) -> Any:
        """Which actions are legal."""
        return self.position.action_mask().astype(bool)

    def render(self) -> Any:
        if self.render_mode == "svg":
            return self.position._repr_svg_()
        return str(self.position) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.position.action_mask(), "position": self.position.text}

    def _chance(self) -> int:
        return int(self.np_random.integers(2**32))

    def _is_long(self) -> bool:
        return self.max_turns is not None and self._turns >= self.max_turns

    def _play(self, move: Union[str, int]) -> None:
        self.position = self.position.play(move)
        self._turns += 1

    def _let_others_move(self) -> None:
        while self.position.mover not in (None, self.seat) and not self._is_long():
            self._play(self._answer())

    def _answer(self) -> Union[str, int]:
        if self.opponent == "random":
            actions = self.position.legal_actions()
            return actions[int(self.np_random.integers(len(actions)))]
        if self._guest is None:
            return self.position.analyse(str(self.opponent), seed=self._chance()).move
        said = self._guest.choose(self.position, Clock.unlimited())
        return said if isinstance(said, (str, int)) else said.move


def env(game: Union[str, Game], **settings: Any) -> TerzoEnv:
    """An environment of one role of a game: `opponent`, `seat`, `illegal`, `max_turns`, `render_mode` as `TerzoEnv` says."""
    return TerzoEnv(game, **settings)

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

from ._spaces import OBSERVED, Encoding, reward
from ._terzo import Clock, Game, Position
from .players import Contender, factory

__all__ = ["TerzoEnv", "env"]

Observation = Any


class TerzoEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game. Observations are the features of the position, `info["action_mask"]` says which actions are legal, and
    `action_masks()` says it in the way of sb3-contrib. The reward comes at the end: 1 for a win, 0 for a draw, -1 for a loss. An
    illegal action loses at once (`illegal="lose"`) or raises (`illegal="raise"`). `max_actions` counts only for games that do not
    number their moves (`Game.actions` is `None`): there an action is a place in the list of legal moves.

    >>> from terzo.gymnasium import TerzoEnv
    >>> table = TerzoEnv("stack4", opponent="random", seat=1)
    >>> observation, info = table.reset(seed=1)
    >>> table.position.mover
    1
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        game: Union[str, Game],
        *,
        opponent: Contender = "random",
        seat: int = 0,
        illegal: str = "lose",
        max_turns: int | None = None,
        max_actions: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        self._encoding = Encoding(game, max_actions)
        self.game = self._encoding.game
        if not 0 <= seat < self.game.seats:
            raise ValueError(f"seat: expected 0 to {self.game.seats - 1}, found {seat}")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal: expected 'lose' or 'raise', found {illegal!r}")
        self.seat, self.illegal, self.max_turns, self.render_mode = seat, illegal, max_turns, render_mode
        self.opponent = opponent
        made = factory(opponent)
        self._guest = made() if made else None
        self.action_space = gymnasium.spaces.Discrete(self._encoding.actions)
        self.observation_space = gymnasium.spaces.Box(*OBSERVED, self._encoding.shape, np.float32)
        self.position: Position = self.game.start()
        self._turns = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins anew; `options={"position": text}` begins from a position. Opponents draw their chance from the seed.

        >>> from terzo.gymnasium import env
        >>> table = env("quarto", seat=1)
        >>> observation, info = table.reset(seed=1, options={"position": "6b../1.../27f0/8... d"})
        >>> info["position"]
        '6b../1.../27f0/8... d'
        """
        super().reset(seed=seed)
        text = (options or {}).get("position")
        self.position = self.game.start() if text is None else self.game.position(text)
        self._turns = 0
        if self._guest is not None:
            self._guest.begin(self._chance())
        self._let_others_move()
        return self._encoding.observed(self.position), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action and the answers of the others: what is seen then, the reward, whether the game is over, whether it was
        truncated, and more.

        >>> from terzo.gymnasium import env
        >>> table = env("stack4")
        >>> _ = table.reset(seed=1)
        >>> observation, reward, over, truncated, info = table.step(0)
        >>> reward, over, truncated
        (0.0, False, False)
        """
        if self.position.over:
            raise RuntimeError("the game is over: call reset")
        if self.illegal == "lose" and not self.action_masks()[int(action)]:
            return self._encoding.observed(self.position), -1.0, True, False, {**self._info(), "illegal": True}
        self._play(int(action))
        self._let_others_move()
        payoffs = self.position.payoffs
        truncated = payoffs is None and self._is_long()
        earned = 0.0 if payoffs is None else reward(payoffs[self.seat])
        return self._encoding.observed(self.position), earned, payoffs is not None, truncated, self._info()

    def action_masks(self) -> Any:
        """Which actions are legal.

        >>> from terzo.gymnasium import env
        >>> table = env("quarto")
        >>> _ = table.reset(seed=1)
        >>> int(table.action_masks().sum())
        16
        """
        return self._encoding.mask(self.position).astype(bool)

    def render(self) -> Any:
        """The board as text (`ansi`) or as a picture (`svg`), as `render_mode` says.

        >>> from terzo.gymnasium import env
        >>> table = env("quarto", render_mode="svg")
        >>> _ = table.reset(seed=1)
        >>> table.render()[:4]
        '<svg'
        """
        if self.render_mode == "svg":
            return self.position._repr_svg_()
        return str(self.position) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._encoding.mask(self.position), "position": self.position.public().text}

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
            actions = self._encoding.legal(self.position)
            return actions[int(self.np_random.integers(len(actions)))]
        if self._guest is None:
            return self.position.analyse(str(self.opponent), seed=self._chance()).move
        said = self._guest.choose(self.position, Clock.unlimited())
        return said if isinstance(said, (str, int)) else said.move


def env(game: Union[str, Game], **settings: Any) -> TerzoEnv:
    """An environment of one role of a game: `opponent`, `seat`, `illegal`, `max_turns`, `max_actions`, `render_mode` as `TerzoEnv` says.

    >>> from terzo.gymnasium import env
    >>> int(env("quarto", opponent="novice").action_space.n)
    289
    """
    return TerzoEnv(game, **settings)

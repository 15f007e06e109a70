"""Every game as an environment of PettingZoo (agents move in turn, AEC).

>>> from terzo.pettingzoo import env
>>> table = env("quarto")
>>> table.reset(seed=1)
>>> observation, reward, termination, truncation, info = table.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((18, 4, 4), 16)
"""

from __future__ import annotations

from typing import Any, Union

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ._games import game as find
from ._spaces import OBSERVED, action_space, observed, reward
from ._terzo import Game, Position


class TerzoEnv(AECEnv):  # type: ignore[misc]
    """A game of Terzo. Agents are the seats; an observation is a dictionary of `observation` (the features of the position, as
    `Game.planes` tells them) and `action_mask`. Rewards come at the end: 1 for a win, 0 for a draw, -1 for a loss. An illegal action
    is an exception; PettingZoo's `TerminateIllegalWrapper` makes a loss of it.

    Where roles choose at the same time, they are asked one after the other and see none of the others' choices.
    """

    metadata = {"render_modes": ["ansi", "human", "svg"], "name": "terzo_v0", "is_parallelizable": False}

    def __init__(self, game: Union[str, Game], *, render_mode: str | None = None, max_turns: int | None = None) -> None:
        super().__init__()
        self.game = game if isinstance(game, Game) else find(game)
        self.render_mode = render_mode
        self.max_turns = max_turns
        self.metadata = {**self.metadata, "name": f"terzo_{self.game.name}_v0"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self._actions = action_space(self.game)
        shape = self.game.feature_shape
        assert shape is not None, "a game with numbered actions has features"
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(*OBSERVED, shape, np.float32),
                "action_mask": spaces.Box(0, 1, (int(self._actions.n),), np.int8),
            }
        )
        self.position: Position = self.game.start()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins anew; `options={"position": text}` begins from a position. Games have no chance, so the seed changes nothing."""
        text = (options or {}).get("position")
        self.position = self.game.start() if text is None else self.game.position(text)
        self._turns = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.position.over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.position.mover or 0]

    def observe(self, agent: str) -> dict[str, Any]:
        asked = agent == self.agent_selection and not self.position.over
        mask = self.position.action_mask() if asked else np.zeros(int(self._actions.n), np.int8)
        return {"observation": observed(self.position), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(int(action))
        self._turns += 1
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        payoffs = self.position.payoffs
        if payoffs is not None:
            self.rewards = {agent: reward(payoff) for agent, payoff in zip(self.possible_agents, payoffs)}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self.possible_agents[self.position.mover or 0]
            if self.max_turns is not None and self._turns >= self.max_turns:
                self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode == "svg":
            return self.position._repr_svg_()
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


def env(game: Union[str, Game], *, render_mode: str | None = None, max_turns: int | None = None) -> TerzoEnv:
    """An environment of a game, by name or by `terzo.Game`. After `max_turns` a game is truncated: some sheets have games without
    end."""
    return TerzoEnv(game, render_mode=render_mode, max_turns=max_turns)

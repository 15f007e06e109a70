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

from ._spaces import OBSERVED, Encoding, reward
from ._terzo import Game, Position

__all__ = ["TerzoEnv", "env"]


class TerzoEnv(AECEnv):  # type: ignore[misc]
    """A game of Terzo. Agents are the seats; an observation is a dictionary of `observation` (the features of the position, as
    `Game.planes` tells them) and `action_mask`. Rewards come at the end: 1 for a win, 0 for a draw, -1 for a loss. An illegal action
    is an exception; PettingZoo's `TerminateIllegalWrapper` makes a loss of it.

    Where roles choose at the same time, they are asked one after the other and see none of the others' choices. In a game that does
    not number its moves (`Game.actions` is `None`) an action is a place in the list of legal moves, of which there is room for
    `max_actions`, and facts set numbers by their hash.

    >>> from terzo.pettingzoo import TerzoEnv
    >>> table = TerzoEnv("trio")
    >>> table.possible_agents
    ['player_0', 'player_1', 'player_2']
    """

    metadata = {"render_modes": ["ansi", "human", "svg"], "name": "terzo_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: Union[str, Game],
        *,
        render_mode: str | None = None,
        max_turns: int | None = None,
        max_actions: int = 1000,
    ) -> None:
        super().__init__()
        self._encoding = Encoding(game, max_actions)
        self.game = self._encoding.game
        self.render_mode = render_mode
        self.max_turns = max_turns
        self.metadata = {**self.metadata, "name": f"terzo_{self.game.name}_v0"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self._actions = spaces.Discrete(self._encoding.actions)
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(*OBSERVED, self._encoding.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self._encoding.actions,), np.int8),
            }
        )
        self.position: Position = self.game.start()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may observe.

        >>> from terzo.pettingzoo import env
        >>> env("quarto").observation_space("player_0")["observation"].shape
        (18, 4, 4)
        """
        return self._observations

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do.

        >>> from terzo.pettingzoo import env
        >>> int(env("stack4").action_space("player_0").n)
        24
        """
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins anew; `options={"position": text}` begins from a position. Games have no chance, so the seed changes nothing.

        >>> from terzo.pettingzoo import env
        >>> table = env("quarto")
        >>> table.reset(options={"position": "0.../..../...f/.... 5"})
        >>> table.agent_selection
        'player_1'
        """
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
        """What an agent sees: the position, and its legal actions if it is asked.

        >>> from terzo.pettingzoo import env
        >>> table = env("quarto")
        >>> table.reset()
        >>> [int(table.observe(agent)["action_mask"].sum()) for agent in table.agents]
        [16, 0]
        """
        asked = agent == self.agent_selection and not self.position.over
        mask = self._encoding.mask(self.position) if asked else np.zeros(self._encoding.actions, np.int8)
        return {"observation": self._encoding.observed(self.position), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Plays an action of the agent that is asked; `None` of one whose game is over.

        >>> from terzo.pettingzoo import env
        >>> table = env("tictactoe")
        >>> table.reset()
        >>> table.step(4)
        >>> table.agent_selection, table.position.game.start().move(4)
        ('player_1', '(mark,2,2)')
        """
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
        """The board as text (`ansi`), printed (`human`) or as a picture (`svg`), as `render_mode` says.

        >>> from terzo.pettingzoo import env
        >>> table = env("quarto", render_mode="svg")
        >>> table.reset()
        >>> table.render()[:4]
        '<svg'
        """
        if self.render_mode == "svg":
            return self.position._repr_svg_()
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close.

        >>> from terzo.pettingzoo import env
        >>> env("quarto").close()
        """


def env(
    game: Union[str, Game], *, render_mode: str | None = None, max_turns: int | None = None, max_actions: int = 1000
) -> TerzoEnv:
    """An environment of a game, by name or by `terzo.Game`. After `max_turns` a game is truncated: some sheets have games without
    end. `max_actions` counts only for games that do not number their moves.

    >>> from terzo.pettingzoo import env
    >>> env("stack4").metadata["name"]
    'terzo_stack4_v0'
    """
    return TerzoEnv(game, render_mode=render_mode, max_turns=max_turns, max_actions=max_actions)

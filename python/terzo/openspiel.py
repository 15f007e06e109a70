"""Terzo's games in OpenSpiel, through its interface for games in Python.

Quarto, its variants and Stack Four are registered when this is imported, as `terzo_quarto`, `terzo_stack4` and so on; `register`
adds any other game, or one that begins at a position of yours.

>>> import pyspiel
>>> import terzo.openspiel
>>> state = pyspiel.load_game("terzo_quarto").new_initial_state()
>>> state.action_to_string(state.legal_actions()[12])
'-.c'
"""

from __future__ import annotations

from typing import Any, Union

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ._games import games
from ._spaces import Encoding, reward
from ._terzo import Game, Position

__all__ = ["TerzoState", "register"]


class TerzoState(pyspiel.State):  # type: ignore[misc]
    """A position, as OpenSpiel holds one.

    >>> import pyspiel, terzo.openspiel
    >>> state = pyspiel.load_game("terzo_stack4").new_initial_state()
    >>> state.apply_action(0)
    >>> state.position.legal_moves()[0], str(state) == state.position.text
    ('02', True)
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.position: Position = game.first
        self._encoding: Encoding = game.encoding
        self._simultaneous: bool = game.simultaneous

    def current_player(self) -> int:
        """Whose move it is, or the sign of OpenSpiel for several at once, or for the end.

        >>> import pyspiel, terzo.openspiel
        >>> pyspiel.load_game("terzo_quarto").new_initial_state().current_player()
        0
        """
        mover = self.position.mover
        if mover is None:
            return int(pyspiel.PlayerId.TERMINAL)
        if len(self.position.movers) > 1:
            if not self._simultaneous:
                raise ValueError("several seats choose at once here: register the game with simultaneous=True")
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return mover

    def _asked(self, player: int) -> Position | None:
        """The position in which a player is asked. Those who choose at the same time are asked one after the other, and what the
        others choose changes nothing for it."""
        position = self.position
        for seat in position.movers:
            if seat == player:
                return position
            position = position.play(position.legal_actions()[0])
        return None

    def _legal_actions(self, player: int) -> list[int]:
        asked = self._asked(player)
        return [] if asked is None else sorted(self._encoding.legal(asked))

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _apply_actions(self, actions: list[int]) -> None:
        for seat in self.position.movers:
            self.position = self.position.play(actions[seat])

    def _action_to_string(self, player: int, action: int) -> str:
        return (self._asked(player) or self.position).move(action)

    def is_terminal(self) -> bool:
        """Whether the game is over.

        >>> import pyspiel, terzo.openspiel
        >>> pyspiel.load_game("terzo_quarto").new_initial_state().is_terminal()
        False
        """
        return self.position.over

    def returns(self) -> list[float]:
        """What every seat got, from -1 to 1; zeros while the game goes on.

        >>> import pyspiel, terzo.openspiel
        >>> pyspiel.load_game("terzo_quarto").new_initial_state().returns()
        [0.0, 0.0]
        """
        payoffs = self.position.payoffs
        if payoffs is None:
            return [0.0] * self.position.game.seats
        return [reward(payoff) for payoff in payoffs]

    def __str__(self) -> str:
        return self.position.text


class TerzoObserver:
    """The features of a position as a tensor, and its text as a string."""

    def __init__(self, encoding: Encoding, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self._encoding = encoding
        self.tensor = np.zeros(int(np.prod(encoding.shape)), np.float32)
        self.dict = {"observation": np.reshape(self.tensor, encoding.shape)}

    def set_from(self, state: TerzoState, player: int) -> None:
        self.dict["observation"][...] = self._encoding.observed(state.position)

    def string_from(self, state: TerzoState, player: int) -> str:
        return state.position.text


def register(
    game: Union[str, Game],
    *,
    position: str | None = None,
    short_name: str | None = None,
    max_game_length: int = 1000,
    zero_sum: bool = False,
    simultaneous: bool | None = None,
    max_actions: int = 1000,
) -> str:
    """Registers a game and gives the name that `pyspiel.load_game` takes. Say `zero_sum` of a game for two in which one gets what the
    other lacks: many algorithms ask for it.

    A game is `simultaneous` if several seats choose at once in its first position, or if you say so; OpenSpiel's
    `convert_to_turn_based` makes it one whose seats move in turn and do not see each other's choices. `max_actions` counts only for
    games that do not number their moves (`Game.actions` is `None`): there an action is a place in the list of legal moves.

    >>> import pyspiel
    >>> from terzo.openspiel import register
    >>> name = register("tictactoe", short_name="terzo_doctest", max_game_length=9, zero_sum=True)
    >>> pyspiel.load_game(name).num_distinct_actions()
    10
    """
    encoding = Encoding(game, max_actions)
    found = encoding.game
    at_once = found.simultaneous if simultaneous is None else simultaneous
    name = short_name or "terzo_" + found.name.replace("-", "_").replace(":", "_")
    kind = pyspiel.GameType.Utility
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=found.title,
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS if at_once else pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=kind.ZERO_SUM if zero_sum else kind.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=found.seats,
        min_num_players=found.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=encoding.actions,
        max_chance_outcomes=0,
        num_players=found.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if zero_sum else None,
        max_game_length=max_game_length,
    )
    start = (found.start() if position is None else found.position(position)).public()

    class TerzoGame(pyspiel.Game):  # type: ignore[misc]
        """A game of Terzo, as OpenSpiel holds one."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})
            self.first = start
            self.encoding = encoding
            self.simultaneous = at_once

        def new_initial_state(self, state: Any = None) -> TerzoState:
            return TerzoState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return TerzoObserver(encoding, params)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    pyspiel.register_game(game_type, TerzoGame)
    return name


def _register_native() -> None:
    """The games whose length is known. Sheets are compiled only when somebody asks for one."""
    for name in games():
        if name == "stack4":
            register(name, max_game_length=64, zero_sum=True)
        elif name.startswith("quarto"):
            register(name, max_game_length=17, zero_sum=True)


_register_native()

"""Terzo's games in OpenSpiel, through its interface for games in Python.

Quarto, its variants and Stack Four are registered when this is imported, as `terzo_quarto`, `terzo_stack4` and so on; `register`
adds any other game for seats that move in turn, or one that begins at a position of yours.

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

from ._games import game as find
from ._games import games
from ._spaces import reward
from ._terzo import Game, Position


class TerzoState(pyspiel.State):  # type: ignore[misc]
    """A position, as OpenSpiel holds one."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.position: Position = game.first

    def current_player(self) -> int:
        mover = self.position.mover
        return int(pyspiel.PlayerId.TERMINAL) if mover is None else mover

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_actions())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.move(action)

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        payoffs = self.position.payoffs
        if payoffs is None:
            return [0.0] * self.position.game.seats
        return [reward(payoff) for payoff in payoffs]

    def __str__(self) -> str:
        return self.position.text


class TerzoObserver:
    """The features of a position as a tensor, and its text as a string."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        shape = game.feature_shape
        assert shape is not None
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": np.reshape(self.tensor, shape)}

    def set_from(self, state: TerzoState, player: int) -> None:
        self.dict["observation"][...] = state.position.features()

    def string_from(self, state: TerzoState, player: int) -> str:
        return state.position.text


def register(
    game: Union[str, Game],
    *,
    position: str | None = None,
    short_name: str | None = None,
    max_game_length: int = 1000,
    zero_sum: bool = False,
) -> str:
    """Registers a game and gives the name that `pyspiel.load_game` takes. Say `zero_sum` of a game for two in which one gets what the
    other lacks: many algorithms ask for it.

    >>> import pyspiel
    >>> from terzo.openspiel import register
    >>> name = register("tictactoe", short_name="terzo_doctest", max_game_length=9, zero_sum=True)
    >>> pyspiel.load_game(name).num_distinct_actions()
    10
    """
    found = game if isinstance(game, Game) else find(game)
    if found.actions is None or found.simultaneous:
        raise ValueError(f"{found.name}: expected a game with numbered actions, whose seats move in turn")
    name = short_name or "terzo_" + found.name.replace("-", "_").replace(":", "_")
    kind = pyspiel.GameType.Utility
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=found.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
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
        num_distinct_actions=found.actions,
        max_chance_outcomes=0,
        num_players=found.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if zero_sum else None,
        max_game_length=max_game_length,
    )
    start = found.start() if position is None else found.position(position)

    class TerzoGame(pyspiel.Game):  # type: ignore[misc]
        """A game of Terzo, as OpenSpiel holds one."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})
            self.first = start

        def new_initial_state(self, state: Any = None) -> TerzoState:
            return TerzoState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return TerzoObserver(found, params)
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

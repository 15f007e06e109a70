"""Terzo: a laboratory for game-playing programs.

Games, exact values, players, matches and records, from Python:

>>> import terzo
>>> start = terzo.game("quarto").start()
>>> start.play("-.3").legal_moves()[:2]
['a1.0', 'a1.1']
>>> terzo.game("quarto").position("6b../1.../27f0/8... d").solve().outcome
'win'

An agent of your own is a class with a method:

>>> class First(terzo.Player):
...     def choose(self, position, clock):
...         return position.legal_moves()[0]
>>> result = terzo.match("quarto", [First, "random"], games=10, seed=1)
>>> result.games
10

`terzo.pettingzoo`, `terzo.gymnasium` and `terzo.openspiel` are the interfaces of other projects; they need those installed.
"""

from ._games import game, games
from ._terzo import (
    Analysis,
    Clock,
    Game,
    IllegalMove,
    MoveValue,
    NotationError,
    PlayerError,
    Position,
    RecordsError,
    SheetError,
    Solution,
    UnknownGame,
    Unsolved,
    features,
    playouts,
    solve,
)
from ._terzo import version as __version__
from .contests import MatchResult, PlayerScore, match, serve, tournament
from .players import Player
from .puzzles import Puzzle, puzzles
from .records import Records, TournamentResult, records
from .reviews import JudgedMove, review

__all__ = [
    "Analysis",
    "Clock",
    "Game",
    "IllegalMove",
    "JudgedMove",
    "MatchResult",
    "MoveValue",
    "NotationError",
    "Player",
    "PlayerError",
    "PlayerScore",
    "Position",
    "Puzzle",
    "Records",
    "RecordsError",
    "SheetError",
    "Solution",
    "TournamentResult",
    "UnknownGame",
    "Unsolved",
    "__version__",
    "features",
    "game",
    "games",
    "match",
    "playouts",
    "puzzles",
    "records",
    "review",
    "serve",
    "solve",
    "tournament",
]

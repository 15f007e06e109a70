"""Matches, tournaments, and players as engines."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Sequence, Union

from . import _terzo
from ._games import game as find
from ._terzo import Game
from .players import Contender, factory, is_shared, name_of, version_of
from .records import TournamentResult


@dataclass(frozen=True)
class PlayerScore:
    """What a player came to in a match.

    >>> import terzo
    >>> score = terzo.match("quarto", ["novice", "random"], games=100, seed=1).players[0]
    >>> score.wins + score.draws + score.losses, score.forfeits
    (100, 0)
    """

    name: str
    wins: int
    draws: int
    losses: int
    #: Games that it lost by a fault: an illegal move, an exception, too much time.
    forfeits: int
    #: The 95 % interval of its share of wins.
    win_interval: tuple[float, float]
    #: What it got on average, 0 to 100, and half the width of its 95 % interval.
    payoff: float
    payoff_half_width: float | None
    #: The game's own points, where it counts any.
    points: dict[str, int] | None
    #: Milliseconds a turn, on average and at most.
    turn_ms: dict[str, float]


@dataclass(frozen=True)
class MatchResult:
    """What a match came to.

    >>> import terzo
    >>> print(terzo.match("quarto", ["novice", "random"], games=100, seed=1).players[0].name)
    novice
    """

    game: str
    games: int
    turns: int
    seconds: float
    players: list[PlayerScore]
    #: Why the first forfeited game was lost, if one was.
    first_fault: str | None
    #: What that player wrote beside it: the traceback of an exception.
    traceback: str | None

    def __str__(self) -> str:
        wide = max(len(player.name) for player in self.players)
        lines = [f"{self.game}, {self.games} games, {self.turns / max(1, self.games):.2f} turns a game"]
        for player in self.players:
            low, high = player.win_interval
            lines.append(
                f"{player.name:{wide}}  {player.wins} wins, {player.draws} draws, {player.losses} losses"
                f"  (wins {100 * low:.1f} to {100 * high:.1f} %)"
            )
        if self.first_fault:
            lines.append(f"forfeits: {self.first_fault}")
        return "\n".join(lines)


def _game(game: Union[str, Game]) -> Game:
    return game if isinstance(game, Game) else find(game)


def _contestants(players: Sequence[Contender]) -> list[dict[str, Any]]:
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise TypeError(f"players: expected a list of players, found {players!r}")
    if any(isinstance(player, str) and player.startswith(("engine:", "course:")) for player in players):
        _find_supervisor()
    told = []
    for player in players:
        own = factory(player)
        name = name_of(player)
        spec = player if isinstance(player, str) else f"python:class={name}"
        told.append({"name": name, "spec": spec, "factory": own, "version": version_of(player)})
    return told


def _find_supervisor() -> None:
    """Programs outside are started and ended by the program `terzo`."""
    program = os.environ.get("TERZO_PROGRAM") or shutil.which("terzo")
    if program is None:
        raise _terzo.PlayerError(
            "engines are started by the program `terzo`, which is not on the path; TERZO_PROGRAM names it, too"
        )
    _terzo._supervise_with(os.path.realpath(program))


def _jobs(players: Sequence[Contender], jobs: int | None) -> int:
    alone = any(is_shared(player) or (isinstance(player, str) and player.startswith("course:")) for player in players)
    if alone:
        return 1
    return jobs or 0


@contextlib.contextmanager
def _progress(wanted: bool, total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar of tqdm, where that is installed."""
    tqdm: Any = None
    if wanted:
        with contextlib.suppress(ImportError):
            from tqdm.auto import tqdm as bar_of

            tqdm = bar_of
    if tqdm is None:
        yield None
        return
    with tqdm(total=total, unit="game") as bar:
        def show(played: int) -> None:
            bar.n = played
            bar.refresh()

        yield show


def match(
    game: Union[str, Game],
    players: Sequence[Contender],
    games: int = 100,
    *,
    seed: int = 1,
    time: str = "none",
    plies: int = 0,
    max_turns: int | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> MatchResult:
    """Plays many games, a player a seat, the seats swapped from game to game; the same seed gives the same games.

    `time` is `none`, `move=100ms`, `game=10s+100ms`, `nodes=5000` or `depth=4`; so many random `plies` begin each pair; `jobs` threads
    play, all cores if left out. A player that is an instance, not a class, plays one game at a time.

    >>> import terzo
    >>> result = terzo.match("quarto", ["novice", "random"], games=100, seed=1)
    >>> result.games, result.players[0].wins > 60
    (100, True)
    """
    found = _game(game)
    told = _contestants(players)
    with _progress(progress, games) as show:
        text = _terzo._match(found, told, games, seed, time, max_turns, plies, _jobs(players, jobs), show)
    result = json.loads(text)
    for player in result["players"]:
        player["win_interval"] = tuple(player["win_interval"])
    result["players"] = [PlayerScore(**player) for player in result["players"]]
    return MatchResult(game=found.name, **result)


def tournament(
    game: Union[str, Game],
    players: Sequence[Contender],
    rounds: int = 50,
    *,
    records: Union[str, "os.PathLike[str]", None] = None,
    name: str = "python",
    seed: int = 1,
    time: str = "none",
    plies: int = 0,
    max_turns: int | None = None,
    gauntlet: bool = False,
    jobs: int | None = None,
    progress: bool = False,
) -> TournamentResult:
    """Everybody meets everybody in pairs of games, the seats swapped; ratings with intervals come of it.

    With `records` every pair is written into that file when it ends, and the same call goes on where it was: more `rounds` play more.
    With `gauntlet` the first meets all others, who do not meet each other.

    >>> import terzo
    >>> result = terzo.tournament("quarto", ["novice", "random", "minimax:depth=1"], rounds=5, seed=1)
    >>> [player["name"] for player in result.players]
    ['novice', 'random', 'minimax:depth=1']
    >>> result.games
    30
    """
    told = _contestants(players)
    count = len(told)
    meetings = count - 1 if gauntlet else count * (count - 1) // 2
    with _progress(progress, 2 * rounds * meetings) as show:
        text = _terzo._tournament(
            _game(game), told, rounds, seed, time, max_turns, plies, _jobs(players, jobs), name, gauntlet,
            None if records is None else os.fspath(records), show,
        )
    return TournamentResult(json.loads(text))


def serve(player: Contender, game: Union[str, Game, None] = None) -> None:
    '''Serves a player as an engine: it talks UGI on standard input and output until it is told to quit.

    The game is named by the first argument of the program, if it is not given here. Then `terzo match quarto novice 'engine:python3
    my_agent.py quarto'` plays with it. What the player prints goes to standard error.

    >>> import subprocess, sys
    >>> program = """
    ... import terzo
    ... class First(terzo.Player):
    ...     def choose(self, position, clock):
    ...         return position.legal_moves()[0]
    ... terzo.serve(First(), "quarto")
    ... """
    >>> talk = "ugi\\nposition startpos moves -.3\\ngo movetime 1000\\nquit\\n"
    >>> told = subprocess.run([sys.executable, "-c", program], input=talk, capture_output=True, text=True, timeout=60)
    >>> told.stdout.splitlines()[-1]
    'bestmove a1.0'
    '''
    if game is None:
        if len(sys.argv) < 2:
            raise SystemExit(f"usage: {sys.argv[0]} GAME")
        game = sys.argv[1]
    own = factory(player)
    if own is None:
        raise TypeError("serve is for players written in Python; `terzo ugi GAME --player SPEC` serves the others")
    if threading.current_thread() is threading.main_thread():
        # An engine has nothing to clean up: Ctrl-C ends it at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    with contextlib.redirect_stdout(sys.stderr):
        _terzo._serve(_game(game), name_of(player), own)

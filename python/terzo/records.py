"""Records of tournaments as data frames, and pictures of them."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any, Union

from . import _plots, _terzo


def _frame(rows: list[dict[str, Any]]) -> Any:
    """A data frame of pandas, or of polars if only that is there."""
    try:
        import pandas
    except ImportError:
        try:
            import polars
        except ImportError:
            raise ImportError("data frames need pandas or polars: pip install pandas") from None
        return polars.DataFrame(rows, infer_schema_length=None)
    return pandas.DataFrame(rows)


class TournamentResult:
    """What a tournament came to: `terzo.tournament` gives one, and so does `Records.result`.

    >>> import terzo
    >>> print(terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1).players[0]["name"])
    novice
    """

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told

    @property
    def id(self) -> int:
        """Its number in the records.

        >>> import terzo
        >>> result = terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1)
        >>> result.id
        1
        """
        return int(self._told["id"])

    @property
    def games(self) -> int:
        """Games in the records.

        >>> import terzo
        >>> result = terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1)
        >>> result.games
        6
        """
        return int(self._told["games"])

    @property
    def players(self) -> list[dict[str, Any]]:
        """The players in the order they were named: score, rating with its interval, forfeits, times.

        >>> import terzo
        >>> result = terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1)
        >>> [(player["name"], player["games"]) for player in result.players]
        [('novice', 6), ('random', 6)]
        """
        players: list[dict[str, Any]] = self._told["players"]
        return players

    @property
    def duels(self) -> list[dict[str, Any]]:
        """Who met whom, and what came of it.

        >>> import terzo
        >>> result = terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1)
        >>> [(duel["first"], duel["second"]) for duel in result.duels]
        [('novice', 'random')]
        """
        duels: list[dict[str, Any]] = self._told["duels"]
        return duels

    @property
    def failure(self) -> str | None:
        """The first game of this run that somebody lost by a fault of its own, in words.

        >>> import terzo
        >>> result = terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1)
        >>> result.failure is None
        True
        """
        failure: str | None = self._told.get("first_failure")
        return failure

    @property
    def ratings(self) -> Any:
        """A data frame: name, Elo with its 95 % interval, points, games; the best first.

        >>> import terzo
        >>> result = terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1)
        >>> list(result.ratings["name"])
        ['novice', 'random']
        """
        return _frame(_rating_rows(self._told))

    def plot_ratings(self, ax: Any = None) -> Any:
        """Draws the ratings with their intervals; gives the axes of matplotlib.

        >>> import terzo
        >>> result = terzo.tournament("quarto", ["novice", "random"], rounds=3, seed=1)
        >>> result.plot_ratings().get_xlabel()
        'Elo, with 95 % intervals'
        """
        return _plots.ratings(_rating_rows(self._told), ax)

    def sweep(self, option: str = "switch") -> Any:
        """A data frame of the players that differ in one option: its value, the rest of the spec, Elo with its interval, points.

        >>> import terzo
        >>> players = [f"minimax:depth=1,opening=novice,switch={switch}" for switch in (4, 8, 12)]
        >>> swept = terzo.tournament("quarto", players, rounds=2, seed=1).sweep("switch")
        >>> list(swept["value"]), swept["player"][0]
        ([4, 8, 12], 'minimax:depth=1,opening=novice')
        """
        return _frame(_sweep_rows(self._told, option))

    def plot_sweep(self, option: str = "switch", ax: Any = None) -> Any:
        """Draws the rating by the value of an option, a line for what else a spec says; gives the axes of matplotlib.

        >>> import terzo
        >>> players = [f"minimax:depth=1,opening=novice,switch={switch}" for switch in (4, 8, 12)]
        >>> terzo.tournament("quarto", players, rounds=2, seed=1).plot_sweep("switch").get_xlabel()
        'switch'
        """
        return _plots.sweep(_sweep_rows(self._told, option), option, ax)

    def __str__(self) -> str:
        rows = _rating_rows(self._told)
        wide = max(len(row["name"]) for row in rows)
        told = [
            f"{row['name']:{wide}}  {row['elo']:+7.1f}  ({row['elo_low']:+.1f} to {row['elo_high']:+.1f})"
            f"  {row['points']:g} of {row['games']}"
            for row in rows
        ]
        return "\n".join([f"{self._told['name']}: {self._told['game']}, {self.games} games", *told])


def _rating_rows(told: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [
        {
            "name": player["name"],
            "spec": player["spec"],
            "elo": player["elo"]["value"],
            "elo_low": player["elo"]["low"],
            "elo_high": player["elo"]["high"],
            "points": player["points"],
            "games": player["games"],
            "wins": player["wins"],
            "draws": player["draws"],
            "losses": player["losses"],
            "forfeits": sum(player["forfeits"].values()),
            "seconds": player["seconds"],
        }
        for player in told["players"]
    ]
    return sorted(rows, key=lambda row: -float(row["elo"]))


def _sweep_rows(told: dict[str, Any], option: str) -> list[dict[str, Any]]:
    """The players whose spec names an option, by the rest of their spec and by its value."""
    rows: list[dict[str, Any]] = []
    for rating in _rating_rows(told):
        name, _, options = rating["spec"].partition(":")
        said = dict(part.partition("=")[::2] for part in options.split(",") if "=" in part)
        if option not in said or name in ("engine", "course"):
            continue
        value = said.pop(option)
        rest = ",".join(f"{key}={text}" for key, text in said.items())
        rows.append({"player": f"{name}:{rest}" if rest else name, "value": _number(value), **rating})
    if not rows:
        raise ValueError(f"no player of this tournament says `{option}=` in its spec")
    return sorted(rows, key=lambda row: (row["player"], isinstance(row["value"], str), row["value"]))


def _number(text: str) -> Any:
    """A number where it is one."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


class Records:
    """The records in a file. Where a tournament can be named, the latest is meant if none is.

    >>> import os, tempfile, terzo
    >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
    >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
    >>> terzo.Records(path).result().games
    6
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path = os.fspath(path)
        # A file that is not there, or is something else, is told at once.
        _terzo._record_list(self.path)

    @property
    def tournaments(self) -> Any:
        """A data frame of the tournaments, the oldest first.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> list(terzo.records(path).tournaments["game"])
        ['quarto']
        """
        return _frame(json.loads(_terzo._record_list(self.path)))

    def result(self, tournament: int | None = None) -> TournamentResult:
        """The standings of a tournament.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> terzo.records(path).result(1).games
        6
        """
        return TournamentResult(json.loads(_terzo._record_results(self.path, tournament, None)))

    def ratings(self, tournament: int | None = None) -> Any:
        """A data frame of ratings with their intervals.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> list(terzo.records(path).ratings()["name"])
        ['novice', 'random']
        """
        return self.result(tournament).ratings

    def games(self, tournament: int | None = None) -> Any:
        """A data frame with a row a game: seats, verdict, winner (1 or 2), turns.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> list(terzo.records(path).games()["first"])[:2]
        ['novice', 'random']
        """
        return _frame([_game_row(game) for game in self._games(tournament)])

    def turns(self, tournament: int | None = None) -> Any:
        """A data frame with a row a turn: who made it, how long it took, what it expected.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> sorted(set(terzo.records(path).turns()["player"]))
        ['novice', 'random']
        """
        return _frame([row for game in self._games(tournament) for row in _turn_rows(game)])

    def mistakes(self, tournament: int | None = None, *, pairs: int = 1000) -> Any:
        """A data frame of mistakes against perfect play, where it is known: player, pieces placed, turns, judged, mistakes. At most
        so many pairs are looked at.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> sorted(set(terzo.records(path).mistakes()["player"]))
        ['novice', 'random']
        """
        return _frame(self._mistake_rows(tournament, pairs))

    def plot_ratings(self, tournament: int | None = None, ax: Any = None) -> Any:
        """Draws the ratings with their intervals; gives the axes of matplotlib.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> terzo.records(path).plot_ratings().get_xlabel()
        'Elo, with 95 % intervals'
        """
        return self.result(tournament).plot_ratings(ax)

    def plot_sweep(self, option: str = "switch", tournament: int | None = None, ax: Any = None) -> Any:
        """Draws the rating by the value of an option of the players' specs; gives the axes of matplotlib.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> players = [f"minimax:depth=1,opening=novice,switch={switch}" for switch in (4, 8, 12)]
        >>> _ = terzo.tournament("quarto", players, rounds=2, records=path, seed=1)
        >>> terzo.records(path).plot_sweep("switch").get_xlabel()
        'switch'
        """
        return self.result(tournament).plot_sweep(option, ax)

    def plot_mistakes(self, tournament: int | None = None, ax: Any = None, *, pairs: int = 1000) -> Any:
        """Draws the share of mistakes by how far the game was, a line a player; gives the axes of matplotlib.

        >>> import os, tempfile, terzo
        >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
        >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path, seed=1)
        >>> terzo.records(path).plot_mistakes().get_xlabel()
        'pieces placed'
        """
        return _plots.mistakes(self._mistake_rows(tournament, pairs), ax)

    def _games(self, tournament: int | None) -> list[dict[str, Any]]:
        return [json.loads(line) for line in _terzo._record_games(self.path, tournament)]

    def _mistake_rows(self, tournament: int | None, pairs: int) -> list[dict[str, Any]]:
        told = json.loads(_terzo._record_results(self.path, tournament, pairs))
        return [
            {"player": player["name"], **phase}
            for player in told["players"]
            for phase in player["mistakes"]["phases"]
        ]

    def __repr__(self) -> str:
        return f"terzo.records({self.path!r})"


def _game_row(game: dict[str, Any]) -> dict[str, Any]:
    plain = ("tournament", "pair", "round", "number", "seed", "verdict", "winner", "start", "detail", "log")
    points = game["points"] or (None, None)
    return {
        **{key: game[key] for key in plain},
        "first": game["seats"][0],
        "second": game["seats"][1],
        "turns": len(game["turns"]),
        "opening": " ".join(game["opening"]),
        "moves": " ".join(game["turns"]),
        "points1": points[0],
        "points2": points[1],
    }


def _turn_rows(game: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for ply, move in enumerate(game["turns"]):
        times = game["times"][ply] if ply < len(game["times"]) and game["times"][ply] else {}
        says = game["says"][ply] if ply < len(game["says"]) else {}
        spent = [times.get("place_ns"), times.get("give_ns")]
        rows.append(
            {
                "tournament": game["tournament"],
                "pair": game["pair"],
                "number": game["number"],
                "ply": len(game["opening"]) + ply,
                "player": game["seats"][times["seat"] - 1] if times else None,
                "move": move,
                "seconds": sum(time for time in spent if time is not None) / 1e9,
                "value": says.get("value"),
                "depth": says.get("depth"),
                "nodes": says.get("nodes"),
            }
        )
    return rows


def records(path: Union[str, "os.PathLike[str]"]) -> Records:
    """The records of tournaments in a file, as data frames of pandas (or polars).

    >>> import os, tempfile, terzo
    >>> path = os.path.join(tempfile.mkdtemp(), "x.db")
    >>> _ = terzo.tournament("quarto", ["novice", "random"], rounds=3, records=path)
    >>> len(terzo.records(path).result().players)
    2
    """
    return Records(path)

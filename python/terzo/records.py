"""Records of tournaments as data frames, and pictures of them."""

from __future__ import annotations

import json
import os
from typing import Any, Union

from . import _terzo


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
    """What a tournament came to: `terzo.tournament` gives one, and so does `Records.result`."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told

    @property
    def id(self) -> int:
        """Its number in the records."""
        return int(self._told["id"])

    @property
    def games(self) -> int:
        """Games in the records."""
        return int(self._told["games"])

    @property
    def players(self) -> list[dict[str, Any]]:
        """The players in the order they were named: score, rating with its interval, forfeits, times."""
        players: list[dict[str, Any]] = self._told["players"]
        return players

    @property
    def duels(self) -> list[dict[str, Any]]:
        """Who met whom, and what came of it."""
        duels: list[dict[str, Any]] = self._told["duels"]
        return duels

    @property
    def failure(self) -> str | None:
        """The first game of this run that somebody lost by a fault of its own, in words."""
        failure: str | None = self._told.get("first_failure")
        return failure

    @property
    def ratings(self) -> Any:
        """A data frame: name, Elo with its 95 % interval, points, games; the best first."""
        return _frame(_rating_rows(self._told))

    def plot_ratings(self, ax: Any = None) -> Any:
        """Draws the ratings with their intervals; gives the axes of matplotlib."""
        return _plot_ratings(_rating_rows(self._told), ax)

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


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install matplotlib") from None
    return pyplot.subplots()[1]


def _plot_ratings(rows: list[dict[str, Any]], ax: Any) -> Any:
    ax = _axes(ax)
    places = range(len(rows))
    values = [row["elo"] for row in rows]
    low = [row["elo"] - row["elo_low"] for row in rows]
    high = [row["elo_high"] - row["elo"] for row in rows]
    ax.errorbar(values, list(places), xerr=[low, high], fmt="o", capsize=4)
    ax.set_yticks(list(places), [row["name"] for row in rows])
    ax.invert_yaxis()
    ax.set_xlabel("Elo, with 95 % intervals")
    return ax


class Records:
    """The records in a file. Where a tournament can be named, the latest is meant if none is."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path = os.fspath(path)
        # A file that is not there, or is something else, is told at once.
        _terzo._record_list(self.path)

    @property
    def tournaments(self) -> Any:
        """A data frame of the tournaments, the oldest first."""
        return _frame(json.loads(_terzo._record_list(self.path)))

    def result(self, tournament: int | None = None) -> TournamentResult:
        """The standings of a tournament."""
        return TournamentResult(json.loads(_terzo._record_results(self.path, tournament, None)))

    def ratings(self, tournament: int | None = None) -> Any:
        """A data frame of ratings with their intervals."""
        return self.result(tournament).ratings

    def games(self, tournament: int | None = None) -> Any:
        """A data frame with a row a game: seats, verdict, winner (1 or 2), turns."""
        return _frame([_game_row(game) for game in self._games(tournament)])

    def turns(self, tournament: int | None = None) -> Any:
        """A data frame with a row a turn: who made it, how long it took, what it expected."""
        return _frame([row for game in self._games(tournament) for row in _turn_rows(game)])

    def mistakes(self, tournament: int | None = None, *, pairs: int = 1000) -> Any:
        """A data frame of mistakes against perfect play, where it is known: player, pieces placed, turns, judged, mistakes. At most
        so many pairs are looked at."""
        return _frame(self._mistake_rows(tournament, pairs))

    def plot_ratings(self, tournament: int | None = None, ax: Any = None) -> Any:
        """Draws the ratings with their intervals; gives the axes of matplotlib."""
        return self.result(tournament).plot_ratings(ax)

    def plot_mistakes(self, tournament: int | None = None, ax: Any = None, *, pairs: int = 1000) -> Any:
        """Draws the share of mistakes by how far the game was, a line a player; gives the axes of matplotlib."""
        ax = _axes(ax)
        rows = self._mistake_rows(tournament, pairs)
        for name in dict.fromkeys(row["player"] for row in rows):
            own = [row for row in rows if row["player"] == name and row["judged"]]
            ax.plot([row["placed"] for row in own], [row["mistakes"] / row["judged"] for row in own], "o-", label=name)
        ax.set_xlabel("pieces placed")
        ax.set_ylabel("share of mistakes")
        ax.legend()
        return ax

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

"""Pictures of records, with matplotlib: each takes rows and axes, or makes axes, and gives them back."""

from __future__ import annotations

from typing import Any

Rows = list[dict[str, Any]]


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install matplotlib") from None
    return pyplot.subplots()[1]


def ratings(rows: Rows, ax: Any) -> Any:
    """Ratings with their intervals, a row a player."""
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


def sweep(rows: Rows, option: str, ax: Any) -> Any:
    """Ratings by the value of an option, a line for what else a spec says."""
    ax = _axes(ax)
    for player in dict.fromkeys(row["player"] for row in rows):
        own = [row for row in rows if row["player"] == player]
        below = [row["elo"] - row["elo_low"] for row in own]
        above = [row["elo_high"] - row["elo"] for row in own]
        values, ratings = [row["value"] for row in own], [row["elo"] for row in own]
        ax.errorbar(values, ratings, yerr=[below, above], fmt="o-", capsize=4, label=player)
    ax.set_xlabel(option)
    ax.set_ylabel("Elo, with 95 % intervals")
    ax.legend()
    return ax


def mistakes(rows: Rows, ax: Any) -> Any:
    """The share of mistakes by how far the game was, a line a player."""
    ax = _axes(ax)
    for name in dict.fromkeys(row["player"] for row in rows):
        own = [row for row in rows if row["player"] == name and row["judged"]]
        ax.plot([row["placed"] for row in own], [row["mistakes"] / row["judged"] for row in own], "o-", label=name)
    ax.set_xlabel("pieces placed")
    ax.set_ylabel("share of mistakes")
    ax.legend()
    return ax

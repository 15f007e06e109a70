"""Positions of rule sheets as text, for terminals: boards instead of lists of facts."""

from __future__ import annotations

import textwrap
from typing import Any


def draw(view: dict[str, Any], drawing: str) -> str:
    """The boards of a view with what else holds, or the drawing that the game has of its own."""
    boards = view.get("boards")
    if view["kind"] != "gdl" or not boards:
        return drawing
    rest = [fact for fact in view["facts"] if not any(_is_drawn(fact, board) for board in boards)]
    return "\n\n".join([*map(_board, boards), *([_lines(rest)] if rest else [])])


def _is_drawn(fact: str, board: dict[str, Any]) -> bool:
    """Whether a fact says what stands on a cell: `(cell 1 1 x)`, or `(man black 1 1)` of a cell that has a black man."""
    relation, *words = fact.strip("()").split()
    named = relation == board["relation"] or any(relation in cell["content"].split() for cell in board["cells"])
    return named and sum(word in board["xs"] or word in board["ys"] for word in words) >= 2


def _lines(texts: list[str]) -> str:
    """Texts side by side, none of them broken."""
    hard = " ".join(text.replace(" ", "\N{NO-BREAK SPACE}") for text in texts)
    lines = textwrap.wrap(hard, 100, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def _board(board: dict[str, Any]) -> str:
    content = {(cell["x"], cell["y"]): cell["content"] for cell in board["cells"] if cell["content"] != board["blank"]}
    short = _short(sorted(set(content.values())))
    rows = board["ys"] if board["rows_down"] else list(reversed(board["ys"]))
    wide = max(map(len, [*short.values(), *board["xs"], "."]))
    edge = max(map(len, rows), default=0)
    lines = [
        " ".join([f"{y:>{edge}} ", *(f"{short.get(content.get((x, y), ''), '.'):>{wide}}" for x in board["xs"])]) for y in rows
    ]
    lines.append(" ".join([" " * (edge + 1), *(f"{x:>{wide}}" for x in board["xs"])]))
    meanings = [f"{sign} {text}" for text, sign in short.items() if sign != text]
    return "\n".join([*lines, *([_lines([meaning + "," for meaning in meanings]).rstrip(",")] if meanings else [])])


def _short(contents: list[str]) -> dict[str, str]:
    """What stands for each content: itself if all are short, else their first letters, as few as tell them apart."""
    if all(len(text) <= 2 for text in contents):
        return {text: text for text in contents}
    for count in (1, 2, 3):
        signs = [_letters(text, count) for text in contents]
        if len(set(signs)) == len(signs):
            return dict(zip(contents, signs))
    return {text: text for text in contents}


def _letters(text: str, count: int) -> str:
    """The first letters of each word. A knight is an n, as everywhere."""
    words = text.replace("_", " ").split()
    return "".join("n" if word == "knight" else word[:count] for word in words)

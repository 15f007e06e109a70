"""Positions as pictures, for notebooks: drawn from what Terzo's page draws from."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable

CELL = 48
_INK, _BOARD, _LINE = "#333", "#f4efe6", "#c9bfae"
_DARK, _LIGHT = "#4a3a2f", "#e0b878"


def draw(view: dict[str, Any]) -> str:
    """The picture of a view, by its kind."""
    kinds = {"quarto": _quarto, "stack4": _stack4, "gdl": _gdl}
    return kinds.get(view["kind"], _plain)(view)


def _svg(width: float, height: float, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif">{"".join(parts)}</svg>'
    )


def _rect(x: float, y: float, wide: float, high: float, fill: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="{fill}" stroke="{_LINE}"/>'


def _text(x: float, y: float, text: str, size: float = 13, fill: str = _INK, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}">{escape(text)}</text>'


def _piece(x: float, y: float, number: int, size: float) -> str:
    """A piece of Quarto around a point: its bits are dark, tall, square and hollow."""
    dark, tall, square, hollow = (number >> bit & 1 for bit in range(4))
    fill, half = (_DARK if dark else _LIGHT), size * (0.42 if tall else 0.28)
    style = f'fill="{fill}" stroke="{_INK}"'
    if square:
        shape = f'<rect x="{x - half:g}" y="{y - half:g}" width="{2 * half:g}" height="{2 * half:g}" {style}/>'
    else:
        shape = f'<circle cx="{x:g}" cy="{y:g}" r="{half:g}" {style}/>'
    hole = f'<circle cx="{x:g}" cy="{y:g}" r="{size * 0.12:g}" fill="{_BOARD}" stroke="{_INK}"/>' if hollow else ""
    return shape + hole


def _quarto(view: dict[str, Any]) -> str:
    left, parts = 20, []
    won = {cell for line in view["completed"] for cell in line["cells"]}
    for index, piece in enumerate(view["cells"]):
        row, column = divmod(index, 4)
        name = "abcd"[column] + "1234"[row]
        x, y = left + column * CELL, 20 + row * CELL
        parts.append(_rect(x, y, CELL, CELL, "#f7d774" if name in won else _BOARD))
        if piece is not None:
            parts.append(_piece(x + CELL / 2, y + CELL / 2, int(piece, 16), CELL))
    for index in range(4):
        parts.append(_text(left + (index + 0.5) * CELL, 14, "abcd"[index]))
        parts.append(_text(10, 20 + (index + 0.5) * CELL + 5, "1234"[index]))
    beside = left + 4 * CELL + 16
    if view["hand"] is not None:
        parts.append(_text(beside, 18, "in hand", anchor="start"))
        parts.append(_piece(beside + 24, 46, int(view["hand"], 16), CELL))
    parts.append(_text(beside, 88, "left to give", anchor="start"))
    for index, piece in enumerate(view["left"]):
        row, column = divmod(index, 6)
        parts.append(_piece(beside + 12 + column * 26, 106 + row * 28, int(piece, 16), 26))
    return _svg(beside + 164, 4 * CELL + 28, parts)


def _stack4(view: dict[str, Any]) -> str:
    size, parts = 40, []
    for column in view["columns"]:
        x, y = 4 + column["col"] * (size + 4), 4 + column["row"] * (size + 4)
        parts.append(_rect(x, y, size, size, _BOARD))
        for layer, stone in enumerate(column["stones"]):
            fill = "#222" if stone == "b" else "#fff"
            parts.append(
                f'<ellipse cx="{x + size / 2:g}" cy="{y + size - 7 - 5.2 * layer:g}" rx="14" ry="5" fill="{fill}" stroke="{_INK}"/>'
            )
    black, white = view["points"]
    beside = 6 * (size + 4) + 16
    for line, text in enumerate([f"Black {black}", f"White {white}", f"the next line pays {view['next_worth']}"]):
        parts.append(_text(beside, 24 + 20 * line, text, anchor="start"))
    return _svg(beside + 150, 6 * (size + 4) + 8, parts)


def _gdl(view: dict[str, Any]) -> str:
    if not view["boards"]:
        return _lines(view["facts"])
    parts: list[str] = []
    top = 4.0
    wide = 0.0
    for board in view["boards"]:
        xs, ys = board["xs"], board["ys"]
        rows = ys if board["rows_down"] else list(reversed(ys))
        content = {(cell["x"], cell["y"]): cell["content"] for cell in board["cells"]}
        marked = {(place["x"], place["y"]) for place in board["won"] + board["last"]}
        contents = sorted({text for text in content.values() if text != board["blank"]})
        for row, y in enumerate(rows):
            for column, x in enumerate(xs):
                shaded = board["look"] == "chequered" and (row + column) % 2
                fill = "#f7d774" if (x, y) in marked else "#dccfb8" if shaded else _BOARD
                left, above = 4 + column * CELL, top + row * CELL
                parts.append(_rect(left, above, CELL, CELL, fill))
                text = content.get((x, y))
                if text is not None and text != board["blank"]:
                    parts.append(_stone(left + CELL / 2, above + CELL / 2, text, contents.index(text)))
        wide = max(wide, 8.0 + len(xs) * CELL)
        top += len(rows) * CELL + 12
    return _svg(wide, top, parts)


_COLOURS = {"white": "#fff", "black": "#222", "red": "#c0392b", "yellow": "#f1c40f", "blue": "#2c6fbb", "green": "#2e8b57"}
_CHESS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}


def _stone(x: float, y: float, text: str, which: int) -> str:
    """What stands on a cell: a short text as it is; a longer one as a stone in its colour, if it names one, and a sign for the rest."""
    words = text.replace("_", " ").split()
    if len(text) <= 2 or not words:
        return _text(x, y + 8, text, 24)
    named = [word for word in words if word in _COLOURS]
    fill = _COLOURS[named[0]] if named else list(_COLOURS.values())[which % len(_COLOURS)]
    kinds = [word for word in words if word not in named]
    sign = "" if not kinds else _CHESS.get(kinds[-1], kinds[-1][:2])
    ink = "#fff" if fill in ("#222", "#c0392b", "#2c6fbb", "#2e8b57") else _INK
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.38:g}" fill="{fill}" stroke="{_INK}"><title>{escape(text)}</title></circle>'
    return disc + (_text(x, y + 8, sign, 22 if len(sign) == 1 else 12, ink) if sign else "")


def _plain(view: dict[str, Any]) -> str:
    board = view.get("board")
    if not board:
        return _lines(str(view.get("text", "")).splitlines())
    parts = []
    for row, cells in enumerate(board["rows"]):
        for column, text in enumerate(cells):
            parts.append(_rect(4 + column * CELL, 4 + row * CELL, CELL, CELL, _BOARD))
            parts.append(_text(4 + (column + 0.5) * CELL, 4 + (row + 0.5) * CELL + 6, text, 18))
    wide = max((len(cells) for cells in board["rows"]), default=0)
    return _svg(8 + wide * CELL, 8 + len(board["rows"]) * CELL, parts)


def _lines(lines: list[str]) -> str:
    parts = [_text(6, 18 + 16 * number, line, anchor="start") for number, line in enumerate(lines)]
    return _svg(12 + 8 * max((len(line) for line in lines), default=1), 12 + 16 * max(1, len(lines)), parts)

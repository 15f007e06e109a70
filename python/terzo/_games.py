"""Games by name, by file or by the text of their rules."""

from __future__ import annotations

import os
from typing import Union

from . import _terzo
from ._terzo import Game


def game(name: Union[str, "os.PathLike[str]"]) -> Game:
    """The game of a name (`terzo.games()` lists them), of a rule sheet in a file, or of the text of one.

    >>> import terzo
    >>> terzo.game("quarto-squares").title
    'Quarto, squares'
    >>> coin = terzo.game('''
    ...     (role you) (init start)
    ...     (<= (legal you heads) (true start)) (<= (legal you tails) (true start))
    ...     (<= (next won) (does you heads)) (<= (next lost) (does you tails))
    ...     (<= terminal (not (true start)))
    ...     (<= (goal you 100) (true won)) (<= (goal you 0) (not (true won)))
    ... ''')
    >>> coin.start().play("heads").payoffs
    (100,)
    >>> terzo.game("quatro")
    Traceback (most recent call last):
    ...
    terzo.UnknownGame: unknown game `quatro`: did you mean `quarto`?; a rule sheet is written gdl:FILE
    """
    if isinstance(name, os.PathLike):
        return _terzo._find("gdl:" + os.fspath(name), False)
    # No name has a parenthesis, and no sheet is without one.
    return _terzo._find(name, "(" in name and not name.startswith("gdl:"))


def games() -> dict[str, str]:
    """All games that are known by name, and a line about each.

    >>> import terzo
    >>> "stack4" in terzo.games()
    True
    """
    return dict(_terzo._games())

"""Measures the package side by side with others, in one run. What is not installed is left out, and said so.

    python -P python/bench.py                  # everything; -P: with what is installed, not what lies beside this file
    python -P python/bench.py --program target/release/terzo

Single threads are measured in processor time, so that other work on the machine counts little; batches in both. Figures in
python/README.md come from here.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import terzo

#: How often a batch is solved by each.
RUNS = 7

LINES = [0xF << 4 * row for row in range(4)] + [0x1111 << column for column in range(4)] + [0x8421, 0x1248]
THROUGH = [[line for line in LINES if line >> cell & 1] for cell in range(16)]


class PureQuarto:
    """Quarto in plain Python, as fast as it gets: sets of cells as bits, a list of lines, moves as pairs of numbers."""

    def __init__(self) -> None:
        self.ones, self.zeros = [0] * 4, [0] * 4
        self.empty, self.left, self.hand = list(range(16)), list(range(16)), -1
        self.over = False

    def legal(self) -> list[tuple[int, int]]:
        if self.hand < 0:
            return [(-1, piece) for piece in self.left]
        moves = []
        for cell in self.empty:
            if self.completes(cell) or not self.left:
                moves.append((cell, -1))
            else:
                moves.extend([(cell, piece) for piece in self.left])
        return moves

    def completes(self, cell: int) -> bool:
        bit, hand = 1 << cell, self.hand
        for attribute in range(4):
            cells = (self.ones if hand >> attribute & 1 else self.zeros)[attribute] | bit
            for line in THROUGH[cell]:
                if cells & line == line:
                    return True
        return False

    def play(self, cell: int, piece: int) -> None:
        if cell >= 0:
            if self.completes(cell):
                self.over = True
            for attribute in range(4):
                (self.ones if self.hand >> attribute & 1 else self.zeros)[attribute] |= 1 << cell
            self.empty.remove(cell)
            self.over = self.over or not self.empty
        self.hand = piece
        if piece >= 0:
            self.left.remove(piece)


def pure_game(chance: random.Random) -> int:
    game, turns = PureQuarto(), 0
    while not game.over:
        game.play(*chance.choice(game.legal()))
        turns += 1
    return turns


def terzo_game(start: terzo.Position, chance: random.Random) -> int:
    position, turns = start, 0
    while not position.over:
        position = position.play(chance.choice(position.legal_actions()))
        turns += 1
    return turns


def spiel_game(game: object, chance: random.Random) -> int:
    state, turns = game.new_initial_state(), 0  # type: ignore[attr-defined]
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        turns += 1
    return turns


def rate(play: "callable", seconds: float) -> tuple[float, float]:  # type: ignore[valid-type]
    """Games and turns a second."""
    chance, games, turns, began = random.Random(1), 0, 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(20):
            turns += play(chance)
            games += 1
    took = time.process_time() - began
    return games / took, turns / took


def playouts(seconds: float) -> None:
    print("random games, a Python loop over legal moves, one thread:")
    start = terzo.game("quarto").start()
    contenders = [
        ("terzo, quarto", lambda chance: terzo_game(start, chance)),
        ("pure Python, quarto", pure_game),
    ]
    try:
        import pyspiel

        # It has no Quarto. Hex has lists of moves as long as Quarto's, connect four is Terzo's sheet of that name.
        for name in ("hex", "connect_four", "othello"):
            game = pyspiel.load_game(name)
            contenders.append((f"OpenSpiel's C++, {name}", lambda chance, game=game: spiel_game(game, chance)))
    except ImportError:
        print("  (OpenSpiel is not installed)")
    for name in ("stack4", "connectfour"):
        first = terzo.game(name).start()
        contenders.append((f"terzo, {name}", lambda chance, first=first: terzo_game(first, chance)))
    # In turns, so that whatever else the machine does meets all of them.
    best = {name: (0.0, 0.0) for name, _ in contenders}
    for _ in range(3):
        for name, play in contenders:
            best[name] = max(best[name], rate(play, seconds / 3))
    for name, (games, turns) in best.items():
        print(f"  {name:32} {games:10,.0f} games/s {turns:12,.0f} turns/s")
    print("terzo.playouts, without a loop, a second of a processor:")
    for name in ("quarto", "stack4", "tictactoe", "connectfour"):
        first = terzo.game(name).start()
        began = time.process_time()
        terzo.playouts([first], games=200_000)
        print(f"  {name:32} {200_000 / (time.process_time() - began):10,.0f} games/s")


def overhead() -> None:
    class Quick(terzo.Player):
        def choose(self, position, clock):  # type: ignore[no-untyped-def]
            return position.legal_actions()[0]

    player, start = Quick(), terzo.game("stack4").start()
    began = time.process_time()
    result = terzo.match("stack4", [Quick, Quick], games=1000, jobs=1)
    whole = (time.process_time() - began) / result.turns
    began = time.process_time()
    for _ in range(50_000):
        player.choose(start, None)
    own = (time.process_time() - began) / 50_000
    print(f"a Python player's turn in a match: {1e6 * whole:.2f} us, of which its own code {1e6 * own:.2f} us:"
          f" overhead {1e6 * (whole - own):.2f} us")


def batch(program: Path, count: int, placed: int) -> None:
    quarto, chance, positions = terzo.game("quarto"), random.Random(4), []
    while len(positions) < count:
        position = quarto.start()
        for _ in range(placed + 1):
            if not position.over:
                position = position.play(chance.choice(position.legal_actions()))
        if not position.over:
            positions.append(position)
    def measured(work: "callable") -> tuple[float, float]:  # type: ignore[valid-type]
        """Seconds, and seconds of processors, children's included."""
        began, before = time.perf_counter(), os.times()
        work()
        after = os.times()
        return time.perf_counter() - began, sum(after[:4]) - sum(before[:4])

    times: dict[str, list[tuple[float, float]]] = {"python": [], "program": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "positions.txt"
        path.write_text("".join(position.text + "\n" for position in positions))
        command = [program, "solve", "quarto", "--no-book", "--batch", str(path)]
        for _ in range(RUNS):
            times["python"].append(measured(lambda: terzo.solve(positions, book=False)))
            times["program"].append(
                measured(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
            )
    print(f"{count} positions with {placed} pieces, median of {RUNS}:")
    for name, told in (("terzo.solve", times["python"]), ("terzo solve --batch", times["program"])):
        whole, cpu = (statistics.median(column) for column in zip(*told))
        print(f"  {name:20} {whole:6.2f} s, {cpu:6.2f} s of processors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--program", type=Path, help="the program terzo, built with --release, to compare batches with")
    given = parser.parse_args()
    print(f"terzo of {Path(terzo.__file__).parent}")
    playouts(given.seconds)
    overhead()
    if given.program:
        batch(given.program, 300, 6)
        batch(given.program, 10, 5)
    else:
        print("batches are compared with the program that --program names")


if __name__ == "__main__":
    main()

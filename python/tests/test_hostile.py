"""Wrong types, huge numbers, threads, forks, ends in the middle: clear errors, never an abort."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import terzo

QUARTO = terzo.game("quarto")
#: Too much to solve in the time of a test: nine pieces less than the end, without the book.
LONG = "0.../.1../..../.... 5"


@pytest.mark.parametrize("call, error", [
    (lambda: terzo.game(3), TypeError),
    (lambda: terzo.game("no such game"), terzo.UnknownGame),
    (lambda: terzo.game("gdl:/no/such/file.kif"), terzo.SheetError),
    (lambda: terzo.game("(role x)"), terzo.SheetError),
    (lambda: terzo.game(")((" * 1000), terzo.SheetError),
    (lambda: QUARTO.position("zebra"), terzo.NotationError),
    (lambda: QUARTO.position(b"0"), TypeError),
    (lambda: QUARTO.position("\0" * 100_000), terzo.NotationError),
    (lambda: QUARTO.start().play("a1.0"), terzo.IllegalMove),
    (lambda: QUARTO.start().play("zebra"), terzo.NotationError),
    (lambda: QUARTO.start().play(10**30), terzo.NotationError),
    (lambda: QUARTO.start().play(-1), terzo.NotationError),
    (lambda: QUARTO.start().play(10**9), terzo.NotationError),
    (lambda: QUARTO.start().play(None), TypeError),
    (lambda: QUARTO.start().play(1.5), TypeError),
    (lambda: QUARTO.start().play(np.float32(1)), TypeError),
    (lambda: QUARTO.start().play([1]), TypeError),
    (lambda: QUARTO.start().action(3), TypeError),
    (lambda: QUARTO.start().transform(-1), OverflowError),
    (lambda: QUARTO.perft(-1), OverflowError),
    (lambda: terzo.puzzles("quarto-torus"), ValueError),
    (lambda: terzo.puzzles("quarto", kind="riddle"), ValueError),
    (lambda: terzo.puzzles("quarto")[0].is_solved_by("zebra"), terzo.NotationError),
    (lambda: terzo.review("quarto", ["a1.0"]), terzo.IllegalMove),
    (lambda: terzo.review("quarto", [3.5]), TypeError),
    (lambda: QUARTO.start().play("\ud800"), (ValueError, UnicodeError)),
    (lambda: QUARTO.start().move(289), terzo.NotationError),
    (lambda: terzo.features([]), ValueError),
    (lambda: terzo.features([QUARTO.start(), terzo.game("stack4").start()]), ValueError),
    (lambda: terzo.features([1, 2]), TypeError),
    (lambda: terzo.features(QUARTO.start()), TypeError),
    (lambda: terzo.solve([QUARTO.start(), None]), TypeError),
    (lambda: QUARTO.start().solve(threads=10**6), ValueError),
    (lambda: QUARTO.start().solve(threads=-1), OverflowError),
    (lambda: QUARTO.start().solve(book=False, memory=1 << 62), terzo.Unsolved),
    (lambda: terzo.playouts([QUARTO.start()], games=2**63), ValueError),
    (lambda: terzo.playouts([QUARTO.start()], games=0), ValueError),
    (lambda: terzo.playouts([QUARTO.start()] * 100_000, games=10**6), ValueError),
    (lambda: terzo.playouts(np.zeros(10**6)), TypeError),
    (lambda: terzo.features(np.zeros((100, 18, 4, 4))), TypeError),
    (lambda: QUARTO.start().analyse("random", time=float("nan")), ValueError),
    (lambda: QUARTO.start().analyse("random", time=-1.0), ValueError),
    (lambda: QUARTO.start().analyse("random", time=1e300), ValueError),
    (lambda: terzo.match("quarto", ["random"], games=2), ValueError),
    (lambda: terzo.match("quarto", ["random", "random"], games=-1), OverflowError),
    (lambda: terzo.tournament("quarto", ["random"], rounds=1), ValueError),
    (lambda: terzo.tournament("quarto", ["random", "novice"], rounds=0), ValueError),
    (lambda: terzo.tournament("quarto", ["random", "novice"], rounds=1, records="/no/such/folder/x.db"), terzo.RecordsError),
    (lambda: terzo.tournament("trio", ["random", "random"], rounds=1), ValueError),
    (lambda: terzo.records("/no/such/file.db"), terzo.RecordsError),
])
def test_what_is_wrong_is_an_exception(call, error):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value)


def test_a_panic_is_an_exception():
    with pytest.raises(RuntimeError, match="please report it: oh no"):
        terzo._terzo._panic_for_tests("oh no")
    assert QUARTO.start().legal_moves()


def test_records_that_are_something_else_are_refused(tmp_path):
    path = tmp_path / "notes.db"
    path.write_text("these are my notes\n" * 100)
    with pytest.raises(terzo.RecordsError):
        terzo.records(path)


def test_a_large_batch_of_features_is_one_array():
    start = QUARTO.start()
    assert terzo.features([start] * 100_000).shape == (100_000, 18, 4, 4)


def test_an_array_that_no_memory_holds_is_an_exception():
    """In a process that may have four gigabytes: two million positions of chess take eight."""
    resource = pytest.importorskip("resource")
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # noqa: E731
    ended = run("""
        import terzo
        start = terzo.game("chess").start()
        try:
            terzo.features([start] * 2_000_000)
        except MemoryError:
            print("too much")
        print(terzo.features([start]).shape)
    """, preexec_fn=limit)
    assert ended.stdout == "too much\n(1, 985)\n" and ended.returncode == 0, ended


def test_numbers_of_numpy_are_actions():
    start = terzo.game("stack4").start()
    for action in np.flatnonzero(start.action_mask())[:3]:
        assert start.play(action) == start.play(int(action))


def test_threads_share_games_and_positions():
    start, failed = QUARTO.start().play("-.3"), []

    def work(number):
        try:
            for seed in range(20):
                position = start
                while not position.over:
                    position = position.play(position.analyse("random", seed=seed + number).move)
                terzo.playouts([start], games=50, seed=seed)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    [thread.start() for thread in threads]
    [thread.join(120) for thread in threads]
    assert not failed and not any(thread.is_alive() for thread in threads)


def test_other_threads_run_while_one_solves():
    ended = run("""
        import threading, terzo
        done = threading.Event()
        def work():
            try:
                terzo.game("quarto").position(LONG).solve(book=False, threads=1)
            except RuntimeError:
                pass
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        count = sum(range(100_000))
        print("counted", thread.is_alive())
    """)
    assert ended.stdout == "counted True\n" and ended.returncode == 0, ended


def run(text, **more):
    """Runs a program of its own, with an end in any case."""
    program = f"LONG = {LONG!r}\n" + textwrap.dedent(text)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, **more)


def test_the_interpreter_may_end_in_the_middle_of_a_solve_and_of_a_match():
    ended = run("""
        import threading, time, terzo
        class Slow(terzo.Player):
            def choose(self, position, clock):
                time.sleep(0.05)
                return position.legal_moves()[0]
        def solve():
            terzo.game("quarto").position(LONG).solve(book=False)
        def play():
            terzo.match("quarto", [Slow, "random"], games=100_000)
        def think():
            terzo.game("stack4").start().analyse("strong", time=1000.0)
        for work in (solve, play, think):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
        print("bye", flush=True)
    """)
    assert ended.stdout == "bye\n" and ended.returncode == 0, ended


@pytest.mark.parametrize("work", [
    'terzo.game("quarto").position(LONG).solve(book=False)',
    'terzo.playouts([terzo.game("quarto").start()], games=10**9)',
    'terzo.game("stack4").start().analyse("strong", time=1000.0)',
    'terzo.match("quarto", ["minimax:depth=2", "random"], games=10**9)',
    'terzo.match("quarto", [Endless, "random"], games=10)',
    'terzo.tournament("quarto", ["minimax:depth=2", "random"], rounds=10**6)',
])
def test_ctrl_c_ends_it(work):
    program = f"LONG = {LONG!r}\n" + textwrap.dedent("""
        import terzo
        class Endless(terzo.Player):
            def choose(self, position, clock):
                while True:
                    pass
        print("ready", flush=True)
        try:
            WORK
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """).replace("WORK", work)
    # Whoever runs these tests in the background of a shell ignores Ctrl-C, and children inherit that.
    listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen
    )
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    finally:
        child.kill()
    assert out == "interrupted\n" and child.returncode == 0, err


def forked(queue):
    start = QUARTO.start().play("-.3")
    queue.put([
        start.analyse("mcts", nodes=100).move in start.legal_moves(),
        float(terzo.playouts([start], games=10).sum()),
        QUARTO.position("6b../1.../27f0/8... d").solve().outcome,
        terzo.match("quarto", ["novice", "random"], games=4).games,
    ])


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork")
def test_a_forked_process_works_after_use():
    # The common threads of searches exist in this process from here on.
    QUARTO.start().analyse("mcts", nodes=100)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=forked, args=(queue,))
    child.start()
    try:
        assert queue.get(timeout=60) == [True, 100.0, "win", 4]
        child.join(60)
        assert child.exitcode == 0
    finally:
        child.kill()


def test_a_progress_callback_that_raises_ends_the_match():
    def show(played):
        raise LookupError("no bar")

    players = [{"name": name, "spec": name, "factory": None, "version": None} for name in ("minimax:depth=2", "random")]
    with pytest.raises(LookupError, match="no bar"):
        terzo._terzo._match(QUARTO, players, 10**9, 1, "none", None, 0, 1, show)


class Exits(terzo.Player):
    def choose(self, position, clock):
        sys.exit(3)


class Recurses(terzo.Player):
    def choose(self, position, clock):
        return self.choose(position, clock)


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class RaisesTheUnspeakable(terzo.Player):
    def choose(self, position, clock):
        raise Unspeakable


class AnswersTheUnspeakable(terzo.Player):
    def choose(self, position, clock):
        return type("Odd", (), {"__repr__": lambda self: 1 / 0})()


@pytest.mark.parametrize("kind", [Exits, Recurses, RaisesTheUnspeakable, AnswersTheUnspeakable])
def test_whatever_a_player_does_is_a_verdict(kind):
    result = terzo.match("quarto", [kind, "random"], games=4)
    assert result.players[0].forfeits == 4 and result.players[1].wins == 4
    assert result.first_fault and result.traceback


def test_a_player_may_use_everything_while_it_is_asked():
    class Thorough(terzo.Player):
        def choose(self, position, clock):
            inner = terzo.match("tictactoe", ["random", "random"], games=2)
            assert inner.games == 2 and terzo.playouts([position], games=10).shape == (1, 2)
            return position.analyse("novice", seed=1).move

    result = terzo.match("quarto", [Thorough, "random"], games=4, seed=1)
    assert result.players[0].forfeits == 0, result.traceback

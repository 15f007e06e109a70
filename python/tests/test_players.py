"""Players written in Python, in matches, tournaments and as engines."""

import subprocess
import sys

import pytest
import terzo


class First(terzo.Player):
    """Plays the first legal move, as text."""

    def choose(self, position, clock):
        return position.legal_moves()[0]


class Any(terzo.Player):
    """Plays any legal move, as a number."""

    def choose(self, position, clock):
        return self.random.choice(position.legal_actions())


class Looks(terzo.Player):
    """Wins where it can, and says so."""

    name = "looks ahead"

    def choose(self, position, clock):
        for move in position.legal_moves():
            next = position.play(move)
            if next.over and next.winner == position.mover:
                return terzo.Analysis(move, value=1.0, depth=1)
        return self.random.choice(position.legal_moves())


class Raises(terzo.Player):
    def choose(self, position, clock):
        raise KeyError("no idea")


def test_the_same_seed_gives_the_same_match():
    games = [terzo.match("quarto", [Any, "novice"], games=40, seed=5, jobs=jobs) for jobs in (1, 2)]
    counts = [[(p.wins, p.draws, p.losses) for p in result.players] for result in games]
    assert counts[0] == counts[1]
    assert games[0].games == 40 and games[0].players[0].forfeits == 0


def test_who_looks_ahead_beats_who_does_not():
    result = terzo.match("quarto", [Looks, First()], games=40, seed=1)
    assert [player.name for player in result.players] == ["looks ahead", "First"]
    assert result.players[0].wins > result.players[1].wins
    assert "wins" in str(result)


def test_an_exception_is_a_verdict_with_its_traceback():
    result = terzo.match("quarto", [Raises, "random"], games=4)
    assert result.players[0].forfeits == 4 and result.players[1].wins == 4
    assert "KeyError: 'no idea'" in result.first_fault
    assert 'raise KeyError("no idea")' in result.traceback and "test_players.py" in result.traceback


@pytest.mark.parametrize("answer, told", [(None, "it returned None"), ("zebra", "zebra"), ("a1.0", "no piece is in hand"),
                                         (10**30, "returned"), (-1, "returned"), (9999, "9999")])
def test_an_answer_that_is_no_move_loses_and_is_named(answer, told):
    class Wrong(terzo.Player):
        def choose(self, position, clock):
            return answer

    result = terzo.match("quarto", [Wrong, "random"], games=2)
    assert result.players[0].forfeits == 2 and told in result.first_fault, result.first_fault


def test_a_class_that_cannot_be_made_or_begun_loses_its_games():
    class Unmade(terzo.Player):
        def __init__(self):
            raise OSError("no weights")

    class Unready(First):
        def begin(self, seed):
            raise OSError("no weights")

    for player in (Unmade, Unready):
        result = terzo.match("quarto", [player, "random"], games=2)
        assert result.players[0].forfeits == 2 and "no weights" in result.first_fault


def test_a_player_without_a_choice_is_told_what_to_write():
    class Silent(terzo.Player):
        pass

    assert "write a method choose" in terzo.match("quarto", [Silent, "random"], games=2).first_fault


def test_who_takes_too_long_loses_on_time():
    class Slow(First):
        def choose(self, position, clock):
            assert clock.time == pytest.approx(0.001)
            while clock.elapsed < 0.2:
                pass
            assert clock.stopped
            return super().choose(position, clock)

    result = terzo.match("quarto", [Slow, "random"], games=2, time="move=1ms")
    assert result.players[0].forfeits == 2 and "out of time" in result.first_fault


def test_three_seats_take_three_players():
    result = terzo.match("trio", [Any, "random", "random"], games=6, seed=2)
    assert len(result.players) == 3 and all(0 <= player.payoff <= 100 for player in result.players)
    with pytest.raises(ValueError, match="3 seats"):
        terzo.match("trio", ["random", "random"], games=2)


def test_a_tournament_is_recorded_and_goes_on(tmp_path):
    path = tmp_path / "x.db"
    players = [Looks, "random", Any]
    first = terzo.tournament("quarto", players, rounds=4, records=path, seed=3)
    assert first.games == 24 and first.players[0]["name"] == "looks ahead"
    again = terzo.tournament("quarto", players, rounds=4, records=path, seed=3)
    assert (again.id, again.games) == (first.id, 24) and again._told["played"] == 0
    assert terzo.tournament("quarto", players, rounds=5, records=path, seed=3).games == 30
    assert "looks ahead" in str(first)


def test_a_failure_of_a_tournament_is_told():
    result = terzo.tournament("quarto", [Raises, "random"], rounds=1)
    assert "no idea" in result.failure


def test_progress_is_told_to_who_asks(monkeypatch):
    told = []
    from terzo import _terzo

    players = [{"name": name, "spec": name, "factory": None, "version": None} for name in ("random", "random")]
    _terzo._match(terzo.game("quarto"), players, 10, 1, "none", None, 0, 1, told.append)
    assert told[-1] == 10


def test_a_player_serves_as_an_engine(tmp_path):
    program = tmp_path / "agent.py"
    program.write_text(
        "import terzo\n"
        "class Mine(terzo.Player):\n"
        "    def choose(self, position, clock):\n"
        "        print('thinking')\n"
        "        return position.legal_moves()[0]\n"
        "terzo.serve(Mine())\n"
    )
    talk = "ugi\nisready\nposition startpos moves -.3\ngo movetime 1000\nquit\n"
    ended = subprocess.run(
        [sys.executable, str(program), "quarto"], input=talk, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    assert "ugiok" in ended.stdout and "readyok" in ended.stdout
    assert "bestmove a1.0" in ended.stdout and "thinking" not in ended.stdout and "thinking" in ended.stderr
    without = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60)
    assert "usage" in without.stderr and without.returncode != 0


def test_wrong_players_are_named():
    with pytest.raises(terzo.PlayerError, match="did you mean `novice`"):
        terzo.match("quarto", ["novise", "random"], games=2)
    with pytest.raises(TypeError, match="expected the spec of a player"):
        terzo.match("quarto", [3, "random"], games=2)
    with pytest.raises(TypeError, match="expected a list"):
        terzo.match("quarto", "random", games=2)
    with pytest.raises(ValueError, match="time control"):
        terzo.match("quarto", ["random", "random"], games=2, time="soon")

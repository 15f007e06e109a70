"""Records as data frames and pictures."""

import subprocess
import sys

import pytest
import terzo


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "x.db"
    terzo.tournament("quarto", ["novice", "random", "minimax:depth=1"], rounds=4, records=path, name="evening", plies=2)
    terzo.tournament("stack4", ["random", "run3"], rounds=1, records=path)
    return path


def test_frames_hold_every_game_and_turn(path):
    pytest.importorskip("pandas")
    records = terzo.records(path)
    assert list(records.tournaments["game"]) == ["quarto", "stack4"]
    games, turns = records.games(1), records.turns(1)
    assert len(games) == 24 and len(turns) == games["turns"].sum()
    assert set(games["first"]) == {"novice", "random", "minimax:depth=1"}
    assert set(turns["player"]) == set(games["first"]) and (turns["seconds"] >= 0).all()
    assert games["moves"].str.split().str.len().equals(games["turns"])
    assert len(records.games()) == 2 and records.games()["points1"].notna().all()


def test_ratings_have_intervals(path):
    pytest.importorskip("pandas")
    ratings = terzo.records(path).ratings(1)
    assert (ratings["elo_low"] <= ratings["elo"]).all() and (ratings["elo"] <= ratings["elo_high"]).all()
    assert ratings["elo"].is_monotonic_decreasing


def test_mistakes_are_counted_where_the_truth_is_known(path):
    pytest.importorskip("pandas")
    mistakes = terzo.records(path).mistakes(1)
    assert {"player", "placed", "turns", "judged", "mistakes"} <= set(mistakes.columns)
    assert (mistakes["mistakes"] <= mistakes["judged"]).all() and mistakes["judged"].sum() > 0
    with pytest.raises(ValueError, match="nobody knows the truth about stack4"):
        terzo.records(path).mistakes(2)


def test_pictures_take_one_line(path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert terzo.records(path).plot_ratings(1).get_xlabel()
    assert terzo.records(path).plot_mistakes(1).get_legend() is not None


def test_a_sweep_is_drawn_by_the_value_of_an_option(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    path = tmp_path / "sweep.db"
    players = [f"minimax:switch={switch},depth={depth},opening=novice" for depth in (1, 2) for switch in (12, 8, 10)]
    terzo.tournament("quarto", [*players, "novice"], rounds=1, records=path)
    swept = terzo.records(path).result().sweep("switch")
    assert list(swept["value"]) == [8, 10, 12] * 2
    assert list(swept["player"])[2:4] == ["minimax:depth=1,opening=novice", "minimax:depth=2,opening=novice"]
    drawn = terzo.records(path).plot_sweep("switch")
    labels = [text.get_text() for text in drawn.get_legend().get_texts()]
    assert labels == ["minimax:depth=1,opening=novice", "minimax:depth=2,opening=novice"]
    assert [list(line.get_xdata()) for line in drawn.get_lines() if len(line.get_xdata()) == 3][0] == [8, 10, 12]
    with pytest.raises(ValueError, match="no player of this tournament says `playouts=`"):
        terzo.records(path).plot_sweep("playouts")


def test_frames_are_those_of_polars_where_pandas_is_not(path):
    pytest.importorskip("polars")
    program = """
import sys
sys.modules["pandas"] = None  # as if it were not installed
import polars, terzo
records = terzo.records(sys.argv[1])
frames = [records.tournaments, records.games(1), records.turns(1), records.ratings(1), records.mistakes(1), records.games(2)]
assert all(isinstance(frame, polars.DataFrame) and len(frame) for frame in frames)
games, turns = frames[1:3]
assert games["turns"].sum() == len(turns) and games["points1"].null_count() == len(games)
assert turns.group_by("player").agg(polars.col("seconds").mean()).height == 3
assert frames[5]["points1"].null_count() == 0 and set(games["first"]) == set(turns["player"])
print("polars")
"""
    ended = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=120)
    assert ended.stdout == "polars\n", ended.stderr


def test_without_pandas_and_polars_a_frame_says_what_to_install(path):
    program = "import sys; sys.modules['pandas'] = sys.modules['polars'] = None; import terzo; terzo.records(sys.argv[1]).games()"
    ended = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=120)
    assert "data frames need pandas or polars: pip install pandas" in ended.stderr and ended.returncode == 1


def test_a_tournament_that_is_not_there_is_named(path):
    with pytest.raises(terzo.RecordsError, match="99"):
        terzo.records(path).result(99)

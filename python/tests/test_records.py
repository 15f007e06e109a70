"""Records as data frames and pictures."""

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


def test_a_tournament_that_is_not_there_is_named(path):
    with pytest.raises(terzo.RecordsError, match="99"):
        terzo.records(path).result(99)

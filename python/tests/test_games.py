"""Games and positions, asked as a user would."""

import copy
import pickle
import random

import numpy as np
import pytest
import terzo

GAMES = ["quarto", "quarto-squares", "quarto-torus-misere", "stack4", "tictactoe", "connectfour", "trio"]


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_ends_and_actions_mean_moves(name):
    chance = random.Random(name)
    position = terzo.game(name).start()
    while not position.over:
        moves, actions = position.legal_moves(), position.legal_actions()
        assert [position.action(move) for move in moves] == actions
        assert list(np.flatnonzero(position.action_mask())) == sorted(actions)
        pick = chance.randrange(len(moves))
        by_text, by_number = position.play(moves[pick]), position.play(actions[pick])
        assert by_text == by_number and hash(by_text) == hash(by_number) and by_text.key == by_number.key
        assert terzo.game(name).position(by_text.text) == by_text
        position = by_number
    assert len(position.payoffs) == terzo.game(name).seats
    assert position.mover is None and position.legal_moves() == [] and position.ending


def test_positions_are_values_that_can_be_copied_and_pickled():
    position = terzo.game("quarto").start().play("-.3").play("a1.c")
    for twin in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin == position
    assert pickle.loads(pickle.dumps(position.game)) == position.game
    assert position != terzo.game("quarto-torus").position(position.text)
    assert position != "quarto" and position.game != 3
    assert len({position, position.game.position(position.text)}) == 1


def test_a_sheet_as_text_or_in_a_file_is_a_game(tmp_path):
    text = """
        ; Coin: guess it.
        (role you) (init start)
        (<= (legal you heads) (true start)) (<= (legal you tails) (true start))
        (<= (next won) (does you heads)) (<= (next lost) (does you tails))
        (<= terminal (not (true start)))
        (<= (goal you 100) (true won)) (<= (goal you 0) (not (true won)))
    """
    path = tmp_path / "coin.kif"
    path.write_text(text)
    for game in (terzo.game(text), terzo.game(path), terzo.game(f"gdl:{path}")):
        assert game.start().play("heads").payoffs == (100,)
        assert game.start().play("tails").winner is None
        assert game.start().solve().best == ["heads"]
    position = terzo.game(text).start()
    assert pickle.loads(pickle.dumps(position)).text == position.text


def test_features_are_what_the_planes_say():
    quarto = terzo.game("quarto")
    position = quarto.position("3.../..../..../.... 5")
    features = dict(zip(quarto.planes, position.features()))
    assert position.features().dtype == np.float32
    assert features["the cell is empty"].sum() == 15 and features["the cell is empty"][0, 0] == 0
    assert features["the piece on the cell is dark"][0, 0] == 1  # piece 3 has bits 0 and 1
    assert features["the piece on the cell is hollow"].sum() == 0
    assert features["the piece in hand is dark"].all() and not features["the piece in hand is tall"].any()
    left = features["piece 4 * row + column is left to give"].ravel()
    assert list(np.flatnonzero(left == 0)) == [3, 5]
    batch = terzo.features([quarto.start(), position])
    assert batch.shape == (2, 18, 4, 4) and (batch[1] == position.features()).all()
    batch[0, 0, 0, 0] = 7  # an array of one's own


def test_symmetries_keep_values():
    position = terzo.game("quarto").position("01../2.../..../...f 4")
    for symmetry in (1, 100, position.game.symmetries - 1):
        image = position.transform(symmetry)
        assert len(image.legal_moves()) == len(position.legal_moves())
        move = position.legal_moves()[5]
        assert image.play(position.transform_move(symmetry, move)) == position.play(move).transform(symmetry)
    with pytest.raises(ValueError, match="expected less than"):
        position.transform(10**6)


@pytest.mark.parametrize("name", GAMES)
def test_positions_show_themselves(name):
    position = terzo.game(name).start()
    for _ in range(3):
        position = position.play(position.legal_moves()[0])
    assert str(position) and repr(position).startswith(f"<{name} ")
    picture = position._repr_svg_()
    assert picture.startswith("<svg") and picture.endswith("</svg>")


def test_boards_of_sheets_are_drawn_in_terminals():
    drawn = str(terzo.game("chess").start().play("(move,e,2,e,4)"))
    assert "8  br bn bb bq bk bb bn br" in drawn and "wn white knight" in drawn and "(control black)" in drawn
    assert "4   .  .  .  . wp  .  .  .\n" in drawn
    checkers = str(terzo.game("checkers").start())
    assert "bm" in checkers and "(man" not in checkers and max(map(len, checkers.splitlines())) <= 100


def test_every_listed_game_can_be_drawn_and_begun():
    names = terzo.games()
    assert len(names) > 15
    for name in names:
        start = terzo.game(name).start()
        assert start.legal_moves(), name
        assert start._repr_svg_().startswith("<svg") and str(start), name

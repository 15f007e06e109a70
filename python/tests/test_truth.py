"""Exact values, players' opinions and random games."""

import numpy as np
import pytest
import terzo


def test_a_batch_says_what_single_solves_say():
    quarto = terzo.game("quarto")
    texts = ["6b../1.../27f0/8... d", "d86./..01/.9.2/..af b", "3e../6.a./df../89c7 4"]
    positions = [quarto.position(text) for text in texts]
    batch = terzo.solve(positions, moves=True, threads=2)
    for position, found in zip(positions, batch):
        alone = position.solve(moves=True, book=False, threads=1)
        assert (found.value, found.plies, sorted(found.best)) == (alone.value, alone.plies, sorted(alone.best))
        assert set(found.moves) == set(position.legal_moves())
        assert max(value.value for value in found.moves.values()) == found.value
        # A position is worth what the best of its successors leaves.
        after = terzo.solve([position.play(move) for move in found.best[:3]])
        for move, next in zip(found.best, after):
            ended = position.play(move).payoffs
            got = ended[position.mover] if ended else 100 - next.value
            assert got == found.value


def test_games_may_be_mixed_and_answers_keep_their_order():
    start = terzo.game("tictactoe").start()
    lost = start.play("(mark,1,1)").play("(mark,1,2)")
    quarto = terzo.game("quarto").position("6b../1.../27f0/8... d")
    values = [found.value for found in terzo.solve([lost, quarto, start, quarto])]
    assert values == [100, 100, 50, 100]
    assert terzo.solve([]) == []


def test_a_finished_game_is_worth_what_it_paid():
    over = terzo.game("tictactoe").start()
    for move in ["(mark,1,1)", "(mark,2,1)", "(mark,1,2)", "(mark,2,2)", "(mark,1,3)"]:
        over = over.play(move)
    found = over.solve(moves=True)
    assert found.best == [] and found.moves == {} and found.plies == 0


def test_the_book_and_the_solver_agree():
    start = terzo.game("quarto").start()
    known = start.play("-.0").book()
    assert known.outcome == "draw"
    assert terzo.game("stack4").start().book() is None


def test_what_cannot_be_solved_says_why():
    with pytest.raises(terzo.Unsolved, match="too large|table"):
        terzo.game("connectfour").start().solve(memory=1 << 16)
    with pytest.raises(terzo.Unsolved, match="roles"):
        terzo.game("trio").start().solve()


def test_players_say_what_they_think():
    position = terzo.game("quarto").start().play("-.3")
    said = position.analyse("minimax:depth=2", seed=3)
    assert said.move in position.legal_moves() and said.depth == 2
    assert position.analyse("minimax:depth=2", seed=3).move == said.move
    assert position.analyse("mcts", nodes=200).nodes >= 1
    assert terzo.game("stack4").start().analyse("strong", time=0.05).pv
    with pytest.raises(terzo.PlayerError, match="did you mean"):
        position.analyse("minimx")


def test_random_games_are_those_of_their_seed():
    starts = [terzo.game(name).start() for name in ("quarto", "stack4", "tictactoe")]
    for start in starts:
        one = terzo.playouts([start] * 3, games=500, seed=7, threads=1)
        assert one.shape == (3, 2) and (one == terzo.playouts([start] * 3, games=500, seed=7, threads=2)).all()
        assert (one != terzo.playouts([start] * 3, games=500, seed=8)).any()
        assert np.allclose(one.sum(axis=1), 100)


def test_a_review_finds_the_mistake():
    position = terzo.game("quarto").position("6b../1.../27f0/8... d")
    (judged,) = terzo.review(position, ["c1.4"])
    assert judged.mistake and judged.value == 100 and judged.move not in judged.best
    moves = ["(mark,1,1)", "(mark,1,2)", "(mark,2,2)"]
    assert [judged.mistake for judged in terzo.review("tictactoe", moves)] == [False, True, False]


@pytest.mark.parametrize("name", ["quarto", "quarto-squares"])
def test_puzzles_have_one_answer_and_the_solver_agrees(name):
    everything = terzo.puzzles(name)
    kinds = {puzzle.kind for puzzle in everything}
    assert kinds == {"win1", "win2", "win3", "win4", "draw", "gift", "trap"} and len(everything) == 2100
    for kind in sorted(kinds):
        for puzzle in terzo.puzzles(name, kind=kind)[::100]:
            found = puzzle.position.solve(moves=True)
            assert set(puzzle.right_moves) >= set(found.best) and puzzle.question in str(puzzle)
            for move in puzzle.position.legal_moves()[::20]:
                keeps = found.moves[move].value == found.value
                assert not keeps or puzzle.is_solved_by(move), (kind, move)
            assert puzzle.is_solved_by(puzzle.answer) and 0 <= puzzle.missed <= 9
            if kind.startswith("win"):
                assert found.best == [puzzle.answer] and found.plies == 2 * int(kind[3:]) - 1
            else:
                assert found.value == 50 or (found.value == 100 and kind != "draw")

"""The tests of other projects, run on Terzo's games."""

import numpy as np
import pytest
import terzo

#: Two or more seats that move in turn, natively and from sheets.
TURNS = ["quarto", "quarto-squares", "quarto-misere", "stack4", "tictactoe", "connectfour", "trio"]


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_accepts_every_game(name):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test
    from terzo.pettingzoo import env

    api_test(env(name), num_cycles=200, verbose_progress=False)
    seed_test(lambda: env(name), num_cycles=20)


@pytest.mark.parametrize("name", ["quarto", "stack4", "tictactoe"])
def test_rewards_of_a_pettingzoo_game_are_its_payoffs(name):
    pytest.importorskip("pettingzoo")
    from terzo.pettingzoo import env

    table = env(name, render_mode="ansi")
    table.reset(seed=1)
    total = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, over, cut, _ = table.last()
        total[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        table.step(None if over or cut else int(legal[0]))
    expected = [(payoff - 50) / 50 for payoff in table.position.payoffs]
    assert list(total.values()) == expected and table.render()
    table.reset()
    with pytest.raises(ValueError):
        table.step(10_000)


def test_a_long_pettingzoo_game_is_truncated():
    pytest.importorskip("pettingzoo")
    from terzo.pettingzoo import env

    table = env("stack4", max_turns=3)
    table.reset()
    for _ in range(3):
        table.step(0)
    assert all(table.truncations.values()) and not any(table.terminations.values())


@pytest.mark.parametrize("name, opponent, seat", [
    ("quarto", "random", 0), ("quarto", "novice", 1), ("stack4", "random", 0), ("tictactoe", "random", 1), ("trio", "random", 2),
])
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_accepts_one_role(name, opponent, seat):
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env
    from terzo.gymnasium import env

    table = env(name, opponent=opponent, seat=seat)
    check_env(table, skip_render_check=True)
    for seed in range(5):
        _, info = table.reset(seed=seed)
        over = table.position.over
        while not over:
            assert table.position.mover == seat
            _, reward, over, _, info = table.step(int(np.flatnonzero(info["action_mask"])[-1]))
        assert reward == (table.position.payoffs[seat] - 50) / 50


def test_an_illegal_action_of_gymnasium_loses_or_raises():
    pytest.importorskip("gymnasium")
    from terzo.gymnasium import env

    lose, complain = env("quarto"), env("quarto", illegal="raise")
    lose.reset(seed=1), complain.reset(seed=1)
    _, reward, over, _, info = lose.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(terzo.IllegalMove):
        complain.step(0)


def test_a_player_in_python_is_an_opponent():
    pytest.importorskip("gymnasium")
    from terzo.gymnasium import env

    class Last(terzo.Player):
        def choose(self, position, clock):
            return position.legal_moves()[-1]

    table = env("tictactoe", opponent=Last, seat=1)
    table.reset(seed=1)
    assert table.position.mover == 1


@pytest.fixture(scope="module")
def pyspiel():
    spiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    pytest.importorskip("terzo.openspiel")
    return spiel


@pytest.mark.parametrize("name", ["terzo_quarto", "terzo_quarto_squares_misere", "terzo_stack4", "sheet"])
def test_openspiel_accepts_the_games(pyspiel, name, capfd):
    if name == "sheet":
        name = terzo.openspiel.register("tictactoe", short_name="terzo_sheet", max_game_length=9, zero_sum=True)
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=False, verbose=False)


def test_openspiel_states_are_copied_and_written(pyspiel):
    game = pyspiel.load_game("terzo_quarto")
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert str(twin) != str(state) and state.move_number() == 3
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)


def test_openspiel_searches_and_learns_on_quarto(pyspiel):
    from open_spiel.python.algorithms import cfr, mcts

    # Six cells are left, and one turn wins at once.
    text = "b5f./.73e/0d.c/4... 2"
    name = terzo.openspiel.register("quarto", position=text, short_name="terzo_ending", max_game_length=7, zero_sum=True)
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    bot = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=True,
                       random_state=np.random.RandomState(2))
    assert state.action_to_string(bot.step(state)) in terzo.game("quarto").position(text).solve().best

    # Counterfactual regret visits the whole tree, so it gets a smaller one: the same game, three turns on.
    position = terzo.game("quarto").position("3e../6.a./df../89c7 4")
    for _ in range(3):
        position = position.play(position.solve().best[0])
    name = terzo.openspiel.register("quarto", position=position.text, short_name="terzo_cfr", max_game_length=4, zero_sum=True)
    game = pyspiel.load_game(name)
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy().action_probabilities(game.new_initial_state())
    best = {position.action(move) for move in position.solve().best}
    assert max(policy, key=policy.get) in best

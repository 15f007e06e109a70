"""The tests of other projects, run on Terzo's games."""

import numpy as np
import pytest
import terzo

#: A sheet that is too large to be compiled: four hands of a clock, each of which may go to eighty. A game takes eight steps.
UNCOMPILED = """
    (role x) (role o) (init (at 0 0 0 0)) (init (control x)) (init (step 0)) (hand a) (hand b) (hand c) (hand d)
    (<= (legal ?r (go ?hand)) (true (control ?r)) (hand ?hand))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (at ?i ?b ?c ?d)) (true (at ?a ?b ?c ?d)) (does ?r (go a)) (succ ?a ?i))
    (<= (next (at ?a ?i ?c ?d)) (true (at ?a ?b ?c ?d)) (does ?r (go b)) (succ ?b ?i))
    (<= (next (at ?a ?b ?i ?d)) (true (at ?a ?b ?c ?d)) (does ?r (go c)) (succ ?c ?i))
    (<= (next (at ?a ?b ?c ?i)) (true (at ?a ?b ?c ?d)) (does ?r (go d)) (succ ?d ?i))
    (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= terminal (true (step 8)))
    (<= won (true (at ?a ?b ?c ?d)) (more ?a ?b))
    (<= (more ?a ?b) (succ ?b ?a)) (<= (more ?a ?b) (succ ?c ?a) (more ?c ?b))
    (<= (goal x 100) won) (<= (goal x 0) (not won)) (<= (goal o 0) won) (<= (goal o 100) (not won))
""" + "".join(f"(succ {number} {number + 1}) " for number in range(80))


@pytest.fixture(scope="module")
def uncompiled():
    game = terzo.game(UNCOMPILED)
    assert game.actions is None and game.feature_shape is None and "too large" in game.warning
    return game


@pytest.mark.parametrize("name", terzo.games())
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_accepts_every_game(name):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test
    from terzo.pettingzoo import env

    api_test(env(name), num_cycles=500, verbose_progress=False)
    seed_test(lambda: env(name), num_cycles=10)


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_and_gymnasium_accept_rules_that_were_not_compiled(uncompiled):
    pytest.importorskip("pettingzoo")
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test
    from terzo.gymnasium import env as one_role
    from terzo.pettingzoo import env

    api_test(env(uncompiled, max_actions=6), num_cycles=30, verbose_progress=False)
    seed_test(lambda: env(uncompiled, max_actions=6), num_cycles=5)
    table = one_role(uncompiled, seat=1)
    check_env(table, skip_render_check=True)
    _, info = table.reset(seed=1)
    assert info["action_mask"].sum() == 4 and table.step(3)[4]["position"]
    narrow = env(uncompiled, max_actions=3)
    narrow.reset()
    with pytest.raises(ValueError, match="4 moves are legal here, and the action space has room for 3"):
        narrow.last()
    with pytest.raises(ValueError, match="max_actions"):
        env(uncompiled, max_actions=0)


def test_who_chooses_at_the_same_time_sees_nothing_of_the_other():
    pytest.importorskip("pettingzoo")
    from terzo.gymnasium import env as one_role
    from terzo.pettingzoo import env

    seen = []
    for action in (0, 1):
        table = env("duel")
        table.reset()
        table.step(action)
        assert table.agent_selection == "player_1"
        seen.append(table.observe("player_1"))
    assert (seen[0]["observation"] == seen[1]["observation"]).all()
    texts = {one_role("duel", seat=1).reset(seed=seed)[1]["position"] for seed in range(10)}
    assert len(texts) == 1


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


@pytest.mark.parametrize("name", terzo.games())
def test_openspiel_accepts_every_game(pyspiel, name, capfd):
    known = "terzo_" + name.replace("-", "_")
    if known not in pyspiel.registered_names():
        known = terzo.openspiel.register(name, max_game_length=400)
    game = pyspiel.load_game(known)
    assert game.num_players() == terzo.game(name).seats
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_openspiel_accepts_rules_that_were_not_compiled(pyspiel, uncompiled, capfd):
    name = terzo.openspiel.register(uncompiled, short_name="terzo_hands", max_game_length=8, zero_sum=True, max_actions=6)
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


def test_openspiel_seats_choose_at_the_same_time(pyspiel):
    name = terzo.openspiel.register("duel", short_name="terzo_duel_at_once", max_game_length=20)
    game = pyspiel.load_game(name)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    state = game.new_initial_state()
    assert state.is_simultaneous_node()
    moves = [[state.action_to_string(seat, action) for action in state.legal_actions(seat)] for seat in (0, 1)]
    assert moves == [["duck", "load"]] * 2
    state.apply_actions([state.legal_actions(0)[1], state.legal_actions(1)[1]])
    assert "(bullets left 1) (bullets right 1)" in str(state)
    turns = pyspiel.convert_to_turn_based(game).new_initial_state()
    turns.apply_action(turns.legal_actions()[0])
    assert turns.current_player() == 1
    blind = terzo.openspiel.register("duel", short_name="terzo_duel_blind", simultaneous=False)
    with pytest.raises(ValueError, match="simultaneous=True"):
        terzo.openspiel.TerzoState(pyspiel.load_game(blind)).current_player()


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

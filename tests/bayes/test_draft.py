"""A network that a file lists, taken in part by part."""

import numpy as np
import pytest

from solvers.bayes import draft as drafts
from solvers.bayes.draft import MAX_PARENTS, NetworkDraft, shaped
from solvers.errors import InterchangeError
from tests.each import each


def coin_and_die():
    draft = NetworkDraft(1000)
    draft.add_variable("Coin", ("heads", "tails"))
    draft.add_variable("die", ("low", "mid", "high"))
    return draft


def test_parts_become_the_network_that_they_list():
    draft = coin_and_die()
    draft.add_table("Coin", (), np.array([0.4, 0.6]))
    rows = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    draft.add_table("die", ("Coin",), rows)
    network = draft.network()
    assert network.states == {"Coin": ("heads", "tails"), "die": ("low", "mid", "high")}
    assert network.parents["die"] == ("Coin",)
    assert np.array_equal(network.tables["die"], rows)


def test_a_shape_has_the_parents_first_and_its_own_states_last():
    assert coin_and_die().shape("die", ["Coin"]) == (2, 3)


def test_a_name_is_known_in_any_case_and_its_own_spelling_wins():
    draft = coin_and_die()
    assert draft.known("coin") == "Coin"
    draft.add_variable("COIN", ("a",))
    assert (draft.known("COIN"), draft.known("coin")) == ("COIN", "Coin")


@each(
    ("ask", "sentence"),
    [
        (lambda d: d.add_variable("die", ("1",)), "Two variables are called 'die'"),
        (lambda d: d.add_variable("z", ()), "'z' has no states; list one or more"),
        (lambda d: d.known("dice"), "speaks of 'dice', which is not a variable"),
        (lambda d: d.shape("die", ["Coin"] * 65), "'die' has 65 parents"),
        (lambda d: d.shape("die", ["Coin"] * 30), "would have 3.2e.09 numbers"),
        (lambda d: NetworkDraft(10).network(), "The file lists no variable"),
    ],
)
def test_what_no_file_can_mean_is_refused_with_a_sentence(ask, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        ask(coin_and_die())


def test_a_second_table_is_refused():
    draft = coin_and_die()
    draft.add_table("Coin", (), np.array([0.4, 0.6]))
    with pytest.raises(InterchangeError, match="'Coin' has two tables; give it one"):
        draft.shape("Coin", [])


def test_all_tables_together_are_no_larger_than_the_file_can_list(monkeypatch):
    monkeypatch.setattr(drafts, "MIN_NUMBERS", 0)
    draft = NetworkDraft(7)
    draft.add_variable("coin", ("heads", "tails"))
    draft.add_variable("other", ("heads", "tails"))
    assert draft.shape("coin", ["other"]) == (2, 2)
    with pytest.raises(InterchangeError, match="more than the file can list"):
        draft.shape("other", ["coin"])


def test_so_many_variables_and_no_more_are_taken(monkeypatch):
    monkeypatch.setattr(drafts, "MAX_VARIABLES", 2)
    with pytest.raises(InterchangeError, match="lists more than 2 variables"):
        coin_and_die().add_variable("third", ("a",))


def test_as_many_parents_as_are_allowed_may_have_one_state_each():
    draft = NetworkDraft(10)
    draft.add_variable("sure", ("yes",))
    assert draft.shape("sure", ["sure"] * MAX_PARENTS) == (1,) * (MAX_PARENTS + 1)


def test_numbers_fill_a_table_row_by_row_or_are_refused():
    assert shaped(np.arange(6.0), (2, 3), "die").tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(InterchangeError, match=r"lists 5 numbers, .* 6 joint states"):
        shaped(np.arange(5.0), (2, 3), "die")

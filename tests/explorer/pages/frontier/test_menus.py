"""The methods and scores that a data set leaves on the menu."""

import numpy as np
import pytest

from explorer.pages.frontier import offering
from explorer.pages.frontier.offering import left_out, menu_of, scores_of, ticked_on
from solvers import Dataset, FeatureHypergraph, all_methods
from solvers.decisions.scores import LABEL_SCORES, MANY_SCORES, RANK_SCORES
from solvers.methods.cstc import CSTCClassifier
from tests.each import each


def _dataset(n_classes):
    y = np.arange(12) % n_classes
    prices = FeatureHypergraph.independent([1.0, 2.0])
    return Dataset("x", np.zeros((12, 2)), y, prices)


def test_two_classes_leave_every_method_and_score():
    dataset = _dataset(2)
    assert menu_of(dataset) == list(all_methods())
    assert left_out(dataset) == []
    assert scores_of(dataset) == (*LABEL_SCORES, *RANK_SCORES)


@pytest.fixture
def of_two(monkeypatch):
    """CSTC as a method that takes two classes alone."""
    monkeypatch.setattr(CSTCClassifier, "two_classes_only", True)
    offering._tell_many_apart.cache_clear()
    yield
    offering._tell_many_apart.cache_clear()


def test_three_classes_leave_the_methods_that_learn_them(of_two):
    menu = menu_of(_dataset(3))
    X = np.random.default_rng(0).standard_normal((60, 2))
    y = np.arange(60) % 3
    for name in ("static_prefix", "jit", "dag"):
        assert name in menu
        assert len(all_methods()[name]().fit(X, y).classes_) == 3
    assert "cstc" not in menu
    with pytest.raises(ValueError, match="classes"):
        all_methods()["cstc"]().fit(X, y)
    assert scores_of(_dataset(3)) == (*LABEL_SCORES, *MANY_SCORES)


def test_the_menu_and_what_it_leaves_out_are_all_methods():
    menu, gone = menu_of(_dataset(3)), left_out(_dataset(3))
    titles = {all_methods()[name].title for name in menu}
    assert titles.isdisjoint(gone)
    assert len(menu) + len(gone) == len(all_methods())


def test_ticks_that_another_data_set_allows_stay_and_others_go(of_two):
    assert ticked_on(_dataset(3), ["cstc", "jit"]) == ["jit"]
    assert ticked_on(_dataset(2), ["cstc", "jit"]) == ["cstc", "jit"]


@each("n_classes", [2, 3])
def test_where_no_tick_is_left_some_usual_methods_are_ticked(n_classes):
    ticked = ticked_on(_dataset(n_classes), ["nobody"])
    assert ticked
    assert set(ticked) <= set(menu_of(_dataset(n_classes)))

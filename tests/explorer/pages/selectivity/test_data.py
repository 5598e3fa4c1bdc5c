"""Rows are scaled and cut as they are learned from; others are refused."""

import numpy as np
import pytest

from explorer.pages.problem.files import tiny_world
from explorer.pages.selectivity.data import open_data
from explorer.pages.selectivity.queries import ANSWER
from explorer.pages.selectivity.state import SelectivityState
from explorer.session.state import bundled
from solvers import Dataset, ThriftscopeError


def test_rows_of_the_paper_s_size_are_the_paper_s():
    data = open_data("published", None)
    assert data.X.shape == (196, 6600)
    assert (data.grid.n_channels, data.grid.n_times) == (66, 100)


def test_the_session_s_table_is_scaled_by_its_training_rows():
    data = open_data("session", bundled("breast_cancer"))
    assert data.grid is None
    assert data.X.std(axis=0) == pytest.approx(np.ones(data.X.shape[1]))
    assert data.X.mean(axis=0) == pytest.approx(np.zeros(data.X.shape[1]), abs=1e-9)


def test_three_classes_without_a_positive_one_are_refused_with_a_sentence():
    X, y = np.eye(3)[np.arange(12) % 3], np.arange(12) % 3
    table = Dataset("three", X, y, tiny_world())
    with pytest.raises(ThriftscopeError, match="three has 3 classes; choose a data"):
        open_data("session", table)


def test_features_that_say_nothing_are_refused_with_a_sentence():
    y = np.arange(24) % 2
    table = Dataset("nothing", np.zeros((24, 3)), y, tiny_world())
    state = SelectivityState(dataset=table, source="session")
    with pytest.raises(ThriftscopeError, match="No feature that has a price says"):
        list(ANSWER.work(state))

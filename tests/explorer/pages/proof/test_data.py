"""Rows that a floor is proven of: not too many, of two classes, at some cost."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from explorer.pages.proof.data import MAX_ROWS, open_data
from explorer.pages.proof.result import FloorQuestion
from explorer.pages.proof.streams import floor_runs
from explorer.session.state import bundled
from solvers import Dataset, FeatureHypergraph
from solvers.errors import DataError


def test_no_more_rows_are_taken_than_are_waited_for():
    data = open_data("signals", None)
    assert len(data.y) == MAX_ROWS < data.n_train
    assert f"the first {MAX_ROWS} of {data.n_train}" in data.line


def test_three_classes_and_costs_of_nothing_are_refused_with_a_sentence():
    wine = load_wine()
    graph = FeatureHypergraph.independent([1.0] * 13)
    table = Dataset("wine", wine.data, wine.target, graph)
    with pytest.raises(DataError, match="wine has 3 classes; choose a data set of two"):
        open_data("session", table)
    X = np.random.default_rng(0).standard_normal((40, 2))
    free = Dataset("free", X, X[:, 0] > 0, FeatureHypergraph.independent([0.0, 0.0]))
    question = FloorQuestion("session", free, 0.01, 0.01, 5.0)
    with pytest.raises(DataError, match="give at least one component a cost"):
        list(floor_runs(question, open_data("session", question.dataset)))
    with pytest.raises(DataError, match="No data set is open"):
        open_data("session", None)


def test_the_heart_table_is_the_bundled_one(heart):
    assert heart.data.dataset is bundled("heart")

"""Of many rows a cascade learns from some, each class in its share, and says so."""

import json

import numpy as np
import pytest

from explorer.export.files import selection_json
from explorer.widgets.text import point_text
from solvers import Dataset, FeatureHypergraph, Frontier, evaluate, split_dataset
from solvers.errors import KnobError
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.hypergraph_cascade.rows import drawn_rows
from tests.methods.tables import random_problem


def test_each_class_has_its_share_and_a_rare_one_ten_rows():
    labels = np.repeat([0, 1, 2], [6000, 3990, 10])
    drawn = drawn_rows(labels, 1000, random_state=0)
    assert np.bincount(labels[drawn]).tolist() == [600, 399, 10]
    assert np.array_equal(np.unique(drawn), drawn)
    assert np.array_equal(drawn, drawn_rows(labels, 1000, random_state=0))


@pytest.mark.parametrize("most", [None, 30, 31])
def test_no_row_is_drawn_where_all_are_learned_from(most):
    assert drawn_rows(np.zeros(30, dtype=int), most, random_state=0) is None


@pytest.fixture(scope="module")
def problem():
    return random_problem(2, n_features=4, n_samples=600)


def cascade(hypergraph, **options):
    return HypergraphCascadeClassifier(
        hypergraph, model="logistic", order="forward", stages=2, **options
    )


def test_a_cascade_of_a_sample_is_that_of_the_rows_drawn(problem):
    X, y, hypergraph = problem
    model = cascade(hypergraph, max_rows=200).fit(X, y)
    assert model.sampled_rows_ == (200, 600)
    codes = np.unique(y, return_inverse=True)[1]
    drawn = drawn_rows(codes, 200, random_state=0)
    alone = cascade(hypergraph).fit(X[drawn], y[drawn])
    assert alone.sampled_rows_ is None
    found, wanted = (one.decision_function(X) for one in (model, alone))
    np.testing.assert_allclose(found, wanted)


def test_what_was_learned_from_a_sample_says_so(problem):
    X, y, _ = problem
    dataset = Dataset("own", X, y, FeatureHypergraph.independent(np.ones(4)))
    split = split_dataset(dataset)
    train = split.X("train"), split.y("train")
    for most, said in ((150, ", learned from 150 of 300 training rows"), (None, "")):
        model = cascade(dataset.hypergraph, max_rows=most).fit(*train)
        point = evaluate(model, split, name="hypergraph_cascade")
        text = point_text(point, dataset, Frontier([point]))
        assert text.partition(" component")[2].removeprefix("s") == said
        told = json.loads(selection_json(point, dataset)).get("learned_from")
        assert told == ({"rows": 150, "of": 300} if most else None)


@pytest.mark.parametrize("most", [0, 99, 1e4, True, "all"])
def test_a_sample_that_nothing_can_be_learned_from_is_refused(problem, most):
    X, y, hypergraph = problem
    with pytest.raises(KnobError, match=r"max_rows is .*; use a whole number of 100"):
        cascade(hypergraph, max_rows=most).fit(X, y)

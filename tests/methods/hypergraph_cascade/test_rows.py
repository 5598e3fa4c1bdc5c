"""Of many rows a cascade learns from some; expanded columns come with features."""

import json

import numpy as np
import pytest

from explorer.export.files import selection_json
from explorer.widgets.text import point_text
from solvers import Dataset, FeatureHypergraph, Frontier, evaluate, split_dataset
from solvers.errors import KnobError
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.hypergraph_cascade.members import LeafCascade, Member
from solvers.methods.hypergraph_cascade.routing import RoutingTree
from solvers.methods.hypergraph_cascade.rows import ExpandedColumns, drawn_rows
from solvers.methods.hypergraph_cascade.stages import StagePlan
from tests.each import each
from tests.methods.hypergraph_cascade.by_hand import CALIBRATIONS, MODELS
from tests.methods.tables import random_problem


def test_each_class_has_its_share_and_a_rare_one_ten_rows():
    labels = np.repeat([0, 1, 2], [6000, 3990, 10])
    drawn = drawn_rows(labels, 1000, random_state=0)
    assert np.bincount(labels[drawn]).tolist() == [600, 399, 10]
    assert np.array_equal(np.unique(drawn), drawn)
    assert np.array_equal(drawn, drawn_rows(labels, 1000, random_state=0))


@each("most", [None, 30, 31])
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


@each("most", [0, 99, 1e4, True, "all"])
def test_a_sample_that_nothing_can_be_learned_from_is_refused(problem, most):
    X, y, hypergraph = problem
    with pytest.raises(KnobError, match=r"max_rows is .*; use a whole number of 100"):
        cascade(hypergraph, max_rows=most).fit(X, y)


def test_an_expanded_column_is_bought_with_its_feature():
    columns = ExpandedColumns(3, np.array([[-1.0] * 3, [0.0] * 3, [1.0] * 3]))
    plan = StagePlan(np.array([4]), np.array([0, 1]), np.array([0.0, 1.0]))
    leaf = LeafCascade((), plan, MODELS[:2], CALIBRATIONS[:2])
    member = Member(RoutingTree(), columns, (leaf,))
    assert member.acquired(0, 1).tolist() == [False, True, False]
    # The second kind of a feature's columns is its distance from the median.
    rows = np.array([[9.0, -3.0, 9.0]])
    assert member.outputs(rows, 0, 1).tolist() == [[3.0]]


def test_kinds_of_columns_are_the_feature_a_fold_and_two_hinges():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 2)).astype(np.float32)
    low, middle, high = knots = np.array([[-0.5, -1.0], [0.1, 0.2], [0.6, 0.9]])
    columns, before = ExpandedColumns(2, knots), X.copy()
    wanted = np.hstack(
        [X, np.abs(X - middle), np.maximum(X - high, 0), np.maximum(low - X, 0)]
    )
    chosen = rng.permutation(8)
    np.testing.assert_array_equal(columns.table(X, chosen), wanted[:, chosen])
    np.testing.assert_array_equal(X, before)  # rows are left as they are

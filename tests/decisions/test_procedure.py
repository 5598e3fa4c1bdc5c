"""Who follows the steps decides as the model does, and computes what it computes."""

import dataclasses

import numpy as np
import pytest
from sklearn.datasets import load_wine

from solvers import all_methods, evaluate, split_dataset
from solvers.datasets import make_breast_cancer
from solvers.decisions.decision import scores_for
from solvers.decisions.procedure import ABOVE_ZERO, Boundary, Say, point_procedure, step
from solvers.methods.cstc import CSTCClassifier
from solvers.methods.tefe import TEFEClassifier
from tests.each import each

FOLLOWED = [
    *("acafh", "l1", "reweighted_l1", "forward_selection", "selective_ridge"),
    *("static_prefix", "relief_svm", "tefe", "jit", "csdt", "cstc"),
]


@pytest.fixture(scope="module")
def split():
    """The tumours, told by ten of their thirty columns."""
    data, ten = make_breast_cancer(), np.arange(10)
    prices = data.hypergraph.restrict(ten)
    return split_dataset(dataclasses.replace(data, X=data.X[:, ten], hypergraph=prices))


def _models(name, split):
    method = all_methods()[name](hypergraph=split.dataset.hypergraph)
    return list(method.path(split.X("train"), split.y("train")))[::12]


def _sides(model, rows, cut):
    """The model's labels at a cut, and rows so near it that rounding decides."""
    scores = model.decision_function(rows)
    labels = model.classes_[cut.reached(scores).astype(int)]
    return labels, np.abs(scores - cut.value) < 1e-9


@each("name", FOLLOWED)
def test_who_follows_the_steps_decides_as_the_model_does(name, split):
    rows = split.X("test")
    for model in _models(name, split):
        for cut in (
            ABOVE_ZERO,
            Boundary(0.3, inclusive=True),
            Boundary(-0.2, inclusive=False),
        ):
            ends = model.procedure(cut).follow(rows)
            labels, is_near = _sides(model, rows, cut)
            if name in ("jit", "csdt"):
                is_near[:] = False  # shares of a leaf are the same numbers
            assert np.array_equal(ends.labels[~is_near], labels[~is_near])
            assert np.array_equal(ends.acquired, model.acquired_features(rows))
        # Steps that are turned lead all rows where they led.
        procedure = model.procedure(Boundary(0.3, inclusive=True))
        before, after = procedure.follow(rows), procedure.turned().follow(rows)
        assert np.array_equal(after.labels, before.labels)
        assert np.array_equal(after.acquired, before.acquired)


@each("confidence", ["distance", "raw", "gap", "calibrated"])
@each("threshold", [0.0, 0.7, 0.97, np.inf])
def test_who_follows_a_cascade_leaves_where_its_rows_leave(
    confidence, threshold, split
):
    model = TEFEClassifier(
        split.dataset.hypergraph, confidence=confidence, threshold=threshold
    ).fit(split.X("train"), split.y("train"))
    rows = split.X("test")
    ends = model.procedure().follow(rows)
    assert np.array_equal(ends.labels, model.predict(rows))
    assert np.array_equal(ends.acquired, model.acquired_features(rows))


def test_a_tree_of_three_classes_is_followed():
    X, y = load_wine(return_X_y=True)
    model = all_methods()["csdt"](error_cost=20.0).fit(X[::2], y[::2])
    ends = model.procedure().follow(X)
    assert np.array_equal(ends.labels, model.predict(X))
    assert np.array_equal(ends.acquired, model.acquired_features(X))


@each("positive", ["benign", "malignant"])
def test_the_threshold_of_a_point_is_the_cut_of_its_steps(positive):
    """And their sums are scores: the higher the more positive."""
    data = make_breast_cancer()
    split = split_dataset(dataclasses.replace(data, positive=positive))
    model, rows = _models("l1", split)[2], split.X("test")
    point = evaluate(model, split)
    procedure = point_procedure(point, positive)
    (only,) = procedure.steps
    assert only.cuts == (Boundary(point.threshold, inclusive=True),)
    assert only.ways[1] == Say(positive)
    beliefs = scores_for(positive, model.classes_, model.decision_function(rows))
    np.testing.assert_allclose(only.sums(rows), beliefs)
    called, truth = (
        procedure.follow(rows).labels == positive,
        split.y("test") == positive,
    )
    hits = np.sum(called & truth)
    f1 = 2 * hits / (called.sum() + truth.sum())
    assert f1 == pytest.approx(point.scores["test"]["f1"])


def test_a_gate_that_asks_nothing_is_no_step():
    model = CSTCClassifier(cost_weight=1.1).fit(
        [[0.0], [1.0], [2.0]] * 9, [0, 1, 1] * 9
    )
    found = model.procedure()
    assert (found.steps, found.start) == ((), Say(1))


def test_ranges_that_lead_to_the_same_place_are_one():
    cuts = [Boundary(1.0, inclusive=True), Boundary(2.0, inclusive=True)]
    made = step([0], {0: 1.0}, 0.0, cuts, [Say("a"), Say("a"), Say("b")])
    assert made.cuts == (cuts[1],)
    assert made.ways == (Say("a"), Say("b"))
    assert made.asks == 0


def test_methods_whose_vote_nobody_can_follow_say_so(split):
    assert _models("random_forest", split)[0].procedure() is None

"""Deciding on one sample says what the batch says, whatever makes a stage sure."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from solvers import FeatureHypergraph
from solvers.errors import DataError, KnobError
from solvers.methods.tefe import TEFEClassifier
from tests.each import each

PRICES = FeatureHypergraph.independent([3.0, 1.0, 2.0, 5.0, 4.0, 6.0])


GROUPS = [[0, 1], [2], [3, 4, 5]]


KINDS = ["distance", "raw", "gap", "calibrated"]


def table(n_classes=2, seed=1):
    X, y = make_classification(
        150,
        n_features=6,
        n_informative=4,
        n_redundant=1,
        n_classes=n_classes,
        flip_y=0.1,
        random_state=seed,
    )
    return X * [1e3, 1.0, 1e-4, 1.0, 2.0, 1.0] + 5.0, y


def reader(row):
    return lambda name: row[int(name[1:])]


@each("n_classes", [2, 4])
@each("kind", KINDS)
@each("groups", [None, GROUPS])
def test_the_decider_says_what_the_batch_says(kind, n_classes, groups):
    model = TEFEClassifier(PRICES, groups, confidence=kind).fit(*table(n_classes))
    X, _ = table(n_classes, seed=2)
    budgets = [model.threshold_for(share * 21.0) for share in (0.4, 0.6, 0.8)]
    for threshold in (-np.inf, 0.0, *budgets, np.inf):
        model.set_params(threshold=threshold)
        decide, labels, exits = model.decider(), model.predict(X), model.exit_stages(X)
        margins, sure = model.stage_margins(X), model.stage_confidences(X)
        for i in range(0, 150, 11):
            assert decide(reader(X[i])) == labels[i]
            journey = model.predict_one(reader(X[i]))
            assert (journey.stage, journey.label) == (exits[i], labels[i])
            for stop in journey.stops:
                assert np.array_equal(
                    stop.values, X[i, model.stage_groups_[stop.stage]]
                )
                assert stop.margins == pytest.approx(
                    margins[i, :, stop.stage], abs=1e-9
                )
                assert stop.confidence == pytest.approx(sure[i, stop.stage], abs=1e-9)


@each("n_classes", [2, 3])
@each("kind", KINDS)
def test_a_blocked_stage_lets_no_sample_leave_where_no_row_does(kind, n_classes):
    X, y = table(n_classes)
    X[:, 1] = 3.0  # the cheapest feature
    model = TEFEClassifier(PRICES, confidence=kind, threshold=-1e9).fit(X, y)
    blocked = model.stage_blocked_[:, 0]
    if n_classes == 2:
        assert blocked.all()
        assert not (model.exit_stages(X) == 0).any()
    stages = [model.predict_one(reader(row)).stage for row in X[:20]]
    assert stages == model.exit_stages(X[:20]).tolist()


def test_a_decider_keeps_the_setting_that_it_was_made_with():
    X, y = table()
    model = TEFEClassifier(PRICES, threshold=0.0).fit(X, y)
    decide, asked = model.decider(), []
    model.set_params(threshold=np.inf)
    decide(lambda name: asked.append(name) or 1.0)
    assert asked == ["x1"]
    assert len(model.predict_one(reader(X[0])).stops) == 6


def test_a_new_setting_and_a_new_training_are_followed():
    X, y = table()
    model = TEFEClassifier(PRICES, threshold=np.inf, confidence="gap").fit(X, y)
    assert model.predict_one(reader(X[0])).stage == 5
    assert model.set_params(time_cap=6.0).predict_one(reader(X[0])).stage == 2
    model.set_params(time_cap=None).fit(-X, y)
    assert model.predict_one(reader(-X[0])).label == model.predict(-X[:1])[0]
    with pytest.raises(KnobError, match="Confidence is one of"):
        model.set_params(confidence="hope").decider()
    with pytest.raises(DataError, match="was not calibrated"):
        model.set_params(confidence="calibrated").decider()


@each(
    ("answers", "refused"),
    [
        ((1.0, np.nan), "nan for feature 'x1'"),
        ((np.float64(np.inf), np.float64(-np.inf)), "inf for feature 'x0'"),
        ((1.0, "big"), "'big' for feature 'x1'"),
        ((None, 1.0), "None for feature 'x0'"),
    ],
)
def test_what_is_no_finite_number_is_named(answers, refused):
    X, y = table()
    decide = TEFEClassifier(PRICES, GROUPS, threshold=np.inf).fit(X, y).decider()
    given_by = {"x0": answers[0], "x1": answers[1], "x2": 0.0}
    with pytest.raises(DataError, match=f"gave {refused}"):
        decide(given_by.__getitem__)


def test_numbers_of_any_kind_will_do():
    X, y = table()
    model = TEFEClassifier(PRICES, GROUPS, threshold=np.inf).fit(X, y)
    row = {"x0": 1, "x1": True, "x2": np.float32(0.5), "x3": "2", "x4": 1e100}
    row["x5"] = np.float64(-1e100)
    plain = np.array([[float(row[f"x{j}"]) for j in range(6)]])
    assert model.decider()(row.__getitem__) == model.predict(plain)[0]

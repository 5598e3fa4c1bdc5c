"""What answers are worth, beside scikit-learn, enumeration and the bootstrap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.metrics import accuracy_score, f1_score

from solvers.methods.hypergraph_cascade.policies import HeldOut, PolicyObjective
from solvers.methods.hypergraph_cascade.rows import WeightedRows
from tests.each import each
from tests.methods.hypergraph_cascade.by_hand import PATIENT, policy_of


def test_bounds_name_the_stages_at_which_rows_may_leave():
    assert PATIENT.stops == (((1, -2.0, 2.0), (2, np.inf, -np.inf)),)
    at_once = policy_of([np.inf, -2.0, np.inf], [-np.inf, 2.0, -np.inf])
    assert at_once.stops == (((0, np.inf, -np.inf),),)


ACCURACY, F1 = PolicyObjective("accuracy", 2), PolicyObjective("f1", 2)
MEAN_F1 = PolicyObjective("f1", 3)


def _rows(seed=0, n=60, n_classes=2):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_classes, n)
    called = np.where(rng.random(n) < 0.7, labels, rng.integers(0, n_classes, n))
    return labels, called, rng.uniform(0.2, 2.0, n)


def _held_out(belief, labels=None, weights=None):
    belief = np.atleast_2d(np.asarray(belief, dtype=float))
    n = belief.shape[1]
    return HeldOut(
        belief,
        belief,
        (belief > 0).astype(int),
        np.zeros(n, dtype=int) if labels is None else labels,
        np.ones(n) if weights is None else weights,
        np.arange(len(belief), dtype=float),
        np.arange(n) % 3,
        np.arange(n),
    )


@each(
    ("objective", "wanted"),
    [
        (ACCURACY, lambda y, said, w: accuracy_score(y, said, sample_weight=w)),
        (F1, lambda y, said, w: f1_score(y, said, sample_weight=w)),
        (
            MEAN_F1,
            lambda y, said, w: f1_score(y, said, sample_weight=w, average="macro"),
        ),
    ],
    ids=["accuracy", "f1", "mean f1"],
)
def test_scores_are_those_of_scikit_learn(objective, wanted):
    labels, called, weights = _rows(n_classes=objective.n_classes)
    weightings = np.column_stack([weights, np.ones_like(weights)])
    found = objective.scores(np.stack([called, labels]), labels, weightings)
    assert found[0, 0] == pytest.approx(wanted(labels, called, weights))
    assert found[0, 1] == pytest.approx(wanted(labels, called, None))
    assert found[1] == pytest.approx([1.0, 1.0])


def _f1(labels, called):
    return 2 * (labels & called).sum() / (labels.sum() + called.sum())


# Whole numbers, or numbers one after the other.
@each("one", [0.0, 0.1, 1e20])
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=12), st.integers(0, 99))
@settings(max_examples=30)
def test_no_threshold_has_a_better_f1_than_the_one_that_is_chosen(one, beliefs, seed):
    odds = one + np.array(beliefs) * (np.spacing(one) if one else 1.0)
    labels = np.random.default_rng(seed).integers(0, 2, len(odds))
    if not labels.any():
        return
    everything = np.zeros(len(odds), dtype=int)
    _, cut, _ = F1.score(odds, everything, labels, np.ones(len(odds)), everything)
    assert _f1(labels, odds > cut) == pytest.approx(
        max(_f1(labels, odds > threshold) for threshold in (*odds, -np.inf))
    )


def test_a_row_is_called_by_the_threshold_of_the_other_folds():
    rng = np.random.default_rng(0)
    odds = rng.standard_normal(40)
    labels = (odds + rng.standard_normal(40) > 0).astype(int)
    folds, weights = np.arange(40) % 4, np.ones(40)
    _, _, called = F1.score(odds, labels, labels, weights, folds)
    for fold in range(4):
        others, held = folds != fold, folds == fold
        # Without the fold's own rows the same threshold is found and used.
        _, own, _ = F1.score(
            odds[others],
            labels[others],
            labels[others],
            weights[others],
            np.zeros(others.sum(), dtype=int),
        )
        assert (called[held] == (odds[held] > own)).all()


def test_a_row_that_surely_is_what_it_is_called_loses_nothing():
    for objective in (ACCURACY, F1):
        losses = objective.losses(_held_out([[-50.0, 0.0, 50.0]]), 0.8)[0]
        assert losses[[0, 2]] == pytest.approx([0, 0])
        assert losses[1] > 0


def test_the_loss_for_accuracy_is_how_often_the_likelier_class_is_wrong():
    held_out = _held_out([[-1.0, 0.3, 2.0]], weights=np.array([1.0, 2.0, 3.0]))
    p = expit(np.array([-1.0, 0.3, 2.0]))
    wanted = np.array([p[0], 2 * (1 - p[1]), 3 * (1 - p[2])])
    assert ACCURACY.losses(held_out, 0.5)[0] == pytest.approx(wanted)


def test_at_the_best_f1_dinkelbach_s_losses_sum_to_what_no_answer_can_avoid():
    # max 2 TP / (n_called + n_positive) = F exactly where the sum of
    # min(F (1 - p), (2 - F) p) is (1 - F) times the expected number of positives * 2.
    p = np.linspace(0.05, 0.95, 30)
    held_out = _held_out([np.log(p / (1 - p))])
    f1 = 0.8
    for _ in range(60):
        f1 = F1.expected_f1(p, np.ones(30), f1)
    best = max(
        2 * p[p >= cut].sum() / ((p >= cut).sum() + p.sum()) for cut in np.unique(p)
    )
    assert f1 == pytest.approx(best)
    losses = F1.losses(held_out, f1)[0]
    assert losses.sum() == pytest.approx(2 * (1 - f1) * p.sum())


@each("objective", [ACCURACY, F1, MEAN_F1], ids=str)
def test_the_standard_error_is_that_of_the_bootstrap(objective):
    labels, called, _ = _rows(1, 400, objective.n_classes)
    other = _rows(2, 400, objective.n_classes)[1]
    ones = np.ones(400)
    rng = np.random.default_rng(0)
    counts = rng.multinomial(400, np.full(400, 1 / 400), 600).T.astype(float)
    scores = objective.scores(np.stack([called, other]), labels, counts)
    spread = np.std(scores[0] - scores[1])
    rows = WeightedRows(np.zeros((400, 0)), labels, ones, objective.n_classes)
    found = objective.error(called, other, rows)
    assert found == pytest.approx(spread, rel=0.12)


def test_answers_that_are_the_same_differ_by_no_error():
    labels, called, weights = _rows()
    rows = WeightedRows(np.zeros((len(labels), 0)), labels, weights, 2)
    assert F1.error(called, called, rows) == 0.0

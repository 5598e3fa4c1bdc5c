"""Tasks of a sweep: their order, their fingerprints, and what is refused."""

import dataclasses

import numpy as np
import pytest
from scipy import sparse

from solvers import ComponentPrices
from solvers.errors import ThriftscopeError
from solvers.frontier.sweep.tasks import SweepTask, attempt_task, plan_sweep
from solvers.methods.l1 import L1Classifier
from tests.each import each
from tests.frontier.sweep.worlds import tiny


def _task(**changes):
    task = SweepTask("l1", L1Classifier(n_alphas=4), tiny(), 0)
    return dataclasses.replace(task, **changes)


def _changed(**changes):
    return dataclasses.replace(tiny(), **changes)


def _with_price(value):
    hypergraph = tiny().hypergraph
    values = np.full(hypergraph.n_components, value)
    prices = (ComponentPrices("delay", values, "days", "maximum"),)
    return dataclasses.replace(hypergraph, prices=prices)


def test_tasks_come_by_data_set_then_seed_fold_and_method():
    methods = {"one": L1Classifier(), "two": L1Classifier()}
    tasks = plan_sweep(methods, [tiny("a"), tiny("b")], [3, 1], n_folds=2)
    wanted = [
        (dataset, method, seed, fold)
        for dataset in "ab"
        for seed in (3, 1)
        for fold in (0, 1)
        for method in ("one", "two")
    ]
    assert [task.key for task in tasks] == wanted


def test_the_same_task_has_the_same_fingerprint():
    assert _task().digest() == _task().digest()
    # What it is called says nothing of its points.
    assert _task(method="other").digest() == _task().digest()


@each(
    "changes",
    [
        {"estimator": L1Classifier(n_alphas=5)},
        {"seed": 1},
        {"fold": 0, "n_folds": 3},
        {"accounting": "max"},
        {"threshold": "default"},
        {"dataset": tiny(seed=1)},
        {"dataset": _changed(y=-tiny().y, positive=1)},
        {"dataset": _changed(fractions=(0.6, 0.2, 0.2))},
        {"dataset": _changed(hypergraph=_with_price(2.0))},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_what_points_depend_on_changes_the_fingerprint(changes):
    assert _task(**changes).digest() != _task().digest()


def test_sparse_rows_are_known_by_what_they_hold():
    plain = tiny()

    def digest(rows):
        thin = dataclasses.replace(plain, X=sparse.csr_array(rows))
        return _task(dataset=thin).digest()

    X = np.where(np.abs(plain.X) > 1.0, plain.X, 0.0)
    changed = X.copy()
    changed[0, 0] += 5.0
    assert digest(X) == digest(X.copy())
    assert digest(X) != digest(changed)


def test_another_further_price_is_another_task():
    one, other = (
        _task(dataset=_changed(hypergraph=_with_price(value))) for value in (1.0, 2.0)
    )
    assert one.digest() != other.digest()


def test_a_task_is_cut_as_its_seed_and_fold_say():
    whole, fold = _task(seed=5).split(), _task(seed=5, fold=1, n_folds=4).split()
    n_rows = tiny().n_samples
    assert sum(map(len, whole.rows.values())) == n_rows
    assert len(fold.rows["test"]) == n_rows // 4


def test_points_carry_the_name_of_the_task_and_no_model():
    points = attempt_task(_task(method="mine"))
    assert {point.method for point in points} == {"mine"}
    assert all(point.model is None and point.encoder is None for point in points)


def test_a_task_that_fails_says_which_it_was():
    broken = _task(estimator=L1Classifier(alpha=-1.0), fold=1, n_folds=3)
    why = attempt_task(broken)
    assert isinstance(why, ThriftscopeError)
    assert str(why).startswith("l1 on tiny, seed 0, fold 1: alpha")


@each(
    ("methods", "datasets", "seeds", "sentence"),
    [
        ([], [tiny()], [0], "The sweep has no method"),
        (["l1"], [], [0], "The sweep has no data set"),
        (["l1"], [tiny()], [], "The sweep has no seed"),
        (["l1", "l1"], [tiny()], [0], "The sweep has the method 'l1' twice"),
        (["l1"], [tiny(), tiny()], [0], "The sweep has the data set 'tiny' twice"),
        (["l1"], [tiny()], [0, 0], "The sweep has the seed 0 twice"),
        (["l1"], ["nowhere"], [0], "There is no data set 'nowhere'"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(methods, datasets, seeds, sentence):
    with pytest.raises(ThriftscopeError) as refusal:
        plan_sweep(methods, datasets, seeds)
    assert sentence in str(refusal.value)

"""The table of results says what the points say."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.floors import FLOORS
from benchmarks.frontiers import BUDGETS, best_or_as_good, measured, within_noise
from benchmarks.results_page import page
from solvers import Frontier, trace_frontier
from solvers.bands import Band
from solvers.datasets import make_breast_cancer
from solvers.methods.l1 import L1Classifier


@pytest.fixture(scope="module")
def data():
    return make_breast_cancer()


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    methods = {"l1": L1Classifier(n_alphas=5), **FLOORS}
    points = tmp_path_factory.mktemp("points")
    return measured(["breast_cancer"], methods, [0, 1], points, 1)


def test_calling_everything_positive_costs_nothing_and_scores_what_it_must(data):
    (point,) = trace_frontier(FLOORS["all positive"], data)
    assert point.cost["max"] == 0
    share = np.mean(data.y == data.positive)
    expected = 2 * share / (1 + share)
    assert point.scores["test"]["f1"] == pytest.approx(expected, abs=0.01)


def test_all_features_are_paid_in_full(data):
    (point,) = trace_frontier(FLOORS["all features"], data)
    assert point.cost["mean"] == pytest.approx(data.hypergraph.total_cost)


def test_random_selections_are_nested_and_drawn_by_the_seed(data):
    one, other = (
        [
            p.features
            for p in trace_frontier(FLOORS["random selection"], data, random_state=s)
        ]
        for s in (0, 1)
    )
    assert not one[0].any()
    assert one[-1].all()
    for few, many in pairwise(one):
        assert (few <= many).all()
    assert any((a != b).any() for a, b in zip(one, other, strict=True))


def test_the_summary_is_the_mean_over_seeds(data, results):
    found = results["datasets"]["breast_cancer"]["methods"]["l1"]
    runs = [
        Frontier(trace_frontier(L1Classifier(n_alphas=5), data, random_state=seed))
        for seed in (0, 1)
    ]
    full = data.hypergraph.total_cost
    volumes = [run.hypervolume(full) for run in runs]
    assert found["hypervolume"]["mean"] == pytest.approx(np.mean(volumes))
    at_half = [run.best_within(0.5 * full).scores["test"]["f1"] for run in runs]
    score = found["f1"][BUDGETS.index(0.5)]
    assert score["mean"] == pytest.approx(np.mean(at_half))


def test_nothing_is_over_budget(results):
    methods = results["datasets"]["breast_cancer"]["methods"]
    assert {method["over budget"] for method in methods.values()} == {0}


def test_a_method_that_cannot_run_is_skipped_with_its_reason(tmp_path):
    class Refusing(L1Classifier):
        def path(self, X, y, sample_weight=None):
            return type(self)(alpha=-1.0).fit(X, y)

    methods = {"refusing": Refusing(), "l1": L1Classifier(n_alphas=3)}
    found = measured(["breast_cancer"], methods, [0], tmp_path, 1)
    skipped = found["datasets"]["breast_cancer"]["skipped"]
    assert "alpha is -1" in skipped["refusing"]
    assert "Not run: refusing (" in page(found)


def test_the_best_and_its_equals_are_marked():
    rng = np.random.default_rng(0)
    luck = rng.random((4, len(BUDGETS)))
    wobble = 1e-3 * rng.standard_normal(luck.shape)
    grid = np.array(BUDGETS)
    bands = {
        "best": Band(grid, luck),
        "equal": Band(grid, luck - 1e-4 + wobble),
        "worse": Band(grid, luck - 0.2 + wobble),
    }
    marks = best_or_as_good(bands, 0.0)
    assert not any(marks["worse"])
    for i, mark in enumerate(marks["equal"]):
        best = max(bands, key=lambda name: bands[name].mean[i])
        assert mark == (
            best == "equal" or within_noise(bands["best"], bands["equal"], i, 0)
        )


def test_the_page_shows_every_method_with_its_numbers(results):
    text = page(results)
    found = results["datasets"]["breast_cancer"]["methods"]
    for label, method in found.items():
        shown = f"*{label}*" if method["floor"] else f"`{label}`"
        (row,) = (line for line in text.splitlines() if line.startswith(f"| {shown} |"))
        assert f"{method['hypervolume']['mean']:.3f}" in row
        assert row.count("|") == len(BUDGETS) + 4

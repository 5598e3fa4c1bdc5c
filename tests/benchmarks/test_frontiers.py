"""The table of results says what the points say."""

import json
from itertools import pairwise

import numpy as np
import pytest

from benchmarks import sources
from benchmarks.floors import FLOORS
from benchmarks.frontier_summary import behind_the_best
from benchmarks.frontiers import (
    BUDGETS,
    Points,
    Task,
    drawn,
    measure,
    planned,
    results_of,
)
from benchmarks.results_page import page
from solvers import Frontier, free_scores, split_dataset, trace_frontier
from solvers.datasets import make_breast_cancer
from solvers.frontier.bands import Band
from solvers.methods.l1 import L1Classifier


@pytest.fixture(scope="module")
def data():
    return make_breast_cancer()


METHODS = {"l1": L1Classifier(n_alphas=5), **FLOORS}


def run(folder, methods, seeds, minutes=float("inf")):
    points = Points(folder, methods)
    measure(planned(["breast_cancer"], methods, seeds), points, minutes)
    return results_of(["breast_cancer"], methods, seeds, points)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("points")


@pytest.fixture(scope="module")
def results(folder):
    return run(folder, METHODS, [0, 1])


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


def test_the_summary_is_the_mean_over_seeds(results):
    found = results["datasets"]["breast_cancer"]["methods"]["l1"]
    runs = []
    for seed in (0, 1):
        data = drawn("breast_cancer", seed)
        points = trace_frontier(L1Classifier(n_alphas=5), data, random_state=seed)
        floor = free_scores(split_dataset(data, seed))
        runs.append(Frontier(points, floor=floor))
    full = data.hypergraph.total_cost
    volumes = [run.hypervolume(full) for run in runs]
    assert found["hypervolume"]["mean"] == pytest.approx(np.mean(volumes))
    at_half = [run.best_within(0.5 * full).scores["test"]["f1"] for run in runs]
    score = found["f1"][BUDGETS.index(0.5)]
    assert score["mean"] == pytest.approx(np.mean(at_half))


def test_what_is_finished_is_not_traced_again(results, folder, capsys):
    points = Points(folder, METHODS)
    measure(planned(["breast_cancer"], METHODS, [0, 1]), points, float("inf"))
    assert capsys.readouterr().out == ""


def test_only_seeds_that_everybody_has_are_compared(results, folder):
    methods = {"another": L1Classifier(n_alphas=3), **METHODS}
    points = Points(folder, methods)
    points.trace(Task("breast_cancer", 1, "another"))
    found = results_of(["breast_cancer"], methods, [0, 1], points)
    assert found["datasets"]["breast_cancer"]["seeds"] == [1]


def test_every_frontier_knows_which_code_traced_it(results, folder):
    notes = Points(folder, METHODS).notes()
    assert {note["code"] for note in notes.values()} <= set(results["code"])
    assert Task("breast_cancer", 0, "l1") in notes


def test_what_other_code_traced_is_traced_again(tmp_path, monkeypatch):
    points, task = Points(tmp_path, METHODS), Task("breast_cancer", 0, "all positive")
    points.trace(task)
    assert Points(tmp_path, METHODS).is_kept(task)
    monkeypatch.setattr(sources, "_code", lambda module, house: "another")
    assert not Points(tmp_path, METHODS).is_kept(task)
    points.trace(task)
    assert Points(tmp_path, METHODS).is_kept(task)


def test_the_page_names_the_commit_and_what_is_of_older_code(results):
    found = json.loads(json.dumps(results))
    (commit,) = found["code"]
    said = f"Solvers of commit {commit}."
    assert f"{said}\n" in page(found)
    methods = found["datasets"]["breast_cancer"]["methods"]
    methods["l1"]["sources"]["fingerprint"] = "of something else"
    assert f"{said} Of older code: l1.\n" in page(found)
    for method in methods.values():
        del method["sources"]  # as of results that were kept before there were any
    assert f"{said} Of older code: all of it.\n" in page(found)
    assert "has changed since" not in page(found)
    del found["sources"]
    assert "What splits, scores and charges has changed since." in page(found)


def test_the_free_answer_bounds_everybody_from_below(results):
    methods = results["datasets"]["breast_cancer"]["methods"]
    floor = methods["all positive"]["hypervolume"]["mean"]
    assert methods["all features"]["hypervolume"]["mean"] == pytest.approx(floor)


def test_nothing_is_over_budget(results):
    methods = results["datasets"]["breast_cancer"]["methods"]
    assert {method["over budget"] for method in methods.values()} == {0}


def test_a_method_that_cannot_run_is_skipped_with_its_reason(tmp_path):
    class Refusing(L1Classifier):
        def _models(self, _):
            return self.set_params(alpha=-1.0).fit([[0.0], [1.0]], [0, 1])

    methods = {"refusing": Refusing(), "l1": L1Classifier(n_alphas=3)}
    found = run(tmp_path, methods, [0])
    skipped = found["datasets"]["breast_cancer"]["skipped"]
    assert "alpha is -1" in skipped["refusing"]
    assert "Not run: refusing (" in page(found)


def bands_of(gaps, n_runs, wobble=1e-3):
    """Methods behind the best by so much, with a little noise of their own."""
    rng = np.random.default_rng(0)
    luck = rng.random((n_runs, 1))
    return {
        name: Band(np.array([1.0]), luck - gap + wobble * rng.normal(size=luck.shape))
        for name, gap in {"best": 0.0, **gaps}.items()
    }


def test_what_is_far_behind_is_told_from_the_best():
    found = behind_the_best(bands_of({"worse": 0.2, "equal": 0.0}, 6), 0.0)
    assert not found["worse"][0]["best or as good"]
    assert found["equal"][0]["best or as good"]
    assert found["best"][0]["best or as good"]


def test_a_difference_that_is_one_of_many_is_no_difference():
    # Two or three of forty that are the best's equals differ from it at 5 % by luck.
    gaps = {f"equal {i}": 0.0 for i in range(40)}
    found = behind_the_best(bands_of(gaps, 10), 0.0)
    assert all(entry[0]["best or as good"] for entry in found.values())


def test_one_seed_tells_nobody_from_the_best():
    found = behind_the_best(bands_of({"worse": 0.2}, 1), 0.0)
    assert found["worse"][0]["best or as good"]


def test_the_page_shows_every_method_with_its_numbers(results):
    text = page(results)
    found = results["datasets"]["breast_cancer"]["methods"]
    for label, method in found.items():
        shown = f"*{label}*" if method["floor"] else f"`{label}`"
        (row,) = (line for line in text.splitlines() if line.startswith(f"| {shown} |"))
        assert f"{method['hypervolume']['mean']:.3f}" in row
        assert row.count("|") == len(BUDGETS) + 6
        assert f"| {method['candidates']:.0f} |" in row

"""Long work holds linear algebra to one thread, and lets it go between its steps."""

import threading

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from solvers import FeatureHypergraph, all_methods, trace_frontier
from solvers.bayes import bundled_classifier, criteria, trim
from solvers.certify import certified_frontier, near_optimal
from solvers.certify.oracle import Oracle
from solvers.datasets import make_breast_cancer
from solvers.numerics.threads import in_one_thread, one_thread
from tests.each import each


def threads():
    """The threads that each library would take now, of those that take several.

    Another test's solver may have brought one that was built without threads.
    """
    built = [p for p in threadpool_info() if p.get("threading_layer") != "disabled"]
    return {pool["num_threads"] for pool in built}


@pytest.fixture(autouse=True)
def two_threads():
    """As on a machine with two processors, whatever tests are run with."""
    for library in ThreadpoolController().lib_controllers:
        if hasattr(library, "clear_controlling_thread"):
            library.clear_controlling_thread(force=True)  # another test's may live
    with threadpool_limits(2):
        assert threads() == {2}
        yield
        assert threads() == {2}


def test_a_fit_that_a_trace_drives_has_one_thread_and_who_reads_it_has_his_own():
    inside, outside = set(), set()

    class Watching(all_methods()["l1"]):
        def _models(self, *arguments):
            for model in super()._models(*arguments):
                inside.update(threads())
                yield model

    for _ in trace_frontier(Watching(n_alphas=3), make_breast_cancer()):
        outside |= threads()
    assert (inside, outside) == ({1}, {2})


def test_a_trace_that_is_closed_early_stops_the_method():
    stopped = []

    @in_one_thread
    def steps():
        try:
            yield from range(9)
        finally:
            stopped.append(threads())

    following = steps()
    next(following)
    following.close()
    assert stopped == [{2}]


@each("search", ["floors", "list", "trimming"])
def test_searches_have_one_thread(search, monkeypatch):
    inside = set()

    def watched(owner, name):
        done = getattr(owner, name)

        def watching(*given, **told):
            inside.update(threads())
            return done(*given, **told)

        monkeypatch.setattr(owner, name, watching)

    X = np.random.default_rng(0).standard_normal((60, 3))
    table = X, X[:, 0] > 0, FeatureHypergraph.independent([1.0, 2.0, 3.0])
    if search == "trimming":
        watched(criteria.AchievableAgreement, "__init__")
        trim(bundled_classifier("quiz"), 2)
    else:
        watched(Oracle, "__call__")
        if search == "floors":
            list(certified_frontier(*table, ridge=0.1, budgets=[3.0]))
        else:
            near_optimal(*table, ridge=0.1, budget=3.0)
    assert inside == {1}


def test_the_last_to_leave_lets_it_go():
    """Of two that work side by side neither lets go what the other still holds."""
    came, go = threading.Barrier(2, timeout=60), threading.Event()
    seen = []

    def beside():
        with one_thread():
            came.wait()
            go.wait(60)
            seen.append({p["num_threads"] for p in threadpool_info()})

    other = threading.Thread(target=beside)
    with one_thread():
        other.start()
        came.wait()
    blas = {p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"}
    go.set()
    other.join()
    assert blas == {1}
    assert seen == [{1}]

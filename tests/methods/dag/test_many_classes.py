"""DAG of three classes: leaves tell them apart, gates choose by errors and costs."""

from itertools import product

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from solvers import FeatureHypergraph
from solvers.decisions.running import run
from solvers.methods.dag import DAGClassifier
from solvers.methods.dag.policy import gate_inputs, train_policy
from solvers.methods.dag.states import StateScores, lattice, leads, score_rows
from solvers.numerics.distinct_rows import DistinctRows
from tests.each import each
from tests.methods.dag.groups import FIRST, NOTHING, PRICES, SECOND, THIRD


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 6))
    told = X @ [2.0, 1.0, 1.0, 0.5, 0.0, 0.0] + 0.5 * rng.standard_normal(400)
    y = np.array(["dull", "mild", "sharp"])[np.digitize(told, [-1.0, 1.5])]
    return X, y, FeatureHypergraph.independent([1.0, 2.0, 3.0, 1.0, 1.0, 2.0])


def test_free_features_are_the_leaf_classifier_on_all_of_them(problem):
    X, y, _ = problem
    free = FeatureHypergraph.independent(np.zeros(6))
    model = DAGClassifier(free, cost_weight=0.0, groups=[range(6)]).fit(X, y)
    known = LogisticRegression(C=100.0).fit(X, y)
    assert np.mean(model.predict(X) == known.predict(X)) > 0.98
    assert model.score(X, y) == pytest.approx(known.score(X, y), abs=0.01)


@each("base", [None, GaussianNB(), LinearSVC()], ids=str)
def test_rows_stop_at_different_states_and_the_program_walks_alike(problem, base):
    X, y, hypergraph = problem
    model = DAGClassifier(hypergraph, 0.2, base_budget=0.3, base=base).fit(X, y)
    said = model.decide(X)
    assert len(np.unique(said.cost)) > 1
    assert model.score(X, y) > 0.75
    if not isinstance(base, GaussianNB):
        walked = run(model.program(), X, 3)
        assert walked.scores == pytest.approx(said.scores)
        assert np.array_equal(walked.acquired, said.acquired)


def test_gates_are_as_good_as_the_best_state_for_everybody():
    """All states are tried for all rows; gates may part rows, and pay for the way."""
    rng = np.random.default_rng(1)
    for _ in range(5):
        X, codes = rng.standard_normal((20, 3)), np.arange(20) % 3
        rows = DistinctRows.of(X, codes, rng.uniform(0.5, 2.0, 20), n_classes=3)
        graph = lattice([NOTHING, FIRST, SECOND, THIRD], PRICES)
        scores = [
            StateScores(None, rng.standard_normal((20, 3)))
            for _ in range(graph.n_states)
        ]
        gates = train_policy(graph, scores, rows, 0.05)
        at = np.zeros(20, dtype=int)
        for state, row in product(range(graph.n_states), range(20)):
            if at[row] != state:
                continue
            known = rows.X[[row]][:, graph.supports[state]]
            seen = gate_inputs(known, scores[state].held_out[[row]])
            at[row] = (state, *graph.children[state])[gates[state].choose(seen)[0]]
        called = np.array([score.held_out.argmax(axis=1) for score in scores])
        risks = (called != rows.codes) + 0.05 * graph.costs[:, np.newaxis]
        ours = rows.shares @ risks[at, np.arange(20)]
        assert ours <= (risks @ rows.shares).min() + 1e-12


def test_a_lattice_covers_rows_of_every_class(problem):
    X, y, hypergraph = problem
    model = DAGClassifier(hypergraph, 0.05, 0.1, 0.3, structure="lattice").fit(X, y)
    assert len(model.state_costs_) > 1
    assert model.score(X, y) > 0.7


def test_a_class_that_no_row_was_of_is_never_called():
    X = np.linspace(-1.0, 1.0, 20)[:, np.newaxis]
    model = LinearSVC().fit(X, np.where(X[:, 0] > 0, 2, 0))
    scores = score_rows(model, 9.0 * X, 3)
    assert set(scores.argmax(axis=1)) == {0, 2}
    assert (leads(scores) >= 0).all()

"""Of three classes and more a point answers what is expected to cost least."""

from itertools import islice, product

import numpy as np
import pandas as pd
import pytest
from scipy.special import log_softmax, softmax

from explorer.export import estimator_skops, load_estimator
from solvers import MistakeCosts, evaluate, split_dataset, trace_frontier
from solvers.datasets import from_frame
from solvers.decisions.scores import cheapest_answers
from solvers.frontier import price_mistakes, total_cost
from solvers.frontier.evaluation import classifier_of, labels_of
from tests.each import each

COSTS = np.array([[0.0, 30.0, 400.0], [90.0, 0.0, 8.0], [7.0, 250.0, 1.0]])
NAMES = ("low", "middle", "top")
MISTAKES = MistakeCosts(COSTS, classes=NAMES)


@pytest.fixture(scope="module")
def split():
    rng = np.random.default_rng(0)
    place = rng.integers(0, 3, 400)
    columns = {f"x{j}": place * s + rng.normal(size=400) for j, s in enumerate([1, 2])}
    frame = pd.DataFrame({**columns, "stage": np.array(NAMES)[place]})
    return split_dataset(from_frame(frame, "stage", costs={"x0": 1.0, "x1": 3.0}))


def test_no_rule_from_what_is_known_to_an_answer_costs_less():
    rng = np.random.default_rng(3)
    shares = rng.dirichlet([1.0, 1.0, 1.0], 6)  # of the classes, in each of six cells
    cells, truth = map(np.ravel, np.indices((6, 3)))
    # Many of each: what a few rows say is held back.
    cells, truth = np.tile(cells, 1000), np.tile(truth, 1000)
    rows, counts = np.log(shares)[cells] / 2.0 + [0.3, -0.2, 0.0], shares[cells, truth]
    priced = cheapest_answers(rows, truth, MistakeCosts(COSTS), counts)
    said = np.argmax(priced.scores(rows), axis=1)
    paid = {
        rule: counts @ COSTS[truth, np.array(rule)[cells]]
        for rule in product(range(3), repeat=6)
    }
    assert counts @ COSTS[truth, said] == pytest.approx(min(paid.values()))
    assert tuple(said[:18:3]) == min(paid, key=paid.get)


def test_what_each_answer_costs_is_counted_one_by_one():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 90)
    rows = rng.normal(size=(90, 3)) + 2.0 * np.eye(3)[truth]
    priced = cheapest_answers(rows, truth, MistakeCosts(COSTS))
    for row, told in zip(rows, priced.scores(rows), strict=True):
        chances = softmax(priced.slope * row + priced.offsets)
        by_hand = [sum(chances[t] * COSTS[t, a] for t in range(3)) for a in range(3)]
        np.testing.assert_allclose(told, np.negative(by_hand))
    # A factor, and a constant in all answers of one truth, change no answer.
    said = np.argmax(priced.scores(rows), axis=1)
    for other in (1000.0 * COSTS, COSTS + np.array([[5.0], [0.0], [90.0]])):
        again = cheapest_answers(rows, truth, MistakeCosts(other))
        np.testing.assert_array_equal(np.argmax(again.scores(rows), axis=1), said)
    # A price of giving an answer does.
    dear = MistakeCosts(COSTS + np.array([20.0, 0.0, 20.0]))
    other = np.argmax(cheapest_answers(rows, truth, dear).scores(rows), axis=1)
    assert np.sum(other == 1) > np.sum(said == 1)


def test_equal_prices_leave_what_is_calibrated_as_it_is():
    rows = log_softmax(np.random.default_rng(2).normal(size=(30, 3)), axis=1)
    truth = np.argmax(rows, axis=1)
    assert cheapest_answers(rows, truth, MistakeCosts.equal(3)) is None


METHODS = ["l1", "random_forest", "tefe", "static_prefix"]


@each("method", [*METHODS, "csdt", "csnb"])
def test_a_point_pays_for_its_answers_and_is_what_is_taken_away(method, split):
    points = trace_frontier(method, split.dataset, split=split, mistake_costs=MISTAKES)
    found = list(islice(points, 3))
    assert any(point.priced for point in found) == (method in METHODS)
    for point in found:
        rows, truth = split.X("test"), split.y("test")
        said = labels_of(point, split, "test")
        total = point.cost["mean"] + MISTAKES.cost(truth, said)
        assert total_cost(point) == pytest.approx(total)
        assert point.scores["test"]["accuracy"] == np.mean(said == truth)
        own = evaluate(point.model, split, threshold="default", mistake_costs=MISTAKES)
        held = "validation"
        assert total_cost(point, held) <= total_cost(own, held)
        loaded = load_estimator(
            estimator_skops(point, split.dataset),
            trusted=["sklearn.tree._tree.Tree"],
        )
        np.testing.assert_array_equal(loaded.predict(rows), said)
        decide = classifier_of(point, split.dataset).decider()
        names = split.hypergraph.features
        for row, label in zip(rows[:20], said, strict=False):
            assert decide(dict(zip(names, row, strict=True)).__getitem__) == label


def test_a_point_is_priced_anew_without_training(split):
    first = next(trace_frontier("l1", split.dataset, split=split))
    assert first.priced is None
    priced = price_mistakes(first, split, MISTAKES)
    assert priced.model is first.model
    by_constant = MistakeCosts(COSTS + np.array([[9.0], [2.0], [4.0]]), classes=NAMES)
    again = price_mistakes(first, split, by_constant)
    np.testing.assert_array_equal(
        labels_of(again, split, "test"), labels_of(priced, split, "test")
    )

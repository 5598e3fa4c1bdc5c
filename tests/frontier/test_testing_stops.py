"""Where testing stops paying, and how sure that is."""

import numpy as np
import pytest

from solvers import Frontier, MistakeCosts, free_scores
from solvers.frontier import (
    price_mistakes,
    total_cost,
    trivial_answers,
    where_testing_stops,
)
from solvers.frontier.evaluation import with_threshold
from tests.frontier.heart import HEART, MISTAKES, SPLIT, traced


def frontier(mistakes, points=None):
    floor = free_scores(SPLIT, "neg_total_cost", mistakes)
    points = traced() if points is None else points
    return Frontier(points, score="neg_total_cost", unit=HEART.unit, floor=floor)


def test_testing_stops_where_the_total_is_least_over_all_points():
    found = where_testing_stops(frontier(MISTAKES), SPLIT, MISTAKES)
    least = min(total_cost(point, "validation") for point in traced())
    assert total_cost(found.point, "validation") == least
    assert found.tests == found.point.charged("mean", "validation")
    assert found.total == total_cost(found.point)
    assert found.mistakes == pytest.approx(found.total - found.point.cost["mean"])
    assert found.sentence.startswith("Testing stops paying at ")


def test_no_test_pays_where_mistakes_cost_less_than_tests():
    cheap = MistakeCosts.binary(miss=1.0, false_alarm=0.5)
    points = [
        price_mistakes(point, SPLIT, cheap) for point in traced() if point.n_features
    ]
    found = where_testing_stops(Frontier(points, unit="CAD"), SPLIT, cheap)
    assert (found.point, found.tests) == (None, 0.0)
    assert found.total == min(one.test for one in trivial_answers(SPLIT, cheap))
    assert found.sentence.startswith("No test pays for itself: to answer ill without")


def test_what_is_saved_has_the_error_of_its_rows():
    equal = MistakeCosts.binary(miss=500.0, false_alarm=500.0)
    points = [price_mistakes(point, SPLIT, equal) for point in traced()]
    found = where_testing_stops(frontier(equal, points), SPLIT, equal)
    model = with_threshold(found.point.model, found.point.threshold, HEART)
    X, y = SPLIT.X("test"), SPLIT.y("test")
    wrong, trivial = (500.0 * (y != said) for said in (model.predict(X), "healthy"))
    saved = trivial - wrong - found.point.model.prediction_cost(X)
    assert found.trivial.label == "healthy"
    assert found.saved == pytest.approx(saved.mean())
    assert found.error == pytest.approx(saved.std(ddof=1) / np.sqrt(len(saved)))
    assert not found.is_noise
    assert found.sentence.endswith(found.verdict)
    assert found.verdict.startswith("Testing saves ")

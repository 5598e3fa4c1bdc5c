"""Tests and mistakes in one currency, from point to frontier."""

from dataclasses import replace

import numpy as np
import pytest

from solvers import (
    Frontier,
    MistakeCosts,
    compare_methods,
    evaluate,
    free_scores,
    trace_frontier,
)
from solvers.errors import DataError, ThriftscopeError
from solvers.frontier import price_mistakes, total_cost, trivial_answers
from solvers.frontier.evaluation import with_threshold
from tests.frontier.heart import HEART, MISTAKES, SPLIT, traced

TOTAL = "neg_total_cost"


def frontier(points=None, **options):
    floor = free_scores(SPLIT, TOTAL, MISTAKES)
    points = traced() if points is None else points
    return Frontier(points, score=TOTAL, unit=HEART.unit, floor=floor, **options)


def by_hand(point, part):
    """Tests and mistakes of the rows of a part, one after the other."""
    model, total = with_threshold(point.model, point.threshold, HEART), 0.0
    rows, truth = SPLIT.X(part), SPLIT.y(part)
    paid = point.model.prediction_cost(rows)
    for true, said, tests in zip(truth, model.predict(rows), paid, strict=True):
        miss = 1000.0 if (true, said) == ("ill", "healthy") else 0.0
        total += tests + (100.0 if (true, said) == ("healthy", "ill") else miss)
    return total / len(truth)


def test_a_point_pays_what_its_rows_do_counted_one_by_one():
    for point in traced()[::5]:
        for part in ("validation", "test"):
            assert total_cost(point, part) == pytest.approx(by_hand(point, part))


def test_the_order_of_names_is_nothing_to_the_total():
    turned = MISTAKES.for_classes(["healthy", "ill"]).for_classes(["ill", "healthy"])
    again = price_mistakes(traced()[3], SPLIT, turned)
    assert again.scores == traced()[3].scores
    assert again.decision_seconds == traced()[3].decision_seconds


def test_a_constant_where_a_class_is_true_moves_every_total_alike():
    more = MistakeCosts(MISTAKES.costs + np.array([[20.0], [300.0]]))
    share = np.mean(SPLIT.y("test") == "ill")
    for point in traced()[::6]:
        other = price_mistakes(point, SPLIT, more)
        assert other.threshold == point.threshold
        added = total_cost(other) - total_cost(point)
        assert added == pytest.approx(300.0 * share + 20.0 * (1.0 - share))


def test_less_is_better_wherever_points_are_compared():
    axes = frontier()
    kept = axes.undominated()
    totals = [total_cost(point, "validation") for point in kept]
    assert totals == sorted(totals, reverse=True)
    assert len(set(totals)) == len(totals)
    for budget in (5.0, 30.0, np.inf):
        allowed = [p for p in traced() if axes.held(p) <= budget]
        least = min(total_cost(point, "validation") for point in allowed)
        assert total_cost(axes.best_within(budget), "validation") == least
    # No budget buys more than the one answer for all that costs least on average.
    bought, free = (f.hypervolume(100.0, "validation") for f in (axes, frontier(())))
    assert bought > free
    assert frontier(()).hypervolume(100.0) == pytest.approx(axes.floor["test"])


def test_one_answer_for_all_costs_the_mistakes_of_the_others():
    share = np.mean(SPLIT.y("test") == "ill")
    healthy, ill = trivial_answers(SPLIT, MISTAKES)
    assert healthy.label == "healthy"
    assert healthy.test == pytest.approx(1000.0 * share)
    assert ill.test == pytest.approx(100.0 * (1.0 - share))
    assert free_scores(SPLIT, TOTAL, MISTAKES)["test"] == pytest.approx(-ill.test)


def test_deciding_is_a_part_of_the_total_where_it_is_charged():
    point = replace(traced()[0], decision_seconds={"one_row": 2.0, "batch_row": 1.0})
    axes = Frontier([point], score=TOTAL, charge="one_row", unit="s")
    assert axes.scored(point) == pytest.approx(-total_cost(point) - 2.0)


def test_a_rate_is_asked_for_where_units_do_not_compare():
    dollars = MistakeCosts.binary(miss=1.0, false_alarm=1.0, unit="USD")
    with pytest.raises(DataError, match="Mistakes cost 'USD' and tests 'CAD'"):
        trace_frontier("static_prefix", HEART, mistake_costs=dollars)
    rated = MistakeCosts.binary(
        miss=500.0, false_alarm=50.0, unit="USD", rate=0.5, per="CAD"
    )
    again = price_mistakes(traced()[3], SPLIT, rated)
    assert total_cost(again) == pytest.approx(total_cost(traced()[3]))


def test_a_point_without_prices_of_mistakes_is_refused_in_a_sentence():
    plain = evaluate(traced()[0].model, SPLIT)
    with pytest.raises(ThriftscopeError, match="trace it with mistake_costs="):
        total_cost(plain)
    with pytest.raises(ThriftscopeError, match="What mistakes cost is not known"):
        free_scores(SPLIT, TOTAL)
    with pytest.raises(ThriftscopeError, match="has no 'neg_total_cost'"):
        Frontier([plain], score=TOTAL)


def test_methods_are_compared_by_what_tests_and_mistakes_cost():
    found = compare_methods(
        HEART,
        {"static_prefix": {}},
        score=TOTAL,
        mistake_costs=MISTAKES,
        chosen=("static_prefix", dict(traced()[3].params)),
    )
    least = max(traced(), key=lambda point: point.scores["validation"][TOTAL])
    assert found.best.scores == least.scores
    assert found.point.scores == traced()[3].scores
    assert found.floor == free_scores(SPLIT, TOTAL, MISTAKES)["test"]

"""Points are chosen on validation and read on test; a budget is never overspent."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import Frontier, FrontierPoint, ThriftscopeError
from solvers.decisions.row_costs import RowCosts, accounts
from tests.each import each


def point(cost, validation, test=None, method="m", p95=None):
    return FrontierPoint(
        method=method,
        params={"alpha": 1.0},
        features=np.array([True, False]),
        n_features=1,
        n_components=1,
        cost={"mean": cost, "p95": cost if p95 is None else p95, "max": 2 * cost},
        scores={
            "validation": {"f1": validation},
            "test": {"f1": validation if test is None else test},
        },
        seconds=0.1,
    )


points = st.lists(
    st.builds(point, st.floats(0, 10), st.floats(0, 1), st.floats(0, 1)),
    min_size=1,
    max_size=12,
)


def test_a_point_that_costs_more_and_scores_less_is_dominated():
    cheap, dear, silly = point(1, 0.7), point(3, 0.9), point(2, 0.6)
    kept = Frontier([dear, silly, cheap]).undominated()
    assert list(kept) == [cheap, dear]


def test_test_scores_choose_nothing():
    lucky, solid = point(1, 0.6, test=0.99), point(1, 0.8, test=0.7)
    assert Frontier([lucky, solid]).best_within(5) is solid
    assert list(Frontier([lucky, solid]).undominated()) == [solid]


def test_nothing_fits_an_empty_purse():
    assert Frontier([point(1, 0.9)]).best_within(0.5) is None
    assert Frontier([]).best_within(1) is None


def test_the_cheapest_of_equals_is_bought():
    cheap = point(1, 0.9)
    assert Frontier([point(2, 0.9), cheap]).best_within(5) is cheap


def test_accounting_decides_what_fits():
    spiky = point(1, 0.9, p95=8)
    assert Frontier([spiky], "mean").best_within(2) is spiky
    assert Frontier([spiky], "p95").best_within(2) is None


def test_hypervolume_of_one_step():
    # .5 from 2 on, of a square of 10: (10 - 2) * .5 / 10
    assert Frontier([point(2, 0.5)]).hypervolume(10) == pytest.approx(0.4)


def test_hypervolume_of_stairs():
    stairs = Frontier([point(0, 0.2), point(4, 0.5), point(8, 1.0)])
    assert stairs.hypervolume(10) == pytest.approx((4 * 0.2 + 4 * 0.5 + 2) / 10)


def test_what_is_free_counts_left_of_the_first_point():
    # .3 up to 2, then .8 up to 10: (2 * .3 + 8 * .8) / 10
    floor = {"validation": 0.3, "test": 0.3}
    above = Frontier([point(2, 0.8)], floor=floor)
    assert above.hypervolume(10) == pytest.approx(0.7)


def test_the_floor_is_chosen_on_validation_and_read_on_test():
    # The point is below the floor on validation rows: nobody would pay for it, though
    # test rows like it. What is left is the floor of the test rows.
    floor = {"validation": 0.6, "test": 0.4}
    poor = Frontier([point(2, 0.5, test=0.9)], floor=floor)
    assert poor.best_within(10) is None
    assert len(poor.undominated()) == 0
    assert poor.hypervolume(10) == pytest.approx(0.4)


def test_without_any_point_the_floor_is_the_whole_frontier():
    floor = {"validation": 0.5, "test": 0.45}
    assert Frontier([], floor=floor).hypervolume(3) == pytest.approx(0.45)


def test_the_floor_stays_with_the_points_of_one_method():
    floor = {"validation": 0.5, "test": 0.5}
    both = Frontier([point(1, 0.7), point(2, 0.8, method="other")], floor=floor)
    assert both.of("other").hypervolume(4) == pytest.approx((2 * 0.5 + 2 * 0.8) / 4)


@given(points, st.floats(0, 1))
def test_a_floor_is_the_same_as_a_point_that_costs_nothing(found, worth):
    floor = {"validation": worth, "test": worth}
    free = point(0, worth)
    # A point that costs nothing and is as good on validation rows is not told apart.
    paid = [p for p in found if p.cost["mean"] > 0]
    known = Frontier(paid, floor=floor).hypervolume(10)
    assert known == pytest.approx(Frontier([free, *paid]).hypervolume(10))


def test_a_floor_without_test_rows_is_refused():
    with pytest.raises(ThriftscopeError, match="on validation and on test rows"):
        Frontier([], floor={"validation": 0.5})


@given(points, st.floats(0, 12))
def test_a_budget_is_never_overspent_and_buys_the_best(found, budget):
    best = Frontier(found).best_within(budget)
    affordable = [p for p in found if p.cost["mean"] <= budget]
    if best is None:
        assert not affordable
    else:
        top = max(p.scores["validation"]["f1"] for p in affordable)
        assert best.scores["validation"]["f1"] == top


@given(points)
def test_no_undominated_point_is_beaten(found):
    for kept in Frontier(found).undominated():
        assert not any(
            other.cost["mean"] <= kept.cost["mean"]
            and other.scores["validation"]["f1"] > kept.scores["validation"]["f1"]
            for other in found
        )


@given(points, st.builds(point, st.floats(0, 10), st.floats(0, 1)))
def test_hypervolume_on_validation_never_falls_by_a_point(found, another):
    before = Frontier(found).hypervolume(10, "validation")
    after = Frontier([*found, another]).hypervolume(10, "validation")
    assert after >= before - 1e-12


def test_the_table_has_a_row_a_point():
    table = Frontier([point(1, 0.7), point(2, 0.8, method="other")]).to_frame()
    assert table["method"].tolist() == ["m", "other"]
    assert {"cost_mean", "test_f1", "validation_f1", "param_alpha"} <= set(table)


def test_of_keeps_one_method():
    both = Frontier([point(1, 0.7), point(2, 0.8, method="other")])
    assert [p.method for p in both.of("other")] == ["other"]


def test_an_unknown_accounting_is_refused():
    with pytest.raises(ThriftscopeError, match='"mean", "p95" or "max"'):
        Frontier([], "median")


def test_a_full_cost_of_nothing_is_refused():
    with pytest.raises(ThriftscopeError, match="above 0"):
        Frontier([point(1, 0.5)]).hypervolume(0)


def lazy(costs, validation, deciding=None, largest=None):
    rows = np.asarray(costs, dtype=float)
    return replace(
        point(rows.mean(), validation),
        validation_cost=accounts(rows),
        validation_rows=RowCosts(rows, largest=largest or rows.max()),
        decision_seconds=deciding,
    )


def test_a_confidence_keeps_a_margin_for_other_rows():
    steady, spiky = lazy([4.0] * 20, 0.8), lazy([0.0, 9.8] * 10, 0.9, largest=12.0)
    assert Frontier([steady, spiky]).best_within(5) is spiky
    sure = Frontier([steady, spiky], confidence=0.95)
    assert sure.best_within(5) is steady
    assert sure.held(spiky) > 5 > Frontier([spiky]).held(spiky)
    # What some budget buys is what stands on the frontier.
    assert [sure.best_within(sure.held(p)) for p in sure.undominated()] == list(
        sure.undominated()
    )


def test_a_confidence_needs_to_know_what_each_row_costs():
    with pytest.raises(ThriftscopeError, match="what each row costs"):
        Frontier([point(1, 0.9)], confidence=0.95).best_within(5)
    with pytest.raises(ThriftscopeError, match="confidence is 0"):
        Frontier([], confidence=0.3)


SLOW = {"one_row": 3e-3, "batch_row": 1e-6}
QUICK = {"one_row": 1e-3, "batch_row": 2e-6}


def test_deciding_is_charged_on_request_in_the_unit_of_the_costs():
    one = lazy([2.0, 4.0], 0.9, SLOW)
    assert Frontier([one], unit="us").cost(one) == 3.0
    assert Frontier([one], charge="one_row", unit="ms").cost(one) == pytest.approx(6)
    many = Frontier([one], charge="batch_row", unit="us")
    assert many.cost(one, "validation") == pytest.approx(4.0)
    assert many.of("m").cost(one) == many.cost(one)


def test_a_budget_pays_for_deciding_where_that_is_charged():
    slow, quick = lazy([2.0], 0.9, SLOW), lazy([3.0], 0.8, QUICK)
    assert Frontier([slow, quick], unit="ms").best_within(4.5) is slow
    charged = Frontier([slow, quick], charge="one_row", unit="ms")
    assert charged.best_within(4.5) is quick
    assert list(charged.undominated()) == [quick, slow]


def test_deciding_is_charged_only_where_costs_are_times_and_it_was_timed():
    with pytest.raises(ThriftscopeError, match="costs are in 'CAD'"):
        Frontier([], charge="one_row", unit="CAD")
    with pytest.raises(ThriftscopeError, match="The charge is 'all'"):
        Frontier([], charge="all")
    with pytest.raises(ThriftscopeError, match="was not measured"):
        Frontier([], charge="one_row").cost(point(1, 0.9))


@each("points", [(), (point(1, 0.9),)])
def test_a_score_that_there_is_not_is_refused_with_those_there_are(points):
    with pytest.raises(ThriftscopeError, match=r"'auc'; choose from f1, .*roc_auc"):
        Frontier(points, score="auc")


def test_a_score_that_a_point_has_not_is_refused():
    """As of three classes, which nothing ranks."""
    with pytest.raises(ThriftscopeError, match="m has no 'roc_auc'; choose from f1"):
        Frontier([point(1, 0.9)], score="roc_auc")

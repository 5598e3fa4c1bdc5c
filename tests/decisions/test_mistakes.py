"""What mistakes cost: the cheapest answer by brute force, and what changes none."""

import numpy as np
import pytest
from sklearn.base import clone

from solvers import MistakeCosts
from solvers.errors import DataError
from tests.each import each

MISTAKES = MistakeCosts([[0, 2, 9], [4, 1, 3], [30, 8, 0]])
RNG = np.random.default_rng(0)
CHANCES = RNG.dirichlet(np.ones(3), size=400)
TRUTH = RNG.integers(0, 3, 400)


def told(**options):
    return MistakeCosts.binary(miss=100.0, false_alarm=5.0, **options)


def test_the_answer_is_the_cheapest_by_looking_at_each():
    for chance, said in zip(CHANCES, MISTAKES.answer(CHANCES), strict=True):
        each = [
            sum(chance[t] * MISTAKES.costs[t, a] for t in range(3)) for a in (0, 1, 2)
        ]
        assert each[said] == pytest.approx(min(each))


def test_elkans_threshold_parts_what_is_called_positive_from_what_is_not():
    costs = MistakeCosts([[1.0, 6.0], [100.0, 2.0]])
    p = np.linspace(0.0, 1.0, 1001)
    assert costs.threshold() == pytest.approx(5.0 / 103.0)
    np.testing.assert_array_equal(costs.answer(p) == 1, p > costs.threshold())


def test_a_constant_in_a_row_changes_no_answer_and_one_in_a_column_does():
    in_rows = MistakeCosts(MISTAKES.costs + np.array([[7.0], [0.5], [3.0]]))
    np.testing.assert_array_equal(in_rows.answer(CHANCES), MISTAKES.answer(CHANCES))
    np.testing.assert_allclose(in_rows.excess, MISTAKES.excess)
    shares = np.bincount(TRUTH) / len(TRUTH)
    more = in_rows.cost(TRUTH, TRUTH) - MISTAKES.cost(TRUTH, TRUTH)
    assert more == pytest.approx(shares @ [7.0, 0.5, 3.0])
    in_column = MistakeCosts(MISTAKES.costs + np.array([0.0, 1.5, 1.5]))
    assert (in_column.answer(CHANCES) != MISTAKES.answer(CHANCES)).any()


def test_a_factor_changes_no_answer_and_multiplies_what_answers_cost():
    larger = MistakeCosts(3.0 * MISTAKES.costs)
    np.testing.assert_array_equal(larger.answer(CHANCES), MISTAKES.answer(CHANCES))
    said = MISTAKES.answer(CHANCES)
    assert larger.cost(TRUTH, said) == pytest.approx(3.0 * MISTAKES.cost(TRUTH, said))


def test_a_weight_of_two_is_a_row_written_twice():
    said, weight = MISTAKES.answer(CHANCES), RNG.integers(0, 3, len(TRUTH))
    written = MISTAKES.cost(TRUTH.repeat(weight), said.repeat(weight))
    assert MISTAKES.cost(TRUTH, said, weight) == pytest.approx(written)
    always = [MISTAKES.cost(TRUTH, np.full(len(TRUTH), a), weight) for a in range(3)]
    np.testing.assert_allclose(MISTAKES.always(TRUTH, weight), always)


def test_names_are_found_in_any_order_and_as_people_write_them():
    named = told(classes=("0", "1"))
    turned = named.for_classes([1, 0])
    assert turned.costs.tolist() == [[0.0, 100.0], [5.0, 0.0]]
    assert turned.cost([1.0, 0.0], [0, 1]) == 52.5
    # Without names the second of two is the positive one, or the one that is said.
    assert told().for_classes(["ill", "well"], "ill") == told(
        classes=("well", "ill")
    ).for_classes(["ill", "well"])
    assert told().for_classes(["ham", "spam"]).costs.tolist() == told().costs.tolist()
    said = told().for_classes(["ham", "spam"]).answer([0.01, 0.5])
    assert said.tolist() == ["ham", "spam"]


def test_a_rate_puts_money_beside_time():
    dollars = told(unit="USD", rate=2.0, per="s")  # a second is worth 2 dollars
    assert dollars.in_unit("ms").costs[1, 0] == pytest.approx(50_000.0)
    assert dollars.in_unit("USD").costs[1, 0] == 100.0
    assert told(unit="s").in_unit("us").costs[0, 1] == pytest.approx(5e6)
    assert told().in_unit("CAD").unit == "CAD"
    with pytest.raises(
        DataError, match="Mistakes cost 'USD' and tests 'us'; say by `r"
    ):
        told(unit="USD").in_unit("us")


def test_it_is_a_value():
    assert told() == told()
    assert hash(told()) == hash(told())
    assert told() != told(unit="USD")
    assert told() != 1
    assert clone(told()) is not None
    assert repr(told(unit="USD")) == "MistakeCosts(miss=100, false_alarm=5, unit='USD')"
    assert repr(MistakeCosts.equal(3)).startswith("MistakeCosts([[0.0, 1.0, 1.0]")
    with pytest.raises(ValueError, match="read-only"):
        MISTAKES.costs[0, 0] = 1.0


@each(
    ("make", "says"),
    [
        (lambda: MistakeCosts([[0, 1]]), "have shape .1, 2.; give a row for each"),
        (lambda: MistakeCosts([[0, 1], [-3, 0]]), "A mistake costs -3"),
        (lambda: MistakeCosts([[0, np.nan], [1, 0]]), "hold nan at .0, 1."),
        (lambda: MistakeCosts([[2, 2], [1, 1]]), "Every answer costs the same, 2"),
        (lambda: MistakeCosts([[5, 1], [1, 0]]), "the right answer costs 5, and ans"),
        (
            lambda: told(classes=("a", "b", "c")),
            "priced for 2 classes, and there are 3",
        ),
        (lambda: told(classes=(1, "1")), "Two classs? are called '1'"),
        (lambda: told(rate=2.0), "lacks a half"),
        (lambda: told(rate=2.0, per="s"), "has no unit"),
        (lambda: told(unit="USD", rate=0.0, per="s"), "The rate is 0 USD"),
        (lambda: MISTAKES.threshold(), "Between 3 classes there is no one threshold"),
        (lambda: told().cost([0, 2], [0, 1]), "priced for 0, 1, not for 2"),
        (lambda: told().cost([0], [0, 1]), "1 true classes and 2 answers"),
        (lambda: told().answer(CHANCES), "shape .400, 3.; give one for each of the 2"),
        (lambda: told().for_classes(["a", "b", "c"]), "for 2 classes, and there are 3"),
        (lambda: told(classes="ab").for_classes("ac"), "for 'a', 'b', not for 'c'"),
    ],
)
def test_what_is_no_price_of_mistakes_is_refused_in_a_sentence(make, says):
    with pytest.raises(DataError, match=says):
        make()

"""What a basket holds is paid once, and each purchase has its line."""

import pytest

from solvers.decisions.basket import Basket, FeatureValues, added_by, bill_lines
from tests.each import each

NEEDS = {"peak": ("fft", "max"), "energy": ("fft",), "mean": ("mean",)}
COSTS = {"fft": 3.0, "max": 0.5, "mean": 1.0}


def test_a_feature_that_is_computed_is_computed_once():
    asked = []
    values = FeatureValues({"mean": lambda: asked.append("mean") or 2})
    assert (values["mean"], values["mean"]) == (2.0, 2.0)
    assert asked == ["mean"]


@each(
    ("sample", "sentence"),
    [({}, "no feature 'mean'"), ({"mean": float("nan")}, "'mean' is nan; give a fin")],
)
def test_what_is_no_number_is_refused_by_name(sample, sentence):
    with pytest.raises(ValueError, match=sentence):
        FeatureValues(sample)["mean"]


def test_what_is_shared_is_added_once():
    assert added_by(["peak", "energy"], [], NEEDS, COSTS) == 3.5
    assert added_by(["peak"], ["energy"], NEEDS, COSTS) == 0.5
    assert added_by(["energy"], ["peak"], NEEDS, COSTS) == 0.0


def test_lines_add_up_and_name_what_was_there():
    basket = Basket(FeatureValues({"energy": 1, "peak": 2, "mean": 3}))
    for name in ("energy", "peak", "mean"):
        assert basket.columns[name] > 0
        if name != "peak":
            basket.say([basket.features[name]])
    lines = bill_lines(list(basket.features), basket.said, NEEDS, COSTS)
    assert [line.cost for line in lines] == [3.0, 0.5, 1.0]
    assert [line.already_paid for line in lines] == [(), ("fft",), ()]
    assert [line.score for line in lines] == [1.0, None, 3.0]

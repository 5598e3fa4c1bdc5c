"""Features are read one by one, and what is no finite number is refused by name."""

import numpy as np
import pytest

from solvers.decisions.lazy_features import Journey, Stop, feature_reader, finite_number
from solvers.errors import DataError


class Sample:
    """Computes a feature when it is asked for, and notes that it was."""

    def __init__(self):
        self.asked = []

    def feature(self, name):
        self.asked.append(name)
        return len(name)


def _stop(stage, features, cost, leaves=False):
    return Stop(
        stage=stage,
        features=features,
        values=np.ones(len(features)),
        label=f"said at {stage}",
        cost=cost,
        seconds=0.1 * stage,
        leaves=leaves,
    )


def test_a_feature_is_computed_when_it_is_asked_for_and_no_other():
    sample = Sample()
    read = feature_reader(sample, ("peak", "mean", "energy"))
    assert sample.asked == []
    assert read(2) == 6.0
    assert sample.asked == ["energy"]


def test_a_function_of_names_will_do():
    read = feature_reader({"a": 1, "b": 2.5}.__getitem__, ("a", "b"))
    assert [read(0), read(1)] == [1.0, 2.5]


@pytest.mark.parametrize("answer", [3, np.float32(3), np.array(3.0), "3"])
def test_numbers_of_any_kind_are_read(answer):
    assert finite_number(answer, "x") == 3.0


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.nan, "The extractor gave nan for feature 'peak'"),
        (-np.inf, "The extractor gave -inf for feature 'peak'"),
        (None, "The extractor gave None for feature 'peak'"),
        (None, "or read the table with kinds={'peak': {'has_gaps': True}} and train"),
        ([1, 2], "The extractor gave [1, 2] for feature 'peak'"),
        ("loud", "The extractor gave 'loud' for feature 'peak'"),
        (10**400, "for feature 'peak'; let it give one finite number"),
    ],
)
def test_what_is_no_finite_number_is_refused_by_the_feature_s_name(answer, said):
    with pytest.raises(DataError) as refusal:
        finite_number(answer, "peak")
    assert said in str(refusal.value)


def test_a_journey_ends_as_its_last_stop_says():
    journey = Journey((_stop(0, ("a",), 1.0), _stop(3, ("b", "c"), 4.5, True)))
    assert journey.features == ("a", "b", "c")
    assert (journey.stage, journey.cost) == (3, 4.5)
    assert journey.label == "said at 3"
    assert journey.seconds == pytest.approx(0.3)

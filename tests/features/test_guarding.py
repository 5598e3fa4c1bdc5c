"""What functions are given they cannot change without being named."""

import copy
import dataclasses
import functools
import warnings

import numpy as np
import pandas as pd
import pytest

from solvers.errors import PipelineError
from solvers.features.pipeline import FeaturePipeline, Step
from solvers.features.plan import guarded, refuse_change
from tests.each import each


@dataclasses.dataclass
class Recording:
    values: object


def first_to_zero(values):
    values[0] = 0.0


def nested_to_zero(held):
    held["parts"][0][0] = 0.0


def row_to_zero(table):
    table.iloc[0, 0] = 0.0


def values_to_zero(recording):
    recording.values[0] = 0.0


def other_values(recording):
    recording.values = [0.0]


CHANGES = {
    "array": (np.array([1.0, 2.0]), first_to_zero),
    "list": ([1.0, 2.0], first_to_zero),
    "list of lists": ([[1.0], [2.0]], lambda rows: rows[0].append(3.0)),
    "dictionary": ({"parts": [np.ones(2)]}, nested_to_zero),
    "set": ({1.0, 2.0}, lambda held: held.add(3.0)),
    "table": (pd.DataFrame({"a": [1.0, 2.0]}), row_to_zero),
    "array of lists": (
        np.array([[1.0], [2.0], None], dtype=object),
        lambda held: held[0].append(1),
    ),
    "attribute": (Recording([1.0]), other_values),
    "array in an object": (Recording(np.ones(2)), values_to_zero),
}


def total(values):
    return 1.0


def size(values):
    return 2.0


def changing(change, on):
    """A function that changes what it is given from some call on."""
    calls = []

    def changing(values):
        calls.append(1)
        if len(calls) > on:
            change(values)
        return float(len(calls))

    return changing


@each("kind", CHANGES)
@each("on", [0, 2], ids=["at once", "on the third sample"])
def test_a_function_that_changes_its_input_is_refused_with_the_sample(kind, on):
    value, change = copy.deepcopy(CHANGES[kind])
    step = Step("changing", changing(change, on), ["values"])
    pipeline = FeaturePipeline([total, step, size], inputs=["values"])
    if isinstance(value, pd.DataFrame):  # it is copied before it is changed
        pipeline.extract([value] * 3)
        assert value.iloc[0, 0] == 1.0
        return
    with pytest.raises(PipelineError, match=rf"'changing' .*copy; it was sample {on}"):
        pipeline.extract([value] * 3)


@each("kind", CHANGES)
def test_what_a_component_gives_is_as_safe_as_a_sample(kind):
    value, change = CHANGES[kind]
    steps = [
        Step("made", lambda x: copy.deepcopy(value), ["x"]),
        Step("changing", lambda made: change(made) or 1.0, ["made"]),
        Step("other", lambda made: float(str(made) == before), ["made"]),
    ]
    before = str(value)
    pipeline = FeaturePipeline(steps, inputs=["x"], features=["changing", "other"])
    if isinstance(value, pd.DataFrame):
        assert pipeline.extract([0]).tolist() == [[1.0, 1.0]]
        return
    with pytest.raises(PipelineError, match=r"Function 'changing' .*let it work on a"):
        pipeline.extract([0])
    with pytest.raises(PipelineError, match=r"'changing' .*it was the sample"):
        pipeline.open(0).feature("changing")


def test_a_shape_that_one_function_sets_is_not_seen_by_the_next():
    def reshaping(values):
        values.shape = (2, 2)
        return float(values[1, 1])

    pipeline = FeaturePipeline(
        [reshaping, Step("n", lambda values: float(values.ndim), ["values"])],
        inputs=["values"],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert pipeline.extract([np.arange(4.0)]).tolist() == [[3.0, 1.0]]


def test_numbers_and_words_need_no_guard_and_arrays_stay_their_own():
    assert guarded(1.5) == guarded("a") == guarded(np.float32(1)) == (None, None)
    values = np.ones(2)
    give, is_same = guarded(values)
    assert is_same is None
    assert np.shares_memory(give(), values)
    values[0] = 2.0  # its owner may
    assert give()[0] == 2.0


class Remembering:
    """A sample that keeps what it has computed."""

    def __init__(self, values):
        self.values, self.sum = values, None

    def total(self):
        if self.sum is None:
            self.sum = float(sum(self.values))
        return self.sum

    @functools.cached_property
    def highest(self):
        return max(self.values)


def test_a_sample_may_remember_what_it_has_computed():
    functions = {"total": Remembering.total, "highest": lambda one: one.highest}
    steps = [Step(name, f, ["one"]) for name, f in functions.items()]
    pipeline = FeaturePipeline(steps, inputs=["one"])
    assert pipeline.extract([Remembering([1.0, 2.0])]).tolist() == [[3.0, 2.0]]


def test_the_sentence_says_what_to_do():
    with pytest.raises(
        PipelineError, match="'f' changes what it is given; let it work"
    ):
        refuse_change("f")

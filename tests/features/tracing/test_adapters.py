"""A library that is missing names its extra; tracing one may be left."""

import sys

import numpy as np
import pytest

from solvers.errors import PipelineError
from solvers.features.tracing import tracing
from solvers.features.tracing.adapters import tsfel_features
from tests.features.tracing.windows import windows


def test_a_library_that_is_not_there_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "tsfel", None)
    sentence = r"needs tsfel, which cannot be imported .*'thriftscope\[tsfel\]'"
    with pytest.raises(PipelineError, match=sentence):
        tsfel_features()


def test_tracing_of_a_library_can_be_left_at_any_time():
    steps = tracing(a_library(), windows(3, 100))
    next(steps)
    assert next(steps).seconds_left is not None
    steps.close()


def a_library():
    return {"mean": np.mean, "max": np.max}

"""What adapters give is what the libraries give, to the last bit."""

import sys

import numpy as np
import pytest

from solvers import trace_extractor
from solvers.errors import PipelineError
from solvers.features.tracing import tracing
from solvers.features.tracing.adapters import (
    catch22_features,
    hamilton_pipeline,
    tsfel_features,
    tsfresh_features,
)
from tests.features.tracing.windows import bits, windows


def test_catch22_gives_its_own_values():
    pycatch22 = pytest.importorskip("pycatch22")
    traced = trace_extractor(catch22_features(catch24=True), windows(3, 200))
    trimmed = traced.trim(traced.features)
    for window in windows(1000, 200):
        theirs = pycatch22.catch22_all(window, catch24=True)
        assert list(traced.features) == theirs["names"]
        assert bits(trimmed(window)) == bits(theirs["values"])


@pytest.mark.parametrize(
    ("module", "adapter", "extra"),
    [
        ("tsfel", tsfel_features, "tsfel"),
        ("tsfresh.feature_extraction", tsfresh_features, "tsfresh"),
        ("pycatch22", catch22_features, "catch22"),
        ("hamilton.driver", lambda: hamilton_pipeline(None, [], []), "hamilton"),
    ],
)
def test_a_library_that_is_not_there_names_its_extra(
    module, adapter, extra, monkeypatch
):
    monkeypatch.setitem(sys.modules, module, None)
    name = module.split(".")[0]
    sentence = rf"^{name} cannot be imported .*install thriftscope\[{extra}\]"
    with pytest.raises(PipelineError, match=sentence):
        adapter()


def test_tracing_of_a_library_can_be_left_at_any_time():
    steps = tracing(catch22_like(), windows(3, 100))
    next(steps)
    assert next(steps).seconds_left is not None
    steps.close()


def catch22_like():
    return {"mean": np.mean, "max": np.max}

"""The graph of a driver is the hypergraph."""

import sys
import types

import numpy as np
import pytest

from solvers.errors import PipelineError
from solvers.features.tracing.adapters import hamilton_pipeline
from tests.features.tracing.windows import bits, windows

NODES = """
import numpy as np

def spectrum(signal: np.ndarray) -> np.ndarray:
    return np.abs(np.fft.rfft(signal))

def peak(spectrum: np.ndarray) -> float:
    return float(spectrum.max())

def energy(spectrum: np.ndarray, scale: float, power: int = 2) -> float:
    return float((spectrum ** power).sum() * scale)

def mean(signal: np.ndarray) -> float:
    return float(signal.mean())

def outside(unknown: float) -> float:
    return unknown
"""


@pytest.fixture
def driver(monkeypatch):
    hamilton = pytest.importorskip("hamilton.driver")
    module = types.ModuleType("nodes_under_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(NODES, vars(module))
    return hamilton.Builder().with_modules(module).with_config({"scale": 0.5}).build()


@pytest.mark.filterwarnings("ignore")
def test_the_graph_of_a_driver_is_the_hypergraph(driver):
    wanted = ["energy", "peak", "mean"]
    pipeline = hamilton_pipeline(driver, wanted, ["signal"])
    graph = pipeline.hypergraph()
    assert set(pipeline.components) == {"spectrum", *wanted}
    assert graph.cost("peak") == 2
    assert graph.cost(["peak", "energy"]) == 3
    trimmed = pipeline.trim(wanted)
    for signal in windows(1000, 64):
        theirs = driver.execute(wanted, inputs={"signal": signal})
        assert bits(trimmed(signal)) == bits(theirs[n] for n in wanted)


@pytest.mark.filterwarnings("ignore")
def test_what_is_given_may_replace_a_node_or_a_default(driver):
    pipeline = hamilton_pipeline(driver, ["energy"], ["spectrum", "power"])
    assert pipeline.components == ("energy",)
    (value,) = pipeline.trim(["energy"])({"spectrum": np.ones(4), "power": 3})
    assert value == 2.0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        (["absent"], "The driver has no node 'absent'; its nodes are"),
        (["outside"], "Node 'outside' needs 'unknown', which is neither"),
    ],
)
def test_nodes_that_cannot_be_computed_are_refused(driver, features, sentence):
    with pytest.raises(PipelineError, match=sentence):
        hamilton_pipeline(driver, features, ["signal"])

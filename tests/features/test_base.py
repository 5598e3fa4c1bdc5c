"""Whatever computes features is priced, trimmed, opened and refused alike."""

import numpy as np
import pytest

from solvers import FeaturePipeline
from solvers.errors import HypergraphError, PipelineError
from tests.features.tracing.signals import SIGNALS, traced_all


def spectrum(signal):
    return np.abs(np.fft.rfft(signal))


def peak(signal):
    return spectrum(signal).max()


def energy(signal):
    return (spectrum(signal) ** 2).sum()


def mean(signal):
    return signal.mean()


def declared():
    functions = [
        spectrum,
        lambda spectrum: spectrum.max(),
        lambda spectrum: (spectrum**2).sum(),
        mean,
    ]
    functions[1].__name__, functions[2].__name__ = "peak", "energy"
    wanted = ["peak", "energy", "mean"]
    return FeaturePipeline(functions, inputs=["signal"], features=wanted)


@pytest.fixture(params=["declared", "traced"])
def extractor(request):
    return declared() if request.param == "declared" else traced_all(OURS)


OURS = [peak, energy, mean]
PRICES = {"spectrum": 5.0, "peak": 1.0, "energy": 2.0, "mean": 3.0}


def test_values_are_those_of_the_functions_all_some_or_one_at_a_time(extractor):
    plain = np.array([[function(one) for function in OURS] for one in SIGNALS])
    assert np.array_equal(extractor.extract(SIGNALS), plain)
    some = extractor.trim(["energy", "peak"])
    assert some.features == ("peak", "energy")
    assert some(SIGNALS[0]) == tuple(plain[0, :2])
    opened = extractor.open(SIGNALS[0])
    assert [opened.feature(name) for name in extractor.features] == plain[0].tolist()
    assert set(opened.paid) == set(extractor.components)


def test_what_is_shared_is_paid_once_and_told(extractor):
    graph = extractor.hypergraph(PRICES, unit="ms")
    assert (graph.unit, graph.cost(["peak"]), graph.cost(["peak", "energy"])) == (
        "ms",
        6.0,
        8.0,
    )
    (shared,) = extractor.shared_at(graph)
    assert (shared.component, shared.cost, shared.calls) == ("spectrum", 5.0, 2)
    assert shared.features == ("peak", "energy")
    assert str(shared) == (
        "spectrum: 5.00 us, behind 2 features; they would compute it 2 times"
    )


def test_costs_are_measured_after_each_repeat(extractor):
    *_, last = extractor.measuring(SIGNALS, 2)
    assert (last.repeats, last.n_samples) == (2, len(SIGNALS))
    assert set(last.hypergraph.components) == set(PRICES)
    assert extractor.measure(SIGNALS, 1).repeats == 1


def test_unknown_names_are_refused(extractor):
    with pytest.raises(HypergraphError, match="did you mean 'mean'"):
        extractor.trim(["maen"])
    with pytest.raises(PipelineError, match="There is no feature 'maen'; use one of"):
        extractor.open(SIGNALS[0]).feature("maen")


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ({"mean": 1.0}, "There is no cost for '.*'; give one for every component"),
        ({**PRICES, "mode": 1.0}, "There is a cost for 'mode', which is no component"),
    ],
)
def test_costs_by_name_name_every_component(extractor, costs, sentence):
    with pytest.raises(PipelineError, match=sentence):
        extractor.hypergraph(costs)


def test_what_there_is_nothing_to_time_with_is_refused_at_once(extractor):
    with pytest.raises(PipelineError, match="There are no samples"):
        extractor.measuring([])
    with pytest.raises(PipelineError, match="There are 0 repeats"):
        extractor.measuring(SIGNALS, 0)


@pytest.mark.parametrize("samples", [{"signal": [1.0]}, "signal"])
def test_one_sample_is_no_list_of_samples(extractor, samples):
    with pytest.raises(PipelineError, match=r"The samples are a .*; give a list"):
        extractor.extract(samples)

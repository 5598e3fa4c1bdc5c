"""What is shared is named by its function, and by arguments where they differ."""

import numpy as np

from tests.features.tracing.signals import (
    check_values,
    crest,
    energy,
    names,
    peak,
    traced_all,
)


def test_a_feature_that_others_call_is_what_they_share():
    traced = traced_all([peak, energy, crest])
    assert names(traced) == ["energy", "peak", "spectrum"]
    graph = traced.hypergraph(dict.fromkeys(traced.components, 1.0))
    assert graph.cost(["peak"]) == 2  # itself and the spectrum
    assert graph.cost(["crest"]) == graph.cost(traced.features) == 4


def test_arguments_are_the_same_however_they_are_spelled():
    (one, *_) = [s for s in traced_all([peak, energy]).shared]
    assert (one.component, one.features, one.calls) == (
        "spectrum",
        ("peak", "energy"),
        2,
    )
    assert "behind 2 features; they would compute it 2 times" in str(one)


def test_other_arguments_are_another_component_with_its_own_name():
    def norm(signal, order):
        return np.linalg.norm(signal, order)

    features = {
        "a": lambda s: norm(s, 1),
        "b": lambda s: 2 * norm(s, order=1),
        "c": lambda s: norm(s, 2),
        "d": lambda s: norm(s, 2) + 1,
    }
    traced = traced_all(features)
    assert names(traced) == ["norm(1)", "norm(2)"]
    check_values(traced, list(features.values()))

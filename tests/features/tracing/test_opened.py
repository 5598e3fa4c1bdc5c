"""An open sample pays once, on demand."""

from tests.features.tracing.signals import SIGNALS, crest, energy, peak, traced_all


def test_an_open_sample_pays_once_and_on_demand():
    traced = traced_all([peak, energy, crest])
    opened = traced.open(SIGNALS[0])
    assert opened.paid == ()
    assert opened.feature("peak") == peak(SIGNALS[0])
    assert set(opened.paid) == {"peak", "spectrum"}
    assert opened.feature("crest") == crest(SIGNALS[0])
    assert set(opened.paid) == set(traced.components)
    other = traced.open(SIGNALS[1])
    assert other.feature("energy") == energy(SIGNALS[1])
    assert opened.feature("energy") == energy(SIGNALS[0])

"""What takes less than a look-up is computed where it is asked for."""

from solvers.features.tracing import trace_extractor
from tests.features.tracing.signals import SIGNALS


def test_what_takes_less_than_a_look_up_stays_where_it_is():
    def half(x):
        return x / 2

    features = {"a": lambda s: half(3), "b": lambda s: half(3) + 1}
    traced = trace_extractor(features, SIGNALS)
    assert not traced.shared
    assert any("take less time than looking them up" in n for n in traced.notes)

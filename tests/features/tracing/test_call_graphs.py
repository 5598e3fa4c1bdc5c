"""Random call graphs, written as code: what is traced is what was written."""

import sys
import types
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.features.tracing import trace_extractor

NAME = "call_graph_under_test"
SAMPLES = [np.arange(6.0), np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0])]


class CallGraph:
    """Helpers that call earlier helpers on their argument plus a whole number.

    `helpers`: for each helper, its calls as (helper, what is added).
    `features`: the same for each feature.
    """

    def __init__(self, helpers, features):
        self.helpers, self.features = helpers, features
        self.module = types.ModuleType(NAME)
        source = [
            f"def h{i}(x):\n return x * {i + 2} + {_sum(calls)}"
            for i, calls in enumerate(helpers)
        ]
        source += [
            f"def f{i}(x):\n return float((x + {_sum(calls)}).sum())"
            for i, calls in enumerate(features)
        ]
        exec("\n".join(source), vars(self.module))

    @property
    def functions(self):
        return [getattr(self.module, f"f{i}") for i in range(len(self.features))]

    def below(self, calls, at=0):
        """All computations of some calls, as often as plain code makes them."""
        for helper, added in calls:
            yield helper, at + added
            yield from self.below(self.helpers[helper], at + added)

    def called_once(self, chosen):
        """How often each computation is asked for if each is made once."""
        asked = Counter()
        waiting = [call for i in chosen for call in self.features[i]]
        while waiting:
            helper, at = waiting.pop()
            asked[helper, at] += 1
            if asked[helper, at] == 1:
                waiting += [(h, at + added) for h, added in self.helpers[helper]]
        return asked

    def shared(self):
        """The true sharing: (function, features behind it, calls in plain code)."""
        everybody = range(len(self.features))
        behind = [set(self.below(self.features[i])) for i in everybody]
        often = Counter(c for i in everybody for c in self.below(self.features[i]))
        return sorted(
            (
                f"h{call[0]}",
                tuple(f"f{i}" for i in everybody if call in behind[i]),
                often[call],
            )
            for call, asked in self.called_once(everybody).items()
            if asked > 1
        )


def _sum(calls):
    return " + ".join(["0.0", *(f"h{helper}(x + {added})" for helper, added in calls)])


@st.composite
def call_graphs(draw):
    def calls(below, least=0):
        one = st.tuples(st.integers(0, below - 1), st.integers(0, 1))
        return draw(st.lists(one, min_size=least, max_size=3)) if below else []

    n = draw(st.integers(1, 4))
    helpers = [calls(i) for i in range(n)]
    return CallGraph(helpers, [calls(n) for _ in range(draw(st.integers(1, 4)))])


def traced_sharing(traced):
    return sorted(
        (one.component.split()[0], one.features, one.calls) for one in traced.shared
    )


def calls_of(function, sample):
    """How often each function of the graph runs, as Python's profiler sees it."""
    counts = Counter()

    def seen(frame, event, _):
        if event == "call" and frame.f_globals.get("__name__") == NAME:
            counts[frame.f_code.co_name] += 1

    sys.setprofile(seen)
    try:
        function(sample)
    finally:
        sys.setprofile(None)
    return counts


@settings(max_examples=25)
@given(call_graphs(), st.data())
def test_what_is_traced_is_what_was_written(graph, data):
    traced = trace_extractor(graph.functions, SAMPLES, share_above=0.0)
    assert traced_sharing(traced) == graph.shared()
    assert not [note for note in traced.notes if "whole" in note]

    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(graph.features))))))
    trimmed = traced.trim([f"f{i}" for i in chosen])
    fresh = np.array([0.5, -2.0, 7.0, 1.0, 1.0, 0.0])
    assert trimmed(fresh) == tuple(graph.functions[i](fresh) for i in chosen)

    expected = Counter(f"f{i}" for i in chosen)
    expected.update(f"h{helper}" for helper, _ in graph.called_once(chosen))
    assert calls_of(trimmed, fresh) == expected


@settings(max_examples=10)
@given(call_graphs())
def test_a_feature_needs_what_it_calls_and_its_own(graph):
    traced = trace_extractor(graph.functions, SAMPLES, share_above=0.0)
    hypergraph = traced.hypergraph(np.ones(len(traced.components)))
    for feature in traced.features:
        behind = [one for one in traced.shared if feature in one.features]
        assert hypergraph.cost([feature]) == 1 + len(behind)

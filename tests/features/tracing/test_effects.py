"""What an entry does besides returning keeps it whole."""

import random
import re
from collections import Counter, defaultdict, deque

import numpy as np
import pytest

from tests.features.tracing.signals import energy, peak, traced_all


def drawing(signal):
    return noise(signal) + random.random()


def noise(signal):
    return float(np.random.normal())


def own_generator(signal):
    return float(np.random.default_rng().normal()) + peak(signal)


count = 0

remembered = []


def counting(signal):
    global count
    count += 1
    return peak(signal) + count * 0


def remembering(signal):
    remembered.append(1)
    return peak(signal)


def writing(signal, path="nowhere"):
    with open(path, "w") as file:
        file.write("x")
    return peak(signal)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (drawing, "draws from the global random numbers"),
        (own_generator, "gives something else each time"),
        (counting, "sets the variable count"),
        (remembering, r"changes .*remembered"),
    ],
)
def test_what_does_more_than_return_is_kept_whole(function, why):
    traced = traced_all([peak, energy, function])
    name = function.__name__
    (note,) = [n for n in traced.notes if "kept whole" in n]
    assert f"Feature '{name}' is kept whole" in note
    assert re.search(why, note)
    assert [one.features for one in traced.shared] == [("peak", "energy")]


COUNTS = Counter()
BY_KIND = defaultdict(list)
RECENT = deque(maxlen=10**6)


class Totals:
    n = 0

    def __init__(self):
        self.seen = [0]


TOTALS = Totals()


def in_a_counter(signal):
    COUNTS["calls"] += 1
    return peak(signal)


def in_a_dictionary_of_lists(signal):
    BY_KIND["calls"].append(1)
    return peak(signal)


def in_a_queue(signal):
    RECENT.append(1)
    return peak(signal)


def in_an_attribute(signal):
    TOTALS.n += 1
    return peak(signal)


def in_a_list_of_an_instance(signal):
    TOTALS.seen[0] += 1
    return peak(signal)


def in_a_class(signal):
    Totals.n += 1
    return peak(signal)


def in_itself(signal):
    in_itself.calls = getattr(in_itself, "calls", 0) + 1
    return peak(signal)


def by_another(signal):
    return in_a_counter(signal)


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (in_a_counter, "COUNTS"),
        (in_a_dictionary_of_lists, "BY_KIND"),
        (in_a_queue, "RECENT"),
        (in_an_attribute, "TOTALS"),
        (in_a_list_of_an_instance, "TOTALS"),
        (in_a_class, r"Totals\.n"),
        (in_itself, "attributes of in_itself"),
        (by_another, "COUNTS"),
    ],
)
def test_a_change_of_what_is_kept_is_seen_wherever_it_is(function, what):
    traced = traced_all([peak, energy, function])
    (note,) = [n for n in traced.notes if "kept whole" in n]
    assert re.search(rf"'{function.__name__}' is kept whole.*changes .*{what}", note)
    assert [one.features for one in traced.shared] == [("peak", "energy")]


def test_a_feature_that_writes_files_is_kept_whole(tmp_path):
    def writes(signal):
        return writing(signal, tmp_path / "out.txt")

    traced = traced_all([peak, energy, writes])
    assert (
        "Feature 'writes' is kept whole and shares nothing: it writes to a file."
        in (traced.notes)
    )


def test_a_counter_in_a_closure_is_seen():
    seen = 0

    def counted(signal):
        nonlocal seen
        seen += 1
        return peak(signal)

    traced = traced_all([peak, energy, counted])
    assert any("'counted' is kept whole" in n for n in traced.notes)

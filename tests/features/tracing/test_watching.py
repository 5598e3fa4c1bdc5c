"""A call that is changed, read once or raises is never shared."""

import random
import re
from collections import Counter, defaultdict, deque

import numpy as np

from tests.each import each
from tests.features.tracing.signals import check_values, energy, names, peak, traced_all


def centred(signal):
    return signal - signal.mean()


def spoiling(signal):
    values = centred(signal)
    values *= 0
    return values.sum()


def trusting(signal):
    return np.abs(centred(signal)).sum()


def test_a_shared_array_that_somebody_changes_is_not_shared():
    traced = traced_all([trusting, spoiling, peak, energy])
    assert names(traced) == ["spectrum"]
    (note,) = [n for n in traced.notes if "'centred'" in n]
    assert "changed in place afterwards" in note
    check_values(traced, [trusting, spoiling, peak, energy])


def sorting(values):
    values.sort()
    return values


def lowest(signal):
    return sorting(signal.copy())[0]


def highest(signal):
    return sorting(signal.copy())[-1]


def test_a_call_that_changes_its_argument_is_not_shared():
    traced = traced_all([lowest, highest])
    assert not traced.shared
    assert any("'sorting' is called 2 times alike and not" in n for n in traced.notes)
    check_values(traced, [lowest, highest])


def parts(signal):
    return (part for part in np.split(signal, 4))


def first_part(signal):
    return next(parts(signal)).sum()


def all_parts(signal):
    return sum(part.sum() for part in parts(signal))


def test_what_can_be_read_once_is_not_shared():
    traced = traced_all([first_part, all_parts])
    assert not traced.shared
    check_values(traced, [first_part, all_parts])


def test_a_call_that_raises_and_is_caught_is_not_shared():
    def picky(signal):
        raise ValueError("never")

    def careful(signal):
        try:
            return picky(signal)
        except ValueError:
            return peak(signal)

    traced = traced_all({"one": careful, "two": lambda s: careful(s) + 1})
    assert all(name != "picky" for name in names(traced))
    check_values(traced, [careful, lambda s: careful(s) + 1])


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


@each(
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


@each(
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

"""A call that is changed, read once or raises is never shared."""

import numpy as np

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

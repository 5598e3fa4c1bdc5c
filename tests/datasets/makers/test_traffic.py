"""Simulated windows are possible traffic, and the same for the same seed."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from solvers.datasets.makers.traffic import BENIGN, SIGNALS, TRAITS, simulated_windows


@pytest.fixture(scope="module")
def drawn():
    return list(islice(simulated_windows(0), 400))


def test_a_window_gives_two_sources_in_three_directions(drawn):
    assert len(SIGNALS) == 6
    assert all(tuple(sorted(window)) == tuple(sorted(SIGNALS)) for _, window in drawn)


def test_every_kind_occurs_and_a_third_is_an_intruders(drawn):
    kinds = Counter(kind for kind, _ in drawn)
    assert set(kinds) == {"intruder", *BENIGN}
    assert 0.27 < kinds["intruder"] / len(drawn) < 0.40


def test_sizes_are_whole_bytes_that_fit_a_frame(drawn):
    for _, window in drawn:
        sizes = window["sizes_total"]
        assert sizes.min() >= 40
        assert sizes.max() <= 1500
        assert np.array_equal(sizes, np.floor(sizes))


def test_both_directions_make_up_the_total(drawn):
    for _, window in drawn:
        both = np.concatenate([window["sizes_up"], window["sizes_down"]])
        assert np.array_equal(np.sort(both), np.sort(window["sizes_total"]))
        assert len(window["gaps_total"]) == len(window["sizes_total"]) - 1
        assert window["gaps_total"].min() >= 0
        assert window["gaps_up"].min() > 0


def test_there_are_enough_packets_for_every_statistic(drawn):
    assert min(len(values) for _, window in drawn for values in window.values()) >= 11


def test_the_same_seed_gives_the_same_windows(drawn):
    for (kind, window), (again, other) in zip(
        drawn[:20], simulated_windows(0), strict=False
    ):
        assert kind == again
        assert all(np.array_equal(window[name], other[name]) for name in SIGNALS)
    _, other = next(simulated_windows(1))
    assert not np.array_equal(other["sizes_up"], drawn[0][1]["sizes_up"])


def test_every_kind_has_a_habit_for_every_trait():
    for habits in BENIGN.values():
        assert all(len(habits[way]) == len(TRAITS) for way in ("up", "down"))

"""Intervals and exits against everything that there is to choose from."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.methods.hypergraph_cascade.stages import fit_platt
from solvers.methods.hypergraph_cascade.stopping import Ranking, solve_exits
from tests.each import each

rows = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-5, 5)), min_size=1, max_size=9
)


def intervals(u):
    """All sets of rows between two scores, the empty one too."""
    values = np.unique(u)
    yield np.zeros(len(u), dtype=bool)
    for low, high in combinations(range(len(values) + 1), 2):
        yield (u >= values[low]) & (u <= values[high - 1])


@given(rows)
@settings(max_examples=80, deadline=None)
def test_no_interval_gains_more_than_the_one_that_is_found(table):
    u, gains = np.array(table, dtype=float).T
    _, _, inside = Ranking(u).best_interval(gains)
    best = max(gains[chosen].sum() for chosen in intervals(u))
    assert gains[inside].sum() == best


@given(rows)
@settings(max_examples=80, deadline=None)
def test_the_two_numbers_part_the_rows_that_the_interval_holds(table):
    u, gains = np.array(table, dtype=float).T
    low, high, inside = Ranking(u).best_interval(gains)
    assert np.array_equal((low < u) & (u < high), inside)


def test_scores_that_differ_by_rounding_alone_are_never_parted():
    u = np.array([0.1 + 0.2, 0.3, 0.9, np.nextafter(0.9, 1.0)])
    for gains in ([-1, 2, -9, -9], [2, -1, -9, -9], [-9, -9, 3, -1], [-9, -9, -1, 3]):
        low, high, inside = Ranking(u).best_interval(np.array(gains, dtype=float))
        assert inside.tolist() == [gains[0] > -9] * 2 + [gains[2] > -9] * 2
        assert min(abs(u - low).min(), abs(u - high).min()) > 1e-2


@given(rows, st.sampled_from([0.2, 0.5, 0.8]))
@settings(max_examples=80, deadline=None)
def test_no_window_of_the_share_gains_more(table, share):
    u, gains = np.array(table, dtype=float).T
    weights = np.ones(len(u))
    low, high, inside = Ranking(u).best_window(gains, weights, share)
    assert np.array_equal((low < u) & (u < high), inside)
    # Windows end as soon as they hold the share: ties may make them larger.
    values, sizes = np.unique(u, return_counts=True)
    wanted = share * len(u) - 1e-9
    windows = []
    for first in range(len(values)):
        held = np.cumsum(sizes[first:])
        if held[-1] >= wanted:
            last = first + int(np.argmax(held >= wanted))
            windows.append((u >= values[first]) & (u <= values[last]))
    assert gains[inside].sum() == max(gains[w].sum() for w in windows)


@given(rows, st.integers(-5, 5), st.integers(0, 6))
@settings(max_examples=50, deadline=None)
def test_neighbouring_rows_are_held_by_their_bounds(table, first, width):
    u = np.array(table, dtype=float)[:, 0]
    goes_on = (u >= first) & (u < first + width)
    low, high, inside = Ranking(u).bounds(goes_on)
    assert np.array_equal(inside, goes_on)
    assert np.array_equal((low < u) & (u < high), goes_on)


# ------------------------------------------------------------------- a sequential test


class Signals:
    """Every sequence of signals, each right with probability .7, and its weight.

    The score, signals for less signals against, is all that there is to know: what is
    optimal is known by trying every set of states in which to go on.
    """

    def __init__(self, n_signals):
        sequences = np.array(list(product([-1, 1], repeat=n_signals)))
        hits = (sequences == 1).sum(axis=1)
        likely = [0.7**k * 0.3 ** (n_signals - k) for k in (hits, n_signals - hits)]
        self.weights = (likely[0] + likely[1]) / 2.0
        zeros = np.zeros((len(sequences), 1))
        self.u = np.hstack([zeros, np.cumsum(sequences, axis=1)]).T
        self.p = 1.0 / (1.0 + (0.3 / 0.7) ** self.u)
        self.n_stages = n_signals + 1

    def losses(self, f1):
        return np.minimum(f1 * (1 - self.p), (2 - f1) * self.p) * self.weights

    def value(self, losses, price, stage):
        """Expected loss and cost if rows leave at these stages."""
        paid = price * stage * self.weights
        return (losses[stage, np.arange(len(stage))] + paid).sum()

    def best_value(self, losses, price):
        """The least over all sets of states in which to go on."""
        states = [
            (stage, score)
            for stage in range(self.n_stages - 1)
            for score in np.unique(self.u[stage])
        ]
        best = np.inf
        for choice in product([False, True], repeat=len(states)):
            goes_on = dict(zip(states, choice, strict=True))
            stage = np.zeros(len(self.weights), dtype=int)
            for s in range(self.n_stages - 1):
                on = [goes_on[(s, score)] for score in self.u[s]]
                stage[(stage == s) & on] = s + 1
            best = min(best, self.value(losses, price, stage))
        return best

    def solved(self, losses, price):
        rankings = [Ranking(u) for u in self.u]
        prices = np.full(self.n_stages - 1, price)
        return solve_exits(rankings, losses, prices, self.weights)


@each("price", [0.01, 0.04, 0.08, 0.2])
@each("f1", [1.0, 0.6])
def test_exits_are_the_best_of_all_that_look_at_the_score(price, f1):
    world = Signals(3)
    losses = world.losses(f1)
    found = world.solved(losses, price).leaves[0]
    best = world.best_value(losses, price)
    assert world.value(losses, price, found) == pytest.approx(best, abs=1e-12)


def test_rows_near_the_boundary_go_on():
    world = Signals(3)
    exits = world.solved(world.losses(1.0), 0.04)
    assert (exits.low < exits.high).any()
    for stage in np.flatnonzero(exits.low < exits.high):
        assert exits.low[stage] < 0 < exits.high[stage]


def test_a_dearer_stage_is_never_bought_more():
    world = Signals(5)
    losses = world.losses(1.0)
    spent = [
        world.weights @ world.solved(losses, price).leaves[0]
        for price in (0.0, 0.005, 0.02, 0.05, 0.1, 0.3)
    ]
    assert all(np.diff(spent) <= 1e-12)
    assert spent[0] > spent[-1] == 0.0


def test_nothing_is_lost_where_going_on_is_free():
    world = Signals(4)
    losses = world.losses(1.0)
    found = world.solved(losses, 0.0).leaves[0]
    assert world.value(losses, 0.0, found) == pytest.approx(losses[-1].sum())


def test_a_cap_lets_no_row_pass():
    world = Signals(4)
    rankings = [Ranking(u) for u in world.u]
    exits = solve_exits(
        rankings, world.losses(1.0), np.full(4, 0.001), world.weights, last=3
    )
    assert exits.leaves[0].max() == 3
    assert exits.low[3] > exits.high[3]


# ------------------------------------------------------------------------- calibration


def test_calibration_finds_the_curve_that_labels_were_drawn_from():
    rng = np.random.default_rng(0)
    u = rng.normal(1.0, 3.0, 40_000)
    is_second = rng.random(len(u)) < 1.0 / (1.0 + np.exp(-(0.5 * u - 1.0)))
    found = fit_platt(u, is_second, np.ones(len(u)))
    assert found.slope == pytest.approx(0.5, abs=0.02)
    assert found.intercept == pytest.approx(-1.0, abs=0.05)


def test_scores_that_mislead_are_not_believed():
    u = np.arange(20.0)
    found = fit_platt(u, u < 10, np.ones(20))
    assert found.slope == 0.0


def test_scores_that_part_the_classes_stay_finite():
    u = np.arange(20.0)
    found = fit_platt(u, u >= 10, np.ones(20))
    assert 0.0 < found.slope < 100.0

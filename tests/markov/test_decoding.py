"""Decoding reaches the optimum that HiGHS proves, and descent never climbs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError
from solvers.markov import (
    MarkovNetworkClassifier,
    decoding,
    exact_minimum,
    minimise_energy,
)
from solvers.markov.decoding import descend
from solvers.markov.growth import grow_graph
from tests.each import each
from tests.markov.reference import all_totals, random_model

seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 6), st.integers(2, 3), st.integers(0, 5))
@settings(max_examples=25)
def test_highs_finds_what_enumeration_finds(seed, n, n_labels, n_extra):
    energies = random_model(seed, n, n_labels, n_extra)
    lowest = all_totals(energies)[1].min()
    assert energies.total(exact_minimum(energies)) == pytest.approx(lowest)


@given(seeds, st.integers(2, 30), st.integers(2, 3), st.integers(0, 15))
@settings(max_examples=25)
def test_decoding_reaches_the_optimum_on_random_energies(seed, n, n_labels, n_extra):
    energies = random_model(seed, n, n_labels, n_extra)
    optimum = energies.total(exact_minimum(energies))
    assert energies.total(minimise_energy(energies)) == pytest.approx(optimum)


@each("seed", range(8))
@each("extra_links", [0.0, 0.25, 0.5])
def test_decoding_reaches_the_optimum_of_expected_costs(seed, extra_links):
    graph = grow_graph(150, extra_links=extra_links, random_state=seed)
    rng = np.random.default_rng(seed)
    model = MarkovNetworkClassifier.from_weights(
        0.5 * rng.normal(size=(9, 2)), rng.normal(size=(2, 2))
    )
    energies = model.decide(graph).energies
    optimum = energies.total(exact_minimum(energies))
    assert energies.total(model.predict(graph)) == pytest.approx(optimum)


@given(seeds)
def test_descent_never_climbs_and_ends_where_no_node_gains(seed):
    energies = random_model(seed, 12, 3, n_extra=10)
    start = np.random.default_rng(seed).integers(0, 3, 12)
    end = descend(energies, start)
    assert energies.total(end) <= energies.total(start)
    for node in range(12):
        for label in range(3):
            moved = end.copy()
            moved[node] = label
            assert energies.total(moved) >= energies.total(end) - 1e-9


def test_a_start_that_is_better_is_kept():
    energies = random_model(5, 80, 3, n_extra=40, strength=3.0)
    known = exact_minimum(energies)
    assert energies.total(minimise_energy(energies, [known])) <= energies.total(known)


def test_no_proof_in_time_is_said():
    energies = random_model(5, 200, 3, n_extra=600, strength=3.0)
    with pytest.raises(DataError, match=r"within 0\.001 seconds for 200 nodes"):
        exact_minimum(energies, time_limit=0.001)


@given(st.integers(0, 9_999), st.integers(2, 3), st.integers(0, 6))
@settings(max_examples=15)
def test_no_labelling_has_less_energy(seed, n_labels, n_extra):
    energies = random_model(seed, n=6, n_labels=n_labels, n_extra=n_extra)
    labels = exact_minimum(energies)
    _, totals = all_totals(energies)
    assert energies.total(labels) == pytest.approx(totals.min())


def test_nodes_without_links_have_the_least_of_their_own():
    energies = random_model(1, n=1, n_labels=3)
    assert exact_minimum(energies).tolist() == [energies.node_tables[0].argmin()]


def test_without_a_proof_in_time_it_says_so(monkeypatch):
    class GivenUp:
        status = 1

    monkeypatch.setattr(decoding, "milp", lambda *_, **__: GivenUp())
    with pytest.raises(DataError, match=r"No optimum was proven within 0\.5 seconds"):
        exact_minimum(random_model(0), time_limit=0.5)

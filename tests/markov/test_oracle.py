"""The labelling that integer programming proves is the best of all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError
from solvers.markov import oracle
from solvers.markov.oracle import exact_minimum
from tests.markov.reference import all_totals, random_model


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

    monkeypatch.setattr(oracle, "milp", lambda *_, **__: GivenUp())
    with pytest.raises(DataError, match=r"No optimum was proven within 0\.5 seconds"):
        exact_minimum(random_model(0), time_limit=0.5)

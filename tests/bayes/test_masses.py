"""Masses of joint states, beside the joint distribution written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes import masses as masses_module
from solvers.bayes.masses import (
    NaiveMasses,
    NetworkMasses,
    class_masses,
    log_ratio,
    marginal,
    sum_axes,
)
from tests.bayes.worlds import (
    classifiers,
    general_network,
    listed,
    naive_network,
    named,
    subsets,
)


def _summed(classifier, chosen):
    """Pr(positive, f) and Pr(f) of some features, from the listed joint."""
    _, positive, total = listed(classifier)
    shape = tuple(classifier.masses.cardinalities)
    gone = tuple(j for j in range(len(shape)) if j not in chosen)
    return (
        values.reshape(shape).sum(axis=gone).ravel() for values in (positive, total)
    )


@given(classifiers(max_features=4))
@settings(max_examples=25)
def test_masses_of_every_set_are_sums_of_the_joint(classifier):
    for chosen in subsets(len(classifier.features)):
        found = classifier.masses.of(chosen)
        for one, other in zip(found, _summed(classifier, chosen), strict=True):
            assert one == pytest.approx(other, abs=1e-12)


@given(classifiers(max_features=4))
@settings(max_examples=25)
def test_pieces_in_a_row_are_the_masses_of_all_features(classifier):
    pieces = [*classifier.masses.chunks()]
    _, positive, total = listed(classifier)
    assert np.concatenate([p for p, _ in pieces]) == pytest.approx(positive, abs=1e-12)
    assert np.concatenate([t for _, t in pieces]) == pytest.approx(total, abs=1e-12)


def test_large_tables_come_in_several_pieces_in_the_same_order(monkeypatch):
    rng = np.random.default_rng(0)
    network = general_network(rng, 5, cardinalities=(2,))
    whole = NetworkMasses(network, "C", 0, named(5))
    wanted = [np.concatenate(part) for part in zip(*whole.chunks(), strict=True)]
    monkeypatch.setattr(masses_module, "KEPT_ENTRIES", 1)
    monkeypatch.setattr(masses_module, "ELIMINATED_ENTRIES", 8)
    parts = [*NetworkMasses(network, "C", 0, named(5)).chunks()]
    assert len(parts) == 4
    for place in (0, 1):
        joined = np.concatenate([part[place] for part in parts])
        assert joined == pytest.approx(wanted[place], abs=1e-12)


@given(classifiers(max_features=4, naive=True))
@settings(max_examples=25)
def test_multiplying_and_eliminating_are_the_same(classifier):
    network, target = classifier.network, classifier.target
    asked = network, target, classifier.masses.positive, classifier.features
    for chosen in subsets(len(classifier.features)):
        one, other = NaiveMasses(*asked).of(chosen), NetworkMasses(*asked).of(chosen)
        assert one[0] == pytest.approx(other[0], abs=1e-12)
        assert one[1] == pytest.approx(other[1], abs=1e-12)


def test_features_that_depend_on_each_other_are_not_multiplied():
    for seed in range(20):
        network = general_network(np.random.default_rng(seed), 3)
        found = class_masses(network, "C", 0, named(3))
        joint = NetworkMasses(network, "C", 0, named(3))
        one, other = found.of((0, 1, 2))[0], joint.of((0, 1, 2))[0]
        assert one == pytest.approx(other, abs=1e-12)


@given(classifiers(max_features=3))
@settings(max_examples=25)
def test_a_posterior_is_the_share_of_the_positive_mass(classifier):
    rows, positive, total = listed(classifier)
    possible = total > 0
    found = classifier.masses.posterior(range(len(classifier.features)), rows[possible])
    assert found == pytest.approx(positive[possible] / total[possible], abs=1e-9)


def test_products_of_hundreds_of_features_do_not_underflow():
    n = 400
    network = naive_network(np.random.default_rng(1), n, cardinalities=(3,))
    masses = NaiveMasses(network, "C", 0, named(n))
    rows = np.random.default_rng(2).integers(0, 3, (5, n))
    logs = [
        sum(np.log(masses.given_class[j][:, row[j]]) for j in range(n)) for row in rows
    ]
    odds = [np.log(masses.prior / (1 - masses.prior)) + a - b for a, b in logs]
    found = masses.posterior(range(n), rows)
    assert found == pytest.approx(1 / (1 + np.exp(-np.array(odds))), rel=1e-6)


@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=5),
    st.lists(st.booleans(), min_size=5, max_size=5),
    st.integers(0, 99),
)
@settings(max_examples=25)
def test_axes_of_flat_tables_are_summed_as_numpy_sums_them(lengths, drop, seed):
    table = np.random.default_rng(seed).random((2, *lengths))
    gone = drop[: len(lengths)]
    axes = tuple(1 + axis for axis, is_gone in enumerate(gone) if is_gone)
    wanted = table.sum(axis=axes).reshape(2, -1)
    assert sum_axes(table.reshape(2, -1), lengths, gone) == pytest.approx(wanted)


def test_a_marginal_has_its_axes_in_the_order_that_is_asked_for():
    table = np.arange(24.0).reshape(2, 3, 4)
    wanted = table.sum(axis=1).T.ravel()
    assert marginal(table, (2, 0)).tolist() == wanted.tolist()
    assert marginal(table, ()).tolist() == [table.sum()]


def test_a_state_that_one_class_never_shows_is_certain():
    found = log_ratio(np.array([0.0, 0.5, 0.0, 1.0]), np.array([0.5, 0.0, 0.0, 0.5]))
    assert found == pytest.approx([-1e6, 1e6, 0.0, np.log(2)])

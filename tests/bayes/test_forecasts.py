"""Large searches speak at once, or are refused in a sentence."""

from types import SimpleNamespace

import numpy as np
import opt_einsum
import pytest

from solvers.bayes import (
    BayesianClassifier,
    elimination,
    masses,
    search_trimmings,
    trim,
)
from solvers.bayes import trimming as forecasts
from solvers.bayes.elimination import joint_operations, row_operations
from solvers.errors import NetworkError
from tests.bayes.worlds import general_network, naive_network, named
from tests.each import each


@pytest.fixture
def general():
    network = general_network(np.random.default_rng(3), 7, (2,))
    return BayesianClassifier(network, "C", network.states["C"][0], named(7), 0.3)


@pytest.fixture
def all_are_large(monkeypatch):
    monkeypatch.setattr(forecasts, "KEPT_ENTRIES", 1)


@pytest.mark.usefixtures("all_are_large")
@each("exact", [True, False])
def test_first_event_of_a_large_search_is_from_a_few_rows(general, exact):
    first, *_, last = search_trimmings(general, 2, exact=exact, n_samples=200)
    assert (first.node, first.parent, first.depth) == (0, None, 0)
    assert not first.best.exact
    assert (first.best.bound, first.best.features) == (1.0, ())
    assert last.best.exact is exact


@pytest.mark.usefixtures("all_are_large")
def test_sampled_first_event_changes_nothing_of_what_is_found(general, monkeypatch):
    opened = trim(general, 2)
    monkeypatch.setattr(forecasts, "KEPT_ENTRIES", 2**22)
    assert trim(general, 2) == opened


@pytest.mark.usefixtures("all_are_large")
def test_hopeless_table_is_refused_before_it_is_built(general, monkeypatch):
    monkeypatch.setattr(forecasts, "MOST_OPERATIONS", 10.0)
    with pytest.raises(NetworkError, match=r"joint states takes about .* operations"):
        search_trimmings(general, 2, exact=True)


@pytest.mark.usefixtures("all_are_large")
def test_hopeless_samples_are_refused_with_a_number_that_is_not(general, monkeypatch):
    each = row_operations(general.network, "C", general.features)
    monkeypatch.setattr(forecasts, "MOST_OPERATIONS", 2 * 50 * each)
    with pytest.raises(NetworkError, match="n_samples=50 at most"):
        search_trimmings(general, 2, exact=False, n_samples=51)
    assert not trim(general, 2, exact=False, n_samples=50).exact


def test_forecasts_grow_with_what_is_asked():
    network = general_network(np.random.default_rng(5), 9, (2,))
    few, many = ("C", *named(3)), ("C", *named(9))
    assert joint_operations(network, few) <= joint_operations(network, many)


def test_opening_of_naive_bayes_is_drawn_at_once():
    network = naive_network(np.random.default_rng(0), 24)
    classifier = BayesianClassifier(network, "C", "+", named(24), 0.3)
    assert forecasts.is_large(classifier)
    assert forecasts.opening_rows(classifier) == forecasts.OPENING_ROWS
    assert not next(search_trimmings(classifier, 3)).best.exact


def test_first_event_on_a_large_network_looks_for_each_order_once(monkeypatch):
    """Orders take most of the wait: one for the table, one for rows, one for none."""
    asked = []

    def counted(*operands, **options):
        asked.append(operands)
        return opt_einsum.contract_path(*operands, **options)

    network = general_network(np.random.default_rng(3), 7, (2,))
    classifier = BayesianClassifier(network, "C", network.states["C"][0], named(7), 0.3)
    monkeypatch.setattr(forecasts, "KEPT_ENTRIES", 1)
    monkeypatch.setattr(masses, "KEPT_ENTRIES", 1)
    monkeypatch.setattr(
        elimination,
        "opt_einsum",
        SimpleNamespace(contract_path=counted, contract=opt_einsum.contract),
    )
    elimination._order.cache_clear()
    next(search_trimmings(classifier, 2))
    assert len(asked) == 3 * len(elimination.GREEDY_WEIGHTS)


def test_orders_do_not_weigh_the_axis_of_rows():
    network = general_network(np.random.default_rng(4), 8, (2,))
    relevant, observed = network.variables, named(8)
    plan = elimination._one_row_order(network, "C", relevant, observed)
    assert len(plan.size_dict) == len(network.variables) - len(observed)

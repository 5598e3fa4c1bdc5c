"""The parts of a hypergraph as they are stored: canonical, read-only, or refused."""

import numpy as np
import pytest
from scipy import sparse

from solvers.costs.incidence import (
    as_costs,
    checked_costs,
    checked_incidence,
    checked_kinds,
    checked_names,
)
from solvers.errors import HypergraphError
from tests.each import each


def test_duplicates_and_stored_zeros_leave_one_link_each():
    # (0, 1) is stored as 1 and 0; (1, 0) as 0 alone; columns out of order.
    stored = sparse.coo_array(
        ([1.0, 0.0, 0.0, 1.0], ([0, 0, 1, 1], [1, 1, 0, 2])), shape=(2, 3)
    )
    links = checked_incidence(stored)
    assert links.dtype == bool
    assert links.nnz == 2
    assert links.toarray().tolist() == [[False, True, False], [False, False, True]]


@each("form", [np.array, sparse.csc_array, sparse.coo_array, list])
@each("dtype", [bool, np.int8, np.float32])
def test_every_form_of_the_same_links_is_stored_alike(form, dtype):
    dense = np.array([[1, 0, 1], [0, 1, 1]], dtype=dtype)
    links = checked_incidence(form(dense))
    assert links.indices.tolist() == [0, 2, 1, 2]
    assert links.indptr.tolist() == [0, 2, 4]


def test_what_is_stored_is_a_copy_that_cannot_be_written():
    given_links = sparse.csr_array(np.eye(2, dtype=bool))
    links = checked_incidence(given_links)
    given_links.data[0] = False
    assert links.toarray()[0, 0]
    with pytest.raises(ValueError, match="read-only"):
        links.data[0] = False


@each(
    ("incidence", "sentence"),
    [
        ([[0, 2]], "The incidence holds 2"),
        (sparse.csr_array([[0.5]]), "The incidence holds 0.5"),
        ([[np.nan, 1]], "The incidence holds nan"),
        ([1, 0], "The incidence has shape (2,); give one row a component"),
        ([[1], [1, 0]], "The incidence is not a table of zeros and ones"),
        ([["one"]], "The incidence is not a table of zeros and ones"),
    ],
)
def test_what_is_no_table_of_zeros_and_ones_is_refused(incidence, sentence):
    with pytest.raises(HypergraphError) as refusal:
        checked_incidence(incidence)
    assert sentence in str(refusal.value)


def test_links_that_add_up_to_two_are_refused():
    twice = sparse.coo_array(([1, 1], ([0, 0], [0, 0])), shape=(1, 1))
    with pytest.raises(HypergraphError, match="holds 2"):
        checked_incidence(twice)


def test_a_negative_zero_is_zero():
    costs = checked_costs([-0.0, 1.0], ("a", "b"))
    assert not np.signbit(costs).any()


@each("wrong", [-1.0, np.inf, np.nan])
def test_a_cost_that_is_no_price_is_refused_by_name(wrong):
    with pytest.raises(HypergraphError) as refusal:
        checked_costs([1.0, wrong], ("filter", "spectrum"))
    assert str(refusal.value) == (
        f"Component 'spectrum' costs {wrong:g}; a cost is a finite number, 0 or more."
    )


@each("costs", [[1.0], 1.0, [[1.0, 2.0]]])
def test_another_number_of_costs_is_refused(costs):
    with pytest.raises(HypergraphError, match="give one cost for each component"):
        checked_costs(costs, ("a", "b"))


@each("costs", [["1", "2"], [10**400], [{}], [1.0, [2.0]]])
def test_costs_that_are_no_numbers_are_refused(costs):
    with pytest.raises(HypergraphError, match="are not numbers"):
        as_costs(costs)


def test_names_count_up_where_none_are_given():
    assert checked_names(None, 3, "feature") == ("x0", "x1", "x2")


@each(
    ("names", "sentence"),
    [
        (("a",), "There are 2 features, but 1 feature names"),
        (("a", " "), "A feature has an empty name"),
        (("a", "a"), "Two features are called 'a'"),
    ],
)
def test_names_that_name_nothing_are_refused(names, sentence):
    with pytest.raises(HypergraphError) as refusal:
        checked_names(names, 2, "feature")
    assert sentence in str(refusal.value)


def test_components_generate_where_no_kind_is_given():
    assert checked_kinds(None, 2) == ("generation", "generation")


@each(
    ("kinds", "sentence"),
    [
        (("utilisation",), "There are 2 components, but 1 kinds"),
        (("utilisation", "use"), "There is no component kind 'use'"),
    ],
)
def test_kinds_that_do_not_exist_are_refused(kinds, sentence):
    with pytest.raises(HypergraphError) as refusal:
        checked_kinds(kinds, 2)
    assert sentence in str(refusal.value)

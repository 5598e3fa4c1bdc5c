"""A budget of a data set is proven on its training rows, by the searches of certify."""

import numpy as np
import pytest

from solvers import ThriftscopeError, split_dataset
from solvers.certify import certified_frontier, near_optimal
from solvers.datasets import make_digits, make_heart
from solvers.frontier import prove_budget
from tests.each import each
from tests.explorer.worlds import own_table
from tests.fuzz.refusal import is_one_sentence


@pytest.fixture(scope="module")
def found():
    return prove_budget(own_table(), share=0.6, tol=0.05, gap=0.02, within=0.03)


def test_it_is_what_the_searches_say_of_the_training_rows(found):
    data = own_table()
    split = split_dataset(data)
    rows = split.X("train"), split.y("train") == data.positive, split.hypergraph
    budget = 0.6 * data.hypergraph.total_cost
    *_, one = certified_frontier(*rows, ridge=0.01, budgets=[budget], tol=0.02)
    assert found.certified.budget == one.budget
    assert found.certified.upper == pytest.approx(one.upper)
    assert found.certified.gap <= 0.02
    nearly = near_optimal(*rows, ridge=0.01, budget=budget, within=0.03)
    assert found.nearly.count == nearly.count
    assert found.checked == pytest.approx(found.certified.certificate.lower)


def test_it_prints_what_is_proven_bought_and_as_good(found):
    first, bought, checked, nearly = str(found).splitlines()
    assert f"best known {found.certified.upper:.6f}" in first
    assert first.endswith("proven")
    graph = found.rows.hypergraph
    needed = np.flatnonzero(graph.required_components(found.certified.features))
    assert bought == f"buys {[graph.components[i] for i in needed]}"
    assert checked.endswith(f"{found.checked:.6f}")
    assert f"{found.nearly.count} selections are within 3.00% of the best" in nearly


def test_what_is_ruled_out_is_not_bought_and_other_names_say_nothing():
    found = prove_budget(make_heart(), share=0.3, without=["thal", "gone"], seconds=5.0)
    needed = found.rows.hypergraph.required_components(found.certified.features)
    names = np.array(found.rows.hypergraph.components)[needed]
    assert "thal" not in names


@each(
    ("data", "options", "sentence"),
    [
        (make_digits, {}, "has 10 classes; choose a data set of two"),
        (make_heart, {"share": 1.5}, "share"),
        (make_heart, {"max_rows": 0}, "max_rows"),
        (make_heart, {"ridge": 0.0}, "ridge"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(data, options, sentence):
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        prove_budget(data(), **options)
    assert is_one_sentence(str(refused.value))

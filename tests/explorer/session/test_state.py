"""A session opens with a frame of its own, and a budget where it buys something."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import explorer
from explorer.session.state import bundled, opening_budget, repriced
from solvers import Dataset, FeatureHypergraph
from solvers.datasets import from_frame
from solvers.errors import DataError
from tests.each import each
from tests.fuzz.refusal import is_one_sentence


@each(
    ("costs", "budget"),
    [([1.0] * 8, 1.0), ([1.0] * 40, 4.0), ([0.0, 5.0, 6.0], 5.0), ([0.0], 0.0)],
)
def test_the_budget_opens_where_it_buys_something(costs, budget):
    hypergraph = FeatureHypergraph.independent(costs)
    rows = np.arange(2.0 * len(costs)).reshape(2, -1)
    assert opening_budget(Dataset("mine", rows, np.array([0, 1]), hypergraph)) == budget


def test_what_is_shared_can_be_paid_where_the_budget_opens():
    needs = [[1, 1, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    hypergraph = FeatureHypergraph(needs, [20.0, 1.0, 1.0, 1.0])
    rows = np.arange(8.0).reshape(2, -1)
    data = Dataset("mine", rows, np.array([0, 1]), hypergraph)
    assert opening_budget(data) == 20.0  # a tenth of all would buy the last alone


def test_examples_open_where_their_question_is():
    assert opening_budget(bundled("heart")) == 50.0
    assert opening_budget(bundled("published")) == 10.5
    dear = replace(bundled("heart").hypergraph, component_costs=np.ones(16))
    assert opening_budget(replace(bundled("heart"), hypergraph=dear)) < 50.0


@each(
    ("budget", "before", "after", "then"),
    [(2.0, 8.0, 8000.0, 2000.0), (0.3, 0.7, 0.7, 0.3), (9.0, 8.0, 4.0, 4.0)],
)
def test_at_other_prices_it_is_the_same_share(budget, before, after, then):
    assert repriced(budget, before, after) == then


def frame(n=60):
    rng = np.random.default_rng(0)
    pain = rng.choice(["dull", "none", "sharp"], n)
    return pd.DataFrame(
        {"age": rng.normal(size=n), "pain": pain, "ill": pain == "dull"}
    )


COSTS = {"age": 1.0, "pain": 3.0}


@each("made", [lambda f: f, pl.from_pandas], ids=["pandas", "polars"])
def test_the_app_opens_with_a_frame(made):
    shown = explorer.app(made(frame()), target="ill", costs=COSTS, unit="CAD")
    expected = from_frame(frame(), "ill", costs=COSTS, unit="CAD")
    found = shown.session.dataset
    assert found.schema == expected.schema
    assert np.array_equal(found.X, expected.X)
    assert found.unit == "CAD"
    assert shown.context.problem.editor.drawing.hypergraph.total_cost == 4.0
    shown.close()


def test_the_app_opens_with_a_data_set():
    dataset = from_frame(frame(), "ill", time="age")
    shown = explorer.app(dataset)
    assert shown.session.dataset.feature_names == ("pain",)
    assert np.array_equal(shown.session.dataset.roles.time, dataset.roles.time)
    shown.close()


@each(
    ("data", "options", "sentence"),
    [
        (frame(), {}, "give the label column as target"),
        (None, {"target": "ill"}, "give a DataFrame"),
        (frame(), {"target": "sick"}, "no column 'sick' .the label."),
        (3, {"target": "ill"}, "rows are a int; give a DataFrame"),
        (frame(9), {"target": "ill"}, "too few rows left"),
        (from_frame(frame(), "ill"), {"target": "ill"}, "leave out 'target'"),
        (frame(), {"session": 3, "target": "ill"}, "Both data and a session"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_a_sentence(data, options, sentence):
    with pytest.raises(DataError, match=sentence) as refused:
        explorer.app(data, **options)
    assert is_one_sentence(str(refused.value))

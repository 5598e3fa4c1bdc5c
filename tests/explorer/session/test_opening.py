"""A notebook opens the app with a frame of its own."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import explorer
from solvers.datasets import from_frame
from solvers.errors import DataError
from tests.each import each
from tests.fuzz.refusal import is_one_sentence


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

"""A data set holds together, or is refused with a sentence."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from solvers import Dataset, FeatureHypergraph
from solvers.datasets.columns.schema import Column, TableSchema
from solvers.errors import DataError

PRICES = FeatureHypergraph.independent([1.0, 2.0], ("age", "pain"))
X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
Y = np.array(["n", "y", "n"])
SCHEMA = TableSchema((Column("age"), Column("pain", "category", ("low", "high"))))


def made(**changed):
    return Dataset(**{"name": "mine", "X": X, "y": Y, "hypergraph": PRICES, **changed})


def test_the_second_of_two_labels_is_the_positive_one():
    assert made().positive == "y"
    assert made(positive="n").positive == "n"
    assert made(y=np.array([2, 1, 3])).positive is None


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"X": X[:, :1]}, r"shape \(3, 1\), but the hypergraph describes 2"),
        ({"y": Y[:2]}, r"3 rows, but labels of shape \(2,\)"),
        ({"X": np.where(X == 3, np.nan, X)}, "'age' holds nan in row 2"),
        (
            {"X": sparse.csr_array(np.full((3, 2), np.inf))},
            "not finite; give X.toarray",
        ),
        ({"y": np.array(["n"] * 3)}, "Every row is labelled 'n'"),
        ({"positive": "maybe"}, "labelled 'maybe'; the positive class is one of 'n'"),
        ({"schema": TableSchema((Column("age"),))}, "schema describes 'age', the hyp"),
        ({"schema": SCHEMA, "X": np.add(X, [0, 2])}, "'pain' holds the code 3"),
        ({"schema": SCHEMA, "X": np.add(X, [0, 0.5])}, "'pain' holds the code 0.5"),
    ],
)
def test_what_does_not_fit_is_refused(changed, sentence):
    with pytest.raises(DataError, match=sentence):
        made(**changed)


def test_codes_may_have_gaps_and_one_place_for_what_is_not_listed():
    codes = np.array([[1.0, np.nan], [2.0, 2.0], [np.nan, 0.0]])
    data = made(X=codes, schema=SCHEMA)
    assert (data.n_samples, data.n_features, data.unit) == (3, 2, "us")


def test_the_columns_of_a_frame_are_taken_by_name():
    frame = pd.DataFrame(X[:, ::-1], columns=["pain", "age"])
    assert made(X=frame).X.tolist() == X.tolist()
    with pytest.raises(DataError, match="X has no 'pain', which the hypergraph names"):
        made(X=frame[["age"]])
    with pytest.raises(DataError, match="holds what is no number"):
        made(X=frame.assign(pain=["low", "high", "low"]))

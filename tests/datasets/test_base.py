"""A data set holds together, or is refused with a sentence."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from solvers import ComponentPrices, Dataset, FeatureHypergraph
from solvers.datasets.base import charging, within_limits
from solvers.datasets.columns.schema import Column, TableSchema
from solvers.datasets.table.bounds import MAX_COLUMNS
from solvers.errors import DataError, HypergraphError
from tests.each import each
from tests.fuzz.bounded import bounded

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


@each(
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


@pytest.fixture
def dataset():
    hypergraph = FeatureHypergraph(
        [[1, 1, 0], [0, 1, 0], [0, 0, 1]],
        [1.0, 2.0, 3.0],
        ("a", "b", "c"),
        unit="CAD",
        charged="money",
        prices=(
            ComponentPrices("delay", [5.0, 1.0, 2.0], "days", "maximum"),
            ComponentPrices("energy", [1.0, 4.0, 2.0], "J"),
        ),
    )
    X = np.arange(24.0).reshape(8, 3)
    return Dataset("x", X, np.arange(8) % 2, hypergraph)


@each(
    ("limits", "left"),
    [
        ({}, ("a", "b", "c")),
        ({"delay": 5.0}, ("a", "b", "c")),
        ({"delay": 4.9}, ("c",)),
        ({"energy": 4.5}, ("a", "c")),
        ({"energy": 4.5, "delay": 2.0}, ("c",)),
    ],
)
def test_a_feature_that_alone_exceeds_a_limit_is_left_out(dataset, limits, left):
    found = within_limits(dataset, limits)
    assert found.feature_names == left
    columns = ["abc".index(name) for name in left]
    assert (found.X == dataset.X[:, columns]).all()
    for name in left:
        assert found.hypergraph.cost([name]) == dataset.hypergraph.cost([name])


def test_where_nothing_is_left_out_the_data_set_is_itself(dataset):
    assert within_limits(dataset, {"delay": 9.0, "energy": 9.0}) is dataset


def test_what_is_left_out_is_told(dataset):
    (note,) = within_limits(dataset, {"energy": 4.5}).notes
    assert note == "Left out, as energy above 4.5 J: 'b'."


@each(
    ("limits", "error", "sentence"),
    [
        ({"delay": -1.0}, DataError, "The limit on 'delay' is -1; give a number"),
        ({"delay": float("nan")}, DataError, "The limit on 'delay' is nan"),
        ({"delay": 1.0}, DataError, "No feature stays within delay 1; raise a limit"),
        ({"fame": 1.0}, HypergraphError, "fame"),
    ],
)
def test_limits_that_leave_nothing_or_mean_nothing_are_refused(
    dataset, limits, error, sentence
):
    with pytest.raises(error) as refusal:
        within_limits(dataset, limits)
    assert sentence in str(refusal.value)


def test_another_price_is_charged_and_the_first_one_stays_beside_it(dataset):
    found = charging(dataset, "energy")
    assert (found.hypergraph.charged, found.unit) == ("energy", "J")
    assert found.hypergraph.cost(["b"]) == 5.0
    assert {price.name for price in found.hypergraph.prices} == {"delay", "money"}
    assert charging(dataset, "money") is dataset


def test_a_price_that_does_not_add_up_cannot_be_charged(dataset):
    with pytest.raises(HypergraphError, match="delay"):
        charging(dataset, "delay")


def test_limits_on_the_widest_table_take_no_room():
    n = MAX_COLUMNS // 2
    price = ComponentPrices("delay", np.arange(n), "days", "maximum")
    incidence = sparse.eye_array(n, format="csr")
    hypergraph = FeatureHypergraph(incidence, np.ones(n), prices=[price])
    dataset = Dataset("wide", np.zeros((2, n)), np.arange(2), hypergraph)
    with bounded(megabytes=20):
        assert within_limits(dataset, {"delay": 4.0}).X.shape == (2, 5)

"""A column is called what a person calls it, whatever encodes it."""

import numpy as np
import pytest

from explorer.export.column_text import ColumnText
from solvers import Dataset, FeatureHypergraph, split_dataset
from solvers.datasets.columns.schema import Column, TableSchema

COLUMNS = (
    Column("pain", "category", ("none", "typical", "other")),
    Column("pulse", has_gaps=True),
    Column("grade", "ordered", ("low", "high", "highest")),
    Column("sex", "yes/no", ("female", "male"), has_gaps=True),
    Column("region", "code", ("7", "9", "11"), encoding="mean of the label"),
    Column("call", "time", parts=("minute",), has_gaps=True),
    Column("a=b"),
)


@pytest.fixture(scope="module")
def split():
    rng = np.random.default_rng(0)
    pulse = rng.normal(70, 5, 200)
    codes = [rng.integers(0, max(len(c.values), 1), 200) for c in COLUMNS]
    X = np.column_stack(codes).astype(float)
    X[:, 1], X[:20, 1], X[20:40, [3, 5]] = pulse, np.nan, np.nan
    names = tuple(column.name for column in COLUMNS)
    hypergraph = FeatureHypergraph(np.eye(len(names)), np.ones(len(names)), names)
    y = rng.integers(0, 2, 200)
    return split_dataset(Dataset("x", X, y, hypergraph, schema=TableSchema(COLUMNS)))


@pytest.fixture(scope="module")
def words(split):
    return ColumnText(split.dataset, split.encoder)


def test_every_column_belongs_to_the_feature_that_encodes_to_it(split, words):
    assert len(words) == split.X("test").shape[1]
    for j in range(len(words)):
        mask = np.eye(len(words), dtype=bool)[j]
        assert np.flatnonzero(split.features_of(mask)) == [words.feature(j)]


def test_a_column_of_zero_and_one_is_a_condition(split, words):
    found = [words.condition(j) for j in range(len(words))]
    assert [each for each in found if each] == [
        *("pain is none", "pain is typical", "pain is other", "pain is another"),
        *("pulse is missing", "sex is male", "sex is missing"),
        "call is missing",
    ]
    for j, condition in enumerate(found):
        values = np.unique(split.X("test")[:, j])
        assert condition is None or set(values) <= {0.0, 1.0}


def test_a_number_is_no_condition_even_if_its_name_looks_like_one(words):
    last = len(words) - 1
    assert words.name(last) == "a=b"
    assert words.condition(last) is None


def test_it_says_how_gaps_and_orders_are_read(split, words):
    said = words.readings(range(len(words)))
    pulse = split.dataset.X[split.rows["train"], 1]
    assert f"Where pulse is missing, take {np.nanmedian(pulse):.6g}." in said
    assert "grade counts: low 0, high 1, highest 2." in said
    assert any(line.startswith("Where sex is missing, take ") for line in said)
    assert len(said) == 3


def test_a_table_of_numbers_is_called_as_it_is(split):
    words = ColumnText(split.plain)
    assert words.name(0) == split.plain.feature_names[0]
    assert words.condition(0) is None
    assert words.features([3, 1, 1]) == [1, 3]
    assert words.readings(range(len(words))) == []

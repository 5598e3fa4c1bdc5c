"""Encoded columns are learned from training rows alone, each counted by its weight."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from solvers import FeatureHypergraph, split_dataset
from solvers.datasets import Column, TableEncoder, TableSchema, from_frame, read_kinds
from solvers.errors import DataError, InterchangeError
from tests.each import each

PAINS = ("dull", "none", "sharp", "tight")


def test_rare_and_unseen_values_share_a_column_and_are_counted():
    schema = TableSchema((Column("pain", "category", values=PAINS),))
    train = pd.DataFrame({"pain": ["dull"] * 5 + ["none"] * 5 + ["sharp"] * 2})
    encoder = TableEncoder(schema, rare=3).fit(train)
    rows = pd.DataFrame({"pain": ["dull", "sharp", "tight", "burning"]})
    encoded = encoder.transform(rows)
    assert encoded[:, -1].tolist() == [0, 1, 1, 1]
    assert encoded[:, :-1].sum(axis=1).tolist() == [1, 0, 0, 0]
    assert encoder.unseen(rows) == {"pain": 2}


MEANS = "mean of the label"


def test_a_row_of_weight_nine_moves_median_and_mean_as_nine_rows():
    """The mean of the label is told by those rows, and they fill the gap."""
    gap = Column("age", has_gaps=True)
    pain = Column("pain", "category", values=("dull", "sharp"), encoding=MEANS)
    rows = pd.DataFrame(
        {"age": [0.0, 10, 0, None, 0], "pain": ["dull"] * 3 + ["sharp"] * 2}
    )
    y, weights = [0, 1, 0, 0, 1], np.array([1, 9, 1, 1, 1])
    encoder = TableEncoder(TableSchema((gap, pain))).fit(rows, y, weights)
    again = np.repeat(np.arange(5), weights)
    written = TableEncoder(TableSchema((gap, pain)))
    written.fit(rows.iloc[again], np.array(y)[again])
    assert encoder.parts_[0].fill == 10
    assert np.allclose(encoder.transform(rows), written.transform(rows))
    alike = TableEncoder(TableSchema((gap, pain))).fit(rows, y)
    assert alike.parts_[0].fill == 0
    assert encoder.transform(rows)[0, 2] > 0.7 > 0.5 > alike.transform(rows)[0, 2]


KINDS = (
    Column("filled", has_gaps=True),
    Column("beneath", has_gaps=True, gaps="value"),
    Column("day", "date", parts=("age", "month"), has_gaps=True),
    Column("told", "yes/no", values=("no", "yes"), has_gaps=True),
    Column("grade", "ordered", values=PAINS, has_gaps=True),
    Column("pain", "category", values=PAINS, has_gaps=True),
    Column("own", "code", values=PAINS, has_gaps=True, gaps="value"),
    Column("bucket", "hashed", values=PAINS),
    Column("mean", "category", values=PAINS, has_gaps=True, encoding=MEANS),
    Column("rank", "ordered", values=PAINS, encoding=MEANS),
)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10_000),
    st.lists(st.integers(0, 4), min_size=12, max_size=40),
    st.integers(2, 3),
)
def test_a_row_of_weight_k_is_k_rows_whatever_the_kind_of_column(
    seed, times, n_classes
):
    rng, n = np.random.default_rng(seed), len(times)
    weights = np.array(times) + (np.arange(n) % 6 == 0)
    codes = rng.integers(0, 4, (n, len(KINDS))).astype(float)
    codes[:, :3] = rng.integers(-9, 9, (n, 3))
    codes[:, 3] %= 2
    gaps = rng.random(codes.shape) < 0.2
    gaps[:, [7, 9]] = False  # these kinds say by a bucket, or by nothing
    codes[gaps] = np.nan
    y = np.resize(np.arange(n_classes), n)
    written = rng.permutation(np.repeat(np.arange(n), weights))
    if len(np.unique(y[written])) < n_classes:
        return
    schema, row = TableSchema(KINDS), np.arange(n)
    one, other = TableEncoder(schema, rare=4), TableEncoder(schema, rare=4)
    crossed = one.fit_codes(codes, y, weights, groups=row)
    again = other.fit_codes(codes[written], y[written], groups=row[written])
    assert np.allclose(one.encode(codes), other.encode(codes))
    assert np.allclose(crossed[written], again)
    for mine, theirs in zip(one.parts_, other.parts_, strict=True):
        assert np.array_equal(mine.unseen, theirs.unseen)


def test_shares_of_the_whole_make_no_value_rare():
    schema = TableSchema((Column("pain", "category", values=PAINS),))
    rows = pd.DataFrame({"pain": ["dull"] * 6 + ["none"] * 5 + ["sharp"]})
    alike = TableEncoder(schema).fit(rows)
    shares = TableEncoder(schema).fit(rows, sample_weight=np.full(12, 1 / 12))
    assert np.array_equal(alike.transform(rows), shares.transform(rows))


@each(
    ("weights", "sentence"),
    [
        ([1.0], r"sample_weight has shape \(1,\)"),
        ([1.0, -1.0], "A sample weight is -1"),
        ([0.0, 0.0], "Every sample weight is zero"),
        ([1.0, np.nan], "A sample weight is nan"),
    ],
)
def test_weights_that_weigh_nothing_are_refused(weights, sentence):
    schema = TableSchema((Column("pain", "category", values=PAINS),))
    with pytest.raises(DataError, match=sentence):
        TableEncoder(schema).fit(pd.DataFrame({"pain": PAINS[:2]}), None, weights)


def table(n=80, seed=0):
    rng = np.random.default_rng(seed)
    pain = rng.choice([*PAINS, None], n)
    age = np.where(rng.random(n) < 0.1, np.nan, rng.normal(50, 9, n))
    ill = (rng.random(n) < np.where(pain == "none", 0.2, 0.8)).astype(int)
    return pd.DataFrame(
        {"age": age, "pain": pain, "sex": rng.choice(["f", "m"], n), "ill": ill}
    )


def test_one_row_that_is_seen_many_times_stays_one():
    encoder = TableEncoder(TableSchema((Column("pain", "category", values=PAINS),)))
    encoder.fit(table()[["pain"]])
    bought = np.arange(len(encoder.names_)) == 1
    found = encoder.columns_of(np.broadcast_to(bought, (50, len(bought))))
    assert (found.tolist(), found.strides[0]) == ([[True]] * 50, 0)


def test_what_test_rows_hold_changes_nothing_that_training_rows_become():
    """The leak test: an encoder that sees other rows than training ones is caught."""
    frame = table()
    before = split_dataset(from_frame(frame, "ill"))
    others = np.concatenate([before.rows["validation"], before.rows["test"]])
    frame.loc[others, "age"] = 1e6
    frame.loc[others[1:], "pain"] = "sharp"
    after = split_dataset(from_frame(frame, "ill"))
    assert np.array_equal(before.X("train"), after.X("train"))
    assert [p.fill for p in before.encoder.parts_] == [
        part.fill for part in after.encoder.parts_
    ]
    assert not np.array_equal(before.X("test"), after.X("test"))


def test_every_split_has_the_same_columns():
    dataset = from_frame(table(), "ill")
    splits = [split_dataset(dataset, seed) for seed in range(5)]
    assert len({split.encoder.names_ for split in splits}) == 1
    assert all(np.isfinite(s.X(part)).all() for s in splits for part in s.rows)


def test_encoded_columns_need_what_their_column_needs():
    dataset = from_frame(table(), "ill", costs={"age": 2.0, "pain": 3.0, "sex": 5.0})
    split = split_dataset(dataset)
    names = split.hypergraph.features
    of_pain = [name for name in names if name.startswith("pain")]
    assert len(of_pain) == len(PAINS) + 2
    assert split.hypergraph.cost(of_pain) == split.hypergraph.cost(of_pain[:1]) == 3.0
    assert split.hypergraph.total_cost == dataset.hypergraph.total_cost == 10.0
    bought = split.hypergraph.feature_mask(["pain=none", "sex=m"])
    assert split.features_of(bought).tolist() == [False, True, True]


def test_prices_of_encoded_columns_are_taken_by_name():
    dataset = from_frame(table(), "ill", costs={"age": 2.0, "pain": 3.0, "sex": 5.0})
    encoder = split_dataset(dataset).encoder
    want = encoder.encoded_hypergraph(dataset.hypergraph)
    turned = dataset.hypergraph.restrict(["sex", "age", "pain"])
    found = encoder.encoded_hypergraph(turned)
    assert found.features == want.features
    assert found.marginal_costs().tolist() == want.marginal_costs().tolist()
    with pytest.raises(
        DataError, match="The hypergraph has no 'sex', which the schema"
    ):
        encoder.encoded_hypergraph(turned.remove(features="sex"))


def test_rows_may_be_dicts_or_lists():
    frame = table()[["age", "pain", "sex"]]
    schema = from_frame(table(), "ill").schema
    encoder = clone(TableEncoder(schema)).fit(frame)
    expected = encoder.transform(frame[:3])
    dicts = frame[:3].to_dict("records")
    assert np.array_equal(encoder.transform(dicts), expected)
    assert np.array_equal(encoder.transform(frame[:3].to_numpy().tolist()), expected)
    assert np.array_equal(encoder.transform(dicts[0]), expected[:1])
    with pytest.raises(DataError, match="have no column 'sex'"):
        encoder.transform(frame.drop(columns="sex"))


def test_a_schema_comes_back_from_its_file():
    schema = from_frame(table(), "ill").schema
    assert TableSchema.from_json(schema.to_json()) == schema


@each(
    ("text", "sentence"),
    [
        ("{", "is not JSON"),
        ("[1]", "The file of kinds holds '\\[1\\]'; write {"),
        ('{"columns": 3}', "Column 'columns' is described as 3"),
        ('{"columns": {"a": 3}}', "Column 'a' is described as 3"),
        ('{"columns": {"a": {"knd": "code"}}}', "Column 'a' is described as"),
        ('{"columns": {"a": "colour"}}', "has the kind 'colour'; use one of number"),
        ('{"columns": {"a": {"values": 3}}}', "values of column 'a' are 3"),
    ],
)
def test_bad_files_of_kinds_are_refused_with_a_sentence(text, sentence):
    with pytest.raises((DataError, InterchangeError), match=sentence):
        read_kinds(text)


def test_a_file_of_kinds_may_say_them_alone():
    said = '{"a": "code", "b": {"has_gaps": true}}'
    assert read_kinds(said) == read_kinds(f'{{"columns": {said}}}')


def test_codes_that_stand_for_no_value_are_refused():
    dataset = from_frame(table(), "ill")
    for wrong in (-1.0, 0.5, 99.0):
        codes = dataset.X.copy()
        codes[3, 1] = wrong
        with pytest.raises(DataError, match="Column 'pain' holds the code"):
            dataclasses.replace(dataset, X=codes)


def test_a_hypergraph_of_other_columns_is_refused():
    dataset = from_frame(table(), "ill")
    other = FeatureHypergraph.independent([1, 1, 1], ["a", "b", "c"])
    with pytest.raises(DataError, match="The schema describes 'age'"):
        type(dataset)("x", dataset.X, dataset.y, other, schema=dataset.schema)

"""Encoded columns are what scikit-learn makes by hand, from training rows alone."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OneHotEncoder, TargetEncoder

from solvers import FeatureHypergraph, split_dataset
from solvers.datasets import Column, TableEncoder, TableSchema, from_frame, read_kinds
from solvers.errors import DataError, InterchangeError

PAINS = ("dull", "none", "sharp", "tight")


@st.composite
def frames(draw):
    n = draw(st.integers(12, 40))
    number = st.one_of(st.none(), st.floats(-1e6, 1e6))
    word = st.one_of(st.none(), st.sampled_from(PAINS))
    return pd.DataFrame(
        {
            "age": pd.Series(
                draw(st.lists(number, min_size=n, max_size=n)), dtype=float
            ),
            "pain": draw(st.lists(word, min_size=n, max_size=n)),
        }
    )


@settings(max_examples=60, deadline=None)
@given(frames(), frames())
def test_frames_of_numbers_and_words_are_encoded_as_by_hand(train, test):
    train.loc[:1, "age"], train.loc[:3, "pain"] = [1.0, 2.0], list(PAINS)
    schema = TableSchema(
        (
            Column("age", has_gaps=True),
            Column("pain", "category", values=PAINS, has_gaps=True),
        )
    )
    encoder = TableEncoder(schema, rare=1).fit(train)
    for rows in (train, test):
        found = encoder.transform(rows)
        medians = SimpleImputer(strategy="median").fit(train[["age"]])
        assert np.allclose(found[:, 0], medians.transform(rows[["age"]])[:, 0])
        assert np.array_equal(found[:, 1], rows["age"].isna())
        # Of equally frequent values the imputer takes the first, as we do.
        usual = train["pain"].dropna().mode().sort_values().iloc[0]
        filled = rows["pain"].where(rows["pain"].notna(), usual)
        hot = OneHotEncoder(categories=[list(PAINS)], sparse_output=False)
        expected = hot.fit_transform(filled.to_numpy(dtype=object)[:, None])
        assert np.array_equal(found[:, 2:6], expected)
        assert not found[:, 6].any()
        assert np.array_equal(found[:, 7], rows["pain"].isna())


def test_rare_and_unseen_values_share_a_column_and_are_counted():
    schema = TableSchema((Column("pain", "category", values=PAINS),))
    train = pd.DataFrame({"pain": ["dull"] * 5 + ["none"] * 5 + ["sharp"] * 2})
    encoder = TableEncoder(schema, rare=3).fit(train)
    rows = pd.DataFrame({"pain": ["dull", "sharp", "tight", "burning"]})
    encoded = encoder.transform(rows)
    assert encoded[:, -1].tolist() == [0, 1, 1, 1]
    assert encoded[:, :-1].sum(axis=1).tolist() == [1, 0, 0, 0]
    assert encoder.unseen(rows) == {"pain": 2}


def test_means_of_the_label_are_scikit_learns():
    column = Column("pain", "category", values=PAINS, encoding="mean of the label")
    rng = np.random.default_rng(0)
    words, y = rng.choice(PAINS, 60), rng.integers(0, 2, 60)
    encoder = TableEncoder(TableSchema((column,)))
    rows = pd.DataFrame({"pain": words})
    reference = TargetEncoder(cv=StratifiedKFold(2, shuffle=True, random_state=0))
    codes = np.array([PAINS.index(word) for word in words], dtype=float)[:, None]
    crossed = reference.fit_transform(codes, y)
    assert np.array_equal(encoder.fit_transform(rows, y), crossed)
    assert np.array_equal(encoder.transform(rows), reference.transform(codes))


def test_dates_are_parted_as_pandas_parts_them():
    days = pd.date_range("1960-02-27 05:10", periods=40, freq="37h")
    parts = ("age", "month", "weekday", "hour")
    encoder = TableEncoder(TableSchema((Column("day", "date", parts=parts),)))
    found = encoder.fit(pd.DataFrame({"day": days})).transform(
        pd.DataFrame({"day": days})
    )
    assert np.allclose(found[:, 0], (days.max() - days) / pd.Timedelta(days=1))
    assert found[:, 1].tolist() == days.month.tolist()
    assert found[:, 2].tolist() == days.day_of_week.tolist()
    assert found[:, 3].tolist() == days.hour.tolist()


@pytest.mark.parametrize("gaps", ["fill", "value"])
def test_a_missing_day_is_told_from_the_median_that_stands_for_it(gaps):
    days = pd.DataFrame({"day": [None, *pd.date_range("2024-01-01", periods=3)]})
    column = Column("day", "date", parts=("age",), has_gaps=True, gaps=gaps)
    encoder = TableEncoder(TableSchema((column,)))
    assert encoder.fit(days).names_ == ("day (age)", "day is missing")
    assert encoder.transform(days)[:, 1].tolist() == [1, 0, 0, 0]


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
    assert np.array_equal(before.encoder.fill_, after.encoder.fill_)
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


def test_a_gap_may_be_a_value_of_its_own():
    schema = TableSchema(
        (
            Column("age", has_gaps=True, gaps="value"),
            Column("pain", "category", values=PAINS, has_gaps=True, gaps="value"),
        )
    )
    rows = pd.DataFrame({"age": [1.0, None, 11.0], "pain": ["dull", None, "none"]})
    found = TableEncoder(schema, rare=1).fit(rows).transform(rows)
    assert found[:, 0].tolist() == [1.0, 0.0, 11.0]  # beneath the least one
    assert found[1, 1:].tolist() == [0, 0, 0, 0, 0, 1]


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


@pytest.mark.parametrize(
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


@settings(max_examples=30, deadline=None)
@given(st.data(), st.integers(12, 40))
def test_ordered_values_codes_and_yes_no_are_encoded_as_by_hand(data, n):
    def column(values):
        cells = st.none() | st.sampled_from(values)
        found = data.draw(st.lists(cells, min_size=n, max_size=n))
        return pd.Series([*values, *found[len(values) :]], dtype=object)

    frame = pd.DataFrame(
        {
            "grade": column(["low", "mid", "high"]),
            "code": column([1, 2, 7]).astype("Int64"),
            "is": column(["no", "yes"]),
        }
    )
    schema = TableSchema(
        (
            Column("grade", "ordered", ("low", "mid", "high"), has_gaps=True),
            Column("code", "code", ("1", "2", "7"), has_gaps=True),
            Column("is", "yes/no", ("no", "yes"), has_gaps=True),
        )
    )
    found = TableEncoder(schema, rare=1).fit(frame).transform(frame)
    places = {"grade": ["low", "mid", "high"], "code": [1, 2, 7], "is": ["no", "yes"]}
    expected = []
    for name, values in places.items():
        codes = frame[name].map({value: k for k, value in enumerate(values)})
        usual = codes.dropna().astype(int).mode().min()
        filled = codes.astype(float).fillna(usual).to_numpy()
        if name == "code":
            expected += [filled == k for k in range(len(values))]
            expected.append(np.zeros(n))  # no value is rare
        else:
            expected.append(filled)
        expected.append(frame[name].isna())
    assert np.array_equal(found, np.column_stack(expected).astype(float))

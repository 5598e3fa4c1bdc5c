"""What a column of each kind becomes is what scikit-learn makes of it by hand."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OneHotEncoder, TargetEncoder

from solvers.datasets import Column, TableEncoder, TableSchema
from tests.each import each

PAINS = ("dull", "none", "sharp", "tight")
MEANS = "mean of the label"


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


@settings(max_examples=30, deadline=None)
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


@each("n_classes", [2, 3])
def test_means_of_the_label_are_scikit_learns(n_classes):
    column = Column("pain", "category", values=PAINS, encoding=MEANS)
    rng = np.random.default_rng(0)
    words, y = rng.choice(PAINS, 60), rng.integers(0, n_classes, 60)
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


@each("gaps", ["fill", "value"])
def test_a_missing_day_is_told_from_the_median_that_stands_for_it(gaps):
    days = pd.DataFrame({"day": [None, *pd.date_range("2024-01-01", periods=3)]})
    column = Column("day", "date", parts=("age",), has_gaps=True, gaps=gaps)
    encoder = TableEncoder(TableSchema((column,)))
    assert encoder.fit(days).names_ == ("day (age)", "day is missing")
    assert encoder.transform(days)[:, 1].tolist() == [1, 0, 0, 0]


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

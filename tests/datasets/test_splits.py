"""Cuts of a data set: every row once, both classes everywhere, nothing leaks."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.datasets import Dataset, from_frame, read_table
from solvers.datasets.rows import RowRoles
from solvers.datasets.splits import encoded, split_dataset, split_folds
from solvers.errors import DataError
from tests.each import each


def _dataset(n_samples=40, n_positive=16, **options):
    rng = np.random.default_rng(n_samples)
    y = rng.permutation(np.arange(n_samples) < n_positive).astype(int)
    X = rng.standard_normal((n_samples, 2))
    return Dataset(
        "made up", X, y, FeatureHypergraph.independent([1.0, 2.0]), **options
    )


def _mixed():
    lines = [
        f"{colour},{k / 10},{'yes' if (k + len(colour)) % 3 else 'no'}"
        for k, colour in enumerate(["red", "green", "blue", ""] * 20)
    ]
    text = "\n".join(["colour,size,bought", *lines])
    return read_table(text.encode(), label="bought")


@given(
    n_samples=st.integers(20, 90),
    share=st.floats(0.3, 0.7),
    train=st.floats(0.3, 0.6),
    seed=st.integers(0, 99),
)
@settings(max_examples=25)
def test_every_row_is_in_one_part_in_the_shares_asked_for(
    n_samples, share, train, seed
):
    fractions = (train, 0.8 * (1 - train), 0.2 * (1 - train))
    dataset = _dataset(n_samples, int(share * n_samples), fractions=fractions)
    if min(np.bincount(dataset.y)) * min(fractions) < 1:
        return
    rows = split_dataset(dataset, seed).rows
    together = np.sort(np.concatenate([*rows.values()]))
    assert together.tolist() == list(range(n_samples))
    for part, fraction in zip(("train", "validation", "test"), fractions, strict=True):
        assert abs(len(rows[part]) - fraction * n_samples) <= 2


def test_classes_are_as_frequent_in_every_part():
    dataset = _dataset(400, 100)
    rows = split_dataset(dataset).rows
    assert [dataset.y[rows[part]].mean() for part in rows] == [0.25] * 3


def test_a_seed_repeats_the_cut_and_another_does_not():
    dataset = _dataset()
    first, again, other = (split_dataset(dataset, seed).rows for seed in (3, 3, 4))
    assert all((first[part] == again[part]).all() for part in first)
    assert any((np.sort(first[part]) != np.sort(other[part])).any() for part in first)


def test_parts_are_rows_labels_and_weights_of_the_data_set():
    dataset = _dataset()
    split = split_dataset(dataset)
    for part, rows in split.rows.items():
        assert (split.X(part) == dataset.X[rows]).all()
        assert (split.y(part) == dataset.y[rows]).all()
        assert split.weight(part) is None


def test_groups_of_a_part_are_those_of_its_rows_or_stretches_of_time():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((400, 1)), np.arange(400) % 2
    graph = FeatureHypergraph.independent([1.0])
    group, time = np.arange(400) // 8, rng.permutation(400) // 2
    split = split_dataset(Dataset("g", X, y, graph, roles=RowRoles(group=group)))
    assert np.array_equal(split.groups("train"), group[split.rows["train"]])
    split = split_dataset(Dataset("t", X, y, graph, roles=RowRoles(time=time * 1.0)))
    stretch, when = split.groups("train"), time[split.rows["train"]]
    assert np.unique(stretch, return_counts=True)[1].tolist() == [10] * 20
    # One after the other, and no moment is torn.
    assert (np.diff(stretch[np.argsort(when)]) >= 0).all()
    assert all(len(set(stretch[when == moment])) == 1 for moment in when)
    assert split_dataset(Dataset("n", X, y, graph)).groups("train") is None


def test_a_class_too_small_for_every_part_is_refused():
    with pytest.raises(DataError) as refusal:
        split_dataset(_dataset(40, 3))
    assert str(refusal.value) == (
        "The smallest class has 3 rows; training, validation and test need at least 4 "
        "in all."
    )


def test_each_row_is_tested_by_one_fold():
    dataset = _dataset()
    folds = split_folds(dataset, 4)
    tested = np.sort(np.concatenate([fold.rows["test"] for fold in folds]))
    assert tested.tolist() == list(range(40))
    for fold in folds:
        together = np.sort(np.concatenate([*fold.rows.values()]))
        assert together.tolist() == list(range(40))


@each(
    ("n_folds", "sentence"),
    [
        (1, "n_folds is 1; it is 2 or more."),
        (9, "The smallest class has 16 rows; 9 folds need at least 18."),
    ],
)
def test_folds_that_cannot_be_dealt_are_refused(n_folds, sentence):
    with pytest.raises(DataError) as refusal:
        split_folds(_dataset(), n_folds)
    assert str(refusal.value) == sentence


def test_rows_outside_of_training_do_not_change_how_training_rows_are_encoded():
    dataset = _mixed()
    split = split_dataset(dataset)
    changed = dataset.X.copy()
    changed[split.rows["test"], 1] = 1e6
    other = dataclasses.replace(split, dataset=dataclasses.replace(dataset, X=changed))
    assert (other.X("train") == split.X("train")).all()
    assert (other.X("test") != split.X("test")).any()


@each("part", ["train", "validation", "test"])
def test_a_number_without_gaps_is_its_own_encoding_in_every_part(part):
    dataset = _mixed()
    split = split_dataset(dataset)
    size = dataset.feature_names.index("size")
    columns = np.eye(split.hypergraph.n_features, dtype=bool)
    (own,) = [j for j, c in enumerate(columns) if split.features_of(c)[size]]
    assert (split.X(part)[:, own] == dataset.X[split.rows[part], size]).all()


def test_encoded_columns_are_priced_as_the_column_they_come_from():
    split = split_dataset(_mixed())
    table, hypergraph = split.X("train"), split.hypergraph
    assert table.shape[1] == hypergraph.n_features > split.dataset.n_features
    for column in np.eye(hypergraph.n_features, dtype=bool):
        source = split.features_of(column)
        assert source.sum() == 1
        price = split.dataset.hypergraph.cost(source)
        assert hypergraph.cost(column) == pytest.approx(price)


def test_an_encoded_data_set_is_cut_into_what_the_cut_encodes():
    dataset = _mixed()
    split, plain = split_dataset(dataset, 5), encoded(dataset, 5)
    assert plain.schema is None
    again = split_dataset(plain, 5)
    for part in split.rows:
        assert (again.X(part) == split.X(part)).all()


def test_a_data_set_of_plain_numbers_is_its_own_encoding():
    dataset = _dataset()
    assert encoded(dataset) is dataset
    assert split_dataset(dataset).plain is dataset
    assert split_dataset(dataset).hypergraph is dataset.hypergraph


def test_values_that_only_other_rows_hold_are_counted_and_told():
    part = np.array(["train"] * 40 + ["validation"] * 10 + ["test"] * 10)
    town = np.array([f"t{k % 4}" for k in range(60)], dtype=object)
    town[[41, 55, 58]] = "new"  # in no training row
    town[3] = "once"  # rare in training, but not unseen
    town[50] = "once"
    grade = np.resize(["mild", "moderate", "severe"], 60).astype(object)
    grade[:40] = np.resize(["mild", "severe"], 40)  # a step keeps its place
    flag = np.resize(["no", "yes"], 60)
    frame = pd.DataFrame({"town": town, "grade": grade, "flag": flag, "part": part})
    data = from_frame(frame.assign(y=[0, 0, 1, 1] * 15), "y", part="part")
    split = split_dataset(data)
    assert split.notes == (
        "Values that no training row holds, taken as rare ones in rows of validation "
        "and test: 'town' (3).",
    )
    assert split.encoder.unseen(frame) == {"town": 3}
    assert split.encoder.unseen(frame[:40]) == {}
    assert split.encoder.unseen(frame.assign(flag="maybe")) == {"town": 3, "flag": 60}
    # Whatever is unseen becomes what rare values become.
    new, rare = split.encoder.transform(frame)[[55, 50]][:, :7]
    assert new.tolist() == rare.tolist()


def test_dates_far_outside_those_of_training_are_counted_and_told():
    part = np.array(["train"] * 40 + ["validation"] * 10 + ["test"] * 10)
    day = pd.Series(pd.date_range("2021-01-01", periods=60, freq="D"))
    day[[42, 58]] = pd.Timestamp("1970-01-01"), pd.Timestamp("2031-01-01")
    frame = pd.DataFrame({"day": day, "month": day, "part": part})
    kinds = {"month": {"kind": "date", "parts": ["month"]}}
    data = from_frame(frame.assign(y=[0, 1] * 30), "y", part="part", kinds=kinds)
    split = split_dataset(data)
    assert split.notes == (
        "Dates further outside those of training rows than these span, in rows of "
        "validation and test: 'day' (2).",
    )
    # Months come again; a gap is no date; as far outside as they span is near.
    frame.loc[:2, "day"] = [
        None,
        pd.Timestamp("2020-11-23"),
        pd.Timestamp("2020-11-22"),
    ]
    assert split.encoder.unseen(frame[:3]) == {"day": 1}
    assert split.encoder.unseen(frame) == {"day": 3}


def test_of_many_values_those_not_listed_are_seen_where_training_rows_hold_some():
    values = np.array([f"v{k % 40}" for k in range(400)], dtype=object)
    frame = pd.DataFrame({"v": values, "x": np.arange(400) % 7})
    kinds = {"v": {"kind": "category"}}
    data = from_frame(frame.assign(y=[0, 0, 1, 1] * 100), "y", kinds=kinds)
    split = split_dataset(data)
    assert len(data.schema.columns[0].values) == 30
    assert split.notes == ()


def test_of_many_columns_with_unseen_values_the_first_few_are_told():
    part = np.array(["train"] * 40 + ["validation"] * 10 + ["test"] * 10)
    columns = {f"c{j}": np.resize(["a", "b"], 60).astype(object) for j in range(40)}
    for values in columns.values():
        values[50] = "new"
    frame = pd.DataFrame({**columns, "part": part, "y": [0, 0, 1, 1] * 15})
    (note,) = split_dataset(from_frame(frame, "y", part="part")).notes
    assert note.endswith(
        "'c0' (1), 'c1' (1), 'c2' (1), 'c3' (1), 'c4' (1) and 35 more."
    )

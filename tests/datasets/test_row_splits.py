"""Rows are cut by groups, times and given parts; weights reach learning and scores."""

import itertools

import numpy as np
import pandas as pd
import pytest

from solvers import split_dataset, trace_frontier
from solvers.datasets import from_frame
from solvers.datasets.splits import split_folds
from solvers.decisions.scores import LABEL_SCORES
from solvers.errors import DataError
from solvers.frontier.free_answer import free_answer, free_scores
from tests.each import each


def frame(n=120, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return pd.DataFrame(
        {
            "x": x,
            "z": rng.normal(size=n),
            "who": [f"p{k}" for k in rng.integers(0, 25, n)],
            "day": pd.date_range("2020-01-01", periods=n)[rng.permutation(n)],
            "side": rng.choice(["train", "Validation", "test"], n),
            "times": rng.integers(1, 4, n),
            "ill": (x + rng.normal(size=n) > 0).astype(int),
        }
    )


# The log loss is not among them: its curve knows how many rows there are.
COUNTED = (*LABEL_SCORES, "roc_auc", "sensitivity_at_specificity")

FEATURES = {"leave_out": ["who", "day", "side", "times"]}


def without(name):
    return [other for other in FEATURES["leave_out"] if other != name]


def cut(name, role, table=None):
    table = frame() if table is None else table
    data = from_frame(table, "ill", leave_out=without(name), **{role: name})
    assert name not in data.feature_names
    return table, data


@each("seed", range(4))
def test_no_group_stands_on_two_sides(seed):
    table, data = cut("who", "group")
    split = split_dataset(data, seed)
    sides = [set(table["who"].iloc[rows]) for rows in split.rows.values()]
    assert not sides[0] & sides[1]
    assert not sides[1] & sides[2]
    assert not sides[0] & sides[2]
    shares = [len(rows) / len(table) for rows in split.rows.values()]
    assert np.allclose(shares, data.fractions, atol=0.1)
    assert sorted(np.concatenate(list(split.rows.values()))) == list(range(len(table)))
    for fold in split_folds(data, 4, seed):
        sides = [set(table["who"].iloc[rows]) for rows in fold.rows.values()]
        assert not sides[0] & sides[2]
        assert not sides[0] & sides[1]


def test_earlier_rows_train_and_later_ones_test():
    table, data = cut("day", "time")
    rows = split_dataset(data).rows
    days = [table["day"].iloc[rows[part]] for part in ("train", "validation", "test")]
    assert days[0].max() < days[1].min()
    assert days[1].max() < days[2].min()
    assert [len(part) for part in days] == [60, 30, 30]
    with pytest.raises(DataError, match="make one split, not 5 folds"):
        split_folds(data, 5)


def test_rows_of_one_moment_stay_together():
    table = frame().assign(day=np.repeat([2001, 2002, 2003, 2004], 30))
    table, data = cut("day", "time", table)
    rows = split_dataset(data).rows
    assert [sorted(set(table["day"].iloc[r])) for r in rows.values()] == [
        [2001, 2002],
        [2003],
        [2004],
    ]


def test_given_parts_are_kept_whatever_the_seed():
    table, data = cut("side", "part")
    for seed in (0, 1):
        for part, rows in split_dataset(data, seed).rows.items():
            assert set(table["side"].iloc[rows].str.lower()) == {part}


@each("more", [{}, {"group": "who"}])
def test_validation_rows_are_drawn_from_those_that_train_where_none_is_given(more):
    table = frame()
    table["side"] = np.where(np.isin(table["who"], ["p1", "p2", "p3"]), "test", "train")
    left = [name for name in ("who", "day", "times") if name not in more.values()]
    data = from_frame(table, "ill", leave_out=left, part="side", **more)
    assert any("drawn from those that train" in note for note in data.notes)
    first, again, other = (split_dataset(data, seed).rows for seed in (0, 0, 1))
    assert np.array_equal(table["side"].iloc[first["test"]].unique(), ["test"])
    assert sorted(np.concatenate(list(first.values()))) == list(range(len(table)))
    assert np.array_equal(first["validation"], again["validation"])
    assert not np.array_equal(first["validation"], other["validation"])
    trained, held = (table.iloc[first[part]] for part in ("train", "validation"))
    assert len(held) / (len(trained) + len(held)) == pytest.approx(1 / 3, abs=0.1)
    if more:
        assert not set(trained["who"]) & set(held["who"])
    else:
        assert held["ill"].mean() == pytest.approx(trained["ill"].mean(), abs=0.02)


def test_too_few_training_rows_to_draw_validation_rows_from_are_refused():
    table = frame()
    table["side"] = np.where(table["ill"] == 1, "test", "train")
    table.loc[np.flatnonzero(table["ill"])[:2], "side"] = "train"
    data = from_frame(table, "ill", leave_out=without("side"), part="side")
    with pytest.raises(DataError, match="only 2 rows of the rarest class train; write"):
        split_dataset(data)


# Of a tree rows of their own pay prices of their own.
@each("method", ["forward_selection", "csdt"])
def test_a_weight_counts_as_that_many_rows(method):
    table, data = cut("times", "weight")
    table["side"] = table["side"].str.lower()
    data = from_frame(
        table, "ill", leave_out=["who", "day"], part="side", weight="times"
    )
    repeated = table.loc[np.repeat(table.index, table["times"])]
    whole = from_frame(repeated, "ill", leave_out=["who", "day", "times"], part="side")
    weighted = list(trace_frontier(method, data))
    counted = list(trace_frontier(method, whole))
    assert len(weighted) == len(counted)
    for one, other in zip(weighted, counted, strict=True):
        assert one.features.tolist() == other.features.tolist()
        for part, score in itertools.product(("validation", "test"), COUNTED):
            expected = pytest.approx(other.scores[part][score])
            assert one.scores[part][score] == expected
        assert one.cost["mean"] == pytest.approx(other.cost["mean"])
        assert one.validation_cost["mean"] == pytest.approx(
            other.validation_cost["mean"]
        )


@each(
    ("change", "options", "sentence"),
    [
        ({"side": "train"}, {"part": "side"}, "column of parts holds no test"),
        ({"side": "here"}, {"part": "side"}, "column of parts holds 'here'"),
        ({"times": 0}, {"weight": "times"}, "weight of row 1 is 0"),
        ({"who": None}, {"group": "who"}, "'who' .the group. holds nothing in row 1"),
        ({}, {"group": "who", "time": "day"}, "split by group and time; choose one"),
        ({}, {"group": "whom"}, "no column 'whom' .the group."),
        ({}, {"group": "ill"}, "'ill' is put to two uses"),
        ({"who": "p1"}, {"group": "who"}, "holds 1 group; training"),
        ({"day": 3}, {"time": "day"}, "holds 1 distinct time; training"),
    ],
)
def test_bad_roles_are_refused_with_a_sentence(change, options, sentence):
    left = [n for n in FEATURES["leave_out"] if n not in options.values()]
    with pytest.raises(DataError, match=sentence):
        split_dataset(
            from_frame(frame().assign(**change), "ill", leave_out=left, **options)
        )


def test_parts_without_a_class_are_refused():
    table = frame().assign(day=lambda t: t["ill"])
    table["day"] = np.where(table["ill"] == 1, 2, np.arange(120) % 2)
    with pytest.raises(DataError, match="rows hold no row of class"):
        split_dataset(cut("day", "time", table)[1])


def test_a_column_that_tells_the_label_is_warned_of():
    table = frame().assign(
        after=lambda t: t["ill"] * 3 + 1, code=lambda t: np.where(t["ill"], "x", "y")
    )
    data = from_frame(table, "ill", **FEATURES)
    warned = [note for note in data.notes if "it is a leak" in note]
    assert len(warned) == 2
    assert "'after'" in warned[0]
    assert "'code'" in warned[1]
    assert not [n for n in from_frame(frame(), "ill", **FEATURES).notes if "leak" in n]


def test_the_answer_that_computes_nothing_knows_the_weights():
    table, data = cut("times", "weight")
    split = split_dataset(data)
    times, ill = data.roles.weight, table["ill"].to_numpy()
    said, share = (
        np.average(ill[split.rows[part]], weights=times[split.rows[part]])
        for part in ("train", "test")
    )
    expected = share * np.log(said) + (1 - share) * np.log(1 - said)
    assert free_scores(split, "neg_log_loss")["test"] == pytest.approx(expected)
    turned = np.where(ill == 1, 1.0, 1000.0)
    heavy = cut("times", "weight", table.assign(times=turned))[1]
    assert free_answer(split_dataset(heavy), "accuracy") == 0


@each("n_groups", range(2, 7))
@each("n_folds", [2, 3, 5])
def test_few_groups_make_folds_or_are_refused_in_a_sentence(n_groups, n_folds):
    table = frame().assign(who=np.arange(120) % n_groups)
    data = from_frame(table, "ill", group="who", leave_out=without("who"))
    # With three groups in two folds one test part takes two, and one is left.
    if n_groups < max(n_folds, 3) or (n_groups, n_folds) == (3, 2):
        said = f"{n_groups} groups, too few for {n_folds} folds"
        with pytest.raises(DataError, match=said):
            split_folds(data, n_folds)
        return
    for fold in split_folds(data, n_folds):
        sides = [set(data.roles.group[rows]) for rows in fold.rows.values()]
        assert all(sides)
        assert not any(a & b for a, b in itertools.combinations(sides, 2))

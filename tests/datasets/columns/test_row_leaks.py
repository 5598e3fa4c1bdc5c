"""Rows and columns that tell labels they should not are named in the notes."""

import numpy as np
import pandas as pd
import pytest

from solvers.datasets import from_frame
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore:Left out of:solvers.errors.DataWarning")

N = 160


def frame(seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "x": rng.normal(size=N),
            "visit_id": rng.permutation(N),
            "ill": rng.integers(0, 2, N),
            "side": ["train", "train", "validation", "test"] * (N // 4),
            "who": np.arange(N) // 4 * 4 + np.arange(N) % 4,
        }
    )


def notes(table, **options):
    leave_out = {"side", "who"} & set(table.columns) - set(options.values())
    return from_frame(table, "ill", leave_out=sorted(leave_out), **options).notes


def warned(found, words):
    return [note for note in found if words in note]


@each("seed", range(5))
def test_honest_rows_are_not_warned_of(seed):
    for options in ({}, {"part": "side"}, {"part": "side", "group": "who"}):
        found = notes(frame(seed), **options)
        assert not warned(found, "leak")
        assert not warned(found, "by heart")


@each("write", [int, "P{:04d}".format], ids=["numbers", "texts"])
def test_an_identifier_whose_order_tells_the_label_is_named(write):
    table = frame().sort_values("ill").assign(visit_id=[*map(write, range(N))])
    (note,) = warned(notes(table), "rows were gathered class by class")
    assert note.startswith("Column 'visit_id' only names the rows")
    assert "area under the curve 1.000" in note


def test_a_column_that_names_what_rows_belong_to_is_named():
    table = frame().assign(patient_id=np.arange(N) % 40)
    (note,) = warned(notes(table), "by heart")
    assert "'patient_id' names what rows belong to (40 of its values in sev" in note
    assert "both sides of a random split" in note
    assert not warned(notes(table, group="patient_id"), "by heart")
    assert not warned(notes(table.assign(paid=1 + np.arange(N) % 9)), "'paid'")


def test_groups_on_both_sides_of_given_parts_are_counted():
    table = frame().assign(who=np.arange(N) // 4)
    (note,) = warned(notes(table, part="side", group="who"), "share 40 groups")
    assert note.startswith(f"Training rows and others share 40 groups ({N // 2} rows")


def test_rows_that_stand_again_in_another_part_are_counted():
    table = frame()
    table.loc[2, ["x", "visit_id"]] = table.loc[0, ["x", "visit_id"]]
    table.loc[3, ["x", "visit_id"]] = table.loc[4, ["x", "visit_id"]]
    (note,) = warned(notes(table.astype({"x": float}), part="side"), "stand again")
    assert note.startswith("Training rows stand again in 2 rows of validation and")


@each("n_classes", [2, 3])
def test_a_feature_that_is_the_label_in_other_words_is_named(n_classes):
    ill = np.arange(N) % n_classes
    codes = np.array([7.0, 2.0, 9.0])[ill]
    codes[0] = np.nan
    table = frame().assign(ill=ill, after=codes, word=np.array(["a", "b", "c"])[ill])
    found = warned(notes(table), "alone tells the label of nearly every row")
    assert [note.split()[1] for note in found] == ["'after'", "'word'"]


def test_a_feature_that_tells_one_class_of_three_is_no_leak():
    ill = np.arange(N) % 3
    table = frame().assign(ill=ill, first=np.where(ill == 0, "y", "n"))
    assert not warned(notes(table), "alone tells")

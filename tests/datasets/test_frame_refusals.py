"""Frames that nobody can learn from are refused, each with one sentence."""

import datetime

import numpy as np
import pandas as pd
import pytest

from solvers.datasets import from_frame
from solvers.errors import ThriftscopeError
from tests.each import each
from tests.fuzz.refusal import is_one_sentence

pytestmark = pytest.mark.filterwarnings("ignore:Left out of:solvers.errors.DataWarning")

N = 40
FRAME = pd.DataFrame({"x": np.arange(N) % 7, "y": np.arange(N) % 2})
HALF = [*["2024-13-45"] * 20, *["2024-01-01"] * 20]
MANY = pd.DataFrame(
    {"c": [f"w{k}" for k in range(100_000)], "y": np.arange(100_000) % 2}
)


def told(kind):
    return {"kinds": {"more": kind}}


BAD = {
    "lists among numbers": (
        FRAME.assign(more=[1] * 38 + [[1], {}]),
        {},
        r"holds a list in row 39, \[1\]; give one value a cell",
    ),
    "half a character": (
        FRAME.assign(more=pd.Series(["a", "b\ud800"] * 20, dtype=object)),
        {},
        r"'more' holds '\\ud800', which is half a character; write",
    ),
    "nested values": (
        FRAME.assign(more=[{"a": 1}] * N),
        told("category"),
        "'more' holds lists or records",
    ),
    "complex numbers": (FRAME.assign(more=np.arange(N) * 1j), {}, "complex128 values"),
    "no dates": (
        FRAME.assign(more=HALF),
        told("date"),
        r"rows 1, 2, 3, 4, 5 \(such as '2024-13-45'\)",
    ),
    "dates out of range": (
        FRAME.assign(more=["99999-01-01"] * N),
        told("date"),
        "out of range in rows 1, 2",
    ),
    "times that are none": (FRAME.assign(more="soon"), {"time": "more"}, "no date"),
    "100,000 values in no order": (
        MANY,
        {"kinds": {"c": "ordered"}},
        "100,000 distinct values; list the values",
    ),
    "two columns of a name": (
        pd.concat([FRAME, FRAME[["x"]]], axis=1),
        {},
        "Two columns are called 'x'",
    ),
    "names that differ by a space": (
        FRAME.assign(**{"x ": 1}),
        {},
        "Two columns are called 'x'",
    ),
    "no target": (FRAME.drop(columns="y"), {}, "no column 'y'"),
    "no rows": (FRAME.head(0), {}, "no rows"),
    "no table": (FRAME["x"], {}, "are a Series; give a DataFrame"),
    "infinite numbers": (FRAME.assign(more=np.inf), {}, "inf in row 1"),
    "an unknown kind": (FRAME.assign(more=1.5), told("categorical"), "'categorical'"),
    "a kind that is none": (FRAME.assign(more=1.5), told(["code"]), "is described as"),
    "an unknown field": (FRAME.assign(more=1.5), told({"kidn": "code"}), "'kidn'"),
    "kinds that are none": (FRAME, {"kinds": ["x"]}, "give a mapping of names"),
    "unknown gaps": (FRAME, {"gaps": "mean"}, "treatment of gaps 'mean'"),
    "negative weights": (FRAME.assign(w=-1.0), {"weight": "w"}, "row 1 is -1"),
    "unknown parts": (FRAME.assign(p="training"), {"part": "p"}, "'training'"),
}


@each("what", BAD)
def test_a_bad_frame_is_refused_with_one_sentence(what):
    frame, options, sentence = BAD[what]
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        from_frame(frame, "y", **options)
    assert is_one_sentence(str(refused.value))


def test_100_000_categories_are_left_out_unless_they_are_asked_for():
    frame = MANY.assign(x=np.arange(100_000) % 7)
    assert from_frame(frame, "y").feature_names == ("x",)
    asked = from_frame(frame, "y", kinds={"c": "category"})
    assert len(asked.schema.columns[0].values) == 30
    assert any("holds values in 99970 rows" in note for note in asked.notes)
    hashed = from_frame(frame, "y", kinds={"c": "hashed"})
    assert len(hashed.schema.columns[0].values) == 16


def test_dates_of_all_ages_are_kept():
    days = [datetime.date(1 + 400 * (k % 20), 1, 1) for k in range(N)]
    dataset = from_frame(FRAME.assign(day=days), "y")
    first = dataset.X[0, list(dataset.feature_names).index("day")]
    assert first == (datetime.date(1, 1, 1) - datetime.date(1970, 1, 1)).days

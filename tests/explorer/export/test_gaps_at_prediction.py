"""Whatever a table's gaps became, what is exported takes a value that is not known."""

import re
from itertools import islice

import numpy as np
import pandas as pd
import pytest

from explorer.export.files import estimator_skops, load_estimator
from solvers import trace_frontier
from solvers.datasets import from_frame
from solvers.deploy import to_python
from tests.each import each


def frame(n=240, share=0.08):
    """Return a column of each kind, some cells of which are not known."""
    rng = np.random.default_rng(1)
    ill = rng.random(n) < 0.5
    rows = pd.DataFrame(
        {
            "age": rng.normal(50 + 5 * ill, 9),
            "pain": np.where(rng.random(n) < 0.7, np.where(ill, "cp", "no"), "dull"),
            "smokes": (rng.random(n) < 0.3) | ill,
            "fbs": rng.integers(0, 2, n),
            "store_id": rng.choice([3, 4, 7], n),
            "grade": rng.choice(["mild", "moderate", "severe"], n),
            "seen": pd.date_range("2021-03-01", periods=n, freq="29h"),
        }
    ).astype(object)
    gaps = rng.random(rows.shape) < share
    return rows.mask(gaps, None).assign(ill=np.where(ill, "y", "n"))


def decided(exported, row):
    day = row["seen"]
    seen = day.to_pydatetime() if isinstance(day, pd.Timestamp) else day
    return exported["decide"]({**row, "seen": seen}).label


@each("share", [0.0, 0.04])
@each("gaps", ["fill", "value", "drop"])
def test_each_column_may_be_not_known(gaps, share):
    data = from_frame(frame(share=share), "ill", gaps=gaps, kinds={"seen": "date"})
    point = list(islice(trace_frontier("forward_selection", data), 8))[-1]
    assert point.n_features > 3
    loaded, exported = load_estimator(estimator_skops(point, data)), {"__name__": "p"}
    exec(to_python(loaded), exported)
    names = list(data.feature_names)
    known = frame(share=0.0)[names]
    for k, hidden in enumerate([*([name] for name in names), names]):
        rows = known.iloc[k : k + 2].copy()
        rows[hidden] = None
        labels = loaded.predict(rows)
        assert set(labels) <= {"n", "y"}
        for label, row in zip(labels, rows.to_dict("records"), strict=True):
            assert loaded.predict([row]) == [label]
            assert decided(exported, row) == label


def test_numbers_without_gaps_may_be_said_to_have_some_later():
    rows = frame(share=0.0)[["age", "ill"]].astype({"age": float})
    rows["pulse"] = np.random.default_rng(0).normal(70, 9, len(rows))
    plain, told = (
        from_frame(rows, "ill", kinds=kinds)
        for kinds in ({}, {"age": {"has_gaps": True}, "pulse": {"has_gaps": True}})
    )
    answers = []
    for data in (plain, told):
        point = list(trace_frontier("l1", data))[-1]
        loaded = load_estimator(estimator_skops(point, data))
        exported = {"__name__": "p"}
        exec(to_python(loaded), exported)
        answers.append((loaded, exported["decide"]))
    row = {"age": None, "pulse": 66.0}
    (plain_model, refused), (loaded, decide) = answers
    remedy = re.escape("kinds={'age': {'has_gaps': True}} and train again")
    with pytest.raises(ValueError, match=f"Feature 'age' is nan; .*{remedy}"):
        refused(row)
    with pytest.raises(ValueError, match=f"row 0 has no value of 'age'; .*{remedy}"):
        plain_model.predict([[np.nan, 66.0]])
    assert decide(row).label == loaded.predict([row])[0]

"""A table of loans as an engineer exports it: all that is meant as a feature is one."""

import shutil
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from solvers import read_table, split_dataset
from solvers.deploy import policy_from

from .test_every_place import fitted, in_c, in_python

N = 120
WAYS = ["car", "house", "card"]


def loans():
    """Cells of each column, its kind, and what the first of them says."""
    rng = np.random.default_rng(7)
    days = [date(2014, 1, 31) + timedelta(int(k)) for k in rng.integers(0, 700, N)]
    days[0] = date(2014, 1, 31)
    amounts, shares = rng.integers(1, 40_000, N), rng.integers(10, 300, N)
    amounts[:2] = 12_500, 900
    hours, seconds = rng.integers(1, 90, N), rng.integers(60, 9000, N)
    hours[0], seconds[0] = 36, 3725
    pick = {k: rng.integers(0, k, N) for k in (2, 3, 4, 5)}
    for of in pick.values():
        of[0] = 0
    since = (days[0] - date(1970, 1, 1)).days
    return {
        "amount": ([f"${x:,}" for x in amounts], "number", 12_500),
        "paid so far": ([f"${x:,}.50" for x in amounts], "number", 12_500.5),
        "balance": ([f"(${x:,}.25)" for x in amounts], "number", -12_500.25),
        "income (EUR)": ([f"{x:,}.00" for x in 3 * amounts], "number", 37_500),
        "rate": ([f"{x / 10:.1f}%" for x in shares], "number", shares[0] / 1000),
        "utilisation": ([f"{x} %" for x in shares], "number", shares[0] / 100),
        "debt to income": ([f"{x / 100}" for x in shares], "number", shares[0] / 100),
        "score": ([str(600 + x) for x in shares], "number", 600 + shares[0]),
        "accounts": ([str(x) for x in pick[5]], "number", 0),
        "delay": ([f"{x} h" for x in hours], "number", 1.5),
        "call": (
            [f"{x // 3600}:{x // 60 % 60:02}:{x % 60:02}" for x in seconds],
            "time",
            3725 / 60,
        ),
        "opened at": ([f"{x % 12 + 8:02}:30" for x in hours], "time", 8 * 60 + 30),
        "issued": ([f"{x:%b-%Y}" for x in days], "date", since - 30),
        "last paid": ([f"{x:%m/%d/%Y}" for x in days], "date", since),
        "next due": ([f"{x:%d %b %Y}" for x in days], "date", since),
        "checked": ([f"{x}T06:00:00Z" for x in days], "date", since + 0.25),
        "term": ([["36 months", "60 months"][k] for k in pick[2]], "category", None),
        "zip": ([["02001", "10115", "945xx"][k] for k in pick[3]], "category", None),
        "branch id": (
            [["007", "7", "07", "1e5"][k] for k in pick[4]],
            "category",
            None,
        ),
        "grade": ([["A1", "B2", "C3", "D4"][k] for k in pick[4]], "category", None),
        "purpose": ([WAYS[k] for k in pick[3]], "category", None),
        "employed": ([["n", "y"][k] for k in pick[2]], "yes/no", None),
        "own home": ([["No", "Yes"][k] for k in pick[2]], "yes/no", None),
        "joint": ([["FALSE", "TRUE"][k] for k in pick[2]], "yes/no", None),
        "insured": ([["0", "1"][k] for k in pick[2]], "yes/no", None),
    }


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(8)
    cells = pd.DataFrame({name: words for name, (words, _, _) in loans().items()})
    for mark, name in zip(["", "NA", "?", " n/a ", "#N/A"] * 5, cells, strict=True):
        gone = rng.random(N) < 0.08
        gone[:5] = False
        cells.loc[gone, name] = mark
    cells["loan id"] = [f"{10**17 + k}" for k in range(N)]
    return cells.assign(defaulted=np.where(rng.random(N) < 0.2, "yes", "no"))


def test_all_that_is_meant_as_a_feature_is_one_and_read_as_it_is_meant(table):
    read = read_table(table.to_csv(index=False).encode(), "defaulted")
    wanted = loans()
    assert {c.name: c.kind for c in read.schema} == {
        name: kind for name, (_, kind, _) in wanted.items()
    }
    assert read.positive == "yes"
    (said,) = (note for note in read.notes if note.startswith("Left out"))
    assert said == "Left out as it only names the rows: 'loan id'."
    for column, codes in zip(read.schema, read.X.T, strict=True):
        words, _, first = wanted[column.name]
        if first is not None:
            assert codes[0] == pytest.approx(first), column.name
        else:
            said = {word.lower() for word in column.values}
            assert said == {word.lower() for word in words}, column.name
        there = ~table[column.name].str.strip().isin(["", "NA", "?", "n/a", "#N/A"])
        assert np.array_equal(~np.isnan(codes), there), column.name


def test_rows_in_the_same_words_are_encoded_as_in_training(table):
    read = read_table(table.to_csv(index=False).encode(), "defaulted")
    encoder = split_dataset(read).encoder
    rows = table.drop(columns=["loan id", "defaulted"])
    assert np.array_equal(encoder.transform(rows), encoder.encode(read.X))


def test_rows_in_these_words_are_decided_about_alike(table, tmp_path):
    is_late = (table["joint"] == "TRUE") | (table["zip"] == "02001")
    table = table.assign(defaulted=np.where(is_late, "yes", "no"))
    read = read_table(table.to_csv(index=False).encode(), "defaulted")
    model = fitted(read, "l1")
    rows = table.drop(columns=["loan id", "defaulted"])
    labels = model.predict(rows).tolist()
    assert "joint" in policy_from(model).features
    assert in_python(model, rows, tmp_path) == labels
    if shutil.which("gcc"):
        assert in_c(model, rows, tmp_path) == labels

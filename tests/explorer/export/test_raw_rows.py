"""What is taken away of a table of all kinds takes the same table."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

from explorer.document.table import fitted, leave_out_columns, opened
from explorer.export.bundle import _table
from explorer.export.call import Call, script
from explorer.export.files import (
    answering,
    estimator_skops,
    load_estimator,
    selection_json,
)
from explorer.session.saved_table import packed_table, table_key, unpacked_table
from solvers import compare_methods, read_table, split_dataset, trace_frontier
from solvers.datasets import from_frame
from solvers.datasets.splits import encoded
from solvers.errors import InterchangeError
from solvers.frontier.evaluation import prediction_cost
from tests.each import each
from tests.explorer.pages.run_script import run

COSTS = {"age": 1.0, "pain": 2.0, "seen": 4.0}


def frame(n=160):
    rng = np.random.default_rng(3)
    pain = rng.choice(["dull", "none", "sharp", "tight", None], n)
    return pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(50, 9, n)),
            "pain": pain,
            "seen": pd.date_range("2021-03-01", periods=n, freq="29h"),
            "ill": np.where(
                rng.random(n) < np.where(pain == "none", 0.1, 0.8), "y", "n"
            ),
        }
    )


@pytest.fixture(scope="module")
def table():
    return from_frame(frame(), "ill", costs=COSTS, positive="y")


@pytest.fixture(scope="module")
def point(table):
    points = list(trace_frontier("l1", table))
    return max(points, key=lambda one: one.n_features)


METHODS = ["l1", "forward_selection", "hypergraph_cascade", "trimmed_naive_bayes"]


@each("method", METHODS)
def test_the_saved_pipeline_says_of_raw_rows_what_the_screen_says(table, method):
    split = split_dataset(table)
    for found in list(trace_frontier(method, table))[-2:]:
        loaded = load_estimator(estimator_skops(found, table))
        rows = frame().iloc[split.rows["test"]]
        decision = found.model.decide(split.X("test"))
        flip = 1.0 if found.model.classes_[1] == "y" else -1.0
        shown = np.where(flip * decision.scores >= found.threshold, "y", "n")
        assert np.array_equal(loaded.predict(rows), shown)
        assert loaded.predict(rows.iloc[:1].to_dict("records")) == shown[:1]
        paid = prediction_cost(loaded, rows)  # by column, through every wrapper
        assert np.isclose(paid.mean(), found.cost["mean"])


def test_means_of_the_label_are_saved_and_read_back():
    kinds = {"pain": {"kind": "category", "encoding": "mean of the label"}}
    told = from_frame(frame(), "ill", kinds=kinds)
    found = list(trace_frontier("l1", told))[-1]
    loaded = load_estimator(estimator_skops(found, told))
    assert np.array_equal(
        loaded.predict(frame()), answering(found, told).predict(frame())
    )


def test_the_script_of_a_picked_point_fits_it_on_encoded_weighted_rows(tmp_path):
    rows = frame().assign(counts=np.linspace(0.5, 2.0, 160))
    rows.to_csv(tmp_path / "rows.csv", index=False)
    told = {"weight": "counts", "positive": "y"}
    table = read_table(tmp_path / "rows.csv", "ill", **told)
    picked = list(trace_frontier("l1", table))[20]
    comparison = Call(
        compare_methods,
        Call(read_table, str(tmp_path / "rows.csv"), "ill", **told),
        {"l1": {}},
        chosen=("l1", picked.params),
    )
    again = run(script("Fit.", comparison=comparison))[0]["comparison"].point
    assert (again.scores, again.cost) == (picked.scores, picked.cost)


def test_selections_name_the_columns_that_people_have(table, point):
    chosen = json.loads(selection_json(point, table))
    assert set(chosen["features"]) <= set(COSTS)
    assert point.n_features == len(chosen["features"]) <= 3
    assert point.cost["mean"] == sum(COSTS[name] for name in chosen["features"])


def test_a_session_holds_kinds_codes_and_gaps(table):
    again = unpacked_table(json.loads(json.dumps(packed_table(table))))
    assert again.schema == table.schema
    assert np.array_equal(again.X, table.X, equal_nan=True)
    assert table_key(again) == table_key(table)
    broken = {**packed_table(table), "schema": 3}
    with pytest.raises(InterchangeError, match="table of the session is damaged"):
        unpacked_table(broken)


def test_a_session_holds_groups_and_weights():
    rows = frame().assign(who=np.arange(160) % 40, times=1.5)
    data = from_frame(rows, "ill", group="who", weight="times")
    again = unpacked_table(json.loads(json.dumps(packed_table(data))))
    assert np.array_equal(again.roles.group, data.roles.group)
    assert again.roles.weight.tolist() == [1.5] * 160
    with pytest.raises(InterchangeError, match="table of the session is damaged"):
        unpacked_table({**packed_table(data), "roles": {"group": [1]}})


def test_columns_keep_their_kind_when_the_drawing_orders_or_renames_them(table):
    drawing = opened(table, 1)
    first = drawing.feature_ids[0]
    assert fitted(drawing) is table
    renamed = fitted(drawing.rename(first, "years"))
    assert renamed.schema.names == ("years", "pain", "seen")
    fewer = leave_out_columns(drawing.delete([first]))
    assert fewer.table.dataset.schema.names == ("pain", "seen")


def test_the_table_in_the_bundle_reads_back_as_it_was(table):
    from solvers import read_table

    again = read_table(_table(table), "label", costs=COSTS, unit="us", positive="y")
    assert again.schema == table.schema
    assert np.allclose(again.X, table.X, equal_nan=True)


def test_pages_that_want_numbers_get_encoded_columns_of_the_same_split(table):
    plain, split = encoded(table), split_dataset(table)
    assert plain.schema is None
    again = split_dataset(plain)
    for part in split.rows:
        assert np.array_equal(again.X(part), split.X(part))
    assert encoded(plain) is plain
    assert dataclasses.replace(table).n_features == 3

"""The comparison runs in cells, goes on where it was, and pairs seed by seed."""

import sys
from importlib.util import find_spec

import numpy as np
import pytest
from scipy import stats
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from benchmarks.hypergraph_cascade.cells import Cell, finished, plan, run
from benchmarks.hypergraph_cascade.comparison import (
    ACCOUNTINGS,
    SHARES,
    paired,
    row_of,
)
from benchmarks.hypergraph_cascade.contestants import (
    CLAIMED,
    OURS,
    OUTSIDE,
    ROWS,
    floor_of,
)
from benchmarks.hypergraph_cascade.replaying import replayed
from benchmarks.hypergraph_cascade.report import brief, markdown, tables, with_brief
from benchmarks.hypergraph_cascade.worlds import LINEAR, WORLDS, drawn
from solvers import evaluate
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.each import each

SEEDS = [0, 1, 2]
ROW = "forward selection"


def worth(score, area=0.5):
    part = {"score": [score] * len(SHARES), "paid": [0.1] * len(SHARES)}
    part |= {"hypervolume": area, "models": 3, "seconds": 1.0}
    return dict.fromkeys(ACCOUNTINGS, part)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Two cells that were run on few rows."""
    path = tmp_path_factory.mktemp("cells") / "cells.jsonl"
    cells = [Cell("breast_cancer", 0, row) for row in (ROW, "csDT")]
    assert [cell for cell, _ in run(cells, path, tiny=True)] == cells
    return path


def test_every_cell_is_planned_once():
    cells = plan(list(WORLDS), SEEDS)
    assert len(set(cells)) == len(cells) == len(WORLDS) * len(SEEDS) * len(CLAIMED)
    asked = plan(list(WORLDS), SEEDS, ROWS)
    assert len(set(asked)) == len(asked) == len(WORLDS) * len(SEEDS) * len(ROWS)


def test_two_seeds_of_everything_come_before_the_third():
    seeds = [cell.seed for cell in plan(list(WORLDS), SEEDS)]
    assert max(k for k, s in enumerate(seeds) if s < 2) < seeds.index(2)


def test_finished_cells_are_not_run_again(kept):
    cells = [Cell("breast_cancer", 0, ROW)]
    assert list(run(cells, kept, tiny=True)) == []


def test_cells_on_disk_say_what_a_row_is_worth(kept):
    told = finished(kept)[Cell("breast_cancer", 0, ROW)]
    assert set(ACCOUNTINGS) <= set(told)
    assert len(told["mean"]["score"]) == len(SHARES)
    assert np.all(np.diff(told["mean"]["paid"]) >= -0.2)


def test_differences_are_paired_by_seed():
    rows = {
        OURS: {0: worth(0.9), 1: worth(0.8), 2: worth(0.1)},
        ROW: {0: worth(0.8), 1: worth(0.6)},
    }
    entry = paired(rows)["mean"][ROW]
    assert entry["seeds"] == [0, 1]
    assert entry["ours ahead by"][0] == pytest.approx(0.15)
    assert entry["ours ahead by: standard error"][0] == pytest.approx(0.05)


def test_pages_say_how_many_seeds_each_row_has():
    cells = {Cell("signals", seed, OURS): worth(0.9) for seed in SEEDS}
    cells[Cell("signals", 0, ROW)] = worth(0.95)
    cells[Cell("signals", 0, "csDT")] = {"missing": "takes two classes only"}
    results = {"worlds": tables(cells, list(WORLDS))}
    page = markdown(results)
    assert f"| {OURS} | 3 |" in page
    assert f"| {ROW} | 1 | 0.950 (-0.050)" in page
    assert "Of 1 data sets 0 have labels that are drawn from a linear" in page
    assert "Left out: csDT: takes two classes only" in page
    assert "| signals (3) |" in brief(results)
    marks = "a\n<!-- comparison -->\nstale\n<!-- end of comparison -->\nb"
    written = with_brief(marks, results)
    assert written.startswith("a\n")
    assert written.endswith("\nb")
    assert "stale" not in written
    assert with_brief(written, results) == written


def test_all_rows_of_a_table_are_tested_together():
    # Alone the difference is told from none, as one of eleven it is not.
    ahead = np.array([1, 3, -1, 2, 0, 1, 3, -0.5, 1, 1]) / 100
    seeds = range(len(ahead))
    rows = {
        OURS: {seed: worth(0.5 + 0.01 * seed) for seed in seeds},
        ROW: {seed: worth(0.5 + 0.01 * seed - ahead[seed]) for seed in seeds},
    }
    alone = paired(rows)["mean"][ROW]["ours ahead by: p"][0]
    assert alone == pytest.approx(stats.ttest_1samp(ahead, 0).pvalue)
    assert alone < 0.05
    others = {f"equal {i}": rows[OURS] for i in range(10)}
    among = paired(rows | others)["mean"][ROW]["ours ahead by: p"][0]
    assert among == pytest.approx(11 * alone)


def test_cells_say_which_code_they_were_run_by(kept):
    told = finished(kept)[Cell("breast_cancer", 0, ROW)]
    assert told["code"]
    assert told["rows"]


@each("row", OUTSIDE)
def test_rows_of_other_libraries_are_bought_by_the_same_rule(row):
    split = drawn("breast_cancer", 0, tiny=True)
    if "abess" in row and find_spec("abess") is None:
        pytest.skip("abess is not installed")
    told = row_of(row, split, tiny=False)
    floor = floor_of(split)["test"]
    assert told["mean"]["score"][-1] > floor + 0.2
    assert told["mean"]["hypervolume"] > floor
    # What every row may cost is held against validation rows; test rows are near.
    for share, paid in zip(SHARES, told["mean"]["paid"], strict=True):
        assert paid <= 1.25 * share


def test_a_row_that_is_not_installed_is_left_out_by_name(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "abess", None)
    (row,) = (name for name in OUTSIDE if "abess" in name)
    path, cell = tmp_path / "cells.jsonl", Cell("breast_cancer", 0, row)
    list(run([cell], path, tiny=True))
    assert "abess is not installed" in finished(path)[cell]["missing"]


@each("name", ["hastie", "interactions"])
def test_no_linear_function_answers_a_curved_world(name):
    split = drawn(name, 0, tiny=False, n_rows=4000)
    X, y = split.X("train"), split.y("train")
    straight = LogisticRegression().fit(X, y)
    curved = HistGradientBoostingClassifier(random_state=0).fit(X, y)
    tests = split.X("test"), split.y("test")
    assert straight.score(*tests) < 0.56
    assert curved.score(*tests) > straight.score(*tests) + 0.15
    costs = split.dataset.hypergraph
    assert costs.total_cost < costs.marginal_costs().sum()  # something is shared


def test_linear_worlds_are_those_whose_labels_a_linear_function_gives():
    # "rare positives" and "prior shift" leave out rows of the normal features.
    drawn_by_weights = ("gaussian", "sources", "rare positives", "prior shift")
    assert set(LINEAR) == {n for n in WORLDS if n.startswith(drawn_by_weights)}


def test_columns_are_scaled_by_the_training_rows():
    split = drawn("breast_cancer", 0, tiny=True)
    assert split.X("train").std(axis=0) == pytest.approx(np.ones(30))


def test_a_replayed_policy_is_evaluated_like_the_cascade():
    split = drawn("breast_cancer", 0, tiny=True)
    model = HypergraphCascadeClassifier(split.dataset.hypergraph, order="forward")
    model.fit(split.X("train"), split.y("train"))
    for policy, one in zip(
        model.policies_, replayed(model, model.policies_, split), strict=True
    ):
        known = evaluate(model.at_budget(policy.mean), split, name="ours")
        found = evaluate(one, split, name="ours")
        assert found.cost == known.cost
        for part, scores in known.scores.items():
            assert found.scores[part] == pytest.approx(scores, rel=1e-12)

"""The comparison runs in cells, goes on where it was, and pairs seed by seed."""

import numpy as np
import pytest

from benchmarks.hypergraph_cascade.cells import Cell, finished, plan, run
from benchmarks.hypergraph_cascade.comparison import ACCOUNTINGS, SHARES, paired
from benchmarks.hypergraph_cascade.contestants import OURS, ROWS
from benchmarks.hypergraph_cascade.replaying import replayed
from benchmarks.hypergraph_cascade.report import brief, markdown, tables, with_brief
from benchmarks.hypergraph_cascade.worlds import WORLDS, drawn
from solvers import evaluate
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier

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
    assert len(set(cells)) == len(cells) == len(WORLDS) * len(SEEDS) * len(ROWS)


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
    assert "Left out: csDT: takes two classes only" in page
    assert "| signals (3) |" in brief(results)
    marks = "a\n<!-- comparison -->\nstale\n<!-- end of comparison -->\nb"
    written = with_brief(marks, results)
    assert written.startswith("a\n")
    assert written.endswith("\nb")
    assert "stale" not in written
    assert with_brief(written, results) == written


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
        assert (found.scores, found.cost) == (known.scores, known.cost)

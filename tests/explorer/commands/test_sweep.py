"""Every point is on disk before the next comes, and no cell of it is a formula."""

import csv

import numpy as np

from explorer.commands.sweep import PointFile, _band_table
from solvers import all_methods, trace_frontier
from solvers.datasets import make_breast_cancer
from solvers.frontier.bands import Band


def test_a_files_name_is_no_formula_in_the_table_of_bands():
    band = Band(np.array([1.0, 2.0]), np.array([[0.5, 0.6], [0.7, 0.8]]))
    table = _band_table({("=cmd", "l1"): band, ("heart", "l1"): band})
    assert [*table["dataset"]] == ["'=cmd", "'=cmd", "heart", "heart"]
    assert [*table["cost"]] == [1.0, 2.0] * 2


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_is_on_disk_before_the_next_comes(tmp_path):
    path, names = tmp_path / "points.csv", ("l1", "csnb")
    with PointFile(path, names) as file:
        for n_rows, point in enumerate(trace_frontier("l1", make_breast_cancer()), 1):
            file.write(point.row())
            assert len(read(path)) == n_rows
            if n_rows == 3:
                break
    knobs = {f"param_{knob}" for name in names for knob in all_methods()[name].knobs}
    assert knobs <= read(path)[0].keys()
    assert [row["method"] for row in read(path)] == ["l1"] * 3


def test_cells_that_begin_a_formula_are_guarded(tmp_path):
    path = tmp_path / "points.csv"
    with PointFile(path, []) as file:
        file.write({"method": "=1+1", "f1": -0.5})
    assert read(path) == [{"method": "'=1+1", "f1": "-0.5"}]


def test_data_with_other_prices_and_scores_widen_the_file_and_lose_nothing(tmp_path):
    path = tmp_path / "points.csv"
    rows = [
        {"method": "l1", "test_f1": 0.5},
        {"method": "=l1", "price_delay_mean": 2.0, "test_f1": 0.6},
        {"method": "l1", "test_f1": 0.7, "test_roc_auc": 0.9},
    ]
    with PointFile(path, []) as file:
        for row in rows:
            file.write(row)
    found = [{k: v for k, v in row.items() if v} for row in read(path)]
    assert found == [
        {"method": "l1", "test_f1": "0.5"},
        {"method": "'=l1", "price_delay_mean": "2.0", "test_f1": "0.6"},
        {"method": "l1", "test_f1": "0.7", "test_roc_auc": "0.9"},
    ]
    assert list(tmp_path.iterdir()) == [path]

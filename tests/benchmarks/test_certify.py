"""The benchmark of certified floors puts every method above its floor."""

import json

import numpy as np
import pytest

from benchmarks import certify, certify_rivals
from benchmarks.certify import BUDGET_SHARES, above_floor, chosen_columns
from docs import certify_page
from solvers import all_methods
from solvers.certify import RidgeObjective
from tests.explorer.worlds import own_table


@pytest.fixture(scope="module")
def table():
    data = own_table()
    return data.X, (data.y == data.positive).astype(int), data.hypergraph


def test_each_choice_of_a_method_stands_once(table, monkeypatch):
    few = {name: all_methods()[name] for name in ("acafh", "l1", "random_forest")}
    monkeypatch.setattr(certify, "all_methods", few.copy)
    chosen = chosen_columns(*table)
    assert set(chosen) == set(few)
    for selections in chosen.values():
        assert len({one.tobytes() for one in selections}) == len(selections)


def test_gaps_are_between_floor_and_best_known(table):
    X, y, hypergraph = table
    everything = np.ones(3, dtype=bool)
    rows = list(above_floor(*table, {"all": [everything], "none": []}, seconds=20.0))
    assert len(rows) == 2 * len(BUDGET_SHARES)
    objective = RidgeObjective(X, y, hypergraph, ridge=1e-2)
    for row in rows:
        assert row["floor"] <= row["best known"] <= row["objective"] + 1e-9
        assert row["above floor at least"] <= row["above floor at most"]
        # Everything costs more than any of these budgets: nothing is what is left.
        assert row["objective"] == pytest.approx(objective([]))


def test_rivals_that_are_not_here_stay_as_recorded(tmp_path, monkeypatch, capsys):
    row = {"seed": 1, "k": 2, "gap": 0.25, "seconds": 3.0, "columns": 2}
    found = [{"solver": name, **row} for name in ("ours", "okridge", "l0bnb")]
    results = tmp_path / "rivals.json"
    results.write_text(json.dumps({"code": "abc", "found": found}))
    monkeypatch.setattr(certify_rivals, "RESULTS", results)
    monkeypatch.setattr(certify_rivals, "SEEDS", (1,))
    monkeypatch.setattr(certify_rivals, "SIZES", (2,))
    own = {**row, "gap": 0.125, "narrowed": [[3.0, 0.125]]}
    monkeypatch.setattr(
        certify_rivals, "ours", lambda *_: (None, {"solver": "ours", **own})
    )
    monkeypatch.setattr(certify_rivals, "abess", lambda *_: {"solver": "abess", **own})
    monkeypatch.setattr(certify_rivals, "find_spec", lambda name: name)
    for _ in range(2):  # the second run keeps what the first one kept
        certify_rivals.rivals()
        kept = json.loads(results.read_text())["found"]
        assert [one["solver"] for one in kept] == ["ours", "abess", "okridge", "l0bnb"]
        assert [one["gap"] for one in kept] == [0.125, 0.125, 0.25, 0.25]
        assert [one.get("recorded with") for one in kept[2:]] == ["abc", "abc"]
    assert "recorded them: okridge, l0bnb." in capsys.readouterr().out
    monkeypatch.setattr(certify_page, "RIVALS", results)
    assert "okridge, l0bnb as an earlier run recorded them." in certify_page._rivals()


def test_the_page_says_beside_which_solvers_ours_is_too_wide(tmp_path, monkeypatch):
    common = {"seed": 1, "columns": 2}
    narrowed = [[1.0, 0.3], [2.0, 0.2], [7.0, 0.0]]
    found = [
        {"k": 2, "solver": "ours", "gap": 0.0, "seconds": 7.0, "narrowed": narrowed},
        {"k": 2, "solver": "okridge", "gap": 0.0, "seconds": 3.0},
        {"k": 2, "solver": "l0bnb", "gap": 0.1, "seconds": 2.0},
    ]
    record = {"asked gap": 1e-6, "found": [common | one for one in found]}
    results = tmp_path / "rivals.json"
    results.write_text(json.dumps(record))
    monkeypatch.setattr(certify_page, "RIVALS", results)
    said = certify_page._rivals()
    assert "| okridge, 2 columns, seed 1 | 0.00 %, 3.0 s | 20.00 % | 7.0 s |" in said
    assert "1 of 2 cases; **not beside** okridge, 2 columns, seed 1." in said
    assert "as long in 1 of 2 cases; **not beside** l0bnb, 2 columns, seed 1." in said

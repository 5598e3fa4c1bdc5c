"""The benchmark of certified floors puts every method above its floor."""

import numpy as np
import pytest

from benchmarks.certify import BUDGET_SHARES, above_floor, chosen_columns
from solvers.certify import RidgeObjective
from tests.explorer.worlds import own_table


@pytest.fixture(scope="module")
def table():
    data = own_table()
    return data.X, (data.y == data.positive).astype(int), data.hypergraph


def test_each_choice_of_a_method_stands_once(table):
    chosen = chosen_columns(*table)
    assert {"acafh", "forward_selection", "l1"} <= set(chosen)
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

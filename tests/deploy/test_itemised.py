"""The bill of a row adds up to what the estimator charges, feature by feature."""

import math
import subprocess

import numpy as np
import pandas as pd
import pytest

from solvers.deploy import itemised, policy_from, to_c
from tests.each import each

from .models import fitted
from .test_c import CHECKED, compiled


@each("name", ["tefe", "csdt", "csnb", "dag", "random_forest"])
def test_a_bill_adds_up(name):
    model, X, said = fitted(name)
    policy, names = policy_from(model), np.array(model.hypergraph.features)
    for i in range(0, len(X), 19):
        bill = itemised(policy, X[i])
        bought = [line.feature for line in bill.lines]
        assert set(bought) == set(names[said.acquired[i]])
        assert len(set(bought)) == len(bought)
        assert sum(line.cost for line in bill.lines) == pytest.approx(said.cost[i])
        assert bill.why.endswith(".")
        if name == "tefe":
            assert bill.lines[-1].score == pytest.approx(said.scores[i], 1e-9, 1e-9)


WHY = ["end of its way", "sure enough", "No further test promises", "have answered"]


@each(
    "name",
    ["tefe", "csdt", "csnb", "dag", "random_forest", "hypergraph cascade, routed"],
)
def test_c_traces_the_same_bill(name, tmp_path):
    model, X, _ = fitted(name)
    policy, rows = policy_from(model), X[::19]
    program = compiled(tmp_path, to_c(model), [*CHECKED, "-DPOLICY_TRACE"])
    told = "\n".join(
        " ".join(map(repr, row)) for row in rows[:, policy.places].tolist()
    )
    run = subprocess.run(
        [program], input=told, capture_output=True, text=True, check=True
    )
    lines = iter(run.stderr.splitlines())
    for row in rows:
        bill = itemised(policy, row)
        for line in bill.lines:
            feature, added, score, *paid = next(lines).split()
            assert policy.features[int(feature)] == line.feature
            assert float(added) == pytest.approx(line.cost, 1e-9, 1e-9)
            already = {policy.components[int(place)] for place in paid}
            assert already == set(line.already_paid)
            want = math.nan if line.score is None else line.score
            assert float(score) == pytest.approx(want, 1e-9, 1e-9, nan_ok=True)
        assert WHY[int(next(lines))] in bill.why


def test_a_named_row_is_taken_by_name():
    model, X, _ = fitted("tefe")
    policy, row = policy_from(model), pd.Series(X[0], model.hypergraph.features)
    want = itemised(policy, X[0])
    for named in (row, row[::-1], row.to_dict()):
        assert itemised(policy, named) == want
    with pytest.raises(ValueError, match="The sample has no feature"):
        itemised(policy, row.drop(want.lines[0].feature))

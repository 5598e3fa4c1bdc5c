"""The bill of a row adds up to what the estimator charges, feature by feature."""

import numpy as np
import pytest

from solvers.deploy import itemised, policy_from

from .models import fitted


@pytest.mark.parametrize("name", ["tefe", "csdt", "csnb", "dag", "random_forest"])
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

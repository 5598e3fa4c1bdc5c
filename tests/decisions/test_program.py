"""Programs are made of what can be written; the rest is refused by name."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from solvers.decisions.program import linear_machine, linear_node
from solvers.deploy import policy_from
from solvers.errors import DeployError

X, Y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 3


def test_a_stranger_is_refused_with_a_remedy():
    with pytest.raises(DeployError, match=r"RandomForest.* cannot be .*; choose a"):
        policy_from(RandomForestClassifier(2).fit(X, Y))


@pytest.mark.parametrize("solver", ["lbfgs", "liblinear"])
def test_only_linear_machines_are_weights(solver):
    inside = LogisticRegression(solver=solver).fit(X, Y > 0)
    if solver == "liblinear":
        with pytest.raises(DeployError, match="which is not linear"):
            linear_machine(object(), inside)
    else:
        weights, base = linear_machine(object(), inside)
        assert X @ weights.T + base == pytest.approx(
            inside.decision_function(X)[:, None]
        )


def test_a_node_weighs_its_columns_as_the_matrix_does():
    weights = np.arange(6.0).reshape(2, 3)
    node = linear_node([4, 5, 7], weights, np.array([1.0, 2.0]), [0], None)
    assert node.terms == ((4, (0.0, 3.0)), (5, (1.0, 4.0)), (7, (2.0, 5.0)))
    assert (node.base, node.buys) == ((1.0, 2.0), (0,))

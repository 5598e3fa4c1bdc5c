"""Programs are made of what can be written; the rest is refused by name."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from solvers.decisions.program import (
    Program,
    ProgramNode,
    linear_machine,
    linear_node,
    question,
)
from solvers.deploy import policy_from
from solvers.errors import DeployError
from tests.each import each

X, Y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 3


def test_a_stranger_is_refused_with_a_remedy():
    with pytest.raises(DeployError, match=r"RandomForest.* cannot be .*; choose a"):
        policy_from(RandomForestClassifier(2).fit(X, Y))


@each("solver", ["lbfgs", "liblinear"])
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


@each(
    ("nodes", "said"),
    [
        ((), "has no node"),
        ((question(0, 1.0, 0, 1), ProgramNode()), "leads to .* later nodes only"),
        ((ProgramNode(terms=((np.int64(3), (1.0,)),)),), "type int64; give .* an int"),
    ],
)
def test_a_program_that_cannot_run_is_refused_by_a_sentence(nodes, said):
    with pytest.raises(DeployError, match=said):
        Program(nodes)

"""Many rows at once are decided as one by one, by random programs of every kind."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.decisions.program import Program, ProgramNode, Shopping
from solvers.decisions.running import run
from solvers.decisions.walker import Walker
from solvers.errors import DataError
from tests.deploy.test_policy import N_FEATURES, policies, rows

PRICES = FeatureHypergraph.independent(np.arange(1.0, 1 + N_FEATURES))


def program_of(policy):
    """A random policy's nodes, whose columns are features, or hinge at one half."""
    kinds = ("fold", "above", "below")

    def column(j):
        of = policy.columns[j]
        return (of.feature, kinds[of.feature], of.at) if of.hinge else of.feature

    nodes = (
        ProgramNode(
            **{**vars(node), "terms": tuple((column(j), w) for j, w in node.terms)}
        )
        for node in policy.nodes
    )
    return Program(tuple(nodes), policy.roots)


@given(policy=policies(), table=st.lists(rows, min_size=1, max_size=8))
def test_rows_are_decided_alike_together_and_alone(policy, table):
    program, X = program_of(policy), np.array(table)
    n_outputs = policy.n_outputs
    ran = run(program, X, n_outputs)
    walker = Walker(program, PRICES, policy.classes)
    assert ran.scores.ndim == (1 if n_outputs == 1 else 2)
    for row, said, acquired in zip(X, ran.answers, ran.acquired, strict=True):
        journey = walker.walk(dict(zip(PRICES.features, row, strict=True)).__getitem__)
        first = int(said[0] > 0) if n_outputs == 1 else int(np.argmax(said))
        assert journey.label == policy.classes[first]
        assert sorted(journey.features) == [f"x{j}" for j in np.flatnonzero(acquired)]


def test_what_shops_is_refused_many_at_a_time():
    shopping = ProgramNode((0.0, 0.0), rule=Shopping(1.0, (), (), ()))
    with pytest.raises(DataError, match="use a walker"):
        run(Program((shopping,)), np.zeros((2, 1)))

"""Boosted trees of a stage leave as nodes whose answers add up."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from solvers.decisions.basket import Basket, FeatureValues
from solvers.decisions.machine import prepared_nodes, run_policy
from solvers.decisions.program import node_data
from solvers.errors import DeployError
from solvers.methods.hypergraph_cascade.program import boosted_parts

X = np.random.default_rng(0).normal(size=(200, 3))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_parts_add_up_to_the_decision(n_classes):
    y = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5][: n_classes - 1])
    model = HistGradientBoostingClassifier(max_iter=3).fit(X, y)
    sums, trees = boosted_parts(model, ["a", "b", "c"], begin=0)
    nodes = [node_data(node, str, str) for node in trees]
    ready = prepared_nodes(nodes, sums.parts, 0, {}, {}, {})
    for row, said in zip(X, model.decision_function(X), strict=True):
        basket = Basket(FeatureValues(dict(zip("abc", row, strict=True))))
        found = run_policy(ready, sums.parts, len(sums.base), basket)
        assert np.add(found, sums.base) == pytest.approx(np.atleast_1d(said))


def test_sets_of_categories_are_refused():
    frame = pd.DataFrame({"kind": pd.Categorical(list("abcd") * 50)})
    y = frame["kind"].isin(["a", "c"])
    model = HistGradientBoostingClassifier(
        max_iter=1, categorical_features="from_dtype"
    ).fit(frame, y)
    with pytest.raises(DeployError, match="cut sets of categories"):
        boosted_parts(model, ["kind"], 0)

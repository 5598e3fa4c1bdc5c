"""The shape of a tree, its parameters as one vector, and where rows end."""

import numpy as np
import pytest
from scipy import sparse

from solvers.methods.cstc import training as objective_module
from solvers.methods.cstc.training import TreeObjective, TreeShape


def _objective(seed=0, depth=3, n_rows=20, n_features=4, **options):
    rng = np.random.default_rng(seed)
    incidence = np.vstack([np.eye(n_features), rng.random((2, n_features)) < 0.5])
    return TreeObjective(
        X=rng.standard_normal((n_rows, n_features)),
        signs=np.where(rng.random(n_rows) < 0.5, 1.0, -1.0),
        shares=np.full(n_rows, 1 / n_rows),
        incidence=sparse.csr_array(incidence.astype(float)),
        costs=rng.uniform(0.5, 2.0, len(incidence)),
        shape=TreeShape(depth),
        rho=0.01,
        slope=2.0,
        internal_weight=1.0,
        **options,
    )


def _point(objective, seed=1):
    return np.random.default_rng(seed).standard_normal(objective.n_parameters)


def test_a_tree_of_three_levels_has_seven_nodes_and_four_ways():
    shape = TreeShape(3)
    assert (shape.n_nodes, shape.n_internal) == (7, 3)
    ways = [np.flatnonzero(path).tolist() for path in shape.paths]
    assert ways == [[0, 1, 3], [0, 1, 4], [0, 2, 5], [0, 2, 6]]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_parameters_come_back_from_their_vector(depth):
    objective = _objective(depth=depth)
    z = _point(objective)
    weights, intercepts, thresholds = objective.unpack(z)
    assert weights.shape == (2**depth - 1, 4)
    assert len(thresholds) == 2 ** (depth - 1) - 1
    assert (objective.pack(weights, intercepts, thresholds) == z).all()


def test_a_row_above_a_threshold_goes_to_the_upper_child():
    objective = _objective(depth=3)
    weights, intercepts, thresholds = objective.unpack(_point(objective))
    found = objective.leaf_of(objective.pack(weights, intercepts, thresholds))
    for row, leaf in zip(objective.X, found, strict=True):
        node = 0
        while node < 3:
            node = 2 * node + (1 if row @ weights[node] > thresholds[node] else 2)
        assert leaf == node - 3


def test_rows_that_part_sharply_end_where_the_soft_walk_sends_them():
    sharp = _objective(depth=3)
    object.__setattr__(sharp, "slope", 1e6)
    z = _point(sharp)
    weights, _, thresholds = sharp.unpack(z)
    scores = sharp._scores(weights[:, np.newaxis])
    _, reach = sharp._soft_walk(scores, sharp.directions(z), thresholds)
    assert (reach[3:].argmax(axis=0) == sharp.leaf_of(z)).all()


def test_thresholds_beyond_every_row_leave_one_way():
    objective = _objective(depth=2)
    weights, intercepts, _ = objective.unpack(_point(objective))
    everywhere = [objective.pack(weights, intercepts, np.array([t])) for t in (-99, 99)]
    assert objective.leaf_of(everywhere[0]).tolist() == [0] * 20
    assert objective.leaf_of(everywhere[1]).tolist() == [1] * 20


def test_a_sparse_incidence_gives_the_value_of_a_dense_one(monkeypatch):
    dense = _objective()
    z = _point(dense)
    value, gradient = dense.value_and_gradient(z, 0.3)
    monkeypatch.setattr(objective_module, "_DENSE", 0)
    thin = _objective()
    assert sparse.issparse(thin.needs)
    found = thin.value_and_gradient(z, 0.3)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(gradient)


def test_a_weight_of_features_is_charged_only_by_the_share_of_rows_that_pass():
    objective = _objective(depth=2)
    weights, intercepts, _ = objective.unpack(np.zeros(objective.n_parameters))
    weights[1, 0] = 5.0  # the upper child alone needs a feature
    costs = []
    for threshold in (-99.0, 99.0):  # all rows, or none, turn up
        z = objective.pack(weights, intercepts, np.array([threshold]))
        free, charged = (objective.value_and_gradient(z, a)[0] for a in (0.0, 1.0))
        costs.append(charged - free)
    assert costs[0] > 1.0
    assert costs[1] == pytest.approx(0.0, abs=1e-9)

"""One classifier from its Gram matrix: the tree of one node, row by row."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime

from solvers.methods.cstc.training import SingleObjective, TreeObjective, TreeShape


def _tree(seed=0, n_rows=30, n_features=4):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(n_rows))
    X = rng.standard_normal((n_rows, n_features))
    incidence = np.vstack([np.eye(n_features), rng.random((2, n_features)) < 0.5])
    return TreeObjective(
        X=X - shares @ X,
        signs=np.where(rng.random(n_rows) < 0.4, 1.0, -1.0),
        shares=shares,
        incidence=sparse.csr_array(incidence.astype(float)),
        costs=rng.uniform(0.5, 2.0, len(incidence)),
        shape=TreeShape(1),
        rho=0.05,
        slope=2.0,
        internal_weight=1.0,
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_its_value_is_that_of_the_tree_with_the_best_intercept(seed, alpha):
    tree = _tree(seed)
    single = SingleObjective(tree)
    weights = np.random.default_rng([seed, 1]).standard_normal(4)
    z = tree.pack(weights, np.array([single.intercept]), np.zeros(0))
    value, gradient = tree.value_and_gradient(z, alpha)
    found = single.value_and_gradient(weights, alpha)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(gradient[:4])
    # No other intercept is better.
    assert gradient[4] == pytest.approx(0.0, abs=1e-12)


def test_its_gradient_is_that_of_differences():
    single = SingleObjective(_tree(5))
    weights = np.array([0.4, -0.3, 0.2, 0.7])
    differences = approx_fprime(
        weights, lambda w: single.value_and_gradient(w, 0.2)[0], 1e-7
    )
    found = single.value_and_gradient(weights, 0.2)[1]
    assert found == pytest.approx(differences, abs=1e-5)


def test_without_weights_the_variance_of_the_signs_is_left():
    single = SingleObjective(_tree(2))
    value, _ = single.value_and_gradient(np.zeros(4), 1.0)
    assert value == pytest.approx(1 - single.intercept**2)

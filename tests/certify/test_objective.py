"""What a selection of columns is worth is what scikit-learn finds for it."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.certify import RidgeObjective
from solvers.errors import ThriftscopeError
from tests.certify.cases import random_instance


@pytest.fixture(scope="module")
def case():
    return random_instance(3)


def test_every_selection_is_worth_what_scikit_learn_finds(case):
    value = RidgeObjective(*case.arguments, ridge=case.ridge)
    for features in case.selections().values():
        assert value(list(features)) == pytest.approx(
            case.objective(features), abs=1e-6
        )


def test_names_masks_and_indices_mean_the_same(case):
    value = RidgeObjective(*case.arguments, ridge=case.ridge)
    mask = np.isin(np.arange(7), [1, 4])
    names = [case.hypergraph.feature_names[j] for j in (1, 4)]
    assert value(mask) == value([1, 4]) == value(names)


def test_costs_do_not_matter_and_more_columns_are_never_worse(case):
    other = FeatureHypergraph.independent(np.arange(1.0, 8.0))
    value = RidgeObjective(*case.arguments, ridge=case.ridge)
    same = RidgeObjective(case.X, case.y, other, ridge=case.ridge)
    grown = [value(list(range(n))) for n in range(8)]
    assert grown == pytest.approx([same(list(range(n))) for n in range(8)])
    assert (np.diff(grown) <= 1e-9).all()


def test_a_ridge_of_nothing_is_refused(case):
    with pytest.raises(ThriftscopeError):
        RidgeObjective(*case.arguments, ridge=0.0)

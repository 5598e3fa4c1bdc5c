"""Data sets know how they were made while they are what was made."""

import dataclasses
import gc

import numpy as np
import pytest

from explorer.document.recipes import DataRecipe, made, recipe_of
from solvers import Dataset, FeatureHypergraph
from solvers.errors import DataError, KnobError
from tests.each import each

RECIPE = DataRecipe("signals", {"n_samples": 100})


def _dataset():
    X = np.arange(12.0).reshape(6, 2)
    return Dataset("x", X, np.arange(6) % 2, FeatureHypergraph.independent([1.0, 2.0]))


def test_a_data_set_tells_how_it_was_made():
    assert recipe_of(made(_dataset(), RECIPE)) is RECIPE
    assert recipe_of(_dataset()) is None


def test_other_costs_leave_the_rows_what_they_were():
    dataset = made(_dataset(), RECIPE)
    dearer = FeatureHypergraph.independent([5.0, 5.0])
    edited = dataclasses.replace(dataset, hypergraph=dearer)
    assert recipe_of(edited) is RECIPE
    assert recipe_of(edited, as_priced=True) is None
    assert recipe_of(dataset, as_priced=True) is RECIPE


def test_other_rows_are_not_what_was_made():
    dataset = made(_dataset(), RECIPE)
    assert recipe_of(dataclasses.replace(dataset, X=dataset.X.copy())) is None


def test_prices_that_are_not_the_maker_s_are_none_of_the_recipe():
    dataset = made(_dataset(), RECIPE, as_priced=False)
    assert recipe_of(dataset) is RECIPE
    assert recipe_of(dataset, as_priced=True) is None


def test_what_is_gone_is_forgotten():
    from explorer.document import recipes

    dataset = made(_dataset(), RECIPE)
    key = id(dataset.X)
    assert key in recipes._known
    del dataset
    gc.collect()
    assert key not in recipes._known


@each(
    ("recipe", "error", "sentence"),
    [
        (DataRecipe("nowhere"), DataError, "There is no data set 'nowhere'"),
        (
            DataRecipe("signals", {"colour": 1}),
            DataError,
            "cannot be asked for 'colour'",
        ),
        (DataRecipe("signals", {"n_samples": -5}), KnobError, "n_samples is -5"),
    ],
)
def test_a_recipe_that_nobody_follows_is_refused(recipe, error, sentence):
    with pytest.raises(error) as refusal:
        recipe.check()
    assert sentence in str(refusal.value)

"""What cannot be learned from is refused with a sentence."""

import numpy as np
import pytest

from solvers.errors import DataError, HypergraphError, KnobError
from solvers.methods.selective_ridge import SelectiveRidgeClassifier
from tests.each import each
from tests.methods.selective_ridge.estimators import both


@both
@each(
    ("options", "error", "sentence"),
    [
        ({"gamma": 0}, KnobError, "gamma is 0; Ridge γ lies above 0"),
        ({"mu": -1.0}, KnobError, "mu is -1; Selectivity μ lies at 0 or above"),
        ({"mu": float("nan")}, KnobError, "mu is nan"),
        ({"algorithm": "magic"}, KnobError, "algorithm is 'magic'"),
        ({"feature_weights": [1.0]}, DataError, "6 features, but there are 1 feature"),
        (
            {"feature_weights": [1, 1, 1, 1, 1, -2]},
            DataError,
            "The weight of feature 5 is -2; feature weights are finite",
        ),
        ({"hypergraph": "dear"}, HypergraphError, "hypergraph is a str"),
    ],
)
def test_bad_parameters_are_refused_with_a_sentence(
    table, kind, options, error, sentence
):
    X, y, _ = table
    with pytest.raises(error, match=sentence):
        kind(**options).fit(X, y)


@both
@each(
    ("weights", "sentence"),
    [(-np.ones(80), "A sample weight is -1"), (np.zeros(80), "[Ss]ample weight")],
)
def test_useless_weights_are_refused_with_a_sentence(table, kind, weights, sentence):
    X, y, _ = table
    with pytest.raises(ValueError, match=sentence):
        kind().fit(X, y, sample_weight=weights)


def test_one_class_is_refused_with_a_sentence(table):
    X, y, _ = table
    with pytest.raises(DataError, match="Every row is of class"):
        SelectiveRidgeClassifier().fit(X, ["a"] * 80)
    with pytest.raises(DataError, match="Rows of weight above 0 are all of one class"):
        SelectiveRidgeClassifier().fit(X, y, sample_weight=y)

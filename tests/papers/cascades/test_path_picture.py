"""The path of weights reaches the machines that the cascade trained."""

import numpy as np
import pytest

from solvers.errors import DataError
from solvers.methods.tefe import TEFEClassifier
from solvers.papers.cascades.path_picture import path_picture


def test_the_picture_reaches_the_trained_machines():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 3))
    y = (X @ [1.0, -1.0, 0.5] + 0.5 * rng.standard_normal(40) > 0).astype(int)
    model = TEFEClassifier()
    picture = list(path_picture(model, X, y, n_features=3))[-1]
    model.fit(X, y)
    assert picture.followed
    assert len(picture.ends) == 3
    for stage, end in enumerate(picture.ends):
        weights = model.stage_coef_[0, stage] * model.spread_
        expected = weights[picture.columns]
        assert picture.coef[end] == pytest.approx(expected, abs=1e-6)


def test_more_features_than_there_are_cannot_come_in():
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    with pytest.raises(DataError, match="n_features is 4, but the table has 1 columns"):
        path_picture(TEFEClassifier(), X, y, n_features=4)

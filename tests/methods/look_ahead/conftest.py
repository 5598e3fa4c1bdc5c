"""The cube, on which which columns tell stands in others."""

import pytest

from solvers.datasets import make_cube
from solvers.methods.look_ahead import LookAheadClassifier


@pytest.fixture(scope="module")
def cube():
    return make_cube(2000, random_state=1)


@pytest.fixture(scope="module")
def model(cube):
    return LookAheadClassifier(cube.hypergraph).fit(cube.X[:600], cube.y[:600])

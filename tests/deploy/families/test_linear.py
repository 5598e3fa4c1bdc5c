"""A weighted sum leaves as it decides, and so does a neural network."""

import pytest

from tests.deploy.decided import check_every_row

NAMES = [
    "l1, by name",
    "acafh",
    "forward_selection",
    "jit",
    "l1",
    "neural_network",
    "relief_svm",
    "reweighted_l1",
    "selective_ridge",
    "static_prefix",
    "static prefix, classes",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

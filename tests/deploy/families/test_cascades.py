"""A cascade leaves as it decides, whatever makes a stage sure."""

import pytest

from tests.deploy.decided import check_every_row

NAMES = [
    "tefe",
    "tefe, by gaps",
    "tefe, raw",
    "tefe, calibrated",
    "tefe, classes",
    "tefe, classes by gaps",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

"""A shopping trip buys elsewhere what it buys here."""

import pytest

from tests.deploy.decided import check_every_row

NAMES = ["csnb", "csnb, classes"]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

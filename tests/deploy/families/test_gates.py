"""States and gates leave as they decide, as a tree and as a lattice."""

import pytest

from tests.deploy.decided import check_every_row

NAMES = ["dag", "dag, lattice"]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

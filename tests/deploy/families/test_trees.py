"""Trees and ensembles leave as they decide, rows that pay for their own ways too."""

import pytest

from tests.deploy.decided import check_every_row

NAMES = [
    "cegb",
    "cegb, each row",
    "csdt",
    "csdt, classes",
    "cstc",
    "greedy_miser",
    "greedy miser, each row",
    "random_forest",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

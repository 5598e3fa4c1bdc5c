"""A hypergraph cascade leaves as it decides: expanded, boosted, routed."""

import pytest

from tests.deploy.decided import check_every_row

NAMES = [
    "hypergraph_cascade",
    "hypergraph cascade, expanded",
    "hypergraph cascade, boosted",
    "hypergraph cascade, routed",
    "hypergraph cascade, classes",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

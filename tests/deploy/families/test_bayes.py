"""A trimmed naive Bayes leaves as it decides."""

import pytest

from tests.deploy.decided import check_every_row

NAMES = ["trimmed_naive_bayes"]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

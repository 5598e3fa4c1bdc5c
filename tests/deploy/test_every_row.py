"""The exported file of every method decides all rows as its estimator does."""

from tests.each import each

from .decided import check_every_row
from .models import NAMES


@each("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name):
    check_every_row(name)

"""Work is kept between the fits of a method."""

import pytest

from explorer.pages.frontier.marking import Refitters
from explorer.session.state import bundled
from solvers import split_dataset


@pytest.fixture(scope="module")
def split():
    return split_dataset(bundled("breast_cancer"))


def test_a_method_is_prepared_once_until_a_setting_or_the_data_change(split):
    refit = Refitters()
    refit.of("acafh", split, {"p": 0.5}, {"p": 0.5})
    known = dict(refit._known)
    refit.of("acafh", split, {"p": 0.5, "alpha": 0.1}, {"p": 0.5})
    assert refit._known == known
    refit.of("acafh", split, {"p": 1.0}, {"p": 1.0})
    assert refit._known != known
    refit.clear()
    assert refit._known == {}

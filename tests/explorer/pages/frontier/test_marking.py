"""A model at exactly one λ is what fitting there gives, with work kept between fits."""

import pytest

from explorer.pages.frontier.marking import MarkRequest, Refitters, mark_methods
from explorer.session.state import bundled
from solvers import all_methods, split_dataset

NAMES = ("l1", "reweighted_l1")


@pytest.fixture(scope="module")
def split():
    return split_dataset(bundled("breast_cancer"))


def test_each_method_is_fitted_at_that_value_on_training_rows(split):
    refit = Refitters()
    request = MarkRequest(
        {name: refit.of(name, split, {}) for name in NAMES}, 0.02, split, "tuned"
    )
    items = list(mark_methods(request))
    assert [item.method for item in items] == list(NAMES)
    for item in items:
        alone = all_methods()[item.method](hypergraph=split.hypergraph, alpha=0.02)
        alone.fit(split.X("train"), split.y("train"))
        assert (item.point.features == alone.support_).all()
        assert item.point.params["alpha"] == 0.02


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

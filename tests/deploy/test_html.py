"""The page is small, or says that it would not be."""

import pytest

from solvers import all_methods
from solvers.deploy import to_html
from solvers.deploy.html import MOST_BYTES
from solvers.errors import DeployError
from tests.each import each

from .models import fitted, table


@each("name", ["cegb", "jit", "tefe"])
def test_a_page_is_below_300_kilobytes_and_names_no_other_host(name):
    text = to_html(fitted(name)[0])
    assert len(text.encode()) <= MOST_BYTES
    assert "http:" not in text
    assert "https:" not in text


def test_a_forest_that_is_too_large_is_told():
    X, y, hypergraph = table()
    forest = all_methods()["random_forest"](hypergraph, n_estimators=200).fit(X, y)
    with pytest.raises(DeployError, match="300 kB are the most"):
        to_html(forest)

"""A grown graph, fitted."""

import pytest

from tests.explorer.pages.structured.asked import fitted


@pytest.fixture(scope="module")
def grown():
    return fitted()

"""Two networks, opened and searched."""

import pytest

from tests.explorer.pages.trimming.asked import opened, search


@pytest.fixture
def quiz():
    return search(opened("quiz"))


@pytest.fixture
def wine():
    return search(opened("wine", model="tan", n_columns=12))

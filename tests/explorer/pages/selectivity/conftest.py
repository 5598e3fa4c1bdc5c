"""The selectivity page, fresh and answered."""

import pytest

from explorer.pages.selectivity.state import ANSWER, PATH, SelectivityState
from explorer.session.state import bundled


@pytest.fixture(scope="module")
def answered():
    state = SelectivityState(dataset=bundled("breast_cancer"), loss="logistic")
    ANSWER.answer(state)
    PATH.answer(state)
    return state


@pytest.fixture
def state():
    found = SelectivityState(dataset=bundled("breast_cancer"), loss="logistic")
    ANSWER.answer(found)
    return found

"""The selectivity page, fresh and answered."""

import pytest

from explorer.pages.selectivity.state import SelectivityState
from explorer.session.state import bundled


@pytest.fixture(scope="module")
def answered():
    state = SelectivityState(dataset=bundled("breast_cancer"), loss="logistic")
    state.collect_answers(state.answering()())
    state.path_collector()(state.path_request()())
    state.keep_path()
    return state


@pytest.fixture
def state():
    found = SelectivityState(dataset=bundled("breast_cancer"), loss="logistic")
    found.collect_answers(found.answering()())
    return found

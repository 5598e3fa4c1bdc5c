"""The proof page as it opens on the heart table, and on a small table."""

import pytest

from explorer.pages.proof.state import ProofState
from explorer.session.state import bundled
from tests.explorer.pages.proof.answered import answer, prove, small


@pytest.fixture(scope="session")
def heart():
    """As the page opens on it, but for the methods."""
    return answer(prove(ProofState(dataset=bundled("heart")), is_short=True))


@pytest.fixture
def state():
    return small(share=0.9)

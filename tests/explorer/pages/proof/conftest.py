"""The proof page as it opens on the heart table, and on a small table."""

import pytest

from explorer.pages.proof.state import ProofState
from tests.explorer.pages.proof.answered import answer, prove, small


@pytest.fixture(scope="session")
def heart():
    """As the page opens, but for the methods."""
    return answer(prove(ProofState(), is_short=True))


@pytest.fixture
def state():
    return small(share=0.9)

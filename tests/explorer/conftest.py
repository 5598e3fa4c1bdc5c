"""Every test computes for itself."""

import pytest

from explorer.state.shared import SHARED, SHARED_SPLITS


@pytest.fixture(autouse=True)
def nothing_is_known():
    SHARED.clear()
    SHARED_SPLITS.clear()

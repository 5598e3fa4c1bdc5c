"""What one module computes, no other finds ready."""

import pytest

from explorer.compute.shared import SHARED, SHARED_SPLITS


def forget():
    SHARED.clear()
    SHARED_SPLITS.clear()


@pytest.fixture(scope="module", autouse=True)
def nothing_of_other_modules_is_known():
    forget()


@pytest.fixture
def nothing_is_known():
    """For tests that ask what has still to be computed."""
    forget()

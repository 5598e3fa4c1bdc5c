"""A clock of the tests, in place of the machine's."""

import time
from types import SimpleNamespace

import pytest


@pytest.fixture
def clock(monkeypatch):
    """Seconds that stand still until a test moves them on."""
    clock = SimpleNamespace(now=time.monotonic())
    monkeypatch.setattr(time, "monotonic", lambda: clock.now)
    return clock

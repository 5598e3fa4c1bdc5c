"""What one module computes, no other finds ready."""

import math

import pytest

from explorer.compute import sandbox
from explorer.compute.shared import SHARED, SHARED_SPLITS
from explorer.document import undo_stack
from explorer.session.context import Context
from explorer.session.data_dialog import DataDialog
from explorer.session.state import SessionState, bundled
from tests.explorer.tables import csv, own
from tests.waiting import until_idle


def forget():
    SHARED.clear()
    SHARED_SPLITS.clear()


@pytest.fixture(scope="session", autouse=True)
def a_drag_lasts_however_slow_the_machine_is():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(undo_stack, "DRAG_SECONDS", math.inf)
        yield


@pytest.fixture(scope="module", autouse=True)
def nothing_of_other_modules_is_known():
    forget()


@pytest.fixture
def nothing_is_known():
    """For tests that ask what has still to be computed."""
    forget()


@pytest.fixture
def context():
    return Context(SessionState(dataset=bundled("breast_cancer")))


@pytest.fixture
def read_here(monkeypatch):
    """Files are read on this process's threads: another one takes long to begin."""
    monkeypatch.setattr(sandbox, "CAN_FORK", False)


@pytest.fixture
def dialog(context, read_here):
    made = DataDialog(context)
    made.open()
    made._table.filename = "mine.csv"
    made._table.value = csv(own())
    until_idle(made.job)
    return made

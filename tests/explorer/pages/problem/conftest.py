"""The dialog of tables, and the columns of an open one."""

import pytest

from explorer.pages.problem.data import ColumnsPart
from tests.explorer.tables import opened
from tests.waiting import until_idle


@pytest.fixture
def part(context, dialog):
    opened(dialog)
    made = ColumnsPart(context, context.problem)
    made.compute()
    until_idle(made.job)
    return made

"""The dialog of tables, and the columns of an open one."""

import pytest

from explorer.pages.problem.columns_part import ColumnsPart
from explorer.session.context import Context
from explorer.session.data_dialog import DataDialog
from explorer.session.state import SessionState, bundled
from tests.explorer.pages.problem.tables import csv, opened, own
from tests.waiting import until_idle


@pytest.fixture
def context():
    return Context(SessionState(dataset=bundled("breast_cancer")))


@pytest.fixture
def dialog(context):
    made = DataDialog(context)
    made.open()
    made._table.filename = "mine.csv"
    made._table.value = csv(own())
    until_idle(made.job)
    return made


@pytest.fixture
def part(context, dialog):
    opened(dialog)
    made = ColumnsPart(context, context.problem)
    made.compute()
    until_idle(made.job)
    return made

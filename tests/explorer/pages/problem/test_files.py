"""A file is opened as it says; of the unit that it does not name a person is asked."""

import pytest

from explorer.pages.problem.files import HypergraphLoading
from explorer.session.context import Context
from explorer.session.state import SessionState
from tests.waiting import until_idle

NAMELESS = b"component,cost,chol,fbs\nblood,2.1,1,1\nassay,5.17,1,0\n"


@pytest.fixture
def part():
    context = Context(SessionState())
    made = HypergraphLoading(context, context.problem, "Load", lambda _: None)
    made.drawing = lambda: context.problem.editor.drawing
    return made


def load(part, content):
    part.file.filename = "costs.csv"
    part.file.value = content
    until_idle(part.job)


def test_a_file_without_a_unit_waits_until_somebody_names_one(part):
    before = part.drawing()
    load(part, NAMELESS)
    assert part.ask.visible
    assert part.drawing() is before
    part.answer()
    assert part.job.message.endswith("name their unit, such as us, ms or CAD.")
    assert part.drawing() is before
    part.unit.value_input = " CAD "
    part.answer()
    assert not part.ask.visible
    assert part.job.message == ""
    drawn = part.drawing().hypergraph
    assert (drawn.unit, drawn.features) == ("CAD", ("chol", "fbs"))
    assert part.notes.text == "The file names no unit: costs are taken as CAD."


def test_a_file_with_a_unit_is_opened_at_once(part):
    load(part, NAMELESS)
    load(part, NAMELESS.replace(b"cost", b"cost_ms"))
    assert not part.ask.visible
    assert part.drawing().hypergraph.unit == "ms"

"""A script comes by the data that are on screen, or says that there are none."""

import dataclasses

import pytest

from explorer.export.page_script import assignments, session_data
from explorer.session.state import bundled
from solvers.errors import DataError


def run(given, **names):
    import solvers

    space = {one: getattr(solvers, one, None) for one in given.imports.split(", ")}
    exec(given.first + given.lines, space | names, found := {})
    return found["dataset"]


def test_bundled_data_are_made_by_name():
    data = bundled("breast_cancer")
    assert (run(session_data(data)).X == data.X).all()


def test_costs_that_were_edited_come_from_a_file():
    data = bundled("breast_cancer")
    priced = data.hypergraph.set_cost(data.hypergraph.components[0], 99.0)
    given = session_data(dataclasses.replace(data, hypergraph=priced))
    assert "read_hypergraph" in given.imports
    assert "hypergraph.json" in given.lines


def test_without_data_there_is_no_script():
    with pytest.raises(DataError, match="There are no data yet; open"):
        session_data(None)


@pytest.mark.parametrize("text", ['"; import os #', "a\nb", "'''", "\\"])
def test_text_from_people_stays_text(text):
    space = {}
    exec(assignments({"NAME": text, "X": 0.1 + 0.2}), space)
    assert (space["NAME"], space["X"]) == (text, 0.1 + 0.2)

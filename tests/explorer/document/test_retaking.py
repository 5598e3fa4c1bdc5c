"""A table that is read in another way keeps what was edited of columns that stay."""

import pandas as pd
import pytest

from explorer.document.reading import Reading
from explorer.document.retaking import reading_of, retaken
from explorer.document.table import opened
from explorer.document.table_use import TableUse
from solvers import FeatureHypergraph
from solvers.datasets.table.files import framed_table

FRAME = pd.DataFrame(
    {
        "age": range(20),
        "dose": [k % 7 for k in range(20)],
        "pulse": [k % 5 for k in range(20)],
        "ill": ["n", "y"] * 10,
    }
)
PRICES = FeatureHypergraph(
    [[1, 1, 0], [0, 0, 1]], [2.0, 3.0], ("age", "dose", "pulse"), ("visit", "watch")
)


@pytest.fixture
def drawing():
    reading = Reading(
        framed_table(FRAME, "visits"),
        TableUse({"ill": "label"}),
        {"hypergraph": PRICES, "missing": "free"},
    )
    return opened(reading.dataset(), 0, {}, reading)


def again(drawing, *left_out):
    reading = reading_of(drawing.table).without(left_out)
    return retaken(drawing, reading, reading.dataset())


def test_a_column_that_goes_takes_its_feature_and_what_it_alone_needs(drawing):
    found = again(drawing, "pulse").hypergraph
    assert (found.features, found.components) == (("age", "dose"), ("visit",))


def test_costs_that_were_edited_stay_and_a_column_that_comes_has_its_own(drawing):
    without = again(drawing, "pulse")
    edited = without.set_cost(without.component_ids[0], 9.0)
    back = retaken(edited, drawing.table.reading, drawing.table.reading.dataset())
    assert back.hypergraph.cost(["age"]) == 9.0
    assert back.hypergraph.cost(["pulse"]) == 3.0
    assert set(back.hypergraph.features) == {"age", "dose", "pulse"}


def test_a_renamed_feature_stays_with_its_column(drawing):
    node = drawing.feature_ids[0]
    found = again(drawing.rename(node, "years"), "pulse")
    assert found.name(node) == "years"
    assert found.hypergraph.features == ("years", "dose")


def test_a_table_without_its_file_is_read_again_from_what_was_kept():
    data = Reading(framed_table(FRAME, "visits"), TableUse({"ill": "label"})).dataset()
    read = reading_of(opened(data, 0).table).dataset()
    assert (read.X == data.X).all()
    assert read.feature_names == data.feature_names

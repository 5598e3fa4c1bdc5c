"""Features find the columns of their table, also of one that is read in another way."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from explorer.document.drawing import MAX_NODES, Drawing
from explorer.document.reading import Reading, TableUse
from explorer.document.table import (
    add_missing_features,
    drop_features,
    fitted,
    leave_out_columns,
    made_up_rows,
    match,
    opened,
    reading_of,
    retaken,
)
from solvers import Dataset, FeatureHypergraph
from solvers.datasets.table.files import framed_table
from solvers.errors import DataError
from tests.fuzz.bounded import bounded

SHARED = FeatureHypergraph(
    [[1, 1, 0], [0, 0, 1]], [3.0, 0.5], ("peak", "centre", "mean"), ("fft", "avg")
)


def _dataset():
    X = np.arange(18.0).reshape(6, 3)
    return Dataset("tiny", X, np.arange(6) % 2, SHARED, costs_note="As measured.")


@pytest.fixture
def drawing():
    return opened(_dataset(), 100)


def _renamed(drawing, names):
    hypergraph = dataclasses.replace(drawing.hypergraph, feature_names=tuple(names))
    return dataclasses.replace(drawing, hypergraph=hypergraph)


def test_what_is_opened_matches_and_is_the_data_set_itself(drawing):
    assert match(drawing).is_whole
    assert match(drawing).order == (0, 1, 2)
    assert fitted(drawing) is drawing.table.dataset


def test_a_renamed_feature_stays_with_its_column(drawing):
    renamed = _renamed(drawing, ("mean", "centre", "peak"))
    assert match(renamed).order == (0, 1, 2)
    data = fitted(renamed)
    assert data.feature_names == ("mean", "centre", "peak")
    assert (data.X == drawing.table.dataset.X).all()


def test_a_column_that_a_renamed_feature_holds_is_not_taken_by_its_old_name(drawing):
    renamed = _renamed(drawing, ("top", "centre", "mean"))
    twice = renamed.add_feature("peak", [drawing.component_ids[0]])
    assert match(twice).order == (0, 1, 2, -1)
    assert len(match(twice).absent) == 1


def test_a_feature_drawn_anew_takes_the_column_of_its_name(drawing):
    node = drawing.feature_ids[2]
    again = drawing.delete([node, drawing.component_ids[1]]).add_feature("mean")
    assert match(again).order == (0, 1, 2)
    assert match(again).is_whole


def test_a_column_whose_feature_is_gone_has_no_price(drawing):
    gone = drawing.delete([drawing.feature_ids[1]])
    assert match(gone).unpriced == (1,)
    with pytest.raises(DataError, match="The drawing and the table disagree"):
        fitted(gone)


def test_missing_features_are_added_at_no_cost(drawing):
    gone = drawing.delete([drawing.feature_ids[1]])
    mended = add_missing_features(gone)
    assert match(mended).is_whole
    hypergraph = fitted(mended).hypergraph
    assert set(hypergraph.features) == set(SHARED.features)
    assert hypergraph.cost(["centre"]) == 0.0


def test_columns_without_a_feature_are_left_out(drawing):
    gone = drawing.delete([drawing.feature_ids[1]])
    data = fitted(leave_out_columns(gone))
    assert data.feature_names == ("peak", "mean")
    assert (data.X == _dataset().X[:, [0, 2]]).all()


def test_a_feature_without_a_column_goes_with_what_it_alone_needs(drawing):
    extra = drawing.add_component("own", 7.0)
    extra = extra.add_feature("new", [extra.component_ids[-1], extra.component_ids[0]])
    assert len(match(extra).absent) == 1
    mended = drop_features(extra)
    assert match(mended).is_whole
    assert mended.hypergraph.components == ("fft", "avg")


def test_columns_follow_the_order_of_the_features(drawing):
    order = [2, 0, 1]
    turned = dataclasses.replace(
        drawing,
        hypergraph=SHARED.restrict(order),
        feature_ids=tuple(drawing.feature_ids[j] for j in order),
    )
    data = fitted(turned)
    assert data.feature_names == ("mean", "peak", "centre")
    assert (data.X == _dataset().X[:, order]).all()


def test_other_costs_are_said_to_be_edited_and_the_same_ones_are_not(drawing):
    renamed = _renamed(drawing, ("a", "b", "c"))
    assert fitted(renamed).costs_note == "As measured."
    dearer = dataclasses.replace(drawing, hypergraph=SHARED.set_cost("fft", 9.0))
    assert fitted(dearer).costs_note == "Edited by hand."
    told = dataclasses.replace(dearer, costs_note="Measured again.")
    assert fitted(told).costs_note == "Measured again."


def test_rows_that_are_made_up_fit_the_drawing_and_repeat(drawing):
    one, again = (fitted(made_up_rows(drawing, 50)) for _ in range(2))
    assert one.hypergraph is drawing.hypergraph
    assert one.X.shape == (50, 3)
    assert (one.X == again.X).all()
    assert set(one.y) == {-1, 1}


def test_for_nothing_no_rows_are_made_up(drawing):
    empty = drawing.delete([*drawing.feature_ids, *drawing.component_ids])
    with pytest.raises(DataError, match="Nothing is drawn yet"):
        made_up_rows(empty)
    with pytest.raises(DataError, match="No column of the table is described"):
        leave_out_columns(empty)


def test_rows_of_the_widest_drawing_are_made_up_while_nobody_waits():
    n = MAX_NODES - 1
    drawing = Drawing.of(FeatureHypergraph(np.ones((1, n), dtype=bool), [1.0]))
    with bounded(megabytes=100):
        made = made_up_rows(drawing)
    assert made.table.dataset.X.shape == (100, n)


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
def drawing_read():
    reading = Reading(
        framed_table(FRAME, "visits"),
        TableUse({"ill": "label"}),
        {"hypergraph": PRICES, "missing": "free"},
    )
    return opened(reading.dataset(), 0, {}, reading)


def again(drawing_read, *left_out):
    reading = reading_of(drawing_read.table).without(left_out)
    return retaken(drawing_read, reading, reading.dataset())


def test_a_column_that_goes_takes_its_feature_and_what_it_alone_needs(
    drawing_read,
):
    found = again(drawing_read, "pulse").hypergraph
    assert (found.features, found.components) == (("age", "dose"), ("visit",))


def test_costs_that_were_edited_stay_and_a_column_that_comes_has_its_own(
    drawing_read,
):
    without = again(drawing_read, "pulse")
    edited = without.set_cost(without.component_ids[0], 9.0)
    back = retaken(
        edited,
        drawing_read.table.reading,
        drawing_read.table.reading.dataset(),
    )
    assert back.hypergraph.cost(["age"]) == 9.0
    assert back.hypergraph.cost(["pulse"]) == 3.0
    assert set(back.hypergraph.features) == {"age", "dose", "pulse"}


def test_a_renamed_feature_stays_with_its_column_when_read_again(drawing_read):
    node = drawing_read.feature_ids[0]
    found = again(drawing_read.rename(node, "years"), "pulse")
    assert found.name(node) == "years"
    assert found.hypergraph.features == ("years", "dose")


def test_a_table_without_its_file_is_read_again_from_what_was_kept():
    data = Reading(framed_table(FRAME, "visits"), TableUse({"ill": "label"})).dataset()
    read = reading_of(opened(data, 0).table).dataset()
    assert (read.X == data.X).all()
    assert read.feature_names == data.feature_names

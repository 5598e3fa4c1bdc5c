"""The bill on the page is that of the row that is followed."""

import pytest

from explorer.pages.cascade.journey import RowBill
from explorer.pages.cascade.state import CascadeState
from explorer.session.state import bundled
from explorer.widgets.tables import bill_markup
from solvers.decisions.basket import BillLine
from solvers.deploy import ItemisedBill
from tests.explorer.pages.cascade.asked import train


@pytest.fixture(scope="module")
def state():
    return train(CascadeState(session_dataset=bundled("breast_cancer")))


def test_every_purchase_of_the_followed_row_is_a_line(state):
    bill = RowBill(state=state, method="tefe")
    cascade = state.cascade
    for row in (0, 5, 11):
        state.row = row
        journey = state.threshold_result().journey(row)
        bought = [name for stop in journey.stops for name in stop.features]
        shown = bill._table.object
        assert shown.count("<tr>") == len(bought) + 1
        for name in bought:
            assert f"<td>{name}</td>" in shown
        assert ("sure enough" in shown) == (
            journey.stage < len(cascade.stage_names) - 1
        )
        assert f"Test row {row}: {len(bought)} feature" in bill._text.object


def test_a_bill_says_what_each_purchase_changed():
    lines = (
        BillLine("<b>", 2.0, (), None),
        BillLine("x", 1.0, ("fft",), -0.5),
        BillLine("y", 0.0, ("fft", "mean"), 0.25),
    )
    text = bill_markup(ItemisedBill(lines, "It is sure."), "ms", ("a", "b"))
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
    assert "+0.75" in text
    assert "fft, mean" in text
    assert "3.00 ms in all. It is sure." in text
    many = (BillLine("x", 1.0, (), (0.1, 0.7, 0.2)),)
    assert "cat 0.7" in bill_markup(ItemisedBill(many, ""), "ms", ["dog", "cat", "eel"])

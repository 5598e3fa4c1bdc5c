"""Examples leave in their round; the bill is that of the row that is followed."""

import pytest

from explorer.pages.cascade.stages import RowBill, examples_of
from explorer.pages.cascade.state import CascadeState
from explorer.session.state import bundled
from explorer.session.study_part import figure_6
from explorer.widgets.tables import bill_markup
from solvers.decisions.basket import BillLine
from solvers.deploy import ItemisedBill
from tests.explorer.pages.cascade.asked import train


def test_examples_leave_in_their_round_and_say_how(scenes):
    picture = scenes.picture
    threshold = picture.threshold(scenes.share)
    for found in scenes.rounds():
        shown = examples_of(scenes.cascade, picture.test, found, threshold)
        assert len(shown) <= 6
        for example in shown:
            assert found.first <= example.stage <= found.last
            assert example.truth == scenes.cascade.dataset.y[example.row]


def test_fig_6_shows_early_late_and_wrong_images(scenes):
    rounds = scenes.rounds()
    early, late, wrong = figure_6(rounds).values()
    assert early == rounds[0].right_rows[:2].tolist()
    assert late == rounds[1].right_rows[:2].tolist()
    assert wrong == rounds[2].wrong_rows[:2].tolist()
    assert figure_6(()) == {}


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

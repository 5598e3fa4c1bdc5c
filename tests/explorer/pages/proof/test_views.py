"""What the proof page draws and says is what was proven."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.figures.proven_floor import OTHERS
from explorer.pages.proof.floor_plot import ComponentsTable, FloorPlot, MethodsTable
from explorer.pages.proof.matrix import NearlyMatrix, ranked_components
from explorer.pages.proof.questions import NearlyAsGood
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.streams import is_linear
from explorer.pages.proof.text import ProofText
from explorer.session.state import bundled
from tests.explorer.pages.proof.answered import proofs, prove
from tests.explorer.worlds import own_table


def drawn(view, name):
    """What the browser has of a layer."""
    return view._renderers[name].data_source.data


def spans(plot, name):
    data = drawn(plot, name)
    ends = ("left", "right") if "left" in data else ("x0", "x1")
    return list(zip(*(data[end] for end in ends), strict=True))


def test_the_band_fills_all_that_is_below_the_floor(heart):
    plot = FloorPlot(state=heart)
    band, steps = drawn(plot, "band"), heart.floors.steps
    assert band["top"] == [step.lower for step in steps]
    assert max(band["bottom"]) < heart.floors.ends[0]
    assert spans(plot, "band")[0][0] == 0.0


def test_no_open_gap_is_drawn_as_closed(heart):
    plot, steps = FloorPlot(state=heart), heart.floors.steps
    for name, is_closed in (("closed", True), ("unproven", False), ("open", False)):
        wanted = [(s.start, s.end) for s in steps if s.closed == is_closed]
        assert wanted
        assert spans(plot, name) == wanted
    gain = heart.floors.full_gain
    for step in steps:
        assert step.closed == (step.upper - step.lower <= heart.tol * gain)
    dashes = {
        name: plot._renderers[name].glyph.line_dash for name in ("closed", "unproven")
    }
    assert dashes == {"closed": "solid", "unproven": "dashed"}


def is_in_legend(plot, name):
    return name in plot._items and plot._items[name].visible


def test_what_is_not_drawn_is_not_in_the_legend(state):
    plot = FloorPlot(state=state)
    assert is_in_legend(plot, "band")
    assert is_in_legend(plot, "forward_selection")
    state.points = []
    assert not is_in_legend(plot, "forward_selection")


def test_the_line_of_nothing_ruled_out_is_there_only_beside_another(state):
    plot = FloorPlot(state=state)
    assert not is_in_legend(plot, "base")
    assert spans(plot, "base") == []
    state.rule_out("sum")
    prove(state)
    assert is_in_legend(plot, "base")
    assert spans(plot, "base") == [(s.start, s.end) for s in state.base.steps]
    assert state.base.at(0.75).lower < state.floors.at(0.75).lower


def test_points_of_methods_are_marked_with_how_far_above_the_floor_they_are(state):
    plot = FloorPlot(state=state)
    found = drawn(plot, "forward_selection")
    mine = [p for p in state.points if p.method == "forward_selection"]
    assert list(found["y"]) == [p.objective for p in mine]
    assert all(text.startswith("at most ") for text in found["above"])
    (ring,) = drawn(plot, "here")["y"]
    assert ring == pytest.approx(state.answer.certified.upper)
    state.share = 0.1  # not answered yet: the floors say what is best known
    assert list(drawn(plot, "here")["y"]) == [state.known().upper]
    assert state.known().cost <= state.budget
    assert plot._budget.line.location == pytest.approx(state.budget)


def test_columns_of_methods_that_are_not_linear_share_one_mark(state):
    plot = FloorPlot(state=state)
    found = drawn(plot, OTHERS)
    mine = [p for p in state.points if not is_linear(p.method)]
    assert list(found["y"]) == [p.objective for p in mine]
    assert {"Random forest", "TEFE"} <= set(found["title"])
    assert is_in_legend(plot, OTHERS)


def test_the_matrix_has_a_cell_for_each_purchase_and_must_haves_on_top(heart):
    view, nearly = NearlyMatrix(state=heart), heart.answer.nearly
    cells = {name: drawn(view, name) for name in ("must", "some")}
    n_cells = sum(len(data["left"]) for data in cells.values())
    assert n_cells == nearly.found.selections.sum()
    assert max(cells["must"]["top"]) < min(cells["some"]["bottom"])
    shares = nearly.shares[ranked_components(nearly)]
    assert (np.diff(shares) <= 0).all()
    labels = view._axes[1].ticks
    first = heart.data.hypergraph.component_names[np.argmax(nearly.shares)]
    assert labels[1] == first


def test_a_matrix_without_must_haves_names_none(heart):
    found = heart.answer.nearly.found
    two = {"objectives": found.objectives[:2], "costs": found.costs[:2]}
    apart = replace(found, selections=np.eye(16, dtype=bool)[:2], **two)
    other = ProofState(dataset=bundled("heart"), data=heart.data)

    def named(state):
        return [one.visible for one in NearlyMatrix(state=state).figure.legend[0].items]

    assert named(heart) == [True, True]
    assert named(other) == [False, False]
    other.answer = replace(heart.answer, nearly=NearlyAsGood(apart))
    assert named(other) == [False, True]


def test_a_search_finds_components_and_a_pick_rules_one_out(heart):
    view = ComponentsTable(state=heart)
    assert len(view._table.rows) == 16
    view._search.value_input = "TREAD"
    assert [row[0] for row in view._table.rows] == ["treadmill"]
    view._pick(0)
    assert heart.without == ["treadmill"]
    assert view._table.rows[0][2] == "ruled out"
    view._pick(0)
    assert heart.without == []


def test_the_table_puts_each_method_above_the_floor(state):
    rows = MethodsTable(state=state)._table.rows
    assert rows[0][0] == "Best selection known"
    assert {"ACAFH", "L1", "Forward selection"} <= {row[0] for row in rows}
    assert all(row[2] >= round(state.answer.certified.lower, 4) for row in rows)


def test_nothing_is_shown_or_said_of_the_table_before(state):
    matrix, said = NearlyMatrix(state=state), ProofText(state=state)
    plot = FloorPlot(state=state)
    cells = [drawn(matrix, name) for name in ("must", "some")]
    assert sum(len(one["left"]) for one in cells) > 0
    state.dataset = own_table(60)
    state.show_floors(next(proofs(state)))
    assert state.answer is None
    assert all(len(drawn(matrix, name)["left"]) == 0 for name in ("must", "some"))
    assert matrix._text.object == ""
    assert plot._text.object == "<p>No floor is proven yet.</p>"
    # Nothing is being proven where that was cancelled.
    assert said.view.waiting.startswith("The answer is not proven yet;")


def test_a_cell_that_is_clicked_rules_its_component_out_and_lights_it(state):
    matrix = NearlyMatrix(state=state)
    cells = matrix._shown["must"].columns
    assert cells["thing"][0] == f"component:{cells['name'][0]}"
    matrix.taps()["must"](0)
    assert state.without == [cells["name"][0]]

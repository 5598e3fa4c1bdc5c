"""What the structured-costs page says, in words that hold and never as markup."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.figures.layout import sketch_graph
from explorer.figures.structured_graph import nearest
from explorer.pages.structured.curves import cheapest_text, trace_badges
from explorer.pages.structured.graph import Detail, GraphPicture, detail_html
from explorer.pages.structured.methods_table import (
    HealthBadges,
    health_text,
    paid_answer,
)
from explorer.pages.structured.queries import COMPARED, CURVE
from explorer.pages.structured.state import StructuredState
from solvers.markov import HealthReport
from solvers.markov.growth import grow_graph
from solvers.values.rounding import number

FINE = HealthReport(True, 12, 0.0, 0.5, None, 0.0)


STUCK = HealthReport(True, 12, 0.0, 0.97, 1, 54.2)


RESTLESS = HealthReport(False, 200, 0.1, 0.5, None, None)


GAVE_UP = HealthReport(True, 12, 0.0, 0.5, None, None, trained=False)


@pytest.fixture(scope="module")
def state():
    state = StructuredState(n_nodes=40, methods=["LOGREG", "CSMN"], n_seeds=1)
    COMPARED.answer(state)
    CURVE.answer(state)
    return state


def test_health_names_what_is_wrong():
    words = health_text([FINE, STUCK, RESTLESS], ("low", "high"))
    assert words == [
        "messages converged in 2 of 3 folds",
        "stuck at one class (high) in 1 of 3 folds",
        "54 nats above a cold restart",
    ]


def test_training_that_did_not_converge_is_said_first():
    training, messages = health_text([FINE, GAVE_UP, FINE], ("low", "high"))
    assert training.startswith("training did not converge in 1 of 3 folds")
    assert messages == "messages converged"


def test_training_that_did_not_converge_makes_the_badge_of_its_method_bad(state):
    badges = HealthBadges(state=state)
    kept = state.run
    assert 'badge good">CSMN' in badges._pane.object
    fold = ("CSMN", 0)
    gave_up = replace(kept.results[fold], health=GAVE_UP)
    state.run = replace(kept, results={**kept.results, fold: gave_up})
    assert 'badge bad">CSMN: training did not converge' in badges._pane.object
    state.run = kept


def test_good_health_is_said_in_one_word():
    assert health_text([FINE, FINE], ("0", "1")) == ["converged"]
    assert health_text([], ("0", "1")) == []


@pytest.mark.parametrize(
    ("period", "certificate", "said"),
    [
        (2, "none", ["cycle of 2", "gap of 0.30 nats"]),
        (
            1,
            "exact",
            ["fixed point", "certified: no labelling has a smaller objective"],
        ),
        (None, "bethe", ["no labelling came back", "smallest Bethe objective"]),
    ],
)
def test_a_trace_says_how_it_ended_and_what_it_proves(period, certificate, said):
    trace = SimpleNamespace(period=period, certificate=certificate, gap=0.3)
    assert [text for _, text in trace_badges(trace)] == said


def test_the_curve_says_where_each_method_pays_least(state):
    text = cheapest_text(state)
    assert text.startswith("Lowest mean cost over label agreement ρ: ")
    named = {"LOGREG at", "CSMN at"}
    assert any(name in text for name in named)
    assert "best" not in text


def test_a_curve_of_an_earlier_setting_says_so(state):
    state.attribute_strength = 0.1
    assert cheapest_text(state).startswith("Of an earlier setting.")
    state.attribute_strength = 0.25


def test_the_summary_adds_nodes_and_links_up(state):
    paid = state.run.paid("CSMN", 0)
    text = " ".join(paid_answer(state))
    assert f"pays {number(paid.total)}; deciding alone (LOGREG) pays" in text
    state.rival = "LOGREG"
    rival = state.run.paid("LOGREG", 0)
    assert number(abs(paid.total - rival.total)) in " ".join(paid_answer(state))
    state.rival = "none"


def test_names_of_people_are_never_markup():
    detail = Detail("<b>x</b>", ("<i>", "b"), 0, 1, (), np.zeros((2, 2)))
    html = detail_html(detail)
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


def test_a_click_takes_the_node_before_its_links():
    graph = grow_graph(30, random_state=0)
    sketch = sketch_graph(graph)
    x, y = sketch.places[7]
    assert nearest(sketch, x + 0.001, y, 0.05) == ("node", 7)
    i, j = sketch.ends[0]
    middle = 0.3 * sketch.places[i] + 0.7 * sketch.places[j]
    kind, number = nearest(sketch, *middle, 0.02)
    assert kind == "edge" or np.hypot(*(sketch.places[number] - middle)) <= 0.02
    assert nearest(sketch, 99.0, 99.0, 0.05) is None


def test_the_picture_shows_what_is_paid(state):
    shown = GraphPicture(state=state)._shown
    paid = state.run.paid("CSMN", 0)
    nodes = shown["nodes"].columns
    assert np.allclose(nodes["cost"], paid.nodes)
    wrong = paid.labels != state.run.graph(0).truth
    assert np.array_equal([fill != "background" for fill in nodes["fill"]], wrong)
    assert nodes["size"][wrong].min() > nodes["size"][~wrong].max()
    assert len(shown["crosses"]) == wrong.sum()
    assert np.allclose(np.sort(shown["links"].columns["cost"]), np.sort(paid.edges))


def test_a_result_of_another_method_redraws_nothing(state):
    view = GraphPicture(state=state)
    before = view._shown["nodes"]
    state.run = replace(state.run, methods=("CSMN",))
    assert view._shown["nodes"] is before
    state.method = "LOGREG"
    assert view._shown["nodes"] is not before
    state.method = "CSMN"


def test_what_is_picked_is_told_beside_it_and_put_away(state):
    view = GraphPicture(state=state)
    assert not view._card.visible
    state.picked = ("node", 3)
    assert view._card.visible
    (x,), (y,) = (view._shown["lens"].columns[key] for key in ("x", "y"))
    assert np.allclose((x, y), state.run.sketch(0).places[3])
    view._close()
    assert state.picked is None
    assert not view._card.visible
    assert not len(view._shown["lens"])

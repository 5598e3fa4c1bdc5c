"""Every figure is a HoloViews object that composes, says its units and is written."""

from xml.etree import ElementTree

import holoviews as hv
import numpy as np
import pytest
from bokeh.models import GlyphRenderer
from matplotlib import pyplot as plt

from explorer import plots
from explorer.figures.picture import Bar, Key, Line, Mark, Picture, Word
from explorer.figures.saving import pictures
from explorer.figures.scene import Axis
from explorer.widgets.theme import DARK, method_style
from solvers.bayes import compare_over_thresholds, learned_classifier
from solvers.certify import FloorStep
from solvers.errors import ThriftscopeError
from solvers.papers.figures import figure_9
from tests.each import each
from tests.explorer.figures import results

PICTURE = Picture(
    Axis("share (%)", 0, 1, {0.5: "half"}),
    Axis("cost (µs)", 0, 2),
    bars=(Bar(0, 1, 0, 0.5, "faded", hatch="/"),),
    lines=(Line((0, 1), (0, 2), "tefe", "dashed"),),
    marks=(Mark(0.5, 1, "lit"), Mark(0.6, 1, "shared", "x")),
    words=(Word(0.2, 1.5, "here"),),
    key=(Key("found", "lit", marker="circle"), Key("a way", "tefe", "dashed")),
)
STEPS = (
    FloorStep(0.0, 1.0, 0.69, 0.69, True),
    FloorStep(1.0, 2.0, 0.4, 0.6, False),
    FloorStep(2.0, 4.0, 0.3, 0.301, True),
)
DRAWN = {
    "frontier": lambda **k: plots.frontier(
        results.points(), unit="ms", budget=3, chosen=results.points()[1], **k
    ),
    "hypergraph": lambda **k: plots.hypergraph(results.GRAPH, ["low", "mid"], **k),
    "budget_bars": lambda **k: plots.budget_bars(results.points(), 3, unit="ms", **k),
    "cascade_exits": lambda **k: plots.cascade_exits(
        results.cascade(), *results.rows(), **k
    ),
    "cascade_journey": lambda **k: plots.cascade_journey(
        results.cascade(), results.rows()[0][0], **k
    ),
    "trimming_tree": lambda **k: plots.trimming_tree(results.search(), **k),
    "regularisation_path": lambda **k: plots.regularisation_path(results.fits(), **k),
    "structured_graph": lambda **k: plots.structured_graph(*results.graph(), **k),
    "lesson": lambda **k: plots.lesson(PICTURE, **k),
    "paper_figure": lambda **k: plots.paper_figure("9", figure_9(copies=[1, 2]), **k),
    "proven_floor": lambda **k: plots.proven_floor(
        STEPS, [("l1", 1.0, 0.6), ("acafh", 3.0, 0.3)], unit="ms", budget=2.0, **k
    ),
}


def elements(figure, kind):
    return [layer for layer in figure if isinstance(layer, kind)]


@each("name", DRAWN)
def test_a_figure_composes_and_is_written_on_the_ground_of_its_theme(name):
    """In both backends."""
    figure = DRAWN[name](dark=True)
    assert isinstance(figure, hv.Overlay)
    assert isinstance(figure + figure, hv.Layout)
    assert isinstance(figure.opts(title="another", clone=True), hv.Overlay)
    # All are printed alike: one of them in the other forms too, in test_saving.
    (svg,) = pictures(figure, "svg")
    ElementTree.fromstring(svg)
    assert not plt.get_fignums()
    assert DARK.background.encode() in svg
    assert hv.render(figure, backend="bokeh").background_fill_color == DARK.background


def test_an_open_gap_is_not_drawn_as_a_closed_one():
    figure = plots.proven_floor(STEPS)
    lines = {one.label: one for one in elements(figure, hv.Segments)}
    spans = {
        label: [tuple(row) for row in one.array(["x", "x1"]).tolist()]
        for label, one in lines.items()
    }
    assert spans["floor, gap closed"] == [(0.0, 1.0), (2.0, 4.0)]
    assert spans["floor so far, gap open"] == [(1.0, 2.0)]
    dashes = {
        label: hv.Store.lookup_options("bokeh", one, "style").kwargs["line_dash"]
        for label, one in lines.items()
    }
    assert dashes == {
        "floor, gap closed": "solid",
        "floor so far, gap open": "dashed",
    }
    with pytest.raises(ThriftscopeError, match="no step to draw"):
        plots.proven_floor([])


def test_every_function_is_public_and_drawn_here():
    others = {"holomap", "save"}
    assert set(plots.__all__) == others | set(DRAWN)


def test_axes_carry_the_unit():
    cost = elements(DRAWN["frontier"](), hv.Curve)[0].kdims[0]
    assert cost.label == "prediction cost, mean over test rows (ms)"
    bokeh = hv.render(DRAWN["frontier"](), backend="bokeh")
    assert bokeh.xaxis[0].axis_label == "prediction cost, mean over test rows (ms)"


def test_the_line_of_a_method_is_its_undominated_points_to_the_end():
    line = next(c for c in elements(DRAWN["frontier"](), hv.Curve) if c.label == "L1")
    assert line.array().tolist() == [[0.0, 0.5], [2.0, 0.8], [5.0, 0.8]]


@each("dark", [False, True])
def test_a_method_has_its_colour_marker_and_dash(dark):
    drawn = hv.render(DRAWN["frontier"](dark=dark), backend="bokeh")
    style = method_style("acafh")
    glyphs = [drawn_as.glyph for drawn_as in drawn.select(GlyphRenderer)]
    lines = [g for g in glyphs if getattr(g, "line_color", "") == style.colour(dark)]
    assert style.marker in {getattr(g, "marker", None) for g in lines}
    assert len(lines) == 2


def test_a_component_that_two_chosen_features_need_is_in_the_second_colour():
    squares = elements(plots.hypergraph(results.GRAPH, ["low", "mid"]), hv.Points)[0]
    fft, own = squares.dimension_values("fill")
    assert fft != own


def test_a_method_that_buys_nothing_says_so():
    figure = plots.budget_bars(results.points(), 0.5)
    (labels,) = elements(figure, hv.Labels)
    said = labels.dimension_values("text").tolist()
    assert said[0] == "nothing within the budget"
    assert said[1].startswith("0.500: 1 feature,")
    assert len(elements(figure, hv.Rectangles)) == 1


def test_columns_are_as_high_as_the_rows_that_reach_a_stage_and_as_wide_as_its_price():
    model, (X, y) = results.cascade(), results.rows()
    figure = plots.cascade_exits(model, X, y)
    (columns,) = elements(figure, hv.Rectangles)
    exits, n_stages = model.exit_stages(X), len(model.stage_costs_)
    reach = [np.mean(exits >= k) for k in range(n_stages)]
    np.testing.assert_allclose(columns.dimension_values("y1"), 100 * np.array(reach))
    ends = columns.dimension_values("x1")
    added = np.diff(model.stage_costs_, prepend=0.0)
    widths = ends - columns.dimension_values("x0")
    assert (np.argsort(widths, kind="stable") == np.argsort(added, kind="stable")).all()
    # Every row is a mark in the column where it leaves.
    marks = elements(figure, hv.Points)[:2]
    assert sum(map(len, marks)) == len(X)
    wrong = marks[1].dimension_values("x")
    at = np.searchsorted(ends, wrong)
    missed = exits[model.predict(X) != y]
    assert sorted(at) == sorted(missed)


def test_a_journey_ends_where_the_row_leaves():
    model, (X, _) = results.cascade(), results.rows()
    for row in X[:5]:
        ring = elements(plots.cascade_journey(model, row), hv.Points)[-1]
        (stage,) = ring.dimension_values("x")
        assert stage == model.exit_stages(row[None])[0] + 1


def test_a_tree_has_a_mark_for_each_node_of_the_search():
    events = results.search()
    figure = plots.trimming_tree(events)
    # The root has no entry in the legend; a ring is around the node of the last event.
    marks = [one for one in elements(figure, hv.Points) if one.label]
    nodes = {event.node for event in events if event.state != "finished"}
    assert 1 + sum(len(mark) for mark in marks) == len(nodes)


def test_a_path_of_fitted_models_is_drawn_too():
    from solvers.methods.l1 import L1Classifier

    models = list(L1Classifier().path(*results.rows()))
    figure = plots.regularisation_path(models, ("a", "b", "c"))
    assert elements(figure, hv.Segments)[0].kdims[0].label == "trade-off λ"


def test_other_papers_are_drawn_from_their_results():
    classifier = learned_classifier("wine", n_columns=3).classifier
    figure = plots.paper_figure(list(compare_over_thresholds(classifier, 2)))
    assert len(elements(figure, hv.Curve)) == 4


def test_what_cannot_be_drawn_is_refused():
    for make, said in [
        (lambda: plots.paper_figure("99"), "no figure '99'"),
        (lambda: plots.paper_figure("9"), "nothing to draw"),
        (lambda: plots.paper_figure([1]), "of int"),
        (lambda: plots.trimming_tree([]), "no event"),
        (lambda: plots.regularisation_path([]), "two models"),
        (lambda: plots.structured_graph(results.graph()[0], [0]), "one label"),
    ]:
        with pytest.raises(ThriftscopeError, match=said):
            make()

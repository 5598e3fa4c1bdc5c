"""Files of figures: any name, always the same, from any thread, without a server."""

import re
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from xml.etree import ElementTree

import holoviews as hv
import panel.models.esm
import pytest
from bokeh.document import Document
from matplotlib import pyplot as plt

from explorer import plots
from explorer.figures.saving import picture, pictures
from solvers import FeatureHypergraph, Frontier
from solvers.errors import ThriftscopeError
from tests.explorer.figures import results

NAMES = ("größe μ²", "特徴 λ", "$b${0}<b>&")


def named():
    graph = FeatureHypergraph.independent([1, 2, 3], NAMES)
    return plots.hypergraph(graph, title="Budget {x} μ 特徴")


@cache
def over(what):
    """A map over budgets or trade-offs, drawn once."""
    return plots.holomap(results.points()[1:3], over=what, unit="ms")


def words(svg):
    return [
        "".join(element.itertext()).strip()
        for element in ElementTree.fromstring(svg).iter()
        if element.tag.endswith("text")
    ]


def test_any_name_can_be_written_the_same_each_time():
    written = pictures(named(), "pdf", "png")
    assert all(written)
    assert pictures(named(), "pdf", "png") == written


def test_threads_draw_one_after_the_other_the_same_and_leave_nothing_open():
    with ThreadPoolExecutor(3) as pool:
        drawn = list(pool.map(lambda _: picture(named(), "svg"), range(3)))
    assert len(set(drawn)) == 1
    assert not plt.get_fignums()
    said = words(drawn[0])
    assert set(NAMES) <= set(said)
    assert "Budget {x} μ 特徴" in said


def assert_no_server_is_asked(page):
    # Whoever draws in the app, or in a notebook, has Panel's models too.
    assert panel.models.esm
    assert page.startswith("<!DOCTYPE html>")
    asked = re.findall(
        r"""<(?:script|link|iframe)[^>]*\s(?:src|href)=["'][^"']*""", page
    )
    assert not asked, asked


def test_a_file_is_of_the_form_that_its_name_ends_with(tmp_path):
    figure = plots.frontier(results.points())
    for form, start in [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]:
        path = plots.save(figure, tmp_path / f"figure.{form}")
        assert path.read_bytes().startswith(start)
    with pytest.raises(ThriftscopeError, match=r"'gif'; use pdf, svg, png, html"):
        plots.save(figure, tmp_path / "figure.gif")


def test_a_layout_is_printed_and_shown_and_asks_no_server_for_anything():
    both = plots.frontier(results.points()) + named()
    assert picture(both, "svg").startswith(b"<svg")
    assert_no_server_is_asked(picture(both, "html").decode())


def test_a_map_has_a_figure_for_each_budget_or_trade_off():
    budgets = over("budget")
    assert isinstance(budgets, hv.HoloMap)
    (budget,) = budgets.kdims
    assert (budget.label, budget.unit) == ("budget", "ms")
    assert list(budgets.keys())[-1] == 2.0
    assert list(over("alpha").keys()) == [0.1, 0.3]


def test_of_several_points_at_one_trade_off_a_map_rings_the_best(monkeypatch):
    rung, several = [], [(2.0, 0.7), (1.0, 0.9), (1.5, 0.6)]
    monkeypatch.setattr(
        "explorer.figures.holomap.frontier",
        lambda *_, chosen, **__: rung.append(chosen) or hv.Curve([]),
    )
    points = [results.point("acafh", cost, f1, alpha=0.1) for cost, f1 in several]
    plots.holomap(points, over="alpha")
    assert rung == [points[1]]


def test_a_map_has_the_axes_of_a_frontier():
    given = Frontier(results.points()[1:3], "max", "accuracy")
    drawn = next(iter(plots.holomap(given, "budget").data.values()))
    alone = plots.frontier(given)
    assert [d.label for d in drawn.dimensions("key")] == [
        d.label for d in alone.dimensions("key")
    ]


def test_a_map_draws_a_model_for_each_value():
    chosen = {0.1: ["low", "mid"], 0.5: ["low"]}
    drawn = plots.holomap(
        chosen, "alpha", draw=lambda names: plots.hypergraph(results.GRAPH, names)
    )
    assert list(drawn.keys()) == [0.1, 0.5]


def test_what_a_map_cannot_be_made_of_is_refused():
    unpriced = [results.point("l1", 1.0, 0.5)]
    for make, said in [
        (lambda: plots.holomap([]), "nothing to draw"),
        (lambda: plots.holomap(unpriced, over="alpha"), "trained at a λ"),
        (lambda: plots.holomap(unpriced, over="colour"), "over 'colour'"),
        (lambda: plots.holomap({1.0: unpriced}), "needs draw="),
        (lambda: picture(over("budget"), "pdf"), "with a slider"),
    ]:
        with pytest.raises(ThriftscopeError, match=said):
            make()


def test_a_map_is_drawn_for_no_page_that_is_open_and_asks_no_server(monkeypatch):
    closed = Document()
    closed.on_change(hear := lambda event: None)
    closed.destroy(hear)
    monkeypatch.setattr("bokeh.io.doc._PATCHED_CURDOCS", [weakref.ref(closed)])
    assert_no_server_is_asked(picture(over("alpha"), "html").decode())

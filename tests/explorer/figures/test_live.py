"""A scene is drawn live: what has changed is sent, and nothing else."""

from dataclasses import replace

import numpy as np
import param
import pytest
from bokeh.document import Document
from bokeh.models import HoverTool

from explorer.figures.live import SceneView
from explorer.figures.scene import Axis, Scene, dots, line, links, words
from explorer.widgets.theme import palette


class Shown(param.Parameterized):
    scene = param.Parameter()


class View(SceneView):
    state = param.ClassSelector(class_=Shown)
    called = "view"
    follows = ("scene",)

    def scene(self):
        return self.state.scene


def scene(n=3, *, x=None, fill="lit"):
    at = np.arange(float(n))
    return Scene(
        x or Axis("cost", 0, 10),
        Axis("score", 0, 1),
        [
            line("path", at, at / 10, "quiet_text", key="a path"),
            dots(
                "marks",
                at,
                at / 10,
                "fill",
                told={"fill": [fill] * n, "thing": [f"feature:{k}" for k in range(n)]},
            ),
        ],
    )


@pytest.fixture
def view():
    return View(state=Shown(scene=scene()))


def layer(view, name):
    return view.figure.select_one({"name": name})


def sent(view, name):
    """What is sent of a layer from now on: which columns, or how many rows."""
    events, source = [], layer(view, name).data_source

    def note(event):
        hint = getattr(event, "hint", None)
        kind = type(hint).__name__ if hint is not None else type(event).__name__
        events.append((kind, sorted(getattr(hint, "cols", None) or [])))

    document = Document()
    document.add_root(view.figure)
    document.on_change(
        lambda event: note(event) if getattr(event, "model", None) is source else None
    )
    return events


def test_what_is_the_same_is_not_sent(view):
    events = sent(view, "marks")
    view.state.scene = scene()
    assert events == []


def test_only_columns_that_changed_are_sent(view):
    events = sent(view, "marks")
    view.state.scene = scene(fill="shared")
    assert len(events) == 1
    assert layer(view, "marks").data_source.data["fill"] == [palette(False).shared] * 3
    assert layer(view, "path").data_source.data["x"] is not None


def test_rows_at_the_end_are_appended(view):
    source, streamed = layer(view, "marks").data_source, []
    stream = source.stream

    def note(rows):
        streamed.append(rows)
        stream(rows)

    object.__setattr__(source, "stream", note)
    view.state.scene = scene(5)
    (rows,) = streamed
    assert list(rows["x"]) == [3.0, 4.0]
    assert list(source.data["x"]) == [0.0, 1.0, 2.0, 3.0, 4.0]
    view.state.scene = scene(2)
    assert list(source.data["x"]) == [0.0, 1.0]


def test_a_range_that_a_hand_has_moved_stays_until_the_axis_is_another(view):
    view.figure.x_range.end = 4.0
    view.state.scene = scene(4)
    assert view.figure.x_range.end == 4.0
    view.state.scene = scene(4, x=Axis("cost", 0, 20))
    assert view.figure.x_range.end == 20.0


def test_layers_come_and_go_and_lie_as_in_the_scene(view):
    first = scene()
    names = words("names", [0.0], [0.5], ["here"])
    view.state.scene = Scene(first.x, first.y, [names, *first.layers])
    drawn = [one.name for one in view.figure.renderers if one.visible]
    assert drawn == ["names", "path", "marks"]
    view.state.scene = Scene(first.x, first.y, first.layers[1:])
    assert not layer(view, "path").visible
    assert not view._items["path"].visible


def test_roles_are_colours_of_the_theme_also_in_columns(view):
    view.dark = True
    data = layer(view, "marks").data_source.data
    assert data["fill"] == [palette(True).lit] * 3
    assert layer(view, "path").glyph.line_color == palette(True).quiet_text


def test_things_can_be_alight_and_say_so_to_the_page(view):
    marks = layer(view, "marks")
    assert marks.hover_glyph.line_color == palette(False).ring
    assert layer(view, "path").hover_glyph is None


def test_a_logarithmic_axis_has_a_tick_where_nothing_stands(view):
    log = Axis("cost", 0.1, 100, is_log=True, nothing=0.2, edge=0.5)
    view.state.scene = scene(x=log)
    assert type(view.figure.x_scale).__name__ == "LogScale"
    assert view.figure.xaxis[0].ticker.args["nothing"] == 0.2
    view.state.scene = scene()
    assert type(view.figure.x_scale).__name__ == "LinearScale"


def test_links_join_their_ends():
    drawn = links("links", np.array([[0, 1]]), np.array([[2, 3]]), "grid")
    assert [drawn.columns[key].tolist() for key in ("x0", "y0", "x1", "y1")] == [
        *([0], [1]),
        *([2], [3]),
    ]


def test_a_layer_that_is_called_looks_and_says_otherwise_does_so(view):
    first = scene()
    path, marks = first.layers
    otherwise = replace(
        marks,
        key="models",
        hover=[("cost", "@x{number} dollars")],
        look=dict(marks.look) | {"size": 20},
    )
    red = replace(path, look=dict(path.look) | {"line_color": "shared"})
    view.state.scene = Scene(first.x, first.y, [red, otherwise])
    assert layer(view, "marks").glyph.size == 20
    assert layer(view, "path").glyph.line_color == palette(False).shared
    assert view._items["marks"].label.value == "models"
    told = [hover for hover in view.figure.select(HoverTool) if hover.renderers]
    assert [hover.tooltips for hover in told] == [[("cost", "@x{number} dollars")]]
    # The column is written by the rule for all numbers.
    assert [[*hover.formatters] for hover in told] == [["@x"]]


def test_a_page_looks_for_its_models_once_for_all_layers_that_come(view, monkeypatch):
    """With each that came it went through the whole page: half of an opening."""
    document, looked = Document(), []
    document.add_root(view.figure)
    look = document.models.recompute
    monkeypatch.setattr(
        document.models, "recompute", lambda: looked.append(1) or look()
    )
    more = [dots(f"more {k}", [1.0], [0.5], "lit", key=f"more {k}") for k in range(5)]
    view.state.scene = replace(scene(), layers=[*scene().layers, *more])
    assert len(looked) == 1
    assert all(layer(view, one.name).document is document for one in more)


def test_other_places_of_ticks_make_no_models(view, monkeypatch):
    """A page looked for them with every move that named other rows."""
    told = Axis("cost", 0, 10, ticks={1.0: "one"})
    view.state.scene = scene(x=told)
    document, looked = Document(), []
    document.add_root(view.figure)
    monkeypatch.setattr(document.models, "recompute", lambda: looked.append(1))
    changed = []
    view.figure.xaxis[0].on_change("tags", lambda attr, old, new: changed.append(new))
    view.state.scene = scene(x=replace(told, ticks={2.0: "two", 3.5: "more"}))
    axis = view.figure.xaxis[0]
    assert axis.ticker.ticks == [2.0, 3.5]
    assert axis.formatter.args == {"labels": {"2": "two", "3.5": "more"}}
    assert view.figure.xgrid[0].ticker is axis.ticker
    assert changed
    assert not looked

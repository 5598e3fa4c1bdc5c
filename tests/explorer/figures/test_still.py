"""A scene is drawn in print as it is drawn live: places, colours and entries."""

import holoviews as hv
import numpy as np

from explorer.figures.saving import pictures
from explorer.figures.scene import (
    Axis,
    End,
    Layer,
    Scene,
    boxes,
    dots,
    level,
    line,
    links,
    ring,
    stairs,
    upright,
    words,
)
from explorer.figures.still import still
from explorer.widgets.theme import palette
from tests.each import each

AT = np.array([0.0, 1.0, 2.0])


def whole():
    """A scene with a layer of each kind."""
    area = {"x": AT, "y1": AT / 10, "y2": AT / 5}
    lines = {"xs": [[0, 1], [1, 2]], "ys": [[0, 1], [1, 0]], "role": ["lit", "shared"]}
    return Scene(
        Axis("cost", 0.1, 100, is_log=True, nothing=0.2, edge=0.5),
        Axis("score", 0, 1, {0.5: "half"}),
        [
            boxes("boxes", [0.3], [2], [0], [0.5], "faded", hatch_pattern="/"),
            Layer("area", "varea", area, {"fill_color": "lit", "fill_alpha": 0.2}),
            Layer("lines", "multi_line", lines, {"line_color": "role"}),
            links("links", [[1, 0.1]], [[2, 0.5]], "grid", width=2.0),
            line("line", AT + 0.3, AT / 3, "lit", key="a line", dash="dashed"),
            stairs("stairs", AT + 0.3, AT / 4, "shared"),
            level(0.5),
            upright(1.0),
            dots(
                "dots",
                AT + 0.3,
                AT / 4,
                "role",
                marker="kind",
                told={"role": ["lit", "lit", "shared"], "kind": ["x", "circle", "x"]},
            ),
            ring([1.0], [0.5], key="here"),
            words("words", [1.0], [0.2], ["<here>"]),
        ],
    )


@each("dark", [False, True])
def test_every_kind_of_layer_is_written_and_drawn(dark):
    figure = still(whole(), title="all", dark=dark)
    if dark:  # print differs in colours only
        assert b"&lt;here&gt;" in pictures(figure, "svg")[0]
    drawn = hv.render(figure, backend="bokeh")
    assert drawn.background_fill_color == palette(dark).background
    assert [item.label.value for item in drawn.legend[0].items] == ["a line", "here"]


def test_marks_that_print_cannot_vary_are_apart():
    points = [one for one in still(whole()) if isinstance(one, hv.Points)]
    sizes = [len(one) for one in points]
    assert sizes == [2, 1, 1]  # crosses, a circle, the ring
    lit, shared = palette(False).lit, palette(False).shared
    assert points[0].dimension_values("fill").tolist() == [lit, shared]


def test_a_layer_without_marks_is_not_drawn():
    nothing = Scene(Axis("x", 0, 1), Axis("y", 0, 1), [dots("none", [], [], "lit")])
    assert len(still(nothing)) == 0


def test_all_lines_across_are_drawn_and_what_no_legend_names_is_named_at_its_end():
    across = Layer("two", "vspan", {"x": [0.2, 0.8]}, {"line_color": "budget"})
    area = {"x": AT, "y1": AT / 10, "y2": AT / 5}
    band = Layer("band", "varea", area, {"fill_color": "lit"}, "a band")
    ends = [End("only here", 0.5, "lit"), End("a band", 0.2, "lit")]
    figure = still(Scene(Axis("x", 0, 2), Axis("y", 0, 1), [across, band], ends))
    assert [one.data for one in figure if isinstance(one, hv.VLine)] == [0.2, 0.8]
    (said,) = [one for one in figure if isinstance(one, hv.Labels)]
    assert said.dimension_values("text").tolist() == ["only here"]
    drawn = hv.render(figure, backend="bokeh")
    assert [item.label.value for item in drawn.legend[0].items] == ["a band"]


def test_lines_of_several_widths_are_apart():
    lines = {"xs": [[0, 1], [1, 2]], "ys": [[0, 1], [1, 0]], "wide": [1.0, 3.0]}
    look = {"line_color": "lit", "line_width": "wide"}
    figure = still(
        Scene(Axis("x", 0, 2), Axis("y", 0, 1), [Layer("l", "multi_line", lines, look)])
    )
    assert len([one for one in figure if isinstance(one, hv.Path)]) == 2

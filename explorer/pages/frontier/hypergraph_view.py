"""The hypergraph, with what the chosen point computes lit and its cost as a sum."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import param
from bokeh.models import HoverTool, Range1d
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.values.rounding import number

from ...document.hypergraph_layout import HypergraphLayout, lay_out
from ...widgets.figure_view import FigureView, live_figure
from ...widgets.markup import markup
from ...widgets.still_figure import set_ends
from ...widgets.text import cost_text, counted, plain
from ...widgets.theme import SIDE_HEIGHT, palette
from .state import AXES, FrontierState

# Beyond this many links only those that are lit are drawn: the rest is a grey cloud.
MAX_QUIET_LINKS = 1_500
# How many terms of the sum are written out.
MAX_TERMS = 6
SIZES = (6.0, 20.0)
# Up to so many features each has its name below it; longer names take several lines.
MAX_NAMED, LINE = 24, 10
MARK_COLUMNS = ("name", "what", "cost", "colour", "line", "size")


class HypergraphView(FigureView):
    """Components above, features below; lit where the chosen point computes them."""

    draws_colours = True
    state = param.ClassSelector(class_=FrontierState)
    _layout: HypergraphLayout

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._build()
        self._text = markup("", sizing_mode="stretch_width", margin=(0, 10))
        self._watch_state(self._new_hypergraph, "dataset")
        self._watch_state(
            self._draw,
            ["traces", "marks", *AXES, "budget", "reason", "picked", "methods"],
        )
        self._new_hypergraph()

    def _build(self) -> None:
        plot = self.figure = live_figure(
            height=SIDE_HEIGHT,
            tools="pan,wheel_zoom,reset",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            name="hypergraph",
        )
        plot.axis.visible = plot.grid.visible = False
        look = {"line_color": "colour", "line_width": "width"}
        self._links = self._layer("multi_line", "xs", "ys", told=look.values(), **look)
        marks: dict[str, Any] = {"fill_color": "colour", "line_color": "line"}
        marks["line_width"] = 1.5
        self._components = self._layer(
            "scatter",
            "x",
            "y",
            size="size",
            marker="square",
            told=MARK_COLUMNS,
            **marks,
        )
        self._features = self._layer(
            "scatter", "x", "y", size=9, marker="circle", told=MARK_COLUMNS, **marks
        )
        # Of one colour each: Bokeh draws text of many colours before all have come.
        self._names = [
            self._layer(
                "text",
                "x",
                "y",
                told=["label"],
                text="label",
                text_color=ink,
                text_font_size="11px",
                text_align="center",
                text_baseline="top",
                text_line_height=1.0,
                y_offset=8,
            )
            for ink in ("quiet_text", "text")
        ]
        # A label of a tooltip is text: only its value is read from the data.
        tooltips = [("", "@what @name"), ("cost", "@cost")]
        drawn = [self._components, self._features]
        plot.add_tools(HoverTool(renderers=drawn, tooltips=tooltips))

    def _new_hypergraph(self) -> None:
        self._layout = lay_out(self.state.dataset.hypergraph)
        left, right, bottom, top = self._layout.bounds
        set_ends(self.figure.x_range, left - 0.7, right + 0.7)
        set_ends(self.figure.y_range, bottom - 1.1, top + 0.9)
        self._lit: Any = None
        self._draw()

    def _draw(self) -> None:
        chosen = self.state.chosen()
        hypergraph = self.state.dataset.hypergraph
        features = (
            np.zeros(hypergraph.n_features, dtype=bool)
            if chosen is None
            else chosen.point.features
        )
        lit = (chosen is None, features.tobytes(), self.dark)
        if lit == self._lit:
            return
        self._lit = lit
        self._draw_graph(hypergraph, features)
        told = sum_text(hypergraph, features) if chosen else "No point is chosen yet."
        self._text.object = f"<p>{plain(told)}</p>{self._legend()}"

    def _legend(self) -> str:
        colours = palette(self.dark)
        marks = [
            ("●", colours.lit, "feature that is computed"),
            ("■", colours.lit, "component that one of them needs"),
            ("■", colours.shared, "component that several share, paid once"),
            ("○ □", colours.faded, "not computed"),
        ]
        return (
            "<p>"
            + " &nbsp; ".join(
                f'<span aria-hidden="true" style="color: {colour}">{mark}</span> {said}'
                for mark, colour, said in marks
            )
            + "; the larger a square, the costlier.</p>"
        )

    def _draw_graph(
        self,
        hypergraph: FeatureHypergraph,
        features: NDArray[np.bool_],
    ) -> None:
        layout, colours = self._layout, palette(self.dark)
        paid = hypergraph.required_components(features)
        users = hypergraph.incidence.astype(int) @ features.astype(int)
        fill = np.where(users > 1, colours.shared, colours.lit)
        unit = hypergraph.unit
        self._components.data_source.data = {
            "x": layout.components[:, 0],
            "y": layout.components[:, 1],
            "name": list(hypergraph.components),
            "what": [f"component ({kind})" for kind in hypergraph.kinds],
            "cost": [cost_text(cost, unit) for cost in hypergraph.component_costs],
            "size": _sizes(hypergraph.component_costs),
            "colour": np.where(paid, fill, colours.background).tolist(),
            "line": np.where(paid, fill, colours.faded).tolist(),
        }
        alone = hypergraph.marginal_costs()
        self._features.data_source.data = {
            "x": layout.features[:, 0],
            "y": layout.features[:, 1],
            "name": list(hypergraph.features),
            "what": ["feature"] * hypergraph.n_features,
            "cost": [f"{cost_text(cost, unit)} alone" for cost in alone],
            "colour": np.where(features, colours.lit, colours.background).tolist(),
            "line": np.where(features, colours.lit, colours.faded).tolist(),
        }
        labels = np.array(_labels(hypergraph), dtype=object)
        for drawn, shown in zip(self._names, (~features, features), strict=True):
            shown = shown & (labels != "")
            drawn.data_source.data = {
                "x": layout.features[shown, 0],
                "y": layout.features[shown, 1],
                "label": labels[shown].tolist(),
            }
        self._links.data_source.data = self._link_columns(hypergraph, features)

    def _link_columns(
        self,
        hypergraph: FeatureHypergraph,
        features: NDArray[np.bool_],
    ) -> dict[str, list[Any]]:
        layout, colours = self._layout, palette(self.dark)
        rows, columns = hypergraph.incidence.nonzero()
        lit = features[columns]
        if len(rows) > MAX_QUIET_LINKS:
            rows, columns, lit = rows[lit], columns[lit], lit[lit]
        order = np.argsort(lit, kind="stable")  # what is lit lies on top
        rows, columns, lit = rows[order], columns[order], lit[order]
        ends = (layout.components[rows], layout.features[columns])
        return {
            "xs": np.column_stack([ends[0][:, 0], ends[1][:, 0]]).tolist(),
            "ys": np.column_stack([ends[0][:, 1], ends[1][:, 1]]).tolist(),
            "colour": np.where(lit, colours.lit, colours.grid).tolist(),
            "width": np.where(lit, 1.8, 1.0).tolist(),
        }


def sum_text(hypergraph: FeatureHypergraph, features: NDArray[np.bool_]) -> str:
    """Return the cost of a selection as a sum over its components, costliest first.

    Shapes: `features` (n_features,).
    """
    if not features.any():
        return "Nothing is computed: every row is called alike, at no cost."
    paid = np.flatnonzero(hypergraph.required_components(features))
    paid = paid[np.argsort(-hypergraph.component_costs[paid], kind="stable")]
    terms = [
        f"{number(hypergraph.component_costs[i])} {hypergraph.components[i]}"
        for i in paid[:MAX_TERMS]
    ]
    n_more = len(paid) - MAX_TERMS
    if n_more > 0:
        rest = hypergraph.component_costs[paid[MAX_TERMS:]].sum()
        terms.append(f"{number(rest)} for {counted(n_more, 'more component')}")
    apart = hypergraph.marginal_costs()[features].sum()
    together = hypergraph.cost(features)
    saved = (
        f" Computed apart they would cost {cost_text(apart, hypergraph.unit)}."
        if apart > together * (1 + 1e-9)
        else ""
    )
    return f"{cost_text(together, hypergraph.unit)} = {' + '.join(terms)}.{saved}"


def _labels(hypergraph: FeatureHypergraph) -> list[str]:
    """Return names to stand below features; none where they would lie on others."""
    if hypergraph.n_features > MAX_NAMED:
        return [""] * hypergraph.n_features
    return [
        "\n".join(textwrap.wrap(name.replace("_", "_ "), LINE)).replace("_ ", "_")
        for name in hypergraph.features
    ]


def _sizes(costs: NDArray[np.float64]) -> list[float]:
    """Sizes whose area grows with the cost."""
    largest = costs.max(initial=0.0)
    share = np.sqrt(costs / largest) if largest > 0 else np.zeros_like(costs)
    return (SIZES[0] + share * (SIZES[1] - SIZES[0])).tolist()

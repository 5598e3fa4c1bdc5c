"""Agreement over thresholds: trimming, FS-SDD and information gain (Fig. 7)."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import HoverTool, Range1d

from solvers.bayes import Comparison

from ...figures.search_style import SELECTIONS, signs_markup
from ...widgets.figure_view import (
    FigureView,
    empty_source,
    figure_pane,
    live_figure,
)
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.still_figure import fit_range
from ...widgets.text import plain

HEIGHT = 330


class ThresholdsView(FigureView):
    """One line a way to choose features."""

    result = param.List(default=[], item_type=Comparison)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = live_figure(
            height=HEIGHT,
            tools="pan,wheel_zoom,box_zoom,reset",
            x_range=Range1d(0.05, 0.95),
            y_range=Range1d(0, 1),
            x_axis_label="decision threshold T of the original",
            y_axis_label="agreement (ECA)",
            name="thresholds",
        )
        self.figure.toolbar.autohide = True
        self._source = empty_source("threshold", *SELECTIONS)
        # ECA-Trim last: where lines meet, it lies on top.
        marks = {
            name: self._marked_line(
                *("threshold", name, look),
                source=self._source,
                marker=look.marker,
                size=look.size,
                dash=look.dash,
            )[1]
            for name, look in [*SELECTIONS.items()][::-1]
        }
        tips = [("T", "@threshold{0.0}")]
        tips += [
            (look.title, f"@{name}{{0.0000}}") for name, look in SELECTIONS.items()
        ]
        hover = HoverTool(renderers=[marks["trimmed"]], tooltips=tips, mode="vline")
        self.figure.add_tools(hover)
        self._legend = markup(
            signs_markup(SELECTIONS.values(), self.dark), margin=(0, 10)
        )
        self._text = markup("", min_height=72)
        self.param.watch(lambda *_: self._draw(), "result")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        plot = figure_pane(self.figure)
        return wide_column(plot, self._legend, self._text)

    def _use_theme(self) -> None:
        super()._use_theme()
        self._legend.object = signs_markup(SELECTIONS.values(), self.dark)

    def _draw(self) -> None:
        found = self.result
        if not found:
            return
        self._source.data = {
            "threshold": [one.threshold for one in found],
            "trimmed": [one.trimmed.agreement for one in found],
            "same_decision": [one.same_decision.agreement for one in found],
            "information": [one.information.agreement for one in found],
            "information_kept": [one.information_agreement for one in found],
        }
        lines = [self._source.data[name] for name in SELECTIONS]
        fit_range(self.figure.y_range, [value for line in lines for value in line])
        self._text.object = plain(_text(found))


def _text(found: list[Comparison]) -> str:
    better = 1e-9
    over_sdd = sum(
        one.trimmed.agreement > one.same_decision.agreement + better for one in found
    )
    over_gain = sum(
        one.trimmed.agreement > one.information.agreement + better for one in found
    )
    widest = max(one.trimmed.agreement - one.information_agreement for one in found)
    return (
        f"Of {len(found)} thresholds ECA-Trim agrees more than FS-SDD at {over_sdd} "
        f"and more than the most informative set with its best T' at {over_gain}; with "
        f"T kept, that set falls behind by up to {max(0.0, widest):.4f}. It is never "
        "below: that is a theorem, not a finding."
    )

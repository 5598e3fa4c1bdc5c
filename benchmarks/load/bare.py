"""A bare page of the same sliders: what a server answers that computes nothing."""

from __future__ import annotations

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from .sliders import SLIDERS

__all__ = ["BARE", "bare_page"]

BARE = (
    "import sys, panel as pn; from benchmarks.load.bare import bare_page; "
    "pn.serve({'app': bare_page}, port=int(sys.argv[2][7:]), show=False)"
)


def bare_page() -> pmui.Page:
    """Return a page of which each slider redraws a source of 300 points."""
    x = np.linspace(0.0, 1.0, 300)
    parts: list[object] = []
    for name in SLIDERS:
        source = ColumnDataSource({"x": x, "y": x})
        plot = figure(height=330, sizing_mode="stretch_width")
        plot.scatter("x", "y", source=source)
        # No default, or it would not be sent.
        slider = pmui.FloatSlider(label=name, start=0.0, end=2.0, step=0.02)
        slider.param.watch(
            lambda event, source=source: source.data.update(
                y=np.sin(10 * x + event.new)
            ),
            "value",
        )
        parts += [slider, pn.pane.Bokeh(plot)]
    return pmui.Page(title="Bare", main=parts)

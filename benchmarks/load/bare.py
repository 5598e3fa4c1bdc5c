"""A bare page of sliders: what a server answers that computes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

__all__ = ["bare_page", "bare_program"]


def bare_program(*sliders: str, for_many: bool = False) -> str:
    """Return a program that serves such a page, as `server` takes it."""
    return (
        "import sys, panel as pn; from benchmarks.load.bare import bare_page; "
        f"pn.serve({{'app': lambda: bare_page(*{sliders!r}, for_many={for_many})}}, "
        "port=int(sys.argv[2][7:]), show=False)"
    )


def bare_page(*sliders: str, for_many: bool = False) -> Any:
    """Return a page of which each slider redraws a source of 300 points.

    `for_many`: it is not in a `Page`, whose sign of being busy is shared by all
    sessions: where many move at once it answers none of them.
    """
    x = np.linspace(0.0, 1.0, 300)
    parts: list[object] = []
    for name in sliders:
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
    return pn.Column(*parts) if for_many else pmui.Page(title="Bare", main=parts)

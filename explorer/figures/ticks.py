"""Ticks of a live figure: where they stand, and what stands there."""

from __future__ import annotations

from typing import Any

from bokeh.models import (
    BasicTicker,
    BasicTickFormatter,
    CustomJSTicker,
    CustomJSTickFormatter,
    FixedTicker,
    LinearScale,
    LogScale,
    LogTicker,
)
from bokeh.plotting import figure

from .scene import Axis

_TICKS = (
    "const found = log.get_ticks(cb_data.start, cb_data.end, cb_data.range,"
    " cb_data.cross_loc);"
)


def told_ticks(axis: Axis) -> tuple[Any, ...]:
    """Return what an axis says of its ticks: where that is the same, so are they."""
    ticks = None if axis.ticks is None else dict(axis.ticks)
    return axis.is_log, axis.nothing, axis.edge, ticks


def keeps_models(shown: Axis, axis: Axis) -> bool:
    """Return whether only places and words of ticks differ."""
    are_told = shown.ticks is not None and axis.ticks is not None
    return are_told and shown.is_log == axis.is_log


def use_ticks(plot: figure, which: int, axis: Axis) -> None:
    """Let an axis be logarithmic or not, and have its ticks."""
    drawn = (plot.xaxis, plot.yaxis)[which][0]
    grid = (plot.xgrid, plot.ygrid)[which][0]
    name = ("x_scale", "y_scale")[which]
    scale = LogScale if axis.is_log else LinearScale
    if not isinstance(getattr(plot, name), scale):
        setattr(plot, name, scale())
    if axis.ticks is not None:
        places = [float(place) for place in axis.ticks]
        labels = {_js(place): said for place, said in axis.ticks.items()}
        # The axis itself has to change: a browser listens to its first ticker alone.
        drawn.tags = [labels]
        if isinstance(drawn.ticker, FixedTicker):  # A slider's move makes no models
            drawn.ticker.ticks, drawn.formatter.args = places, {"labels": labels}
            return
        ticker: Any = FixedTicker(ticks=places)
        formatter: Any = CustomJSTickFormatter(
            args={"labels": labels},
            code="return Object.hasOwn(labels, tick) ? labels[tick] : tick.toString()",
        )
    elif axis.is_log:
        ticker, formatter = _log_ticks(axis)
    else:
        ticker = BasicTicker()
        formatter = BasicTickFormatter(use_scientific=False)
    drawn.update(ticker=ticker, formatter=formatter)
    grid.ticker = ticker


def _log_ticks(axis: Axis) -> tuple[Any, Any]:
    """Return ticks of powers of ten, and one that says where nothing stands."""
    args = {"log": LogTicker(), "edge": axis.edge, "nothing": axis.nothing}
    ticker = CustomJSTicker(
        args=args,
        major_code=f"{_TICKS} const ticks = found.major.filter(tick => tick >= edge);"
        " return cb_data.start < nothing ? [nothing, ...ticks] : ticks",
        minor_code=f"{_TICKS} return found.minor.filter(tick => tick >= edge)",
    )
    formatter = CustomJSTickFormatter(
        args={"nothing": axis.nothing},
        code="return tick === nothing ? '0' : `${Number(tick.toPrecision(6))}`",
    )
    return ticker, formatter


def _js(number: float) -> str:
    """Return a number as JavaScript writes it as a key."""
    return f"{int(number)}" if float(number).is_integer() else repr(float(number))

"""Where costs stand on the frontier's axis; a logarithmic one has a place for 0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.models import (
    BasicTicker,
    BasicTickFormatter,
    BoxAnnotation,
    CustomJSTicker,
    CustomJSTickFormatter,
    LinearScale,
    LogScale,
    LogTicker,
)
from bokeh.plotting import figure
from numpy.typing import ArrayLike, NDArray

from ...widgets.still_figure import set_ends
from .state import FrontierState

# Share of a logarithmic axis that the place of nothing takes.
BAND = 0.07
# So far left of the least cost the powers of ten begin.
ROOM = 0.8
_TICKS = (
    "const found = log.get_ticks(cb_data.start, cb_data.end, cb_data.range,"
    " cb_data.cross_loc);"
)


@dataclass(frozen=True)
class CostAxis:
    """An axis from nothing to all that there is to buy."""

    end: float  # In the unit of the costs
    # Where the powers of ten begin, with the place of nothing before it; 0 on a
    # linear axis
    edge: float = 0.0

    @property
    def is_log(self) -> bool:
        """Whether it goes by powers of ten."""
        return self.edge > 0

    @property
    def start(self) -> float:
        """Where it begins."""
        return self._before_edge(BAND)

    @property
    def nothing(self) -> float:
        """Where what costs nothing stands."""
        return self._before_edge(BAND / 2)

    def places(self, costs: ArrayLike) -> NDArray[np.float64]:
        """Return where costs stand."""
        asked = np.asarray(costs, dtype=float)
        if not self.is_log:
            return asked
        return np.where(asked > 0, np.maximum(asked, self.edge), self.nothing)

    def place(self, cost: float) -> float:
        """Return where a cost stands."""
        return float(self.places(cost))

    def stairs(self, costs: ArrayLike, scores: Iterable[float]) -> dict[str, list[Any]]:
        """Return steps up to the end: what is bought at a cost is bought above it."""
        x, f1 = self.places(costs).tolist(), [*scores]
        if x:
            x, f1 = [*x, max(self.end, x[-1])], [*f1, f1[-1]]
        return {"x": x, "f1": f1}

    def cost_at(self, place: float) -> float:
        """Return which cost stands at a place: none before the powers of ten."""
        return 0.0 if self.is_log and place < self.edge else place

    def _before_edge(self, share: float) -> float:
        return self.edge * (self.edge / self.end) ** share if self.is_log else 0.0


def cost_axis(state: FrontierState) -> CostAxis:
    """Return the axis for a data set and what has been traced of it."""
    end = state.full_cost() * 1.04 or 1.0
    if not state.log_cost:
        return CostAxis(end)
    axes = state.axes()
    prices: Iterable[float] = state.dataset.hypergraph.component_costs
    traced = [axes.cost(point) for t in state.traces.values() for point in t.points]
    least = min((cost for cost in (*prices, *traced) if cost > 0), default=end / 1000)
    return CostAxis(end, ROOM * float(least))


class CostScale:
    """Scale, ticks and range of a figure's axis of cost.

    `band`: the ground of what costs nothing, on a logarithmic axis.
    """

    def __init__(self, plot: figure) -> None:
        self._plot = plot
        self.band = BoxAnnotation(
            fill_alpha=0.12, line_color=None, level="underlay", visible=False
        )
        plot.add_layout(self.band)
        self._shown: CostAxis | None = None

    def use(self, axis: CostAxis) -> None:
        """Show an axis whole, unless it is the one that is shown."""
        if axis == self._shown:
            return
        self._shown, plot = axis, self._plot
        plot.x_scale = LogScale() if axis.is_log else LinearScale()
        ticker, formatter = (
            _log_ticks(axis) if axis.is_log else (BasicTicker(), BasicTickFormatter())
        )
        plot.xaxis.ticker, plot.xaxis.formatter = ticker, formatter
        plot.xgrid.ticker = ticker
        self.band.update(right=axis.edge, visible=axis.is_log)
        set_ends(plot.x_range, axis.start, axis.end)


def _log_ticks(axis: CostAxis) -> tuple[Any, Any]:
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

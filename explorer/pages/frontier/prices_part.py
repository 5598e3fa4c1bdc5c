"""Which price is charged, and limits on the others."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewer

from solvers.costs.prices import ComponentPrices

from ...widgets.controls import bind, number_field
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.parts import wide_column
from ...widgets.text import price_label, unit_text
from .offering import chargeable
from .state import FrontierState

LOOK = {"sizing_mode": "stretch_width", "margin": (4, 12)}
ABOUT = (
    "<p>Limits hold on validation rows, beside the budget; leave one empty for none. "
    "What exceeds a limit by itself is not on offer.</p>"
)


class PricesPart(Viewer):
    """A choice of the price and a field for each limit; empty where there is one price.

    Built anew only where other prices are known: a field that is typed into stays.
    """

    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._column = wide_column()
        self._shown: Any = ()
        self._fields: dict[str, Any] = {}
        self.state.param.watch(lambda *_: self._offer(), "dataset")
        self.state.param.watch(lambda *_: self._follow(), "limits")
        self._offer()

    def __panel__(self) -> Any:
        return self._column

    def _offer(self) -> None:
        prices = self.state.dataset.hypergraph.prices
        charged = chargeable(self.state.dataset)
        shown = sorted(charged.items()), [(one.name, one.unit) for one in prices]
        if shown == self._shown:
            return
        self._shown = shown
        self._fields = {one.name: self._limit(one) for one in prices}
        if not prices:
            self._column.objects = []
            return
        self._column.objects = [
            *([self._price(charged)] if len(charged) > 1 else []),
            *self._fields.values(),
            markup(ABOUT, margin=(0, 12)),
            Message(text=self.state.param.refused),
        ]

    def _price(self, charged: dict[str, str]) -> Any:
        options = {f"{name} ({unit_text(u)})": name for name, u in charged.items()}
        default = next(iter(charged))
        widget = pmui.Select(label="Price", options=options, value=default, **LOOK)
        return bind(widget, self.state, "price", shown=lambda name: name or default)

    def _limit(self, price: ComponentPrices) -> Any:
        name = price.name
        widget = number_field(
            label=f"Limit on {price_label(price)}",
            value=self.state.limits.get(name),
            start=0.0,
            **LOOK,
        )
        widget.param.watch(lambda event: self._limited(name, event.new), "value")
        return widget

    def _limited(self, name: str, limit: float | None) -> None:
        others = {k: v for k, v in self.state.limits.items() if k != name}
        limits = others if limit is None else {**others, name: float(limit)}
        if limits != self.state.limits:
            with pn.io.hold(policy="collect"):
                self.state.param.update(limits=limits, reason="budget")

    def _follow(self) -> None:
        for name, field in self._fields.items():
            field.value = self.state.limits.get(name)

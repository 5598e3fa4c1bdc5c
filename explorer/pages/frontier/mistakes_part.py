"""What mistakes cost, in two numbers: tests and mistakes are then one currency."""

from __future__ import annotations

from typing import Any

import param
from panel.viewable import Viewer

from solvers.costs.units import is_time

from ...widgets.controls import bind, number_field
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import unit_text
from .choices import MOST_PAID
from .state import FrontierState

LOOK = {"sizing_mode": "stretch_width", "margin": (4, 12), "start": 0.0}
ABOUT = (
    "<p>With a price of mistakes every model is judged by what a row costs in all, "
    "its tests and on average its mistakes; with none, by a score.</p>"
)


class MistakesPart(Viewer):
    """A field for each kind of mistake, in the unit of prices or in money."""

    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._fields = {name: self._field(name) for name in ("miss", "false_alarm")}
        self._worth = self._field("worth")
        self.state.param.watch(lambda *_: self._name(), ["dataset", "worth"])
        self._name()

    def __panel__(self) -> Any:
        return wide_column(
            *self._fields.values(), self._worth, markup(ABOUT, margin=(0, 12))
        )

    def _field(self, name: str) -> Any:
        widget = number_field(end=MOST_PAID, **LOOK)
        return bind(
            widget,
            self.state,
            name,
            shown=lambda paid: paid or None,
            stored=lambda typed: min(max(float(typed or 0.0), 0.0), MOST_PAID),
            also={"reason": "budget"},
        )

    def _name(self) -> None:
        """Call the fields by the classes and the unit of the data that are open."""
        data, labels = self.state.dataset, self.state.param
        takes_time, is_money = is_time(data.unit), self.state.worth > 0
        unit = "money" if takes_time and is_money else unit_text(data.unit)
        miss, alarm = self._fields.values()
        is_binary = len(data.classes) == 2
        miss.label = f"{labels.miss.label if is_binary else 'A mistake costs'} ({unit})"
        alarm.label = f"{labels.false_alarm.label} ({unit})"
        alarm.visible = is_binary
        self._worth.label = f"{labels.worth.label} (money)"
        self._worth.visible = takes_time

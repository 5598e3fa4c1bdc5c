"""Pinning the frontier of now, and seeing what came later beside it."""

from __future__ import annotations

from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers import ThriftscopeError
from solvers.values.rounding import fixed

from ...session.context import Context
from ...session.pins import MAX_NAME, MAX_PINS
from ...widgets.controls import button
from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.parts import wide_column
from ...widgets.text import cost_text, counted, plain
from .comparison import PinComparison, compare, with_pin
from .frontier_plot import FrontierPlot
from .state import AXES, FrontierState

ABOUT = (
    "Pin the frontier, then change something: λ, methods, costs in the drawing, the "
    "accounting, the data. The pinned one stays in the plot, muted and dashed."
)
ASKED = ["pins", "traces", "budget", *AXES, "methods", "n_runs", "n_arrived"]
COLUMNS = ["Frontier", "F1 (test) within budget", "Difference now", "Data", "Priced by"]
ROW_HEIGHT = 34


class ComparePart(Viewer):
    """Up to three pins: their row of buttons, their table, the difference in words.

    `plot`: shows them behind the frontier of now.
    """

    def __init__(
        self,
        context: Context,
        state: FrontierState,
        plot: FrontierPlot,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state, self._plot = state, plot
        # All that a click changes is drawn in one message.
        self._post = context.post
        self._message = Message()
        self._name = pmui.TextInput(
            label="Name of the pin",
            placeholder="its data set",
            max_length=MAX_NAME,
            size="small",
            width=220,
            margin=6,
        )
        pin = partial(context.post, self._put_aside)
        self._pin = button("Pin this frontier", pin, icon="push_pin")
        self._unpins = [self._unpin_button(k) for k in range(MAX_PINS)]
        self._table = DataTable(
            caption="Pinned frontiers beside the frontier shown",
            columns=COLUMNS,
            numbers=[False, True, True, False, False],
            dark=context.session.param.dark,
            sizing_mode="stretch_width",
            visible=False,
        )
        self._text = markup("", margin=(0, 10))
        state.param.watch(lambda *_: self._draw(), [*ASKED, "dataset", "log_cost"])
        self._draw()

    def __panel__(self) -> Any:
        return wide_column(
            markup("<h2>Compare</h2>", margin=(2, 10)),
            markup(f"<p>{ABOUT}</p>", margin=(0, 10)),
            pn.FlexBox(self._name, self._pin, *self._unpins, align_items="center"),
            self._message,
            self._table,
            self._text,
        )

    def _unpin_button(self, k: int) -> Any:
        unpin = partial(self._post, partial(self._let_go, k))
        look = {"size": "small", "variant": "text", "visible": False}
        return button("Unpin", unpin, **look)

    # ------------------------------------------------------------------------ reacting

    def _put_aside(self) -> None:
        try:
            pins = with_pin(self._state, self._name.value or "")
        except ThriftscopeError as error:
            self._message.text = str(error)
            return
        self._message.text, self._name.value = "", ""
        self._state.pins = pins

    def _let_go(self, k: int) -> None:
        self._message.text = ""
        self._state.pins = [pin for i, pin in enumerate(self._state.pins) if i != k]

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        found = compare(self._state)
        self._plot.pinned = found
        for k, unpin in enumerate(self._unpins):
            unpin.visible = k < len(found)
            if k < len(found):
                unpin.label = f"Unpin {found[k].pin.name}"
        self._table.visible = bool(found)
        if found:
            self._table.param.update(
                rows=self._rows(found), height=ROW_HEIGHT * (len(found) + 2)
            )
        items = "".join(f"<li>{plain(one.words)}</li>" for one in found)
        self._text.object = f'<ul role="status">{items}</ul>' if found else ""

    def _rows(self, found: list[PinComparison]) -> list[list[Any]]:
        state, data = self._state, self._state.dataset
        now = state.frontier().best_within(state.budget)
        priced = cost_text(data.hypergraph.total_cost, data.unit)
        first = [
            "now",
            "nothing" if now is None else fixed(now.scores["test"]["f1"], 3),
            "",
            f"{data.name}, {data.n_samples} rows",
            f"{counted(data.hypergraph.n_components, 'component')}, {priced} for all; "
            f"{state.accounting}",
        ]
        return [first, *(self._row(one) for one in found)]

    @staticmethod
    def _row(one: PinComparison) -> list[Any]:
        pin = one.pin
        score = "nothing" if one.then is None else fixed(one.then, 3)
        return [
            pin.name,
            score if one.factor is not None else "not on this axis",
            "not comparable" if one.gained is None else f"{one.gained:+.3f}",
            f"{pin.data}, {pin.rows} rows",
            f"{pin.hypergraph}; {pin.accounting}",
        ]

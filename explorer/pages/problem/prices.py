"""Prices: further ones of what is drawn, and those measured on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from solvers import FeaturePipeline
from solvers.costs.prices import ComponentPrices
from solvers.features.timing import Measurement
from solvers.values.rounding import rounded

from ...document.operations import Edit, add_price, drop_price, set_price
from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...session.problem import ProblemState
from ...widgets.controls import button
from ...widgets.markup import Message, markup
from ...widgets.parts import wide_column
from ...widgets.tables import DataTable
from ...widgets.text import plain, price_label, unit_text
from ...widgets.ui import pmui

WIDE = {"sizing_mode": "stretch_width"}
SMALL = {"size": "small", "margin": 8}
RULES = {"sum: all of it is paid": "sum", "maximum: the costliest counts": "maximum"}
ABOUT = (
    "<p>One price is charged; others are reported for every point of a frontier and "
    "may be limited there. Choose a row to type what its component costs of them.</p>"
)


class FurtherPrices(Viewer):
    """A table of all prices, a form for one component's, and one for another price.

    `problem`: whose drawing is priced; every change is a step that can be undone.
    """

    dark = param.Boolean(default=False, allow_refs=True)

    def __init__(self, problem: ProblemState, **params: Any) -> None:
        super().__init__(**params)
        self._problem = problem
        self._picked = ""  # the name of a component
        self._fields: dict[str, Any] = {}
        self._shown: dict[str, str] = {}
        look = {"height": 230, "dark": self.param.dark, **WIDE}
        self._table = DataTable(self._pick, caption="Prices", **look)
        self._values = pn.FlexBox(visible=False, align_items="center")
        self._name = pmui.TextInput(label="Name of a price", width=180, **SMALL)
        self._unit = pmui.TextInput(label="Its unit", width=110, **SMALL)
        self._rule = pmui.Select(
            label="Together", options=RULES, value="sum", width=250, **SMALL
        )
        add = button("Add this price", self._add, **SMALL)
        self._form = pn.FlexBox(
            self._name, self._unit, self._rule, add, align_items="center"
        )
        self._drops = pn.FlexBox(margin=(0, 8))
        self._refused = Message()
        problem.editor.param.watch(lambda _: self._follow(), "drawing")
        self._follow()

    def __panel__(self) -> Any:
        return wide_column(
            markup(ABOUT),
            self._table,
            self._values,
            self._drops,
            self._form,
            self._refused,
        )

    # ----------------------------------------------------------------------- editing

    def _attempt(self, edit: Any, *arguments: Any) -> bool:
        editor = self._problem.editor

        def do() -> Edit:
            return edit(editor.drawing, *arguments)

        is_done = editor.attempt(do)
        self._refused.text = "" if is_done else editor.refused
        return is_done

    def _add(self) -> None:
        name, unit = self._name.value_input, self._unit.value_input
        if self._attempt(add_price, name, unit, self._rule.value):
            self._name.value = self._unit.value = ""

    def _pick(self, index: int) -> None:
        components = self._problem.editor.drawing.hypergraph.components
        if index < len(components):
            self._picked = components[index]
            self._follow()

    # --------------------------------------------------------------------- following

    def _follow(self) -> None:
        """Show the prices that are drawn."""
        graph = self._problem.editor.drawing.hypergraph
        self._table.visible = bool(graph.prices)
        self._drops.objects = [self._drop(one.name) for one in graph.prices]
        if not graph.prices:
            self._table.rows = []
            self._show_values((), -1)
            return
        row = -1
        if self._picked in graph.components:
            row = graph.components.index(self._picked)
        self._table.param.update(
            columns=[
                "Component",
                f"{graph.charged} ({unit_text(graph.unit)}), charged",
                *(f"{price_label(one)}, {one.rule}" for one in graph.prices),
            ],
            numbers=[False, True, *(True for _ in graph.prices)],
            rows=[
                [name, *(round(float(value), 4) for value in values)]
                for name, *values in zip(
                    graph.components,
                    graph.component_costs,
                    *(one.values for one in graph.prices),
                    strict=True,
                )
            ],
            picked=row,
        )
        self._show_values(graph.prices, row)

    def _show_values(self, prices: Sequence[ComponentPrices], row: int) -> None:
        """Show what the picked component costs; a field that is typed into stays."""
        self._values.visible = row >= 0 and bool(prices)
        if list(self._fields) != [one.name for one in prices]:
            self._fields = {one.name: self._field(one.name) for one in prices}
            self._values.objects = list(self._fields.values())
        for one in prices if row >= 0 else ():
            self._shown[one.name] = f"{one.values[row]:g}"
            self._fields[one.name].param.update(
                label=f"{price_label(one)} of {self._picked}",
                value=self._shown[one.name],
            )

    def _field(self, name: str) -> Any:
        """Return where what the picked component costs of a price is typed."""
        field = pmui.TextInput(width=220, **SMALL)

        def typed(event: Any) -> None:
            # What is shown has fewer digits: to show it is not to set it.
            if event.new != self._shown.get(name):
                self._attempt(set_price, name, self._picked, event.new)
                self._follow()  # what was refused is put back

        field.param.watch(typed, "value")
        return field

    def _drop(self, name: str) -> Any:
        drop = partial(self._attempt, drop_price, name)
        return button(f"Drop {name}", drop, variant="text", **SMALL)


REPEATS = 15


class MeasuringPart(OnDemandPart):
    """Measures, shows how sure it is, and puts the costs into the drawing.

    `problem`: whose costs are set when all repeats are done; that can be undone.
    """

    title = "Measured costs"
    label = "Measure on this machine"
    icon = "timer"
    doing = "Measuring"

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(context, **params)
        self._problem = problem
        self._pipeline: FeaturePipeline | None = None
        self._table = DataTable(
            caption="Measured costs",
            height=250,
            dark=context.session.param.dark,
            sizing_mode="stretch_width",
        )
        self.result.objects = [self._table]
        context.session.param.watch(lambda _: self._follow(), "dataset")
        self._follow()

    def _follow(self) -> None:
        pipeline = self.context.session.dataset.pipeline
        if pipeline is not self._pipeline:  # other features: no cost of theirs is known
            self.job.cancel()
            self._pipeline, self.result.visible = pipeline, False
        self.start.visible = pipeline is not None
        if pipeline is None:
            self.about.object = (
                "<p>This data set has no feature functions to measure. Costs can be "
                "typed, loaded, or measured with <code>thriftscope measure "
                "module:pipeline --samples FILE --out hypergraph.json</code>.</p>"
            )
        elif not self.result.visible:
            self.about.object = (
                "<p>Runs every feature function on samples, where an extractor runs "
                "it, and takes its time as the cost of its component.</p>"
            )

    def compute(self) -> None:
        """Measure, and set the costs when all repeats are done."""
        dataset = self.context.session.dataset
        if dataset.pipeline is None:
            return
        pipeline, samples = dataset.pipeline, dataset.samples
        last: list[Measurement] = []

        def arrived(found: list[Measurement]) -> None:
            last[:] = found[-1:]
            self.job.progress = min(1.0, last[0].repeats / REPEATS)
            self._show(last[0])

        def done() -> None:
            measured = last[0].hypergraph
            costs = dict(
                zip(measured.components, measured.component_costs.tolist(), strict=True)
            )
            self._problem.set_costs(
                costs,
                measured.unit,
                "Set costs as measured on this machine",
                f"Measured here: {last[0].machine}.",
            )

        self.job.submit(lambda: pipeline.measuring(samples, REPEATS), arrived, done)

    def _show(self, measurement: Measurement) -> None:
        measured = measurement.hypergraph
        before = self._problem.editor.drawing.hypergraph
        now = dict(zip(before.components, before.component_costs, strict=True))
        notes = "".join(f"<p>{plain(note)}</p>" for note in measurement.notes)
        self.about.object = (
            f"<p>{plain(measurement.machine)}: {measurement.n_samples} samples, "
            f"{measurement.repeats} of {REPEATS} repeats.</p>{notes}"
        )
        self._table.param.update(
            columns=["Component", "Measured (µs)", "Spread (µs)", "Drawn before"],
            numbers=[False, True, True, True],
            rows=[
                [name, round(cost, 3), round(spread, 3), _short(now.get(name))]
                for name, cost, spread in zip(
                    measured.components,
                    measured.component_costs.tolist(),
                    measurement.spread.tolist(),
                    strict=True,
                )
            ],
        )
        self.result.visible = True


def _short(cost: float | None) -> float | str:
    return "" if cost is None else rounded(cost, 4)

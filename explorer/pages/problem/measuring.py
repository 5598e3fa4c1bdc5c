"""Costs of a pipeline's components, measured on this machine."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers.timing import Measurement

from ...session.context import Context
from ...session.problem import ProblemState
from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.progress import Progress
from ...widgets.text import plain

__all__ = ["MeasuringPart"]

REPEATS = 15


class MeasuringPart(Viewer):
    """Measures, shows how sure it is, and puts the costs into the drawing.

    `problem`: whose costs are set when all repeats are done; that can be undone.
    """

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(**params)
        self._context, self._problem = context, problem
        self.job = context.job()
        self._table = DataTable(
            caption="Measured costs", height=250, sizing_mode="stretch_width"
        )
        self._words = markup("")
        self._start = pmui.Button(
            label="Measure on this machine",
            icon="timer",
            variant="outlined",
            margin=8,
            disabled=self.job.param.busy,
            on_click=lambda _: self._measure(),
        )
        context.session.param.watch(lambda _: self._follow(), "dataset")
        context.session.param.watch(
            lambda event: self._table.use_theme(dark=event.new), "dark"
        )
        self._table.use_theme(dark=context.session.dark)
        self._table.visible = False
        self._follow()

    def __panel__(self) -> Any:
        job = self.job
        return pn.Column(
            markup("<h2>Measured costs</h2>", margin=(2, 10)),
            self._words,
            pn.Row(
                self._start,
                pmui.Button(
                    label="Cancel",
                    variant="text",
                    margin=8,
                    visible=job.param.busy,
                    on_click=lambda _: job.cancel(),
                ),
            ),
            Progress(busy=job.param.busy, share=job.param.progress, label="Measuring"),
            Message(text=job.param.message),
            self._table,
            sizing_mode="stretch_width",
        )

    def _follow(self) -> None:
        pipeline = self._context.session.dataset.pipeline
        self._start.visible = pipeline is not None
        if pipeline is None:
            self._table.visible = False
            self._words.object = (
                "<p>This data set has no feature functions to measure. Costs can be "
                "typed, loaded, or measured with <code>thriftscope measure "
                "module:pipeline --samples FILE --out hypergraph.json</code>.</p>"
            )
        elif not self._table.visible:
            self._words.object = (
                "<p>Runs every feature function on samples, where an extractor runs "
                "it, and takes its time as the cost of its component.</p>"
            )

    def _measure(self) -> None:
        dataset = self._context.session.dataset
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
        self._words.object = (
            f"<p>{plain(measurement.machine)}: {measurement.n_samples} samples, "
            f"{measurement.repeats} of {REPEATS} repeats.</p>"
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
            visible=True,
        )


def _short(cost: float | None) -> float | str:
    return "" if cost is None else float(f"{cost:.4g}")

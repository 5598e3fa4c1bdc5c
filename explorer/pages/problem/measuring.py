"""Costs of a pipeline's components, measured on this machine."""

from __future__ import annotations

from typing import Any

from solvers import FeaturePipeline
from solvers.features.timing import Measurement
from solvers.values.rounding import rounded

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...session.problem import ProblemState
from ...widgets.data_table import DataTable
from ...widgets.text import plain

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

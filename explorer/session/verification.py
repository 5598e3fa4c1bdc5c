"""Whether trimmed extractors take on this machine what the hypergraph says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers import Dataset
from solvers.costs.budgets import room_of
from solvers.costs.units import conversion, is_time
from solvers.features.verification import Verification, verifying

from ..figures.live import SceneView
from ..figures.scene import Axis, Scene, dots, line, links
from ..widgets.controls import button
from ..widgets.tables import DataTable
from ..widgets.text import cost_text, plain
from .context import Context
from .on_demand import OnDemandPart

REPEATS = 9
Selections = Mapping[str, NDArray[np.bool_]]


class VerificationPart(OnDemandPart):
    """Runs trimmed extractors; shows predicted beside measured time.

    `selections`: returns masks of features by what they are called, the most important
    first.
    `budget`: returns what the first of them may cost, in the unit of the data set.

    What is shown is of that one and of that budget; `follow` lets go of it once they
    are others.
    """

    title = "Predicted and measured times"
    label = "Verify on this machine"
    icon = "speed"
    doing = "Timing"

    def __init__(
        self,
        context: Context,
        selections: Callable[[], Selections],
        about: str,
        budget: Callable[[], float] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(context, **params)
        self._selections, self._about = selections, about
        self._budget = budget
        self._found: Verification | None = None
        self._asked: Any = None  # Of what is shown, or on its way
        dark = context.session.param.dark
        self._plot = VerificationPlot(dark=dark)
        self._table = DataTable(
            caption="Predicted and measured times",
            height=200,
            dark=dark,
            sizing_mode="stretch_width",
        )
        self._use = button(
            "Use these costs",
            lambda: context.post(self.use_costs),
            icon="price_change",
            visible=False,
        )
        self.result.objects = [self._use, self._plot, self._table]
        context.session.param.watch(lambda _: self._forget(), "dataset")
        self._forget()

    def use_costs(self) -> None:
        """Price the drawing by what was measured; one step of undo takes it back."""
        if self._found is None:
            return
        measurement = self._found.measurement
        hypergraph = measurement.hypergraph
        self.context.problem.set_costs(
            dict(
                zip(
                    hypergraph.components,
                    hypergraph.component_costs.tolist(),
                    strict=True,
                )
            ),
            hypergraph.unit,
            "Took the costs measured on this machine",
            f"Measured: {measurement.machine}.",
        )

    def follow(self, *_: Any) -> None:
        """Forget what was measured of another choice, or beside another budget."""
        if self._asked is not None and self._asked != self._question():
            self._forget()

    def _question(self) -> Any:
        first = next(iter(self._selections().values()), np.empty(0, dtype=bool))
        return first.tobytes(), None if self._budget is None else self._budget()

    def _forget(self) -> None:
        self.job.cancel()
        self._asked = None
        self._found, self._use.visible = None, False
        self.result.visible = False
        has_pipeline = self.context.session.dataset.pipeline is not None
        self.start.visible = has_pipeline
        self.about.object = (
            f"<p>{plain(self._about)}</p>"
            if has_pipeline
            else "<p>This data set has no feature functions to run.</p>"
        )

    def compute(self) -> None:
        """Run what is selected, and show each repeat as it comes."""
        dataset = self.context.session.dataset
        chosen = {name: mask for name, mask in self._selections().items() if mask.any()}
        if dataset.pipeline is None or not chosen:
            self.about.object = "<p>No features are chosen: nothing would be run.</p>"
            return
        self._asked = self._question()
        pipeline, samples = dataset.pipeline, dataset.samples
        names = [
            [dataset.feature_names[j] for j in np.flatnonzero(mask)]
            for mask in chosen.values()
        ]

        def arrived(found: list[Verification]) -> None:
            self.job.progress = min(1.0, found[-1].repeats / REPEATS)
            self._show(dataset, chosen, found[-1])

        self.job.submit(lambda: verifying(pipeline, names, samples, REPEATS), arrived)

    def _show(self, dataset: Dataset, chosen: Selections, found: Verification) -> None:
        self._found = found
        self._use.visible = is_time(dataset.unit)
        self._plot.param.update(names=list(chosen), result=found)
        charged = [dataset.hypergraph.cost(mask) for mask in chosen.values()]
        unit = dataset.unit
        self._table.param.update(
            columns=[
                "Selection",
                "Features",
                "Charged",
                "Predicted here (µs)",
                "Measured (µs)",
                "Spread (µs)",
                "Measured / predicted",
            ],
            numbers=[False, True, False, True, True, True, True],
            rows=[
                [
                    name,
                    int(mask.sum()),
                    cost_text(charged[i], unit),
                    round(float(found.predicted[i]), 2),
                    round(float(found.measured[i]), 2),
                    round(float(found.spread[i]), 2),
                    round(float(found.ratio[i]), 3),
                ]
                for i, (name, mask) in enumerate(chosen.items())
            ],
        )
        first = next(iter(chosen))
        self.about.object = plain(
            f"{first}: predicted {cost_text(float(found.predicted[0]), 'us')}, "
            f"measured {cost_text(float(found.measured[0]), 'us')} per sample, over "
            f"{found.measurement.n_samples} samples and {found.repeats} of {REPEATS} "
            f"repeats. {found.measurement.machine}."
            + self._over_budget(float(found.measured[0]), dataset.unit)
        )
        self.result.visible = True

    def _over_budget(self, measured: float, unit: str) -> str:
        """Return whether what was measured, in microseconds, is within the budget."""
        if self._budget is None or not is_time(unit):
            return ""
        budget = self._budget()
        is_over = measured * conversion("us", unit) > room_of(budget)
        told = cost_text(budget, unit)
        if not is_over:
            return f" That is within the budget of {told}."
        return (
            f" That is over the budget of {told}: take the measured costs, or choose "
            "again with a smaller budget."
        )


def growing_selections(dataset: Dataset, chosen: NDArray[np.bool_]) -> Selections:
    """Return selections from few features to all, after one that was chosen.

    Shapes: `chosen` (n_features,).
    `dataset`: whose hypergraph says what is cheap: each selection adds what costs least
    on top of the one before.
    """
    hypergraph = dataset.hypergraph
    selections: dict[str, NDArray[np.bool_]] = {}
    if chosen.any():
        selections["Chosen in the drawing"] = chosen
    mask = np.zeros(hypergraph.n_features, dtype=bool)
    steps = np.unique(np.linspace(1, hypergraph.n_features, 8).round().astype(int))
    for size in range(1, hypergraph.n_features + 1):
        paid = hypergraph.required_components(mask)
        prices = np.where(mask, np.inf, hypergraph.marginal_costs(paid))
        mask[int(np.argmin(prices))] = True
        if size in steps:
            selections[f"Cheapest {size}" if size > 1 else "Cheapest one"] = mask.copy()
    return selections


TOOLTIPS = [
    ("selection", "@name"),
    ("predicted", "@x{number} µs"),
    ("measured", "@y{number} µs"),
]


class VerificationPlot(SceneView):
    """Marks on the diagonal took what the hypergraph says."""

    result: Any = param.ClassSelector(
        class_=Verification, allow_None=True, doc="What was measured."
    )
    names = param.List(default=[], doc="What each selection is called.")

    called = "verification"
    legend = ""
    has_words = False
    follows = ("result",)

    def scene(self) -> Scene | None:
        """Return marks with the spread of what was measured; None before it was."""
        return None if self.result is None else verification(self.result, self.names)


def verification(found: Verification, names: list[str]) -> Scene:
    """Return what was measured against what was predicted, and where both agree."""
    x, y, half = found.predicted, found.measured, found.spread / 2
    top = 1.1 * max(float(x.max()), float((y + half).max()))
    low, high = [[*zip(x, y + way * half, strict=True)] for way in (-1, 1)]
    return Scene(
        Axis("predicted by the measured components (µs per sample)", 0.0, top),
        Axis("measured (µs per sample)", 0.0, top),
        [
            line("alike", [0.0, top], [0.0, top], "faded", dash="dashed", width=1.5),
            links("spread", low, high, "quiet_text"),
            dots(
                "selections", x, y, "lit", size=9, hover=TOOLTIPS, told={"name": names}
            ),
        ],
    )

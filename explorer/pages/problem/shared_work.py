"""What features of an extractor share, in sentences, and whether trimming pays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import param
from panel.viewable import Viewer

from solvers import FeatureHypergraph
from solvers.datasets.extractors import MeasuredExtractor

from ...session.verification_plot import VerificationPlot
from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import cost_text, plain

WIDE = {"sizing_mode": "stretch_width"}
MS = 1000.0  # microseconds
BUSY = 0.25  # of a time, between the quartiles: a quiet machine stays below a tenth


@dataclass(frozen=True)
class SharedRow:
    """A component that several features need."""

    component: str
    cost: float
    unit: str
    n_features: int
    calls: int  # How often they would compute it, each for itself

    @property
    def sentence(self) -> str:
        """The same in words."""
        is_long = self.unit == "us" and self.cost >= MS
        cost, unit = (self.cost / MS, "ms") if is_long else (self.cost, self.unit)
        return (
            f"{self.component}: {cost_text(cost, unit)}, behind {self.n_features} "
            f"features; they would compute it {self.calls} times."
        )


def costliest_shared(hypergraph: FeatureHypergraph) -> SharedRow | None:
    """Return the component that sharing saves most of; None where nothing is shared."""
    users = np.asarray(hypergraph.incidence.sum(axis=1)).ravel()
    saved = hypergraph.component_costs * (users - 1)
    if not saved.size or saved.max() <= 0:
        return None
    row = int(np.argmax(saved))
    cost, n = float(hypergraph.component_costs[row]), int(users[row])
    return SharedRow(hypergraph.components[row], cost, hypergraph.unit, n, n)


class SharedWork(Viewer):
    """A table of what is shared, most saved first; notes; predicted beside measured.

    `light`: takes a component and its sentence, when somebody picks it.
    """

    found: Any = param.ClassSelector(class_=MeasuredExtractor, allow_None=True)
    dark = param.Boolean(default=False, allow_refs=True)

    def __init__(self, light: Callable[[str, str], None], **params: Any) -> None:
        super().__init__(**params)
        self._light = light
        self.rows: list[SharedRow] = []
        self._said, self._notes = markup(""), markup("")
        self._table = DataTable(
            self._pick,
            caption="What features share",
            height=220,
            dark=self.param.dark,
            **WIDE,
        )
        self._plot = VerificationPlot(dark=self.param.dark)
        self.param.watch(lambda _: self._write(), "found")

    def __panel__(self) -> Any:
        return wide_column(self._said, self._table, self._notes, self._plot)

    def _write(self) -> None:
        found: MeasuredExtractor | None = self.found
        if found is None:
            return
        rows = [
            SharedRow(one.component, one.cost, "us", len(one.features), one.calls)
            for one in found.shared
        ]
        self.rows = sorted(rows, key=lambda row: -row.cost * (row.calls - 1))
        self._said.object = f"<p>{plain(' '.join(self._summary(found)))}</p>"
        self._table.param.update(
            columns=["Shared", "Cost (µs)", "Features behind it", "Calls without it"],
            numbers=[False, True, True, True],
            rows=[
                [row.component, round(row.cost, 1), row.n_features, row.calls]
                for row in self.rows
            ],
            picked=-1,
        )
        self._table.visible = bool(self.rows)
        items = "".join(f"<li>{plain(note)}</li>" for note in found.notes)
        self._notes.object = f"<ul>{items}</ul>" if items else ""
        names = [f"{n} columns" for n in found.n_verified]
        self._plot.param.update(names=names, result=found.verification)

    def _summary(self, found: MeasuredExtractor) -> list[str]:
        whole = found.verification.measurement.hypergraph
        together = whole.total_cost
        repeated = sum(row.cost * (row.calls - 1) for row in self.rows)
        last = found.verification
        told = [self.rows[0].sentence] if self.rows else ["Nothing is shared."]
        told.append(
            f"All {whole.n_features} columns: {cost_text(together, 'us')} with what is "
            f"shared computed once, {cost_text(together + repeated, 'us')} with each "
            "feature for itself."
        )
        told.append(
            f"Trimmed to random selections it took {last.ratio.min():.2f} to "
            f"{last.ratio.max():.2f} times what was predicted "
            f"({last.measurement.machine})."
        )
        spread = float(np.median(last.spread / last.measured))
        if spread > BUSY:
            told.append(
                "This machine was busy with other work: times of one selection differ "
                f"by {spread:.0%} from run to run."
            )
        return told

    def _pick(self, index: int) -> None:
        self._table.picked = index
        self._light(self.rows[index].component, self.rows[index].sentence)

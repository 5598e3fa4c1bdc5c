"""The part of the structured-costs page that measures the paper's claims."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui

from solvers.markov import ClaimStep, measure_claims

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from .claims import ClaimsTable

__all__ = ["ClaimsPart"]

ABOUT = (
    "<p>Sixteen sentences of the paper, each measured again on grown graphs of 300 "
    "nodes and on made-up sensors. One seed takes about half a minute; verdicts "
    "become firm at four.</p>"
)


class ClaimsPart(OnDemandPart):
    """A button, a number of seeds, and the table that fills."""

    title = "What of the paper reproduces"
    label = "Measure the paper's claims"
    icon = "fact_check"
    doing = "Measuring claims"

    def __init__(self, context: Context, **params: Any) -> None:
        super().__init__(context, **params)
        self.table = ClaimsTable()
        self.about.object = ABOUT
        self.result.param.update(objects=[self.table], visible=True)
        self._n_seeds = pmui.Select(
            label="Seeds of the claims", options=[1, 2, 4], value=1, width=180, margin=8
        )

    def controls(self) -> Any:
        """Return the button, and how many seeds."""
        return pn.FlexBox(self.start, self._n_seeds, align_items="center")

    def compute(self) -> None:
        """Measure all claims anew; the old table stays until the first is settled."""
        n_seeds = int(self._n_seeds.value)
        settled: list[Any] = []
        folds = (
            "3 graphs of 300 nodes, each tested on once, and 12 snapshots of sensors"
        )
        setting = f"{n_seeds} seed{'s' if n_seeds > 1 else ''}, δ = 0.25: {folds}."

        def arrived(steps: list[ClaimStep]) -> None:
            settled.extend(step.claim for step in steps if step.claim is not None)
            self.job.progress = steps[-1].done / steps[-1].total
            if settled:
                self.table.param.update(claims=list(settled), setting=setting)

        self.job.submit(lambda: measure_claims(n_seeds=n_seeds), arrived)

"""The part of the structured-costs page that measures the paper's claims."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers.markov import ClaimStep, measure_claims

from ...session.context import Context
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.page_layout import progress_row
from .claims import ClaimsTable

__all__ = ["ClaimsPart"]

ABOUT = (
    "<p>Sixteen sentences of the paper, each measured again on grown graphs of 300 "
    "nodes and on made-up sensors. One seed takes about half a minute; verdicts "
    "become firm at four.</p>"
)


class ClaimsPart(Viewer):
    """A button, a progress bar, and the table that fills."""

    def __init__(self, context: Context, **params: Any) -> None:
        super().__init__(**params)
        self.job = context.job()
        self.table = ClaimsTable()
        self._n_seeds = pmui.Select(
            label="Seeds of the claims", options=[1, 2, 4], value=1, width=180, margin=8
        )
        self._start = pmui.Button(
            label="Measure the paper's claims",
            variant="outlined",
            icon="fact_check",
            margin=8,
            disabled=self.job.param.busy,
            on_click=lambda _: self.measure(),
        )

    def __panel__(self) -> Any:
        return pn.Column(
            markup(ABOUT),
            pn.FlexBox(self._start, self._n_seeds, align_items="center"),
            progress_row(self.job, "Measuring claims"),
            Message(text=self.job.param.message),
            self.table,
            sizing_mode="stretch_width",
        )

    def measure(self) -> None:
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

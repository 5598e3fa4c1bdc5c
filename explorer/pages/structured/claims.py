"""The paper's claims, each as published and as measured here when somebody asks."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewer

from solvers.papers.csmn import ClaimStep, measure_claims
from solvers.papers.verdicts import Finding, Outcome

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import plain

ABOUT = (
    "<p>Sixteen sentences of the paper, each measured again on grown graphs of 300 "
    "nodes and on made-up sensors. One seed takes about half a minute and says no more "
    "than what one run came to; verdicts become firm at four.</p>"
)
COLUMNS = ("Where", "The paper says", "As published", "Measured here", "Verdict")
# What noise hides, one run shows, or nothing here can judge, is neither.
BADGES: dict[Outcome | None, str] = {"holds": "good", "does not hold": "bad"}


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
            settled.extend(step.finding for step in steps if step.finding)
            self.job.progress = steps[-1].done / steps[-1].total
            if settled:
                self.table.param.update(findings=list(settled), setting=setting)

        self.job.submit(lambda: measure_claims(n_seeds=n_seeds), arrived)


class ClaimsTable(Viewer):
    """One row a claim, wrapped so that it can be read."""

    findings = param.List(default=[], item_type=Finding, doc="Those that are settled.")
    setting = param.String(default="", doc="What they were measured on.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("")
        self.param.watch(lambda *_: self._write(), ["findings", "setting"])
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, min_height=60, scroll=True)

    def _write(self) -> None:
        if not self.findings:
            self._pane.object = "<p>Not measured yet.</p>"
            return
        held = sum(one.outcome == "holds" for one in self.findings)
        headings = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
        rows = "".join(_row(one) for one in self.findings)
        self._pane.object = (
            f'<p role="status">{held} of {len(self.findings)} claims hold here. '
            f"{plain(self.setting)}</p>"
            f'<table class="lens claims"><caption>Claims of the paper</caption>'
            f"<tr>{headings}</tr>{rows}</table>"
        )


def _row(found: Finding) -> str:
    kind, said = BADGES.get(found.outcome, "plain"), found.outcome or "not judged"
    cells = (found.where, found.sentence, found.published, found.measured)
    return (
        "<tr>"
        + "".join(f"<td>{plain(cell)}</td>" for cell in cells)
        + f'<td><span class="badge {kind}">{said}</span></td></tr>'
    )

"""The paper's claims, each as published and as measured here."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from solvers.verdict import Claim, Outcome

from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import plain

__all__ = ["ClaimsTable"]

COLUMNS = ("Where", "The paper says", "As published", "Measured here", "Verdict")
# What noise hides, or nothing here can judge, is neither.
BADGES: dict[Outcome | None, str] = {"holds": "good", "does not hold": "bad"}


class ClaimsTable(Viewer):
    """One row a claim, wrapped so that it can be read."""

    claims = param.List(default=[], item_type=Claim, doc="Those that are settled.")
    setting = param.String(default="", doc="What they were measured on.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("")
        self.param.watch(lambda *_: self._write(), ["claims", "setting"])
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, min_height=60, scroll=True)

    def _write(self) -> None:
        if not self.claims:
            self._pane.object = "<p>Not measured yet.</p>"
            return
        held = sum(claim.outcome == "holds" for claim in self.claims)
        headings = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
        rows = "".join(_row(claim) for claim in self.claims)
        self._pane.object = (
            f'<p role="status">{held} of {len(self.claims)} claims hold here. '
            f"{plain(self.setting)}</p>"
            f'<table class="lens claims"><caption>Claims of the paper</caption>'
            f"<tr>{headings}</tr>{rows}</table>"
        )


def _row(claim: Claim) -> str:
    kind, said = BADGES.get(claim.outcome, "plain"), claim.outcome or "not judged"
    cells = (claim.where, claim.sentence, claim.published, claim.measured)
    return (
        "<tr>"
        + "".join(f"<td>{plain(cell)}</td>" for cell in cells)
        + f'<td><span class="badge {kind}">{said}</span></td></tr>'
    )

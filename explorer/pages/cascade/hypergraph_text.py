"""What a budget buys, in words, and the stages in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.text import cost_text, plain
from .hypergraph_training import HypergraphPicture
from .state import CascadeState

__all__ = ["HypergraphStageTable", "HypergraphSummary", "hypergraph_text"]

# Features of a stage that are named.
MOST_NAMES = 3


class HypergraphSummary(Viewer):
    """The outcome in two lines, as a live region."""

    state = param.ClassSelector(class_=CascadeState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=48, margin=(4, 10))
        self.state.param.watch(lambda *_: self._write(), ["hyper", "policy"])
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        text = plain(hypergraph_text(self.state))
        self._pane.object = (
            f'<div role="status" aria-live="polite" class="summary">{text}</div>'
        )


def hypergraph_text(state: CascadeState) -> str:
    """Return what the budget buys, in words."""
    picture = state.hyper_picture
    if picture is None:
        return "Training the first hypergraph cascade."
    trained = picture.trained
    unit, policies = trained.dataset.unit, trained.model.policies_
    leaving = picture.right + picture.wrong
    stops = int(np.count_nonzero(leaving))
    costliest = float(np.max(picture.costs[leaving > 0]))
    return (
        f"Policy {state.policy + 1} of {len(policies)}, all from one training: "
        f"{cost_text(picture.cost, unit)} a test row on average, "
        f"{100 * picture.cost / trained.full_cost:.0f} % of all features "
        f"({cost_text(picture.policy.mean, unit)} on held-out training rows), at most "
        f"{cost_text(costliest, unit)}; {100 * picture.accuracy:.1f} % of "
        f"{picture.n_rows} test rows are right. Rows leave at {stops} of "
        f"{picture.n_stages} stages."
    )


class HypergraphStageTable(Viewer):
    """Every stage in numbers: the table behind bands and bars."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = DataTable(
            caption="Stages of the hypergraph cascade",
            columns=[
                "Stage",
                "Computes",
                "Cost so far",
                "Go on between scores",
                "Leave right",
                "Leave wrong",
                "Go on",
            ],
            numbers=[False, False, False, False, True, True, True],
            height=340,
            sizing_mode="stretch_width",
        )
        self.state.param.watch(lambda *_: self._write(), ["hyper", "rests"])
        self.param.watch(lambda event: self._table.use_theme(dark=event.new), "dark")
        self._table.use_theme(dark=self.dark)
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._table

    def _write(self) -> None:
        picture = self.state.hyper_picture
        if picture is not None:
            self._table.rows = [_stage(picture, place) for place in picture.rows]


def _stage(picture: HypergraphPicture, place: int) -> list[Any]:
    row, unit = picture.rows[place], picture.trained.dataset.unit
    named = ", ".join(row.features[:MOST_NAMES])
    more = len(row.features) - MOST_NAMES
    return [
        picture.name(place),
        (named + (f" and {more} more" if more > 0 else "")) or "what costs nothing",
        cost_text(row.cost, unit),
        _interval(row.low, row.high),
        int(picture.right[place]),
        int(picture.wrong[place]),
        int(picture.on[place]),
    ]


def _interval(low: float, high: float) -> str:
    if not low < high:
        return "none: all leave"
    if np.isinf(low) and np.isinf(high):
        return "any: nobody is asked"
    if np.isinf(low):
        return f"below {high:.2f}"
    return f"above {low:.2f}" if np.isinf(high) else f"{low:.2f} and {high:.2f}"

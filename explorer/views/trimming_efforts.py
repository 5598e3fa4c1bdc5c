"""Evaluations and time of each search, beside exhaustive search (Table 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
import param
from panel.viewable import Viewer

from ..data_table import DataTable
from ..markup import markup
from ..state.trimming_figures import Effort
from ..state.trimming_published import TABLE_6
from ..text import number, plain

__all__ = ["EffortsTable"]

HEIGHT = 190
PUBLISHED_HEIGHT = 270


class EffortsTable(Viewer):
    """Means over the thresholds measured so far, and the paper's own table."""

    result = param.List(default=[], item_type=Effort)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = DataTable(
            caption="Table of evaluations and time",
            columns=["Search", "Evaluations", "Time (ms)", "Agreement"],
            numbers=[False, True, True, True],
            height=HEIGHT,
            sizing_mode="stretch_width",
        )
        self._published = DataTable(
            caption="Table 6 as published",
            columns=[
                "As published",
                "Features",
                "FS-SDD evaluations",
                "ECA-Trim evaluations",
                "FS-SDD (s)",
                "ECA-Trim (s)",
            ],
            numbers=[False, True, True, True, True, True],
            rows=[
                [row.name, row.n_features, *row.evaluations, *row.seconds]
                for row in TABLE_6
            ],
            height=PUBLISHED_HEIGHT,
            sizing_mode="stretch_width",
        )
        self._words = markup("", min_height=24)
        self.param.watch(lambda *_: self._fill(), "result")
        self.param.watch(lambda *_: self._use_theme(), "dark")
        self._use_theme()
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.Column(
            self._table,
            self._words,
            markup(
                "<p>Table 6 as published: other networks (naive Bayes), the authors' "
                "code and machine; T = .1 to .9, B a third of the features.</p>"
            ),
            self._published,
            sizing_mode="stretch_width",
        )

    def _use_theme(self) -> None:
        for table in (self._table, self._published):
            table.use_theme(dark=self.dark)

    def _fill(self) -> None:
        if not self.result:
            return
        methods = list(dict.fromkeys(effort.method for effort in self.result))
        self._table.rows = [
            _row(method, [e for e in self.result if e.method == method])
            for method in methods
        ]
        thresholds = len({effort.threshold for effort in self.result})
        self._words.object = plain(
            f"Means over {thresholds} thresholds T = .1, .2, ... on this network and "
            "budget. Time has the table of decisions in it, measured once on this "
            "machine."
        )


def _row(method: str, efforts: Sequence[Effort]) -> list[Any]:
    counts = [
        effort.evaluations for effort in efforts if effort.evaluations is not None
    ]
    if len(counts) < len(efforts):
        return [method, "too many sets", "", ""]
    milliseconds = 1000 * float(np.mean([effort.seconds for effort in efforts]))
    agreement = float(np.mean([effort.agreement for effort in efforts]))
    mean = float(np.mean(counts))
    return [method, round(mean, 1), number(milliseconds), f"{agreement:.4f}"]

"""Evaluations and time of each search, beside exhaustive search (Table 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.plain_table import plain_table, table_markup
from ...widgets.text import number, plain
from .figures import Effort
from .published import TABLE_6

__all__ = ["EffortsTable"]

HEIGHT = 190
PUBLISHED_HEIGHT = 270


class EffortsTable(Viewer):
    """Means over the thresholds measured so far, and the paper's own table."""

    result = param.List(default=[], item_type=Effort)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = plain_table(HEIGHT)
        self._published = plain_table(PUBLISHED_HEIGHT)
        self._published.object = table_markup(
            "Table 6 as published",
            [
                "As published",
                "Features",
                "FS-SDD evaluations",
                "ECA-Trim evaluations",
                "FS-SDD (s)",
                "ECA-Trim (s)",
            ],
            [
                [row.name, row.n_features, *row.evaluations, *row.seconds]
                for row in TABLE_6
            ],
            [False, True, True, True, True, True],
        )
        self._text = markup("", min_height=24)
        self.param.watch(lambda *_: self._fill(), "result")
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(
            self._table,
            self._text,
            markup(
                "<p>Table 6 as published: other networks (naive Bayes), the authors' "
                "code and machine; T = .1 to .9, B a third of the features.</p>"
            ),
            self._published,
        )

    def _fill(self) -> None:
        if not self.result:
            return
        methods = list(dict.fromkeys(effort.method for effort in self.result))
        self._table.object = table_markup(
            "Table of evaluations and time",
            ["Search", "Evaluations", "Time (ms)", "Agreement"],
            [
                _row(method, [e for e in self.result if e.method == method])
                for method in methods
            ],
            [False, True, True, True],
        )
        thresholds = len({effort.threshold for effort in self.result})
        self._text.object = plain(
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

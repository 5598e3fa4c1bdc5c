"""What the kept features can show, as in Table 4 of the paper."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from solvers.bayes import InstanceTable

from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.plain_table import plain_table, table_markup
from ...widgets.text import plain
from .state import TrimmingState

__all__ = ["InstancesTable"]

HEIGHT = 290


class InstancesTable(Viewer):
    """One row a joint state of the kept features, by falling posterior."""

    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = plain_table(HEIGHT)
        self._text = markup("", min_height=24)
        self._drawn: Any = None
        self.state.param.watch(lambda *_: self._fill(), ["arrived", "position", "log"])
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._table, self._text)

    def _fill(self) -> None:
        best, table = self.state.best(), self.state.instances()
        drawn = (best and best.features, table)
        if best is None or drawn == self._drawn:
            return
        self._drawn = drawn
        if table is None:
            self._table.object = ""
            self._text.object = plain(
                f"The {len(best.features)} kept features have too many joint states to "
                "list."
            )
            return
        says = [posterior >= best.threshold for posterior in table.posteriors]
        names = ", ".join(table.features) or "nothing seen"
        self._table.object = table_markup(
            "Table of instances",
            [
                f"{{{names}}}",
                "Pr(c | instance)",
                "+ decision pr.",
                "− decision pr.",
                "Trimmed says",
            ],
            [
                [", ".join(states) or "always", *numbers, "+" if say else "−"]
                for states, numbers, say in zip(
                    table.states, _numbers(table), says, strict=True
                )
            ],
            [False, True, True, True, False],
            table.features,
        )
        count = "1 instance" if len(says) == 1 else f"{len(says)} instances"
        self._text.object = plain(
            f"{count} that can occur, by falling posterior; the "
            "probabilities of a + and − decision are the original classifier's. The "
            f"cut lies at T' = {best.threshold:.4g}."
        )


def _numbers(table: InstanceTable) -> list[tuple[str, str, str]]:
    columns = (table.posteriors, table.positives, table.negatives)
    shown = [[f"{abs(value):.4f}" for value in one] for one in columns]
    return list(zip(*shown, strict=True))

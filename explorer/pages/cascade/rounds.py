"""The paper's Table 2 for these rows."""

from __future__ import annotations

from typing import Any

import param

from solvers.cascades.figures import PUBLISHED_ROUNDS

from ...widgets.figure_view import StateTable
from .state import CascadeState

__all__ = ["CascadeRounds"]

OURS = ("Rounds", "Classified", "Right", "Right (%)")
PUBLISHED = ("As published: classified", "As published: right", "As published (%)")


class CascadeRounds(StateTable):
    """Who leaves in which round, "as published" beside ours."""

    state = param.ClassSelector(class_=CascadeState)
    caption, height = "Rows classified in different rounds", 140
    follows = ("cascade", "confidence", "cap", "rests")

    def _fill(self) -> None:
        rounds = self.state.rounds()
        # The paper's rounds are of its own 28 stages: beside others they mean nothing.
        stages = rounds[-1].last if rounds else 0
        published = PUBLISHED_ROUNDS if stages == 28 else ()
        rows = []
        for number, found in enumerate(rounds):
            share = 100 * found.n_right / found.n_rows if found.n_rows else 0.0
            cells: list[Any] = [found.title, found.n_rows, found.n_right]
            cells.append(round(share, 1) if found.n_rows else "")
            if published:
                classified, right = published[number]
                cells += [classified, right, round(100 * right / classified, 1)]
            rows.append(cells)
        columns = [*OURS, *(PUBLISHED if published else ())]
        numbers = [name != "Rounds" for name in columns]
        self._table.param.update(columns=columns, numbers=numbers, rows=rows)

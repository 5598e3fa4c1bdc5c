"""The answer in words, the path and the counterexample in tables."""

from __future__ import annotations

import param

from solvers.values.rounding import rounded

from ...widgets.figure_view import StateTable, TextView
from ...widgets.markup import summary_markup
from ...widgets.text import plain
from .state import SelectivityState
from .streams import PATH_POINTS
from .text import ALGORITHM_TITLES, answer_of, certificate_text


class SelectivitySummary(TextView):
    """The answer in one line, as a live region."""

    state = param.ClassSelector(class_=SelectivityState)
    follows = ("answer", "path")
    margin, min_height = (4, 10), 28

    def _markup(self) -> str:
        lead, rest = answer_of(self.state.answer, self.state.path)
        return summary_markup(rest, lead=lead)


class GapSummary(TextView):
    """Primal, dual and gap, one sentence each."""

    state = param.ClassSelector(class_=SelectivityState)
    follows = ("answer",)
    min_height = 150

    def _markup(self) -> str:
        said = certificate_text(self.state.answer)
        return "".join(f"<p>{plain(sentence)}</p>" for sentence in said)


class PathTable(StateTable):
    """Every answer along the selectivity."""

    state = param.ClassSelector(class_=SelectivityState)
    caption, height = "Table of the path", 280
    columns = (
        "μ",
        "μ / μ₀",
        "Zero",
        "Boundary",
        "Ridge",
        "Balanced accuracy (training)",
        "Balanced accuracy (validation)",
        "Criterion",
        "Relative gap",
    )
    numbers = (True,) * len(columns)
    follows = ("path",)

    def _fill(self) -> None:
        path = self.state.path
        if len(path) not in (0, PATH_POINTS):
            return  # a table that grows under the eye cannot be read
        self._table.rows = [
            [
                rounded(item.fit.mu, 4),
                rounded(item.share),
                *(item.counts[state] for state in ("zero", "boundary", "ridge")),
                *(round(item.scores[part], 3) for part in ("training", "validation")),
                float(f"{item.fit.objective:.6g}"),
                float(f"{max(item.fit.relative_gap, 0.0):.1e}"),
            ]
            for item in path
        ]


class CounterexampleTable(StateTable):
    """Every iteration of both algorithms on two rows."""

    state = param.ClassSelector(class_=SelectivityState)
    caption, height = "Iterations on the counterexample", 200
    columns = ("Algorithm", "Iteration", "a", "Criterion", "Gap")
    numbers = (False, True, True, True, True)
    follows = ("rows",)

    def _fill(self) -> None:
        self._table.rows = [
            [
                ALGORITHM_TITLES[item.algorithm],
                item.iteration,
                round(item.coef, 6),
                round(item.objective, 6),
                float(f"{item.gap:.2e}"),
            ]
            for item in self.state.rows
        ]

"""Tables to read, and figures that take a while: one click, with progress."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import panel as pn
import param
from panel.viewable import Viewer

from solvers.bayes import LearnedClassifier
from solvers.errors import counted
from solvers.values.rounding import fixed, number

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...widgets.figure_view import Alone, TextView
from ...widgets.markup import markup
from ...widgets.parts import wide_column, wide_row
from ...widgets.tables import plain_table, table_markup
from ...widgets.text import percent_text, plain
from .figures import Effort, compare, measure_efforts, scatter
from .log import TrimmingQuestion
from .scenes import ScatterView, ThresholdsView
from .state import TrimmingState

TABLE_6_COLUMNS = (
    "As published",
    "Features",
    "FS-SDD evaluations",
    "ECA-Trim evaluations",
    "FS-SDD (s)",
    "ECA-Trim (s)",
)


@dataclass(frozen=True)
class Table6Row:
    """A row of Table 6: naive Bayes, one third of the features, T = .1 to .9."""

    name: str  # The network
    n_features: int  # Its features
    seconds: tuple[str, str]  # Of FS-SDD and of ECA-Trim, as printed
    evaluations: tuple[int, int]


TABLE_6 = (
    Table6Row("bupa", 6, ("0.044", "0.026"), (21, 14)),
    Table6Row("pima", 8, ("0.056", "0.039"), (36, 45)),
    Table6Row("ident", 9, ("0.128", "0.097"), (129, 89)),
    Table6Row("anatomy", 12, ("2.252", "1.085"), (793, 283)),
    Table6Row("heart", 13, ("7.346", "2.234"), (1092, 209)),
    Table6Row("voting", 16, ("819.163", "407.571"), (6884, 3345)),
    Table6Row("hepatitis", 19, ("timeout", "4390.71"), (43795, 2208)),
)


class InstancesTable(Alone):
    """What the kept features can show (Table 4): joint states by falling posterior."""

    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = plain_table(290)
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
        columns = zip(
            table.states,
            table.posteriors,
            table.positives,
            table.negatives,
            strict=True,
        )
        rows = [
            [
                ", ".join(states) or "always",
                *(fixed(abs(value), 4) for value in (posterior, *decisions)),
                "+" if posterior >= best.threshold else "−",
            ]
            for states, posterior, *decisions in columns
        ]
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
            rows,
            [False, True, True, True, False],
            table.features,
        )
        network = self.state.log.question.original.network
        n_states = math.prod(network.cardinality(name) for name in table.features)
        n_never = n_states - len(rows)
        never = (
            f" {counted(n_never, 'other')} cannot occur: the network gives no chance "
            "to what they show together, so that they have no posterior."
        )
        self._text.object = plain(
            f"{counted(len(rows), 'instance')} that can occur, by falling posterior; "
            "the probabilities of a + and − decision are the original classifier's. "
            f"The cut lies at T' = {number(best.threshold)}."
            + (never if n_never else "")
        )


class PublishedTable(TextView):
    """What the paper says of an example, beside what its printed tables give."""

    state = param.ClassSelector(class_=TrimmingState)
    follows = ("opened",)

    def _empty_pane(self) -> pn.pane.HTML:
        return plain_table(190)

    def _markup(self) -> str:
        opened = self.state.opened
        rows = () if opened is None else opened.published
        return table_markup(
            "As published, and from the printed tables",
            ["Of this example", "As published", "Printed tables give"],
            [[row.what, row.published, fixed(row.computed, 4)] for row in rows],
            [False, True, True],
        )


class EffortsTable(Viewer):
    """Evaluations and time of each search, beside exhaustive search (Table 6)."""

    result = param.List(default=[], item_type=Effort, doc="Those measured so far.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table, self._published = plain_table(190), plain_table(270)
        self._published.object = table_markup(
            "Table 6 as published",
            TABLE_6_COLUMNS,
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
        about = markup(
            "<p>Table 6 as published: other networks (naive Bayes), the authors' "
            "code and machine; T = .1 to .9, B a third of the features.</p>"
        )
        return wide_column(self._table, self._text, about, self._published)

    def _fill(self) -> None:
        if not self.result:
            return
        by_method: dict[str, list[Effort]] = {}
        for effort in self.result:
            by_method.setdefault(effort.method, []).append(effort)
        self._table.object = table_markup(
            "Table of evaluations and time",
            ["Search", "Evaluations", "Time (ms)", "Agreement"],
            [_means(method, efforts) for method, efforts in by_method.items()],
            [False, True, True, True],
        )
        thresholds = len({effort.threshold for effort in self.result})
        self._text.object = plain(
            f"Means over {thresholds} thresholds T = .1, .2, ... on this network and "
            "budget. Time has the table of decisions in it, measured once on this "
            "machine."
        )


def _means(method: str, efforts: Sequence[Effort]) -> list[Any]:
    counts = [one.evaluations for one in efforts if one.evaluations is not None]
    if len(counts) < len(efforts):
        return [method, "too many sets", "", ""]
    milliseconds = 1000 * float(np.mean([one.seconds for one in efforts]))
    agreement = float(np.mean([one.agreement for one in efforts]))
    mean = float(np.mean(counts))
    return [method, number(mean), number(milliseconds), percent_text(agreement)]


Work = Callable[
    [TrimmingQuestion, LearnedClassifier | None], Iterator[tuple[float, Any]]
]


class FigurePart(OnDemandPart):
    """A figure with the button that computes it.

    `work`: takes question and rows; yields shares and partial results.
    `gathers`: whether results are gathered in a list, or the last one counts.
    """

    def __init__(
        self,
        context: Context,
        state: TrimmingState,
        *,
        title: str,
        label: str,
        view: Any,
        work: Work,
        gathers: bool,
        **params: Any,
    ) -> None:
        self.title, self.label, self.doing = title, label, label
        super().__init__(context, **params)
        self._state, self._work, self._gathers = state, work, gathers
        self.view = view
        # Hidden while it is empty: a frame of nothing says less than the button.
        self.result.objects = [view]
        self._of: TrimmingQuestion | None = None
        self._note = markup("<p>Not computed yet.</p>", min_height=24)
        state.param.watch(lambda *_: self._date(), "log")

    def controls(self) -> Any:
        """Return the button, and what the figure was computed for."""
        return wide_row(self.start, self._note)

    def compute(self) -> None:
        """Compute the figure for what is asked now."""
        question = self._state.question()
        if question is None:
            return
        learned, found = self._state.opened.learned, []

        def arrived(items: list[tuple[float, Any]]) -> None:
            self.job.progress = items[-1][0]
            found.extend(result for _, result in items if result is not None)
            if found:
                self._of = question
                self.view.result = list(found) if self._gathers else found[-1]
                self.result.visible = True
                self._date()

        self.job.submit(lambda: self._work(question, learned), arrived)

    def _date(self) -> None:
        """Say what the figure was computed for, and whether that is still asked."""
        if self._of is None:
            return
        log, of = self._state.log, self._of
        now = log.question if log is not None else of
        is_old = of.original is not now.original or (
            (of.threshold, of.budget) != (now.threshold, now.budget)
        )
        old = " An earlier question: compute again." if is_old else ""
        self._note.object = plain(
            f"At T = {number(of.threshold)}, B = {number(of.budget)}.{old}"
        )


def figure_parts(context: Context, state: TrimmingState) -> dict[str, FigurePart]:
    """Return the figures that are computed on demand, by name."""
    return {
        "scatter": FigurePart(
            context,
            state,
            title="Does agreeing mean being accurate? (Fig. 5)",
            label="Score every affordable set",
            view=ScatterView(dark=context.session.param.dark),
            work=scatter,
            gathers=False,
        ),
        "thresholds": FigurePart(
            context,
            state,
            title="Against FS-SDD and information gain (Fig. 7)",
            label="Compare over thresholds",
            view=ThresholdsView(dark=context.session.param.dark),
            work=lambda question, _: compare(question),
            gathers=True,
        ),
        "efforts": FigurePart(
            context,
            state,
            title="How much is searched (Table 6)",
            label="Measure against exhaustive search",
            view=EffortsTable(),
            work=lambda question, _: measure_efforts(question),
            gathers=True,
        ),
    }

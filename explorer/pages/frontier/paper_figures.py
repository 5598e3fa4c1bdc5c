"""The figures of the ACAFH paper: computed here when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import panel_material_ui as pmui

from solvers.papers.figures import all_figures

from ...compute.shared import SharedRows
from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...widgets.controls import bind, choice
from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import counted, plain
from .paper_figure import PaperFigureView
from .paper_state import PaperFiguresState

ABOUT = (
    "Figures 2 to 10 of the paper on ACAFH (Li et al., 2019), measured again on this "
    "machine, most of them at smaller sizes. Each takes from a second to a minute."
)
# No larger than the heading of the part.
HEADING = '<h3 style="font-size: 1rem; margin: 0.3rem 0">'
# Below each other on a narrow window.
SIDE_BY_SIDE = (
    "display: grid; gap: 0 2rem; "
    "grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr))"
)
WIDE = {"sizing_mode": "stretch_width"}
TABLE_HEIGHT = 260
# Rows of figures by their names: no choice of a person's changes them.
MEASURED = SharedRows()


class PaperFiguresPart(OnDemandPart):
    """A choice of figures, and what the chosen one claims and shows.

    Nothing is computed or drawn until it is asked for.
    """

    title = "Figures of the paper"
    label = "Compute it here"
    doing = "Measuring"

    def __init__(self, context: Context, **params: Any) -> None:
        super().__init__(context, **params)
        self.state = PaperFiguresState()
        self.about.object = f"<p>{ABOUT}</p>"
        self._text = markup("")
        self._rows = wide_column(visible=False)
        self._view: PaperFigureView | None = None
        self._table: DataTable | None = None
        self._pictures: Any = None
        self._tabled = ""
        watch = self.state.param.watch
        watch(lambda *_: self._leave(), "figure")
        watch(lambda event: self._asked(is_asked=event.new), "is_figure_asked")
        watch(lambda *_: self._show(), ["figure", "rows", "finished"])
        self.job.param.watch(lambda *_: self._show(), "busy")
        self._show()

    def __panel__(self) -> Any:
        return wide_column(super().__panel__(), self._text, self._rows)

    def controls(self) -> Any:
        """Return the choice of a figure above the button."""
        titles = {figure.title: name for name, figure in all_figures().items()}
        return wide_column(choice(self.state, "figure", "Figure", titles), self.start)

    def _leave(self) -> None:
        self.job.cancel()
        self.state.is_figure_asked = False

    def _asked(self, *, is_asked: bool) -> None:
        """Compute what a link asks for, unless it is there or on its way."""
        is_there = self.state.figure in self.state.finished
        if is_asked and not is_there and not self.job.busy:
            self.compute()

    def compute(self) -> None:
        """Compute the chosen figure, from its first row on.

        What this server has measured for anybody is shown; asked again, it measures.
        """
        self._build()
        name, measure = self.state.figure, self.state.about.rows
        is_again = name in self.state.finished
        collect = self.state.collector()

        def rows() -> Iterator[Any]:
            return measure() if is_again else MEASURED.rows(name, measure)

        def arrived(items: list[Any]) -> None:
            self.job.progress = collect(items)

        self.job.submit(rows, arrived, lambda: self.state.finish(name))
        self.state.is_figure_asked = True  # so says a link to the page

    # ------------------------------------------------------------------------- showing

    def _show(self) -> None:
        about = self.state.about
        self._text.object = (
            f'<div style="{SIDE_BY_SIDE}"><div>{HEADING}As published</h3>'
            f"<p>{plain(about.published)}</p><p>{plain(about.sizes)}</p></div>"
            f"<div>{HEADING}What we measure</h3>{self._measured()}</div></div>"
        )
        self.result.visible = self._rows.visible = bool(self.state.found)
        if self.state.found:
            self._fill()

    def _measured(self) -> str:
        state = self.state
        said = state.measured()
        if said:
            return (
                "<ul>" + "".join(f"<li>{plain(line)}</li>" for line in said) + "</ul>"
            )
        if state.found:
            return f"<p>{counted(len(state.found), 'row')} so far; not complete.</p>"
        return "<p>Not computed yet.</p>"

    def _build(self) -> None:
        """Make what shows a result, once somebody has asked for one."""
        if self._view is not None:
            return
        dark = self.context.session.param.dark
        self._view = PaperFigureView(state=self.state, dark=dark)
        self._table = DataTable(
            caption="Rows of the figure", height=TABLE_HEIGHT, dark=dark, **WIDE
        )
        self._pictures = pmui.Select(
            label="Picture", options=self.state.titles(), margin=(4, 12), **WIDE
        )
        bind(
            self._pictures,
            self.state,
            "picture",
            shown=self._first_if_unknown,
            stored=lambda title: title or "",  # None while the options change
        )
        self.result.objects = [self._pictures, self._view]
        self._rows.objects = [self._table]

    def _first_if_unknown(self, title: str) -> str:
        titles = self.state.titles()
        return title if title in titles or not titles else titles[0]

    def _fill(self) -> None:
        titles = self.state.titles()
        if titles != self._pictures.options:
            title = self._first_if_unknown(self.state.picture)
            self._pictures.param.update(options=titles, value=title)
        name, is_settled = self.state.figure, not self.job.busy
        if is_settled or name != self._tabled:
            columns, numbers, rows = self.state.table()
            # A table that grows under the eye cannot be read.
            rows = rows if is_settled else []
            self._table.param.update(columns=columns, numbers=numbers, rows=rows)
            self._tabled = name

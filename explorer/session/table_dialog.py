"""The dialog in which a person says what the columns of a table of theirs are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import panel_material_ui as pmui

from solvers import Dataset
from solvers.datasets import TablePreview, usual_positive
from solvers.rounding import rounded

from ..compute.jobs import READ_SECONDS
from ..compute.sandbox import sandboxed
from ..document.reading import Reading
from ..document.table_use import TableUse
from ..widgets.controls import button
from ..widgets.data_table import DataTable
from ..widgets.markup import markup
from ..widgets.parts import wide_column, wide_row
from ..widgets.upload_dialog import UploadDialog, file_input, unit_input
from .column_editor import ColumnEditor
from .context import Context
from .data_dialog import COST_FORMATS, TABLE_FORMATS
from .own_files import MAX_BYTES, OpenedTable, opened_table, read_again
from .problem import ProblemState

__all__ = ["TableDialog"]

PRICES = {
    "by the drawing; refuse names that disagree": ("drawing", "refuse"),
    "by the drawing; columns without a feature are free": ("drawing", "free"),
    "by the drawing; leave out columns without a feature": ("drawing", "drop"),
    "by a file of costs, one a column": ("costs", "free"),
    "each column costs 1": ("ones", "refuse"),
}
ALIKE = ""  # No class is positive; no label is empty
NO_LABEL = "No column of the table is its label; choose one of 2 to 50 distinct values."


class TableDialog(UploadDialog):
    """Upload, the table of its columns, and what they cost.

    `problem`: where the table is opened; it stays as it is when something is refused.
    """

    title = "A table of your own"

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(context.job(), **params)
        self._context, self._problem = context, problem
        self._opened: OpenedTable | None = None
        self._build_widgets()
        self._dialog.objects = [self._body()]

    def open(self) -> None:
        """Show the dialog."""
        self._table.clear()
        self._costs.clear()
        super().open()

    # ------------------------------------------------------------------------ building

    def _build_widgets(self) -> None:
        wide = {"sizing_mode": "stretch_width", "margin": 8}
        dark = self._context.session.param.dark
        self._table = file_input(f"Table ({TABLE_FORMATS})", MAX_BYTES)
        self._costs = file_input(f"Costs ({COST_FORMATS})", MAX_BYTES, visible=False)
        self._unit = unit_input(visible=False)
        self._sheet = pmui.Select(label="Sheet", options=[], visible=False, **wide)
        self._label = pmui.Select(label="Label column", options=[], **wide)
        self._positive = pmui.Select(label="Positive class", options=[], **wide)
        self._prices = pmui.Select(
            label="Columns are priced",
            options=list(PRICES),
            value=[*PRICES][-1],
            **wide,
        )
        self._editor = ColumnEditor(
            self.job,
            lambda use, _: self._replan(use),
            "Columns of the table",
            dark=dark,
        )
        self._counts = markup("")
        self._head = DataTable(
            prose=True,
            caption="First rows of the table",
            visible=False,
            dark=dark,
            sizing_mode="stretch_width",
        )
        self._table.param.watch(lambda _: self._look(None), "value")
        self._sheet.param.watch(lambda event: self._turn_to(event.new), "value")
        self._label.param.watch(lambda event: self._name_label(event.new), "value")
        self._prices.param.watch(lambda _: self._offer_costs(), "value")

    def _body(self) -> Any:
        self._mapping = wide_column(
            self._sheet,
            wide_row(self._label, self._positive),
            self._editor.view,
            self._prices,
            self._costs,
            self._unit,
            button("Open this table", self._open, variant="contained"),
            visible=False,
        )
        return wide_column(
            *self._status(),
            markup(
                "<p>One row a sample, one column a feature, and a column of labels.</p>"
            ),
            self._table,
            self._counts,
            self._head,
            self._mapping,
        )

    # ------------------------------------------------------------------------ reacting

    def _look(self, sheet: str | None) -> None:
        """Read the table that has arrived, and plan its columns."""
        content = self._table.value
        self._mapping.visible = self._head.visible = False
        self._counts.object = ""
        if content is None:
            return

        def arrived(found: list[OpenedTable | TablePreview | float]) -> None:
            for step in found:
                if isinstance(step, OpenedTable):
                    self._show(step)
                elif isinstance(step, TablePreview):
                    self._show_head(step)
                else:
                    self.job.progress = step

        self.job.submit(
            lambda: sandboxed(opened_table, content, sheet),
            arrived,
            seconds=READ_SECONDS,
        )

    def _turn_to(self, sheet: str | None) -> None:
        if self._mapping.visible and sheet:
            self._look(sheet)

    def _show_head(self, preview: TablePreview) -> None:
        """Show the first rows of a large table while the others are read."""
        names = preview.columns
        n_all = rounded(preview.n_rows + preview.n_more)
        self._counts.object = (
            f"<p>About {n_all:,.0f} rows, {len(names)} columns; "
            "these are the first.</p>"
        )
        self._head.param.update(
            columns=[column.name for column in names],
            numbers=[False] * len(names),
            rows=[list(row) for row in preview.first_rows],
            visible=True,
        )

    def _show(self, opened: OpenedTable) -> None:
        self._opened, preview = opened, opened.preview
        self._head.visible = False
        self._sheet.param.update(
            options=list(opened.sheets),
            value=opened.sheet,
            visible=len(opened.sheets) > 1,
        )
        labels = [column.name for column in preview.columns if column.classes]
        self._counts.object = (
            f"<p>{preview.n_rows:,} rows, {len(preview.columns)} columns.</p>"
        )
        suggested = preview.suggested_label
        label = suggested if suggested in labels else next(reversed(labels), None)
        use = TableUse({label: "label"} if label else {})
        # The label is named to the planned columns first: naming it again is no change.
        self._editor.use = use
        self._label.param.update(options=labels, value=label)
        self._replan(use)

    def _replan(self, use: TableUse) -> None:
        if self._opened is not None:
            self._editor.plan(self._opened.file, use, self._planned)

    def _planned(self) -> None:
        """Follow what was planned: another label may have been named in the table."""
        self._mapping.visible = True
        if self._editor.use.label in self._label.options:
            self._label.value = self._editor.use.label
        self._offer_classes()

    def _name_label(self, name: str | None) -> None:
        use = self._editor.use
        if name and name != use.label:
            self._replan(use.changed(name, "role", "label"))

    def _offer_classes(self) -> None:
        if self._opened is None:
            return
        label = self._editor.use.label
        found = [c for c in self._opened.preview.columns if c.name == label]
        counts = dict(found[0].classes) if found else {}
        shown = {f"{value} ({count} rows)": value for value, count in counts.items()}
        if len(counts) != 2:
            shown = {"none: the mean over all": ALIKE} | shown
        if shown != self._positive.options:
            # Of more classes than two each counts as much as the others.
            usual = usual_positive(counts) if len(counts) == 2 else ALIKE
            self._positive.param.update(options=shown, value=usual)

    def _offer_costs(self) -> None:
        by_file = PRICES[self._prices.value][0] == "costs"
        self._costs.visible = self._unit.visible = by_file

    def _open(self) -> None:
        if self._opened is None:
            return
        said = self._positive.value
        use = replace(self._editor.use, positive=None if said == ALIKE else said)
        if not use.label:
            self.job.message = NO_LABEL
            return
        filename = _shown_name(self._table.filename)
        reading = Reading(self._opened.file, use, self._costs_told(), filename)

        def opened(dataset: Dataset) -> None:
            self._problem.open_dataset(dataset, reading.origin(dataset), reading)

        self._read(lambda: sandboxed(read_again, reading), opened)

    def _costs_told(self) -> dict[str, Any]:
        by, missing = PRICES[self._prices.value]
        told: dict[str, Any] = {"missing": missing}
        if by == "drawing":
            told["hypergraph"] = self._problem.editor.drawing.hypergraph
        if by == "costs" and self._costs.value:
            told["costs"] = self._costs.value
            told["unit"] = (self._unit.value_input or "").strip() or None
        return told


def _shown_name(filename: Any) -> str:
    """Return the name of a file, short enough to be shown."""
    name = "".join(filter(str.isprintable, str(filename or ""))) or "table.csv"
    stem, dot, ending = name.rpartition(".")
    return f"{stem[:60]}{dot}{ending[:10]}" if dot else name[:60]

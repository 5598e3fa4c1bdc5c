"""The one dialog in which data is opened: bundled, or a table of a person's own.

A file, then what its columns are, what is looked for, what columns cost, and open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvers import Dataset
from solvers.datasets import TablePreview, all_datasets, usual_positive
from solvers.errors import ThriftscopeError, counted, shown
from solvers.values import USUAL_MARKS, FileMarks
from solvers.values.rounding import rounded

from ..compute.jobs import READ_SECONDS
from ..compute.sandbox import sandboxed
from ..document.reading import Reading, TableUse
from ..widgets.controls import button
from ..widgets.markup import markup
from ..widgets.parts import wide_column, wide_row, wrapping_row
from ..widgets.tables import DataTable
from ..widgets.text import plain
from ..widgets.ui import pmui
from ..widgets.upload_dialog import UploadDialog, file_input
from .columns import MARK_FIELDS, ColumnEditor
from .context import Context
from .own_files import MAX_BYTES, OpenedTable, opened_table, read_again
from .price_choice import PriceChoice
from .state import bundled

TABLE_FORMATS = "CSV, TSV, Excel, Parquet, Feather, SVMlight or npz"
FIRST_LINES = {"names the columns": True, "is a row as others": False}
DECIMALS = {"as the columns tell": "", "a point: 1.5": ".", "a comma: 1,5": ","}
ORDERS = {
    "as the dates tell": "",
    "day, month, year": "dmy",
    "month, day, year": "mdy",
}
USUAL_GAPS = "; ".join(filter(None, USUAL_MARKS.gaps))
ALIKE = ""  # No class is positive; no label is empty
NO_LABEL = "No column of the table is its label; choose one of 2 to 50 distinct values."
N_NAMED = 3  # Of columns that are no label
NOT_YET = "No table is read yet; choose one, or wait until its columns are shown."
# It stays in view however long the list of columns is.
_FOOT = {
    "position": "sticky",
    "bottom": "-8px",
    "padding-bottom": "8px",
    "z-index": "3",
    "background": "var(--mui-palette-background-paper, inherit)",
    "border-top": "1px solid var(--mui-palette-divider, #8884)",
}


class DataDialog(UploadDialog):
    """Bundled data sets; or upload, the table of its columns, and what they cost.

    `context`: the session; what is open stays as it is when something is refused.
    """

    title = "Data"
    width = "lg"

    def __init__(self, context: Context, **params: Any) -> None:
        super().__init__(context.job(), **params)
        self._context, self._problem = context, context.problem
        self._opened: OpenedTable | None = None

    def open(self) -> None:
        """Show the dialog."""
        if self._dialog.objects:
            self._table.clear()
            self._prices.clear()
        else:  # few pages ever ask for it
            self._build_widgets()
            self._dialog.objects = [self._body()]
        name = self._context.session.dataset.name
        if name in all_datasets():
            self._bundled.value = name
        super().open()

    # ------------------------------------------------------------------------ building

    def _build_widgets(self) -> None:
        wide = {"sizing_mode": "stretch_width", "margin": 8}
        dark = self._context.session.param.dark
        self._bundled = pmui.Select(
            label="Bundled data", options=list(all_datasets()), **wide
        )
        self._table = file_input("Choose a table", MAX_BYTES, self.job)
        self._sheet = pmui.Select(label="Sheet", options=[], visible=False, **wide)
        self._first_line = pmui.Select(
            label="The first line", options=FIRST_LINES, value=True, **wide
        )
        self._decimal = pmui.Select(
            label=MARK_FIELDS["decimal"], options=DECIMALS, value="", **wide
        )
        self._order = pmui.Select(
            label=MARK_FIELDS["order"], options=ORDERS, value="", **wide
        )
        self._gaps = pmui.TextInput(
            label="Words that mark a gap, apart by ;", value=USUAL_GAPS, **wide
        )
        self._label = pmui.Select(label="Label column", options=[], **wide)
        self._positive = pmui.Select(label="Positive class", options=[], **wide)
        self._asked = markup("", margin=(0, 10))
        self._prices = PriceChoice(
            self._context,
            lambda: self._problem.editor.drawing.hypergraph,
            lambda: self.job.param.update(message=""),
        )
        self._editor = ColumnEditor(
            self.job,
            lambda use, _: self._replan(use),
            "Columns of the table",
            dark=dark,
        )
        self._counts = markup("", margin=(0, 10))
        self._head = DataTable(
            prose=True,
            caption="First rows of the table",
            visible=False,
            dark=dark,
            sizing_mode="stretch_width",
        )
        self._use = button(
            "Open this table", self._open, variant="contained", disabled=True
        )
        self._table.param.watch(lambda _: self._arrive(), "value")
        self._sheet.param.watch(lambda event: self._turn_to(event.new), "value")
        for told in (self._first_line, self._decimal, self._order, self._gaps):
            told.param.watch(lambda _: self._turn_to(self._sheet.value), "value")
        self._label.param.watch(lambda event: self._name_label(event.new), "value")
        self._positive.param.watch(lambda _: self._ask_positive(), "value")

    def _body(self) -> Any:
        self._mapping = wide_column(
            self._editor.view,
            wrapping_row(self._label, self._positive),
            self._asked,
            self._prices,
            visible=False,
        )
        # How the file is written: seen as soon as there is one.
        fields = (self._first_line, self._decimal, self._order, self._gaps)
        self._written = wide_column(wrapping_row(self._sheet, *fields), visible=False)
        use_bundled = button("Open bundled data", self._use_bundled, margin=(14, 8))
        said, progress = self._status()
        return wide_column(
            wrapping_row(self._bundled, use_bundled),
            pmui.Divider(margin=8),
            markup(
                "<p>Or a table of your own: one row a sample, one column a feature, "
                f"and a column of labels; {TABLE_FORMATS}.</p>",
                margin=(0, 10),
            ),
            self._table,
            self._counts,
            self._written,
            self._head,
            self._mapping,
            wide_column(said, wide_row(self._use, progress), styles=_FOOT),
        )

    # ------------------------------------------------------------------------ reacting

    def _use_bundled(self) -> None:
        name = self._bundled.value
        self._read(lambda: iter([bundled(name)]), self._problem.open_dataset)

    def _arrive(self) -> None:
        """Read a new file as files are usually written."""
        self._written.visible = False  # so that setting these reads nothing
        self._opened = None
        self._sheet.param.update(options=[], value=None, visible=False)
        self._first_line.param.update(value=True, visible=True)
        self._decimal.value = self._order.value = ""
        self._gaps.value = USUAL_GAPS
        self._look(None)

    def _look(self, sheet: str | None) -> None:
        """Read the table that has arrived, and plan its columns."""
        content, has_header = self._table.value, self._first_line.value
        self._mapping.visible = self._head.visible = False
        self._counts.object = ""
        if content is None:
            self._use.disabled = True
            return

        def arrived(found: list[OpenedTable | TablePreview | float]) -> None:
            for step in found:
                if isinstance(step, OpenedTable):
                    self._show(step)
                elif isinstance(step, TablePreview):
                    self._show_head(step)
                else:
                    self.job.progress = step

        # Of what cannot be read so, a person may say how it is written.
        self._written.visible = True
        words = [word.strip() for word in self._gaps.value.split(";")]
        marks = FileMarks(tuple(words), self._decimal.value, self._order.value)
        self.job.submit(
            lambda: sandboxed(opened_table, content, sheet, has_header, marks),
            arrived,
            seconds=READ_SECONDS,
        )

    def _turn_to(self, sheet: str | None) -> None:
        if self._table.value is not None and self._written.visible:
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
        before, self._opened, preview = self._opened, opened, opened.preview
        self._head.visible = False
        self._written.visible = False  # so that naming the sheet reads nothing
        self._sheet.param.update(
            options=list(opened.sheets),
            value=opened.sheet,
            visible=len(opened.sheets) > 1,
        )
        self._written.visible = True
        self._first_line.visible = opened.file.is_text  # others tell it themselves
        labels = [column.name for column in preview.columns if column.classes]
        n_rows, n_columns = preview.n_rows, len(preview.columns)
        rows = "1 row" if n_rows == 1 else f"{n_rows:,} rows"
        told = f"{rows}, {counted(n_columns, 'column')}."
        self._counts.object = f"<p>{plain(' '.join([told, *opened.file.notes]))}</p>"
        suggested = preview.suggested_label
        label = suggested if suggested in labels else next(reversed(labels), None)
        if before is None or {*before.file.columns} != {*opened.file.columns}:
            use = TableUse({label: "label"} if label else {})
        else:  # read in another way: what was said of columns stays
            use = self._editor.use
            label = use.label if use.label in labels else None
        # The label is named to the planned columns first: naming it again is no change.
        self._editor.use = use
        self._label.param.update(options=labels, value=label)
        self._replan(use)

    def _no_label(self) -> str:
        """Say that nothing is a label, and of some columns why."""
        columns = self._opened.preview.columns if self._opened else ()
        if any(column.classes for column in columns):
            return NO_LABEL
        nearest = sorted(columns, key=lambda column: column.n_distinct)[:N_NAMED]
        held = ", ".join(f"{shown(one.name)} has {one.n_distinct:,}" for one in nearest)
        return (
            "No column of the table can be its label, which has 2 to 50 distinct "
            f"values: {held}. Add one, or join classes."
        )

    def _replan(self, use: TableUse) -> None:
        if self._opened is not None:
            self._editor.plan(self._opened.file, use, self._planned)

    def _planned(self) -> None:
        """Follow what was planned: another label may have been named in the table."""
        features = self._editor.view.features
        if self._mapping.visible:
            self._prices.follow(features, self._editor.view.plans)
        else:
            self._prices.begin(features, self._editor.view.plans)
        self._mapping.visible = True
        # Not so while another table is read: a browser that misses a change that is
        # taken back at once would keep it so.
        self._use.disabled = False
        if self.job.message == NOT_YET:
            self.job.message = ""
        if self._editor.use.label in self._label.options:
            self._label.value = self._editor.use.label
        self._offer_classes()

    def _name_label(self, name: str | None) -> None:
        use = self._editor.use
        if name and name != use.label:
            self._replan(use.changed(name, "role", "label"))

    def _offer_classes(self) -> None:
        counts = self._classes()
        shown = {f"{value} ({count} rows)": value for value, count in counts.items()}
        if len(counts) != 2:
            shown = {"none: the mean over all": ALIKE} | shown
        if shown != self._positive.options:
            # Of more classes than two each counts as much as the others.
            usual = usual_positive(counts) if len(counts) == 2 else ALIKE
            self._positive.param.update(options=shown, value=usual)
        self._ask_positive()

    def _classes(self) -> dict[str, int]:
        """Return the rows of each class of the label that is named."""
        if self._opened is None:
            return {}
        label = self._editor.use.label
        found = [c for c in self._opened.preview.columns if c.name == label]
        return dict(found[0].classes) if found else {}

    def _ask_positive(self) -> None:
        """Ask whether it is what a person looks for; only they know."""
        counts, said = self._classes(), self._positive.value
        if len(counts) != 2 or said not in counts:
            told = "" if self._label.options else f"<p>{plain(self._no_label())}</p>"
            self._asked.object = told
            return
        other = next(name for name in counts if name != said)
        is_rarer = counts[said] < counts[other]
        which = f"“{said}”{', the rarer of two,' if is_rarer else ''}"
        words = f"{which} is what is looked for; choose “{other}” if that is."
        self._asked.object = f"<p>{plain(words)}</p>"

    def _open(self) -> None:
        if self._opened is None or not self._mapping.visible:
            self.job.message = self.job.message or NOT_YET
            return
        said = self._positive.value
        use = replace(self._editor.use, positive=None if said == ALIKE else said)
        if not use.label:
            self.job.message = self._no_label()
            return
        try:
            priced = self._prices.told()
        except ThriftscopeError as error:
            self.job.message = str(error)
            return
        reading = Reading(
            self._opened.file,
            use,
            priced.options,
            _shown_name(self._table.filename),
            self._opened.options,
        )

        def opened(dataset: Dataset) -> None:
            noted = replace(dataset, notes=(*dataset.notes, *priced.notes))
            self._problem.open_dataset(noted, reading.origin(noted), reading)

        self._read(lambda: sandboxed(read_again, reading), opened)


def _shown_name(filename: Any) -> str:
    """Return the name of a file, short enough to be shown."""
    name = "".join(filter(str.isprintable, str(filename or ""))) or "table.csv"
    stem, dot, ending = name.rpartition(".")
    return f"{stem[:60]}{dot}{ending[:10]}" if dot else name[:60]

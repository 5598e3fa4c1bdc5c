"""The dialog in which a person says what the columns of a table of theirs are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import panel as pn
import panel_material_ui as pmui

from solvers import Dataset, preview_table, read_table
from solvers.datasets import TablePreview
from solvers.errors import DataError

from ...compute.jobs import READ_SECONDS
from ...session.context import Context
from ...session.data_dialog import MAX_BYTES, refuse_unlearnable
from ...session.problem import ProblemState
from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.upload_dialog import UploadDialog, file_input

__all__ = ["TableDialog"]

PRICES = {
    "by the drawing; refuse names that disagree": ("drawing", "refuse"),
    "by the drawing; columns without a feature are free": ("drawing", "free"),
    "by the drawing; leave out columns without a feature": ("drawing", "drop"),
    "by a file of costs, one a column": ("costs", "free"),
    "each column costs 1": ("ones", "refuse"),
}


class TableDialog(UploadDialog):
    """Upload, preview and column mapping.

    `problem`: where the table is opened; it stays as it is when something is refused.
    """

    title = "A table of your own"

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(context.job(), **params)
        self._context, self._problem = context, problem
        self._preview: TablePreview | None = None
        self._build_widgets()
        self._dialog.objects = [self._body()]

    def open(self) -> None:
        """Show the dialog."""
        self._columns.use_theme(dark=self._context.session.dark)
        self._table.clear()
        self._costs.clear()
        super().open()

    # ------------------------------------------------------------------------ building

    def _build_widgets(self) -> None:
        wide = {"sizing_mode": "stretch_width", "margin": 8}
        self._table = file_input("Table (CSV or Parquet)", MAX_BYTES)
        self._costs = file_input(
            "Costs (CSV with feature and cost_us)", MAX_BYTES, visible=False
        )
        self._label = pmui.Select(label="Label column", options=[], **wide)
        self._positive = pmui.Select(label="Positive class", options=[], **wide)
        self._leave_out = pmui.MultiChoice(label="Leave out", options=[], **wide)
        self._free = pmui.MultiChoice(
            label="Always there, at no cost", options=[], **wide
        )
        self._prices = pmui.Select(
            label="Columns are priced",
            options=list(PRICES),
            value=[*PRICES][-1],
            **wide,
        )
        self._columns = DataTable(
            caption="Columns of the table", height=220, sizing_mode="stretch_width"
        )
        self._counts = markup("")
        self._table.param.watch(lambda _: self._look(), "value")
        self._label.param.watch(lambda _: self._offer_classes(), "value")
        self._prices.param.watch(lambda _: self._offer_costs(), "value")

    def _body(self) -> Any:
        self._mapping = pn.Column(
            self._counts,
            self._columns,
            pn.Row(self._label, self._positive, sizing_mode="stretch_width"),
            pn.Row(self._leave_out, self._free, sizing_mode="stretch_width"),
            self._prices,
            self._costs,
            pmui.Button(
                label="Open this table", margin=8, on_click=lambda _: self._open()
            ),
            sizing_mode="stretch_width",
            visible=False,
        )
        return pn.Column(
            *self._status(),
            markup(
                "<p>One row a sample, one column a feature, and a column of labels.</p>"
            ),
            self._table,
            self._mapping,
            sizing_mode="stretch_width",
        )

    # ------------------------------------------------------------------------ reacting

    def _look(self) -> None:
        content = self._table.value
        self._mapping.visible = False
        if content is not None:
            self.job.submit(
                lambda: iter([preview_table(content, max_bytes=MAX_BYTES)]),
                lambda found: self._show(found[-1]),
                seconds=READ_SECONDS,
            )

    def _show(self, preview: TablePreview) -> None:
        self._preview = preview
        names = [column.name for column in preview.columns]
        labels = [column.name for column in preview.columns if column.classes]
        self._counts.object = f"<p>{preview.n_rows} rows, {len(names)} columns.</p>"
        first = list(zip(*preview.first_rows, strict=True)) or [()] * len(names)
        self._columns.param.update(
            columns=["Column", "Holds", "Missing", "Distinct", "First values"],
            numbers=[False, False, True, True, False],
            rows=[
                [c.name, c.kind, c.n_missing, c.n_distinct, ", ".join(cells[:3])]
                for c, cells in zip(preview.columns, first, strict=True)
            ],
        )
        suggested = preview.suggested_label
        self._label.param.update(
            options=labels,
            value=suggested if suggested in labels else next(iter(labels), None),
        )
        self._leave_out.param.update(options=names, value=[])
        self._free.param.update(options=names, value=[])
        self._mapping.visible = True
        self._offer_classes()

    def _offer_classes(self) -> None:
        if self._preview is None:
            return
        found = [c for c in self._preview.columns if c.name == self._label.value]
        counts = dict(found[0].classes) if found else {}
        shown = {f"{value} ({count} rows)": value for value, count in counts.items()}
        # The second of two counts as positive where nobody says otherwise.
        self._positive.param.update(
            options=shown, value=sorted(counts)[1] if len(counts) > 1 else None
        )

    def _offer_costs(self) -> None:
        self._costs.visible = PRICES[self._prices.value][0] == "costs"

    def _open(self) -> None:
        table, name = self._table.value, self._table.filename
        options = self._options()

        def read() -> Iterator[Dataset]:
            if not options["label"]:
                raise DataError(
                    "No column of the table can be a label; give one with 2 to 100 "
                    "distinct values."
                )
            dataset = read_table(
                table, name=_stem(name), max_bytes=MAX_BYTES, **options
            )
            refuse_unlearnable(dataset)
            yield dataset

        self._read(read, self._problem.open_dataset)

    def _options(self) -> dict[str, Any]:
        by, missing = PRICES[self._prices.value]
        options = {
            "label": self._label.value,
            "positive": self._positive.value,
            "leave_out": list(self._leave_out.value or []),
            "free": list(self._free.value or []),
            "missing": missing,
        }
        if by == "drawing":
            options["hypergraph"] = self._problem.editor.drawing.hypergraph
        if by == "costs" and self._costs.value:
            options["costs"] = self._costs.value
        return options


def _stem(filename: Any) -> str | None:
    name = filename if isinstance(filename, str) else None
    return name.rsplit(".", 1)[0][:60] or None if name else None

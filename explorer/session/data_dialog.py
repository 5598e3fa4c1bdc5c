"""The dialog in which a person picks bundled data or brings a table of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import panel_material_ui as pmui

from solvers import Dataset
from solvers.datasets import all_datasets

from ..compute.jobs import READ_SECONDS
from ..compute.sandbox import sandboxed
from ..widgets.controls import button
from ..widgets.markup import markup
from ..widgets.parts import wide_column, wide_row
from ..widgets.upload_dialog import UploadDialog, file_input, unit_input
from .context import Context
from .own_files import MAX_BYTES, TableRequest, previewed_table, read_own_table
from .state import bundled

__all__ = ["COST_FORMATS", "TABLE_FORMATS", "DataDialog"]

# What is read, as dialogs name it.
TABLE_FORMATS = "CSV, TSV, Excel, Parquet, Feather, SVMlight or npz"
COST_FORMATS = "CSV: a feature and its cost a line, also with groups"


class DataDialog(UploadDialog):
    """Bundled data sets, and upload of a table with or without a hypergraph.

    `context`: the session; its data set is replaced when a person says so, and stays as
    it is when something is refused.
    """

    title = "Data"

    def __init__(self, context: Context, **params: Any) -> None:
        super().__init__(context.job(), **params)
        self._context = context

    def open(self) -> None:
        """Show the dialog."""
        if not self._dialog.objects:  # few pages ever ask for it
            self._dialog.objects = [self._body()]
        name = self._context.session.dataset.name
        if name in all_datasets():
            self._bundled.value = name
        super().open()

    # ------------------------------------------------------------------------ building

    def _body(self) -> Any:
        self._bundled = pmui.Select(
            label="Bundled data",
            options=list(all_datasets()),
            sizing_mode="stretch_width",
        )
        self._table = file_input(f"Table ({TABLE_FORMATS})", MAX_BYTES)
        self._hypergraph = file_input(
            "Hypergraph (HIF JSON or incidence CSV), optional", MAX_BYTES
        )
        self._unit = unit_input(visible=False)
        self._hypergraph.param.watch(
            lambda event: self._unit.param.update(visible=event.new is not None),
            "value",
        )
        self._label = pmui.Select(
            label="Label column", options=[], disabled=True, sizing_mode="stretch_width"
        )
        self._table.param.watch(lambda *_: self._preview(), "value")
        use_bundled = button("Use bundled data", self._use_bundled, variant="contained")
        self._use = button(
            "Use this table", self._use_table, variant="contained", disabled=True
        )
        return wide_column(
            *self._status(),
            wide_row(self._bundled, use_bundled),
            pmui.Divider(margin=8),
            markup(
                "<p>Or a table of your own: one row a sample, one column a feature, "
                "and a column of labels. Without a hypergraph every feature costs one "
                "unit and nothing is shared.</p>",
                margin=(0, 10),
            ),
            self._table,
            self._label,
            self._hypergraph,
            self._unit,
            self._use,
        )

    # ------------------------------------------------------------------------ reacting

    def _use_bundled(self) -> None:
        name = self._bundled.value
        self._submit(lambda: iter([bundled(name)]), {})

    def _preview(self) -> None:
        """Offer the columns of the table that has arrived."""
        content = self._table.value
        self._use.disabled = self._label.disabled = True
        if content is None:
            return

        def arrived(previews: list[Any]) -> None:
            columns = [column.name for column in previews[-1].columns]
            suggested = previews[-1].suggested_label or columns[-1]
            self._label.param.update(options=columns, value=suggested, disabled=False)
            self._use.disabled = False

        self.job.submit(
            lambda: sandboxed(previewed_table, content), arrived, seconds=READ_SECONDS
        )

    def _use_table(self) -> None:
        if self._table.value is None:
            self.job.message = f"No table is chosen; choose a file in {TABLE_FORMATS}."
            return
        request = TableRequest(
            self._table.value,
            self._label.value,
            str(self._table.filename or "table.csv"),
            self._hypergraph.value,
            str(self._hypergraph.filename or ""),
            (self._unit.value_input or "").strip(),
        )
        origin = {"table_file": request.name, "label": request.label}
        if request.hypergraph:
            origin["hypergraph_file"] = request.hypergraph_name
        self._submit(lambda: sandboxed(read_own_table, request), origin)

    def _submit(
        self, read: Callable[[], Iterator[Dataset]], origin: dict[str, str]
    ) -> None:
        self._read(read, lambda dataset: self._context.session.open(dataset, origin))

"""The dialog in which a person picks bundled data or brings a table of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import panel as pn
import panel_material_ui as pmui
from scipy.sparse import issparse

from solvers import Dataset, split_dataset
from solvers.datasets import all_datasets, preview_table, read_table
from solvers.errors import DataError
from solvers.interchange import read_hypergraph

from ..compute.jobs import READ_SECONDS
from ..document.drawing import refuse_too_large
from ..widgets.markup import markup
from ..widgets.upload_dialog import UploadDialog, file_input
from .context import Context
from .state import bundled

__all__ = ["COST_FORMATS", "TABLE_FORMATS", "DataDialog", "refuse_unlearnable"]

# What is read, as dialogs name it.
TABLE_FORMATS = "CSV, TSV, Excel, Parquet, Feather, SVMlight or npz"
COST_FORMATS = "CSV: a feature and its cost a line, also with groups"

# What one upload may weigh; the server refuses larger messages as well.
MAX_MEGABYTES = 64
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024


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
        self._label = pmui.Select(
            label="Label column", options=[], disabled=True, sizing_mode="stretch_width"
        )
        self._table.param.watch(lambda *_: self._preview(), "value")
        use_bundled = pmui.Button(
            label="Use bundled data", on_click=lambda _: self._use_bundled(), margin=8
        )
        self._use = pmui.Button(
            label="Use this table",
            on_click=lambda _: self._use_table(),
            margin=8,
            disabled=True,
        )
        return pn.Column(
            *self._status(),
            pn.Row(self._bundled, use_bundled, sizing_mode="stretch_width"),
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
            self._use,
            sizing_mode="stretch_width",
        )

    # ------------------------------------------------------------------------ reacting

    def _use_bundled(self) -> None:
        name = self._bundled.value
        self._submit(lambda: bundled(name), {})

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
            lambda: iter([preview_table(content, max_bytes=MAX_BYTES)]),
            arrived,
            seconds=READ_SECONDS,
        )

    def _use_table(self) -> None:
        table, label = self._table.value, self._label.value
        hypergraph_file = self._hypergraph.value
        hypergraph_name = self._hypergraph.filename
        origin = {"table_file": self._table.filename, "label": label}

        def read() -> Dataset:
            if table is None:
                raise DataError(
                    f"No table is chosen; choose a file in {TABLE_FORMATS}."
                )
            if not hypergraph_file:
                return read_table(
                    table, label, name=origin["table_file"], max_bytes=MAX_BYTES
                )
            described = read_hypergraph(hypergraph_file, hypergraph_name)
            dataset = read_table(
                table,
                label,
                name=origin["table_file"],
                hypergraph=described.hypergraph,
                max_bytes=MAX_BYTES,
            )
            return replace(dataset, notes=(*dataset.notes, *described.notes))

        if hypergraph_file:
            origin["hypergraph_file"] = hypergraph_name
        self._submit(read, origin)

    def _submit(self, make: Callable[[], Dataset], origin: dict[str, str]) -> None:
        def work() -> Iterator[Dataset]:
            dataset = make()
            refuse_unlearnable(dataset)
            yield dataset

        def use(dataset: Dataset) -> None:
            self._context.session.open(dataset, origin)

        self._read(work, use)


def refuse_unlearnable(dataset: Dataset) -> None:
    """Refuse a data set that cannot be drawn, or that no method could learn from."""
    refuse_too_large(dataset.hypergraph)
    if issparse(dataset.X):
        raise DataError(
            f"The {dataset.n_samples:,} rows are sparse, and too many to be written "
            "out; trace them in Python or by thriftscope run."
        )
    split_dataset(dataset)

"""A file that holds a hypergraph is read; a unit that it does not name is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from panel.viewable import Viewer

from solvers import HypergraphFile
from solvers.errors import ThriftscopeError

from ...compute.jobs import READ_SECONDS
from ...compute.sandbox import sandboxed
from ...session.context import Context
from ...session.own_files import MAX_BYTES, read_own_hypergraph
from ...session.problem import ProblemState
from ...widgets.controls import button
from ...widgets.message import Message
from ...widgets.parts import wide_column
from ...widgets.upload_dialog import file_input, unit_input

ASKED = (
    "The file does not say in which unit its costs are; name it before it is opened."
)


class HypergraphLoading(Viewer):
    """Where a file is chosen, what was refused, and the question for its unit.

    `opened`: called with a file once it is drawn.
    """

    def __init__(
        self,
        context: Context,
        problem: ProblemState,
        label: str,
        opened: Callable[[HypergraphFile], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._problem, self._opened = problem, opened
        self.job = context.job()
        self.notes = Message(kind="info")  # on what was opened
        self.file = file_input(label, MAX_BYTES, accept=".json,.csv")
        self.file.param.watch(lambda _: self._load(), "value")
        self._nameless: tuple[HypergraphFile, str] | None = None
        self.unit = unit_input("Their unit")
        self.ask = wide_column(
            Message(kind="info", text=ASKED),
            self.unit,
            button("Open in this unit", self.answer, variant="contained"),
            visible=False,
        )

    def __panel__(self) -> Any:
        return wide_column(
            self.file, Message(text=self.job.param.message), self.ask, self.notes
        )

    def _load(self) -> None:
        content, name = self.file.value, str(self.file.filename or "the file")
        if content is None:
            return
        unit = self._problem.editor.drawing.hypergraph.unit

        def arrived(found: list[HypergraphFile]) -> None:
            if found[-1].names_unit:
                self._open(found[-1], name)
            else:
                self._nameless, self.ask.visible = (found[-1], name), True

        self.notes.text, self.ask.visible = "", False
        self.job.submit(
            lambda: sandboxed(read_own_hypergraph, content, name, unit),
            arrived,
            seconds=READ_SECONDS,
        )

    def answer(self) -> None:
        """Open the file that names no unit in the one that a person says."""
        if self._nameless is None:
            return
        file, name = self._nameless
        try:
            said = file.with_unit((self.unit.value_input or "").strip())
        except ThriftscopeError as error:
            self.job.message = str(error)
            return
        self.job.message = ""
        self._open(said, name)

    def _open(self, file: HypergraphFile, name: str) -> None:
        if self._problem.open_file(file, name[:60]):
            self.ask.visible = False
            self.notes.text = " ".join(file.notes)
            self._opened(file)

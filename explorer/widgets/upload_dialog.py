"""The dialog in which a person brings files of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import param
from panel.viewable import Viewer

from ..compute.jobs import READ_SECONDS, Job
from .markup import Message
from .page_layout import from_first_shown, progress_row
from .ui import pmui


class UploadDialog(Viewer):
    """Files that a job reads; what is refused changes nothing and is told in words.

    A dialog that derives fills it with `_status` and its own inputs, and calls `_read`.
    """

    title: ClassVar[str]
    width: ClassVar[str] = "md"

    def __init__(self, job: Job, **params: Any) -> None:
        super().__init__(**params)
        self.job = job
        self._dialog = pmui.Dialog(
            title=self.title,
            title_variant="h2",
            show_close_button=True,
            close_on_click=True,
            sizing_mode="stretch_width",
            width_option=self.width,
            # In the dark it would be lighter than what lies in it.
            sx={"& .MuiDialog-paper": {"backgroundImage": "none"}},
        )

    def __panel__(self) -> Any:
        return from_first_shown(self._dialog, "open")

    def open(self) -> None:
        """Show the dialog, without what it said the last time."""
        self.job.message = ""
        self._dialog.open = True

    def close(self) -> None:
        """Hide the dialog; what was given to it stays."""
        self._dialog.open = False

    def _status(self) -> list[Any]:
        """Return what stands on top: what was refused, and how far reading is."""
        job = self.job.param
        return [Message(text=job.message), progress_row(self.job, "Reading")]

    def _read(
        self, read: Callable[[], Iterator[Any]], use: Callable[[Any], None]
    ) -> None:
        """Read in the background; then use what was read, and close."""

        def arrived(found: list[Any]) -> None:
            use(found[-1])
            self.close()

        self.job.submit(read, arrived, seconds=READ_SECONDS)


class FileInput(pmui.FileInput):
    """Where one file is chosen; the value of an empty one is empty too.

    Of such a file no byte is sent, and Panel would take it for none: what was said of
    the file before would stay beside its name.

    `told`: its `message` says why a browser does not send a file.
    """

    def __init__(self, told: param.Parameterized, **params: Any) -> None:
        super().__init__(**params)
        self._told = told

    def _handle_msg(self, msg: Any) -> None:
        if msg["status"] == "error":
            self._told.param.update(
                message=f"{str(msg['error'])[:300]}; choose another."
            )
        else:
            super()._handle_msg(msg)

    def _update_file(self, filename: Any, mime_type: Any, value: Any) -> None:
        super()._update_file(filename, mime_type, b"" if value is None else value)


def file_input(
    label: str, max_bytes: int, told: param.Parameterized, **options: Any
) -> FileInput:
    """Return where one file is chosen; `told` is as of `FileInput`."""
    look: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": 8} | options
    return FileInput(
        told,
        label=label,
        uploaded_label="{filename}",  # whether it can be read is said beside it
        variant="outlined",
        max_file_size=max_bytes,
        **look,
    )


def unit_input(
    label: str = "Unit, if the file names none", **options: Any
) -> pmui.TextInput:
    """Return where the unit of costs is said that a file does not name."""
    return pmui.TextInput(
        label=label,
        placeholder="such as us, ms or CAD",
        max_length=40,
        sizing_mode="stretch_width",
        margin=8,
        **options,
    )

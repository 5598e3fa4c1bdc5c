"""Files that come in pieces: what a page may have the server keep of them.

The browser refuses a file that is too large; whoever speaks to the server without one
could send pieces without end, under ever new names, or a number where bytes belong.
"""

from __future__ import annotations

from typing import Any

from panel_material_ui.widgets.input import _FileUploadArea

from .wrapped import wrap

# Of an input that says nothing of it.
MAX_BYTES = 64 * 1024 * 1024
MAX_NAME = 1000  # characters
_FIELDS = {"name": str, "mime_type": str, "chunk": int, "total_chunks": int}


def bound_uploads() -> None:
    """Let an input for one file keep one at a time, and no more of it than it may."""
    wrap(_FileUploadArea, "_process_chunk", _take_bounded)


def _take_bounded(take: Any, area: Any, message: dict[str, Any]) -> None:
    is_single = not getattr(area, "multiple", False)
    (_take_piece if is_single else take)(area, message)


def _take_piece(area: Any, message: dict[str, Any]) -> None:
    """Keep a piece; with the last one the file is whole."""
    pieces = _pieces_before(area, message)
    data = message.get("data")
    held = sum(map(len, pieces.values()))
    most = area.max_file_size or MAX_BYTES
    if not isinstance(data, bytes) or held + len(data) > most:
        area._file_buffer.clear()
        area._buffer.clear()
        raise ValueError(f"An upload may have {most} bytes.")
    pieces[message["chunk"]] = data
    if len(pieces) == message["total_chunks"]:
        area._buffer[:] = [
            {
                "value": b"".join(pieces[number] for number in sorted(pieces)),
                "filename": message["name"],
                "mime_type": message["mime_type"],
            }
        ]
        area._file_buffer.clear()


def _pieces_before(area: Any, message: dict[str, Any]) -> dict[int, bytes]:
    """Return the pieces of the same file that have come, or forget another's."""
    is_whole = all(type(message.get(key)) is of for key, of in _FIELDS.items())
    if not is_whole or len(message["name"]) > MAX_NAME:
        raise ValueError("This is no piece of a file.")
    name, n_chunks = message["name"], message["total_chunks"]
    if not 1 <= message["chunk"] <= n_chunks <= MAX_BYTES:
        raise ValueError("A piece of a file has a number beyond that of the last.")
    if (name, n_chunks) not in area._file_buffer:
        area._file_buffer.clear()
    found: dict[int, bytes] = area._file_buffer.setdefault((name, n_chunks), {})
    found.pop(message["chunk"], None)  # it comes again
    return found

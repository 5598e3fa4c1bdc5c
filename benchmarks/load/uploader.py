"""Somebody who uploads files that are meant to stop everybody else."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

from .person import Person, objects

__all__ = ["Uploader"]

PIECE_BYTES = 10 * 1024 * 1024


class Uploader(Person):
    """A page with inputs for files, into which anything is put."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.inputs: dict[str, str] = {}  # ids by label

    def _learn(self, reply: Any) -> None:
        super()._learn(reply)
        for model in objects(reply):
            inside = model.get("attributes", {}).get("data")
            attributes = (
                inside.get("attributes", {}) if isinstance(inside, dict) else {}
            )
            if "max_file_size" in attributes:
                self.inputs[attributes["label"]] = model["id"]

    async def upload(self, label: str, name: str, content: bytes) -> None:
        """Put a file into the input whose label begins so."""
        while not any(of.startswith(label) for of in self.inputs):
            await asyncio.sleep(0.1)
        model = next(id for of, id in self.inputs.items() if of.startswith(label))
        pieces = range(0, len(content), PIECE_BYTES)
        for number, start in enumerate(pieces, 1):
            message = {
                "status": "upload_event",
                "name": name,
                "mime_type": "text/plain",
                "chunk": number,
                "total_chunks": len(pieces),
            }
            piece = content[start : start + PIECE_BYTES]
            await self._tell(model, message, piece)
        await self._tell(model, {"status": "finished"})

    async def _tell(
        self, model: str, message: dict[str, Any], data: bytes | None = None
    ) -> None:
        entries: list[Any] = [[key, value] for key, value in message.items()]
        if data is not None:
            entries.append(["data", {"type": "bytes", "data": {"id": "piece"}}])
        values = [
            ["model", {"id": model}],
            ["data", {"type": "map", "entries": entries}],
        ]
        event = {
            "type": "event",
            "name": "data_event",
            "values": {"type": "map", "entries": values},
        }
        change = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
        header = {"msgid": uuid.uuid4().hex, "msgtype": "PATCH-DOC"}
        header["num_buffers"] = int(data is not None)
        for part in (header, {}, {"events": [change]}):
            await self._socket.write_message(json.dumps(part))
        if data is not None:
            await self._socket.write_message(json.dumps({"id": "piece"}))
            await self._socket.write_message(data, binary=True)

"""One open page, as the server sees it: a token, a websocket, patches both ways."""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from collections.abc import Iterator
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

TOKEN = re.compile(r'"token":"([^"]+)"')
# Larger than any document of ours.
MAX_MESSAGE = 64 * 1024 * 1024
# As what is sent has it: markup in markup.
STATUS = "role=&quot;status&quot;"
SOURCE_CHANGES = ("ColumnDataChanged", "ColumnsPatched", "ColumnsStreamed")


class Person:
    """A session: opened as a browser opens it, and its sliders moved.

    `open` it first, `close` it last. `certificate`: a file, where the address has one
    that is not believed otherwise.
    """

    def __init__(self, address: str, certificate: str | None = None) -> None:
        self.address = address
        self._asks: dict[str, Any] = {"request_timeout": 120, "ca_certs": certificate}
        self._server = address.removeprefix("http").partition("?")[0]
        self.drawn_at = 0.0
        self._drawn = asyncio.Event()
        self._sliders: dict[str, tuple[str, float, float, float]] = {}
        self._positions: dict[str, int] = {}
        self._sources: set[str] = set()

    async def open(self) -> float:
        """Open the page; return the seconds until its document has come."""
        started = time.perf_counter()
        request = HTTPRequest(self.address, **self._asks)
        page = await AsyncHTTPClient().fetch(request)
        # By it a proxy knows whose page it is.
        kept = [cookie.split(";")[0] for cookie in page.headers.get_list("Set-Cookie")]
        cookies = {"Cookie": "; ".join(kept)} if kept else {}
        found = TOKEN.search(page.body.decode())
        assert found, "the page has no token: the server could not build it"
        self._socket: WebSocketClientConnection = await websocket_connect(
            HTTPRequest(f"ws{self._server}/ws", headers=cookies, **self._asks),
            subprotocols=["bokeh", found.group(1)],
            max_message_size=MAX_MESSAGE,
        )
        await self._receive("ACK")
        await self._send("PULL-DOC-REQ", {})
        self._learn(await self._receive("PULL-DOC-REPLY"))
        self._listening = asyncio.create_task(self._listen())
        # What Panel's pages say once they are drawn; before it nothing is sent them.
        await self._send("PATCH-DOC", {"events": [_event("document_ready", {})]})
        return time.perf_counter() - started

    async def move(self, slider: str, share: float, timeout: float = 10.0) -> float:
        """Move a slider; return the seconds until the picture or the answer changes.

        Where it is at that share already, it is moved one step on.
        """
        model, start, end, step = self._sliders[slider]
        n_steps = round(share * (end - start) / step)
        n_steps += n_steps == self._positions.get(slider)
        self._positions[slider] = n_steps
        change = {
            "kind": "ModelChanged",
            "model": {"id": model},
            "attr": "value",
            "new": round(start + n_steps * step, 9),
        }
        self._drawn.clear()
        sent = time.perf_counter()
        await self._send("PATCH-DOC", {"events": [change]})
        try:
            await asyncio.wait_for(self._drawn.wait(), timeout)
        except TimeoutError:
            return float("inf")
        return self.drawn_at - sent

    async def until_quiet(self, seconds: float, timeout: float = 60.0) -> None:
        """Wait until nothing has been drawn for a while."""
        deadline = time.perf_counter() + timeout
        while time.perf_counter() < deadline:
            if time.perf_counter() - self.drawn_at > seconds:
                return
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        """Leave the page."""
        self._socket.close()
        await self._listening

    # ------------------------------------------------------------------------ messages

    async def _send(self, kind: str, content: Any) -> None:
        header = {"msgid": uuid.uuid4().hex, "msgtype": kind}
        for part in (header, {}, content):
            await self._socket.write_message(json.dumps(part))

    async def _receive(self, kind: str) -> Any:
        while True:
            received, content = await self._message()
            assert received is not None, "the server closed the connection"
            if received == kind:
                return content

    async def _message(self) -> tuple[str | None, Any]:
        head = await self._socket.read_message()
        if head is None:
            return None, None
        header = json.loads(head)
        await self._socket.read_message()
        content = await self._socket.read_message()
        for _ in range(2 * header.get("num_buffers", 0)):
            await self._socket.read_message()
        return header["msgtype"], json.loads(content or "{}")

    async def _listen(self) -> None:
        while True:
            kind, content = await self._message()
            if kind is None:
                return
            if kind != "PATCH-DOC":
                continue
            n_known = len(self._sources)
            self._learn(content)
            is_new = len(self._sources) > n_known
            if is_new or any(map(self._shows, content["events"])):
                self.drawn_at = time.perf_counter()
                self._drawn.set()

    def _shows(self, event: dict[str, Any]) -> bool:
        """Return whether a picture has changed; or the answer, where it may stay."""
        changed = event.get("model", {}).get("id")
        is_data = event["kind"] in SOURCE_CHANGES or event.get("attr") == "data"
        is_answer = event.get("attr") == "text" and STATUS in str(event.get("new"))
        return is_answer or (changed in self._sources and is_data)

    # ------------------------------------------------------------------ the first look

    def _learn(self, reply: Any) -> None:
        for model in objects(reply):
            attributes = model.get("attributes", {})
            if model["name"] == "ColumnDataSource":
                self._sources.add(model["id"])
            elif {"label", "end", "step"} <= set(attributes):
                # What is at its default is not sent.
                ends = float(attributes.get("start", 0)), float(attributes["end"])
                step = float(attributes["step"])
                label, value = attributes["label"], float(attributes.get("value", 0))
                self._sliders[label] = (model["id"], *ends, step)
                self._positions[label] = round((value - ends[0]) / step)


def _event(name: str, values: dict[str, Any]) -> dict[str, Any]:
    message = {"type": "event", "name": name, "values": {"type": "map", "entries": []}}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": message}


def objects(node: Any) -> Iterator[dict[str, Any]]:
    """Every model that a reply describes, however deep."""
    if isinstance(node, dict):
        if node.get("type") == "object" and "id" in node:
            yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects(value)

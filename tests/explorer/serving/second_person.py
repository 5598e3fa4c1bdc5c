"""Somebody with the address and no browser: requests and websockets, byte for byte."""

import base64
import json
import os
import re
import select
import socket
import struct
import time
from contextlib import closing, suppress
from urllib.parse import urlsplit

import requests
from bokeh.util.token import generate_jwt_token, get_session_id

from tests.waiting import HANGS_SECONDS

TOKEN = re.compile(r'"token":"([^"]+)"')
TEXT, CLOSE = 1, 8


def open_page(address):
    """The token that a page gives to its websocket."""
    page = requests.get(f"{address}/app?page=problem", timeout=120)
    assert page.status_code == 200
    return TOKEN.search(page.text).group(1)


def own_token(session_id):
    """A token such as Bokeh would make, but signed by nobody."""
    return generate_jwt_token(session_id, signed=False)


def spliced_token(token, victim):
    """One's own signatures around another's session."""
    payload = json.dumps({"session_id": get_session_id(victim), "session_expiry": 2e9})
    made = base64.urlsafe_b64encode(payload.encode()).decode().rstrip("=")
    return f"{made}.{token.split('.', 1)[1]}"


def connect(address, *, timeout=90, secure=None):
    """A bare connection, or one over TLS, in a context for it."""
    parts = urlsplit(address)
    bare = socket.create_connection((parts.hostname, parts.port), timeout)
    return secure.wrap_socket(bare, server_hostname=parts.hostname) if secure else bare


class Websocket:
    """A websocket whose every byte is chosen."""

    def __init__(self, address, token, *, secure=None, **headers):
        self._socket = connect(address, secure=secure)
        host = urlsplit(address).netloc
        asked = {
            "Host": host,
            "Origin": f"http://{host}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": f"bokeh, {token}",
            **headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
        self._socket.sendall(f"GET /app/ws HTTP/1.1\r\n{lines}\r\n".encode())
        self._file = self._socket.makefile("rb", buffering=0)
        self.status = int(self._file.readline().split()[1])
        while self._file.readline().strip():
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._socket.close()

    def send(self, payload):
        """Send a short text as a frame; its mask is zero."""
        self._socket.sendall(bytes([0x81, 0x80 | len(payload)]) + bytes(4) + payload)

    def hears(self, said):
        """The next frame with some text; there are pings, and other news, between."""
        while said not in (payload := self.receive()[1]):
            pass
        return payload

    def announce(self, n):
        """Send the head of a frame of n bytes, and none of them."""
        self._socket.sendall(b"\x82\xff" + struct.pack("!Q", n) + bytes(4))

    def receive(self):
        """The next frame: its opcode and what it holds."""
        opcode, n = self._read(2)
        if n == 126:
            (n,) = struct.unpack("!H", self._read(2))
        elif n == 127:
            (n,) = struct.unpack("!Q", self._read(8))
        return opcode & 0xF, self._read(n)

    def _read(self, n):
        found = b""
        while len(found) < n:
            part = self._file.read(n - len(found))
            if not part:
                raise ConnectionError("the server has ended it")
            found += part
        return found

    def is_accepted(self):
        """Whether the server opens a session over it."""
        if self.status != 101:
            return False
        with suppress(ConnectionError):
            opcode, payload = self.receive()
            return opcode == TEXT and b'"ACK"' in payload
        return False

    def ends(self, seconds=HANGS_SECONDS):
        """Whether the server ends it within some time."""
        deadline = time.monotonic() + seconds
        while select.select([self._socket], [], [], deadline - time.monotonic())[0]:
            try:
                if self.receive()[0] == CLOSE:
                    return True
            except OSError:
                return True
        return False


def is_accepted(address, token, **headers):
    """Whether a websocket with such a token becomes one of a session."""
    with Websocket(address, token, **headers) as websocket:
        return websocket.is_accepted()


def answer(address, request):
    """The status that a request gets, given as its bytes."""
    with closing(connect(address)) as connection:
        connection.sendall(request)
        return int(connection.makefile("rb").readline().split()[1])

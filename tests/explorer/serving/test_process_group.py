"""Pages are dealt out in turn; a websocket comes to the process that built its page."""

import asyncio
import os
import socket
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import requests
from bokeh.util.token import generate_jwt_token, generate_session_id
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from explorer.serving import process_group
from explorer.serving.process_group import BUILT_BY, ProcessGroup
from tests.explorer.serving.conftest import free_port

SECRET = b"a secret of thirty-two characters"
APP = SimpleNamespace(prefix="/sub", app_paths={"/app"}, secret_key=SECRET)


def token(*, secret=SECRET, **payload):
    session = generate_session_id(secret_key=secret, signed=True)
    return generate_jwt_token(
        session, secret_key=secret, signed=True, extra_payload=payload
    )


def websocket(offered, path="/sub/app/ws"):
    return (
        f"GET {path} HTTP/1.1\r\nHost: here\r\n"
        f"sec-websocket-protocol: bokeh, {offered}\r\n\r\n"
    ).encode()


@pytest.fixture
def group():
    made = ProcessGroup(3)
    yield made
    for pair in made._mailboxes:
        for end in pair:
            end.close()


def test_a_websocket_is_for_who_built_its_page(group):
    for builder in range(3):
        said = websocket(token(**{BUILT_BY: builder}))
        assert group._addressee(said, APP) == builder


@pytest.mark.parametrize(
    "offered",
    [
        token(**{BUILT_BY: 1}, secret=b"another secret of thirty-two chars"),
        token(**{BUILT_BY: 3}),
        token(**{BUILT_BY: -1}),
        token(**{BUILT_BY: "1"}),
        token(**{BUILT_BY: None}),
        token(),
        "",
        "é.é",
        "AAAA.AAAA",
    ],
)
def test_a_token_that_names_nobody_of_ours_is_for_anybody(group, offered):
    assert group._addressee(websocket(offered), APP) is None


def test_pages_are_dealt_out_in_turn(group):
    page = b"GET /sub/app?page=proof HTTP/1.1\r\nHost: here\r\n\r\n"
    assert [group._addressee(page, APP) for _ in range(5)] == [1, 2, 0, 1, 2]


@pytest.mark.parametrize(
    "said", [b"", b"\r\n\r\n", b"GET", b"\xff\xfe /app/ws", b"GET /app/style.css x"]
)
def test_anything_else_is_for_anybody(group, said):
    assert group._addressee(said, APP) is None


# ------------------------------------------------------------------ two real processes


class Told(RequestHandler):
    def get(self):
        self.write(f"{self.settings['own']} {self.request.remote_ip}")


def serve_as(own, group, listening, monkeypatch):
    """Answer with one's number; in a process of its own, or until it is killed."""
    monkeypatch.setattr(process_group, "task_id", lambda: own)

    async def forever():
        server = HTTPServer(Application([(".*", Told)], own=own))
        group.join(server, APP)
        server.add_sockets([listening])
        await asyncio.Event().wait()

    asyncio.run(forever())


@pytest.fixture
def two_processes(group, monkeypatch):
    listening = socket.create_server(("127.0.0.1", free_port()))
    listening.setblocking(False)
    children = []
    for own in (0, 1):
        child = os.fork()
        if child == 0:
            serve_as(own, group, listening, monkeypatch)
        children.append(child)
    yield "http://{}:{}".format(*listening.getsockname())
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)
    listening.close()


@pytest.mark.parametrize("builder", [0, 1])
def test_connections_reach_their_process_whoever_took_them(two_processes, builder):
    headers = {"Sec-WebSocket-Protocol": f"bokeh, {token(**{BUILT_BY: builder})}"}
    for _ in range(10):
        with requests.get(f"{two_processes}/sub/app/ws", headers=headers) as found:
            assert found.text == f"{builder} 127.0.0.1"


def test_what_comes_in_pieces_is_waited_for(two_processes):
    parts = urlsplit(two_processes)
    said = websocket(token(**{BUILT_BY: 1}))
    with socket.create_connection((parts.hostname, parts.port), 30) as connection:
        for piece in (said[:5], said[5:200], said[200:]):
            connection.sendall(piece)
            time.sleep(0.05)
        assert connection.recv(4096).endswith(b"1 127.0.0.1")

"""Whether who has asked is still there, whatever else they have sent."""

import asyncio
from types import SimpleNamespace

import pytest
from tornado.httpserver import HTTPServer
from tornado.tcpclient import TCPClient
from tornado.testing import bind_unused_port

from explorer.serving.page_handlers import has_gone

ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def seen(sent, *, leaves):
    """Whether a server takes a client for gone, a while after it has sent something."""
    found, answers = [], []

    async def answer(request):
        await asyncio.sleep(0.2)
        found.append(has_gone(request))
        request.connection.finish()

    def begin(request):
        answers.append(asyncio.ensure_future(answer(request)))

    async def ask():
        listening, port = bind_unused_port()
        server = HTTPServer(begin)
        server.add_sockets([listening])
        stream = await TCPClient().connect("127.0.0.1", port)
        await stream.write(sent)
        if leaves:
            stream.close()
        while not found:
            await asyncio.sleep(0.02)
        stream.close()
        server.stop()
        await server.close_all_connections()

    asyncio.run(ask())
    return found[0]


@pytest.mark.parametrize("n_requests", [1, 3])
@pytest.mark.parametrize("leaves", [True, False])
def test_who_hangs_up_is_gone_however_much_they_have_asked_for(n_requests, leaves):
    assert seen(n_requests * ASKED, leaves=leaves) == leaves


def test_a_connection_that_is_closed_here_is_gone():
    stream = SimpleNamespace(closed=lambda: True)
    request = SimpleNamespace(connection=SimpleNamespace(stream=stream))
    assert has_gone(request)

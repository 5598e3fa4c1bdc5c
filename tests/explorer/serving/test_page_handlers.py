"""Whether who has asked is still there, whatever else they have sent."""

import asyncio
from types import SimpleNamespace

import pytest
from tornado.httpserver import HTTPServer
from tornado.tcpclient import TCPClient
from tornado.testing import bind_unused_port

from explorer.serving.origins import Origins
from explorer.serving.page_handlers import PageHandler, ScriptHandler, has_gone
from explorer.serving.try_later import TryLaterError
from explorer.serving.turns import PageTurns

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


@pytest.mark.parametrize("kind", [PageHandler, ScriptHandler])
def test_a_crowd_is_refused_before_anything_is_done_for_it(kind):
    handler = kind.__new__(kind)
    handler._turns, handler._origins = PageTurns(most=0), Origins([])
    handler.request = SimpleNamespace(
        headers={"Sec-Fetch-Site": "none"}, host="here", remote_ip="1.2.3.4"
    )
    with pytest.raises(TryLaterError):
        asyncio.run(handler.prepare())

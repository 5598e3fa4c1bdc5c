"""Whether who has asked is still there, whatever else they have sent."""

import asyncio
from types import SimpleNamespace

import pytest
from bokeh.server.views.session_handler import SessionHandler
from tornado.httpserver import HTTPServer
from tornado.tcpclient import TCPClient
from tornado.testing import bind_unused_port

from explorer.serving import page_handlers
from explorer.serving.gate import Origins
from explorer.serving.page_handlers import PageHandler, ScriptHandler, has_gone
from explorer.serving.turns import FULL, LEFT, PageTurns, TryLaterError

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


class Asked:
    """A request for a page, and what became of the session that was built for it."""

    def __init__(self, monkeypatch, *, leaves=False, refusal=None):
        self.built = self.expired = False
        self._refusal = refusal
        session = SimpleNamespace(request_expiration=self._expire)

        async def build(handler):
            self.built = True
            return session

        monkeypatch.setattr(SessionHandler, "get_session", build)
        monkeypatch.setattr(page_handlers, "has_gone", lambda _: leaves and self.built)
        self.handler = page_handlers._InTurn.__new__(page_handlers._InTurn)
        self.handler._turns = PageTurns()
        self.handler.request = SimpleNamespace(remote_ip="1.2.3.4")
        application = SimpleNamespace(process_request=self._process)
        self.handler.application_context = SimpleNamespace(application=application)

    def _expire(self):
        self.expired = True

    def _process(self, request):
        if self._refusal:
            raise TryLaterError(self._refusal)


def test_the_session_of_who_leaves_while_it_is_built_is_let_go_of(monkeypatch):
    asked = Asked(monkeypatch, leaves=True)
    with pytest.raises(TryLaterError) as refused:
        asyncio.run(asked.handler.get_session())
    assert refused.value.why == LEFT
    assert asked.expired


def test_the_session_of_who_stays_is_kept(monkeypatch):
    asked = Asked(monkeypatch)
    assert asyncio.run(asked.handler.get_session()) is not None
    assert not asked.expired


def test_nobody_waits_to_be_told_that_there_is_no_place(monkeypatch):
    asked = Asked(monkeypatch, refusal=FULL)
    asked.handler._turns.turn = None  # is not asked
    with pytest.raises(TryLaterError):
        asyncio.run(asked.handler.get_session())
    assert not asked.built

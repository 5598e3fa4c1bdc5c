"""Pages are dealt out in turn; a websocket comes to the process that built its page."""

import asyncio
import base64
import os
import signal
import socket
import time
from contextlib import ExitStack, closing, suppress

import pytest
import requests
from bokeh.util.token import generate_jwt_token, generate_session_id

from explorer.serving import process_group
from explorer.serving.process_group import BUILT_BY, ProcessGroup
from tests.explorer.serving.second_person import answer, connect
from tests.explorer.serving.two_processes import APP, SECRET, Processes
from tests.explorer.serving.virtual_time import VirtualTime


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
    for own in range(3):
        made._beats[own] = time.monotonic()
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
        base64.b64encode(b"[" * 30_000).decode() + ".signed",
    ],
)
def test_a_token_that_names_nobody_of_ours_is_for_anybody(group, offered):
    assert group._addressee(websocket(offered), APP) is None


def test_pages_are_dealt_out_in_turn(group):
    page = b"GET /sub/app?page=proof HTTP/1.1\r\nHost: here\r\n\r\n"
    assert [group._addressee(page, APP) for _ in range(5)] == [1, 2, 0, 1, 2]


def test_who_is_silent_is_dealt_no_page(group):
    page = b"GET /sub/app HTTP/1.1\nHost: here\n\n"
    group._beats[2] -= 60
    assert [group._addressee(page, APP) for _ in range(4)] == [1, 0, 1, 0]
    group._beats[0] = group._beats[1] = 0
    assert group._addressee(page, APP) is None


@pytest.mark.parametrize(
    "said", [b"", b"\r\n\r\n", b"GET", b"\xff\xfe /app/ws", b"GET /app/style.css x"]
)
def test_anything_else_is_for_anybody(group, said):
    assert group._addressee(said, APP) is None


class Counted:
    """A connection that counts how often it is looked at."""

    def __init__(self, connection):
        self._connection, self.looks = connection, 0

    def fileno(self):
        return self._connection.fileno()

    def recv(self, *given):
        self.looks += 1
        return self._connection.recv(*given)


def test_half_a_request_is_looked_at_ever_more_seldom(monkeypatch):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.sendall(b"GET /app HT")
        counted = Counted(ours)

        async def look():
            async with asyncio.timeout(1.5):
                await process_group._first_words(counted)

        with pytest.raises(TimeoutError):
            VirtualTime(monkeypatch).run(look())
    assert 3 < counted.looks < 10  # 150 where it is looked at all the time


def test_a_head_that_is_too_long_is_looked_at_no_more():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.sendall(b"a" * (process_group.HEAD_BYTES + 1))

        async def look():
            async with asyncio.timeout(60):
                return await process_group._first_words(ours)

        assert len(asyncio.run(look())) == process_group.HEAD_BYTES


def test_a_connection_that_was_lost_on_its_way_loses_no_other(group):
    (mailbox, letters), ours = group._mailboxes[0], socket.socketpair()
    letters.send(b'["lost", 1]')  # as where this process may have no more descriptors
    socket.send_fds(letters, [b'["found", 2]'], [ours[0].fileno()])
    ((connection, address),) = process_group._handed_over(mailbox)
    assert address == ("found", 2)
    assert not connection.get_inheritable()
    for one in (connection, *ours):
        one.close()


# ------------------------------------------------------------------ two real processes


def answers(processes, path="/sub/app/ws", builder=None):
    """Who answers a request, over a connection of its own."""
    offered = token(**{BUILT_BY: builder})
    headers = {"Sec-WebSocket-Protocol": f"bokeh, {offered}"}
    with requests.get(processes.address + path, headers=headers, timeout=30) as found:
        return found.text


def is_ended(connection):
    """Whether the server says nothing and hangs up, in a while."""
    connection.settimeout(60)
    try:
        return connection.recv(100) == b""
    except ConnectionError:  # it had not read everything
        return True


@pytest.fixture(scope="module")
def processes():
    with Processes(patience=120.0) as both:
        yield both


@pytest.fixture
def hasty():
    """Two whose patience a test waits for."""
    with Processes(patience=3.0) as both:
        yield both


@pytest.mark.parametrize("builder", [0, 1])
def test_connections_reach_their_process_whoever_took_them(processes, builder):
    for _ in range(10):
        assert answers(processes, builder=builder) == f"{builder} 127.0.0.1"


def test_what_comes_in_pieces_is_waited_for(processes):
    said = websocket(token(**{BUILT_BY: 1}))
    with connect(processes.address, timeout=30) as connection:
        for piece in (said[:5], said[5:200], said[200:]):
            connection.sendall(piece)
            time.sleep(0.05)
        assert connection.recv(4096).endswith(b"1 127.0.0.1")


def test_over_a_connection_that_is_kept_another_request_finds_the_same(processes):
    with requests.Session() as kept:
        first = kept.get(f"{processes.address}/none", timeout=30).text
        for builder in (0, 1):
            offered = f"bokeh, {token(**{BUILT_BY: builder})}"
            headers = {"Sec-WebSocket-Protocol": offered}
            address = f"{processes.address}/sub/app/ws"
            assert kept.get(address, headers=headers, timeout=30).text == first


def test_a_process_that_is_begun_again_gets_what_came_meanwhile(processes):
    processes.order("kill", 1)
    with connect(processes.address, timeout=30) as early:
        early.sendall(websocket(token(**{BUILT_BY: 1})))
        time.sleep(0.2)
        processes.order("restart", 1)
        assert early.recv(4096).endswith(b"1 127.0.0.1")
    assert answers(processes, builder=1).startswith("1 ")


def test_a_process_that_is_stopped_keeps_no_page_from_others(hasty):
    os.kill(hasty.children[1], signal.SIGSTOP)
    hasty.order("silence", 1)
    for _ in range(6):
        assert answers(hasty, "/sub/app").startswith("0 ")
    said = websocket(token(**{BUILT_BY: 1}))
    with ExitStack() as opened:
        waiting = []
        for _ in range(400):  # more than wait in a mailbox
            waiting.append(opened.enter_context(connect(hasty.address)))
            waiting[-1].sendall(said)
        # Those that find no room are ended, not given to somebody else.
        assert is_ended(waiting[-1])
        assert answers(hasty, "/sub/app").startswith("0 ")
        os.kill(hasty.children[1], signal.SIGCONT)
        assert waiting[0].recv(4096).endswith(b"1 127.0.0.1")
    assert answers(hasty, builder=1).startswith("1 ")


def test_who_says_nothing_or_half_is_ended_and_keeps_nobody_waiting(hasty):
    with ExitStack() as opened:
        silent = [opened.enter_context(connect(hasty.address)) for _ in range(400)]
        for connection in silent[::2]:
            connection.sendall(b"GET /sub/app/ws HT")
        assert answers(hasty, builder=1).startswith("1 ")
        assert all(map(is_ended, silent))


def test_a_huge_head_is_refused_and_what_comes_after_it_is_served(processes):
    said = websocket(token(**{BUILT_BY: 1}))
    with closing(connect(processes.address, timeout=30)) as connection:
        with suppress(ConnectionError):
            connection.sendall(said[:-2] + b"X-A: %b\r\n\r\n" % (b"a" * 100_000))
        assert is_ended(connection)
    assert answer(processes.address, said) == 200

"""A second person attacks a real server: nobody gets in or takes a place."""

import json
import threading
import time
from contextlib import ExitStack, suppress
from itertools import product

import pytest
import requests
from bokeh.util.token import get_session_id

from explorer.serving.command import HTTP_LIMITS, MAX_MESSAGE_BYTES
from explorer.serving.sockets import FAILED
from tests.explorer.serving.conftest import COLD, answering, serving
from tests.explorer.serving.second_person import (
    Websocket,
    answer,
    connect,
    is_accepted,
    open_page,
    own_token,
    spliced_token,
)
from tests.waiting import HANGS_SECONDS

PLACES = 2
LINGER = 1


@pytest.fixture(scope="module")
def attacked():
    """A server with few places, soon free again: its address."""
    flags = [f"--max-sessions={PLACES}", f"--linger={LINGER}"]
    flags += ["--", "--check-unused-sessions=200"]  # ms
    with serving(*flags, program=COLD) as (address, _):
        yield address


@pytest.fixture(scope="module")
def victim(attacked):
    """The token of somebody whose page is open."""
    token = a_page(attacked)
    with Websocket(attacked, token) as page:
        assert page.is_accepted()
        yield token


def a_page(address, seconds=HANGS_SECONDS):
    """A page, as soon as there is a place for it."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return open_page(address)
        except AssertionError:
            assert time.monotonic() < deadline, "no place became free"
            time.sleep(0.3)


# ------------------------------------------------------------------ whose session it is


@pytest.mark.parametrize("path", ["app", "app/autoload.js", "app/ws", ""])
def test_no_link_can_choose_a_session(attacked, path):
    with requests.Session() as asking:
        for name, value in product(
            ["bokeh-session-id", "bokeh-token"], ["chosen", "%00", ""]
        ):
            query = f"{name}={value}&bokeh-autoload-element=x"
            found = asking.get(f"{attacked}/{path}?{query}", timeout=60)
            assert found.status_code == 403, query


def test_no_header_or_body_can_choose_a_session(attacked):
    header = {"Bokeh-Session-Id": "chosen"}
    found = requests.get(f"{attacked}/app", headers=header, timeout=60)
    assert found.status_code == 403
    body = {"bokeh-session-id": "chosen"}
    found = requests.get(f"{attacked}/app", data=body, timeout=60)
    assert found.status_code == 400


def test_who_knows_a_session_needs_its_token(attacked, victim):
    stolen = get_session_id(victim)
    assert not is_accepted(attacked, own_token(stolen))
    header = {"Bokeh-Session-Id": stolen}
    assert (
        requests.get(f"{attacked}/app", headers=header, timeout=60).status_code == 403
    )


def test_ones_own_page_signs_no_other_session(attacked, victim):
    assert not is_accepted(attacked, spliced_token(a_page(attacked), victim))


@pytest.mark.parametrize("token", ["", "x", "x.y", "é.ü", "[" * 20_000, "bnVsbA.x"])
def test_what_is_no_token_is_refused_before_it_connects(attacked, token):
    with Websocket(attacked, token) as websocket:
        assert websocket.status == 403


def test_who_was_given_the_page_connects_a_second_time(attacked, victim):
    assert is_accepted(attacked, victim)


# --------------------------------------------------------------- under which name it is


@pytest.mark.parametrize("path", ["/app", "/", "/static/js/bokeh.min.js", "/none"])
@pytest.mark.parametrize("host", ["evil.com", "127.0.0.1.evil.com", "localhost.evil"])
def test_a_name_that_was_bent_to_this_machine_gets_nothing(attacked, path, host):
    asked = f"GET {path} HTTP/1.1\r\nHost: {host}:5120\r\n\r\n"
    assert answer(attacked, asked.encode()) == 421


def test_a_page_of_such_a_name_opens_no_websocket(attacked, victim):
    evil = {"Host": "evil.com:5120", "Origin": "http://evil.com:5120"}
    assert not is_accepted(attacked, victim, **evil)


def test_another_sites_page_opens_no_websocket(attacked, victim):
    assert not is_accepted(attacked, victim, Origin="http://evil.com")


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:1", "[::1]:5006", "LOCALHOST"]
)
def test_this_machines_own_names_are_known(attacked, host):
    asked = f"GET /icons/icon.svg HTTP/1.1\r\nHost: {host}\r\n\r\n"
    assert answer(attacked, asked.encode()) == 200


@pytest.mark.parametrize(
    ("host", "query"),
    [
        ("[::1]:5006", "&x=a?b"),
        ("localhost", "&x=%00&psi=" + "1" * 400),
    ],
)
def test_no_address_gives_an_empty_page(attacked, host, query):
    headers = {"Host": host}
    deadline, page = time.monotonic() + HANGS_SECONDS, None
    while page is None or page.status_code == 503:  # until there is a place
        assert time.monotonic() < deadline
        address = f"{attacked}/app?page=lessons{query}"
        page = requests.get(address, headers=headers, timeout=60)
    assert page.status_code == 200
    assert '"roots":{"' in page.text


# ------------------------------------------------------------------ what it may take up


def test_a_token_whose_session_is_gone_opens_none_beyond_the_limit(attacked, victim):
    old = a_page(attacked)
    with Websocket(attacked, a_page(attacked)) as page:  # in the place of the old one
        assert page.is_accepted()
        assert requests.get(f"{attacked}/app", timeout=60).status_code == 503
        assert not is_accepted(attacked, old)


def test_a_fault_is_told_in_a_sentence_without_its_traceback(attacked, victim):
    header = {"msgid": "1", "msgtype": "PATCH-DOC"}
    content = {"events": [{"kind": "NoSuchKind"}]}
    with Websocket(attacked, victim) as page:
        assert page.is_accepted()
        for part in (header, {}, content):
            page.send(json.dumps(part).encode())
        told = page.hears(b'"text"')
    assert json.loads(told) == {"text": FAILED, "traceback": None}


def test_a_frame_larger_than_an_upload_s_is_not_waited_for(attacked, victim):
    with Websocket(attacked, victim) as flood:
        assert flood.is_accepted()
        flood.announce(MAX_MESSAGE_BYTES + 1)
        assert flood.ends()


def test_half_a_request_is_not_waited_for():
    soon = dict.fromkeys(("idle_connection_timeout", "body_timeout"), 1.0)
    assert soon.keys() <= HTTP_LIMITS.keys()
    head = b"POST /app HTTP/1.1\r\nHost: localhost\r\n"
    begun = [b"", b"GET /app HT", head, head + b"Content-Length: 99\r\n\r\nhalf"]
    with answering([], **HTTP_LIMITS | soon) as address, ExitStack() as opened:
        waiting = [opened.enter_context(connect(address)) for _ in begun]
        for connection, part in zip(waiting, begun, strict=True):
            connection.sendall(part)
        trickle = threading.Thread(target=_trickle, args=[waiting[2]])
        trickle.start()  # a byte now and then is no excuse
        for connection in waiting:
            connection.settimeout(60)
            with suppress(ConnectionError):
                assert connection.recv(1000) == b""
        trickle.join()


def _trickle(connection):
    with suppress(OSError):
        for _ in range(600):
            time.sleep(0.1)
            connection.sendall(b"X-A: b\r\n")


def test_a_large_body_is_not_read(attacked):
    head = "POST /app HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000000\r\n\r\n"
    assert answer(attacked, head.encode()) == 400

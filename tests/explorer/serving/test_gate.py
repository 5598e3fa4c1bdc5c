"""The gate knows its own names, whatever they look like, and no others."""

import pytest
from tornado.routing import Rule
from tornado.web import RequestHandler

from explorer.serving.gate import Gate, Refusal
from tests.explorer.serving.conftest import answering
from tests.explorer.serving.second_person import answer

ORIGINS = ["school.org:443", "*.lab.org", "localhost:5006"]


class Open(RequestHandler):
    """Answers whoever has passed."""

    def get(self):
        self.finish("passed")


@pytest.fixture(scope="module")
def gated():
    with answering([Rule(Gate(ORIGINS), Refusal), (r"/.*", Open)]) as root:
        yield root


def status(address, host, query="", header=""):
    lines = f"GET /app{query} HTTP/1.1\r\nHost: {host}\r\n{header}"
    return answer(address, f"{lines}Connection: close\r\n\r\n".encode("latin-1"))


@pytest.mark.parametrize(
    "host", ["school.org", "SCHOOL.org:8080", "a.lab.org", "127.0.0.1", "[::1]:1"]
)
def test_who_asks_for_it_by_a_name_it_has_may_pass(gated, host):
    assert status(gated, host) == 200


@pytest.mark.parametrize(
    "host",
    [
        *("school.org.evil.com", "evilschool.org", "lab.org.", "localhost."),
        *("0.0.0.0", "127.1", "2130706433", "[::ffff:127.0.0.1]", "*", ""),
    ],
)
def test_what_only_resembles_its_name_is_another(gated, host):
    assert status(gated, host) == 421


@pytest.mark.parametrize("host", ["school.org@evil.com", "localhost,evil.com", "a b"])
def test_what_is_no_name_is_no_request(gated, host):
    assert status(gated, host) == 400


@pytest.mark.parametrize(
    "query",
    [
        *("?bokeh%2Dsession%2Did=x", "?%62okeh-token=x", "?bokeh-session-id"),
        "?a=1&bokeh-session-id=&b=2",
    ],
)
def test_a_session_is_named_in_no_spelling(gated, query):
    assert status(gated, "localhost", query) == 403


@pytest.mark.parametrize("header", ["BOKEH-SESSION-ID: x", "bokeh-session-id:"])
def test_nor_in_a_header(gated, header):
    assert status(gated, "localhost", header=f"{header}\r\n") == 403


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("Content-Length: 00", ""),
        ("Content-Length: 2", "xx"),
        ("Transfer-Encoding: chunked", "0\r\n\r\n"),
    ],
)
def test_who_asks_for_a_page_sends_no_body(gated, header, body):
    asked = f"GET /app HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n{body}"
    assert answer(gated, asked.encode()) == 400

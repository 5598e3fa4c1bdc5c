"""The gate knows its own names and sites, and gives no others a session."""

import pytest
from tornado.routing import Rule
from tornado.web import RequestHandler

from explorer.serving.gate import Gate, Origins, Refusal
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


HOST = "app.org:5006"
HOSTS = ["localhost:5006", "*.lab.org:80"]
ANCESTORS = ["https://school.org", "*.classes.org", "http://desk:8888", "any.org:*"]


@pytest.fixture
def origins():
    return Origins(HOSTS, ANCESTORS)


@pytest.mark.parametrize(
    "origin",
    [
        *("http://app.org:5006", "https://APP.org:5006", "http://localhost:5006"),
        *("http://a.lab.org", "https://school.org", "https://school.org:443"),
        *("http://a.b.classes.org", "https://a.classes.org", "http://desk:8888"),
        *("http://any.org:1", "https://any.org"),
    ],
)
def test_ours_and_those_that_may_embed_the_app(origins, origin):
    assert origins.include(origin, HOST)
    assert origins.may_read({"Origin": origin, "Sec-Fetch-Site": "cross-site"}, HOST)


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.com", "null", "", "app.org:5006", "ftp://app.org:5006"),
        *(
            "http://school.org",
            "https://school.org:8443",
            "https://school.org:4430",
            "https://school.org.evil",
        ),
        *("https://evilschool.org", "https://schoolXorg", "http://classes.org"),
        *("http://evil.com/.classes.org", "http://evil.com#.classes.org"),
        *("http://desk", "https://desk:8888", "http://app.org:1", "http://any.org:x"),
        *("http://", "https://school.org\n", "https://x@school.org"),
    ],
)
def test_others_are_not(origins, origin):
    assert not origins.include(origin, HOST)
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    assert not origins.may_read(headers, HOST)
    assert not origins.may_open(headers, HOST)


@pytest.mark.parametrize(
    ("site", "mode", "opens", "reads"),
    [
        ("none", "navigate", True, True),
        ("same-origin", "cors", True, True),
        ("cross-site", "navigate", True, False),  # a link that is followed
        ("cross-site", "no-cors", False, False),  # as a picture or a script
        ("same-site", "no-cors", False, False),
        (None, None, True, False),  # no browser, or one without TLS
    ],
)
def test_who_says_no_origin_is_told_by_how_a_browser_asks(
    origins, site, mode, opens, reads
):
    said = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    headers = {name: value for name, value in said.items() if value}
    assert origins.may_open(headers, HOST) == opens
    assert origins.may_read(headers, HOST) == reads

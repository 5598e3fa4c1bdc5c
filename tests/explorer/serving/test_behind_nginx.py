"""The shipped configuration of nginx, in front of two processes, and who attacks it."""

import re
import ssl
from contextlib import ExitStack, closing, suppress
from types import SimpleNamespace

import pytest
import requests

from benchmarks.load.nginx import NGINX, certified, free_port, nginx
from tests.explorer.serving.conftest import COLD, serving
from tests.explorer.serving.second_person import TOKEN, Websocket, connect
from tests.waiting import until

# Shorter than what is shipped: for whoever waits for them.
SHORTER = {
    "client_header_timeout 20s": "client_header_timeout 1s",
    "client_body_timeout 20s": "client_body_timeout 1s",
    "limit_conn people 400": "limit_conn people 6",
    "burst=100": "burst=2",
}
VISITOR = "thriftscope_visitor"

pytestmark = pytest.mark.skipif(
    NGINX is None, reason="nginx is not here: tests/ui/ensure_nginx.sh fetches it"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """nginx and two processes behind it."""
    folder = tmp_path_factory.mktemp("nginx")
    certificate, port, plain_port = certified(folder), free_port(), free_port()
    with ExitStack() as all_:
        apps = {}
        for _ in range(2):
            own = free_port()
            flags = [f"--allow-origin=localhost:{port}", "--", "--use-xheaders"]
            _, process = all_.enter_context(serving(*flags, port=own, program=COLD))
            apps[f"127.0.0.1:{own}"] = process
        behind = [int(address.split(":")[1]) for address in apps]
        started = nginx(folder, (port, plain_port), behind, SHORTER)
        log = all_.enter_context(started)
        yield SimpleNamespace(
            address=f"https://localhost:{port}",
            plain=f"http://localhost:{plain_port}",
            certificate=str(certificate),
            apps=apps,
            log=log,
            n_pages=0,
        )


@pytest.fixture
def visit(site):
    """Ask as a visitor of one's own, or as the one who is given."""
    with ExitStack() as all_:

        def asked(path="/app?page=problem", *, visitor=None, **options):
            visitor = visitor or all_.enter_context(requests.Session())
            options = {"timeout": 120, "verify": site.certificate, **options}
            method = options.pop("method", "GET")
            answer = visitor.request(method, f"{site.address}{path}", **options)
            answer.visitor = visitor
            site.n_pages += path.startswith("/app") and answer.status_code == 200
            return answer

        yield asked


def answered_by(site):
    """Who has answered the last page that was asked for."""

    def lines():
        log = site.log.read_text()
        return re.findall(r"^GET /app 200 .*?(\S+)$", log, re.MULTILINE)

    # What is in the log comes there after its answer.
    until(lambda: len(lines()) >= site.n_pages)
    return lines()[-1]


def websocket(site, page, **headers):
    """Open the websocket of a page, as its browser would."""
    kept = page.visitor.cookies.get_dict()
    asked = {
        "Origin": site.address,
        "Cookie": "; ".join(f"{name}={value}" for name, value in kept.items()),
        **headers,
    }
    token = TOKEN.search(page.text).group(1)
    secure = ssl.create_default_context(cafile=site.certificate)
    return Websocket(site.address, token, secure=secure, **asked)


def test_a_visitor_stays_with_one_process_and_both_have_visitors(site, visit):
    page = visit()
    own = answered_by(site)
    assert page.status_code == 200
    assert re.fullmatch("[0-9a-f]{32}", page.visitor.cookies[VISITOR])
    assert "default-src" in page.headers["Content-Security-Policy"]
    assert "nginx/" not in page.headers["Server"]
    with websocket(site, page) as connection:
        assert connection.is_accepted()
    # Asked again with the cookie: it comes once.
    assert "Set-Cookie" not in visit("/icons/icon.svg", visitor=page.visitor).headers
    others = set()
    until(lambda: (visit() and others.add(answered_by(site))) or len(others) == 2)
    visit(visitor=page.visitor)
    assert answered_by(site) == own


def test_another_name_or_origin_gets_nothing_and_no_link_chooses_a_session(site, visit):
    with pytest.raises(requests.ConnectionError):
        visit(headers={"Host": "evil.example"})
    moved = requests.get(f"{site.plain}/app?a=1", allow_redirects=False, timeout=60)
    assert (moved.status_code, moved.headers["Location"]) == (
        308,
        "https://localhost/app?a=1",
    )
    assert visit("/app?bokeh-session-id=mine").status_code == 403
    assert visit("/app", headers={"Bokeh-Session-Id": "mine"}).status_code == 403
    page = visit()
    with websocket(site, page, Origin="https://evil.example") as connection:
        assert connection.status == 403


def test_half_a_request_ends_and_a_large_body_is_not_read(site, visit):
    sent = b"GET /app HTTP/1.1\r\nHost: localhost\r\n"
    secure = ssl.create_default_context(cafile=site.certificate)
    with closing(connect(site.address, secure=secure)) as half:
        half.sendall(sent)
        with suppress(ConnectionResetError):
            assert half.recv(1000) == b""  # before `connect` gives up
    body = visit("/app", method="POST", data=bytes(100_000))
    assert body.status_code == 413
    assert visit("/app?" + "x" * 40_000).status_code == 414


def test_one_address_has_so_many_connections_and_pages_at_once(site, visit):
    page = visit()
    with ExitStack() as open_ones:
        found = [open_ones.enter_context(websocket(site, page)) for _ in range(8)]
        statuses = [one.status for one in found]
    assert statuses[:6] == [101] * 6
    assert statuses[6:] == [429] * 2


def test_a_flood_of_pages_waits_and_is_told_to_come_later(site, visit):
    asked = b"GET /app/autoload.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    secure = ssl.create_default_context(cafile=site.certificate)
    with ExitStack() as opened:
        # Fewer than an address may have: who is refused is refused for its pages.
        crowd = [
            opened.enter_context(connect(site.address, secure=secure)) for _ in range(6)
        ]
        for one in crowd:
            one.sendall(asked)
        told = [int(one.makefile("rb").readline().split()[1]) for one in crowd]
        # 403 is the app's, which builds nothing for who is no page of its own.
        assert {*told} == {403, 429}
        assert told.count(403) >= 3
        assert visit("/icons/icon.svg").status_code == 200


def test_who_is_killed_is_passed_over(site, visit):
    """Last: one of the two is gone afterwards."""
    page = visit()
    killed = answered_by(site)
    site.apps[killed].kill()
    site.apps[killed].wait()
    again = visit(visitor=page.visitor)
    assert again.status_code == 200
    assert answered_by(site) != killed
    with websocket(site, again) as connection:
        assert connection.is_accepted()
    assert [visit().status_code for _ in range(3)] == [200] * 3

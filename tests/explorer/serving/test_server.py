"""Every response is guarded, links survive, places are counted, the end is quick."""

import json
import signal
from types import SimpleNamespace

import pytest
import requests

from explorer.serving.headers import content_policy
from solvers.errors import DataError
from tests.explorer.serving.conftest import COLD, directives, serving
from tests.waiting import HANGS_SECONDS, until

FLAG, PROGRAM = COLD
# What a page computes never comes to an end; other pages here compute nothing.
ENDLESS = (
    "import pathlib, time; from explorer.compute import jobs; "
    "jobs._Request._pull = lambda self: "
    "[time.sleep(0.01) for _ in iter(pathlib.Path({begun!r}).touch, 1)]; "
)


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    """A server with few places and a site that may embed it, that computes for ever."""
    begun = tmp_path_factory.mktemp("endless") / "begun"
    flags = ["--max-sessions=2", "--linger=60", "--embed-in=https://school.org"]
    program = [FLAG, ENDLESS.format(begun=str(begun)) + PROGRAM]
    with serving(*flags, program=program) as (address, process):
        yield SimpleNamespace(address=address, process=process, begun=begun)


@pytest.fixture
def server(endless):
    return endless.address


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@pytest.mark.parametrize(
    "path", ["/", "/manifest.webmanifest", "/icons/icon.svg", "/favicon.ico", "/none"]
)
def test_every_response_carries_the_headers(server, path):
    found = requests.get(server + path, allow_redirects=False, timeout=60).headers
    assert {name: found[name] for name in HEADERS} == HEADERS
    assert "camera=()" in found["Permissions-Policy"]
    assert "Server" not in found


def test_only_this_server_is_allowed_and_named_sites_may_embed(server):
    found = requests.get(server + "/none", timeout=60).headers
    allowed = directives(found["Content-Security-Policy"])
    assert allowed["frame-ancestors"] == ["'self'", "https://school.org"]
    others = [s for n, sources in allowed.items() for s in sources if "//" in s]
    assert others == ["https://school.org"]
    assert allowed["object-src"] == ["'none'"]


@pytest.mark.parametrize("ancestor", ["*", "school.org; script-src *", "a b", ""])
def test_an_origin_that_would_widen_the_policy_is_refused(ancestor):
    with pytest.raises(DataError, match="is no origin that may embed"):
        content_policy([ancestor])


def test_the_root_keeps_what_a_link_says(server):
    asked = "?page=cascade&data=digits&lambda=0.01"
    answer = requests.get(f"{server}/{asked}", allow_redirects=False, timeout=60)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"./app{asked}"


@pytest.mark.parametrize("root", ["//elsewhere.org", "//elsewhere.org/..;/"])
def test_the_root_sends_nobody_elsewhere(server, root):
    answer = requests.get(server + root, allow_redirects=False, timeout=60)
    assert "elsewhere" not in answer.headers.get("Location", "")


def test_the_manifest_and_its_icons_come_from_here(server):
    answer = requests.get(f"{server}/manifest.webmanifest", timeout=60)
    assert answer.headers["Content-Type"] == "application/manifest+json"
    icons = json.loads(answer.text)["icons"]
    for icon in icons:
        found = requests.get(f"{server}/{icon['src']}", timeout=60)
        assert found.headers["Content-Type"] == icon["type"]


@pytest.mark.parametrize(
    "path", ["icons/../thriftscope.css", "icons/%2e%2e/viewport.js"]
)
def test_nothing_beside_the_icons_is_given(server, path):
    asked = requests.Request("GET", server).prepare()
    asked.url = f"{server}/{path}"
    assert requests.Session().send(asked, timeout=60).status_code == 404


def test_an_address_does_not_make_the_server_run_a_module(server):
    path = "components/antigravity/geohash/__css__/x"
    assert requests.get(f"{server}/{path}", timeout=60).status_code == 404


SCRIPT = "app/autoload.js?bokeh-autoload-element=x&page=problem"


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
@pytest.mark.parametrize(
    "headers",
    [
        {},  # as a script of a page that says no origin
        {"Origin": "https://evil.com", "Cookie": "a=b"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
def test_another_site_is_given_no_token_and_takes_no_place(server, method, headers):
    found = requests.request(method, f"{server}/{SCRIPT}", headers=headers, timeout=60)
    assert found.status_code == 403
    assert not [name for name in found.headers if name.startswith("Access-Control")]
    assert "token" not in found.text
    if headers:
        page = requests.get(f"{server}/app", headers=headers, timeout=60)
        assert page.status_code == 403


def test_a_site_that_may_embed_the_app_may_read_its_script(server):
    origin = {"Origin": "https://school.org"}
    found = requests.options(f"{server}/{SCRIPT}", headers=origin, timeout=60)
    assert found.status_code == 200
    assert found.headers["Access-Control-Allow-Origin"] == "https://school.org"
    assert found.headers["Vary"] == "Origin"


def test_who_finds_no_place_is_told_so_and_a_thread_that_never_comes_back_is_left(
    endless,
):
    """Last: an interrupted server has ended, though something is still computed."""
    # A page that computes nothing, and one that does.
    asked = [f"{endless.address}/app?{one}" for one in ("page=problem", "data=digits")]
    pages = [requests.get(one, timeout=120) for one in (*asked, asked[0])]
    assert [page.status_code for page in pages] == [200, 200, 503]
    assert "Every place on this server is taken" in pages[2].text
    assert pages[2].headers["Retry-After"] == "60"
    assert pages[2].headers["X-Content-Type-Options"] == "nosniff"
    until(endless.begun.exists)
    endless.process.send_signal(signal.SIGTERM)
    endless.process.wait(HANGS_SECONDS)
    assert endless.process.returncode == 0

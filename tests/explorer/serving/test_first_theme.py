"""Whose browser is asked for its theme before a page is built for it."""

import pytest
from bokeh.server.urls import per_app_patterns
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from explorer.serving.first_theme import AskingPage, ask_for_theme, is_asked, told_dark
from explorer.serving.routes import routes

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def request(address="/app", **headers):
    headers["Host"] = "localhost"
    line = RequestStartLine("GET", address, "HTTP/1.1")
    return HTTPServerRequest(headers=HTTPHeaders(headers), start_line=line)


def test_a_browser_is_asked_once_and_nobody_else():
    assert is_asked(request(**BROWSER))
    assert not is_asked(request(**BROWSER, Cookie="thriftscope-theme=dark"))
    assert not is_asked(request("/app?theme=light", **BROWSER))
    assert not is_asked(request(Accept="*/*"))
    assert not is_asked(request())


@pytest.mark.parametrize(
    ("told", "dark"), [("dark", True), ("light", False), ("<b>", False)]
)
def test_a_cookie_says_whether_the_page_is_dark(told, dark):
    assert told_dark({"thriftscope-theme": told}) == dark
    assert not told_dark({})


def test_the_app_s_address_asks_however_often_the_addresses_are_made():
    routes()
    ask_for_theme()
    assert [handler for _, handler in per_app_patterns].count(AskingPage) == 1

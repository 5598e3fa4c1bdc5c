"""Whose browser is asked for its theme before a page is built for it."""

from types import SimpleNamespace

import pytest
from bokeh.core.templates import FILE
from bokeh.document import Document
from bokeh.server.urls import per_app_patterns
from panel.io.state import set_curdoc

from explorer.serving.first_theme import (
    AskingPage,
    ask_for_theme,
    asks_itself,
    is_asked,
    told_dark,
)
from explorer.serving.opening import opening_page
from explorer.serving.routes import routes

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_a_browser_is_asked_once_and_nobody_else():
    assert is_asked(BROWSER, {}, {})
    assert not is_asked(BROWSER, {"thriftscope-theme": "dark"}, {})
    assert not is_asked(BROWSER, {}, {"theme": [b"light"]})
    assert not is_asked({"Accept": "*/*"}, {}, {})
    assert not is_asked({}, {}, {})


@pytest.mark.parametrize(("headers", "asks"), [(BROWSER, True), ({}, False)])
def test_plain_panel_serve_asks_too_before_it_builds_anything(headers, asks):
    document = Document()
    request = SimpleNamespace(headers=headers, cookies={}, arguments={})
    document._session_context = lambda: SimpleNamespace(request=request)
    with set_curdoc(document):
        assert asks_itself() == asks
        assert (document.template is not FILE) == asks
    if asks:
        assert document.template.render() == opening_page().rstrip()


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

"""The theme that a page is built in: its browser is asked before anything is built.

A page that is built light and told later that its browser is dark changes one control
after the other, for seconds on a busy machine. A browser says which theme it prefers by
script alone; what it says arrives in a cookie that lives for that one request.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import panel as pn
from bokeh.server.urls import per_app_patterns
from panel.io.server import DocHandler

from .opening import opening_page

COOKIE = "thriftscope-theme"
# What an address or a cookie may ask for: is it dark?
THEMES = {"dark": True, "default": False, "light": False}


def told_dark(cookies: dict[str, str]) -> bool:
    """Return whether a browser has said that the page is to be dark."""
    return THEMES.get(cookies.get(COOKIE, ""), False)


def ask_for_theme() -> None:
    """Have every page that a browser opens asked for its theme first."""
    # Bokeh says that some patterns have three parts; those of its list have two.
    per_app_patterns[:] = [  # type: ignore[misc]
        (pattern, AskingPage if handler is DocHandler else handler)
        for pattern, handler in per_app_patterns
    ]


class AskingPage(DocHandler):
    """Answers with the question where the theme is not known, else with the app."""

    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Ask, or build the app."""
        request = self.request
        if not is_asked(request.headers, request.cookies, request.arguments):
            # Tornado says that a handler may be no coroutine; Panel's is one.
            await super().get(*args, **kwargs)  # type: ignore[misc]
            return
        self.set_header("Cache-Control", "no-store")
        self.finish(opening_page())


def is_asked(
    headers: Mapping[str, str], cookies: Container[str], arguments: Container[str]
) -> bool:
    """Return whether a person's browser asks, and has not said its theme yet."""
    is_browser = "text/html" in headers.get("Accept", "")
    return is_browser and COOKIE not in cookies and "theme" not in arguments


def asks_itself() -> bool:
    """Ask in the page's place where the server did not, as plain ``panel serve``."""
    state = pn.state
    if not is_asked(state.headers, state.cookies, state.session_args):
        return False
    # As a template, not as text: Panel would put a text into a page of its own.
    environment = state.curdoc.template.environment
    state.curdoc.template = environment.from_string(opening_page())
    return True

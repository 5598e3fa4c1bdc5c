"""The unseen part of the page: a narrow window, a lost connection, ways by keyboard.

Stylesheets of the themes are looked up once: Panel asks for them whenever a pane of
text changes, and each time the disk is asked whether they are there. Waiting for it, a
page's thread lets those that compute take the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import param
from panel.custom import JSComponent
from panel_material_ui.theme import MuiDarkTheme, MuiDefaultTheme

from .assets import asset

# Below this width the rail lies over the page.
NARROW = 600
# The class of what opens another page of the app when it is pressed.
TURNS_PAGE = "turns-page"
# Where Panel's part of a Jupyter server has its files.
JUPYTER_DIST = "/panel-preview/static/extensions/panel/"


def _in_turn(*scripts: list[str]) -> str:
    """Return scripts, each of some files, as one that renders them all."""
    bodies = (
        "".join(map(asset, names)).replace("export function render", "return function")
        for names in scripts
    )
    parts = ", ".join(f"(() => {{\n{body}\n}})()" for body in bodies)
    return f"""
const parts = [{parts}]
export function render(view) {{
  parts.forEach(part => part(view))
  return document.createElement("div")
}}
"""


class BrowserSide(JSComponent):
    """Invisible: what a page does in the browser, and what it is told there.

    It is one part of the page, since each costs what a slider does as it opens.
    """

    dark = param.Boolean(default=False, doc="Whether the session is dark.")
    drawn = param.Boolean(default=False, doc="Whether a browser has drawn it.")
    first = param.String(default="", doc="Name of the page that it opened on.")
    front = param.String(default="", doc="Title of the page in front.")
    narrow = param.Integer(default=NARROW, doc="In CSS pixels.")
    place = param.String(default="", doc="A heading, and how often it was sought.")
    questions = param.Dict(default={}, doc="What each page asks, by its title.")
    served = param.Boolean(default=True, doc="Whether it is no cell of a notebook.")
    turned = param.Integer(default=0, doc="How many pages have come.")

    _esm = _in_turn(
        ["viewport.js"],  # knows how wide the window is
        ["page_theme.js"],  # keeps the page in the theme of its session
        ["sign.js", "page_turn.js"],  # says, at the click, that a page is coming
        ["history.js"],  # turns the page as the browser goes back and forward
        ["places.js"],  # scrolls to headings
        ["connection.js"],  # says when the server is gone, and back
        ["late_echoes.js"],  # drops what is sent back to the server late
        ["lights.js"],  # sees what the mouse or the focus is on
        ["select_keys.js"],  # mends drop-downs, fields and sliders by keyboard
        ["skip_link.js"],  # leads past menu and controls
        ["tune.js"],  # opens and closes the drawer, and a card by Escape
    )

    def __init__(self, went: Callable[[str], None], **params: Any) -> None:
        """Make the part; `went` takes the page that the browser has gone back to."""
        super().__init__(width=0, height=0, margin=0, **params)
        self._went, self._times = went, count()

    def _get_model(self, doc: Any, *args: Any, **options: Any) -> Any:
        if not self.served:
            # Panel would ask another host for styles that it serves by itself.
            doc._template_variables.setdefault("dist_url", JUPYTER_DIST)
        return super()._get_model(doc, *args, **options)

    def _handle_msg(self, message: Any) -> None:
        match message:
            case {"page": str(page)}:
                self._went(page)

    def come(self, title: str) -> None:
        """Tell that the page that was asked for is there."""
        self.param.update(front=title, turned=self.turned + 1)

    def find(self, heading: str) -> None:
        """Bring a heading into view once it is there."""
        self.place = f"{heading}\n{next(self._times)}"


def keep_theme_files() -> None:
    """Let each theme keep where its stylesheets were found."""
    for theme in (MuiDefaultTheme, MuiDarkTheme):
        for name in ("css", "base_css"):
            if isinstance(theme.param[name], param.Filename):
                found = param.Parameter(default=getattr(theme, name))
                theme.param.add_parameter(name, found)

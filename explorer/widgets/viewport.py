"""Unseen parts of the page: a narrow window, a lost connection, ways by keyboard.

Stylesheets of the themes are looked up once: Panel asks for them whenever a pane of
text changes, and each time the disk is asked whether they are there. Waiting for it, a
page's thread lets those that compute take the interpreter.
"""

from __future__ import annotations

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


class Viewport(JSComponent):
    """An invisible part of the page that knows how wide the window is."""

    narrow = param.Integer(default=NARROW, doc="In CSS pixels.")
    tells = param.Boolean(default=False, doc="Whether it says when it is drawn.")
    drawn = param.Boolean(default=False, doc="Whether a browser has drawn it.")

    _esm = asset("viewport.js")

    def _get_model(self, doc: Any, *args: Any, **options: Any) -> Any:
        if self.tells:
            # Panel would ask another host for styles that it serves by itself.
            doc._template_variables.setdefault("dist_url", JUPYTER_DIST)
        return super()._get_model(doc, *args, **options)


class Connection(JSComponent):
    """An invisible part of the page that says when the server is gone, and back."""

    _esm = asset("connection.js")


class LateEchoes(JSComponent):
    """An invisible part of the page that drops what is sent back to the server late.

    Panel's scripts write what has come into the model once more after it is drawn. Of
    two values soon after each other the first then comes back, as if a person had
    chosen it.
    """

    _esm = asset("late_echoes.js")


class PageTheme(JSComponent):
    """An invisible part of the page that keeps it in the theme of its session."""

    dark = param.Boolean(default=False, doc="Whether the session is dark.")

    _esm = asset("page_theme.js")


class PageTurn(JSComponent):
    """An invisible part of the page that says, at the click, that a page is coming.

    It looks at clicks on what has the class `TURNS_PAGE`.
    """

    narrow = param.Integer(default=NARROW, doc="In CSS pixels.")
    front = param.String(default="", doc="Title of the page in front.")
    questions = param.Dict(default={}, doc="What each page asks, by its title.")
    turned = param.Integer(default=0, doc="How many pages have come.")

    _esm = asset("sign.js") + asset("page_turn.js")

    def come(self, title: str) -> None:
        """Tell that what was pressed is there."""
        self.param.update(front=title, turned=self.turned + 1)


class PlaceFinder(JSComponent):
    """An invisible part of the page that scrolls to headings."""

    place = param.String(default="", doc="The heading, and how often it was sought.")

    _esm = asset("places.js")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._times = count()

    def find(self, heading: str) -> None:
        """Bring a heading into view once it is there."""
        self.place = f"{heading}\n{next(self._times)}"


class SelectKeys(JSComponent):
    """An invisible part of the page that mends drop-downs and fields by keyboard.

    Those of the template open by click alone, and take one Enter only.
    """

    _esm = asset("select_keys.js")


class SkipLink(JSComponent):
    """The first stop of Tab, seen when reached: it leads past menu and controls."""

    _esm = asset("skip_link.js")


def keep_theme_files() -> None:
    """Let each theme keep where its stylesheets were found."""
    for theme in (MuiDefaultTheme, MuiDarkTheme):
        for name in ("css", "base_css"):
            if isinstance(theme.param[name], param.Filename):
                found = param.Parameter(default=getattr(theme, name))
                theme.param.add_parameter(name, found)

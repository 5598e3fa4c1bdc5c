"""The app: one session, its pages in a left menu.

``thriftscope serve`` and ``panel serve explorer/app.py`` both serve it; in a notebook
``explorer.app()`` as the last line of a cell shows it.
"""

from __future__ import annotations

import base64
import re
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.util import edit_readonly
from panel.viewable import Viewer
from panel_material_ui.base import DIST_PATH

from explorer.assets import asset, asset_folder
from explorer.context import Context, page_post
from explorer.installing import manifest_link
from explorer.pages import PageParts, all_pages
from explorer.session import (
    read_link,
    read_page_link,
    write_link,
    write_page_link,
)
from explorer.state.session import SessionState
from explorer.viewport import Connection, Viewport

__all__ = ["Explorer", "extension", "serve"]

SIDEBAR_WIDTH = 290
PRIMARY = {"light": "#0b5a8f", "dark": "#7cc4f5"}
# White on this blue reads well in both themes; the dark theme's own blue is too light.
HEADER = {
    "& .MuiAppBar-root": {"backgroundColor": "#0b4a75", "color": "#ffffff"},
    # The page's own progress bar has no name for those who cannot see it; ours have.
    "& .MuiAppBar-root .MuiLinearProgress-root": {"display": "none"},
}


class Explorer(Viewer):
    """One person's app.

    Parameters
    ----------
    session : SessionState, optional
        What to open with; the default data set by default.
    """

    def __init__(self, session: SessionState | None = None, **params: Any) -> None:
        super().__init__(**params)
        self.session = session or SessionState()
        self.context = Context(
            self.session, page_post(lambda: getattr(self, "page", None))
        )
        self._settle = self.context.settle()
        self._parts: dict[str, PageParts] = {}
        self._location: Any = None
        self._opened_with = ""
        self._main = pn.Column(sizing_mode="stretch_width")
        self._controls = pn.Column(sizing_mode="stretch_width")
        self._menu = self._build_menu()
        self.page = self._build_page()
        self._link_location()
        self.session.param.watch(lambda *_: self._show(), "page")
        self._show()

    def __panel__(self) -> Any:
        return self.page

    # ------------------------------------------------------------------------ building

    def _build_menu(self) -> Any:
        pages = list(all_pages().values())
        menu = pmui.MenuList(
            items=[{"label": page.title, "icon": page.icon} for page in pages],
            sizing_mode="stretch_width",
            margin=(0, 0, 8, 0),
        )

        def choose(event: Any) -> None:
            if event.new:
                self.session.page = pages[event.new[0]].name

        menu.param.watch(choose, "active")
        return menu

    def _build_page(self) -> pmui.Page:
        before = set(map(id, _busy_watchers()))
        page = pmui.Page(
            title="Thriftscope",
            main=[self._main],
            sidebar=[self._menu, self._controls],
            sidebar_width=SIDEBAR_WIDTH,
            sidebar_resizable=False,
            header=[
                Viewport(width=0, height=0, margin=0),
                Connection(width=0, height=0, margin=0),
            ],
            sx=HEADER,
            busy_indicator=None,
            theme_config=_theme_config(),
            raw_css=[asset("thriftscope.css")],
            favicon=str(asset_folder() / "icons" / "icon.svg"),
            meta_apple_touch_icon=str(asset_folder() / "icons" / "icon-180.png"),
        )
        with edit_readonly(page):
            # Panel's own flag is shared by all sessions: one would blink for another,
            # and what watches it outlives its session.
            page.busy = False
        for watcher in _busy_watchers():
            if id(watcher) not in before:
                pn.state.param.unwatch(watcher)
        page.param.watch(lambda event: self._set_dark(event.new), "dark_theme")
        return page

    def _set_dark(self, dark: bool) -> None:
        self.session.dark = bool(dark)

    # ------------------------------------------------------------------------ the link

    def _link_location(self) -> None:
        location = pn.state.location
        frontier = self._frontier_state()
        if location is None or frontier is None:
            return
        self._location = location
        self._opened_with = location.search or ""
        read_link(self._opened_with, self.session, frontier)
        names = ["alpha", "p", "budget", "accounting", "penalty", "threshold", "refit"]
        frontier.param.watch(self._link_is_old, [*names, "methods"])
        self.session.param.watch(self._link_is_old, ["page", "dataset"])

    def _link_is_old(self, *_: Any) -> None:
        self._settle(self._write_link)

    def _write_link(self) -> None:
        name = self.session.page
        link = write_link(self.session, self._frontier_state())
        if name in self._parts:
            parts = self._parts[name]
            link += write_page_link(parts.state, parts.link)
        self._location.search = link

    def _link_page(self, name: str, parts: PageParts) -> None:
        """Give a page what the link says of it, and keep the link in step with it."""
        if not parts.link or self._location is None:
            return
        if self.session.page == name:
            read_page_link(self._opened_with, parts.state, parts.link)
        parts.state.param.watch(self._link_is_old, list(parts.link))

    def _frontier_state(self) -> Any:
        return getattr(self._page_parts("frontier"), "state", None)

    # ----------------------------------------------------------------------- the pages

    def _page_parts(self, name: str) -> PageParts:
        if name not in self._parts:
            self._parts[name] = all_pages()[name].build(self.context)
            self._link_page(name, self._parts[name])
        return self._parts[name]

    def _show(self) -> None:
        names = list(all_pages())
        name = self.session.page if self.session.page in names else "frontier"
        parts = self._page_parts(name)
        self._main.objects = [parts.main]
        self._controls.objects = [parts.controls]
        if self._menu.active != (names.index(name),):
            self._menu.active = (names.index(name),)
        parts.start()


def _busy_watchers() -> list[Any]:
    return list(pn.state.param.watchers.get("busy", {}).get("value", []))


def _theme_config() -> dict[str, Any]:
    return {
        theme: {"palette": {"primary": {"main": colour}}, "chart_style": "classic"}
        for theme, colour in PRIMARY.items()
    }


def extension() -> None:
    """Load what the pages need: from this server, or into the notebook itself."""
    in_notebook = pn.state.curdoc is None
    pn.extension(inline=in_notebook, raw_css=[_icon_font()] if in_notebook else [])


def _icon_font() -> str:
    """Return the font of the icons itself: a notebook is served by somebody else."""
    styles = (DIST_PATH / "material-icons.css").read_text(encoding="utf-8")
    (name,) = re.findall(r'"\./(material-icons-\w+\.woff2)"', styles)
    font = base64.b64encode((DIST_PATH / name).read_bytes()).decode()
    source = f'url("data:font/woff2;base64,{font}") format("woff2")'
    return f'@font-face {{font-family: "Material Icons"; src: {source};}}'


def serve() -> None:
    """Build the app for the session that is being opened, and mark it servable."""
    extension()
    explorer = Explorer()
    pn.state.on_session_destroyed(lambda _: explorer.context.abandon())
    explorer.page.servable(title="Thriftscope")
    request = pn.state.curdoc.session_context.request
    pn.state.curdoc.template_variables["manifest_url"] = manifest_link(request)


if pn.state.served:
    serve()

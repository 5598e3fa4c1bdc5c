"""The app: one session, its pages in a left menu.

``thriftscope serve`` and ``panel serve explorer/app.py`` both serve it; in a notebook
``explorer.app()`` as the last line of a cell shows it.
"""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.util import edit_readonly
from panel.viewable import Viewer
from panel_material_ui.base import DIST_PATH

from explorer.pages import PageParts, all_pages
from explorer.serving.events import prepare_events
from explorer.serving.first_theme import THEMES, asks_itself, told_dark
from explorer.serving.location import locate_pages
from explorer.serving.manifest import manifest_link
from explorer.serving.memory import drop_empty_defaults
from explorer.session.autosave import Autosave
from explorer.session.browser_store import SessionStore
from explorer.session.context import Context, page_post
from explorer.session.data_menu import DataMenu
from explorer.session.link import asked_by
from explorer.session.menu import SessionMenu
from explorer.session.state import SessionState
from explorer.session.url import PageUrl
from explorer.widgets.assets import asset, asset_folder
from explorer.widgets.controls import OPTION_HEIGHT
from explorer.widgets.lights import Lights
from explorer.widgets.message import Message
from explorer.widgets.parts import wide_column
from explorer.widgets.theme import Palette, palette
from explorer.widgets.theme_files import keep_theme_files
from explorer.widgets.viewport import (
    TURNS_PAGE,
    Connection,
    PageTheme,
    PageTurn,
    PlaceFinder,
    SelectKeys,
    SkipLink,
    Viewport,
)

SIDEBAR_WIDTH = 290
ICONS = """
.material-icons { font-family: "Material Icons"; font-style: normal; line-height: 1; }
"""
PRIMARY = {"light": "#0b5a8f", "dark": "#7cc4f5"}
# The cross of a dialog is as light as its ground in the dark, unless it is of its text.
CLOSING = {
    "MuiDialog": {
        "styleOverrides": {"paper": {"& [aria-label=close]": {"color": "inherit"}}}
    }
}
# What cannot be moved now still says what it is: the template's own is half seen.
DISABLED = {"light": "#6b737c", "dark": "#9aa4ae"}
# White on this blue reads well in both themes; the dark theme's own blue is too light.
HEADER = {
    "& .MuiAppBar-root": {"backgroundColor": "#0b4a75", "color": "#ffffff"},
    # The bar of a narrow window has room for what is open, not for the app's name.
    "& .MuiAppBar-root h3": {"@media (max-width: 600px)": {"display": "none"}},
    # The page's own progress bar has no name for those who cannot see it; ours have.
    "& .MuiAppBar-root .MuiLinearProgress-root": {"display": "none"},
}


class Explorer(Viewer):
    """One person's app."""

    def __init__(self, session: SessionState | None = None, **params: Any) -> None:
        super().__init__(**params)
        self.session = session or SessionState()
        self._viewport = Viewport(
            tells=pn.state.curdoc is None, width=0, height=0, margin=0
        )
        post = page_post(
            lambda: getattr(self, "page", None), lambda: self._viewport.drawn
        )
        self.context = Context(self.session, post)
        self._parts: dict[str, PageParts] = {}
        self._turns = False  # whether a page is about to be shown
        self.autosave = Autosave(
            self.context,
            {page.name: (page.state, page.kept) for page in all_pages().values()},
        )
        self._store = SessionStore(
            lambda message: self.context.post(lambda: self._heard(message)),
            stores=pn.state.location is not None,
            width=0,
            margin=0,
        )
        self.context.visit, self.context.copy = self.visit, self._copy
        self._copied: Callable[[bool], None] = self.autosave.copied
        self._finder = PlaceFinder(width=0, height=0, margin=0)
        self._turn = PageTurn(width=0, height=0, margin=0)
        # As high as the page: capped at the window, its rows would lie on each other.
        self._main = wide_column(
            styles={"max-height": "none"},
            css_classes=["pages"],
        )
        self._controls = wide_column()
        self._menu = self._build_menu()
        self.page = self._build_page()
        self.location = PageUrl(
            self.context,
            all_pages(),
            self._page_parts,
            pn.state.location,
            self.autosave.tell,
        )
        with self.context.undo_stack.quiet():
            self.location.read()
        asked = self.location.asks
        # Panel applies the `theme` of an address to its own parts: the session follows.
        self._asked_dark = THEMES.get(asked.get("theme", ""))
        # What the link has opened is where this person begins.
        self.context.undo_stack.forget()
        self.session.param.watch(lambda *_: self._show_soon(), "page")
        self.session.param.watch(lambda *_: self._use_theme(), "dark")
        if self._asked_dark is not None:
            self.session.dark = self._asked_dark
        self._show()

    def __panel__(self) -> Any:
        return self.page

    def close(self) -> None:
        """Stop everything: the session is gone."""
        self.autosave.close()
        self.context.abandon()

    # ------------------------------------------------------------------------ building

    def _build_menu(self) -> Any:
        pages = list(all_pages().values())
        menu = pmui.MenuList(
            items=[{"label": page.title, "icon": page.icon} for page in pages],
            sizing_mode="stretch_width",
            min_height=OPTION_HEIGHT * len(pages),
            margin=(0, 0, 8, 0),
            css_classes=[TURNS_PAGE],
        )

        def choose(event: Any) -> None:
            if event.new:
                self.session.page = pages[event.new[0]].name

        menu.param.watch(choose, "active")
        return menu

    def _build_page(self) -> pmui.Page:
        before = set(map(id, _busy_watchers()))
        pages = all_pages()
        data_menu = DataMenu(
            self.context, lambda name: pages[name].subject if name in pages else ""
        )
        session_menu = SessionMenu(self.context, self.autosave, self._copy_link)
        # A notebook has stops of its own before this page's.
        is_served = pn.state.curdoc is not None
        skips = [SkipLink(width=0, height=0, margin=0)] if is_served else []
        page = pmui.Page(
            title="Thriftscope",
            main=[
                Message(text=self.autosave.param.message),
                data_menu.parts(),
                self._main,
                session_menu.dialog,
            ],
            sidebar=[self._menu, self._controls],
            sidebar_width=SIDEBAR_WIDTH,
            sidebar_resizable=False,
            header=[
                self._viewport,
                Connection(width=0, height=0, margin=0),
                Lights(width=0, height=0, margin=0),
                SelectKeys(width=0, height=0, margin=0),
                PageTheme(dark=self.session.param.dark, width=0, height=0, margin=0),
                *skips,
                self._store,
                self._finder,
                self._turn,
                data_menu,
                session_menu,
            ],
            sx=HEADER,
            busy_indicator=None,
            theme_config=_theme_config(),
            raw_css=[asset("thriftscope.css"), _ground(palette(self.session.dark))],
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

    def _use_theme(self) -> None:
        if self.page.dark_theme != self.session.dark:
            self.page.dark_theme = self.session.dark

    # --------------------------------------------------------------------- the browser

    def _heard(self, message: dict[str, Any]) -> None:
        """Do what the browser's part of the page asks for or tells."""
        match message:
            case {"op": "undo"}:
                self.context.undo_stack.undo()
            case {"op": "redo"}:
                self.context.undo_stack.redo()
            case {"op": "found", "text": str(), "table": str()}:
                self._found(message)
            case {"op": "theme", "dark": bool(dark)}:
                self.session.dark = dark
            case {"op": "kept", "done": bool(done)}:
                self.autosave.kept(done)
            case {"op": "copied", "done": bool(done)}:
                self._copied(done)

    def _found(self, message: dict[str, Any]) -> None:
        """Go on with what the browser has kept, in the theme that it prefers."""
        text, is_dark = message["text"], message.get("dark") is True
        was = message.get("was")
        if self._asked_dark is not None:
            is_dark, was = self._asked_dark, not self._asked_dark
        if not text:  # a first visit is in the system's own theme
            self.session.dark = is_dark

        def themed(dark: bool) -> bool:
            # Whoever did not choose another theme than the system's follows it.
            return is_dark if dark == was else dark

        def then(has_opened: bool) -> None:
            if text and message.get("same") is not True and not has_opened:
                self.location.override()
            self.autosave.keep_in(self._keep)

        self.autosave.restore(text, message["table"], then, themed)

    def _keep(self, text: str, table: str | None) -> None:
        self._store.keep(text, table, dark=self.session.dark)

    def _copy_link(self) -> str:
        parts = self._page_parts(self.session.page)
        frontier = self._page_parts("frontier").state
        link = self.autosave.link(frontier, parts.state, parts.link)
        self._copy(link, self.autosave.copied)
        return link

    def _copy(self, link: str, told: Callable[[bool], None]) -> None:
        self._copied = told
        self._store.copy(link)

    def visit(self, link: str, place: str = "") -> None:
        """Follow a link within the app: set a page's state and bring it to the front.

        `place`: heading to bring into view; the top of the page where empty.
        """
        if asked_by(link).get("page") not in all_pages():
            return
        try:
            self.location.go(link)
        finally:
            self._turn.come(all_pages()[self.session.page].title)
        self._finder.find(place)

    # ----------------------------------------------------------------------- the pages

    def _page_parts(self, name: str) -> PageParts:
        if name not in self._parts:
            page = all_pages()[name]
            with self.context.undo_stack.quiet():
                parts = self._parts[name] = page.build(self.context)
                if parts.state is not None:
                    self.context.choices.adopt(
                        name, parts.state, page.kept, parts.restored
                    )
                self.location.follow(name, parts)
        return self._parts[name]

    def _show_soon(self) -> None:
        """Show the page in front once all that happens now has happened.

        What is taken out of a document and put back at once keeps, in the browser, what
        it was before: a kept session that a link wins over turned the page twice.
        """
        if not self._turns:
            self._turns = True
            self.context.post(self._show)

    def _show(self) -> None:
        self._turns = False
        names = list(all_pages())
        name = self.session.page if self.session.page in names else "frontier"
        parts = self._page_parts(name)
        self._main.objects = [parts.main]
        self._controls.objects = [parts.controls]
        if self._menu.active != (names.index(name),):
            self._menu.active = (names.index(name),)
        with self.context.undo_stack.quiet():
            parts.start()
        self._turn.come(all_pages()[name].title)


def _busy_watchers() -> list[Any]:
    return list(pn.state.param.watchers.get("busy", {}).get("value", []))


def _ground(colours: Palette) -> str:
    """Return the style of a page that is not drawn yet; what is drawn overrules it."""
    return (
        f":where(:root) {{ --mui-palette-background-default: {colours.background};"
        f" --mui-palette-text-primary: {colours.text} }}"
    )


def _theme_config() -> dict[str, Any]:
    return {
        theme: {
            "palette": {
                "primary": {"main": colour},
                "text": {"disabled": DISABLED[theme]},
            },
            "components": CLOSING,
            "chart_style": "classic",
        }
        for theme, colour in PRIMARY.items()
    }


def extension() -> None:
    """Load what the pages need: from this server, or into the notebook itself."""
    prepare_events()
    keep_theme_files()
    locate_pages()
    if pn.state.curdoc is not None:
        pn.extension()
        return
    # What every component is given: which font icons are in. The font is given once.
    pn.extension(inline=True, raw_css=[ICONS])
    if "IPython" in sys.modules:
        from IPython import get_ipython
        from IPython.display import HTML, display

        if get_ipython() is not None:
            display(HTML(f"<style>{_icon_font()}</style>"))


def _icon_font() -> str:
    """Return the font of the icons itself: a notebook is served by somebody else."""
    styles = (DIST_PATH / "material-icons.css").read_text(encoding="utf-8")
    (name,) = re.findall(r'"\./(material-icons-\w+\.woff2)"', styles)
    font = base64.b64encode((DIST_PATH / name).read_bytes()).decode()
    source = f'url("data:font/woff2;base64,{font}") format("woff2")'
    return f'@font-face {{font-family: "Material Icons"; src: {source};}}'


def open_session() -> Explorer:
    """Build the app for the session that is being opened."""
    extension()
    dark, document = told_dark(pn.state.cookies), pn.state.curdoc
    if dark:  # every component takes its theme from here as it is made
        pn.config.theme = "dark"  # type: ignore[misc]
    explorer = Explorer(SessionState(dark=dark))
    pn.state.on_session_destroyed(lambda _: explorer.close())
    pn.state.onload(lambda: drop_empty_defaults(document))
    return explorer


def serve() -> None:
    """Build the app for the session that is being opened, and mark it servable."""
    if not asks_itself():
        open_session().page.servable(title="Thriftscope")
    document = pn.state.curdoc
    request = document.session_context.request
    document.template_variables["manifest_url"] = manifest_link(request)


if pn.state.served:
    serve()

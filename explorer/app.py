"""The app: one session, its pages in a rail at the left.

``thriftscope serve`` and ``panel serve explorer/app.py`` both serve it; in a notebook
``explorer.app()`` as the last line of a cell shows it.
"""

from __future__ import annotations

import base64
import logging
import re
import sys
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.settings import settings
from panel.util import edit_readonly
from panel.viewable import Viewer
from panel_material_ui.base import DIST_PATH

from explorer.pages import PageParts, all_pages
from explorer.serving.events import prepare_events
from explorer.serving.first_theme import THEMES, asks_itself, told_dark
from explorer.serving.location import locate_pages
from explorer.serving.memory import drop_empty_defaults
from explorer.serving.routes import manifest_link
from explorer.session.autosave import Autosave, SessionStore
from explorer.session.context import Context, page_post
from explorer.session.data_menu import DataMenu
from explorer.session.link import asked_by
from explorer.session.menu import SessionMenu
from explorer.session.state import SessionState
from explorer.session.url import PageUrl
from explorer.stage.frame import BAR_HEIGHT, DRAWER, TUNE_WIDTH, tuned
from explorer.stage.material import theme_config
from explorer.stage.presenting import Presenting, present_button
from explorer.widgets.assets import asset, asset_folder
from explorer.widgets.browser_side import (
    NARROW,
    TURNS_PAGE,
    BrowserSide,
    keep_theme_files,
)
from explorer.widgets.markup import Message
from explorer.widgets.page_layout import from_first_shown
from explorer.widgets.parts import wide_column
from explorer.widgets.theme import palette
from explorer.widgets.ui import pmui

logger = logging.getLogger(__name__)

RAIL_WIDTH, RAIL_HEIGHT = 76, 56
ICONS = """
.material-icons { font-family: "Material Icons"; font-style: normal; line-height: 1; }
"""
# So soon after each other clicks on pages are one: a busy moment has them together.
TURN_SECONDS = 0.03
UNBUILT = (
    "The page {} could not be opened for a reason that is ours, not yours; the log has "
    "the details. The other pages go on."
)
# White on this blue reads well in both themes; the dark theme's own blue is too light.
FRAME = DRAWER | {
    # Hidden, it would still be scrolled to what lies under the drawer, and never back.
    "overflow": "clip",
    "& .MuiToolbar-root": {
        "minHeight": f"var(--bar-height, {BAR_HEIGHT}px) !important"
    },
    "& > .main .MuiToolbar-root": {
        "height": f"var(--bar-height, {BAR_HEIGHT}px)",
        "overflow": "hidden",
    },
    # Neither is seen where a page is presented (`thriftscope.css`).
    "& > nav:not(:has(.contextbar))": {"display": "var(--stage-bar, block)"},
    "& .MuiAppBar-root": {
        "display": "var(--stage-bar, flex)",
        "backgroundColor": "#0b4a75",
        "color": "#ffffff",
        # The ring around the focus is in the ink of its ground.
        "--mui-palette-text-primary": "#ffffff",
    },
    # The bar of a narrow window has room for what is open, not for the app's name.
    "& .MuiAppBar-root .MuiToolbar-root": {
        f"@media (max-width: {NARROW}px)": {"padding": "0 8px"}
    },
    "& .MuiAppBar-root h3": {"@media (max-width: 600px)": {"display": "none"}},
    # The page's own progress bar has no name for those who cannot see it; ours have.
    "& .MuiAppBar-root .MuiLinearProgress-root": {"display": "none"},
    # The rail has room where it does not lie over the page.
    f"@media (min-width: {NARROW}px)": {
        "& .MuiAppBar-root [aria-label$=drawer]": {"display": "none"}
    },
}
# A page in the rail: its icon above its name.
RAIL = {
    "& .MuiListItemButton-root": {
        "flexDirection": "column",
        "gap": "2px",
        "minHeight": 56,
        "padding": "6px 2px !important",
        "& .MuiListItemIcon-root": {"padding": "0 !important"},
        "& .MuiListItemText-root": {"margin": 0},
        "& .MuiListItemText-primary": {
            "fontSize": 12,
            "lineHeight": 1.2,
            "textAlign": "center",
        },
    },
}


class Explorer(Viewer):
    """One person's app."""

    def __init__(self, session: SessionState | None = None, **params: Any) -> None:
        super().__init__(**params)
        self.session = session or SessionState()
        self._browser = BrowserSide(
            self._turn,
            dark=self.session.param.dark,
            questions={page.title: page.question for page in all_pages().values()},
            served=pn.state.curdoc is not None,
        )
        post = page_post(
            lambda: getattr(self, "page", None), lambda: self._browser.drawn
        )
        self.context = Context(self.session, post)
        self._parts: dict[str, PageParts] = {}
        self._shown = ""  # Name of the page that can be seen
        # Of pages that are asked for at once, the last is shown.
        self._at_rest = self.context.settle(TURN_SECONDS)
        self.autosave = Autosave(
            self.context,
            {page.name: (page.state, page.kept) for page in all_pages().values()},
        )
        self._store = SessionStore(
            lambda message: self.context.post(lambda: self._heard(message)),
            # What stands in another page leaves alone what is kept of the app's own.
            stores=pn.state.location is not None and "embed" not in self._asks(),
            width=0,
            margin=0,
        )
        self.context.visit, self.context.copy = self.visit, self._copy
        self._copied: Callable[[bool], None] = self.autosave.copied
        # As high as the page: capped at the window, its rows would lie on each other.
        self._main = wide_column(
            styles={"max-height": "none"},
            css_classes=["pages"],
        )
        self._tuned = wide_column(margin=0)
        self._tuned_page: PageParts | None = None
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
        # It lies over what leaves the presented page.
        self.session.param.watch(lambda *_: self._close_tune(), "frame")
        if self._asked_dark is not None:
            self.session.dark = self._asked_dark
        self._show()
        self._browser.first = self.session.page

    def __panel__(self) -> Any:
        return self.page

    def close(self) -> None:
        """Stop everything: the session is gone."""
        self.autosave.close()
        self.context.abandon()

    @staticmethod
    def _asks() -> dict[str, str]:
        """Return what the address asks for, by short name."""
        location = pn.state.location
        return {} if location is None else asked_by(location.search or "")

    # ------------------------------------------------------------------------ building

    def _build_menu(self) -> Any:
        pages = list(all_pages().values())
        menu = pmui.MenuList(
            items=[{"label": page.title, "icon": page.icon} for page in pages],
            sizing_mode="stretch_width",
            min_height=RAIL_HEIGHT * len(pages),
            margin=0,
            sx=RAIL,
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
        # A notebook has a page around this one.
        is_served = self._browser.served
        presents = [Presenting(self.session)] if is_served else []
        shows = [present_button(self.session)] if is_served else []
        page = pmui.Page(
            title="Thriftscope",
            main=[
                data_menu.parts(Message(text=self.autosave.param.message)),
                self._main,
                from_first_shown(session_menu.dialog, "open"),
            ],
            sidebar=[self._menu],
            sidebar_width=RAIL_WIDTH,
            sidebar_resizable=False,
            contextbar=[self._tuned],
            contextbar_width=TUNE_WIDTH,
            contextbar_variant="persistent",
            header=[
                self._browser,
                *presents,
                self._store,
                data_menu,
                session_menu,
                *shows,
            ],
            sx=FRAME,
            busy_indicator=None,
            theme_config=theme_config(),
            raw_css=[asset("thriftscope.css"), self._ground()],
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
        page.param.watch(lambda _: self._tune(), "contextbar_open")
        return page

    def _ground(self) -> str:
        """Return the style of a page that is not drawn yet, and what it will ask.

        What is drawn overrules it.
        """
        colours, pages = palette(self.session.dark), all_pages()
        asked = pages.get(self._asks().get("page", "frontier"), pages["frontier"])
        return (
            f":where(:root) {{ --mui-palette-background-default: {colours.background};"
            f" --mui-palette-text-primary: {colours.text};"
            f' --question: "{asked.question}" }}'
        )

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
            self._store.read()

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
        page = asked_by(link).get("page")
        if page not in all_pages() or self._built(page) is None:
            return
        try:
            self.location.go(link)
        finally:
            self._browser.come(all_pages()[self.session.page].title)
        self._browser.find(place)

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
        self._at_rest(self._show)

    def _turn(self, page: str) -> None:
        """Show the page that the browser has gone back to."""
        if page in all_pages():
            self.context.post(lambda: self.session.param.update(page=page))

    def _show(self) -> None:
        names = list(all_pages())
        name = self.session.page if self.session.page in names else "frontier"
        if (parts := self._built(name)) is None:
            return
        if name != self._shown:  # what was opened there is not asked for here
            self._close_tune()
        self._main.objects, self._shown = [parts.main], name
        self._tune()
        if self._menu.active != (names.index(name),):
            self._menu.active = (names.index(name),)
        with self.context.undo_stack.quiet():
            parts.start()
        self._browser.come(all_pages()[name].title)

    def _built(self, name: str) -> PageParts | None:
        """Return a page; where it does not come, say so and stay on the one shown."""
        try:
            return self._page_parts(name)
        except Exception:  # the boundary: the other pages go on
            logger.exception("a page could not be built")
        self.autosave.tell(UNBUILT.format(all_pages()[name].title))
        if self._shown:
            self.session.page = self._shown
        self._browser.come(all_pages()[self._shown or name].title)
        return None

    def _close_tune(self) -> None:
        self.page.contextbar_open = False

    def _tune(self) -> None:
        """Fill the drawer with what is set of the page in front, once it is opened.

        Closed, it keeps that: opened again before the server has heard of it, it would
        be emptied under the hand.
        """
        parts = self._parts.get(self.session.page)
        if parts is self._tuned_page:
            return
        is_open = parts is not None and self.page.contextbar_open
        self._tuned_page = parts if is_open else None
        self._tuned.objects = tuned(parts.tuned(), parts.tuned_as) if is_open else []


def _busy_watchers() -> list[Any]:
    return list(pn.state.param.watchers.get("busy", {}).get("value", []))


def extension() -> None:
    """Load what the pages need: from this server, or into the notebook itself."""
    prepare_events()
    keep_theme_files()
    locate_pages()
    if pn.state.curdoc is not None:
        # Signatures are for a notebook's help; diagnostics look at each callback's.
        settings.perform_error_diagnostics = False
        pn.extension(apply_signatures=False)
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


# The name of the module in which Bokeh runs this file for a session. `pn.state.served`
# says the same, after reading the sources of the whole stack.
if __name__.startswith("bokeh_app_"):
    serve()

"""The header's buttons: undo, redo, and the menu of the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers import ThriftscopeError

from ..widgets.controls import download
from ..widgets.markup import markup
from ..widgets.message import Message
from ..widgets.text import plain
from .context import Context
from .keeper import SessionKeeper
from .saved import MAX_TEXT

__all__ = ["SessionMenu"]

FILE = "thriftscope-session.json"
ABOUT = (
    "<p>What you do is kept in this browser and is there again after a reload. Nobody "
    "else sees it. A file carries all of it elsewhere; a link carries choices, and a "
    "small hypergraph.</p>"
)
MAX_NAME = 60
ON_HEADER = {
    "color": "#ffffff",
    "&.Mui-disabled": {"color": "#ffffff", "opacity": 0.4},
}
# At the side of its button a tooltip would lie on the next one, and take its clicks.
BELOW = """
.MuiTooltip-popper {top: 44px !important; left: -20px !important; pointer-events: none}
.MuiTooltip-tooltip {width: max-content; max-width: 220px}
.MuiTooltip-arrow {display: none}
"""


class SessionMenu(Viewer):
    """Undo and redo across pages, and what can be done with the session as a whole.

    Parameters
    ----------
    context : Context
        The session.
    keeper : SessionKeeper
        Writes it down and opens it.
    copy_link : callable
        Puts a link into the clipboard, and returns its query.

    Attributes
    ----------
    dialog : Dialog
        The menu; it stands in the page, since the header has colours of its own.
    """

    def __init__(
        self,
        context: Context,
        keeper: SessionKeeper,
        copy_link: Callable[[], str],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._keeper, self._copy_link = keeper, copy_link
        # All that a click changes, on every page, is drawn in one message.
        self._post = context.post
        journal = context.journal
        self._undo = self._icon("undo", journal.undo)
        self._redo = self._icon("redo", journal.redo)
        journal.param.watch(lambda *_: self._name(journal), ["undoes", "redoes"])
        self._name(journal)
        # Filled when it is first opened: most pages never ask for it.
        self.dialog = pmui.Dialog(
            title="Session",
            title_variant="h2",
            show_close_button=True,
            close_on_click=True,
            width_option="sm",
        )
        keeper.param.watch(lambda _: self._close_if_done(), "note")

    def __panel__(self) -> Any:
        button = pmui.Button(
            label="Session",
            variant="text",
            icon="bookmark",
            margin=0,
            sx=ON_HEADER,
            on_click=lambda _: self._show(),
        )
        return pn.Row(self._undo, self._redo, button, margin=(0, 0, 0, 12))

    # ------------------------------------------------------------------------ building

    def _icon(self, icon: str, act: Callable[[], None]) -> Any:
        return pmui.IconButton(
            icon=icon,
            size="small",
            margin=0,
            sx=ON_HEADER,
            stylesheets=[BELOW],
            on_click=lambda _: self._post(act),
        )

    def _show(self) -> None:
        if not self.dialog.objects:
            self.dialog.objects = [self._body()]
        self.dialog.open = True

    def _body(self) -> Any:
        self._link = markup("", margin=(0, 12))
        self._file = pmui.FileInput(
            label="Open session",
            variant="outlined",
            accept=".json",
            max_file_size=MAX_TEXT,
            sizing_mode="stretch_width",
            margin=8,
        )
        self._file.param.watch(lambda event: self._open(event.new), "value")
        wide = {"sizing_mode": "stretch_width", "margin": 8, "size": "medium"}
        afresh = pmui.Button(
            label="Start afresh",
            icon="restart_alt",
            variant="outlined",
            on_click=lambda _: self._post(self._keeper.start_afresh),
            **wide,
        )
        link = pmui.Button(
            label="Copy link",
            icon="link",
            variant="outlined",
            on_click=lambda _: self._post(self._copy),
            **wide,
        )
        return pn.Column(
            markup(ABOUT, margin=(0, 12)),
            Message(text=self._keeper.param.message),
            Message(text=self._keeper.param.note, kind="info"),
            download("Save session", FILE, self._text, **wide),
            self._file,
            link,
            self._link,
            afresh,
            sizing_mode="stretch_width",
        )

    # ------------------------------------------------------------------------ reacting

    def _name(self, journal: Any) -> None:
        for button, verb, said in (
            (self._undo, "Undo", journal.undoes),
            (self._redo, "Redo", journal.redoes),
        ):
            what = said if len(said) <= MAX_NAME else f"{said[:MAX_NAME]}…"
            name = f"{verb}: {what}" if said else f"Nothing to {verb.lower()}"
            button.param.update(description=name, disabled=not said)

    def _text(self) -> str:
        try:
            text = self._keeper.text()
        except ThriftscopeError as error:
            self._keeper.param.update(message=str(error), note="")
            return ""
        self._keeper.param.update(message="", note="The session is saved to a file.")
        return text

    def _open(self, content: Any) -> None:
        if isinstance(content, bytes):
            self._keeper.open(content)

    def _copy(self) -> None:
        address = self._copy_link()
        self._link.object = (
            f'<p><a href="{plain(address)}" target="_blank" rel="noopener">The link'
            "</a></p>"
        )

    def _close_if_done(self) -> None:
        """Show what came of it: the page, not the menu that asked for it."""
        if self._keeper.note.endswith("undo goes back."):
            self.dialog.open = False

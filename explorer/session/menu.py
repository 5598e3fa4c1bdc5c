"""The header's buttons: undo, redo, and the menu of the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
from panel.viewable import Viewer

from solvers import ThriftscopeError

from ..widgets.controls import button, download
from ..widgets.markup import Message, markup
from ..widgets.parts import wide_column
from ..widgets.text import plain
from ..widgets.ui import pmui
from ..widgets.upload_dialog import file_input
from .autosave import Autosave
from .context import Context
from .saved import MAX_TEXT

FILE = "thriftscope-session.json"
ABOUT = (
    "<p>What you do is kept in this browser and is there again after a reload. Nobody "
    "else sees it. A file carries all of it elsewhere; a link carries choices, and a "
    "small hypergraph.</p>"
)
MAX_NAME = 60
ON_HEADER = {"color": "#ffffff", "&.Mui-disabled": {"color": "#ffffff", "opacity": 0.4}}
# On a phone the bar has room for the sign of a button.
SIGN_ALONE = {
    "@media (max-width: 600px)": {
        "fontSize": 0,
        "minWidth": 44,
        "& .MuiButton-startIcon": {"margin": 0},
        "& .MuiButton-startIcon > *": {"fontSize": "24px !important"},
    }
}
# At the side of its button a tooltip would lie on the next one, and take its clicks.
BELOW = """
.MuiTooltip-popper {top: 44px !important; left: -20px !important; pointer-events: none}
.MuiTooltip-tooltip {width: max-content; max-width: 220px}
.MuiTooltip-arrow {display: none}
"""


class SessionMenu(Viewer):
    """Undo and redo across pages, and what can be done with the session as a whole.

    `dialog`: the menu; it stands in the page, since the header has colours of its own.
    """

    def __init__(
        self,
        context: Context,
        autosave: Autosave,
        copy_link: Callable[[], str],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._autosave, self._copy_link = autosave, copy_link
        # All that a click changes, on every page, is drawn in one message.
        self._post = context.post
        undo_stack = context.undo_stack
        self._undo = self._icon("undo", undo_stack.undo)
        self._redo = self._icon("redo", undo_stack.redo)
        undo_stack.param.watch(lambda *_: self._name(undo_stack), ["undoes", "redoes"])
        self._name(undo_stack)
        # Filled when it is first opened: most pages never ask for it.
        self.dialog = pmui.Dialog(
            title="Session",
            title_variant="h2",
            show_close_button=True,
            close_on_click=True,
            width_option="sm",
        )
        # Then what came of it is to be seen: the page, not the menu.
        autosave.param.watch(lambda _: self.dialog.param.update(open=False), "taken")

    def __panel__(self) -> Any:
        menu = button(
            "Session",
            self._show,
            variant="text",
            icon="bookmark",
            margin=0,
            sx=ON_HEADER | SIGN_ALONE,
        )
        return pn.Row(self._undo, self._redo, menu, margin=(0, 0, 0, 4))

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
        self._file = file_input(
            "Open session", MAX_TEXT, self._autosave, accept=".json"
        )
        self._file.param.watch(lambda event: self._open(event.new), "value")
        wide = {"sizing_mode": "stretch_width", "margin": 8, "size": "medium"}
        afresh = button(
            "Start afresh",
            lambda: self._post(self._autosave.start_afresh),
            icon="restart_alt",
            **wide,
        )
        link = button("Copy link", lambda: self._post(self._copy), icon="link", **wide)
        return wide_column(
            markup(ABOUT, margin=(0, 12)),
            Message(text=self._autosave.param.message),
            Message(text=self._autosave.param.note, kind="info"),
            download("Save session", FILE, self._text, **wide),
            self._file,
            link,
            self._link,
            afresh,
        )

    # ------------------------------------------------------------------------ reacting

    def _name(self, undo_stack: Any) -> None:
        for icon, verb, said in (
            (self._undo, "Undo", undo_stack.undoes),
            (self._redo, "Redo", undo_stack.redoes),
        ):
            what = said if len(said) <= MAX_NAME else f"{said[:MAX_NAME]}…"
            name = f"{verb}: {what}" if said else f"Nothing to {verb.lower()}"
            icon.param.update(description=name, disabled=not said)

    def _text(self) -> str | None:
        try:
            text = self._autosave.text()
        except ThriftscopeError as error:
            self._autosave.tell(str(error))
            return None
        self._autosave.tell(note="The session is saved to a file.")
        return text

    def _open(self, content: Any) -> None:
        if isinstance(content, bytes):
            self._autosave.open(content)

    def _copy(self) -> None:
        address = self._copy_link()
        self._link.object = (
            f'<p><a href="{plain(address)}" target="_blank" rel="noopener">The link'
            "</a></p>"
        )

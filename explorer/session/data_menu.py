"""The menu in the bar: which problem is open, on every page, and what else may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
from panel.viewable import Viewer

from solvers import Dataset
from solvers.datasets import dataset_facts, dataset_is_here

from ..document.units import COUNTED
from ..widgets.markup import Message, markup, told_together
from ..widgets.parts import wide_column
from ..widgets.text import cost_text, counted, plain
from ..widgets.ui import pmui
from .context import Context
from .data_dialog import DataDialog
from .examples import EXAMPLES, title_of
from .menu import ON_HEADER
from .state import bundled

OWN = "Your own table"
# A model stands on the frontier of the open table.
MODEL, MODEL_PLACE = "A model that you have", "?page=frontier&open=compare"
BROUGHT = (
    {"label": OWN, "icon": "upload_file"},
    {"label": MODEL, "icon": "account_tree"},
)
# The page of the drawing says itself what does not fit.
DRAWN = "problem"
BEHIND = "What is drawn does not fit the table: Prices says why."
KEPT = f"{BEHIND} This page asks about what was there before."
ONE_LINE = {
    "textTransform": "none",
    "whiteSpace": "nowrap",
    "@media (max-width: 600px)": {
        "fontSize": "0.8rem",
        "minWidth": 0,
        # What the buttons beside it leave of the narrowest phone.
        "maxWidth": "max(56px, min(156px, 100vw - 264px))",
        "justifyContent": "flex-start",
        "overflow": "hidden",
        "& .MuiButton-startIcon": {"display": "none"},
    },
}
# The template lets a menu end where its button ends: at the left of the bar that is
# beside it. Where the button begins, the browser says (`select_keys.js`).
OPENS_MENU = "opens-menu"
FROM_ITS_LEFT = {
    "components": {
        "MuiPopover": {
            "styleOverrides": {
                "paper": {
                    "left": "min(var(--menu-left, 16px), max(16px, 100vw - 560px))"
                    " !important"
                }
            }
        },
        "MuiMenuItem": {"styleOverrides": {"root": {"whiteSpace": "normal"}}},
    }
}
# The facts are left out where the bar has no room for them.
FACTS = """
:host { color: #ffffff; align-self: center; overflow: hidden; }
p { margin: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@media (max-width: 1100px) { :host { display: none !important; } }
"""


class DataMenu(Viewer):
    """Names the open problem; opens an example, or asks for a table of one's own.

    What it says and the dialog stand in the page: the header has colours of its own.
    `subject`: of a page, by name, what it asks about where that is something else.
    """

    def __init__(
        self,
        context: Context,
        subject: Callable[[str], str] = lambda page: "",
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._context, self._job, self._subject = context, context.job(), subject
        self.dialog = DataDialog(context)
        self.message = Message(text=self._job.param.message)
        self.behind = Message(kind="warning")
        context.bring = self.dialog.open
        items = [
            {"label": f"{title}. {asked} ({dataset_facts(name)})"}
            for name, title, asked in EXAMPLES
            if dataset_is_here(name)
        ]
        self._button = pmui.MenuButton(
            label="Data",
            items=[*items, {"label": "---"}, *BROUGHT],
            variant="text",
            icon="table_chart",
            margin=0,
            sx=ON_HEADER | ONE_LINE,
            on_click=self._choose,
            css_classes=[OPENS_MENU],
            theme_config=FROM_ITS_LEFT,
        )
        self._facts = markup("", margin=(0, 8), stylesheets=[FACTS])
        watched = ["dataset", "page", "subjects"]
        context.session.param.watch(lambda *_: self._name(), watched)
        context.problem.param.watch(lambda *_: self._name(), "is_behind")
        self._name()

    def __panel__(self) -> Any:
        return pn.Row(self._button, self._facts, margin=(0, 0, 0, 12))

    def _name(self) -> None:
        session = self._context.session
        self._button.label = f"Data: {title_of(session.dataset)}"
        page = session.page
        other = self._subject(page) or session.subjects.get(page)
        is_behind = self._context.problem.is_behind and not other
        self.behind.text = KEPT if is_behind and page != DRAWN else ""
        said = other or (BEHIND if is_behind else facts(session.dataset))
        self._facts.object = f"<p>{plain(said)}</p>"

    def _choose(self, item: Any) -> None:
        label = item["label"]
        if label == OWN:
            self.dialog.open()
            return
        if label == MODEL:
            self._context.visit(MODEL_PLACE, MODEL)
            return
        (name,) = [n for n, title, _ in EXAMPLES if label.startswith(f"{title}. ")]
        self._job.submit(
            lambda: iter([bundled(name)]),
            lambda found: self._context.session.open(found[-1]),
        )

    def parts(self, *said: Message) -> Any:
        """Return what stands in the page; `said` with what is told here."""
        told = told_together(*said, self.message, self.behind)
        return wide_column(told, self.dialog)


def facts(data: Dataset) -> str:
    """Return how large a problem is, what all of it costs, and what it tells."""
    told = f"tells {len(data.classes)} classes apart"
    if data.positive is not None:
        told = f"predicts {data.positive}"
    elif len(data.classes) == 2:
        told = f"predicts {data.classes[1]}"
    size = counted(data.n_features, "feature")
    if data.unit in COUNTED:  # each costs one, until somebody says more
        return f"{size}, {told}"
    price = cost_text(data.hypergraph.total_cost, data.unit)
    return f"{size}, {price} for all, {told}"

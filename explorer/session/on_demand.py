"""What is computed when somebody asks for it: figures of trimmings, timings."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ..widgets.controls import button
from ..widgets.folds import Fold
from ..widgets.markup import Message, markup
from ..widgets.page_layout import from_first_shown, progress_row
from ..widgets.parts import wide_column
from .context import Context


class OnDemandPart(Viewer):
    """What it is about, a button, how far its job is, what went wrong, the result."""

    title: str = ""  # Heading; none where the frame has one
    label: str = ""  # Of the button
    icon: str = "play_arrow"
    doing: str  # Of the progress bar

    def __init__(self, context: Context, **params: Any) -> None:
        super().__init__(**params)
        self.context, self.job = context, context.job()
        self.about = markup("")
        self.start = button(
            self.label, self.compute, icon=self.icon, disabled=self.job.param.busy
        )
        self.result = wide_column(visible=False)

    def __panel__(self) -> Any:
        heading = [markup(f"<h2>{self.title}</h2>", margin=(2, 10))]
        return wide_column(*(heading if self.title else []), self._body())

    def folded(self, state: param.Parameterized, name: str) -> Fold:
        """Return it below a heading that opens it; `state`, `name`: as of `Fold`."""
        return Fold(self.title, self._body(), state, name)

    def _body(self) -> Any:
        return wide_column(
            self.about,
            self.controls(),
            progress_row(self.job, self.doing),
            Message(text=self.job.param.message),
            from_first_shown(self.result),
        )

    def controls(self) -> Any:
        """Return what asks for the result."""
        return pn.FlexBox(self.start, align_items="center")

    @abstractmethod
    def compute(self) -> None:
        """Submit the job."""

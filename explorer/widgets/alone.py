"""Views that stand by themselves, as the last line of a notebook cell."""

from __future__ import annotations

from typing import Any

from panel.viewable import Viewer

from solvers.errors import DataError

from .markup import markup
from .parts import wide_column
from .text import plain


class Alone(Viewer):
    """A view that says in a notebook what it waits for, while it has nothing to show.

    On a page that says so itself. A state that is computed has it in `waits`.
    """

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        is_of_state = "state" in self.param and "result" not in self.param
        if is_of_state and self.state is None:
            own, kind = type(self).__name__, self.param.state.class_.__name__
            raise DataError(
                f"{own} shows a {kind}, and none was given; write "
                f"{own}(state={kind}(...))."
            )

    def waits(self) -> str:
        """Return what there is to show yet, in words; empty once it is there."""
        if "result" in self.param and not self.result:
            return "result, its parameter"
        return getattr(getattr(self, "state", None), "waits", "")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if not self.waits():
            return super()._repr_mimebundle_(include, exclude)
        note = markup("", margin=(4, 10))

        def tell(*_: Any) -> None:
            waits = self.waits()
            said = f"Nothing to show yet: it waits for {waits}." if waits else ""
            told = f'<p role="status">{plain(said)}</p>'
            note.param.update(object=told, visible=bool(waits))

        tell()
        followed = self if "result" in self.param else self.state
        followed.param.watch(tell, [*followed.param])
        return wide_column(note, self)._repr_mimebundle_(include, exclude)

"""What is moved by hand, and what follows once the hand rests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param

from .jobs import immediately

Settle = Callable[[Callable[[], None]], Any]


class Debounced(param.Parameterized):
    """State whose pictures follow every move, and whose tables follow at rest.

    A browser takes longer to lay out a table than to paint ten pictures: drawn with
    every move, tables would hold up the pictures that a person watches.
    """

    rests = param.Integer(default=0, doc="How often a move has come to rest.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._settle: Settle = immediately

    def settle_by(self, settle: Settle) -> None:
        """Say what decides that a hand rests; by default it always does.

        `settle`: takes what is to be called at rest; a later call supersedes it.
        """
        self._settle = settle

    def follow(self, name: str) -> None:
        """Take the moves of a parameter for moves by hand."""
        self.param.watch(lambda *_: self._settle(self._rest), name)

    def _rest(self) -> None:
        self.rests += 1

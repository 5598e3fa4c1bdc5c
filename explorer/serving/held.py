"""How much of messages that are not whole yet the connections hold, all together."""

from __future__ import annotations

from typing import Any


class HeldBytes:
    """Ends connections that hold more than one may, or than there is for all.

    `each`: bytes that one connection may hold. `together`: bytes for all of them; where
    they are used up, whoever holds most goes.
    """

    def __init__(self, each: int, together: int) -> None:
        self._each, self._together = each, together
        self._held: dict[Any, int] = {}

    def hold(self, holder: Any, n_bytes: int) -> None:
        """Note what a connection holds from now on; its `drop` ends it."""
        if n_bytes:
            self._held[holder] = n_bytes
        else:
            self._held.pop(holder, None)
        if n_bytes > self._each:
            self._drop(holder, f"A message may have {self._each} bytes.")
        while sum(self._held.values()) > self._together:
            largest = max(self._held, key=self._held.__getitem__)
            self._drop(largest, "Too many messages are on their way; try again.")

    def _drop(self, holder: Any, reason: str) -> None:
        del self._held[holder]
        holder.drop(reason)

"""What work yields that has nothing to show yet."""

from typing import Final


class _Waiting:
    """A sign of life, and no item: the thread is lent to others."""


WAITING: Final = _Waiting()

"""What work yields that has nothing to show yet."""

from typing import Final


class _Sign:
    """A sign of life, and no item."""


# What is waited for comes from elsewhere: the thread is lent to others.
WAITING: Final = _Sign()
# A step is done, and nothing is to be seen of it yet.
STEP: Final = _Sign()

"""What bad input may end in: a value, or one sentence of ours."""

from collections.abc import Callable
from typing import Any

from solvers import ThriftscopeError


def refusal(call: Callable[[], Any]) -> str | None:
    """Return the sentence with which a call refuses, None where it returns.

    Anything but a ThriftscopeError is let through, and so fails the test.
    """
    try:
        call()
    except ThriftscopeError as error:
        return str(error)
    return None


def is_one_sentence(text: str) -> bool:
    """Whether a refusal is one line, not long, that ends as a sentence does."""
    return "\n" not in text and len(text) < 1000 and text.endswith((".", "?"))

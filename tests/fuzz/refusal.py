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
    """Whether a refusal is one printable line, not long, that ends as a sentence."""
    return text.isprintable() and len(text) < 1000 and text.endswith((".", "?"))

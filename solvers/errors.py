"""What can go wrong because of what a caller gave us.

Every message says what was wrong, shows the value and names the remedy. All are
``ValueError`` too, so that scikit-learn's tools and plain ``except ValueError``
treat them as they treat their own.
"""

import reprlib
from collections.abc import Callable, Sequence
from typing import Any

__all__ = [
    "DataError",
    "DataWarning",
    "DeployError",
    "HypergraphError",
    "InterchangeError",
    "KnobError",
    "NetworkError",
    "PipelineError",
    "ThriftscopeError",
    "counted",
    "listed",
    "printable",
    "reason_of",
    "shown",
]

MAX_SHOWN = 60  # characters of one value in a message
_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = MAX_SHOWN


def shown(value: Any) -> str:
    """Return a value as a message shows it: quoted, on one line, never long.

    Parameters
    ----------
    value : object
        Anything, from anywhere.

    Returns
    -------
    str
    """
    is_scalar = type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0
    if is_scalar and value.dtype.kind in "biufcUS":
        value = value.item()  # 2, not np.int64(2)
    try:
        text = " ".join(_short.repr(value).split("\n"))
    except ValueError:  # Python writes integers of 4300 digits at most
        return f"a value of type {type(value).__name__}"
    text = printable(text)
    return text if len(text) <= 2 * MAX_SHOWN else f"{text[: 2 * MAX_SHOWN - 3]}..."


def listed(
    names: Sequence[Any], most: int = 5, told: Callable[[Any], str] = shown
) -> str:
    """Return the first few of many names, for a message.

    Parameters
    ----------
    names : sequence
        The names.
    most : int, default=5
        How many to write out.
    told : callable, default=shown
        What writes out one.

    Returns
    -------
    str
        ``'a', 'b' and 7 more``.
    """
    text = ", ".join(map(told, names[:most]))
    return f"{text} and {len(names) - most} more" if len(names) > most else text


def counted(n: int, what: str) -> str:
    """Return a number of things in words.

    Parameters
    ----------
    n : int
        How many.
    what : str
        What one of them is called.

    Returns
    -------
    str
        ``1 group`` or ``3 groups``.
    """
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def printable(text: str) -> str:
    """Return text on one line; what is half a character, or steers, is spelt out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def reason_of(error: Exception) -> str:
    """Return why something failed, as part of a sentence: on one line, never long.

    `error`: the system's or a library's; some have no text at all.
    """
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    text = " ".join(str(text).split()).rstrip(".")
    text = printable(text)
    return text if len(text) <= 3 * MAX_SHOWN else f"{text[: 3 * MAX_SHOWN - 3]}..."


class ThriftscopeError(ValueError):
    """Anything that a caller can cause and can mend."""


class HypergraphError(ThriftscopeError):
    """A hypergraph, or a selection of its features, makes no sense."""


class InterchangeError(ThriftscopeError):
    """A file cannot be read as what it claims to be."""


class DataError(ThriftscopeError):
    """A table or its labels cannot be learned from."""


class DataWarning(UserWarning):
    """Data were read or answered, but not as a reader may take for granted."""


class DeployError(ThriftscopeError):
    """A model cannot be written in the form that is wanted."""


class NetworkError(ThriftscopeError):
    """A Bayesian network, or a question asked of one, makes no sense."""


class PipelineError(ThriftscopeError):
    """Feature functions do not fit together, or one of them failed."""


class KnobError(ThriftscopeError):
    """A parameter lies outside of what its knob declares."""

"""What can go wrong because of what a caller gave us.

Every message says what was wrong, shows the value and names the remedy. All are
``ValueError`` too, so that scikit-learn's tools and plain ``except ValueError``
treat them as they treat their own.
"""

import reprlib
from typing import Any

__all__ = [
    "DataError",
    "HypergraphError",
    "InterchangeError",
    "KnobError",
    "NetworkError",
    "PipelineError",
    "ThriftscopeError",
    "shown",
]

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 60


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
    try:
        return " ".join(_short.repr(value).split("\n"))
    except ValueError:  # Python writes integers of 4300 digits at most
        return f"a value of type {type(value).__name__}"


class ThriftscopeError(ValueError):
    """Anything that a caller can cause and can mend."""


class HypergraphError(ThriftscopeError):
    """A hypergraph, or a selection of its features, makes no sense."""


class InterchangeError(ThriftscopeError):
    """A file cannot be read as what it claims to be."""


class DataError(ThriftscopeError):
    """A table or its labels cannot be learned from."""


class NetworkError(ThriftscopeError):
    """A Bayesian network, or a question asked of one, makes no sense."""


class PipelineError(ThriftscopeError):
    """Feature functions do not fit together, or one of them failed."""


class KnobError(ThriftscopeError):
    """A parameter lies outside of what its knob declares."""

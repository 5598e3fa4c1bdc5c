"""Parameters that a method declares once: checked in ``fit``, drawn by the app.

>>> from solvers.values.knobs import Number
>>> knob = Number("Trade-off λ", 1e-6, 10.0, scale="log", doc="Weight of the cost.")
>>> knob.check("alpha", 0.1)
>>> knob.check("alpha", -1)
Traceback (most recent call last):
...
solvers.errors.KnobError: alpha is -1; Trade-off λ lies between 1e-06 and 10.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, Protocol

import numpy as np

from ..errors import KnobError, shown

#: The unit of a knob that is counted in the unit of the hypergraph's costs.
COST = "cost"


@dataclass(frozen=True)
class Knob(ABC):
    """A parameter that a person can turn.

    Parameters
    ----------
    label : str
        What the app calls it.
    """

    label: str

    @abstractmethod
    def check(self, name: str, value: Any) -> None:
        """Refuse a value that the knob does not allow.

        Parameters
        ----------
        name : str
            Name of the parameter.
        value : object
            The value to check.

        Raises
        ------
        KnobError
            If the value is not allowed.
        """


@dataclass(frozen=True)
class Number(Knob):
    """A number between two bounds.

    Parameters
    ----------
    label : str
        What the app calls it.
    low, high : float
        The values that are allowed. An infinite bound is no bound.
    unit : str, default=""
        Unit, for people; `COST` stands for that of the hypergraph's costs.
    scale : {"linear", "log"}, default="linear"
        How a slider spreads the values.
    integer : bool, default=False
        Whether only whole numbers are allowed.
    open : bool, default=False
        Whether the bounds themselves are excluded.
    optional : bool, default=False
        Whether None is allowed.
    shown : tuple of float, optional
        The part of the range that a slider shows; all of it by default.
    doc : str, default=""
        One sentence on what it does.
    """

    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    scale: Literal["linear", "log"] = "linear"
    integer: bool = False
    open: bool = False
    optional: bool = False
    shown: tuple[float, float] | None = None
    doc: str = ""

    def check(self, name: str, value: Any) -> None:
        if value is None and self.optional:
            return
        wanted = Integral if self.integer else Real
        if not isinstance(value, wanted) or isinstance(value, bool | np.bool_):
            kind = "a whole number" if self.integer else "a number"
            raise KnobError(f"{name} is {shown(value)}; {self.label} is {kind}.")
        if not self._holds(value):
            told = shown(value) if isinstance(value, Integral) else f"{float(value):g}"
            raise KnobError(f"{name} is {told}; {self.label} lies {self._range()}.")

    def _holds(self, value: Any) -> bool:
        try:
            number = float(value)
        except OverflowError:  # a whole number that no floating point number can be
            return False
        if self.open:
            return self.low < number < self.high
        return self.low <= number <= self.high

    def _range(self) -> str:
        if math.isinf(self.high):
            return f"above {self.low:g}" if self.open else f"at {self.low:g} or above"
        strictly = " strictly" if self.open else ""
        return f"{strictly} between {self.low:g} and {self.high:g}".strip()


@dataclass(frozen=True)
class Choice(Knob):
    """One of a few named options.

    Parameters
    ----------
    label : str
        What the app calls it.
    options : tuple of str
        The values that are allowed.
    doc : str, default=""
        One sentence on what it does.
    """

    options: tuple[str, ...] = ()
    doc: str = ""

    def check(self, name: str, value: Any) -> None:
        if value not in self.options:
            allowed = ", ".join(repr(option) for option in self.options)
            raise KnobError(
                f"{name} is {shown(value)}; {self.label} is one of {allowed}."
            )


@dataclass(frozen=True)
class Switch(Knob):
    """Yes or no.

    Parameters
    ----------
    label : str
        What the app calls it.
    doc : str, default=""
        One sentence on what it does.
    """

    doc: str = ""

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, bool | np.bool_):
            raise KnobError(f"{name} is {shown(value)}; {self.label} is True or False.")


# What several methods let a person turn, in the same words.
ALPHA_KNOB = Number(
    "Trade-off λ",
    0.0,
    scale="log",
    shown=(1e-5, 1.0),
    doc="What a unit of cost weighs against the loss.",
)
BUDGET_KNOB = Number(
    "Runtime budget", 0.0, optional=True, doc="What a prediction may cost."
)
N_ALPHAS_KNOB: Knob = Number(
    "Points on the path", 2, 1000, integer=True, shown=(5, 200)
)
REFIT_KNOB: Knob = Switch("Refit", doc="Weigh the selected features without penalty.")
STANDARDISE_KNOB: Knob = Switch(
    "Scale columns",
    doc="Measure every column in units of its spread; off is the problem as published.",
)
TOL_KNOB: Knob = Number(
    "Tolerance",
    0.0,
    scale="log",
    open=True,
    shown=(1e-9, 1e-2),
    doc="At which change to stop.",
)
MAX_ITER_KNOB: Knob = Number(
    "Most steps",
    1,
    scale="log",
    integer=True,
    shown=(10, 10_000),
    doc="After which to stop anyway.",
)


class HasKnobs(Protocol):
    """An estimator that declares knobs by parameter name."""

    knobs: Mapping[str, Knob]


def check_knobs(estimator: HasKnobs) -> None:
    """Refuse parameters that an estimator's knobs do not allow."""
    for name, knob in estimator.knobs.items():
        knob.check(name, getattr(estimator, name))

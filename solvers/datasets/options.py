"""What a maker of a data set tells of itself, and may be asked for."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, ParamSpec, TypeAlias

from ..values.knobs import Knob, Number
from .base import Dataset

_SEED = Number("Seed", 0, integer=True, optional=True)
Asked = ParamSpec("Asked")
#: Somebody ran it with a clock; somebody printed it; nobody did either.
PriceSource: TypeAlias = Literal["measured", "published", "invented"]


@dataclass(frozen=True)
class Facts:
    """What is known of a data set before it is made.

    Parameters
    ----------
    n_rows, n_classes : int
        As the maker gives them without arguments.
    prices : {"measured", "published", "invented"}
        Where the prices come from.
    licence : str
        Of the rows.
    shows : str
        What it is there for, in a clause.
    known_answer : str, default=""
        What others have published on it, in a sentence.
    is_bundled : bool, default=True
        Whether the rows come along, or are generated; else a package has them.
    """

    n_rows: int
    n_classes: int
    prices: PriceSource
    licence: str
    shows: str
    known_answer: str = ""
    is_bundled: bool = True

    def __str__(self) -> str:
        return f"{self.n_rows:,} rows, {self.n_classes} classes, {self.prices} prices"


def checked_by(
    options: Mapping[str, Knob],
) -> Callable[[Callable[Asked, Dataset]], Callable[Asked, Dataset]]:
    """Have a maker refuse what its knobs do not allow, and seeds that are none."""
    knobs = {**options, "random_state": _SEED}

    def decorated(make: Callable[Asked, Dataset]) -> Callable[Asked, Dataset]:
        signature = inspect.signature(make)

        @functools.wraps(make)
        def checked(*args: Asked.args, **kwargs: Asked.kwargs) -> Dataset:
            asked = signature.bind(*args, **kwargs)
            asked.apply_defaults()
            for name, value in asked.arguments.items():
                knobs[name].check(name, value)
            return make(*args, **kwargs)

        return checked

    return decorated

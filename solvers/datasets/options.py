"""What a maker of a data set may be asked for."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import ParamSpec

from ..values.knobs import Knob, Number
from .base import Dataset

_SEED = Number("Seed", 0, integer=True, optional=True)
Asked = ParamSpec("Asked")


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

"""What a maker of a data set may be asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..knobs import Knob, Number

__all__ = ["check_options"]

_SEED = Number("Seed", 0, integer=True, optional=True)


def check_options(options: Mapping[str, Knob], **values: Any) -> None:
    """Refuse options that a maker's knobs do not allow, and seeds that are none."""
    for name, knob in {**options, "random_state": _SEED}.items():
        knob.check(name, values[name])

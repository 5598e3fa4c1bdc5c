"""Values of the knobs that the frontier page has no control of its own for.

They stand in one flat dictionary by ``method.knob``, only where they differ from the
default: so a session, a link and undo take them like any other choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import param

from solvers import Knob, Number, ThriftscopeError, all_methods
from solvers.errors import KnobError, shown

from ...session.declared import LinkText
from ...session.knob_text import knob_text, knob_value

# What has a control for all methods together.
DRAWN = ("p", "penalty", "refit", "budget", "accounting")
# In a link: all knobs stand at their defaults.
NOTHING = "none"
# Of an end, for what was rounded on its way through a slider or a link.
ROUNDING = 1e-5


def open_knobs(method: str) -> dict[str, Knob]:
    """Return the knobs of a method that are neither drawn already nor its path."""
    found = all_methods()[method]
    return {
        name: knob
        for name, knob in found.knobs.items()
        if name not in DRAWN and name != found.path_knob
    }


def defaults_of(method: str) -> dict[str, Any]:
    """Return where the open knobs of a method stand at first."""
    params = all_methods()[method]().get_params(deep=False)
    return {name: params[name] for name in open_knobs(method)}


def settings_of(settings: Mapping[str, Any], method: str) -> dict[str, Any]:
    """Return the settings of one method by the names of its parameters."""
    split = ((key.rpartition("."), value) for key, value in settings.items())
    return {name: value for (owner, _, name), value in split if owner == method}


def with_values(
    settings: Mapping[str, Any], method: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return settings in which a method's are these; defaults are not written down."""
    others = {k: v for k, v in settings.items() if k.rpartition(".")[0] != method}
    first = defaults_of(method)
    turned = {
        f"{method}.{name}": value
        for name, value in values.items()
        if not _is_same(value, first[name])
    }
    return others | turned


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)


class MethodSettings(param.Dict, LinkText):
    """Settings by ``method.knob``, each one within what its control can show."""

    allowed = "settings as in fumi.max_depth:3, within what their controls show"

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        for key, value in val.items():
            _check(key, value)

    def to_text(self, values: Mapping[str, Any]) -> str:
        """Return settings as they stand in a link."""
        items = (f"{key}:{knob_text(value)}" for key, value in values.items())
        return ",".join(items) or NOTHING

    def from_text(self, text: str) -> tuple[dict[str, Any], bool]:
        """Return the settings of a link, those left out that do not fit."""
        items = [] if text == NOTHING else text.split(",")
        found = dict(_read(items))
        if items and not found:
            raise ValueError("no setting of it fits")
        return found, len(found) == len(items)


def _read(items: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for item in items:
        try:
            key, _, text = item.rpartition(":")
            value = knob_value(text, _knob(key))
            _check(key, value)
        except (ThriftscopeError, ValueError, OverflowError):
            continue
        yield key, value


def _knob(key: Any) -> Knob:
    method, _, name = str(key).rpartition(".")
    knobs = open_knobs(method) if method in all_methods() else {}
    if name not in knobs:
        raise KnobError(
            f"There is no setting {shown(key)}; open the settings of a method."
        )
    return knobs[name]


def _check(key: Any, value: Any) -> None:
    """Refuse a value that the knob refuses, or that its slider could not show.

    A link could ask for a million million steps otherwise.
    """
    knob = _knob(key)
    knob.check(str(key), value)
    if isinstance(knob, Number) and knob.shown is not None and value is not None:
        low, high = knob.shown
        if not low - ROUNDING * abs(low) <= value <= high + ROUNDING * abs(high):
            raise KnobError(
                f"{key} is {value:g}; its control goes from {low:g} to {high:g}."
            )

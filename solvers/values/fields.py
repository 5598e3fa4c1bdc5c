"""Parameters of an estimator, each said once: type, knob, words and default on a field.

>>> from typing import Annotated
>>> from solvers.values.knobs import Number
>>> @declared
... class Ridge:
...     '''Linear regression whose weights are drawn to zero.'''
...
...     alpha: Annotated[float, Number("Ridge"), "What squared weights cost."] = 1.0
>>> Ridge(alpha=2.0).alpha, Ridge.knobs["alpha"].label
(2.0, 'Ridge')
>>> Ridge.__doc__.splitlines()[-2:]
['alpha : float, default=1.0', '    What squared weights cost.']
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import textwrap
from collections.abc import Container
from dataclasses import dataclass
from types import NoneType, SimpleNamespace
from typing import (
    Annotated,
    Any,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from .knobs import Choice, Knob, Number, Switch

_Class = TypeVar("_Class", bound=type[Any])


@dataclass(frozen=True)
class Described:
    """What a parameter is and means, where type and knob do not tell."""

    kind: str  # As numpydoc has it: "array_like of float, shape (n_features,)"
    meaning: str


@dataclass_transform(eq_default=False, field_specifiers=(dataclasses.field,))
def declared(estimator: _Class) -> _Class:
    """Make a class take its fields as parameters, and tell of them.

    A field is ``name: Annotated[type, knob, "What it means."] = default``; knob and
    words may be left out. `estimator` is given an ``__init__`` that only stores, as
    scikit-learn asks, the mapping ``knobs`` and the section of its docstring that lists
    the parameters.
    """
    dataclasses.dataclass(eq=False, repr=False)(estimator)
    fields = {field.name: field for field in dataclasses.fields(estimator)}
    hints = _hints(estimator, fields)
    told = {name: _told(hints[name]) for name in fields}
    estimator.knobs = {
        name: knob for name, (knob, _) in told.items() if knob is not None
    }
    section = ["Parameters\n----------"]
    for name, field in fields.items():
        knob, words = told[name]
        kind = _kind(hints[name], knob, words, field.default)
        meaning = words.meaning if words else _meaning(name, knob)
        lines = textwrap.indent(textwrap.fill(meaning, 80), "    ")
        section.append(f"{name} : {kind}\n{lines}")
        # What `help` shows of the call: types and defaults.
        estimator.__init__.__annotations__[name] = _bare(hints[name])
    estimator.__doc__ = _with_section(estimator.__doc__ or "", "\n".join(section))
    return estimator


def _hints(estimator: type[Any], fields: Container[str]) -> dict[str, Any]:
    """Return the types of fields, whichever class says them."""
    found: dict[str, Any] = {}
    for base in reversed(estimator.__mro__):
        said = inspect.get_annotations(base)
        own = SimpleNamespace(__annotations__={k: said[k] for k in said if k in fields})
        names = vars(sys.modules[base.__module__])
        found |= get_type_hints(own, names, include_extras=True)
    return found


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _told(hint: Any) -> tuple[Knob | None, Described | None]:
    """Return the knob and the words of a field."""
    extras = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    knobs = [extra for extra in extras if isinstance(extra, Knob)]
    words = [
        Described("", extra) if isinstance(extra, str) else extra
        for extra in extras
        if isinstance(extra, str | Described)
    ]
    # The last ones: a field may say more than the alias that it uses.
    return (knobs[-1] if knobs else None), (words[-1] if words else None)


def _kind(hint: Any, knob: Knob | None, words: Described | None, default: Any) -> str:
    """Return type and default as numpydoc has them."""
    members = get_args(_bare(hint)) or (_bare(hint),)
    if words and words.kind:
        kind = words.kind
    elif isinstance(knob, Choice):
        kind = "{" + ", ".join(f'"{option}"' for option in knob.options) + "}"
    elif isinstance(knob, Switch):
        kind = "bool"
    elif isinstance(knob, Number):
        kind = "int" if knob.integer else "float"
    else:
        kind = " or ".join(m.__name__ for m in members if m is not NoneType)
    if default is None:
        return f"{kind}, optional"
    if NoneType in members:
        kind += " or None"
    return f"{kind}, default=" + (
        f'"{default}"' if isinstance(default, str) else repr(default)
    )


def _meaning(name: str, knob: Knob | None) -> str:
    if knob is None:
        raise TypeError(f"{name} has neither a knob nor words; say what it means.")
    doc = getattr(knob, "doc", "")
    return doc or f"{knob.label}."


def _with_section(doc: str, section: str) -> str:
    """Return a docstring with its parameters before its other sections."""
    text = inspect.cleandoc(doc)
    heading = re.search(r"^\w+\n-{3,}$", text, re.MULTILINE)
    if heading is None:
        return f"{text}\n\n{section}"
    return f"{text[: heading.start()]}{section}\n\n{text[heading.start() :]}"

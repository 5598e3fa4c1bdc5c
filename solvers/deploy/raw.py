"""The trimmed extractor as source: it computes what a policy asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..errors import DeployError, shown
from ..features.pipeline import FeaturePipeline
from ..features.tracing import TracedExtractor
from ..features.tracing.reach import Reach
from . import raw_sample, sharing
from .taken_source import TakenSource, module_source

# What an extractor's functions are called with: no name of a key in a sample.
_WHOLE = "the raw sample"
_HEAD = """\
# What follows computes features from a raw sample: only those that are asked for.
import functools
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import copy_context
from types import CodeType, FunctionType, ModuleType
from typing import Any
"""
_OWN_NAMES = "INPUTS = PARTS = FEATURES = CALLS = SHARED = decide_raw = 0"
_TAIL = '''\
def decide_raw(sample: Any) -> Decision:
    """Decide about a raw sample; what its answer depends on is computed, each once."""
    opened = RawSample(sample, INPUTS, PARTS, FEATURES)
    return decide({name: functools.partial(opened.feature, name) for name in FEATURES})
'''
_SHARING_TAIL = '''\
def decide_raw(sample: Any) -> Decision:
    """Decide about a raw sample; what its answer depends on is computed, each once."""
    opened = RawSample(sample, INPUTS, PARTS, FEATURES)
    CALLS.known.clear()
    try:
        return decide(
            {name: functools.partial(opened.feature, name) for name in FEATURES}
        )
    finally:
        CALLS.known.clear()
'''

_Part: TypeAlias = tuple[Callable[..., Any], tuple[str, ...]]


@dataclass
class _RawFeatures:
    """What computes some features of a raw sample."""

    inputs: tuple[str, ...]
    parts: dict[str, _Part] = field(default_factory=dict)
    features: dict[str, tuple[str, int | None, tuple[str, ...] | None]] = field(
        default_factory=dict
    )
    # Name, function, and the variables that it depends on
    shared: list[tuple[str, Any, list[Any]]] = field(default_factory=list)


def raw_text(
    features: Sequence[str], pipeline: FeaturePipeline | TracedExtractor, beside: str
) -> tuple[list[str], str]:
    """Return what is to be said of it, and the source, in the company of a text."""
    missing = [name for name in features if name not in pipeline.features]
    if missing:
        raise DeployError(
            f"The pipeline has no feature {shown(missing[0])}, which the model asks "
            "for; give the pipeline whose features it was trained on."
        )
    if isinstance(pipeline, TracedExtractor):
        raw = _of_traced(features, pipeline)
    else:
        raw = _of_steps(features, pipeline)
    machinery = [_HEAD, module_source(raw_sample)]
    machinery += [module_source(sharing)] * bool(raw.shared)
    taken = TakenSource("\n".join([beside, *machinery, _OWN_NAMES]))
    parts = {
        name: f"({taken.expression(function, name)}, {_names(needs)})"
        for name, (function, needs) in raw.parts.items()
    }
    shares, unshared = _sharing(raw, taken, parts)
    lines = [
        *machinery,
        taken.text,
        *shares,
        f"INPUTS = {_names(raw.inputs)}",
        _table("PARTS", parts),
        _table("FEATURES", {name: ascii(of) for name, of in raw.features.items()}),
        "\n" + (_SHARING_TAIL if raw.shared else _TAIL),
    ]
    needed = ", ".join(sorted(taken.packages)) or "Python alone"
    notes = [
        "decide_raw(sample) takes a raw sample, and computes what the answer depends "
        f"on. It needs {needed}.",
        *(
            f"{name} is computed each time that it is called: a package calls it, or "
            "it depends on what the file cannot name."
            for name in unshared
        ),
    ]
    return notes, "\n\n".join(lines)


def _of_steps(features: Sequence[str], pipeline: FeaturePipeline) -> _RawFeatures:
    raw = _RawFeatures(pipeline.inputs)
    if features:
        for step in pipeline.trim(list(features)).plan.steps:
            raw.parts[step.name] = (step.function, step.arguments)
    raw.features = {name: (name, None, None) for name in features}
    return raw


def _of_traced(features: Sequence[str], traced: TracedExtractor) -> _RawFeatures:
    structure, raw = traced.structure, _RawFeatures((_WHOLE,))
    needed: set[str] = set()
    can_set = False  # Variables that a shared function may depend on
    for name in features:
        column = structure.features.index(name)
        entry = structure.entry_of[column]
        given, names = structure.entries[entry], structure.columns[entry]
        part = given.name
        raw.parts[part] = (given.function, (_WHOLE,))
        if given.read is not None:
            part = f"{given.name}, read"
            raw.parts[part] = (given.read, (given.name,))
        keys = structure.keys[entry].names
        told = None if keys is None else tuple(map(str, keys))
        raw.features[name] = (part, names.index(name), told)
        needed |= structure.needs[entry]
        can_set = can_set or Reach([given.function]).sets
    raw.shared = [
        (role.name, role.function, [value for _, value in role.reach.state])
        for role in structure.shared
        if role.name in needed and not can_set
    ]
    return raw


def _sharing(
    raw: _RawFeatures, taken: TakenSource, parts: dict[str, str]
) -> tuple[list[str], list[str]]:
    """Return the statements that share what is called, and what they cannot reach.

    `parts`: what stands for each part; of a package's functions, copies will.
    """
    reads = {
        id(function): [taken.name_of(value) for value in depends]
        for _, function, depends in raw.shared
    }
    shared = [one for one in raw.shared if None not in reads[id(one[1])]]
    unshared = [name for name, function, _ in raw.shared if None in reads[id(function)]]
    if not shared:
        return [], unshared
    functions = {id(function): function for _, function, _ in shared}
    free = [one for key, one in functions.items() if not reads[key]]
    within, reached = _within_packages(raw, taken, parts, free)
    found = ["CALLS = Calls()", *within]
    unshared += [
        name
        for name, function, _ in shared
        if id(function) not in reached and not any(taken.places_of(function))
    ]
    for key, function in functions.items():
        depends = "".join(f"{name}, " for name in reads[key] if name)
        told = f", reads=lambda: ({depends})" if depends else ""
        for name, path in list(taken.places_of(function)):
            call = f"within({name}, {path!r})" if path else f"once({name}{told})"
            if not (path and depends):
                found.append(f"{name} = CALLS.{call}")
    return ["\n".join(found)], unshared


def _within_packages(
    raw: _RawFeatures,
    taken: TakenSource,
    parts: dict[str, str],
    shared: Sequence[Callable[..., Any]],
) -> tuple[list[str], set[int]]:
    """Share what packages call in their own functions; return how, and which it is.

    What is shared is named before any name comes to stand for something else.
    """
    shared = [function for function in shared if taken.is_library(function)]
    reached: set[int] = set()
    for name, (function, needs) in raw.parts.items():
        called = getattr(function, "func", function)
        if not taken.is_library(called):
            continue
        calls = sharing.Calls()
        here = {id(s) for s in shared if calls.inside(function, [s]) is not function}
        if here:
            inside = f"CALLS.inside({taken.expression(function, name)}, SHARED)"
            parts[name] = f"({inside}, {_names(needs)})"
        reached |= here
    told = [taken.expression(one, "what is shared") for one in shared]
    if not reached:
        return [], reached
    return [f"SHARED = ({', '.join(told)},)"], reached


def _names(names: Sequence[str]) -> str:
    return ascii(tuple(names))


def _table(name: str, rows: dict[str, str]) -> str:
    lines = [f"    {key!a}: {value},\n" for key, value in rows.items()]
    return f"{name}: Mapping[str, Any] = {{\n{''.join(lines)}}}"

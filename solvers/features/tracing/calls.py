"""The calls that a run of an entry makes, as a tree, with what went in and came out."""

from __future__ import annotations

import functools
import inspect
import operator
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeAlias

from ..fingerprint import fingerprint, is_read_once, original_of, standing_for
from .clones import Inside, rebuilt
from .entries import FeatureFunction

_Getter: TypeAlias = Callable[[tuple[Any, ...]], Any]
# For each place and each name: what takes it out of the arguments that are given.
_Way: TypeAlias = tuple[list[_Getter], dict[str, _Getter]]


class Spelling:
    """The order of a function's own arguments, its default values included.

    Those of the function itself: what it wraps may have others.
    """

    def __init__(self, function: Any) -> None:
        self._signature: inspect.Signature | None = None
        if type(function) is FunctionType and not hasattr(function, "__signature__"):
            self._signature = inspect.signature(function, follow_wrapped=False)
        self._ways: dict[Any, _Way | None] = {}

    def ordered(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return all arguments: by place, and those that are by name alone."""
        shape = (len(args), *kwargs)
        if shape not in self._ways:
            self._ways[shape] = self._way(len(args), tuple(kwargs))
        way = self._ways[shape]
        if way is None:
            return args, kwargs
        given = (*args, *kwargs.values())
        by_place, by_name = way
        return (
            tuple([one(given) for one in by_place]),
            {name: one(given) for name, one in by_name.items()},
        )

    def _way(self, n_args: int, names: tuple[str, ...]) -> _Way | None:
        """Return how the order is made; None if it is there already."""
        if self._signature is None:
            return None
        numbers = range(n_args + len(names))
        places: list[_Getter] = [operator.itemgetter(i) for i in numbers]
        named = dict(zip(names, places[n_args:], strict=True))
        try:
            bound = self._signature.bind(*places[:n_args], **named)
        except TypeError:  # the call will say so itself
            return None
        bound.apply_defaults()
        if not names and list(bound.args) == places and not bound.kwargs:
            return None
        by_place = [_getter(one, places) for one in bound.args]
        return by_place, {n: _getter(one, places) for n, one in bound.kwargs.items()}


def _getter(bound: Any, places: list[_Getter]) -> _Getter:
    """Return what takes an argument out of those that are given, or a default value."""
    return bound if any(bound is place for place in places) else lambda _: bound


@functools.lru_cache(maxsize=4096)
def _spelling_of(function: Any) -> Spelling:
    return Spelling(function)


def spelling_of(function: Any) -> Spelling:
    """Return how a function's arguments are spelled, a double's as the function's."""
    return _spelling_of(original_of(function))


DEPTH = 40  # calls in calls that go deeper are part of their caller
MOST_CALLS = 100  # of one function by one call; more are part of their caller


@dataclass(eq=False)
class TracedCall:
    """One call of a watched function, or the run of a whole entry."""

    function: Any
    # Which call of this function it is in its caller, from 0
    index: int = 0
    nanoseconds: int = 0  # All of it, calls within included
    # By place, and those that are by name alone
    arguments: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})
    key: Any = None  # Fingerprint of the arguments
    result: Any = None
    result_key: Any = None
    # Why it cannot be computed once for several; empty if it can
    objection: str = ""
    children: list[TracedCall] = field(default_factory=list)
    counts: Counter[int] = field(default_factory=Counter)


class Recorder:
    """Runs entries while it watches what functions they call.

    `inside`: which functions are watched.
    """

    def __init__(self, inside: Inside) -> None:
        self._inside = inside
        self._made: dict[int, Any] = {}
        self._stack: list[TracedCall] = []
        self._thread = threading.get_ident()
        self._kept: list[Any] = []
        self._fingerprints = True

    def watched(
        self, entry: FeatureFunction, sample: Any, kept: list[Any]
    ) -> TracedCall:
        """Run an entry and fingerprint all that goes in and out.

        `kept`: takes what is known by identity alone; keys can be compared as long as
        it lives.
        """
        self._kept, self._fingerprints = kept, True
        root = self._run(entry, sample)
        _object_to_late_changes(root, kept)
        return root

    def timed(self, entry: FeatureFunction, sample: Any) -> TracedCall:
        """Run an entry and take the time of its calls."""
        self._fingerprints = False
        return self._run(entry, sample)

    def _run(self, entry: FeatureFunction, sample: Any) -> TracedCall:
        self._thread = threading.get_ident()
        root = TracedCall(entry.function)
        self._stack = [root]
        if self._inside.covers(entry.function):
            run = self._stand_in(entry.function)
        else:
            run = rebuilt(entry.function, self._inside, self._stand_in)
        started = time.perf_counter_ns()
        value = run(sample)
        root.nanoseconds = time.perf_counter_ns() - started
        root.result = value if entry.read is None else entry.read(value)
        if self._fingerprints:
            root.result_key = fingerprint(root.result, self._kept)
        return root

    def _stand_in(self, function: Any) -> Any:
        made = self._made.get(id(function))
        if made is not None:
            return made
        body: list[Callable[..., Any]] = []

        @standing_for(function)
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            return self._called(function, body[0], args, kwargs)

        self._made[id(function)] = stand_in  # before its body, which may call itself
        body.append(rebuilt(function, self._inside, self._stand_in))
        return stand_in

    def _called(
        self, function: Any, body: Callable[..., Any], args: Any, kwargs: Any
    ) -> Any:
        if threading.get_ident() != self._thread:
            return body(*args, **kwargs)  # of another thread: it has no caller here
        caller = self._stack[-1]
        index = caller.counts[id(function)]
        if index >= MOST_CALLS or len(self._stack) > DEPTH:
            return body(*args, **kwargs)
        caller.counts[id(function)] += 1
        call = TracedCall(function, index)
        caller.children.append(call)
        if self._fingerprints:
            call.arguments = spelling_of(function).ordered(args, kwargs)
            call.key = fingerprint(call.arguments, self._kept)
        self._stack.append(call)
        started = time.perf_counter_ns()
        try:
            result = body(*args, **kwargs)
        except BaseException:
            call.objection = "it raises"
            raise
        finally:
            call.nanoseconds = time.perf_counter_ns() - started
            self._stack.pop()
        if self._fingerprints:
            self._look_at(call, result)
        return result

    def _look_at(self, call: TracedCall, result: Any) -> None:
        call.result = result
        call.result_key = fingerprint(result, self._kept)
        if is_read_once(result):
            call.objection = "what it returns can be read only once"
        elif fingerprint(call.arguments, self._kept) != call.key:
            call.objection = "it changes what it is given in place"


def _object_to_late_changes(root: TracedCall, kept: list[Any]) -> None:
    """Find what was changed in place by others after the call that it belongs to."""
    waiting = list(root.children)
    while waiting:
        call = waiting.pop()
        waiting += call.children
        if call.objection:
            continue
        if fingerprint(call.result, kept) != call.result_key:
            call.objection = "what it returns is changed in place afterwards"
        elif fingerprint(call.arguments, kept) != call.key:
            call.objection = "what it is given is changed in place afterwards"

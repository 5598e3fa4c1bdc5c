"""Which calls are one and the same computation on every sample, and which to share.

A *site* is a place in an entry's tree of calls: the second call of `norm` by the first
call of `spectrum`. Sites play one *role* if they call the same function with the same
arguments on every sample that was watched. Roles that are played at two places or more
are computed once, if that is safe and saves more than looking them up takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from types import FunctionType
from typing import Any

import numpy as np

from ..fingerprint import DEPTH, Double, is_constant, is_flat, original_of, parts_of
from .calls import TracedCall
from .reach import Reach


@dataclass(eq=False)
class Site:
    """One place where a function is called; the top one is the entry itself."""

    function: Any
    children: dict[tuple[int, int], Site] = field(default_factory=dict)
    # By sample: fingerprints of the arguments and of what came back
    keys: dict[int, Any] = field(default_factory=dict)
    results: dict[int, Any] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)  # nanoseconds, unwatched
    # of the first sample: by place, and by name alone
    arguments: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})
    result: Any = None  # of the first sample
    # Functions and classes among the arguments, by their identity
    handed: dict[int, Any] = field(default_factory=dict)
    objection: str = ""
    role: Role | None = None

    def walk(self) -> Iterator[Site]:
        """Yield this site and all below it, in the order of their first calls."""
        yield self
        for child in self.children.values():
            yield from child.walk()


@dataclass(eq=False)
class Role:
    """A computation: a function with what it is given, the same wherever it is played.

    `sites`: the places where it is called.
    `named`: packages whose functions of C are taken at their word.
    """

    function: Any
    named: tuple[str, ...] = ()
    keys: dict[int, Any] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    name: str = ""

    @cached_property
    def reach(self) -> Reach:
        """All that it can see or change besides what it is given."""
        handed = {i: one for site in self.sites for i, one in site.handed.items()}
        return Reach([self.function, *handed.values()], self.named)

    @property
    def body(self) -> Site:
        """The site that stands for all: what it calls, they call."""
        return max(self.sites, key=lambda site: len(site.children))

    @property
    def objection(self) -> str:
        """Why it cannot be shared; empty if it can."""
        found = next((site.objection for site in self.sites if site.objection), "")
        if found:
            return found
        results: dict[int, Any] = {}
        for site in self.sites:
            for sample, key in site.results.items():
                if results.setdefault(sample, key) != key:
                    return "it gives something else each time"
        return ""

    @property
    def nanoseconds(self) -> float:
        """Return the median time of a call, calls within included."""
        times = [time for site in self.sites for time in site.times]
        return median(times) if times else 0.0


def merge_call(
    site: Site, call: TracedCall, sample: int, *, again: bool = False
) -> None:
    """Add what was seen on a sample to a tree of sites.

    `again`: whether the sample was seen before: then results must be the same.
    """
    site.objection = site.objection or call.objection
    if not again:
        if not site.keys:
            site.arguments, site.result = call.arguments, call.result
        site.keys[sample], site.results[sample] = call.key, call.result_key
        site.handed |= {id(one): one for one in _code_in(call.arguments)}
    elif site.keys.get(sample) != call.key:
        site.objection = site.objection or "it is given something else each time"
    elif site.results.get(sample) != call.result_key:
        site.objection = site.objection or "it gives something else each time"
    for below in call.children:
        place = id(below.function), below.index
        child = site.children.setdefault(place, Site(below.function))
        merge_call(child, below, sample, again=again)


def _code_in(value: Any, depth: int = 0) -> Iterator[Any]:
    """Yield the functions and the classes of instances in a value."""
    if is_constant(value) or depth > DEPTH:
        return
    kind = type(value)
    if kind is FunctionType or isinstance(value, Double | type):
        yield original_of(value)
        return
    if kind.__module__ != "builtins":
        yield kind
    if isinstance(value, list | tuple) and is_flat(value):
        return
    if not isinstance(value, np.ndarray) or value.dtype.hasobject:
        for part in parts_of(value) or ():
            yield from _code_in(part, depth + 1)


def merge_times(site: Site, call: TracedCall) -> None:
    """Add what calls took to a tree of sites."""
    site.times.append(call.nanoseconds)
    for below in call.children:
        child = site.children.get((id(below.function), below.index))
        if child is not None:
            merge_times(child, below)


def assign_roles(entries: Iterable[Site], named: Iterable[str] = ()) -> None:
    """Give all sites their roles.

    Two sites play one role if they agree on all samples on which both were called, of
    which there must be one.

    `named`: packages whose functions of C are taken at their word.
    """
    trusted = tuple(named)
    players: dict[tuple[int, int, Any], list[Role]] = {}
    for entry in entries:
        for site in entry.walk():
            if site is entry:
                continue
            role = _role_of(site, players) or Role(site.function, trusted)
            site.role = role
            role.sites.append(site)
            for sample, key in site.keys.items():
                if role.keys.setdefault(sample, key) == key:
                    players.setdefault((id(site.function), sample, key), []).append(
                        role
                    )


def _role_of(
    site: Site, players: dict[tuple[int, int, Any], list[Role]]
) -> Role | None:
    for sample, key in site.keys.items():
        for role in players.get((id(site.function), sample, key), ()):
            if all(role.keys.get(s, k) == k for s, k in site.keys.items()):
                return role
    return None


def find_shared(entries: Sequence[Site], may_share: Iterable[Role]) -> list[Role]:
    """Return the roles that are called at two places or more, in the order of calls.

    A role that may be shared is gone into once, however often it is called: what it
    calls alone is called once.

    `entries`: the entries that are computed; those kept whole are left out.
    """
    allowed = set(may_share)
    called: Counter[Role] = Counter()
    waiting = [child for entry in reversed(entries) for child in _below(entry)]
    while waiting:
        site = waiting.pop()
        role = site.role
        if role in allowed and role is not None:
            called[role] += 1
            if called[role] == 1:
                waiting += _below(role.body)
        else:
            waiting += _below(site)
    return [role for role, times in called.items() if times > 1]


def _below(site: Site) -> list[Site]:
    return list(reversed(site.children.values()))

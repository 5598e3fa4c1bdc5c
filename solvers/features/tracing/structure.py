"""What tracing has found: entries, their columns, and the roles that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...values.distinct_names import free_name
from .clones import Inside
from .entries import FeatureFunction, Keys
from .roles import Role, Site

MOST_CHARACTERS = 24  # of an argument in a name


@dataclass(frozen=True, eq=False)
class Structure:
    """Entries with their trees of calls, and which of these are computed once.

    `columns`: the names of each entry's columns.
    `keys`: by what its numbers are told apart.
    `whole`: why some entries share nothing, by their names.
    """

    inside: Inside
    entries: tuple[FeatureFunction, ...]
    sites: tuple[Site, ...]
    columns: tuple[tuple[str, ...], ...]
    keys: tuple[Keys, ...]
    whole: Mapping[str, str]
    shared: tuple[Role, ...]

    @cached_property
    def features(self) -> tuple[str, ...]:
        """Names of all columns."""
        return tuple(name for names in self.columns for name in names)

    @cached_property
    def entry_of(self) -> tuple[int, ...]:
        """The entry of each column."""
        return tuple(i for i, names in enumerate(self.columns) for _ in names)

    @cached_property
    def own(self) -> Mapping[int, str]:
        """Name of each entry's own component, for those that have one."""
        taken = [role.name for role in self.shared]
        names: dict[int, str] = {}
        for i, entry in enumerate(self.entries):
            if self._has_own(i):
                names[i] = free_name(entry.name, taken)
                taken.append(names[i])
        return names

    @cached_property
    def components(self) -> tuple[str, ...]:
        """Names of the components: what is shared, then each entry's own."""
        return (*(role.name for role in self.shared), *self.own.values())

    @cached_property
    def needs(self) -> tuple[frozenset[str], ...]:
        """Names of the components that each entry needs."""
        found = []
        for i in range(len(self.entries)):
            names = {role.name for role in self.roles_below(i)}
            found.append(frozenset(names | ({self.own[i]} if i in self.own else set())))
        return tuple(found)

    def open_sites(self, chosen: Sequence[int]) -> list[Site]:
        """Return the trees of some entries, without those that are kept whole."""
        return [self.sites[i] for i in chosen if self.entries[i].name not in self.whole]

    def roles_below(self, entry: int) -> frozenset[Role]:
        """Return all shared roles that an entry needs."""
        if self.entries[entry].name in self.whole:
            return frozenset()
        shared = set(self.shared)
        found: set[Role] = set()
        waiting = [self.sites[entry]]
        while waiting:
            site = waiting.pop()
            role = site.role
            if role is not None and role in shared:
                if role in found:
                    continue
                found.add(role)
                site = role.body
            waiting += site.children.values()
        return frozenset(found)

    def calls_unshared(self, role: Role) -> int:
        """Return how often all entries together would compute a role."""
        sites = set(role.sites)
        entries = self.open_sites(range(len(self.entries)))
        return sum(site in sites for entry in entries for site in entry.walk())

    def _has_own(self, entry: int) -> bool:
        """Return whether an entry is more than a shared role with nothing around."""
        site, given = self.sites[entry], self.entries[entry]
        if given.read is not None or given.name in self.whole:
            return True
        top = next(iter(site.children.values()), site)
        return top.function is not site.function or top.role not in self.shared


def name_roles(roles: Sequence[Role]) -> None:
    """Name roles by their functions, and by what these are given where that differs."""
    names = [getattr(role.function, "__name__", "call") for role in roles]
    often = Counter(names)
    taken: list[str] = []
    for role, name in zip(roles, names, strict=True):
        if often[name] > 1:
            alike = [r for r, n in zip(roles, names, strict=True) if n == name]
            name += _difference(role, alike)
        role.name = free_name(name, taken)
        taken.append(role.name)


def _difference(role: Role, others: Sequence[Role]) -> str:
    """Return the short arguments by which a role differs from others, in brackets."""
    arguments = [_spelled(r) for r in (role, *others)]
    mine = arguments[0]
    telling = [
        text
        for i, text in enumerate(mine)
        if text and any(i >= len(a) or a[i] != text for a in arguments)
    ]
    return f"({', '.join(telling)})" if telling else ""


def _spelled(role: Role) -> list[str]:
    by_place, by_name = role.body.arguments
    return [_short(one) for one in (*by_place, *by_name.values())]


def _short(value: Any) -> str:
    if callable(value):
        return str(getattr(value, "__name__", ""))[:MOST_CHARACTERS]
    if isinstance(value, str | bool | int | float | np.number | np.bool_):
        return str(value)[:MOST_CHARACTERS]
    return ""

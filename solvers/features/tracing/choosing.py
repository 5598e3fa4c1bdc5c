"""Which roles are computed once: those that are safe and worth their look-up."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from ...errors import shown
from .entries import FeatureFunction
from .held import Began, Place
from .roles import Role, Site, find_shared
from .structure import Structure
from .watching import Watch

CALLING_NANOSECONDS = 300.0  # a stand-in, besides what it does


def chosen_roles(
    sites: Sequence[Site],
    entries: Sequence[FeatureFunction],
    watch: Watch,
    share_above: float | None,
) -> list[Role]:
    """Return the roles to share, in the order of their first calls.

    `share_above`: microseconds; by default, what is shared if all features together
    take less time then.
    """
    open_sites = [
        site
        for site, entry in zip(sites, entries, strict=True)
        if entry.name not in watch.whole
    ]
    worth = {
        role
        for role in _roles(open_sites)
        if len(role.sites) > 1 and _may_share(role) and _is_worth(role, share_above)
    }
    return find_shared(open_sites, worth)


def kept_apart(structure: Structure) -> list[str]:
    """Return which calls features have in common and do not share, a sentence each."""
    notes, cheap = [], 0
    sites = structure.open_sites(range(len(structure.entries)))
    # What is called from within shared computations alone is computed once anyway.
    within = {
        site.role
        for shared in structure.shared
        for site in shared.body.walk()
        if site is not shared.body
    }
    for role in _roles(sites):
        if role in structure.shared or len(role.sites) < 2:
            continue
        if not role.objection:
            cheap += role not in within
            continue
        name = getattr(role.function, "__name__", "a function")
        notes.append(
            f"{shown(name)} is called {len(role.sites)} times alike and not shared: "
            f"{role.objection}."
        )
    if cheap:
        notes.append(
            f"{cheap} computations that features have in common take less time than "
            "looking them up would; they stay where they are."
        )
    return sorted(set(notes), key=notes.index)


def _roles(sites: Sequence[Site]) -> list[Role]:
    roles = (site.role for entry in sites for site in entry.walk())
    return list(dict.fromkeys(role for role in roles if role is not None))


def _may_share(role: Role) -> bool:
    if not role.objection:
        role.sites[0].objection = role.reach.unknown
    return not role.objection


def _is_worth(role: Role, share_above: float | None) -> bool:
    if share_above is not None:
        return role.nanoseconds >= 1e3 * share_above
    holding, giving = _holding_and_giving(role)
    return (len(role.sites) - 1) * (role.nanoseconds - giving) > holding


def _holding_and_giving(role: Role) -> tuple[float, float]:
    """Return what it takes to hold a value, and to give it once, in nanoseconds."""
    site, place = role.sites[0], Place(role.function, role.reach, Began())
    args, kwargs = site.arguments
    times = []
    for _ in range(5):
        started = time.perf_counter_ns()
        _, kept = place.compute(lambda *_, **__: site.result, args, kwargs)
        held = time.perf_counter_ns()
        if kept is None:
            return 0.0, 0.0  # why it is not held will be said
        if place.may_give(kept, args, kwargs):
            kept[2]()
        times.append((held - started, time.perf_counter_ns() - held))
    holding, giving = np.min(times, axis=0) + CALLING_NANOSECONDS
    return float(holding), float(giving)

"""Names from anywhere as identifiers, comments and strings; policies as plain data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from ..decisions.program import node_data
from ..errors import printable
from .policy import DeployablePolicy, PolicyColumn

_MOST_IN_A_NAME = 40


def part_text(name: str) -> str:
    """Return a file of `parts`: source that is exported as it is."""
    return files(__package__).joinpath("parts", name).read_text("utf-8")


def identifiers(names: Sequence[str]) -> list[str]:
    """Return different names of letters, digits and underscores, like those given."""
    taken: set[str] = set()
    found = []
    for name in names:
        word = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:_MOST_IN_A_NAME] or "x"
        free, number = word, 2
        while free.lower() in taken:
            free, number = f"{word}_{number}", number + 1
        taken.add(free.lower())
        found.append(free)
    return found


def column_data(made: PolicyColumn, feature: Callable[[int], Any]) -> dict[str, Any]:
    """Return how a column is made as a mapping without what is empty."""
    data: dict[str, Any] = {"of": feature(made.feature)}
    if made.gap is not None:
        data["gap"] = made.gap
    if made.table:
        data["table"] = made.table
    if made.part:
        data["part"] = (made.part, made.latest)
    if made.hinge:
        data["hinge"] = (made.hinge, made.at)
    return data


def nodes_by_name(policy: DeployablePolicy) -> list[dict[str, Any]]:
    """Return each node as a mapping that names features and columns."""
    names = [column.name for column in policy.columns]
    named = policy.features.__getitem__, names.__getitem__
    return [node_data(node, *named) for node in policy.nodes]


def columns_by_name(policy: DeployablePolicy) -> dict[str, dict[str, Any]]:
    """Return how each column is made of a feature that is named."""
    named = policy.features.__getitem__
    return {column.name: column_data(column, named) for column in policy.columns}


def prices_by_name(
    policy: DeployablePolicy,
) -> tuple[dict[str, tuple[str, ...]], dict[str, float]]:
    """Return the components of each feature, and the cost of each component."""
    components = policy.components
    needs = {
        name: tuple(components[c] for c in of_feature)
        for name, of_feature in zip(policy.features, policy.needs, strict=True)
    }
    return needs, dict(zip(components, policy.costs, strict=True))


def bill(policy: DeployablePolicy, notes: Sequence[str]) -> list[str]:
    """Return what a policy computes, in which order, and what that costs."""
    order = dict.fromkeys(j for node in policy.nodes for j in policy.asked(node))
    total = math.fsum(policy.costs)
    unit = printable(policy.unit)
    lines = [
        f"{printable(policy.title)}, exported from Thriftscope.",
        "",
        f"Answers: {', '.join(printable(str(label)) for label in policy.classes)}.",
        f"Features: {len(policy.features)} at most, for {total:g} {unit} in all.",
    ]
    if order:
        lines += [
            "In the order in which they may be asked for, and what they need:",
            "",
        ]
    paid: set[int] = set()
    for feature in order:
        news = [c for c in policy.needs[feature] if c not in paid]
        paid.update(news)
        parts = ", ".join(
            f"{printable(policy.components[c])} {policy.costs[c]:g}" for c in news
        )
        lines.append(
            f"- {printable(policy.features[feature])}: {parts or 'already paid'}"
        )
    return [*lines, *(["", *map(printable, notes)] if notes else [])]

"""What every row is worth within a budget, chosen on validation rows."""

from __future__ import annotations

import numpy as np

from solvers import Frontier, all_methods
from solvers.evaluation import Split

from .contestants import (
    ONE_THRESHOLD,
    OURS,
    VARIANTS,
    nothing_computed,
    one_threshold,
    points_of,
    score_of,
)

SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
ACCOUNTINGS = ("mean", "p95", "max")


def row_of(name: str, split: Split, tiny: bool) -> dict:
    """Return what a row is worth at every budget, or why it is missing."""
    floor = nothing_computed(split)
    if name == ONE_THRESHOLD:
        found = one_threshold(split, tiny)
        return {kind: summary([floor, *found], kind, split) for kind in ACCOUNTINGS}
    method, variants = VARIANTS[name]
    reason = _why_not(method, split)
    if reason:
        return {"missing": reason}
    shared = "accounting" not in all_methods()[method]().get_params()
    found, row = [], {}
    for accounting in ACCOUNTINGS:
        if not found or not shared:
            found = points_of(method, variants, split, accounting, tiny)
        row[accounting] = summary([floor, *found], accounting, split)
    return row


def _why_not(method: str, split: Split) -> str:
    if method not in all_methods():
        return "not in this version of the library"
    takes_many = all_methods()[method]().__sklearn_tags__().classifier_tags.multi_class
    if split.dataset.positive is None and not takes_many:
        return "takes two classes only"
    return ""


def summary(points, accounting: str, split: Split) -> dict:
    """Return test scores within shares of the full cost, chosen on validation rows."""
    score = score_of(split)
    full = split.dataset.hypergraph.total_cost
    frontier = Frontier(points, accounting, score)
    chosen = [frontier.best_within(share * full * (1 + 1e-9)) for share in SHARES]
    return {
        "score": [round(point.scores["test"][score], 5) for point in chosen],
        "paid": [round(point.cost[accounting] / full, 5) for point in chosen],
        "hypervolume": round(frontier.hypervolume(full), 5),
        "models": len(points) - 1,
        "seconds": round(sum(point.seconds for point in points), 2),
    }


def paired(cells: dict[str, dict[int, dict]]) -> dict:
    """Return means over seeds, and ours minus each other row with standard errors.

    Takes for each row what it is worth by seed. Means are over all seeds of a row;
    differences over those that ours has too.
    """
    table = {}
    for accounting in ACCOUNTINGS:
        table[accounting] = {}
        for name, by_seed in cells.items():
            parts = {seed: row[accounting] for seed, row in sorted(by_seed.items())}
            entry = {
                key: np.mean([part[key] for part in parts.values()], axis=0).tolist()
                for key in ("score", "paid", "hypervolume", "models", "seconds")
            }
            entry["seeds"] = list(parts)
            if name != OURS:
                ours = {s: row[accounting] for s, row in cells[OURS].items()}
                entry |= _ahead(ours, parts)
            table[accounting][name] = entry
    return table


def _ahead(ours: dict[int, dict], other: dict[int, dict]) -> dict:
    both = [seed for seed in other if seed in ours]
    if not both:
        return {}
    found = {}
    for key, told in (("score", "ours ahead by"), ("hypervolume", "ours ahead, area")):
        ahead = np.array([np.subtract(ours[s][key], other[s][key]) for s in both])
        found[told] = ahead.mean(axis=0).tolist()
        if len(both) > 1:
            error = ahead.std(axis=0, ddof=1) / np.sqrt(len(both))
            found[f"{told}: standard error"] = error.tolist()
    return found

"""What every row is worth within a budget, chosen on validation rows."""

from __future__ import annotations

import numpy as np

from solvers import Frontier, all_methods
from solvers.frontier.bands import Band, compare_bands, holm
from solvers.frontier.evaluation import Split

from .contestants import (
    ONE_THRESHOLD,
    OURS,
    OUTSIDE,
    VARIANTS,
    floor_of,
    one_threshold,
    outside_points,
    points_of,
    score_of,
)

SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
ACCOUNTINGS = ("mean", "max")


def row_of(name: str, split: Split, tiny: bool) -> dict:
    """Return what a row is worth at every budget, or why it is missing."""
    if name == ONE_THRESHOLD or name in OUTSIDE:
        found = (
            one_threshold(split, tiny)
            if name == ONE_THRESHOLD
            else outside_points(name, split, tiny)
        )
        return {kind: summary(found, kind, split) for kind in ACCOUNTINGS}
    method, variants = VARIANTS[name]
    reason = _why_not(method, split)
    if reason:
        return {"missing": reason}
    shared = "accounting" not in all_methods()[method]().get_params()
    found, row = [], {}
    for accounting in ACCOUNTINGS:
        if not found or not shared:
            found = points_of(method, variants, split, accounting, tiny)
        row[accounting] = summary(found, accounting, split)
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
    score, floor = score_of(split), floor_of(split)
    full = split.dataset.hypergraph.total_cost
    frontier = Frontier(points, accounting, score, floor)
    chosen = [frontier.best_within(share * full) for share in SHARES]
    bought = [
        point.scores["test"][score] if point else floor["test"] for point in chosen
    ]
    paid = [point.cost[accounting] / full if point else 0.0 for point in chosen]
    return {
        "score": np.round(bought, 5).tolist(),
        "paid": np.round(paid, 5).tolist(),
        "hypervolume": round(frontier.hypervolume(full), 5),
        "models": len(points),
        "seconds": round(sum(point.seconds for point in points), 2),
    }


def paired(cells: dict[str, dict[int, dict]], *, overlap: float = 0.0) -> dict:
    """Return means over seeds, and ours minus each other row, seed by seed.

    Takes for each row what it is worth by seed. Means are over all seeds of a row;
    differences over those that ours has too. All rows are tested at a budget together:
    their p-values are Holm's. `overlap` is of ``compare_bands``.
    """
    return {kind: _paired(cells, kind, overlap) for kind in ACCOUNTINGS}


def _paired(cells: dict[str, dict[int, dict]], kind: str, overlap: float) -> dict:
    table = {}
    for name, by_seed in cells.items():
        parts = {seed: row[kind] for seed, row in sorted(by_seed.items())}
        entry = {
            key: np.mean([part[key] for part in parts.values()], axis=0).tolist()
            for key in ("score", "paid", "hypervolume", "models", "seconds")
        }
        entry["seeds"] = list(parts)
        if name != OURS:
            ours = {s: row[kind] for s, row in cells[OURS].items()}
            entry |= _ahead(ours, parts, overlap)
        table[name] = entry
    for key in _COMPARED.values():
        _correct(table, f"{key}: p")
    return table


# What is compared, and how the difference is called.
_COMPARED = {"score": "ours ahead by", "hypervolume": "ours ahead, area"}


def _ahead(ours: dict[int, dict], other: dict[int, dict], overlap: float) -> dict:
    both = [seed for seed in other if seed in ours]
    if not both:
        return {}
    found: dict[str, list] = {}
    for key, told in _COMPARED.items():
        one, two = (np.array([row[s][key] for s in both]) for row in (ours, other))
        one, two = one.reshape(len(both), -1), two.reshape(len(both), -1)
        found[told] = (one - two).mean(axis=0).tolist()
        if len(both) > 1:
            grid = np.arange(one.shape[1], dtype=float)
            test = compare_bands(Band(grid, one), Band(grid, two), overlap=overlap)
            error = (one - two).std(axis=0, ddof=1) / np.sqrt(len(both))
            found[f"{told}: standard error"] = error.tolist()
            found[f"{told}: p"] = test.p_value.tolist()
    return found


def _correct(table: dict[str, dict], key: str) -> None:
    """Correct the p-values of all rows at each budget for how many there are."""
    rows = [entry for entry in table.values() if key in entry]
    if rows:
        corrected = np.array([holm(ps) for ps in np.transpose([e[key] for e in rows])])
        for entry, p in zip(rows, corrected.T, strict=True):
            entry[key] = p.tolist()

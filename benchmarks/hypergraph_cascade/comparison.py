"""What every row is worth within a budget, chosen on validation rows."""

from __future__ import annotations

import numpy as np

from solvers import Frontier, ThriftscopeError, all_methods
from solvers.evaluation import Split

from .contestants import OURS, VARIANTS, nothing_computed, one_threshold, points_of

SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
ACCOUNTINGS = ("mean", "p95", "max")


def compare(split: Split, tiny: bool) -> tuple[dict, dict]:
    """Return what every row is worth at every budget, and why rows are missing."""
    floor = nothing_computed(split)
    rows, missing = {}, {}
    for name, (method, variants) in VARIANTS.items():
        reason = _why_not(method, split)
        if reason:
            missing[name] = reason
            continue
        shared = "accounting" not in all_methods()[method]().get_params()
        found, row = [], {}
        for accounting in ACCOUNTINGS:
            if not found or not shared:
                try:
                    found = points_of(method, variants, split, accounting, tiny)
                except ThriftscopeError as error:
                    missing[name] = str(error)
                    break
            row[accounting] = summary([floor, *found], accounting, split)
        else:
            rows[name] = row
    found = one_threshold(split, tiny)
    rows["one calibrated threshold, same stages"] = {
        accounting: summary([floor, *found], accounting, split)
        for accounting in ACCOUNTINGS
    }
    return rows, missing


def _why_not(method: str, split: Split) -> str:
    if method not in all_methods():
        return "not in this version of the library"
    takes_many = all_methods()[method]().__sklearn_tags__().classifier_tags.multi_class
    if split.dataset.positive is None and not takes_many:
        return "takes two classes only"
    return ""


def summary(points, accounting: str, split: Split) -> dict:
    """Return test scores within shares of the full cost, chosen on validation rows."""
    score = "f1" if split.dataset.positive is not None else "accuracy"
    full = split.dataset.hypergraph.total_cost
    frontier = Frontier(points, accounting, score)
    chosen = [frontier.best_within(share * full * (1 + 1e-9)) for share in SHARES]
    return {
        "score": [point.scores["test"][score] for point in chosen],
        "paid": [point.cost[accounting] / full for point in chosen],
        "hypervolume": frontier.hypervolume(full),
        "models": len(points) - 1,
        "seconds": sum(point.seconds for point in points),
    }


def paired(runs: list[dict]) -> dict:
    """Return means over seeds, and ours minus each other row with standard errors."""
    table = {}
    for accounting in ACCOUNTINGS:
        ours = np.array([run[OURS][accounting]["score"] for run in runs])
        table[accounting] = {}
        for name in runs[0]:
            if any(name not in run for run in runs):
                continue
            parts = [run[name][accounting] for run in runs]
            scores = np.array([part["score"] for part in parts])
            entry = {
                key: np.mean([part[key] for part in parts], axis=0).tolist()
                for key in ("score", "paid", "hypervolume", "models", "seconds")
            }
            if name != OURS:
                ahead = ours - scores
                entry["ours ahead by"] = ahead.mean(axis=0).tolist()
                if len(runs) > 1:
                    error = ahead.std(axis=0, ddof=1) / np.sqrt(len(runs))
                    entry["standard error"] = error.tolist()
            table[accounting][name] = entry
    return table


def markdown(results: dict) -> str:
    """Return one table a world and accounting, as the docs show them."""
    lines = []
    head = " | ".join(f"{share:.0%}" for share in SHARES)
    for world, found in results["worlds"].items():
        for accounting, rows in found["table"].items():
            lines += [f"{world}, {accounting} cost, {found['seeds']} seeds:", ""]
            lines += [f"| method | {head} | area |", "|---" * (len(SHARES) + 2) + "|"]
            for name, entry in rows.items():
                cells = " | ".join(f"{value:.3f}" for value in entry["score"])
                lines.append(f"| {name} | {cells} | {entry['hypervolume']:.3f} |")
                if "standard error" in entry:
                    pairs = zip(
                        entry["ours ahead by"], entry["standard error"], strict=True
                    )
                    ahead = " | ".join(f"{a:+.3f} ± {e:.3f}" for a, e in pairs)
                    lines.append(f"| ours ahead by | {ahead} | |")
            lines.append("")
        for name, reason in found["missing"].items():
            lines.append(f"Left out: {name}, {reason}.")
        lines.append("")
    return "\n".join(lines)

"""What the axes of a frontier are called, and where they end."""

from __future__ import annotations

from collections.abc import Iterable

from solvers import Frontier

from ..widgets.text import SCORES

ACCOUNTS = {"mean": "mean", "p95": "95th percentile", "max": "worst case"}


def cost_label(axes: Frontier) -> str:
    """Return what the axis of cost is called, without its unit."""
    charged = {
        "features": "prediction cost",
        "one_row": "prediction cost and deciding, a row alone",
        "batch_row": "prediction cost and deciding, a row of many",
    }[axes.charge]
    return f"{charged}, {ACCOUNTS[axes.accounting]} over test rows"


def score_label(score: str) -> str:
    """Return what the axis of a score is called."""
    if score == "neg_log_loss":
        return "Log loss on test rows, negated"
    return f"{SCORES[score]} on test rows"


def score_ends(scores: Iterable[float]) -> tuple[float, float]:
    """Return where the axis of a score ends: most lie from 0 to 1, a log loss below."""
    known = list(scores) or [0.0]
    if min(known) < 0:
        return 1.08 * min(known), 0.02 * -min(known)
    return max(0.0, min(known) - 0.05), 1.01

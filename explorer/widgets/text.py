"""Numbers, units and points in words: the same on every page."""

from __future__ import annotations

from html import escape

from solvers import Dataset, FrontierPoint, all_methods

__all__ = [
    "charge_text",
    "cost_text",
    "number",
    "params_text",
    "plain",
    "point_text",
    "unit_text",
]


def number(value: float) -> str:
    """Return a number with three digits that count, without an exponent."""
    if value == 0 or not abs(value) < 1e6:
        return f"{value:g}"
    digits = max(0, 2 - int(f"{value:e}".split("e")[1]))
    return f"{value:.{min(digits, 6)}f}"


def cost_text(value: float, unit: str) -> str:
    """Return a cost with its unit."""
    return f"{number(value)} {unit_text(unit)}"


def charge_text(value: float, unit: str) -> str:
    """Return a cost with its unit, or a bare number where costs have none."""
    return cost_text(value, unit) if unit else f"{value:.4g}"


def unit_text(unit: str) -> str:
    """Return a unit as people write it."""
    return "µs" if unit == "us" else unit


def params_text(point: FrontierPoint) -> str:
    """Return the parameters of a point in words."""
    knobs = all_methods()[point.method].knobs
    shown = {
        name: value
        for name, value in point.params.items()
        if name in ("alpha", "p", "penalty", "refit", "budget")
    } or dict(list(point.params.items())[:3])
    return ", ".join(
        f"{knobs[name].label if name in knobs else name} "
        f"{value if isinstance(value, str) else number(value)}"
        for name, value in shown.items()
    )


def point_text(point: FrontierPoint, dataset: Dataset, accounting: str) -> str:
    """Return what a point costs and gets right, in one line."""
    features = "feature" if point.n_features == 1 else "features"
    components = "component" if point.n_components == 1 else "components"
    return (
        f"{all_methods()[point.method].title}: "
        f"F1 {point.scores['test']['f1']:.3f} (test), "
        f"{cost_text(point.cost[accounting], dataset.unit)}, "
        f"{point.n_features} {features}, {point.n_components} {components}"
    )


def plain(text: str) -> str:
    """Return text as HTML that shows exactly this text."""
    return escape(text, quote=True)

"""Numbers, units and points in words: the same on every page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

from solvers import Dataset, Frontier, FrontierPoint, all_methods
from solvers.costs.budgets import room_of
from solvers.costs.prices import ComponentPrices
from solvers.costs.units import conversion, is_time
from solvers.decisions.scores import NEGATED, RANK_SCORES, TOTAL_COST
from solvers.errors import counted
from solvers.frontier.evaluation import Split
from solvers.frontier.free_answer import free_answer
from solvers.values.knobs import Knob, Switch
from solvers.values.rounding import fixed, number, rounded

from ..document.units import COUNTED

#: Scores that a budget can be spent on: precision or recall alone can be had for free.
SCORES = {
    "f1": "F1",
    "weighted_f1": "Weighted F1",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "roc_auc": "ROC AUC",
    "average_precision": "Average precision",
    "neg_log_loss": "Log loss",
    "sensitivity_at_specificity": "Sensitivity at 95 % specificity",
    TOTAL_COST: "Tests and mistakes",
}


def list_text(names: Iterable[str], most: int | None = None) -> str:
    """Return names as people list them: "a, b and c"; of very many the first `most`.

    Examples
    --------
    >>> list_text(["age", "sex", "cp"]), list_text(["age"])
    ('age, sex and cp', 'age')
    >>> list_text(map(str, range(100)), 2)
    '0, 1 and 98 others'
    """
    *first, last = [*names] or [""]
    if most is not None and len(first) > most:
        last = f"{len(first) + 1 - most} others"
    return f"{', '.join(first[:most])} and {last}" if first else last


def cost_text(value: float, unit: str) -> str:
    """Return a cost with its unit; features that are counted have no decimals."""
    if unit in COUNTED and float(value).is_integer():
        return counted(int(value), COUNTED[0])
    return f"{number(value)} {unit_text(unit)}"


def charge_text(value: float, unit: str) -> str:
    """Return a cost with its unit, or a bare number where costs have none."""
    return cost_text(value, unit) if unit else f"{rounded(value, 4):g}"


def percent_text(share: float) -> str:
    """Return a share in percent; what is less than all is never written as 100.

    What differs from none or all by rounding alone is written as these.
    """
    said = number(100 * share) if abs(share) > 1e-9 else "0"
    decimals = 2
    while float(said) >= 100 and share < 1 - 1e-9:
        said, decimals = fixed(100 * share, decimals), decimals + 1
    return f"{said} %"


def budget_label(unit: str) -> str:
    """Return what a budget is called: of time, or of what else is paid."""
    return "Runtime budget" if is_time(unit) else "Budget"


def price_text(price: ComponentPrices, value: float) -> str:
    """Return what is paid of a further price, as in "money 12.0 CAD" or "no delay"."""
    if value == 0:
        return f"no {price.name}"
    told = "" if _says_it(price) else f" {unit_text(price.unit)}"
    return f"{price.name} {number(value)}{told}"


def price_label(price: ComponentPrices) -> str:
    """Return the name of a further price with its unit."""
    return price.name if _says_it(price) else f"{price.name} ({unit_text(price.unit)})"


def _says_it(price: ComponentPrices) -> bool:
    """Return whether the name says all that the unit does, as "delay" and "delayed"."""
    return not price.unit or price.unit.startswith(price.name)


def unit_text(unit: str) -> str:
    """Return a unit as people write it."""
    return "µs" if unit == "us" else unit


def params_text(point: FrontierPoint, unit: str) -> str:
    """Return the parameters of a point in words, costs in their unit."""
    knobs = all_methods()[point.method].knobs
    shown = {
        name: value
        for name, value in point.params.items()
        if name in ("alpha", "p", "penalty", "refit", "budget")
    } or dict(list(point.params.items())[:3])
    return ", ".join(
        _param_text(name, value, knobs.get(name), unit) for name, value in shown.items()
    )


def _param_text(name: str, value: Any, knob: Knob | None, unit: str) -> str:
    label = name if knob is None else knob.label
    if isinstance(knob, Switch):
        return f"{label} {'on' if value else 'off'}"
    if name == "budget":
        return f"{budget_label(unit)} {cost_text(value, unit)}"
    return f"{label} {value if isinstance(value, str) else number(value)}"


def point_text(point: FrontierPoint, dataset: Dataset, axes: Frontier) -> str:
    """Return what a point costs and gets right, in one line.

    `axes`: a frontier, which says what is charged and which score counts.
    """
    return (
        f"{all_methods()[point.method].title}: "
        f"{score_text(point, axes.score)} (test), "
        f"{both_costs(point, dataset.unit, axes)}, "
        f"{point.n_features} of {dataset.n_features} features, "
        f"{counted(point.n_components, 'component')}"
        f"{_sampled(point)}"
    )


def bought_text(
    point: FrontierPoint, dataset: Dataset, axes: Frontier, why: str
) -> str:
    """Return what the price of a point buys, in one sentence.

    `why`: why this point is told of.
    """
    gets = f"{score_text(point, axes.score)} on test rows"
    by = f"({all_methods()[point.method].title}, {why}){_sampled(point)}."
    price = both_costs(point, dataset.unit, axes)
    bought = f"{point.n_features} of {counted(dataset.n_features, 'feature')} {by}"
    if axes.score == TOTAL_COST:
        total = cost_text(score_number(point, axes.score), dataset.unit)
        costs = f"A test row costs {total} in all"
        if point.n_features == 0:
            return f"{costs}, none of it for tests {by}"
        return f"{costs}, of which {price} for tests, with {bought}"
    if point.n_features == 0:
        return f"Buying nothing gives {gets} {by}"
    verb = "buys" if price.startswith("1 ") else "buy"
    return f"{price} {verb} {gets} with {bought}"


def free_text(point: FrontierPoint, free: float, split: Split, score: str) -> str:
    """Return what one answer for every row is worth on test rows, beside a point.

    `free`: its score.
    """
    if score == TOTAL_COST:
        return ""  # where testing stops paying says it
    own = point.scores["test"][score]
    if score in RANK_SCORES:
        what = "Believing the same of every row"
    else:
        what = f"Calling every row {free_answer(split, score)}"
    shown = -free if is_negated(score) else free
    # Of two that look alike none is better.
    is_better = round(own, 3) > round(free, 3)
    verdict = "" if is_better else ", so this is no better than computing nothing"
    return f"{what} scores {shown:.3f}{verdict}."


def _sampled(point: FrontierPoint) -> str:
    """Say so where a model has learned from a sample of the training rows."""
    sampled = getattr(point.model, "sampled_rows_", None)
    if sampled is None:
        return ""
    return f", learned from {sampled[0]:,} of {sampled[1]:,} training rows"


def cut_text(name: str, most: int) -> str:
    """Return a name as far as it fits, in so many letters at most."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def objective_text(value: float) -> str:
    """Return a training objective with the digits that count."""
    return fixed(value, 4)


def score_text(point: FrontierPoint, score: str, split: str = "test") -> str:
    """Return a score of a point with its name."""
    return f"{SCORES[score]} {score_said(point, score, split)}"


def score_said(point: FrontierPoint, score: str, split: str = "test") -> str:
    """Return a score of a point as people read it: costs have the digits of prices."""
    value = score_number(point, score, split)
    return number(value) if score == TOTAL_COST else fixed(value, 3)


def is_negated(score: str) -> bool:
    """Whether less of what people call the score is better."""
    return score in NEGATED


def score_number(point: FrontierPoint, score: str, split: str = "test") -> float:
    """Return a score of a point as people write it: a loss is not negated."""
    value = point.scores[split][score]
    return -value if is_negated(score) else value


def both_costs(point: FrontierPoint, unit: str, axes: Frontier) -> str:
    """Return what a point costs on validation and on test rows, once if that agrees."""
    costs = [axes.cost(point, part) for part in ("validation", "test")]
    held, paid = map(number, costs)
    if held == paid:
        return cost_text(costs[1], unit)
    return f"{cost_text(costs[0], unit)} on validation rows, {paid} on test rows"


def held_text(point: FrontierPoint, axes: Frontier, budget: float) -> str:
    """Return what is held against a budget, and whether test rows stayed within.

    Empty where both kinds of rows stay within and no margin was asked for.
    """
    paid, unit = axes.cost(point), axes.unit
    over = paid - budget
    parts = []
    rows = point.validation_rows
    if axes.confidence and rows is not None:
        held = f"Held against the budget: {cost_text(axes.held(point), unit)}, "
        parts.append(
            f"{held}the most that any row can cost: "
            f"{counted(len(rows.costs), 'validation row')} cannot "
            f"promise less with a confidence of {share_text(axes.confidence)}."
            if is_held_at_most(point, axes)
            else f"{held}within which {share_text(axes.confidence)} of samples of as "
            "many rows stay."
        )
    if paid > room_of(budget):
        parts.append(
            f"Validation rows chose it, within the budget of {cost_text(budget, unit)};"
            f" test rows cost {cost_text(over, unit)} more than that."
        )
    return " ".join(parts)


def share_text(confidence: float) -> str:
    """Return a confidence in percent; one below 1 is never written as 100."""
    return f"{100 * confidence:.10g}%"


def is_held_at_most(point: FrontierPoint, axes: Frontier) -> bool:
    """Return whether a margin is all that a row can cost, though not every row does."""
    rows = point.validation_rows
    if not axes.confidence or rows is None or rows.costs.min() == rows.largest:
        return False
    return rows.bound(axes.accounting, axes.confidence) == rows.largest


def right_text(count: int, right: int) -> str:
    """Return how many test rows come somewhere, and how many of them are right."""
    if count == 0:
        return "no test row"
    if count == 1:
        return f"1 test row, {'right' if right else 'wrong'}"
    return f"{count} test rows, {right} of them right"


def first_buy_text(point: FrontierPoint, traced: Frontier, budget: float) -> str:
    """Return from which budget on a method buys anything, where this one buys nothing.

    `traced`: holds all points of the method. Empty where the point has features, or
    where some model within the budget has: it is then no better on validation rows.
    """
    others = [one for one in traced.of(point.method) if one.n_features]
    if point.n_features or not others:
        return ""
    first = min(traced.held(one) for one in others)
    if first <= room_of(budget):
        return ""
    title, unit = all_methods()[point.method].title, traced.unit
    return (
        f"{title} buys nothing within {cost_text(budget, unit)}: its cheapest model "
        f"with a feature costs {cost_text(first, unit)}, so raise the budget, or "
        "compare a method that looks at costs."
    )


def deciding_text(point: FrontierPoint, axes: Frontier) -> str:
    """Return how long deciding takes beside the features, and whether it is charged.

    It is said whose time that is: an exported file takes another.

    Empty where it was not measured, or the costs are no times.
    """
    if point.decision_seconds is None or not is_time(axes.unit):
        return ""
    alone, many = (
        cost_text(point.decision_seconds[rows] * conversion("s", axes.unit), axes.unit)
        for rows in ("one_row", "batch_row")
    )
    charged = {
        "features": "not charged",
        "one_row": "a row alone is charged",
        "batch_row": "a row of many is charged",
    }[axes.charge]
    return (
        f"Deciding by the estimator's predict: {alone} for a row alone, {many} for a "
        f"row of many ({charged}); an exported file takes another time, measured on "
        "export."
    )


def plain(text: str) -> str:
    """Return text as HTML that shows exactly this text."""
    return escape(text, quote=True)


def in_powers(text: str) -> str:
    """Return text whose numbers are written as people do: 2.5e-05 is 2.5·10⁻⁵."""

    def written(found: re.Match[str]) -> str:
        power = str(int(found[2])).translate(_RAISED)
        return f"{found[1]}·10{power}"

    return re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)\b", written, text)


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
